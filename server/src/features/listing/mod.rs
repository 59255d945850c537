//! Lists of any length: a page of ids, the exact total, and how many rows there are of each kind, none of which takes
//! longer for a corporation with a million rows (docs/decisions/0009-lists-at-scale.md).
//!
//! Triggers keep the tallies: how many rows there are in every 4,096 that were made one after the other, and on every day. A
//! total is their sum, and a page is looked for only where they say that it lies.

pub mod fold;
mod found;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod sameness;
mod totals;
mod walk;

use crate::access::scope::Scope;
use crate::platform::db::{Db, Result, Sql};
use forecourt_core::paging::Page;
use uuid::Uuid;

/// A table that is listed and searched.
pub struct Listing {
    table: &'static str,
    id: &'static str,
    /// SQLite's index of the ids.
    key: &'static str,
    /// The index of all rows by their order.
    list: &'static str,
    /// The folded texts: on SQLite a full-text index, on PostgreSQL a table without row level security.
    search: &'static str,
    /// The kind of the tallies by month, and that of those by block.
    months: &'static str,
    blocks: &'static str,
}

pub const CONTACTS: Listing = Listing {
    table: "contacts",
    id: "contact_id",
    key: "contacts_key",
    list: "contacts_list",
    search: "contacts_search",
    months: "contacts",
    blocks: "contacts",
};
pub const CUSTOMERS: Listing = Listing {
    table: "customers",
    id: "customer_id",
    key: "customers_key",
    list: "customers_list",
    search: "customers_search",
    months: "customers",
    blocks: "customers.blocks",
};
pub const INVOICES: Listing = Listing {
    table: "invoices",
    id: "invoice_id",
    key: "invoices_key",
    list: "invoices_list",
    search: "invoices_search",
    months: "invoices",
    blocks: "invoices",
};

/// The page that is asked for, of the rows that are.
pub struct Wanted<'a> {
    pub page: Page,
    pub search: Option<&'a str>,
    pub narrow: Narrow,
}

/// Which customers alone are wanted, or which contacts. The days, `yyyy-MM-dd`, are both inside; where there is one, the
/// list goes by the day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Narrow {
    /// The import that contacts came with.
    pub import: Option<Uuid>,
    pub customer_type: Option<&'static str>,
    pub status: Option<&'static str>,
    pub from: Option<String>,
    pub to: Option<String>,
}

impl Narrow {
    fn by_day(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    fn is_any(&self) -> bool {
        *self == Narrow::default()
    }

    fn kinds<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        sql.filter(" AND customer_type = ", self.customer_type).filter(" AND status = ", self.status)
    }

    fn rows<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        let sql = self.kinds(sql).filter(" AND import_id = ", self.import);
        let sql = sql.filter(" AND active_on >= ", self.from.clone());
        sql.filter(" AND active_on <= ", self.to.clone())
    }

    /// The index that a page is read from: SQLite would rather go through the rows of everybody between two places.
    fn index(&self, listing: &Listing) -> &'static str {
        match self {
            narrow if narrow.by_day() => "customers_days",
            Narrow { customer_type: Some(_), .. } => "customers_types",
            Narrow { status: Some(_), .. } => "customers_statuses",
            _ => listing.list,
        }
    }

    /// The index in which SQLite sees of one row whether it is of the kind, without the row itself. There is none by days.
    fn lookup(&self, listing: &Listing) -> Option<&'static str> {
        let by_kind = self.customer_type.is_some() || self.status.is_some();
        (by_kind && !self.by_day()).then(|| self.index(listing))
    }

    /// The order of a list: the newest first, by the day if days are asked for.
    fn order(&self) -> &'static str {
        if self.by_day() { " ORDER BY active_on DESC, doc DESC" } else { " ORDER BY doc DESC" }
    }
}

/// How many rows there are of a month.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx_macros::FromRow)]
pub struct MonthTally {
    /// `yyyy-MM`: in which they were added; of invoices, in which their projects start.
    pub month: String,
    pub count: i64,
    /// The pence of invoices.
    pub value: i64,
}

