//! Password reset with a mailed link (R1 and R2 of docs/security.md).

use crate::app::{CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, TestApp};
use crate::helpers::*;
use forecourt::features::auth::resets;
use forecourt::platform::clock::{HOUR, MINUTE, SECOND};
use forecourt_core::auth::text;
use forecourt_core::reply::Done;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

const NEW: &str = "another-password";
const LINKS: &str = "SELECT count(*) FROM password_resets";
const REQUESTS: &str = "SELECT count(*) FROM reset_requests";

#[tokio::test]
async fn r1_a_link_sets_a_new_password_once_and_returns_no_tokens() {
    let app = TestApp::start().await;
    let requested = forgot(&app, " Clerk@Nordbil.Example ").await;
    assert_eq!((requested.status.as_u16(), &requested.body["message"]), (200, &json!(text::RESET_SENT.as_str())));
    let token = link_token(&app.next_mail(CLERK, 0).await);
    assert!(token.len() >= 43, "256 bits");
    let confirmed = reset(&app, &token, NEW).await;
    assert_eq!(confirmed.body, json!(Done::new(text::RESET_DONE)), "no tokens");
    let mail = app.next_mail(CLERK, 1).await;
    assert!(mail.contains("Your password for Forecourt was changed"), "{mail}");
    assert_error(&login(&app, CLERK, PASSWORD).await, 401, text::WRONG_CREDENTIALS.as_str());
    assert_error(&reset(&app, &token, "a-third-password").await, 400, text::RESET_LINK_INVALID.as_str());
    assert_eq!(login(&app, CLERK, NEW).await.status, 200);
}

#[tokio::test]
async fn r1_only_the_newest_link_is_valid_and_for_thirty_minutes() {
    let app = TestApp::start().await;
    let first = request_reset_token(&app, CLERK).await;
    let second = request_reset_token(&app, CLERK).await;
    let another = request_reset_token(&app, NO_ROLE).await;
    assert_error(&reset(&app, &first, NEW).await, 400, text::RESET_LINK_INVALID.as_str());
    app.advance(30 * MINUTE - SECOND);
    assert_eq!(reset(&app, &second, NEW).await.status, 200);
    app.advance(SECOND);
    assert_error(&reset(&app, &another, NEW).await, 400, text::RESET_LINK_INVALID.as_str());
    assert_eq!(count(&app, LINKS).await, 1);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!(count(&app, LINKS).await, 0);
}

#[tokio::test]
async fn r1_an_undecryptable_request_does_not_block_the_queue() {
    let app = TestApp::start().await;
    let now = app.app.clock.now();
    app.db()
        .sql("INSERT INTO reset_requests (request_id, sealed, created_at) VALUES ($1, $2, $3)")
        .bind_all((Uuid::nil(), b"sealed elsewhere, with another key".to_vec(), now))
        .exec()
        .await
        .unwrap();
    request_reset_token(&app, CLERK).await;
    assert_eq!(count(&app, "SELECT count(*) FROM reset_requests").await, 0);
}

#[tokio::test]
async fn r1_an_invalid_token_or_password_changes_nothing() {
    let app = TestApp::start().await;
    let token = request_reset_token(&app, CLERK).await;
    let hashes = app.app.hasher.computed();
    let (shorter, longer) = (&token[1..], format!("{token}A"));
    for bad in ["", "x", "' OR 1=1 --", "\0", shorter, &longer, &"x".repeat(2000)] {
        assert_error(&reset(&app, bad, NEW).await, 400, text::RESET_LINK_INVALID.as_str());
    }
    assert_eq!(app.app.hasher.computed(), hashes, "none of them computes a hash");
    assert_error(&reset(&app, &token, "short").await, 400, "Minimum length is 6 characters");
    let differs = json!({"token": token, "password": NEW, "confirmPassword": "x"});
    let differs = app.post("/api/auth/reset-password", None, differs).await;
    assert_error(&differs, 400, text::PASSWORDS_MUST_MATCH.as_str());
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
}

