//! Doors to the watching of an import; the file itself is read by the package `import`, in a worker.

use crate::Door;
use crate::api::{self, Call};
use crate::problem::Failure;
use forecourt_core::import::{self, ImportSession, StatusReply, progress};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// How far an import is.
#[wasm_bindgen(js_name = importStatus)]
pub async fn import_status(
    #[wasm_bindgen(js_name = sessionId)] session_id: String,
) -> Result<Ts<ImportSession>, Failure> {
    let reply: StatusReply = api::call(&Call::get(import::STATUS).under(&session_id)).await?;
    Ok(reply.session.into_ts()?)
}

/// What the watcher does after a look that was answered.
#[wasm_bindgen(js_name = afterAnswer)]
pub fn after_answer(session: Ts<ImportSession>) -> Door<Ts<progress::Watch>> {
    Ok(progress::after_answer(&session.to_rust()?).into_ts()?)
}

/// What the watcher does after so many looks in a row that were not answered.
#[wasm_bindgen(js_name = afterFailure)]
pub fn after_failure(failures: u32) -> Door<Ts<progress::Watch>> {
    Ok(progress::after_failure(failures).into_ts()?)
}
