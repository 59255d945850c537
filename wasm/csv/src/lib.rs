//! The reader of text files in the browser's worker. It takes the text in pieces of UTF-8, checks every row in place,
//! and returns only the rows that are displayed, packed. The rules are in `core`. Nothing here is asynchronous.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_check::{RunningCheck, check_bindings, packed_rows, row_error};
use forecourt_core::import::csv::Scanner;
use forecourt_core::import::head::SAMPLE_ROWS;
use forecourt_core::import::{FileError, Limits, RawRow, RowBuffer};
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;

/// Its code is half the size of the standard library's allocator.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Results of [`CsvReader::push`].
const CONTINUE: u32 = 0;
const OTHER_ENCODING: u32 = 1;

/// Reads and checks a text file.
#[wasm_bindgen]
pub struct CsvReader {
    delimiter: u8,
    separator_line: bool,
    sure: bool,
    limits: Limits,
    scanner: Scanner,
    check: RunningCheck,
}

#[wasm_bindgen]
impl CsvReader {
    /// `delimiter`: the code of an ASCII character. `separator_line`: the first line names the delimiter. `sure`: the
    /// encoding is certain. `limits`: packed; the default limits if absent.
    #[wasm_bindgen(constructor)]
    pub fn new(delimiter: u8, separator_line: bool, sure: bool, limits: Option<Vec<u8>>) -> Result<CsvReader, JsValue> {
        let limits = forecourt_check::limits(limits)?;
        let scanner = Scanner::new(delimiter, separator_line, sure, &limits);
        Ok(CsvReader { delimiter, separator_line, sure, limits, scanner, check: RunningCheck::default() })
    }

    /// Returns the first rows of `head`, the beginning of the text, packed. The caller detects and matches the columns
    /// with them. `last`: `head` is the whole text. Throws a `Problem` that says why the file can't be imported.
    pub fn sample(&self, head: &[u8], last: bool) -> Result<Vec<u8>, JsValue> {
        // The encoding counts as certain here; `push` detects a wrong one from the whole text.
        let mut scanner = Scanner::new(self.delimiter, self.separator_line, true, &self.limits);
        let mut rows: Vec<RowBuffer> = Vec::new();
        let end = scanner.push(head, last, &mut |row| {
            rows.push(row.into());
            Ok(if rows.len() > SAMPLE_ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        end.map(|_| packed_rows(&rows)).map_err(row_error)
    }

    /// Checks the rows of the next piece of the text, in UTF-8. Returns 0 to continue, or 1 if the text has another
    /// encoding: then detect it and start again. Throws a `Problem` that says why the file can't be imported.
    pub fn push(&mut self, chunk: &[u8], last: bool) -> Result<u32, JsValue> {
        let check = self.check.current()?;
        let mut each = |row: RawRow<'_>| check.check_row(row).map(ControlFlow::Continue);
        match self.scanner.push(chunk, last, &mut each) {
            Ok(_) => Ok(CONTINUE),
            Err(FileError::OtherEncoding) => Ok(OTHER_ENCODING),
            Err(error) => Err(row_error(error)),
        }
    }

    /// Returns whether the text has invalid characters, which were replaced by U+FFFD.
    #[wasm_bindgen(js_name = isDamaged)]
    pub fn is_damaged(&self) -> bool {
        self.scanner.is_damaged()
    }

    fn rewind(&mut self) {
        self.scanner = Scanner::new(self.delimiter, self.separator_line, self.sure, &self.limits);
    }
}

check_bindings!(CsvReader);
