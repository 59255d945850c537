//! What part of a list matches a query, estimated from a sample of its rows.

use super::arranged::{Arranged, FREQUENT};
use super::search::{self, Search};
use crate::platform::db::{Db, Result};

/// Number of ranges of consecutive row numbers in a sample of a list.
const SAMPLES: i64 = 10;
/// Number of row numbers in each range of a sample.
const SAMPLE_ROWS: i64 = if cfg!(test) { 1 } else { 100 };

/// The estimated percentages of a list's rows that contain the searched text (without a search, all rows of the sample),
/// and that match the whole query.
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
    /// Estimates the [`Shares`] by a sample from all parts of a long list. They are 0 for a short list.
    pub(super) async fn sample(self) -> Result<Shares> {
        let Arranged { scope, listing, query, state } = self;
        let (db, span) = (scope.db(), (state.next_doc - state.first_doc) / SAMPLES);
        // At least 1, because all rows of the sample may be deleted.
        let rows = db.pick("max(count(*), 1)", "greatest(count(*), 1)");
        if span < SAMPLE_ROWS {
            return Ok(Shares::default());
        }
        let sql = db.sql("SELECT count(CASE WHEN TRUE");
        let sql = match query.search {
            Some(text) => search::push_contains(sql, Search { scope, listing, query, state, text }),
            None => sql,
        };
        let sql = sql.push(" THEN 1 END) * 100 / ").push(rows);
        let sql = self.push_conditions(sql.push(" AS text, count(CASE WHEN TRUE"));
        let sql = sql.push(" THEN 1 END) * 100 / ").push(rows);
        // In the middle of each tenth, because a filter often matches only the oldest rows, or only the newest.
        let starts = (0..SAMPLES).map(|place| state.first_doc + place * span + (span - SAMPLE_ROWS) / 2);
        let sql = sql.push(" AS \"all\" FROM (VALUES ").tuples(starts, |sql, start| sql.arg(start));
        match db {
            Db::Sqlite { .. } => {
                let sql = sql
                    .push(") CROSS JOIN ")
                    .push(listing.table)
                    .push_arg(" NOT INDEXED WHERE corp_id = ", scope.corp());
                sql.push(" AND doc >= column1").push_arg(" AND doc < column1 + ", SAMPLE_ROWS)
            }
            // Without LIMIT, PostgreSQL would read the whole list for a join.
            Db::Postgres(..) => {
                let sql = sql.push(") AS starts (start) CROSS JOIN LATERAL (SELECT * FROM ").push(listing.table);
                let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND doc >= start ORDER BY doc");
                sql.push_arg(" LIMIT ", SAMPLE_ROWS).push(") AS ").push(listing.table)
            }
        }
        .one()
        .await
    }
}
