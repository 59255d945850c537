//! Sessions: access tokens, refresh tokens, and their lifetimes.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, TestApp};
use crate::helpers::{is_session_active, refresh, remember, tokens};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt::platform::clock::{DAY, HOUR, MINUTE, SECOND};
use forecourt_core::auth::SPENT_TOKEN_GRACE_SECONDS;
use forecourt_core::text::SESSION_ENDED;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

/// Returns the access token and the refresh token of a response, which contains them twice.
fn token_pair(response: &ApiResponse) -> (String, String) {
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!(response.body["tokens"], response.body["data"]["tokens"]);
    tokens(response)
}

/// Signs in on a device that is trusted from then on, and returns the refresh token.
async fn sign_in_remembered(app: &TestApp, email: &str) -> String {
    tokens(&remember(app, email, "d").await).1
}

fn claims(access: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(access.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn s1_an_access_token_has_user_role_and_expiry_and_lasts_15_minutes() {
    let (app, access) = TestApp::start_and_sign_in(ADMIN).await;
    let claims = claims(&access);
    let now = app.app.clock.now() / SECOND;
    assert_eq!((&claims["role"], &claims["iat"], &claims["exp"]), (&json!("Admin"), &json!(now), &json!(now + 900)));
    let profile = app.get("/api/auth/profile/detail", Some(&access)).await;
    assert_eq!(profile.body["data"]["id"], claims["user_id"]);
    app.advance(15 * MINUTE);
    assert!(is_session_active(&app, &access).await, "clocks may differ slightly");
    app.advance(5 * SECOND);
    assert!(!is_session_active(&app, &access).await);
}

#[tokio::test]
async fn s2_a_refresh_returns_a_new_pair_of_the_same_session() {
    let app = TestApp::start().await;
    let (access, mut token) = app.sign_in_for_tokens(CLERK).await;
    for _ in 0..3 {
        app.advance(14 * MINUTE);
        let (new_access, new_token) = token_pair(&refresh(&app, &token).await);
        assert_ne!(token, new_token);
        assert_eq!(claims(&new_access)["sid"], claims(&access)["sid"]);
        assert!(is_session_active(&app, &new_access).await);
        token = new_token;
    }
}

#[tokio::test]
async fn s2_concurrent_refreshes_of_tabs_get_the_same_successor() {
    let app = TestApp::start().await;
    let (_, token) = app.sign_in_for_tokens(CLERK).await;
    let responses = join_all((0..32).map(|_| refresh(&app, &token))).await;
    let successor = token_pair(&responses[0]).1;
    for response in &responses {
        let (access, next) = token_pair(response);
        assert_eq!(next, successor);
        assert!(is_session_active(&app, &access).await);
    }
    // A tab that still has the first token gets the last token of the chain, after another tab has refreshed again.
    let (_, last) = token_pair(&refresh(&app, &successor).await);
    app.advance(10 * SECOND);
    assert_eq!(token_pair(&refresh(&app, &token).await).1, last);
}

#[tokio::test]
async fn s2_reusing_a_refresh_token_after_the_grace_ends_the_session() {
    let app = TestApp::start().await;
    let (other_access, _) = app.sign_in_for_tokens(CLERK).await;
    let (access, first) = app.sign_in_for_tokens(CLERK).await;
    let (_, second) = token_pair(&refresh(&app, &first).await);
    app.advance(10 * SECOND + 1);
    let reused = refresh(&app, &first).await;
    assert_eq!((reused.status.as_u16(), &reused.body["message"]), (401, &json!(SESSION_ENDED.as_str())));
    assert!(!is_session_active(&app, &access).await);
    assert_eq!(refresh(&app, &second).await.status, 401, "the successor is invalid too");
    assert!(is_session_active(&app, &other_access).await, "another session of the same user stays active");
}

#[tokio::test]
async fn s2_a_late_refresh_follows_at_most_fifteen_successors() {
    for (times, stays_active) in [(15, true), (16, false)] {
        let app = TestApp::start().await;
        let (access, first) = app.sign_in_for_tokens(CLERK).await;
        let mut last = first.clone();
        for _ in 0..times {
            last = token_pair(&refresh(&app, &last).await).1;
        }
        let late = refresh(&app, &first).await;
        assert_eq!(late.status == 200, stays_active, "{times}: {}", late.body);
        assert_eq!(is_session_active(&app, &access).await, stays_active, "{times}");
    }
}

#[tokio::test]
async fn s2_reusing_a_deleted_refresh_token_still_ends_the_session() {
    let app = TestApp::start().await;
    let rows = async || app.db().sql("SELECT count(*) FROM refresh_tokens").value::<i64>().await.unwrap();
    for reused in [0, 100, 199] {
        let device = format!("device {reused}");
        let mut chain = vec![tokens(&remember(&app, CLERK, &device).await).1];
        for _ in 0..200 {
            app.advance(15 * MINUTE);
            app.db().sql("DELETE FROM throttles").exec().await.unwrap();
            let (_, next) = token_pair(&refresh(&app, chain.last().unwrap()).await);
            chain.push(next);
        }
        assert_eq!(rows().await, 2, "the unused token, and the last used one");
        let (access, last) = token_pair(&refresh(&app, chain.last().unwrap()).await);
        app.advance(SPENT_TOKEN_GRACE_SECONDS * SECOND + 1);
        assert_eq!(refresh(&app, &chain[reused]).await.status, 401, "{reused}");
        assert!(!is_session_active(&app, &access).await, "{reused}: the session has ended");
        assert_eq!(refresh(&app, &last).await.status, 401);
        assert_eq!(rows().await, 0);
    }
}

#[tokio::test]
async fn s2_reuse_of_a_refresh_token_of_an_older_program_version_ends_the_session() {
    let app = TestApp::start().await;
    let (access, token) = app.sign_in_for_tokens(CLERK).await;
    // Make the stored token one that an earlier version of the program issued, which does not contain its session's id.
    // The reuse of such a token is recognized only by its row.
    app.db().sql("UPDATE refresh_tokens SET names_session = FALSE").exec().await.unwrap();
    let (_, mut last) = token_pair(&refresh(&app, &token).await);
    for _ in 0..3 {
        app.advance(MINUTE);
        last = token_pair(&refresh(&app, &last).await).1;
    }
    let rows: i64 = app.db().sql("SELECT count(*) FROM refresh_tokens").value::<i64>().await.unwrap();
    assert_eq!(rows, 3, "the unused token, the last used one, and the old one");
    assert_eq!(refresh(&app, &token).await.status, 401);
    assert!(!is_session_active(&app, &access).await);
}

#[tokio::test]
async fn s2_a_session_lasts_12_hours_or_30_days_despite_refreshes() {
    let app = TestApp::start().await;
    for (mut token, lifetime, step) in [
        (app.sign_in_for_tokens(NO_ROLE).await.1, 12 * HOUR, HOUR),
        (sign_in_remembered(&app, CLERK).await, 30 * DAY, DAY),
    ] {
        let start = app.app.clock.now();
        while app.app.clock.now() + step < start + lifetime {
            app.advance(step);
            token = token_pair(&refresh(&app, &token).await).1;
        }
        app.advance(step);
        assert_eq!(refresh(&app, &token).await.status, 401);
    }
}

#[tokio::test]
async fn s3_deactivation_ban_and_deletion_apply_at_the_next_request() {
    let app = TestApp::start().await;
    let changes = [
        (CLERK, "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'"),
        (NO_ROLE, "UPDATE users SET banned_at = 1 WHERE email = 'nobody@nordbil.example'"),
        (OTHER_ADMIN, "UPDATE corporations SET active = FALSE WHERE name = 'Södra Bil'"),
        (ADMIN, "DELETE FROM users WHERE email = 'admin@nordbil.example'"),
    ];
    for (email, change) in changes {
        let (access, token) = app.sign_in_for_tokens(email).await;
        assert!(is_session_active(&app, &access).await);
        app.db().sql(change).exec().await.unwrap();
        assert!(!is_session_active(&app, &access).await, "{change}");
        let rejected = refresh(&app, &token).await;
        assert_eq!(
            (rejected.status.as_u16(), &rejected.body["message"]),
            (401, &json!(SESSION_ENDED.as_str())),
            "{change}"
        );
    }
}

#[tokio::test]
async fn s1_forged_and_wrong_kinds_of_tokens_are_rejected() {
    let app = TestApp::start().await;
    let (access, token) = app.sign_in_for_tokens(CLERK).await;
    let mut parts: Vec<&str> = access.split('.').collect();
    let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    parts[0] = &none;
    let unsigned = format!("{}.{}.", parts[0], parts[1]);
    for bad in [token.as_str(), &unsigned, &parts.join("."), &access[1..], &format!("{access}A"), &"x".repeat(10_000)] {
        assert!(!is_session_active(&app, bad).await);
    }
    for bad in [access.as_str(), "unknown", &token[1..]] {
        assert_eq!(refresh(&app, bad).await.status, 401);
    }
    // A token longer than the limit of headers: the server closes the connection, or responds with an error.
    let large = app.request(Method::GET, "/api/auth/profile/detail", Some(&"x".repeat(64 * 1024))).send().await;
    assert!(large.is_err() || large.is_ok_and(|r| r.status().is_client_error()));
    assert!(is_session_active(&app, &access).await);
}

#[tokio::test]
async fn s2_tokens_and_codes_are_not_stored_in_plain_text() {
    let app = TestApp::start().await;
    let (access, token) = app.sign_in_for_tokens(CLERK).await;
    let code = app.next_code(CLERK, 0).await;
    let rows: Vec<(Vec<u8>,)> = app.db().sql("SELECT token_hash FROM refresh_tokens").all().await.unwrap();
    let sealed: Vec<(Vec<u8>,)> = app.db().sql("SELECT sealed FROM messages").all().await.unwrap();
    assert!(!rows.is_empty() && !sealed.is_empty());
    for (bytes,) in rows.iter().chain(&sealed) {
        for secret in [&access, &token, &code] {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()));
        }
    }
}

#[tokio::test]
async fn expired_sessions_and_trusted_devices_are_deleted() {
    let app = TestApp::start().await;
    let _ = app.sign_in_for_tokens(CLERK).await;
    let _ = sign_in_remembered(&app, NO_ROLE).await;
    let count = async |table: &str| -> i64 {
        let text = match table {
            "sessions" => "SELECT count(*) FROM sessions",
            "refresh_tokens" => "SELECT count(*) FROM refresh_tokens",
            _ => "SELECT count(*) FROM trusted_devices",
        };
        app.db().sql(text).value::<i64>().await.unwrap()
    };
    assert_eq!((count("sessions").await, count("refresh_tokens").await, count("trusted_devices").await), (2, 2, 1));
    app.advance(12 * HOUR);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!((count("sessions").await, count("refresh_tokens").await, count("trusted_devices").await), (1, 1, 1));
    app.advance(30 * DAY);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!((count("sessions").await, count("refresh_tokens").await, count("trusted_devices").await), (0, 0, 0));
}
