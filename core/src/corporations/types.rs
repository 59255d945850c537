//! The JSON types of corporations.

use crate::organizations::{Organization, OrganizationInput};
use crate::permissions::UserType;
use crate::problem::Ban;
use crate::secret::Secret;
use crate::users::{UserFields, UserRole};
use serde::{Deserialize, Serialize};

/// GET lists; GET, PUT and DELETE on `{PATH}/{id}`; GET on `{PATH}/{corpId}/users` and `{PATH}/{corpId}/roles`; POST
/// and DELETE on `{PATH}/{id}/resources` allow and disallow resources. POST on `{PATH}/{id}/decline` declines a
/// sign-up.
pub const PATH: &str = "/api/corporations";
/// POST creates a corporation.
pub const REGISTER: &str = "/api/orgs/register";
/// PUT updates a corporation.
pub const UPDATE: &str = "/api/orgs/update";
/// POST creates a user of a corporation; PUT on `{USERS}/{id}` updates one; POST on `{USERS}/{id}/ban` bans, DELETE
/// unbans.
pub const USERS: &str = "/api/corporations/users";
/// GET: the resources that a corporation can be allowed to use.
pub const RESOURCES: &str = "/api/corporations/resources";
/// GET: the signed-in user's corporation.
pub const CURRENT: &str = "/api/corporations/corporations/current";
/// GET: the resources that are available to the signed-in user.
pub const ALLOWED_RESOURCES: &str = "/api/corporations/allowed-resources";
/// Default number of corporations per page.
pub const PAGE_SIZE: u32 = 10;
/// Number of corporations per page on the screen.
pub const SCREEN_PAGE_SIZE: u32 = 15;

api_types!(
    /// A corporation in the list. Missing texts are empty.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Corporation {
        pub corp_id: String,
        pub corp_name: String,
        pub corp_active: bool,
        /// Ids of the modules that the corporation may use, in the order of the catalogue. The other resources belong to
        /// every corporation.
        pub allowed_resources: Vec<String>,
        /// The titles of the resources in `allowed_resources`, in the same order.
        pub allowed_resources_names: Vec<String>,
        pub organization_number: String,
        pub street_address: String,
        pub registered_city: String,
        pub postal_code: String,
        pub city: String,
        /// The ISO 3166 code of the corporation's country.
        pub country: String,
        pub company_email: String,
        pub company_phone: String,
        /// Name of the first Admin or Super Admin.
        pub corp_contact_name: String,
        /// E-mail address of the first Admin or Super Admin.
        pub corp_contact_email: String,
        /// Whether it has signed up and was not activated yet.
        pub awaits_approval: bool,
        /// Whether this is the platform's own corporation, which can't be deleted.
        pub is_platform: bool,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }

    /// A user in a corporation's list of users.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CorporationUser {
        pub id: String,
        pub first: String,
        pub last: String,
        pub email: String,
        pub mobile: String,
        #[serde(rename = "type")]
        pub user_type: UserType,
        /// Absent if the user has no role.
        #[serde(default, rename = "UserRole", skip_serializing_if = "Option::is_none")]
        pub user_role: Option<UserRole>,
        pub is_active: bool,
        /// False for the signed-in user and for the last active administrator, who can't be deactivated.
        pub can_deactivate: bool,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
        /// Absent unless the user is banned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ban: Option<Ban>,
    }

    /// The users of a corporation, or a page of them if the request has `page` or `limit`. Sorted by name unless the
    /// request has a sort order. Without a page, the last ones are left out if all don't fit into a response.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CorporationUserList {
        /// Always `true`.
        pub success: bool,
        pub data: Vec<CorporationUser>,
        /// The number of users that match the request, on all pages.
        #[serde(rename = "totalItems")]
        pub total_items: u64,
    }

    /// A resource in the form where a Super Admin chooses what a corporation may use.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CorporationResource {
        pub resource_id: String,
        pub title: String,
        pub description: String,
        pub icon: String,
        /// Whether it is a module: a corporation that signs up may use all of them, and a new form has them selected.
        /// The other resources belong to every corporation, whether it is allowed to use them or not.
        pub is_module: bool,
    }

    /// The `corporation` object in the response with a corporation's full details.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CorporationDetails {
        pub corp_id: String,
        pub corp_name: String,
        pub corp_active: bool,
        pub allowed_resources: Vec<String>,
        pub is_platform: bool,
        pub version: i64,
    }

    /// The `organization` object in the response with a corporation's full details. It contains the organization number
    /// under both of its names.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    pub struct OrganizationDetails {
        #[serde(flatten)]
        pub organization: Organization,
        #[serde(rename = "legalId")]
        pub legal_id: String,
    }

    /// The `data` of `GET /api/corporations/{id}/full-details`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "wasm", tsify(hashmap_as_object))]
    pub struct FullDetails {
        pub corporation: CorporationDetails,
        pub organization: OrganizationDetails,
    }
);

