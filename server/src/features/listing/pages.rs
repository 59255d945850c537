//! Pages of a list in its default order, without a search text: read from an index that has the matching rows in this
//! order, from the nearer end; those of a vehicle are looked up by id.

use super::{ListFilter, Listing, Selection, State, totals};
use crate::access::scope::Scope;
use crate::platform::db::{Db, Result, Row, Sql};
use uuid::Uuid;

/// Returns the page's rows with these columns, and the number of all matching rows.
pub(super) async fn rows<T: Row>(
    scope: &Scope,
    columns: &'static str,
    listing: &Listing,
    query: &Selection<'_>,
    state: &State,
) -> Result<(Vec<T>, u64)> {
    let (slice, total) = locate(scope, listing, query, state).await?;
    let rows = match slice {
        Some(slice) => {
            let page = page(scope, columns, listing, &query.filter, slice);
            choose_planning(page, &query.filter).all().await?
        }
        None => Vec::new(),
    };
    Ok((rows, total))
}

/// Returns the ids on the page, and the number of all matching rows.
pub(super) async fn ids(
    scope: &Scope,
    listing: &Listing,
    query: &Selection<'_>,
    state: &State,
) -> Result<(Vec<Uuid>, u64)> {
    let (slice, total) = locate(scope, listing, query, state).await?;
    let Some(slice) = slice else { return Ok((Vec::new(), total)) };
    let sql = push_slice(scope.db().sql("SELECT ").push(listing.id), scope, listing, &query.filter, slice);
    let mut ids: Vec<Uuid> = choose_planning(sql, &query.filter).values().await?;
    // Reversed here: the database would copy and sort all ids of an export.
    if slice.is_reversed {
        ids.reverse();
    }
    Ok((ids, total))
}

/// Returns where the page lies among the matching rows, and their number.
async fn locate(
    scope: &Scope,
    listing: &Listing,
    query: &Selection<'_>,
    state: &State,
) -> Result<(Option<Slice>, u64)> {
    let total = match query.filter.is_empty() {
        true => state.total,
        false => {
            totals::total(scope, listing, query, state.changes, |sql| push_matches(sql, scope, listing, &query.filter))
                .await?
        }
    };
    Ok((Slice::new(query, total), total.unsigned_abs()))
}

/// Without a filter, the best way to read a list in its default order is the same for all values.
fn choose_planning<'e>(sql: Sql<'e>, filter: &ListFilter) -> Sql<'e> {
    if filter.is_empty() { sql } else { sql.planned_each_time() }
}

/// Where a page lies in an index that is read from the nearer end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub skipped: i64,
    pub count: i64,
    /// Whether the index is read from the end of the list.
    pub is_reversed: bool,
}

impl Slice {
    /// Returns where a page lies among `total` rows; `None` if it begins after the last row.
    pub fn new(query: &Selection<'_>, total: i64) -> Option<Self> {
        let offset = query.page.offset();
        let count = i64::from(query.page.limit).min(total - offset);
        let behind = total - offset - count;
        (count > 0).then_some(match behind < offset {
            true => Slice { skipped: behind, count, is_reversed: true },
            false => Slice { skipped: offset, count, is_reversed: false },
        })
    }

    pub fn push(self, sql: Sql<'_>) -> Sql<'_> {
        sql.push_arg(" LIMIT ", self.count).push_arg(" OFFSET ", self.skipped)
    }
}

/// Appends the matching rows, as `FROM …`.
pub(super) fn push_matches<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, filter: &ListFilter) -> Sql<'e> {
    let sql = sql.push(" FROM ").push(listing.table).indexed_by(filter.index(listing));
    filter.push_conditions(sql.push_arg(" WHERE corp_id = ", scope.corp()), scope)
}

/// Returns the default order as SQL, or its opposite if `is_reversed`. The contacts of an import are ordered by their
/// row in the file, the last one first.
fn order(filter: &ListFilter, is_reversed: bool) -> &'static str {
    match filter.import {
        Some(_) if is_reversed => "import_row",
        Some(_) => "import_row DESC",
        None => filter.order(is_reversed),
    }
}

/// Appends the rows of the slice, as `FROM …`, in the order in which the index is read.
fn push_slice<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, filter: &ListFilter, slice: Slice) -> Sql<'e> {
    let sql = push_matches(sql, scope, listing, filter);
    slice.push(sql.push(" ORDER BY ").push(order(filter, slice.is_reversed)))
}

/// Builds the query for a page: the index yields the numbers or ids of its rows, so that the table is read only for
/// them.
fn page<'e>(scope: &'e Scope, columns: &'static str, listing: &Listing, filter: &ListFilter, slice: Slice) -> Sql<'e> {
    let row = scope.db().pick("doc", listing.id);
    let sql = scope.db().sql("SELECT ").push(columns).push(" FROM (SELECT ").push(row).push(" AS found");
    let sql = push_slice(sql, scope, listing, filter, slice);
    let sql = match scope.db() {
        // SQLite does not reorder a CROSS JOIN: the index is read first, then the rows of the page.
        Db::Sqlite { .. } => sql
            .push(") CROSS JOIN ")
            .push(listing.table)
            .push(" WHERE doc = found")
            .push_arg(" AND corp_id = ", scope.corp()),
        // `OFFSET 0` prevents the subquery from being inlined, so that each row is looked up by its key even if
        // PostgreSQL has no statistics on the tenant.
        Db::Postgres(..) => sql
            .push(") AS page CROSS JOIN LATERAL (SELECT * FROM ")
            .push(listing.table)
            .push_arg(" WHERE corp_id = ", scope.corp())
            .push(" AND ")
            .push(listing.id)
            .push(" = found OFFSET 0) AS whole"),
    };
    sql.push(" ORDER BY ").push(order(filter, false))
}

#[cfg(test)]
impl Selection<'_> {
    /// Returns the query plans of a list's total, and of a page with these columns if `total` rows match.
    pub(super) async fn explain_list(
        &self,
        scope: &Scope,
        columns: &'static str,
        listing: &Listing,
        total: i64,
    ) -> (String, String) {
        let slice = Slice::new(self, total).unwrap();
        let total = totals::select_count(scope, listing, |sql| push_matches(sql, scope, listing, &self.filter));
        let page = page(scope, columns, listing, &self.filter, slice);
        (total.explain().await.unwrap(), page.explain().await.unwrap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::lists::Arrangement;
    use forecourt_core::paging::Page;

    #[test]
    fn reads_a_page_from_the_nearer_end_of_the_list() {
        let slice = |page, total| {
            let (page, filter) = (Page { page, limit: 10 }, ListFilter::default());
            let query = Selection { page, search: None, filter, arrangement: Arrangement::default() };
            Slice::new(&query, total).map(|s| (s.skipped, s.count, s.is_reversed))
        };
        assert_eq!(slice(1, 100), Some((0, 10, false)));
        assert_eq!(slice(5, 100), Some((40, 10, false)));
        assert_eq!(slice(6, 100), Some((40, 10, true)));
        assert_eq!(slice(10, 95), Some((0, 5, true)));
        assert_eq!(slice(1, 3), Some((0, 3, false)));
        assert_eq!(slice(2, 10), None);
        assert_eq!(slice(1, 0), None);
    }
}
