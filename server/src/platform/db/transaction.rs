//! The methods of a write transaction.

use super::{Args, Result, Rows, Sql, Target, Tx, with_timeout, wrong_arguments};
use futures_util::TryStreamExt;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Either, Executor};
use std::borrow::Cow;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Timeout of a statement after [`Tx::lift_statement_timeout`].
const JOB_STATEMENT_TIMEOUT: Duration = Duration::from_secs(3600);

impl Tx {
    /// As [`super::Db::sql`], inside this transaction.
    pub fn sql(&mut self, text: &'static str) -> Sql<'_> {
        let (Tx::Sqlite(_, counts) | Tx::Postgres(_, counts, _)) = &*self;
        counts.statements.fetch_add(1, Ordering::Relaxed);
        let args = self.pick(Args::Sqlite(SqliteArguments::default()), Args::Postgres(PgArguments::default()));
        Sql { target: Target::Tx(self), text: text.into(), args, bound: 0 }
    }

    /// As [`super::Db::pick`].
    pub fn pick<T>(&self, sqlite: T, postgres: T) -> T {
        match self {
            Tx::Sqlite(..) => sqlite,
            Tx::Postgres(..) => postgres,
        }
    }

    /// Lifts the statement timeout of requests for this transaction: for a job that works on many rows.
    pub async fn lift_statement_timeout(&mut self) -> Result<()> {
        if let Tx::Postgres(_, _, time_limit) = self {
            *time_limit = JOB_STATEMENT_TIMEOUT;
            self.sql("SET LOCAL statement_timeout = 0").exec().await?;
        }
        Ok(())
    }

    /// Runs a statement and returns its rows and the number of rows it changed.
    pub(super) async fn fetch(&mut self, text: Cow<'static, str>, args: Args) -> Result<(Rows, u64)> {
        match (self, args) {
            (Tx::Sqlite(tx, _), Args::Sqlite(args)) => {
                let (rows, changed) = fetch!(tx, text, args);
                Ok((Rows::Sqlite(rows), changed))
            }
            (Tx::Postgres(tx, counts, time_limit), Args::Postgres(args)) => {
                let query = async { Ok(fetch!(tx, text, args)) };
                let (rows, changed) = with_timeout(*time_limit, counts, query).await?;
                Ok((Rows::Postgres(rows), changed))
            }
            _ => Err(wrong_arguments()),
        }
    }

    pub async fn commit(self) -> Result<()> {
        match self {
            Tx::Sqlite(tx, _) => tx.commit().await,
            Tx::Postgres(tx, counts, time_limit) => with_timeout(time_limit, &counts, tx.commit()).await,
        }
    }
}
