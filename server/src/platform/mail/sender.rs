//! The mail delivery target, and the signal that wakes the delivery job.

use super::send::Mailer;
use crate::platform::Failure;
use crate::platform::config::PlatformConfig;
use std::sync::Arc;
use tokio::sync::Notify;

/// Delivers mail to the mail server, or writes it to the folder `outbox` if none is configured; cloning it is cheap.
#[derive(Clone)]
pub struct Mail {
    pub(super) mailer: Arc<Mailer>,
    pub(super) wake: Arc<Notify>,
}

impl Mail {
    /// Creates the delivery target that the settings describe.
    ///
    /// # Errors
    /// A message of one line that names the invalid setting.
    pub fn new(config: &PlatformConfig) -> Result<Self, Failure> {
        Ok(Mail { mailer: Arc::new(Mailer::new(config)?), wake: Arc::new(Notify::new()) })
    }

    /// Wakes the delivery job. Call it after the transaction that queued the mail is committed.
    pub fn wake(&self) {
        self.wake.notify_one();
    }
}
