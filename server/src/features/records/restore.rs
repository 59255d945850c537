//! Takes records out of the trash: restores or purges them (docs/product.md 4.21).

use super::Entity;
use super::columns::push_ids;
use super::moved::{Given, pass_on};
use super::table::WholeRow;
use super::trash::{BATCH, Child, Chosen, Content, Encrypted, find, insert_entries, moved_details};
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

/// What becomes of records that are taken out of the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They are restored with what was deleted with them, as the newest of their list.
    Restored,
    /// They are restored by undoing their merge, which also changes the record that it kept.
    Separated,
    /// They are purged: only the history still has them.
    Purged,
}

impl Fate {
    fn action(self) -> HistoryAction {
        match self {
            Fate::Restored | Fate::Separated => HistoryAction::Restored,
            Fate::Purged => HistoryAction::Purged,
        }
    }
}

/// Takes records out of the trash, and adds that to the history. Returns their number.
pub async fn take<E: Entity>(scope: &Scope, now: i64, chosen: &Chosen, fate: Fate) -> ApiResult<u64> {
    let (mut tx, _) = scope.begin().await?;
    let count = take_in::<E>(&mut tx, scope, now, chosen, fate, None).await.map_err(E::write_error)?;
    tx.commit().await?;
    Ok(count)
}

/// As [`take`], inside a transaction. `batch` is the entry of the batch that does, if there is one.
pub async fn take_in<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    chosen: &Chosen,
    fate: Fate,
    batch: Option<Uuid>,
) -> Result<u64> {
    let resource = E::Resource::RESOURCE;
    writes::lock(tx, scope, E::LISTING, true).await?;
    let ids = find(tx, scope, resource, chosen).await?;
    let own_batch = (batch.is_none() && ids.len() > 1).then(Uuid::now_v7);
    if let Some(batch) = own_batch {
        history::insert(tx, scope, now, vec![Entry::of_batch(batch, fate.action(), resource, "")?]).await?;
    }
    let batch = batch.or(own_batch);
    let mut count = 0;
    for ids in ids.chunks(BATCH) {
        count += take_some::<E>(tx, scope, now, ids, fate, batch).await?;
    }
    Ok(count)
}

/// Takes records out of the trash, and adds that to the history, as a part of a batch if there is one. Returns their number: others
/// may have been purged meanwhile.
async fn take_some<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    ids: &[Uuid],
    fate: Fate,
    batch: Option<Uuid>,
) -> Result<u64> {
    let resource = E::Resource::RESOURCE;
    let sql = tx.sql("DELETE FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = push_ids(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
    let sql = sql.push(
        ") RETURNING record_id, label, batch_id, content, merged_into IS NOT NULL AS is_merged, \
        social_security, social_security_key",
    );
    let mut rows: Vec<TrashRow> = sql.all().await?;
    // In the order of their creation, in which a list numbers them.
    rows.sort_unstable_by_key(|row| row.record_id);
    let count = rows.len() as u64;
    let mut entries = Vec::new();
    for row in &rows {
        entries.push(Entry::new(fate.action(), resource, row.record_id, &row.label, &[])?);
    }
    if fate == Fate::Purged {
        // The oldest merge first: what others gave to a record is passed on to the next one, and from there.
        let mut merged: Vec<_> = rows.iter().filter(|row| row.is_merged).collect();
        merged.sort_by_key(|row| row.batch_id);
        for row in merged {
            if let Some(next) = from_json::<Content>(&row.content)?.moved {
                pass_on(tx, scope, resource, row.record_id, &next).await?;
            }
        }
        let purged: Vec<Uuid> = rows.iter().map(|row| row.record_id).collect();
        for files in E::FILES {
            files.purge(tx, scope.corp(), &purged).await?;
        }
    } else {
        let (linked, given) = put_back::<E>(tx, scope, now, rows, batch).await?;
        entries.extend(linked);
        for (kept, given) in given.into_iter().filter(|_| fate == Fate::Restored) {
            entries.extend(given.take_from::<E>(tx, scope, now, kept).await?);
        }
    }
    insert_entries(tx, scope, now, entries.into_iter().map(|entry| entry.in_batch(batch)).collect()).await?;
    Ok(count)
}

/// Restores the next records of a bulk deletion, at most `limit`, as a part of a batch whose entry exists. Returns their number, and
/// whether these were the last.
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
    let ids: Vec<(Uuid,)> = sql.push_arg(" ORDER BY record_id LIMIT ", i64::from(limit)).all().await?;
    let ids: Vec<Uuid> = ids.into_iter().map(|(id,)| id).collect();
    let is_last = ids.len() < limit as usize;
    if ids.is_empty() {
        return Ok((0, is_last));
    }
    Ok((take_some::<E>(tx, scope, now, &ids, Fate::Restored, Some(batch)).await?, is_last))
}

/// Inserts records with what was deleted with them. Returns the entries of the rows that are linked to them again, and what
/// records gave back that merges had kept.
async fn put_back<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    rows: Vec<TrashRow>,
    batch: Option<Uuid>,
) -> Result<(Vec<Entry>, BTreeMap<Uuid, Given>)> {
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
        let rows = children.remove(table.name).unwrap_or_default();
        for rows in rows.chunks(BATCH) {
            table.insert(tx, scope, None, rows.to_vec()).await?;
        }
    }
    let mut changed: Vec<Uuid> = links.iter().map(|(id, _)| *id).collect();
    let mut entries = Vec::new();
    for (id, mut linked) in links {
        for link in E::LINKS {
            let linked = linked.remove(link.table).unwrap_or_default();
            entries.extend(link.set(tx, scope, &linked, None, id).await?);
        }
    }
    // The newest merge first: a record that was merged on must be back before it gives back what others had given to it.
    moved.sort_by_key(|(_, merge, _)| Reverse(*merge));
    let mut given = BTreeMap::new();
    for (id, merge, mut moved) in moved {
        if let Some(merge) = merge {
            // What others of the same merge have given as well stays until they are restored, too.
            take_back_details(&mut moved.details, &moved_details(tx, scope, merge).await?);
        }
        entries.extend(moved.put_back::<E>(tx, scope, id, &mut given).await?);
    }
    changed.extend(given.keys());
    E::refresh(tx, scope, now, batch, &changed).await?;
    Ok((entries, given))
}
