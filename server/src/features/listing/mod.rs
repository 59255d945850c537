//! Lists of any length: a page of rows in any order, the exact total, and sums by month, all fast for a corporation
//! with a million rows (docs/decisions/0026-list-engine.md).
//!
//! The table `lists` has a row per corporation and table: its total, a counter of changes, and how far the index job
//! is.

mod arranged;
mod columns;
#[cfg(test)]
mod comparison_tests;
mod conditions;
pub mod definitions;
pub mod duplicates;
pub mod index_worker;
mod indexed;
pub mod keys;
mod listings;
mod pages;
#[cfg(test)]
mod plan_tests;
mod sample;
mod search;
mod sort_rows;
#[cfg(test)]
mod sort_tests;
#[cfg(test)]
mod test_rows;
mod totals;
pub mod writes;

pub use listings::*;

use crate::access::scope::Scope;
use crate::platform::db::{Result, Row, Sql, Tx};
use arranged::Arranged;
use forecourt_core::lists::Arrangement;
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use totals::CUSTOMER_TALLIES;
use uuid::Uuid;

/// Returns the names of the search indexes.
pub fn search_tables() -> impl Iterator<Item = &'static str> {
    LISTINGS.iter().map(|listing| listing.search)
}

/// A list query: page, search text, filter, and sort order.
#[cfg_attr(test, derive(Debug))]
pub struct Selection<'a> {
    pub page: Page,
    pub search: Option<&'a str>,
    pub filter: ListFilter,
    pub arrangement: Arrangement,
}

/// The filter that a list has besides the filter of fields: contacts by import; customers by type, status and the
/// day of their latest purchase, or else of their creation; agreements by customer and vehicle. The days, `yyyy-MM-dd`,
/// are inclusive; a filter by days also orders the list by day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListFilter {
    /// The import that created the contacts.
    pub import: Option<Uuid>,
    pub customer_type: Option<&'static str>,
    pub status: Option<&'static str>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// With whom the agreements are.
    pub customer: Option<Uuid>,
    /// Which vehicle the agreements have.
    pub vehicle: Option<Uuid>,
}

impl ListFilter {
    fn has_days(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    fn is_empty(&self) -> bool {
        *self == ListFilter::default()
    }

    fn push_conditions<'e>(&self, sql: Sql<'e>, scope: &Scope) -> Sql<'e> {
        let sql = sql.filter(" AND customer_type = ", self.customer_type).filter(" AND status = ", self.status);
        let sql = sql.filter(" AND import_id = ", self.import).filter(" AND active_on >= ", self.from.clone());
        let sql = sql.filter(" AND active_on <= ", self.to.clone()).filter(" AND customer_id = ", self.customer);
        let Some(vehicle) = self.vehicle else { return sql };
        let sql = sql.push(" AND agreement_id IN (SELECT agreement FROM agreement_vehicles WHERE corp_id = ");
        sql.arg(scope.corp()).push_arg(" AND vehicle = ", vehicle).push(")")
    }

    /// Returns the index from which the matching rows are read, in the order of the list; for a vehicle, the index by
    /// id, because the ids come from `agreement_vehicles`.
    fn index(&self, listing: &Listing) -> &'static str {
        match self {
            ListFilter { import: Some(_), .. } => "contacts_import_key",
            ListFilter { customer: Some(_), .. } => "agreements_customer",
            ListFilter { vehicle: Some(_), .. } => listing.key,
            filter if filter.has_days() => "customers_days",
            ListFilter { customer_type: Some(_), .. } => "customers_types",
            ListFilter { status: Some(_), .. } => "customers_statuses",
            _ => listing.list,
        }
    }

    /// Returns the index with which SQLite checks a customer's type and status without reading the row. With days there
    /// is none.
    fn lookup_index(&self, listing: &Listing) -> Option<&'static str> {
        let has_type_or_status = self.customer_type.is_some() || self.status.is_some();
        (has_type_or_status && !self.has_days()).then(|| self.index(listing))
    }

    /// Returns the default order as SQL: newest first, or latest day first if the filter has days. If `is_reversed`,
    /// the opposite.
    fn order(&self, is_reversed: bool) -> &'static str {
        match (self.has_days(), is_reversed) {
            (true, false) => "active_on DESC, doc DESC",
            (true, true) => "active_on, doc",
            (false, false) => "doc DESC",
            (false, true) => "doc",
        }
    }
}

/// The number of a list's rows in a month and, for invoices, the sum of their prices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx_macros::FromRow)]
pub struct MonthTally {
    /// `yyyy-MM`: the month of creation; for invoices, the month in which the project starts.
    pub month: String,
    pub count: i64,
    /// The sum of the invoices' prices, in pence; 0 for other tables.
    pub value: i64,
}

/// The number of customers of a type with the same type of agreement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx_macros::FromRow)]
pub struct CustomerTally {
    pub customer_type: String,
    /// Empty without an agreement.
    pub agreement_type: String,
    pub count: i64,
}

