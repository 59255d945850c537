//! A row as it stands in a file, whatever the file is.

use crate::import::{FileError, Limits};

/// The cells of one row that have something in them. One buffer for all of their texts, used again for the next row, and
/// no place for cells that aren't there: a single cell in the last column costs as much as one in the first.
#[derive(Clone, Debug, Default)]
pub(super) struct RawRow {
    /// As a person counts the rows in a spreadsheet program, from 1.
    pub number: u64,
    text: String,
    /// For each cell its column, from 0, and where its text ends.
    cells: Vec<(usize, usize)>,
}

impl RawRow {
    /// Empties the row for the next one.
    pub fn start(&mut self, number: u64) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
    }

    /// Adds a cell. Zero characters are left out: no file means them, and no database takes them.
    pub fn push(&mut self, column: usize, text: &str, limits: &Limits) -> Result<(), FileError> {
        if text.is_empty() {
            return Ok(());
        }
        // A text has at most as many characters as bytes, so that most texts needn't be counted.
        if text.len() > limits.cell_chars && text.chars().count() > limits.cell_chars {
            return Err(FileError::CellTooLong { row: self.number, column: column + 1, most: limits.cell_chars });
        }
        if self.text.len() + text.len() > limits.record_bytes {
            return Err(FileError::RecordTooLong { row: self.number, most: limits.record_bytes });
        }
        if text.contains('\0') {
            self.text.extend(text.chars().filter(|&c| c != '\0'));
        } else {
            self.text.push_str(text);
        }
        self.cells.push((column, self.text.len()));
        Ok(())
    }

    /// The cells, each with its column.
    pub fn cells(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut start = 0;
        self.cells.iter().map(move |&(column, end)| {
            let text = &self.text[start..end];
            start = end;
            (column, text)
        })
    }

    /// No cell has anything but blanks.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How many columns it takes to hold every cell that isn't blank.
    pub fn width(&self) -> usize {
        self.cells().filter(|(_, text)| !text.trim().is_empty()).map(|(column, _)| column + 1).max().unwrap_or(0)
    }
}
