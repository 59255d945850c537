//! What travels about imports (specification sections 3 and 7).

use super::at_most;
use super::corrections::MOST;
use serde::{Deserialize, Serialize};

pub const PREVIEW: &str = "/api/contacts/import/preview";
pub const SUBMIT: &str = "/api/contacts/import/submit";
/// Followed by `/{sessionId}`.
pub const STATUS: &str = "/api/contacts/import/status";
/// POST, followed by `/{sessionId}`.
pub const CANCEL: &str = "/api/contacts/import/cancel";
/// GET with `headers`, as [`super::header_key`] makes it: the mapping that such a file was last imported with.
pub const REMEMBERED: &str = "/api/contacts/import/mapping";
/// GET lists the imports; DELETE with `/{sessionId}` deletes one; GET with `/{sessionId}/failed.csv` gives its failed rows.
pub const IMPORTS: &str = "/api/contacts/imports";
/// Imports on a page when nothing is said.
pub const IMPORTS_PAGE_SIZE: u32 = 20;

/// Rows that a preview shows, in the browser and from the server.
pub const PREVIEW_ROWS: usize = 20;

/// What a column of a file can become.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ModelColumn {
    Name,
    Email,
    Phone,
    Website,
    Address,
    OtherDetails,
    /// 'Do not import': the column was looked at and left out (decisions 5.5).
    DoNotImport,
}

/// One column's meaning: `{fileColumn, modelColumn}`. An empty `modelColumn` is a column that isn't mapped yet.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnMapping {
    pub file_column: String,
    /// The wire name of a [`ModelColumn`].
    #[serde(default)]
    pub model_column: String,
}

/// How far an import session is.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportStatus {
    /// Accepted, not begun.
    #[default]
    Pending,
    Processing,
    Completed,
    Failed,
    /// Ended by a person; what was imported until then is kept.
    Cancelled,
}

/// An import on the server.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportSession {
    pub session_id: String,
    pub file_name: String,
    pub status: ImportStatus,
    pub total_records: u64,
    pub processed_records: u64,
    pub success_records: u64,
    pub failed_records: u64,
    /// Why a failed import failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// In bytes.
    pub file_size: u64,
    /// Rows that a person took out before they sent the file; not among the records.
    pub left_out_records: u64,
    /// Imported contacts that repeat an earlier row of the file.
    pub duplicate_records: u64,
    /// The browser that sent the file came to another verdict than the server.
    pub differs: bool,
    /// Whoever sent the file; empty when they are deleted.
    pub user_id: String,
    pub user_name: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// When it was over, RFC 3339, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// When an import that is over is deleted with its report, RFC 3339, UTC. The contacts stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

/// A page of imports, the newest first.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportList {
    /// Always `true`.
    pub success: bool,
    pub data: Vec<ImportSession>,
    pub pagination: ImportPagination,
}

/// Where a page of imports lies in the whole.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportPagination {
    pub current_page: u32,
    pub total_pages: u32,
    pub total_imports: u64,
}

/// A mapping that a file with the same headers was imported with before.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RememberedMapping {
    /// Always `true`.
    pub success: bool,
    /// Absent when no such file was imported yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Vec<ColumnMapping>>,
    /// When, RFC 3339, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_at: Option<String>,
}

/// The answer to an accepted import.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmitReply {
    /// Always `true`.
    pub success: bool,
    pub message: String,
    pub session_id: String,
}

/// What a file is.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileKind {
    /// Text with delimiters, whatever these are.
    Csv,
    Xlsx,
    Xls,
    Xlsb,
    Ods,
}

/// How a person wants a file read where it was taken for something else; what is absent is recognised.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ReadOptions {
    /// A text file's encoding by its WHATWG name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The sheet that is read, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The number of the row that names the columns; 0 when none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<u64>,
}

/// A sheet of a workbook.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetHead {
    pub name: String,
    pub hidden: bool,
}

/// What is known of a file once its beginning was read. Every guess is here, so that it can be shown and changed.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileHead {
    pub kind: FileKind,
    /// A text file's encoding by its WHATWG name, such as `windows-1252`; absent for a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// A text file's delimiter; absent for a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The sheet that is read; absent for a text file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// All sheets of a workbook, in its order; none for a text file.
    pub sheets: Vec<SheetHead>,
    /// The number of the row that names the columns; 0 when none does.
    pub header: u64,
    /// The columns' names: as in the file, made unique ("Email", "Email (2)"), never empty ("Column 3").
    pub file_columns: Vec<String>,
    /// The first rows, a cell per column.
    pub preview: Vec<Vec<String>>,
    /// What a person should know of the file, such as two equal headers.
    pub notices: Vec<String>,
    /// What each column seems to mean, in the columns' order.
    pub matches: Vec<ColumnMatch>,
}

impl FileHead {
    /// The options that read the file just like this again.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            sheet: self.sheet.clone(),
            header: Some(self.header),
        }
    }
}

/// What a column seems to mean, and why.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnMatch {
    pub file_column: String,
    pub model_column: ModelColumn,
    pub reason: String,
    /// How sure the guess is, from 0 (nothing speaks for it) to 100.
    pub confidence: u8,
}

/// What becomes of a row that repeats an earlier one of the same file: by e-mail, else by name and telephone number.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Duplicates {
    /// It is imported all the same.
    #[default]
    Import,
    /// It fails, and its reason names the row that it repeats.
    Refuse,
}

/// What a person changed of a file's rows before they sent it. Rows go by their numbers in the file.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Corrections {
    #[serde(deserialize_with = "at_most::<MOST, _, _>")]
    pub cells: Vec<CellCorrection>,
    /// One fix for all alike; a corrected cell goes before.
    #[serde(deserialize_with = "at_most::<MOST, _, _>")]
    pub replacements: Vec<Replacement>,
    /// Rows that are taken out.
    #[serde(deserialize_with = "at_most::<MOST, _, _>")]
    pub left_out: Vec<u64>,
    pub duplicates: Duplicates,
}

/// What one cell holds instead.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CellCorrection {
    pub row: u64,
    pub file_column: String,
    pub value: String,
}

/// What every cell of a column holds instead that holds exactly `from`, blanks around it apart.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replacement {
    pub file_column: String,
    pub from: String,
    pub to: String,
}

/// Why a row, or one cell of it, can't be imported.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowProblem {
    pub row: u64,
    /// The column by its name in the file; empty when the row as a whole is meant.
    pub file_column: String,
    pub value: String,
    pub message: String,
}

/// What a whole file comes to. The browser and the server must agree on every field.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Rows that hold anything at all, those left out apart.
    pub total: u64,
    /// Rows that will be imported.
    pub ready: u64,
    /// Rows with a problem, which will not.
    pub failed: u64,
    /// Rows that a person took out.
    pub left_out: u64,
    /// Rows that hold, but repeat an earlier one (by e-mail, else by name and phone); under [`Duplicates::Refuse`] they
    /// are among the failed.
    pub duplicates: u64,
    /// A hash over every row's number, values and problems, as 16 hexadecimal digits.
    pub digest: String,
}
