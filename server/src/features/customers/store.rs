//! Customers in the database. Social security numbers are stored encrypted; of the functions here, only [`get`]
//! decrypts one.

use super::row::SummaryRow;
use super::values::Derived;
use crate::access::scope::Scope;
use crate::features::listing::{self, CUSTOMERS, ListFilter, Selection, writes};
use crate::features::records::Entity;
use crate::features::records::change;
use crate::features::records::columns::{self, Columns, Counter};
use crate::platform::clock::utc_date;
use crate::platform::db::{Result, Sql};
use crate::platform::encryption::{self, DataKeys, EncryptedText};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::customers::{
    AgreementType, Customer, CustomerInput, CustomerStats, CustomerStatus, CustomerSummary, CustomerType, ROLE,
    telephone_key,
};
use forecourt_core::form::Checked;
use forecourt_core::lists::Arrangement;
use forecourt_core::money::Money;
use forecourt_core::paging::{LIMIT_MAX, Page};
use forecourt_core::secret::Secret;
use forecourt_core::text::{fold, is_same_phone, phone_key};
use uuid::Uuid;

#[derive(sqlx_macros::FromRow)]
struct CustomerRow {
    #[sqlx(flatten)]
    summary: SummaryRow,
    social_security: Option<Vec<u8>>,
}

/// Returns how many customers of each type and agreement type the corporation has.
pub async fn stats(scope: &Scope, changes: i64) -> Result<CustomerStats> {
    let mut stats = CustomerStats::default();
    for tally in listing::customer_tallies(scope, Some(changes)).await? {
        if let Some(kind) = CustomerType::parse(&tally.customer_type) {
            stats.add(kind, AgreementType::parse(&tally.agreement_type), tally.count.unsigned_abs());
        }
    }
    Ok(stats)
}

/// Returns a customer of this tenant. The social security number is empty if it cannot be decrypted.
pub async fn get(scope: &Scope, keys: &DataKeys, id: Uuid) -> Result<Customer> {
    let sql = scope
        .db()
        .sql("SELECT ")
        .push(CustomerSummary::COLUMNS)
        .push(", social_security FROM customers WHERE corp_id = ");
    let row = sql.arg(scope.corp()).push_arg(" AND customer_id = ", id).one().await?;
    let CustomerRow { summary, social_security } = row;
    let number = social_security.and_then(|encrypted| keys.decrypt(scope.corp(), id, &encrypted));
    Ok(Customer { summary: CustomerSummary::from_row(summary)?, social_security_number: number.unwrap_or_default() })
}

/// Returns the tenant's newest customer with this telephone number ([`is_same_phone`]). A number without a
/// [`phone_key`], such as a short one, is the same only if all its digits are.
pub async fn find_by_telephone(scope: &Scope, telephone: &str) -> Result<Option<CustomerSummary>> {
    let Some(key) = phone_key(telephone) else {
        let sql = scope.db().sql("SELECT ").push(CustomerSummary::COLUMNS).push(" FROM customers WHERE corp_id = ");
        let sql = sql.arg(scope.corp()).push_arg(" AND telephone_key = ", telephone_key(telephone));
        let row: Option<SummaryRow> = sql.push(" ORDER BY customer_id DESC LIMIT 1").maybe().await?;
        return row.map(CustomerSummary::from_row).transpose();
    };
    let page = Page { page: 1, limit: LIMIT_MAX };
    let (filter, arrangement) = (ListFilter::default(), Arrangement::default());
    let query = Selection { page, search: Some(&key), filter, arrangement };
    let candidates = listing::page::<SummaryRow>(scope, CustomerSummary::COLUMNS, &CUSTOMERS, &query).await?.rows;
    let candidates = candidates.into_iter().map(CustomerSummary::from_row).collect::<Result<Vec<_>>>()?;
    Ok(candidates.into_iter().find(|customer| is_same_phone(&customer.telephone, telephone)))
}

pub async fn create(
    scope: &Scope,
    keys: &DataKeys,
    form: &Checked<CustomerInput>,
    now: i64,
) -> ApiResult<CustomerSummary> {
    let id = Uuid::now_v7();
    let mut is_retry = false;
    loop {
        let encrypted = encrypt_number(scope, keys, id, form)?;
        let key = encrypted.as_ref().map(|s| s.key.clone());
        let (input, active_on) = (form.clone(), active_on(form, now)?);
        let new = NewCustomer { doc: writes::UNNUMBERED, id, input, encrypted, active_on, now, place: 1 };
        let owned = scope.clone();
        let row = change::create::<CustomerSummary, SummaryRow>(scope, now, id, &form.name, move |sql| {
            push_values(sql.push(INSERT).push("("), &owned, new).push(") RETURNING ").push(CustomerSummary::COLUMNS)
        });
        match row.await {
            Ok(row) => return Ok(CustomerSummary::from_row(row)?),
            Err(error) => prepare_retry(scope, keys, key, error, is_retry).await?,
        }
        is_retry = true;
    }
}

