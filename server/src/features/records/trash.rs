//! Deletes records to the trash, and restores them (docs/product.md 4.21).

use super::columns::{Stored, push_ids};
use super::merge::Moved;
use super::table::{Table, WholeRow};
use super::{Entity, change};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::{self, Entry};
use crate::features::listing::writes;
use crate::platform::db::{Result, Sql, Tx, from_json, to_json};
use forecourt_core::history::{Change, ChangedValue, HistoryAction};
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::fold;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// Records per statement.
const BATCH: usize = 500;

/// Rows of another table that belong to a record, and are deleted with it.
pub struct Child {
    pub table: Table,
    /// The column with the row's own id.
    pub id: &'static str,
    /// The column with the record's id.
    pub record: &'static str,
    /// Maximum number of rows of a record.
    pub max: u32,
    /// The column with the text that users wrote.
    pub text: &'static str,
}

/// A link to a record from the rows of another table, which stay when it is deleted.
pub struct Link {
    pub resource: ResourceId,
    pub table: &'static str,
    pub id: &'static str,
    /// The column with the text by which users know the row.
    pub label: &'static str,
    /// The column with the record's id, which is also the name of the field.
    pub record: &'static str,
}

impl Link {
    /// Returns the entry for a row whose link was to one record, and is to another, of which either may be none.
    pub(super) fn entry(&self, row: Uuid, label: &str, before: Option<Uuid>, after: Option<Uuid>) -> Result<Entry> {
        let value = |record: Option<Uuid>| record.map(|id| ChangedValue::Text(id.to_string()));
        let change = Change { field: self.record.to_owned(), before: value(before), after: value(after) };
        Entry::new(HistoryAction::Updated, self.resource, row, label, &[change])
    }
}

/// The record's row, and what was deleted with it: rows and links by their tables.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Content {
    pub row: WholeRow,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub children: BTreeMap<String, Vec<WholeRow>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, Vec<Uuid>>,
    /// What a merge had moved to the record that it kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
}

/// An encrypted social security number and the id of its key. It is kept in columns, where a rotation of the keys finds it.
#[derive(Default, sqlx_macros::FromRow)]
struct Encrypted {
    social_security: Option<Vec<u8>>,
    social_security_key: Option<String>,
}

impl Encrypted {
    fn take(row: &mut WholeRow) -> Self {
        let (bytes, key) = (row.remove("social_security"), row.remove("social_security_key"));
        Encrypted {
            social_security: if let Some(Stored::Bytes(bytes)) = bytes { bytes } else { None },
            social_security_key: if let Some(Stored::Text(key)) = key { key } else { None },
        }
    }

    /// Puts it back. A table without these columns ignores it.
    fn put(self, row: &mut WholeRow) {
        row.insert("social_security", Stored::Bytes(self.social_security));
        row.insert("social_security_key", Stored::Text(self.social_security_key));
    }
}

/// Moves records with what belongs to them to the trash. `batch` is the entry of the bulk action that does, and `moved` is what a
/// merge moved from them before. Returns those that existed.
pub async fn discard<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    ids: &[Uuid],
    batch: Option<Uuid>,
    mut moved: HashMap<Uuid, Moved>,
) -> Result<Vec<E>> {
    writes::lock(tx, scope, E::LISTING, true).await?;
    let (mut contents, unlinked) = read::<E>(tx, scope, ids).await?;
    let sql = tx.sql("DELETE FROM ").push(E::TABLE.name).push_arg(" WHERE corp_id = ", scope.corp());
    let sql = push_ids(sql.push(" AND ").push(E::ID).push(" IN ("), ids).push(") RETURNING ").push(E::COLUMNS);
    let records = sql.all::<E::Row>().await?.into_iter().map(E::from_row).collect::<Result<Vec<E>>>()?;
    let rows = records.iter().map(|record| {
        let (id, label) = (change::id(record)?, change::label(record));
        let mut content = contents.remove(&id).unwrap_or_default();
        content.moved = moved.remove(&id);
        let encrypted = Encrypted::take(&mut content.row);
        Ok((id, label.to_owned(), to_json(&content)?, encrypted))
    });
    let rows = rows.collect::<Result<Vec<_>>>()?;
    if !rows.is_empty() {
        let sql = tx.sql(
            "INSERT INTO trash (corp_id, resource_id, record_id, label, label_key, deleted_at, deleted_by, batch_id, content, \
             social_security, social_security_key) VALUES ",
        );
        let sql = sql.tuples(rows, |sql, (id, label, content, encrypted)| {
            let sql = sql.arg(scope.corp()).next(E::Resource::RESOURCE.as_str()).next(id).next(label.clone());
            let sql = sql.next(fold(&label)).next(now).next(scope.user()).next(batch).next(content);
            sql.next(encrypted.social_security).next(encrypted.social_security_key)
        });
        sql.exec().await?;
    }
    insert_entries(tx, scope, now, unlinked.into_iter().map(|entry| entry.in_batch(batch)).collect()).await?;
    Ok(records)
}

