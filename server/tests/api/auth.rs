//! Signing in: the password, the mailed code, trusted devices, throttles.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, PASSWORD, STRANGER, SUPER_ADMIN, TestApp};
use forecourt::clock::{DAY, HOUR, MINUTE, SECOND};
use forecourt_core::auth::text;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Each person's device in these tests.
const DEVICE: &str = "device-1";

async fn login_on(app: &TestApp, email: &str, password: &str, device: &str, remember: bool) -> Answer {
    let form = json!({"email": email, "password": password, "deviceId": device, "deviceName": "Firefox on Linux",
        "rememberMe": remember});
    app.post("/api/auth/login", None, form).await
}

async fn login(app: &TestApp, email: &str, password: &str) -> Answer {
    login_on(app, email, password, DEVICE, false).await
}

async fn verify(app: &TestApp, email: &str, otp: &str, device: &str) -> Answer {
    app.post("/api/auth/verify-otp", None, json!({"email": email, "otp": otp, "deviceId": device})).await
}

async fn resend(app: &TestApp, email: &str, device: &str) -> Answer {
    app.post("/api/auth/resend-otp", None, json!({"email": email, "deviceId": device, "deviceName": "x"})).await
}

/// Gives the right password and reads the code.
async fn code(app: &TestApp, email: &str, device: &str, remember: bool) -> String {
    let before = app.mails(email).len();
    let answer = login_on(app, email, PASSWORD, device, remember).await;
    assert_eq!((answer.status, &answer.body["requiresVerification"]), (StatusCode::OK, &json!(true)));
    app.next_code(email, before).await
}

fn token(answer: &Answer) -> &str {
    answer.body["data"]["tokens"]["accessToken"].as_str().unwrap()
}

fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Refused as it should be, in one sentence.
fn assert_refused(answer: &Answer, status: u16, message: &str) {
    let seen = (answer.status.as_u16(), &answer.body["success"], &answer.body["message"]);
    assert_eq!(seen, (status, &json!(false), &json!(message)), "{}", answer.body);
}

/// Refused for a while, as the header says too.
fn assert_throttled(answer: &Answer, seconds: u64) {
    assert_eq!(answer.status, 429, "{}", answer.body);
    assert_eq!(answer.headers["retry-after"], seconds.to_string().as_str());
}

async fn messages(app: &TestApp) -> i64 {
    let (count,): (i64,) = app.db().sql("SELECT count(*) FROM messages").one().await.unwrap();
    count
}

#[tokio::test]
async fn a_person_signs_in_with_password_and_mailed_code_and_out_again() {
    let app = TestApp::start().await;
    // However the e-mail is written, it is the same person.
    let answer = login(&app, " Clerk@Nordbil.Example ", PASSWORD).await;
    assert_eq!(answer.status, 200);
    let asked = json!({"success": true, "message": text::CODE_SENT, "requiresVerification": true});
    assert_eq!(answer.body, asked, "nothing else is told before the code");
    let otp = app.next_code(CLERK, 0).await;
    let answer = verify(&app, CLERK, &otp, DEVICE).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(text::SIGNED_IN)));
    assert_eq!(answer.body["requiresVerification"], false);
    let bearer = Some(token(&answer));

    let profile = app.get("/api/auth/profile/detail", bearer).await;
    assert_eq!(profile.status, 200);
    assert_eq!(profile.body["data"], profile.body["user"]);
    let user = &profile.body["user"];
    assert_eq!((&user["email"], &user["type"], &user["role"]), (&json!(CLERK), &json!("User"), &json!("Clerk")));
    assert_eq!(user["corp"], json!({"corp_id": app.nordbil.to_string(), "corp_name": "Nordbil"}));
    assert!(!profile.body.to_string().contains("argon2"));
    let permissions = app.get("/api/rbac/user-permissions", bearer).await;
    let resources = permissions.body["data"]["resources"].as_array().unwrap();
    let may_create =
        |id: &str| resources.iter().any(|r| r["resource_id"] == id && r["permissions"]["can_create"] == true);
    assert!(may_create("contacts") && !may_create("invoices"));

    let out = app.post("/api/auth/logout", bearer, json!({})).await;
    assert_eq!((out.status.as_u16(), &out.body["message"]), (200, &json!(text::SIGNED_OUT)));
    assert_eq!(app.get("/api/auth/profile/detail", bearer).await.status, 401);
    let old = answer.body["data"]["tokens"]["refreshToken"].clone();
    assert_eq!(app.post("/api/auth/refresh-token", None, json!({"refreshToken": old})).await.status, 401);
}

