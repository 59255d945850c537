//! History entries in the database.

use crate::access::scope::Scope;
use crate::platform::db::{self, Result, Sql, Tx, from_json, to_json};
use crate::platform::error::ApiError;
use crate::platform::events::Change as Announced;
use crate::platform::extract::KeyedRequest;
use forecourt_core::history::{Change, HistoryAction, hide_changes, missing_resources, needed_resource};
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::{CREATED_AND_DELETED, IDEMPOTENCY_KEY_USED};
use uuid::Uuid;

/// A history entry to add.
pub struct Entry {
    id: Uuid,
    action: HistoryAction,
    resource: ResourceId,
    /// The record's id; `None` for the entry that stands for a whole batch (a bulk action, a merge or an import) or for
    /// an export.
    record: Option<Uuid>,
    /// The id of the batch's own entry, if the record was changed as part of a batch.
    batch: Option<Uuid>,
    label: String,
    /// The changes of fields, as JSON.
    changes: String,
    /// The resource that a user must be able to read for the entry to exist for that user ([`needed_resource`]).
    needed: Option<ResourceId>,
    /// The request that made the change, if its client may repeat it.
    request: Option<KeyedRequest>,
}

impl Entry {
    /// Returns the entry for a change of one record.
    pub fn new(
        action: HistoryAction,
        resource: ResourceId,
        record: Uuid,
        label: &str,
        changes: &[Change],
    ) -> Result<Self> {
        let needed = needed_resource(resource, changes);
        let (label, changes) = (label.to_owned(), to_json(changes)?);
        let (id, record) = (Uuid::now_v7(), Some(record));
        Ok(Entry { id, action, resource, record, batch: None, label, changes, needed, request: None })
    }

    /// Returns an entry without a record: for a whole batch, or for an export. `id` becomes its id.
    pub fn of_batch(id: Uuid, action: HistoryAction, resource: ResourceId, label: &str) -> Result<Self> {
        let (label, changes) = (label.to_owned(), to_json(&[] as &[Change])?);
        Ok(Entry { id, action, resource, record: None, batch: None, label, changes, needed: None, request: None })
    }

    /// Returns the entry of an import from a file. Its id is that of the import, to which the imported contacts refer.
    pub fn of_import(import: Uuid, file_name: &str) -> Result<Self> {
        Self::of_batch(import, HistoryAction::Imported, ResourceId::Contacts, file_name)
    }

    /// Returns the entry of an export in this format.
    pub fn of_export(resource: ResourceId, format: &str) -> Result<Self> {
        Self::of_batch(Uuid::now_v7(), HistoryAction::Exported, resource, format)
    }

    /// Returns the entry as part of this batch, or of none.
    pub fn in_batch(self, batch: Option<Uuid>) -> Self {
        Entry { batch, ..self }
    }

    /// Returns the entry as that of the scope's request. If the same request has an entry already, the insertion fails.
    pub fn of_request(self, scope: &Scope) -> Self {
        Entry { request: scope.request(), ..self }
    }
}

impl Entry {
    /// Returns the change that open event streams get; `None` if the entry changes no records. A bulk action is
    /// announced by the entries of its records, not by its own.
    fn announcement(&self, corp: Uuid, by: Option<Uuid>) -> Option<Announced> {
        let is_announced =
            self.action.changes_records() && (self.record.is_some() || self.action == HistoryAction::Imported);
        let ids = self.record.map(|id| vec![id]);
        is_announced.then_some(Announced { corp, resource: self.resource, action: self.action, by, ids })
    }
}

/// `actor_kind` of a user of the corporation.
const USER: &str = "user";
/// `actor_kind` of an administrator of the platform who worked in another corporation.
pub(super) const PLATFORM: &str = "platform";
/// `actor_kind` of a job of the program itself, for which `actor_id` has no meaning.
pub(super) const SYSTEM: &str = "system";

/// A history entry, with what is needed to undo it.
pub struct StoredEntry {
    pub action: HistoryAction,
    pub resource: ResourceId,
    /// The record's id; `None` for the entry that stands for a whole batch or import, or for an export.
    pub record: Option<Uuid>,
    /// The id of the batch's own entry, if the record was changed as part of a batch.
    pub batch: Option<Uuid>,
    pub label: String,
    /// The changes of the fields that the scope's user sees.
    pub changes: Vec<Change>,
}

