//! Queries on the tables that may contain data about a person.

use crate::access::scope::{ResourceType, Scope};
use crate::features::records::Entity;
use crate::features::records::columns::push_id_list;
use crate::features::records::trash::Content;
use crate::platform::db::{Result, Row, Sql, Tx, from_json};
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{ERASED, mentions};
use sqlx::types::Json;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Ids per statement.
pub const BATCH: usize = 500;
/// Maximum numbers of history entries, and of vehicles or records in the trash, that one statement reads: far fewer
/// than a database reads before its timeout.
pub const HISTORY_ROWS: i64 = 50_000;
const TRASH_ROWS: i64 = 10_000;

/// The person's records of one kind, by where they are.
#[derive(Clone, Default)]
pub struct Records {
    /// The ids of records that are not deleted.
    pub live: Vec<Uuid>,
    pub trashed: Vec<Uuid>,
    /// The ids of purged records, which only the history still knows.
    pub past: Vec<Uuid>,
    /// The ids of history entries about records that once had the person's e-mail address and have another one now, or
    /// had another one when they were purged.
    pub mentions: Vec<Uuid>,
}

impl Records {
    /// Returns the ids of all records: live, in the trash, and past.
    pub fn all(&self) -> Vec<Uuid> {
        [&self.live[..], &self.trashed, &self.past].concat()
    }

    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.trashed.is_empty() && self.past.is_empty() && self.mentions.is_empty()
    }
}

/// Appends a condition that is true for all texts that contain `part`, which is in lower case, and for some others;
/// callers compare exactly. It looks only for the end of `part`, after its last character that is not ASCII, which the
/// databases lower-case differently, or that JSON escapes. `text` is an SQL expression in lower case.
fn push_contains<'e>(sql: Sql<'e>, text: &'static str, part: &str) -> Sql<'e> {
    push_text(sql.push(" AND "), text, part)
}

/// As [`push_contains`], without the AND.
pub fn push_text<'e>(sql: Sql<'e>, text: &'static str, part: &str) -> Sql<'e> {
    let end = part.rsplit(|c: char| !c.is_ascii() || c == '"' || c == '\\').next().unwrap_or_default();
    sql.position(text, end).push(" > 0")
}

/// Reads a table of any size by statements that each read at most `rows` rows, in the order of the column `id`.
/// `select` begins a statement that reads these columns of the tenant's rows, and `push_rest` appends further
/// conditions.
pub async fn read_in_pages<'s, T: Row + Send + Unpin>(
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

/// Reads the values of one column for these ids in batches. `select` begins the statement, up to the parenthesis of
/// `IN (`.
pub async fn values_for<'s, T>(ids: &[Uuid], select: impl Fn() -> Sql<'s>) -> Result<Vec<T>>
where
    (T,): Row,
{
    let mut found = Vec::new();
    for ids in ids.chunks(BATCH) {
        found.extend(push_id_list(select(), ids).push(")").values::<T>().await?);
    }
    Ok(found)
}

/// As [`values_for`], for a count. Returns the sum.
async fn count_for<'s>(ids: &[Uuid], select: impl Fn() -> Sql<'s>) -> Result<u64> {
    Ok(values_for::<i64>(ids, select).await?.into_iter().map(i64::unsigned_abs).sum())
}

pub fn select_history<'s>(scope: &'s Scope, columns: &'static str) -> Sql<'s> {
    scope.db().sql("SELECT ").push(columns).push(" FROM history WHERE corp_id = ").arg(scope.corp())
}

