//! Bindings for invoices.

use crate::{BindingResult, api, check_update, record_bindings};
use forecourt_call::{ApiRequest, BindingError, read, to_js, to_json_value};
use forecourt_core::form::FieldError;
use forecourt_core::invoices::{self, InvoiceInput, InvoiceList};
use forecourt_core::paging::total_pages;
use js_sys::{Object, Promise, Reflect};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

/// Validates an invoice. When a stored one is edited, its website is accepted even if it is invalid, as long as it stays
/// the same.
#[wasm_bindgen(js_name = checkInvoice)]
pub fn check_invoice(
    form: Ts<InvoiceInput>,
    #[wasm_bindgen(js_name = storedWebsite)] stored_website: Option<String>,
) -> BindingResult<Vec<Ts<FieldError>>> {
    check_update(&form, stored_website)
}

#[wasm_bindgen(js_name = invoicesPageSize)]
pub fn invoices_page_size() -> u32 {
    invoices::PAGE_SIZE
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
        let list = InvoiceList { data: Vec::new(), total_items, total_pages: total_pages(total_items, limit) };
        let list = to_js(&list)?.js_value();
        // Setting a property of a new object can't fail.
        let _ = Reflect::set(&list, &"data".into(), &data);
        Ok(list)
    })
}

record_bindings! {
    invoices::PATH;
    get getInvoice = get_invoice -> "Promise<Invoice>";
    delete deleteInvoice = delete_invoice;
}

#[wasm_bindgen(js_name = createInvoice, unchecked_return_type = "Promise<Invoice>")]
pub fn create_invoice(form: Ts<InvoiceInput>) -> Promise {
    api::fetch_data(request_body(&form).map(|form| ApiRequest::post(invoices::PATH, form)))
}

#[wasm_bindgen(js_name = updateInvoice, unchecked_return_type = "Promise<Invoice>")]
pub fn update_invoice(id: String, form: Ts<InvoiceInput>) -> Promise {
    api::fetch_data(request_body(&form).map(|form| ApiRequest::put(invoices::PATH, form).segment(&id)))
}

/// Converts the form to the request body: the price is typed as text, and sent as a number.
fn request_body(form: &Ts<InvoiceInput>) -> Result<JsValue, BindingError> {
    to_json_value(&read(form)?)
}
