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
mod exported;
#[cfg(feature = "files")]
pub mod fallback;
#[cfg(feature = "readers")]
mod file;
mod file_check;
mod first_seen;
mod fold;
pub mod formula;
pub mod head;
mod header;
mod layout;
#[cfg(feature = "files")]
pub mod legacy;
mod limits;
mod lists;
mod mapping;
mod names;
#[cfg(feature = "readers")]
mod number;
#[cfg(feature = "readers")]
mod ole;
pub mod pack;
#[cfg(feature = "readers")]
mod part_names;
mod plan;
#[cfg(feature = "files")]
mod plausibility;
mod problems;
pub mod progress;
pub mod recognise;
#[cfg(feature = "readers")]
mod record;
mod report;
mod row;
mod synonyms;
pub mod text;
mod types;
#[cfg(feature = "files")]
pub mod unlock;
#[cfg(feature = "readers")]
pub mod xls;
#[cfg(feature = "readers")]
pub mod xlsx;

pub use blob::Blob;
pub use check::{Checker, ContactRow, Outcome};
pub use corrections::Patches;
pub use error::FileError;
pub use exported::detail_header;
#[cfg(feature = "files")]
pub use file::Linked;
#[cfg(feature = "readers")]
pub use file::{Libraries, OpenError, Source, Step};
pub use file_check::{Duplicate, FileCheck};
pub use layout::Layout;
pub use limits::{Limits, MAX_COLUMNS};
pub use lists::deserialize_one_more_than;
pub use mapping::{header_key, match_columns};
pub use plan::Plan;
pub use problems::{Problem, ProblemKind, Problems};
pub use report::{Finding, REPORT_HEADERS};
pub use row::{Cell, RawRow, RowBuffer, RowHandler};
pub use types::*;
