//! Users of a corporation, as seen by those who manage them.

mod fields;
mod names;
mod rules;
pub mod text;
mod types;

pub use names::{author_message, author_name, full_name};
pub(crate) use rules::declare_optional_password;
pub use rules::{
    assignable_types, check_not_last_admin, check_own_credentials_unchanged, check_role_assignment,
    check_type_assignment, check_user_deactivation, check_user_deletion, may_manage, permissions_count,
};
pub use types::*;