#[tokio::test]
async fn every_queued_reset_request_gets_a_link() {
    let app = TestApp::start().await;
    let emails = [CLERK, NO_ROLE, READER, OTHER_ADMIN];
    let mut tx = app.db().begin().await.unwrap();
    for (i, email) in emails.into_iter().enumerate() {
        tx.sql("INSERT INTO reset_requests (request_id, sealed, created_at) VALUES ($1, $2, $3)")
            .bind_all((Uuid::now_v7(), app.app.keys.encrypt(email.as_bytes()).unwrap(), app.app.clock.now()))
            .exec()
            .await
            .unwrap();
        // Let the database analyze the queue while it has one request, as few as it has most of the time.
        if i == 0 {
            tx.sql("ANALYZE reset_requests").exec().await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    app.app.resets.notify_one();
    for email in emails {
        link_token(&app.next_mail(email, 0).await);
    }
}

#[tokio::test]
async fn r1_a_reset_ends_sessions_codes_links_and_trusted_devices() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (access, refresh_token) = tokens(&remember(&app, CLERK, "trusted").await);
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    let other = app.sign_in(NO_ROLE).await;
    let token = request_reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    for node in [&app, &node] {
        assert!(!is_session_active(node, &access).await);
        assert_eq!(refresh(node, &refresh_token).await.status, 401);
        assert_eq!(verify(node, CLERK, &otp, DEVICE).await.status, 400);
        assert!(is_session_active(node, &other).await, "other users are not affected");
    }
    assert_eq!(count(&app, LINKS).await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM trusted_devices").await, 0);
}

#[tokio::test]
async fn r2_after_a_reset_a_trusted_device_needs_a_code_again() {
    let app = TestApp::start().await;
    remember(&app, CLERK, DEVICE).await;
    let token = request_reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    let response = login(&app, CLERK, NEW).await;
    assert_eq!((&response.body["requiresVerification"], response.body.get("data")), (&json!(true), None));
}

#[tokio::test]
async fn r1_the_link_has_the_configured_url_regardless_of_headers() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example/"]).await;
    for (i, (name, value)) in [
        ("host", "evil.example"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "http"),
        ("forwarded", "host=evil.example;proto=http"),
        ("origin", "https://evil.example"),
    ]
    .into_iter()
    .enumerate()
    {
        let request = app.request(Method::POST, "/api/auth/forgot-password", None).json(&json!({"email": CLERK}));
        assert_eq!(app.send(request.header(name, value)).await.status, 200, "{name}");
        let mail = app.next_mail(CLERK, i).await.replace("=\r\n", "").replace("=3D", "=");
        assert!(mail.lines().any(|l| l.starts_with("https://cars.example/reset-password?token=")), "{mail}");
        assert!(!mail.contains("evil.example"), "{name}: {mail}");
    }
}

#[tokio::test]
async fn r1_banned_and_deactivated_users_get_no_link_and_can_use_none() {
    let app = TestApp::start().await;
    for (email, change) in [
        (CLERK, "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'"),
        (NO_ROLE, "UPDATE users SET banned_at = 1 WHERE email = 'nobody@nordbil.example'"),
        (OTHER_ADMIN, "UPDATE corporations SET active = FALSE WHERE name = 'Södra Bil'"),
    ] {
        let token = request_reset_token(&app, email).await;
        app.db().sql(change).exec().await.unwrap();
        assert_error(&reset(&app, &token, NEW).await, 400, text::RESET_LINK_INVALID.as_str());
        let (before, links) = (app.mails(email).len(), count(&app, LINKS).await);
        assert_eq!(forgot(&app, email).await.body["message"], text::RESET_SENT.as_str());
        while resets::process_next_request(&app.app).await.unwrap() {}
        wait_until("the request is processed", async || count(&app, REQUESTS).await == 0).await;
        assert_eq!((app.mails(email).len(), count(&app, LINKS).await), (before, links), "{change}");
    }
}

#[tokio::test]
async fn r1_a_reset_before_the_approval_of_the_corporation_does_not_permit_to_sign_in() {
    let app = TestApp::start().await;
    let waits = "UPDATE corporations SET active = FALSE, awaits_approval = TRUE WHERE name = 'Södra Bil'";
    app.db().sql(waits).exec().await.unwrap();
    let token = request_reset_token(&app, OTHER_ADMIN).await;
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    assert_error(&login(&app, OTHER_ADMIN, NEW).await, 403, text::AWAITS_APPROVAL.as_str());
}

#[tokio::test]
async fn r1_queued_requests_are_processed_once_unless_they_have_expired() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    drop(app);
    assert_eq!(forgot(&node, CLERK).await.status, 200);
    assert_eq!(count(&node, REQUESTS).await, 1);
    node.advance(30 * MINUTE);
    assert_eq!(forgot(&node, NO_ROLE).await.status, 200);
    assert_eq!(forgot(&node, UNKNOWN).await.status, 200);
    while resets::process_next_request(&node.app).await.unwrap() {}
    assert_eq!((count(&node, REQUESTS).await, count(&node, LINKS).await), (0, 1));
    assert_eq!(count(&node, "SELECT count(*) FROM messages").await, 1);
    assert_eq!(forgot(&node, CLERK).await.status, 200);
    node.advance(30 * MINUTE);
    forecourt::features::auth::sweep(&node.app).await.unwrap();
    assert_eq!(count(&node, REQUESTS).await, 0);
}

