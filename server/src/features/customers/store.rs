//! Customers in the database. Social security numbers are stored encrypted; of the functions here, only [`get`]
//! decrypts one.

use super::row::SummaryRow;
use super::values::Derived;
use crate::access::scope::Scope;
use crate::features::listing::{self, CUSTOMERS, ListFilter, Selection};
use crate::features::records::Entity;
use crate::features::records::change;
use crate::features::records::columns::{Columns, Counter, Stored, push_new};
use crate::platform::clock::utc_date;
use crate::platform::db::Result;
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
use std::io;
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
        let (columns, owned) = (columns(form, Number::Replaced(encrypted), now, None), scope.clone());
        let row = change::create::<CustomerSummary, SummaryRow>(scope, now, id, &form.name, move |sql| {
            push_new::<CustomerSummary>(sql, &owned, id, now, columns)
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
) -> io::Result<Option<EncryptedText>> {
    number(input).map(|number| keys.encrypt(scope.corp(), id, number)).transpose()
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

/// How an update changes the social security number.
pub enum Number {
    /// The number stays unchanged. The check of the form has made sure that one is stored, or that none is needed (after
    /// an erasure).
    Stored,
    Replaced(Option<EncryptedText>),
}

/// Returns the columns that a form sets. Fields that it omits stay unchanged in an update. `derived` are values that
/// follow from agreements.
pub fn columns(input: &CustomerInput, number: Number, created_at: i64, derived: Option<&Derived>) -> Columns {
    let status = input.status().map(CustomerStatus::as_str);
    let role = Some(input.role.as_str()).filter(|role| !role.is_empty());
    let replaced = match number {
        Number::Stored => None,
        Number::Replaced(encrypted) => Some(encrypted.map(|s| (s.bytes, s.key)).unzip()),
    };
    let (bytes, key) = replaced.unzip();
    let columns = Columns::default()
        .set_new("customer_number", Stored::Next(Counter::Customers))
        .set_text("name", &input.name)
        .set_text("email", &input.email)
        .set("telephone", input.telephone.clone())
        .set("telephone_folded", fold(&input.telephone))
        .set("telephone_key", telephone_key(&input.telephone))
        .set_text("address", &input.address)
        .set_text("postal_code", &input.postal_code)
        .set_text("location", &input.location)
        .set("customer_type", input.customer_type.clone())
        .set_or("status", Some(status).filter(|_| !input.status.is_empty()), status)
        .set_text("organization_number", &input.organization_number)
        .set_if("social_security", bytes)
        .set_if("social_security_key", key)
        .set_or("role", role.map(str::to_owned), ROLE.to_owned())
        .set_or("role_key", role.map(fold), fold(ROLE))
        .set_text_or_empty("company_name", input.company_name.as_deref());
    if let Some(derived) = derived {
        return derived.set_typed(columns, input);
    }
    let agreement = input.agreement_type.as_ref().map(|_| input.agreement_type().map(AgreementType::as_str));
    let purchase = input.latest_purchase.as_ref().map(|_| input.latest_purchase().map(|day| day.to_string()));
    // The day that the date filter compares.
    let active_on = input.latest_purchase().or_else(|| utc_date(created_at)).map(|day| day.to_string());
    columns
        .set_or("agreement_type", agreement, None)
        .set_or("active_on", purchase.as_ref().map(|_| active_on.clone()), active_on)
        .set_or("latest_purchase", purchase, None)
        .set_or("number_of_orders", input.number_of_orders.map(i64::from), 0)
        .set_or("total_spent", input.total_spent.map(Money::pence), 0)
        .set_text_or_empty("warranty", input.warranty.as_deref())
        .set_text_or_empty("warranty_period", input.warranty_period.as_deref())
}
