//! Why a file as a whole can't be imported.

use super::text;
use std::fmt;

/// Why a file can't be read. Its sentence says what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// Not one byte, or nothing but a byte order mark.
    Empty,
    /// Nothing but blank rows, so there is no header.
    NoColumns,
    /// Column names, and no row with anything in it below them.
    NoRows,
    /// The name doesn't end as that of any file that is read. Empty when it has no ending at all.
    UnsupportedExtension {
        extension: String,
    },
    /// Something else under a spreadsheet's name; `found` says what, such as "a PDF document".
    NotASpreadsheet {
        found: &'static str,
    },
    /// What a spreadsheet program opens and this doesn't; `found` as above.
    OtherFormat {
        found: &'static str,
    },
    /// A workbook that is damaged, cut off, or none at all.
    BrokenWorkbook,
    /// A workbook that its reader doesn't know all of, and that another one may; never shown.
    NeedsFallback,
    /// A text that isn't in UTF-8, as it turned out on the way; never shown, but read anew in another encoding.
    OtherEncoding,
    /// The file's bytes can't be had any more.
    Unreadable,
    /// There is no sheet of the name that was chosen.
    NoSuchSheet,
    /// In the encoding that was chosen, it is no text.
    NoText,
    /// There is no encoding of the name that was chosen.
    UnknownEncoding,
    /// A workbook that only opens with a password.
    PasswordProtected,
    /// A workbook whose visible sheets are empty, but not its hidden ones.
    OnlyHiddenSheets,
    /// A workbook made to fill the memory: small, and unpacked more than any that a person writes.
    TooMuchInside {
        most: u64,
    },
    /// More bytes than [`super::Limits`] allow for this kind of file.
    TooLarge {
        bytes: u64,
        most: u64,
    },
    TooManyColumns {
        found: usize,
        most: usize,
    },
    TooManyRows {
        most: u64,
    },
    /// A cell with more characters than a spreadsheet's cell holds; columns count from 1.
    CellTooLong {
        row: u64,
        column: usize,
        most: usize,
    },
    /// A row so long that a quote must be missing.
    RecordTooLong {
        row: u64,
        most: usize,
    },
    /// The file ends inside of quotes that were opened in this row.
    Truncated {
        row: u64,
    },
}

impl FileError {
    /// The sentence to show.
    pub fn message(&self) -> String {
        match self {
            FileError::Empty => text::FILE_EMPTY.into(),
            FileError::NoColumns => text::NO_COLUMNS.into(),
            FileError::NoRows => text::NO_ROWS.into(),
            FileError::UnsupportedExtension { extension } => text::unsupported_extension(extension),
            FileError::NotASpreadsheet { found } => text::not_a_spreadsheet(found),
            FileError::OtherFormat { found } => text::other_format(found),
            FileError::BrokenWorkbook | FileError::NeedsFallback => text::BROKEN_WORKBOOK.into(),
            FileError::OtherEncoding => text::UNKNOWN_ENCODING.into(),
            FileError::Unreadable => text::FILE_CHANGED.into(),
            FileError::NoText => text::NO_TEXT.into(),
            FileError::NoSuchSheet => text::NO_SUCH_SHEET.into(),
            FileError::UnknownEncoding => text::UNKNOWN_ENCODING.into(),
            FileError::PasswordProtected => text::PASSWORD_PROTECTED.into(),
            FileError::OnlyHiddenSheets => text::ONLY_HIDDEN_SHEETS.into(),
            FileError::TooMuchInside { most } => text::too_much_inside(*most),
            FileError::TooLarge { bytes, most } => text::too_large(*bytes, *most),
            FileError::TooManyColumns { found, most } => text::too_many_columns(*found, *most),
            FileError::TooManyRows { .. }
            | FileError::CellTooLong { .. }
            | FileError::RecordTooLong { .. }
            | FileError::Truncated { .. } => self.message_of_rows(),
        }
    }

    /// The sentence, where it is about a text's rows: a reader that meets nothing else needs none of the others. Any other
    /// file is unreadable to it.
    pub fn message_of_rows(&self) -> String {
        match self {
            FileError::TooManyRows { most } => text::too_many_rows(*most),
            FileError::CellTooLong { row, column, most } => text::cell_too_long(*row, *column, *most),
            FileError::RecordTooLong { row, most } => text::record_too_long(*row, *most),
            FileError::Truncated { row } => text::truncated(*row),
            _ => text::FILE_UNREADABLE.into(),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for FileError {}
