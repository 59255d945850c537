//! The entries that a request adds to the histories of all tenants.

use super::rows::wait_for_jobs;
use crate::records::RECORDS;
use forecourt::features::Route;
use forecourt::platform::db::Db;
use uuid::Uuid;

/// An entry of a history that does not belong to a batch.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct Entry {
    pub corp_id: Uuid,
    pub actor_id: Uuid,
    pub actor_kind: String,
    pub action: String,
    pub resource_id: String,
    /// The entry's label, followed by its changes.
    pub text: String,
}

impl Entry {
    /// Returns whether this route may have added the entry. A route of a list of records adds only entries about it.
    pub fn may_be_added_by(&self, route: &Route) -> bool {
        let path = route.path.trim_start_matches("/api/");
        let (list, rest) = path.split_once('/').unwrap_or((path, ""));
        let is_of_list = RECORDS.iter().any(|record| record.list == list) && !rest.starts_with("import");
        !is_of_list || self.resource_id == list
    }
}

/// Returns the id of the newest entry of all histories, once no job has work left. The nil id if there is none.
pub async fn newest(db: &Db) -> Uuid {
    wait_for_jobs(db).await;
    let ids = db.sql("SELECT history_id FROM history ORDER BY history_id DESC LIMIT 1");
    ids.maybe_value().await.unwrap().unwrap_or_default()
}

/// Returns the entries that were added after the entry with this id, once no job has work left.
pub async fn after(db: &Db, entry: Uuid) -> Vec<Entry> {
    wait_for_jobs(db).await;
    let sql = "SELECT corp_id, actor_id, actor_kind, action, resource_id, label || changes AS text FROM history \
               WHERE batch_id IS NULL AND history_id > $1";
    db.sql(sql).bind(entry).all().await.unwrap()
}
