//! Changing one's own password, and deleting one's own account.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, SUPER_ADMIN, TestApp};
use crate::helpers::{assert_throttled, copy_user, login, login_on, refresh, remember};
use crate::image_files::{fetch, jpeg};
use forecourt::platform::clock::MINUTE;
use forecourt_core::auth::text::{LAST_ADMIN, LAST_SUPER_ADMIN};
use forecourt_core::profile::text;
use forecourt_core::text::SESSION_ENDED;
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use uuid::Uuid;

const CHANGE: &str = "/api/auth/change-password";
const DELETE: &str = "/api/profile/delete-account";
const DETAIL: &str = "/api/auth/profile/detail";

async fn change_password(app: &TestApp, token: &str, current: &str, new: &str) -> ApiResponse {
    let form = json!({"currentPassword": current, "newPassword": new, "confirmPassword": new});
    app.post(CHANGE, Some(token), form).await
}

async fn delete_account(app: &TestApp, token: &str) -> ApiResponse {
    delete_account_with(app, token, json!({"password": PASSWORD})).await
}

async fn delete_account_with(app: &TestApp, token: &str, body: Value) -> ApiResponse {
    app.send(app.request(Method::DELETE, DELETE, Some(token)).json(&body)).await
}

#[tokio::test]
async fn v9_deleting_an_account_needs_its_password() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let assert_rejected = |response: ApiResponse, sentence: &str| {
        let seen = (response.status.as_u16(), &response.body["fields"]["password"]);
        assert_eq!(seen, (400, &json!([sentence])), "{}", response.body);
    };
    let bare = app.send(app.request(Method::DELETE, DELETE, Some(&token))).await;
    assert_rejected(bare, text::PASSWORD_FOR_DELETION.as_str());
    for body in [json!({}), json!({"password": null}), json!({"password": ""}), json!({"currentPassword": PASSWORD})] {
        assert_rejected(delete_account_with(&app, &token, body).await, text::PASSWORD_FOR_DELETION.as_str());
    }
    for wrong in ["wrong-password", &format!(" {PASSWORD}")] {
        assert_rejected(
            delete_account_with(&app, &token, json!({"password": wrong})).await,
            text::CURRENT_PASSWORD_WRONG.as_str(),
        );
    }
    assert_eq!(delete_account_with(&app, &token, json!("text")).await.status, 400);
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200, "the session stays active");
    assert_eq!(delete_account(&app, &token).await.status, 200);
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 401);
}

#[tokio::test]
async fn v9_deleting_an_account_shares_the_limit_of_password_attempts() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for n in 0..10 {
        let guess = format!("guess number {n}");
        let response = match n % 2 {
            0 => delete_account_with(&app, &token, json!({"password": guess})).await,
            _ => change_password(&app, &token, &guess, "another-password").await,
        };
        assert_eq!(response.status, 400, "{n}: {}", response.body);
    }
    assert_throttled(&delete_account(&app, &token).await, 300);
    app.advance(5 * MINUTE);
    assert_eq!(delete_account(&app, &token).await.status, 200);
}

#[tokio::test]
async fn every_kind_of_user_can_change_their_own_password() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NO_ROLE, OTHER_ADMIN] {
        let token = app.sign_in(email).await;
        let response = change_password(&app, &token, PASSWORD, "another-password").await;
        assert_eq!(
            (response.status.as_u16(), &response.body["message"]),
            (200, &json!(text::PASSWORD_CHANGED.as_str())),
            "{email}"
        );
        assert_eq!(login(&app, email, PASSWORD).await.status, 401);
        assert_eq!(login(&app, email, "another-password").await.status, 200);
    }
    let response = app.post(CHANGE, None, json!({"currentPassword": PASSWORD, "newPassword": "another"})).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (401, &json!(SESSION_ENDED.as_str())));
}

#[tokio::test]
async fn a_wrong_current_password_does_not_end_the_session() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let response = change_password(&app, &token, "wrong-password", "another-password").await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (400, &json!(text::CURRENT_PASSWORD_WRONG.as_str()))
    );
    assert_eq!(response.body["fields"]["currentPassword"], json!([text::CURRENT_PASSWORD_WRONG.as_str()]));
    for (body, field) in [
        (json!({}), "currentPassword"),
        (json!({"currentPassword": PASSWORD, "newPassword": "12345"}), "newPassword"),
        (json!({"currentPassword": PASSWORD, "newPassword": "x".repeat(257)}), "newPassword"),
        (json!({"currentPassword": PASSWORD, "newPassword": "123456", "confirmPassword": "123457"}), "confirmPassword"),
    ] {
        let response = app.post(CHANGE, Some(&token), body).await;
        assert_eq!(response.status, 400);
        assert!(response.body["fields"].get(field).is_some(), "{}", response.body);
    }
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200);
}

