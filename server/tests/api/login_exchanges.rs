//! O5 of docs/security.md: the one-time values in the URL of the callback page, and the responses of `verify-token`.

use crate::app::{ApiResponse, CLERK, TestApp};
use crate::browser::{Browser, parse_one_time_values, start_with_clerk};
use crate::helpers::*;
use crate::provider::{Case, Provider, Signer, TokenResponse};
use crate::traced_server::{TracedServer, canary};
use forecourt::platform::clock::{Clock, MINUTE, SECOND};
use forecourt_core::auth::text;
use serde_json::{Value, json};

/// Asserts that the response says that the pair is invalid, and nothing else.
fn assert_not_valid(response: &ApiResponse) {
    assert_eq!((response.status.as_u16(), &response.body), (200, &json!({"success": true, "data": {"valid": false}})));
}

/// Returns the body for `verify-token` with this access token and refresh token.
fn token_pair((access, refresh): &(String, String)) -> Value {
    json!({"accessToken": access, "refreshToken": refresh})
}

#[tokio::test]
async fn o5_one_time_values_are_accepted_only_once() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let values = browser.login_exchange(&provider).await;
    let cookies = browser.cookies();
    let response = browser.verify(&values).await;
    assert_eq!(response.body["tokens"], response.body["data"]["tokens"]);
    let (access, _) = tokens(&response);
    assert!(is_session_active(&app, &access).await && values["accessToken"] != access);
    cookies.iter().for_each(|(name, value)| browser.set_cookie(name, value));
    assert_not_valid(&browser.verify(&values).await);
    assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, 1);
}

#[tokio::test]
async fn o5_one_time_values_are_valid_only_in_their_own_browser() {
    let (provider, app) = start_with_clerk().await;
    let (browser, thief) = (Browser::new(&app), Browser::new(&app));
    let values = browser.login_exchange(&provider).await;
    assert_not_valid(&thief.verify(&values).await);
    // The stolen values are also invalid with the cookie of the thief's own login, and with a forged cookie.
    let own = thief.login_exchange(&provider).await;
    assert_not_valid(&thief.verify(&values).await);
    let (name, good) = thief.cookies().into_iter().next().unwrap();
    for bad in ["", "A", &format!("{good}A")] {
        thief.set_cookie(&name, bad);
        assert_not_valid(&thief.verify(&values).await);
        assert_not_valid(&thief.verify(&own).await);
    }
    // The thief's attempts have not used up the values.
    tokens(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_one_time_values_expire_after_a_minute() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let values = browser.login_exchange(&provider).await;
    app.advance(MINUTE);
    assert_not_valid(&browser.verify(&values).await);
    let now = 1_800_000_000 + MINUTE / SECOND;
    provider.set(Case { claims: json!({"email": CLERK, "email_verified": true}), now, ..Case::default() });
    let values = browser.login_exchange(&provider).await;
    app.advance(MINUTE - 1);
    tokens(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_one_time_values_are_valid_only_as_a_pair_and_are_no_tokens() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let values = browser.login_exchange(&provider).await;
    let (access, refresh_value) = (values["accessToken"].as_str().unwrap(), values["refreshToken"].as_str().unwrap());
    assert_eq!((access.len(), refresh_value.len()), (43, 43), "256 bits each");
    for (first, second) in [(refresh_value, access), (access, access), (access, "x"), ("x", refresh_value)] {
        let mixed = (first.to_owned(), second.to_owned());
        assert_not_valid(&browser.verify(&token_pair(&mixed)).await);
    }
    for value in [access, refresh_value] {
        assert!(!is_session_active(&app, value).await);
        assert_eq!(refresh(&app, value).await.status, 401);
    }
    let none = browser.verify(&json!({"accessToken": access})).await;
    assert_error(&none, 400, text::TOKEN_REQUIRED.as_str());
    tokens(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_a_password_reset_invalidates_one_time_values() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let values = browser.login_exchange(&provider).await;
    let link = request_reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &link, "another-long-password").await.status, 200);
    assert_not_valid(&browser.verify(&values).await);
}

#[tokio::test]
async fn o5_oidc_login_secrets_are_not_stored_in_plain_text() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let authorization_url = browser.start_login().await;
    let rows = async |text: &'static str| -> Vec<(Vec<u8>, Vec<u8>)> { app.db().sql(text).all().await.unwrap() };
    let flows = rows("SELECT state_hash, sealed FROM journeys").await;
    let mut secrets: Vec<String> = browser.cookies().into_values().collect();
    let query = url::Url::parse(&authorization_url).unwrap();
    secrets.extend(query.query_pairs().filter(|(name, _)| name == "state" || name == "nonce").map(|(_, v)| v.into()));
    let callback_values = parse_one_time_values(&browser.open(&provider.approve(&authorization_url)).await);
    secrets.extend(browser.cookies().into_values());
    secrets.extend(callback_values.as_object().unwrap().values().map(|v| v.as_str().unwrap().to_owned()));
    assert_eq!(secrets.len(), 6);
    let exchanges = rows("SELECT handoff_hash, handoff_hash FROM handoffs").await;
    assert_eq!((flows.len(), exchanges.len()), (1, 1));
    for bytes in flows.iter().chain(&exchanges).flat_map(|(one, other)| [one, other]) {
        for secret in &secrets {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()));
        }
    }
}

