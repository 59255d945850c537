//! Invoices with their projects, dates and prices.

mod rules;
pub mod text;
mod types;

pub use types::*;
