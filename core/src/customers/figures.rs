//! The values of a customer that can follow from agreements (docs/product.md 4.31).

use super::{CustomerFigures, CustomerSummary};
use crate::lists::Cell;
use crate::permissions::ResourceId;

/// The fields of a customer whose values follow from agreements while there are delivered ones.
pub const FIGURES: [&str; 6] =
    ["latestPurchase", "agreementType", "numberOfOrders", "totalSpent", "warranty", "warrantyPeriod"];

/// Returns whether this field of a list's records is one of [`FIGURES`]. Only the list `customers` has some.
pub fn is_figure(list: &str, field: &str) -> bool {
    list == ResourceId::Customers.as_str() && FIGURES.contains(&field)
}

impl CustomerFigures {
    /// Returns the value of a customer's field; `None` if the field does not follow from agreements.
    pub(crate) fn cell(&self, field: &str) -> Option<Cell<'_>> {
        Some(match field {
            "latestPurchase" => self.latest_purchase.map_or(Cell::Empty, Cell::Date),
            "agreementType" => self.agreement_type.map_or(Cell::Empty, |agreement| Cell::Choice(agreement.as_str())),
            "numberOfOrders" => Cell::Number(i64::from(self.number_of_orders)),
            "totalSpent" => Cell::Money(self.total_spent),
            "warranty" => Cell::Text(&self.warranty),
            "warrantyPeriod" => Cell::Text(&self.warranty_period),
            _ => return None,
        })
    }
}

impl From<&CustomerSummary> for CustomerFigures {
    fn from(customer: &CustomerSummary) -> Self {
        CustomerFigures {
            latest_purchase: customer.latest_purchase,
            agreement_type: customer.agreement_type,
            number_of_orders: customer.number_of_orders,
            total_spent: customer.total_spent,
            warranty: customer.warranty.clone(),
            warranty_period: customer.warranty_period.clone(),
        }
    }
}