#[tokio::test]
async fn an_unknown_email_and_a_wrong_password_are_answered_alike() {
    let app = TestApp::start().await;
    let wrong = login(&app, CLERK, "not-the-password").await;
    let unknown = login(&app, "nobody@at.all.example", PASSWORD).await;
    for answer in [&wrong, &unknown] {
        assert_refused(answer, 401, text::WRONG_CREDENTIALS);
    }
    assert_eq!(wrong.body, unknown.body);
    let otp = |email| verify(&app, email, "123456", DEVICE);
    assert_eq!(otp(CLERK).await.body, otp("nobody@at.all.example").await.body);
    let again = |email| resend(&app, email, DEVICE);
    assert_eq!(again(CLERK).await.body, again("nobody@at.all.example").await.body);
    assert_eq!(messages(&app).await, 0, "without the password nothing is mailed");
}

#[tokio::test]
async fn a_form_that_breaks_a_rule_is_refused_with_its_sentences() {
    let app = TestApp::start().await;
    let answer = app.post("/api/auth/login", None, json!({"email": "x", "password": null, "deviceId": "d"})).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.body["errors"], json!(["Please enter a valid email address", text::PASSWORD_REQUIRED]));
    assert_refused(&verify(&app, CLERK, "12345", DEVICE).await, 400, text::CODE_NOT_SIX);
    assert_refused(&resend(&app, CLERK, " ").await, 400, text::DEVICE_REQUIRED);
    let none = app.post("/api/auth/refresh-token", None, json!({})).await;
    assert_refused(&none, 400, text::TOKEN_REQUIRED);
}

#[tokio::test]
async fn after_five_wrong_tries_even_the_right_code_is_refused_until_a_new_one() {
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
async fn a_code_is_good_for_its_person_and_device_alone_and_once() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, false).await;
    let _ = code(&app, NOBODY, DEVICE, false).await;
    assert_eq!(verify(&app, CLERK, &otp, "device-2").await.status, 400);
    assert_eq!(verify(&app, NOBODY, &otp, DEVICE).await.status, 400);
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_refused(&verify(&app, CLERK, &otp, DEVICE).await, 400, text::CODE_EXPIRED);
}

#[tokio::test]
async fn a_code_lasts_ten_minutes_and_a_new_one_replaces_it() {
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
async fn of_64_who_send_the_right_code_at_once_one_is_signed_in() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    for round in 0..6 {
        let otp = code(&app, CLERK, DEVICE, true).await;
        let tries = (0..64).map(|i| {
            let form = json!({"email": CLERK, "otp": otp, "deviceId": DEVICE});
            let request = app.request(Method::POST, "/api/auth/verify-otp", None).json(&form);
            app.send(request.header("x-forwarded-for", format!("10.{round}.0.{i}")))
        });
        let answers = join_all(tries).await;
        let won = answers.iter().filter(|a| a.status == 200).count();
        assert_eq!(won, 1, "round {round}");
        assert!(answers.iter().all(|a| a.status == 200 || a.status == 400), "{answers:?}");
        let (sessions,): (i64,) = app.db().sql("SELECT count(*) FROM sessions").one().await.unwrap();
        assert_eq!(sessions, round + 1);
        app.db().sql("DELETE FROM trusted_devices").exec().await.unwrap();
    }
}

#[tokio::test]
async fn of_64_wrong_codes_at_once_five_are_looked_at() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let otp = wrong(&code(&app, CLERK, DEVICE, false).await);
    let tries = (0..64).map(|i| {
        let form = json!({"email": CLERK, "otp": otp, "deviceId": DEVICE});
        let request = app.request(Method::POST, "/api/auth/verify-otp", None).json(&form);
        app.send(request.header("x-forwarded-for", format!("10.0.0.{i}")))
    });
    let looked_at = join_all(tries).await.iter().filter(|a| a.body["message"] == text::CODE_WRONG).count();
    assert_eq!(looked_at, 5);
}

