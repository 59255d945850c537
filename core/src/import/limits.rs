//! Limits on an imported file: its size, rows, columns and cells, and what it may add to the database.

use super::{FileError, formula};
use serde::{Deserialize, Serialize};

pub const MAX_COLUMNS: usize = 512;

/// Limits on what one file may contain. The error for an exceeded limit names its value.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Limits {
    /// Maximum size of a text file in bytes.
    pub csv_bytes: u64,
    /// Maximum size of a workbook file in bytes (compressed).
    pub excel_bytes: u64,
    /// Maximum number of rows that aren't blank, without the header.
    pub rows: u64,
    pub columns: usize,
    /// Maximum number of characters in one cell. The default is that of spreadsheet programs.
    pub cell_chars: usize,
    /// Maximum number of bytes in one row. A longer row is usually caused by an unbalanced quote.
    pub record_bytes: usize,
    /// Maximum number of bytes that one file may add to the database; [`Limits::for_file`] raises it for large files.
    pub added_bytes: u64,
    /// A file may add this multiple of its own size to the database, if that is more than `added_bytes`.
    pub added_factor: u64,
    /// Maximum size of the report of a file's failed rows, in bytes. Further failed rows are only counted.
    pub report_bytes: u64,
}

impl Limits {
    /// Checks the size of a file whose format isn't known yet.
    ///
    /// # Errors
    /// The file is larger than every format allows.
    pub fn check_size(&self, bytes: u64) -> Result<(), FileError> {
        let max = self.csv_bytes.max(self.excel_bytes);
        if bytes > max { Err(FileError::TooLarge { bytes, max }) } else { Ok(()) }
    }

    /// Returns the limits for a file of `bytes` bytes, which may add a multiple of its size to the database.
    pub fn for_file(self, bytes: u64) -> Limits {
        Limits { added_bytes: self.added_bytes.max(bytes.saturating_mul(self.added_factor)), ..self }
    }

    /// Checks the number of characters in a cell, without the apostrophes that exported files have before formulas.
    /// `column` counts from 0.
    pub(super) fn check_cell(&self, row: u64, column: usize, text: &str) -> Result<(), FileError> {
        // A text never has more characters than bytes, so only long texts are counted.
        if text.len() > self.cell_chars && formula::unescape(text).chars().count() > self.cell_chars {
            return Err(FileError::CellTooLong { row, column: column + 1, max: self.cell_chars });
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            csv_bytes: 256 << 20,
            excel_bytes: 64 << 20,
            rows: 1_048_576,
            columns: MAX_COLUMNS,
            cell_chars: 32_767,
            record_bytes: 1 << 20,
            added_bytes: 64 << 20,
            added_factor: 40,
            report_bytes: 32 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_may_add_a_multiple_of_its_size() {
        let limits = Limits::default();
        assert_eq!(
            [0, 9_000, 100 << 20].map(|bytes| limits.for_file(bytes).added_bytes),
            [64 << 20, 64 << 20, 4_000 << 20]
        );
    }

    #[test]
    fn a_long_cell_may_have_apostrophes_before_formulas_in_addition() {
        let limits = Limits { cell_chars: 3, ..Limits::default() };
        for (cell, is_short) in [("'=åb", true), ("=1,", true), ("'=,'=", true), ("=åbc", false), ("'åbc", false)] {
            assert_eq!(limits.check_cell(1, 0, cell).is_ok(), is_short, "{cell}");
        }
    }

    #[test]
    fn rejects_a_file_larger_than_every_format_allows() {
        let limits = Limits::default();
        assert_eq!(limits.check_size(256 << 20), Ok(()));
        let error = limits.check_size((256 << 20) + 1).map_err(|e| e.message());
        assert!(error.is_err_and(|message| message.as_str().starts_with("This file is 257 MB, but at most 256 MB")));
    }
}
