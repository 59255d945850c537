//! How much is asked of the database, and how busy it is.

use super::Db;
use crate::metrics::SECONDS;
use prometheus_client::metrics::histogram::Histogram;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How much was asked of the database so far, and how long it was waited for.
pub struct Counts {
    pub(super) statements: AtomicU64,
    /// For PostgreSQL's next connection, and for SQLite's one writer.
    pub waits: Histogram,
    /// Has PostgreSQL ever left a statement without an answer?
    pub(super) silence: AtomicBool,
}

impl Default for Counts {
    fn default() -> Self {
        Counts { statements: AtomicU64::new(0), waits: Histogram::new(SECONDS), silence: AtomicBool::new(false) }
    }
}

/// How busy the database is at the moment.
pub struct Load {
    pub connections: u64,
    pub idle: u64,
    /// Writes that wait for SQLite's writer.
    pub queued: u64,
}

impl Db {
    /// How busy it is at the moment.
    pub fn load(&self) -> Load {
        let of = |connections: u32, idle: usize, queued: usize| Load {
            connections: connections.into(),
            idle: idle as u64,
            queued: queued as u64,
        };
        match self {
            Db::Sqlite { read, queue, .. } => of(read.size(), read.num_idle(), queue.max_capacity() - queue.capacity()),
            Db::Postgres(pool, ..) => of(pool.size(), pool.num_idle(), 0),
        }
    }
}
