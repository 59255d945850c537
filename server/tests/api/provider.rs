//! An OpenID Connect provider for the tests, with real keys and codes, and PKCE. A [`Case`] says how it misbehaves.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use url::Url;

pub const CLIENT: &str = "forecourt-tests";
pub const SECRET: &str = "the-secret-of-the-client";
/// The time of the tests' clock at their start, as a Unix timestamp in seconds.
const NOW: i64 = 1_800_000_000;

/// The provider's signing keys. All tests share them, because generating a key is slow.
static KEYS: LazyLock<[KeyPair; 2]> = LazyLock::new(|| [(); 2].map(|()| KeyPair::generate(KeySize::Rsa2048).unwrap()));

/// How an ID token is signed.
#[derive(Clone, Copy, PartialEq)]
pub enum Signer {
    Provider,
    OtherKey,
    /// `alg: none`, without a signature.
    Unsigned,
    /// Signed with HS256 and the client's secret, which must not count as the provider's signature.
    ClientSecret,
}

/// How the token endpoint responds.
#[derive(Clone, PartialEq)]
pub enum TokenResponse {
    Tokens,
    Fault,
    Garbage,
    /// No response until after the client's timeout.
    Silence,
    /// Valid tokens in a response that is longer than the client's limit.
    TooMuch,
    NoIdToken,
    IdToken(String),
    Redirect(String),
}

/// The behaviour of the provider. [`Default`] is without faults.
#[derive(Clone)]
pub struct Case {
    /// Changes to the claims of a valid ID token; `null` removes a claim.
    pub claims: Value,
    /// Changes to the header of a valid ID token.
    pub header: Value,
    /// Changes to the discovery document.
    pub metadata: Value,
    /// The ids of the published keys.
    pub keys: Vec<&'static str>,
    pub signer: Signer,
    pub response: TokenResponse,
    /// Changes to the userinfo response.
    pub userinfo: Value,
    /// The time at which tokens are issued, as a Unix timestamp in seconds.
    pub now: i64,
    /// Whether the discovery document is unavailable (502).
    pub is_down: bool,
    /// If set, the token endpoint waits for this notification before it responds.
    pub waits_for: Option<Arc<Notify>>,
}

impl Default for Case {
    fn default() -> Self {
        Case {
            claims: json!({}),
            header: json!({}),
            metadata: json!({}),
            keys: vec!["key-1"],
            signer: Signer::Provider,
            response: TokenResponse::Tokens,
            userinfo: json!({}),
            now: NOW,
            is_down: false,
            waits_for: None,
        }
    }
}

/// What the provider remembers of an authorization request until its code is exchanged.
struct Grant {
    challenge: String,
    nonce: String,
    redirect: String,
}

#[derive(Default)]
struct ProviderState {
    issuer: String,
    case: Case,
    grants: HashMap<String, Grant>,
    requests: Vec<&'static str>,
}

/// A running provider. Clones share its state.
#[derive(Clone)]
pub struct Provider(Arc<Mutex<ProviderState>>);

impl Provider {
    pub async fn start() -> Self {
        // Generate the keys now, so that the server's first request does not wait for them.
        LazyLock::force(&KEYS);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let provider = Provider(Arc::new(Mutex::new(ProviderState { issuer, ..ProviderState::default() })));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(provider.clone());
        tokio::spawn(axum_serve(listener, router));
        provider
    }

    pub fn issuer(&self) -> String {
        self.0.lock().unwrap().issuer.clone()
    }

    /// Returns the command line flags that configure this provider.
    pub fn flags(&self) -> Vec<String> {
        ["--oidc-issuer", &self.issuer(), "--oidc-client-id", CLIENT, "--oidc-client-secret", SECRET]
            .map(str::to_owned)
            .to_vec()
    }

    pub fn set(&self, case: Case) {
        self.0.lock().unwrap().case = case;
    }

    /// Removes all faults, and then changes only these claims of the ID tokens.
    pub fn set_claims(&self, claims: Value) {
        self.set(Case { claims, ..Case::default() });
    }

    /// Returns the names of the endpoints that were requested since the last call, in order.
    pub fn take_requests(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.0.lock().unwrap().requests)
    }

    /// Approves an authorization request, as a user who signs in. Returns the callback's path and query.
    pub fn approve(&self, authorization_url: &str) -> String {
        let url = Url::parse(authorization_url).unwrap();
        let parameters: HashMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!(parameters["response_type"], "code");
        assert_eq!(parameters["client_id"], CLIENT);
        assert_eq!(parameters["code_challenge_method"], "S256");
        assert_eq!(parameters["scope"], "openid email profile");
        for random in ["state", "nonce", "code_challenge"] {
            assert!(parameters[random].len() >= 43, "{random} is short");
        }
        let code = format!("code-{}", uuid::Uuid::now_v7());
        let grant = Grant {
            challenge: parameters["code_challenge"].clone(),
            nonce: parameters["nonce"].clone(),
            redirect: parameters["redirect_uri"].clone(),
        };
        self.0.lock().unwrap().grants.insert(code.clone(), grant);
        let mut back = Url::parse(&parameters["redirect_uri"]).unwrap();
        back.query_pairs_mut().append_pair("code", &code).append_pair("state", &parameters["state"]);
        format!("{}?{}", back.path(), back.query().unwrap())
    }

    /// Records a request, and returns the current case.
    fn record_request(&self, endpoint: &'static str) -> Case {
        let mut state = self.0.lock().unwrap();
        state.requests.push(endpoint);
        state.case.clone()
    }
}