type StoredRow = (String, String, Option<Uuid>, Option<Uuid>, String, String);

const STORED: &str = "SELECT action, resource_id, record_id, batch_id, label, changes FROM history WHERE corp_id = ";

impl StoredEntry {
    /// Returns `None` if a newer version of the program wrote the entry, with an action or resource that this version
    /// does not know.
    fn from_row(scope: &Scope, (action, resource, record, batch, label, changes): StoredRow) -> Result<Option<Self>> {
        let (Some(action), Some(resource)) = (HistoryAction::parse(&action), ResourceId::parse(&resource)) else {
            return Ok(None);
        };
        let changes = read_changes(scope, resource, &changes)?;
        Ok(Some(StoredEntry { action, resource, record, batch, label, changes }))
    }
}

/// Reads the changes of the fields that the scope's user sees.
fn read_changes(scope: &Scope, resource: ResourceId, json: &str) -> Result<Vec<Change>> {
    let mut changes = from_json(json)?;
    hide_changes(resource, &mut changes, scope.access());
    Ok(changes)
}

/// Appends the condition that an entry exists for the scope's user ([`needed_resource`]).
pub(super) fn push_visible<'e>(sql: Sql<'e>, scope: &Scope) -> Sql<'e> {
    missing_resources(scope.access())
        .fold(sql, |sql, missing| sql.push_arg(" AND needed_resource_id IS DISTINCT FROM ", missing.as_str()))
}

/// Returns the id of the record that a request with the key of the scope's request created or changed before, and
/// whether its body was the same, as far as that is known. `error` is that of the repeated request. `None` if there was
/// no such request, if the scope's has no key, and if the `error` must be returned unchanged.
pub async fn record_of_request(
    scope: &Scope,
    error: &ApiError,
    action: HistoryAction,
    resource: ResourceId,
) -> Result<Option<(Uuid, bool)>> {
    // The user may no longer see the record, or the database is too busy to be asked again.
    if matches!(error, ApiError::SessionExpired | ApiError::PermissionDenied | ApiError::Unavailable) {
        return Ok(None);
    }
    let Some(request) = scope.request() else { return Ok(None) };
    let sql = scope.sql(
        "SELECT record_id, request_digest FROM history \
         WHERE corp_id = $1 AND actor_id = $2 AND request_id = $3 AND action = $4 AND resource_id = $5",
    );
    let sql = sql.bind_all((scope.user(), request.key, action.as_str(), resource.as_str()));
    let found: Option<(Uuid, Option<Vec<u8>>)> = sql.maybe().await?;
    Ok(found.map(|(record, digest)| (record, digest.is_none_or(|digest| digest == request.digest))))
}

/// Converts the error of reading the record that a repeated request has created: a 404 says that it was deleted
/// meanwhile.
pub fn deleted_meanwhile(error: ApiError) -> ApiError {
    match error {
        ApiError::NotFound => ApiError::NotFoundBecause(CREATED_AND_DELETED),
        error => error,
    }
}

/// Converts the database's error about a second entry of the same request into the error of that request.
pub fn request_error(error: sqlx::Error) -> sqlx::Error {
    match db::is_unique_violation(&error, "history.request_id", "history_request") {
        true => ApiError::invalid(IDEMPOTENCY_KEY_USED).into(),
        false => error,
    }
}

/// Returns an entry of this tenant; `None` if there is none with this id for the scope's user. Reads inside the
/// transaction if one is given.
pub async fn find(tx: Option<&mut Tx>, scope: &Scope, id: Uuid) -> Result<Option<StoredEntry>> {
    Ok(find_all(tx, scope, &[id]).await?.pop())
}

/// Returns the ids of a batch's entries about records of a resource. Reads inside the transaction if one is given.
pub async fn ids_of_batch(tx: Option<&mut Tx>, scope: &Scope, batch: Uuid, resource: ResourceId) -> Result<Vec<Uuid>> {
    let sql = scope.sql_in(tx, "SELECT history_id FROM history").indexed_by("history_batch");
    let sql = sql.push(" WHERE corp_id = ").arg(scope.corp()).push_arg(" AND batch_id = ", batch);
    sql.push_arg(" AND resource_id = ", resource.as_str()).values().await
}

