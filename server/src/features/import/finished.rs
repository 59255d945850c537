//! Inserts a completed import with its failed rows, for the demo, without the worker.

use super::store::{FailedRow, insert_failures, to_i64};
use crate::access::scope::Scope;
use crate::platform::db::{Result, Tx};
use forecourt_core::import::{ColumnMapping, header_key};
use sqlx::types::Json;
use uuid::Uuid;

/// A completed import.
pub(crate) struct FinishedImport<'a> {
    pub id: Uuid,
    pub file_name: &'a str,
    pub file_size: u64,
    /// The headers of the columns.
    pub columns: Vec<String>,
    pub mapping: Vec<ColumnMapping>,
    /// The delimiter of a text file.
    pub delimiter: Option<&'a str>,
    /// Number of rows that became contacts.
    pub succeeded: u64,
    pub failures: Vec<FailedRow>,
}

/// Adds an import by the scope's user that was completed at `now`.
pub(crate) async fn insert_finished(tx: &mut Tx, scope: &Scope, import: FinishedImport<'_>, now: i64) -> Result<()> {
    let (succeeded, failed) = (to_i64(import.succeeded), import.failures.len() as i64);
    let rows = succeeded + failed;
    let header_key = header_key(&import.columns);
    tx.sql(
        "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, columns, header_key, delimiter, \
         status, total, processed, succeeded, failed, last_row, created_at, updated_at, started_at, ended_at, claimed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'completed', $10, $10, $11, $12, $13, $14, $14, $14, $14, $14)",
    )
    .bind_all((scope.corp(), import.id, scope.user(), import.file_name.to_owned(), to_i64(import.file_size)))
    .bind(Json(import.mapping))
    .bind(Json(import.columns))
    .bind(header_key)
    .bind(import.delimiter.map(str::to_owned))
    // The first row has the headers.
    .bind_all((rows, succeeded, failed, rows + 1, now))
    .exec()
    .await?;
    insert_failures(tx, scope, import.id, import.failures).await
}
