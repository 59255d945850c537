//! The values of a customer that can follow from agreements (docs/product.md 4.31). Lists read the derived values. The
//! typed ones are kept in `typed_…` columns and are shown again once no delivered agreement is left.

use crate::features::records::columns::{Columns, Stored};
use crate::platform::clock::utc_date;
use forecourt_core::customers::{AgreementType, CustomerFigures, CustomerInput};
use forecourt_core::money::Money;

/// The values that follow from agreements, and what was typed instead.
pub struct Derived {
    pub shown: CustomerFigures,
    pub typed: CustomerFigures,
}

/// Sets the columns that lists use.
pub fn show(values: &CustomerFigures, columns: Columns, created_at: i64) -> Columns {
    let active_on = values.latest_purchase.or_else(|| utc_date(created_at));
    columns
        .set("latest_purchase", values.latest_purchase.map(|day| day.to_string()))
        .set("active_on", active_on.map(|day| day.to_string()))
        .set("agreement_type", values.agreement_type.map(AgreementType::as_str))
        .set("number_of_orders", i64::from(values.number_of_orders))
        .set("total_spent", values.total_spent.pence())
        .set_text("warranty", &values.warranty)
        .set_text("warranty_period", &values.warranty_period)
}

pub fn keep_as_typed(values: &CustomerFigures) -> Columns {
    Columns::default()
        .set("typed_latest_purchase", values.latest_purchase.map(|day| day.to_string()))
        .set("typed_agreement_type", values.agreement_type.map(AgreementType::as_str))
        .set("typed_number_of_orders", i64::from(values.number_of_orders))
        .set("typed_total_spent", values.total_spent.pence())
        .set("typed_warranty", values.warranty.clone())
        .set("typed_warranty_period", values.warranty_period.clone())
}

pub fn forget_typed() -> Columns {
    Columns::default()
        .set("typed_latest_purchase", Stored::Text(None))
        .set("typed_agreement_type", Stored::Text(None))
        .set("typed_number_of_orders", Stored::Number(None))
        .set("typed_total_spent", Stored::Number(None))
        .set("typed_warranty", Stored::Text(None))
        .set("typed_warranty_period", Stored::Text(None))
}

impl Derived {
    /// Sets what a form writes of these values, while others are shown. A value equal to the shown one counts as
    /// unchanged.
    pub fn set_typed(&self, columns: Columns, input: &CustomerInput) -> Columns {
        fn typed<T: PartialEq>(given: Option<T>, shown: &T, typed: &T) -> Option<T> {
            given.filter(|value| value != shown && value != typed)
        }
        let Derived { shown, typed: before } = self;
        let purchase = input.latest_purchase.as_ref().map(|_| input.latest_purchase());
        let agreement = input.agreement_type.as_ref().map(|_| input.agreement_type());
        let purchase = typed(purchase, &shown.latest_purchase, &before.latest_purchase);
        let agreement = typed(agreement, &shown.agreement_type, &before.agreement_type);
        let orders = typed(input.number_of_orders, &shown.number_of_orders, &before.number_of_orders);
        let spent = typed(input.total_spent, &shown.total_spent, &before.total_spent);
        columns
            .set_if("typed_latest_purchase", purchase.map(|day| day.map(|day| day.to_string())))
            .set_if("typed_agreement_type", agreement.map(|agreement| agreement.map(AgreementType::as_str)))
            .set_if("typed_number_of_orders", orders.map(i64::from))
            .set_if("typed_total_spent", spent.map(Money::pence))
            .set_if("typed_warranty", typed(input.warranty.clone(), &shown.warranty, &before.warranty))
            .set_if(
                "typed_warranty_period",
                typed(input.warranty_period.clone(), &shown.warranty_period, &before.warranty_period),
            )
    }
}
