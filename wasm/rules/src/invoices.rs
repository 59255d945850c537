//! Bindings for invoices.

use crate::{Door, api, check_change};
use forecourt_call::{Call, Coming, Failure, give, read, sendable};
use forecourt_core::form::FieldError;
use forecourt_core::invoices::{self, Invoice, InvoiceInput, InvoiceList, InvoiceQuery};
use forecourt_core::paging::total_pages;
use forecourt_core::reply::Done;
use js_sys::Reflect;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

/// Validates an invoice; on a change, the stored website is accepted unchanged.
#[wasm_bindgen(js_name = checkInvoice)]
pub fn check_invoice(
    form: Ts<InvoiceInput>,
    #[wasm_bindgen(js_name = storedWebsite)] stored_website: Option<String>,
) -> Door<Vec<Ts<FieldError>>> {
    check_change(&form, stored_website)
}

/// Returns the number of invoices per page.
#[wasm_bindgen(js_name = invoicesPageSize)]
pub fn invoices_page_size() -> u32 {
    invoices::PAGE_SIZE
}

/// Returns the currency of prices.
#[wasm_bindgen(js_name = invoiceCurrency)]
pub fn invoice_currency() -> String {
    invoices::CURRENCY.to_owned()
}

/// Returns a page of invoices. `signal` aborts the request.
#[wasm_bindgen(js_name = listInvoices)]
pub fn list_invoices(query: Ts<InvoiceQuery>, signal: Option<AbortSignal>) -> Coming<InvoiceList> {
    let query = read(&query);
    let limit = query.as_ref().map_or(0, |query| query.limit);
    let call = query.map(|query| {
        let call = Call::get(invoices::PATH).page(query.page, query.limit);
        call.query_if_any("search", &query.search).until(signal)
    });
    api::read(call, move |answer| {
        let total = answer.header(invoices::TOTAL_HEADER).and_then(|total| total.parse().ok());
        let data = answer.array()?;
        let total_items = total.unwrap_or(u64::from(data.length()));
        let list = InvoiceList { data: Vec::new(), total_items, total_pages: total_pages(total_items, limit) };
        let list = give(&list)?.js_value();
        // Setting a property of a new object can't fail.
        let _ = Reflect::set(&list, &"data".into(), &data);
        Ok(list)
    })
}

/// Returns an invoice.
#[wasm_bindgen(js_name = getInvoice)]
pub fn get_invoice(id: String) -> Coming<Invoice> {
    api::data(Call::get(invoices::PATH).under(&id))
}

/// Creates an invoice.
#[wasm_bindgen(js_name = createInvoice)]
pub fn create_invoice(form: Ts<InvoiceInput>) -> Coming<Invoice> {
    api::data(sent(&form).map(|form| Call::post(invoices::PATH, form)))
}

/// Changes an invoice.
#[wasm_bindgen(js_name = updateInvoice)]
pub fn update_invoice(id: String, form: Ts<InvoiceInput>) -> Coming<Invoice> {
    api::data(sent(&form).map(|form| Call::put(invoices::PATH, form).under(&id)))
}

/// Deletes an invoice.
#[wasm_bindgen(js_name = deleteInvoice)]
pub fn delete_invoice(id: String) -> Coming<Done> {
    api::whole(Call::delete(invoices::PATH).under(&id))
}

/// Converts the form to the request body: the price is typed as text, and sent as a number.
fn sent(form: &Ts<InvoiceInput>) -> Result<JsValue, Failure> {
    sendable(&read(form)?)
}
