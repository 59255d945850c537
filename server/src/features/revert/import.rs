//! Queries for undoing an import: which of its contacts are left, and which were changed since.

use crate::access::scope::Scope;
use crate::features::listing::push_contacts_of_import;
use crate::features::records::columns::push_id_list;
use crate::platform::db::{Result, Sql, Tx, from_json};
use forecourt_core::agreements::AgreementState;
use forecourt_core::history::{Change, HistoryAction, KEPT_MAX, Kept, RevertResult};
use forecourt_core::permissions::ResourceId;
use std::collections::HashMap;
use uuid::Uuid;

/// Contacts per query of their changes.
const BATCH: usize = 500;

/// A contact that an import created and that is not deleted.
#[derive(sqlx_macros::FromRow)]
pub struct ImportedRow {
    pub contact_id: Uuid,
    pub import_row: i64,
    /// Whether undoing the import keeps the contact in the list.
    pub is_kept: bool,
}

/// Returns the contacts of an import after the row `last_row` of its file, in the order of their rows, at most `limit`.
pub async fn next(
    tx: &mut Tx,
    scope: &Scope,
    import: Uuid,
    should_overwrite: bool,
    last_row: i64,
    limit: u32,
) -> Result<Vec<ImportedRow>> {
    let sql = push_is_kept(tx.sql("SELECT c.contact_id, c.import_row, "), scope, should_overwrite).push(" AS is_kept");
    let sql = push_contacts_of_import(sql, scope).arg(import).push_arg(" AND c.import_row > ", last_row);
    sql.push_arg(" ORDER BY c.import_row LIMIT ", i64::from(limit)).all().await
}

/// Returns what undoing an import would do: how many contacts would be deleted, and which would be kept.
pub async fn preview(scope: &Scope, import: Uuid, should_overwrite: bool) -> Result<RevertResult> {
    let db = scope.db();
    let counts = push_is_bound(db.sql("SELECT count(*), count(CASE WHEN ")).push(" THEN 1 END), count(CASE WHEN ");
    let counts = push_is_kept(counts, scope, should_overwrite).push(" THEN 1 END)");
    let counts = push_contacts_of_import(counts, scope).arg(import);
    let (total, bound, stay): (i64, i64, i64) = counts.one().await?;
    let kept_count = stay - bound;
    // Inside CASE, because with a plain EXISTS PostgreSQL may join all entries of the history with all contacts.
    let first =
        push_contacts_of_import(db.sql("SELECT c.contact_id, c.name"), scope).arg(import).push(" AND CASE WHEN ");
    let first = push_is_changed(push_is_bound(first).push(" THEN 0 WHEN "), scope).push(" THEN 1 END = 1");
    let first = first.push_arg(" ORDER BY c.import_row LIMIT ", i64::from(KEPT_MAX));
    let kept: Vec<(Uuid, String)> = if kept_count == 0 { Vec::new() } else { first.all().await? };
    let mut fields = HashMap::new();
    for contacts in kept.chunks(BATCH) {
        read_fields(scope, contacts, &mut fields).await?;
    }
    let kept = kept.into_iter().map(|(id, label)| Kept {
        id: id.to_string(),
        label,
        fields: fields.remove(&id).unwrap_or_default(),
        last_change: None,
    });
    Ok(RevertResult {
        reverted: (total - stay).unsigned_abs(),
        kept: kept.collect(),
        kept_count: kept_count.unsigned_abs(),
        bound_count: bound.unsigned_abs(),
        ..RevertResult::default()
    })
}

/// Adds to `fields`, for each of these contacts, the names of the fields that were changed after the import.
async fn read_fields(
    scope: &Scope,
    contacts: &[(Uuid, String)],
    fields: &mut HashMap<Uuid, Vec<String>>,
) -> Result<()> {
    let sql = scope.db().sql("SELECT record_id, changes FROM history WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push_arg(" AND resource_id = ", ResourceId::Contacts.as_str()).push(" AND record_id IN (");
    let ids: Vec<Uuid> = contacts.iter().map(|(id, _)| *id).collect();
    let sql = push_changes(push_id_list(sql, &ids).push(")"), " AND action").push(" ORDER BY history_id");
    for (id, changes) in sql.all::<(Uuid, String)>().await? {
        let names: &mut Vec<String> = fields.entry(id).or_default();
        for Change { field, .. } in from_json::<Vec<Change>>(&changes)? {
            if !names.contains(&field) {
                names.push(field);
            }
        }
    }
    Ok(())
}

/// Appends the expression for whether undoing the import keeps the contact `c`: it is bound, or it was changed since and
/// is not to be overwritten.
fn push_is_kept<'e>(sql: Sql<'e>, scope: &Scope, should_overwrite: bool) -> Sql<'e> {
    let sql = push_is_bound(sql.push("("));
    let sql = if should_overwrite { sql } else { push_is_changed(sql.push(" OR "), scope) };
    sql.push(")")
}

/// Appends the expression for whether a binding agreement has the contact `c`.
fn push_is_bound(sql: Sql<'_>) -> Sql<'_> {
    let sql = sql.push(
        "EXISTS (SELECT 1 FROM agreements a WHERE a.corp_id = c.corp_id AND a.contact_id = c.contact_id \
         AND a.state IN (''",
    );
    AgreementState::BINDING.iter().fold(sql, |sql, state| sql.comma(state.as_str())).push("))")
}

/// Appends the expression for whether the contact `c` was changed after its import.
fn push_is_changed<'e>(sql: Sql<'e>, scope: &Scope) -> Sql<'e> {
    let sql = sql.push("EXISTS (SELECT 1 FROM history h").push(scope.db().pick(" INDEXED BY history_record", ""));
    let sql = sql.push(" WHERE h.corp_id = c.corp_id AND h.record_id = c.contact_id");
    push_changes(sql.push_arg(" AND h.resource_id = ", ResourceId::Contacts.as_str()), " AND h.action").push(")")
}

/// Appends the condition that an entry changed values, which depends on its action. `column` begins the condition, such
/// as ` AND action`.
fn push_changes<'e>(sql: Sql<'e>, column: &'static str) -> Sql<'e> {
    let mut kept = HistoryAction::ALL.into_iter().filter(|action| action.keeps_values()).map(HistoryAction::as_str);
    let sql = sql.push(column).push_arg(" NOT IN (", kept.next().unwrap_or_default());
    kept.fold(sql, |sql, action| sql.comma(action)).push(")")
}
