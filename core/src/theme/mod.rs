//! The accent colour: any colour becomes a set of shades that can be read on light and on dark ground (decisions 4.8).

mod rules;
mod types;

pub use rules::shades;
pub use types::*;
