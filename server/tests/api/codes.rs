//! The mailed code: how often it can be tried, for whom it is good, and until when (security.md O1 to O3).

use crate::app::{CLERK, NOBODY, PASSWORD, TestApp, code_in};
use crate::steps::*;
use forecourt::platform::clock::{HOUR, MINUTE, SECOND};
use forecourt::platform::mail::MailMessage;
use forecourt_core::auth::text;
use serde_json::json;

#[tokio::test]
async fn o1_after_five_wrong_tries_even_the_right_code_is_refused_until_a_new_one() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, false).await;
    for _ in 0..5 {
        assert_refused(&verify(&app, CLERK, &wrong(&otp), DEVICE).await, 400, text::CODE_WRONG);
    }
    assert_refused(&verify(&app, CLERK, &otp, DEVICE).await, 400, text::CODE_EXPIRED);
    app.pass(30 * SECOND);
    assert_eq!(resend(&app, CLERK, DEVICE).await.status, 200);
    let new = app.next_code(CLERK, 1).await;
    assert_eq!(verify(&app, CLERK, &new, DEVICE).await.status, 200);
}

#[tokio::test]
async fn o1_of_64_wrong_codes_at_once_five_are_looked_at() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let otp = wrong(&code(&app, CLERK, DEVICE, false).await);
    let answers =
        at_once(&app, "/api/auth/verify-otp", &json!({"email": CLERK, "otp": otp, "deviceId": DEVICE}), 64).await;
    assert_eq!(answers.iter().filter(|a| a.body["message"] == text::CODE_WRONG).count(), 5);
    assert_eq!(
        count(&app, "SELECT CAST(wrong_codes AS BIGINT) FROM users WHERE email = 'clerk@nordbil.example'").await,
        5
    );
}

#[tokio::test]
async fn o1_five_codes_an_hour_are_sent_unless_one_of_them_was_used() {
    let app = TestApp::start().await;
    for _ in 0..4 {
        let _ = code(&app, CLERK, DEVICE, false).await;
    }
    let otp = code(&app, CLERK, DEVICE, false).await;
    app.pass(30 * SECOND);
    assert_throttled(&resend(&app, CLERK, DEVICE).await, 3570);
    assert_throttled(&login_on(&app, CLERK, PASSWORD, "device-2", false).await, 3570);
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, 5);
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    app.pass(HOUR);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn o2_a_code_is_good_for_its_person_and_device_alone_and_once() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, false).await;
    let _ = code(&app, NOBODY, DEVICE, false).await;
    assert_eq!(verify(&app, CLERK, &otp, "device-2").await.status, 400);
    assert_eq!(verify(&app, NOBODY, &otp, DEVICE).await.status, 400);
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_refused(&verify(&app, CLERK, &otp, DEVICE).await, 400, text::CODE_EXPIRED);
}

#[tokio::test]
async fn o2_a_code_lasts_ten_minutes_and_a_new_one_replaces_it() {
    let app = TestApp::start().await;
    let first = code(&app, CLERK, DEVICE, false).await;
    app.pass(20 * SECOND);
    assert_throttled(&resend(&app, CLERK, DEVICE).await, 10);
    app.pass(10 * SECOND);
    assert_eq!(resend(&app, CLERK, DEVICE).await.status, 200);
    let second = app.next_code(CLERK, 1).await;
    if first != second {
        assert_eq!(verify(&app, CLERK, &first, DEVICE).await.status, 400);
    }
    app.pass(10 * MINUTE);
    assert_refused(&verify(&app, CLERK, &second, DEVICE).await, 400, text::CODE_EXPIRED);
    // The page with the code is still open: a new one can be asked for without the password.
    assert_eq!(resend(&app, CLERK, DEVICE).await.status, 200);
    let third = app.next_code(CLERK, 2).await;
    app.pass(10 * MINUTE - SECOND);
    assert_eq!(verify(&app, CLERK, &third, DEVICE).await.status, 200);
}

