//! Bindings for imports: the mapping of columns, the progress, the list of imports, and failed rows. The package
//! `wasm/import` reads the file, in a web worker.

use crate::{BindingResult, api, read_list, to_ts_list};
use forecourt_call::{ApiRequest, BindingError, read, to_js};
use forecourt_core::form::FieldError;
use forecourt_core::import::{self, ColumnMapping, ImportSession, ModelColumn, Plan, header_key, progress};
use forecourt_core::message::Message;
use js_sys::Promise;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

/// The timeout for downloading a file, in milliseconds.
const FILE_TIMEOUT_MS: u32 = 600_000;

/// An option of the menus in which users choose what a file's column is mapped to.
#[derive(Serialize, Tsify)]
pub struct ModelColumnChoice {
    pub value: ModelColumn,
    pub label: &'static Message,
}

/// Returns what a column can be mapped to, in menu order: the fields, and "Do not import" at the end.
#[wasm_bindgen(js_name = modelColumns)]
pub fn model_columns() -> BindingResult<Vec<Ts<ModelColumnChoice>>> {
    let choices = ModelColumn::ALL.iter().map(|&value| ModelColumnChoice { value, label: value.label() });
    to_ts_list(&choices.collect::<Vec<_>>())
}

/// Returns a column's name for screens, which show that of a column without a header in the user's language.
#[wasm_bindgen(js_name = columnTitle)]
pub fn column_title(name: &str) -> BindingResult<Ts<Message>> {
    to_js(&import::text::column_title(name))
}

/// Validates a mapping of these columns. An error about one column has the column's name as its field.
#[wasm_bindgen(js_name = checkMapping)]
pub fn check_mapping(
    #[wasm_bindgen(js_name = fileColumns)] file_columns: Vec<String>,
    mapping: Vec<Ts<ColumnMapping>>,
) -> BindingResult<Vec<Ts<FieldError>>> {
    to_ts_list(&Plan::new(&file_columns, &read_list(&mapping)?).err().unwrap_or_default())
}

/// Returns the path to which the browser sends a file, together with its mapping, its corrections and the result of the
/// browser's own check (`Verdict`).
#[wasm_bindgen(js_name = importPath)]
pub fn import_path() -> String {
    import::SUBMIT.to_owned()
}

/// Returns the mapping that was last used for a file with the same columns.
#[wasm_bindgen(js_name = rememberedMapping, unchecked_return_type = "Promise<RememberedMapping>")]
pub fn remembered_mapping(#[wasm_bindgen(js_name = fileColumns)] file_columns: Vec<String>) -> Promise {
    api::fetch_body(ApiRequest::get(import::REMEMBERED).query("headers", &header_key(&file_columns)))
}

#[wasm_bindgen(js_name = importStatus, unchecked_return_type = "Promise<ImportSession>")]
pub fn import_status(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Promise {
    api::fetch_with(ApiRequest::get(import::STATUS).segment(&session_id), |response| {
        Ok(response.into_property("session")?)
    })
}

/// Returns what a screen that watches an import must do after a response with its state: for example, when to request
/// it again. `earlier` is the number of responses before this one.
#[wasm_bindgen(js_name = afterResponse)]
pub fn after_response(session: Ts<ImportSession>, earlier: u32) -> BindingResult<Ts<progress::Watch>> {
    to_js(&progress::after_response(&read(&session)?, earlier))
}

/// Returns what a screen that watches an import must do after `failures` failed requests for its state in a row.
/// `status` is the HTTP status of the last one, or 0 if there was no connection.
#[wasm_bindgen(js_name = afterFailure)]
pub fn after_failure(failures: u32, status: u16) -> BindingResult<Ts<progress::Watch>> {
    to_js(&progress::after_failure(failures, status))
}

#[wasm_bindgen(js_name = importsPageSize)]
pub fn imports_page_size() -> u32 {
    import::IMPORTS_PAGE_SIZE
}

/// Returns a page of imports, newest first.
#[wasm_bindgen(js_name = importList, unchecked_return_type = "Promise<ImportList>")]
pub fn import_list(page: u32, limit: u32) -> Promise {
    api::fetch_body(ApiRequest::get(import::IMPORTS).page(page, limit))
}

/// Cancels a running import. Contacts that were already imported stay.
#[wasm_bindgen(js_name = cancelImport)]
pub async fn cancel_import(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Result<(), BindingError> {
    api::send_authorized(&ApiRequest::post_empty(import::CANCEL).segment(&session_id)).await?;
    Ok(())
}

/// Deletes a finished import with its failed rows. Its contacts stay.
#[wasm_bindgen(js_name = deleteImport, unchecked_return_type = "Promise<Message>")]
pub fn delete_import(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Promise {
    api::fetch_message(ApiRequest::delete(import::IMPORTS).segment(&session_id))
}

/// Returns the rows of an import that failed, each with its reason, as a CSV file.
#[wasm_bindgen(js_name = failedRows)]
pub async fn failed_rows(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Result<Blob, BindingError> {
    let request =
        ApiRequest::get_file(import::IMPORTS).segment(&session_id).segment("failed.csv").timeout_ms(FILE_TIMEOUT_MS);
    Ok(api::send_authorized(&request).await?.into_file()?)
}