/// Serves a router with plain axum, without the connection limits of the server under test.
pub async fn axum_serve(listener: TcpListener, router: Router) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let service = hyper_util::service::TowerToHyperService::new(router.clone());
        let connection =
            hyper::server::conn::http1::Builder::new().serve_connection(hyper_util::rt::TokioIo::new(stream), service);
        tokio::spawn(async { connection.await.unwrap_or(()) });
    }
}

fn apply_changes(mut base: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(base.as_object_mut().unwrap().remove(name)),
            value => base[name] = value.clone(),
        }
    }
    base
}

fn b64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

async fn discovery(State(provider): State<Provider>) -> Response {
    let case = provider.record_request("discovery");
    if case.is_down {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    let issuer = provider.issuer();
    let valid = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
    });
    Json(apply_changes(valid, &case.metadata)).into_response()
}

async fn keys(State(provider): State<Provider>) -> Json<Value> {
    let public = KEYS[0].public_key();
    let [n, e] = [public.modulus(), public.exponent()].map(|part| b64(part.big_endian_without_leading_zero()));
    let key = |id: &&str| json!({"kty": "RSA", "alg": "RS256", "use": "sig", "kid": id, "n": n, "e": e});
    Json(json!({"keys": provider.record_request("keys").keys.iter().map(key).collect::<Vec<_>>()}))
}

async fn token(State(provider): State<Provider>, headers: HeaderMap, body: String) -> Response {
    let form: HashMap<String, String> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let case = provider.record_request("token");
    if let Some(notify) = &case.waits_for {
        notify.notified().await;
    }
    let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT}:{SECRET}")));
    let is_client = headers.get(header::AUTHORIZATION).is_some_and(|sent| sent == basic.as_str());
    let grant = provider.0.lock().unwrap().grants.remove(&form["code"]);
    // Only the client that started the flow can exchange its code (RFC 7636 4.6, RFC 6749 4.1.3).
    let verifier = form.get("code_verifier").map(|v| b64(digest(&SHA256, v.as_bytes())));
    let valid =
        grant.filter(|g| Some(&g.challenge) == verifier.as_ref() && form.get("redirect_uri") == Some(&g.redirect));
    let Some(grant) = valid.filter(|_| is_client && form["grant_type"] == "authorization_code") else {
        return (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response();
    };
    let mut response = json!({"access_token": "at", "token_type": "Bearer", "expires_in": 300});
    match &case.response {
        TokenResponse::Tokens => response["id_token"] = id_token(&provider.issuer(), &case, &grant).into(),
        TokenResponse::IdToken(text) => response["id_token"] = text.clone().into(),
        TokenResponse::NoIdToken => {}
        TokenResponse::Fault => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        TokenResponse::Garbage => return ([(header::CONTENT_TYPE, "application/json")], "<html>").into_response(),
        TokenResponse::TooMuch => {
            response["id_token"] = id_token(&provider.issuer(), &case, &grant).into();
            response["more"] = " ".repeat(600_000).into();
        }
        TokenResponse::Redirect(to) => {
            return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response();
        }
        TokenResponse::Silence => tokio::time::sleep(Duration::from_secs(60)).await,
    }
    Json(response).into_response()
}

async fn userinfo(State(provider): State<Provider>, headers: HeaderMap) -> Response {
    let case = provider.record_request("userinfo");
    if headers.get(header::AUTHORIZATION).is_none_or(|sent| sent != "Bearer at") {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let subject = case.claims.get("sub").cloned().unwrap_or_else(|| "subject-1".into());
    Json(apply_changes(json!({"sub": subject}), &case.userinfo)).into_response()
}

fn id_token(issuer: &str, case: &Case, grant: &Grant) -> String {
    let valid = json!({
        "iss": issuer, "aud": CLIENT, "sub": "subject-1", "iat": case.now, "exp": case.now + 300, "nonce": grant.nonce,
    });
    let alg = match case.signer {
        Signer::Unsigned => "none",
        Signer::ClientSecret => "HS256",
        Signer::Provider | Signer::OtherKey => "RS256",
    };
    let header = apply_changes(json!({"alg": alg, "typ": "JWT", "kid": "key-1"}), &case.header);
    let signed = format!("{}.{}", b64(header.to_string()), b64(apply_changes(valid, &case.claims).to_string()));
    let signature = match case.signer {
        Signer::Unsigned => Vec::new(),
        Signer::ClientSecret => {
            let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, SECRET.as_bytes());
            aws_lc_rs::hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
        }
        signer => {
            let key = &KEYS[usize::from(signer == Signer::OtherKey)];
            let mut signature = vec![0; key.public_modulus_len()];
            key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature).unwrap();
            signature
        }
    };
    format!("{signed}.{}", b64(signature))
}
