//! Roles: the permission matrices of a corporation.

mod history;
mod matrix;
mod rules;
pub mod text;
mod types;

pub use history::{RoleState, changes};
pub use matrix::{
    Mark, all_grants, build_matrix, checkbox_state, disallowed_ids, next_state, parse_grants, permissions_count,
    set_permission, sorted_resources,
};
pub use rules::{check_name, check_role_change, grantable, may_assign, resource_error, validate_grants};
pub use types::*;
