//! Customers as forms and bulk actions change them. Their social security numbers are not read from the database.

use super::row::SummaryRow;
use super::store::{self, Number};
use super::values::Derived;
use crate::access::scope::Scope;
use crate::features::listing::duplicates::IdentityColumns;
use crate::features::records::columns::Columns;
use crate::features::records::duplicates::Mergeable;
use crate::features::records::row::ColumnsOf;
use crate::features::records::{self, CheckedForm, Editable, Entity, change, identity};
use crate::features::state::App;
use crate::platform::db::Result;
use crate::platform::error::ApiResult;
use forecourt_core::customers::{
    CustomerFigures, CustomerInput, CustomerSummary, CustomerUpdateInput, check_number_is_stored, check_total_spent,
};
use forecourt_core::form::{Checked, FormSettings, check_with};
use forecourt_core::privacy::is_anonymous;
use uuid::Uuid;

/// A customer's row without the social security number, and whether there is one.
#[derive(sqlx_macros::FromRow)]
pub struct StoredRow {
    #[sqlx(flatten)]
    summary: SummaryRow,
    created_at: i64,
    has_number: bool,
}

impl ColumnsOf for StoredRow {
    const COLUMNS: &'static str = "customer_id, customer_number, name, email, telephone, address, postal_code, location, customer_type, \
         status, role, organization_number, agreement_type, latest_purchase, company_name, number_of_orders, total_spent, \
         warranty, warranty_period, created_at, updated_at, version, typed_latest_purchase, typed_agreement_type, \
         typed_number_of_orders, typed_total_spent, typed_warranty, typed_warranty_period, \
         social_security IS NOT NULL AS has_number";
}

pub struct StoredCustomer {
    summary: CustomerSummary,
    /// Microseconds since 1970.
    created_at: i64,
    has_number: bool,
}

impl StoredCustomer {
    /// Returns the values that follow from agreements, and what was typed, if there are any.
    pub(super) fn derived(&self) -> Option<Derived> {
        let typed = self.summary.typed.as_deref()?.clone();
        Some(Derived { shown: CustomerFigures::from(&self.summary), typed })
    }

    /// Microseconds.
    pub(super) fn created_at(&self) -> i64 {
        self.created_at
    }

    fn columns_with(&self, form: &CustomerUpdateInput, number: Number) -> Columns {
        store::columns(&form.0, number, self.created_at, self.derived().as_ref())
    }
}

impl Editable for StoredCustomer {
    type Entity = CustomerSummary;
    type Row = StoredRow;
    type NewForm = CustomerInput;
    type Form = CustomerUpdateInput;
    /// Without the social security number.
    type Shown = CustomerSummary;

    fn from_row(StoredRow { summary, created_at, has_number }: StoredRow) -> Result<Self> {
        Ok(StoredCustomer { summary: CustomerSummary::from_row(summary)?, created_at, has_number })
    }

    fn record(&self) -> &CustomerSummary {
        &self.summary
    }

    fn into_record(self) -> CustomerSummary {
        self.summary
    }

    async fn show(scope: &Scope, id: Uuid) -> ApiResult<CustomerSummary> {
        Ok(records::get(scope, id).await?)
    }

    async fn create(scope: &Scope, app: &App, form: Checked<CustomerInput>) -> ApiResult<CustomerSummary> {
        store::create(scope, &app.data_keys, &form, app.clock.now()).await
    }

    fn check(&self, settings: FormSettings, form: CustomerUpdateInput) -> CheckedForm<CustomerUpdateInput> {
        let form = check_with(settings, form)?;
        let mut errors = check_number_is_stored(
            &form,
            self.has_number || is_anonymous(&self.summary.email) && is_anonymous(&form.0.email),
        );
        let typed = self.summary.typed.as_deref().map_or(self.summary.total_spent, |typed| typed.total_spent);
        errors.extend(check_total_spent(&form, &[self.summary.total_spent, typed]));
        if errors.is_empty() { Ok(form) } else { Err(errors) }
    }

    fn columns(&self, form: &CustomerUpdateInput) -> ApiResult<Columns> {
        let number = if form.keeps_stored_number() { Number::Stored } else { Number::Replaced(None) };
        Ok(self.columns_with(form, number))
    }

    fn removed_secrets(&self, form: &CustomerUpdateInput) -> &'static [&'static str] {
        if self.has_number && !form.keeps_stored_number() { store::SECRETS } else { &[] }
    }

    fn has_secret(form: &CustomerUpdateInput) -> bool {
        store::number(&form.0).is_some()
    }

    async fn save(self, scope: &Scope, app: &App, form: Checked<CustomerUpdateInput>) -> ApiResult<bool> {
        let (keys, id) = (&app.data_keys, identity::id(&self.summary)?);
        let mut is_retry = false;
        loop {
            let encrypted = store::encrypt_number(scope, keys, id, &form.0)?;
            let key = encrypted.as_ref().map(|number| number.key.clone());
            let secrets = if key.is_some() { store::SECRETS } else { self.removed_secrets(&form) };
            let columns = match encrypted {
                Some(number) => self.columns_with(&form, Number::Replaced(Some(number))),
                None => self.columns(&form)?,
            };
            let update = change::update_columns(scope, self.summary.clone(), app.clock.now(), columns, secrets);
            match update.await {
                Ok(saved) => return Ok(saved),
                Err(error) => store::prepare_retry(scope, keys, key, error, is_retry).await?,
            }
            is_retry = true;
        }
    }
}

impl Mergeable for StoredCustomer {
    const IDENTITY: IdentityColumns = IdentityColumns {
        texts: "organization_number, name, email, telephone AS phone, address, postal_code",
        organization_number_key: Some("organization_number_key"),
        name_key: "name_key",
        email_key: "email_key",
        phone_key: "telephone_folded",
        place_keys: &["postal_code_key", "address_key"],
    };
}
