//! The accent colour: any colour becomes a set of shades that can be read on light and on dark ground (decisions 4.8).

mod rules;
pub mod text;
mod types;

pub use rules::{applied, may_set_for_all, shades};
pub use types::*;
