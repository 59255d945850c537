//! Request and response types of imports, and the routes that carry them.

use super::deserialize_one_more_than;
use crate::message::Message;
use serde::{Deserialize, Serialize};

/// The maximum number of corrections of all kinds together.
pub(super) const MAX_CORRECTIONS: usize = 100_000;

pub const SUBMIT: &str = "/api/contacts/import/submit";
/// GET, followed by `/{sessionId}`: the state of an import job.
pub const STATUS: &str = "/api/contacts/import/status";
/// POST, followed by `/{sessionId}`: cancels an import job.
pub const CANCEL: &str = "/api/contacts/import/cancel";
/// GET with the parameter `headers` (a [`super::header_key`]): the mapping that a file with these headers was last
/// imported with.
pub const REMEMBERED: &str = "/api/contacts/import/mapping";
/// GET lists the imports. DELETE `/{sessionId}` deletes one. GET `/{sessionId}/failed.csv` downloads its failed rows.
pub const IMPORTS: &str = "/api/contacts/imports";
/// Default page size of the list of imports.
pub const IMPORTS_PAGE_SIZE: u32 = 20;

/// Number of rows in a preview, both in the browser and from the server.
pub const PREVIEW_ROWS: usize = 20;

string_enum! {
    /// The contact field that a column of a file is imported into. In the order of the menu.
    ModelColumn {
        Name = "name",
        Email = "email",
        Phone = "phone",
        Website = "website",
        Address = "address",
        OtherDetails = "otherDetails",
        /// 'Do not import': the user reviewed the column and left it out.
        DoNotImport = "doNotImport",
    }
}

