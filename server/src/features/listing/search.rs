//! Pages of search results.

use super::totals::{TOTALS, TotalKey};
use super::{Listing, Selection, indexed_by, push_tallies};
use crate::access::scope::Scope;
use crate::platform::db::{Db, Result, Sql};
use crate::platform::search::{MIN_TRIGRAM_CHARS, fts_phrase, like_pattern};
use forecourt_core::text::fold;
use uuid::Uuid;

/// A search text too short for the index is compared with this many of the newest rows.
const NEWEST: i64 = 100_000;
/// On PostgreSQL, a page is found by scanning up to this many of the newest rows, if its text is frequent enough. For a
/// rare text, the index is used.
const WALKED: i64 = 20_000;
/// A mark that no corporation has, for one that was deleted.
const NO_MARK: &str = "), '\u{e000}\u{e000}\u{e000}')";
const LIKE: &str = " AND search LIKE ";
const ESCAPE: &str = r" ESCAPE '\'";

/// A search in a list of one tenant.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub scope: &'a Scope,
    pub listing: &'a Listing,
    pub query: &'a Selection<'a>,
    pub text: &'a str,
}

/// Returns the ids on the page, and the number of all matches.
pub(super) async fn ids(search: Search<'_>) -> Result<(Vec<(Uuid,)>, u64)> {
    let Search { scope, listing, query, text } = search;
    let key = TotalKey { corp: scope.corp(), table: listing.table, text: fold(text), filter: query.filter.clone() };
    let all = "SELECT CAST(coalesce(sum(changes), 0) AS BIGINT), CAST(coalesce(sum(count), 0) AS BIGINT)";
    let (changes, rows): (i64, i64) = push_tallies(scope.db().sql(all), scope, listing.blocks).one().await?;
    let total = match TOTALS.get(&key, changes) {
        Some(total) => total,
        None => {
            let (total, changes) = total_of(search).one().await?;
            TOTALS.put(key, changes, total);
            total
        }
    };
    if query.page.offset() >= total {
        return Ok((Vec::new(), total.unsigned_abs()));
    }
    Ok((page_of(search, Size { total, rows }).all().await?, total.unsigned_abs()))
}

/// The number of rows that a search found, and of all rows.
#[derive(Clone, Copy)]
struct Size {
    total: i64,
    rows: i64,
}

