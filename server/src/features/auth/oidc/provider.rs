//! Client of the OpenID Connect provider. Requests are sent only during a login flow and by `forecourt check`, never
//! when the server starts: if the provider is down, only signing in with it fails.

use super::metadata::{Metadata, has_only_https_endpoints};
use crate::features::auth::config::AuthConfig;
use crate::platform::Failure;
use crate::platform::clock::HOUR;
use crate::platform::http_client::create_http_client;
use chrono::{DateTime, Utc};
use forecourt_core::secret::Secret;
use forecourt_core::text::one_line;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreErrorResponseType, CoreIdToken, CoreIdTokenClaims,
    CoreJwsSigningAlgorithm, CoreUserInfoClaims,
};
use openidconnect::{
    AccessToken, AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce,
    OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SignatureVerificationError, SubjectIdentifier, TokenResponse,
};
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::iter::successors;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::RwLock;
use url::Url;

/// Time limit of a request to the provider.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How long the provider's metadata is cached.
const METADATA_TTL: i64 = HOUR;
/// Upper bound on the size of a response, in bytes.
const RESPONSE_MAX_BYTES: usize = 512 * 1024;
/// OpenID Connect Core 2: a subject has at most 255 ASCII characters.
const SUBJECT_MAX: usize = 255;

/// Signature algorithms with a private key of the provider. Algorithms with a shared secret are excluded.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

pub struct Provider {
    http: reqwest::Client,
    issuer: IssuerUrl,
    id: ClientId,
    secret: ClientSecret,
    redirect: RedirectUrl,
    /// The metadata, and the time at which it was fetched.
    cache: RwLock<Option<(i64, Arc<Metadata>)>>,
}

/// An authorization request: its address, and the values to store until the provider responds.
pub(super) struct AuthorizationRequest {
    pub url: Url,
    pub state: Secret<String>,
    pub nonce: Secret<String>,
    /// The PKCE code verifier.
    pub verifier: Secret<String>,
}

/// The callback's parameters, and the stored values of the flow.
pub(super) struct AuthorizationResponse<'a> {
    pub code: Secret<String>,
    /// The `iss` parameter, if present.
    pub issuer: Option<&'a str>,
    pub nonce: &'a Secret<String>,
    pub verifier: &'a Secret<String>,
}

/// An identity that the provider authenticated. Has no `Debug`, which would show the e-mail.
pub(super) struct Identity {
    pub issuer: String,
    pub subject: String,
    email: Option<Email>,
    access: AccessToken,
}

/// An e-mail address as the provider knows it.
#[derive(Clone)]
pub(super) struct Email {
    pub address: String,
    pub is_verified: bool,
}

/// Returns the provider's error code for the log. A code that RFC 6749 5.2 does not define may be any text, such as a
/// personal e-mail address.
fn error_code(code: &CoreErrorResponseType) -> &str {
    match code {
        CoreErrorResponseType::Extension(_) => "another error",
        code => code.as_ref(),
    }
}

/// Returns the message for the log about a failed step. Contains no code, token or personal e-mail address.
fn failure(step: &str, error: impl Display) -> Failure {
    format!("{step}: {}", one_line(&error.to_string()))
}

impl Provider {
    /// Returns the client of the configured provider, or `None` if none is configured.
    ///
    /// # Errors
    /// A one-line message if the system's trusted certificates or the public address can't be used.
    pub fn new(config: &AuthConfig, public_url: &str) -> Result<Option<Arc<Self>>, Failure> {
        let Some((id, secret)) = config.oidc_client_id.clone().zip(config.oidc_client_secret.clone()) else {
            return Ok(None);
        };
        // Requests go only to hosts named by the settings or the provider's metadata.
        let http = create_http_client(TIMEOUT)
            .map_err(|e| format!("the provider to sign in with can't be used: {}", one_line(&e.to_string())))?;
        let callback = format!("{}{}/callback", public_url, forecourt_core::auth::FEDERATED);
        let redirect = RedirectUrl::new(callback).map_err(|e| format!("the public address can't be used: {e}"))?;
        Ok(Some(Arc::new(Provider {
            http,
            issuer: config.oidc_issuer.clone(),
            id: ClientId::new(id),
            secret: ClientSecret::new(secret.expose_secret().clone()),
            redirect,
            cache: RwLock::new(None),
        })))
    }

