//! The dashboard: totals and charts of the data that a user can read.

mod days;
mod rules;
mod sales;
mod stock;
mod types;

pub use days::DayTotal;
pub use rules::{MonthlyTotal, VisibleParts, months, visible_parts};
pub use sales::{EXCLUSIVITY_DUE, ExclusivityDue, OpenAgreements, TO_DELIVER, ToDeliver};
pub use types::*;
