//! The mailed login code: attempts, user and device, and lifetime (O1 to O3 of docs/security.md).

use crate::app::{CLERK, NO_ROLE, PASSWORD, TestApp, read_code};
use crate::helpers::*;
use forecourt::platform::clock::{HOUR, MINUTE, SECOND};
use forecourt::platform::mail::MailMessage;
use forecourt_core::auth::text;
use serde_json::json;

#[tokio::test]
async fn o1_after_five_wrong_codes_only_a_new_code_is_accepted() {
    let app = TestApp::start().await;
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    for _ in 0..5 {
        assert_error(&verify(&app, CLERK, &wrong_code(&otp), DEVICE).await, 400, text::CODE_WRONG.as_str());
    }
    assert_error(&verify(&app, CLERK, &otp, DEVICE).await, 400, text::CODE_EXPIRED.as_str());
    app.advance(30 * SECOND);
    assert_eq!(resend(&app, CLERK, DEVICE).await.status, 200);
    let new = app.next_code(CLERK, 1).await;
    assert_eq!(verify(&app, CLERK, &new, DEVICE).await.status, 200);
}

#[tokio::test]
async fn o1_only_five_of_64_concurrent_wrong_codes_are_checked() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let otp = wrong_code(&request_code(&app, CLERK, DEVICE, false).await);
    let responses =
        send_at_once(&app, "/api/auth/verify-otp", &json!({"email": CLERK, "otp": otp, "deviceId": DEVICE}), 64).await;
    assert_eq!(responses.iter().filter(|a| a.body["message"] == text::CODE_WRONG.as_str()).count(), 5);
    assert_eq!(
        count(&app, "SELECT CAST(wrong_codes AS BIGINT) FROM users WHERE email = 'clerk@nordbil.example'").await,
        5
    );
}

#[tokio::test]
async fn o1_five_codes_per_hour_are_sent_until_one_is_used() {
    let app = TestApp::start().await;
    for _ in 0..4 {
        let _ = request_code(&app, CLERK, DEVICE, false).await;
    }
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    app.advance(30 * SECOND);
    assert_throttled(&resend(&app, CLERK, DEVICE).await, 3570);
    assert_throttled(&login_on(&app, CLERK, PASSWORD, "device-2", false).await, 3570);
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, 5);
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    app.advance(HOUR);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn o2_a_code_is_valid_once_for_its_user_and_device() {
    let app = TestApp::start().await;
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    let _ = request_code(&app, NO_ROLE, DEVICE, false).await;
    assert_eq!(verify(&app, CLERK, &otp, "device-2").await.status, 400);
    assert_eq!(verify(&app, NO_ROLE, &otp, DEVICE).await.status, 400);
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_error(&verify(&app, CLERK, &otp, DEVICE).await, 400, text::CODE_EXPIRED.as_str());
}

#[tokio::test]
async fn o2_a_code_expires_after_ten_minutes_and_a_new_one_replaces_it() {
    let app = TestApp::start().await;
    let first = request_code(&app, CLERK, DEVICE, false).await;
    app.advance(20 * SECOND);
    assert_throttled(&resend(&app, CLERK, DEVICE).await, 10);
    app.advance(10 * SECOND);
    assert_eq!(resend(&app, CLERK, DEVICE).await.status, 200);
    let second = app.next_code(CLERK, 1).await;
    if first != second {
        assert_eq!(verify(&app, CLERK, &first, DEVICE).await.status, 400);
    }
    app.advance(10 * MINUTE);
    assert_error(&verify(&app, CLERK, &second, DEVICE).await, 400, text::CODE_EXPIRED.as_str());
    // A new code can still be requested without the password, as from the page that asks for the code.
    assert_eq!(resend(&app, CLERK, DEVICE).await.status, 200);
    let third = app.next_code(CLERK, 2).await;
    app.advance(10 * MINUTE - SECOND);
    assert_eq!(verify(&app, CLERK, &third, DEVICE).await.status, 200);
}

