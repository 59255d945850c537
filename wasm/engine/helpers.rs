//! Helpers shared by the tests of the two packages that link the engine.
#![allow(dead_code, clippy::allow_attributes, reason = "each package uses some of them")]

use forecourt_engine::{Engine, ReadInto};
use js_sys::{Array, Function, JSON, Object, Reflect, Uint8Array};
use serde::de::DeserializeOwned;
use tsify::Ts;
use wasm_bindgen::{JsCast, JsValue};

/// Returns a JavaScript function that reads a file whose content is a copy of `bytes`.
fn read_into(bytes: &[u8]) -> ReadInto {
    let body =
        "return (offset, into) => { into.set(bytes.subarray(offset, offset + into.length)); return into.length }";
    let make = Function::new_with_args("bytes", body);
    make.call1(&JsValue::NULL, &Uint8Array::from(bytes)).unwrap().unchecked_into()
}

/// Opens a file in the engine and returns its head, or the error that was thrown.
pub fn open(engine: &mut Engine, name: &str, bytes: &[u8], sheet: Option<&str>) -> Result<JsValue, JsValue> {
    let options = Object::new();
    if let Some(sheet) = sheet {
        Reflect::set(&options, &"sheet".into(), &sheet.into()).unwrap();
    }
    let options = Ts::new_unchecked(options.into());
    engine.open(name, bytes.len() as f64, read_into(bytes), options, None).map(|head| head.js_value())
}

/// As [`open`], but the test fails if the file is rejected.
pub fn opened(engine: &mut Engine, name: &str, bytes: &[u8]) -> JsValue {
    open(engine, name, bytes, None).unwrap_or_else(|error| panic!("{name}: {:?}", error_of(&error)))
}

/// Starts a check of the open file with the mapping that its head suggests.
pub fn begin(engine: &mut Engine, head: &JsValue) -> Result<(), JsValue> {
    begin_with(engine, &Reflect::get(head, &"matches".into()).unwrap(), corrections("{}"))
}

pub fn begin_with(engine: &mut Engine, mapping: &JsValue, corrections: JsValue) -> Result<(), JsValue> {
    let mapping = mapping.unchecked_ref::<Array>().iter().map(Ts::new_unchecked).collect();
    engine.begin(mapping, Ts::new_unchecked(corrections))
}

pub fn corrections(json: &str) -> JsValue {
    JSON::parse(json).unwrap()
}

/// Runs the check to its end and returns the name of its last step (`end` or `reread`), or the error's name and
/// message.
pub fn run(engine: &mut Engine) -> Result<String, (String, String)> {
    loop {
        let step = engine.step().map(JsValue::from).map_err(|error| error_of(&error))?;
        if step != "more" {
            return Ok(step.as_string().unwrap());
        }
    }
}

/// Returns the name and the message of a JavaScript error.
pub fn error_of(error: &JsValue) -> (String, String) {
    (field(error, "name"), field(error, "message"))
}

/// Returns the first message of a `Problem`.
pub fn message_of(error: &JsValue) -> JsValue {
    Reflect::get(error, &"messages".into()).unwrap().unchecked_into::<Array>().get(0)
}

/// Returns the value of a JavaScript expression about `value`, as JSON.
pub fn evaluate(expression: &str, value: &JsValue) -> String {
    let function = Function::new_with_args("value", &format!("return {expression}"));
    JSON::stringify(&function.call1(&JsValue::NULL, value).unwrap()).unwrap().into()
}

pub fn field<T: DeserializeOwned>(object: &JsValue, name: &str) -> T {
    serde_wasm_bindgen::from_value(Reflect::get(object, &name.into()).unwrap()).unwrap()
}
