//! Bindings for invoices.

use crate::{BindingResult, api, check_update};
use forecourt_call::{ApiRequest, set};
use forecourt_core::form::FieldError;
use forecourt_core::invoices::{self, InvoiceInput, Price};
use forecourt_core::paging::total_pages;
use js_sys::{Object, Promise, Reflect};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

const PRICE: &str = "projectPrice";

/// Returns the validation errors of an invoice. If a stored invoice is edited, its website is accepted even if it is
/// invalid, as long as it is not changed.
#[wasm_bindgen(js_name = checkInvoice)]
pub fn check_invoice(
    form: Ts<InvoiceInput>,
    #[wasm_bindgen(js_name = storedWebsite)] stored_website: Option<String>,
) -> BindingResult<Vec<Ts<FieldError>>> {
    check_update(&form, stored_website)
}

#[wasm_bindgen(js_name = invoiceCurrency)]
pub fn invoice_currency() -> String {
    invoices::CURRENCY.to_owned()
}

/// Returns a page of invoices. `signal` aborts the request.
#[wasm_bindgen(js_name = listInvoices, unchecked_return_type = "Promise<InvoiceList>")]
pub fn list_invoices(
    #[wasm_bindgen(unchecked_param_type = "ListParameters & { search?: string }")] query: &Object,
    signal: Option<AbortSignal>,
) -> Promise {
    let limit = Reflect::get(query, &"limit".into()).ok().and_then(|limit| limit.as_f64()).unwrap_or_default() as u32;
    let request = ApiRequest::get(invoices::PATH).parameters(query).abort_on(signal);
    api::fetch_with(request, move |response| {
        let total = response.header(invoices::TOTAL_HEADER).and_then(|total| total.parse().ok());
        let data = response.into_array()?;
        let total_items = total.unwrap_or(u64::from(data.length()));
        let list = JsValue::from(Object::new());
        set(&list, "data", &data);
        set(&list, "totalItems", &JsValue::from_f64(total_items as f64));
        set(&list, "totalPages", &total_pages(total_items, limit).into());
        Ok(list)
    })
}

/// Creates an invoice, once if the call is repeated with the same `key`, a UUID.
#[wasm_bindgen(js_name = createInvoice, unchecked_return_type = "Promise<Invoice>")]
pub fn create_invoice(form: Ts<InvoiceInput>, key: String) -> Promise {
    api::fetch_data(ApiRequest::post(invoices::PATH, request_body(&form)).key(key))
}

#[wasm_bindgen(js_name = updateInvoice, unchecked_return_type = "Promise<Invoice>")]
pub fn update_invoice(id: String, form: Ts<InvoiceInput>) -> Promise {
    api::fetch_data(ApiRequest::put(invoices::PATH, request_body(&form)).segment(&id))
}

/// Converts the form to the request body: a valid price is sent as a number, not as the typed text.
fn request_body(form: &Ts<InvoiceInput>) -> JsValue {
    let body = JsValue::from(Object::assign(&Object::new(), form.js_value().unchecked_ref()));
    let price = Reflect::get(&body, &PRICE.into()).ok().and_then(|price| price.as_string());
    if let Some(price) = price.and_then(|text| Price::Text(text).money()) {
        set(&body, PRICE, &price.pounds().into());
    }
    body
}
