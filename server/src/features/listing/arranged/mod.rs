//! Pages of lists with a sort order or a filter of fields. If the number of matching rows is known, a page is found by
//! the cheapest [`Plan`]; else, as a rule, one scan of the corporation's rows gives the page and this number, which is
//! cached until the list changes.

pub(super) mod plan;

use super::columns::Column;
use super::conditions::push_condition;
use super::indexed::Index;
use super::pages::{self, Slice};
use super::search::{self, Search};
use super::totals::{self, TOTALS, TotalKey};
use super::{Listing, Selection, State, push_changes, push_page, push_scan};
use crate::access::scope::Scope;
use crate::platform::db::{Db, Result, Sql};
use forecourt_core::lists::{Field, Kind, SORT_MAX};
use plan::{Plan, WALK};
use uuid::Uuid;

/// The names of the sort keys in a statement.
const SORT_KEYS: [&str; SORT_MAX] = ["key1", "key2", "key3", "key4", "key5", "key6", "key7", "key8"];

/// If more than this percentage of a list's rows match a query, they are counted apart from reading the page.
const COMMON: i64 = 5;

/// If more than this percentage of a list's rows contain the searched text, the text is compared with each row. Looking
/// that many rows up in the search index takes longer.
pub(super) const FREQUENT: i64 = 20;

/// A list query with a sort order or a filter of fields.
#[derive(Clone, Copy)]
pub(super) struct Arranged<'a> {
    pub scope: &'a Scope,
    pub listing: &'a Listing,
    pub query: &'a Selection<'a>,
    pub state: &'a State,
}

/// Returns the ids on the page, and the number of all matching rows.
pub(super) async fn ids(arranged: Arranged<'_>) -> Result<(Vec<Uuid>, u64)> {
    let (ids, total) = match arranged.known_total().await? {
        Some(total) => (arranged.read_page(total).await?, total),
        None => arranged.count_and_read().await?,
    };
    Ok((ids, total.unsigned_abs()))
}

impl<'a> Arranged<'a> {
    fn key(self) -> TotalKey {
        TotalKey::new(self.scope, self.listing, self.query)
    }

    pub(super) fn has_conditions(self) -> bool {
        let Selection { search, filter, arrangement, .. } = self.query;
        search.is_some() || !filter.is_empty() || !arrangement.filter.is_empty()
    }

