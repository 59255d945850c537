//! Converts file errors to JavaScript errors of the same shape as API errors, without the code that serializes a
//! `Problem`.

use forecourt_core::import::FileError;
use forecourt_core::import::pack::Packer;
use forecourt_core::message::Message;
use wasm_bindgen::prelude::*;

/// The status with which the server rejects the same file, except one that is too large (413).
const BAD_REQUEST: u32 = 400;

#[wasm_bindgen]
extern "C" {
    // The bindings of js-sys are larger than a whole reader.
    type Error;
    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> Error;
    #[wasm_bindgen(method, setter)]
    fn set_name(this: &Error, name: &str);
    #[wasm_bindgen(method, setter, structural)]
    fn set_status(this: &Error, status: u32);
    #[wasm_bindgen(method, setter, structural)]
    fn set_packed(this: &Error, message: Vec<u8>);
}

/// Returns the error for a file that can't be imported, with the packed message. Its name is `Problem`, or
/// `NeedsFallback` if another reader may support the file.
pub fn file_error(error: FileError) -> JsValue {
    js_error(&error, &error.message())
}

/// As [`file_error`], for the text reader. It includes only the messages about rows, which keeps that module small.
pub fn row_error(error: FileError) -> JsValue {
    js_error(&error, &error.message_of_rows())
}

fn js_error(error: &FileError, message: &Message) -> JsValue {
    let thrown = Error::new(message.as_str());
    let mut packer = Packer::default();
    packer.write_message(message);
    thrown.set_packed(packer.bytes);
    thrown.set_name(if *error == FileError::NeedsFallback { "NeedsFallback" } else { "Problem" });
    thrown.set_status(BAD_REQUEST);
    thrown.into()
}

/// Returns the error for an argument of the wrong shape, which is a programming error of the page.
pub fn argument_error(what: &str) -> JsValue {
    Error::new(what).into()
}
