//! Users: the people of a corporation, as whoever manages them sees them (specification 2.10 and 2.11).

mod rules;
pub mod text;
mod types;

pub(crate) use rules::password_or_blank;
pub use rules::{
    keep_own_secrets, may_deactivate, may_delete, may_give, may_give_role, may_manage, permissions_count, types_to_give,
};
pub use types::*;
