//! Customers as bulk actions have them. Their social security numbers are not read.

use super::record::SummaryRow;
use super::store::{Number, columns};
use crate::features::records::{CheckedForm, Columns, Editable, Entity};
use crate::platform::db::Result;
use crate::platform::error::ApiResult;
use forecourt_core::customers::{CustomerSummary, CustomerUpdateInput, check_number_is_stored};
use forecourt_core::form::{FormSettings, check_with};

/// A customer's row for bulk actions.
#[derive(sqlx_macros::FromRow)]
pub struct StoredRow {
    #[sqlx(flatten)]
    summary: SummaryRow,
    has_number: bool,
}

pub struct StoredCustomer {
    summary: CustomerSummary,
    /// Microseconds.
    created_at: i64,
    has_number: bool,
}

impl Editable for StoredCustomer {
    type Entity = CustomerSummary;
    type Row = StoredRow;
    type Form = CustomerUpdateInput;
    const COLUMNS: &'static str = "customer_id, customer_number, name, email, telephone, address, postal_code, location, customer_type, \
         status, role, organization_number, agreement_type, latest_purchase, company_name, number_of_orders, total_spent, \
         warranty, warranty_period, created_at, updated_at, version, social_security IS NOT NULL AS has_number";

    fn from_row(StoredRow { summary, has_number }: StoredRow) -> Result<Self> {
        let created_at = summary.created_at;
        Ok(StoredCustomer { summary: CustomerSummary::from_row(summary)?, created_at, has_number })
    }

    fn record(&self) -> &CustomerSummary {
        &self.summary
    }

    fn id(&self) -> &str {
        &self.summary.customer_id
    }

    fn label(&self) -> &str {
        &self.summary.name
    }

    fn check(&self, settings: FormSettings, form: CustomerUpdateInput) -> CheckedForm<CustomerUpdateInput> {
        let form = check_with(settings, form)?;
        let errors = check_number_is_stored(&form, self.has_number);
        if errors.is_empty() { Ok(form) } else { Err(errors) }
    }

    fn columns(&self, form: &CustomerUpdateInput) -> ApiResult<Columns> {
        let number = if form.keeps_stored_number() { Number::Stored } else { Number::Replaced(None) };
        columns(&form.0, number, self.created_at)
    }
}
