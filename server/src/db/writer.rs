//! SQLite's one writer: single writes queue up for it and share a commit.

use super::{Answer, Asked};
use futures_util::TryStreamExt;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Either, Executor, SqlitePool};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// The most writes that share one commit.
const GROUP: usize = 256;

/// A single write, waiting for the next group commit.
pub struct Job {
    pub(super) text: Cow<'static, str>,
    pub(super) args: SqliteArguments,
    pub(super) reply: oneshot::Sender<Answer<SqliteRow>>,
    pub(super) since: Instant,
}

/// Whatever has queued up while the last group was being committed is the next group.
pub(super) async fn commit_in_groups(write: SqlitePool, mut jobs: mpsc::Receiver<Job>, asked: Asked) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        let mut answers = Vec::with_capacity(group.len());
        let done = async {
            let mut tx = write.begin_with("BEGIN IMMEDIATE").await?;
            for Job { text, args, reply, since } in group.drain(..) {
                asked.waits.observe(since.elapsed().as_secs_f64());
                // A failed statement (a broken constraint) undoes itself alone and leaves the transaction usable, unless
                // the disk has failed it: then the writes that follow would each be on their own.
                let answer: Answer<SqliteRow> = async { Ok(fetch!(tx, text, args)) }.await;
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
