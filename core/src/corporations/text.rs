//! Messages about corporations.

pub const LOAD_FAILED: &str = "Failed to load corporations";
pub const RESOURCES_LOAD_FAILED: &str = "Failed to load resources";
pub const USERS_LOAD_FAILED: &str = "Failed to load users";
pub const NONE_SELECTED: &str = "No corporation selected or invalid corporation ID";
pub const DETAILS_ERROR: &str = "Error fetching corporation details";
pub const DETAILS_FAILED: &str = "Failed to fetch corporation details";
pub const CREATED: &str = "Corporation created successfully";
pub const CREATE_FAILED: &str = "Failed to create corporation";
pub const UPDATED: &str = "Corporation updated successfully";
pub const UPDATE_FAILED: &str = "Failed to update corporation";
pub const PROCESS_FAILED: &str = "Failed to process corporation";
pub const DELETED: &str = "Corporation deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete corporation";
pub const DELETE_WARNING: &str = "This removes the corporation and organization records, all users, all roles and permissions, theme settings and all vehicle records. It cannot be undone.";

pub const FIRST_NAME_REQUIRED: &str = "First Name is required";
pub const LAST_NAME_REQUIRED: &str = "Last Name is required";
pub const EMAIL_REQUIRED: &str = "Email is required";
pub const PHONE_REQUIRED: &str = "Phone Number is required";
pub const TERMS: &str = "You must agree to the terms of service and privacy policy";
pub const RESOURCE_UNKNOWN: &str = "Unknown resource";
pub const NUMBER_TAKEN: &str = "A corporation with this organization number already exists";
pub const PLATFORM_CORPORATION: &str = "The platform's own corporation can't be deleted or deactivated.";
pub const MENU_READ_ONLY: &str = "The menu is derived from the resources and can't be changed.";
