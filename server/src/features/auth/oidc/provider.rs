//! Client of the OpenID Connect provider. Requests are sent only during a login flow, never at startup: if the provider
//! is down, only signing in with it fails.

use super::metadata::{Metadata, keeps_to_https};
use crate::features::auth::config::AuthConfig;
use crate::platform::Failure;
use crate::platform::clock::HOUR;
use chrono::{DateTime, Utc};
use forecourt_core::text::one_line;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdToken, CoreIdTokenClaims, CoreJwsSigningAlgorithm,
    CoreUserInfoClaims,
};
use openidconnect::{
    AccessToken, AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce,
    OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SignatureVerificationError, SubjectIdentifier, TokenResponse,
};
use std::fmt::{self, Display};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::RwLock;
use url::Url;

/// Time limit of a request to the provider.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How long the provider's metadata is cached.
const METADATA_TTL: i64 = HOUR;
/// Upper bound on the size of a response, in bytes.
const LONGEST: usize = 512 * 1024;
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

/// The configured provider.
pub struct Provider {
    http: reqwest::Client,
    issuer: IssuerUrl,
    id: ClientId,
    secret: ClientSecret,
    redirect: RedirectUrl,
    /// The cached metadata, and the time at which it was fetched.
    known: RwLock<Option<(i64, Arc<Metadata>)>>,
}

/// The authorization request's address, and the values to store until the browser comes back. Deliberately not `Debug`.
pub(super) struct Leaving {
    pub url: Url,
    pub state: String,
    pub nonce: String,
    /// The PKCE code verifier.
    pub verifier: String,
}

/// The callback's parameters, and the stored values of the flow. Deliberately not `Debug`.
pub(super) struct Return<'a> {
    pub code: String,
    /// The `iss` parameter, if present.
    pub issuer: Option<&'a str>,
    pub nonce: &'a str,
    pub verifier: &'a str,
}

/// An identity that the provider authenticated. Deliberately not `Debug`.
pub(super) struct Person {
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

/// Why a sign-in failed, for the log. Contains no code, token or personal e-mail address.
#[derive(Debug)]
pub(super) struct Trouble {
    at: &'static str,
    what: String,
}

impl Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

fn trouble(at: &'static str, what: impl Display) -> Trouble {
    Trouble { at, what: one_line(&what.to_string()) }
}

impl Provider {
    /// Returns the client of the configured provider, or `None` if none is configured.
    ///
    /// # Errors
    /// A one-line message if the system's trusted certificates cannot be used.
    pub fn new(config: &AuthConfig, public_url: &str) -> Result<Option<Arc<Self>>, Failure> {
        let Some((id, secret)) = config.oidc_client_id.clone().zip(config.oidc_client_secret.clone()) else {
            return Ok(None);
        };
        // Redirects are not followed: requests go only to hosts named by the settings or the provider's metadata.
        let http = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(|e| format!("the provider to sign in with can't be used: {}", one_line(&e.to_string())))?;
        let back = format!("{}{}/callback", public_url, forecourt_core::auth::FEDERATED);
        let redirect = RedirectUrl::new(back).map_err(|e| format!("the public address can't be used: {e}"))?;
        Ok(Some(Arc::new(Provider {
            http,
            issuer: config.oidc_issuer.clone(),
            id: ClientId::new(id),
            secret: ClientSecret::new(secret),
            redirect,
            known: RwLock::new(None),
        })))
    }

    /// Builds an authorization request: the code flow with PKCE, and a new state and nonce.
    pub(super) async fn leave(&self, now: i64) -> Result<Leaving, Trouble> {
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
        Ok(Leaving { url, state: state.into_secret(), nonce: nonce.secret().clone(), verifier: verifier.into_secret() })
    }

