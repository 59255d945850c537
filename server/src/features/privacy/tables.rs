//! The tables in which a person may be.

use crate::access::scope::Scope;
use crate::features::records::columns::push_ids;
use crate::features::records::trash::Content;
use crate::platform::db::{Result, Row, Sql, Tx, from_json};
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{ERASED, mentions};
use sqlx::types::Json;
use uuid::Uuid;

/// Ids per statement.
const BATCH: usize = 500;
/// Entries of the history, and deleted records, that a statement reads: far fewer than a database reads before its timeout.
const HISTORY_ROWS: i64 = 50_000;
const TRASH_ROWS: i64 = 10_000;

/// Appends the condition that a text, as its column begins it, contains the end of another one, from its last character that the
/// databases compare differently, or that JSON escapes. The other one is in lower case.
fn push_contains<'e>(sql: Sql<'e>, scope: &Scope, column: &'static str, part: &str) -> Sql<'e> {
    let end = part.rsplit(|c: char| !c.is_ascii() || c == '"' || c == '\\').next().unwrap_or_default();
    let sql = sql.push(scope.db().pick(" AND instr(lower(CAST(", " AND strpos(lower(CAST(")).push(column);
    sql.push_arg(" AS TEXT)), ", end.to_owned()).push(") > 0")
}

/// Reads a table of any size by statements that each read at most `rows` rows, in the order of an id. `select` begins a statement
/// that reads these columns of the tenant's rows, and `push_rest` appends further conditions.
async fn read_in_pages<'s, T: Row + Send + Unpin>(
    (id, columns): (&'static str, &'static str),
    rows: i64,
    select: impl Fn(&'static str) -> Sql<'s>,
    push_rest: impl Fn(Sql<'s>) -> Sql<'s>,
) -> Result<Vec<T>> {
    let (mut found, mut after) = (Vec::new(), Uuid::nil());
    loop {
        let rest = |columns| select(columns).push(" AND ").push(id).push_arg(" > ", after);
        let last = rest(id).push(" ORDER BY ").push(id).push_arg(" LIMIT 1 OFFSET ", rows - 1);
        let last = last.maybe_value::<Uuid>().await?;
        let page = match last {
            Some(last) => rest(columns).push(" AND ").push(id).push_arg(" <= ", last),
            None => rest(columns),
        };
        found.extend(push_rest(page).all::<T>().await?);
        match last {
            Some(last) => after = last,
            None => return Ok(found),
        }
    }
}

/// A kind of records that are linked to customers.
pub struct Linked {
    pub resource: ResourceId,
    table: &'static str,
    /// The column of the id.
    id: &'static str,
}

pub const INVOICES: Linked = Linked { resource: ResourceId::Invoices, table: "invoices", id: "invoice_id" };
pub const AGREEMENTS: Linked = Linked { resource: ResourceId::Agreements, table: "agreements", id: "agreement_id" };

fn select_linked<'s>(scope: &'s Scope, kind: &Linked) -> Sql<'s> {
    let sql = scope.db().sql("SELECT ").push(kind.id).push(" FROM ").push(kind.table);
    sql.push_arg(" WHERE corp_id = ", scope.corp())
}

/// Returns the records that are linked to these customers.
pub async fn of_customers(scope: &Scope, kind: &Linked, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let mut found = Vec::new();
    for ids in customers.chunks(BATCH) {
        let sql = select_linked(scope, kind);
        let sql = push_ids(sql.push(" AND customer_id IN ("), ids).push(")");
        found.extend(sql.all::<(Uuid,)>().await?.into_iter().map(|(id,)| id));
    }
    Ok(found)
}

/// Returns the deleted records of a resource with this text in their content: id and content.
pub async fn trash_with(scope: &Scope, resource: ResourceId, text: &str) -> Result<Vec<(Uuid, String)>> {
    let select = |columns| select_trash(scope, resource, columns);
    let with_text = |sql| push_contains(sql, scope, "content", text);
    read_in_pages(("record_id", "record_id, content"), TRASH_ROWS, select, with_text).await
}

/// Returns the deleted records that are linked to these customers.
pub async fn trashed_of_customers<'s>(scope: &'s Scope, kind: &Linked, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let customer = scope.db().pick(
        " AND json_extract(content, '$.row.customer_id.id') IN (''",
        " AND CAST(content AS json) #>> '{row,customer_id,id}' IN (''",
    );
    let select = |columns| select_trash(scope, kind.resource, columns);
    let mut found = Vec::new();
    for ids in customers.chunks(BATCH) {
        let linked = |sql: Sql<'s>| ids.iter().fold(sql.push(customer), |sql, id| sql.next(id.to_string())).push(")");
        let rows = read_in_pages::<(Uuid,)>(("record_id", "record_id"), TRASH_ROWS, select, linked).await?;
        found.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(found)
}

