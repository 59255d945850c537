//! Corporations: the tenants, their company records and what they may use (specification 2.11).

mod rules;
pub mod text;
mod types;

pub use rules::{assignable_resources, modules, resources_to_allow};
pub use types::*;
