//! Bindings for customers.

use crate::checks;
use forecourt_core::customers::{
    AgreementType, CustomerFilter, CustomerInput, CustomerStatus, CustomerType, CustomerUpdateInput,
};
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkCustomer = check_customer(CustomerInput);
    checkCustomerUpdate = check_customer_update(CustomerUpdateInput);
    checkCustomerFilter = check_customer_filter(CustomerFilter);
}

/// Returns true if a customer of this type is validated as a company, which has an organization number and no social
/// security number.
#[wasm_bindgen(js_name = isCompany)]
pub fn is_company(#[wasm_bindgen(js_name = customerType)] customer_type: &str) -> bool {
    CustomerType::parse(customer_type).is_some_and(CustomerType::is_company)
}

#[wasm_bindgen(js_name = customerTypes)]
pub fn customer_types() -> crate::BindingResult<Vec<Ts<CustomerType>>> {
    crate::to_ts_list(CustomerType::ALL)
}

#[wasm_bindgen(js_name = customerStatuses)]
pub fn customer_statuses() -> crate::BindingResult<Vec<Ts<CustomerStatus>>> {
    crate::to_ts_list(CustomerStatus::ALL)
}

#[wasm_bindgen(js_name = agreementTypes)]
pub fn agreement_types() -> crate::BindingResult<Vec<Ts<AgreementType>>> {
    crate::to_ts_list(AgreementType::ALL)
}