#[tokio::test]
async fn o1_a_hundred_wrong_codes_in_a_row_lock_the_account_until_a_reset() {
    let app = TestApp::start().await;
    let (node, other) = (app.another_node().await, app.another_node().await);
    let (_, session) = tokens(&remember(&app, CLERK, "trusted").await);
    let mut waiting = String::new();
    for round in 0..20 {
        app.pass(HOUR);
        let otp = code(&app, CLERK, DEVICE, false).await;
        if round == 19 {
            waiting = code(&app, CLERK, "device-2", false).await;
        }
        for i in 0..5 {
            let node = if i % 2 == 0 { &node } else { &other };
            assert_refused(&verify(node, CLERK, &wrong(&otp), DEVICE).await, 400, text::CODE_WRONG);
        }
    }
    // Neither a right code nor a trusted device helps any more, and it is told to who knows the password alone.
    assert_refused(&verify(&app, CLERK, &waiting, "device-2").await, 403, text::LOCKED);
    for device in [DEVICE, "trusted"] {
        assert_refused(&login_on(&app, CLERK, PASSWORD, device, false).await, 403, text::LOCKED);
        assert_refused(&login_on(&app, CLERK, "guess", device, false).await, 401, text::WRONG_CREDENTIALS);
    }
    let newest = async || count(&app, "SELECT max(created_at) FROM messages").await;
    let before = newest().await;
    app.pass(MINUTE);
    assert_eq!(resend(&app, CLERK, "device-2").await.status, 200);
    assert_eq!(newest().await, before, "no code is sent either");
    // Who is signed in stays so.
    let (access, _) = tokens(&refresh(&app, &session).await);
    assert!(works(&app, &access).await);

    let token = reset_token(&app, CLERK).await;
    assert_eq!(reset(&app, &token, "another-password").await.status, 200);
    let mails = app.mails(CLERK).len();
    assert_eq!(login(&app, CLERK, "another-password").await.body["requiresVerification"], true);
    let otp = code_of(&app, mails).await;
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
}

/// The clerk's next code, whatever else is mailed to them.
async fn code_of(app: &TestApp, before: usize) -> String {
    let mail = app.next_mail(CLERK, before).await;
    if mail.contains("was changed") { app.next_code(CLERK, before + 1).await } else { code_in(&mail) }
}

#[tokio::test]
async fn o1_a_right_code_forgets_the_wrong_ones_before_it_and_proves_the_mailbox() {
    let app = TestApp::start().await;
    let marks = async || -> (i32, Option<i64>) {
        let text = "SELECT wrong_codes, email_verified_at FROM users WHERE email = $1";
        app.db().sql(text).bind(CLERK).one().await.unwrap()
    };
    let otp = code(&app, CLERK, DEVICE, false).await;
    for n in 1..=3 {
        assert_eq!(verify(&app, CLERK, &wrong(&otp), DEVICE).await.status, 400);
        assert_eq!(marks().await, (n, None));
    }
    // What is no try is not counted: no code waits there, or it is none.
    assert_eq!(verify(&app, CLERK, &otp, "device-2").await.status, 400);
    assert_eq!(verify(&app, CLERK, "x", DEVICE).await.status, 400);
    assert_eq!(marks().await, (3, None));
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(marks().await, (0, Some(app.app.clock.now())));
}

#[tokio::test]
async fn o2_a_code_that_was_mailed_to_another_address_is_worthless() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, false).await;
    let change = "UPDATE users SET email = 'new@nordbil.example' WHERE email = $1";
    app.db().sql(change).bind(CLERK).exec().await.unwrap();
    assert_eq!(verify(&app, "new@nordbil.example", &otp, DEVICE).await.status, 400);
}

#[tokio::test]
async fn o2_a_mail_server_that_was_away_gets_the_newest_code_alone() {
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    for email in [CLERK, CLERK, NOBODY, CLERK] {
        assert_eq!(login(&app, email, PASSWORD).await.status, 200);
    }
    let waiting: Vec<(Vec<u8>,)> =
        app.db().sql("SELECT sealed FROM messages WHERE status = 'queued'").all().await.unwrap();
    let open =
        |sealed: &[u8]| -> MailMessage { serde_json::from_slice(&app.app.keys.decrypt(sealed).unwrap()).unwrap() };
    let waiting: Vec<MailMessage> = waiting.iter().map(|(sealed,)| open(sealed)).collect();
    assert_eq!(waiting.len(), 2, "one to each");
    for mail in waiting {
        assert_eq!(verify(&app, &mail.to, &code_in(&mail.text), DEVICE).await.status, 200);
    }
}

#[tokio::test]
async fn o3_without_the_password_there_is_no_code_to_try_or_to_send_again() {
    let app = TestApp::start().await;
    let challenges = "SELECT count(*) FROM login_codes";
    assert_eq!(login(&app, CLERK, "guess").await.status, 401);
    for email in [CLERK, UNKNOWN] {
        assert_refused(&verify(&app, email, "123456", DEVICE).await, 400, text::CODE_EXPIRED);
        let again = resend(&app, email, DEVICE).await;
        assert_eq!((again.status.as_u16(), &again.body["message"]), (200, &json!(text::CODE_RESENT)));
    }
    assert_eq!(count(&app, challenges).await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, 0);
    // With it, there is one, for that device.
    let _ = code(&app, CLERK, DEVICE, false).await;
    assert_eq!(resend(&app, CLERK, "device-2").await.status, 200);
    assert_eq!(count(&app, challenges).await, 1);
}
