//! Erases old values in the history (docs/product.md 4.20). The entries stay, and their hash chain stays valid.

use super::chain;
use super::erasure::{COLUMNS, Row};
use crate::features::state::App;
use crate::platform::clock::months_before;
use crate::platform::db::{Db, Result};
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{is_email_in_history, is_link_in_history};
use uuid::Uuid;

/// Maximum number of entries that one transaction prunes.
const BATCH: i64 = 500;
/// Maximum number of transactions of a corporation per sweep, because other jobs wait for the end of the sweep.
const BATCHES: usize = 100;

#[derive(sqlx_macros::FromRow)]
struct ChainedRow {
    position: i64,
    at: i64,
    action: String,
    resource_id: String,
    #[sqlx(flatten)]
    row: Row,
}

/// Erases the values in all entries that are older than `FORECOURT_HISTORY_MONTHS`.
pub async fn sweep(app: &App) -> Result<()> {
    let Some(months) = app.feature_config.history.history_months else { return Ok(()) };
    let before = months_before(app.clock.now(), months);
    let sql = app.db.sql("SELECT c.corp_id FROM corporations c JOIN history h").indexed_by("history_chain");
    let sql =
        sql.push(" ON h.corp_id = c.corp_id AND h.position = c.history_pruned + 1").push_arg(" WHERE h.at < ", before);
    let corporations = sql.values().await?;
    chain::repeat_for_each(&app.db, corporations, BATCHES, |db, corp| async move { prune(&db, corp, before).await })
        .await
}

/// Erases the values in the oldest entries that still have them and were written before `before`, at most [`BATCH`].
/// Returns whether there may be more.
async fn prune(db: &Db, corp: Uuid, before: i64) -> Result<bool> {
    let mut tx = db.begin().await?;
    // Locks the row first, as the deletion of a corporation does: the other order could end in a deadlock.
    let sql = tx.sql("SELECT history_pruned FROM corporations WHERE corp_id = ").arg(corp);
    let Some(pruned) = sql.push(db.pick("", " FOR NO KEY UPDATE")).maybe_value::<i64>().await? else {
        return Ok(false);
    };
    chain::lock(&mut tx, corp).await?;
    let sql = tx.sql("SELECT position, at, action, resource_id, ").push(COLUMNS).push(" FROM history");
    let sql = sql.indexed_by("history_chain").push_arg(" WHERE corp_id = ", corp);
    let sql = sql.push_arg(" AND position > ", pruned).push_arg(" ORDER BY position LIMIT ", BATCH);
    let rows: Vec<ChainedRow> = sql.all().await?;
    let (mut count, mut last) = (0, pruned);
    for ChainedRow { position, action, resource_id, row, .. } in rows.into_iter().take_while(|entry| entry.at < before)
    {
        (count, last) = (count + 1, position);
        // Links and the addresses of deleted records are kept, because an erasure finds by them what belongs to a person.
        let resource = ResourceId::parse(&resource_id);
        let is_deletion = action == HistoryAction::Deleted.as_str();
        let is_kept = |field: &str| {
            let is_address = |resource| is_deletion && is_email_in_history(resource, field);
            resource.is_some_and(|resource| is_address(resource) || is_link_in_history(resource, field))
        };
        if let Some(row) = row.erase(false, |field, _| !is_kept(field))? {
            row.save(&mut tx, corp).await?;
        }
    }
    let sql = tx.sql("UPDATE corporations SET history_pruned = ").arg(last).push_arg(" WHERE corp_id = ", corp);
    sql.exec().await?;
    tx.commit().await?;
    Ok(count == BATCH)
}
