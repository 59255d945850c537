//! The state that every layer shares.

use super::clock::Clock;
use super::config::Config;
use super::db::Db;
use super::encryption::DataKeys;
use super::fairness::Fairness;
use super::keys::Keys;
use super::mail::Mail;
use super::metrics::Metrics;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the layers above share; cloning it is cheap.
#[derive(Clone)]
pub struct Platform {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub keys: Arc<Keys>,
    /// Encrypt social security numbers.
    pub data_keys: Arc<DataKeys>,
    pub mail: Mail,
    /// The shares of sessions, tenants and addresses.
    pub fairness: Fairness,
    pub metrics: Arc<Metrics>,
    /// True once the program was asked to stop.
    pub stopping: Arc<AtomicBool>,
    /// Held while the database is open, so that no backup is restored over it.
    pub lock: Option<Arc<File>>,
}

impl AsRef<Platform> for Platform {
    fn as_ref(&self) -> &Platform {
        self
    }
}
