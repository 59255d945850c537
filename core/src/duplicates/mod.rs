//! Finding records that may be the same, and merging them (docs/product.md 4.23).

mod identity;
mod merge;
pub mod text;
mod types;

pub use identity::{Identified, Identity, WORDS_MAX, reasons};
pub use merge::{Details, RECORDS_MAX, added_details, take_back_details};
pub use types::{DuplicateReason, Duplicates, MergeInput, Merged, Moved};

/// Default number of groups per page.
pub const PAGE_SIZE: u32 = 20;
/// Maximum number of records that the search for duplicates of a form's values returns.
pub const MATCHES_MAX: usize = 5;
