//! The sentences of corporations (specification section 8).

pub const LOAD_FAILED: &str = "Failed to load corporations";
pub const USERS_LOAD_FAILED: &str = "Failed to load users";
pub const NONE_SELECTED: &str = "No corporation selected or invalid corporation ID";
