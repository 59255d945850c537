//! Fuzz target: for any text without NUL characters and byte order marks, our CSV scanner must return the same result for
//! the whole input as for the input in pieces. If it accepts the text, its records must be those of the crate `csv`,
//! apart from blank records and trailing empty cells. The crate drops a byte order mark; in our program, the caller of
//! the scanner does.
#![no_main]

use forecourt_core::import::csv::Scanner;
use forecourt_core::import::{FileError, Limits};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

type Record = (u64, Vec<String>);

/// Returns the records that the scanner finds. They have no trailing empty cells, which the scanner omits.
fn scan(delimiter: u8, text: &[u8], pieces: &mut dyn Iterator<Item = usize>) -> Result<Vec<Record>, FileError> {
    let mut scanner = Scanner::new(delimiter, false, true, &Limits::default());
    let mut records: Vec<Record> = Vec::new();
    let mut rest = text;
    loop {
        let length = pieces.next().unwrap_or(rest.len()).clamp(1, rest.len().max(1)).min(rest.len());
        let (piece, after) = rest.split_at(length);
        rest = after;
        let _ = scanner.push(piece, rest.is_empty(), &mut |row| {
            let mut cells: Vec<String> = Vec::new();
            for (column, cell) in row.cells() {
                cells.resize(column, String::new());
                cells.push(cell.to_owned());
            }
            records.push((row.number, cells));
            Ok(ControlFlow::Continue(()))
        })?;
        if rest.is_empty() {
            return Ok(records);
        }
    }
}

fuzz_target!(|input: (u8, u8, String)| {
    let (delimiter, piece, text) = input;
    let delimiter = b",;\t|"[usize::from(delimiter % 4)];
    let text = text.replace(['\0', '\u{feff}'], "");
    let whole = scan(delimiter, text.as_bytes(), &mut std::iter::empty());
    let pieces = scan(delimiter, text.as_bytes(), &mut std::iter::repeat(usize::from(piece % 32) + 1));
    assert_eq!(whole, pieces, "the result depends on the pieces");
    let Ok(records) = whole else { return };
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let is_filled = |cells: &[String]| cells.iter().any(|cell| !cell.trim().is_empty());
    let expected: Vec<Vec<String>> = reader
        .into_records()
        .filter_map(Result::ok)
        .map(|record| {
            let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
            while cells.last().is_some_and(String::is_empty) {
                cells.pop();
            }
            cells
        })
        .filter(|cells| is_filled(cells))
        .collect();
    let found: Vec<Vec<String>> = records.into_iter().map(|(_, cells)| cells).filter(|cells| is_filled(cells)).collect();
    assert_eq!(found, expected);
});
