//! F3 of docs/security.md: every kind of login checks the state of the account. The tests prepare each login while the
//! account is active, and complete it once the account is blocked. They also start a provider login after that.

use crate::app::{ADMIN, CLERK, PASSWORD, TestApp};
use crate::browser::{Browser, start_with_clerk, start_with_provider};
use crate::helpers::*;
use crate::provider::Provider;
use forecourt_core::auth::text;
use forecourt_core::text::SESSION_ENDED;
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;

/// A state of an account in which logins are rejected.
struct State {
    change: &'static str,
    /// The message in the response to a rejected login.
    message: &'static str,
    /// Whether the state also ends the sessions that are active.
    ends_sessions: bool,
}

const STATES: [State; 4] = [
    State {
        change: "UPDATE users SET banned_at = 1, ban_reason = 'Spam' WHERE email = 'clerk@nordbil.example'",
        message: text::BANNED.as_str(),
        ends_sessions: true,
    },
    State {
        change: "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'",
        message: text::ACCOUNT_DISABLED.as_str(),
        ends_sessions: true,
    },
    State {
        change: "UPDATE corporations SET active = FALSE WHERE name = 'Nordbil'",
        message: text::CORPORATION_DISABLED.as_str(),
        ends_sessions: true,
    },
    State {
        change: "UPDATE users SET wrong_codes = 100 WHERE email = 'clerk@nordbil.example'",
        message: text::LOCKED.as_str(),
        ends_sessions: false,
    },
];

/// A login of every kind, prepared up to its last request.
struct PreparedLogins<'a> {
    app: &'a TestApp,
    provider: &'a Provider,
    /// A mailed code that was not used yet.
    code: String,
    /// The access token and the refresh token of an active session.
    session_tokens: (String, String),
    /// The refresh token of another session.
    refresh: String,
    /// The browser of a login flow whose one-time values were not used yet, and these values.
    exchange_browser: Browser<'a>,
    values: Value,
    /// The browser that is connecting the account with the provider, and the callback's address.
    connecting_browser: Browser<'a>,
    callback: String,
}

impl<'a> PreparedLogins<'a> {
    /// Prepares a login of every kind for the clerk, up to its last request.
    async fn prepare(app: &'a TestApp, provider: &'a Provider) -> Self {
        let session_tokens = tokens(&remember(app, CLERK, "trusted").await);
        let (_, refresh) = app.sign_in_for_tokens(CLERK).await;
        let (exchange_browser, connecting_browser) = (Browser::new(app), Browser::new(app));
        let values = exchange_browser.login_exchange(provider).await;
        let authorization = connecting_browser
            .send_request(
                Method::POST,
                "/api/auth/google/connect",
                Some(&session_tokens.0),
                Some(&crate::browser::password_form()),
            )
            .await;
        let callback = provider.approve(authorization.body["data"]["url"].as_str().unwrap());
        let code = request_code(app, CLERK, DEVICE, false).await;
        PreparedLogins {
            app,
            provider,
            code,
            session_tokens,
            refresh,
            exchange_browser,
            values,
            connecting_browser,
            callback,
        }
    }

    /// Uses every kind of login that starts a session. Returns the responses with the names of the logins.
    async fn log_in(&self) -> [(&'static str, crate::app::ApiResponse); 4] {
        let browser = Browser::new(self.app);
        let values = browser.login_exchange(self.provider).await;
        [
            ("a trusted device", login_on(self.app, CLERK, PASSWORD, "trusted", true).await),
            ("a code", verify(self.app, CLERK, &self.code, DEVICE).await),
            ("a provider login", browser.verify(&values).await),
            ("earlier one-time values", self.exchange_browser.verify(&self.values).await),
        ]
    }
}

#[tokio::test]
async fn f3_every_kind_of_login_works_for_an_active_account() {
    let (provider, app) = start_with_clerk().await;
    let logins = PreparedLogins::prepare(&app, &provider).await;
    for (name, response) in logins.log_in().await {
        assert!(is_session_active(&app, &tokens(&response).0).await, "{name}");
    }
    assert_eq!(refresh(&app, &logins.refresh).await.status, 200);
    let session_tokens = json!({"accessToken": logins.session_tokens.0, "refreshToken": logins.session_tokens.1});
    assert_eq!(Browser::new(&app).verify(&session_tokens).await.body["data"]["valid"], true);
    assert_eq!(logins.connecting_browser.open(&logins.callback).await, "/dashboard/profile?connected=yes");
}

#[tokio::test]
async fn f3_no_kind_of_login_works_for_a_blocked_account() {
    for State { change, message, ends_sessions } in STATES {
        let (provider, app) = start_with_clerk().await;
        let logins = PreparedLogins::prepare(&app, &provider).await;
        app.db().sql(change).exec().await.unwrap();
        let sessions = count(&app, "SELECT count(*) FROM sessions").await;
        for (name, response) in logins.log_in().await {
            let seen = (response.status.as_u16(), &response.body["message"]);
            assert_eq!(seen, (403, &json!(message)), "{name}, {change}");
            assert_eq!(response.body["data"]["isBanned"] == true, message == text::BANNED.as_str(), "{name}, {change}");
            assert!(!response.body.to_string().contains("Token"), "{name}, {change}");
        }
        assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, sessions, "{change}");

        // Active sessions end only if the state has `ends_sessions`.
        let refreshed = refresh(&app, &logins.refresh).await;
        let over = (refreshed.status.as_u16(), &refreshed.body["message"]) == (401, &json!(SESSION_ENDED.as_str()));
        assert_eq!(over, ends_sessions, "{change}: {}", refreshed.body);
        let session_tokens = json!({"accessToken": logins.session_tokens.0, "refreshToken": logins.session_tokens.1});
        let verified_pair = Browser::new(&app).verify(&session_tokens).await;
        assert_eq!(verified_pair.body["data"]["valid"], !ends_sessions, "{change}");
        let word = if ends_sessions { "failed" } else { "yes" };
        let location = logins.connecting_browser.open(&logins.callback).await;
        assert_eq!(location, format!("/dashboard/profile?connected={word}"), "{change}");
    }
}

#[tokio::test]
async fn f3_a_provider_login_of_a_deactivated_administrator_is_rejected() {
    let (provider, app) = start_with_provider().await;
    let access = app.sign_in(ADMIN).await;
    let browser = Browser::new(&app);
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    app.db().sql("UPDATE users SET is_active = FALSE WHERE user_type = 'Admin'").exec().await.unwrap();
    let values = browser.login_exchange(&provider).await;
    assert_error(&browser.verify(&values).await, 403, text::ACCOUNT_DISABLED.as_str());
}

/// Returns the name and text of each source file, up to its module `tests`. Files that contain only tests are included.
fn read_sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(read_sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
            found.push((path.file_name().unwrap().to_str().unwrap().to_owned(), text));
        }
    }
    found
}

#[test]
fn f3_sessions_and_tokens_are_created_in_one_place() {
    let sources = read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let files_of_each = |word: &str| -> Vec<&str> {
        sources.iter().flat_map(|(name, text)| text.matches(word).map(|_| name.as_str())).collect()
    };
    assert_eq!(files_of_each("encode(&Header"), ["tokens.rs"]);
    assert_eq!(files_of_each("EncodingKey::"), ["keys.rs"], "no other file has a signing key");
    assert_eq!(files_of_each("tokens::sign_access_token("), ["sessions.rs"]);
    assert_eq!(files_of_each("INSERT INTO sessions"), ["sessions.rs"]);
    assert_eq!(files_of_each("fn create_session("), ["sessions.rs"]);
}