/// The fields whose values are never written to the history.
pub const SECRETS: &[&str] = &["socialSecurityNumber"];

/// Returns the form's social security number, if it contains one.
pub fn number(input: &CustomerInput) -> Option<&Secret<String>> {
    input.social_security_number.as_ref().filter(|number| !number.expose_secret().is_empty())
}

/// Encrypts the form's social security number, if it contains one.
pub fn encrypt_number(
    scope: &Scope,
    keys: &DataKeys,
    id: Uuid,
    input: &CustomerInput,
) -> ApiResult<Option<EncryptedText>> {
    Ok(number(input).map(|number| keys.encrypt(scope.corp(), id, number)).transpose()?)
}

/// Prepares a retry of a write that failed because its encryption key is not registered in the database. A key that has
/// not encrypted anything yet is registered: the very first one, or a new first one in FORECOURT_DATA_KEYS before `keys
/// rotate`. If the key was retired, the newer one is loaded.
///
/// # Errors
/// The write's own error if a retry is useless; 503 if this node has no key that may encrypt.
pub async fn prepare_retry(
    scope: &Scope,
    keys: &DataKeys,
    key: Option<String>,
    error: sqlx::Error,
    is_retry: bool,
) -> ApiResult<()> {
    let Some(key) = key.filter(|_| encryption::is_foreign_key_violation(&error)) else { return Err(error.into()) };
    if encryption::registered_key_ids(scope.db()).await?.contains(&key) {
        // Another request may have registered the key meanwhile. If the retry fails in the same way, the write violates
        // another foreign key.
        return if is_retry { Err(error.into()) } else { Ok(()) };
    }
    keys.reload();
    loop {
        let current_key = keys.current_key_id();
        if keys.register_current_key(scope.db()).await?.contains(&current_key) {
            return Ok(());
        }
        // The key file may have changed again during the check.
        keys.reload();
        if keys.current_key_id() == current_key {
            tracing::error!(%key, "nothing can be encrypted: {} lacks the data key that the database names", keys.location());
            return Err(ApiError::Unavailable);
        }
    }
}

/// Returns the day that the date filter compares: that of the latest purchase, or else of the creation.
fn active_on(input: &CustomerInput, created_at: i64) -> ApiResult<String> {
    let day = input.latest_purchase().or_else(|| utc_date(created_at));
    Ok(day.ok_or_else(|| ApiError::internal("a time without a day"))?.to_string())
}

/// A customer to insert.
pub(crate) struct NewCustomer {
    /// The row's number in the list.
    pub doc: i64,
    pub id: Uuid,
    pub input: Checked<CustomerInput>,
    pub encrypted: Option<EncryptedText>,
    /// The day that the date filter compares, from [`active_on`].
    pub active_on: String,
    pub now: i64,
    /// The customer's position among the new customers of the statement, from 1.
    pub place: i64,
}

/// The start of an INSERT of customers; [`push_values`] adds each tuple.
pub(crate) const INSERT: &str = "INSERT INTO customers (corp_id, doc, customer_id, customer_number, name, email, telephone, telephone_key, address, postal_code, \
     location, customer_type, status, role, organization_number, social_security, social_security_key, \
     agreement_type, latest_purchase, active_on, company_name, number_of_orders, total_spent, warranty, \
     warranty_period, name_key, email_key, telephone_folded, address_key, postal_code_key, location_key, role_key, \
     organization_number_key, company_name_key, warranty_key, warranty_period_key, created_at, updated_at) VALUES ";

