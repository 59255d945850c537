//! Workbooks that our own reader doesn't know, in the browser's worker, and the encodings of before Unicode. Fetched only
//! when a file needs it. The library behind it may be brought down by a file: the call then throws a `RuntimeError`, and
//! the module is good for nothing any more. Whoever calls lets the worker go with it.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_check::{Desk, OpenBook, book_doors, limits, misused, refused};
use forecourt_core::import::{FileKind, codepages, fallback, legacy, unlock::decrypt_workbook};
use wasm_bindgen::prelude::*;

/// A workbook.
#[wasm_bindgen]
pub struct BookReader {
    book: OpenBook,
    desk: Desk,
}

#[wasm_bindgen]
impl BookReader {
    /// `kind`: as it was recognised. `limits`: packed; those that come with the program where there are none. Throws a
    /// `Problem` that says why it can't be imported.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, kind: &str, limits_packed: Option<Vec<u8>>) -> Result<BookReader, JsValue> {
        let kind = match kind {
            "xlsx" => FileKind::Xlsx,
            "xls" => FileKind::Xls,
            "xlsb" => FileKind::Xlsb,
            "ods" => FileKind::Ods,
            _ => return Err(misused("This is no kind of workbook")),
        };
        let book = fallback::open(bytes, kind, &limits(limits_packed)?).map_err(refused)?;
        Ok(BookReader { book: OpenBook::new(book), desk: Desk::default() })
    }
}

book_doors!(BookReader);

/// The encoding of a text that isn't UTF-8, by a piece of it from where it stops being so.
#[wasm_bindgen(js_name = guessEncoding)]
pub fn guess_encoding(bytes: &[u8]) -> String {
    legacy::guess(bytes).to_owned()
}

/// The characters of the bytes from 128 to 255 in a code page that browsers don't decode; absent for a name that is none's.
#[wasm_bindgen(js_name = codePage)]
pub fn code_page(encoding: &str) -> Option<String> {
    codepages::code_page(encoding).map(|page| page.characters.to_owned())
}

/// Decrypts a workbook that only has the password that Excel tries by itself; `undefined` if it isn't encrypted. Throws a
/// `Problem` if it has another password.
#[wasm_bindgen]
pub fn unlock(bytes: Vec<u8>) -> Result<Option<Vec<u8>>, JsValue> {
    decrypt_workbook(Box::new(bytes)).map_err(refused)
}
