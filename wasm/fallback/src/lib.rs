//! The fallback reader for workbooks that our own readers don't support, and for legacy text encodings, in the
//! browser's worker. It is fetched only when a file needs it. A file may crash the library behind it: the call then
//! throws a `RuntimeError`, and the module is unusable. The caller must then discard the worker.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_check::{OpenBook, RunningCheck, argument_error, file_error, limits, workbook_bindings};
use forecourt_core::import::{FileKind, codepages, fallback, legacy, unlock::decrypt_workbook};
use wasm_bindgen::prelude::*;

/// Reads and checks a workbook.
#[wasm_bindgen]
pub struct BookReader {
    book: OpenBook,
    check: RunningCheck,
}

#[wasm_bindgen]
impl BookReader {
    /// `kind`: the detected file kind. `limits_packed`: the default limits if absent. Throws a `Problem` that says why
    /// the file can't be imported.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, kind: &str, limits_packed: Option<Vec<u8>>) -> Result<BookReader, JsValue> {
        let kind = match kind {
            "xlsx" => FileKind::Xlsx,
            "xls" => FileKind::Xls,
            "xlsb" => FileKind::Xlsb,
            "ods" => FileKind::Ods,
            _ => return Err(argument_error("Unknown kind of workbook")),
        };
        let book = fallback::open(bytes, kind, &limits(limits_packed)?).map_err(file_error)?;
        Ok(BookReader { book: OpenBook::new(book), check: RunningCheck::default() })
    }
}

workbook_bindings!(BookReader);

/// Returns the encoding of a text that isn't UTF-8. `bytes` start at the first invalid UTF-8 sequence.
#[wasm_bindgen(js_name = guessEncoding)]
pub fn guess_encoding(bytes: &[u8]) -> String {
    legacy::guess(bytes).to_owned()
}

/// Returns the characters for the bytes 128 to 255 of a code page that browsers don't decode; `undefined` for other
/// names.
#[wasm_bindgen(js_name = codePage)]
pub fn code_page(encoding: &str) -> Option<String> {
    codepages::code_page(encoding).map(|page| page.characters.to_owned())
}

/// Decrypts a workbook that is encrypted with Excel's default password; `undefined` if it isn't encrypted. Throws a
/// `Problem` if it has another password.
#[wasm_bindgen]
pub fn unlock(bytes: Vec<u8>) -> Result<Option<Vec<u8>>, JsValue> {
    decrypt_workbook(Box::new(bytes)).map_err(file_error)
}