forms!(
    /// A new corporation's first Admin.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct AdminInput {
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub phone: String,
        pub password: Secret<String>,
    }

    /// The Company Registration form.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct CorporationInput {
        #[serde(flatten)]
        pub organization: OrganizationInput,
        /// The ISO 3166 code of the corporation's country, which determines its first currency and VAT rate; `GB` if
        /// it is empty.
        pub country: String,
        /// Ids of the resources that the new corporation may use.
        pub allowed_resources: Vec<String>,
        pub admin_data: AdminInput,
        /// The terms checkbox. Optional for API clients.
        pub agreed: Option<bool>,
    }

    /// The Edit Corporation form. An `admin_data` field is ignored.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct CorporationUpdateInput {
        /// Id of the corporation, for routes without an id in the path.
        pub corp_id: String,
        #[serde(flatten)]
        pub organization: OrganizationInput,
        /// If absent, the corporation stays active or inactive.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub corp_active: Option<bool>,
        /// If absent, the corporation's resources stay unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub allowed_resources: Option<Vec<String>>,
        /// The version that the update is based on.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub version: Option<i64>,
        /// The terms checkbox. Optional for API clients.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub agreed: Option<bool>,
    }

    /// Declines the sign-up of a corporation that waits for approval.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct DeclineInput {
        /// Is mailed to the applicant. Optional.
        pub reason: String,
    }
);

api_types!(
    /// Resources that a corporation is allowed or no longer allowed to use.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ResourcesInput {
        #[serde(rename = "resourceIds")]
        pub resource_ids: Vec<String>,
    }
);

forms!(
    /// A new user of a corporation.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct CorporationUserInput {
        pub corp_id: String,
        #[serde(flatten)]
        pub fields: UserFields,
        pub password: Secret<String>,
    }

    /// An update of a corporation's user. `{is_active: false}` alone deactivates the user.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct CorporationUserUpdateInput {
        #[serde(flatten)]
        pub fields: UserFields,
        /// The new password. Blank keeps the current one.
        pub password: Secret<String>,
        pub is_active: Option<bool>,
        /// The version that the update is based on.
        pub version: Option<i64>,
    }
);

api_types!(
    /// The resources that are available to the signed-in user, and whom to ask for more.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct AllowedResources {
        /// Always `true`.
        pub success: bool,
        /// Resources that are available to the user: those that the corporation may use, for a Super Admin all that a
        /// corporation can be allowed to use.
        pub data: Vec<CorporationResource>,
        /// The other resources that a corporation can be allowed to use.
        pub others: Vec<CorporationResource>,
        /// Whom the user can ask for more: for a User the first administrator of the corporation who is active and
        /// not banned; otherwise, or if there is none, the platform.
        pub contact: ContactPerson,
    }

    /// Whom a user can ask for more resources. Missing texts are empty.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ContactPerson {
        pub name: String,
        pub email: String,
    }
);

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
