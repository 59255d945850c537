//! Contacts out of a file: what the file is, which column means what, and whether each row holds. The browser and the
//! server run this same code over the same bytes and come to the same verdict.

pub mod progress;
pub mod text;
mod types;

pub use types::*;
