//! Errors that make a whole file impossible to import.

use super::text;
use crate::message::Message;
use std::fmt;

/// Why a file can't be imported. The message tells the user what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The file is empty or has only a byte order mark.
    Empty,
    /// All rows are blank.
    NoColumns,
    /// There is a header without any rows below it.
    NoRows,
    /// The file's name has an extension that isn't supported, or none (`extension` is then empty).
    UnsupportedExtension { extension: String },
    /// Not a spreadsheet, in spite of its name; `format` describes it, for example [`text::format::PDF`].
    NotASpreadsheet { format: &'static Message },
    /// A format that spreadsheet programs open but this import doesn't; `format` describes it.
    OtherFormat { format: &'static Message },
    /// A damaged or truncated workbook, or not a workbook at all.
    BrokenWorkbook,
    /// The file needs what only `Libraries` have: the fallback reader, decryption, or an encoding. Never shown to
    /// users.
    NeedsFallback,
    /// The text turned out not to be UTF-8. Never shown to users; the file is read again in another encoding.
    OtherEncoding,
    /// The file's bytes can't be read any more, for example because the file was changed or deleted.
    Unreadable,
    /// The chosen sheet doesn't exist.
    NoSuchSheet,
    /// The file isn't text in the chosen encoding.
    NoText,
    /// The chosen encoding doesn't exist.
    UnknownEncoding,
    /// The workbook is encrypted with a password other than Excel's default one, or by an unsupported method.
    PasswordProtected,
    /// Only hidden sheets of the workbook have content.
    OnlyHiddenSheets,
    /// A decompression bomb: a small workbook that unpacks to more than any real one.
    TooMuchInside { max: u64 },
    /// A row that is repeated, or whose cells are repeated, more often than in any real file. `row` is its number.
    TooManyRepeats { row: u64 },
    /// More bytes than [`super::Limits`] allow for this format.
    TooLarge { bytes: u64, max: u64 },
    /// More columns than the limit.
    TooManyColumns { columns: usize, max: usize },
    /// More rows than the limit.
    TooManyRows { max: u64 },
    /// The rows would take more space in the database than a file of this size may, because most values repeat.
    AddsTooMuch { max: u64 },
    /// A cell with more characters than the limit; `column` counts from 1.
    CellTooLong { row: u64, column: usize, max: usize },
    /// A row so long that a closing quote is probably missing.
    RecordTooLong { row: u64, max: usize },
    /// The file ends inside of quotes that were opened in this row.
    Truncated { row: u64 },
}

impl FileError {
    pub fn message(&self) -> Message {
        match self {
            FileError::Empty => text::FILE_EMPTY.into(),
            FileError::NoColumns => text::NO_COLUMNS.into(),
            FileError::NoRows => text::NO_ROWS.into(),
            FileError::UnsupportedExtension { extension } => text::unsupported_extension(extension),
            FileError::NotASpreadsheet { format } => text::not_a_spreadsheet(format),
            FileError::OtherFormat { format } => text::other_format(format),
            FileError::BrokenWorkbook | FileError::NeedsFallback => text::BROKEN_WORKBOOK.into(),
            FileError::Unreadable => text::FILE_CHANGED.into(),
            FileError::NoText => text::NO_TEXT.into(),
            FileError::NoSuchSheet => text::NO_SUCH_SHEET.into(),
            FileError::OtherEncoding | FileError::UnknownEncoding => text::UNKNOWN_ENCODING.into(),
            FileError::PasswordProtected => text::PASSWORD_PROTECTED.into(),
            FileError::OnlyHiddenSheets => text::ONLY_HIDDEN_SHEETS.into(),
            FileError::TooMuchInside { max } => text::too_much_inside(*max >> 20),
            FileError::TooManyRepeats { row } => text::too_many_repeats(*row),
            FileError::TooLarge { bytes, max } => text::too_large(*bytes, *max),
            FileError::TooManyColumns { columns, max } => text::too_many_columns(*columns as u64, *max as u64),
            FileError::TooManyRows { max } => text::too_many_rows(*max),
            FileError::AddsTooMuch { max } => text::adds_too_much(*max >> 20),
            FileError::CellTooLong { row, column, max } => text::cell_too_long(*row, *column as u64, *max as u64),
            FileError::RecordTooLong { row, max } => text::record_too_long(*row, *max as u64),
            FileError::Truncated { row } => text::truncated(*row),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl std::error::Error for FileError {}

#[cfg(test)]
mod tests {
    use super::*;

    const DAMAGED: &str = "This workbook is damaged and can't be read. Open it in your spreadsheet program, save it as \
         .xlsx or .csv and choose it again.";

    #[test]
    fn every_error_says_what_to_do_next() {
        for (error, sentence) in [
            (
                FileError::Empty,
                "This file is empty. Choose a file with column names in its first row and contacts below them.",
            ),
            (
                FileError::NoColumns,
                "This file has only blank rows. Put the column names in the first row, save it and choose it again.",
            ),
            (
                FileError::NoRows,
                "This file has column names but no rows below them. Add the contacts, save it and choose it again.",
            ),
            (
                FileError::UnsupportedExtension { extension: "pdf".into() },
                "Files ending in .pdf can't be imported. Save it as .xlsx or .csv and choose it again.",
            ),
            (
                FileError::UnsupportedExtension { extension: String::new() },
                "A file whose name has no ending can't be imported. Save it as .xlsx or .csv and choose it again.",
            ),
            (
                FileError::NotASpreadsheet { format: text::format::PNG },
                "This is an image (PNG), not a spreadsheet. Save your contacts as .xlsx or .csv and choose that file.",
            ),
            (
                FileError::OtherFormat { format: text::format::HTML },
                "This is a web page (HTML), which can't be imported. Open it in your spreadsheet program, save it as \
                 .xlsx and choose that file.",
            ),
            (FileError::BrokenWorkbook, DAMAGED),
            (FileError::NeedsFallback, DAMAGED),
            (FileError::OtherEncoding, "There is no such encoding. Choose another one."),
            (FileError::UnknownEncoding, "There is no such encoding. Choose another one."),
            (FileError::NoText, "This file can't be read as text in this encoding. Choose another encoding."),
            (FileError::Unreadable, "The file has changed since it was read. Choose it again."),
            (FileError::NoSuchSheet, "This workbook has no sheet of that name. Choose another sheet."),
            (
                FileError::PasswordProtected,
                "This workbook is protected with a password. Save it without the password and choose it again.",
            ),
            (
                FileError::OnlyHiddenSheets,
                "All visible sheets of this workbook are empty. Show the hidden sheet with the contacts, save it and \
                 choose it again.",
            ),
            (
                FileError::TooMuchInside { max: 1 << 30 },
                "This workbook contains far more than it seems to, more than the 1,024 MB that can be read. Copy its \
                 rows into a new workbook, save it and choose that one.",
            ),
            (
                FileError::TooManyRepeats { row: 7 },
                "Row 7 stands for more equal rows or cells than can be imported. Delete those that you don't need, save \
                 the file and choose it again.",
            ),
            (
                FileError::TooLarge { bytes: (64 << 20) + 1, max: 64 << 20 },
                "This file is 65 MB, but at most 64 MB can be read. Split it into smaller files.",
            ),
            (
                FileError::TooManyColumns { columns: 1_000, max: 512 },
                "This file has 1,000 columns, but at most 512 can be read. Delete the columns you don't need, save it \
                 and choose it again.",
            ),
            (
                FileError::TooManyRows { max: 1_048_576 },
                "This file has more than 1,048,576 rows. Split it into smaller files.",
            ),
            (
                FileError::AddsTooMuch { max: 64 << 20 },
                "Once imported, this file would take up more than the 64 MB allowed for a file of its size. Shorten \
                 the values that repeat in many rows, or split it into smaller files.",
            ),
            (
                FileError::CellTooLong { row: 7, column: 3, max: 32_767 },
                "In row 7, column 3 has more than 32,767 characters. Shorten it, or add a missing quotation mark, save \
                 the file and choose it again.",
            ),
            (
                FileError::RecordTooLong { row: 7, max: 1 << 20 },
                "Row 7 has more than 1,048,576 bytes, so a quotation mark is probably missing in it. Correct it, save \
                 the file and choose it again.",
            ),
            (
                FileError::Truncated { row: 7 },
                "The file ends inside the quotation marks that were opened in row 7. It may have been cut off. Save it \
                 again and choose it again.",
            ),
        ] {
            assert_eq!(error.to_string(), sentence);
        }
    }
}