#[tokio::test]
async fn a1_a_session_can_guess_the_current_password_at_most_ten_times() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (token, other) = (app.sign_in(CLERK).await, app.sign_in(CLERK).await);
    for n in 0..10 {
        let (app, token) = if n % 2 == 0 { (&app, &token) } else { (&node, &other) };
        assert_eq!(change_password(app, token, &format!("guess number {n}"), "another-password").await.status, 400);
    }
    let response = change_password(&node, &token, PASSWORD, "another-password").await;
    assert_eq!((response.status.as_u16(), response.headers["retry-after"].to_str().unwrap()), (429, "300"));
    app.advance(5 * MINUTE);
    assert_eq!(change_password(&app, &token, PASSWORD, "another-password").await.status, 200);
}

#[tokio::test]
async fn s3_changing_the_password_ends_other_sessions_and_sends_a_mail() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let device = remember(&app, CLERK, "laptop").await;
    let other = device.body["data"]["tokens"].clone();
    let (token, refresh_token) = app.sign_in_for_tokens(CLERK).await;
    let before = app.mails(CLERK).len();
    assert_eq!(change_password(&app, &token, PASSWORD, "another-password").await.status, 200);
    for app in [&app, &node] {
        assert_eq!(app.get(DETAIL, other["accessToken"].as_str()).await.status, 401);
        assert_eq!(refresh(app, other["refreshToken"].as_str().unwrap()).await.status, 401);
        assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200);
    }
    assert_eq!(refresh(&app, &refresh_token).await.status, 200);
    let mail = app.next_mail(CLERK, before).await;
    assert!(mail.contains("Your password for Forecourt was changed") && !mail.contains("another-password"), "{mail}");
    // The password change has removed the device's trust, so the login needs a code.
    let again = login_on(&app, CLERK, "another-password", "laptop", false).await;
    assert_eq!(again.body["requiresVerification"], true);
}

#[tokio::test]
async fn only_one_of_eight_concurrent_password_changes_succeeds() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let tokens = [app.sign_in(CLERK).await, app.sign_in(CLERK).await];
    let passwords: Vec<String> = (0..8).map(|n| format!("new-password-{n}")).collect();
    let responses = join_all(passwords.iter().enumerate().map(|(n, new)| {
        let app = if n % 2 == 0 { &app } else { &node };
        change_password(app, &tokens[n % 2], PASSWORD, new)
    }))
    .await;
    let won: Vec<usize> = (0..8).filter(|n| responses[*n].status == 200).collect();
    assert_eq!(won.len(), 1, "{won:?}");
    // Each other request was too late: the current password that it names was replaced, or its session had ended.
    for (n, response) in responses.iter().enumerate().filter(|(n, _)| *n != won[0]) {
        assert!(matches!(response.status.as_u16(), 400 | 401), "{n}: {}", response.body);
    }
    for (n, new) in passwords.iter().enumerate() {
        assert_eq!(login(&app, CLERK, new).await.status, if n == won[0] { 200 } else { 401 });
    }
}

#[tokio::test]
async fn s3_deleting_an_account_removes_all_data_of_the_user() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (token, refresh_token) = app.sign_in_for_tokens(CLERK).await;
    let written = app.post("/api/contacts", Some(&token), json!({"name": "Ada Lovelace"})).await;
    assert_eq!(written.status, 201);
    let form = Form::new().text("first_name", "Ada").text("last_name", "Lind").text("email", CLERK).text("mobile", "1");
    let form = form.part("profileImage", Part::bytes(jpeg(30, 30)).file_name("me.jpg"));
    let request = app.request(Method::POST, "/api/auth/profile/update-profile", Some(&token)).multipart(form);
    let link = app.send(request).await.body["data"]["profileImage"].as_str().unwrap().to_owned();
    assert_eq!(fetch(&app, &link).await.0, 200);
    let id = Uuid::parse_str(app.get(DETAIL, Some(&token)).await.body["data"]["id"].as_str().unwrap()).unwrap();

    let response = delete_account(&app, &token).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (200, &json!(text::DELETED.as_str())),
        "{}",
        response.body
    );
    for app in [&app, &node] {
        assert_eq!(app.get(DETAIL, Some(&token)).await.status, 401);
    }
    assert_eq!(delete_account(&app, &token).await.status, 401);
    assert_eq!(refresh(&app, &refresh_token).await.status, 401);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
    assert_eq!(fetch(&app, &link).await.0, 404);
    for table in
        ["users", "sessions", "login_codes", "trusted_devices", "password_resets", "identities", "handoffs", "images"]
    {
        assert_eq!(count_rows_of_user(&app, table, id).await, 0, "{table}");
    }
    // The contacts that the deleted user created stay, and another user can take the email address.
    let reader = app.sign_in(READER).await;
    assert_eq!(app.get("/api/contacts", Some(&reader)).await.body["data"][0]["name"], "Ada Lovelace");
    let form = Form::new().text("first_name", "Ada").text("last_name", "Lind").text("email", CLERK).text("mobile", "1");
    let form = form.text("currentPassword", PASSWORD);
    let request = app.request(Method::POST, "/api/auth/profile/update-profile", Some(&reader)).multipart(form);
    assert_eq!(app.send(request).await.status, 200);
}

