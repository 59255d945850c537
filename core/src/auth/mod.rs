//! Authentication: forms, response types, rules, messages and mails.

mod account;
pub mod mail;
mod rules;
pub mod text;
mod types;

pub use account::{AccountFlags, AccountStatus, WRONG_CODES_MAX, session_status, sign_in_status};
pub(crate) use rules::declare_repetition;
pub use rules::{ACCESS_TOKEN_SECONDS, CODE_LENGTH, REFRESH_BEFORE_EXPIRY_SECONDS, RESEND_AFTER_SECONDS};
pub use rules::{CODE_MINUTES, CODE_TRIES, DEVICE_MAX, REMEMBER_DAYS, SESSION_HOURS, SPENT_TOKEN_GRACE_SECONDS};
pub use rules::{LOGIN_EXCHANGE_SECONDS, RESET_MINUTES, SIGNUP_DAYS, VERIFY_EMAIL_HOURS};
pub use rules::{check_ban, home_for_role, may_link_by_email, refresh_in};
pub use types::*;
