//! Contacts, their comments, and their other details: named values that have no field of their own, mostly columns of
//! an imported file.

mod fields;
mod rules;
pub mod text;
mod types;

pub(crate) use rules::declare_rules;
pub use rules::{
    COMMENT_MAX, COMMENTS_MAX, DETAIL_MAX, DETAILS_LENGTH_MAX, DETAILS_MAX, NEWEST_COMMENTS, NEWEST_COMMENTS_BYTES,
    may_delete_comment, may_edit_comment,
};
pub use types::*;
