//! Roles: a corporation's permission matrices (specification 2.9 and 6).

mod matrix;
mod rules;
pub mod text;
mod types;

pub use matrix::{Mark, all_grants, grants, mark, matrix, permissions_count, set, sorted};
pub use rules::{granted, may_assign, may_change};
pub use types::*;
