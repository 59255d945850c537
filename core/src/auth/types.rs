//! The JSON types of authentication.

use crate::form::{FormSettings, optional_secret};
use crate::message::Message;
use crate::organizations::OrganizationInput;
use crate::secret::{Secret, exposed};
use serde::{Deserialize, Serialize};

pub const LOGIN: &str = "/api/auth/login";
pub const VERIFY_OTP: &str = "/api/auth/verify-otp";
pub const RESEND_OTP: &str = "/api/auth/resend-otp";
pub const REFRESH_TOKEN: &str = "/api/auth/refresh-token";
pub const LOGOUT: &str = "/api/auth/logout";
pub const VERIFY_TOKEN: &str = "/api/auth/verify-token";
pub const FORGOT_PASSWORD: &str = "/api/auth/forgot-password";
pub const RESET_PASSWORD: &str = "/api/auth/reset-password";
pub const SIGNUP: &str = "/api/auth/signup";
pub const VERIFY_EMAIL: &str = "/api/auth/verify-email";
/// GET: redirects the browser to the identity provider, which redirects it back to `{FEDERATED}/callback`.
pub const FEDERATED: &str = "/api/auth/google";
/// POST starts connecting the signed-in user to the identity provider, DELETE disconnects.
pub const CONNECT: &str = "/api/auth/google/connect";

forms!(
    /// The login form.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct LoginInput {
        pub email: String,
        pub password: Secret<String>,
        pub device_id: String,
        pub device_name: String,
        /// Whether the device is trusted for 30 days once the sign-in code is verified.
        pub remember_me: bool,
    }

    /// The form for the sign-in code.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct CodeInput {
        pub email: String,
        pub otp: Secret<String>,
        pub device_id: String,
    }

    /// Requests a new sign-in code.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct ResendInput {
        pub email: String,
        pub device_id: String,
        pub device_name: String,
    }

    /// A request to exchange a refresh token for a new pair of tokens.
    #[derive(Clone, Default, Serialize, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct RefreshInput {
        #[serde(serialize_with = "exposed")]
        pub refresh_token: Secret<String>,
    }

    /// A request for a password reset link.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ForgotInput {
        pub email: String,
    }

    /// A request to set a new password with the token of a reset link.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct ResetInput {
        pub token: Secret<String>,
        pub password: Secret<String>,
        /// The repeated password. Optional for API clients.
        #[serde(deserialize_with = "optional_secret")]
        pub confirm_password: Option<Secret<String>>,
    }

    /// A request to confirm a sign-up with the token of the mailed link.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct VerifyEmailInput {
        pub token: Secret<String>,
    }

    /// A pair of tokens to verify: those of a session, or the one-time values of a federated sign-in.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub struct VerifyTokenInput {
        pub access_token: Secret<String>,
        pub refresh_token: Secret<String>,
    }
);

api_types!(
    /// The `data` of a `Verified`.
    #[derive(Clone, Serialize, Deserialize)]
    pub struct VerifiedData {
        pub valid: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tokens: Option<Tokens>,
    }

    /// The response of `verify-token`: whether the pair is valid, and the session's tokens.
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Verified {
        /// Always `true`, even if the pair is invalid.
        pub success: bool,
        pub data: VerifiedData,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tokens: Option<Tokens>,
    }
);

forms!(
    /// A request to register a corporation with its first Admin.
    #[derive(Clone, Default, Deserialize)]
    #[serde(default)]
    pub struct SignupInput {
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub mobile: String,
        /// Alternative name of `mobile`.
        pub phone: String,
        pub password: Secret<String>,
        #[serde(flatten)]
        pub organization: OrganizationInput,
        /// The ISO 3166 code of the corporation's country, which determines its first currency and VAT rate; `GB` if
        /// it is empty.
        pub country: String,
    }

    /// The ban form.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct BanInput {
        pub reason: String,
    }
);

api_types!(
    /// The URL of the identity provider to which the browser goes to sign in there.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Departure {
        pub url: String,
    }

    /// The tokens of a session: the access token is a JWT, the refresh token is opaque and can be used once.
    #[derive(Clone, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Tokens {
        #[serde(serialize_with = "exposed")]
        pub access_token: Secret<String>,
        #[serde(serialize_with = "exposed")]
        pub refresh_token: Secret<String>,
    }

    /// The `data` of a `SignIn`.
    #[derive(Clone, Serialize, Deserialize)]
    pub struct TokenData {
        pub tokens: Tokens,
    }

    /// The response of login, `verify-otp` and `refresh-token`. It either says that a code is required or contains the
    /// tokens.
    #[derive(Clone, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct SignIn {
        /// Always `true`.
        pub success: bool,
        #[cfg_attr(feature = "wasm", tsify(type = "unknown"))]
        pub message: String,
        /// `message` as a `Message`, with its code.
        #[serde(default)]
        #[cfg_attr(feature = "wasm", serde(deserialize_with = "crate::message::skip"))]
        pub messages: Vec<Message>,
        pub requires_verification: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub data: Option<TokenData>,
    }
);

impl Verified {
    /// Creates the response to `verify-token`. `tokens` are those of the session, `None` if the verified pair is
    /// invalid or its tokens must not be used.
    pub fn new(tokens: Option<Tokens>) -> Self {
        let data = VerifiedData { valid: tokens.is_some(), tokens: tokens.clone() };
        Verified { success: true, data, tokens }
    }

    /// Removes the session's tokens if the request has sent one of them; then the pair counts as invalid. The callback
    /// page must not use them: an attacker could put the tokens of their own session into a link, and sign the victim
    /// in to the attacker's account.
    pub fn without_echoed_tokens(self, sent: &VerifyTokenInput) -> Self {
        let differ = |a: &Secret<String>, b: &Secret<String>| a.expose_secret() != b.expose_secret();
        let is_new = |tokens: &Tokens| {
            differ(&tokens.access_token, &sent.access_token) && differ(&tokens.refresh_token, &sent.refresh_token)
        };
        Verified::new(self.data.tokens.filter(is_new))
    }
}

/// The e-mail and password of a Super Admin whom the command line creates, or of the first one, whom the server creates
/// from its configuration.
#[derive(Clone, Default)]
pub struct SuperAdminInput {
    pub email: String,
    pub password: Secret<String>,
}

impl SignIn {
    fn new(message: &Message, data: Option<TokenData>) -> Self {
        SignIn {
            success: true,
            message: message.as_str().to_owned(),
            messages: vec![message.clone()],
            requires_verification: data.is_none(),
            data,
        }
    }

    pub fn code_sent() -> Self {
        SignIn::new(super::text::CODE_SENT, None)
    }

    pub fn signed_in(tokens: Tokens) -> Self {
        SignIn::new(super::text::SIGNED_IN, Some(TokenData { tokens }))
    }
}

/// The installation's settings that the screens need before sign-in. The server writes them into the page.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// The product's name on this installation.
    pub brand: String,
    /// URL of the demo's mailbox. Absent outside the demo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailbox: Option<String>,
    /// Name of the identity provider. Absent if none is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Whether corporations may register themselves.
    #[serde(default)]
    pub signup: bool,
    /// The settings that form rules depend on.
    #[serde(default)]
    pub rules: FormSettings,
}
