//! The open streams of this node.

use crate::platform::error::ApiResult;
use crate::platform::fairness::semaphore::{FairSemaphore, Limits, Permit};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use uuid::Uuid;

/// Maximum number of open streams on this node. Each needs a connection and up to 32 kB.
const MAX_STREAMS: usize = 2_000;
/// Maximum number of open streams of one user on this node. Each browser needs one.
const MAX_OF_USER: usize = 12;

/// The open streams of this node; cloning it is cheap.
#[derive(Clone)]
pub struct Streams {
    users: FairSemaphore<Uuid>,
    /// The number of open streams of each session.
    sessions: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl Default for Streams {
    fn default() -> Self {
        let users = FairSemaphore::new(Limits { total: MAX_STREAMS, share: MAX_OF_USER, queue: 0 });
        Streams { users, sessions: Arc::default() }
    }
}

/// An open stream, which is counted in [`Streams`] until this is dropped.
pub(super) struct OpenStream {
    streams: Streams,
    session: Uuid,
    _permit: Permit<Uuid>,
}

impl Streams {
    /// # Errors
    /// 429 if the user has too many open streams, 503 if the node has too many.
    pub(super) async fn add(&self, user: Uuid, session: Uuid) -> ApiResult<OpenStream> {
        let _permit = self.users.acquire(user, 1, Duration::ZERO).await?;
        *self.lock().entry(session).or_default() += 1;
        Ok(OpenStream { streams: self.clone(), session, _permit })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, usize>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the ids of the sessions that have an open stream.
    pub(super) fn sessions(&self) -> Vec<Uuid> {
        self.lock().keys().copied().collect()
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut sessions = self.streams.lock();
        if let Some(count) = sessions.get_mut(&self.session) {
            *count -= 1;
            if *count == 0 {
                sessions.remove(&self.session);
            }
        }
    }
}
