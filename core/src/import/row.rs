//! A row as it stands in a file, whatever the file is.

use super::{FileError, Limits};
use std::ops::ControlFlow;

/// The text of a cell that holds a value which its reader can't make out. A row with such a cell has a problem there.
pub const UNREADABLE: &str = "#UNREADABLE!";

/// Takes a row; a break ends the reading.
pub type RowHandler<'a> = &'a mut dyn FnMut(RawRow<'_>) -> Result<ControlFlow<()>, FileError>;

/// A cell: its column, from 0, and where its text lies in the row's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub column: u32,
    pub start: u32,
    pub end: u32,
}

/// The cells of one row that have something in them, the columns ascending. Nothing is copied for it: the text may be a
/// piece of the file itself, with more in it than the cells.
#[derive(Clone, Copy, Debug)]
pub struct RawRow<'a> {
    /// As a person counts the rows in a spreadsheet program, from 1.
    pub number: u64,
    pub(super) text: &'a str,
    pub(super) cells: &'a [Cell],
}

impl<'a> RawRow<'a> {
    /// The cells, each with its column.
    pub fn cells(self) -> impl Iterator<Item = (usize, &'a str)> + Clone + use<'a> {
        self.cells.iter().map(move |cell| (cell.column as usize, self.text_of(cell)))
    }

    pub(super) fn text_of(self, cell: &Cell) -> &'a str {
        self.text.get(cell.start as usize..cell.end as usize).unwrap_or_default()
    }

    /// No cell has anything but blanks.
    pub fn is_blank(self) -> bool {
        self.cells().all(|(_, text)| is_blank(text))
    }

    /// How many columns it takes to hold every cell that isn't blank.
    pub fn width(self) -> usize {
        self.cells().filter(|(_, text)| !is_blank(text)).map(|(column, _)| column + 1).max().unwrap_or(0)
    }
}

/// Nothing but blanks.
#[inline]
pub(super) fn is_blank(text: &str) -> bool {
    !text.as_bytes().first().is_some_and(is_ink) && text.trim().is_empty()
}

/// A text without the blanks around it.
#[inline]
pub(super) fn trim(text: &str) -> &str {
    let is_untrimmed = match text.as_bytes() {
        [] => true,
        [only] => is_ink(only),
        [first, .., before, last] | [first @ before, last] => {
            is_ink(first) && (last.is_ascii_graphic() || (0xC3..0xE0).contains(before))
        }
    };
    if is_untrimmed { text } else { text.trim() }
}

/// Most texts begin with a letter or a digit, which is seen at once: by their first byte, as far as that tells. Those from
/// 0xC3 to 0xDF begin a letter of two bytes.
#[inline]
fn is_ink(first: &u8) -> bool {
    first.is_ascii_graphic() || (0xC3..0xE0).contains(first)
}

/// A row that is being put together. One buffer for all of its texts, used again for the next row, and no place for cells
/// that aren't there: a single cell in the last column costs as much as one in the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBuffer {
    number: u64,
    text: String,
    cells: Vec<Cell>,
}

impl RowBuffer {
    /// Empties the row for the next one.
    pub fn start(&mut self, number: u64) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
    }

    /// Gives the same cells another number.
    #[cfg(feature = "fallback")]
    pub(super) fn set_number(&mut self, number: u64) {
        self.number = number;
    }

    /// Adds a cell to the right of those before. Zero characters are left out: no file means them, and no database takes
    /// them.
    ///
    /// # Errors
    /// The cell or the row is longer than the limits allow.
    pub fn push(&mut self, column: usize, text: &str, limits: &Limits) -> Result<(), FileError> {
        if text.is_empty() {
            return Ok(());
        }
        limits.check_cell(self.number, column, text)?;
        if self.text.len() + text.len() > limits.record_bytes {
            return Err(FileError::RecordTooLong { row: self.number, most: limits.record_bytes });
        }
        if text.contains('\0') {
            self.append(column, &text.replace('\0', ""));
        } else {
            self.append(column, text);
        }
        Ok(())
    }

    /// Adds a cell whose text holds.
    pub(super) fn append(&mut self, column: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.cells.push(Cell { column: column as u32, start, end: self.text.len() as u32 });
    }

    /// Gives a cell another text.
    pub(super) fn replace(&mut self, index: usize, write: impl FnOnce(&mut String)) {
        if let Some(cell) = self.cells.get_mut(index) {
            cell.start = self.text.len() as u32;
            write(&mut self.text);
            cell.end = self.text.len() as u32;
        }
    }

    /// Takes over a row that holds.
    pub(super) fn take(&mut self, number: u64, text: &str, cells: impl Iterator<Item = Cell>) {
        self.start(number);
        self.text.push_str(text);
        self.cells.extend(cells);
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    /// The row as it is read.
    pub fn row(&self) -> RawRow<'_> {
        RawRow { number: self.number, text: &self.text, cells: &self.cells }
    }
}

impl From<RawRow<'_>> for RowBuffer {
    /// A row of its own, without what the file has between the cells.
    fn from(row: RawRow<'_>) -> Self {
        let mut buffer = RowBuffer { number: row.number, ..RowBuffer::default() };
        row.cells().for_each(|(column, text)| buffer.append(column, text));
        buffer
    }
}

/// A row of a test's own.
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
        fn a_first_look_knows_the_blanks_of_every_script(text in "[ \\t\u{85}\u{A0}\u{2003}\u{3000}aåÿ\u{7FF}漢🚗]{0,4}") {
            prop_assert_eq!(trim(&text), text.trim());
            prop_assert_eq!(is_blank(&text), text.trim().is_empty());
        }
    }
}
