//! The file on its way to the server. What becomes of it there is watched by the package `rules`.

use forecourt_call::{Call, Failure};
use forecourt_core::import::{self, ColumnMapping, Corrections, ReadOptions, SubmitReply, Verdict};
use js_sys::{Array, Function, JSON};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

/// Sends a file with its mapping, the options that it was read with, what was corrected, and what it came to here. The
/// browser reads the file while it sends it; its bytes don't pass through here. `progress` is told how much has gone.
#[expect(clippy::too_many_arguments, reason = "they are the call's own fields")]
#[wasm_bindgen(js_name = submitImport)]
pub async fn submit_import(
    origin: String,
    token: String,
    file: Blob,
    name: String,
    mapping: Vec<Ts<ColumnMapping>>,
    options: Ts<ReadOptions>,
    corrections: Ts<Corrections>,
    verdict: Ts<Verdict>,
    #[wasm_bindgen(unchecked_param_type = "(sent: number, total: number) => void")] progress: Option<Function>,
) -> Result<Ts<SubmitReply>, Failure> {
    let mapping: Array = mapping.iter().map(Ts::js_value).collect();
    let fields = [
        ("columnMapping", mapping.into()),
        ("options", options.js_value()),
        ("corrections", corrections.js_value()),
        ("verdict", verdict.js_value()),
    ];
    let form = form(&file, &name, fields).map_err(|_| Failure::Misused("This file can't be sent".to_owned()))?;
    let address = format!("{origin}{}", import::SUBMIT);
    let reply: SubmitReply = Call::upload(&address, form).send(Some(&token)).await?.read()?;
    Ok(reply.into_ts()?)
}

fn form(file: &Blob, name: &str, fields: [(&str, JsValue); 4]) -> Result<FormData, JsValue> {
    let form = FormData::new()?;
    form.append_with_blob_and_filename("file", file, name)?;
    for (name, value) in fields {
        form.append_with_str(name, &String::from(JSON::stringify(&value)?))?;
    }
    Ok(form)
}
