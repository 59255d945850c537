//! Doors to the watching of an import; the file itself is read by the package `import`, in a worker.

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

/// As long as a file may take to come, in milliseconds.
const FILE_PATIENCE_MS: u32 = 600_000;

/// A choice of the mapping's menus.
#[derive(Serialize, Tsify)]
pub struct ModelColumnChoice {
    pub value: ModelColumn,
    pub label: &'static str,
}

/// What a column can be mapped to, in the order of a menu.
#[wasm_bindgen(js_name = modelColumns)]
pub fn model_columns() -> Door<Vec<Ts<ModelColumnChoice>>> {
    list(&ModelColumn::ALL.map(|value| ModelColumnChoice { value, label: value.label() }))
}

/// Checks a mapping of these columns; what is wrong stands under the file's column where it is about one.
#[wasm_bindgen(js_name = checkMapping)]
pub fn check_mapping(
    #[wasm_bindgen(js_name = fileColumns)] file_columns: Vec<String>,
    mapping: Vec<Ts<ColumnMapping>>,
) -> Door<Vec<Ts<FieldError>>> {
    list(&Plan::new(&file_columns, &all(&mapping)?).err().unwrap_or_default())
}

/// Where a file is sent, with its mapping, its corrections and the verdict.
#[wasm_bindgen(js_name = importPath)]
pub fn import_path() -> String {
    import::SUBMIT.to_owned()
}

/// The mapping that a file with the same columns was last imported with.
#[wasm_bindgen(js_name = rememberedMapping)]
pub fn remembered_mapping(
    #[wasm_bindgen(js_name = fileColumns)] file_columns: Vec<String>,
) -> Coming<RememberedMapping> {
    let call = Call::get(import::REMEMBERED).query("headers", &header_key(&file_columns));
    api::whole(call)
}

/// How far an import is.
#[wasm_bindgen(js_name = importStatus)]
pub fn import_status(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Coming<ImportSession> {
    api::read(Call::get(import::STATUS).under(&session_id), |answer| Ok(answer.part("session")?))
}

/// What the watcher does after an answer, when it has had so many before.
#[wasm_bindgen(js_name = afterAnswer)]
pub fn after_answer(session: Ts<ImportSession>, earlier: u32) -> Door<Ts<progress::Watch>> {
    give(&progress::after_response(&read(&session)?, earlier))
}

/// What the watcher does after so many looks in a row that were not answered.
#[wasm_bindgen(js_name = afterFailure)]
pub fn after_failure(failures: u32, status: u16, message: &str) -> Door<Ts<progress::Watch>> {
    give(&progress::after_failure(failures, status, message))
}

/// How many imports stand on a page.
#[wasm_bindgen(js_name = importsPageSize)]
pub fn imports_page_size() -> u32 {
    import::IMPORTS_PAGE_SIZE
}

/// A page of imports, the newest first.
#[wasm_bindgen(js_name = importList)]
pub fn import_list(page: u32, limit: u32) -> Coming<ImportList> {
    api::whole(Call::get(import::IMPORTS).page(page, limit))
}

/// Ends an import before it is over; what was imported until then is kept.
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

/// The rows of an import that failed, each with its reason, as a CSV file.
#[wasm_bindgen(js_name = failedRows)]
pub async fn failed_rows(#[wasm_bindgen(js_name = sessionId)] session_id: String) -> Result<Blob, Failure> {
    let call = Call::get_file(import::IMPORTS).under(&session_id).under("failed.csv").within(FILE_PATIENCE_MS);
    Ok(api::call(&call).await?.file()?)
}
