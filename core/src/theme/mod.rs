//! The accent colour, from which readable shades for the light and the dark mode are computed, and the logo.

mod rules;
pub mod text;
mod types;

pub use rules::{effective_color, shades};
pub use types::*;
