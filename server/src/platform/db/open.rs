//! Opens a database, with the settings that make acknowledged writes durable.

use super::tenancy::Tenants;
use super::{Db, Pool, Result, SharedCounts, writer};
use log::LevelFilter;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long a request waits for a database connection before it fails.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a write waits for SQLite's writer, which may be busy with a batch of an import.
const WRITER_TIMEOUT: Duration = Duration::from_secs(8);
/// How many single writes may wait for SQLite's writer. Beyond it, a write fails at once.
pub(super) const MAX_QUEUED_WRITES: usize = 1024;
/// SQLite's error code for a database that can only be read.
const SQLITE_READONLY: u32 = 8;
/// Timeout of the ping that checks a connection.
pub(super) const PING_TIMEOUT: Duration = Duration::from_secs(2);

impl Db {
    /// Opens `sqlite:PATH` (created if missing) or `postgres://…`, with at most `pool` connections. SQLite has
    /// one more, for writing.
    pub async fn open(url: &str, pool: u32) -> Result<Self> {
        if url.starts_with("sqlite:") { sqlite(url, pool).await } else { postgres(url, pool).await }
    }
}

async fn sqlite(url: &str, pool: u32) -> Result<Db> {
    let options = without_driver_log(url.parse::<SqliteConnectOptions>()?)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .foreign_keys(true)
        // SQLite overwrites deleted and replaced content in the file with zeros.
        .pragma("secure_delete", "1")
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory");
    let connections =
        |n| SqlitePoolOptions::new().max_connections(n).test_before_acquire(false).acquire_timeout(ACQUIRE_TIMEOUT);
    let write = connections(1)
        .acquire_timeout(WRITER_TIMEOUT)
        // On a full disk SQLite rolls back the transaction by itself. The driver does not notice this, and would reject
        // the connection's next transaction, so the connection is replaced.
        .after_release(|connection, _| {
            Box::pin(async move {
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
        .connect_with(options.clone().optimize_on_close(true, 1000))
        .await?;
    let read = connections(pool).connect_with(options.pragma("query_only", "1")).await?;
    let (queue, jobs) = mpsc::channel(MAX_QUEUED_WRITES);
    let counts = SharedCounts::default();
    tokio::spawn(writer::commit_in_groups(write.clone(), jobs, counts.clone()));
    Ok(Db::Sqlite { read: Pool::new(read), write, queue, counts, write_check: None })
}

async fn postgres(url: &str, pool: u32) -> Result<Db> {
    let options = without_driver_log(url.parse::<PgConnectOptions>()?).options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "60s"),
        // The default, 4, is for hard disks. With it, whole tables are read to count what an index could count.
        ("random_page_cost", "1.1"),
        // Below this size, starting parallel workers takes longer than what they save.
        ("min_parallel_table_scan_size", "128MB"),
        ("min_parallel_index_scan_size", "128MB"),
        // Suppresses the notice at every start that the migrations table exists.
        ("client_min_messages", "warning"),
    ]);
    let counts = SharedCounts::default();
    let shared = counts.clone();
    let mut opened = PgPoolOptions::new()
        .max_connections(pool)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // Regardless of PostgreSQL's default, it must acknowledge a write only when the write is on its disk.
        .after_connect(|connection, _| {
            Box::pin(async move {
                let on = "SELECT set_config('synchronous_commit', 'on', false) \
                          WHERE current_setting('synchronous_commit') = 'off'";
                sqlx::query(on).execute(connection).await.map(|_| ())
            })
        })
        // Closes a connection that hangs: it would occupy its slot until TCP gives up, which takes a quarter of an
        // hour.
        .after_release(move |connection, _| {
            let has_timed_out = shared.has_timed_out.load(Ordering::Relaxed);
            Box::pin(async move {
                if has_timed_out {
                    timeout(PING_TIMEOUT, connection.ping()).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
                }
                Ok(true)
            })
        })
        .connect_with(options.clone())
        .await;
    if let Err(sqlx::Error::PoolTimedOut) = opened {
        // The pool retries a refused connection until its timeout, and its error does not say why it was refused.
        opened = with_timeout(PING_TIMEOUT, &counts, options.connect()).await.and(Err(sqlx::Error::PoolTimedOut));
    }
    let pool = opened.map_err(|error| add_address(error, &options))?;
    Ok(Db::Postgres(Pool::new(pool), counts, Tenants::All, None))
}

/// Returns an error message if SQLite can only read the database's file, which it opens without an error; `None` if it
/// can write, and on PostgreSQL. Undoes what it writes.
pub async fn read_only_error(db: &Db) -> Option<String> {
    let Db::Sqlite { write, .. } = db else { return None };
    let attempt = async {
        let mut tx = write.begin_with("BEGIN IMMEDIATE").await?;
        // On a file that can only be read, BEGIN succeeds.
        sqlx::query("PRAGMA user_version = 0").execute(&mut *tx).await?;
        tx.rollback().await
    };
    let error = attempt.await.err()?;
    let code = error.as_database_error()?.code()?.parse::<u32>().ok()?;
    // Any other error is not about the file: another process may be writing.
    (code & 0xFF == SQLITE_READONLY)
        .then(|| "its file can only be read: check its owner, its permissions, and how its disk is mounted".into())
}

/// Returns the result of the query, or an error if it takes longer than the time limit. A statement that ends later may
/// still have been executed.
pub(super) async fn with_timeout<T>(
    time_limit: Duration,
    counts: &SharedCounts,
    query: impl Future<Output = Result<T>>,
) -> Result<T> {
    match timeout(time_limit, query).await {
        Ok(result) => result,
        Err(_) => {
            counts.has_timed_out.store(true, Ordering::Relaxed);
            Err(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "the database does not respond")))
        }
    }
}