/// A page of a list.
pub struct Listed<T> {
    /// Newest first, by day if the filter has days, or for the contacts of an import by their row in the file, the last
    /// one first; unless the query has a sort order.
    pub rows: Vec<T>,
    /// The number of rows on all pages.
    pub total: u64,
    /// The list's change counter, which every write of the corporation to the table increases.
    pub changes: i64,
}

/// The state of a corporation's list. It stays usable when rows are written or indexed later: a query that reads the
/// search index up to this `searched_doc`, and the table after it, finds each row exactly once.
#[derive(Clone, Copy, Default, sqlx_macros::FromRow)]
struct State {
    first_doc: i64,
    next_doc: i64,
    searched_doc: i64,
    sorted_doc: i64,
    total: i64,
    changes: i64,
}

impl State {
    /// Returns the highest number that a row of the list can ever have.
    fn last_doc(&self) -> i64 {
        self.first_doc + 0xFFFF_FFFF
    }

    /// Returns whether some rows are not in the search index yet.
    fn has_tail(&self) -> bool {
        self.searched_doc + 1 < self.next_doc
    }

    /// Returns whether some rows have no sort rows yet.
    fn has_unsorted(&self) -> bool {
        self.sorted_doc + 1 < self.next_doc
    }
}

/// Returns the state of a list; all zeros if the corporation was deleted.
async fn state(scope: &Scope, listing: &Listing) -> Result<State> {
    // PostgreSQL uses indexes instead of sort rows, so no row counts as unsorted there.
    let sql = scope
        .db()
        .sql("SELECT first_doc, next_doc, searched_doc, ")
        .push(scope.db().pick("sorted_doc", "next_doc - 1 AS sorted_doc"));
    Ok(sql
        .push(", total, changes FROM lists WHERE corp_id = ")
        .arg(scope.corp())
        .push_arg(" AND kind = ", listing.table)
        .maybe()
        .await?
        .unwrap_or_default())
}

/// Returns the number of all rows of a list.
pub async fn total(scope: &Scope, listing: &Listing) -> Result<u64> {
    Ok(state(scope, listing).await?.total.unsigned_abs())
}

/// Returns a page of the rows that match the query, with these columns.
pub async fn page<T: Row>(
    scope: &Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
) -> Result<Listed<T>> {
    let state = state(scope, listing).await?;
    if query.search.is_none() && query.arrangement.is_empty() {
        let (rows, total) = pages::rows(scope, columns, listing, query, &state).await?;
        return Ok(Listed { rows, total, changes: state.changes });
    }
    let (ids, total) = find_ids(scope, listing, query, &state).await?;
    Ok(Listed { rows: rows(scope, columns, listing, ids).all().await?, total, changes: state.changes })
}

/// Returns the ids of a page, in the order of [`Listed::rows`], and the total number on all pages.
pub async fn ids(scope: &Scope, listing: &Listing, query: &Selection<'_>) -> Result<(Vec<Uuid>, u64)> {
    find_ids(scope, listing, query, &state(scope, listing).await?).await
}

async fn find_ids(scope: &Scope, listing: &Listing, query: &Selection<'_>, state: &State) -> Result<(Vec<Uuid>, u64)> {
    match query.search {
        _ if !query.arrangement.is_empty() => arranged::ids(Arranged { scope, listing, query, state }).await,
        Some(text) => search::ids(search::Search { scope, listing, query, state, text }).await,
        None => pages::ids(scope, listing, query, state).await,
    }
}

/// Builds the query for rows by their ids, in the order of `ids`. Separate from the query for the ids: in one statement
/// PostgreSQL may run that query once per row if its statistics on the tenant are missing.
pub fn rows<'e>(scope: &'e Scope, columns: &'static str, listing: &Listing, ids: Vec<Uuid>) -> Sql<'e> {
    rows_in(None, scope, columns, listing, ids)
}

/// As [`rows`], but reads inside the transaction if one is given.
pub fn rows_in<'e>(
    tx: Option<&'e mut Tx>,
    scope: &'e Scope,
    columns: &'static str,
    listing: &Listing,
    ids: Vec<Uuid>,
) -> Sql<'e> {
    push_rows(scope.sql_in(tx, "SELECT ").push(columns), scope, listing, ids)
}

/// Returns the ids and versions of the rows with these ids, in the order of `ids`. Reads inside the transaction if one
/// is given.
pub async fn versions(
    tx: Option<&mut Tx>,
    scope: &Scope,
    listing: &Listing,
    ids: Vec<Uuid>,
) -> Result<Vec<(Uuid, i64)>> {
    push_rows(scope.sql_in(tx, "SELECT ").push(listing.id).push(", version"), scope, listing, ids).all().await
}

fn push_rows<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, ids: Vec<Uuid>) -> Sql<'e> {
    // The list begins with a NULL row, because VALUES must not be empty. The NULL needs a type in case it is the only
    // row.
    let sql = sql.push(" FROM (VALUES (");
    let sql = sql.push(scope.db().pick("NULL", "CAST(NULL AS UUID)")).push(", 0)");
    let sql = ids.into_iter().zip(1i64..).fold(sql, |sql, (id, place)| sql.push_arg(",(", id).comma(place).push(")"));
    // SQLite does not reorder a CROSS JOIN: the ids are read first, and each row is looked up by its id.
    let sql = sql.push(") AS page CROSS JOIN ").push(listing.table).indexed_by(listing.key);
    sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(listing.id).push(" = column1 ORDER BY column2")
}

