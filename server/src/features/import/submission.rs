//! Stores uploads as imports. The same upload (file, mapping, options and corrections) sent twice, by a double click or
//! after a lost response, becomes one import: each upload has a fingerprint, which is unique among a user's current
//! imports.

use super::deletion;
use super::reader::Opened;
use super::store::{CORRECTIONS, to_i64};
use super::upload::{Fields, Upload};
use super::{MAX_UNFINISHED, read_head};
use crate::access::scope::Scope;
use crate::features::state::App;
use crate::platform::clock::{MINUTE, SECOND};
use crate::platform::db::Result;
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::import::{Patches, Plan, header_key, text};
use sqlx::types::Json;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::sleep;
use uuid::Uuid;

/// Size of the parts in which a file is stored, in bytes.
const PART_BYTES: usize = 1 << 20;
/// Poll interval while the same upload is being stored by another request.
const REPEAT_POLL: Duration = Duration::from_millis(100);
/// For how long after its acceptance the same upload is treated as the same import, or longer if the import has not
/// finished by then. Later, the user wants to import it again.
const REPEAT_WINDOW: i64 = MINUTE;
/// An upload without progress for this long was being received by a node that crashed.
const STALLED: i64 = 120 * SECOND;

/// Fails with 409 if the tenant has more than `max` unfinished imports, or more stored data than permitted.
pub async fn check_capacity(app: &App, scope: &Scope, max: i64) -> ApiResult<()> {
    let (unfinished, stored): (i64, i64) = scope
        .sql(
            "SELECT count(CASE WHEN status IN ('receiving', 'pending', 'processing') THEN 1 END), \
             CAST(coalesce(sum(kept_bytes + report_bytes), 0) AS BIGINT) FROM imports \
             WHERE corp_id = $1 AND deleted_at IS NULL",
        )
        .one()
        .await?;
    if unfinished > max {
        return Err(ApiError::Conflict(text::TOO_MANY_UNFINISHED.into()));
    }
    let max_stored = app.feature_config.import.max_stored_bytes();
    if stored.unsigned_abs() > max_stored {
        return Err(ApiError::Conflict(text::too_much_stored(max_stored >> 20)));
    }
    Ok(())
}

/// Creates an import from an upload, or returns the id of the one that exists for the same upload.
pub async fn create_job(app: &App, scope: &Scope, upload: &Upload) -> ApiResult<Uuid> {
    let corrections = upload.corrections_json().map_err(ApiError::internal)?;
    let corrections_bytes = corrections.as_ref().map_or(0, Vec::len);
    let id = loop {
        match insert(scope, upload, corrections_bytes, app.clock.now()).await? {
            Inserted::New(id) => break id,
            Inserted::Accepted(id) => return Ok(id),
            Inserted::Receiving => sleep(REPEAT_POLL).await,
        }
    };
    if let Err(error) = store_upload(app, scope, id, upload, corrections).await {
        // If this fails too, a later sweep deletes the incomplete import.
        let _ = deletion::delete_incomplete(&scope.as_job(), id).await;
        return Err(error);
    }
    app.imports.notify_one();
    Ok(id)
}

/// Validates an upload, stores it in the database so that any node can process it, and marks the import as ready.
async fn store_upload(
    app: &App,
    scope: &Scope,
    id: Uuid,
    upload: &Upload,
    corrections_json: Option<Vec<u8>>,
) -> ApiResult<()> {
    check_capacity(app, scope, MAX_UNFINISHED).await?;
    let Opened { head, layout } = read_head(app, upload).await?;
    Plan::new(&head.file_columns, &upload.fields.mapping)?;
    Patches::new(&head.file_columns, &upload.fields.corrections)?;
    let mut file = tokio::fs::File::from_std(upload.open_file().await?);
    for part in 0.. {
        record_upload_progress(scope, id, app.clock.now()).await?;
        let mut bytes = Vec::with_capacity(PART_BYTES);
        (&mut file).take(PART_BYTES as u64).read_to_end(&mut bytes).await?;
        if bytes.is_empty() {
            break;
        }
        store_part(scope, id, part, bytes).await?;
    }
    if let Some(json) = corrections_json {
        store_part(scope, id, CORRECTIONS, json).await?;
    }
    let accepted = scope
        .sql(
            "UPDATE imports SET status = 'pending', columns = $3, header_key = $4, delimiter = $5, created_at = $6, \
             updated_at = $6 WHERE corp_id = $1 AND import_id = $2 AND status = 'receiving' AND fingerprint IS NOT NULL",
        )
        .bind(id)
        .bind(Json(layout.names_in_file().to_vec()))
        .bind(header_key(&head.file_columns))
        .bind(head.delimiter.map(String::from))
        .bind(app.clock.now())
        .exec()
        .await?;
    // A stalled upload may have been abandoned meanwhile.
    if accepted == 1 { Ok(()) } else { Err(sqlx::Error::RowNotFound.into()) }
}

