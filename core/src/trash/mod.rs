//! The trash: deleted records that can be restored (docs/product.md 4.21).

mod rules;
pub mod text;
mod types;

pub use rules::visible;
pub use types::{DeletedBy, TrashCount, TrashEntry, TrashInput};
