//! Pages of a list without a search text. The tallies show in which blocks or on which days a page lies; only these are
//! scanned, in a covering index. An import's contacts have no tallies: they are counted in their own index, and the
//! total is cached.

use super::totals::{self, CacheKey};
use super::{ListFilter, Listing, Selection, indexed_by, push_tallies};
use crate::access::scope::Scope;
use crate::platform::db::{Result, Sql};
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

pub(super) async fn ids(scope: &Scope, listing: &Listing, query: &Selection<'_>) -> Result<(Vec<(Uuid,)>, i64)> {
    let (from, count) = (query.page.offset(), i64::from(query.page.limit));
    if query.filter.has_days() {
        let days: Vec<(String, i64)> = days(scope, &query.filter).all().await?;
        let page = match place(&days, from, count) {
            Some(place) => of_days(scope, listing, query, &place).all().await?,
            None => Vec::new(),
        };
        return Ok((page, total(&days)));
    }
    if let Some(import) = query.filter.import {
        return of_import(scope, listing, query, import).await;
    }
    let blocks: Vec<(i64, i64)> = blocks(scope, listing, &query.filter).all().await?;
    let page = match place(&blocks, from, count) {
        Some(place) => of_blocks(scope, listing, query, &place).all().await?,
        None => Vec::new(),
    };
    Ok((page, total(&blocks)))
}

async fn of_import(
    scope: &Scope,
    listing: &Listing,
    query: &Selection<'_>,
    import: Uuid,
) -> Result<(Vec<(Uuid,)>, i64)> {
    let changes =
        push_tallies(scope.db().sql("SELECT CAST(coalesce(sum(changes), 0) AS BIGINT)"), scope, listing.blocks);
    let (changes,): (i64,) = changes.one().await?;
    let filter = query.filter.clone();
    let key = CacheKey { corp: scope.corp(), table: listing.table, text: String::new(), filter };
    let total = match totals::get(&key, changes) {
        Some(total) => total,
        None => {
            let (total,): (i64,) = import_total(scope, listing, import).one().await?;
            totals::put(key, changes, total);
            total
        }
    };
    let page = match query.page.offset() < total {
        true => import_page(scope, listing, query, import, total).all().await?,
        false => Vec::new(),
    };
    Ok((page, total))
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

fn total<S>(steps: &[(S, i64)]) -> i64 {
    steps.iter().map(|(_, rows)| rows).sum()
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

fn blocks<'e>(scope: &'e Scope, listing: &Listing, filter: &ListFilter) -> Sql<'e> {
    let sql = push_tallies(scope.db().sql("SELECT block, CAST(sum(count) AS BIGINT)"), scope, listing.blocks);
    filter.push_kind(sql).push(" GROUP BY block HAVING sum(count) > 0 ORDER BY block DESC")
}

fn of_blocks<'e>(scope: &'e Scope, listing: &Listing, query: &Selection<'_>, place: &Place<'_, i64>) -> Sql<'e> {
    let sql = page_of(scope, listing, query).push_arg(" AND doc >= ", place.last * BLOCK);
    end(sql.push_arg(" AND doc < ", (place.first + 1) * BLOCK), query, place.skipped)
}

fn days<'e>(scope: &'e Scope, filter: &ListFilter) -> Sql<'e> {
    let sql = push_tallies(scope.db().sql("SELECT period, CAST(sum(count) AS BIGINT)"), scope, "customers.days");
    let sql = filter.push_kind(sql).filter(" AND period >= ", filter.from.clone());
    sql.filter(" AND period <= ", filter.to.clone()).push(" GROUP BY period HAVING sum(count) > 0 ORDER BY period DESC")
}

fn of_days<'e>(scope: &'e Scope, listing: &Listing, query: &Selection<'_>, place: &Place<'_, String>) -> Sql<'e> {
    let sql = page_of(scope, listing, query).push_arg(" AND active_on >= ", place.last.clone());
    end(sql.push_arg(" AND active_on <= ", place.first.clone()), query, place.skipped)
}

fn page_of<'e>(scope: &'e Scope, listing: &Listing, query: &Selection<'_>) -> Sql<'e> {
    let sql = scope.db().sql("SELECT ").push(listing.id).push(" FROM ").push(listing.table);
    let sql = indexed_by(sql, scope, query.filter.index(listing));
    query.filter.push_kind(sql.push_arg(" WHERE corp_id = ", scope.corp()))
}

fn end<'e>(sql: Sql<'e>, query: &Selection<'_>, skipped: i64) -> Sql<'e> {
    let sql = sql.push(query.filter.order()).push_arg(" LIMIT ", i64::from(query.page.limit));
    sql.push_arg(" OFFSET ", skipped)
}

#[cfg(test)]
impl Selection<'_> {
    /// Returns the query plans of a list's steps, and of a page in the middle.
    pub(super) async fn explain_walk(&self, scope: &Scope, listing: &Listing) -> (String, String) {
        let (steps, page) = match self.filter.has_days() {
            true => {
                let (first, last) = ("2026-02-03".to_owned(), "2026-02-02".to_owned());
                let place = Place { first: &first, last: &last, skipped: 3 };
                (days(scope, &self.filter), of_days(scope, listing, self, &place))
            }
            false => {
                let place = Place { first: &1, last: &1, skipped: 3 };
                (blocks(scope, listing, &self.filter), of_blocks(scope, listing, self, &place))
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