    /// Builds an authorization request: the code flow with PKCE, and a new state and nonce.
    pub(super) async fn authorization_request(&self, now: i64) -> Result<AuthorizationRequest, Failure> {
        let metadata = self.metadata(now).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (url, state, nonce) = self
            .client(&metadata)
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new_random_len(32),
                || Nonce::new_random_len(32),
            )
            .add_scopes(["email", "profile"].map(|scope| Scope::new(scope.into())))
            .set_pkce_challenge(challenge)
            .url();
        Ok(AuthorizationRequest {
            url,
            state: state.into_secret().into(),
            nonce: nonce.secret().as_str().into(),
            verifier: verifier.into_secret().into(),
        })
    }

    /// Exchanges the authorization code for the user's identity.
    pub(super) async fn authenticate(
        &self,
        callback: AuthorizationResponse<'_>,
        now: i64,
    ) -> Result<Identity, Failure> {
        let metadata = self.metadata(now).await?;
        let must_name_issuer = metadata.additional_metadata().authorization_response_iss_parameter_supported;
        if callback.issuer.map_or(must_name_issuer, |issuer| issuer != self.issuer.as_str()) {
            return Err(failure("callback", "it comes from another issuer"));
        }
        let response = self
            .client(&metadata)
            .exchange_code(AuthorizationCode::new(callback.code.expose_secret().clone()))
            .map_err(|e| failure("token", e))?
            .set_pkce_verifier(PkceCodeVerifier::new(callback.verifier.expose_secret().clone()))
            .request_async(&|request| fetch(self.http.clone(), request))
            .await
            .map_err(|e| match e {
                RequestTokenError::ServerResponse(response) => failure("token", error_code(response.error())),
                RequestTokenError::Request(e) => failure("token", e),
                e => failure("token", e),
            })?;
        let token = response.id_token().ok_or_else(|| failure("id token", "there is none"))?;
        let nonce = Nonce::new(callback.nonce.expose_secret().clone());
        let mut claims = self.claims(&metadata, token, response.access_token(), &nonce, now)?;
        if claims.is_none() {
            // The provider may have rotated its keys.
            let metadata = self.fetch_metadata(now).await?;
            claims = self.claims(&metadata, token, response.access_token(), &nonce, now)?;
        }
        let claims = claims.ok_or_else(|| failure("id token", "its key is not the provider's"))?;
        let subject = claims.subject().to_string();
        let is_ascii = subject.bytes().all(|b| (b' '..=b'~').contains(&b));
        if !(1..=SUBJECT_MAX).contains(&subject.len()) || !is_ascii {
            return Err(failure("id token", "its subject is empty, too long or not ASCII"));
        }
        let is_verified = claims.email_verified().unwrap_or(false);
        Ok(Identity {
            issuer: self.issuer.to_string(),
            subject,
            email: claims.email().map(|address| Email { address: address.to_string(), is_verified }),
            access: response.access_token().clone(),
        })
    }

    /// Returns the identity's e-mail: from the ID token, or else from the userinfo endpoint (OpenID Connect Core 5.4
    /// permits a provider to omit it from the token).
    pub(super) async fn email(&self, identity: &Identity, now: i64) -> Result<Option<Email>, Failure> {
        if identity.email.is_some() {
            return Ok(identity.email.clone());
        }
        let metadata = self.metadata(now).await?;
        if metadata.userinfo_endpoint().is_none() {
            return Ok(None);
        }
        let subject = SubjectIdentifier::new(identity.subject.clone());
        let claims: CoreUserInfoClaims = self
            .client(&metadata)
            .user_info(identity.access.clone(), Some(subject))
            .map_err(|e| failure("userinfo", e))?
            .request_async(&|request| fetch(self.http.clone(), request))
            .await
            .map_err(|e| failure("userinfo", e))?;
        let is_verified = claims.email_verified().unwrap_or(false);
        Ok(claims.email().map(|address| Email { address: address.to_string(), is_verified }))
    }

    /// Returns the claims of the ID token after verifying its signature, audience, nonce and time; `None` if none of
    /// the provider's known keys signed it.
    fn claims(
        &self,
        metadata: &Metadata,
        token: &CoreIdToken,
        access: &AccessToken,
        nonce: &Nonce,
        now: i64,
    ) -> Result<Option<CoreIdTokenClaims>, Failure> {
        let client = self.client(metadata);
        let verifier = client
            .id_token_verifier()
            .set_allowed_algs(ALGORITHMS)
            .set_time_fn(move || DateTime::from_timestamp_micros(now).unwrap_or(DateTime::<Utc>::MAX_UTC));
        let claims = match token.claims(&verifier, nonce) {
            Ok(claims) => claims,
            Err(ClaimsVerificationError::SignatureVerification(error)) => match error {
                SignatureVerificationError::NoMatchingKey => return Ok(None),
                error => return Err(failure("id token", error)),
            },
            Err(error) => return Err(failure("id token", error)),
        };
        if claims.authorized_party().is_some_and(|party| *party != self.id) {
            return Err(failure("id token", "it is for another party"));
        }
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = token.signing_alg().map_err(|e| failure("id token", e))?;
            let key = token.signing_key(&verifier).map_err(|e| failure("id token", e))?;
            let hash = AccessTokenHash::from_token(access, algorithm, key).map_err(|e| failure("id token", e))?;
            if hash != *expected {
                return Err(failure("id token", "it came with another access token"));
            }
        }
        Ok(Some(claims.clone()))
    }

    /// Fetches the provider's metadata unless it is cached.
    ///
    /// # Errors
    /// A one-line message: the provider is unreachable or its metadata is not usable.
    pub async fn check(&self, now: i64) -> Result<(), Failure> {
        self.metadata(now).await.map(|_| ())
    }

    async fn metadata(&self, now: i64) -> Result<Arc<Metadata>, Failure> {
        if let Some((fetched_at, metadata)) = &*self.cache.read().await
            && (0..METADATA_TTL).contains(&(now - fetched_at))
        {
            return Ok(metadata.clone());
        }
        self.fetch_metadata(now).await
    }

    /// Fetches the provider's metadata and keys, and caches them.
    async fn fetch_metadata(&self, now: i64) -> Result<Arc<Metadata>, Failure> {
        let metadata = Metadata::discover_async(self.issuer.clone(), &|request| fetch(self.http.clone(), request))
            .await
            .map_err(|e| match e {
                openidconnect::DiscoveryError::Request(e) => failure("discovery", e),
                e => failure("discovery", e),
            })?;
        if metadata.token_endpoint().is_none() {
            return Err(failure("discovery", "it names no token endpoint"));
        }
        if !has_only_https_endpoints(&metadata) {
            return Err(failure("discovery", "it names an address without https"));
        }
        let metadata = Arc::new(metadata);
        *self.cache.write().await = Some((now, metadata.clone()));
        Ok(metadata)
    }

    fn client(&self, metadata: &Metadata) -> Client {
        use CoreClientAuthMethod::{ClientSecretBasic, ClientSecretPost};
        let methods = metadata.token_endpoint_auth_methods_supported();
        let only_in_body = methods.is_some_and(|m| m.contains(&ClientSecretPost) && !m.contains(&ClientSecretBasic));
        let auth_type = if only_in_body { AuthType::RequestBody } else { AuthType::BasicAuth };
        CoreClient::from_provider_metadata(metadata.clone(), self.id.clone(), Some(self.secret.clone()))
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(auth_type)
    }
}

