//! Converts file errors to JavaScript errors.

use forecourt_call::{BindingError, Problem, set};
use forecourt_core::import::{FileError, OpenError, SheetHead};
use js_sys::{Array, Error, Object};
use wasm_bindgen::{JsCast, JsValue};

/// The HTTP status with which the server rejects the same files, except files that are too large (413).
const BAD_REQUEST: u16 = 400;

/// Returns the error for a file that can't be imported. Its name is `Problem`, or `NeedsFallback` if only
/// `wasm/fallback` reads the file.
pub fn file_error(error: FileError) -> JsValue {
    let thrown = JsValue::from(BindingError::from(Problem::new(&error.message()).with_status(BAD_REQUEST)));
    if error == FileError::NeedsFallback {
        thrown.unchecked_ref::<Error>().set_name("NeedsFallback");
    }
    thrown
}

/// As [`file_error`], for a file that could not be opened. If its list of sheets could be read, the error's property
/// `sheets` has all of them, so that the user can choose another one. `sheet` is the name of the sheet that can't be
/// imported, if one was selected.
pub fn open_error(refused: OpenError) -> JsValue {
    let thrown = file_error(refused.error);
    if !refused.sheets.is_empty() {
        let sheets: Array = refused.sheets.iter().map(sheet).collect();
        set(&thrown, "sheets", &sheets);
        set(&thrown, "sheet", &refused.sheet.into());
    }
    thrown
}

fn sheet(head: &SheetHead) -> Object {
    let sheet = Object::new();
    set(&sheet, "name", &head.name.as_str().into());
    set(&sheet, "hidden", &head.hidden.into());
    sheet
}
