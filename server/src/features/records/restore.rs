//! Takes records out of the trash: restores or purges them (docs/product.md 4.21).

use super::Entity;
use super::columns::push_id_list;
use super::moved::{GivenBack, PurgedMerge, redirect_merges};
use super::table::{BATCH, WholeRow};
use super::trash::{
    Child, Content, Encrypted, TrashSelection, check_bound, check_merged, find, insert_entries, moved_details,
};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::{self, Entry};
use crate::features::listing::writes;
use crate::platform::db::{Result, Tx, from_json};
use crate::platform::error::ApiResult;
use forecourt_core::duplicates::take_back_details;
use forecourt_core::history::HistoryAction;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Records that are purged per transaction if they have files: others do not wait long for SQLite's writer. The largest
/// vehicles have 30 photos each.
pub const PURGED_WITH_FILES: usize = 10;

#[derive(sqlx_macros::FromRow)]
struct TrashRow {
    record_id: Uuid,
    label: String,
    batch_id: Option<Uuid>,
    content: String,
    is_merged: bool,
    #[sqlx(flatten)]
    encrypted: Encrypted,
}

/// What happens to records that are taken out of the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// They are restored with what was deleted with them, as the newest of their list.
    Restored,
    /// They are restored by undoing the merge that deleted them. The caller changes the record that the merge kept.
    Unmerged,
    /// They are purged: only the history still has them.
    Purged,
}

impl Removal {
    fn action(self) -> HistoryAction {
        match self {
            Removal::Restored | Removal::Unmerged => HistoryAction::Restored,
            Removal::Purged => HistoryAction::Purged,
        }
    }
}

/// Takes records out of the trash, and adds that to the history. Returns their number.
///
/// # Errors
/// 403 if a record to restore was merged into another one, which restoring changes too, and the user may not update
/// records; 409 if a record to purge is bound.
pub async fn take_from_trash<E: Entity>(
    scope: &Scope,
    now: i64,
    chosen: &TrashSelection,
    removal: Removal,
) -> ApiResult<u64> {
    if removal == Removal::Purged && !E::FILES.is_empty() {
        return purge_in_steps::<E>(scope, now, chosen).await;
    }
    let (mut tx, rights) = scope.begin().await?;
    writes::lock(&mut tx, scope, E::LISTING, true).await?;
    let resource = E::Resource::RESOURCE;
    match removal {
        Removal::Restored => check_merged(Some(&mut tx), scope, &rights.access, resource, chosen).await?,
        Removal::Purged => check_bound(&mut tx, scope, resource, chosen).await?,
        Removal::Unmerged => {}
    }
    let count = take_from_trash_in::<E>(&mut tx, scope, now, chosen, removal, None).await.map_err(E::write_error)?;
    tx.commit().await?;
    Ok(count)
}

/// Purges records with files, some in each transaction. If one fails, those before it stay purged. Returns the number
/// of purged records.
async fn purge_in_steps<E: Entity>(scope: &Scope, now: i64, chosen: &TrashSelection) -> ApiResult<u64> {
    let resource = E::Resource::RESOURCE;
    let (mut tx, _) = scope.begin().await?;
    check_bound(&mut tx, scope, resource, chosen).await?;
    let ids = find(&mut tx, scope, resource, chosen).await?;
    tx.commit().await?;
    let (batch, mut count) = ((ids.len() > 1).then(Uuid::now_v7), 0);
    for (step, ids) in ids.chunks(PURGED_WITH_FILES).enumerate() {
        let (mut tx, _) = scope.begin().await?;
        writes::lock(&mut tx, scope, E::LISTING, true).await?;
        if let Some(batch) = batch.filter(|_| step == 0) {
            history::insert(&mut tx, scope, now, vec![Entry::of_batch(batch, HistoryAction::Purged, resource, "")?])
                .await?;
        }
        count += take_batch_from_trash::<E>(&mut tx, scope, now, ids, Removal::Purged, batch).await?;
        tx.commit().await?;
    }
    Ok(count)
}

/// As [`take_from_trash`], inside a transaction that has locked the list. `batch` is the history entry of the batch that
/// this is part of; without one, several records become a batch of their own.
pub async fn take_from_trash_in<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    chosen: &TrashSelection,
    removal: Removal,
    batch: Option<Uuid>,
) -> Result<u64> {
    let resource = E::Resource::RESOURCE;
    let ids = find(tx, scope, resource, chosen).await?;
    let own_batch = (batch.is_none() && ids.len() > 1).then(Uuid::now_v7);
    if let Some(batch) = own_batch {
        history::insert(tx, scope, now, vec![Entry::of_batch(batch, removal.action(), resource, "")?]).await?;
    }
    let batch = batch.or(own_batch);
    let mut count = 0;
    for ids in ids.chunks(BATCH) {
        count += take_batch_from_trash::<E>(tx, scope, now, ids, removal, batch).await?;
    }
    Ok(count)
}

