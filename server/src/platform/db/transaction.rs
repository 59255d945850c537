//! The methods of a write transaction.

use super::listen;
use super::open::{PING_TIMEOUT, with_timeout};
use super::pool::Pooled;
use super::run::warn_if_slow;
use super::tenancy::Tenants;
use super::writer::{Outcome, Work};
use super::{Args, Result, Row, Rows, SharedCounts, Sql, Target, Tx, arguments_of_other_database, group_is_lost};
use crate::platform::events::{Change, Changes};
use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Either, Executor, Postgres};
use std::borrow::Cow;
use std::mem;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long this program waits for a statement of [`super::Db::begin_job`].
const JOB_STATEMENT_TIMEOUT: Duration = Duration::from_secs(3600);

impl Tx {
    /// As [`super::Db::sql`], inside this transaction.
    pub fn sql(&mut self, text: &'static str) -> Sql<'_> {
        let (Tx::Sqlite(_, counts, _) | Tx::Postgres(PgTransaction { counts, .. })) = &*self;
        counts.statements.fetch_add(1, Ordering::Relaxed);
        let args = self.pick(Args::Sqlite(SqliteArguments::default()), Args::Postgres(PgArguments::default()));
        Sql { target: Target::Tx(self), text: text.into(), args, bound: 0, is_prepared: true, failed: None }
    }

    /// As [`super::Db::pick`].
    pub fn pick<T>(&self, sqlite: T, postgres: T) -> T {
        match self {
            Tx::Sqlite(..) => sqlite,
            Tx::Postgres(..) => postgres,
        }
    }

    /// Runs a statement and returns its rows and the number of rows it changed.
    pub(super) async fn fetch(&mut self, text: Cow<'static, str>, args: Args) -> Result<(Rows, u64)> {
        match (self, args) {
            (Tx::Sqlite(tx, ..), Args::Sqlite(args)) => {
                let (rows, changed) = fetch!(tx, sqlx::query_with(AssertSqlSafe(text), args));
                Ok((Rows::Sqlite(rows), changed))
            }
            (Tx::Postgres(tx), Args::Postgres(args)) => {
                let (rows, changed) = tx.fetch(text, args).await?;
                Ok((Rows::Postgres(rows), changed))
            }
            _ => Err(arguments_of_other_database()),
        }
    }

    /// Runs work that consists of several statements. If it fails, undoes only its own statements, by a savepoint. For
    /// SQLite, where several writes share a transaction.
    pub(super) async fn undo_if_failed(&mut self, work: Work) -> Result<Outcome> {
        let none = || Args::Sqlite(SqliteArguments::default());
        self.fetch("SAVEPOINT work".into(), none()).await?;
        // The changes that earlier writes of the group have announced.
        let mut changes = mem::take(self.changes());
        let done = work(self).await;
        let own = mem::take(self.changes());
        if done.is_ok() {
            changes.append(own);
        }
        *self.changes() = changes;
        if done.is_err() && self.fetch("ROLLBACK TO work".into(), none()).await.is_err() {
            // SQLite has rolled back the whole transaction, or the work can't be undone.
            return Err(group_is_lost());
        }
        if self.fetch("RELEASE work".into(), none()).await.is_err() {
            return Err(group_is_lost());
        }
        done
    }

    /// Runs a statement about the savepoint of [`Tx::savepoint`]. On SQLite a failed statement undoes only itself, so
    /// no savepoint is needed.
    async fn run_savepoint(&mut self, text: &'static str) -> Result<()> {
        match self {
            Tx::Sqlite(..) => Ok(()),
            Tx::Postgres(tx) => tx.run(text.into()).await.map(|_| ()),
        }
    }

    /// Begins a part after whose failed statement the transaction can go on ([`Tx::rollback_to_savepoint`]). It ends
    /// with [`Tx::release_savepoint`].
    pub async fn savepoint(&mut self) -> Result<()> {
        self.run_savepoint("SAVEPOINT part").await
    }

    pub async fn release_savepoint(&mut self) -> Result<()> {
        self.run_savepoint("RELEASE SAVEPOINT part").await
    }

    /// Makes the transaction usable again after a failed statement.
    pub async fn rollback_to_savepoint(&mut self) -> Result<()> {
        self.run_savepoint("ROLLBACK TO SAVEPOINT part").await
    }

    /// Commits, and announces the changes: on SQLite to this node's streams, on PostgreSQL to every node.
    pub async fn commit(self) -> Result<()> {
        match self {
            Tx::Sqlite(tx, counts, changes) => {
                tx.commit().await?;
                changes.into_events().for_each(|event| counts.events.publish(event));
                Ok(())
            }
            Tx::Postgres(tx) => tx.commit().await,
        }
    }

    /// Adds a change that is announced once this transaction has committed.
    pub(super) fn announce(&mut self, change: Change) {
        self.changes().add(change);
    }

    fn changes(&mut self) -> &mut Changes {
        match self {
            Tx::Sqlite(.., changes) | Tx::Postgres(PgTransaction { changes, .. }) => changes,
        }
    }
}

/// A transaction of PostgreSQL. The driver's own type would need a round trip for BEGIN alone.
pub struct PgTransaction {
    connection: Option<Pooled<Postgres>>,
    /// Whether BEGIN was sent, and neither COMMIT nor ROLLBACK has succeeded.
    is_open: bool,
    tenants: Tenants,
    counts: SharedCounts,
    time_limit: Duration,
    changes: Changes,
}

impl PgTransaction {
    /// Returns a transaction that has not yet begun.
    pub(super) fn new(connection: Pooled<Postgres>, tenants: Tenants, counts: SharedCounts, limit: Duration) -> Self {
        let changes = Changes::default();
        PgTransaction { connection: Some(connection), is_open: false, tenants, counts, time_limit: limit, changes }
    }

