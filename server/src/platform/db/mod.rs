//! The database: SQLite or PostgreSQL, chosen by its URL at start, with one SQL text for both.
//!
//! A statement ([`Sql`]) is plain data: its text and its arguments. Reads use a pool. On SQLite, single writes are
//! queued and committed in groups by one writer, so that writers never conflict and share the cost of a sync to disk.
//!
//! **Invariant:** texts come only from the program, values are bound (except UUIDs and numbers in
//! [`PgTransaction::begin_with`]), and a write is reported as done only when it is on disk (`synchronous=FULL`).

use crate::platform::events::Changes;
use forecourt_core::text::one_line;
use futures_util::future::BoxFuture;
use load::{Counts, Waiting};
use pool::Pool;
use sqlx::{
    Encode, FromRow, Postgres, Sqlite, SqlitePool, Transaction, Type,
    postgres::{PgArguments, PgRow},
    sqlite::{SqliteArguments, SqliteRow},
};
use std::any::Any;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{borrow::Cow, sync::Arc};
use tenancy::Tenants;
use tokio::sync::mpsc;
use uuid::Uuid;
use writer::QueuedWrite;

pub type Result<T> = sqlx::Result<T>;

/// Timeout for one PostgreSQL statement of a request. PostgreSQL's own statement timeout is a second shorter; this one
/// is for a PostgreSQL server that hangs or can't be reached.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(6);

/// A value that both databases can bind.
pub trait Value:
    Send + for<'q> Encode<'q, Sqlite> + Type<Sqlite> + for<'q> Encode<'q, Postgres> + Type<Postgres>
{
}
impl<T> Value for T where
    T: Send + for<'q> Encode<'q, Sqlite> + Type<Sqlite> + for<'q> Encode<'q, Postgres> + Type<Postgres>
{
}

/// A row that both databases can return: any `#[derive(FromRow)]` struct, or a tuple.
pub trait Row: Sized + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}
impl<T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>> Row for T {}

/// Re-reads, inside a transaction that writes on a user's behalf, whether that user may still write.
pub trait WriteCheck: Any + Send + Sync {
    /// Returns the user's rights if they are sufficient for the write. On PostgreSQL the transaction has not yet begun:
    /// the check begins it with [`PgTransaction::begin_with`].
    ///
    /// # Errors
    /// The user has lost the right (an [`super::error::ApiError`] as source), or the database is not available.
    fn check<'a>(&'a self, tx: &'a mut Tx) -> BoxFuture<'a, Result<Box<dyn Any + Send>>>;

    /// Returns the same check for a handle that writes only rows of this tenant, or rows of any tenant if it is `None`.
    fn for_tenant(&self, tenant: Option<Uuid>) -> Arc<dyn WriteCheck>;
}

/// A handle to the database; cloning it is cheap.
#[derive(Clone)]
pub enum Db {
    Sqlite {
        read: Pool<Sqlite>,
        write: SqlitePool,
        queue: mpsc::Sender<QueuedWrite>,
        counts: SharedCounts,
        write_check: Option<Arc<dyn WriteCheck>>,
    },
    Postgres(Pool<Postgres>, SharedCounts, Tenants, Option<Arc<dyn WriteCheck>>),
}

/// The counters that a handle shares with its clones.
type SharedCounts = Arc<Counts>;

/// A write transaction. Dropping it without [`Tx::commit`] rolls it back.
pub enum Tx {
    Sqlite(Transaction<'static, Sqlite>, SharedCounts, Changes),
    Postgres(PgTransaction),
}

/// A SQL statement with its arguments, and the database or transaction in which it will run.
#[must_use]
pub struct Sql<'e> {
    target: Target<'e>,
    text: Cow<'static, str>,
    args: Args,
    bound: usize,
    /// Whether PostgreSQL keeps the statement prepared, and may plan it once for all values.
    is_prepared: bool,
    /// The error that running the statement will return, because a value could not be encoded or a change not
    /// announced.
    failed: Option<sqlx::Error>,
}

