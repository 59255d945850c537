//! Invoices in the database.

use crate::access::scope::{Invoices, Scope};
use crate::features::listing::{self, INVOICES, Listed, Listing, Selection};
use crate::features::records::columns::Columns;
use crate::features::records::plain::Plain;
use crate::features::records::row::{Id, Parsed, Pence, row};
use crate::features::records::table::Table;
use crate::features::records::{self, Entity, ListRequest};
use crate::platform::db::Result;
use crate::platform::encryption::is_foreign_key_violation;
use crate::platform::error::ApiError;
use crate::platform::extract::ArrangedListQuery;
use crate::platform::responses::{json_length, shorten_to_bytes, take_within_bytes};
use forecourt_core::dashboard::DayTotal;
use forecourt_core::date::Date;
use forecourt_core::invoices::{
    Invoice, InvoiceInput, PAGE_SIZE, UNPAGED_MAX, UNPAGED_MAX_BYTES, unknown_customer_errors,
};
use forecourt_core::paging::Page;
use forecourt_core::reply::RECORDS_MAX;
use uuid::Uuid;

/// Rows that are read per query for a long list.
const BATCH: usize = 500;

row! {
    pub struct InvoiceRow for Invoice {
        texts: customer, website, email;
        id["invoice_id"]: Id,
        customer_id: Option<Id>,
        customer_requirements: String => Some(customer_requirements),
        start_date, end_date: Parsed<Date>,
        project_price: Pence,
    }
}

impl Entity for Invoice {
    type Resource = Invoices;
    type Row = InvoiceRow;
    type Query = ArrangedListQuery<Invoice, PAGE_SIZE>;
    const LISTING: &'static Listing = &INVOICES;
    const TABLE: Table = Table::new("invoices", &[InvoiceRow::NAMES, &["customer_requirements_key", "erased_version"]])
        .referring(&[("customer_id", "customers")]);
    const LABEL: &'static str = "customer";

    /// The only foreign key that a request can violate is that of the customer.
    fn write_error(error: sqlx::Error) -> ApiError {
        match is_foreign_key_violation(&error) {
            true => unknown_customer_errors().into(),
            false => error.into(),
        }
    }
}

impl Plain for Invoice {
    type Form = InvoiceInput;

    fn columns(form: &InvoiceInput) -> Columns {
        Columns::default()
            .set_text("customer", &form.customer)
            .set_or("customer_id", form.customer_id.as_deref().map(|id| Uuid::try_parse(id).ok()), None)
            .set_text("website", &form.website)
            .set_text("email", &form.email)
            .set_text_or_empty("customer_requirements", form.customer_requirements.as_deref())
            .set("start_date", form.start_date.clone())
            .set("end_date", form.end_date.clone())
            // The rules reject an invoice without a price.
            .set("project_price", form.project_price().unwrap_or_default().pence())
    }

    fn add_stored(&self, mut form: InvoiceInput) -> InvoiceInput {
        if form.customer_id == self.customer_id {
            // An unchanged link is not written (`None`): if the customer is deleted before the write, its id would
            // violate the foreign key.
            form.customer_id = None;
        }
        form
    }
}

/// Returns a page of invoices, newest first unless the request has a sort order, and the total number on all pages. If
/// the page is too large, the last invoices have no requirements.
pub async fn list(scope: &Scope, request: &ListRequest) -> Result<(Vec<Invoice>, u64)> {
    let Listed { mut rows, total, .. } = records::list::<Invoice>(scope, request).await?;
    shorten_to_bytes(&mut rows, RECORDS_MAX, |invoice| invoice.customer_requirements = None).map_err(unserializable)?;
    Ok((rows, total))
}

fn unserializable(error: serde_json::Error) -> sqlx::Error {
    sqlx::Error::Decode(error.into())
}

/// Returns the first invoices of the list, at most [`UNPAGED_MAX`] of them and at most [`UNPAGED_MAX_BYTES`] bytes of
/// JSON, and how many there are.
pub async fn first(scope: &Scope, request: &ListRequest) -> Result<(Vec<Invoice>, u64)> {
    let query = Selection { page: Page { page: 1, limit: UNPAGED_MAX }, ..request.selection() };
    let (ids, total) = listing::ids(scope, &INVOICES, &query).await?;
    let (mut invoices, mut left) = (Vec::new(), UNPAGED_MAX_BYTES - "[]".len());
    for batch in ids.chunks(BATCH) {
        let rows = records::get_existing::<Invoice>(scope, batch.to_vec()).await?;
        let loaded = rows.len();
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

/// Returns number and value of the corporation's invoices on each day of this month, up to today, and of last month.
pub async fn totals_by_day(scope: &Scope, today: Date) -> Result<Vec<DayTotal>> {
    let first = today.month_start_before(1).unwrap_or(today).to_string();
    let sql = "SELECT start_date, count(*), CAST(sum(project_price) AS BIGINT) FROM invoices WHERE corp_id = ";
    let sql = scope.db().sql(sql).arg(scope.corp()).push_arg(" AND start_date >= ", first);
    let sql = sql.push_arg(" AND start_date <= ", today.to_string()).push(" GROUP BY start_date");
    let rows: Vec<(Parsed<Date>, i64, i64)> = sql.all().await?;
    let total = |(Parsed(day), count, pence): (_, i64, _)| DayTotal { day, count: count.unsigned_abs(), pence };
    Ok(rows.into_iter().map(total).collect())
}