/// Adds entries of any number.
pub(super) async fn insert_entries(tx: &mut Tx, scope: &Scope, now: i64, entries: Vec<Entry>) -> Result<()> {
    let mut entries = entries.into_iter();
    loop {
        let some: Vec<_> = entries.by_ref().take(BATCH).collect();
        if some.is_empty() {
            return Ok(());
        }
        history::insert(tx, scope, now, some).await?;
    }
}

/// Returns what the trash keeps of records, by their ids, and the entries of the rows that lose their link.
async fn read<E: Entity>(tx: &mut Tx, scope: &Scope, ids: &[Uuid]) -> Result<(HashMap<Uuid, Content>, Vec<Entry>)> {
    let (mut contents, mut unlinked) = (HashMap::new(), Vec::new());
    for row in E::TABLE.select(tx, scope, E::ID, ids).await? {
        if let Some(id) = row.id(E::ID) {
            contents.insert(id, Content { row, ..Content::default() });
        }
    }
    for Child { table, record, .. } in E::CHILDREN {
        for row in table.select(tx, scope, record, ids).await? {
            if let Some(content) = row.id(record).and_then(|id| contents.get_mut(&id)) {
                content.children.entry(table.name.to_owned()).or_default().push(row);
            }
        }
    }
    for link in E::LINKS {
        let sql = tx.sql("SELECT ").push(link.record).push(", ").push(link.id).push(", ").push(link.label);
        let sql = sql.push(" FROM ").push(link.table).push_arg(" WHERE corp_id = ", scope.corp());
        let sql = push_ids(sql.push(" AND ").push(link.record).push(" IN ("), ids).push(")");
        for (record, linked, label) in sql.all::<(Uuid, Uuid, String)>().await? {
            if let Some(content) = contents.get_mut(&record) {
                content.links.entry(link.table.to_owned()).or_default().push(linked);
                unlinked.push(link.entry(linked, &label, Some(record), None)?);
            }
        }
    }
    Ok((contents, unlinked))
}

/// Records in the trash: those with these ids, or all of a bulk deletion.
pub enum Chosen {
    Ids(Vec<Uuid>),
    Batch(Uuid),
}

#[derive(sqlx_macros::FromRow)]
struct TrashRow {
    record_id: Uuid,
    label: String,
    content: String,
    #[sqlx(flatten)]
    encrypted: Encrypted,
}

/// What becomes of records that are taken out of the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They are restored with what was deleted with them, as the newest of their list.
    Restored,
    /// They are deleted finally.
    Purged,
}

impl Fate {
    fn action(self) -> HistoryAction {
        match self {
            Fate::Restored => HistoryAction::Restored,
            Fate::Purged => HistoryAction::Purged,
        }
    }
}

/// Takes records out of the trash, and adds that to the history. Returns their number.
pub async fn take<E: Entity>(scope: &Scope, now: i64, chosen: &Chosen, fate: Fate) -> Result<u64> {
    let (mut tx, _) = scope.begin().await?;
    let count = take_in::<E>(&mut tx, scope, now, chosen, fate, None).await?;
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
    for ids in ids.chunks(BATCH) {
        take_some::<E>(tx, scope, now, ids, fate, batch).await?;
    }
    Ok(ids.len() as u64)
}

/// Takes records out of the trash, and adds that to the history, as a part of a batch if there is one.
async fn take_some<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    ids: &[Uuid],
    fate: Fate,
    batch: Option<Uuid>,
) -> Result<()> {
    let resource = E::Resource::RESOURCE;
    let sql = tx.sql("DELETE FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = push_ids(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
    let sql = sql.push(") RETURNING record_id, label, content, social_security, social_security_key");
    let mut rows: Vec<TrashRow> = sql.all().await?;
    // In the order of their creation, in which a list numbers them.
    rows.sort_unstable_by_key(|row| row.record_id);
    let mut entries = Vec::new();
    for row in &rows {
        entries.push(Entry::new(fate.action(), resource, row.record_id, &row.label, &[])?.in_batch(batch));
    }
    if fate == Fate::Restored {
        let linked = put_back::<E>(tx, scope, rows).await?;
        entries.extend(linked.into_iter().map(|entry| entry.in_batch(batch)));
    }
    insert_entries(tx, scope, now, entries).await
}

/// Restores the next records of a bulk deletion, at most `limit`, as a part of a batch whose entry exists. Returns their number.
pub async fn restore_next<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    deletion: Uuid,
    limit: u32,
    batch: Uuid,
) -> Result<u64> {
    let sql = tx.sql("SELECT record_id FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql =
        sql.push_arg(" AND batch_id = ", deletion).push_arg(" AND resource_id = ", E::Resource::RESOURCE.as_str());
    let ids: Vec<(Uuid,)> = sql.push_arg(" ORDER BY record_id LIMIT ", i64::from(limit)).all().await?;
    let ids: Vec<Uuid> = ids.into_iter().map(|(id,)| id).collect();
    if !ids.is_empty() {
        take_some::<E>(tx, scope, now, &ids, Fate::Restored, Some(batch)).await?;
    }
    Ok(ids.len() as u64)
}

/// Appends the condition for the chosen records of a resource.
fn push_chosen<'e>(sql: Sql<'e>, scope: &Scope, resource: ResourceId, chosen: &Chosen) -> Sql<'e> {
    let sql =
        sql.push_arg(" FROM trash WHERE corp_id = ", scope.corp()).push_arg(" AND resource_id = ", resource.as_str());
    match chosen {
        Chosen::Ids(ids) => push_ids(sql.push(" AND record_id IN ("), ids).push(")"),
        Chosen::Batch(batch) => sql.push_arg(" AND batch_id = ", *batch),
    }
}

