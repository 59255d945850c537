//! Bindings for the records of all lists: one function for each of list, get, create, update and delete.

use crate::{BindingResult, api};
use forecourt_call::{ApiRequest, set, to_js};
use forecourt_core::lists::{RECORD_TYPES, list};
use js_sys::{Object, Promise};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

fn path(name: &str) -> &'static str {
    list(name).map_or("", |list| list.path)
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = RECORD_TYPES;

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

/**
 * Creates a record, once if the call is repeated with the same `key`, a UUID, because the response was lost: then
 * returns the record that the first call has created.
 */
export function createRecord<L extends keyof Records>(list: L, form: Records[L]['form'], key: string): Promise<Records[L]['saved']>;

export function updateRecord<L extends keyof Records>(list: L, id: string, form: Records[L]['change']): Promise<Records[L]['saved']>;

/**
 * Deletes a user or a corporation permanently; moves any other record to the trash, with what belongs to it, such as
 * its comments.
 */
export function deleteRecord(list: keyof Records, id: string): Promise<Message>;
";

#[wasm_bindgen(js_name = recordPageSize, skip_typescript)]
pub fn record_page_size(name: &str) -> u32 {
    list(name).map_or(0, |list| list.page_size)
}

#[wasm_bindgen(js_name = recordTexts, skip_typescript)]
pub fn record_texts(name: &str) -> BindingResult<Object> {
    let texts = Object::new();
    if let Some(list) = list(name) {
        for (name, message) in [("created", list.created), ("updated", list.updated), ("deleted", list.deleted)] {
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
pub fn create_record(list: &str, form: JsValue, key: String) -> Promise {
    api::fetch_data(ApiRequest::post(path(list), form).key(key))
}

#[wasm_bindgen(js_name = updateRecord, skip_typescript)]
pub fn update_record(list: &str, id: &str, form: JsValue) -> Promise {
    api::fetch_data(ApiRequest::put(path(list), form).segment(id))
}

#[wasm_bindgen(js_name = deleteRecord, skip_typescript)]
pub fn delete_record(list: &str, id: &str) -> Promise {
    api::fetch_message(ApiRequest::delete(path(list)).segment(id))
}
