//! Doors to the watching of an import; the file itself is read by the package `import`, in a worker.

use crate::{Door, all, api, list};
use forecourt_call::{Call, Failure};
use forecourt_core::form::FieldError;
use forecourt_core::import::{self, ColumnMapping, ImportSession, ModelColumn, Plan, StatusReply, progress};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

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

/// How far an import is.
#[wasm_bindgen(js_name = importStatus)]
pub async fn import_status(
    #[wasm_bindgen(js_name = sessionId)] session_id: String,
) -> Result<Ts<ImportSession>, Failure> {
    let reply: StatusReply = api::call(&Call::get(import::STATUS).under(&session_id)).await?.read()?;
    Ok(reply.session.into_ts()?)
}

/// What the watcher does after a look that was answered.
#[wasm_bindgen(js_name = afterAnswer)]
pub fn after_answer(session: Ts<ImportSession>) -> Door<Ts<progress::Watch>> {
    Ok(progress::after_answer(&session.to_rust()?).into_ts()?)
}

/// What the watcher does after so many looks in a row that were not answered.
#[wasm_bindgen(js_name = afterFailure)]
pub fn after_failure(failures: u32, status: u16, message: &str) -> Door<Ts<progress::Watch>> {
    Ok(progress::after_failure(failures, status, message).into_ts()?)
}
