//! Doors to invoices.

use crate::{api, checks};
use forecourt_call::{Call, Failure};
use forecourt_core::invoices::{self, Invoice, InvoiceInput, InvoiceList, InvoiceQuery};
use forecourt_core::paging::total_pages;
use forecourt_core::reply::Done;
use js_sys::Reflect;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkInvoice = check_invoice(InvoiceInput), "Checks an invoice.";
}

/// How many invoices stand on a page.
#[wasm_bindgen(js_name = invoicesPageSize)]
pub fn invoices_page_size() -> u32 {
    invoices::PAGE_SIZE
}

/// What prices are in.
#[wasm_bindgen(js_name = invoiceCurrency)]
pub fn invoice_currency() -> String {
    invoices::CURRENCY.to_owned()
}

/// A page of invoices; the signal breaks the question off.
#[wasm_bindgen(js_name = listInvoices)]
pub async fn list_invoices(query: Ts<InvoiceQuery>, signal: Option<AbortSignal>) -> Result<Ts<InvoiceList>, Failure> {
    let query = query.to_rust()?;
    let mut call =
        Call::get(invoices::PATH).query("page", &query.page.to_string()).query("limit", &query.limit.to_string());
    if !query.search.is_empty() {
        call = call.query("search", &query.search);
    }
    let answer = api::call(&call.until(signal)).await?;
    let total = answer.header(invoices::TOTAL_HEADER).and_then(|total| total.parse().ok());
    let data = answer.array()?;
    let total_items = total.unwrap_or(u64::from(data.length()));
    let list = InvoiceList { data: Vec::new(), total_items, total_pages: total_pages(total_items, query.limit) };
    let list = list.into_ts()?;
    // Setting a property of an own, plain object can't fail.
    let _ = Reflect::set(&list.js_value(), &"data".into(), &data);
    Ok(list)
}

/// One invoice.
#[wasm_bindgen(js_name = getInvoice)]
pub async fn get_invoice(id: String) -> Result<Ts<Invoice>, Failure> {
    invoice(&Call::get(invoices::PATH).under(&id)).await
}

/// Creates an invoice.
#[wasm_bindgen(js_name = createInvoice)]
pub async fn create_invoice(form: Ts<InvoiceInput>) -> Result<Ts<Invoice>, Failure> {
    invoice(&Call::post(invoices::PATH, &form.to_rust()?)?).await
}

/// Changes an invoice.
#[wasm_bindgen(js_name = updateInvoice)]
pub async fn update_invoice(id: String, form: Ts<InvoiceInput>) -> Result<Ts<Invoice>, Failure> {
    invoice(&Call::put(invoices::PATH, &form.to_rust()?)?.under(&id)).await
}

/// Deletes an invoice.
#[wasm_bindgen(js_name = deleteInvoice)]
pub async fn delete_invoice(id: String) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::delete(invoices::PATH).under(&id)).await?.whole()?)
}

async fn invoice(call: &Call) -> Result<Ts<Invoice>, Failure> {
    Ok(api::call(call).await?.data()?)
}
