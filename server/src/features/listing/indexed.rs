//! Rows that an index finds, without a scan of the list: the matches of a search, or on SQLite those of a single
//! condition, by the sort rows of its field. Rows that are not in the index yet are compared one by one, so that the
//! result is exact while the index is behind.

use super::columns::Column;
use super::conditions::{push_condition, push_key_condition};
use super::search::{self, Search};
use super::{Listing, Selection, State, push_scan};
use crate::access::scope::Scope;
use crate::platform::db::{Db, Sql};
use forecourt_core::lists::{Condition, Test};

/// What finds the rows of a query.
#[derive(Clone, Copy)]
pub(super) enum Index<'a> {
    /// The search index.
    Search(Search<'a>),
    /// The sort rows of a field.
    SortRows(SortRows<'a>),
}

/// The only condition of a query, and the column of its field.
#[derive(Clone, Copy)]
pub(super) struct SortRows<'a> {
    scope: &'a Scope,
    listing: &'a Listing,
    state: &'a State,
    column: &'static Column,
    condition: &'a Condition,
}

impl<'a> Index<'a> {
    /// Returns the index that finds the rows which match the search or the condition of a query; `None` if there is
    /// none. The filter that the list has besides must be applied to the rows of a search.
    pub fn of(scope: &'a Scope, listing: &'a Listing, query: &'a Selection<'_>, state: &'a State) -> Option<Self> {
        match (query.search, query.arrangement.filter.conditions()) {
            (Some(text), []) => {
                let search = Search { scope, listing, query, state, text };
                (!search.is_too_short_for_index()).then_some(Index::Search(search))
            }
            (None, [condition]) if query.filter.is_empty() && matches!(scope.db(), Db::Sqlite { .. }) => {
                let column = listing.find_column(condition.field).filter(|column| column.has_values_in_sort_rows())?;
                Some(Index::SortRows(SortRows { scope, listing, state, column, condition }))
            }
            _ => None,
        }
    }

    /// Appends the rows that match the whole query, as `FROM …`.
    pub fn push_matches(self, sql: Sql<'_>) -> Sql<'_> {
        match self {
            Index::Search(search) => search::push_matches(sql, search, true),
            Index::SortRows(rows) => rows.push_found(sql.push(" FROM (")).push(") AS matches"),
        }
    }

    /// Appends a query for the numbers of the rows that the index finds, as `found`.
    pub fn push_found(self, sql: Sql<'_>) -> Sql<'_> {
        match self {
            Index::Search(search) => search::push_found(sql, search, true),
            Index::SortRows(rows) => rows.push_found(sql),
        }
    }
}

impl SortRows<'_> {
    /// Returns whether the keys are found in their order, instead of comparing all keys of the field.
    pub fn are_found_by_key(self) -> bool {
        matches!(self.condition.test, Test::OneOf(_) | Test::Within(_) | Test::Between(..))
    }

    fn push_found(self, sql: Sql<'_>) -> Sql<'_> {
        let SortRows { scope, listing, state, column, condition } = self;
        let sql = sql.push("SELECT doc AS found FROM sort_rows WHERE list = ").arg(state.first_doc >> 32);
        let sql = sql.push_arg(" AND field = ", column.number).push_arg(" AND doc <= ", state.sorted_doc);
        let sql = push_key_condition(sql, column, condition).push(" UNION ALL SELECT doc AS found");
        let sql = push_scan(sql, scope, listing, state.sorted_doc, state.last_doc());
        push_condition(sql, listing, condition)
    }
}
