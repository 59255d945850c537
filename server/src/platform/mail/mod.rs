//! Mail. Requests only add mails to a queue in the database. A background job sends them to the mail server, or writes
//! them to the outbox folder if no server is configured. Queued mails are encrypted, since they may contain a code.

mod message;
mod queue;
mod send;
mod sender;

pub use message::MailMessage;
pub use queue::{outbox, sweep};
pub use sender::Mail;

use crate::platform::Failure;
use crate::platform::clock::Clock;
use crate::platform::config::PlatformConfig;
use crate::platform::db;
use crate::platform::jobs::{self, POLL, retry_delay};
use crate::platform::lock;
use crate::platform::state::Platform;
use forecourt_core::auth::mail::test_mail;
use send::{Mailer, Outcome};
use std::time::Duration;
use tokio::sync::watch;
use uuid::Uuid;

/// Returns the topic of a mail with this purpose and these parts, such as its recipient. A new mail replaces queued
/// ones with the same topic. The topic is a keyed hash, which reveals neither purpose nor parts.
pub fn topic(app: &Platform, purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
    let parts: Vec<&[u8]> = std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()).collect();
    app.keys.mac("mail topic", &parts)
}

/// Sends a test mail at once, without the queue, and returns a sentence that describes the outcome.
///
/// # Errors
/// A message of one line: the mail server's error, or why it was not reached, or why the outbox can't be used.
pub async fn send_test(config: &PlatformConfig, to: &str) -> Result<String, Failure> {
    if config.smtp_url.is_none() {
        lock::check_folder_owner(&config.data_dir)?;
    }
    let mailer = Mailer::new(config)?;
    let message = MailMessage::new(to, "", test_mail(&config.brand));
    let id = Uuid::now_v7();
    let mail = mailer.compose(&message, id, Clock::System.now()).map_err(|e| format!("{to}: {e}"))?;
    match mailer.deliver(mail, id).await {
        Outcome::Sent => Ok(format!("The mail server accepted a mail to {to}.")),
        Outcome::Kept(path) => {
            Ok(format!("FORECOURT_SMTP_URL is not set, so the mail was written to {}.", path.display()))
        }
        Outcome::Failed(reason) | Outcome::Retry(reason) => Err(format!("can't send the mail to {to}: {reason}")),
    }
}

/// Connects to the mail server without sending a mail. Succeeds if no mail server is configured.
///
/// # Errors
/// A message of one line: the mail server's error, or why it was not reached.
pub async fn check_connection(config: &PlatformConfig) -> Result<(), Failure> {
    Mailer::new(config)?.check_connection().await
}

/// Background job: delivers due mails.
pub async fn worker(app: Platform, stop: watch::Receiver<bool>) {
    jobs::run("mail", &app.mail.wake, stop, || async {
        // After a full batch, more mails may be due.
        Ok(if deliver_due(&app).await? == queue::BATCH { Duration::ZERO } else { POLL })
    })
    .await;
}

/// Claims a batch of due mails, attempts to deliver each, and returns how many there were.
///
/// # Errors
/// The database is not available.
pub async fn deliver_due(app: &Platform) -> db::Result<usize> {
    let claimed = queue::claim(app).await?;
    let count = claimed.len();
    futures_util::future::join_all(claimed.iter().map(|row| deliver(app, row))).await;
    Ok(count)
}

/// Attempts to deliver one mail and records the outcome. The log never contains the recipient or the content.
async fn deliver(app: &Platform, row: &queue::Claimed) {
    let (id, tries) = (row.message_id, row.attempts);
    let outcome = attempt(app, row).await;
    app.metrics.count_mail(match &outcome {
        Outcome::Sent => {
            tracing::info!(mail = %id, "sent a mail");
            "sent"
        }
        Outcome::Kept(path) => {
            let path = path.display();
            tracing::info!(mail = %id, %path, "wrote a mail to the outbox: FORECOURT_SMTP_URL is not set");
            "kept"
        }
        Outcome::Failed(reason) => {
            tracing::error!(mail = %id, tries, reason, "a mail could not be delivered");
            "failed"
        }
        Outcome::Retry(reason) => {
            tracing::warn!(mail = %id, tries, reason, "a mail was not delivered and will be retried");
            "again"
        }
    });
    if let Err(error) = queue::finish(app, row, outcome).await {
        tracing::warn!(%error, mail = %id, "the outcome of a mail delivery could not be recorded");
    }
}

async fn attempt(app: &Platform, row: &queue::Claimed) -> Outcome {
    if row.expires_at <= app.clock.now() {
        return Outcome::Failed(row.last_error.clone().unwrap_or_else(|| "it waited too long".into()));
    }
    let message = app.keys.decrypt(&row.sealed).and_then(|plain| serde_json::from_slice::<MailMessage>(&plain).ok());
    let Some(message) = message else {
        return Outcome::Failed("it can't be decrypted or read, probably because the secret key has changed".into());
    };
    let mail = match app.mail.mailer.compose(&message, row.message_id, row.created_at) {
        Ok(mail) => mail,
        Err(reason) => return Outcome::Failed(reason),
    };
    match app.mail.mailer.deliver(mail, row.message_id).await {
        Outcome::Retry(reason) if app.clock.now() + retry_delay(row.attempts) >= row.expires_at => {
            Outcome::Failed(reason)
        }
        outcome => outcome,
    }
}
