//! Messages about roles.

use crate::message::{Message, messages};

messages! {
    "roles.";
    FIELDS_REQUIRED = "Please fill in all required fields";
    PERMISSIONS_UPDATED = "Permissions updated successfully";
    CREATED = "Role created successfully";
    UPDATED = "Role updated successfully";
    DELETED = "Role deleted successfully";

    NAME_TAKEN = "A role with this name already exists";
    TOO_MANY = "A corporation can have at most 200 roles. Delete one to add another.";
    RESOURCE_NOT_ALLOWED = "This resource isn't included for your corporation";
    OWN_ROLE = "You can't change the permissions of your own role. Ask an administrator of your corporation.";
    ROLE_ABOVE_OWN = "You can't change a role with more permissions than your own. Ask an administrator of your corporation.";
    IN_USE_BY_ONE = "One user has this role. Give them another one first.";
    fn in_use_by_many(count: u64) = "{count} users have this role. Give them another one first.";
    ABOVE_OWN = "You can't grant permissions that you don't have. Ask an administrator of your corporation.";

    /// Name of the role that is created with every corporation. The name and the description are stored in English.
    FIRST_ROLE = "Administrator";
    FIRST_ROLE_DESCRIPTION = "Everything that the corporation may use";
}

/// Returns the reason why a role with this many users can't be deleted; `None` without users.
pub fn in_use(users: u64) -> Option<Message> {
    match users {
        0 => None,
        1 => Some(IN_USE_BY_ONE.into()),
        count => Some(in_use_by_many(count)),
    }
}
