//! A customer's row without the social security number.

use crate::features::records::row::{Count, Id, Parsed, Pence, row};
use forecourt_core::customers::{AgreementType, CustomerFigures, CustomerStatus, CustomerSummary, CustomerType};
use forecourt_core::date::Date;

row! {
    /// The column `telephone_key` has the number as searches for a number compare it. The folded text is in
    /// `telephone_folded`.
    pub struct SummaryRow for CustomerSummary {
        texts: name, email, telephone, address, postal_code, location, role, organization_number, company_name,
            warranty, warranty_period;
        [parts: typed_latest_purchase: Option<Parsed<Date>>, typed_agreement_type: Option<Parsed<AgreementType>>,
            typed_number_of_orders: Option<Count>, typed_total_spent: Option<Pence>,
            typed_warranty: Option<String>, typed_warranty_period: Option<String>]
        customer_id: Id,
        customer_number: i64 => forecourt_core::customers::customer_number(customer_number),
        customer_type: Parsed<CustomerType>,
        status: Parsed<CustomerStatus>,
        latest_purchase: Option<Parsed<Date>>,
        agreement_type: Option<Parsed<AgreementType>>,
        number_of_orders: Count,
        total_spent: Pence,
    }
    // The number of orders is NULL only if nothing follows from agreements.
    typed: typed_number_of_orders.map(|Count(number_of_orders)| {
        Box::new(CustomerFigures {
            latest_purchase: typed_latest_purchase.map(|day| day.0),
            agreement_type: typed_agreement_type.map(|agreement| agreement.0),
            number_of_orders,
            total_spent: typed_total_spent.map(|pence| pence.0).unwrap_or_default(),
            warranty: typed_warranty.unwrap_or_default(),
            warranty_period: typed_warranty_period.unwrap_or_default(),
        })
    }),
}
