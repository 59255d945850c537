//! The settings of sign-in.

use crate::platform::config::http_url;
use clap::Args;
use forecourt_core::secret::Secret;
use openidconnect::IssuerUrl;

/// Heading in the help text.
pub const HEADING: &str = "Users and sign-in";

#[derive(Args, Clone)]
pub struct AuthConfig {
    /// E-mail of the first Super Admin, created at the start if there is none
    #[arg(long, help_heading = HEADING, env = "FORECOURT_ADMIN_EMAIL", value_name = "EMAIL", requires = "admin_password")]
    pub admin_email: Option<String>,

    /// Password of the first Super Admin
    #[arg(long, help_heading = HEADING, env = "FORECOURT_ADMIN_PASSWORD", value_name = "PASSWORD", hide_env_values = true)]
    pub admin_password: Option<Secret<String>>,

    /// Minimum length of new passwords
    #[arg(long, help_heading = HEADING, env = "FORECOURT_PASSWORD_MIN", default_value_t = 6, value_name = "CHARACTERS",
          value_parser = clap::value_parser!(u16).range(6..=256))]
    pub password_min: u16,

    /// The OpenID Connect provider for sign-in; used if a client id is set
    #[arg(long, help_heading = HEADING, env = "FORECOURT_OIDC_ISSUER", default_value = "https://accounts.google.com", value_name = "URL",
          value_parser = issuer_url)]
    pub oidc_issuer: IssuerUrl,

    /// The provider's name on the login screen [default: Google, or the provider's host name]
    #[arg(long, help_heading = HEADING, env = "FORECOURT_OIDC_NAME", value_name = "NAME")]
    pub oidc_name: Option<String>,

    /// The client id from the provider [default: no sign-in with a provider]
    #[arg(long, help_heading = HEADING, env = "FORECOURT_OIDC_CLIENT_ID", value_name = "ID", requires = "oidc_client_secret")]
    pub oidc_client_id: Option<String>,

    /// The client secret from the provider
    #[arg(long, help_heading = HEADING, env = "FORECOURT_OIDC_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub oidc_client_secret: Option<Secret<String>>,
}

impl AuthConfig {
    /// Returns the display name of the OIDC provider, if one is configured.
    pub fn provider_name(&self) -> Option<String> {
        self.oidc_client_id.as_ref()?;
        let host = self.oidc_issuer.url().host_str().unwrap_or_default();
        let name = if host == "accounts.google.com" { "Google" } else { host };
        Some(self.oidc_name.clone().unwrap_or_else(|| name.to_owned()))
    }
}

/// Parses the issuer without normalizing it: a trailing slash would make it a different issuer.
fn issuer_url(text: &str) -> Result<IssuerUrl, String> {
    http_url(text)?;
    IssuerUrl::new(text.to_owned()).map_err(|e| e.to_string())
}