enum Target<'e> {
    Db(&'e Db),
    Tx(&'e mut Tx),
}

enum Args {
    Sqlite(SqliteArguments),
    Postgres(PgArguments),
}

enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

/// Runs a statement on either driver and returns its rows, each converted as it arrives, and the number of rows it
/// changed.
macro_rules! fetch {
    ($executor:expr, $query:expr) => {
        fetch!($executor, $query, |row| Ok::<_, sqlx::Error>(row))
    };
    ($executor:expr, $query:expr, $convert:expr) => {{
        let (mut rows, mut changed, convert) = (Vec::new(), 0, $convert);
        let mut stream = $executor.fetch_many($query);
        while let Some(item) = stream.try_next().await? {
            match item {
                Either::Left(done) => changed += done.rows_affected(),
                Either::Right(row) => rows.push(convert(row)?),
            }
        }
        (rows, changed)
    }};
}

// These come after the macro `fetch`, which `run` and `transaction` use.
pub mod durability;
mod json;
mod listen;
pub mod load;
pub(crate) mod open;
pub mod pool;
mod run;
pub mod schema;
mod statement;
pub(crate) mod tenancy;
mod transaction;
mod writer;

pub use json::{from_json, to_json};
pub use listen::listen;
pub use statement::Connection;
pub use transaction::PgTransaction;

#[cfg(test)]
mod test_databases;

/// Creates a database for one test, as the migrations leave it; in `folder` if it is SQLite.
#[cfg(test)]
pub(crate) async fn test_database(folder: &std::path::Path) -> Db {
    Db::open(&test_databases::create_migrated(folder, |_| Vec::new()).await, 2).await.unwrap()
}

/// Updates the statistics by which queries are planned. On PostgreSQL this takes longer than the timeout of requests if
/// many tests run at once, so a connection of its own has none.
#[cfg(test)]
pub(crate) async fn update_statistics(db: &Db) {
    match db {
        Db::Sqlite { write, .. } => drop(sqlx::raw_sql("ANALYZE").execute(write).await.unwrap()),
        Db::Postgres(pool, ..) => {
            let mut connection = pool.driver().acquire().await.unwrap().detach();
            sqlx::raw_sql("SET statement_timeout = 0").execute(&mut connection).await.unwrap();
            sqlx::raw_sql("VACUUM ANALYZE").execute(&mut connection).await.unwrap();
        }
    }
}

impl Db {
    /// Returns a handle for one tenant: PostgreSQL shows only that tenant's rows and rejects writes of others in
    /// every statement (docs/decisions/0007-row-level-security.md). SQLite has no such filter.
    #[must_use]
    pub fn for_tenant(&self, corp: Uuid) -> Self {
        self.with_tenants(Tenants::One(corp))
    }

    /// Returns a handle that sees no tenant's rows, for statements that may run before the schema exists.
    #[must_use]
    pub(crate) fn catalog(&self) -> Self {
        self.with_tenants(Tenants::Unset)
    }

    /// Returns a handle for the rows of every tenant, on behalf of the same user, if any.
    #[must_use]
    pub fn all_tenants(&self) -> Self {
        self.with_tenants(Tenants::All)
    }

    fn with_tenants(&self, tenants: Tenants) -> Self {
        let tenant = tenants.one();
        let mut db = self.with_write_check(self.write_check().map(|write_check| write_check.for_tenant(tenant)));
        if let Db::Postgres(_, _, shown, _) = &mut db {
            *shown = tenants;
        }
        db
    }

    /// Returns a handle whose writes are on a user's behalf: every write first checks, in its own transaction, that the
    /// user still has the rights that the check requires. `None` returns a handle whose writes check no rights.
    #[must_use]
    pub(crate) fn with_write_check(&self, write_check: Option<Arc<dyn WriteCheck>>) -> Self {
        let mut db = self.clone();
        let (Db::Sqlite { write_check: own, .. } | Db::Postgres(.., own)) = &mut db;
        *own = write_check;
        db
    }

    /// Returns the check of the writes through this handle; `None` if they are not on a user's behalf.
    pub(crate) fn write_check(&self) -> Option<&Arc<dyn WriteCheck>> {
        let (Db::Sqlite { write_check, .. } | Db::Postgres(.., write_check)) = self;
        write_check.as_ref()
    }

    /// Starts a statement with the placeholders `$1`, `$2`, … or with those that [`Sql::arg`] appends.
    pub fn sql(&self, text: &'static str) -> Sql<'_> {
        self.counts().statements.fetch_add(1, Ordering::Relaxed);
        let args = self.pick(Args::Sqlite(SqliteArguments::default()), Args::Postgres(PgArguments::default()));
        Sql { target: Target::Db(self), text: text.into(), args, bound: 0, is_prepared: true, failed: None }
    }

    /// Begins a write transaction. It takes SQLite's write lock at once, so that a transaction that reads first can't
    /// fail as busy when it writes.
    ///
    /// # Errors
    /// The database is not available, or the user on whose behalf the handle writes has lost the right to write.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(self.begin_with_rights().await?.0)
    }

    /// As [`Db::begin`], without the statement timeout of requests: for work on many rows.
    pub async fn begin_job(&self) -> Result<Tx> {
        let mut tx = self.begin().await?;
        if let Tx::Postgres(tx) = &mut tx {
            tx.remove_statement_timeout().await?;
        }
        Ok(tx)
    }

    /// As [`Db::begin`], with the rights that the check found; `None` for a job and for a public route.
    pub(crate) async fn begin_with_rights(&self) -> Result<(Tx, Option<Box<dyn Any + Send>>)> {
        let write_check = self.write_check();
        let mut tx = match self {
            Db::Sqlite { write, counts, .. } => {
                let waiting = Waiting::new(counts);
                let tx = write.begin_with("BEGIN IMMEDIATE").await?;
                drop(waiting);
                Tx::Sqlite(tx, counts.clone(), Changes::default())
            }
            Db::Postgres(pool, counts, tenants, _) => {
                let connection = acquire(pool, counts).await?;
                let mut tx = PgTransaction::new(connection, *tenants, counts.clone(), STATEMENT_TIMEOUT);
                if write_check.is_none() {
                    tx.begin().await?;
                }
                Tx::Postgres(tx)
            }
        };
        let rights = match write_check {
            Some(write_check) => Some(write_check.check(&mut tx).await?),
            None => None,
        };
        Ok((tx, rights))
    }

    /// Returns `sqlite` or `postgres`, by the kind of this database, such as the part of a statement in its dialect.
    pub fn pick<T>(&self, sqlite: T, postgres: T) -> T {
        match self {
            Db::Sqlite { .. } => sqlite,
            Db::Postgres(..) => postgres,
        }
    }

    /// Returns how many statements were started through this handle and its clones.
    pub fn statements(&self) -> u64 {
        self.counts().statements.load(Ordering::Relaxed)
    }

    /// Returns the counters that this handle shares with its clones.
    pub fn counts(&self) -> &Counts {
        match self {
            Db::Sqlite { counts, .. } | Db::Postgres(_, counts, ..) => counts,
        }
    }

    /// Waits for running statements and closes every connection.
    pub async fn close(&self) {
        match self {
            Db::Sqlite { read, write, .. } => {
                read.close().await;
                write.close().await;
            }
            Db::Postgres(pool, ..) => pool.close().await,
        }
    }
}

/// Returns a connection to PostgreSQL, and adds the wait for it to the metrics.
async fn acquire(pool: &Pool<Postgres>, counts: &Counts) -> Result<pool::Pooled<Postgres>> {
    let started = Instant::now();
    let connection = pool.acquire().await?;
    counts.waits.observe(started.elapsed().as_secs_f64());
    Ok(connection)
}

/// Returns the error of a write after which the transaction of its group may be unusable. SQLite's writer then lets all
/// writes of the group fail.
fn group_is_lost() -> sqlx::Error {
    sqlx::Error::WorkerCrashed
}

fn arguments_of_other_database() -> sqlx::Error {
    sqlx::Error::Protocol("arguments for the other database".into())
}

/// Returns the message of an error in one line, without the driver's additions.
pub fn database_message(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(e) => one_line(e.message()),
        sqlx::Error::Io(e) => one_line(&e.to_string()),
        error => one_line(&error.to_string()),
    }
}

/// Returns true if the error is a violation of this unique index. `sqlite` names its columns (`users.email`),
/// `postgres` the index.
pub fn is_unique_violation(error: &sqlx::Error, sqlite: &str, postgres: &str) -> bool {
    error
        .as_database_error()
        .is_some_and(|e| e.is_unique_violation() && (e.constraint() == Some(postgres) || e.message().contains(sqlite)))
}
