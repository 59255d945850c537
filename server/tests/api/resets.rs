//! A new password by a mailed link (security.md R1 and R2).

use crate::app::{CLERK, NOBODY, PASSWORD, READER, STRANGER, TestApp};
use crate::steps::*;
use forecourt::features::auth::resets;
use forecourt::platform::clock::{HOUR, MINUTE, SECOND};
use forecourt_core::auth::text;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

const NEW: &str = "another-password";
const LINKS: &str = "SELECT count(*) FROM password_resets";
const REQUESTS: &str = "SELECT count(*) FROM reset_requests";

#[tokio::test]
async fn r1_a_link_sets_a_new_password_once_and_signs_nobody_in() {
    let app = TestApp::start().await;
    // However the e-mail is written, it is the same person.
    let asked = forgot(&app, " Clerk@Nordbil.Example ").await;
    assert_eq!((asked.status.as_u16(), &asked.body["message"]), (200, &json!(text::RESET_SENT)));
    let token = link_token(&app.next_mail(CLERK, 0).await);
    assert!(token.len() >= 43, "256 bits");
    let done = reset(&app, &token, NEW).await;
    assert_eq!(done.body, json!({"success": true, "message": text::RESET_DONE}), "no tokens");
    let told = app.next_mail(CLERK, 1).await;
    assert!(told.contains("Your password for Forecourt was changed"), "{told}");
    assert_refused(&login(&app, CLERK, PASSWORD).await, 401, text::WRONG_CREDENTIALS);
    assert_refused(&reset(&app, &token, "a-third-password").await, 400, text::RESET_LINK_INVALID);
    assert_eq!(login(&app, CLERK, NEW).await.status, 200);
}

#[tokio::test]
async fn r1_only_the_newest_link_works_and_for_thirty_minutes() {
    let app = TestApp::start().await;
    let first = reset_token(&app, CLERK).await;
    let second = reset_token(&app, CLERK).await;
    let another = reset_token(&app, NOBODY).await;
    assert_refused(&reset(&app, &first, NEW).await, 400, text::RESET_LINK_INVALID);
    app.pass(30 * MINUTE - SECOND);
    assert_eq!(reset(&app, &second, NEW).await.status, 200);
    app.pass(SECOND);
    assert_refused(&reset(&app, &another, NEW).await, 400, text::RESET_LINK_INVALID);
    assert_eq!(count(&app, LINKS).await, 1);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!(count(&app, LINKS).await, 0);
}

#[tokio::test]
async fn r1_a_request_that_another_secret_key_sealed_holds_up_none_behind_it() {
    let app = TestApp::start().await;
    let now = app.app.clock.now();
    app.db()
        .sql("INSERT INTO reset_requests (request_id, sealed, created_at) VALUES ($1, $2, $3)")
        .bind(Uuid::nil())
        .bind(b"sealed elsewhere, with another key".to_vec())
        .bind(now)
        .exec()
        .await
        .unwrap();
    reset_token(&app, CLERK).await;
    assert_eq!(count(&app, "SELECT count(*) FROM reset_requests").await, 0);
}

#[tokio::test]
async fn r1_a_token_that_is_none_or_a_password_that_breaks_the_rule_changes_nothing() {
    let app = TestApp::start().await;
    let token = reset_token(&app, CLERK).await;
    let hashes = app.app.hasher.computed();
    let (shorter, longer) = (&token[1..], format!("{token}A"));
    for bad in ["", "x", "' OR 1=1 --", "\0", shorter, &longer, &"x".repeat(2000)] {
        assert_refused(&reset(&app, bad, NEW).await, 400, text::RESET_LINK_INVALID);
    }
    assert_eq!(app.app.hasher.computed(), hashes, "none of them costs a hash");
    assert_refused(&reset(&app, &token, "short").await, 400, "Minimum length is 6 characters");
    let differs = json!({"token": token, "password": NEW, "confirmPassword": "x"});
    let differs = app.post("/api/auth/reset-password", None, differs).await;
    assert_refused(&differs, 400, text::PASSWORDS_MUST_MATCH);
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
}