    pub(super) async fn begin(&mut self) -> Result<()> {
        self.is_open = true;
        self.run("BEGIN".into()).await.map(|_| ())
    }

    /// Removes the statement timeout of requests from this transaction.
    pub(super) async fn remove_statement_timeout(&mut self) -> Result<()> {
        self.time_limit = JOB_STATEMENT_TIMEOUT;
        self.run("SET LOCAL statement_timeout = 0".into()).await.map(|_| ())
    }

    /// Begins the transaction and runs its first statement in the same round trip. Returns the first row, if any. The
    /// statement can't bind values, so `text` may contain only values that can't end a literal, such as UUIDs and
    /// numbers.
    pub async fn begin_with<T: Row>(&mut self, text: String) -> Result<Option<T>> {
        self.is_open = true;
        self.counts.statements.fetch_add(1, Ordering::Relaxed);
        let started = Instant::now();
        let rows = self.run(format!("BEGIN; {text}").into()).await;
        // Logs only the text before the first parenthesis, since the rest contains values.
        warn_if_slow(text.split('(').next().unwrap_or_default(), started);
        let rows = rows?;
        rows.first().map(T::from_row).transpose()
    }

    /// Runs one or several statements without bound values in one round trip, and returns their rows.
    async fn run(&mut self, text: Cow<'static, str>) -> Result<Vec<PgRow>> {
        let connection = self.connection.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        let query = async { sqlx::raw_sql(AssertSqlSafe(text)).fetch_all(connection.begin_statement()?).await };
        let rows = with_timeout(self.time_limit, &self.counts, query).await?;
        connection.end_statement();
        Ok(rows)
    }

    async fn fetch(&mut self, text: Cow<'static, str>, mut args: PgArguments) -> Result<(Vec<PgRow>, u64)> {
        if !self.is_open {
            return Err(sqlx::Error::Protocol("the transaction has not begun".into()));
        }
        self.tenants.bind_to(&mut args);
        let connection = self.connection.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        let query = sqlx::query_with(AssertSqlSafe(text), args);
        let fetched = async { Ok(fetch!(connection.begin_statement()?, query)) };
        let fetched = with_timeout(self.time_limit, &self.counts, fetched).await?;
        connection.end_statement();
        Ok(fetched)
    }

    async fn commit(mut self) -> Result<()> {
        let commit = match listen::notify_text(mem::take(&mut self.changes).into_events())? {
            Some(notify) => format!("{notify}; COMMIT").into(),
            None => "COMMIT".into(),
        };
        self.run(commit).await?;
        self.is_open = false;
        Ok(())
    }
}

/// Rolls back an open transaction in the background. If that fails, the connection is closed, so that no other request
/// uses it.
impl Drop for PgTransaction {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take().filter(|_| self.is_open) {
            tokio::spawn(async move {
                let rolled_back = match connection.begin_statement() {
                    Ok(open) => timeout(PING_TIMEOUT, sqlx::raw_sql("ROLLBACK").execute(open)).await,
                    Err(error) => Ok(Err(error)),
                };
                match rolled_back {
                    Ok(Ok(_)) => connection.end_statement(),
                    _ => connection.close(),
                }
            });
        }
    }
}
