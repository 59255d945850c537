//! Sessions: what a token is good for, and until when.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, STRANGER, TestApp};
use crate::steps::{refresh, remember, tokens, works};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt::platform::clock::{DAY, HOUR, MINUTE, SECOND};
use forecourt_core::auth::SUCCESSOR_GRACE_SECONDS;
use forecourt_core::text::SESSION_ENDED;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

/// The new pair, as the answer has it in both places.
fn pair(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["tokens"], answer.body["data"]["tokens"]);
    tokens(answer)
}

/// Signs in on a device to be remembered, and gives the refresh token.
async fn remembered(app: &TestApp, email: &str) -> String {
    tokens(&remember(app, email, "d").await).1
}

fn claims(access: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(access.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn s1_an_access_token_says_who_what_and_until_when_and_lasts_15_minutes() {
    let app = TestApp::start().await;
    let access = app.sign_in(ADMIN).await;
    let claims = claims(&access);
    let now = app.app.clock.now() / SECOND;
    assert_eq!((&claims["role"], &claims["iat"], &claims["exp"]), (&json!("Admin"), &json!(now), &json!(now + 900)));
    let profile = app.get("/api/auth/profile/detail", Some(&access)).await;
    assert_eq!(profile.body["data"]["id"], claims["user_id"]);
    app.pass(15 * MINUTE);
    assert!(works(&app, &access).await, "clocks may differ by a moment");
    app.pass(5 * SECOND);
    assert!(!works(&app, &access).await);
}

#[tokio::test]
async fn s2_a_refresh_gives_a_new_pair_and_the_session_goes_on() {
    let app = TestApp::start().await;
    let (access, mut token) = app.tokens(CLERK).await;
    for _ in 0..3 {
        app.pass(14 * MINUTE);
        let (new_access, new_token) = pair(&refresh(&app, &token).await);
        assert_ne!(token, new_token);
        assert_eq!(claims(&new_access)["sid"], claims(&access)["sid"]);
        assert!(works(&app, &new_access).await);
        token = new_token;
    }
}

#[tokio::test]
async fn s2_tabs_that_refresh_at_once_get_the_same_successor() {
    let app = TestApp::start().await;
    let (_, token) = app.tokens(CLERK).await;
    let answers = join_all((0..32).map(|_| refresh(&app, &token))).await;
    let successor = pair(&answers[0]).1;
    for answer in &answers {
        let (access, next) = pair(answer);
        assert_eq!(next, successor);
        assert!(works(&app, &access).await);
    }
    // A tab that comes late, when another one has refreshed once more, is led to the end of the chain.
    let (_, last) = pair(&refresh(&app, &successor).await);
    app.pass(10 * SECOND);
    assert_eq!(pair(&refresh(&app, &token).await).1, last);
}

#[tokio::test]
async fn s2_a_refresh_token_that_comes_again_later_ends_the_whole_session() {
    let app = TestApp::start().await;
    let (other_access, _) = app.tokens(CLERK).await;
    let (access, first) = app.tokens(CLERK).await;
    let (_, second) = pair(&refresh(&app, &first).await);
    app.pass(10 * SECOND + 1);
    let reused = refresh(&app, &first).await;
    assert_eq!((reused.status.as_u16(), &reused.body["message"]), (401, &json!(SESSION_ENDED)));
    assert!(!works(&app, &access).await);
    assert_eq!(refresh(&app, &second).await.status, 401, "what the thief or the owner got is worthless too");
    assert!(works(&app, &other_access).await, "another session of the same person goes on");
}

#[tokio::test]
async fn s2_a_race_is_followed_through_sixteen_tokens_and_no_further() {
    for (times, goes_on) in [(15, true), (16, false)] {
        let app = TestApp::start().await;
        let (access, first) = app.tokens(CLERK).await;
        let mut last = first.clone();
        for _ in 0..times {
            last = pair(&refresh(&app, &last).await).1;
        }
        let late = refresh(&app, &first).await;
        assert_eq!(late.status == 200, goes_on, "{times}: {}", late.body);
        assert_eq!(works(&app, &access).await, goes_on, "{times}");
    }
}

#[tokio::test]
async fn s2_spent_tokens_are_deleted_and_their_reuse_still_ends_the_session() {
    let app = TestApp::start().await;
    let rows = async || app.db().sql("SELECT count(*) FROM refresh_tokens").one::<(i64,)>().await.unwrap().0;
    for reused in [0, 100, 199] {
        let device = format!("device {reused}");
        let mut chain = vec![tokens(&remember(&app, CLERK, &device).await).1];
        for _ in 0..200 {
            app.pass(15 * MINUTE);
            app.db().sql("DELETE FROM throttles").exec().await.unwrap();
            let (_, next) = pair(&refresh(&app, chain.last().unwrap()).await);
            chain.push(next);
        }
        assert_eq!(rows().await, 2, "the unspent token, and the one that was spent just now");
        let (access, last) = pair(&refresh(&app, chain.last().unwrap()).await);
        app.pass(SUCCESSOR_GRACE_SECONDS * SECOND + 1);
        assert_eq!(refresh(&app, &chain[reused]).await.status, 401, "{reused}");
        assert!(!works(&app, &access).await, "{reused}: the session has ended");
        assert_eq!(refresh(&app, &last).await.status, 401);
        assert_eq!(rows().await, 0);
    }
}

#[tokio::test]
async fn s2_tokens_from_before_they_named_their_session_keep_their_rows() {
    let app = TestApp::start().await;
    let (access, token) = app.tokens(CLERK).await;
    // The row of a token of an earlier version, whose reuse nothing else would tell.
    app.db().sql("UPDATE refresh_tokens SET names_session = FALSE").exec().await.unwrap();
    let (_, mut last) = pair(&refresh(&app, &token).await);
    for _ in 0..3 {
        app.pass(MINUTE);
        last = pair(&refresh(&app, &last).await).1;
    }
    let rows: i64 = app.db().sql("SELECT count(*) FROM refresh_tokens").one::<(i64,)>().await.unwrap().0;
    assert_eq!(rows, 3, "the unspent one, the one that was spent just now, and the old one");
    assert_eq!(refresh(&app, &token).await.status, 401);
    assert!(!works(&app, &access).await);
}

#[tokio::test]
async fn s2_a_session_lasts_12_hours_or_30_days_on_a_remembered_device_however_often_it_is_refreshed() {
    let app = TestApp::start().await;
    for (mut token, lasts, step) in
        [(app.tokens(NOBODY).await.1, 12 * HOUR, HOUR), (remembered(&app, CLERK).await, 30 * DAY, DAY)]
    {
        let start = app.app.clock.now();
        while app.app.clock.now() + step < start + lasts {
            app.pass(step);
            token = pair(&refresh(&app, &token).await).1;
        }
        app.pass(step);
        assert_eq!(refresh(&app, &token).await.status, 401);
    }
}

#[tokio::test]
async fn s3_switching_off_or_banning_takes_effect_at_the_next_call() {
    let app = TestApp::start().await;
    let changes = [
        (CLERK, "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'"),
        (NOBODY, "UPDATE users SET banned_at = 1 WHERE email = 'nobody@nordbil.example'"),
        (STRANGER, "UPDATE corporations SET active = FALSE WHERE name = 'Södra Bil'"),
        (ADMIN, "DELETE FROM users WHERE email = 'admin@nordbil.example'"),
    ];
    for (email, change) in changes {
        let (access, token) = app.tokens(email).await;
        assert!(works(&app, &access).await);
        app.db().sql(change).exec().await.unwrap();
        assert!(!works(&app, &access).await, "{change}");
        let refused = refresh(&app, &token).await;
        assert_eq!((refused.status.as_u16(), &refused.body["message"]), (401, &json!(SESSION_ENDED)), "{change}");
    }
}

#[tokio::test]
async fn s1_tokens_of_another_kind_or_making_open_nothing() {
    let app = TestApp::start().await;
    let (access, token) = app.tokens(CLERK).await;
    let mut parts: Vec<&str> = access.split('.').collect();
    let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    parts[0] = &none;
    let unsigned = format!("{}.{}.", parts[0], parts[1]);
    for bad in [token.as_str(), &unsigned, &parts.join("."), &access[1..], &format!("{access}A"), &"x".repeat(10_000)] {
        assert!(!works(&app, bad).await);
    }
    for bad in [access.as_str(), "unknown", &token[1..]] {
        assert_eq!(refresh(&app, bad).await.status, 401);
    }
    // Longer than any header may be: the connection ends, or a refusal comes.
    let large = app.request(Method::GET, "/api/auth/profile/detail", Some(&"x".repeat(64 * 1024))).send().await;
    assert!(large.is_err() || large.is_ok_and(|r| r.status().is_client_error()));
    assert!(works(&app, &access).await);
}

#[tokio::test]
async fn s2_nothing_that_opens_a_session_lies_in_the_database() {
    let app = TestApp::start().await;
    let (access, token) = app.tokens(CLERK).await;
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
async fn what_is_over_is_swept_away() {
    let app = TestApp::start().await;
    let _ = app.tokens(CLERK).await;
    let _ = remembered(&app, NOBODY).await;
    let count = async |table: &str| -> i64 {
        let text = match table {
            "sessions" => "SELECT count(*) FROM sessions",
            "refresh_tokens" => "SELECT count(*) FROM refresh_tokens",
            _ => "SELECT count(*) FROM trusted_devices",
        };
        app.db().sql(text).one::<(i64,)>().await.unwrap().0
    };
    app.pass(12 * HOUR);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!((count("sessions").await, count("refresh_tokens").await, count("trusted_devices").await), (1, 1, 1));
    app.pass(30 * DAY);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!((count("sessions").await, count("refresh_tokens").await, count("trusted_devices").await), (0, 0, 0));
}
