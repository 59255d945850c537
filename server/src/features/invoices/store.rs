//! Invoices in the database.

use crate::access::scope::Scope;
use crate::features::listing::{self, INVOICES, ListFilter, Selection, writes};
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql};
use crate::platform::encryption::is_foreign_key_violation;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::responses::{json_length, take_within_bytes};
use forecourt_core::date::Date;
use forecourt_core::form::Checked;
use forecourt_core::invoices::{Invoice, InvoiceInput, UNPAGED_MAX, UNPAGED_MAX_BYTES, customer_unknown};
use forecourt_core::lists::Arrangement;
use forecourt_core::money::Money;
use forecourt_core::paging::Page;
use forecourt_core::reply::RECORDS_MAX;
use forecourt_core::text::fold;
use uuid::Uuid;

const COLUMNS: &str = "invoice_id, customer, customer_id, website, email, customer_requirements, start_date, end_date, \
     project_price, created_at, updated_at, version";

/// Rows that are read per query for a long list.
const BATCH: usize = 500;

#[derive(sqlx_macros::FromRow)]
struct InvoiceRow {
    invoice_id: Uuid,
    customer: String,
    customer_id: Option<Uuid>,
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
        let invalid = |column: &str| sqlx::Error::Decode(format!("invoice {}: {column}", row.invoice_id).into());
        Ok(Invoice {
            start_date: Date::parse(&row.start_date).ok_or_else(|| invalid("start_date"))?,
            end_date: Date::parse(&row.end_date).ok_or_else(|| invalid("end_date"))?,
            project_price: Money::from_pence(row.project_price).ok_or_else(|| invalid("project_price"))?,
            id: row.invoice_id.to_string(),
            customer: row.customer,
            customer_id: row.customer_id.map(|id| id.to_string()),
            website: row.website,
            email: row.email,
            customer_requirements: Some(row.customer_requirements),
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
            version: row.version,
        })
    }
}

/// Returns a page of invoices, newest first unless the arrangement has a sort order, and the total number on all pages. If the page is too large, the last
/// invoices have no requirements.
pub async fn list(
    scope: &Scope,
    page: Page,
    search: Option<&str>,
    arrangement: Arrangement,
) -> Result<(Vec<Invoice>, u64)> {
    let query = Selection { page, search, filter: ListFilter::default(), arrangement };
    let page = listing::page::<InvoiceRow>(scope, COLUMNS, &INVOICES, &query).await?;
    let invoices = page.rows.into_iter().map(Invoice::try_from).collect::<Result<_>>()?;
    Ok((shorten(invoices, RECORDS_MAX).map_err(unserializable)?, page.total))
}

/// Removes the requirements of the last invoices until all of them fit into `most` bytes of JSON.
fn shorten(mut invoices: Vec<Invoice>, most: usize) -> serde_json::Result<Vec<Invoice>> {
    let mut bytes = json_length(&invoices)?;
    for invoice in invoices.iter_mut().rev() {
        if bytes <= most {
            break;
        }
        let before = json_length(invoice)?;
        invoice.customer_requirements = None;
        bytes -= before - json_length(invoice)?;
    }
    Ok(invoices)
}

fn unserializable(error: serde_json::Error) -> sqlx::Error {
    sqlx::Error::Decode(error.into())
}

/// Returns the first invoices of the list, at most [`UNPAGED_MAX`] of them and at most [`UNPAGED_MAX_BYTES`] bytes of JSON, and
/// how many there are.
pub async fn first(scope: &Scope, search: Option<&str>, arrangement: Arrangement) -> Result<(Vec<Invoice>, u64)> {
    let page = Page { page: 1, limit: UNPAGED_MAX };
    let query = Selection { page, search, filter: ListFilter::default(), arrangement };
    let (ids, total) = listing::ids(scope, &INVOICES, &query).await?;
    let (mut invoices, mut left) = (Vec::new(), UNPAGED_MAX_BYTES - "[]".len());
    for batch in ids.chunks(BATCH) {
        let rows: Vec<InvoiceRow> = listing::rows(scope, COLUMNS, &INVOICES, batch.to_vec()).all().await?;
        let (loaded, rows) = (rows.len(), rows.into_iter().map(Invoice::try_from).collect::<Result<Vec<_>>>()?);
        let fitting = take_within_bytes(rows, left).map_err(unserializable)?;
        // `take_within_bytes` counts a comma after each invoice, one more than the JSON has.
        left -= json_length(&fitting).map_err(unserializable)? - "[]".len() + usize::from(!fitting.is_empty());
        let is_full = fitting.len() < loaded;
        invoices.extend(fitting);
        if is_full {
            break;
        }
    }
    Ok((invoices, total))
}

pub async fn total(scope: &Scope) -> Result<u64> {
    listing::total(scope, &INVOICES).await
}

/// Returns an invoice of this tenant.
pub async fn get(scope: &Scope, id: Uuid) -> Result<Invoice> {
    let sql = scope.db().sql("SELECT ").push(COLUMNS).push_arg(" FROM invoices WHERE corp_id = ", scope.corp());
    sql.push_arg(" AND invoice_id = ", id).one::<InvoiceRow>().await?.try_into()
}