/// Returns those of these records that are in the list or in the trash.
pub async fn present_of<E: Entity>(scope: &Scope, records: impl Iterator<Item = Uuid>) -> Result<BTreeSet<Uuid>> {
    let (ids, mut present): (Vec<Uuid>, _) = (records.collect(), BTreeSet::new());
    for ids in ids.chunks(BATCH) {
        let sql = scope.db().sql("SELECT ").push(E::ID).push(" FROM ").push(E::TABLE.name);
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
        let sql =
            push_id_list(sql, ids).push_arg(") UNION ALL SELECT record_id FROM trash WHERE corp_id = ", scope.corp());
        let sql = sql.push_arg(" AND resource_id = ", E::Resource::RESOURCE.as_str()).push(" AND record_id IN (");
        present.extend(push_id_list(sql, ids).push(")").values::<Uuid>().await?);
    }
    Ok(present)
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

pub fn select_linked<'s>(scope: &'s Scope, kind: &Linked) -> Sql<'s> {
    let sql = scope.db().sql("SELECT ").push(kind.id).push(" FROM ").push(kind.table);
    sql.push_arg(" WHERE corp_id = ", scope.corp())
}

/// Returns the records that are linked to these customers.
pub async fn of_customers(scope: &Scope, kind: &Linked, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    values_for(customers, || select_linked(scope, kind).push(" AND customer_id IN (")).await
}

/// Returns the records of a resource in the trash whose content may contain this text, as id and content. The caller
/// compares exactly.
pub async fn trash_with(scope: &Scope, resource: ResourceId, text: &str) -> Result<Vec<(Uuid, String)>> {
    let select = |columns| select_trash(scope, resource, columns);
    let with_text = |sql| push_contains(sql, "lower(content)", text);
    read_in_pages(("record_id", "record_id, content"), TRASH_ROWS, select, with_text).await
}

/// Returns the records in the trash that are linked to these customers.
pub async fn trashed_of_customers<'s>(scope: &'s Scope, kind: &Linked, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let customer = scope.db().pick(
        " AND json_extract(content, '$.row.customer_id.id') IN (",
        " AND CAST(content AS json) #>> '{row,customer_id,id}' IN (",
    );
    let select = |columns| select_trash(scope, kind.resource, columns);
    let mut found = Vec::new();
    for ids in customers.chunks(BATCH) {
        let linked = |sql: Sql<'s>| sql.push(customer).texts(ids.iter().map(|id| id.to_string())).push(")");
        let rows = read_in_pages::<(Uuid,)>(("record_id", "record_id"), TRASH_ROWS, select, linked).await?;
        found.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(found)
}

fn select_trash<'s>(scope: &'s Scope, resource: ResourceId, columns: &'static str) -> Sql<'s> {
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM trash WHERE corp_id = ").arg(scope.corp());
    sql.push_arg(" AND resource_id = ", resource.as_str())
}

/// Returns the id and the content of each of these records that is in the trash.
pub async fn read_trashed(scope: &Scope, resource: ResourceId, records: &[Uuid]) -> Result<Vec<(Uuid, Content)>> {
    let mut found = Vec::new();
    for ids in records.chunks(BATCH) {
        let sql = select_trash(scope, resource, "record_id, content").push(" AND record_id IN (");
        for (id, content) in push_id_list(sql, ids).push(")").all::<(Uuid, String)>().await? {
            found.push((id, from_json(&content)?));
        }
    }
    Ok(found)
}

/// Returns which of these records are in the list, and which are in the trash. Those that no longer exist, or are of
/// another kind, are left out.
pub async fn divide(scope: &Scope, kind: &Linked, records: &[Uuid]) -> Result<(Vec<Uuid>, Vec<Uuid>)> {
    let live = || select_linked(scope, kind).push(" AND ").push(kind.id).push(" IN (");
    let trashed = || select_trash(scope, kind.resource, "record_id").push(" AND record_id IN (");
    Ok((values_for(records, live).await?, values_for(records, trashed).await?))
}

/// An entry of the history: id, resource, record, action and changes.
pub type EntryRow = (Uuid, String, Option<Uuid>, String, String);

