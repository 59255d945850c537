//! Messages about the signed-in user's own account.

pub const FIRST_NAME_REQUIRED: &str = "First name is required";
pub const LAST_NAME_REQUIRED: &str = "Last name is required";
pub const MOBILE_REQUIRED: &str = "Mobile is required";
pub const PASSWORD_FOR_EMAIL: &str = "Enter your current password to change the email";
pub const CURRENT_PASSWORD_REQUIRED: &str = "Current password is required";
pub const PASSWORD_FOR_DELETION: &str = "Enter your password to delete your account";
pub const NEW_PASSWORD_REQUIRED: &str = "New password is required";
pub const PASSWORDS_DO_NOT_MATCH: &str = "Passwords do not match";
pub const CURRENT_PASSWORD_WRONG: &str = "The current password is incorrect";
pub const EMAIL_TAKEN: &str = "Another account already uses this email";
pub const LANGUAGE_UNKNOWN: &str = "The language must be 'en' (English) or 'sv' (Swedish)";

pub const UPDATED: &str = "Profile Updated Successfully";
pub const UPDATE_FAILED: &str = "Something went wrong.";
pub const PASSWORD_CHANGED: &str = "Password changed successfully";
pub const PASSWORD_CHANGE_FAILED: &str = "Failed to change password";
pub const LANGUAGE_UPDATED: &str = "Language updated successfully";
pub const LANGUAGE_UPDATE_FAILED: &str =
    "The language was changed on this device, but could not be saved for your other devices.";
pub const DELETED: &str = "Your account has been deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete account";
