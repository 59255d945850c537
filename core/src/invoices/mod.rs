//! Invoices with their projects, dates and prices.

mod fields;
mod rules;
pub mod text;
mod types;

pub use rules::customer_unknown;
pub use types::*;
