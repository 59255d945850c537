//! Pages of search results. The rows up to `searched_doc` are found with the search index. The later rows, which are
//! called the tail, are compared one by one, so that results are exact while the index is behind.

use super::pages::Slice;
use super::{Listing, Selection, State, push_scan, totals};
use crate::access::scope::Scope;
use crate::platform::db::{Db, Result, Sql};
use crate::platform::search::{MIN_TRIGRAM_CHARS, fts_phrase, like_pattern, search_words};
use forecourt_core::text::fold;
use uuid::Uuid;

/// On PostgreSQL, a page is found by scanning the newest rows if, by estimate, at most this many of them must be
/// scanned to fill it. For a rarer text, the search index is used.
const WALKED: i64 = 20_000;

/// A search in a list of one tenant.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub scope: &'a Scope,
    pub listing: &'a Listing,
    pub query: &'a Selection<'a>,
    pub state: &'a State,
    /// The text as it was typed.
    pub text: &'a str,
}

/// Returns the ids on the page, and the number of all matches.
pub(super) async fn ids(search: Search<'_>) -> Result<(Vec<Uuid>, u64)> {
    let Search { scope, listing, query, state, .. } = search;
    let total = totals::total(scope, listing, query, state.changes, |sql| push_matches(sql, search, true)).await?;
    let page = match query.page.offset() < total {
        true => page_of(search, total).planned_each_time().values().await?,
        false => Vec::new(),
    };
    Ok((page, total.unsigned_abs()))
}

impl Search<'_> {
    /// Returns lists of folded words. A row matches if its keys contain all words of one of the lists.
    fn alternatives(self) -> impl Iterator<Item = Vec<String>> {
        let other = (self.listing.also_searched)(&fold(self.text));
        std::iter::once(search_words(self.text)).chain(other.map(|text| vec![text]))
    }

    /// Returns the query of SQLite's FTS5, in which `AND` binds more tightly than `OR`.
    fn fts_query(self) -> String {
        let all = |words: Vec<String>| words.iter().map(|word| fts_phrase(word)).collect::<Vec<_>>().join(" AND ");
        self.alternatives().map(all).collect::<Vec<_>>().join(" OR ")
    }

    /// Returns whether the text has no trigram.
    fn is_short(self) -> bool {
        fold(self.text).chars().count() < MIN_TRIGRAM_CHARS
    }

    /// Returns whether SQLite's search index can't find a text as short as this. Then every row is compared.
    /// PostgreSQL's search table also has the texts themselves, which it compares for a short text.
    pub fn is_too_short_for_index(self) -> bool {
        matches!(self.scope.db(), Db::Sqlite { .. }) && self.is_short()
    }
}

/// Builds the query for a page if `total` rows match.
fn page_of(search: Search<'_>, total: i64) -> Sql<'_> {
    let Search { scope, listing, query, state, .. } = search;
    let (filter, has_tail) = (&query.filter, state.has_tail());
    let sql = scope.db().sql("SELECT ").push(listing.id);
    let Some(slice) = Slice::new(query, total).filter(|_| filter.is_empty()) else {
        let order = match scope.db() {
            // With this ORDER BY, the full-text index returns the newest rows first and stops after the page.
            Db::Sqlite { .. } if !filter.has_days() => "found DESC",
            _ => filter.order(false),
        };
        return super::push_page(push_matches(sql, search, has_tail).push(" ORDER BY ").push(order), query.page);
    };
    match scope.db() {
        Db::Sqlite { .. } => {
            let sql = push_found(sql.push(" FROM ("), search, has_tail).push(" ORDER BY 1");
            let sql = slice.push(sql.push(if slice.is_reversed { "" } else { " DESC" }));
            // SQLite does not reorder a CROSS JOIN: the index is read first, then the rows.
            let sql = sql.push(") CROSS JOIN ").push(listing.table).push(" WHERE doc = found");
            sql.push_arg(" AND corp_id = ", scope.corp()).push(" ORDER BY doc DESC")
        }
        Db::Postgres(..) => {
            let sql = sql.push(" FROM ").push(listing.table).push_arg(" WHERE corp_id = ", scope.corp());
            let sql = sql.push(" AND doc IN (SELECT found FROM (");
            let wanted = query.page.offset() + i64::from(query.page.limit);
            let walked = wanted.saturating_mul(state.total) / total.max(1);
            let sql = match walked <= WALKED && !has_tail {
                true => super::push_page(push_newest(sql, search), query.page),
                false => {
                    let sql = push_found(sql, search, has_tail).push(" OFFSET 0) AS matches ORDER BY found");
                    slice.push(sql.push(if slice.is_reversed { "" } else { " DESC" }))
                }
            };
            sql.push(") ORDER BY doc DESC")
        }
    }
}

/// Appends the newest rows of PostgreSQL's search table that contain the text. `OFFSET 0` prevents the subquery from
/// being inlined, so that the rows are compared from the newest on.
fn push_newest<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    let Search { scope, listing, state, .. } = search;
    let sql = sql.push("SELECT doc AS found, search FROM ").push(listing.search);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND doc <= ", state.searched_doc);
    push_like(sql.push(" ORDER BY doc DESC OFFSET 0) AS newest WHERE "), search)
}

