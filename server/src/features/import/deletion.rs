//! Deletion of imports, by a user or because they are old. The contacts stay.

use super::store::{delete_in_steps, delete_parts, scope_of};
use crate::access::scope::Scope;
use crate::features::history::{self, Entry};
use crate::features::state::App;
use crate::platform::clock::HOUR;
use crate::platform::db::{Db, Result, Tx};
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::ResourceId;
use uuid::Uuid;

/// After this time, in microseconds, an incomplete upload is deleted.
const ABANDONED: i64 = HOUR;

/// Failed rows per DELETE.
const ROWS: i64 = 1_000;
/// Maximum number of imports whose stored data one run of [`sweep_old`] deletes. Incomplete uploads and empty rows are
/// not limited.
const SWEPT: i64 = 1_000;

/// Deletes a finished import of the tenant; returns `false` if no finished import has this id. The import is hidden at
/// once; [`purge`] deletes its stored data.
pub async fn delete(scope: &Scope, id: Uuid, now: i64) -> Result<bool> {
    let owned = scope.clone();
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                let Some(entry) = mark_deleted(tx, &owned, id, now).await? else { return Ok(false) };
                history::insert(tx, &owned, now, vec![entry]).await.map(|()| true)
            })
        })
        .await
}

/// As [`delete`], for an import that is too old: the entry in the history names the program, not a user.
async fn delete_old(scope: &Scope, id: Uuid, now: i64) -> Result<()> {
    let owned = scope.clone();
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                let Some(entry) = mark_deleted(tx, &owned, id, now).await? else { return Ok(()) };
                history::insert_by_system(tx, owned.corp(), now, vec![entry]).await
            })
        })
        .await
}

/// Marks a finished import as deleted, and returns the history entry of the deletion; `None` if no finished import has
/// this id.
async fn mark_deleted(tx: &mut Tx, scope: &Scope, id: Uuid, now: i64) -> Result<Option<Entry>> {
    let name = tx.sql("SELECT file_name FROM imports WHERE corp_id = $1 AND import_id = $2");
    let name: Option<String> = name.bind_all((scope.corp(), id)).maybe_value().await?;
    let deleted = tx
        .sql(
            "UPDATE imports SET deleted_at = $3, file_name = '', options = '{}', verdict = NULL, digest = NULL, \
             message = NULL, header_key = NULL, fingerprint = NULL, user_id = NULL, mapping = '[]', columns = '[]' \
             WHERE corp_id = $1 AND import_id = $2 AND status IN ('completed', 'failed') AND deleted_at IS NULL",
        )
        .bind_all((scope.corp(), id, now))
        .exec()
        .await?;
    let entry = |name: String| Entry::new(HistoryAction::Deleted, ResourceId::ContactsImports, id, &name, &[]);
    name.filter(|_| deleted == 1).map(entry).transpose()
}

/// Deletes what is left of a deleted import: its failed rows, its file if it still exists, and its own row unless a
/// contact refers to it.
pub async fn purge(scope: &Scope, id: Uuid) -> Result<()> {
    delete_parts(scope, id).await?;
    let delete = || {
        scope
            .sql(
                "DELETE FROM import_failures WHERE corp_id = $1 AND import_id = $2 AND row_number IN \
                 (SELECT row_number FROM import_failures WHERE corp_id = $1 AND import_id = $2 \
                 ORDER BY row_number LIMIT $3)",
            )
            .bind(id)
    };
    delete_in_steps(delete, ROWS).await?;
    scope
        .sql("UPDATE imports SET report_bytes = 0 WHERE corp_id = $1 AND import_id = $2 AND deleted_at IS NOT NULL")
        .bind(id)
        .exec()
        .await?;
    // The import's row is empty now, but stays while a contact refers to it.
    scope
        .sql(
            "DELETE FROM imports WHERE corp_id = $1 AND import_id = $2 AND deleted_at IS NOT NULL \
             AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.corp_id = $1 AND c.import_id = $2)",
        )
        .bind(id)
        .exec()
        .await?;
    Ok(())
}

/// Deletes imports that are older than the retention time, the stored data of deleted ones, abandoned uploads, and
/// files that a crash left behind.
pub async fn sweep(app: &App) -> Result<()> {
    let now = app.clock.now();
    // Both sweeps run, even if one of them fails.
    let files = sweep_files(&app.db, now).await;
    sweep_old(&app.db, now - app.feature_config.import.retention(), now).await.and(files)
}

/// Deletes the imports that finished before `ended`, purges deleted ones, and removes the rows of those that no contact
/// refers to any more.
async fn sweep_old(db: &Db, ended: i64, now: i64) -> Result<()> {
    let old: Vec<(Uuid, Uuid)> = db
        .sql(
            "SELECT corp_id, import_id FROM imports WHERE status IN ('completed', 'failed') \
             AND ((deleted_at IS NULL AND coalesce(ended_at, updated_at) < $1) \
             OR (deleted_at IS NOT NULL AND kept_bytes + report_bytes > 0)) ORDER BY import_id LIMIT $2",
        )
        .bind(ended)
        .bind(SWEPT)
        .all()
        .await?;
    for (corp, import) in old {
        let scope = scope_of(db, corp, None);
        delete_old(&scope, import, now).await?;
        purge(&scope, import).await?;
    }
    db.sql(
        "DELETE FROM imports WHERE deleted_at IS NOT NULL AND kept_bytes + report_bytes = 0 \
         AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.corp_id = imports.corp_id AND c.import_id = imports.import_id)",
    )
    .exec()
    .await?;
    Ok(())
}

/// Deletes incomplete uploads that were abandoned, and the files of finished imports that a crash left behind.
async fn sweep_files(db: &Db, now: i64) -> Result<()> {
    let swept: Vec<(Uuid, Uuid, bool)> = db
        .sql(
            "SELECT corp_id, import_id, status <> 'receiving' FROM imports \
             WHERE (status = 'receiving' AND updated_at < $1) OR (status IN ('completed', 'failed') AND EXISTS (SELECT 1 FROM import_parts p \
             WHERE p.corp_id = imports.corp_id AND p.import_id = imports.import_id))",
        )
        .bind(now - ABANDONED)
        .all()
        .await?;
    for (corp, import, is_finished) in swept {
        let scope = scope_of(db, corp, None);
        if is_finished { delete_parts(&scope, import).await? } else { delete_incomplete(&scope, import).await? }
    }
    Ok(())
}

/// Deletes an import and its parts after an incomplete upload, unless it was accepted meanwhile.
pub async fn delete_incomplete(scope: &Scope, id: Uuid) -> Result<()> {
    scope
        .sql("DELETE FROM imports WHERE corp_id = $1 AND import_id = $2 AND status = 'receiving'")
        .bind(id)
        .exec()
        .await?;
    Ok(())
}
