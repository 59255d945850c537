//! Lists of any length: a page of ids, the exact total, and the number of rows of each kind, all fast for a corporation
//! with a million rows (docs/decisions/0009-lists-at-scale.md).
//!
//! Triggers maintain tallies: the number of rows per block of 4,096 consecutive rows, and per day. A total is a sum of
//! tallies, which also show in which blocks a page lies.

mod arranged;
#[cfg(test)]
mod comparison_tests;
pub mod keys;
mod pages;
#[cfg(test)]
mod plan_tests;
mod search;
pub mod tally_worker;
mod totals;

use crate::access::scope::Scope;
use crate::platform::db::{Db, Result, Row, Sql};
use forecourt_core::lists::Arrangement;
use forecourt_core::paging::Page;
use totals::KINDS;
use uuid::Uuid;

/// A table that can be listed and searched.
pub struct Listing {
    table: &'static str,
    id: &'static str,
    /// SQLite's index of the ids.
    key: &'static str,
    /// The index of all rows in the order of the list.
    list: &'static str,
    /// The folded texts: on SQLite a full-text index, on PostgreSQL a table without row level security.
    search: &'static str,
    /// The `kind` of the tallies by month, and of those by block.
    months: &'static str,
    blocks: &'static str,
    /// The fields of the list with their columns. Texts have folded columns; times have the precision of the API, milliseconds.
    columns: &'static [(&'static str, &'static str)],
}

pub const CONTACTS: Listing = Listing {
    table: "contacts",
    id: "contact_id",
    key: "contacts_key",
    list: "contacts_list",
    search: "contacts_search",
    months: "contacts",
    blocks: "contacts",
    columns: &[
        ("_id", "contact_id"),
        ("name", "name_key"),
        ("email", "email_key"),
        ("phone", "phone_key"),
        ("website", "website_key"),
        ("address", "address_key"),
        ("importSource", "import_source_key"),
        ("importedAt", "imported_at / 1000 * 1000"),
        ("importBatchId", "import_id"),
        ("createdAt", "created_at / 1000 * 1000"),
        ("updatedAt", "updated_at / 1000 * 1000"),
        ("version", "version"),
    ],
};
pub const CUSTOMERS: Listing = Listing {
    table: "customers",
    id: "customer_id",
    key: "customers_key",
    list: "customers_list",
    search: "customers_search",
    months: "customers",
    blocks: "customers.blocks",
    columns: &[
        ("customer_id", "customer_id"),
        ("customerNumber", "customer_number"),
        ("name", "name_key"),
        ("email", "email_key"),
        ("telephone", "telephone_folded"),
        ("address", "address_key"),
        ("postalCode", "postal_code_key"),
        ("location", "location_key"),
        ("type", "customer_type"),
        ("status", "status"),
        ("organizationNumber", "organization_number_key"),
        ("latestPurchase", "latest_purchase"),
        ("agreementType", "agreement_type"),
        ("role", "role_key"),
        ("companyName", "company_name_key"),
        ("numberOfOrders", "number_of_orders"),
        ("totalSpent", "total_spent"),
        ("warranty", "warranty_key"),
        ("warrantyPeriod", "warranty_period_key"),
        ("createdAt", "created_at / 1000 * 1000"),
        ("updatedAt", "updated_at / 1000 * 1000"),
        ("version", "version"),
    ],
};
pub const INVOICES: Listing = Listing {
    table: "invoices",
    id: "invoice_id",
    key: "invoices_key",
    list: "invoices_list",
    search: "invoices_search",
    months: "invoices",
    blocks: "invoices",
    columns: &[
        ("_id", "invoice_id"),
        ("customer", "customer_key"),
        ("customer_id", "customer_id"),
        ("website", "website_key"),
        ("email", "email_key"),
        ("customerRequirements", "customer_requirements_key"),
        ("startDate", "start_date"),
        ("endDate", "end_date"),
        ("projectPrice", "project_price"),
        ("createdAt", "created_at / 1000 * 1000"),
        ("updatedAt", "updated_at / 1000 * 1000"),
        ("version", "version"),
    ],
};

/// A list query: page, search text, filter, and sort order.
pub struct Selection<'a> {
    pub page: Page,
    pub search: Option<&'a str>,
    pub filter: ListFilter,
    pub arrangement: Arrangement,
}

