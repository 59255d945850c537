//! Acceptance of imports. The same file sent twice, by a double click or after a lost response, becomes one import:
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

/// An upload.
pub struct Sent {
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

/// The outcome of [`begin`].
pub enum Begun {
    /// A new import was created; its file must be stored next.
    New(Uuid),
    /// The same upload was accepted before.
    Accepted(Uuid),
    /// The same upload is being stored by another request.
    Receiving,
}

/// Creates an import whose file is stored next, unless the same upload exists already.
pub async fn begin(scope: &Scope, sent: &Sent, now: i64) -> Result<Begun> {
    release(scope, &sent.fingerprint, now).await?;
    let id = Uuid::now_v7();
    let made = scope
        .db()
        .sql(
            "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, options, verdict, \
             fingerprint, kept_bytes, status, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'receiving', $11, $12) ON CONFLICT DO NOTHING",
        )
        .bind(scope.corp())
        .bind(id)
        .bind(scope.user())
        .bind(sent.file_name.clone())
        .bind(number(sent.file_size))
        .bind(Json(sent.mapping.clone()))
        .bind(sent.options.clone())
        .bind(sent.verdict.clone())
        .bind(sent.fingerprint.clone())
        .bind(number(sent.kept_bytes))
        .bind(now)
        .bind(now)
        .exec()
        .await?;
    if made == 1 {
        return Ok(Begun::New(id));
    }
    let other: Option<(Uuid, bool)> = scope
        .db()
        .sql(
            "SELECT import_id, status <> 'receiving' FROM imports \
             WHERE corp_id = $1 AND user_id = $2 AND fingerprint = $3",
        )
        .bind(scope.corp())
        .bind(scope.user())
        .bind(sent.fingerprint.clone())
        .maybe()
        .await?;
    Ok(match other {
        Some((id, true)) => Begun::Accepted(id),
        // If it was deleted meanwhile, the caller's next attempt creates it.
        Some((_, false)) | None => Begun::Receiving,
    })
}

/// Permits the same file to be imported again if its import finished and was accepted long ago, or was abandoned.
async fn release(scope: &Scope, fingerprint: &[u8], now: i64) -> Result<()> {
    scope
        .db()
        .sql(
            "UPDATE imports SET fingerprint = NULL WHERE corp_id = $1 AND user_id = $2 AND fingerprint = $3 \
             AND ((status IN ('completed', 'failed') AND created_at <= $4) OR (status = 'receiving' AND updated_at <= $5))",
        )
        .bind(scope.corp())
        .bind(scope.user())
        .bind(fingerprint.to_vec())
        .bind(now - REPEAT_WINDOW)
        .bind(now - STALLED)
        .exec()
        .await?;
    Ok(())
}

/// Returns the number of the tenant's unfinished imports.
pub async fn unfinished(scope: &Scope) -> Result<i64> {
    let (count,): (i64,) = scope
        .db()
        .sql("SELECT count(*) FROM imports WHERE corp_id = $1 AND status IN ('receiving', 'pending', 'processing')")
        .bind(scope.corp())
        .one()
        .await?;
    Ok(count)
}

/// Returns how many bytes the files and reports of the tenant's imports take.
pub async fn stored_bytes(scope: &Scope) -> Result<u64> {
    let (bytes,): (i64,) = scope
        .db()
        .sql(
            "SELECT CAST(coalesce(sum(kept_bytes + report_bytes), 0) AS BIGINT) FROM imports \
             WHERE corp_id = $1 AND deleted_at IS NULL",
        )
        .bind(scope.corp())
        .one()
        .await?;
    Ok(bytes.unsigned_abs())
}

/// Returns whether the user's last import was accepted just now: the same file may be sent again after a lost response.
pub async fn may_repeat(scope: &Scope, now: i64) -> Result<bool> {
    let (accepted,): (i64,) = scope
        .db()
        .sql(
            "SELECT count(*) FROM imports WHERE corp_id = $1 AND user_id = $2 AND fingerprint IS NOT NULL \
             AND status <> 'receiving' AND created_at > $3",
        )
        .bind(scope.corp())
        .bind(scope.user())
        .bind(now - REPEAT_WINDOW)
        .one()
        .await?;
    Ok(accepted > 0)
}

/// Records that the file is still being stored.
pub async fn alive(scope: &Scope, id: Uuid, now: i64) -> Result<()> {
    scope
        .db()
        .sql("UPDATE imports SET updated_at = $1 WHERE corp_id = $2 AND import_id = $3 AND status = 'receiving'")
        .bind(now)
        .bind(scope.corp())
        .bind(id)
        .exec()
        .await?;
    Ok(())
}

/// Stores a part of the file.
pub async fn add_part(scope: &Scope, id: Uuid, part: i32, bytes: Vec<u8>) -> Result<()> {
    scope
        .db()
        .sql("INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $2, $3, $4)")
        .bind(scope.corp())
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
        .db()
        .sql(
            "UPDATE imports SET status = 'pending', columns = $1, header_key = $2, delimiter = $3, created_at = $4, \
             updated_at = $5 WHERE corp_id = $6 AND import_id = $7 AND status = 'receiving' AND fingerprint IS NOT NULL",
        )
        .bind(Json(columns))
        .bind(header_key)
        .bind(delimiter.map(String::from))
        .bind(now)
        .bind(now)
        .bind(scope.corp())
        .bind(id)
        .exec()
        .await?;
    if changed == 1 { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}