fn select_trash<'s>(scope: &'s Scope, resource: ResourceId, columns: &'static str) -> Sql<'s> {
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM trash WHERE corp_id = ").arg(scope.corp());
    sql.push_arg(" AND resource_id = ", resource.as_str())
}

/// Returns the contents of those of these records that are in the trash.
pub async fn trashed(scope: &Scope, resource: ResourceId, records: &[Uuid]) -> Result<Vec<(Uuid, Content)>> {
    let mut found = Vec::new();
    for ids in records.chunks(BATCH) {
        let sql = select_trash(scope, resource, "record_id, content").push(" AND record_id IN (");
        for (id, content) in push_ids(sql, ids).push(")").all::<(Uuid, String)>().await? {
            found.push((id, from_json(&content)?));
        }
    }
    Ok(found)
}

/// Divides records into those in the list and those in the trash. Others no longer exist, or are of another kind.
pub async fn divide(scope: &Scope, kind: &Linked, records: &[Uuid]) -> Result<(Vec<Uuid>, Vec<Uuid>)> {
    let (mut live, mut trashed) = (Vec::new(), Vec::new());
    for ids in records.chunks(BATCH) {
        let sql = select_linked(scope, kind).push(" AND ").push(kind.id).push(" IN (");
        live.extend(push_ids(sql, ids).push(")").all::<(Uuid,)>().await?);
        let sql = select_trash(scope, kind.resource, "record_id").push(" AND record_id IN (");
        trashed.extend(push_ids(sql, ids).push(")").all::<(Uuid,)>().await?);
    }
    let ids = |rows: Vec<(Uuid,)>| rows.into_iter().map(|(id,)| id).collect();
    Ok((ids(live), ids(trashed)))
}

/// An entry of the history: id, resource, record and changes.
pub type EntryRow = (Uuid, String, Option<Uuid>, String);

/// Returns the entries about records with this text in their changes.
pub async fn entries_with<'s>(scope: &'s Scope, text: &str) -> Result<Vec<EntryRow>> {
    let select =
        |columns| scope.db().sql("SELECT ").push(columns).push(" FROM history WHERE corp_id = ").arg(scope.corp());
    let with_text = |sql: Sql<'s>| {
        push_contains(sql.push(" AND resource_id IN ('contacts', 'customers', 'invoices')"), scope, "changes", text)
    };
    let columns = "history_id, resource_id, record_id, changes";
    read_in_pages(("history_id", columns), HISTORY_ROWS, select, with_text).await
}

