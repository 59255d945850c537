//! Corporations: the tenants, their company records and the resources that they may use.

mod fields;
mod platform;
mod rules;
pub mod text;
mod types;

pub use platform::*;
pub use rules::{assignable_ids, assignable_resources, partition_resources};
pub use types::*;
