//! The trash: what it keeps of records, and how they get there (docs/product.md 4.21).

use super::Entity;
use super::columns::{Stored, push_id_list};
use super::identity;
use super::table::{BATCH, Table, WholeRow};
use crate::access::scope::{ResourceType, Scope};
use crate::features::binding::push_is_bound;
use crate::features::history::{self, Entry};
use crate::platform::db::{Result, Sql, Tx, from_json, to_json};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::duplicates::Details;
use forecourt_core::history::{Change, ChangedValue, HistoryAction};
use forecourt_core::permissions::{Access, Action, ResourceId, may};
use forecourt_core::text::fold;
use forecourt_core::trash::text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// Rows of another table that belong to a record, and are deleted with it.
pub struct Child {
    pub table: Table,
    /// The column with the row's own id.
    pub id: &'static str,
    /// The column with the record's id.
    pub record: &'static str,
    /// Maximum number of these rows that one record may have.
    pub max: u32,
    /// The column with the text that users wrote.
    pub text: &'static str,
}

/// Links to records from the rows of another table. The rows stay when their record is deleted, without the link.
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
    /// Returns the links from records of another kind, which have the id of the linked record in this column.
    pub const fn of<E: Entity>(record: &'static str) -> Self {
        Link { resource: E::Resource::RESOURCE, table: E::TABLE.name, id: E::ID, label: E::LABEL, record }
    }

    /// Returns the history entry of a row whose link to the record `before` becomes a link to the record `after`;
    /// either may be `None`.
    pub(super) fn entry(&self, row: Uuid, label: &str, before: Option<Uuid>, after: Option<Uuid>) -> Result<Entry> {
        let value = |record: Option<Uuid>| record.map(|id| ChangedValue::Text(id.to_string()));
        let change = Change { field: self.record.to_owned(), before: value(before), after: value(after) };
        Entry::new(HistoryAction::Updated, self.resource, row, label, &[change])
    }

    /// Links those of `rows` to the record `after` that are linked to `before` (`None`: to no record). Returns their
    /// history entries.
    pub(super) async fn relink(
        &self,
        tx: &mut Tx,
        scope: &Scope,
        rows: &[Uuid],
        before: Option<Uuid>,
        after: Uuid,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        // In batches, because all ids at once would be too many values for a statement.
        for ids in rows.chunks(BATCH) {
            let sql = tx.sql("UPDATE ").push(self.table).push(" SET ").push(self.record).push_arg(" = ", after);
            let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(self.record);
            let sql = match before {
                Some(before) => sql.push_arg(" = ", before),
                None => sql.push(" IS NULL"),
            };
            let sql = push_id_list(sql.push(" AND ").push(self.id).push(" IN ("), ids);
            let sql = sql.push(") RETURNING ").push(self.id).push(", ").push(self.label);
            for (row, label) in sql.all::<(Uuid, String)>().await? {
                entries.push(self.entry(row, &label, before, Some(after))?);
            }
        }
        Ok(entries)
    }
}

/// A table with files of records. While a record is in the trash, its files stay in this table.
pub struct Files {
    pub table: &'static str,
    /// The column with the record's id.
    pub record: &'static str,
}

impl Files {
    /// Deletes the files of a corporation's records that are purged.
    pub async fn purge(&self, tx: &mut Tx, corp: Uuid, records: &[Uuid]) -> Result<()> {
        for ids in records.chunks(BATCH) {
            let sql = tx.sql("DELETE FROM ").push(self.table).push_arg(" WHERE corp_id = ", corp);
            push_id_list(sql.push(" AND ").push(self.record).push(" IN ("), ids).push(")").exec().await?;
        }
        Ok(())
    }
}

/// What the trash keeps of a record: its row, and what was deleted with it, as rows and links by their tables.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Content {
    pub row: WholeRow,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub children: BTreeMap<String, Vec<WholeRow>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, Vec<Uuid>>,
    /// What a merge had moved from the record to the one that it kept, if a merge deleted the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<MovedByMerge>,
}

/// What a merge moved from a record to the one that it kept (`to`): the ids of the rows by their tables, and other
/// details.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MovedByMerge {
    pub(super) to: Uuid,
    pub(super) rows: BTreeMap<String, Vec<Uuid>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: Details,
}

impl MovedByMerge {
    /// Returns the ids of the rows of this table that the merge moved.
    pub fn rows(&self, table: &str) -> &[Uuid] {
        self.rows.get(table).map_or(&[], Vec::as_slice)
    }
}

