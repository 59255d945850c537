//! The state that all clones of a database handle share: counters of its use, its current load, and the events of
//! changes.

use super::Db;
use crate::platform::events::Events;
use prometheus_client::metrics::histogram::Histogram;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The upper bounds of the buckets of duration histograms, in seconds.
pub const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Counters and events of a database handle and its clones.
pub struct Counts {
    pub(super) statements: AtomicU64,
    /// Writes and transactions that currently wait for SQLite's writer.
    waiting: AtomicU64,
    /// Waiting times for a PostgreSQL connection, and of single writes for SQLite's writer, in seconds. Transactions on
    /// SQLite are not included.
    pub waits: Histogram,
    /// Whether PostgreSQL has failed to respond to a statement in time since the start.
    pub(super) has_timed_out: AtomicBool,
    /// Passes events to this node's streams.
    pub(super) events: Events,
}

impl Default for Counts {
    fn default() -> Self {
        Counts {
            statements: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
            waits: Histogram::new(SECONDS),
            has_timed_out: AtomicBool::new(false),
            events: Events::default(),
        }
    }
}

/// Counts one write or transaction as waiting for SQLite's writer until this is dropped.
pub(super) struct Waiting(Arc<Counts>);

impl Waiting {
    pub(super) fn new(counts: &Arc<Counts>) -> Self {
        counts.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(counts.clone())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The current load of the database.
pub struct Load {
    pub connections: u64,
    pub idle: u64,
    /// Writes and transactions that wait for SQLite's writer.
    pub queued: u64,
}

impl Db {
    /// Returns the channel for events to this node's streams: changes that have committed, and others such as a
    /// shutdown.
    pub fn events(&self) -> &Events {
        &self.counts().events
    }

    /// Returns the current load of the database: connections and waiting writes.
    pub fn load(&self) -> Load {
        let ((connections, idle), queued) = match self {
            Db::Sqlite { read, counts, .. } => (read.size(), counts.waiting.load(Ordering::Relaxed)),
            Db::Postgres(pool, ..) => (pool.size(), 0),
        };
        Load { connections: connections.into(), idle: idle as u64, queued }
    }
}
