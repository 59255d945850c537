//! Messages about roles.

pub const FIELDS_REQUIRED: &str = "Please fill in all required fields";
pub const LOAD_FAILED: &str = "Failed to load roles";
pub const PERMISSIONS_UPDATED: &str = "Permissions updated successfully";
pub const PERMISSIONS_UPDATE_FAILED: &str = "Failed to update permissions";
pub const CREATED: &str = "Role created successfully";
pub const CREATE_FAILED: &str = "Failed to create role";
pub const UPDATED: &str = "Role updated successfully";
pub const UPDATE_FAILED: &str = "Failed to update role";
pub const DELETED: &str = "Role deleted successfully";
pub const DELETE_FAILED: &str = "Failed to delete role";
pub const NONE_FOUND: &str = "No roles found matching your search";

pub const NAME_TAKEN: &str = "A role with this name already exists";
pub const TOO_MANY: &str = "A corporation can have at most 200 roles. Delete one to add another.";
pub const RESOURCE_UNKNOWN: &str = "Unknown resource";
pub const RESOURCE_NOT_ALLOWED: &str = "This resource isn't included for your corporation";
pub const OWN_ROLE: &str =
    "You can't change the permissions of your own role. Ask an administrator of your corporation.";
pub const ROLE_ABOVE_OWN: &str =
    "You can't change a role with more permissions than your own. Ask an administrator of your corporation.";
pub const ABOVE_OWN: &str =
    "You can't grant permissions that you don't have. Ask an administrator of your corporation.";

/// Name of the role that is created with every corporation.
pub const FIRST_ROLE: &str = "Administrator";
pub const FIRST_ROLE_DESCRIPTION: &str = "Everything that the corporation may use";

/// Returns the reason why a role with users can't be deleted.
pub fn in_use(users: u64) -> String {
    match users {
        1 => "One user has this role. Give them another one first.".to_owned(),
        n => format!("{n} users have this role. Give them another one first."),
    }
}
