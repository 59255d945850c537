//! Bindings for customers.

use crate::{api, checks};
use forecourt_call::{Call, Coming, read};
use forecourt_core::customers::{
    self, AgreementType, Customer, CustomerFilter, CustomerInput, CustomerList, CustomerQuery, CustomerStatus,
    CustomerSummary, CustomerType, CustomerUpdateInput,
};
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkCustomer = check_customer(CustomerInput), "Validates a customer.";
    checkCustomerUpdate = check_customer_update(CustomerUpdateInput), "Validates a customer's change.";
    checkCustomerFilter = check_customer_filter(CustomerFilter), "Validates the filter of the customer list.";
}

/// Returns whether this type is validated as a company, which has an organization number and no social security number.
#[wasm_bindgen(js_name = isCompany)]
pub fn is_company(#[wasm_bindgen(js_name = customerType)] customer_type: &str) -> bool {
    CustomerType::parse(customer_type).is_some_and(CustomerType::is_company)
}

/// Returns all customer types, for a select.
#[wasm_bindgen(js_name = customerTypes)]
pub fn customer_types() -> crate::Door<Vec<Ts<CustomerType>>> {
    crate::list(CustomerType::ALL)
}

/// Returns all customer statuses, for a select.
#[wasm_bindgen(js_name = customerStatuses)]
pub fn customer_statuses() -> crate::Door<Vec<Ts<CustomerStatus>>> {
    crate::list(CustomerStatus::ALL)
}

/// Returns all agreement types, for a select.
#[wasm_bindgen(js_name = agreementTypes)]
pub fn agreement_types() -> crate::Door<Vec<Ts<AgreementType>>> {
    crate::list(AgreementType::ALL)
}

/// Returns the number of customers per page.
#[wasm_bindgen(js_name = customersPageSize)]
pub fn customers_page_size() -> u32 {
    customers::PAGE_SIZE
}

/// Returns a page of customers. `signal` aborts the request.
#[wasm_bindgen(js_name = listCustomers)]
pub fn list_customers(query: Ts<CustomerQuery>, signal: Option<AbortSignal>) -> Coming<CustomerList> {
    api::whole(read(&query).map(|CustomerQuery { page, limit, search_term, filter }| {
        Call::get(customers::PATH)
            .page(page, limit)
            .query_if_any("searchTerm", &search_term)
            .query_if_any("typeAdv", &filter.type_adv)
            .query_if_any("statusAdv", &filter.status_adv)
            .query_if_any("fromDate", &filter.from_date)
            .query_if_any("toDate", &filter.to_date)
            .until(signal)
    }))
}

/// Returns a customer, with the social security number. `signal` aborts the request.
#[wasm_bindgen(js_name = getCustomer)]
pub fn get_customer(id: String, signal: Option<AbortSignal>) -> Coming<Customer> {
    api::data(Call::get(customers::PATH).under(&id).until(signal))
}

/// Creates a customer.
#[wasm_bindgen(js_name = createCustomer)]
pub fn create_customer(form: Ts<CustomerInput>) -> Coming<CustomerSummary> {
    api::data(Call::post(customers::PATH, form))
}

/// Changes a customer.
#[wasm_bindgen(js_name = updateCustomer)]
pub fn update_customer(id: String, form: Ts<CustomerUpdateInput>) -> Coming<CustomerSummary> {
    api::data(Call::put(customers::PATH, form).under(&id))
}

/// Deletes a customer.
#[wasm_bindgen(js_name = deleteCustomer)]
pub fn delete_customer(id: String) -> Coming<Done> {
    api::whole(Call::delete(customers::PATH).under(&id))
}
