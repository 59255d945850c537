//! What travels about corporations. Field names are the specification's (section 3).

use crate::form::text_or_null;
use crate::organizations::{Organization, OrganizationInput};
use crate::permissions::UserType;
use crate::problem::Ban;
use crate::users::{UserFields, UserRole};
use serde::{Deserialize, Serialize};

/// GET lists; GET, PUT and DELETE on `{PATH}/{id}`; `{PATH}/{corpId}/users` and `{PATH}/{corpId}/roles` list what is one
/// corporation's; `{PATH}/{id}/resources` adds and takes away what it may use.
pub const PATH: &str = "/api/corporations";
/// POST makes a corporation; PUT changes one.
pub const REGISTER: &str = "/api/orgs/register";
pub const UPDATE: &str = "/api/orgs/update";
/// POST makes a user of a corporation; PUT on `{USERS}/{id}` changes one; POST on `{USERS}/{id}/ban` bans, DELETE lifts.
pub const USERS: &str = "/api/corporations/users";
/// GET: what a corporation can be allowed, the signed-in person's corporation, and what that is allowed.
pub const RESOURCES: &str = "/api/corporations/resources";
pub const CURRENT: &str = "/api/corporations/corporations/current";
pub const ALLOWED_RESOURCES: &str = "/api/corporations/allowed-resources";
/// Corporations on a page when nothing is said (specification section 9).
pub const PAGE_SIZE: u32 = 10;
/// Corporations on a page of the screen (specification section 9).
pub const SCREEN_PAGE_SIZE: u32 = 15;

/// A corporation as the list shows it; absent texts are empty.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corporation {
    pub corp_id: String,
    pub corp_name: String,
    pub corp_active: bool,
    /// Ids of the resources that the corporation may use, in the catalogue's order.
    pub allowed_resources: Vec<String>,
    /// The titles of the same.
    pub allowed_resources_names: Vec<String>,
    pub organization_number: String,
    pub street_address: String,
    pub registered_city: String,
    pub postal_code: String,
    pub city: String,
    pub company_email: String,
    pub company_phone: String,
    /// The first Admin's name and email.
    pub corp_contact_name: String,
    pub corp_contact_email: String,
    /// Is it the platform's own corporation, which can't be deleted?
    pub is_platform: bool,
    /// Counts the changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
}

/// Which corporations a list asks for; the numbers as [`crate::paging::PageQuery`] reads them.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CorporationQuery {
    pub page: u32,
    pub limit: u32,
    pub search: String,
}

/// A page of corporations.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorporationList {
    /// Always `true`.
    pub success: bool,
    pub data: Vec<Corporation>,
    #[serde(rename = "totalItems")]
    pub total_items: u64,
    #[serde(rename = "totalPages")]
    pub total_pages: u32,
}

/// A user in a corporation's list (specification section 3).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorporationUser {
    pub id: String,
    pub first: String,
    pub last: String,
    pub email: String,
    pub mobile: String,
    #[serde(rename = "type")]
    pub user_type: UserType,
    /// Absent without a role.
    #[serde(default, rename = "UserRole", skip_serializing_if = "Option::is_none")]
    pub user_role: Option<UserRole>,
    pub is_active: bool,
    /// Counts the changes, so that a stale update can be told (decisions 6.1).
    pub version: i64,
    /// Absent unless the user is banned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ban: Option<Ban>,
}

/// The users of a corporation by name, as many as fit into a response.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorporationUserList {
    /// Always `true`.
    pub success: bool,
    pub data: Vec<CorporationUser>,
    /// How many users the corporation has.
    #[serde(rename = "totalItems")]
    pub total_items: u64,
}

/// A resource that a corporation can be allowed, as the picker shows it.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorporationResource {
    pub resource_id: String,
    pub title: String,
    pub description: String,
    pub icon: String,
}

/// The corporation's part of its full details.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorporationDetails {
    pub corp_id: String,
    pub corp_name: String,
    pub corp_active: bool,
    pub allowed_resources: Vec<String>,
    pub is_platform: bool,
    pub version: i64,
}

/// The company record's part of the full details; the number stands under both of its names (decisions 4.3).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrganizationDetails {
    #[serde(flatten)]
    pub organization: Organization,
    #[serde(rename = "legalId")]
    pub legal_id: String,
}

/// What `GET {PATH}/{id}/full-details` holds under `data`.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FullDetails {
    pub corporation: CorporationDetails,
    pub organization: OrganizationDetails,
}

impl From<Corporation> for FullDetails {
    fn from(corporation: Corporation) -> Self {
        FullDetails {
            organization: OrganizationDetails {
                legal_id: corporation.organization_number.clone(),
                organization: Organization {
                    organization_number: corporation.organization_number,
                    corp_name: corporation.corp_name.clone(),
                    street_address: corporation.street_address,
                    registered_city: corporation.registered_city,
                    postal_code: corporation.postal_code,
                    city: corporation.city,
                    company_email: corporation.company_email,
                    company_phone: corporation.company_phone,
                },
            },
            corporation: CorporationDetails {
                corp_id: corporation.corp_id,
                corp_name: corporation.corp_name,
                corp_active: corporation.corp_active,
                allowed_resources: corporation.allowed_resources,
                is_platform: corporation.is_platform,
                version: corporation.version,
            },
        }
    }
}

/// A new corporation's first Admin. `Debug` is left out on purpose: it holds a password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AdminInput {
    #[serde(deserialize_with = "text_or_null")]
    pub first_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub last_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub phone: String,
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
}

/// The Company Registration form. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CorporationInput {
    #[serde(flatten)]
    pub organization: OrganizationInput,
    /// Ids of the resources that it may use.
    pub allowed_resources: Vec<String>,
    pub admin_data: AdminInput,
    /// The screen's checkbox; a client may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed: Option<bool>,
}

/// The Edit Corporation form. An `admin_data` beside it is ignored.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CorporationUpdateInput {
    /// Which one, where the address doesn't say it.
    #[serde(deserialize_with = "text_or_null")]
    pub corp_id: String,
    #[serde(flatten)]
    pub organization: OrganizationInput,
    /// Absent leaves it as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corp_active: Option<bool>,
    /// Absent leaves them as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_resources: Option<Vec<String>>,
    /// The version that the update was based on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// The screen's checkbox; a client may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed: Option<bool>,
}

/// Resources to be added to what a corporation may use, or taken away.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourcesInput {
    #[serde(rename = "resourceIds")]
    pub resource_ids: Vec<String>,
}

/// A user to be made on the corporation's users screen. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CorporationUserInput {
    #[serde(deserialize_with = "text_or_null")]
    pub corp_id: String,
    #[serde(flatten)]
    pub fields: UserFields,
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
}

/// A user as they are to become, or only whether they are active: `{is_active: false}` alone deactivates. `Debug` is left
/// out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CorporationUserUpdateInput {
    #[serde(flatten)]
    pub fields: UserFields,
    /// Blank keeps the one there is.
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
    /// The version that the update was based on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// What the signed-in person's corporation may use, and whom to ask for more.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedResources {
    /// Always `true`.
    pub success: bool,
    /// What it may use.
    pub data: Vec<CorporationResource>,
    /// What it could use beyond that.
    pub others: Vec<CorporationResource>,
    /// A User asks their Admin, an Admin the platform.
    pub contact: ContactPerson,
}

/// Whom to ask; absent texts are empty.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactPerson {
    pub name: String,
    pub email: String,
}