    /// Exchanges the authorization code for the user's identity.
    pub(super) async fn person(&self, back: Return<'_>, now: i64) -> Result<Person, Trouble> {
        let metadata = self.metadata(now).await?;
        let names_itself = metadata.additional_metadata().authorization_response_iss_parameter_supported;
        if back.issuer.map_or(names_itself, |issuer| issuer != self.issuer.as_str()) {
            return Err(trouble("callback", "it comes from another issuer"));
        }
        let response = self
            .client(&metadata)
            .exchange_code(AuthorizationCode::new(back.code))
            .map_err(|e| trouble("token", e))?
            .set_pkce_verifier(PkceCodeVerifier::new(back.verifier.to_owned()))
            .request_async(&|request| fetch(self.http.clone(), request))
            .await
            .map_err(|e| match e {
                // The provider's description may contain anything; its error code is from a fixed list.
                RequestTokenError::ServerResponse(response) => trouble("token", format!("{:?}", response.error())),
                RequestTokenError::Request(e) => trouble("token", e),
                e => trouble("token", e),
            })?;
        let token = response.id_token().ok_or_else(|| trouble("id token", "there is none"))?;
        let nonce = Nonce::new(back.nonce.to_owned());
        let claims = match self.claims(&metadata, token, response.access_token(), &nonce, now) {
            Err(Unproved::UnknownKey) => {
                let metadata = self.learn(now).await?;
                self.claims(&metadata, token, response.access_token(), &nonce, now)
            }
            claims => claims,
        };
        let claims = claims.map_err(|unproved| match unproved {
            Unproved::UnknownKey => trouble("id token", "its key is not the provider's"),
            Unproved::For(trouble) => trouble,
        })?;
        let subject = claims.subject().to_string();
        let is_plain = subject.bytes().all(|b| (b' '..=b'~').contains(&b));
        if !(1..=SUBJECT_MAX).contains(&subject.len()) || !is_plain {
            return Err(trouble("id token", "its subject is none"));
        }
        let is_verified = claims.email_verified().unwrap_or(false);
        Ok(Person {
            issuer: self.issuer.to_string(),
            subject,
            email: claims.email().map(|address| Email { address: address.to_string(), is_verified }),
            access: response.access_token().clone(),
        })
    }

    /// Returns the identity's e-mail: from the ID token, or else from the userinfo endpoint (OpenID Connect Core 5.4
    /// permits a provider to omit it from the token).
    pub(super) async fn email(&self, person: &Person, now: i64) -> Result<Option<Email>, Trouble> {
        if person.email.is_some() {
            return Ok(person.email.clone());
        }
        let metadata = self.metadata(now).await?;
        if metadata.userinfo_endpoint().is_none() {
            return Ok(None);
        }
        let subject = SubjectIdentifier::new(person.subject.clone());
        let claims: CoreUserInfoClaims = self
            .client(&metadata)
            .user_info(person.access.clone(), Some(subject))
            .map_err(|e| trouble("userinfo", e))?
            .request_async(&|request| fetch(self.http.clone(), request))
            .await
            .map_err(|e| trouble("userinfo", e))?;
        let is_verified = claims.email_verified().unwrap_or(false);
        Ok(claims.email().map(|address| Email { address: address.to_string(), is_verified }))
    }

    /// Returns the claims of the ID token after verifying its signature, audience, nonce and time.
    fn claims(
        &self,
        metadata: &Metadata,
        token: &CoreIdToken,
        access: &AccessToken,
        nonce: &Nonce,
        now: i64,
    ) -> Result<CoreIdTokenClaims, Unproved> {
        let client = self.client(metadata);
        let verifier = client
            .id_token_verifier()
            .set_allowed_algs(ALGORITHMS)
            .set_time_fn(move || DateTime::from_timestamp_micros(now).unwrap_or(DateTime::<Utc>::MAX_UTC));
        let claims = token.claims(&verifier, nonce)?;
        if claims.authorized_party().is_some_and(|party| *party != self.id) {
            return Err(Unproved::For(trouble("id token", "it is for another party")));
        }
        if let Some(expected) = claims.access_token_hash() {
            let about = |e: &dyn Display| Unproved::For(trouble("id token", e));
            let algorithm = token.signing_alg().map_err(|e| about(&e))?;
            let key = token.signing_key(&verifier).map_err(|e| about(&e))?;
            let found = AccessTokenHash::from_token(access, algorithm, key).map_err(|e| about(&e))?;
            if found != *expected {
                return Err(Unproved::For(trouble("id token", "it came with another access token")));
            }
        }
        Ok(claims.clone())
    }

