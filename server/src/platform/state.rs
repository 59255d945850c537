//! The state that every layer shares.

use super::clock::Clock;
use super::config::PlatformConfig;
use super::db::Db;
use super::encryption::DataKeys;
use super::fairness::Fairness;
use super::keys::Keys;
use super::mail::Mail;
use super::metrics::Metrics;
use forecourt_core::form::FormSettings;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The shared state; cloning it is cheap.
#[derive(Clone)]
pub struct Platform {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<PlatformConfig>,
    /// The settings that form rules depend on.
    pub form_settings: FormSettings,
    /// The maximum size of a form with a file to import, in bytes.
    pub max_file_form_bytes: usize,
    pub keys: Arc<Keys>,
    /// The keys that encrypt social security numbers.
    pub data_keys: Arc<DataKeys>,
    pub mail: Mail,
    /// The semaphores that share this node's memory, cores and connections between sessions, tenants and addresses.
    pub fairness: Fairness,
    pub metrics: Arc<Metrics>,
    /// True once a shutdown was requested.
    pub stopping: Arc<AtomicBool>,
    /// The shared lock of the SQLite database (`lock.rs`), held while it is open, so that no backup is restored over it;
    /// `None` if the database isn't a file.
    pub lock: Option<Arc<File>>,
    /// The exclusive lock of a server (`lock.rs`); `None` in a command, and if the database isn't a SQLite file.
    pub server_lock: Option<Arc<File>>,
}