/// The outcome of [`insert`].
enum Inserted {
    /// A new import was created; its file must be stored next.
    New(Uuid),
    /// The same upload was accepted before.
    Accepted(Uuid),
    /// The same upload is being stored by another request.
    Receiving,
}

/// Creates an import whose file is stored next, unless the same upload exists already.
async fn insert(scope: &Scope, upload: &Upload, corrections_bytes: usize, now: i64) -> ApiResult<Inserted> {
    let Fields { mapping, options, verdict, .. } = &upload.fields;
    let verdict = verdict.as_ref().map(serde_json::to_string).transpose().map_err(ApiError::internal)?;
    let fingerprint = upload.fingerprint().map_err(ApiError::internal)?;
    release_fingerprint(scope, &fingerprint, now).await?;
    let id = Uuid::now_v7();
    let created = scope
        .sql(
            "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, options, verdict, \
             fingerprint, kept_bytes, status, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'receiving', $11, $11) ON CONFLICT DO NOTHING",
        )
        .bind(id)
        .bind(scope.user())
        .bind(upload.name.clone())
        .bind(to_i64(upload.size))
        .bind(Json(mapping.clone()))
        .bind(serde_json::to_string(options).map_err(ApiError::internal)?)
        .bind(verdict)
        .bind(fingerprint.clone())
        .bind(to_i64(upload.size + corrections_bytes as u64))
        .bind(now)
        .exec()
        .await?;
    if created == 1 {
        return Ok(Inserted::New(id));
    }
    let other: Option<(Uuid, bool)> = scope
        .sql(
            "SELECT import_id, status <> 'receiving' FROM imports \
             WHERE corp_id = $1 AND user_id = $2 AND fingerprint = $3",
        )
        .bind(scope.user())
        .bind(fingerprint)
        .maybe()
        .await?;
    Ok(match other {
        Some((id, true)) => Inserted::Accepted(id),
        // The first import of this upload is still being received, or was deleted meanwhile. In that case, the caller's
        // next attempt creates a new one.
        Some((_, false)) | None => Inserted::Receiving,
    })
}

/// Lets the user's same upload become a new import if its earlier import has ended and was accepted more than
/// [`REPEAT_WINDOW`] ago, or if receiving it has stalled ([`STALLED`]).
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

/// Returns whether the user's last import was accepted just now: the same upload may be sent again after a lost
/// response.
pub async fn is_repeatable(scope: &Scope, now: i64) -> Result<bool> {
    scope
        .sql(
            "SELECT 1 FROM imports WHERE corp_id = $1 AND user_id = $2 AND fingerprint IS NOT NULL \
             AND status <> 'receiving' AND created_at > $3 LIMIT 1",
        )
        .bind_all((scope.user(), now - REPEAT_WINDOW))
        .exists()
        .await
}

/// Records that the file is still being stored, so that the upload does not count as stalled.
async fn record_upload_progress(scope: &Scope, id: Uuid, now: i64) -> Result<()> {
    scope
        .sql("UPDATE imports SET updated_at = $3 WHERE corp_id = $1 AND import_id = $2 AND status = 'receiving'")
        .bind(id)
        .bind(now)
        .exec()
        .await?;
    Ok(())
}

/// Stores a chunk of the file, or the corrections (part [`CORRECTIONS`]).
async fn store_part(scope: &Scope, id: Uuid, part: i32, bytes: Vec<u8>) -> Result<()> {
    scope
        .sql("INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(part)
        .bind(bytes)
        .exec()
        .await?;
    Ok(())
}