/// A filter for customers, or contacts by import. The days, `yyyy-MM-dd`, are inclusive; a filter by day also orders
/// the list by day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListFilter {
    /// The import that created the contacts.
    pub import: Option<Uuid>,
    pub customer_type: Option<&'static str>,
    pub status: Option<&'static str>,
    pub from: Option<String>,
    pub to: Option<String>,
}

impl ListFilter {
    fn has_days(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    fn is_empty(&self) -> bool {
        *self == ListFilter::default()
    }

    fn push_kind<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        sql.filter(" AND customer_type = ", self.customer_type).filter(" AND status = ", self.status)
    }

    fn push_conditions<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        let sql = self.push_kind(sql).filter(" AND import_id = ", self.import);
        let sql = sql.filter(" AND active_on >= ", self.from.clone());
        sql.filter(" AND active_on <= ", self.to.clone())
    }

    /// Returns the index from which a page is read. Named explicitly, because SQLite might otherwise scan the rows of all
    /// tenants within the page's range of positions or days.
    fn index(&self, listing: &Listing) -> &'static str {
        match self {
            filter if filter.has_days() => "customers_days",
            ListFilter { customer_type: Some(_), .. } => "customers_types",
            ListFilter { status: Some(_), .. } => "customers_statuses",
            _ => listing.list,
        }
    }

    /// Returns the index with which SQLite checks a row's kind without reading the row. There is none for days.
    fn lookup(&self, listing: &Listing) -> Option<&'static str> {
        let by_kind = self.customer_type.is_some() || self.status.is_some();
        (by_kind && !self.has_days()).then(|| self.index(listing))
    }

    /// Returns the columns of the default order: newest first, or by day if the filter has days.
    fn order(&self) -> &'static str {
        if self.has_days() { "active_on DESC, doc DESC" } else { "doc DESC" }
    }
}

/// The number of rows of a month.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx_macros::FromRow)]
pub struct MonthTally {
    /// `yyyy-MM`: the month of creation; for invoices, the month in which the project starts.
    pub month: String,
    pub count: i64,
    /// The total of invoices, in pence.
    pub value: i64,
}

/// The number of customers of a type with the same agreement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx_macros::FromRow)]
pub struct KindTally {
    pub customer_type: String,
    /// Empty without an agreement.
    pub agreement_type: String,
    pub count: i64,
}

/// A page of a list.
pub struct Listed<T> {
    /// Newest first, or by day if the filter has days, unless the query has a sort order.
    pub rows: Vec<T>,
    /// The number of rows on all pages.
    pub total: u64,
    /// The corporation's change counter of the whole table, if it was read.
    pub changes: Option<i64>,
}

/// Returns a page with these columns of its rows.
pub async fn page<T: Row>(
    scope: &Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
) -> Result<Listed<T>> {
    if query.search.is_none() && query.filter.import.is_none() && query.arrangement.is_empty() {
        return pages::rows(scope, columns, listing, query).await;
    }
    let (ids, total) = ids(scope, listing, query).await?;
    Ok(Listed { rows: rows(scope, columns, listing, ids).all().await?, total, changes: None })
}

/// Returns the ids of a page, newest first unless the query has a sort order, and the total number on all pages.
pub async fn ids(scope: &Scope, listing: &Listing, query: &Selection<'_>) -> Result<(Vec<Uuid>, u64)> {
    let (ids, total) = match (query.search, query.filter.import) {
        _ if !query.arrangement.is_empty() => arranged::ids(scope, listing, query).await?,
        (Some(text), _) => search::ids(search::Search { scope, listing, query, text }).await?,
        (None, Some(import)) => pages::of_import(scope, listing, query, import).await?,
        (None, None) => {
            let page: Listed<(Uuid,)> = pages::rows(scope, listing.id, listing, query).await?;
            (page.rows, page.total)
        }
    };
    Ok((ids.into_iter().map(|(id,): (Uuid,)| id).collect(), total))
}

