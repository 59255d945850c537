//! F3: every way in asks the same of an account. Each way is made ready while all is well and taken when it isn't.

use crate::app::{ADMIN, CLERK, PASSWORD, TestApp};
use crate::browser::{Browser, start, verified};
use crate::provider::Provider;
use crate::steps::*;
use forecourt_core::auth::text;
use forecourt_core::text::SESSION_ENDED;
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;

/// What is wrong with an account.
struct State {
    change: &'static str,
    /// What a new session is refused with.
    sentence: &'static str,
    /// Do sessions that run end?
    ends_sessions: bool,
}

const STATES: [State; 4] = [
    State {
        change: "UPDATE users SET banned_at = 1, ban_reason = 'Spam' WHERE email = 'clerk@nordbil.example'",
        sentence: text::BANNED,
        ends_sessions: true,
    },
    State {
        change: "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'",
        sentence: text::ACCOUNT_DISABLED,
        ends_sessions: true,
    },
    State {
        change: "UPDATE corporations SET active = FALSE WHERE name = 'Nordbil'",
        sentence: text::ACCOUNT_DISABLED,
        ends_sessions: true,
    },
    State {
        change: "UPDATE users SET wrong_codes = 100 WHERE email = 'clerk@nordbil.example'",
        sentence: text::LOCKED,
        ends_sessions: false,
    },
];

/// All ways in, each ready to be taken.
struct Ways<'a> {
    app: &'a TestApp,
    provider: &'a Provider,
    code: String,
    /// Of a session that runs.
    pair: (String, String),
    /// Of another one, to be refreshed.
    refresh: String,
    handing_over: Browser<'a>,
    values: Value,
    connecting: Browser<'a>,
    back: String,
}

impl<'a> Ways<'a> {
    async fn ready(app: &'a TestApp, provider: &'a Provider) -> Self {
        let pair = tokens(&remember(app, CLERK, "trusted").await);
        let (_, refresh) = app.tokens(CLERK).await;
        let (handing_over, connecting) = (Browser::new(app), Browser::new(app));
        let values = handing_over.handoff(provider).await;
        let departure = connecting
            .call(Method::POST, "/api/auth/google/connect", Some(&pair.0), Some(&crate::browser::proof()))
            .await;
        let back = provider.agree(departure.body["data"]["url"].as_str().unwrap());
        let code = code(app, CLERK, DEVICE, false).await;
        Ways { app, provider, code, pair, refresh, handing_over, values, connecting, back }
    }

    /// The ways that begin a session, by name.
    async fn begin(&self) -> [(&'static str, crate::app::Answer); 4] {
        let federated = Browser::new(self.app);
        let values = federated.handoff(self.provider).await;
        [
            ("a trusted device", login_on(self.app, CLERK, PASSWORD, "trusted", true).await),
            ("a code", verify(self.app, CLERK, &self.code, DEVICE).await),
            ("a federated sign-in", federated.verify(&values).await),
            ("values from before", self.handing_over.verify(&self.values).await),
        ]
    }
}

/// A provider that vouches for the clerk.
async fn ready() -> (Provider, TestApp) {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(json!({"email": CLERK, "email_verified": true}));
    (provider, app)
}

#[tokio::test]
async fn f3_every_way_in_is_open_while_all_is_well() {
    let (provider, app) = ready().await;
    let ways = Ways::ready(&app, &provider).await;
    for (name, answer) in ways.begin().await {
        assert!(works(&app, &tokens(&answer).0).await, "{name}");
    }
    assert_eq!(refresh(&app, &ways.refresh).await.status, 200);
    let pair = json!({"accessToken": ways.pair.0, "refreshToken": ways.pair.1});
    assert_eq!(Browser::new(&app).verify(&pair).await.body["data"]["valid"], true);
    assert_eq!(ways.connecting.open(&ways.back).await, "/dashboard/profile?connected=yes");
}

#[tokio::test]
async fn f3_no_way_in_is_open_to_who_is_banned_switched_off_or_locked() {
    for State { change, sentence, ends_sessions } in STATES {
        let (provider, app) = ready().await;
        let ways = Ways::ready(&app, &provider).await;
        app.db().sql(change).exec().await.unwrap();
        let sessions = count(&app, "SELECT count(*) FROM sessions").await;
        for (name, answer) in ways.begin().await {
            let seen = (answer.status.as_u16(), &answer.body["message"]);
            assert_eq!(seen, (403, &json!(sentence)), "{name}, {change}");
            assert_eq!(answer.body["data"]["isBanned"] == true, sentence == text::BANNED, "{name}, {change}");
            assert!(!answer.body.to_string().contains("Token"), "{name}, {change}");
        }
        assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, sessions, "{change}");

        // What began before goes on only where the state says so.
        let refreshed = refresh(&app, &ways.refresh).await;
        let over = (refreshed.status.as_u16(), &refreshed.body["message"]) == (401, &json!(SESSION_ENDED));
        assert_eq!(over, ends_sessions, "{change}: {}", refreshed.body);
        let pair = json!({"accessToken": ways.pair.0, "refreshToken": ways.pair.1});
        let asked = Browser::new(&app).verify(&pair).await;
        assert_eq!(asked.body["data"]["valid"], !ends_sessions, "{change}");
        let word = if ends_sessions { "failed" } else { "yes" };
        let landed = ways.connecting.open(&ways.back).await;
        assert_eq!(landed, format!("/dashboard/profile?connected={word}"), "{change}");
    }
}

#[tokio::test]
async fn f3_an_administrators_connection_is_no_way_around_either() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let access = app.sign_in(ADMIN).await;
    let browser = Browser::new(&app);
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    app.db().sql("UPDATE users SET is_active = FALSE WHERE user_type = 'Admin'").exec().await.unwrap();
    let values = browser.handoff(&provider).await;
    assert_refused(&browser.verify(&values).await, 403, text::ACCOUNT_DISABLED);
}

/// The program's text without its tests, file by file.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
            found.push((path.file_name().unwrap().to_str().unwrap().to_owned(), text));
        }
    }
    found
}

#[test]
fn f3_sessions_and_tokens_are_made_in_one_place() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let places = |word: &str| -> Vec<&str> {
        sources.iter().flat_map(|(name, text)| text.matches(word).map(|_| name.as_str())).collect()
    };
    assert_eq!(places("encode(&Header"), ["tokens.rs"]);
    assert_eq!(places("EncodingKey::"), ["keys.rs"], "nobody else has a key to sign with");
    assert_eq!(places("tokens::sign_access_token("), ["sessions.rs"]);
    assert_eq!(places("INSERT INTO sessions"), ["sessions.rs"]);
    assert_eq!(places("fn mint("), ["sessions.rs"]);
}
