//! Rows of a file, independent of its format.

use super::{FileError, Limits};
use std::ops::ControlFlow;

/// The text of a cell whose value can't be decoded. A row with such a cell has a problem in that cell.
pub const UNREADABLE: &str = "#UNREADABLE!";

/// A callback for each row. `Break` stops reading.
pub type RowHandler<'a> = &'a mut dyn FnMut(RawRow<'_>) -> Result<ControlFlow<()>, FileError>;

/// A cell: its column from 0 and the range of its text in the row's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub column: u32,
    pub start: u32,
    pub end: u32,
}

/// The non-empty cells of one row, in ascending order of their columns. It borrows its text, which may be a part of the
/// file with other bytes between the cells.
#[derive(Clone, Copy, Debug)]
pub struct RawRow<'a> {
    /// The row number in a spreadsheet program, from 1.
    pub number: u64,
    pub(super) text: &'a str,
    pub(super) cells: &'a [Cell],
}

impl<'a> RawRow<'a> {
    pub fn cells(self) -> impl Iterator<Item = (usize, &'a str)> + Clone + use<'a> {
        self.cells.iter().map(move |cell| (cell.column as usize, self.cell_text(cell)))
    }

    pub(super) fn cell_text(self, cell: &Cell) -> &'a str {
        self.text.get(cell.start as usize..cell.end as usize).unwrap_or_default()
    }

    pub fn is_blank(self) -> bool {
        self.cells().all(|(_, text)| is_blank(text))
    }

    /// Returns the number of columns up to the last cell that isn't blank.
    pub fn width(self) -> usize {
        self.cells().filter(|(_, text)| !is_blank(text)).map(|(column, _)| column + 1).max().unwrap_or(0)
    }
}

#[inline]
pub(super) fn is_blank(text: &str) -> bool {
    !text.as_bytes().first().is_some_and(is_known_visible_start) && text.trim().is_empty()
}

/// Trims white space; a faster `str::trim` for common texts.
#[inline]
pub(super) fn trim(text: &str) -> &str {
    let is_trimmed = match text.as_bytes() {
        [] => true,
        [only] => is_known_visible_start(only),
        [first, .., before, last] | [first @ before, last] => {
            is_known_visible_start(first) && (last.is_ascii_graphic() || (0xC3..0xE0).contains(before))
        }
    };
    if is_trimmed { text } else { text.trim() }
}

/// Returns whether this byte certainly starts a visible character: visible ASCII, or 0xC3 to 0xDF, which start letters
/// of two bytes. Most texts start with one of these, which avoids decoding. Others may start one, too.
#[inline]
fn is_known_visible_start(first: &u8) -> bool {
    first.is_ascii_graphic() || (0xC3..0xE0).contains(first)
}

/// A row under construction. It keeps all texts in one buffer that is reused for the next row, and stores nothing for
/// missing cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBuffer {
    number: u64,
    text: String,
    cells: Vec<Cell>,
}

impl RowBuffer {
    /// Clears the row and sets the number of the next one.
    pub fn start(&mut self, number: u64) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
    }

    /// Sets the row number and keeps the cells.
    #[cfg(feature = "files")]
    pub(super) fn set_number(&mut self, number: u64) {
        self.number = number;
    }

    /// Adds a cell to the right of the existing ones. NUL characters are removed, because PostgreSQL can't
    /// store them.
    ///
    /// # Errors
    /// The cell or the row is longer than the limits allow.
    pub fn push(&mut self, column: usize, text: &str, limits: &Limits) -> Result<(), FileError> {
        if text.is_empty() {
            return Ok(());
        }
        limits.check_cell(self.number, column, text)?;
        ensure!(
            self.text.len() + text.len() <= limits.record_bytes,
            FileError::RecordTooLong { row: self.number, max: limits.record_bytes }
        );
        if text.contains('\0') {
            self.append(column, &text.replace('\0', ""));
        } else {
            self.append(column, text);
        }
        Ok(())
    }

    /// Adds a cell without checking its text.
    pub(super) fn append(&mut self, column: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.cells.push(Cell { column: column as u32, start, end: self.text.len() as u32 });
    }

    /// Replaces the text of a cell with what `write` appends to the buffer.
    pub(super) fn replace_cell(&mut self, index: usize, write: impl FnOnce(&mut String)) {
        if let Some(cell) = self.cells.get_mut(index) {
            cell.start = self.text.len() as u32;
            write(&mut self.text);
            cell.end = self.text.len() as u32;
        }
    }

    /// Replaces the row by a valid one with this number, this text and these cells.
    pub(super) fn set(&mut self, number: u64, text: &str, cells: impl Iterator<Item = Cell>) {
        self.start(number);
        self.text.push_str(text);
        self.cells.extend(cells);
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn row(&self) -> RawRow<'_> {
        RawRow { number: self.number, text: &self.text, cells: &self.cells }
    }
}

impl From<RawRow<'_>> for RowBuffer {
    /// Copies the row, without the bytes of its text that are between the cells.
    fn from(row: RawRow<'_>) -> Self {
        let mut buffer = RowBuffer { number: row.number, ..RowBuffer::default() };
        row.cells().for_each(|(column, text)| buffer.append(column, text));
        buffer
    }
}

pub(super) fn median_width(rows: &[RawRow<'_>]) -> usize {
    let mut widths: Vec<usize> = rows.iter().map(|row| row.width()).collect();
    widths.sort_unstable();
    widths.get(widths.len() / 2).copied().unwrap_or(0)
}

/// Creates a row for tests.
#[cfg(test)]
pub(super) fn row(number: u64, cells: &[&str]) -> RowBuffer {
    let mut row = RowBuffer::default();
    row.start(number);
    for (column, cell) in cells.iter().enumerate() {
        row.push(column, cell, &Limits::default()).unwrap();
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn trim_and_is_blank_agree_with_std(text in "[ \\t\u{85}\u{A0}\u{2003}\u{3000}aåÿ\u{7FF}漢🚗]{0,4}") {
            prop_assert_eq!(trim(&text), text.trim());
            prop_assert_eq!(is_blank(&text), text.trim().is_empty());
        }
    }
}
