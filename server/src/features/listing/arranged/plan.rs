//! The choice of how the rows of an arranged page are found.

use super::Arranged;
use crate::features::listing::columns::Column;
use crate::features::listing::indexed::Index;
use crate::features::listing::pages::Slice;
use crate::platform::db::Db;

/// Estimated nanoseconds per row, on SQLite and on PostgreSQL, of a walk: reading rows in the order of the sort, each
/// by its number. Quadrupled on SQLite, because matching rows may be rare where the walk begins.
pub(super) const WALK: (i64, i64) = (4 * 1_900, 500);
/// Estimated nanoseconds per row, on SQLite and on PostgreSQL, of scanning the whole list.
const SCAN: (i64, i64) = (170, 170);
/// Estimated nanoseconds per row, on SQLite and on PostgreSQL, of sorting the rows up to the end of the page.
const SORT: (i64, i64) = (1_500, 500);
/// Estimated nanoseconds, on SQLite, of reading a row by its number.
const LOOKUP: i64 = 2_500;
/// Estimated nanoseconds, on SQLite, of reading a key of a field's sort rows.
const KEY: i64 = 100;

/// How the rows of a page are found if their total number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::features::listing) enum Plan {
    /// Reads the rows in the order of the sort until the page is complete. On SQLite it ends with an incomplete page if
    /// the matching rows are so far from the start that a scan is faster.
    Walk,
    /// Reads the rows that an index finds by their numbers, and sorts them.
    Lookup,
    /// Reads all rows, and sorts those that match.
    Scan,
}

impl Arranged<'_> {
    /// Returns whether the rows can be read in the order of the query, without sorting them.
    pub(super) fn is_ordered(self) -> bool {
        self.has_default_order() || self.walked_column().is_some()
    }

    pub(super) fn has_default_order(self) -> bool {
        self.query.arrangement.sort.is_empty() && !self.query.filter.has_days()
    }

    /// Returns the column by which the list is sorted, if the query sorts by one field only and the database has the
    /// rows in its order.
    pub(super) fn walked_column(self) -> Option<&'static Column> {
        let mut fields = self.query.arrangement.sort.fields();
        let (field, _) = fields.next().filter(|_| fields.len() == 0 && !self.query.filter.has_days())?;
        let column = self.listing.find_column(field)?;
        let is_readable = match self.scope.db() {
            Db::Sqlite { .. } => column.number.is_some() && !self.state.has_unsorted(),
            Db::Postgres(..) => column.has_index,
        };
        is_readable.then_some(column)
    }

    /// Returns the first cost if the database is SQLite, the second if it is PostgreSQL.
    fn pick(self, (sqlite, postgres): (i64, i64)) -> i64 {
        self.scope.db().pick(sqlite, postgres)
    }

    /// Returns whether the order of the ids is descending, if the query only sorts the list by its ids: the index by id has
    /// the rows in this order.
    pub(super) fn key_order(self) -> Option<bool> {
        let mut fields = self.query.arrangement.sort.fields();
        let (field, is_descending) = fields.next().filter(|_| fields.len() == 0 && !self.has_conditions())?;
        (self.listing.sort_key(field) == self.listing.id).then_some(is_descending)
    }

    /// Returns the estimated nanoseconds of a scan of the list and of sorting the rows up to the end of the slice.
    pub(super) fn scan_cost(self, slice: Slice) -> i64 {
        self.state.total * self.pick(SCAN) + (slice.skipped + slice.count) * self.pick(SORT)
    }

    /// Returns the estimated nanoseconds of reading the rows that the index finds, if `total` rows match.
    fn lookup_cost(self, index: Index<'_>, total: i64) -> i64 {
        let Index::SortRows(rows) = index else { return total * LOOKUP };
        let keys = if rows.are_found_by_key() { total } else { self.state.total };
        // In the default order, only the rows of the page are read.
        keys * KEY + if self.has_default_order() { 0 } else { total * LOOKUP }
    }

    /// Returns the cheapest plan for a page if `total` rows match.
    pub(super) fn plan(self, slice: Slice, total: i64) -> Plan {
        let end = slice.skipped + slice.count;
        let walk = match self.walked_column() {
            _ if self.key_order().is_some() => 0,
            Some(_) if !self.has_conditions() => 0,
            Some(_) => (end.saturating_mul(self.state.total) / total).saturating_mul(self.pick(WALK)),
            None => i64::MAX,
        };
        let scan = match self.has_default_order() {
            // The scan stops once the page is complete. At worst, all other rows are read before.
            true => {
                let likely = (end.saturating_mul(self.state.total) / total).min(self.state.total);
                (likely + (self.state.total - total) / 4) * self.pick(SCAN)
            }
            false => self.scan_cost(slice),
        };
        // PostgreSQL chooses between a lookup and a scan by itself.
        let lookup = match (self.scope.db(), self.index()) {
            (Db::Sqlite { .. }, Some(index)) => self.lookup_cost(index, total),
            _ => i64::MAX,
        };
        match () {
            () if walk <= scan.min(lookup) => Plan::Walk,
            () if lookup < scan => Plan::Lookup,
            () => Plan::Scan,
        }
    }
}