#[tokio::test]
async fn of_several_who_wait_for_a_link_each_gets_one() {
    let app = TestApp::start().await;
    let everybody = [CLERK, NOBODY, READER, STRANGER];
    let mut tx = app.db().begin().await.unwrap();
    for (i, email) in everybody.into_iter().enumerate() {
        tx.sql("INSERT INTO reset_requests (request_id, sealed, created_at) VALUES ($1, $2, $3)")
            .bind(Uuid::now_v7())
            .bind(app.app.keys.seal(email.as_bytes()).unwrap())
            .bind(app.app.clock.now())
            .exec()
            .await
            .unwrap();
        // The database plans for a queue that is as good as empty, as it is most of the time.
        if i == 0 {
            tx.sql("ANALYZE reset_requests").exec().await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    app.app.resets.notify_one();
    for email in everybody {
        link_token(&app.next_mail(email, 0).await);
    }
}

#[tokio::test]
async fn r1_a_reset_ends_every_session_code_link_and_trusted_device_on_every_node() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let (access, refresh_token) = tokens(&remember(&app, CLERK, "trusted").await);
    let otp = code(&app, CLERK, DEVICE, false).await;
    let other = app.sign_in(NOBODY).await;
    let token = reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    for node in [&app, &node] {
        assert!(!works(node, &access).await);
        assert_eq!(refresh(node, &refresh_token).await.status, 401);
        assert_eq!(verify(node, CLERK, &otp, DEVICE).await.status, 400);
        assert!(works(node, &other).await, "nobody else is concerned");
    }
    assert_eq!(count(&app, LINKS).await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM trusted_devices").await, 0);
}

#[tokio::test]
async fn r2_after_a_reset_the_code_is_asked_for_also_where_the_device_was_trusted() {
    let app = TestApp::start().await;
    remember(&app, CLERK, DEVICE).await;
    let token = reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    let answer = login(&app, CLERK, NEW).await;
    assert_eq!((&answer.body["requiresVerification"], answer.body.get("data")), (&json!(true), None));
}

#[tokio::test]
async fn r1_the_link_leads_to_the_configured_address_whatever_a_request_says() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example/office/"]).await;
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
        let call = app.request(Method::POST, "/api/auth/forgot-password", None).json(&json!({"email": CLERK}));
        assert_eq!(app.send(call.header(name, value)).await.status, 200, "{name}");
        let mail = app.next_mail(CLERK, i).await.replace("=\r\n", "").replace("=3D", "=");
        assert!(mail.lines().any(|l| l.starts_with("https://cars.example/office/reset-password?token=")), "{mail}");
        assert!(!mail.contains("evil.example"), "{name}: {mail}");
    }
}

#[tokio::test]
async fn r1_who_is_banned_or_switched_off_gets_no_link_and_can_use_none() {
    let app = TestApp::start().await;
    for (email, change) in [
        (CLERK, "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'"),
        (NOBODY, "UPDATE users SET banned_at = 1 WHERE email = 'nobody@nordbil.example'"),
        (STRANGER, "UPDATE corporations SET active = FALSE WHERE name = 'Södra Bil'"),
    ] {
        let token = reset_token(&app, email).await;
        app.db().sql(change).exec().await.unwrap();
        assert_refused(&reset(&app, &token, NEW).await, 400, text::RESET_LINK_INVALID);
        let (before, links) = (app.mails(email).len(), count(&app, LINKS).await);
        assert_eq!(forgot(&app, email).await.body["message"], text::RESET_SENT);
        while resets::process_next_request(&app.app).await.unwrap() {}
        until("it is answered", async || count(&app, REQUESTS).await == 0).await;
        assert_eq!((app.mails(email).len(), count(&app, LINKS).await), (before, links), "{change}");
    }
}

#[tokio::test]
async fn r1_what_was_asked_for_while_no_job_ran_is_answered_once_or_not_at_all_when_it_is_old() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    drop(app);
    assert_eq!(forgot(&node, CLERK).await.status, 200);
    assert_eq!(count(&node, REQUESTS).await, 1);
    node.pass(30 * MINUTE);
    assert_eq!(forgot(&node, NOBODY).await.status, 200);
    assert_eq!(forgot(&node, UNKNOWN).await.status, 200);
    while resets::process_next_request(&node.app).await.unwrap() {}
    assert_eq!((count(&node, REQUESTS).await, count(&node, LINKS).await), (0, 1));
    assert_eq!(count(&node, "SELECT count(*) FROM messages").await, 1);
    assert_eq!(forgot(&node, CLERK).await.status, 200);
    node.pass(30 * MINUTE);
    forecourt::features::auth::sweep(&node.app).await.unwrap();
    assert_eq!(count(&node, REQUESTS).await, 0);
}

#[tokio::test]
async fn r1_several_nodes_answer_every_request_and_leave_one_link_to_each_person() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let (node, other) = (app.another_node().await, app.another_node().await);
    for _ in 0..5 {
        for email in [CLERK, NOBODY, STRANGER, UNKNOWN] {
            assert_eq!(forgot(&node, email).await.status, 200);
        }
    }
    let job = async |node: &TestApp| while resets::process_next_request(&node.app).await.unwrap() {};
    tokio::join!(job(&node), job(&other), job(&node), job(&other));
    until("all are answered", async || count(&app, REQUESTS).await == 0).await;
    assert_eq!(count(&app, LINKS).await, 3);
    // The link that was mailed last is the one that works.
    let waiting = "SELECT count(*) FROM messages WHERE status = 'queued'";
    until("all is mailed", async || count(&app, waiting).await == 0).await;
    for email in [CLERK, NOBODY, STRANGER] {
        let newest = link_token(app.mails(email).last().unwrap());
        assert_eq!(reset(&app, &newest, NEW).await.status, 200, "{email}");
    }
}

#[tokio::test]
async fn r1_links_for_one_email_are_throttled_alike_whether_or_not_it_has_an_account() {
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
    assert_throttled(&forgot(&app, NOBODY).await, 300);
    app.pass(HOUR);
    assert_eq!(forgot(&app, CLERK).await.status, 200);
}

#[tokio::test]
async fn r1_neither_the_link_nor_the_email_lies_open_in_the_database() {
    let app = TestApp::start().await;
    let token = reset_token(&app, CLERK).await;
    let node = app.another_node().await;
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
