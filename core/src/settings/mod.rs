//! The settings of a corporation: its country, and the currency and the VAT of its prices (docs/product.md 4.27).

mod rules;
pub mod text;
mod types;

pub use rules::{COUNTRIES, rate_text, suggested_country};
pub(crate) use rules::{declare_country, normalize_code};
pub use types::*;
