//! Pages of a list without a search text. The tallies show in which blocks or on which days a page lies; only these are
//! scanned, in a covering index. An import's contacts have no tallies: they are counted in their own index, and the
//! total is cached.

use super::totals::{TOTALS, TotalKey};
use super::{ListFilter, Listed, Listing, Selection, indexed_by, push_tallies};
use crate::access::scope::Scope;
use crate::platform::db::{Result, Row, Sql};
use uuid::Uuid;

/// Rows per block, as in the triggers.
const BLOCK: i64 = 4_096;

/// The index of contacts by import.
const IMPORT_KEY: &str = "contacts_import_key";

/// The position of a page: from step `first` to step `last` of the list, after skipping `skipped` rows.
#[derive(Debug, PartialEq, Eq)]
struct Place<'s, S> {
    first: &'s S,
    last: &'s S,
    skipped: i64,
}

/// Returns a page of a list without search text and import. `columns` are read from each row of the page.
pub(super) async fn rows<T: Row>(
    scope: &Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
) -> Result<Listed<T>> {
    let (from, count) = (query.page.offset(), i64::from(query.page.limit));
    if query.filter.has_days() {
        let days: Vec<(String, i64)> = days(scope, &query.filter).all().await?;
        let page = match place(&days, from, count) {
            Some(place) => page_within_days(scope, columns, listing, query, &place).all().await?,
            None => Vec::new(),
        };
        return Ok(Listed { rows: page, total: total(&days), changes: None });
    }
    let tallies: Vec<(i64, i64, i64)> = blocks(scope, listing, &query.filter).all().await?;
    let changes = query.filter.is_empty().then(|| tallies.iter().map(|(_, _, changes)| changes).sum());
    let blocks: Vec<(i64, i64)> = tallies.into_iter().map(|(block, count, _)| (block, count)).collect();
    let page = match place(&blocks, from, count) {
        Some(place) => page_within_blocks(scope, columns, listing, query, &place).all().await?,
        None => Vec::new(),
    };
    Ok(Listed { rows: page, total: total(&blocks), changes })
}

/// Returns the ids on a page of an import's contacts, and the number of all of them.
pub(super) async fn of_import(
    scope: &Scope,
    listing: &Listing,
    query: &Selection<'_>,
    import: Uuid,
) -> Result<(Vec<(Uuid,)>, u64)> {
    let changes =
        push_tallies(scope.db().sql("SELECT CAST(coalesce(sum(changes), 0) AS BIGINT)"), scope, listing.blocks);
    let (changes,): (i64,) = changes.one().await?;
    let filter = query.filter.clone();
    let key = TotalKey { corp: scope.corp(), table: listing.table, text: String::new(), filter };
    let total = match TOTALS.get(&key, changes) {
        Some(total) => total,
        None => {
            let (total,): (i64,) = import_total(scope, listing, import).one().await?;
            TOTALS.put(key, changes, total);
            total
        }
    };
    let page = match query.page.offset() < total {
        true => import_page(scope, listing, query, import, total).all().await?,
        false => Vec::new(),
    };
    Ok((page, total.unsigned_abs()))
}

fn import_total<'e>(scope: &'e Scope, listing: &Listing, import: Uuid) -> Sql<'e> {
    let sql = indexed_by(scope.db().sql("SELECT count(*) FROM ").push(listing.table), scope, IMPORT_KEY);
    sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND import_id = ", import)
}

/// Builds the query for a page of an import's contacts, the last rows of its file first, scanned from the nearer end.
fn import_page<'e>(scope: &'e Scope, listing: &Listing, query: &Selection<'_>, import: Uuid, total: i64) -> Sql<'e> {
    let offset = query.page.offset();
    let count = i64::from(query.page.limit).min(total - offset);
    let behind = total - offset - count;
    let sql = scope.db().sql("SELECT found FROM (SELECT ").push(listing.id).push(" AS found, import_row FROM ");
    let sql = indexed_by(sql.push(listing.table), scope, IMPORT_KEY).push_arg(" WHERE corp_id = ", scope.corp());
    let sql = sql.push_arg(" AND import_id = ", import);
    let (sql, skipped) = match behind < offset {
        true => (sql.push(" ORDER BY import_row"), behind),
        false => (sql.push(" ORDER BY import_row DESC"), offset),
    };
    let sql = sql.push_arg(" LIMIT ", count).push_arg(" OFFSET ", skipped);
    sql.push(") AS page ORDER BY import_row DESC")
}

/// Returns the number of rows of a list without search text and import.
pub(super) async fn count(scope: &Scope, listing: &Listing, filter: &ListFilter) -> Result<u64> {
    if filter.has_days() {
        let days: Vec<(String, i64)> = days(scope, filter).all().await?;
        return Ok(total(&days));
    }
    let blocks: Vec<(i64, i64, i64)> = blocks(scope, listing, filter).all().await?;
    Ok(blocks.iter().map(|(_, count, _)| count.unsigned_abs()).sum())
}

fn total<S>(steps: &[(S, i64)]) -> u64 {
    steps.iter().map(|(_, rows)| rows.unsigned_abs()).sum()
}

/// Finds the position of a page from the number of rows of each step; `steps` is in the order of the list.
fn place<S>(steps: &[(S, i64)], from: i64, count: i64) -> Option<Place<'_, S>> {
    let (mut before, mut found) = (0, None);
    for (step, rows) in steps {
        if from < before + rows {
            let (first, skipped) = *found.get_or_insert((step, from - before));
            found = Some((first, skipped));
            if from + count <= before + rows {
                return Some(Place { first, last: step, skipped });
            }
        }
        before += rows;
    }
    let (last, _) = steps.last()?;
    found.map(|(first, skipped)| Place { first, last, skipped })
}