#[tokio::test]
async fn r1_several_nodes_process_all_requests_with_one_link_per_user() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let (node, other) = (app.start_another_node().await, app.start_another_node().await);
    for _ in 0..5 {
        for email in [CLERK, NO_ROLE, OTHER_ADMIN, UNKNOWN] {
            assert_eq!(forgot(&node, email).await.status, 200);
        }
    }
    let job = async |node: &TestApp| while resets::process_next_request(&node.app).await.unwrap() {};
    tokio::join!(job(&node), job(&other), job(&node), job(&other));
    wait_until("all requests are processed", async || count(&app, REQUESTS).await == 0).await;
    assert_eq!(count(&app, LINKS).await, 3);
    // Of the links that were mailed to a user, the last one is valid.
    let waiting = "SELECT count(*) FROM messages WHERE status = 'queued'";
    wait_until("all mails are sent", async || count(&app, waiting).await == 0).await;
    for email in [CLERK, NO_ROLE, OTHER_ADMIN] {
        let newest = link_token(app.mails(email).last().unwrap());
        assert_eq!(reset(&app, &newest, NEW).await.status, 200, "{email}");
    }
}

#[tokio::test]
async fn r1_reset_limits_are_the_same_with_and_without_an_account() {
    let app = TestApp::start().await;
    for email in [CLERK, UNKNOWN] {
        for _ in 0..5 {
            assert_eq!(forgot(&app, email).await.status, 200);
        }
        assert_throttled(&forgot(&app, email).await, 3600);
    }
    for _ in 0..18 {
        assert!(forgot(&app, UNKNOWN).await.status == 429);
    }
    assert_throttled(&forgot(&app, NO_ROLE).await, 300);
    app.advance(HOUR);
    assert_eq!(forgot(&app, CLERK).await.status, 200);
}

#[tokio::test]
async fn r1_reset_tokens_and_emails_are_not_stored_in_plain_text() {
    let app = TestApp::start().await;
    let token = request_reset_token(&app, CLERK).await;
    let node = app.start_another_node().await;
    let mut stored: Vec<(Vec<u8>,)> = Vec::new();
    for text in ["SELECT token_hash FROM password_resets", "SELECT sealed FROM messages"] {
        stored.extend(app.db().sql(text).all::<(Vec<u8>,)>().await.unwrap());
    }
    drop(app);
    assert_eq!(forgot(&node, CLERK).await.status, 200);
    stored.extend(node.db().sql("SELECT sealed FROM reset_requests").all::<(Vec<u8>,)>().await.unwrap());
    assert_eq!(stored.len(), 3);
    for secret in [token.as_str(), CLERK] {
        assert!(stored.iter().all(|(bytes,)| !bytes.windows(secret.len()).any(|w| w == secret.as_bytes())));
    }
}
