//! The state that every handler and job of the features shares.

use super::auth::hasher::Hasher;
use super::auth::oidc::Provider;
use super::config::FeatureConfig;
use super::events::Streams;
use super::images::PictureEncoder;
use super::import::reader::Reader;
use super::organizations::CompanyRegister;
use crate::access::uploads::UploadLimits;
use crate::platform::state::Platform;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Notify;

/// The running program; cloning it is cheap.
#[derive(Clone)]
pub struct App {
    pub platform: Platform,
    pub feature_config: Arc<FeatureConfig>,
    pub hasher: Hasher,
    pub pictures: PictureEncoder,
    /// Reads uploaded files for imports, in child processes.
    pub reader: Reader,
    /// Limits on uploads.
    pub upload_limits: UploadLimits,
    /// The open streams of events.
    pub streams: Streams,
    /// Wakes the job that mails reset links.
    pub resets: Arc<Notify>,
    /// Wakes the import worker.
    pub imports: Arc<Notify>,
    /// Wakes the job that continues undoings (`revert::steps`).
    pub reverts: Arc<Notify>,
    /// The identity provider, if one is set up.
    pub provider: Option<Arc<Provider>>,
    /// The external company register, if one is set up.
    pub register: Option<Arc<CompanyRegister>>,
    /// The URL path of the page that shows the demo's mails; `None` outside the demo.
    pub mailbox: Option<&'static str>,
}

impl Deref for App {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}

impl AsRef<Platform> for App {
    fn as_ref(&self) -> &Platform {
        &self.platform
    }
}

/// A route whose handler gets the features' state.
pub type Route = crate::access::route::Route<App>;
