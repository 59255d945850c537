//! Import jobs as users see them. The API calls them sessions.

use super::store::delete_parts;
use crate::access::scope::Scope;
use crate::features::binding::push_is_contact_bound;
use crate::features::listing::{push_contacts_of_import, push_page};
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql};
use forecourt_core::dashboard::ImportFigures;
use forecourt_core::import::{ColumnMapping, ImportSession, ImportStatus};
use forecourt_core::message::Message;
use forecourt_core::paging::Page;
use forecourt_core::users::{author_message, author_name};
use sqlx::types::Json;
use uuid::Uuid;

/// An import's row with the name of its user, if the user still exists.
#[derive(sqlx_macros::FromRow)]
struct JobRow {
    import_id: Uuid,
    user_id: Option<Uuid>,
    first_name: Option<String>,
    last_name: Option<String>,
    file_name: String,
    file_size: i64,
    status: String,
    is_cancelled: bool,
    total: i64,
    processed: i64,
    succeeded: i64,
    failed: i64,
    has_contacts: bool,
    has_unbound_contacts: bool,
    undoing_id: Option<Uuid>,
    undone_at: Option<i64>,
    /// Number of contacts that the last undoing kept, even if more were restored since.
    kept: Option<i64>,
    left_out: i64,
    duplicates: i64,
    differs: bool,
    message: Option<String>,
    created_at: i64,
    ended_at: Option<i64>,
}

/// Converts the row to its API form. `retention` is how long a finished import is stored, in microseconds.
fn to_session(row: JobRow, retention: i64) -> ImportSession {
    let message = row.message.map(parse_message);
    ImportSession {
        session_id: row.import_id.to_string(),
        file_name: row.file_name,
        status: status_of(&row.status, row.is_cancelled),
        total_records: row.total.unsigned_abs(),
        processed_records: row.processed.unsigned_abs(),
        success_records: row.succeeded.unsigned_abs(),
        failed_records: row.failed.unsigned_abs(),
        has_contacts: row.has_contacts,
        has_unbound_contacts: row.has_unbound_contacts,
        undoing_id: row.undoing_id.map(|id| id.to_string()),
        undone_at: row.undone_at.map(rfc3339),
        kept_records: row.undone_at.and(row.kept).map(i64::unsigned_abs),
        messages: message.iter().cloned().collect(),
        message: message.map(String::from),
        file_size: row.file_size.unsigned_abs(),
        left_out_records: row.left_out.unsigned_abs(),
        duplicate_records: row.duplicates.unsigned_abs(),
        differs: row.differs,
        user_id: row.user_id.map(|id| id.to_string()).unwrap_or_default(),
        user_name_message: author_message(row.first_name.is_some()),
        user_name: author_name(row.first_name, row.last_name),
        created_at: rfc3339(row.created_at),
        ended_at: row.ended_at.map(rfc3339),
        expires_at: row.ended_at.map(|at| rfc3339(at.saturating_add(retention))),
    }
}

/// Parses a stored message. Older versions stored only its English text.
fn parse_message(stored: String) -> Message {
    serde_json::from_str(&stored).unwrap_or_else(|_| Message::without_code(stored))
}

/// Returns the status of an import whose row has this one.
pub(crate) fn status_of(status: &str, is_cancelled: bool) -> ImportStatus {
    match status {
        "pending" => ImportStatus::Pending,
        "completed" => ImportStatus::Completed,
        "failed" if is_cancelled => ImportStatus::Cancelled,
        "failed" => ImportStatus::Failed,
        _ => ImportStatus::Processing,
    }
}

/// Builds the query for the tenant's imports that were accepted and not deleted; further conditions can be appended.
fn select_jobs(scope: &Scope) -> Sql<'_> {
    let sql = scope.db().sql(
        "SELECT i.import_id, i.user_id, u.first_name, u.last_name, i.file_name, i.file_size, i.status, \
         i.cancelled_at IS NOT NULL AS is_cancelled, i.total, i.processed, i.succeeded, i.failed, i.left_out, \
         i.duplicates, i.differs, i.message, i.created_at, i.ended_at, d.kept, \
         CASE WHEN d.kept IS NULL THEN NULL WHEN d.kept >= (SELECT count(*)",
    );
    // If contacts were restored since, more are left than the undoing kept. The contacts of imports that were not
    // undone are not counted, because that is slow.
    let sql = push_contacts_of_import(sql, scope).push(
        "i.import_id) THEN d.ended_at END AS undone_at, (SELECT r.batch_id FROM reverts r WHERE r.corp_id = i.corp_id \
         AND r.history_id = i.import_id AND r.ended_at IS NULL) AS undoing_id, EXISTS (SELECT 1",
    );
    let sql = push_contacts_of_import(sql, scope).push("i.import_id) AS has_contacts, EXISTS (SELECT 1");
    let sql = push_is_contact_bound(push_contacts_of_import(sql, scope).push("i.import_id AND NOT ")).push(
        ") AS has_unbound_contacts \
         FROM imports i LEFT JOIN users u ON u.corp_id = i.corp_id AND u.user_id = i.user_id",
    );
    // The last undoing `d` of the import that was not itself undone.
    sql.push(" LEFT JOIN reverts d ON d.corp_id = i.corp_id AND d.batch_id = (SELECT r.batch_id FROM reverts r")
        .indexed_by("reverts_entry")
        .push(" WHERE r.corp_id = i.corp_id AND r.history_id = i.import_id AND r.ended_at IS NOT NULL")
        .push(" AND NOT EXISTS (SELECT 1 FROM reverts o")
        .indexed_by("reverts_entry")
        .push(" WHERE o.corp_id = r.corp_id AND o.history_id = r.batch_id) ORDER BY r.ended_at DESC LIMIT 1)")
        .push_arg(" WHERE i.status <> 'receiving' AND i.deleted_at IS NULL AND i.corp_id = ", scope.corp())
}

