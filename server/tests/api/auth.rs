//! Login: password, mailed code, trusted devices, and rejected accounts.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, SUPER_ADMIN, TestApp};
use crate::helpers::*;
use forecourt::platform::clock::{DAY, SECOND};
use forecourt_core::auth::text;
use futures_util::future::join_all;
use serde_json::{Value, json};

const MESSAGES: &str = "SELECT count(*) FROM messages";

#[tokio::test]
async fn a_user_signs_in_with_password_and_mailed_code_and_signs_out() {
    let app = TestApp::start().await;
    let response = login(&app, " Clerk@Nordbil.Example ", PASSWORD).await;
    assert_eq!(response.status, 200);
    let expected = json!({
        "success": true, "message": text::CODE_SENT.as_str(), "messages": [text::CODE_SENT], "requiresVerification": true
    });
    assert_eq!(response.body, expected, "nothing else is revealed before the code");
    let otp = app.next_code(CLERK, 0).await;
    let response = verify(&app, CLERK, &otp, DEVICE).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (200, &json!(text::SIGNED_IN.as_str())));
    assert_eq!(response.body["requiresVerification"], false);
    let (access, refresh_token) = tokens(&response);
    let bearer = Some(access.as_str());

    let profile = app.get("/api/auth/profile/detail", bearer).await;
    assert_eq!(profile.status, 200);
    assert_eq!(profile.body["data"], profile.body["user"]);
    let user = &profile.body["user"];
    assert_eq!((&user["email"], &user["type"], &user["role"]), (&json!(CLERK), &json!("User"), &json!("Clerk")));
    let corporation = json!({"corp_id": app.nordbil.to_string(), "corp_name": "Nordbil", "country": "GB", "currency": "GBP", "vat_rate": 20});
    assert_eq!(user["corp"], corporation);
    assert!(!profile.body.to_string().contains("argon2"));
    let permissions = app.get("/api/rbac/user-permissions", bearer).await;
    let resources = permissions.body["data"]["resources"].as_array().unwrap();
    let may_create =
        |id: &str| resources.iter().any(|r| r["resource_id"] == id && r["permissions"]["can_create"] == true);
    assert!(may_create("contacts") && !may_create("users"));

    let out = app.post("/api/auth/logout", bearer, json!({})).await;
    assert_eq!((out.status.as_u16(), &out.body["message"]), (200, &json!(text::SIGNED_OUT.as_str())));
    assert_eq!(app.get("/api/auth/profile/detail", bearer).await.status, 401);
    assert_eq!(refresh(&app, &refresh_token).await.status, 401);
}

#[tokio::test]
async fn an_invalid_login_form_is_rejected_with_its_validation_errors() {
    let app = TestApp::start().await;
    let response = app.post("/api/auth/login", None, json!({"email": "x", "password": null, "deviceId": "d"})).await;
    assert_eq!(response.status, 400);
    assert_eq!(
        response.body["errors"],
        json!(["Please enter a valid email address", text::PASSWORD_REQUIRED.as_str()])
    );
    assert_error(&verify(&app, CLERK, "12345", DEVICE).await, 400, text::CODE_NOT_SIX.as_str());
    assert_error(&resend(&app, CLERK, " ").await, 400, text::DEVICE_REQUIRED.as_str());
    assert_error(&reset(&app, "", "secret").await, 400, text::RESET_LINK_INVALID.as_str());
    assert_error(&forgot(&app, "ada@").await, 400, "Please enter a valid email address");
    let none = app.post("/api/auth/refresh-token", None, json!({})).await;
    assert_error(&none, 400, text::TOKEN_REQUIRED.as_str());
}

