//! SQLite's single writer: it collects single writes and commits them in groups.

use super::{Args, Asked, Result, Rows, Tx, Waiting, WriteGuard};
use sqlx::SqlitePool;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// The largest number of writes in one commit.
const GROUP: usize = 256;

/// A single write that waits for the next group commit.
pub struct Job {
    pub(super) text: Cow<'static, str>,
    pub(super) args: Args,
    /// Checks the rights of the user on whose behalf the write is, if there is one.
    pub(super) guard: Option<Arc<dyn WriteGuard>>,
    pub(super) reply: oneshot::Sender<Result<(Rows, u64)>>,
    pub(super) since: Instant,
    pub(super) waiting: Waiting,
}

/// Commits writes in groups. Each group consists of the writes that arrived while the previous one was committed.
pub(super) async fn commit_in_groups(write: SqlitePool, mut jobs: mpsc::Receiver<Job>, asked: Asked) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        let mut answers = Vec::with_capacity(group.len());
        let done = async {
            let mut tx = Tx::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?, asked.clone());
            for Job { text, args, guard, reply, since, waiting } in group.drain(..) {
                asked.waits.observe(since.elapsed().as_secs_f64());
                drop(waiting);
                // A failed statement, as with a broken constraint, rolls back only itself. If the disk failed, SQLite
                // may have rolled back the transaction, and later writes would each be committed alone.
                let answer = async {
                    if let Some(guard) = guard {
                        guard.check(&mut tx, String::new()).await?;
                    }
                    tx.fetch(text, args).await
                }
                .await;
                let fault = answer.as_ref().err().filter(|error| undoes_all(error)).map(ToString::to_string);
                answers.push((reply, answer));
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
        for (reply, answer) in answers {
            let answer = match &done {
                Ok(()) => answer,
                Err(error) => Err(sqlx::Error::Io(std::io::Error::other(format!("group commit: {error}")))),
            };
            let _ = reply.send(answer);
        }
    }
}

/// Errors after which SQLite may roll back the whole transaction by itself: out of memory, I/O error, disk full.
fn undoes_all(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|e| e.code()).and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xFF, 7 | 10 | 13))
}
