//! The signed-in user's own account, as on the Settings screen.

mod rules;
pub mod text;
mod types;

pub use types::*;
