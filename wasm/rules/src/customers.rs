//! Bindings for customers.

use crate::{api, checks, record_bindings};
use forecourt_call::ApiRequest;
use forecourt_core::customers::{
    self, AgreementType, CustomerFilter, CustomerInput, CustomerStatus, CustomerType, CustomerUpdateInput,
};
use js_sys::{Object, Promise};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkCustomer = check_customer(CustomerInput);
    checkCustomerUpdate = check_customer_update(CustomerUpdateInput);
    checkCustomerFilter = check_customer_filter(CustomerFilter);
}

/// Returns whether this type is validated as a company, which has an organization number and no social security number.
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

#[wasm_bindgen(js_name = customersPageSize)]
pub fn customers_page_size() -> u32 {
    customers::PAGE_SIZE
}

/// Returns a page of customers. `signal` aborts the request.
#[wasm_bindgen(js_name = listCustomers, unchecked_return_type = "Promise<CustomerList>")]
pub fn list_customers(
    #[wasm_bindgen(unchecked_param_type = "ListParameters & CustomerFilter & { searchTerm?: string }")] query: &Object,
    signal: Option<AbortSignal>,
) -> Promise {
    api::fetch_body(ApiRequest::get(customers::PATH).parameters(query).abort_on(signal))
}

/// Returns a customer, with the social security number. `signal` aborts the request.
#[wasm_bindgen(js_name = getCustomer, unchecked_return_type = "Promise<Customer>")]
pub fn get_customer(id: String, signal: Option<AbortSignal>) -> Promise {
    api::fetch_data(ApiRequest::get(customers::PATH).segment(&id).abort_on(signal))
}

record_bindings! {
    customers::PATH;
    create createCustomer = create_customer(CustomerInput) -> "Promise<CustomerSummary>";
    update updateCustomer = update_customer(CustomerUpdateInput) -> "Promise<CustomerSummary>";
    delete deleteCustomer = delete_customer;
}
