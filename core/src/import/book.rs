//! A workbook as its readers give it, whatever its format.

use super::row::RowBuffer;
use super::{FileError, SheetHead, text};

/// A sheet has no more rows and columns than these, whatever a file says.
#[cfg(any(feature = "fallback", feature = "xls", feature = "xlsx"))]
pub(super) const GRID: (u32, u32) = (1_048_576, 16_384);

/// An opened workbook. Its sheets go by their places in [`Book::sheets`].
pub trait Book {
    /// All sheets that hold cells, in the workbook's order.
    fn sheets(&self) -> &[SheetHead];

    /// The first rows of a sheet that aren't blank, at most so many, as cheaply as the format allows.
    ///
    /// # Errors
    /// The sheet can't be read.
    fn sample(&mut self, sheet: usize, rows: usize) -> Result<Vec<RowBuffer>, FileError>;

    /// Begins to read a sheet from its first row.
    ///
    /// # Errors
    /// The sheet can't be read.
    fn start(&mut self, sheet: usize) -> Result<(), FileError>;

    /// The next row of the sheet that was started; blank ones may be among them, their numbers only grow. False after the
    /// last one.
    ///
    /// # Errors
    /// The sheet can't be read any further.
    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError>;
}

/// The sheet that a person chose by its name; else the first visible one with something in it, and a word on the others
/// that have something too.
///
/// # Errors
/// There is no such sheet, or no visible one has a row.
pub fn choose(book: &mut dyn Book, chosen: Option<&str>, notices: &mut Vec<String>) -> Result<usize, FileError> {
    let sheets = book.sheets().to_vec();
    if let Some(name) = chosen {
        return sheets.iter().position(|sheet| sheet.name == name).ok_or(FileError::NoSuchSheet);
    }
    let mut found: Option<usize> = None;
    let mut others = Vec::new();
    for (index, sheet) in sheets.iter().enumerate().filter(|(_, sheet)| !sheet.hidden) {
        match found {
            None if !book.sample(index, 1)?.is_empty() => found = Some(index),
            // What is wrong with a sheet that isn't read doesn't matter.
            Some(_) if book.sample(index, 1).map_or(true, |rows| !rows.is_empty()) => others.push(sheet.name.as_str()),
            _ => {}
        }
    }
    let Some(found) = found else {
        let is_filled = |index| book.sample(index, 1).is_ok_and(|rows| !rows.is_empty());
        let hidden = (0..sheets.len()).filter(|&index| sheets[index].hidden).any(is_filled);
        return Err(if hidden { FileError::OnlyHiddenSheets } else { FileError::NoColumns });
    };
    if !others.is_empty() {
        notices.push(text::other_sheets(&sheets[found].name, &others));
    }
    Ok(found)
}
