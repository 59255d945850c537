//! What travels when a person signs in. Field names are the specification's (section 7).

use crate::form::{HouseRules, text_or_null};
use crate::organizations::OrganizationInput;
use serde::{Deserialize, Serialize};

pub const LOGIN: &str = "/api/auth/login";
pub const VERIFY_OTP: &str = "/api/auth/verify-otp";
pub const RESEND_OTP: &str = "/api/auth/resend-otp";
pub const REFRESH_TOKEN: &str = "/api/auth/refresh-token";
pub const LOGOUT: &str = "/api/auth/logout";
pub const VERIFY_TOKEN: &str = "/api/auth/verify-token";
pub const FORGOT_PASSWORD: &str = "/api/auth/forgot-password";
pub const RESET_PASSWORD: &str = "/api/auth/reset-password";
pub const VERIFY_EMAIL: &str = "/api/auth/verify-email";
/// A browser goes there to sign in with the configured provider; `{FEDERATED}/callback` is where it comes back to.
pub const FEDERATED: &str = "/api/auth/google";
/// POST begins to connect the signed-in person with that provider, DELETE disconnects.
pub const CONNECT: &str = "/api/auth/google/connect";

/// The login form. `Debug` is left out on purpose: it holds a password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RefreshInput {
    #[serde(deserialize_with = "text_or_null")]
    pub refresh_token: String,
}

/// Asks for a link to choose a new password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ForgotInput {
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
}

/// Chooses a new password with the link's token. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ResetInput {
    #[serde(deserialize_with = "text_or_null")]
    pub token: String,
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
    /// The screen's second field; a client may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_password: Option<String>,
}

/// Confirms a sign-up with the token of the link in its mail. `Debug` is left out on purpose.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VerifyEmailInput {
    #[serde(deserialize_with = "text_or_null")]
    pub token: String,
}

/// A pair to be verified: a session's own, or the one-time values of a federated sign-in (decisions 2.7).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct VerifyTokenInput {
    #[serde(deserialize_with = "text_or_null")]
    pub access_token: String,
    #[serde(deserialize_with = "text_or_null")]
    pub refresh_token: String,
}

/// `data` of a verified pair.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedData {
    pub valid: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

/// The answer to a pair: whether it is valid, and the pair to go on with.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// Always `true`: the question was answered.
    pub success: bool,
    pub data: VerifiedData,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

impl Verified {
    /// The pair to go on with, or that there is none.
    pub fn new(tokens: Option<Tokens>) -> Self {
        let data = VerifiedData { valid: tokens.is_some(), tokens: tokens.clone() };
        Verified { success: true, data, tokens }
    }

    /// The answer as the callback page may use it: with tokens that its address did not carry. A pair that comes back
    /// as it was sent is a session's own; whoever made such a link knows it, and would sign others in as themselves.
    pub fn handed_over(self, sent: &VerifyTokenInput) -> Self {
        let is_new =
            |tokens: &Tokens| tokens.access_token != sent.access_token && tokens.refresh_token != sent.refresh_token;
        Verified::new(self.data.tokens.filter(is_new))
    }
}

/// Registers a corporation with its first Admin: the person and the organisation together (decisions 2.9). `Debug` is
/// left out on purpose: it holds a password.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignupInput {
    #[serde(deserialize_with = "text_or_null")]
    pub first_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub last_name: String,
    #[serde(deserialize_with = "text_or_null")]
    pub email: String,
    #[serde(deserialize_with = "text_or_null")]
    pub mobile: String,
    /// Another spelling of `mobile`.
    #[serde(deserialize_with = "text_or_null")]
    pub phone: String,
    #[serde(deserialize_with = "text_or_null")]
    pub password: String,
    #[serde(flatten)]
    pub organization: OrganizationInput,
}

/// The platform's first Super Admin, as a command or the settings name them. `Debug` is left out on purpose.
#[derive(Clone, Default)]
pub struct FirstAdminInput {
    pub email: String,
    pub password: String,
}

/// Why somebody is banned.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BanInput {
    #[serde(deserialize_with = "text_or_null")]
    pub reason: String,
}

/// Where the browser goes to connect the signed-in person with the provider.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    pub url: String,
}

/// A session's two tokens: the access token is a JWT of 15 minutes, the refresh token opaque and good for one use.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    pub access_token: String,
    pub refresh_token: String,
}

/// `data` of a sign-in, a verified code and a refresh.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenData {
    pub tokens: Tokens,
}

/// The answer to a sign-in, a verified code and a refresh: either a code is asked for, or the tokens are there.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The provider that one can sign in with, such as Google; absent when none is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// What the rules of forms depend on here.
    #[serde(default)]
    pub rules: HouseRules,
}
