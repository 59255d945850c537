//! The JSON types of permissions.

use serde::{Deserialize, Serialize};

/// GET: the signed-in user's permissions.
pub const PATH: &str = "/api/rbac/user-permissions";

string_enum! {
    /// User types, in ascending order of power. A Super Admin is a platform administrator, an Admin administers one
    /// corporation.
    #[derive(Default)]
    UserType {
        #[default]
        User,
        Admin,
        SuperAdmin = "Super Admin",
    }
}

api_types!(
    /// An action on a resource.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Action {
        Read,
        Create,
        Update,
        Delete,
    }

    /// Which actions are permitted on a resource.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Permissions {
        pub can_read: bool,
        pub can_create: bool,
        pub can_update: bool,
        pub can_delete: bool,
    }

    /// A resource with the signed-in user's permissions on it.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PermissionResource {
        pub resource_id: String,
        pub title: String,
        pub route: String,
        pub icon: String,
        pub position: u32,
        pub has_subresources: bool,
        pub subresources: Vec<PermissionResource>,
        pub permissions: Permissions,
        /// Whether the resource is available to the user before the role is considered. If not, an upgrade is needed,
        /// except for resources of the platform.
        #[serde(default)]
        pub allowed: bool,
    }

    /// The `data` of `GET /api/rbac/user-permissions`.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct UserPermissions {
        pub resources: Vec<PermissionResource>,
    }
);

impl UserType {
    /// Returns whether users of this type are administrators, of their corporation or of the platform.
    pub fn is_administrator(self) -> bool {
        self >= UserType::Admin
    }
}

impl Action {
    pub const ALL: [Action; 4] = [Action::Read, Action::Create, Action::Update, Action::Delete];
}

impl Permissions {
    pub const ALL: Permissions = Permissions { can_read: true, can_create: true, can_update: true, can_delete: true };
    pub const NONE: Permissions =
        Permissions { can_read: false, can_create: false, can_update: false, can_delete: false };

    /// Returns the permissions, with the one to read if any other is granted.
    #[must_use]
    pub fn with_implied_read(self) -> Self {
        Permissions { can_read: self.can_read || self.can_create || self.can_update || self.can_delete, ..self }
    }

    /// Returns whether these permissions include all of `other`.
    pub fn covers(self, other: Permissions) -> bool {
        Action::ALL.into_iter().all(|action| self.allows(action) || !other.allows(action))
    }

    /// Returns the permissions with one action granted or revoked.
    #[must_use]
    pub fn with(mut self, action: Action, granted: bool) -> Self {
        *match action {
            Action::Read => &mut self.can_read,
            Action::Create => &mut self.can_create,
            Action::Update => &mut self.can_update,
            Action::Delete => &mut self.can_delete,
        } = granted;
        self
    }

    pub fn allows(self, action: Action) -> bool {
        match action {
            Action::Read => self.can_read,
            Action::Create => self.can_create,
            Action::Update => self.can_update,
            Action::Delete => self.can_delete,
        }
    }
}

/// The permissions that a role grants on one resource or subresource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub resource_id: String,
    pub permissions: Permissions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admins_and_super_admins_are_administrators() {
        let administrators: Vec<_> = UserType::ALL.iter().filter(|user_type| user_type.is_administrator()).collect();
        assert_eq!(administrators, [&UserType::Admin, &UserType::SuperAdmin]);
    }

    #[test]
    fn granting_or_revoking_an_action_changes_no_other() {
        for action in Action::ALL {
            let (one, others) = (Permissions::NONE.with(action, true), Permissions::ALL.with(action, false));
            for other in Action::ALL {
                assert_eq!((one.allows(other), others.allows(other)), (other == action, other != action), "{other:?}");
            }
        }
    }
}