/// Adds the server's address to a network error.
fn add_address(error: sqlx::Error, options: &PgConnectOptions) -> sqlx::Error {
    match error {
        sqlx::Error::Io(e) => {
            let address = match options.get_socket() {
                Some(folder) => folder.display().to_string(),
                None => format!("{}:{}", options.get_host(), options.get_port()),
            };
            std::io::Error::new(e.kind(), format!("{e}: is PostgreSQL running at {address}?")).into()
        }
        error => error,
    }
}

/// Turns off the driver's log of slow statements, which contains their whole text; [`super::Sql`] logs them instead.
/// The threshold is raised too, because the driver omits what it considers slow from its debug log of all statements.
fn without_driver_log<O: ConnectOptions>(options: O) -> O {
    options.log_slow_statements(LevelFilter::Off, Duration::MAX)
}

/// Returns the file of the SQLite database with this URL; `None` if it is in memory, or if the URL is PostgreSQL's.
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options: SqliteConnectOptions = url.starts_with("sqlite:").then(|| url.parse().ok())??;
    // The driver gives a database in memory a file name of its own.
    (!url.contains(":memory:") && !url.contains("mode=memory")).then(|| options.get_filename().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn deleted_data_is_overwritten_in_the_database_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file.sqlite3");
        let db = Db::open(&format!("sqlite:{}", file.display()), 1).await.unwrap();
        let Db::Sqlite { write, .. } = &db else { panic!("it is SQLite") };
        let run = |statements: &'static str| sqlx::raw_sql(statements).execute(write);
        let has_word = || std::fs::read(&file).unwrap().windows(7).any(|bytes| bytes == b"zyaltok");
        // One text is short, so its row shares a page with others. The other one fills several pages.
        run("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)").await.unwrap();
        run("INSERT INTO texts VALUES (1, 'zyaltok'), (2, ''), (3, hex(zeroblob(9000)) || 'zyaltok')").await.unwrap();
        run("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
        assert!(has_word());
        run("UPDATE texts SET text = 'a' WHERE id = 1").await.unwrap();
        run("DELETE FROM texts WHERE id = 3").await.unwrap();
        run("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
        assert!(!has_word());
        db.close().await;
    }
}
