//! How much of a file is read before it is refused.

/// The most that a file may hold. Every one that is exceeded is told with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            csv_bytes: 256 << 20,
            excel_bytes: 64 << 20,
            rows: 1_048_576,
            columns: 512,
            cell_chars: 32_767,
            record_bytes: 1 << 20,
        }
    }
}
