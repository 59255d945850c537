//! Bindings for the progress of an import. The package `import` reads the file itself, in a worker.

use crate::{Door, all, api, list};
use forecourt_call::{Call, Coming, Failure, give, read};
use forecourt_core::form::FieldError;
use forecourt_core::import::{
    self, ColumnMapping, ImportList, ImportSession, ModelColumn, Plan, RememberedMapping, header_key, progress,
};
use forecourt_core::reply::Done;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

/// The timeout for downloading a file, in milliseconds.
const FILE_PATIENCE_MS: u32 = 600_000;

/// An option of the mapping's menus.
#[derive(Serialize, Tsify)]
pub struct ModelColumnChoice {
    pub value: ModelColumn,
    pub label: &'static str,
}

/// Returns the fields that a column can be mapped to, in menu order.
#[wasm_bindgen(js_name = modelColumns)]
pub fn model_columns() -> Door<Vec<Ts<ModelColumnChoice>>> {
    list(&ModelColumn::ALL.map(|value| ModelColumnChoice { value, label: value.label() }))
}

/// Validates a mapping of these columns. An error about one column has the column's name as its field.
#[wasm_bindgen(js_name = checkMapping)]
pub fn check_mapping(
    #[wasm_bindgen(js_name = fileColumns)] file_columns: Vec<String>,
    mapping: Vec<Ts<ColumnMapping>>,
) -> Door<Vec<Ts<FieldError>>> {
    list(&Plan::new(&file_columns, &all(&mapping)?).err().unwrap_or_default())
}

/// Returns the path to which a file is sent, with its mapping, its corrections and the verdict.
#[wasm_bindgen(js_name = importPath)]
pub fn import_path() -> String {
    import::SUBMIT.to_owned()
}

/// Returns the mapping that was last used for a file with the same columns.
#[wasm_bindgen(js_name = rememberedMapping)]
pub fn remembered_mapping(
    #[wasm_bindgen(js_name = fileColumns)] file_columns: Vec<String>,
) -> Coming<RememberedMapping> {
    let call = Call::get(import::REMEMBERED).query("headers", &header_key(&file_columns));
    api::whole(call)
}

/// Returns the progress of an import.
#[wasm_bindgen(js_name = importStatus)]
pub fn import_status(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Coming<ImportSession> {
    api::read(Call::get(import::STATUS).under(&session_id), |answer| Ok(answer.part("session")?))
}

/// Returns what to do after a response that `earlier` responses preceded.
#[wasm_bindgen(js_name = afterAnswer)]
pub fn after_answer(session: Ts<ImportSession>, earlier: u32) -> Door<Ts<progress::Watch>> {
    give(&progress::after_response(&read(&session)?, earlier))
}

/// Returns what to do after `failures` failed polls in a row; `status` and `message` are those of the last one.
#[wasm_bindgen(js_name = afterFailure)]
pub fn after_failure(failures: u32, status: u16, message: &str) -> Door<Ts<progress::Watch>> {
    give(&progress::after_failure(failures, status, message))
}

/// Returns the number of imports per page.
#[wasm_bindgen(js_name = importsPageSize)]
pub fn imports_page_size() -> u32 {
    import::IMPORTS_PAGE_SIZE
}

/// Returns a page of imports, newest first.
#[wasm_bindgen(js_name = importList)]
pub fn import_list(page: u32, limit: u32) -> Coming<ImportList> {
    api::whole(Call::get(import::IMPORTS).page(page, limit))
}

/// Cancels a running import. Contacts that were already imported stay.
#[wasm_bindgen(js_name = cancelImport)]
pub async fn cancel_import(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Result<(), Failure> {
    api::call(&Call::post_bare(import::CANCEL).under(&session_id)).await?;
    Ok(())
}

/// Deletes a finished import with its failed rows. Its contacts stay.
#[wasm_bindgen(js_name = deleteImport)]
pub fn delete_import(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Coming<Done> {
    api::whole(Call::delete(import::IMPORTS).under(&session_id))
}

/// Returns the rows of an import that failed, each with its reason, as a CSV file.
#[wasm_bindgen(js_name = failedRows)]
pub async fn failed_rows(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Result<Blob, Failure> {
    let call = Call::get_file(import::IMPORTS).under(&session_id).under("failed.csv").within(FILE_PATIENCE_MS);
    Ok(api::call(&call).await?.file()?)
}