/// Counts the rows of `table` that belong to a user.
async fn count_rows_of_user(app: &TestApp, table: &str, user: Uuid) -> i64 {
    let text = match table {
        "users" => "SELECT count(*) FROM users WHERE user_id = $1",
        "sessions" => "SELECT count(*) FROM sessions WHERE user_id = $1",
        "login_codes" => "SELECT count(*) FROM login_codes WHERE user_id = $1",
        "trusted_devices" => "SELECT count(*) FROM trusted_devices WHERE user_id = $1",
        "password_resets" => "SELECT count(*) FROM password_resets WHERE user_id = $1",
        "identities" => "SELECT count(*) FROM identities WHERE user_id = $1",
        "handoffs" => "SELECT count(*) FROM handoffs WHERE user_id = $1",
        _ => "SELECT count(*) FROM images WHERE user_id = $1",
    };
    app.db().sql(text).bind(user).value::<i64>().await.unwrap()
}

#[tokio::test]
async fn p8_the_last_administrator_cannot_delete_their_account() {
    let app = TestApp::start().await;
    for (email, sentence) in [(SUPER_ADMIN, LAST_SUPER_ADMIN), (ADMIN, LAST_ADMIN), (OTHER_ADMIN, LAST_ADMIN)] {
        let token = app.sign_in(email).await;
        let response = delete_account(&app, &token).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (409, &json!(sentence.as_str())), "{email}");
        assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200);
    }
    for email in [CLERK, READER, NO_ROLE] {
        let token = app.sign_in(email).await;
        assert_eq!(delete_account(&app, &token).await.status, 200, "{email}");
    }
    assert_eq!(app.send(app.request(Method::DELETE, DELETE, None)).await.status, 401);
}

#[tokio::test]
async fn p8_only_one_of_two_administrators_can_delete_their_account_at_once() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let mut remaining = app.sign_in(ADMIN).await;
    for round in 0..40 {
        let email = format!("admin{round}@nordbil.example");
        copy_user(&app, CLERK, &email, "Admin").await;
        let newcomer = app.sign_in(&email).await;
        let both = join_all([delete_account(&app, &remaining), delete_account(&node, &newcomer)]).await;
        let mut seen: Vec<u16> = both.iter().map(|response| response.status.as_u16()).collect();
        if seen[0] == 200 {
            remaining = newcomer;
        }
        seen.sort_unstable();
        assert_eq!(seen, [200, 409], "round {round}");
        assert_eq!(app.get(DETAIL, Some(&remaining)).await.status, 200);
        // Advance two minutes per round, to stay below the login limit. Every sixth round signs in again, because an
        // access token expires after 15 minutes.
        app.advance(2 * MINUTE);
        if round % 6 == 5 {
            let profile = app.get(DETAIL, Some(&remaining)).await.body["data"]["email"].clone();
            remaining = app.sign_in(profile.as_str().unwrap()).await;
        }
    }
}

#[tokio::test]
async fn s3_banned_and_deactivated_users_get_401_from_account_routes() {
    let app = TestApp::start().await;
    let calls: [(Method, &str); 10] = [
        (Method::GET, DETAIL),
        (Method::POST, "/api/auth/profile/update-profile"),
        (Method::PUT, "/api/auth/profile/language"),
        (Method::POST, CHANGE),
        (Method::DELETE, DELETE),
        (Method::GET, "/api/theme"),
        (Method::PUT, "/api/theme"),
        (Method::PUT, "/api/theme/logo"),
        (Method::DELETE, "/api/theme/logo"),
        (Method::POST, "/api/logs"),
    ];
    for (email, change, back) in [
        (ADMIN, "UPDATE users SET banned_at = 1", "UPDATE users SET banned_at = NULL"),
        (CLERK, "UPDATE users SET is_active = FALSE", "UPDATE users SET is_active = TRUE"),
        (OTHER_ADMIN, "UPDATE corporations SET active = FALSE", "UPDATE corporations SET active = TRUE"),
    ] {
        let token = app.sign_in(email).await;
        app.db().sql(change).exec().await.unwrap();
        for (method, path) in calls.clone() {
            let response = app.send(app.request(method, path, Some(&token)).json(&Value::Null)).await;
            assert_eq!(
                (response.status.as_u16(), &response.body["message"]),
                (401, &json!(SESSION_ENDED.as_str())),
                "{path}"
            );
        }
        app.db().sql(back).exec().await.unwrap();
    }
}
