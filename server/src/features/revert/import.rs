//! Queries for undoing an import: which of its contacts are left, and which were changed since.

use crate::access::scope::Scope;
use crate::features::binding::push_is_contact_bound;
use crate::features::listing::push_contacts_of_import;
use crate::features::records::columns::push_id_list;
use crate::platform::db::{Result, Sql, Tx, from_json};
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
    pub is_bound: bool,
    /// Whether the contact is kept because it was changed after the import; `false` if it is to be overwritten.
    pub is_changed: bool,
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
    let sql = push_is_contact_bound(tx.sql("SELECT c.contact_id, c.import_row, ")).push(" AS is_bound, ");
    let sql = if should_overwrite { sql.push("FALSE") } else { push_is_changed(sql) }.push(" AS is_changed");
    let sql = push_contacts_of_import(sql, scope).arg(import).push_arg(" AND c.import_row > ", last_row);
    sql.push_arg(" ORDER BY c.import_row LIMIT ", i64::from(limit)).all().await
}

/// Returns what undoing an import would do: how many contacts would be deleted, and which would be kept.
pub async fn preview(scope: &Scope, import: Uuid, should_overwrite: bool) -> Result<RevertResult> {
    let (total, bound, changed): (i64, i64, i64) = select_counts(scope, import, should_overwrite).one().await?;
    let first = push_contacts_of_import(scope.db().sql("SELECT c.contact_id, c.name"), scope).arg(import);
    let first = push_if_only_changed(first.push(" AND ")).push(" = 1");
    let first = first.push_arg(" ORDER BY c.import_row LIMIT ", i64::from(KEPT_MAX));
    let kept: Vec<(Uuid, String)> = if changed == 0 { Vec::new() } else { first.all().await? };
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
        reverted: (total - bound - changed).unsigned_abs(),
        kept: kept.collect(),
        kept_count: changed.unsigned_abs(),
        bound_count: bound.unsigned_abs(),
        ..RevertResult::default()
    })
}

/// Builds the query for the numbers of an import's contacts: all, those that are bound, and the others that are kept
/// because they were changed.
fn select_counts(scope: &Scope, import: Uuid, should_overwrite: bool) -> Sql<'_> {
    let sql = push_is_contact_bound(scope.db().sql("SELECT count(*), count(CASE WHEN ")).push(" THEN 1 END), count(");
    let sql = if should_overwrite { sql.push("NULL") } else { push_if_only_changed(sql) };
    push_contacts_of_import(sql.push(")"), scope).arg(import)
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

/// Appends an expression that is 1 if the contact `c` was changed after its import and is not bound, otherwise NULL. In
/// a CASE, because with a plain EXISTS PostgreSQL may join all entries of the history with all contacts.
fn push_if_only_changed(sql: Sql<'_>) -> Sql<'_> {
    let sql = push_is_contact_bound(sql.push("CASE WHEN ")).push(" THEN NULL WHEN ");
    push_is_changed(sql).push(" THEN 1 END")
}

/// Appends the condition that the contact `c` was changed after its import.
fn push_is_changed(sql: Sql<'_>) -> Sql<'_> {
    let sql = sql.push("EXISTS (SELECT 1 FROM history h").indexed_by("history_record");
    let sql = sql.push(" WHERE h.corp_id = c.corp_id AND h.record_id = c.contact_id");
    push_changes(sql.push_arg(" AND h.resource_id = ", ResourceId::Contacts.as_str()), " AND h.action").push(")")
}

/// Appends the condition that an entry changed values, which depends on its action. `column` begins the condition, such
/// as ` AND action`.
fn push_changes<'e>(sql: Sql<'e>, column: &'static str) -> Sql<'e> {
    let kept = HistoryAction::ALL.iter().filter(|action| action.keeps_values()).map(|action| action.as_str());
    sql.push(column).push(" NOT IN (").texts(kept).push(")")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::features::listing::definitions::test_database;
    use crate::platform::db::Db;

    #[tokio::test]
    async fn the_agreements_and_the_history_of_imported_contacts_are_found_by_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        // PostgreSQL reads tables that are empty as a whole.
        if let Db::Sqlite { .. } = db {
            let plan = select_counts(&scope, Uuid::now_v7(), false).explain().await.unwrap();
            for by in ["agreements_contact (corp_id=? AND contact_id=?)", "history_record (corp_id=? AND record_id=?"] {
                assert!(plan.contains(by), "{plan}");
            }
        }
        db.close().await;
    }
}
