//! Reads the rows of a sheet.

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, RowBuffer};

/// Returns the numbers of the rows that aren't blank, and each row as a text.
pub fn filled_rows(
    book: &mut dyn Book,
    sheet: usize,
    line_of: fn(&RowBuffer) -> String,
) -> Result<Vec<(u64, String)>, FileError> {
    book.start(sheet)?;
    let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
    while book.next(&mut row)? {
        if !row.row().is_blank() {
            rows.push((row.number(), line_of(&row)));
        }
    }
    Ok(rows)
}