api_types!(
    /// Maps one column of the file to a field. If `modelColumn` is empty, the column isn't mapped yet.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ColumnMapping {
        pub file_column: String,
        /// A `ModelColumn`, or empty.
        #[serde(default)]
        pub model_column: String,
    }

    /// Status of an import job.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum ImportStatus {
        /// Accepted but not started.
        #[default]
        Pending,
        Processing,
        Completed,
        Failed,
        /// Cancelled by a user. Contacts that were imported before that stay.
        Cancelled,
    }

    /// An import job on the server.
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
        /// Whether some of its contacts still exist: they are neither deleted nor, after it was undone, in the trash.
        pub has_contacts: bool,
        /// Whether some of these contacts are in no signed, delivered or closed agreement, so that undoing the import
        /// can move them to the trash.
        pub has_unbound_contacts: bool,
        /// While the import is being undone: the id of the undoing's own entry in the history, which has the progress.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub undoing_id: Option<String>,
        /// When the import was undone, RFC 3339, UTC. Absent if it was not undone, if the undoing was itself undone, or
        /// if more contacts are left than the undoing kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub undone_at: Option<String>,
        /// Number of contacts that undoing the import kept, because they were changed since; present with `undoneAt`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kept_records: Option<u64>,
        /// Why the import failed; only for failed imports.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(type = "unknown"))]
        pub message: Option<String>,
        /// `message` as a `Message`, with its code; empty without a message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "wasm", serde(deserialize_with = "crate::message::skip"))]
        pub messages: Vec<Message>,
        /// In bytes.
        pub file_size: u64,
        /// Number of rows that the user left out before sending the file. They are not included in `totalRecords`.
        pub left_out_records: u64,
        /// Number of rows that duplicate an earlier row of the file. They are imported, or fail if the user chose to
        /// leave them out.
        pub duplicate_records: u64,
        /// Whether the server's verdict differs from that of the browser that sent the file.
        pub differs: bool,
        /// The id of the user who sent the file; empty after that user was deleted.
        pub user_id: String,
        pub user_name: String,
        /// `userName` as a message with its code, if the account was deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub user_name_message: Option<Message>,
        /// RFC 3339, UTC.
        pub created_at: String,
        /// When the import ended, RFC 3339, UTC.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ended_at: Option<String>,
        /// When a finished import is deleted together with its report, RFC 3339, UTC. Its contacts stay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub expires_at: Option<String>,
    }

    /// A page of imports, newest first.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ImportList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<ImportSession>,
        pub pagination: ImportPagination,
    }

    /// Page numbers and the total of a list of imports.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ImportPagination {
        pub current_page: u32,
        pub total_pages: u32,
        pub total_imports: u64,
    }

    /// The mapping that a file with the same headers was last imported with.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct RememberedMapping {
        /// Always `true`.
        pub success: bool,
        /// Absent if there is no import of a file with these headers, or if all of them were deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mapping: Option<Vec<ColumnMapping>>,
        /// When the import with this mapping was sent, RFC 3339, UTC.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub imported_at: Option<String>,
    }

    /// The response to an accepted import.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct SubmitReply {
        /// Always `true`.
        pub success: bool,
        #[cfg_attr(feature = "wasm", tsify(type = "unknown"))]
        pub message: String,
        /// `message` as a `Message`, with its code.
        #[serde(default)]
        pub messages: Vec<Message>,
        pub session_id: String,
    }

    /// The format of a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum FileKind {
        /// Delimited text with any delimiter.
        Csv,
        Xlsx,
        Xls,
        Xlsb,
        Ods,
    }

    /// The user's choices about how a file is read. What is absent is detected.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct ReadOptions {
        /// A text file's encoding, by a WHATWG label or the name of a code page such as `IBM850`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub encoding: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub delimiter: Option<char>,
        /// The name of the sheet to read.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sheet: Option<String>,
        /// The row number of the header; 0 for no header.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub header: Option<u64>,
    }

    /// The name of a workbook's sheet, and whether it is hidden.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct SheetHead {
        pub name: String,
        pub hidden: bool,
    }

    /// What is known about a file after its beginning was read. It includes everything that was guessed, so that users
    /// can review and change it.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FileHead {
        pub kind: FileKind,
        /// A text file's encoding by its name at WHATWG, for example `windows-1252`, or that of a code page such as
        /// `IBM850`; absent for a workbook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub encoding: Option<String>,
        /// A text file's delimiter; absent for a workbook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub delimiter: Option<char>,
        /// The name of the sheet to read; absent for a text file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub sheet: Option<String>,
        /// All sheets of a workbook in the workbook's order; empty for a text file.
        pub sheets: Vec<SheetHead>,
        /// The row number of the header; 0 for no header.
        pub header: u64,
        /// The columns' names: those of the header, made unique ("Email", "Email (2)") and never empty ("Column 3").
        pub file_columns: Vec<String>,
        /// Number of the file's own columns: without the last of `file_columns` if it joins first and last names.
        #[cfg_attr(not(feature = "wasm"), serde(skip))]
        pub file_width: u64,
        /// The first rows below the header, with one cell per column.
        pub preview: Vec<Vec<String>>,
        /// The row numbers of `preview`, by which the wizard finds the corrections of these rows.
        #[cfg_attr(not(feature = "wasm"), serde(skip))]
        pub preview_rows: Vec<u64>,
        /// Notices about the file for the user, for example that two headers are equal.
        #[cfg_attr(not(feature = "wasm"), serde(with = "crate::message::english_texts"))]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
        pub notices: Vec<Message>,
        /// The suggested field of each column, in the columns' order.
        pub matches: Vec<ColumnMatch>,
    }

    /// The suggested field of a column, and why it is suggested.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ColumnMatch {
        pub file_column: String,
        pub model_column: ModelColumn,
        #[cfg_attr(not(feature = "wasm"), serde(with = "crate::message::english_text"))]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        pub reason: Message,
        /// Confidence of the suggestion, from 0 (no evidence) to 100.
        pub confidence: u8,
    }

    /// How to treat a row that duplicates an earlier row of the file, by e-mail address or else by name and phone
    /// number.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Duplicates {
        /// Import the row anyway.
        #[default]
        Import,
        /// Reject the row with a reason that names the earlier row.
        Refuse,
    }

    /// What the user changed before sending the file. Rows are identified by their row numbers in the file.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct Corrections {
        #[serde(deserialize_with = "deserialize_one_more_than::<MAX_CORRECTIONS, _, _>")]
        pub cells: Vec<CellCorrection>,
        /// Each corrects all equal cells of a column, except those in `cells`.
        #[serde(deserialize_with = "deserialize_one_more_than::<MAX_CORRECTIONS, _, _>")]
        pub replacements: Vec<Replacement>,
        /// Numbers of the rows to leave out.
        #[serde(deserialize_with = "deserialize_one_more_than::<MAX_CORRECTIONS, _, _>")]
        pub left_out: Vec<u64>,
        pub duplicates: Duplicates,
    }

    /// The new value of one cell.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CellCorrection {
        pub row: u64,
        pub file_column: String,
        pub value: String,
    }

    /// The new value of every cell of a column whose value is exactly `from`, ignoring surrounding white space.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Replacement {
        pub file_column: String,
        pub from: String,
        pub to: String,
    }

    /// A problem because of which a row can't be imported.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct RowProblem {
        pub row: u64,
        /// The column's name in the file; empty if the problem concerns the whole row.
        pub file_column: String,
        pub value: String,
        pub message: String,
    }

    /// The result of checking a whole file. The browser and the server must agree on every field.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Verdict {
        /// Number of rows below the header that aren't blank, without those left out.
        pub total: u64,
        /// Number of rows that will be imported.
        pub ready: u64,
        /// Number of rows that can't be imported.
        pub failed: u64,
        /// Number of rows that the user left out.
        pub left_out: u64,
        /// Number of valid rows that duplicate an earlier one (by e-mail address, or without one by name and phone
        /// number). If `duplicates` of the corrections is `refuse`, they count as failed.
        pub duplicates: u64,
        /// A hash of every checked row's number, values and problems, and of the numbers of rows left out, as 16
        /// hexadecimal digits.
        pub digest: String,
    }
);

impl FileHead {
    /// Returns the options that read the file in the same way again.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            sheet: self.sheet.clone(),
            header: Some(self.header),
        }
    }
}
