//! The way that mail goes, and the wake-up of the job that sends it.

use super::send::Way;
use crate::platform::Failure;
use crate::platform::config::Config;
use std::sync::Arc;
use tokio::sync::Notify;

/// Sends mail, or keeps it; cloning it is cheap.
#[derive(Clone)]
pub struct Mail {
    pub(super) way: Arc<Way>,
    pub(super) wake: Arc<Notify>,
}

impl Mail {
    /// # Errors
    /// One line that names the setting that can't be used.
    pub fn new(config: &Config) -> Result<Self, Failure> {
        Ok(Mail { way: Arc::new(Way::new(config)?), wake: Arc::new(Notify::new()) })
    }

    /// Wakes the job: what was queued is committed.
    pub fn wake(&self) {
        self.wake.notify_one();
    }
}