/// Returns an accepted import with its progress, and when it expires: `retention` is how long it is stored.
pub async fn find(scope: &Scope, id: Uuid, retention: i64) -> Result<Option<ImportSession>> {
    let row: Option<JobRow> = select_jobs(scope).push(" AND i.import_id = ").arg(id).maybe().await?;
    Ok(row.map(|row| to_session(row, retention)))
}

/// Returns a page of the accepted imports, newest first, and the total number on all pages.
pub async fn list(scope: &Scope, page: Page, retention: i64) -> Result<(Vec<ImportSession>, u64)> {
    let total: i64 = scope
        .sql("SELECT count(*) FROM imports WHERE corp_id = $1 AND status <> 'receiving' AND deleted_at IS NULL")
        .value()
        .await?;
    let sql = push_page(select_jobs(scope).push(" ORDER BY i.import_id DESC"), page);
    let rows: Vec<JobRow> = sql.all().await?;
    Ok((rows.into_iter().map(|row| to_session(row, retention)).collect(), total.unsigned_abs()))
}

/// What the dashboard shows of an import.
#[derive(sqlx_macros::FromRow)]
struct LatestRow {
    import_id: Uuid,
    file_name: String,
    status: String,
    is_cancelled: bool,
    total: i64,
    succeeded: i64,
    failed: i64,
    left_out: i64,
    created_at: i64,
}

/// Returns the latest accepted imports, newest first.
pub async fn list_latest(scope: &Scope, limit: u32) -> Result<Vec<ImportFigures>> {
    let rows: Vec<LatestRow> = scope
        .sql(
            "SELECT import_id, file_name, status, cancelled_at IS NOT NULL AS is_cancelled, total, succeeded, failed, \
             left_out, created_at FROM imports WHERE corp_id = $1 AND status <> 'receiving' AND deleted_at IS NULL \
             ORDER BY import_id DESC LIMIT $2",
        )
        .bind(i64::from(limit))
        .all()
        .await?;
    let figures = |row: LatestRow| ImportFigures {
        id: row.import_id.to_string(),
        file_name: row.file_name,
        status: status_of(&row.status, row.is_cancelled),
        total_records: row.total.unsigned_abs(),
        success_records: row.succeeded.unsigned_abs(),
        failed_records: row.failed.unsigned_abs(),
        left_out_records: row.left_out.unsigned_abs(),
        created_at: rfc3339(row.created_at),
    };
    Ok(rows.into_iter().map(figures).collect())
}

/// Cancels an import; returns `false` if it is finished or missing. The worker notices at its next heartbeat or batch.
/// Rows written until then stay and are counted.
pub async fn cancel(scope: &Scope, id: Uuid, now: i64) -> Result<bool> {
    let cancelled = scope
        .sql(
            "UPDATE imports SET status = 'failed', cancelled_at = $3, ended_at = $3, updated_at = $3, fingerprint = NULL \
             WHERE corp_id = $1 AND import_id = $2 AND status IN ('pending', 'processing')",
        )
        .bind(id)
        .bind(now)
        .exec()
        .await?;
    if cancelled == 1 {
        delete_parts(scope, id).await?;
    }
    Ok(cancelled == 1)
}

/// Returns the mapping with which a file with these headers was last imported, and when.
pub async fn last_mapping(scope: &Scope, header_key: &str) -> Result<Option<(Vec<ColumnMapping>, String)>> {
    let row: Option<(Json<Vec<ColumnMapping>>, i64)> = scope
        .sql(
            "SELECT mapping, created_at FROM imports WHERE corp_id = $1 AND header_key = $2 AND status <> 'receiving' \
             AND deleted_at IS NULL ORDER BY import_id DESC LIMIT 1",
        )
        .bind(header_key.to_owned())
        .maybe()
        .await?;
    Ok(row.map(|(Json(mapping), at)| (mapping, rfc3339(at))))
}

/// The file of an accepted import, for its report.
#[derive(sqlx_macros::FromRow)]
pub struct ImportedFile {
    pub file_name: String,
    pub columns: Json<Vec<String>>,
    /// The delimiter, if it is a text file.
    pub delimiter: Option<String>,
    /// Number of failed rows.
    pub failed: i64,
}

/// Returns the file of an accepted import.
pub async fn find_file(scope: &Scope, id: Uuid) -> Result<Option<ImportedFile>> {
    scope
        .sql(
            "SELECT file_name, columns, delimiter, failed FROM imports \
             WHERE corp_id = $1 AND import_id = $2 AND status <> 'receiving' AND deleted_at IS NULL",
        )
        .bind(id)
        .maybe()
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::features::listing::definitions::test_database;
    use crate::platform::db::Db;

    #[tokio::test]
    async fn the_undoings_of_imports_are_found_once_by_their_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        // PostgreSQL reads tables that are empty as a whole.
        if let Db::Sqlite { .. } = db {
            let plan = select_jobs(&scope).explain().await.unwrap();
            // Only the imports are found by their corporation alone.
            let is_whole = |line: &str| line.contains("PRIMARY KEY (corp_id=?)") && !line.starts_with("SEARCH i ");
            let by = "INDEX reverts_entry (corp_id=? AND history_id=?)";
            assert!(plan.contains(by) && !plan.lines().any(is_whole), "{plan}");
            assert_eq!(plan.matches("SEARCH r USING INDEX reverts_entry").count(), 1, "{plan}");
        }
        db.close().await;
    }
}
