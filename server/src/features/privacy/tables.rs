//! The tables in which a person may be.

use crate::access::scope::Scope;
use crate::features::records::columns::push_ids;
use crate::features::records::trash::Content;
use crate::platform::db::{Result, Sql, Tx, from_json};
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{ERASED, mentions};
use sqlx::types::Json;
use uuid::Uuid;

/// Ids per statement.
const BATCH: usize = 500;

/// Appends the condition that a text, as its column begins it, contains another one. Both are in lower case.
fn push_contains<'e>(sql: Sql<'e>, scope: &Scope, column: &'static str, part: &str) -> Sql<'e> {
    let sql = sql.push(scope.db().pick(" AND instr(lower(CAST(", " AND strpos(lower(CAST(")).push(column);
    sql.push_arg(" AS TEXT)), ", part.to_owned()).push(") > 0")
}

/// Returns the invoices that are linked to these customers.
pub async fn invoices_of(scope: &Scope, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let mut found = Vec::new();
    for ids in customers.chunks(BATCH) {
        let sql = scope.db().sql("SELECT invoice_id FROM invoices WHERE corp_id = ").arg(scope.corp());
        let sql = push_ids(sql.push(" AND customer_id IN ("), ids).push(")");
        found.extend(sql.all::<(Uuid,)>().await?.into_iter().map(|(id,)| id));
    }
    Ok(found)
}

/// Returns the deleted records with this text in their content: resource, id and content.
pub async fn trash_with(scope: &Scope, text: &str) -> Result<Vec<(ResourceId, Uuid, String)>> {
    let sql = scope.db().sql("SELECT resource_id, record_id, content FROM trash WHERE corp_id = ").arg(scope.corp());
    let rows: Vec<(String, Uuid, String)> = push_contains(sql, scope, "content", text).all().await?;
    let parsed =
        rows.into_iter().filter_map(|(resource, id, content)| Some((ResourceId::parse(&resource)?, id, content)));
    Ok(parsed.collect())
}

/// An entry of the history: id, resource, record and changes.
pub type EntryRow = (Uuid, String, Option<Uuid>, String);

/// Returns the entries about records with this text in their changes.
pub async fn entries_with(scope: &Scope, text: &str) -> Result<Vec<EntryRow>> {
    let sql = scope.db().sql("SELECT history_id, resource_id, record_id, changes FROM history WHERE corp_id = ");
    let sql = sql.arg(scope.corp()).push(" AND resource_id IN ('contacts', 'customers', 'invoices')");
    push_contains(sql, scope, "changes", text).all().await
}

/// Returns the account with this e-mail address in this corporation.
pub async fn account(scope: &Scope, email: &str) -> Result<Option<Uuid>> {
    let sql = scope.sql("SELECT user_id FROM users WHERE corp_id = $1 AND lower(email) = $2");
    sql.bind(email.to_owned()).maybe_value().await
}

