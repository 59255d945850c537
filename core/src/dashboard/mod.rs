//! The dashboard: what a person may see of how the corporation is doing (specification 2.7, decisions 5.1).

mod rules;
pub mod text;
mod types;

pub use rules::{Parts, Tally, months, parts};
pub use types::*;
