//! Workbooks of 1997 to 2003 (.xls) in the browser's worker: the file is asked for piece by piece, every row is checked
//! where it lies, and what is looked at goes out, packed. The rules are `core`'s; nothing here waits for anything.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_check::{Desk, JsBlob, OpenBook, ReadAt, book_doors, limits, refused};
use forecourt_core::import::xls;
use wasm_bindgen::prelude::*;

/// A workbook.
#[wasm_bindgen]
pub struct XlsReader {
    book: OpenBook,
    desk: Desk,
}

#[wasm_bindgen]
impl XlsReader {
    /// Finds the sheets of a file of so many bytes; `readAt` gives them. `packed`: the limits; those that come with the
    /// program where there are none. Throws a `Problem` that says why the file can't be imported, or a `NeedsFallback`
    /// when another reader may know it.
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, read_at: ReadAt, packed: Option<Vec<u8>>) -> Result<XlsReader, JsValue> {
        let book = xls::open(Box::new(JsBlob::new(size, read_at)), &limits(packed)?).map_err(refused)?;
        Ok(XlsReader { book: OpenBook::new(book), desk: Desk::default() })
    }
}

book_doors!(XlsReader);