/// Appends the values of a customer's row, in the order of [`INSERT`].
pub(crate) fn push_values<'e>(sql: Sql<'e>, scope: &Scope, new: NewCustomer) -> Sql<'e> {
    let NewCustomer { doc, id, input, encrypted, active_on, now, place } = new;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let role = if input.role.is_empty() { ROLE } else { &input.role };
    let (encrypted, key) = encrypted.map(|s| (s.bytes, s.key)).unzip();
    let sql = sql.arg(scope.corp()).comma(doc).comma(id).push(", ");
    let sql = columns::push_next_number(sql, scope, Counter::Customers, place);
    sql.comma(input.name.clone())
        .comma(input.email.clone())
        .comma(input.telephone.clone())
        .comma(telephone_key(&input.telephone))
        .comma(input.address.clone())
        .comma(input.postal_code.clone())
        .comma(input.location.clone())
        .comma(input.customer_type.clone())
        .comma(input.status().map(CustomerStatus::as_str))
        .comma(role.to_owned())
        .comma(input.organization_number.clone())
        .comma(encrypted)
        .comma(key)
        .comma(input.agreement_type().map(AgreementType::as_str))
        .comma(input.latest_purchase().map(|day| day.to_string()))
        .comma(active_on)
        .comma(text(&input.company_name))
        .comma(i64::from(input.number_of_orders.unwrap_or_default()))
        .comma(input.total_spent.unwrap_or_default().pence())
        .comma(text(&input.warranty))
        .comma(text(&input.warranty_period))
        .comma(fold(&input.name))
        .comma(fold(&input.email))
        .comma(fold(&input.telephone))
        .comma(fold(&input.address))
        .comma(fold(&input.postal_code))
        .comma(fold(&input.location))
        .comma(fold(role))
        .comma(fold(&input.organization_number))
        .comma(fold(&text(&input.company_name)))
        .comma(fold(&text(&input.warranty)))
        .comma(fold(&text(&input.warranty_period)))
        .comma(now)
        .comma(now)
}

/// How an update changes the social security number.
pub enum Number {
    /// The number stays unchanged. The check of the form has made sure that one is stored, or that none is needed (after
    /// an erasure).
    Stored,
    Replaced(Option<EncryptedText>),
}

/// Returns the columns that an update sets. Fields that the form omits stay unchanged. `derived` are values that follow
/// from agreements.
pub fn columns(
    input: &CustomerInput,
    number: Number,
    created_at: i64,
    derived: Option<&Derived>,
) -> ApiResult<Columns> {
    let agreement = input.agreement_type.as_ref().map(|_| input.agreement_type().map(AgreementType::as_str));
    let purchase = input.latest_purchase.as_ref().map(|_| input.latest_purchase().map(|day| day.to_string()));
    let active_on = purchase.as_ref().map(|_| active_on(input, created_at)).transpose()?;
    let replaced = match number {
        Number::Stored => None,
        Number::Replaced(encrypted) => Some(encrypted.map(|s| (s.bytes, s.key)).unzip()),
    };
    let (bytes, key) = replaced.unzip();
    let columns = Columns::default()
        .set("name", input.name.clone())
        .set("email", input.email.clone())
        .set("telephone", input.telephone.clone())
        .set("telephone_key", telephone_key(&input.telephone))
        .set("address", input.address.clone())
        .set("postal_code", input.postal_code.clone())
        .set("location", input.location.clone())
        .set("customer_type", input.customer_type.clone())
        .set_if("status", (!input.status.is_empty()).then(|| input.status().map(CustomerStatus::as_str)))
        .set("organization_number", input.organization_number.clone())
        .set("name_key", fold(&input.name))
        .set("email_key", fold(&input.email))
        .set("telephone_folded", fold(&input.telephone))
        .set("address_key", fold(&input.address))
        .set("postal_code_key", fold(&input.postal_code))
        .set("location_key", fold(&input.location))
        .set("organization_number_key", fold(&input.organization_number))
        .set_if("social_security", bytes)
        .set_if("social_security_key", key)
        .set_if("role", Some(input.role.clone()).filter(|role| !role.is_empty()))
        .set_if("role_key", Some(fold(&input.role)).filter(|_| !input.role.is_empty()))
        .set_if("company_name", input.company_name.clone())
        .set_if("company_name_key", input.company_name.as_deref().map(fold));
    if let Some(derived) = derived {
        return Ok(derived.set_typed(columns, input));
    }
    let columns = columns
        .set_if("agreement_type", agreement)
        .set_if("latest_purchase", purchase)
        .set_if("active_on", active_on)
        .set_if("number_of_orders", input.number_of_orders.map(i64::from))
        .set_if("total_spent", input.total_spent.map(Money::pence))
        .set_if("warranty", input.warranty.clone())
        .set_if("warranty_key", input.warranty.as_deref().map(fold))
        .set_if("warranty_period", input.warranty_period.clone())
        .set_if("warranty_period_key", input.warranty_period.as_deref().map(fold));
    Ok(columns)
}
