//! The dashboard: totals and charts of the data that a user can read.

mod rules;
mod types;

pub use rules::{MonthlyTotal, VisibleParts, months, visible_parts};
pub use types::*;
