//! Invoices in the database.

use crate::access::scope::{Invoices, Scope};
use crate::features::listing::{self, INVOICES, Listed, Listing, Selection};
use crate::features::records::{self, Base, CheckedForm, Editable, Entity, ListRequest, parse_id};
use crate::platform::clock::rfc3339;
use crate::platform::db::{Connection, Result, Sql, Tx};
use crate::platform::encryption::is_foreign_key_violation;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::ArrangedListQuery;
use crate::platform::responses::{json_length, take_within_bytes};
use crate::platform::search;
use forecourt_core::date::Date;
use forecourt_core::form::{ChangesWebsite, Checked, FormSettings, check_with};
use forecourt_core::invoices::{Invoice, InvoiceInput, UNPAGED_MAX, UNPAGED_MAX_BYTES, customer_unknown, text};
use forecourt_core::message::Message;
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
pub struct InvoiceRow {
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

impl Entity for Invoice {
    type Resource = Invoices;
    type Row = InvoiceRow;
    type Query = ArrangedListQuery<Invoice>;
    const LISTING: &'static Listing = &INVOICES;
    const TABLE: &'static str = "invoices";
    const ID: &'static str = "invoice_id";
    const COLUMNS: &'static str = COLUMNS;
    const DELETED: &'static Message = text::DELETED;

    fn from_row(row: InvoiceRow) -> Result<Self> {
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

impl Editable for Invoice {
    type Entity = Self;
    type Row = InvoiceRow;
    type Form = InvoiceInput;
    const COLUMNS: &'static str = COLUMNS;

    fn from_row(row: InvoiceRow) -> Result<Self> {
        Entity::from_row(row)
    }

    fn record(&self) -> &Self {
        self
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.customer
    }

    fn check(&self, settings: FormSettings, mut form: InvoiceInput) -> CheckedForm<InvoiceInput> {
        form.accept_stored_website(Some(self.website.clone()));
        // Unchanged: the customer may be deleted meanwhile.
        form.customer_id = None;
        check_with(settings, form)
    }

    fn update<'t>(&self, tx: &'t mut Tx, scope: &Scope, form: Checked<InvoiceInput>, now: i64) -> ApiResult<Sql<'t>> {
        Ok(update_statement(tx, scope, parse_id(&self.id)?, form, now))
    }
}

/// Returns a page of invoices, newest first unless the request has a sort order, and the total number on all pages. If the page
/// is too large, the last invoices have no requirements.
pub async fn list(scope: &Scope, request: &ListRequest) -> Result<(Vec<Invoice>, u64)> {
    let Listed { rows, total, .. } = records::list::<Invoice>(scope, request).await?;
    Ok((shorten(rows, RECORDS_MAX).map_err(unserializable)?, total))
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
pub async fn first(scope: &Scope, request: &ListRequest) -> Result<(Vec<Invoice>, u64)> {
    let query = Selection { page: Page { page: 1, limit: UNPAGED_MAX }, ..request.selection() };
    let (ids, total) = listing::ids(scope, &INVOICES, &query).await?;
    let (mut invoices, mut left) = (Vec::new(), UNPAGED_MAX_BYTES - "[]".len());
    for batch in ids.chunks(BATCH) {
        let rows = records::get_all::<Invoice>(scope, batch.to_vec()).await?;
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
    Ok(listing::months(scope, &INVOICES).await?.iter().map(|month| month.count.unsigned_abs()).sum())
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
    search: String,
}

impl Columns {
    fn new(input: Checked<InvoiceInput>) -> Self {
        // The rules reject an invoice without a price.
        let pence = input.project_price().unwrap_or_default().pence();
        let [customer_key, website_key, email_key] =
            [&input.customer, &input.website, &input.email].map(|text| fold(text));
        let customer_id = input.customer_id.as_deref().map(|id| Uuid::try_parse(id).ok());
        let requirements_key = input.customer_requirements.as_deref().map(fold);
        let search = search::column_value(&[&customer_key, &website_key, &email_key]);
        Columns {
            input: input.into_inner(),
            customer_id,
            pence,
            customer_key,
            website_key,
            email_key,
            requirements_key,
            search,
        }
    }
}

/// # Errors
/// 400 if the form names a customer that this tenant does not have.
pub async fn create(scope: &Scope, form: Checked<InvoiceInput>, now: i64) -> ApiResult<Invoice> {
    let sql = push_values(scope.db().sql(INSERT).push("("), scope, form, now);
    let row = sql.push(") RETURNING ").push(COLUMNS).one().await.map_err(write_error)?;
    Ok(Entity::from_row(row)?)
}

/// Converts the error of a write. The only foreign key that a request can violate is that of the customer.
fn write_error(error: sqlx::Error) -> ApiError {
    match is_foreign_key_violation(&error) {
        true => customer_unknown().into(),
        false => error.into(),
    }
}

/// The start of an INSERT of invoices; [`push_values`] adds each tuple.
pub(crate) const INSERT: &str = "INSERT INTO invoices (corp_id, invoice_id, customer, customer_id, website, \
     email, customer_requirements, start_date, end_date, project_price, customer_key, website_key, email_key, \
     customer_requirements_key, search, created_at, updated_at) VALUES ";

/// Appends the values of an invoice's row, in the order of [`INSERT`].
pub(crate) fn push_values<'e>(sql: Sql<'e>, scope: &Scope, form: Checked<InvoiceInput>, now: i64) -> Sql<'e> {
    let Columns { input, customer_id, pence, customer_key, website_key, email_key, requirements_key, search } =
        Columns::new(form);
    sql.arg(scope.corp())
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
        .next(search)
        .next(now)
        .next(now)
}

/// Updates an invoice. Returns `false` if it does not exist or is not in the version that the update is based on.
///
/// # Errors
/// As [`create`].
pub async fn update(scope: &Scope, id: Uuid, form: Checked<InvoiceInput>, now: i64) -> ApiResult<bool> {
    let updated = update_statement(scope.db(), scope, id, form, now).exec().await.map_err(write_error)?;
    Ok(updated > 0)
}

fn update_statement<'e>(
    db: impl Connection<'e>,
    scope: &Scope,
    id: Uuid,
    form: Checked<InvoiceInput>,
    now: i64,
) -> Sql<'e> {
    let Columns { input, customer_id, pence, customer_key, website_key, email_key, requirements_key, search } =
        Columns::new(form);
    let base = Base { version: input.version, updated_at: input.updated_at.as_deref() };
    records::update::<Invoice>(db, scope, id, &base, now, |sql| {
        sql.push_arg(", customer = ", input.customer.clone())
            .filter(", customer_id = ", customer_id)
            .push_arg(", website = ", input.website.clone())
            .push_arg(", email = ", input.email.clone())
            .filter(", customer_requirements = ", input.customer_requirements.clone())
            .push_arg(", start_date = ", input.start_date.clone())
            .push_arg(", end_date = ", input.end_date.clone())
            .push_arg(", project_price = ", pence)
            .push_arg(", customer_key = ", customer_key)
            .push_arg(", website_key = ", website_key)
            .push_arg(", email_key = ", email_key)
            .filter(", customer_requirements_key = ", requirements_key)
            .push_arg(", search = ", search)
    })
}
