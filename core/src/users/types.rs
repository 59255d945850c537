//! What travels about users. Field names are the specification's (sections 3 and 7).

use crate::form::text_or_null;
use crate::permissions::UserType;
use serde::{Deserialize, Serialize};

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`; PUT on `{PATH}/{id}/password` sets the password.
pub const PATH: &str = "/api/users";
/// Users on a page when nothing is said, and on a page of the screen (specification section 9).
pub const PAGE_SIZE: u32 = 10;
pub const SCREEN_PAGE_SIZE: u32 = 15;
/// The longest mobile number, in characters.
pub const MOBILE_MAX: u64 = 50;

/// A user's role.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserRole {
    #[serde(default)]
    pub role_id: String,
    pub name: String,
}

/// A user as the list shows them.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub user_id: String,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub mobile: String,
    /// Absent without a role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<UserRole>,
    /// On how many resources the person may do anything.
    #[serde(rename = "permissionsCount")]
    pub permissions_count: u32,
    pub user_type: UserType,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub is_active: bool,
    /// May whoever asks change this person, and delete them? By [`super::may_manage`] and [`super::may_delete`].
    pub can_update: bool,
    pub can_delete: bool,
    /// Counts the changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
}

/// Which users a list asks for; the numbers as [`crate::paging::PageQuery`] reads them.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserQuery {
    pub page: u32,
    pub limit: u32,
    pub search: String,
}

/// A page of users.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserList {
    /// Always `true`.
    pub success: bool,
    pub data: Vec<User>,
    #[serde(rename = "totalItems")]
    pub total_items: u64,
    #[serde(rename = "totalPages")]
    pub total_pages: u32,
}

/// Who a user is to be. The type travels as a text, so that a wrong one is told beside its field.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserFields {
    #[serde(deserialize_with = "text_or_null")]
    pub first_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub last_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub mobile: String,
    /// Empty means `User`.
    #[serde(deserialize_with = "text_or_null")]
    pub user_type: String,
    #[serde(deserialize_with = "text_or_null")]
    pub role_id: String,
}

/// A user to be made. `Debug` is left out on purpose: it holds a password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UserInput {
    #[serde(flatten)]
    pub fields: UserFields,
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
}

/// A user as they are to become. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UserUpdateInput {
    #[serde(flatten)]
    pub fields: UserFields,
    /// Blank keeps the one there is.
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
    /// The version that the update was based on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// Another person's new password. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PasswordInput {
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
}
