//! Text files in the browser's worker: pieces of UTF-8 come in, every row is checked where it lies, and what is looked at
//! goes out, packed. The rules are `core`'s; nothing here waits for anything.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_check::{Desk, doors, misused, packed_rows, refused_rows};
use forecourt_core::import::csv::Scanner;
use forecourt_core::import::head::SAMPLE_ROWS;
use forecourt_core::import::{FileError, Limits, RawRow, RowBuffer};
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;

/// Half the weight of the one that comes with the standard library.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// What [`CsvReader::push`] answers.
const GO_ON: u32 = 0;
const OTHER_ENCODING: u32 = 1;

/// A text file.
#[wasm_bindgen]
pub struct CsvReader {
    delimiter: u8,
    separator_line: bool,
    sure: bool,
    limits: Limits,
    scanner: Scanner,
    desk: Desk,
}

#[wasm_bindgen]
impl CsvReader {
    /// `delimiter`: an ASCII character's code. `separator_line`: the first line names it. `sure`: the text's encoding is
    /// certain. `limits`: packed; those that come with the program where there are none.
    #[wasm_bindgen(constructor)]
    pub fn new(delimiter: u8, separator_line: bool, sure: bool, limits: Option<Vec<u8>>) -> Result<CsvReader, JsValue> {
        let limits = match limits {
            Some(bytes) => Limits::unpack(&bytes).ok_or_else(|| misused("These are no limits"))?,
            None => Limits::default(),
        };
        let scanner = Scanner::new(delimiter, separator_line, sure, &limits);
        Ok(CsvReader { delimiter, separator_line, sure, limits, scanner, desk: Desk::default() })
    }

    /// The first rows of a text by its beginning, packed, to find and match the columns. `last`: it is the whole text.
    /// Throws a `Problem` that says why it can't be imported.
    pub fn sample(&self, head: &[u8], last: bool) -> Result<Vec<u8>, JsValue> {
        // Whether another encoding is meant, the whole text tells.
        let mut scanner = Scanner::new(self.delimiter, self.separator_line, true, &self.limits);
        let mut rows: Vec<RowBuffer> = Vec::new();
        let end = scanner.push(head, last, &mut |row| {
            rows.push(row.into());
            Ok(if rows.len() > SAMPLE_ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        end.map(|_| packed_rows(&rows)).map_err(refused_rows)
    }

    /// Checks the rows of the text's next piece, in UTF-8. 0: go on. 1: the text is in another encoding; find out which,
    /// and begin anew. Throws a `Problem` that says why it can't be imported.
    pub fn push(&mut self, chunk: &[u8], last: bool) -> Result<u32, JsValue> {
        let examination = self.desk.examination()?;
        let mut each = |row: RawRow<'_>| examination.check_row(row).map(ControlFlow::Continue);
        match self.scanner.push(chunk, last, &mut each) {
            Ok(_) => Ok(GO_ON),
            Err(FileError::OtherEncoding) => Ok(OTHER_ENCODING),
            Err(error) => Err(refused_rows(error)),
        }
    }

    /// Characters of the text were damaged, and stand as U+FFFD.
    #[wasm_bindgen(js_name = isDamaged)]
    pub fn is_damaged(&self) -> bool {
        self.scanner.is_damaged()
    }

    fn renew(&mut self) {
        self.scanner = Scanner::new(self.delimiter, self.separator_line, self.sure, &self.limits);
    }
}

doors!(CsvReader);
