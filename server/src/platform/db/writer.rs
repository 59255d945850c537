//! SQLite's single writer: it collects single writes and commits them in groups.

use super::{Args, Result, Rows, SharedCounts, Tx, Waiting, WriteGuard};
use sqlx::SqlitePool;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// The largest number of writes in one commit.
const MAX_GROUP: usize = 256;

/// A single write that waits for the next group commit.
pub struct QueuedWrite {
    pub(super) text: Cow<'static, str>,
    pub(super) args: Args,
    /// Checks the rights of the user on whose behalf the write is, if there is one.
    pub(super) guard: Option<Arc<dyn WriteGuard>>,
    pub(super) reply: oneshot::Sender<Result<(Rows, u64)>>,
    pub(super) since: Instant,
    pub(super) waiting: Waiting,
}

/// Commits writes in groups. Each group consists of the writes that arrived while the previous one was committed, up to
/// [`MAX_GROUP`].
pub(super) async fn commit_in_groups(write: SqlitePool, mut jobs: mpsc::Receiver<QueuedWrite>, counts: SharedCounts) {
    let mut group = Vec::with_capacity(MAX_GROUP);
    while jobs.recv_many(&mut group, MAX_GROUP).await > 0 {
        let mut results = Vec::with_capacity(group.len());
        let done = async {
            let mut tx = Tx::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?, counts.clone());
            for QueuedWrite { text, args, guard, reply, since, waiting } in group.drain(..) {
                counts.waits.observe(since.elapsed().as_secs_f64());
                drop(waiting);
                // A failed statement, as with a broken constraint, rolls back only itself. If the disk failed, SQLite
                // may have rolled back the transaction, and later writes would each be committed alone.
                let result = async {
                    if let Some(guard) = guard {
                        guard.check(&mut tx).await?;
                    }
                    tx.fetch(text, args).await
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
        // Dropping the remaining jobs returns an error to their callers.
        group.clear();
        for (reply, result) in results {
            let result = match &done {
                Ok(()) => result,
                Err(error) => Err(sqlx::Error::Io(std::io::Error::other(format!("group commit: {error}")))),
            };
            let _ = reply.send(result);
        }
    }
}

/// Errors after which SQLite may roll back the whole transaction by itself: out of memory, I/O error, disk full.
fn rolls_back_transaction(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|e| e.code()).and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xFF, 7 | 10 | 13))
}
