//! SQLite's one writer: single writes queue up for it and share a commit.

use super::{Args, Asked, Result, Rows, Tx, Waiting, WriteGuard};
use sqlx::SqlitePool;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// The most writes that share one commit.
const GROUP: usize = 256;

/// A single write, waiting for the next group commit.
pub struct Job {
    pub(super) text: Cow<'static, str>,
    pub(super) args: Args,
    /// What is required of the user on whose behalf it is.
    pub(super) guard: Option<Arc<dyn WriteGuard>>,
    pub(super) reply: oneshot::Sender<Result<(Rows, u64)>>,
    pub(super) since: Instant,
    pub(super) waiting: Waiting,
}

/// Whatever has queued up while the last group was being committed is the next group.
pub(super) async fn commit_in_groups(write: SqlitePool, mut jobs: mpsc::Receiver<Job>, asked: Asked) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        let mut answers = Vec::with_capacity(group.len());
        let done = async {
            let mut tx = Tx::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?, asked.clone());
            for Job { text, args, guard, reply, since, waiting } in group.drain(..) {
                asked.waits.observe(since.elapsed().as_secs_f64());
                drop(waiting);
                // A failed statement (a broken constraint) undoes itself alone and leaves the transaction usable, unless
                // the disk has failed it: then the writes that follow would each be on their own.
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
        // What never reached the database is dropped, which its callers see as a refusal.
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

/// Faults at which SQLite may undo the whole transaction by itself: no memory, a failing or a full disk.
fn undoes_all(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|e| e.code()).and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xFF, 7 | 10 | 13))
}
