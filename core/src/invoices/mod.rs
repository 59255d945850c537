//! Invoices: customer, requirements, start and end date, and price.

mod fields;
mod rules;
pub mod text;
mod types;

pub use rules::unknown_customer_errors;
pub use types::*;