/// Takes records out of the trash, and adds that to the history, as part of a batch if one is given. Returns their
/// number, which is smaller than that of `ids` if some were purged meanwhile.
async fn take_batch_from_trash<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    ids: &[Uuid],
    removal: Removal,
    batch: Option<Uuid>,
) -> Result<u64> {
    let resource = E::Resource::RESOURCE;
    let sql = tx.sql("DELETE FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = push_id_list(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
    let sql = sql.push(
        ") RETURNING record_id, label, batch_id, content, merged_into IS NOT NULL AS is_merged, \
        social_security, social_security_key",
    );
    let mut rows: Vec<TrashRow> = sql.all().await?;
    // In the order of their creation, because restored records are numbered in this order.
    rows.sort_unstable_by_key(|row| row.record_id);
    let count = rows.len() as u64;
    let mut entries = Vec::new();
    for row in &rows {
        entries.push(Entry::new(removal.action(), resource, row.record_id, &row.label, &[])?);
    }
    if removal == Removal::Purged {
        let merged = rows.iter().filter(|row| row.is_merged).map(|row| PurgedMerge {
            scope: scope.clone(),
            resource,
            record: row.record_id,
            merge: row.batch_id,
            content: row.content.clone(),
        });
        redirect_merges(tx, merged.collect()).await?;
        let purged: Vec<Uuid> = rows.iter().map(|row| row.record_id).collect();
        for files in E::FILES {
            files.purge(tx, scope.corp(), &purged).await?;
        }
    } else {
        let (linked, given) = insert_restored::<E>(tx, scope, now, rows, batch).await?;
        entries.extend(linked);
        for (kept, given) in given.into_iter().filter(|_| removal == Removal::Restored) {
            entries.extend(given.take_details_from::<E>(tx, scope, now, kept).await?);
        }
    }
    insert_entries(tx, scope, now, entries.into_iter().map(|entry| entry.in_batch(batch)).collect()).await?;
    Ok(count)
}

/// Restores the next records of a bulk deletion, at most `limit`, as part of a batch whose entry exists. Returns their
/// number, and whether they were fewer than `limit`, so that none is left.
pub async fn restore_next<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    deletion: Uuid,
    limit: u32,
    batch: Uuid,
) -> Result<(u64, bool)> {
    let sql = tx.sql("SELECT record_id FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql =
        sql.push_arg(" AND batch_id = ", deletion).push_arg(" AND resource_id = ", E::Resource::RESOURCE.as_str());
    let ids: Vec<Uuid> = sql.push_arg(" ORDER BY record_id LIMIT ", i64::from(limit)).values().await?;
    let is_last = ids.len() < limit as usize;
    if ids.is_empty() {
        return Ok((0, is_last));
    }
    Ok((take_batch_from_trash::<E>(tx, scope, now, &ids, Removal::Restored, Some(batch)).await?, is_last))
}

/// Inserts records with what was deleted with them. Returns the history entries of the rows that are linked to them
/// again and, for each record that a merge kept, what it gives back.
async fn insert_restored<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    rows: Vec<TrashRow>,
    batch: Option<Uuid>,
) -> Result<(Vec<Entry>, BTreeMap<Uuid, GivenBack>)> {
    let mut records = Vec::new();
    let mut children: BTreeMap<String, Vec<WholeRow>> = BTreeMap::new();
    let (mut links, mut moved) = (Vec::new(), Vec::new());
    for TrashRow { record_id, batch_id, content, encrypted, .. } in rows {
        let mut content: Content = from_json(&content)?;
        encrypted.put(&mut content.row);
        records.push(content.row);
        for (table, rows) in content.children {
            children.entry(table).or_default().extend(rows);
        }
        links.push((record_id, content.links));
        moved.extend(content.moved.map(|moved| (record_id, batch_id, moved)));
    }
    let (count, first) = (records.len(), writes::reserve(tx, scope, E::LISTING, records.len()).await?);
    E::TABLE.insert(tx, scope, Some(first), records).await?;
    writes::add_to_totals(tx, scope, E::LISTING, first, count as u64).await?;
    for Child { table, .. } in E::CHILDREN {
        table.insert(tx, scope, None, children.remove(table.name).unwrap_or_default()).await?;
    }
    let mut changed: Vec<Uuid> = links.iter().map(|(id, _)| *id).collect();
    let mut entries = Vec::new();
    for (id, mut linked) in links {
        for link in E::LINKS {
            let linked = linked.remove(link.table).unwrap_or_default();
            entries.extend(link.relink(tx, scope, &linked, None, id).await?);
        }
    }
    // The newest merge first: a record that was merged into another one must be restored before it can give back what
    // was merged into it.
    moved.sort_by_key(|(_, merge, _)| Reverse(*merge));
    let mut given = BTreeMap::new();
    for (id, merge, mut moved) in moved {
        if let Some(merge) = merge {
            // Details that were also moved from other records of the same merge stay with the kept record until those
            // are restored.
            take_back_details(&mut moved.details, &moved_details(tx, scope, merge).await?);
        }
        entries.extend(moved.move_back::<E>(tx, scope, id, &mut given).await?);
    }
    changed.extend(given.keys());
    E::refresh(tx, scope, now, batch, &changed).await?;
    Ok((entries, given))
}
