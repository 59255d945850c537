//! Bindings for the records of all lists: one function for each of list, get, create, update and delete.

use crate::{BindingResult, api};
use forecourt_call::{ApiRequest, set, to_js};
use forecourt_core::message::Message;
use js_sys::{Object, Promise};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

struct List {
    name: &'static str,
    path: &'static str,
    page_size: u32,
    /// The messages after a record was created, updated and deleted, in this order.
    texts: [&'static Message; 3],
}

fn find(name: &str) -> Option<&'static List> {
    LISTS.iter().find(|list| list.name == name)
}

fn path(list: &str) -> &'static str {
    find(list).map_or("", |list| list.path)
}

/// Declares the lists: name, number of records per page on the screen, and the TypeScript types of requests and
/// responses.
macro_rules! records {
    ($($list:ident $page_size:ident, $types:literal;)*) => {
        #[wasm_bindgen(typescript_custom_section)]
        const TYPES: &str = concat!(
            "/** The types of each list: a page and what it is queried by, a record as its page shows it, as a change returns it, and its forms. */\nexport interface Records {\n",
            $("    ", stringify!($list), ": { ", $types, " };\n",)*
            "}\n"
        );
        const LISTS: &[List] = &[$(List {
            name: stringify!($list),
            path: forecourt_core::$list::PATH,
            page_size: forecourt_core::$list::$page_size,
            texts: {
                use forecourt_core::$list::text::{CREATED, DELETED, UPDATED};
                [CREATED, UPDATED, DELETED]
            },
        },)*];
    };
}

records! {
    contacts PAGE_SIZE, "page: ContactList; query: { search?: string; importBatchId?: string }; shown: Contact; saved: Contact; form: ContactInput; change: ContactUpdateInput";
    customers PAGE_SIZE, "page: CustomerList; query: CustomerFilter & { searchTerm?: string }; shown: Customer; saved: CustomerSummary; form: CustomerInput; change: CustomerUpdateInput";
    // The API returns an array, which `listInvoices` converts to a page.
    invoices PAGE_SIZE, "page: never; query: never; shown: Invoice; saved: Invoice; form: InvoiceInput; change: InvoiceInput";
    vehicles PAGE_SIZE, "page: ListPage<Vehicle>; query: { search?: string }; shown: Vehicle; saved: Vehicle; form: VehicleInput; change: VehicleInput";
    agreements PAGE_SIZE, "page: ListPage<Agreement>; query: { search?: string; vehicle_id?: string }; shown: Agreement; saved: Agreement; form: AgreementInput; change: AgreementInput";
    users SCREEN_PAGE_SIZE, "page: ListPage<User>; query: { search?: string }; shown: User; saved: User; form: UserInput; change: UserUpdateInput";
    // Corporations are created and updated by other routes than `/api/corporations`, so these types are `never`.
    corporations SCREEN_PAGE_SIZE, "page: ListPage<Corporation>; query: { search?: string }; shown: Corporation; saved: never; form: never; change: never";
}

#[wasm_bindgen(typescript_custom_section)]
const FUNCTIONS: &str = "/** The messages after a record was created, updated or deleted. */
export interface RecordTexts {
    created: Message;
    updated: Message;
    deleted: Message;
}

/** Returns the number of records per page on the screen of a list. */
export function recordPageSize(list: keyof Records): number;

export function recordTexts(list: keyof Records): RecordTexts;

/** Requests a page of a list. `signal` aborts the request. */
export function listRecords<L extends keyof Records>(list: L, query: ListParameters & Records[L]['query'], signal?: AbortSignal): Promise<Records[L]['page']>;

/** Requests a record by its id. `signal` aborts the request. */
export function getRecord<L extends keyof Records>(list: L, id: string, signal?: AbortSignal): Promise<Records[L]['shown']>;

export function createRecord<L extends keyof Records>(list: L, form: Records[L]['form']): Promise<Records[L]['saved']>;

export function updateRecord<L extends keyof Records>(list: L, id: string, form: Records[L]['change']): Promise<Records[L]['saved']>;

/**
 * Deletes a user or a corporation permanently; moves any other record to the trash, with what belongs to it, such as
 * its comments.
 */
export function deleteRecord(list: keyof Records, id: string): Promise<Message>;
";

#[wasm_bindgen(js_name = recordPageSize, skip_typescript)]
pub fn record_page_size(list: &str) -> u32 {
    find(list).map_or(0, |list| list.page_size)
}

#[wasm_bindgen(js_name = recordTexts, skip_typescript)]
pub fn record_texts(list: &str) -> BindingResult<Object> {
    let texts = Object::new();
    if let Some(list) = find(list) {
        for (name, message) in ["created", "updated", "deleted"].into_iter().zip(list.texts) {
            set(&texts, name, &to_js(message)?.js_value());
        }
    }
    Ok(texts)
}

#[wasm_bindgen(js_name = listRecords, skip_typescript)]
pub fn list_records(list: &str, query: &Object, signal: Option<AbortSignal>) -> Promise {
    api::fetch_body(ApiRequest::get(path(list)).parameters(query).abort_on(signal))
}

#[wasm_bindgen(js_name = getRecord, skip_typescript)]
pub fn get_record(list: &str, id: &str, signal: Option<AbortSignal>) -> Promise {
    api::fetch_data(ApiRequest::get(path(list)).segment(id).abort_on(signal))
}

#[wasm_bindgen(js_name = createRecord, skip_typescript)]
pub fn create_record(list: &str, form: JsValue) -> Promise {
    api::fetch_data(ApiRequest::post(path(list), form))
}

#[wasm_bindgen(js_name = updateRecord, skip_typescript)]
pub fn update_record(list: &str, id: &str, form: JsValue) -> Promise {
    api::fetch_data(ApiRequest::put(path(list), form).segment(id))
}

#[wasm_bindgen(js_name = deleteRecord, skip_typescript)]
pub fn delete_record(list: &str, id: &str) -> Promise {
    api::fetch_message(ApiRequest::delete(path(list)).segment(id))
}