    pub(super) fn index(self) -> Option<Index<'a>> {
        Index::of(self.scope, self.listing, self.query, self.state)
    }

    /// Returns the number of all matching rows if no scan is needed for it.
    async fn known_total(self) -> Result<Option<i64>> {
        let Arranged { scope, listing, query, state } = self;
        if !self.has_conditions() {
            return Ok(Some(state.total));
        }
        match self.index() {
            Some(index) => {
                let push = |sql| index.push_matches(sql);
                totals::total(scope, listing, query, state.changes, push).await.map(Some)
            }
            None if query.search.is_none() && query.arrangement.filter.is_empty() => {
                let push = |sql| pages::push_matches(sql, scope, listing, &query.filter);
                totals::total(scope, listing, query, state.changes, push).await.map(Some)
            }
            None => Ok(TOTALS.get(&self.key(), state.changes)),
        }
    }

    /// As [`ids`], if the number of matching rows is not known. If many rows match, it counts them apart from reading
    /// the page, because a single statement has to collect all of them. Only after a walk that found too few rows is a
    /// single statement faster than two more.
    async fn count_and_read(self) -> Result<(Vec<Uuid>, i64)> {
        let Arranged { scope, listing, query, state } = self;
        let shares = self.sample().await?;
        let push = |sql| self.push_matches(sql, shares.is_frequent());
        let count = || totals::total(scope, listing, query, state.changes, push);
        let is_common = shares.all > COMMON && self.is_ordered();
        let page = Slice { skipped: query.page.offset(), count: query.page.limit.into(), is_reversed: false };
        let is_walked = is_common && self.plan(page, (state.total * shares.all / 100).max(1)) == Plan::Walk;
        if is_walked {
            let ids: Vec<Uuid> = self.page(page, Plan::Walk, state.total).values().await?;
            if ids.len() == query.page.limit as usize {
                return Ok((ids, count().await?));
            }
        } else if is_common || self.has_indexed_filter() {
            let total = count().await?;
            return Ok((self.read_page(total).await?, total));
        }
        let page: Vec<(Uuid, i64, i64)> = self.counted_page(shares.is_frequent()).all().await?;
        let total = match page.first() {
            Some((_, total, changes)) => {
                totals::remember(self.key(), *changes, *total);
                *total
            }
            None if query.page.offset() == 0 => 0,
            // The page begins after the last row, so no row has brought the total along.
            None => count().await?,
        };
        Ok((page.into_iter().map(|(id, ..)| id).collect(), total))
    }

    /// Returns the ids on the page if `total` rows match.
    async fn read_page(self, total: i64) -> Result<Vec<Uuid>> {
        match Slice::new(self.query, total) {
            Some(slice) => self.read_slice(slice, self.plan(slice, total), total).await,
            None => Ok(Vec::new()),
        }
    }

    /// Returns whether the database can count the matching rows by an index: on PostgreSQL, if the only condition is one
    /// on an indexed field.
    fn has_indexed_filter(self) -> bool {
        let Selection { search, filter, arrangement, .. } = self.query;
        let [condition] = arrangement.filter.conditions() else { return false };
        let is_indexed = self.listing.find_column(condition.field).is_some_and(Column::has_values_in_index);
        matches!(self.scope.db(), Db::Postgres(..)) && search.is_none() && filter.is_empty() && is_indexed
    }

    /// Returns the ids of a slice, in the order of the list.
    async fn read_slice(self, slice: Slice, plan: Plan, total: i64) -> Result<Vec<Uuid>> {
        let mut ids: Vec<Uuid> = self.page(slice, plan, total).values().await?;
        if plan == Plan::Walk && ids.len() < usize::try_from(slice.count).unwrap_or_default() {
            ids = self.page(slice, Plan::Scan, total).values().await?;
        }
        if slice.is_reversed {
            ids.reverse();
        }
        Ok(ids)
    }

    /// Builds the query for the ids of a slice, in the opposite order if the slice is reversed. With [`Plan::Walk`],
    /// the query may return fewer ids than the slice has.
    fn page(self, slice: Slice, plan: Plan, total: i64) -> Sql<'a> {
        let sql = match (plan, self.key_order(), self.walked_column(), self.index()) {
            (Plan::Walk, Some(is_descending), ..) => self.walk_key(slice, is_descending),
            (Plan::Walk, _, Some(column), _) => self.walk(slice, column),
            (Plan::Lookup, .., Some(index)) => self.lookup(slice, index),
            _ => self.scan(slice, total * 100 > self.state.total * FREQUENT),
        };
        // Without conditions, the best way to read rows in the order of an index is the same for all values.
        if plan == Plan::Walk && !self.has_conditions() { sql } else { sql.planned_each_time() }
    }

    /// Builds the query for a page that reads the rows which the index finds. In the default order, it reads only those
    /// of the page, unless the list's filter leaves out some of them.
    fn lookup(self, slice: Slice, index: Index<'a>) -> Sql<'a> {
        let Arranged { scope, listing, .. } = self;
        let sql = scope.db().sql("SELECT ").push(listing.id).push(" FROM (");
        let sql = index.push_found(sql);
        let is_cut = self.has_default_order() && self.query.filter.is_empty();
        let sql = match is_cut {
            true => slice.push(sql.push(" ORDER BY found").push(if slice.is_reversed { "" } else { " DESC" })),
            false => sql,
        };
        let sql = sql.push(") AS matches CROSS JOIN ").push(listing.table).push(" WHERE doc = found");
        let sql = self.push_filters(sql.push_arg(" AND corp_id = ", scope.corp()));
        let sql = self.push_order(sql.push(" ORDER BY "), slice.is_reversed);
        if is_cut { sql } else { slice.push(sql) }
    }

    /// Builds the query for a page that reads all rows.
    fn scan(self, slice: Slice, is_frequent: bool) -> Sql<'a> {
        let Arranged { scope, listing, .. } = self;
        let sql = scope.db().sql("SELECT ").push(listing.id);
        let sql = match scope.db() {
            Db::Postgres(..) if self.has_conditions() && self.walked_column().is_some() => {
                // `OFFSET 0` prevents the subquery from being inlined. Else PostgreSQL could walk an index, from a
                // wrong guess of how many rows match.
                self.push_matches(sql.push(" FROM (SELECT *"), is_frequent).push(" OFFSET 0) AS matches")
            }
            _ => self.push_matches(sql, is_frequent),
        };
        slice.push(self.push_order(sql.push(" ORDER BY "), slice.is_reversed))
    }

    /// Builds the query for a page that reads the ids in their order from the index by id.
    fn walk_key(self, slice: Slice, is_descending: bool) -> Sql<'a> {
        let Arranged { scope, listing, .. } = self;
        let sql = scope.db().sql("SELECT ").push(listing.id).push(" FROM ").push(listing.table);
        let sql =
            sql.indexed_by(listing.key).push_arg(" WHERE corp_id = ", scope.corp()).push(" ORDER BY ").push(listing.id);
        slice.push(sql.push(if is_descending != slice.is_reversed { " DESC" } else { "" }))
    }

    /// Builds the query for a page that reads the rows in the order of this field. Without conditions, it reads only
    /// the rows of the page.
    fn walk(self, slice: Slice, column: &'static Column) -> Sql<'a> {
        let Arranged { scope, listing, state, .. } = self;
        let db = scope.db();
        let is_descending = self.query.arrangement.sort.fields().next().is_some_and(|(_, is_descending)| is_descending);
        let (key, doc) = match is_descending != slice.is_reversed {
            true => (" DESC NULLS LAST, ", " DESC"),
            false => (" NULLS FIRST, ", ""),
        };
        let Db::Sqlite { .. } = db else {
            let sql = db.sql("SELECT ").push(listing.id).push(" FROM ").push(listing.table);
            let sql = self.push_conditions(sql.push_arg(" WHERE corp_id = ", scope.corp()));
            let sql = sql.push(" ORDER BY ").push(column.sort_key).push(key).push("doc").push(doc);
            return slice.push(sql);
        };
        let order = |sql: Sql<'a>| sql.push(" ORDER BY sort_key").push(key).push("found").push(doc);
        let sort_rows = |sql: Sql<'a>, columns| {
            let sql = sql.push("(SELECT ").push(columns).push(" FROM sort_rows");
            sql.push_arg(" WHERE list = ", state.first_doc >> 32).push_arg(" AND field = ", column.number)
        };
        let sql = sort_rows(db.sql("SELECT ").push(listing.id).push(" FROM "), "key AS sort_key, doc AS found");
        // The number of rows that can be read in a quarter of the time of a scan.
        let most = self.scan_cost(slice) / WALK.0;
        let sql = match self.has_conditions() {
            false => slice.push(order(sql)),
            true if most >= state.total => sql,
            true => {
                let sql = sql.push(" AND (key, doc) ").push(if doc.is_empty() { "<=" } else { ">=" });
                let sql = sort_rows(sql, "key, doc").push(" ORDER BY key").push(key).push("doc").push(doc);
                sql.push_arg(" LIMIT 1 OFFSET ", most).push(")")
            }
        };
        // SQLite does not reorder a CROSS JOIN: the sort rows are read first, then the rows that they name.
        let sql = sql.push(") CROSS JOIN ").push(listing.table).push(" WHERE doc = found");
        let sql = order(self.push_conditions(sql.push_arg(" AND corp_id = ", scope.corp())));
        match self.has_conditions() {
            true => slice.push(sql),
            false => sql,
        }
    }

    /// Appends the sort order, or its opposite.
    fn push_order(self, sql: Sql<'a>, is_reversed: bool) -> Sql<'a> {
        let Arranged { scope, listing, query, .. } = self;
        let sort = &query.arrangement.sort;
        let sql = sort.fields().fold(sql, |sql, (field, is_descending)| {
            push_key(sql, scope, listing, field).push(direction(is_descending != is_reversed))
        });
        sql.push(query.filter.order(sort.reverses_default() != is_reversed))
    }

    /// Builds the query for the ids on a page, each with the number of all matching rows and the change counter. The
    /// WITH is in a subquery, because only statements that begin with SELECT use SQLite's connections for reading.
    fn counted_page(self, is_frequent: bool) -> Sql<'a> {
        let Arranged { scope, listing, query, .. } = self;
        let sort = &query.arrangement.sort;
        let keys = || SORT_KEYS.into_iter().zip(sort.fields());
        let sql = scope.db().sql("SELECT found, total, changes FROM (WITH matches AS MATERIALIZED (SELECT ");
        let sql =
            sql.push(listing.id).push(" AS found, doc").push(if query.filter.has_days() { ", active_on" } else { "" });
        let sql = keys()
            .fold(sql, |sql, (key, (field, _))| push_key(sql.push(", "), scope, listing, field).push(" AS ").push(key));
        let sql = self.push_matches(sql, is_frequent);
        let sql = sql.push(") SELECT found, (SELECT count(*) FROM matches) AS total FROM matches ORDER BY ");
        let sql = keys().fold(sql, |sql, (key, (_, is_descending))| sql.push(key).push(direction(is_descending)));
        let sql = push_page(sql.push(query.filter.order(sort.reverses_default())), query.page);
        push_changes(sql.push(") AS page CROSS JOIN "), scope, listing).planned_each_time()
    }

    /// Appends a scan for the rows that match all conditions. If the searched text is frequent, it is compared with
    /// each row instead of being looked up in the search index.
    fn push_matches(self, sql: Sql<'a>, is_frequent: bool) -> Sql<'a> {
        let Arranged { scope, listing, query, state } = self;
        let sql = push_scan(sql, scope, listing, state.first_doc - 1, state.last_doc());
        let sql = match query.search {
            _ if is_frequent => return self.push_conditions(sql),
            Some(text) => search::push_condition(sql, Search { scope, listing, query, state, text }),
            None => sql,
        };
        self.push_filters(sql)
    }

    /// Appends all conditions of the query, to be evaluated on each row that is read.
    pub(super) fn push_conditions(self, sql: Sql<'a>) -> Sql<'a> {
        let Arranged { scope, listing, query, state } = self;
        let sql = match query.search {
            Some(text) => search::push_contains(sql, Search { scope, listing, query, state, text }),
            None => sql,
        };
        self.push_filters(sql)
    }

    fn push_filters(self, sql: Sql<'a>) -> Sql<'a> {
        let Arranged { scope, listing, query, .. } = self;
        let conditions = query.arrangement.filter.conditions();
        let sql = query.filter.push_conditions(sql, scope);
        conditions.iter().fold(sql, |sql, condition| push_condition(sql, listing, condition))
    }
}

/// Appends the expression by which a field is sorted. Texts are in binary order on both databases.
fn push_key<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, field: &Field) -> Sql<'e> {
    let sql = sql.push(listing.sort_key(field));
    match field.kind {
        Kind::Choice(_) => sql.push(scope.db().pick("", " COLLATE \"C\"")),
        _ => sql,
    }
}

