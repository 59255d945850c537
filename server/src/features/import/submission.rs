//! Stores uploads as imports. The same file sent twice, by a double click or after a lost response, becomes one import:
//! each upload has a fingerprint, which is unique among a user's current imports.

use super::store::number;
use crate::access::scope::Scope;
use crate::platform::clock::{MINUTE, SECOND};
use crate::platform::db::Result;
use forecourt_core::import::ColumnMapping;
use sqlx::types::Json;
use uuid::Uuid;

/// For how long after its acceptance the same file is treated as the same import. Later, the user wants to import it
/// again.
const REPEAT_WINDOW: i64 = MINUTE;
/// An upload without progress for this long was being received by a node that crashed.
const STALLED: i64 = 120 * SECOND;

/// An upload whose form was read.
pub struct Submission {
    pub file_name: String,
    pub file_size: u64,
    /// Size of the file and its corrections, which are stored until the import is finished.
    pub kept_bytes: u64,
    pub mapping: Vec<ColumnMapping>,
    /// As JSON.
    pub options: String,
    /// The browser's verdict, as JSON.
    pub verdict: Option<String>,
    pub fingerprint: Vec<u8>,
}

/// The outcome of [`create`].
pub enum Created {
    /// A new import was created; its file must be stored next.
    New(Uuid),
    /// The same upload was accepted before.
    Accepted(Uuid),
    /// The same upload is being stored by another request.
    Receiving,
}

/// Creates an import whose file is stored next, unless the same upload exists already.
pub async fn create(scope: &Scope, submission: &Submission, now: i64) -> Result<Created> {
    release_fingerprint(scope, &submission.fingerprint, now).await?;
    let id = Uuid::now_v7();
    let created = scope
        .sql(
            "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, options, verdict, \
             fingerprint, kept_bytes, status, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'receiving', $11, $11) ON CONFLICT DO NOTHING",
        )
        .bind(id)
        .bind(scope.user())
        .bind(submission.file_name.clone())
        .bind(number(submission.file_size))
        .bind(Json(submission.mapping.clone()))
        .bind(submission.options.clone())
        .bind(submission.verdict.clone())
        .bind(submission.fingerprint.clone())
        .bind(number(submission.kept_bytes))
        .bind(now)
        .exec()
        .await?;
    if created == 1 {
        return Ok(Created::New(id));
    }
    let other: Option<(Uuid, bool)> = scope
        .sql(
            "SELECT import_id, status <> 'receiving' FROM imports \
             WHERE corp_id = $1 AND user_id = $2 AND fingerprint = $3",
        )
        .bind(scope.user())
        .bind(submission.fingerprint.clone())
        .maybe()
        .await?;
    Ok(match other {
        Some((id, true)) => Created::Accepted(id),
        // If it was deleted meanwhile, the caller's next attempt creates it.
        Some((_, false)) | None => Created::Receiving,
    })
}

/// Permits the same file to be imported again if its import finished and was accepted long ago, or was abandoned.
async fn release_fingerprint(scope: &Scope, fingerprint: &[u8], now: i64) -> Result<()> {
    scope
        .sql(
            "UPDATE imports SET fingerprint = NULL WHERE corp_id = $1 AND user_id = $2 AND fingerprint = $3 \
             AND ((status IN ('completed', 'failed') AND created_at <= $4) OR (status = 'receiving' AND updated_at <= $5))",
        )
        .bind(scope.user())
        .bind(fingerprint.to_vec())
        .bind(now - REPEAT_WINDOW)
        .bind(now - STALLED)
        .exec()
        .await?;
    Ok(())
}

/// Returns the number of the tenant's unfinished imports, and how many bytes the files and reports of all its imports
/// take.
pub async fn usage(scope: &Scope) -> Result<(i64, u64)> {
    let (unfinished, bytes): (i64, i64) = scope
        .sql(
            "SELECT count(CASE WHEN status IN ('receiving', 'pending', 'processing') THEN 1 END), \
             CAST(coalesce(sum(kept_bytes + report_bytes), 0) AS BIGINT) FROM imports \
             WHERE corp_id = $1 AND deleted_at IS NULL",
        )
        .one()
        .await?;
    Ok((unfinished, bytes.unsigned_abs()))
}

/// Returns whether the user's last import was accepted just now: the same file may be sent again after a lost response.
pub async fn is_repeatable(scope: &Scope, now: i64) -> Result<bool> {
    let (accepted,): (i64,) = scope
        .sql(
            "SELECT count(*) FROM imports WHERE corp_id = $1 AND user_id = $2 AND fingerprint IS NOT NULL \
             AND status <> 'receiving' AND created_at > $3",
        )
        .bind(scope.user())
        .bind(now - REPEAT_WINDOW)
        .one()
        .await?;
    Ok(accepted > 0)
}

/// Records that the file is still being stored.
pub async fn touch(scope: &Scope, id: Uuid, now: i64) -> Result<()> {
    scope
        .sql("UPDATE imports SET updated_at = $3 WHERE corp_id = $1 AND import_id = $2 AND status = 'receiving'")
        .bind(id)
        .bind(now)
        .exec()
        .await?;
    Ok(())
}

/// Stores a part of the file.
pub async fn add_part(scope: &Scope, id: Uuid, part: i32, bytes: Vec<u8>) -> Result<()> {
    scope
        .sql("INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(part)
        .bind(bytes)
        .exec()
        .await?;
    Ok(())
}

/// Marks the import as ready after its file was stored, unless it was abandoned meanwhile.
pub async fn accept(
    scope: &Scope,
    id: Uuid,
    columns: Vec<String>,
    header_key: String,
    delimiter: Option<char>,
    now: i64,
) -> Result<()> {
    let changed = scope
        .sql(
            "UPDATE imports SET status = 'pending', columns = $3, header_key = $4, delimiter = $5, created_at = $6, \
             updated_at = $6 WHERE corp_id = $1 AND import_id = $2 AND status = 'receiving' AND fingerprint IS NOT NULL",
        )
        .bind(Json(columns))
        .bind(header_key)
        .bind(delimiter.map(String::from))
        .bind(now)
        .bind(now)
        .bind(id)
        .exec()
        .await?;
    if changed == 1 { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}