    /// Fetches the provider's metadata unless it is cached.
    ///
    /// # Errors
    /// A one-line message: the provider is unreachable or its metadata is not usable.
    pub async fn known(&self, now: i64) -> Result<(), Failure> {
        self.metadata(now).await.map(|_| ()).map_err(|trouble| trouble.to_string())
    }

    async fn metadata(&self, now: i64) -> Result<Arc<Metadata>, Trouble> {
        if let Some((learned, metadata)) = &*self.known.read().await
            && (0..METADATA_TTL).contains(&(now - learned))
        {
            return Ok(metadata.clone());
        }
        self.learn(now).await
    }

    /// Fetches the provider's metadata and keys, and caches them.
    async fn learn(&self, now: i64) -> Result<Arc<Metadata>, Trouble> {
        let metadata = Metadata::discover_async(self.issuer.clone(), &|request| fetch(self.http.clone(), request))
            .await
            .map_err(|e| match e {
                openidconnect::DiscoveryError::Request(e) => trouble("discovery", e),
                e => trouble("discovery", e),
            })?;
        if metadata.token_endpoint().is_none() {
            return Err(trouble("discovery", "it names no token endpoint"));
        }
        if !keeps_to_https(&metadata) {
            return Err(trouble("discovery", "it names an address without https"));
        }
        let metadata = Arc::new(metadata);
        *self.known.write().await = Some((now, metadata.clone()));
        Ok(metadata)
    }

    fn client(&self, metadata: &Metadata) -> Client {
        use CoreClientAuthMethod::{ClientSecretBasic, ClientSecretPost};
        let ways = metadata.token_endpoint_auth_methods_supported();
        let only_in_body = ways.is_some_and(|w| w.contains(&ClientSecretPost) && !w.contains(&ClientSecretBasic));
        let way = if only_in_body { AuthType::RequestBody } else { AuthType::BasicAuth };
        CoreClient::from_provider_metadata(metadata.clone(), self.id.clone(), Some(self.secret.clone()))
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(way)
    }
}

/// Why an ID token is not valid.
enum Unproved {
    /// No known key matches; the provider may have rotated its keys.
    UnknownKey,
    For(Trouble),
}

impl From<ClaimsVerificationError> for Unproved {
    fn from(error: ClaimsVerificationError) -> Self {
        match error {
            ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey) => {
                Unproved::UnknownKey
            }
            ClaimsVerificationError::SignatureVerification(error) => Unproved::For(trouble("id token", error)),
            error => Unproved::For(trouble("id token", error)),
        }
    }
}

/// Sends a request to the provider, and reads its response up to a size limit.
async fn fetch(http: reqwest::Client, request: HttpRequest) -> io::Result<HttpResponse> {
    // Without the address: it is known from the settings, and may contain a code.
    let failed = |e: reqwest::Error| io::Error::other(Chain(e.without_url()).to_string());
    let request = reqwest::Request::try_from(request).map_err(failed)?;
    let mut incoming = http.execute(request).await.map_err(failed)?;
    let (mut body, status, headers) = (Vec::new(), incoming.status(), incoming.headers().clone());
    while let Some(part) = incoming.chunk().await.map_err(failed)? {
        body.extend_from_slice(&part);
        if body.len() > LONGEST {
            return Err(io::Error::other("the response is too long"));
        }
    }
    let mut response = HttpResponse::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

/// Displays an error with its causes, because the outermost message alone says little.
struct Chain(reqwest::Error);

impl Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = std::error::Error::source(&self.0);
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
