//! Runs a statement, and logs it if it is slow.

use super::open::with_timeout;
use super::writer::{Outcome, Work};
use super::{Args, Db, Result, Row, Rows, STATEMENT_TIMEOUT, Sql, Target, acquire, arguments_of_other_database};
use futures_util::TryStreamExt;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Either, Executor};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// A statement that takes at least this long is logged with the beginning of its text, which contains no values.
const SLOW_STATEMENT: Duration = Duration::from_secs(1);
/// How much of a slow statement's text is logged, in bytes.
const LOGGED_BYTES: usize = 120;

impl Sql<'_> {
    /// Runs the statement. Returns its rows and the number of rows it changed.
    pub(super) async fn run<T: Row>(self) -> Result<(Vec<T>, u64)> {
        let short_text = truncate(&self.text);
        let started = Instant::now();
        let done = self.run_at_once().await;
        warn_if_slow(&short_text, started);
        done
    }

    async fn run_at_once<T: Row>(self) -> Result<(Vec<T>, u64)> {
        let Sql { target, text, args, is_prepared, failed, .. } = self;
        if let Some(error) = failed {
            return Err(error);
        }
        let (rows, changed) = match (target, args) {
            (Target::Db(Db::Sqlite { read, .. }), Args::Sqlite(args)) if text.starts_with("SELECT") => {
                let mut connection = read.acquire().await?;
                let query = sqlx::query_with(AssertSqlSafe(text), args);
                let done = fetch!(connection.begin_statement()?, query, |row: SqliteRow| T::from_row(&row));
                connection.end_statement();
                return Ok(done);
            }
            (Target::Db(db @ Db::Sqlite { .. }), args) => {
                let work: Work =
                    Box::new(|tx| Box::pin(async { Ok(Box::new(tx.fetch(text, args).await?) as Outcome) }));
                *db.enqueue(work, false).await?.downcast().map_err(|_| sqlx::Error::WorkerCrashed)?
            }
            (Target::Db(db @ Db::Postgres(.., Some(_))), args) if !text.starts_with("SELECT") => {
                let mut tx = db.begin().await?;
                let result = tx.fetch(text, args).await?;
                tx.commit().await?;
                result
            }
            (Target::Db(Db::Postgres(pool, counts, tenants, _)), Args::Postgres(mut args)) => {
                let mut connection = acquire(pool, counts).await?;
                tenants.bind_to(&mut args);
                let query = sqlx::query_with(AssertSqlSafe(text), args).persistent(is_prepared);
                let fetched =
                    async { Ok(fetch!(connection.begin_statement()?, query, |row: PgRow| T::from_row(&row))) };
                let done = with_timeout(STATEMENT_TIMEOUT, counts, fetched).await?;
                connection.end_statement();
                return Ok(done);
            }
            (Target::Tx(tx), args) => tx.fetch(text, args).await?,
            _ => return Err(arguments_of_other_database()),
        };
        let rows: Result<Vec<T>> = match rows {
            Rows::Sqlite(rows) => rows.iter().map(T::from_row).collect(),
            Rows::Postgres(rows) => rows.iter().map(T::from_row).collect(),
        };
        Ok((rows?, changed))
    }

    /// Returns every row.
    pub async fn all<T: Row>(self) -> Result<Vec<T>> {
        Ok(self.run().await?.0)
    }

    /// Returns the row of a query that finds at most one; `None` if it finds none.
    pub async fn maybe<T: Row>(self) -> Result<Option<T>> {
        Ok(self.all().await?.pop())
    }

    /// Returns the row of a query that finds one; [`sqlx::Error::RowNotFound`] if it finds none.
    pub async fn one<T: Row>(self) -> Result<T> {
        self.maybe().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Runs a write and returns how many rows it changed.
    pub async fn exec(self) -> Result<u64> {
        Ok(self.run::<()>().await?.1)
    }
}

pub(super) fn warn_if_slow(text: &str, started: Instant) {
    if started.elapsed() >= SLOW_STATEMENT {
        tracing::warn!(statement = %text, ms = started.elapsed().as_millis(), "slow statement");
    }
}

/// Returns the beginning of a statement's text. The text of a bulk insert has megabytes.
#[expect(clippy::ptr_arg, reason = "a static text is not copied")]
fn truncate(text: &Cow<'static, str>) -> Cow<'static, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..text.floor_char_boundary(LOGGED_BYTES)]),
        Cow::Owned(text) => Cow::Owned(text[..text.floor_char_boundary(LOGGED_BYTES)].to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_only_the_beginning_of_a_statement() {
        let long = "å".repeat(LOGGED_BYTES);
        assert_eq!(truncate(&Cow::Owned(long)), "å".repeat(LOGGED_BYTES / 2));
        assert_eq!(truncate(&Cow::Borrowed("SELECT 1")), "SELECT 1");
    }
}
