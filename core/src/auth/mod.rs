//! Signing in and out: its forms, what it answers, and its sentences.

pub mod mail;
mod rules;
pub mod text;
mod types;

pub use rules::{ACCESS_TOKEN_SECONDS, CODE_LENGTH, REFRESH_BEFORE_EXPIRY_SECONDS, RESEND_AFTER_SECONDS};
pub use rules::{CODE_MINUTES, CODE_TRIES, REMEMBER_DAYS, SESSION_HOURS, SUCCESSOR_GRACE_SECONDS};
pub use rules::{HANDOFF_SECONDS, RESET_MINUTES, SIGNUP_DAYS, VERIFY_EMAIL_HOURS, WRONG_CODES_MAX};
pub use rules::{Marks, Standing, home_for_role, may_ban, may_link_by_email, refresh_in, standing, standing_to_enter};
pub use types::*;