/// Returns this tenant's entries with these ids, in no particular order, without those that do not exist for the
/// scope's user. Reads inside the transaction if one is given.
pub async fn find_all(tx: Option<&mut Tx>, scope: &Scope, ids: &[Uuid]) -> Result<Vec<StoredEntry>> {
    let mut ids = ids.iter();
    let Some(first) = ids.next() else { return Ok(Vec::new()) };
    let sql = scope.sql_in(tx, STORED).arg(scope.corp()).push_arg(" AND history_id IN (", *first);
    let sql = push_visible(ids.fold(sql, |sql, id| sql.comma(*id)).push(")"), scope);
    let rows: Vec<StoredRow> = sql.all().await?;
    rows.into_iter().filter_map(|row| StoredEntry::from_row(scope, row).transpose()).collect()
}

/// Returns the changes of a record in the entries after `entry`, oldest first: at most `limit` entries, each with its
/// id.
pub async fn changes_since(
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    entry: Uuid,
    limit: u32,
) -> Result<Vec<(Uuid, Vec<Change>)>> {
    let sql = scope.db().sql("SELECT history_id, changes FROM history WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push_arg(" AND record_id = ", record).push_arg(" AND resource_id = ", resource.as_str());
    let sql = sql.push_arg(" AND history_id > ", entry).push_arg(" ORDER BY history_id LIMIT ", i64::from(limit));
    let rows: Vec<(Uuid, String)> = sql.all().await?;
    rows.into_iter().map(|(id, changes)| Ok((id, read_changes(scope, resource, &changes)?))).collect()
}

/// Returns whether this import created the contact.
pub async fn is_of_import(scope: &Scope, import: Uuid, contact: Uuid) -> Result<bool> {
    let sql = scope.sql("SELECT count(*) FROM contacts WHERE corp_id = $1 AND import_id = $2 AND contact_id = $3");
    Ok(sql.bind_all((import, contact)).value::<i64>().await? > 0)
}

/// Adds entries whose actor is the scope's user.
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

/// Adds entries whose actor is the program itself, for changes that jobs and commands make.
pub async fn insert_by_system(tx: &mut Tx, corp: Uuid, now: i64, entries: Vec<Entry>) -> Result<()> {
    push_insert_by(tx.sql(""), (corp, Uuid::nil(), SYSTEM), now, entries).exec().await.map(|_| ())
}

/// Appends the INSERT of entries whose actor is the scope's user.
pub fn push_insert<'e>(sql: Sql<'e>, scope: &Scope, now: i64, entries: Vec<Entry>) -> Sql<'e> {
    let kind = if scope.is_own_corporation() { USER } else { PLATFORM };
    push_insert_by(sql, (scope.corp(), scope.user(), kind), now, entries)
}

/// Appends the INSERT of entries. The actor is given as corporation, id and `actor_kind`.
fn push_insert_by<'e>(
    sql: Sql<'e>,
    (corp, user, kind): (Uuid, Uuid, &'static str),
    now: i64,
    entries: Vec<Entry>,
) -> Sql<'e> {
    let sql = sql.push(
        "INSERT INTO history (corp_id, history_id, at, actor_id, action, resource_id, record_id, batch_id, label, changes, \
         actor_kind, request_id, request_digest, needed_resource_id) VALUES ",
    );
    let by = (kind == USER).then_some(user);
    let sql = entries.iter().filter_map(|entry| entry.announcement(corp, by)).fold(sql, Sql::announce);
    sql.tuples(entries, |sql, entry| {
        let sql = sql.arg(corp).comma(entry.id).comma(now).comma(user).comma(entry.action.as_str());
        let sql = sql.comma(entry.resource.as_str()).comma(entry.record).comma(entry.batch).comma(entry.label);
        let sql = sql.comma(entry.changes).comma(kind).comma(entry.request.map(|request| request.key));
        let sql = sql.comma(entry.request.map(|request| request.digest.to_vec()));
        sql.comma(entry.needed.map(ResourceId::as_str))
    })
}
