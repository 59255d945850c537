//! The format of a file, as its first bytes show it.

use super::FileKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectedFormat {
    /// Delimited text. `mark` is the length of a byte order mark in bytes.
    Text {
        /// `None` for a legacy 8-bit encoding that is still to be guessed.
        encoding: Option<&'static str>,
        /// Whether the rest of the file can't change the encoding.
        is_certain: bool,
        mark: usize,
    },
    /// A workbook for the reader of .xlsx.
    Xlsx,
    /// A workbook that is encrypted, or might be. Once decrypted, its format is detected again; if it isn't encrypted,
    /// it is an .xls.
    MaybeEncrypted,
    /// A workbook for the reader of this other format: .xls, .xlsb or .ods.
    OtherWorkbook(FileKind),
}

impl DetectedFormat {
    pub fn kind(self) -> FileKind {
        match self {
            DetectedFormat::Text { .. } => FileKind::Csv,
            DetectedFormat::Xlsx => FileKind::Xlsx,
            DetectedFormat::MaybeEncrypted => FileKind::Xls,
            DetectedFormat::OtherWorkbook(kind) => kind,
        }
    }
}
