//! The JSON types of organizations.

use crate::form::text_or_null;
use serde::{Deserialize, Serialize};

/// POST with an [`OrganizationQuery`] looks up a company by its number.
pub const SEARCH: &str = "/api/orgs/search";
pub const PUBLIC_SEARCH: &str = "/api/orgs/public-search";
pub const CHECK_EXISTS: &str = "/api/orgs/check-exists";
/// Maximum length of each text in a company record, in characters.
pub const TEXT_MAX: u64 = 200;

api_types!(
    /// The company fields of a form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct OrganizationInput {
        #[serde(deserialize_with = "text_or_null")]
        pub organization_number: String,
        /// Alternative name of `organization_number`.
        #[serde(deserialize_with = "text_or_null", rename = "legalId", skip_serializing_if = "String::is_empty")]
        pub legal_id: String,
        #[serde(deserialize_with = "text_or_null")]
        pub corp_name: String,
        #[serde(deserialize_with = "text_or_null")]
        pub street_address: String,
        #[serde(deserialize_with = "text_or_null")]
        pub registered_city: String,
        #[serde(deserialize_with = "text_or_null")]
        pub postal_code: String,
        #[serde(deserialize_with = "text_or_null")]
        pub city: String,
        #[serde(deserialize_with = "text_or_null")]
        pub company_email: String,
        #[serde(deserialize_with = "text_or_null")]
        pub company_phone: String,
    }

    /// The number by which a company is looked up.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct OrganizationQuery {
        #[serde(deserialize_with = "text_or_null")]
        pub organization_number: String,
        /// Alternative name of `organization_number`.
        #[serde(deserialize_with = "text_or_null", rename = "legalId", skip_serializing_if = "String::is_empty")]
        pub legal_id: String,
    }

    /// A company record. Missing texts are empty.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Organization {
        pub organization_number: String,
        pub corp_name: String,
        pub street_address: String,
        pub registered_city: String,
        pub postal_code: String,
        pub city: String,
        pub company_email: String,
        pub company_phone: String,
    }

    /// Whether a corporation with this number exists on this installation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct OrganizationExists {
        pub exists: bool,
    }
);
