//! Customers: people and companies to whom a corporation sells vehicles, from whom it buys them, or for whom it
//! brokers them.

mod fields;
mod figures;
mod rules;
mod telephone;
pub mod text;
mod types;

pub use figures::{FIGURES, is_figure};
pub use rules::{TEXT_MAX, check_number_is_stored, check_total_spent, customer_number};
pub use telephone::{searched_digits, telephone_key};
pub use types::*;
