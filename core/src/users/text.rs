//! Messages about users.

pub const FIELD_REQUIRED: &str = "This field is required";
pub const FIELDS_REQUIRED: &str = "Please fill in all required fields";
pub const INPUT_INVALID: &str = "Invalid input";

pub const LOAD_FAILED: &str = "Failed to load users";
pub const CREATED: &str = "User created successfully";
pub const CREATE_FAILED: &str = "Failed to create user";
pub const UPDATED: &str = "User updated successfully";
pub const UPDATE_FAILED: &str = "Failed to update user";
pub const SAVE_FAILED: &str = "Failed to create or update user";
pub const DELETED: &str = "User deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete user";
pub const DEACTIVATED: &str = "User deactivated successfully";
pub const DEACTIVATE_FAILED: &str = "Failed to deactivate user";
pub const PASSWORD_SET: &str = "Password changed successfully";

pub const DELETE_QUESTION: &str = "Are you sure you want to delete this user? This action cannot be undone.";
pub const DEACTIVATE_QUESTION: &str = "Are you sure you want to deactivate this user?";

pub const EMAIL_TAKEN: &str = "Another account already uses this email";
pub const TYPE_ABOVE_OWN: &str = "You can't assign a user type above your own.";
pub const TYPE_NOT_HERE: &str = "Only the platform's own corporation can have Super Admins.";
pub const ROLE_ABOVE_OWN: &str = "You can't assign a role with more permissions than your own.";
pub const OWN_ROLE: &str = "You can't change your own role. Ask an administrator of your corporation.";
pub const OWN_EMAIL: &str = "Change your own email in Settings";
pub const OWN_PASSWORD: &str = "Change your own password in Settings";
pub const ROLE_UNKNOWN: &str = "This role does not exist in this corporation";
pub const ABOVE_OWN: &str = "You can't change a user with more permissions than you.";
pub const DELETE_SUPER_ADMIN: &str = "A Super Admin can't be deleted here.";
pub const DELETE_SELF: &str = "You can't delete yourself here. Use Delete Account in Settings.";
pub const DEACTIVATE_SELF: &str = "You can't deactivate yourself.";
