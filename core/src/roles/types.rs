//! The JSON types of roles.

use crate::permissions::Permissions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// GET lists, POST creates; PUT and DELETE on `{PATH}/{roleId}`; POST on `{PATH}/{roleId}/permissions` sets the matrix.
pub const PATH: &str = "/api/rbac/roles";
/// Maximum length of a role's name, in characters.
pub const NAME_MAX: u64 = 100;
/// Maximum length of a role's description, in characters.
pub const DESCRIPTION_MAX: u64 = 500;
/// Maximum number of roles per corporation. The list is not paged.
pub const ROLES_MAX: u32 = 200;

api_types!(
    /// A resource or a subresource in a role's matrix.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct RoleResource {
        pub resource_id: String,
        pub title: String,
        pub route: String,
        pub icon: String,
        pub description: String,
        /// Position among its siblings, starting at 1.
        pub position: u32,
        pub has_subresources: bool,
        pub permissions: Permissions,
        /// What the requesting user may grant on the resource.
        #[serde(default)]
        pub grantable: Permissions,
        pub subresources: Vec<RoleResource>,
    }

    /// A role with its permission matrix.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    pub struct Role {
        pub role_id: String,
        pub name: String,
        pub description: String,
        /// Number of top-level resources with a permission on them or on one of their subresources.
        #[serde(rename = "permissionsCount")]
        pub permissions_count: u32,
        /// All resources that the corporation may use, by id.
        pub permissions: BTreeMap<String, RoleResource>,
        /// Number of users with this role.
        #[serde(rename = "usersCount")]
        pub users_count: u64,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
        /// Whether the requesting user may change the role.
        pub can_update: bool,
        /// Whether the requesting user may give the role to users.
        pub can_assign: bool,
    }
);

forms!(
    /// The role form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct RoleInput {
        pub name: String,
        pub description: String,
        /// The version that an update is based on.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub version: Option<i64>,
    }

    /// One line of a submitted matrix: the permissions on a resource and on its subresources.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct GrantInput {
        pub resource_id: String,
        /// Route of a subresource. Ignored.
        pub route: String,
        pub can_read: bool,
        pub can_create: bool,
        pub can_update: bool,
        pub can_delete: bool,
        pub subresources: Vec<GrantInput>,
    }
);

api_types!(
    /// A submitted matrix. It replaces all grants of the role.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PermissionsInput {
        pub permissions: Vec<GrantInput>,
        /// The version that the update is based on.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub version: Option<i64>,
    }
);

impl GrantInput {
    pub(super) fn permissions(&self) -> Permissions {
        Permissions {
            can_read: self.can_read,
            can_create: self.can_create,
            can_update: self.can_update,
            can_delete: self.can_delete,
        }
    }
}