/// Builds the query for the blocks: their numbers of rows, and their change counters. A block may be empty.
fn blocks<'e>(scope: &'e Scope, listing: &Listing, filter: &ListFilter) -> Sql<'e> {
    let sums = "SELECT block, CAST(sum(count) AS BIGINT), CAST(sum(changes) AS BIGINT)";
    let sql = push_tallies(scope.db().sql(sums), scope, listing.blocks);
    filter.push_kind(sql).push(" GROUP BY block ORDER BY block DESC")
}

fn page_within_blocks<'e>(
    scope: &'e Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
    place: &Place<'_, i64>,
) -> Sql<'e> {
    let sql = page_of(scope, columns, listing, query).push_arg(" AND doc >= ", place.last * BLOCK);
    let sql = sql.push_arg(" AND doc < ", (place.first + 1) * BLOCK);
    end(sql, scope, columns, listing, query, place.skipped)
}

fn days<'e>(scope: &'e Scope, filter: &ListFilter) -> Sql<'e> {
    let sql = push_tallies(scope.db().sql("SELECT period, CAST(sum(count) AS BIGINT)"), scope, "customers.days");
    let sql = filter.push_kind(sql).filter(" AND period >= ", filter.from.clone());
    sql.filter(" AND period <= ", filter.to.clone()).push(" GROUP BY period HAVING sum(count) > 0 ORDER BY period DESC")
}

fn page_within_days<'e>(
    scope: &'e Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
    place: &Place<'_, String>,
) -> Sql<'e> {
    let sql = page_of(scope, columns, listing, query).push_arg(" AND active_on >= ", place.last.clone());
    let sql = sql.push_arg(" AND active_on <= ", place.first.clone());
    end(sql, scope, columns, listing, query, place.skipped)
}

/// Returns true if the statement reads a page's rows by the ids that its index yields: on PostgreSQL, which would
/// otherwise read the rows that it skips, too. SQLite doesn't.
fn reads_rows_by_id(scope: &Scope, columns: &str, listing: &Listing) -> bool {
    scope.db().pick(false, columns != listing.id)
}

fn page_of<'e>(scope: &'e Scope, columns: &'static str, listing: &Listing, query: &Selection<'_>) -> Sql<'e> {
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM ");
    let sql = match reads_rows_by_id(scope, columns, listing) {
        true => sql.push("(SELECT ").push(listing.id).push(" AS found FROM "),
        false => sql,
    };
    let sql = indexed_by(sql.push(listing.table), scope, query.filter.index(listing));
    query.filter.push_kind(sql.push_arg(" WHERE corp_id = ", scope.corp()))
}

fn end<'e>(
    sql: Sql<'e>,
    scope: &Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
    skipped: i64,
) -> Sql<'e> {
    let sql = sql.push(" ORDER BY ").push(query.filter.order()).push_arg(" LIMIT ", i64::from(query.page.limit));
    let sql = sql.push_arg(" OFFSET ", skipped);
    match reads_rows_by_id(scope, columns, listing) {
        // `OFFSET 0` prevents the subquery from being inlined, so that each row is looked up by its key even if PostgreSQL
        // has no statistics on the tenant.
        true => sql
            .push(") AS page CROSS JOIN LATERAL (SELECT * FROM ")
            .push(listing.table)
            .push_arg(" WHERE corp_id = ", scope.corp())
            .push(" AND ")
            .push(listing.id)
            .push(" = found OFFSET 0) AS whole")
            .push(" ORDER BY ")
            .push(query.filter.order()),
        false => sql,
    }
}

#[cfg(test)]
impl Selection<'_> {
    /// Returns the query plans of a list's steps, and of these columns of a page in the middle.
    pub(super) async fn explain_walk(
        &self,
        scope: &Scope,
        columns: &'static str,
        listing: &Listing,
    ) -> (String, String) {
        let (steps, page) = match self.filter.has_days() {
            true => {
                let (first, last) = ("2026-02-03".to_owned(), "2026-02-02".to_owned());
                let place = Place { first: &first, last: &last, skipped: 3 };
                (days(scope, &self.filter), page_within_days(scope, columns, listing, self, &place))
            }
            false => {
                let place = Place { first: &1, last: &1, skipped: 3 };
                (blocks(scope, listing, &self.filter), page_within_blocks(scope, columns, listing, self, &place))
            }
        };
        (steps.explain().await.unwrap(), page.explain().await.unwrap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_steps_that_contain_a_page() {
        let steps = [('d', 3), ('c', 0), ('b', 2), ('a', 4)];
        let placed = |from, count| place(&steps, from, count).map(|p| (*p.first, *p.last, p.skipped));
        assert_eq!(placed(0, 3), Some(('d', 'd', 0)));
        assert_eq!(placed(2, 2), Some(('d', 'b', 2)));
        assert_eq!(placed(3, 2), Some(('b', 'b', 0)));
        assert_eq!(placed(4, 9), Some(('b', 'a', 1)));
        assert_eq!(placed(8, 1), Some(('a', 'a', 3)));
        assert_eq!(placed(9, 1), None);
        assert_eq!(place::<char>(&[], 0, 1), None);
    }
}