fn direction(is_descending: bool) -> &'static str {
    if is_descending { " DESC NULLS LAST, " } else { " NULLS FIRST, " }
}

#[cfg(test)]
impl<'a> Arranged<'a> {
    /// Returns the ids on the page by each plan; empty if the total number is unknown or the page has no rows. Asserts
    /// that a walk that ended too early has returned the ids in the right order up to there.
    pub(super) async fn ids_by_each_plan(self) -> Vec<(Plan, Vec<Uuid>)> {
        let total = self.known_total().await.unwrap().unwrap_or_default();
        let Some(slice) = Slice::new(self.query, total) else { return Vec::new() };
        let mut pages = Vec::new();
        for plan in [Plan::Walk, Plan::Lookup, Plan::Scan] {
            let ids = self.read_slice(slice, plan, total).await.unwrap();
            let read: Vec<Uuid> = self.page(slice, plan, total).values().await.unwrap();
            let mut expected = ids.clone();
            if slice.is_reversed {
                expected.reverse();
            }
            expected.truncate(read.len());
            assert_eq!(read, expected, "{plan:?}");
            pages.push((plan, ids));
        }
        pages
    }

    /// Returns whether the matching rows are counted by an index, and the query plan of the statement that counts them.
    pub(super) async fn explain_total(self) -> (bool, String) {
        let total = totals::select_count(self.scope, self.listing, |sql| match self.index() {
            Some(index) => index.push_matches(sql),
            None => self.push_matches(sql, false),
        });
        (self.index().is_some() || self.has_indexed_filter(), total.explain().await.unwrap())
    }

    /// Returns the plan for a page if `total` rows match, and the query plan of this plan's statement.
    pub(super) async fn explain(self, total: i64) -> (Plan, String) {
        let slice = Slice::new(self.query, total).unwrap();
        let plan = self.plan(slice, total);
        (plan, self.page(slice, plan, total).explain().await.unwrap())
    }
}
