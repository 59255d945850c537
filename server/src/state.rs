//! What every handler and job shares.

use crate::auth::oidc::Provider;
use crate::auth::passwords::Hasher;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::fairness::Fairness;
use crate::images::Pictures;
use crate::import::reader::Reader;
use crate::keys::Keys;
use crate::mail::Mail;
use crate::metrics::Metrics;
use crate::organizations::Register;
use crate::places::Receiving;
use crate::seal::DataKeys;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::Notify;

/// The running program; cloning it is cheap.
#[derive(Clone)]
pub struct App {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub keys: Arc<Keys>,
    /// What social security numbers are sealed with.
    pub data_keys: Arc<DataKeys>,
    pub mail: Mail,
    pub hasher: Hasher,
    /// Writes uploaded pictures anew.
    pub pictures: Pictures,
    /// Reads uploaded files.
    pub reader: Reader,
    /// The shares of sessions, tenants and addresses.
    pub fairness: Fairness,
    /// Where forms with a file in them are received.
    pub receiving: Receiving,
    /// Wakes the job that mails reset links.
    pub resets: Arc<Notify>,
    /// Wakes the import worker.
    pub imports: Arc<Notify>,
    /// Whom people can sign in with beside the password.
    pub provider: Option<Arc<Provider>>,
    /// Where companies are looked up that neither are registered here nor stand in the loaded list.
    pub register: Option<Arc<Register>>,
    /// Where the demo's mailbox is shown, in the demo only.
    pub mailbox: Option<&'static str>,
    /// Is the program asked to stop?
    pub stopping: Arc<AtomicBool>,
    pub metrics: Arc<Metrics>,
    /// Held as long as the database is open: nobody restores a backup over it.
    pub lock: Option<Arc<File>>,
}
