//! History entries as responses show them: pages of entries, and single ones.

use super::record_state::{RecordStateRow, push_record_state};
use super::store::{PLATFORM, SYSTEM, push_visible};
use crate::access::scope::Scope;
use crate::features::listing::{self, push_page};
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql, from_json};
use crate::platform::error::ApiResult;
use forecourt_core::history::{Actor, Change, HistoryAction, HistoryEntry, hide_changes};
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use forecourt_core::users::full_name;
use uuid::Uuid;

const COLUMNS: &str =
    "corp_id, history_id, at, actor_id, actor_kind, action, resource_id, record_id, batch_id, label, changes";

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
    record_state: RecordStateRow,
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
            is_shortened: false,
            batch_id: self.batch_id.map(|id| id.to_string()),
            records: self.records.map(i64::unsigned_abs),
            undo: None,
            undoing_id: self.record_state.undoing_id.map(|id| id.to_string()),
            is_deleted: false,
        };
        entry.set_undo(scope.access(), &self.record_state.into());
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
    let entries = push_entries(push_record_state(entries, scope).push(" FROM ("), COLUMNS, scope, resource, record);
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
    let sql = push_visible(sql, scope);
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
/// customers whose figures follow, nor those of records that give back what a merge moved. The index of the entries `b`
/// is named between the two parts.
const RECORDS: [&str; 2] = [
    "CASE WHEN h.record_id IS NOT NULL OR h.action = 'exported' THEN NULL \
     WHEN h.action = 'imported' \
     THEN (SELECT i.succeeded FROM imports i WHERE i.corp_id = h.corp_id AND i.import_id = h.history_id) \
     ELSE (SELECT count(*) FROM history b",
    " WHERE b.corp_id = h.corp_id AND b.batch_id = h.history_id AND b.resource_id = h.resource_id \
     AND (b.action = h.action OR b.action NOT IN ('updated', 'unmerged'))) END AS records",
];

/// Appends the columns of [`EntryRow`] for the entry `h` and its user `u`.
fn push_columns<'e>(sql: Sql<'e>, scope: &Scope) -> Sql<'e> {
    let [count, condition] = RECORDS;
    let sql = sql.push("h.*, u.first_name, u.last_name, ").push(count).indexed_by("history_batch").push(condition);
    push_record_state(sql, scope)
}

/// Returns an entry of this tenant with the same columns as a page of the corporation's history; `None` if there is
/// none with this id for the scope's user.
pub async fn entry(scope: &Scope, id: Uuid) -> ApiResult<Option<HistoryEntry>> {
    let entry = push_columns(scope.db().sql("SELECT "), scope).push(" FROM history h");
    let entry = entry.push(" LEFT JOIN users u ON u.user_id = h.actor_id AND u.corp_id = h.corp_id");
    let entry = entry.push_arg(" WHERE h.corp_id = ", scope.corp()).push_arg(" AND h.history_id = ", id);
    let entry = push_visible(entry, scope);
    Ok(entry.maybe::<EntryRow>().await?.map(|row| row.into_entry(scope)).transpose()?)
}

/// Returns a page of the corporation's entries, newest first, and the number of all that match.
pub async fn list_of_corporation(scope: &Scope, filter: &Filter, page: Page) -> ApiResult<(Vec<HistoryEntry>, u64)> {
    let entries = push_columns(scope.db().sql("SELECT "), scope).push(" FROM (");
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
        Some(_) => "history_batch",
        None => "history_corporation",
    };
    let sql = sql.push("SELECT ").push(columns).push(" FROM history").indexed_by(index);
    let sql = sql.push(" WHERE corp_id = ").arg(scope.corp());
    let sql = match filter.batch {
        // All entries of a batch are visible: a bulk action changes no field that needs a permission.
        Some(batch) => sql.push_arg(" AND batch_id = ", batch),
        None => push_visible(sql.push(" AND batch_id IS NULL"), scope),
    };
    let sql =
        sql.filter(" AND actor_id = ", filter.user).filter(" AND action = ", filter.action.map(HistoryAction::as_str));
    let sql = sql.filter(" AND at >= ", filter.from).filter(" AND at < ", filter.to).push(" AND resource_id IN (");
    let sql = sql.texts(filter.resources.iter().map(|resource| resource.as_str())).push(")");
    match filter.has_other_corporations {
        true => sql,
        false => sql.push(" AND (resource_id <> 'corporations' OR record_id = corp_id)"),
    }
}
