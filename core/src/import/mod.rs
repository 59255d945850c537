//! Contacts out of a file: what the file is, which column means what, and whether each row holds. The browser and the
//! server run this same code over the same bytes and come to the same verdict.

mod blob;
pub mod book;
mod check;
pub mod codepages;
mod content;
mod corrections;
pub mod csv;
mod digest;
mod encoding;
mod error;
mod examination;
#[cfg(feature = "fallback")]
pub mod fallback;
#[cfg(feature = "files")]
mod file;
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
mod seen;
mod shape;
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
pub use check::{Checker, Finding, Outcome, Texts};
pub use corrections::Patches;
pub use error::FileError;
pub use examination::Examination;
#[cfg(feature = "files")]
pub use file::Source;
pub use layout::Layout;
pub use limits::{Limits, MOST_COLUMNS};
pub use lists::at_most;
pub use mapping::{header_key, match_columns};
pub use plan::Plan;
pub use problems::Problems;
pub use report::cut;
pub use row::{Cell, EachRow, RawRow, RowBuffer};
pub use types::*;