/// How many customers there are of a type who agreed on the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx_macros::FromRow)]
pub struct KindTally {
    pub customer_type: String,
    /// Empty where nothing was agreed.
    pub agreement_type: String,
    pub count: i64,
}

/// The ids of a page, the newest first, and how many rows there are on all pages.
pub async fn ids(scope: &Scope, listing: &Listing, wanted: &Wanted<'_>) -> Result<(Vec<Uuid>, u64)> {
    let (ids, total) = match wanted.search {
        Some(text) => found::ids(scope, listing, wanted, text).await?,
        None => walk::ids(scope, listing, wanted).await?,
    };
    Ok((ids.into_iter().map(|(id,)| id).collect(), total.unsigned_abs()))
}

/// These columns of the rows with these ids, in the order of the ids. Asked for apart from the ids: in one statement
/// PostgreSQL may ask again for each row, as long as it doesn't know how many a tenant has.
pub fn rows<'e>(scope: &'e Scope, columns: &'static str, listing: &Listing, ids: Vec<Uuid>) -> Sql<'e> {
    // A first one that is nobody's, since there is no empty list of values; alone, it has to say what it is.
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM (VALUES (");
    let sql = sql.push(scope.db().pick("NULL", "CAST(NULL AS UUID)")).push(", 0)");
    let sql = ids.into_iter().zip(1i64..).fold(sql, |sql, (id, place)| sql.push(",(").arg(id).next(place).push(")"));
    // Joined in this order on SQLite: a cross join keeps it.
    let sql = indexed_by(sql.push(") AS page CROSS JOIN ").push(listing.table), scope, listing.key);
    sql.push(" WHERE corp_id = ").arg(scope.corp()).push(" AND ").push(listing.id).push(" = column1 ORDER BY column2")
}

/// Names the index to go by on SQLite, whose statistics know too little of how rows are spread among corporations.
fn indexed_by<'e>(sql: Sql<'e>, scope: &Scope, index: &'static str) -> Sql<'e> {
    match scope.db() {
        Db::Sqlite { .. } => sql.push(" INDEXED BY ").push(index),
        Db::Postgres(..) => sql,
    }
}

/// How many rows there are of each month, in the whole corporation.
pub async fn months(scope: &Scope, listing: &Listing) -> Result<Vec<MonthTally>> {
    let sum = "SELECT period AS month, CAST(sum(count) AS BIGINT) AS count, CAST(sum(value) AS BIGINT) AS value";
    let sql = kept(scope.db().sql(sum), scope, listing.months);
    sql.push(" GROUP BY period HAVING sum(count) > 0").all().await
}

/// How many customers there are of each kind, in the whole corporation.
pub async fn kinds(scope: &Scope) -> Result<Vec<KindTally>> {
    let sum = "SELECT customer_type, agreement_type, CAST(sum(count) AS BIGINT) AS count";
    let sql = kept(scope.db().sql(sum), scope, CUSTOMERS.months);
    sql.push(" GROUP BY customer_type, agreement_type HAVING sum(count) > 0").all().await
}

/// The tallies of a kind, with what is still to be folded in on PostgreSQL; conditions may follow.
fn kept<'e>(sql: Sql<'e>, scope: &Scope, kind: &'static str) -> Sql<'e> {
    const COLUMNS: &str = "(SELECT block, period, customer_type, agreement_type, status, count, value, changes";
    match scope.db() {
        Db::Sqlite { .. } => {
            sql.push(" FROM tallies WHERE corp_id = ").arg(scope.corp()).push(" AND kind = ").arg(kind)
        }
        Db::Postgres(..) => sql
            .push(" FROM (SELECT * FROM ")
            .push(COLUMNS)
            .push(" FROM tallies WHERE corp_id = ")
            .arg(scope.corp())
            .push(" AND kind = ")
            .arg(kind)
            .push(") AS folded UNION ALL SELECT * FROM ")
            .push(COLUMNS)
            .push(" FROM tally_changes WHERE corp_id = ")
            .arg(scope.corp())
            .push(" AND kind = ")
            .arg(kind)
            .push(") AS fresh) AS kept WHERE TRUE"),
    }
}