/// An encrypted social security number and the id of its key. The trash keeps it in columns of its own, where a
/// rotation of the keys finds it.
#[derive(Default, sqlx_macros::FromRow)]
pub(super) struct Encrypted {
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

    /// Puts the encrypted number back into the record's row. Tables without these columns ignore it.
    pub(super) fn put(self, row: &mut WholeRow) {
        row.insert("social_security", Stored::Bytes(self.social_security));
        row.insert("social_security_key", Stored::Text(self.social_security_key));
    }
}

/// Moves records with what belongs to them to the trash. The transaction must have locked all lists. `batch` is the
/// history entry of the bulk action that deletes them, if any, and `moved` is what a merge moved from each of them
/// before. Adds the history entries of rows that lose their link, but not those of the deletions. Returns the records
/// that existed.
pub async fn discard<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    ids: &[Uuid],
    batch: Option<Uuid>,
    mut moved: HashMap<Uuid, MovedByMerge>,
) -> Result<Vec<E>> {
    let (mut contents, unlinked) = read::<E>(tx, scope, ids).await?;
    let sql = tx.sql("DELETE FROM ").push(E::TABLE.name).push_arg(" WHERE corp_id = ", scope.corp());
    let sql = push_id_list(sql.push(" AND ").push(E::ID).push(" IN ("), ids).push(") RETURNING ").push(E::COLUMNS);
    let records = sql.all::<E::Row>().await?.into_iter().map(E::from_row).collect::<Result<Vec<E>>>()?;
    let rows = records.iter().map(|record| {
        let (id, label) = (identity::id(record)?, identity::label(record));
        let mut content = contents.remove(&id).unwrap_or_default();
        content.moved = moved.remove(&id);
        let encrypted = Encrypted::take(&mut content.row);
        let merged_into = content.moved.as_ref().map(|moved| moved.to);
        Ok((id, label.to_owned(), to_json(&content)?, merged_into, encrypted))
    });
    let rows = rows.collect::<Result<Vec<_>>>()?;
    if !rows.is_empty() {
        let sql = tx.sql(
            "INSERT INTO trash (corp_id, resource_id, record_id, label, label_key, deleted_at, deleted_by, batch_id, content, \
             merged_into, social_security, social_security_key) VALUES ",
        );
        let sql = sql.tuples(rows, |sql, (id, label, content, merged_into, encrypted)| {
            let sql = sql.arg(scope.corp()).comma(E::Resource::RESOURCE.as_str()).comma(id).comma(label.clone());
            let sql = sql.comma(fold(&label)).comma(now).comma(scope.user()).comma(batch).comma(content);
            sql.comma(merged_into).comma(encrypted.social_security).comma(encrypted.social_security_key)
        });
        sql.exec().await?;
    }
    insert_entries(tx, scope, now, unlinked.into_iter().map(|entry| entry.in_batch(batch)).collect()).await?;
    Ok(records)
}

/// Adds any number of history entries, at most [`BATCH`] per statement.
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

/// Returns what the trash is to keep of records, by their ids, and the history entries of the rows that lose their
/// link.
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
        let sql = push_id_list(sql.push(" AND ").push(link.record).push(" IN ("), ids).push(")");
        for (record, linked, label) in sql.all::<(Uuid, Uuid, String)>().await? {
            if let Some(content) = contents.get_mut(&record) {
                content.links.entry(link.table.to_owned()).or_default().push(linked);
                unlinked.push(link.entry(linked, &label, Some(record), None)?);
            }
        }
    }
    Ok((contents, unlinked))
}

/// A choice of records in the trash: those with these ids, or all that were deleted by the batch with this entry.
pub enum TrashSelection {
    Ids(Vec<Uuid>),
    Batch(Uuid),
}

/// Returns what the trash keeps of a record, if it is there.
pub async fn content(tx: &mut Tx, scope: &Scope, resource: ResourceId, record: Uuid) -> Result<Option<Content>> {
    let sql = push_selection(tx.sql("SELECT content"), scope, resource, &TrashSelection::Ids(vec![record]));
    let content = sql.maybe_value::<String>().await?;
    content.map(|content| from_json(&content)).transpose()
}