/// Appends the condition that a row of PostgreSQL's search table contains all words of one of the alternatives.
fn push_like<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    push_alternatives(sql, search, |sql, word| sql.push_arg("search LIKE ", like_pattern(word)))
}

/// Appends the condition that a row contains all words of one of the alternatives. `push` appends the condition that it
/// contains a word.
fn push_alternatives<'e>(sql: Sql<'e>, search: Search<'_>, push: impl Fn(Sql<'e>, &str) -> Sql<'e>) -> Sql<'e> {
    let push_all =
        |sql: Sql<'e>, words: Vec<String>| sql.push("(").joined(" AND ", &words, |sql, word| push(sql, word)).push(")");
    sql.push("(").joined(" OR ", search.alternatives(), push_all).push(")")
}

/// Appends the matches of the text that also match the filter, as `FROM …`.
pub(super) fn push_matches<'e>(sql: Sql<'e>, search: Search<'_>, with_tail: bool) -> Sql<'e> {
    let Search { scope, listing, query, .. } = search;
    let sql = match scope.db() {
        Db::Sqlite { .. } => {
            let sql = push_found(sql.push(" FROM ("), search, with_tail).push(") AS matches");
            if query.filter.is_empty() {
                return sql;
            }
            let sql = sql.push(" CROSS JOIN ").push(listing.table);
            let sql = match query.filter.lookup_index(listing) {
                Some(index) => sql.indexed_by(index),
                None => sql,
            };
            sql.push(" WHERE doc = found").push_arg(" AND corp_id = ", scope.corp())
        }
        Db::Postgres(..) if query.filter.is_empty() => {
            return push_found(sql.push(" FROM ("), search, with_tail).push(") AS matches");
        }
        Db::Postgres(..) => {
            let sql = sql.push(" FROM ").push(listing.table).push_arg(" WHERE corp_id = ", scope.corp());
            push_found(sql.push(" AND doc IN ("), search, with_tail).push(")")
        }
    };
    query.filter.push_conditions(sql, scope)
}

/// Appends a query for the numbers of all matching rows, as `found`. `with_tail` is false only for a page, if there was
/// no tail when the state was read.
pub(super) fn push_found<'e>(sql: Sql<'e>, search: Search<'_>, with_tail: bool) -> Sql<'e> {
    let Search { scope, listing, state, .. } = search;
    if search.is_too_short_for_index() {
        return push_compared(sql, search, state.first_doc - 1);
    }
    let sql = match scope.db() {
        Db::Sqlite { .. } => sql
            .push("SELECT rowid AS found FROM ")
            .push(listing.search)
            .push(" WHERE ")
            .push(listing.search)
            .push_arg(" MATCH ", search.fts_query())
            .push_arg(" AND rowid >= ", state.first_doc)
            .push_arg(" AND rowid <= ", state.searched_doc),
        Db::Postgres(..) => {
            let sql = sql.push("SELECT doc AS found FROM ").push(listing.search);
            let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND doc <= ", state.searched_doc);
            push_like(sql.push(" AND "), search)
        }
    };
    match with_tail {
        true => push_compared(sql.push(" UNION ALL "), search, state.searched_doc),
        false => sql,
    }
}

/// Appends a query for the rows with numbers above `after` that contain the text.
fn push_compared<'e>(sql: Sql<'e>, search: Search<'_>, after: i64) -> Sql<'e> {
    let Search { scope, listing, state, .. } = search;
    let sql = push_scan(sql.push("SELECT doc AS found"), scope, listing, after, state.last_doc());
    push_contains(sql, search)
}

/// Appends the condition that a row's keys contain all words of one of the alternatives.
pub(super) fn push_contains<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    push_alternatives(sql.push(" AND "), search, |sql, word| {
        let keys = search.listing.search_keys;
        sql.push("(").joined(" OR ", keys, |sql, key| sql.position(key, word).push(" > 0")).push(")")
    })
}

/// Appends the condition that a row is one of the search's matches, for a query that scans the rows. The matches are
/// looked up in the search index; only a text that is so short that many rows contain it is compared with each row.
pub(super) fn push_condition<'e>(sql: Sql<'e>, search: Search<'_>) -> Sql<'e> {
    if search.is_short() {
        return push_contains(sql, search);
    }
    // The array makes PostgreSQL search only once. With a subquery it could search again for each row, if it expects
    // few rows.
    let (start, end) = search.scope.db().pick((" AND doc IN (", ")"), (" AND doc = ANY (ARRAY(", "))"));
    push_found(sql.push(start), search, true).push(end)
}

#[cfg(test)]
impl Selection<'_> {
    /// Returns the query plans of a search's total, and of its page if `total` rows match.
    pub(super) async fn explain_search(&self, scope: &Scope, listing: &Listing, total: i64) -> (String, String) {
        let state = super::state(scope, listing).await.unwrap();
        let search = Search { scope, listing, query: self, state: &state, text: self.search.unwrap() };
        let page = page_of(search, total);
        let total = totals::select_count(scope, listing, |sql| push_matches(sql, search, true));
        (total.explain().await.unwrap(), page.explain().await.unwrap())
    }
}
