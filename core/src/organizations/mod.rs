//! Organisations: a corporation's company record, and the directory where it is looked up (decisions 4.7).

mod rules;
pub mod text;
mod types;

pub use rules::{hint, normalized, public};
pub use types::*;
