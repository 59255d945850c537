//! The JSON types of organizations.

use serde::{Deserialize, Serialize};

/// POST with an [`OrganizationQuery`] looks up a company by its number.
pub const SEARCH: &str = "/api/orgs/search";
pub const PUBLIC_SEARCH: &str = "/api/orgs/public-search";
pub const CHECK_EXISTS: &str = "/api/orgs/check-exists";
/// Maximum length of each text in a company record, in characters.
pub const TEXT_MAX: u64 = 200;

forms!(
    /// The company fields of a form.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct OrganizationInput {
        pub organization_number: String,
        /// Alternative name of `organization_number`.
        #[serde(rename = "legalId", skip_serializing_if = "String::is_empty")]
        pub legal_id: String,
        pub corp_name: String,
        pub street_address: String,
        pub registered_city: String,
        pub postal_code: String,
        pub city: String,
        pub company_email: String,
        pub company_phone: String,
    }

    /// The number by which a company is looked up.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct OrganizationQuery {
        pub organization_number: String,
        /// Alternative name of `organization_number`.
        #[serde(rename = "legalId", skip_serializing_if = "String::is_empty")]
        pub legal_id: String,
    }
);

api_types!(
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