/// Returns how many of the chosen records are in the trash.
pub async fn count(sql: Sql<'_>, scope: &Scope, resource: ResourceId, chosen: &Chosen) -> Result<u64> {
    let sql = push_chosen(sql.push("SELECT count(*)"), scope, resource, chosen);
    Ok(sql.value::<i64>().await?.unsigned_abs())
}

/// Returns the other details that a merge moved to the record that it kept, if the records with this batch are still in the trash.
pub async fn moved_details(tx: &mut Tx, scope: &Scope, batch: Uuid) -> Result<BTreeMap<String, String>> {
    let sql = tx.sql("SELECT content FROM trash WHERE corp_id = ").arg(scope.corp());
    let mut details = BTreeMap::new();
    for (content,) in sql.push_arg(" AND batch_id = ", batch).all::<(String,)>().await? {
        details.extend(from_json::<Content>(&content)?.moved.unwrap_or_default().details);
    }
    Ok(details)
}

/// Returns the ids of the chosen records that are in the trash, in the order of their creation.
async fn find(tx: &mut Tx, scope: &Scope, resource: ResourceId, chosen: &Chosen) -> Result<Vec<Uuid>> {
    let chosen = match chosen {
        Chosen::Ids(ids) => ids.chunks(BATCH).map(|ids| Chosen::Ids(ids.to_vec())).collect(),
        Chosen::Batch(batch) => vec![Chosen::Batch(*batch)],
    };
    let mut found = Vec::new();
    for chosen in &chosen {
        let sql = push_chosen(tx.sql("SELECT record_id"), scope, resource, chosen);
        found.extend(sql.all::<(Uuid,)>().await?);
    }
    let mut ids: Vec<Uuid> = found.into_iter().map(|(id,)| id).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// Inserts records with what was deleted with them. Returns the entries of the rows that are linked to them again.
async fn put_back<E: Entity>(tx: &mut Tx, scope: &Scope, rows: Vec<TrashRow>) -> Result<Vec<Entry>> {
    let mut records = Vec::new();
    let mut children: BTreeMap<String, Vec<WholeRow>> = BTreeMap::new();
    let (mut links, mut moved) = (Vec::new(), Vec::new());
    for TrashRow { record_id, content, encrypted, .. } in rows {
        let mut content: Content = from_json(&content)?;
        encrypted.put(&mut content.row);
        records.push(content.row);
        for (table, rows) in content.children {
            children.entry(table).or_default().extend(rows);
        }
        links.push((record_id, content.links));
        moved.extend(content.moved.map(|moved| (record_id, moved)));
    }
    E::TABLE.insert(tx, scope, Some(writes::UNNUMBERED), records).await?;
    for Child { table, .. } in E::CHILDREN {
        let rows = children.remove(table.name).unwrap_or_default();
        for rows in rows.chunks(BATCH) {
            table.insert(tx, scope, None, rows.to_vec()).await?;
        }
    }
    let mut entries = Vec::new();
    for (id, moved) in moved {
        entries.extend(moved.put_back::<E>(tx, scope, id).await?);
    }
    for (id, mut linked) in links {
        for link in E::LINKS {
            for ids in linked.remove(link.table).unwrap_or_default().chunks(BATCH) {
                let sql = tx.sql("UPDATE ").push(link.table).push(" SET ").push(link.record).push_arg(" = ", id);
                let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(link.record);
                let sql = sql.push(" IS NULL AND ").push(link.id).push(" IN (");
                let sql = push_ids(sql, ids).push(") RETURNING ").push(link.id).push(", ").push(link.label);
                for (row, label) in sql.all::<(Uuid, String)>().await? {
                    entries.push(link.entry(row, &label, None, Some(id))?);
                }
            }
        }
    }
    Ok(entries)
}
