//! Contacts out of a file: what the file is, which column means what, and whether each row holds. The browser and the
//! server run this same code over the same bytes and come to the same verdict.

mod check;
mod error;
#[cfg(feature = "files")]
mod file;
mod limits;
mod mapping;
mod plan;
pub mod progress;
#[cfg(feature = "files")]
mod sniff;
mod synonyms;
pub mod text;
mod types;

pub use check::Checker;
pub use error::FileError;
#[cfg(feature = "files")]
pub use file::{SAMPLE_ROWS, Source};
pub use limits::Limits;
pub use mapping::match_columns;
pub use plan::Plan;
pub use types::*;
