//! The JSON types of users.

use crate::permissions::UserType;
use crate::secret::Secret;
use serde::{Deserialize, Serialize};

/// GET lists, POST creates; GET, PUT and DELETE on `{PATH}/{id}`; PUT on `{PATH}/{id}/password` sets the password.
pub const PATH: &str = "/api/users";
/// Default number of users per page.
pub const PAGE_SIZE: u32 = 10;
/// Number of users per page on the screen.
pub const SCREEN_PAGE_SIZE: u32 = 15;
/// Maximum length of a mobile number, in characters.
pub const MOBILE_MAX: u64 = 50;

api_types!(
    /// A user's role.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct UserRole {
        #[serde(default)]
        pub role_id: String,
        pub name: String,
    }

    /// A user in the list.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct User {
        pub user_id: String,
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub mobile: String,
        /// Absent if the user has no role.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub role: Option<UserRole>,
        /// Number of top-level resources on which, or on a subresource of which, the user has a permission.
        #[serde(rename = "permissionsCount")]
        pub permissions_count: u32,
        pub user_type: UserType,
        /// RFC 3339, UTC.
        pub created_at: String,
        pub is_active: bool,
        /// Whether an administrator of the platform has banned the user.
        pub is_banned: bool,
        /// Whether this user's type and permissions are within those of the signed-in user. Updating also requires the
        /// permission to update users.
        pub can_update: bool,
        /// Whether `can_update` is `true`, and this is neither the signed-in user nor a Super Admin.
        pub can_delete: bool,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }
);

forms!(
    /// The fields of a user form. The type is a text, so that an invalid one is reported as an error of its field.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct UserFields {
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub mobile: String,
        /// Empty means `User` for a new user. In an update, the stored type is kept.
        pub user_type: String,
        pub role_id: String,
    }

    /// A new user.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct UserInput {
        #[serde(flatten)]
        pub fields: UserFields,
        pub password: Secret<String>,
    }

    /// An update of a user.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct UserUpdateInput {
        #[serde(flatten)]
        pub fields: UserFields,
        /// The new password. Empty keeps the current one.
        pub password: Secret<String>,
        /// The version that the update is based on.
        pub version: Option<i64>,
    }

    /// A new password for another user.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct PasswordInput {
        pub password: Secret<String>,
    }
);
