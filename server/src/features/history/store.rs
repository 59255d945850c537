//! The history in the database.

use crate::access::scope::Scope;
use crate::features::listing::push_page;
use crate::features::users::author_name;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql, Tx, from_json, to_json};
use crate::platform::error::ApiResult;
use forecourt_core::history::{Actor, Change, HistoryAction, HistoryEntry};
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use uuid::Uuid;

/// An entry to write.
pub struct Entry {
    id: Uuid,
    action: HistoryAction,
    resource: ResourceId,
    /// `None` for a batch.
    record: Option<Uuid>,
    /// The entry of the batch that changes the record.
    batch: Option<Uuid>,
    label: String,
    /// As JSON.
    changes: String,
}

impl Entry {
    /// Returns the entry of a change of one record.
    pub fn new(
        action: HistoryAction,
        resource: ResourceId,
        record: Uuid,
        label: &str,
        changes: &[Change],
    ) -> Result<Self> {
        let (label, changes) = (label.to_owned(), to_json(changes)?);
        Ok(Entry { id: Uuid::now_v7(), action, resource, record: Some(record), batch: None, label, changes })
    }

    /// Returns the entry of a batch with this id.
    pub fn of_batch(id: Uuid, action: HistoryAction, resource: ResourceId) -> Result<Self> {
        let changes = to_json(&[] as &[Change])?;
        Ok(Entry { id, action, resource, record: None, batch: None, label: String::new(), changes })
    }

    /// Returns the entry of an import from a file. Its id is that of the import, to which the imported contacts refer.
    pub fn of_import(import: Uuid, file_name: &str) -> Result<Self> {
        let batch = Self::of_batch(import, HistoryAction::Imported, ResourceId::Contacts)?;
        Ok(Entry { label: file_name.to_owned(), ..batch })
    }

    /// Returns the entry as one of a batch, if there is one.
    pub fn in_batch(self, batch: Option<Uuid>) -> Self {
        Entry { batch, ..self }
    }
}

const COLUMNS: &str = "history_id, at, actor_id, action, resource_id, record_id, batch_id, label, changes";

/// An entry, with the name of its user unless that account was deleted.
#[derive(sqlx_macros::FromRow)]
struct EntryRow {
    history_id: Uuid,
    at: i64,
    actor_id: Uuid,
    first_name: Option<String>,
    last_name: Option<String>,
    action: String,
    resource_id: String,
    record_id: Option<Uuid>,
    batch_id: Option<Uuid>,
    label: String,
    changes: String,
}

impl EntryRow {
    fn into_entry(self) -> Result<HistoryEntry> {
        let changes = from_json(&self.changes)?;
        let is_deleted = self.first_name.is_none();
        Ok(HistoryEntry {
            history_id: self.history_id.to_string(),
            at: rfc3339(self.at),
            actor: Actor {
                kind: "user".into(),
                id: if is_deleted { String::new() } else { self.actor_id.to_string() },
                name: author_name(self.first_name, self.last_name),
            },
            action: self.action,
            resource: self.resource_id,
            record_id: self.record_id.map(|id| id.to_string()).unwrap_or_default(),
            label: self.label,
            changes,
            batch_id: self.batch_id.map(|id| id.to_string()),
        })
    }
}

/// Returns a page of a record's entries, newest first, and the number of all of them. The import of a contact is one of them.
pub async fn of_record(
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    page: Page,
) -> ApiResult<(Vec<HistoryEntry>, u64)> {
    let entries = scope.db().sql("SELECT h.*, u.first_name, u.last_name FROM (");
    let entries = push_entries(entries, COLUMNS, scope, resource, record);
    let entries = entries.push(") h LEFT JOIN users u ON u.user_id = h.actor_id AND u.corp_id = ").arg(scope.corp());
    let entries = push_page(entries.push(" ORDER BY h.history_id DESC"), page).all::<EntryRow>();
    let total = push_entries(scope.db().sql("SELECT count(*) FROM ("), "history_id", scope, resource, record);
    let total = total.push(") h").value::<i64>();
    let (entries, total) = tokio::try_join!(entries, total)?;
    let entries = entries.into_iter().map(EntryRow::into_entry).collect::<Result<_>>()?;
    Ok((entries, total.unsigned_abs()))
}

/// Appends the SELECT of a record's entries.
fn push_entries<'e>(sql: Sql<'e>, columns: &'static str, scope: &Scope, resource: ResourceId, record: Uuid) -> Sql<'e> {
    let select =
        |sql: Sql<'e>| sql.push("SELECT ").push(columns).push(" FROM history WHERE corp_id = ").arg(scope.corp());
    let sql = select(sql).push_arg(" AND record_id = ", record).push_arg(" AND resource_id = ", resource.as_str());
    if resource != ResourceId::Contacts {
        return sql;
    }
    let sql = select(sql.push(" UNION ALL ")).push(" AND history_id = (SELECT import_id FROM contacts");
    sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND contact_id = ", record).push(")")
}

/// Adds entries by the scope's user.
pub async fn insert(tx: &mut Tx, scope: &Scope, now: i64, entries: Vec<Entry>) -> Result<()> {
    match entries.is_empty() {
        true => Ok(()),
        false => push_insert(tx.sql(""), scope, now, entries).exec().await.map(|_| ()),
    }
}

/// Adds the entry of an import by the scope's user, unless it is there already.
pub async fn insert_import(tx: &mut Tx, scope: &Scope, now: i64, import: Uuid, file_name: &str) -> Result<()> {
    let entry = Entry::of_import(import, file_name)?;
    push_insert(tx.sql(""), scope, now, vec![entry]).push(" ON CONFLICT DO NOTHING").exec().await.map(|_| ())
}

/// Appends the INSERT of entries by the scope's user.
pub fn push_insert<'e>(sql: Sql<'e>, scope: &Scope, now: i64, entries: Vec<Entry>) -> Sql<'e> {
    let sql = sql.push(
        "INSERT INTO history (corp_id, history_id, at, actor_id, action, resource_id, record_id, batch_id, label, changes) VALUES ",
    );
    sql.tuples(entries, |sql, entry| {
        let sql = sql.arg(scope.corp()).next(entry.id).next(now).next(scope.user()).next(entry.action.as_str());
        let sql = sql.next(entry.resource.as_str()).next(entry.record).next(entry.batch).next(entry.label);
        sql.next(entry.changes)
    })
}
