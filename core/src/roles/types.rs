//! What travels about roles. Field names are the specification's (sections 3 and 7).

use crate::form::text_or_null;
use crate::permissions::Permissions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// GET lists, POST creates; PUT and DELETE on `{PATH}/{roleId}`; POST on `{PATH}/{roleId}/permissions` sets the matrix.
pub const PATH: &str = "/api/rbac/roles";
/// The longest name and description, in characters.
pub const NAME_MAX: u64 = 100;
pub const DESCRIPTION_MAX: u64 = 500;
/// The most roles of a corporation, all of which the list answers at once.
pub const ROLES_MAX: u32 = 200;

/// A resource or a subresource in a role's matrix.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleResource {
    pub resource_id: String,
    pub title: String,
    pub route: String,
    pub icon: String,
    pub description: String,
    /// Its place among its siblings, from 1: a map has no order.
    pub position: u32,
    pub has_subresources: bool,
    pub permissions: Permissions,
    pub subresources: Vec<RoleResource>,
}

/// A role as the list shows it.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    pub role_id: String,
    pub name: String,
    pub description: String,
    /// How many resources it grants anything on; subresources count with their parent.
    #[serde(rename = "permissionsCount")]
    pub permissions_count: u32,
    /// Every resource that the corporation may use, by its id.
    pub permissions: BTreeMap<String, RoleResource>,
    /// How many users hold it.
    #[serde(rename = "usersCount")]
    pub users_count: u64,
    /// Counts the role's changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
}

/// A role's name and description, as they are filled in.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RoleInput {
    #[serde(deserialize_with = "text_or_null")]
    pub name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub description: String,
    /// The version that an update was based on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// One line of a matrix as it is sent: what is granted on a resource, and on its subresources.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GrantInput {
    #[serde(deserialize_with = "text_or_null")]
    pub resource_id: String,
    /// A subresource's; nothing depends on it.
    #[serde(deserialize_with = "text_or_null")]
    pub route: String,
    pub can_read: bool,
    pub can_create: bool,
    pub can_update: bool,
    pub can_delete: bool,
    pub subresources: Vec<GrantInput>,
}

/// A role's whole matrix as it is sent. What it doesn't name isn't granted.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PermissionsInput {
    pub permissions: Vec<GrantInput>,
    /// The version that the change was based on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

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
