//! How a refusal reaches JavaScript: like every refusal of the server, but without what reads and writes those.

use forecourt_core::import::FileError;
use wasm_bindgen::prelude::*;

/// What the server answers to the same file.
const BAD_REQUEST: u32 = 400;

#[wasm_bindgen]
extern "C" {
    // js-sys brings more along than a reader weighs.
    type Error;
    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> Error;
    #[wasm_bindgen(method, setter)]
    fn set_name(this: &Error, name: &str);
    #[wasm_bindgen(method, setter, structural)]
    fn set_status(this: &Error, status: u32);
}

/// A file that can't be imported, as an `Error` named `Problem`; one that another reader may know is named
/// `NeedsFallback`.
pub fn refused(error: FileError) -> JsValue {
    thrown(&error, &error.message())
}

/// As [`refused`], by a reader of text: what it refuses is in the rows, so that it carries no other sentences.
pub fn refused_rows(error: FileError) -> JsValue {
    thrown(&error, &error.message_of_rows())
}

fn thrown(error: &FileError, message: &str) -> JsValue {
    let thrown = Error::new(message);
    thrown.set_name(if *error == FileError::NeedsFallback { "NeedsFallback" } else { "Problem" });
    thrown.set_status(BAD_REQUEST);
    thrown.into()
}

/// What the page handed over has another shape than was agreed on: a fault of the program.
pub fn misused(what: &str) -> JsValue {
    Error::new(what).into()
}