#[tokio::test]
async fn a_trusted_device_needs_no_code_for_30_days() {
    let app = TestApp::start().await;
    remember(&app, CLERK, DEVICE).await;
    let again = login(&app, CLERK, PASSWORD).await;
    assert_eq!((again.status.as_u16(), &again.body["requiresVerification"]), (200, &json!(false)));
    assert!(is_session_active(&app, &tokens(&again).0).await);
    // Trusting this device for the clerk makes neither another device nor the same device trusted for another user.
    for (email, device) in [(CLERK, "device-2"), (NO_ROLE, DEVICE)] {
        let other = login_on(&app, email, PASSWORD, device, false).await;
        assert_eq!((&other.body["requiresVerification"], &other.body["data"]), (&json!(true), &Value::Null));
    }
    assert_error(&login(&app, CLERK, "not-the-password").await, 401, text::WRONG_CREDENTIALS.as_str());
    app.advance(30 * DAY - SECOND);
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["requiresVerification"], false);
    app.advance(SECOND);
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["requiresVerification"], true);
}

#[tokio::test]
async fn a_device_that_is_not_trusted_needs_a_code_at_every_login() {
    let app = TestApp::start().await;
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    assert_eq!(verify(&app, CLERK, &otp, DEVICE).await.status, 200);
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["requiresVerification"], true);
}

#[tokio::test]
async fn a4_login_reveals_a_ban_only_with_the_right_password() {
    let app = TestApp::start().await;
    let now = app.app.clock.now();
    let ban = "UPDATE users SET banned_at = $1, ban_reason = $2 WHERE email = $3";
    app.db().sql(ban).bind(now).bind("Sold a car twice").bind(CLERK).exec().await.unwrap();
    let wrong = login(&app, CLERK, "not-the-password").await;
    assert_error(&wrong, 401, text::WRONG_CREDENTIALS.as_str());
    assert_eq!(wrong.body, login(&app, NO_ROLE, "not-the-password").await.body);
    let banned = login(&app, CLERK, PASSWORD).await;
    assert_error(&banned, 403, text::BANNED.as_str());
    let expected = json!({"isBanned": true, "reason": "Sold a car twice", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(banned.body["data"], expected);
    assert_eq!(count(&app, MESSAGES).await, 0);
}

#[tokio::test]
async fn a4_a_ban_or_deactivation_invalidates_a_pending_login_code() {
    let app = TestApp::start().await;
    let changes = [
        (
            CLERK,
            "UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'",
            text::ACCOUNT_DISABLED.as_str(),
        ),
        (NO_ROLE, "UPDATE users SET banned_at = 1 WHERE email = 'nobody@nordbil.example'", text::BANNED.as_str()),
        (
            OTHER_ADMIN,
            "UPDATE corporations SET active = FALSE WHERE name = 'Södra Bil'",
            text::CORPORATION_DISABLED.as_str(),
        ),
    ];
    for (email, change, message) in changes {
        let otp = request_code(&app, email, DEVICE, false).await;
        app.db().sql(change).exec().await.unwrap();
        assert_error(&verify(&app, email, &otp, DEVICE).await, 403, message);
        assert_error(&login(&app, email, PASSWORD).await, 403, message);
        app.advance(30 * SECOND);
        let before = count(&app, MESSAGES).await;
        assert_eq!(resend(&app, email, DEVICE).await.status, 200);
        assert_eq!(count(&app, MESSAGES).await, before, "no code is sent to {email}");
    }
    for email in [ADMIN, SUPER_ADMIN] {
        assert_eq!(login(&app, email, PASSWORD).await.status, 200, "{email} is not affected");
    }
}

#[tokio::test]
async fn a_login_fails_if_the_password_changes_while_it_is_verified() {
    let app = TestApp::start().await;
    remember(&app, CLERK, DEVICE).await;
    // The hasher is busy, so that the login waits for it after it has read the account and counted the attempt.
    let busy = join_all((0..20).map(|_| app.app.hasher.hash("x".into())));
    let counters = "SELECT count(*) FROM throttles";
    let before = count(&app, counters).await;
    let change = async {
        wait_until("the attempt is counted", async || count(&app, counters).await > before).await;
        app.db().sql("UPDATE users SET password_hash = 'x' WHERE email = $1").bind(CLERK).exec().await.unwrap();
    };
    let (_, response, ()) = tokio::join!(busy, login(&app, CLERK, PASSWORD), change);
    assert_error(&response, 401, text::WRONG_CREDENTIALS.as_str());
}
