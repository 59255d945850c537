//! What travels about corporations. Field names are the specification's (section 3).

use crate::problem::Ban;
use serde::{Deserialize, Serialize};

/// GET lists; `{PATH}/{corpId}/users` lists one corporation's users.
pub const PATH: &str = "/api/corporations";
/// Corporations on a page when nothing is said (specification section 9).
pub const PAGE_SIZE: u32 = 10;
/// Corporations on a page of the screen (specification section 9).
pub const SCREEN_PAGE_SIZE: u32 = 15;

/// A corporation as the list shows it; absent texts are empty.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
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

/// The name of a user's role.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserRole {
    pub name: String,
}

/// A user in a corporation's list (specification section 3).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorporationUser {
    pub id: String,
    pub first: String,
    pub last: String,
    pub email: String,
    pub mobile: String,
    #[serde(rename = "type")]
    pub user_type: crate::permissions::UserType,
    /// Absent without a role.
    #[serde(default, rename = "UserRole", skip_serializing_if = "Option::is_none")]
    pub user_role: Option<UserRole>,
    pub is_active: bool,
    /// Absent unless the user is banned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ban: Option<Ban>,
}