#[tokio::test]
async fn a_remembered_device_needs_no_code_for_30_days() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, true).await;
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    let again = login(&app, CLERK, PASSWORD).await;
    assert_eq!((again.status.as_u16(), &again.body["requiresVerification"]), (200, &json!(false)));
    assert_eq!(app.get("/api/auth/profile/detail", Some(token(&again))).await.status, 200);
    // Neither another device nor another person is trusted by that.
    for (email, device) in [(CLERK, "device-2"), (NOBODY, DEVICE)] {
        let other = login_on(&app, email, PASSWORD, device, false).await;
        assert_eq!((&other.body["requiresVerification"], &other.body["data"]), (&json!(true), &Value::Null));
    }
    assert_refused(&login(&app, CLERK, "not-the-password").await, 401, text::WRONG_CREDENTIALS);
    app.pass(30 * DAY);
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["requiresVerification"], true);
}

#[tokio::test]
async fn a_device_that_is_not_remembered_is_asked_for_a_code_every_time() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, false).await;
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["requiresVerification"], true);
}

#[tokio::test]
async fn guessing_a_password_is_throttled_by_account_but_not_on_its_trusted_device() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, "trusted", true).await;
    assert_eq!(verify(&app, CLERK, &otp, "trusted").await.status, 200);
    for email in [CLERK, "nobody@at.all.example"] {
        for _ in 0..10 {
            assert_eq!(login(&app, email, "guess").await.status, 401);
        }
        assert_throttled(&login(&app, email, PASSWORD).await, 300);
    }
    assert_eq!(login(&app, NOBODY, PASSWORD).await.status, 200, "others sign in as before");
    assert_eq!(login_on(&app, CLERK, PASSWORD, "trusted", false).await.status, 200);
    app.pass(5 * MINUTE);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn five_codes_an_hour_are_sent_unless_one_of_them_was_used() {
    let app = TestApp::start().await;
    for _ in 0..4 {
        let _ = code(&app, CLERK, DEVICE, false).await;
    }
    let otp = code(&app, CLERK, DEVICE, false).await;
    app.pass(30 * SECOND);
    assert_throttled(&resend(&app, CLERK, DEVICE).await, 3570);
    assert_throttled(&login_on(&app, CLERK, PASSWORD, "device-2", false).await, 3570);
    assert_eq!(messages(&app).await, 5);
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    app.pass(HOUR);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn codes_tried_from_one_address_are_throttled() {
    let app = TestApp::start().await;
    for _ in 0..60 {
        assert_eq!(verify(&app, "nobody@at.all.example", "123456", DEVICE).await.status, 400);
    }
    assert_throttled(&verify(&app, CLERK, "123456", DEVICE).await, 300);
    app.pass(5 * MINUTE);
    assert_eq!(verify(&app, CLERK, "123456", DEVICE).await.status, 400);
}

#[tokio::test]
async fn a_ban_is_told_only_to_who_knows_the_password() {
    let app = TestApp::start().await;
    let now = app.app.clock.now();
    let ban = "UPDATE users SET banned_at = $1, ban_reason = $2 WHERE email = $3";
    app.db().sql(ban).bind(now).bind("Sold a car twice").bind(CLERK).exec().await.unwrap();
    assert_refused(&login(&app, CLERK, "not-the-password").await, 401, text::WRONG_CREDENTIALS);
    let banned = login(&app, CLERK, PASSWORD).await;
    assert_refused(&banned, 403, text::BANNED);
    let told = json!({"isBanned": true, "reason": "Sold a car twice", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(banned.body["data"], told);
    assert_eq!(messages(&app).await, 0);
}

#[tokio::test]
async fn who_is_banned_or_switched_off_while_a_code_waits_is_not_signed_in() {
    let app = TestApp::start().await;
    let changes = [
        (CLERK, "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'", text::SWITCHED_OFF),
        (NOBODY, "UPDATE users SET banned_at = 1 WHERE email = 'nobody@nordbil.example'", text::BANNED),
        (STRANGER, "UPDATE corporations SET active = FALSE WHERE name = 'Södra Bil'", text::SWITCHED_OFF),
    ];
    for (email, change, message) in changes {
        let otp = code(&app, email, DEVICE, false).await;
        app.db().sql(change).exec().await.unwrap();
        assert_refused(&verify(&app, email, &otp, DEVICE).await, 403, message);
        assert_refused(&login(&app, email, PASSWORD).await, 403, message);
        app.pass(30 * SECOND);
        let before = messages(&app).await;
        assert_eq!(resend(&app, email, DEVICE).await.status, 200);
        assert_eq!(messages(&app).await, before, "no code is sent to {email}");
    }
    for email in [ADMIN, SUPER_ADMIN] {
        assert_eq!(login(&app, email, PASSWORD).await.status, 200, "{email} is not concerned");
    }
}
