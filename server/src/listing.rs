//! Lists of any length: a page of ids, newest first, the exact total, and how many rows there are of each kind.

use crate::db::{Result, Sql};
use crate::scope::Scope;
use crate::search;
use forecourt_core::paging::Page;
use uuid::Uuid;

/// A table that is listed and searched.
pub struct Listing {
    table: &'static str,
    id: &'static str,
    /// What the rows are tallied by: month, type, agreement, status and value.
    tallied: &'static str,
}

pub const CONTACTS: Listing =
    Listing { table: "contacts", id: "contact_id", tallied: "created_at, '' AS t, '' AS a, '' AS s, 0 AS v" };
pub const CUSTOMERS: Listing = Listing {
    table: "customers",
    id: "customer_id",
    tallied: "created_at, customer_type AS t, coalesce(agreement_type, '') AS a, status AS s, 0 AS v",
};
pub const INVOICES: Listing =
    Listing { table: "invoices", id: "invoice_id", tallied: "start_date, '' AS t, '' AS a, '' AS s, project_price AS v" };

/// The page that is asked for, of the rows that are.
pub struct Wanted<'a> {
    pub page: Page,
    pub search: Option<&'a str>,
    pub narrow: Narrow,
}

/// Which customers alone are wanted. The days, `yyyy-MM-dd`, are both inside.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    pub customer_type: Option<&'static str>,
    pub status: Option<&'static str>,
    pub from: Option<String>,
    pub to: Option<String>,
}

/// How many rows there are of one kind. What a table doesn't have is empty.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Tally {
    /// `yyyy-MM`: in which they were added; of invoices, in which their projects start.
    pub month: String,
    pub customer_type: String,
    /// Empty where nothing was agreed.
    pub agreement_type: String,
    pub status: String,
    pub count: i64,
    /// The pence of invoices.
    pub value: i64,
}

/// The ids of a page, the newest first, and how many rows there are on all pages.
pub async fn ids(scope: &Scope, listing: &Listing, wanted: &Wanted<'_>) -> Result<(Vec<Uuid>, u64)> {
    let sql = matching(scope.db().sql("SELECT "), scope, listing, listing.id, wanted)
        .push(" ORDER BY ")
        .push(listing.id)
        .push(" DESC LIMIT ")
        .arg(i64::from(wanted.page.limit))
        .push(" OFFSET ")
        .arg(wanted.page.offset());
    let count = matching(scope.db().sql("SELECT "), scope, listing, "count(*)", wanted).one::<(i64,)>();
    let (ids, (total,)) = tokio::try_join!(sql.all::<(Uuid,)>(), count)?;
    Ok((ids.into_iter().map(|(id,)| id).collect(), total.unsigned_abs()))
}

fn matching<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, what: &'static str, wanted: &Wanted<'_>) -> Sql<'e> {
    let sql = sql.push(what).push(" FROM ").push(listing.table).push(" WHERE corp_id = ").arg(scope.corp());
    let sql = match wanted.search {
        Some(text) => sql.push(" AND search LIKE ").arg(search::like(text)).push(r" ESCAPE '\'"),
        None => sql,
    };
    let Narrow { customer_type, status, from, to } = wanted.narrow.clone();
    sql.filter(" AND customer_type = ", customer_type)
        .filter(" AND status = ", status)
        .filter(" AND active_on >= ", from)
        .filter(" AND active_on <= ", to)
}

/// These columns of the rows with these ids, in the order of a page.
pub fn rows<'e>(scope: &'e Scope, columns: &'static str, listing: &Listing, ids: Vec<Uuid>) -> Sql<'e> {
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM ").push(listing.table);
    let sql = sql.push(" WHERE corp_id = ").arg(scope.corp()).push(" AND ").push(listing.id).push(" IN (NULL");
    ids.into_iter().fold(sql, Sql::next).push(") ORDER BY ").push(listing.id).push(" DESC")
}

/// How many rows there are of each kind, in the whole corporation.
pub async fn tallies(scope: &Scope, listing: &Listing) -> Result<Vec<Tally>> {
    let month = match listing.table {
        "invoices" => "substr(start_date, 1, 7)",
        _ => scope.db().pick(
            "strftime('%Y-%m', created_at / 1000000, 'unixepoch')",
            "to_char(to_timestamp(created_at / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM')",
        ),
    };
    scope
        .db()
        .sql("SELECT ")
        .push(month)
        .push(" AS month, t AS customer_type, a AS agreement_type, s AS status, count(*) AS count, CAST(sum(v) AS BIGINT) AS value FROM (SELECT ")
        .push(listing.tallied)
        .push(" FROM ")
        .push(listing.table)
        .push(" WHERE corp_id = ")
        .arg(scope.corp())
        .push(") AS rows GROUP BY 1, 2, 3, 4")
        .all()
        .await
}
