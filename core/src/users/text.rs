//! Messages about users.

use crate::message::messages;

messages! {
    "users.";
    FIELD_REQUIRED = "This field is required";
    FIELDS_REQUIRED = "Please fill in all required fields";

    CREATED = "User created successfully";
    UPDATED = "User updated successfully";
    DELETED = "User deleted successfully";
    DEACTIVATED = "User deactivated successfully";
    PASSWORD_SET = "Password changed successfully";

    JOINED = "Joined";
    /// Shown in place of the name of a user whose account was deleted: of a comment's author, and in the history, the
    /// trash, imports and views.
    DELETED_USER = "Deleted user";

    EMAIL_TAKEN = "Another account already uses this email";
    TYPE_ABOVE_OWN = "You can't assign a user type above your own.";
    TYPE_NOT_HERE = "Only the platform's own corporation can have Super Admins.";
    ROLE_ABOVE_OWN = "You can't assign a role with more permissions than your own.";
    OWN_ROLE = "You can't change your own role. Ask an administrator of your corporation.";
    OWN_EMAIL = "Change your own email in Settings";
    OWN_PASSWORD = "Change your own password in Settings";
    ROLE_UNKNOWN = "This role does not exist in this corporation";
    ABOVE_OWN = "You can't change a user with more permissions than you.";
    DELETE_SUPER_ADMIN = "A Super Admin can't be deleted here.";
    DELETE_SELF = "You can't delete yourself here. Use Delete Account in Settings.";
    DEACTIVATE_SELF = "You can't deactivate yourself.";
}
