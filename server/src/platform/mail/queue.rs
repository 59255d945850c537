//! Storage of the mail queue, in the table `messages`: mail that waits to be sent, mail that was sent or failed
//! (without its content), and mail that was written to the folder `outbox` because no mail server is configured.
//!
//! **Invariant:** two nodes never send the same mail at the same time. A claim is one statement, which hides the row
//! from other nodes for longer than an attempt can last; only the node that claimed it records the outcome.

use super::send::Outcome;
use super::{Mail, MailMessage};
use crate::platform::clock::{DAY, MINUTE};
use crate::platform::db::{self, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::jobs::retry_delay;
use crate::platform::state::Platform;
use uuid::Uuid;

/// The largest number of mails that a node claims at once, and sends in parallel.
pub(super) const BATCH: usize = 8;
/// How long a claimed row is hidden from other nodes, in microseconds. Longer than [`super::send::ATTEMPT_TIMEOUT`].
const LEASE: i64 = 2 * MINUTE;
/// Retention of the record of a delivered or failed mail, in microseconds. Its content is deleted at once.
const RETENTION: i64 = 30 * DAY;
/// Maximum number of mails that [`outbox`] returns.
const MAX_SHOWN: i64 = 100;

/// A mail that this node has claimed for its next attempt.
#[derive(sqlx_macros::FromRow)]
pub(super) struct Claimed {
    pub corp_id: Uuid,
    pub message_id: Uuid,
    pub sealed: Vec<u8>,
    pub attempts: i32,
    pub expires_at: i64,
    pub created_at: i64,
    pub last_error: Option<String>,
}

impl Mail {
    /// Queues a mail in the given transaction. Call [`Mail::wake`] once it is committed. The mail is dropped if it
    /// can't be delivered before `expires_at`. A mail with a topic replaces queued mails with the same topic, so that
    /// an outage of the mail server does not end in a batch of codes that are no longer valid.
    ///
    /// # Errors
    /// The database is not available.
    pub async fn queue(
        &self,
        app: &Platform,
        tx: &mut Tx,
        corp: Uuid,
        message: &MailMessage,
        topic: Option<Vec<u8>>,
        expires_at: i64,
    ) -> ApiResult<()> {
        let plain = serde_json::to_vec(message).map_err(ApiError::internal)?;
        if let Some(topic) = &topic {
            // If an attempt to deliver the older mail is in progress, it can't be stopped.
            tx.sql("DELETE FROM messages WHERE corp_id = $1 AND topic = $2 AND status = 'queued'")
                .bind(corp)
                .bind(topic.clone())
                .exec()
                .await?;
        }
        tx.sql(
            "INSERT INTO messages (corp_id, message_id, sealed, topic, status, due_at, expires_at, created_at) \
             VALUES ($1, $2, $3, $4, 'queued', $5, $6, $5)",
        )
        .bind(corp)
        .bind(Uuid::now_v7())
        .bind(app.keys.encrypt(&plain)?)
        .bind(topic)
        .bind(app.clock.now())
        .bind(expires_at)
        .exec()
        .await?;
        Ok(())
    }
}

/// Claims up to [`BATCH`] due mails.
pub(super) async fn claim(app: &Platform) -> db::Result<Vec<Claimed>> {
    let now = app.clock.now();
    app.db
        .sql(
            // Materialized: PostgreSQL may otherwise evaluate the subquery once per row, and lock other rows each time.
            "WITH due AS MATERIALIZED (SELECT corp_id, message_id FROM messages \
             WHERE status = 'queued' AND due_at <= $2 ORDER BY due_at, message_id LIMIT $3",
        )
        .push(app.db.pick(")", " FOR UPDATE SKIP LOCKED)"))
        .push(
            " UPDATE messages SET attempts = attempts + 1, due_at = $1 \
             WHERE status = 'queued' AND due_at <= $2 AND (corp_id, message_id) IN \
             (SELECT corp_id, message_id FROM due) RETURNING corp_id, message_id, sealed, attempts, expires_at, created_at, last_error",
        )
        .bind(now + LEASE)
        .bind(now)
        .bind(BATCH as i64)
        .all()
        .await
}

/// Records the outcome of an attempt to deliver a mail, unless another node has claimed the mail since. Deletes the
/// content of a mail that was sent, or can never be delivered. A mail in the outbox keeps its content.
pub(super) async fn finish(app: &Platform, row: &Claimed, outcome: Outcome) -> db::Result<()> {
    let (status, error) = match outcome {
        Outcome::Sent => ("sent", None),
        Outcome::Kept(_) => ("kept", None),
        Outcome::Failed(reason) => ("failed", Some(reason)),
        Outcome::Retry(reason) => ("queued", Some(reason)),
    };
    let sealed = if matches!(status, "kept" | "queued") { row.sealed.clone() } else { Vec::new() };
    app.db
        .sql(
            "UPDATE messages SET status = $1, due_at = $2, last_error = $3, sealed = $4 \
             WHERE corp_id = $5 AND message_id = $6 AND status = 'queued' AND attempts = $7",
        )
        .bind(status)
        .bind(app.clock.now() + retry_delay(row.attempts))
        .bind(error)
        .bind(sealed)
        .bind(row.corp_id)
        .bind(row.message_id)
        .bind(row.attempts)
        .exec()
        .await?;
    Ok(())
}

/// Returns the newest mails of the outbox, at most [`MAX_SHOWN`], newest first.
///
/// # Errors
/// The database is not available.
pub async fn outbox(app: &Platform) -> db::Result<Vec<MailMessage>> {
    let mails: Vec<Vec<u8>> = app
        .db
        .sql("SELECT sealed FROM messages WHERE status = 'kept' ORDER BY message_id DESC LIMIT $1")
        .bind(MAX_SHOWN)
        .values()
        .await?;
    Ok(mails.iter().filter_map(|sealed| serde_json::from_slice(&app.keys.decrypt(sealed)?).ok()).collect())
}

/// Deletes the records of mails that were sent or failed long ago.
///
/// # Errors
/// The database is not available.
pub async fn sweep(app: &Platform) -> db::Result<()> {
    app.db
        .sql("DELETE FROM messages WHERE status IN ('sent', 'failed') AND created_at <= $1")
        .bind(app.clock.now() - RETENTION)
        .exec()
        .await?;
    Ok(())
}
