//! The foundation of all features: the database, HTTP, mail, limits, encryption and settings. It depends on no feature.

pub mod child;
pub mod client_address;
pub mod clock;
pub mod config;
pub mod db;
mod deserialize;
pub mod encryption;
pub mod error;
pub mod events;
pub mod extract;
pub mod fairness;
pub mod file_modes;
pub mod http;
pub mod http_client;
pub mod jobs;
pub mod keys;
pub mod limits;
pub mod lock;
pub mod mail;
pub mod metrics;
pub mod multipart;
pub mod responses;
pub mod search;
pub mod state;
pub mod transfer_rate;
pub mod volume;
pub mod zip_output;

/// Why the program can't start or a command failed, in one line.
pub type Failure = String;
