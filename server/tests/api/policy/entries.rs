//! Entries of all histories.

use super::rows::wait_for_jobs;
use forecourt::platform::db::Db;
use uuid::Uuid;

/// An entry that is not one of a batch.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct Entry {
    pub corp_id: Uuid,
    pub actor_id: Uuid,
    pub actor_kind: String,
    pub resource_id: String,
    /// The label and the changes.
    pub text: String,
}

/// Returns the id of the newest entry.
pub async fn newest(db: &Db) -> Uuid {
    wait_for_jobs(db).await;
    let ids = db.sql("SELECT history_id FROM history ORDER BY history_id DESC LIMIT 1");
    ids.maybe_value().await.unwrap().unwrap_or_default()
}

/// Returns the entries that were added after this one, once no job has work left.
pub async fn after(db: &Db, entry: Uuid) -> Vec<Entry> {
    wait_for_jobs(db).await;
    let sql = "SELECT corp_id, actor_id, actor_kind, resource_id, label || changes AS text FROM history \
               WHERE batch_id IS NULL AND history_id > $1";
    db.sql(sql).bind(entry).all().await.unwrap()
}
