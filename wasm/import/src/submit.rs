//! The file on its way to the server, and what becomes of it there.

use forecourt_call::{Call, Failure};
use forecourt_core::import::{self, ColumnMapping, ImportSession, StatusReply, SubmitReply};
use js_sys::JSON;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

/// Sends a file with its mapping. The browser reads the file while it sends it; its bytes don't pass through here.
#[wasm_bindgen(js_name = submitImport)]
pub async fn submit_import(
    origin: String,
    token: String,
    file: Blob,
    name: String,
    mapping: Vec<Ts<ColumnMapping>>,
) -> Result<Ts<SubmitReply>, Failure> {
    let mapping: js_sys::Array = mapping.iter().map(Ts::js_value).collect();
    let form = form(&file, &name, &mapping).map_err(|_| Failure::Misused("This file can't be sent".to_owned()))?;
    let reply: SubmitReply =
        Call::upload(&format!("{origin}{}", import::SUBMIT), form).send(Some(&token)).await?.read()?;
    Ok(reply.into_ts()?)
}

/// How far an import is.
#[wasm_bindgen(js_name = importStatus)]
pub async fn import_status(
    origin: String,
    token: String,
    #[wasm_bindgen(js_name = sessionId)] session_id: String,
) -> Result<Ts<ImportSession>, Failure> {
    let call = Call::get(&format!("{origin}{}", import::STATUS)).under(&session_id);
    let reply: StatusReply = call.send(Some(&token)).await?.read()?;
    Ok(reply.session.into_ts()?)
}

fn form(file: &Blob, name: &str, mapping: &js_sys::Array) -> Result<FormData, JsValue> {
    let form = FormData::new()?;
    form.append_with_blob_and_filename("file", file, name)?;
    form.append_with_str("columnMapping", &String::from(JSON::stringify(mapping)?))?;
    Ok(form)
}
