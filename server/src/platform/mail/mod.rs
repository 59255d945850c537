//! Mail: a persistent queue, which a job delivers; no request sends mail itself. The job sends to the mail server, or
//! writes into the outbox folder if none is configured. Queued messages are encrypted, since they may contain a code.

mod message;
mod queue;
mod send;
mod sender;

pub use message::MailMessage;
pub use sender::Mail;

use crate::platform::Failure;
use crate::platform::clock::Clock;
use crate::platform::config::PlatformConfig;
use crate::platform::db::{self, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::state::Platform;
use forecourt_core::auth::mail::test_mail;
use send::Way;
use std::time::Duration;
use uuid::Uuid;

/// Poll interval of the queue, for retries and for mails that another node queued.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

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
            queue::withdraw(tx, corp, topic).await?;
        }
        let ciphertext = app.keys.encrypt(&plain)?;
        Ok(queue::insert(tx, corp, ciphertext, topic, app.clock.now(), expires_at).await?)
    }
}

/// Returns the topic of mails for one purpose to one user, as a keyed hash that reveals neither.
pub fn topic(app: &Platform, purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
    let parts: Vec<&[u8]> = std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()).collect();
    app.keys.mac("mail topic", &parts)
}

/// Sends a test mail at once, without the queue, and returns a sentence that describes the outcome.
///
/// # Errors
/// One line: the mail server's error, or why it was not reached.
pub async fn send_test(config: &PlatformConfig, to: &str) -> Result<String, Failure> {
    let way = Way::new(config)?;
    let message = MailMessage::new(to, "", test_mail(&config.brand));
    let id = Uuid::now_v7();
    let mail = way.compose(&message, id, Clock::System.now()).map_err(|e| format!("{to}: {e}"))?;
    match way.deliver(&mail, id).await {
        Ok(send::Done::Sent) => Ok(format!("The mail server accepted a mail to {to}.")),
        Ok(send::Done::Kept(path)) => {
            Ok(format!("FORECOURT_SMTP_URL is not set, so the mail was written to {}.", path.display()))
        }
        Err(send::Trouble { reason, .. }) => Err(format!("can't send the mail to {to}: {reason}")),
    }
}

/// Connects to the mail server without sending a mail.
///
/// # Errors
/// One line: the mail server's error, or why it was not reached.
pub async fn check_connection(config: &PlatformConfig) -> Result<(), Failure> {
    Way::new(config)?.reach().await
}

/// Background job: delivers due mails forever.
pub async fn worker(app: Platform) {
    loop {
        match deliver_due(&app).await {
            // The batch was full, so there may be more.
            Ok(queue::BATCH) => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "the mail queue can't be read"),
        }
        tokio::select! {
            () = app.mail.wake.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Claims a batch of due mails, delivers it, and returns its size.
///
/// # Errors
/// The database is not available.
pub async fn deliver_due(app: &Platform) -> db::Result<usize> {
    let claimed = queue::claim(app).await?;
    let count = claimed.len();
    futures_util::future::join_all(claimed.iter().map(|row| deliver(app, row))).await;
    Ok(count)
}

async fn deliver(app: &Platform, row: &queue::Claimed) {
    let end = outcome(app, row).await;
    app.metrics.count_mail(match end {
        queue::End::Sent => "sent",
        queue::End::Kept => "kept",
        queue::End::Failed(_) => "failed",
        queue::End::Later(..) => "again",
    });
    if let Err(error) = queue::finish(app, row, &end).await {
        tracing::warn!(%error, message = %row.message_id, "the outcome of a mail delivery could not be recorded");
    }
}

/// Delivers one mail and logs the result. The log never contains the recipient or the content.
async fn outcome(app: &Platform, row: &queue::Claimed) -> queue::End {
    let id = row.message_id;
    let failed = |reason: &str| {
        tracing::error!(message = %id, tries = row.attempts, reason, "a mail could not be delivered");
        queue::End::Failed(reason.to_owned())
    };
    if row.expires_at <= app.clock.now() {
        return failed(row.last_error.as_deref().unwrap_or("it waited too long"));
    }
    let message = app.keys.decrypt(&row.sealed).and_then(|plain| serde_json::from_slice::<MailMessage>(&plain).ok());
    let Some(message) = message else { return failed("it was encrypted with another secret key") };
    let mail = match app.mail.way.compose(&message, id, row.created_at) {
        Ok(mail) => mail,
        Err(reason) => return failed(&reason),
    };
    match app.mail.way.deliver(&mail, id).await {
        Ok(send::Done::Sent) => {
            tracing::info!(message = %id, "sent a mail");
            queue::End::Sent
        }
        Ok(send::Done::Kept(path)) => {
            let path = path.display();
            tracing::info!(message = %id, %path, "wrote a mail to the outbox: FORECOURT_SMTP_URL is not set");
            queue::End::Kept
        }
        Err(send::Trouble { reason, lasting: true }) => failed(&reason),
        Err(send::Trouble { reason, lasting: false }) => {
            let again_at = app.clock.now() + queue::pause(row.attempts);
            if again_at >= row.expires_at {
                return failed(&reason);
            }
            tracing::warn!(message = %id, tries = row.attempts, reason, "a mail was not delivered and will be retried");
            queue::End::Later(again_at, reason)
        }
    }
}

/// Returns the mails of the outbox, newest first.
///
/// # Errors
/// The database is not available.
pub async fn outbox(app: &Platform) -> db::Result<Vec<MailMessage>> {
    let kept = queue::kept(app).await?;
    Ok(kept.iter().filter_map(|sealed| serde_json::from_slice(&app.keys.decrypt(sealed)?).ok()).collect())
}

/// Deletes the records of mails that were sent or failed long ago.
///
/// # Errors
/// The database is not available.
pub async fn sweep(app: &Platform) -> db::Result<()> {
    queue::sweep(app).await
}
