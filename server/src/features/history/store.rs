//! History entries in the database.

use super::left::{LeftRow, push_left};
use crate::access::scope::Scope;
use crate::features::listing::{self, push_page};
use crate::platform::clock::rfc3339;
use crate::platform::db::{self, Result, Sql, Tx, from_json, to_json};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::events::Change as Announced;
use forecourt_core::history::{Actor, Change, HistoryAction, HistoryEntry, hide_changes};
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::{CREATED_AND_DELETED, IDEMPOTENCY_KEY_USED};
use forecourt_core::users::full_name;
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
    /// The id of the request that made the change, if its client may repeat it.
    request: Option<Uuid>,
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
        let (label, changes) = (label.to_owned(), to_json(changes)?);
        let (id, record) = (Uuid::now_v7(), Some(record));
        Ok(Entry { id, action, resource, record, batch: None, label, changes, request: None })
    }

    /// Returns an entry without a record: for a whole batch, or for an export. `id` becomes its id.
    pub fn of_batch(id: Uuid, action: HistoryAction, resource: ResourceId, label: &str) -> Result<Self> {
        let (label, changes) = (label.to_owned(), to_json(&[] as &[Change])?);
        Ok(Entry { id, action, resource, record: None, batch: None, label, changes, request: None })
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

const COLUMNS: &str =
    "corp_id, history_id, at, actor_id, actor_kind, action, resource_id, record_id, batch_id, label, changes";

/// `actor_kind` of a user of the corporation.
const USER: &str = "user";
/// `actor_kind` of an administrator of the platform who worked in another corporation.
const PLATFORM: &str = "platform";
/// `actor_kind` of a job of the program itself, for which `actor_id` has no meaning.
const SYSTEM: &str = "system";

/// A history entry, with the name of the user who made the change unless that account was deleted.
#[derive(sqlx_macros::FromRow)]
struct EntryRow {
    history_id: Uuid,
    at: i64,
    actor_id: Uuid,
    actor_kind: String,
    first_name: Option<String>,
    last_name: Option<String>,
    action: String,
    resource_id: String,
    record_id: Option<Uuid>,
    batch_id: Option<Uuid>,
    label: String,
    changes: String,
    records: Option<i64>,
    #[sqlx(flatten)]
    left: LeftRow,
}

impl EntryRow {
    /// Returns the entry as the scope's user sees it. Administrators of the platform have a name only for each other.
    fn into_entry(self, scope: &Scope) -> Result<HistoryEntry> {
        let mut changes: Vec<Change> = from_json(&self.changes)?;
        if let Some(resource) = ResourceId::parse(&self.resource_id) {
            hide_changes(resource, &mut changes, scope.access());
        }
        let account = self.first_name.zip(self.last_name);
        let actor = match self.actor_kind.as_str() {
            PLATFORM if scope.is_own_corporation() => Actor::platform_administrator(),
            SYSTEM => Actor::system(),
            _ => Actor::user(account.map(|(first, last)| (self.actor_id.to_string(), full_name(&first, &last)))),
        };
        let mut entry = HistoryEntry {
            history_id: self.history_id.to_string(),
            at: rfc3339(self.at),
            actor,
            action: self.action,
            resource: self.resource_id,
            record_id: self.record_id.map(|id| id.to_string()).unwrap_or_default(),
            label: self.label,
            changes,
            batch_id: self.batch_id.map(|id| id.to_string()),
            records: self.records.map(i64::unsigned_abs),
            undo: None,
            undoing_id: self.left.undoing_id.map(|id| id.to_string()),
            is_deleted: false,
        };
        entry.set_left(scope.access(), &self.left.into());
        Ok(entry)
    }
}

/// Returns a page of a record's entries, newest first, and their total number. For an imported contact they include the
/// entry of the import.
pub async fn list_of_record(
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    page: Page,
) -> ApiResult<(Vec<HistoryEntry>, u64)> {
    // Only an administrator of the platform reads entries of another corporation. The names of the administrators are
    // in the platform's corporation.
    let is_own = scope.is_own_corporation();
    let db = if is_own { scope.db().clone() } else { scope.db().all_tenants() };
    let entries = db.sql("SELECT h.*, u.first_name, u.last_name, NULL AS records");
    let entries = push_entries(push_left(entries, scope).push(" FROM ("), COLUMNS, scope, resource, record);
    let entries = push_page(entries.push(" ORDER BY history_id DESC"), page);
    let entries = entries.push(") h LEFT JOIN users u ON u.user_id = h.actor_id AND (u.corp_id = ").arg(scope.corp());
    let entries = if is_own { entries } else { entries.push(" OR h.actor_kind = 'platform'") };
    let entries = entries.push(") ORDER BY h.history_id DESC").all::<EntryRow>();
    let total = push_entries(scope.db().sql("SELECT count(*) FROM ("), "history_id", scope, resource, record);
    let total = total.push(") h").value::<i64>();
    let (entries, total) = tokio::try_join!(entries, total)?;
    let entries = entries.into_iter().map(|row| row.into_entry(scope)).collect::<Result<_>>()?;
    Ok((entries, total.unsigned_abs()))
}

/// Returns whether this tenant has the record, in its list or in the trash.
pub async fn has_record(scope: &Scope, resource: ResourceId, record: Uuid) -> Result<bool> {
    let in_trash = scope.sql("SELECT 1 FROM trash WHERE corp_id = $1 AND resource_id = $2 AND record_id = $3");
    let in_trash = in_trash.bind_all((resource.as_str(), record)).exists().await?;
    Ok(in_trash || listing::exists(scope, resource, record).await?)
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

/// Which entries of a corporation are read.
pub struct Filter {
    pub resources: Vec<ResourceId>,
    /// Whether entries about other corporations are included, which the platform's history has.
    pub has_other_corporations: bool,
    pub user: Option<Uuid>,
    pub action: Option<HistoryAction>,
    /// The earliest time, inclusive, in microseconds since 1970.
    pub from: Option<i64>,
    /// The end of the time range, exclusive, in microseconds since 1970.
    pub to: Option<i64>,
    /// Only the entries of the records in this batch. `None`: the entries that are part of no batch, and those that
    /// stand for a whole batch.
    pub batch: Option<Uuid>,
}

/// SQL of the column `records`: how many records a batch changed, else NULL. It does not count a batch's entries of
/// customers whose figures follow, nor those of records that give back what a merge moved. The middle part names an
/// index, because SQLite has no statistics before the program's first regular shutdown, and would read all entries.
const RECORDS: [&str; 3] = [
    "CASE WHEN h.record_id IS NOT NULL OR h.action = 'exported' THEN NULL \
     WHEN h.action = 'imported' \
     THEN (SELECT i.succeeded FROM imports i WHERE i.corp_id = h.corp_id AND i.import_id = h.history_id) \
     ELSE (SELECT count(*) FROM history b",
    " INDEXED BY history_batch",
    " WHERE b.corp_id = h.corp_id AND b.batch_id = h.history_id AND b.resource_id = h.resource_id \
     AND (b.action = h.action OR b.action NOT IN ('updated', 'unmerged'))) END AS records",
];

/// Returns an entry of this tenant with the same columns as a page of the corporation's history; `None` if there is
/// none with this id.
pub async fn entry(scope: &Scope, id: Uuid) -> ApiResult<Option<HistoryEntry>> {
    let [count, index, condition] = RECORDS;
    let entry = scope.db().sql("SELECT h.*, u.first_name, u.last_name, ").push(count);
    let entry = push_left(entry.push(scope.db().pick(index, "")).push(condition), scope).push(" FROM history h");
    let entry = entry.push(" LEFT JOIN users u ON u.user_id = h.actor_id AND u.corp_id = h.corp_id");
    let entry = entry.push_arg(" WHERE h.corp_id = ", scope.corp()).push_arg(" AND h.history_id = ", id);
    Ok(entry.maybe::<EntryRow>().await?.map(|row| row.into_entry(scope)).transpose()?)
}

/// Returns a page of the corporation's entries, newest first, and the number of all that match.
pub async fn list_of_corporation(scope: &Scope, filter: &Filter, page: Page) -> ApiResult<(Vec<HistoryEntry>, u64)> {
    let [count, index, condition] = RECORDS;
    let entries = scope.db().sql("SELECT h.*, u.first_name, u.last_name, ").push(count);
    let entries = push_left(entries.push(scope.db().pick(index, "")).push(condition), scope).push(" FROM (");
    let entries = push_matches(entries, "history_id", scope, filter).push(" ORDER BY at DESC, history_id DESC");
    let entries = push_page(entries, page).push(") p JOIN history h ON h.history_id = p.history_id AND h.corp_id = ");
    let entries =
        entries.arg(scope.corp()).push(" LEFT JOIN users u ON u.user_id = h.actor_id AND u.corp_id = h.corp_id");
    let entries = entries.push(" ORDER BY h.at DESC, h.history_id DESC").all::<EntryRow>();
    let total = push_matches(scope.db().sql(""), "count(*)", scope, filter).value::<i64>();
    let (entries, total) = tokio::try_join!(entries, total)?;
    let entries = entries.into_iter().map(|row| row.into_entry(scope)).collect::<Result<_>>()?;
    Ok((entries, total.unsigned_abs()))
}

/// Appends the SELECT of the corporation's entries that match the filter.
fn push_matches<'e>(sql: Sql<'e>, columns: &'static str, scope: &Scope, filter: &Filter) -> Sql<'e> {
    let index = match filter.batch {
        Some(_) => " INDEXED BY history_batch",
        None => " INDEXED BY history_corporation",
    };
    let sql = sql.push("SELECT ").push(columns).push(" FROM history").push(scope.db().pick(index, ""));
    let sql = sql.push(" WHERE corp_id = ").arg(scope.corp());
    let sql = match filter.batch {
        Some(batch) => sql.push_arg(" AND batch_id = ", batch),
        None => sql.push(" AND batch_id IS NULL"),
    };
    let sql =
        sql.filter(" AND actor_id = ", filter.user).filter(" AND action = ", filter.action.map(HistoryAction::as_str));
    let sql = sql.filter(" AND at >= ", filter.from).filter(" AND at < ", filter.to).push(" AND resource_id IN (''");
    let sql = filter.resources.iter().fold(sql, |sql, resource| sql.comma(resource.as_str())).push(")");
    match filter.has_other_corporations {
        true => sql,
        false => sql.push(" AND (resource_id <> 'corporations' OR record_id = corp_id)"),
    }
}

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

/// Returns the id of the record that the scope's request created or changed when it was sent before. `error` is that of
/// the repeated request. `None` if the request was not sent before, if it has no id, and if the `error` must be
/// returned unchanged.
pub async fn record_of_request(
    scope: &Scope,
    error: &ApiError,
    action: HistoryAction,
    resource: ResourceId,
) -> Result<Option<Uuid>> {
    // The user may no longer see the record, or the database is too busy to be asked again.
    if matches!(error, ApiError::SessionExpired | ApiError::PermissionDenied | ApiError::Unavailable) {
        return Ok(None);
    }
    let Some(request) = scope.request() else { return Ok(None) };
    let sql = scope.sql(
        "SELECT record_id FROM history \
         WHERE corp_id = $1 AND actor_id = $2 AND request_id = $3 AND action = $4 AND resource_id = $5",
    );
    sql.bind_all((scope.user(), request, action.as_str(), resource.as_str())).maybe_value().await
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

/// Returns an entry of this tenant; `None` if there is none with this id. Reads inside the transaction if one is given.
pub async fn find(tx: Option<&mut Tx>, scope: &Scope, id: Uuid) -> Result<Option<StoredEntry>> {
    Ok(find_all(tx, scope, &[id]).await?.pop())
}

/// Returns the ids of a batch's entries about records of a resource. Reads inside the transaction if one is given.
pub async fn ids_of_batch(tx: Option<&mut Tx>, scope: &Scope, batch: Uuid, resource: ResourceId) -> Result<Vec<Uuid>> {
    let sql = scope.sql_in(tx, "SELECT history_id FROM history").push(scope.db().pick(" INDEXED BY history_batch", ""));
    let sql = sql.push(" WHERE corp_id = ").arg(scope.corp()).push_arg(" AND batch_id = ", batch);
    let ids: Vec<(Uuid,)> = sql.push_arg(" AND resource_id = ", resource.as_str()).all().await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// Returns this tenant's entries with these ids, in no particular order. Reads inside the transaction if one is given.
pub async fn find_all(tx: Option<&mut Tx>, scope: &Scope, ids: &[Uuid]) -> Result<Vec<StoredEntry>> {
    let mut ids = ids.iter();
    let Some(first) = ids.next() else { return Ok(Vec::new()) };
    let sql = scope.sql_in(tx, STORED).arg(scope.corp()).push_arg(" AND history_id IN (", *first);
    let rows: Vec<StoredRow> = ids.fold(sql, |sql, id| sql.comma(*id)).push(")").all().await?;
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
         actor_kind, request_id) VALUES ",
    );
    let by = (kind == USER).then_some(user);
    let sql = entries.iter().filter_map(|entry| entry.announcement(corp, by)).fold(sql, Sql::announce);
    sql.tuples(entries, |sql, entry| {
        let sql = sql.arg(corp).comma(entry.id).comma(now).comma(user).comma(entry.action.as_str());
        let sql = sql.comma(entry.resource.as_str()).comma(entry.record).comma(entry.batch).comma(entry.label);
        sql.comma(entry.changes).comma(kind).comma(entry.request)
    })
}
