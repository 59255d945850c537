//! What travels about imports (specification sections 3 and 7).

use serde::{Deserialize, Serialize};

pub const PREVIEW: &str = "/api/contacts/import/preview";
pub const SUBMIT: &str = "/api/contacts/import/submit";
/// Followed by `/{sessionId}`.
pub const STATUS: &str = "/api/contacts/import/status";

/// Rows that a preview shows, in the browser and from the server.
pub const PREVIEW_ROWS: usize = 20;

/// What a column of a file can become.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportStatus {
    /// Accepted, not begun.
    Pending,
    Processing,
    Completed,
    Failed,
}

/// An import on the server.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// The answer to an accepted import.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmitReply {
    /// Always `true`.
    pub success: bool,
    pub message: String,
    pub session_id: String,
}

/// The answer to a look at an import.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusReply {
    /// Always `true`.
    pub success: bool,
    pub session: ImportSession,
}

/// What a file is.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileKind {
    Csv,
    Xlsx,
    Xls,
}

/// What is known of a file once its beginning was read. Every guess is here, so that it can be shown.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
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
    /// The columns' names: as in the file, made unique ("Email", "Email (2)"), never empty ("Column 3").
    pub file_columns: Vec<String>,
    /// The first rows, a cell per column.
    pub preview: Vec<Vec<String>>,
    /// What a person should know of the file, such as two equal headers.
    pub notices: Vec<String>,
    /// What each column seems to mean, in the columns' order.
    pub matches: Vec<ColumnMatch>,
}

/// What a column seems to mean, and why.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnMatch {
    pub file_column: String,
    pub model_column: ModelColumn,
    pub reason: String,
}

/// A row of a file: its number as a person counts it in the file, the first line or sheet row being 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    pub number: u64,
    pub cells: Vec<String>,
}

/// Why a row, or one cell of it, can't be imported.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Rows that hold anything at all.
    pub total: u64,
    /// Rows that will be imported.
    pub ready: u64,
    /// Rows with a problem, which will not.
    pub failed: u64,
    /// Ready rows that repeat an earlier one (by e-mail, else by name and phone); they are imported all the same.
    pub duplicates: u64,
    /// A hash over every row's number, values and problems, as 16 hexadecimal digits.
    pub digest: String,
}
