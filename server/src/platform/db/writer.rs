//! SQLite's writer: a task that collects the single writes of all requests and commits them in groups.

use super::{Changes, Db, Result, SharedCounts, Tx, Waiting, WriteCheck, arguments_of_other_database, group_is_lost};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use sqlx::SqlitePool;
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// The largest number of writes in one commit.
const MAX_GROUP: usize = 256;

/// A function with the statements of one write, which runs in the transaction of the write's group and returns its
/// result.
pub type Work = Box<dyn for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<Outcome>> + Send>;
pub type Outcome = Box<dyn Any + Send>;

/// A write that waits for the next group commit.
pub struct QueuedWrite {
    pub(super) work: Work,
    /// Whether the work consists of several statements, which must be undone together if one fails.
    pub(super) is_long: bool,
    /// Checks the rights of the user on whose behalf the write is; `None` if it is not on a user's behalf.
    pub(super) write_check: Option<Arc<dyn WriteCheck>>,
    pub(super) reply: oneshot::Sender<Result<Outcome>>,
    pub(super) since: Instant,
    pub(super) waiting: Waiting,
}

impl Db {
    /// Runs `work` in a transaction and commits it. On SQLite the transaction is shared with other writes (a group
    /// commit), so the work must be short.
    ///
    /// # Errors
    /// As [`Db::begin`], and the error of the work, which is undone in that case.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    ) -> Result<T> {
        if let Db::Postgres(..) = self {
            let mut tx = self.begin().await?;
            let done = work(&mut tx).await?;
            tx.commit().await?;
            return Ok(done);
        }
        let boxed: Work = Box::new(|tx| {
            let done = work(tx);
            Box::pin(async move { Ok(Box::new(done.await?) as Outcome) })
        });
        let done = self.enqueue(boxed, true).await?.downcast::<T>();
        done.map(|done| *done).map_err(|_| sqlx::Error::WorkerCrashed)
    }

    /// Queues a write for SQLite's writer, and waits until it is committed.
    pub(super) async fn enqueue(&self, work: Work, is_long: bool) -> Result<Outcome> {
        let Db::Sqlite { queue, counts, write_check, .. } = self else { return Err(arguments_of_other_database()) };
        let (reply, result) = oneshot::channel();
        let (write_check, waiting) = (write_check.clone(), Waiting::new(counts));
        queue
            .try_send(QueuedWrite { work, is_long, write_check, reply, since: Instant::now(), waiting })
            .map_err(|_| sqlx::Error::PoolTimedOut)?;
        result.await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }
}

/// Commits writes in groups. Each group consists of the writes that arrived while the previous one was committed, up to
/// [`MAX_GROUP`].
pub(super) async fn commit_in_groups(write: SqlitePool, mut jobs: mpsc::Receiver<QueuedWrite>, counts: SharedCounts) {
    let mut group = Vec::new();
    while jobs.recv_many(&mut group, MAX_GROUP).await > 0 {
        let mut results = Vec::with_capacity(group.len());
        let mut writes = std::mem::take(&mut group).into_iter();
        let done = async {
            let mut tx = Tx::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?, counts.clone(), Changes::default());
            for QueuedWrite { work, is_long, write_check, reply, since, waiting } in writes.by_ref() {
                counts.waits.observe(since.elapsed().as_secs_f64());
                drop(waiting);
                // A failed statement, as with a violated constraint, rolls back only itself. If the disk failed, SQLite
                // may have rolled back the whole transaction, and later writes of the group would each be committed
                // alone.
                let result = async {
                    if let Some(write_check) = write_check {
                        write_check.check(&mut tx).await?;
                    }
                    // Work that panics must not end the writer.
                    let done = async { if is_long { tx.undo_if_failed(work).await } else { work(&mut tx).await } };
                    AssertUnwindSafe(done).catch_unwind().await.unwrap_or_else(|_| Err(group_is_lost()))
                }
                .await;
                let fault =
                    result.as_ref().err().filter(|error| rolls_back_transaction(error)).map(ToString::to_string);
                results.push((reply, result));
                if let Some(fault) = fault {
                    return Err(sqlx::Error::Io(std::io::Error::other(fault)));
                }
            }
            tx.commit().await
        }
        .await
        .map_err(Arc::new);
        let not_run = writes.map(|write| (write.reply, Err(group_is_lost())));
        for (reply, result) in results.into_iter().chain(not_run) {
            let result = match &done {
                Ok(()) => result,
                Err(error) => Err(sqlx::Error::Io(std::io::Error::other(format!("group commit: {error}")))),
            };
            let _ = reply.send(result);
        }
    }
}

/// Returns true for errors after which SQLite may have rolled back the whole transaction by itself (out of memory, I/O
/// error, disk full), and for the error of a write that could not be undone.
fn rolls_back_transaction(error: &sqlx::Error) -> bool {
    if let sqlx::Error::WorkerCrashed = error {
        return true;
    }
    let code = error.as_database_error().and_then(|e| e.code()).and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xFF, 7 | 10 | 13))
}

#[cfg(test)]
mod tests {
    use crate::platform::db::{Result, test_database};

    #[tokio::test]
    async fn undoes_only_the_failed_writes_of_a_group() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        db.sql("CREATE TABLE numbers (n INTEGER PRIMARY KEY)").exec().await.unwrap();
        // Each write adds two rows. If `n` is even, both rows are the same, so the second one violates the primary key.
        let write = |n: i64| {
            let second = if n % 2 == 0 { n } else { n + 100 };
            db.write(move |tx| {
                Box::pin(async move {
                    tx.sql("INSERT INTO numbers VALUES ($1)").bind(n).exec().await?;
                    tx.sql("INSERT INTO numbers VALUES ($1)").bind(second).exec().await
                })
            })
        };
        let results: Vec<Result<u64>> = futures_util::future::join_all((0..8).map(write)).await;
        for (n, result) in results.iter().enumerate() {
            assert_eq!(result.is_ok(), n % 2 == 1, "{n}");
        }
        let rows: Vec<(i64,)> = db.sql("SELECT CAST(n AS BIGINT) FROM numbers ORDER BY n").all().await.unwrap();
        assert_eq!(rows.into_iter().map(|(n,)| n).collect::<Vec<_>>(), [1, 3, 5, 7, 101, 103, 105, 107]);
        db.close().await;
    }
}
