//! Organizations: the company record of a corporation, and the company directory.

mod rules;
pub mod text;
mod types;

pub use rules::{check_digit_hint, normalize_number, without_email_and_phone};
pub use types::*;