#[tokio::test]
async fn o1_a_hundred_wrong_codes_lock_the_account_until_a_password_reset() {
    let app = TestApp::start().await;
    let (node, other) = (app.start_another_node().await, app.start_another_node().await);
    let (_, session) = tokens(&remember(&app, CLERK, "trusted").await);
    let mut waiting = String::new();
    for round in 0..20 {
        app.advance(HOUR);
        let otp = request_code(&app, CLERK, DEVICE, false).await;
        if round == 19 {
            waiting = request_code(&app, CLERK, "device-2", false).await;
        }
        for i in 0..5 {
            let node = if i % 2 == 0 { &node } else { &other };
            assert_error(&verify(node, CLERK, &wrong_code(&otp), DEVICE).await, 400, text::CODE_WRONG.as_str());
        }
    }
    // A locked account accepts neither a right code nor a trusted device. A wrong password does not reveal the lock.
    assert_error(&verify(&app, CLERK, &waiting, "device-2").await, 403, text::LOCKED.as_str());
    for device in [DEVICE, "trusted"] {
        assert_error(&login_on(&app, CLERK, PASSWORD, device, false).await, 403, text::LOCKED.as_str());
        assert_error(&login_on(&app, CLERK, "guess", device, false).await, 401, text::WRONG_CREDENTIALS.as_str());
    }
    let newest = async || count(&app, "SELECT max(created_at) FROM messages").await;
    let before = newest().await;
    app.advance(MINUTE);
    assert_eq!(resend(&app, CLERK, "device-2").await.status, 200);
    assert_eq!(newest().await, before, "no code is sent");
    // A session that was active before the lock stays active.
    let (access, _) = tokens(&refresh(&app, &session).await);
    assert!(is_session_active(&app, &access).await);

    let token = request_reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &token, "another-password").await.status, 200);
    let mails = app.mails(CLERK).len();
    assert_eq!(login(&app, CLERK, "another-password").await.body["requiresVerification"], true);
    let otp = next_login_code(&app, mails).await;
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
}

/// Returns the clerk's next code. `before` mails came earlier; the mail about the password change is skipped.
async fn next_login_code(app: &TestApp, before: usize) -> String {
    let mail = app.next_mail(CLERK, before).await;
    if mail.contains("was changed") { app.next_code(CLERK, before + 1).await } else { read_code(&mail) }
}

#[tokio::test]
async fn o1_a_right_code_resets_the_counter_and_verifies_the_email() {
    let app = TestApp::start().await;
    let state = async || -> (i32, Option<i64>) {
        let text = "SELECT wrong_codes, email_verified_at FROM users WHERE email = $1";
        app.db().sql(text).bind(CLERK).one().await.unwrap()
    };
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    for n in 1..=3 {
        assert_eq!(verify(&app, CLERK, &wrong_code(&otp), DEVICE).await.status, 400);
        assert_eq!(state().await, (n, None));
    }
    // Not counted as attempts: a code from a device that requested none, and a text that is no six-digit code.
    assert_eq!(verify(&app, CLERK, &otp, "device-2").await.status, 400);
    assert_eq!(verify(&app, CLERK, "x", DEVICE).await.status, 400);
    assert_eq!(state().await, (3, None));
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(state().await, (0, Some(app.app.clock.now())));
}

#[tokio::test]
async fn o2_a_code_is_invalid_after_the_email_address_changed() {
    let app = TestApp::start().await;
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    let change = "UPDATE users SET email = 'new@nordbil.example' WHERE email = $1";
    app.db().sql(change).bind(CLERK).exec().await.unwrap();
    assert_eq!(verify(&app, "new@nordbil.example", &otp, DEVICE).await.status, 400);
}

#[tokio::test]
async fn o2_only_the_newest_code_stays_queued_for_each_recipient() {
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    for email in [CLERK, CLERK, NO_ROLE, CLERK] {
        assert_eq!(login(&app, email, PASSWORD).await.status, 200);
    }
    let waiting: Vec<(Vec<u8>,)> =
        app.db().sql("SELECT sealed FROM messages WHERE status = 'queued'").all().await.unwrap();
    let decrypt = |encrypted: &[u8]| -> MailMessage {
        serde_json::from_slice(&app.app.keys.decrypt(encrypted).unwrap()).unwrap()
    };
    let waiting: Vec<MailMessage> = waiting.iter().map(|(sealed,)| decrypt(sealed)).collect();
    assert_eq!(waiting.len(), 2, "one per recipient");
    for mail in waiting {
        assert_eq!(verify(&app, &mail.to, &read_code(mail.text.expose_secret()), DEVICE).await.status, 200);
    }
}

#[tokio::test]
async fn o3_a_code_can_be_verified_or_resent_only_after_the_password() {
    let app = TestApp::start().await;
    let challenges = "SELECT count(*) FROM login_codes";
    assert_eq!(login(&app, CLERK, "guess").await.status, 401);
    for email in [CLERK, UNKNOWN] {
        assert_error(&verify(&app, email, "123456", DEVICE).await, 400, text::CODE_EXPIRED.as_str());
        let again = resend(&app, email, DEVICE).await;
        assert_eq!((again.status.as_u16(), &again.body["message"]), (200, &json!(text::CODE_RESENT.as_str())));
    }
    assert_eq!(count(&app, challenges).await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, 0);
    // A login with the password requests one code, for its device; a resend for another device adds none.
    let _ = request_code(&app, CLERK, DEVICE, false).await;
    assert_eq!(resend(&app, CLERK, "device-2").await.status, 200);
    assert_eq!(count(&app, challenges).await, 1);
}
