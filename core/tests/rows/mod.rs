//! Reads the rows of a sheet.

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, RowBuffer};

type Rows = Result<Vec<(u64, String)>, FileError>;

/// Returns the numbers of all rows, and each row as a text.
pub fn all_rows(book: &mut dyn Book, sheet: usize, line_of: fn(&RowBuffer) -> String) -> Rows {
    read_rows(book, sheet, line_of, |_| true)
}

/// Returns the same without blank rows.
pub fn filled_rows(book: &mut dyn Book, sheet: usize, line_of: fn(&RowBuffer) -> String) -> Rows {
    read_rows(book, sheet, line_of, |row| !row.row().is_blank())
}

fn read_rows(
    book: &mut dyn Book,
    sheet: usize,
    line_of: fn(&RowBuffer) -> String,
    is_wanted: fn(&RowBuffer) -> bool,
) -> Rows {
    book.start(sheet)?;
    let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
    while book.next(&mut row)? {
        if is_wanted(&row) {
            rows.push((row.number(), line_of(&row)));
        }
    }
    Ok(rows)
}