/// Returns whether this tenant has the record and it is not in the trash.
pub async fn exists(scope: &Scope, resource: ResourceId, id: Uuid) -> Result<bool> {
    match LISTINGS.iter().find(|listing| listing.table == resource.as_str()) {
        Some(listing) => rows(scope, "1", listing, vec![id]).exists().await,
        None => Ok(false),
    }
}

/// Appends a branch of a CASE for each list: whether the record `record_id` of the resource `resource_id` exists, both
/// columns of `h`.
pub fn push_existence(sql: Sql<'_>) -> Sql<'_> {
    LISTINGS.iter().fold(sql, |sql, listing| {
        let sql = sql.push(" WHEN h.resource_id = '").push(listing.table).push("' THEN EXISTS (SELECT 1 FROM ");
        let sql = sql.push(listing.table).push(" r WHERE r.corp_id = h.corp_id AND r.").push(listing.id);
        sql.push(" = h.record_id)")
    })
}

/// Appends the contacts `c` of an import, as `FROM …`. The caller appends the import's id, and may append conditions.
pub fn push_contacts_of_import<'e>(sql: Sql<'e>, scope: &Scope) -> Sql<'e> {
    let sql = sql.push(" FROM contacts c").indexed_by("contacts_import_key");
    sql.push_arg(" WHERE c.corp_id = ", scope.corp()).push(" AND c.import_id = ")
}

/// Appends the LIMIT and OFFSET of a page.
pub fn push_page(sql: Sql<'_>, page: Page) -> Sql<'_> {
    sql.push_arg(" LIMIT ", i64::from(page.limit)).push_arg(" OFFSET ", page.offset())
}

/// Returns a page of rows that are in memory, and the number of all rows. For tables that are small enough to be read
/// as a whole.
pub fn page_in_memory<T>(rows: Vec<T>, page: Page) -> (Vec<T>, u64) {
    let total = rows.len() as u64;
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    (rows.into_iter().skip(offset).take(page.limit as usize).collect(), total)
}

/// Appends a scan of the corporation's rows with numbers above `after`, up to `last`: FROM and WHERE. More conditions
/// can be appended.
fn push_scan<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, after: i64, last: i64) -> Sql<'e> {
    let sql = sql.push(" FROM ").push(listing.table).push(scope.db().pick(" NOT INDEXED", ""));
    sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND doc > ", after).push_arg(" AND doc <= ", last)
}

/// Returns the number of rows and the sum of prices of each month that has rows, for the whole corporation.
pub async fn months(scope: &Scope, listing: &Listing) -> Result<Vec<MonthTally>> {
    let sums = "SELECT month, CAST(sum(count) AS BIGINT) AS count, CAST(sum(amount) AS BIGINT) AS value \
                FROM list_months WHERE corp_id = ";
    let sql = scope.db().sql(sums).arg(scope.corp()).push_arg(" AND kind = ", listing.table);
    sql.push(" GROUP BY month HAVING sum(count) > 0").all().await
}

/// Returns the number of customers of each type and type of agreement, for the whole corporation. `changes` is the
/// change counter of the customers' list, if the caller has read it: the numbers then come from the cache if they were
/// cached with this counter.
pub async fn customer_tallies(scope: &Scope, changes: Option<i64>) -> Result<Vec<CustomerTally>> {
    #[derive(sqlx_macros::FromRow)]
    struct TallyRow {
        #[sqlx(flatten)]
        tally: CustomerTally,
        changes: i64,
    }
    if let Some(tallies) = changes.and_then(|changes| CUSTOMER_TALLIES.get(&scope.corp(), changes)) {
        return Ok(tallies);
    }
    let sums = "SELECT customer_type, agreement_type, counted.count, changes FROM (SELECT customer_type, \
                agreement_type, CAST(sum(count) AS BIGINT) AS count FROM list_months WHERE kind = 'customers' AND corp_id = ";
    let sql = scope.db().sql(sums).arg(scope.corp());
    let sql = sql.push(" GROUP BY customer_type, agreement_type HAVING sum(count) > 0) AS counted CROSS JOIN ");
    let rows: Vec<TallyRow> = push_changes(sql, scope, &CUSTOMERS).all().await?;
    let changes = rows.first().map(|row| row.changes);
    let tallies: Vec<CustomerTally> = rows.into_iter().map(|row| row.tally).collect();
    if let Some(changes) = changes {
        CUSTOMER_TALLIES.put(scope.corp(), changes, tallies.clone());
    }
    Ok(tallies)
}

/// Appends a table of one row, for a join after FROM: the list's change counter, in the column `changes`.
fn push_changes<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing) -> Sql<'e> {
    let sql = sql.push_arg("(SELECT changes FROM lists WHERE corp_id = ", scope.corp());
    sql.push_arg(" AND kind = ", listing.table).push(") AS counter")
}
