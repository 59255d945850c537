//! The trash: deleted records that can be restored (docs/product.md 4.21).

mod rules;
pub mod text;
mod types;

pub use rules::{RECORDS_MAX, parse_resource, visible};
pub use types::{DeletedBy, TrashCount, TrashEntry, TrashInput, TrashList};

/// GET lists the trash, DELETE deletes from it finally. POST on `{PATH}/restore` restores.
pub const PATH: &str = "/api/trash";
