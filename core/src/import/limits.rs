//! How much of a file is read before it is refused.

use super::FileError;
use super::pack::{Packer, Unpacker};
use serde::{Deserialize, Serialize};

/// The most columns of a file.
pub const MOST_COLUMNS: usize = 512;

/// The most that a file may hold. Every one that is exceeded is told with its number.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Limits {
    /// The size of a CSV file in bytes.
    pub csv_bytes: u64,
    /// The size of a workbook in bytes, as it lies on the disk.
    pub excel_bytes: u64,
    /// Rows with something in them, the header apart.
    pub rows: u64,
    pub columns: usize,
    /// Characters in one cell: what a spreadsheet's cell holds.
    pub cell_chars: usize,
    /// Bytes in one row; what is longer is an unbalanced quote rather than a row.
    pub record_bytes: usize,
    /// Bytes that one file may add to the database; [`Limits::for_file`] allows a large file more.
    pub added_bytes: u64,
    /// How many times its own size a file may add.
    pub added_factor: u64,
    /// Bytes of the report of a file's failed rows; rows beyond are only counted.
    pub report_bytes: u64,
}

impl Limits {
    /// Whether a file of so many bytes can be anything that is read; asked before its bytes are there.
    ///
    /// # Errors
    /// It is larger than the largest kind of file may be.
    pub fn check_size(&self, bytes: u64) -> Result<(), FileError> {
        let most = self.csv_bytes.max(self.excel_bytes);
        if bytes > most { Err(FileError::TooLarge { bytes, most }) } else { Ok(()) }
    }

    /// Returns the limits of a file of so many bytes: it may add a multiple of its size where that is more.
    pub fn for_file(self, bytes: u64) -> Limits {
        Limits { added_bytes: self.added_bytes.max(bytes.saturating_mul(self.added_factor)), ..self }
    }

    /// The limits as bytes, for a module that shares no memory with the one that knows them.
    pub fn pack(&self) -> Vec<u8> {
        let Limits { csv_bytes, excel_bytes, rows, columns, cell_chars, record_bytes, .. } = *self;
        let Limits { added_bytes, added_factor, report_bytes, .. } = *self;
        let mut packer = Packer::default();
        let numbers =
            [csv_bytes, excel_bytes, rows, columns as u64, cell_chars as u64, record_bytes as u64, added_factor];
        numbers.into_iter().for_each(|number| packer.number(number));
        // Longer than a number that is packed.
        [added_bytes, report_bytes].into_iter().for_each(|long| packer.bytes.extend(long.to_le_bytes()));
        packer.bytes
    }

    /// What [`Limits::pack`] wrote.
    pub fn unpack(bytes: &[u8]) -> Option<Limits> {
        let mut unpacker = Unpacker::new(bytes);
        let long = |unpacker: &mut Unpacker<'_>| Some(unpacker.number()? | unpacker.number()? << 32);
        let limits = Limits {
            csv_bytes: unpacker.number()?,
            excel_bytes: unpacker.number()?,
            rows: unpacker.number()?,
            columns: unpacker.number()? as usize,
            cell_chars: unpacker.number()? as usize,
            record_bytes: unpacker.number()? as usize,
            added_factor: unpacker.number()?,
            added_bytes: long(&mut unpacker)?,
            report_bytes: long(&mut unpacker)?,
        };
        unpacker.is_empty().then_some(limits)
    }

    /// Whether a cell holds as many characters as it may; columns count from 0.
    pub(super) fn check_cell(&self, row: u64, column: usize, text: &str) -> Result<(), FileError> {
        // A text has at most as many characters as bytes, so that most texts needn't be counted.
        if text.len() > self.cell_chars && text.chars().count() > self.cell_chars {
            return Err(FileError::CellTooLong { row, column: column + 1, most: self.cell_chars });
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
            columns: MOST_COLUMNS,
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
    fn limits_come_back_as_they_went() {
        let limits = Limits {
            csv_bytes: 1,
            excel_bytes: 2,
            rows: 3,
            columns: 4,
            cell_chars: 5,
            record_bytes: 6,
            added_bytes: 7 << 32,
            added_factor: 8,
            report_bytes: 9 << 32,
        };
        assert_eq!(Limits::unpack(&limits.pack()), Some(limits));
        assert_eq!(Limits::unpack(&limits.pack()[1..]), None);
        assert_eq!(Limits::unpack(&[limits.pack(), vec![0]].concat()), None);
    }

    #[test]
    fn a_large_file_may_add_a_multiple_of_its_size() {
        let limits = Limits::default();
        assert_eq!(
            [0, 9_000, 100 << 20].map(|bytes| limits.for_file(bytes).added_bytes),
            [64 << 20, 64 << 20, 4_000 << 20]
        );
    }

    #[test]
    fn a_file_beyond_every_limit_is_refused_by_its_size_alone() {
        let limits = Limits::default();
        assert_eq!(limits.check_size(256 << 20), Ok(()));
        let error = limits.check_size((256 << 20) + 1).map_err(|e| e.message());
        assert!(error.is_err_and(|message| message.starts_with("This file has 257 MB, and 256 MB is the most")));
    }
}