/// Builds the query for the number of matching rows, and the change counter in the same snapshot.
fn total_of(search: Search<'_>) -> Sql<'_> {
    let Search { scope, listing, query, text } = search;
    let sql = scope.db().sql("SELECT total, changes FROM (SELECT count(*) AS total");
    let sql = match is_short(text) {
        true => newest(sql, search),
        false if query.filter.is_empty() => indexed(sql, search),
        false => filtered(sql, search),
    };
    let sql = sql.push(") AS found CROSS JOIN (SELECT CAST(coalesce(sum(changes), 0) AS BIGINT) AS changes");
    push_tallies(sql, scope, listing.blocks).push(") AS counted")
}

fn is_short(text: &str) -> bool {
    fold(text).chars().count() < MIN_TRIGRAM_CHARS
}

fn page_of(search: Search<'_>, size: Size) -> Sql<'_> {
    let Search { scope, listing, query, text } = search;
    let sql = scope.db().sql("SELECT ").push(listing.id);
    if !is_short(text) && query.filter.is_empty() {
        return match scope.db() {
            Db::Sqlite { .. } => of_index(sql, search, size),
            Db::Postgres(..) => of_table(sql, search, size),
        };
    }
    let sql = match is_short(text) {
        true => newest(sql, search),
        false => filtered(sql, search),
    };
    let order = match scope.db() {
        // With this ORDER BY, the full-text index returns the newest rows first and stops after the page.
        Db::Sqlite { .. } if !is_short(text) && !query.filter.has_days() => "found DESC",
        _ => query.filter.order(),
    };
    cut(sql.push(" ORDER BY ").push(order), i64::from(query.page.limit), query.page.offset())
}

fn cut(sql: Sql<'_>, limit: i64, offset: i64) -> Sql<'_> {
    sql.push_arg(" LIMIT ", limit).push_arg(" OFFSET ", offset)
}

/// Builds the query for a page from SQLite's full-text index, scanned from the nearer end.
fn of_index<'e>(sql: Sql<'e>, search: Search<'_>, size: Size) -> Sql<'e> {
    let Search { scope, listing, query, .. } = search;
    let offset = query.page.offset();
    let count = i64::from(query.page.limit).min(size.total - offset);
    let behind = size.total - offset - count;
    let sql = indexed(sql.push(" FROM (SELECT rowid AS found"), search);
    let sql = match behind < offset {
        true => cut(sql.push(" ORDER BY rowid"), count, behind),
        false => cut(sql.push(" ORDER BY rowid DESC"), count, offset),
    };
    // SQLite does not reorder a CROSS JOIN: the index is read first, then the rows.
    let sql = sql.push(") CROSS JOIN ").push(listing.table).push_arg(" WHERE doc = found AND corp_id = ", scope.corp());
    sql.push(" ORDER BY doc DESC")
}

/// Builds the query for a page from PostgreSQL's search table: scans the newest rows until the page is full, or reads
/// all matches of the index, whichever is estimated to be less. `OFFSET 0` prevents the subquery from being inlined.
fn of_table<'e>(sql: Sql<'e>, search: Search<'_>, size: Size) -> Sql<'e> {
    let Search { scope, listing, query, text } = search;
    let (limit, offset) = (i64::from(query.page.limit), query.page.offset());
    let sql = sql.push(" FROM ").push(listing.table).push_arg(" WHERE corp_id = ", scope.corp());
    let walked = (offset + limit).saturating_mul(size.rows) / size.total.max(1);
    let sql = match walked <= WALKED {
        true => {
            let sql = sql.push(" AND doc IN (SELECT doc FROM (SELECT doc, search FROM ").push(listing.search);
            let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" ORDER BY doc DESC OFFSET 0) AS newest");
            cut(sql.push_arg(" WHERE search LIKE ", like_pattern(text)), limit, offset)
        }
        false => {
            let sql = indexed(sql.push(" AND doc IN (SELECT doc FROM (SELECT doc"), search);
            cut(sql.push(" OFFSET 0) AS found ORDER BY doc DESC"), limit, offset)
        }
    };
    sql.push(") ORDER BY doc DESC")
}

/// Appends the matches of the index, without other conditions.
fn indexed<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    let Search { scope, listing, text, .. } = search;
    let sql = sql.push(" FROM ").push(listing.search).push(" WHERE ");
    match scope.db() {
        Db::Sqlite { .. } => sql
            .push(listing.search)
            .push_arg(" MATCH '\"' || coalesce((SELECT mark FROM search_marks WHERE corp_id = ", scope.corp())
            .push(NO_MARK)
            .push_arg(" || '\" AND ' || ", fts_phrase(text)),
        Db::Postgres(..) => sql.push_arg("corp_id = ", scope.corp()).push(LIKE).arg(like_pattern(text)),
    }
}

/// Appends the condition that a row contains the text. A short text is compared with every row.
pub(super) fn push_condition<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    if is_short(search.text) {
        return sql.push_arg(LIKE, like_pattern(search.text)).push(ESCAPE);
    }
    let number = search.scope.db().pick("rowid", "doc");
    indexed(sql.push(" AND doc IN (SELECT ").push(number), search).push(")")
}

/// Appends the matches of the index that also match the filter.
fn filtered<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    let Search { scope, listing, query, .. } = search;
    let sql = match scope.db() {
        Db::Sqlite { .. } => {
            let sql = indexed(sql.push(" FROM (SELECT rowid AS found"), search);
            let sql = sql.push(") CROSS JOIN ").push(listing.table);
            let sql = match query.filter.lookup(listing) {
                Some(index) => indexed_by(sql, scope, index),
                None => sql,
            };
            sql.push_arg(" WHERE doc = found AND corp_id = ", scope.corp())
        }
        Db::Postgres(..) => {
            let sql = sql.push(" FROM ").push(listing.table).push_arg(" WHERE corp_id = ", scope.corp());
            indexed(sql.push(" AND doc IN (SELECT doc"), search).push(")")
        }
    };
    query.filter.push_conditions(sql)
}

/// Appends the newest rows that match the filter, compared with the text.
fn newest<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    let Search { scope, listing, query, text } = search;
    let sql = sql.push(" FROM (SELECT * FROM ").push(listing.table).push_arg(" WHERE corp_id = ", scope.corp());
    let sql = query.filter.push_conditions(sql).push_arg(" ORDER BY doc DESC LIMIT ", NEWEST);
    sql.push_arg(") AS newest WHERE search LIKE ", like_pattern(text)).push(ESCAPE)
}

#[cfg(test)]
impl Selection<'_> {
    /// Returns the query plans of a search's total, and of its page if `total` rows match.
    pub(super) async fn explain_search(&self, scope: &Scope, listing: &Listing, total: i64) -> (String, String) {
        let search = Search { scope, listing, query: self, text: self.search.unwrap() };
        let page = page_of(search, Size { total, rows: 8_000 });
        let total = total_of(search).explain().await.unwrap();
        (total, page.explain().await.unwrap())
    }
}
