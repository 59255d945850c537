//! Messages about the signed-in user's own account.

use crate::message::messages;

messages! {
    "profile.";
    FIRST_NAME_REQUIRED = "First name is required";
    LAST_NAME_REQUIRED = "Last name is required";
    MOBILE_REQUIRED = "Mobile is required";
    PASSWORD_FOR_EMAIL = "Enter your current password to change the email";
    CURRENT_PASSWORD_REQUIRED = "Current password is required";
    PASSWORD_FOR_DELETION = "Enter your password to delete your account";
    NEW_PASSWORD_REQUIRED = "New password is required";
    PASSWORDS_DO_NOT_MATCH = "Passwords do not match";
    CURRENT_PASSWORD_WRONG = "The current password is incorrect";
    EMAIL_TAKEN = "Another account already uses this email";
    LANGUAGE_UNKNOWN = "The language must be 'en' (English) or 'sv' (Swedish)";

    UPDATED = "Profile Updated Successfully";
    PASSWORD_CHANGED = "Password changed successfully";
    LANGUAGE_UPDATED = "Language updated successfully";
    DELETED = "Your account has been deleted successfully";
}
