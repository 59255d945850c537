//! What travels when a person signs in. Field names are the specification's (section 7).

use crate::form::text_or_null;
use crate::permissions::UserType;
use serde::{Deserialize, Serialize};

pub const LOGIN: &str = "/api/auth/login";
pub const VERIFY_OTP: &str = "/api/auth/verify-otp";
pub const RESEND_OTP: &str = "/api/auth/resend-otp";
pub const REFRESH_TOKEN: &str = "/api/auth/refresh-token";
pub const LOGOUT: &str = "/api/auth/logout";
pub const PROFILE: &str = "/api/auth/profile/detail";

/// The login form. `Debug` is left out on purpose: it holds a password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LoginInput {
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
    #[serde(deserialize_with = "text_or_null")]
    pub device_id: String,
    #[serde(deserialize_with = "text_or_null")]
    pub device_name: String,
    /// Trust this device for 30 days once the code is verified (decisions 2.1).
    pub remember_me: bool,
}

/// The code page.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CodeInput {
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub otp: String,
    #[serde(deserialize_with = "text_or_null")]
    pub device_id: String,
}

/// Asks for a new code.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ResendInput {
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub device_id: String,
    #[serde(deserialize_with = "text_or_null")]
    pub device_name: String,
}

/// Changes a refresh token for a new pair.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RefreshInput {
    #[serde(deserialize_with = "text_or_null")]
    pub refresh_token: String,
}

/// A session's two tokens: the access token is a JWT of 15 minutes, the refresh token opaque and good for one use.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    pub access_token: String,
    pub refresh_token: String,
}

/// `data` of a sign-in, a verified code and a refresh.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenData {
    pub tokens: Tokens,
}

/// The answer to a sign-in, a verified code and a refresh: either a code is asked for, or the tokens are there.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignIn {
    /// Always `true`.
    pub success: bool,
    pub message: String,
    pub requires_verification: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<TokenData>,
}

impl SignIn {
    pub fn code_sent() -> Self {
        SignIn { success: true, message: super::text::CODE_SENT.into(), requires_verification: true, data: None }
    }

    pub fn signed_in(tokens: Tokens) -> Self {
        SignIn {
            success: true,
            message: super::text::SIGNED_IN.into(),
            requires_verification: false,
            data: Some(TokenData { tokens }),
        }
    }
}

/// The corporation of the signed-in user.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileCorporation {
    pub corp_id: String,
    pub corp_name: String,
}

/// The signed-in user (specification section 3, User profile).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    pub id: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub mobile: String,
    #[serde(rename = "type")]
    pub user_type: UserType,
    /// The name of the person's role, empty when there is none.
    pub role: String,
    pub corp: ProfileCorporation,
}

/// What the login screen must know before anybody has signed in; it is written into the page by the server.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// The product's name as this installation shows it.
    pub brand: String,
    /// Where the demo's mailbox can be read; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailbox: Option<String>,
}