pub async fn set_content(
    tx: &mut Tx,
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    content: &Content,
) -> Result<()> {
    let sql = tx.sql("UPDATE trash SET content = ").arg(to_json(content)?);
    let sql = sql.push_arg(", merged_into = ", content.moved.as_ref().map(|moved| moved.to));
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp());
    let sql = sql.push_arg(" AND resource_id = ", resource.as_str()).push_arg(" AND record_id = ", record);
    sql.exec().await.map(|_| ())
}

/// Returns the ids of the records in the trash that were merged into `record`, which may itself be in the trash or
/// purged.
pub async fn records_merged_into(tx: &mut Tx, scope: &Scope, resource: ResourceId, record: Uuid) -> Result<Vec<Uuid>> {
    let sql = tx.sql("SELECT record_id FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push_arg(" AND merged_into = ", record).push_arg(" AND resource_id = ", resource.as_str());
    sql.values().await
}

/// Appends the condition for the chosen records `t` of a resource.
fn push_selection<'e>(sql: Sql<'e>, scope: &Scope, resource: ResourceId, chosen: &TrashSelection) -> Sql<'e> {
    let sql =
        sql.push_arg(" FROM trash t WHERE corp_id = ", scope.corp()).push_arg(" AND resource_id = ", resource.as_str());
    match chosen {
        TrashSelection::Ids(ids) => push_id_list(sql.push(" AND record_id IN ("), ids).push(")"),
        TrashSelection::Batch(batch) => sql.push_arg(" AND batch_id = ", *batch),
    }
}

/// Fails with 403 if one of the chosen records was merged into another one, which restoring it changes too, and the user
/// may not update records. Reads inside the transaction if one is given.
pub async fn check_merged(
    tx: Option<&mut Tx>,
    scope: &Scope,
    access: &Access,
    resource: ResourceId,
    chosen: &TrashSelection,
) -> ApiResult<()> {
    if may(access, resource, Action::Update) {
        return Ok(());
    }
    let sql = push_selection(scope.sql_in(tx, "SELECT 1"), scope, resource, chosen);
    match sql.push(" AND merged_into IS NOT NULL LIMIT 1").exists().await? {
        true => Err(ApiError::PermissionDenied),
        false => Ok(()),
    }
}

/// Fails with 409 if one of the chosen records in the trash is bound.
pub(super) async fn check_bound(
    tx: &mut Tx,
    scope: &Scope,
    resource: ResourceId,
    chosen: &TrashSelection,
) -> ApiResult<()> {
    let sql = push_selection(tx.sql("SELECT label"), scope, resource, chosen).push(" AND ");
    match push_is_bound(sql).push(" LIMIT 1").maybe_value::<String>().await? {
        Some(label) => Err(ApiError::Conflict(text::is_bound(&label))),
        None => Ok(()),
    }
}

/// Returns how many of the chosen records are in the trash.
pub async fn count(scope: &Scope, resource: ResourceId, chosen: &TrashSelection) -> Result<u64> {
    let sql = push_selection(scope.db().sql("SELECT count(*)"), scope, resource, chosen);
    Ok(sql.value::<i64>().await?.unsigned_abs())
}

/// Returns what the merge with this history entry moved from the field `otherDetails` of merged records to the kept one,
/// for those merged records that are still in the trash.
pub async fn moved_details(tx: &mut Tx, scope: &Scope, batch: Uuid) -> Result<Details> {
    let sql = tx.sql("SELECT content FROM trash WHERE corp_id = ").arg(scope.corp());
    let mut details = Details::new();
    for content in sql.push_arg(" AND batch_id = ", batch).values::<String>().await? {
        details.extend(from_json::<Content>(&content)?.moved.unwrap_or_default().details);
    }
    Ok(details)
}

/// Returns the ids of the chosen records that are in the trash, in the order of their creation.
pub(super) async fn find(
    tx: &mut Tx,
    scope: &Scope,
    resource: ResourceId,
    chosen: &TrashSelection,
) -> Result<Vec<Uuid>> {
    let chosen = match chosen {
        TrashSelection::Ids(ids) => ids.chunks(BATCH).map(|ids| TrashSelection::Ids(ids.to_vec())).collect(),
        TrashSelection::Batch(batch) => vec![TrashSelection::Batch(*batch)],
    };
    let mut ids = Vec::new();
    for chosen in &chosen {
        let sql = push_selection(tx.sql("SELECT record_id"), scope, resource, chosen);
        ids.extend(sql.values::<Uuid>().await?);
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}
