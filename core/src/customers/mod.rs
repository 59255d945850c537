//! Customers: people and companies that buy, sell or broker vehicles.

mod fields;
mod figures;
mod rules;
pub mod text;
mod types;

pub use rules::{TEXT_MAX, check_number_is_stored, customer_number, telephone_key};
pub use types::*;