/// Returns the agreements whose history has one of these customers.
pub async fn agreements_with<'s>(scope: &'s Scope, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let select = |columns| {
        let sql = scope.db().sql("SELECT ").push(columns).push(" FROM history WHERE corp_id = ").arg(scope.corp());
        sql.push(" AND resource_id = 'agreements' AND record_id IS NOT NULL")
    };
    let mut found = Vec::new();
    for customer in customers {
        let id = customer.to_string();
        let with_id = |sql: Sql<'s>| push_contains(sql, scope, "changes", &id);
        let rows = read_in_pages::<(Uuid,)>(("history_id", "record_id"), HISTORY_ROWS, select, with_id).await?;
        found.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(found)
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
    for (_, content) in self::trashed(scope, ResourceId::Contacts, trashed).await? {
        count += content.children.values().map(|rows| rows.len() as u64).sum::<u64>();
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
pub type FailedRow = (Uuid, i64, Json<Vec<String>>);

/// Returns the rows that could not be imported and have the e-mail address in a cell.
pub async fn failed_rows(scope: &Scope, email: &str) -> Result<Vec<FailedRow>> {
    let imports = scope.sql("SELECT import_id FROM imports WHERE corp_id = $1").all::<(Uuid,)>().await?;
    let mut found = Vec::new();
    for (import,) in imports {
        let sql = scope.db().sql("SELECT import_id, row_number, cells FROM import_failures WHERE corp_id = ");
        let sql = sql.arg(scope.corp()).push_arg(" AND import_id = ", import);
        let rows: Vec<FailedRow> = push_contains(sql, scope, "cells", email).all().await?;
        found.extend(rows.into_iter().filter(|(.., cells)| cells.iter().any(|cell| mentions(cell, email))));
    }
    Ok(found)
}

/// Removes the cells of these rows. Their numbers and the reasons stay.
pub async fn erase_failed_rows(tx: &mut Tx, scope: &Scope, rows: &[FailedRow]) -> Result<u64> {
    let empty = tx.pick("'[]'", "'[]'::jsonb");
    let mut erased = 0;
    for (import, row, _) in rows {
        let sql = tx.sql("UPDATE import_failures SET cells = ").push(empty).push_arg(" WHERE corp_id = ", scope.corp());
        erased += sql.push_arg(" AND import_id = ", *import).push_arg(" AND row_number = ", *row).exec().await?;
    }
    Ok(erased)
}

/// A saved view.
#[derive(Clone, sqlx_macros::FromRow)]
pub struct View {
    pub view_id: Uuid,
    pub resource_id: String,
    pub name: String,
    pub search: String,
    /// The filter as JSON.
    pub conditions: String,
    pub created_at: i64,
}

/// Returns the saved views that have the e-mail address in their name, search or filter.
pub async fn views(scope: &Scope, email: &str) -> Result<Vec<View>> {
    let sql =
        scope.db().sql("SELECT view_id, resource_id, name, search, conditions, created_at FROM views WHERE corp_id = ");
    let sql = push_contains(sql.arg(scope.corp()), scope, "name || ' ' || search || ' ' || conditions", email);
    let views: Vec<View> = sql.all().await?;
    let has_email = |view: &View| [&view.name, &view.search, &view.conditions].iter().any(|text| mentions(text, email));
    Ok(views.into_iter().filter(has_email).collect())
}

/// Removes the name, search and filter of these views.
pub async fn erase_views(tx: &mut Tx, scope: &Scope, views: &[View], now: i64) -> Result<u64> {
    let mut erased = 0;
    for view in views {
        let sql = tx.sql("UPDATE views SET search = '', conditions = '[]', version = version + 1, name = ").arg(ERASED);
        let sql = sql.push_arg(", updated_at = ", now).push_arg(" WHERE corp_id = ", scope.corp());
        erased += sql.push_arg(" AND view_id = ", view.view_id).exec().await?;
    }
    Ok(erased)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::scope::scope_of_job;
    use crate::platform::db::{self, Db};

    /// Adds entries with these changes.
    async fn insert(db: &Db, corp: Uuid, changes: &[&str]) {
        let mut tx = db.begin().await.unwrap();
        let corporation = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, '', 0, 0)";
        tx.sql(corporation).bind(corp).exec().await.unwrap();
        let columns = "corp_id, history_id, at, actor_id, action, resource_id, label, changes, actor_kind";
        let sql = tx.sql("INSERT INTO history (").push(columns).push(") VALUES ").tuples(changes, |sql, changes| {
            let sql = sql.arg(corp).next(Uuid::now_v7()).next(0_i64).next(corp).next("updated").next("contacts");
            sql.next("").next((*changes).to_owned()).next("user")
        });
        sql.exec().await.unwrap();
        tx.commit().await.unwrap();
    }

    #[tokio::test]
    async fn reads_every_row_once_in_pages_of_any_size() {
        let folder = tempfile::tempdir().unwrap();
        let db = db::test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        let other = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        insert(&db, other.corp(), &["9"]).await;
        insert(&db, scope.corp(), &["0", "1", "2", "3", "4"]).await;
        for rows in 1..=6 {
            let select = |columns| {
                scope.db().sql("SELECT ").push(columns).push(" FROM history WHERE corp_id = ").arg(scope.corp())
            };
            let read = read_in_pages::<(String,)>(("history_id", "changes"), rows, select, |sql| {
                sql.push(" AND changes <> '1'")
            });
            let found: Vec<_> = read.await.unwrap().into_iter().map(|(changes,)| changes).collect();
            assert_eq!(found, ["0", "2", "3", "4"], "{rows}");
        }
        db.close().await;
    }

    #[tokio::test]
    async fn finds_addresses_without_regard_to_case_and_quotes() {
        let folder = tempfile::tempdir().unwrap();
        let db = db::test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        insert(&db, scope.corp(), &[r#"["ÅSA@X.se"]"#, r#"["\"åsa\"@x.se"]"#, r#"["bo@y.se"]"#]).await;
        for (email, count) in [("åsa@x.se", 1), ("\"åsa\"@x.se", 2), ("bo@y.se", 1), ("o@z.se", 0)] {
            assert_eq!(entries_with(&scope, email).await.unwrap().len(), count, "{email}");
        }
        db.close().await;
    }
}
