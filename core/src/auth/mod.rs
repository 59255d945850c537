//! Signing in and out: its forms, what it answers, and its sentences.

pub mod mail;
mod rules;
pub mod text;
mod types;

pub use rules::{ACCESS_TOKEN_SECONDS, CODE_LENGTH, REFRESH_BEFORE_EXPIRY_SECONDS, RESEND_AFTER_SECONDS};
pub use rules::{CODE_MINUTES, CODE_TRIES, PASSWORD_MAX, REMEMBER_DAYS, SESSION_HOURS, SUCCESSOR_GRACE_SECONDS};
pub use rules::{Standing, home_for_role, refresh_in, standing};
pub use types::*;
