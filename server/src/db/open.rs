//! Opening a database, with all that makes what it acknowledges last.

use super::tenancy::Tenants;
use super::{Asked, Db, Result, writer};
use log::LevelFilter;
use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long a call waits for a connection before it is refused.
const ACQUIRE: Duration = Duration::from_secs(3);
/// How many single writes may wait for SQLite's writer; beyond it a write is refused at once.
pub(super) const QUEUE: usize = 1024;

impl Db {
    /// Opens `sqlite:PATH` (made when missing) or `postgres://…`, with at most `pool` connections for reading.
    ///
    /// # Errors
    /// The database can't be reached, or its file can't be opened.
    pub async fn open(url: &str, pool: u32) -> Result<Self> {
        if !url.starts_with("sqlite:") {
            let options: PgConnectOptions = url.parse()?;
            let options = quiet(options).options([
                ("statement_timeout", "30s"),
                ("lock_timeout", "5s"),
                ("idle_in_transaction_session_timeout", "60s"),
                // Not the notice, at every start, that the migrations' own table is there already.
                ("client_min_messages", "warning"),
            ]);
            let pools = PgPoolOptions::new().max_connections(pool).acquire_timeout(ACQUIRE);
            // Whatever the server's default is: what is answered as done is on its disk.
            let pools = pools.after_connect(|connection, _| {
                Box::pin(async move {
                    let on = "SELECT set_config('synchronous_commit', 'on', false) \
                              WHERE current_setting('synchronous_commit') = 'off'";
                    sqlx::query(on).execute(connection).await.map(|_| ())
                })
            });
            return Ok(Db::Postgres(pools.connect_with(options).await?, Asked::default(), Tenants::All));
        }
        let options = quiet(url.parse::<SqliteConnectOptions>()?)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5))
            .foreign_keys(true)
            .pragma("cache_size", "-16000")
            .pragma("temp_store", "memory");
        let connections =
            |n| SqlitePoolOptions::new().max_connections(n).test_before_acquire(false).acquire_timeout(ACQUIRE);
        // The writer may be busy with an import's batch: waiting for it is not a fault yet.
        let write = connections(1)
            .acquire_timeout(Duration::from_secs(20))
            .connect_with(options.clone().optimize_on_close(true, 1000))
            .await?;
        let read = connections(pool).connect_with(options.pragma("query_only", "1")).await?;
        let (queue, jobs) = mpsc::channel(QUEUE);
        let asked = Asked::default();
        tokio::spawn(writer::commit_in_groups(write.clone(), jobs, asked.clone()));
        Ok(Db::Sqlite { read, write, queue, asked })
    }
}

/// [`super::Sql`] logs slow statements; the driver would log them whole. For the driver none is slow: what it takes for
/// slow it leaves out of the most talkative log too.
fn quiet<O: ConnectOptions>(options: O) -> O {
    options.log_slow_statements(LevelFilter::Off, Duration::MAX)
}

/// The file of a database on SQLite; none for one in memory, and on PostgreSQL.
pub fn file(url: &str) -> Option<PathBuf> {
    let options: SqliteConnectOptions = url.starts_with("sqlite:").then(|| url.parse().ok())??;
    // One in memory has a name of the driver's own.
    (!url.contains(":memory:") && !url.contains("mode=memory")).then(|| options.get_filename().to_owned())
}
