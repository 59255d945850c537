//! The reader of Excel 97–2003 workbooks (.xls) in the browser's worker. It reads the file piece by piece, checks every
//! row in place, and returns only the rows that are displayed, packed. The rules are in `core`. Nothing here is
//! asynchronous.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_check::{JsBlob, OpenBook, ReadAt, RunningCheck, file_error, limits, workbook_bindings};
use forecourt_core::import::xls;
use wasm_bindgen::prelude::*;

/// Reads and checks a workbook.
#[wasm_bindgen]
pub struct XlsReader {
    book: OpenBook,
    check: RunningCheck,
}

#[wasm_bindgen]
impl XlsReader {
    /// Reads the list of sheets. `size`: of the file in bytes. `read_at`: reads a part of the file. `packed`: the
    /// limits; the default limits if absent. Throws a `Problem` that says why the file can't be imported, or a
    /// `NeedsFallback` if another reader may support it.
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, read_at: ReadAt, packed: Option<Vec<u8>>) -> Result<XlsReader, JsValue> {
        let book = xls::open(Box::new(JsBlob::new(size, read_at)), &limits(packed)?).map_err(file_error)?;
        Ok(XlsReader { book: OpenBook::new(book), check: RunningCheck::default() })
    }
}

workbook_bindings!(XlsReader);
