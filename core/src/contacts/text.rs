//! The sentences of contacts (specification sections 5 and 8).

pub const NAME_REQUIRED: &str = "Name is required";
pub const CREATED: &str = "Contact created successfully";
pub const LOAD_FAILED: &str = "Failed to load contacts";
pub const CREATE_FAILED: &str = "Failed to create contact";
pub const DETAILS_LOAD_FAILED: &str = "Failed to load contact details";
pub const TOO_MANY_DETAILS: &str = "There are too many other details";
pub const DETAIL_TOO_LONG: &str = "One of the other details is too long";
