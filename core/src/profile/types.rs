//! The JSON types of the signed-in user's own account.

use crate::form::optional_secret;
use crate::permissions::UserType;
use crate::secret::Secret;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};

/// GET: the signed-in user.
pub const DETAIL: &str = "/api/auth/profile/detail";
/// POST, multipart: the fields of [`ProfileInput`], and optionally an image in [`AVATAR_FIELD`].
pub const UPDATE: &str = "/api/auth/profile/update-profile";
pub const AVATAR_FIELD: &str = "profileImage";
pub const CHANGE_PASSWORD: &str = "/api/auth/change-password";
/// DELETE with a [`DeleteAccountInput`] body.
pub const DELETE_ACCOUNT: &str = "/api/profile/delete-account";
/// PUT sets the language of the screens, on all of the user's devices.
pub const LANGUAGE: &str = "/api/auth/profile/language";

string_enum! {
    /// A language of the screens. Mails, files and API responses are in English.
    Language {
        /// English.
        En = "en",
        /// Swedish.
        Sv = "sv",
    }
}

api_types!(
    /// The corporation of the signed-in user.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ProfileCorporation {
        pub corp_id: String,
        pub corp_name: String,
        /// The corporation's country, and the currency and the VAT of its prices.
        #[serde(flatten)]
        pub settings: Settings,
    }

    /// The company record of the signed-in user's corporation. Missing texts are empty.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ProfileOrganization {
        pub organization_name: String,
        pub organization_number: String,
        pub organization_email: String,
        pub organization_phone: String,
        pub business_category: String,
        pub legal_form: String,
        pub company_email: String,
        pub company_phone: String,
    }

    /// The signed-in user.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Profile {
        pub id: String,
        pub email: String,
        pub first_name: String,
        pub last_name: String,
        pub mobile: String,
        #[serde(rename = "type")]
        pub user_type: UserType,
        /// URL of the profile picture; empty if there is none.
        #[serde(default, rename = "profileImage")]
        pub profile_image: String,
        /// URL of the corporation's logo; empty if there is none.
        #[serde(default)]
        pub logo: String,
        /// The colour that the screens have: the user's own, or else the corporation's, or else the default.
        #[serde(default)]
        pub theme: String,
        /// The chosen language. Absent if the user has never chosen one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub language: Option<Language>,
        /// Name of the user's role; empty if there is none.
        pub role: String,
        pub corp: ProfileCorporation,
        #[serde(default)]
        pub organization: ProfileOrganization,
        /// Whether the account is connected to the identity provider.
        #[serde(default)]
        pub connected: bool,
        /// Increases with every update of the user; used to detect conflicting updates.
        pub version: i64,
    }
);

forms!(
    /// The Edit Profile form.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct ProfileInput {
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub mobile: String,
        /// Required only if the e-mail address changes.
        #[serde(rename = "currentPassword")]
        pub current_password: Secret<String>,
        /// The current e-mail address, to detect a change. The server overwrites it with the stored one.
        #[serde(rename = "knownEmail")]
        pub known_email: String,
        /// The version that the update is based on.
        pub version: Option<i64>,
    }

    /// The password that confirms connecting the account to an identity provider, with which the user can sign in from
    /// then on.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct ConnectInput {
        pub current_password: Secret<String>,
    }

    /// The Change Password form.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct ChangePasswordInput {
        pub current_password: Secret<String>,
        pub new_password: Secret<String>,
        /// The repeated new password. Optional for API clients.
        #[serde(deserialize_with = "optional_secret")]
        pub confirm_password: Option<Secret<String>>,
    }

    /// The password that confirms deleting the account.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct DeleteAccountInput {
        pub password: Secret<String>,
    }

    /// The chosen language.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct LanguageInput {
        /// `en` or `sv`.
        pub language: String,
    }
);
