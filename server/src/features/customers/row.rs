//! A customer's row without the social security number.

use super::values::TypedRow;
use crate::features::records::row::ColumnsOf;
use uuid::Uuid;

#[derive(sqlx_macros::FromRow)]
pub struct SummaryRow {
    pub customer_id: Uuid,
    pub customer_number: i64,
    pub name: String,
    pub email: String,
    pub telephone: String,
    pub address: String,
    pub postal_code: String,
    pub location: String,
    pub customer_type: String,
    pub status: String,
    pub role: String,
    pub organization_number: String,
    pub agreement_type: Option<String>,
    pub latest_purchase: Option<String>,
    pub company_name: String,
    pub number_of_orders: i64,
    pub total_spent: i64,
    pub warranty: String,
    pub warranty_period: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
    #[sqlx(flatten)]
    pub typed: TypedRow,
}

impl ColumnsOf for SummaryRow {
    const COLUMNS: &'static str = "customer_id, customer_number, name, email, telephone, address, postal_code, location, customer_type, status, role, \
     organization_number, agreement_type, latest_purchase, company_name, number_of_orders, total_spent, \
     warranty, warranty_period, created_at, updated_at, version, typed_latest_purchase, typed_agreement_type, \
     typed_number_of_orders, typed_total_spent, typed_warranty, typed_warranty_period";
}