/// Returns the imports from which these contacts came.
pub async fn imports_of(scope: &Scope, contacts: &[Uuid]) -> Result<Vec<Uuid>> {
    let mut found = Vec::new();
    for ids in contacts.chunks(BATCH) {
        let sql = scope.db().sql("SELECT DISTINCT import_id FROM contacts WHERE corp_id = ").arg(scope.corp());
        let sql = push_ids(sql.push(" AND import_id IS NOT NULL AND contact_id IN ("), ids).push(")");
        found.extend(sql.all::<(Uuid,)>().await?.into_iter().map(|(id,)| id));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Returns how many comments there are on these contacts, and in the trash with the others.
pub async fn count_comments(scope: &Scope, contacts: &[Uuid], trashed: &[Uuid]) -> Result<u64> {
    let mut count = 0;
    for ids in contacts.chunks(BATCH) {
        let sql = scope.db().sql("SELECT count(*) FROM comments WHERE corp_id = ").arg(scope.corp());
        count += push_ids(sql.push(" AND contact_id IN ("), ids).push(")").value::<i64>().await?.unsigned_abs();
    }
    for ids in trashed.chunks(BATCH) {
        let sql = scope.db().sql("SELECT content FROM trash WHERE corp_id = ").arg(scope.corp());
        let sql = push_ids(sql.push(" AND resource_id = 'contacts' AND record_id IN ("), ids).push(")");
        for (content,) in sql.all::<(String,)>().await? {
            let content: Content = from_json(&content)?;
            count += content.children.values().map(|rows| rows.len() as u64).sum::<u64>();
        }
    }
    Ok(count)
}

/// Returns how many entries the history has of these records.
pub async fn count_entries(scope: &Scope, resource: ResourceId, records: &[Uuid]) -> Result<u64> {
    let mut count = 0;
    for ids in records.chunks(BATCH) {
        let sql = scope.db().sql("SELECT count(*) FROM history WHERE corp_id = ").arg(scope.corp());
        let sql = push_ids(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
        count += sql.push(")").value::<i64>().await?.unsigned_abs();
    }
    Ok(count)
}

/// Returns how many imports have not ended.
pub async fn count_running_imports(scope: &Scope) -> Result<u64> {
    let sql = scope
        .sql("SELECT count(*) FROM imports WHERE corp_id = $1 AND status IN ('receiving', 'pending', 'processing')");
    Ok(sql.value::<i64>().await?.unsigned_abs())
}

/// A row that could not be imported: import, number and cells.
type FailedRow = (Uuid, i64, Json<Vec<String>>);

/// Returns the rows that could not be imported and have the e-mail address in a cell. `sql` is empty.
async fn find_failed_rows(sql: Sql<'_>, scope: &Scope, email: &str) -> Result<Vec<FailedRow>> {
    let sql = sql.push("SELECT import_id, row_number, cells FROM import_failures WHERE corp_id = ").arg(scope.corp());
    let rows: Vec<FailedRow> = push_contains(sql, scope, "cells", email).all().await?;
    Ok(rows.into_iter().filter(|(.., cells)| cells.iter().any(|cell| mentions(cell, email))).collect())
}

/// Returns how many rows that could not be imported have the e-mail address.
pub async fn count_failed_rows(scope: &Scope, email: &str) -> Result<u64> {
    Ok(find_failed_rows(scope.db().sql(""), scope, email).await?.len() as u64)
}

/// Removes the cells of these rows. Their numbers and the reasons stay.
pub async fn erase_failed_rows(tx: &mut Tx, scope: &Scope, email: &str) -> Result<u64> {
    let empty = tx.pick("'[]'", "'[]'::jsonb");
    let mut erased = 0;
    for (import, row, _) in find_failed_rows(tx.sql(""), scope, email).await? {
        let sql = tx.sql("UPDATE import_failures SET cells = ").push(empty).push_arg(" WHERE corp_id = ", scope.corp());
        erased += sql.push_arg(" AND import_id = ", import).push_arg(" AND row_number = ", row).exec().await?;
    }
    Ok(erased)
}

/// Returns these rows: the cells of each as they are in the file.
pub async fn failed_rows(scope: &Scope, email: &str) -> Result<Vec<Vec<String>>> {
    let rows = find_failed_rows(scope.db().sql(""), scope, email).await?;
    Ok(rows.into_iter().map(|(.., Json(cells))| cells).collect())
}

const TEXTS_OF_VIEW: &str = "name || ' ' || search || ' ' || conditions";

/// Returns the saved views that have the e-mail address in their name, search or filter. `sql` is empty.
async fn find_views(sql: Sql<'_>, scope: &Scope, email: &str) -> Result<Vec<Uuid>> {
    let sql = sql.push("SELECT view_id, ").push(TEXTS_OF_VIEW).push_arg(" FROM views WHERE corp_id = ", scope.corp());
    let views: Vec<(Uuid, String)> = push_contains(sql, scope, TEXTS_OF_VIEW, email).all().await?;
    Ok(views.into_iter().filter(|(_, texts)| mentions(texts, email)).map(|(id, _)| id).collect())
}

/// Returns how many saved views have the e-mail address.
pub async fn count_views(scope: &Scope, email: &str) -> Result<u64> {
    Ok(find_views(scope.db().sql(""), scope, email).await?.len() as u64)
}

/// Removes the name, search and filter of these views.
pub async fn erase_views(tx: &mut Tx, scope: &Scope, email: &str, now: i64) -> Result<u64> {
    let mut erased = 0;
    for view in find_views(tx.sql(""), scope, email).await? {
        let sql = tx.sql("UPDATE views SET search = '', conditions = '[]', version = version + 1, name = ").arg(ERASED);
        let sql = sql.push_arg(", updated_at = ", now).push_arg(" WHERE corp_id = ", scope.corp());
        erased += sql.push_arg(" AND view_id = ", view).exec().await?;
    }
    Ok(erased)
}