#[tokio::test]
async fn verify_token_accepts_the_pair_of_an_active_session_repeatedly() {
    let app = TestApp::start().await;
    let own = app.sign_in_for_tokens(CLERK).await;
    let browser = Browser::new(&app);
    for _ in 0..2 {
        let response = browser.verify(&token_pair(&own)).await;
        let tokens = token_pair(&own);
        let all = json!({"success": true, "data": {"valid": true, "tokens": tokens}, "tokens": tokens});
        assert_eq!((response.status.as_u16(), response.body), (200, all));
    }
    let other = app.sign_in_for_tokens(CLERK).await;
    assert_not_valid(&browser.verify(&token_pair(&(own.0.clone(), other.1.clone()))).await);
    // A pair with a used refresh token is invalid. Verifying it does not end the session.
    let next = tokens(&refresh(&app, &own.1).await);
    assert_not_valid(&browser.verify(&token_pair(&own)).await);
    assert_eq!(browser.verify(&token_pair(&next)).await.body["data"]["valid"], true);
    app.post("/api/auth/logout", Some(&next.0), json!({})).await;
    assert_not_valid(&browser.verify(&token_pair(&next)).await);
    app.advance(16 * MINUTE);
    assert_not_valid(&browser.verify(&token_pair(&other)).await);
}

#[tokio::test]
async fn o5_the_log_has_the_reason_of_a_failed_login_but_no_secrets() {
    let provider = Provider::start().await;
    let mut program = TracedServer::start("pretty", &provider).await;
    let good = Case { now: Clock::System.now() / SECOND, ..Case::default() };
    let broken = canary("id-token");
    program.track_secret("a broken token", &broken);
    let cases = [
        ("nonce mismatch", Case { claims: json!({"nonce": "another"}), ..good.clone() }),
        ("signature", Case { signer: Signer::OtherKey, ..good.clone() }),
        ("Failed to parse", Case { response: TokenResponse::IdToken(broken), ..good.clone() }),
        ("there is none", Case { response: TokenResponse::NoIdToken, ..good.clone() }),
        ("token: ", Case { response: TokenResponse::Fault, ..good.clone() }),
        ("timed out", Case { response: TokenResponse::Silence, ..good.clone() }),
    ];
    for (why, case) in cases {
        provider.set(case);
        let response = program.get("leave", "/api/auth/google", "").await;
        let back = provider.approve(&response.location);
        let authorization_url = url::Url::parse(&response.location).unwrap();
        let callback_url = url::Url::parse(&format!("{}{back}", program.base_url)).unwrap();
        for (name, value) in authorization_url.query_pairs().chain(callback_url.query_pairs()) {
            if ["state", "nonce", "code"].contains(&&*name) {
                program.track_secret("a secret of a login flow", &value);
            }
        }
        program.track_secret("the cookie of the login flow", response.cookies.split_once('=').unwrap().1);
        let before = program.log().len();
        let callback_values = program.get("callback", &back, &response.cookies).await;
        assert_eq!(callback_values.location, "/login?federated=failed");
        let log = program.log().split_off(before);
        let line = log.lines().find(|l| l.contains("a sign-in with the provider failed"));
        assert!(line.is_some_and(|l| l.contains(why)), "{why}: {line:?}");
    }
    let log = program.log();
    for secret in &program.secrets {
        let line = log.lines().find(|l| l.contains(&secret.text));
        assert!(line.is_none(), "{} is in the log: {line:?}", secret.what);
    }
}
