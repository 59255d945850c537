//! The signed-in person's own account: what the Settings screen shows and changes.

mod rules;
pub mod text;
mod types;

pub use types::*;
