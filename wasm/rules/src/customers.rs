//! Doors to customers.

use crate::{api, checks};
use forecourt_call::{Call, Failure};
use forecourt_core::customers::{
    self, AgreementType, Customer, CustomerFilter, CustomerInput, CustomerList, CustomerQuery, CustomerStatus,
    CustomerType,
};
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkCustomer = check_customer(CustomerInput), "Checks a customer.";
    checkCustomerFilter = check_customer_filter(CustomerFilter), "Checks what narrows a list of customers.";
}

/// Is this type held to the rules of a company, which has an organization number and no social security number?
#[wasm_bindgen(js_name = isCompany)]
pub fn is_company(#[wasm_bindgen(js_name = customerType)] customer_type: &str) -> bool {
    CustomerType::parse(customer_type).is_some_and(CustomerType::is_company)
}

/// The types there are, for a select.
#[wasm_bindgen(js_name = customerTypes)]
pub fn customer_types() -> crate::Door<Vec<Ts<CustomerType>>> {
    crate::list(CustomerType::ALL)
}

/// The statuses there are, for a select.
#[wasm_bindgen(js_name = customerStatuses)]
pub fn customer_statuses() -> crate::Door<Vec<Ts<CustomerStatus>>> {
    crate::list(CustomerStatus::ALL)
}

/// The agreements there are, for a select.
#[wasm_bindgen(js_name = agreementTypes)]
pub fn agreement_types() -> crate::Door<Vec<Ts<AgreementType>>> {
    crate::list(AgreementType::ALL)
}

/// How many customers stand on a page.
#[wasm_bindgen(js_name = customersPageSize)]
pub fn customers_page_size() -> u32 {
    customers::PAGE_SIZE
}

/// A page of customers; the signal breaks the question off.
#[wasm_bindgen(js_name = listCustomers)]
pub async fn list_customers(
    query: Ts<CustomerQuery>,
    signal: Option<AbortSignal>,
) -> Result<Ts<CustomerList>, Failure> {
    let CustomerQuery { page, limit, search_term, filter } = query.to_rust()?;
    let mut call = Call::get(customers::PATH).query("page", &page.to_string()).query("limit", &limit.to_string());
    for (name, value) in [
        ("searchTerm", &search_term),
        ("typeAdv", &filter.type_adv),
        ("statusAdv", &filter.status_adv),
        ("fromDate", &filter.from_date),
        ("toDate", &filter.to_date),
    ] {
        if !value.is_empty() {
            call = call.query(name, value);
        }
    }
    Ok(api::call(&call.until(signal)).await?.whole()?)
}

/// Creates a customer.
#[wasm_bindgen(js_name = createCustomer)]
pub async fn create_customer(form: Ts<CustomerInput>) -> Result<Ts<Customer>, Failure> {
    customer(&Call::post_as_is(customers::PATH, &form)?).await
}

/// Changes a customer.
#[wasm_bindgen(js_name = updateCustomer)]
pub async fn update_customer(id: String, form: Ts<CustomerInput>) -> Result<Ts<Customer>, Failure> {
    customer(&Call::put_as_is(customers::PATH, &form)?.under(&id)).await
}

/// Deletes a customer.
#[wasm_bindgen(js_name = deleteCustomer)]
pub async fn delete_customer(id: String) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::delete(customers::PATH).under(&id)).await?.whole()?)
}

async fn customer(call: &Call) -> Result<Ts<Customer>, Failure> {
    Ok(api::call(call).await?.data()?)
}