/// Returns the entries about contacts, customers, invoices and vehicles whose changes may contain this text. The caller
/// compares exactly.
pub async fn entries_with<'s>(scope: &'s Scope, text: &str) -> Result<Vec<EntryRow>> {
    let with_text = |sql: Sql<'s>| {
        let sql = sql.push(" AND resource_id IN ('contacts', 'customers', 'invoices', 'vehicles')");
        push_contains(sql, "lower(changes)", text)
    };
    let columns = "history_id, resource_id, record_id, action, changes";
    read_in_pages(("history_id", columns), HISTORY_ROWS, |columns| select_history(scope, columns), with_text).await
}

/// Returns the vehicles whose remark on the mileage or notes may contain this text, which is in lower case: id, remark
/// and notes. The caller compares exactly.
pub async fn vehicle_texts<'s>(scope: &'s Scope, text: &str) -> Result<Vec<(Uuid, String, String)>> {
    let select =
        |columns| scope.db().sql("SELECT ").push(columns).push(" FROM vehicles WHERE corp_id = ").arg(scope.corp());
    let with_text = |sql: Sql<'s>| push_contains(sql, "lower(mileage_remark || ' ' || notes)", text);
    read_in_pages(("vehicle_id", "vehicle_id, mileage_remark, notes"), TRASH_ROWS, select, with_text).await
}

/// Returns the account with this e-mail address in this corporation.
pub async fn account(scope: &Scope, email: &str) -> Result<Option<Uuid>> {
    let sql = scope.sql("SELECT user_id FROM users WHERE corp_id = $1 AND lower(email) = $2");
    sql.bind(email.to_owned()).maybe_value().await
}

/// Returns the ids of the imports that created these contacts.
pub async fn imports_of(scope: &Scope, contacts: &[Uuid]) -> Result<Vec<Uuid>> {
    let select = || {
        let sql = scope.db().sql("SELECT DISTINCT import_id FROM contacts WHERE corp_id = ").arg(scope.corp());
        sql.push(" AND import_id IS NOT NULL AND contact_id IN (")
    };
    values_for(contacts, select).await
}

/// Returns those of the imports that still exist.
pub async fn existing_imports(scope: &Scope, imports: &[Uuid]) -> Result<Vec<Uuid>> {
    let sql = || scope.db().sql("SELECT import_id FROM imports WHERE corp_id = ").arg(scope.corp());
    values_for(imports, || sql().push(" AND import_id IN (")).await
}

/// Returns how many comments contacts in the list have.
pub async fn count_comments(scope: &Scope, contacts: &[Uuid]) -> Result<u64> {
    let sql = || scope.db().sql("SELECT count(*) FROM comments WHERE corp_id = ").arg(scope.corp());
    count_for(contacts, || sql().push(" AND contact_id IN (")).await
}

/// Returns how many comments contacts in the trash have.
pub async fn count_trashed_comments(scope: &Scope, contacts: &[Uuid]) -> Result<u64> {
    let contacts = read_trashed(scope, ResourceId::Contacts, contacts).await?;
    Ok(contacts.iter().flat_map(|(_, content)| content.children.values()).map(|rows| rows.len() as u64).sum())
}

/// Returns how many entries the history has of these records.
pub async fn count_entries(scope: &Scope, resource: ResourceId, records: &[Uuid]) -> Result<u64> {
    let sql = || select_history(scope, "count(*)").push_arg(" AND resource_id = ", resource.as_str());
    count_for(records, || sql().push(" AND record_id IN (")).await
}

/// Returns how many of these customers have values that follow from agreements.
pub async fn count_with_figures(scope: &Scope, customers: &[Uuid]) -> Result<u64> {
    let select = || {
        let sql = "SELECT count(*) FROM customers WHERE typed_number_of_orders IS NOT NULL AND corp_id = ";
        scope.db().sql(sql).arg(scope.corp()).push(" AND customer_id IN (")
    };
    count_for(customers, select).await
}

