//! What part of a list matches a query, estimated from a sample of its rows.

use super::arranged::{Arranged, FREQUENT};
use super::search::{self, Search};
use crate::platform::db::{Db, Result};

/// Number of ranges of consecutive row numbers in a sample of a list.
const SAMPLES: i64 = 10;
/// Number of row numbers in each range of a sample.
const SAMPLE_ROWS: i64 = if cfg!(test) { 1 } else { 100 };

/// The estimated percentages of a list's rows that contain the searched text (without a search, all rows of the sample), and that match the
/// whole query.
#[derive(Clone, Copy, Default, sqlx_macros::FromRow)]
pub(super) struct Shares {
    pub text: i64,
    pub all: i64,
}

impl Shares {
    pub fn is_frequent(self) -> bool {
        self.text > FREQUENT
    }
}

impl Arranged<'_> {
    /// Estimates the [`Shares`] by a sample from all parts of a long list. They are 0 for a short list, and on
    /// PostgreSQL.
    pub(super) async fn sample(self) -> Result<Shares> {
        let Arranged { scope, listing, query, state } = self;
        let span = (state.next_doc - state.first_doc) / SAMPLES;
        let Db::Sqlite { .. } = scope.db() else { return Ok(Shares::default()) };
        if span < SAMPLE_ROWS {
            return Ok(Shares::default());
        }
        let sql = scope.db().sql("SELECT count(CASE WHEN TRUE");
        let sql = match query.search {
            Some(text) => search::push_contains(sql, Search { scope, listing, query, state, text }),
            None => sql,
        };
        let sql = self.push_conditions(sql.push(" THEN 1 END) * 100 / max(count(*), 1) AS text, count(CASE WHEN TRUE"));
        let sql = sql.push(" THEN 1 END) * 100 / max(count(*), 1) AS \"all\" FROM (VALUES ");
        // In the middle of each tenth, because a filter often matches only the oldest rows, or only the newest.
        let starts = (0..SAMPLES).map(|place| state.first_doc + place * span + (span - SAMPLE_ROWS) / 2);
        let sql = sql.tuples(starts, |sql, start| sql.arg(start)).push(") CROSS JOIN ").push(listing.table);
        let sql = sql.push_arg(" NOT INDEXED WHERE corp_id = ", scope.corp());
        sql.push(" AND doc >= column1").push_arg(" AND doc < column1 + ", SAMPLE_ROWS).one().await
    }
}
