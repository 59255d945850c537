//! Adds sort rows, by which SQLite reads a list in the order of a field (docs/decisions/0026-list-engine.md), some time
//! after many rows were written. Adding to such a large B-tree is fast only in its own order: so the rows are sorted in
//! runs, and inserted in steps, between which others can write.

use super::Listing;
use super::columns::Column;
use crate::platform::db::{Db, Result};
use std::time::Instant;
use tokio::time::sleep;
use uuid::Uuid;

/// Maximum number of rows in a run. Their numbers are in memory.
const RUN: i64 = 250_000;
/// Rows per transaction.
const ROWS: usize = 10_000;
/// Pause between transactions, as a multiple of the time they take, so that others can write.
pub(super) const PAUSE: f64 = 0.15;

/// Adds the sort rows of all rows of a list that have none.
pub(super) async fn add(db: &Db, listing: &Listing, corp: Uuid) -> Result<()> {
    while let Db::Sqlite { .. } = db
        && let Some(run) = Run::next(db, listing, corp, RUN).await?
    {
        for (column, number) in sorted_columns(listing) {
            for docs in run.sort(db, listing, column).await?.chunks(ROWS) {
                let begun = Instant::now();
                run.insert(db, listing, (column, number), docs).await?;
                sleep(begun.elapsed().mul_f64(PAUSE)).await;
            }
        }
        run.finish(db, listing).await?;
    }
    Ok(())
}

/// Returns the columns that have sort rows, with their numbers.
pub(super) fn sorted_columns(listing: &Listing) -> impl Iterator<Item = (&'static Column, i64)> {
    listing.columns().iter().filter_map(|column| Some((column, column.number?)))
}

/// Rows of a list that get their sort rows together.
pub(super) struct Run {
    corp: Uuid,
    after: i64,
    last: i64,
}

impl Run {
    /// Returns the next rows of a list that have no sort rows, at most `count`; `None` if all have.
    pub async fn next(db: &Db, listing: &Listing, corp: Uuid, count: i64) -> Result<Option<Run>> {
        let sql = db.sql("SELECT sorted_doc, next_doc FROM lists WHERE corp_id = ").arg(corp);
        let state = sql.push_arg(" AND kind = ", listing.table).maybe::<(i64, i64)>().await?;
        let Some((after, next)) = state.filter(|(sorted, next)| sorted + 1 < *next) else { return Ok(None) };
        let sql = db.sql("SELECT doc FROM ").push(listing.table).push(" NOT INDEXED");
        let sql = sql.push_arg(" WHERE corp_id = ", corp).push_arg(" AND doc > ", after).push_arg(" AND doc < ", next);
        let last = sql.push_arg(" ORDER BY doc LIMIT 1 OFFSET ", count - 1).maybe_value().await?;
        Ok(Some(Run { corp, after, last: last.unwrap_or(next - 1) }))
    }

    /// Returns the numbers of the rows in the order of a column.
    pub async fn sort(&self, db: &Db, listing: &Listing, column: &Column) -> Result<Vec<i64>> {
        let sql = db.sql("SELECT doc FROM ").push(listing.table).push(" NOT INDEXED");
        let sql = sql.push_arg(" WHERE corp_id = ", self.corp).push_arg(" AND doc > ", self.after);
        let sql = sql.push_arg(" AND doc <= ", self.last).push(" ORDER BY ").push(column.sort_key).push(", doc");
        sql.values().await
    }

    /// Adds sort rows for the rows with these numbers. Each gets the value that its row has now, which may have changed
    /// since the run was sorted; a row that was deleted meanwhile gets none.
    pub async fn insert(
        &self,
        db: &Db,
        listing: &Listing,
        (column, number): (&Column, i64),
        docs: &[i64],
    ) -> Result<()> {
        // The numbers are passed as a JSON array, which is a single bound value.
        let docs = serde_json::to_string(docs).unwrap_or_default();
        // `OR IGNORE`, because a run that was interrupted may have added some of these sort rows. The list's number is
        // the upper half of `doc`, and -1 is the key of NULL (migrations/sqlite/0034_sort_rows.sql).
        let sql = db.sql("INSERT OR IGNORE INTO sort_rows (list, field, key, doc) SELECT doc >> 32, ").arg(number);
        let sql = sql.push(", coalesce(").push(column.sort_key).push(", -1), doc FROM json_each(").arg(docs);
        let sql = sql.push(") CROSS JOIN ").push(listing.table).push(" WHERE doc = value");
        sql.push_arg(" AND corp_id = ", self.corp).exec().await.map(|_| ())
    }

    /// Records that the rows of the run have their sort rows.
    pub async fn finish(&self, db: &Db, listing: &Listing) -> Result<()> {
        let sql = db.sql("UPDATE lists SET sorted_doc = ").arg(self.last).push_arg(" WHERE corp_id = ", self.corp);
        sql.push_arg(" AND kind = ", listing.table).exec().await.map(|_| ())
    }
}
