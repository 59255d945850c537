//! Invoices in the database.

use crate::clock::rfc3339;
use crate::db::Result;
use crate::fairness::LONG_RESPONSE_MAX;
use crate::listing::{self, INVOICES, Narrow, Wanted};
use crate::scope::Scope;
use crate::search;
use forecourt_core::date::Date;
use forecourt_core::form::Checked;
use forecourt_core::invoices::{Invoice, InvoiceInput, MOST};
use forecourt_core::money::Money;
use forecourt_core::paging::Page;
use serde::Serialize;
use uuid::Uuid;

const COLUMNS: &str = "invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
     project_price, created_at, updated_at, version";

/// Rows of a long list that are read at a time.
const AT_ONCE: usize = 500;
/// What stands around the invoices of a list: its brackets.
const AROUND: usize = 2;

/// An invoice as its row holds it.
#[derive(sqlx_macros::FromRow)]
struct InvoiceRow {
    invoice_id: Uuid,
    customer: String,
    website: String,
    email: String,
    customer_requirements: String,
    start_date: String,
    end_date: String,
    project_price: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl TryFrom<InvoiceRow> for Invoice {
    type Error = sqlx::Error;

    fn try_from(row: InvoiceRow) -> Result<Self> {
        let unreadable = |what: &str| sqlx::Error::Decode(format!("invoice {}: {what}", row.invoice_id).into());
        Ok(Invoice {
            start_date: Date::parse(&row.start_date).ok_or_else(|| unreadable("start_date"))?,
            end_date: Date::parse(&row.end_date).ok_or_else(|| unreadable("end_date"))?,
            project_price: Money::from_pence(row.project_price).ok_or_else(|| unreadable("project_price"))?,
            id: row.invoice_id.to_string(),
            customer: row.customer,
            website: row.website,
            email: row.email,
            customer_requirements: row.customer_requirements,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
            version: row.version,
        })
    }
}

/// A page of invoices, the newest first, and how many there are on all pages.
pub async fn list(scope: &Scope, page: Page, search: Option<&str>) -> Result<(Vec<Invoice>, u64)> {
    let wanted = Wanted { page, search, narrow: Narrow::default() };
    let (ids, total) = listing::ids(scope, &INVOICES, &wanted).await?;
    let rows: Vec<InvoiceRow> = listing::rows(scope, COLUMNS, &INVOICES, ids).all().await?;
    Ok((rows.into_iter().map(Invoice::try_from).collect::<Result<_>>()?, total))
}

/// Returns the newest invoices, at most [`MOST`] of them and as many as fit into an answer of [`LONG_RESPONSE_MAX`] bytes, and
/// how many there are.
pub async fn newest(scope: &Scope, search: Option<&str>) -> Result<(Vec<Invoice>, u64)> {
    let wanted = Wanted { page: Page { page: 1, limit: MOST }, search, narrow: Narrow::default() };
    let (ids, total) = listing::ids(scope, &INVOICES, &wanted).await?;
    let (mut invoices, mut bytes) = (Vec::new(), AROUND);
    for some in ids.chunks(AT_ONCE) {
        let rows: Vec<InvoiceRow> = listing::rows(scope, COLUMNS, &INVOICES, some.to_vec()).all().await?;
        for row in rows {
            let invoice = Invoice::try_from(row)?;
            // With the comma behind it.
            bytes += json_bytes(&invoice) + 1;
            if bytes > LONG_RESPONSE_MAX {
                return Ok((invoices, total));
            }
            invoices.push(invoice);
        }
    }
    Ok((invoices, total))
}

/// Returns how many bytes a value takes as JSON, without writing it anywhere.
fn json_bytes(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // A value that can't be written is one that no answer holds.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// How many invoices there are.
pub async fn total(scope: &Scope) -> Result<u64> {
    Ok(listing::months(scope, &INVOICES).await?.iter().map(|month| month.count.unsigned_abs()).sum())
}

/// One invoice, if it is this tenant's.
pub async fn get(scope: &Scope, id: Uuid) -> Result<Option<Invoice>> {
    let sql = scope.db().sql("SELECT ").push(COLUMNS).push(" FROM invoices WHERE corp_id = ").arg(scope.corp());
    sql.push(" AND invoice_id = ").arg(id).maybe::<InvoiceRow>().await?.map(Invoice::try_from).transpose()
}

/// Returns the website that is stored with an invoice; `None` if there is no such invoice.
pub async fn website(scope: &Scope, id: Uuid) -> Result<Option<String>> {
    let sql = scope.db().sql("SELECT website FROM invoices WHERE corp_id = $1 AND invoice_id = $2");
    Ok(sql.bind(scope.corp()).bind(id).maybe::<(String,)>().await?.map(|(website,)| website))
}

/// What the columns that a person fills in, and the one that is searched, are to hold.
struct Filled {
    input: InvoiceInput,
    pence: i64,
    search: String,
}

impl Filled {
    fn new(input: Checked<InvoiceInput>) -> Self {
        // The rules let no invoice without a price in.
        let pence = input.project_price().unwrap_or_default().pence();
        let search = search::text(&[&input.customer, &input.website, &input.email]);
        Filled { input: input.into_inner(), pence, search }
    }
}

/// Writes a new invoice.
pub async fn create(scope: &Scope, input: Checked<InvoiceInput>, now: i64) -> Result<Invoice> {
    let Filled { input, pence, search } = Filled::new(input);
    scope
        .db()
        .sql(
            "INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, \
             end_date, project_price, search, created_at, updated_at) VALUES (",
        )
        .arg(scope.corp())
        .next(Uuid::now_v7())
        .next(input.customer)
        .next(input.website)
        .next(input.email)
        .next(input.customer_requirements)
        .next(input.start_date)
        .next(input.end_date)
        .next(pence)
        .next(search)
        .next(now)
        .next(now)
        .push(") RETURNING ")
        .push(COLUMNS)
        .one::<InvoiceRow>()
        .await?
        .try_into()
}

/// Changes an invoice if it is still in the state that the change is based on, or in whichever it is where none is named.
/// One statement looks and writes, so that of two changes based on the same version one is written.
pub async fn update(scope: &Scope, id: Uuid, input: Checked<InvoiceInput>, now: i64) -> Result<Option<Invoice>> {
    let Filled { input, pence, search } = Filled::new(input);
    let sql = scope
        .db()
        .sql("UPDATE invoices SET customer = ")
        .arg(input.customer)
        .push(", website = ")
        .arg(input.website)
        .push(", email = ")
        .arg(input.email)
        .push(", customer_requirements = ")
        .arg(input.customer_requirements)
        .push(", start_date = ")
        .arg(input.start_date)
        .push(", end_date = ")
        .arg(input.end_date)
        .push(", project_price = ")
        .arg(pence)
        .push(", search = ")
        .arg(search)
        .push(", updated_at = ")
        .arg(now)
        .push(", version = version + 1 WHERE corp_id = ")
        .arg(scope.corp())
        .push(" AND invoice_id = ")
        .arg(id)
        .based_on(input.version, input.updated_at.as_deref())
        .push(" RETURNING ")
        .push(COLUMNS);
    sql.maybe::<InvoiceRow>().await?.map(Invoice::try_from).transpose()
}

/// Deletes an invoice.
pub async fn delete(scope: &Scope, id: Uuid) -> Result<()> {
    let sql = scope.db().sql("DELETE FROM invoices WHERE corp_id = $1 AND invoice_id = $2");
    match sql.bind(scope.corp()).bind(id).exec().await? {
        0 => Err(sqlx::Error::RowNotFound),
        _ => Ok(()),
    }
}
