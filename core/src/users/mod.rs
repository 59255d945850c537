//! Users: the people of a corporation, as whoever manages them sees them (specification 2.10 and 2.11).

mod rules;
pub mod text;
mod types;

pub(crate) use rules::password_or_blank;
pub use rules::{may_delete, may_give, may_manage, types_to_give};
pub use types::*;