/// Returns the ids of the imports that have not ended.
pub async fn find_running_imports(scope: &Scope) -> Result<Vec<Uuid>> {
    let sql = scope
        .sql("SELECT import_id FROM imports WHERE corp_id = $1 AND status IN ('receiving', 'pending', 'processing')");
    sql.values().await
}

/// A row of an imported file that could not be imported: the import's id, the row's number, and its cells.
pub type FailedRow = (Uuid, i64, Json<Vec<String>>);

/// Returns the rows that could not be imported and have the e-mail address in a cell.
pub async fn failed_rows(scope: &Scope, email: &str) -> Result<Vec<FailedRow>> {
    let imports = scope.sql("SELECT import_id FROM imports WHERE corp_id = $1").values::<Uuid>().await?;
    let mut found = Vec::new();
    for import in imports {
        let sql = scope.db().sql("SELECT import_id, row_number, cells FROM import_failures WHERE corp_id = ");
        let sql = sql.arg(scope.corp()).push_arg(" AND import_id = ", import);
        let rows: Vec<FailedRow> = push_contains(sql, "lower(CAST(cells AS TEXT))", email).all().await?;
        found.extend(rows.into_iter().filter(|(.., cells)| cells.iter().any(|cell| mentions(cell, email))));
    }
    Ok(found)
}

/// Removes the cells of these rows; the rows' numbers and the reasons of failure stay. Returns the number of changed
/// rows.
pub async fn erase_failed_rows(tx: &mut Tx, scope: &Scope, rows: &[FailedRow]) -> Result<u64> {
    let mut erased = 0;
    for (import, row, _) in rows {
        let sql = tx.sql("UPDATE import_failures SET cells = '[]' WHERE corp_id = ").arg(scope.corp());
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
    let sql = push_contains(sql.arg(scope.corp()), "lower(name || ' ' || search || ' ' || conditions)", email);
    let views: Vec<View> = sql.all().await?;
    let has_email = |view: &View| [&view.name, &view.search, &view.conditions].iter().any(|text| mentions(text, email));
    Ok(views.into_iter().filter(has_email).collect())
}

/// Removes the name, search and filter of these views. Returns the number of changed views.
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
    use crate::features::listing::definitions::test_database;
    use crate::platform::db::Db;

    /// Adds a history entry about a contact with each of these changes.
    async fn insert(db: &Db, corp: Uuid, changes: &[&str]) {
        let mut tx = db.begin().await.unwrap();
        let corporation = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, '', 0, 0)";
        tx.sql(corporation).bind(corp).exec().await.unwrap();
        let columns = "corp_id, history_id, at, actor_id, action, resource_id, label, changes, actor_kind";
        let sql = tx.sql("INSERT INTO history (").push(columns).push(") VALUES ").tuples(changes, |sql, changes| {
            let sql = sql.arg(corp).comma(Uuid::now_v7()).comma(0_i64).comma(corp).comma("updated").comma("contacts");
            sql.comma("").comma((*changes).to_owned()).comma("user")
        });
        sql.exec().await.unwrap();
        tx.commit().await.unwrap();
    }

    #[tokio::test]
    async fn reads_every_row_once_in_pages_of_any_size() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        let other = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        insert(&db, other.corp(), &["9"]).await;
        insert(&db, scope.corp(), &["0", "1", "2", "3", "4"]).await;
        for rows in 1..=6 {
            let select = |columns| select_history(&scope, columns);
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
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        insert(&db, scope.corp(), &[r#"["ÅSA@X.se"]"#, r#"["\"åsa\"@x.se"]"#, r#"["bo@y.se"]"#]).await;
        for (email, count) in [("åsa@x.se", 1), ("\"åsa\"@x.se", 2), ("bo@y.se", 1), ("o@z.se", 0)] {
            assert_eq!(entries_with(&scope, email).await.unwrap().len(), count, "{email}");
        }
        db.close().await;
    }
}
