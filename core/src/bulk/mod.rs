//! Bulk actions: the same change of many records, or their deletion.

mod rules;
pub mod text;
mod types;

pub use rules::{RECORDS_MAX, choices, editable, size_error};
pub use types::{Action, BulkInput, BulkQuery, BulkResult, Refused};
