//! The file on its way to the server. What becomes of it there is watched by the package `rules`.

use forecourt_call::{Call, Failure};
use forecourt_core::import::{self, ColumnMapping, SubmitReply};
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

fn form(file: &Blob, name: &str, mapping: &js_sys::Array) -> Result<FormData, JsValue> {
    let form = FormData::new()?;
    form.append_with_blob_and_filename("file", file, name)?;
    form.append_with_str("columnMapping", &String::from(JSON::stringify(mapping)?))?;
    Ok(form)
}