/// Builds the query for rows by their ids, in the order of `ids`. Separate from the query for the ids: in one statement
/// PostgreSQL may run that query once per row if its statistics on the tenant are missing.
pub fn rows<'e>(scope: &'e Scope, columns: &'static str, listing: &Listing, ids: Vec<Uuid>) -> Sql<'e> {
    // An initial NULL row, because an empty VALUES list is not permitted. It needs a type if it is the only one.
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM (VALUES (");
    let sql = sql.push(scope.db().pick("NULL", "CAST(NULL AS UUID)")).push(", 0)");
    let sql = ids.into_iter().zip(1i64..).fold(sql, |sql, (id, place)| sql.push_arg(",(", id).next(place).push(")"));
    // SQLite does not reorder a CROSS JOIN.
    let sql = indexed_by(sql.push(") AS page CROSS JOIN ").push(listing.table), scope, listing.key);
    sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(listing.id).push(" = column1 ORDER BY column2")
}

/// Appends the LIMIT and OFFSET of a page.
pub fn push_page(sql: Sql<'_>, page: Page) -> Sql<'_> {
    sql.push_arg(" LIMIT ", i64::from(page.limit)).push_arg(" OFFSET ", page.offset())
}

/// Returns a page of rows that are in memory, and the number of all of them, for tables that are small enough.
pub fn page_in_memory<T>(rows: Vec<T>, page: Page) -> (Vec<T>, u64) {
    let total = rows.len() as u64;
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    (rows.into_iter().skip(offset).take(page.limit as usize).collect(), total)
}

/// Names the index to use on SQLite, whose statistics ignore how rows are distributed over corporations.
fn indexed_by<'e>(sql: Sql<'e>, scope: &Scope, index: &'static str) -> Sql<'e> {
    match scope.db() {
        Db::Sqlite { .. } => sql.push(" INDEXED BY ").push(index),
        Db::Postgres(..) => sql,
    }
}

/// Returns the number of rows of each month, for the whole corporation.
pub async fn months(scope: &Scope, listing: &Listing) -> Result<Vec<MonthTally>> {
    let sum = "SELECT period AS month, CAST(sum(count) AS BIGINT) AS count, CAST(sum(value) AS BIGINT) AS value";
    let sql = push_tallies(scope.db().sql(sum), scope, listing.months);
    sql.push(" GROUP BY period HAVING sum(count) > 0").all().await
}

/// Returns the number of customers of each kind, for the whole corporation. `changes` is the customers' change counter if
/// the request has read it: while it is unchanged, the numbers are cached.
pub async fn kinds(scope: &Scope, changes: Option<i64>) -> Result<Vec<KindTally>> {
    #[derive(sqlx_macros::FromRow)]
    struct KindRow {
        #[sqlx(flatten)]
        kind: KindTally,
        changes: i64,
    }
    if let Some(kinds) = changes.and_then(|changes| KINDS.get(&scope.corp(), changes)) {
        return Ok(kinds);
    }
    let sum = "SELECT customer_type, agreement_type, counted.count, changes FROM (SELECT customer_type, agreement_type, \
               CAST(sum(count) AS BIGINT) AS count";
    let sql = push_tallies(scope.db().sql(sum), scope, CUSTOMERS.months);
    let sql = sql.push(" GROUP BY customer_type, agreement_type HAVING sum(count) > 0) AS counted");
    let sql = sql.push(" CROSS JOIN (SELECT CAST(coalesce(sum(changes), 0) AS BIGINT) AS changes");
    let rows: Vec<KindRow> = push_tallies(sql, scope, CUSTOMERS.blocks).push(") AS counter").all().await?;
    let changes = rows.first().map(|row| row.changes);
    let kinds: Vec<KindTally> = rows.into_iter().map(|row| row.kind).collect();
    if let Some(changes) = changes {
        KINDS.put(scope.corp(), changes, kinds.clone());
    }
    Ok(kinds)
}

/// Appends the tallies of a kind, on PostgreSQL with the changes not yet folded; conditions can be appended.
fn push_tallies<'e>(sql: Sql<'e>, scope: &Scope, kind: &'static str) -> Sql<'e> {
    const COLUMNS: &str = "(SELECT block, period, customer_type, agreement_type, status, count, value, changes";
    match scope.db() {
        Db::Sqlite { .. } => {
            sql.push_arg(" FROM tallies WHERE corp_id = ", scope.corp()).push_arg(" AND kind = ", kind)
        }
        Db::Postgres(..) => sql
            .push(" FROM (SELECT * FROM ")
            .push(COLUMNS)
            .push_arg(" FROM tallies WHERE corp_id = ", scope.corp())
            .push_arg(" AND kind = ", kind)
            .push(") AS folded UNION ALL SELECT * FROM ")
            .push(COLUMNS)
            .push_arg(" FROM tally_changes WHERE corp_id = ", scope.corp())
            .push_arg(" AND kind = ", kind)
            .push(") AS fresh) AS counts WHERE TRUE"),
    }
}
