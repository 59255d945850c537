//! A browser that signs in with the tests' provider. It stores cookies and does not follow redirects.

use crate::app::{ApiResponse, CLERK, PASSWORD, TestApp};
use crate::provider::Provider;
use reqwest::{Method, header};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Mutex;

/// A browser with its own cookies.
pub struct Browser<'a> {
    app: &'a TestApp,
    cookies: Mutex<HashMap<String, String>>,
    client: reqwest::Client,
}

/// Starts a server that uses this login provider.
pub async fn start(provider: &Provider) -> TestApp {
    start_with(provider, &[]).await
}

pub async fn start_with(provider: &Provider, more: &[&str]) -> TestApp {
    let flags = provider.flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    TestApp::start_with(&flags).await
}

/// Starts a login provider, and a server that uses it.
pub async fn start_with_provider() -> (Provider, TestApp) {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    (provider, app)
}

/// Starts a login provider that confirms the clerk's email address as verified, and a server that uses it.
pub async fn start_with_clerk() -> (Provider, TestApp) {
    let (provider, app) = start_with_provider().await;
    mark_email_verified(&app, CLERK).await;
    provider.set_claims(json!({"email": CLERK, "email_verified": true}));
    (provider, app)
}

/// Marks a user's email address as verified in the server's database.
pub async fn mark_email_verified(app: &TestApp, email: &str) {
    let text = "UPDATE users SET email_verified_at = 1 WHERE email = $1";
    assert_eq!(app.db().sql(text).bind(email.to_owned()).exec().await.unwrap(), 1);
}

/// Returns the one-time values in the address of the callback page. Panics if the address is that of another page.
pub fn parse_one_time_values(location: &str) -> Value {
    let query = location.strip_prefix("/auth/callback?").unwrap_or_else(|| panic!("redirected to {location}"));
    let values: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    json!({"accessToken": values["accessToken"], "refreshToken": values["refreshToken"]})
}

impl<'a> Browser<'a> {
    pub fn new(app: &'a TestApp) -> Self {
        let none = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder().redirect(none).no_proxy().build().unwrap();
        Browser { app, cookies: Mutex::default(), client }
    }

    pub fn cookies(&self) -> HashMap<String, String> {
        self.cookies.lock().unwrap().clone()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.into(), value.into());
    }

    pub async fn send_request(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> ApiResponse {
        let cookies: Vec<String> = self.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = self.client.request(method, self.app.url(path)).header(header::COOKIE, cookies.join("; "));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = self.app.send(request).await;
        for line in response.headers.get_all(header::SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            match line.contains("Max-Age=0;") {
                true => drop(self.cookies.lock().unwrap().remove(name)),
                false => self.set_cookie(name, value),
            }
        }
        response
    }

    /// Requests a path of the server, asserts that the response is a redirect, and returns its target.
    pub async fn open(&self, path: &str) -> String {
        let response = self.send_request(Method::GET, path, None, None).await;
        assert_eq!(response.status, 302, "{path}: {}", response.body);
        assert_eq!(response.headers["cache-control"], "no-store");
        assert_eq!(response.headers["referrer-policy"], "no-referrer");
        response.headers["location"].to_str().unwrap().to_owned()
    }

    /// Starts the OIDC login flow, and returns the address of the authorization request.
    pub async fn start_login(&self) -> String {
        self.open("/api/auth/google").await
    }

    /// Completes a login flow at the provider, and returns the address to which the server's callback redirects.
    pub async fn complete_login(&self, provider: &Provider) -> String {
        let back = provider.approve(&self.start_login().await);
        self.open(&back).await
    }

    /// As [`Browser::complete_login`], but returns the one-time values in the address. Panics if it has none.
    pub async fn login_exchange(&self, provider: &Provider) -> Value {
        parse_one_time_values(&self.complete_login(provider).await)
    }

    /// Sends a pair of one-time values or of tokens to `/api/auth/verify-token`.
    pub async fn verify(&self, pair: &Value) -> ApiResponse {
        self.send_request(Method::POST, "/api/auth/verify-token", None, Some(pair)).await
    }

    /// Signs in with the provider, and returns the access token and the refresh token.
    pub async fn sign_in(&self, provider: &Provider) -> (String, String) {
        let response = self.verify(&self.login_exchange(provider).await).await;
        assert_eq!(response.body["data"]["valid"], true, "{}", response.body);
        crate::helpers::tokens(&response)
    }

    /// Connects the user of this access token with the provider. Returns the address to which the server's callback
    /// redirects.
    pub async fn connect(&self, provider: &Provider, token: &str) -> String {
        let response =
            self.send_request(Method::POST, "/api/auth/google/connect", Some(token), Some(&password_form())).await;
        assert_eq!(response.status, 200, "{}", response.body);
        let back = provider.approve(response.body["data"]["url"].as_str().unwrap());
        self.open(&back).await
    }
}

/// Returns the form that proves, when an account is connected, that the user knows the password.
pub fn password_form() -> Value {
    json!({"currentPassword": PASSWORD})
}
