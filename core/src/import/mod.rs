//! Imports contacts from files: detects the file format, maps columns to contact fields and validates each row. The
//! browser and the server run this code on the same bytes and get the same verdict.

mod blob;
pub mod book;
mod check;
pub mod codepages;
mod content;
mod corrections;
pub mod csv;
mod detected_format;
mod dialect;
mod digest;
mod encoding;
mod error;
#[cfg(feature = "fallback")]
pub mod fallback;
#[cfg(feature = "files")]
mod file;
mod file_check;
mod first_seen;
mod fold;
pub mod formula;
pub mod head;
mod header;
mod layout;
#[cfg(feature = "fallback")]
pub mod legacy;
mod limits;
mod lists;
mod mapping;
mod names;
#[cfg(any(feature = "fallback", feature = "xls", feature = "xlsx"))]
mod number;
#[cfg(any(feature = "fallback", feature = "xls"))]
mod ole;
pub mod pack;
mod plan;
#[cfg(feature = "fallback")]
mod plausibility;
mod problems;
pub mod progress;
pub mod recognise;
#[cfg(any(feature = "fallback", feature = "xls"))]
mod record;
mod report;
mod row;
mod synonyms;
#[cfg(any(feature = "fallback", feature = "xlsx"))]
mod target;
pub mod text;
mod types;
#[cfg(feature = "fallback")]
pub mod unlock;
#[cfg(any(feature = "fallback", feature = "xls"))]
pub mod xls;
#[cfg(feature = "xlsx")]
pub mod xlsx;

pub use blob::Blob;
pub use check::{Checker, ContactRow, Outcome};
pub use corrections::Patches;
pub use error::FileError;
#[cfg(feature = "files")]
pub use file::Source;
pub use file_check::FileCheck;
pub use layout::Layout;
pub use limits::{Limits, MAX_COLUMNS};
pub use lists::deserialize_at_most;
pub use mapping::{header_key, match_columns};
pub use plan::Plan;
pub use problems::Problems;
pub use report::{Finding, truncate_cell};
pub use row::{Cell, RawRow, RowBuffer, RowHandler};
pub use types::*;