/// Sends a request to the provider, and reads its response up to a size limit.
async fn fetch(http: reqwest::Client, request: HttpRequest) -> io::Result<HttpResponse> {
    // Without the address: the message names the step already, and an address of the provider may contain anything.
    let failed = |e: reqwest::Error| io::Error::other(with_causes(&e.without_url()));
    let request = reqwest::Request::try_from(request).map_err(failed)?;
    let mut incoming = http.execute(request).await.map_err(failed)?;
    let (mut body, status, headers) = (Vec::new(), incoming.status(), incoming.headers().clone());
    while let Some(part) = incoming.chunk().await.map_err(failed)? {
        body.extend_from_slice(&part);
        if body.len() > RESPONSE_MAX_BYTES {
            return Err(io::Error::other("the response is too long"));
        }
    }
    let mut response = HttpResponse::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

/// Formats an error with its causes, because the outermost message alone says little.
fn with_causes(error: &dyn Error) -> String {
    successors(Some(error), |error| (*error).source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_only_error_codes_of_the_standard() {
        for (sent, logged) in [("invalid_grant", "invalid_grant"), ("no account for ada@example.se", "another error")] {
            let code: CoreErrorResponseType = serde_json::from_value(sent.into()).unwrap();
            assert_eq!(error_code(&code), logged);
        }
    }
}
