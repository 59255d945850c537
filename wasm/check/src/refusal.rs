//! How a refusal reaches JavaScript: like every refusal of the server, but without what reads and writes those.

use forecourt_core::import::FileError;
use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

/// What the server answers to the same file.
const BAD_REQUEST: u16 = 400;

/// A file that can't be imported, as an `Error` named `Problem`; one that another reader may know is named
/// `NeedsFallback`.
pub fn refused(error: FileError) -> JsValue {
    let thrown = Error::new(&error.message());
    thrown.set_name(if error == FileError::NeedsFallback { "NeedsFallback" } else { "Problem" });
    // Setting a property of an own, plain object can't fail.
    let _ = Reflect::set(&thrown, &"status".into(), &BAD_REQUEST.into());
    thrown.into()
}

/// What the page handed over has another shape than was agreed on: a fault of the program.
pub fn misused(what: &str) -> JsValue {
    Error::new(what).into()
}
