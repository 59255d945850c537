//! What travels about one's own account. Field names are the specification's (sections 3 and 7).

use crate::form::text_or_null;
use crate::permissions::UserType;
use serde::{Deserialize, Serialize};

/// GET: the signed-in user.
pub const DETAIL: &str = "/api/auth/profile/detail";
/// POST, multipart: the fields of [`ProfileInput`], and optionally a picture in [`AVATAR_FIELD`].
pub const UPDATE: &str = "/api/auth/profile/update-profile";
pub const AVATAR_FIELD: &str = "profileImage";
pub const CHANGE_PASSWORD: &str = "/api/auth/change-password";
/// DELETE, with [`DeleteAccountInput`] as its body.
pub const DELETE_ACCOUNT: &str = "/api/profile/delete-account";
/// PUT: the language that the signed-in person reads the screens in, on all their devices.
pub const LANGUAGE: &str = "/api/auth/profile/language";

/// A language of the screens. Mails, files and the answers of the API are English.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// Swedish.
    Sv,
}

impl Language {
    /// The language of this tag, to the letter; none if it is none of these.
    pub fn parse(tag: &str) -> Option<Self> {
        match tag {
            "en" => Some(Language::En),
            "sv" => Some(Language::Sv),
            _ => None,
        }
    }
}

/// The corporation of the signed-in user.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileCorporation {
    pub corp_id: String,
    pub corp_name: String,
}

/// The company record of the signed-in user's corporation; absent texts are empty.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The signed-in user (specification section 3, User profile).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    pub id: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub mobile: String,
    #[serde(rename = "type")]
    pub user_type: UserType,
    /// The link of the person's picture; empty without one.
    #[serde(default, rename = "profileImage")]
    pub profile_image: String,
    /// The link of the corporation's logo; empty without one.
    #[serde(default)]
    pub logo: String,
    /// The colour that applies: the person's own, else the corporation's, else the default.
    #[serde(default)]
    pub theme: String,
    /// The language that the person has chosen; absent while they never have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The name of the person's role, empty when there is none.
    pub role: String,
    pub corp: ProfileCorporation,
    #[serde(default)]
    pub organization: ProfileOrganization,
    /// Is the person connected with the provider that one can sign in with?
    #[serde(default)]
    pub connected: bool,
}

/// The Edit Profile form. `Debug` is left out on purpose: it may hold a password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProfileInput {
    #[serde(deserialize_with = "text_or_null")]
    pub first_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub last_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub mobile: String,
    /// Needed only where the email becomes another one.
    #[serde(deserialize_with = "text_or_null", rename = "currentPassword")]
    pub current_password: String,
    /// The email until now, against which a change is told. The server takes its own, whatever is sent.
    #[serde(deserialize_with = "text_or_null", rename = "knownEmail")]
    pub known_email: String,
}

/// Proves by the password that it is the person who connects the account with a provider: from then on the provider's
/// word lets somebody in. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ConnectInput {
    #[serde(deserialize_with = "text_or_null")]
    pub current_password: String,
}

/// The Change Password form. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ChangePasswordInput {
    #[serde(deserialize_with = "text_or_null")]
    pub current_password: String,
    #[serde(deserialize_with = "text_or_null")]
    pub new_password: String,
    /// The screen's third field; a client may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_password: Option<String>,
}

/// Proves by the password that it is the person who deletes their account. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DeleteAccountInput {
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
}

/// The language that the person chooses.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LanguageInput {
    /// `en` or `sv`.
    #[serde(deserialize_with = "text_or_null")]
    pub language: String,
}
