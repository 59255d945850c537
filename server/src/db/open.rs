//! The connections: how they are opened, how long is waited for them, and which of them are used again.

use super::tenancy::Tenants;
use super::{Db, Result, writer};
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long a call waits for a connection before it is refused.
const ACQUIRE: Duration = Duration::from_secs(3);
/// How long a write waits for SQLite's writer, which may be busy with an import's batch: that is not a fault yet.
const TURN: Duration = Duration::from_secs(8);
/// How many single writes may wait for SQLite's writer; beyond it a write is refused at once.
const QUEUE: usize = 1024;
/// How long a connection has to show that it lives, once one has stood still.
const SHOWN: Duration = Duration::from_secs(2);

/// What a handle and its clones have seen so far.
#[derive(Clone, Default)]
pub struct Seen {
    /// How many statements were asked for.
    pub(super) statements: Arc<AtomicU64>,
    /// Has PostgreSQL ever left a statement without an answer?
    silence: Arc<AtomicBool>,
}

impl Db {
    /// Opens `sqlite:PATH` (made when missing) or `postgres://…`, with at most `pool` connections for reading.
    ///
    /// # Errors
    /// The database can't be reached, or its file can't be opened.
    pub async fn open(url: &str, pool: u32) -> Result<Self> {
        if url.starts_with("sqlite:") { sqlite(url, pool).await } else { postgres(url, pool).await }
    }
}

async fn sqlite(url: &str, pool: u32) -> Result<Db> {
    let options = url
        .parse::<SqliteConnectOptions>()?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .foreign_keys(true)
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory");
    let connections =
        |n| SqlitePoolOptions::new().max_connections(n).test_before_acquire(false).acquire_timeout(ACQUIRE);
    let write = connections(1)
        .acquire_timeout(TURN)
        // A full disk makes SQLite undo a transaction by itself. The driver still believes in it, and would let nobody
        // begin another: such a connection is replaced.
        .after_release(|connection, _| {
            Box::pin(async move {
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
        .connect_with(options.clone().optimize_on_close(true, 1000))
        .await?;
    let read = connections(pool).connect_with(options.pragma("query_only", "1")).await?;
    let (queue, jobs) = mpsc::channel(QUEUE);
    tokio::spawn(writer::commit_in_groups(write.clone(), jobs));
    Ok(Db::Sqlite { read, write, queue, seen: Seen::default() })
}

async fn postgres(url: &str, pool: u32) -> Result<Db> {
    let options = url.parse::<PgConnectOptions>()?.options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "60s"),
        // Not the notice, at every start, that the migrations' own table is there already.
        ("client_min_messages", "warning"),
    ]);
    let seen = Seen::default();
    let also = seen.clone();
    let pool = PgPoolOptions::new()
        .max_connections(pool)
        .acquire_timeout(ACQUIRE)
        // One that stands still would keep its place until the network gives it up, which takes a quarter of an hour.
        .after_release(move |connection, _| {
            let silence = also.silence.load(Ordering::Relaxed);
            Box::pin(async move {
                if silence {
                    timeout(SHOWN, connection.ping()).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
                }
                Ok(true)
            })
        })
        .connect_with(options)
        .await?;
    Ok(Db::Postgres(pool, seen, Tenants::All))
}

/// What PostgreSQL answers, if it does so in time. What it makes of the statement later nobody is told.
pub(super) async fn within<T>(patience: Duration, seen: &Seen, answer: impl Future<Output = Result<T>>) -> Result<T> {
    match timeout(patience, answer).await {
        Ok(answer) => answer,
        Err(_) => {
            seen.silence.store(true, Ordering::Relaxed);
            Err(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "the database does not answer")))
        }
    }
}