/// Returns the website that is stored with an invoice; `None` if there is no such invoice.
pub async fn website(scope: &Scope, id: Uuid) -> Result<Option<String>> {
    let sql = scope.db().sql("SELECT website FROM invoices WHERE corp_id = $1 AND invoice_id = $2");
    sql.bind_all((scope.corp(), id)).maybe_value().await
}

/// The values of the columns that derive from the form.
struct Columns {
    input: InvoiceInput,
    /// `None` if the form does not say which; `Some(None)` for no customer.
    customer_id: Option<Option<Uuid>>,
    pence: i64,
    customer_key: String,
    website_key: String,
    email_key: String,
    /// `None` if the form has no requirements.
    requirements_key: Option<String>,
}

impl Columns {
    fn new(input: Checked<InvoiceInput>) -> Self {
        // The rules reject an invoice without a price.
        let pence = input.project_price().unwrap_or_default().pence();
        let [customer_key, website_key, email_key] =
            [&input.customer, &input.website, &input.email].map(|text| fold(text));
        let customer_id = input.customer_id.as_deref().map(|id| Uuid::try_parse(id).ok());
        let requirements_key = input.customer_requirements.as_deref().map(fold);
        Columns {
            input: input.into_inner(),
            customer_id,
            pence,
            customer_key,
            website_key,
            email_key,
            requirements_key,
        }
    }
}

/// # Errors
/// 400 if the form names a customer that this tenant does not have.
pub async fn create(scope: &Scope, form: Checked<InvoiceInput>, now: i64) -> ApiResult<Invoice> {
    let sql = push_values(scope.db().sql(INSERT).push("("), scope, writes::UNNUMBERED, form, now);
    let row = sql.push(") RETURNING ").push(COLUMNS).one::<InvoiceRow>().await.map_err(write_error)?;
    Ok(row.try_into()?)
}

/// Converts the error of a write. The only foreign key that a request can violate is that of the customer.
fn write_error(error: sqlx::Error) -> ApiError {
    match is_foreign_key_violation(&error) {
        true => customer_unknown().into(),
        false => error.into(),
    }
}

/// The start of an INSERT of invoices; [`push_values`] adds each tuple.
pub(crate) const INSERT: &str = "INSERT INTO invoices (corp_id, doc, invoice_id, customer, customer_id, website, \
     email, customer_requirements, start_date, end_date, project_price, customer_key, website_key, email_key, \
     customer_requirements_key, created_at, updated_at) VALUES ";

/// Appends the values of an invoice's row, in the order of [`INSERT`]. `doc` is its number.
pub(crate) fn push_values<'e>(sql: Sql<'e>, scope: &Scope, doc: i64, form: Checked<InvoiceInput>, now: i64) -> Sql<'e> {
    let Columns { input, customer_id, pence, customer_key, website_key, email_key, requirements_key } =
        Columns::new(form);
    sql.arg(scope.corp())
        .next(doc)
        .next(Uuid::now_v7())
        .next(input.customer)
        .next(customer_id.flatten())
        .next(input.website)
        .next(input.email)
        .next(input.customer_requirements.unwrap_or_default())
        .next(input.start_date)
        .next(input.end_date)
        .next(pence)
        .next(customer_key)
        .next(website_key)
        .next(email_key)
        .next(requirements_key.unwrap_or_default())
        .next(now)
        .next(now)
}

/// Updates an invoice. Returns `false` if it does not exist or is not in the version that the update is based on; the
/// check and the write are one statement, so that it is atomic.
///
/// # Errors
/// As [`create`].
pub async fn update(scope: &Scope, id: Uuid, form: Checked<InvoiceInput>, now: i64) -> ApiResult<bool> {
    let Columns { input, customer_id, pence, customer_key, website_key, email_key, requirements_key } =
        Columns::new(form);
    let updated = scope
        .db()
        .sql("UPDATE invoices SET customer = ")
        .arg(input.customer)
        .filter(", customer_id = ", customer_id)
        .push_arg(", website = ", input.website)
        .push_arg(", email = ", input.email)
        .filter(", customer_requirements = ", input.customer_requirements)
        .push_arg(", start_date = ", input.start_date)
        .push_arg(", end_date = ", input.end_date)
        .push_arg(", project_price = ", pence)
        .push_arg(", customer_key = ", customer_key)
        .push_arg(", website_key = ", website_key)
        .push_arg(", email_key = ", email_key)
        .filter(", customer_requirements_key = ", requirements_key)
        .push_arg(", updated_at = ", now)
        .push_arg(", version = version + 1 WHERE corp_id = ", scope.corp())
        .push_arg(" AND invoice_id = ", id)
        .require_version(input.version, input.updated_at.as_deref())
        .exec()
        .await
        .map_err(write_error)?;
    Ok(updated > 0)
}

/// Deletes an invoice. Returns `false` if it does not exist.
pub async fn delete(scope: &Scope, id: Uuid) -> Result<bool> {
    let sql = scope.db().sql("DELETE FROM invoices WHERE corp_id = $1 AND invoice_id = $2");
    Ok(sql.bind_all((scope.corp(), id)).exec().await? > 0)
}
