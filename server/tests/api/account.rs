//! One's own password, and the end of one's own account.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, PASSWORD, READER, STRANGER, SUPER_ADMIN, TestApp};
use crate::pictures::{fetch, jpeg};
use crate::steps::{assert_throttled, login, login_on, refresh, remember};
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

async fn change(app: &TestApp, token: &str, current: &str, new: &str) -> Answer {
    let form = json!({"currentPassword": current, "newPassword": new, "confirmPassword": new});
    app.post(CHANGE, Some(token), form).await
}

async fn delete(app: &TestApp, token: &str) -> Answer {
    delete_with(app, token, json!({"password": PASSWORD})).await
}

async fn delete_with(app: &TestApp, token: &str, body: Value) -> Answer {
    app.send(app.request(Method::DELETE, DELETE, Some(token)).json(&body)).await
}

#[tokio::test]
async fn v9_deleting_an_account_needs_its_password() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let refused = |answer: Answer, sentence: &str| {
        let seen = (answer.status.as_u16(), &answer.body["fields"]["password"]);
        assert_eq!(seen, (400, &json!([sentence])), "{}", answer.body);
    };
    let bare = app.send(app.request(Method::DELETE, DELETE, Some(&token))).await;
    refused(bare, text::PASSWORD_FOR_DELETION);
    for body in [json!({}), json!({"password": null}), json!({"password": ""}), json!({"currentPassword": PASSWORD})] {
        refused(delete_with(&app, &token, body).await, text::PASSWORD_FOR_DELETION);
    }
    for wrong in ["wrong-password", &format!(" {PASSWORD}")] {
        refused(delete_with(&app, &token, json!({"password": wrong})).await, text::CURRENT_PASSWORD_WRONG);
    }
    assert_eq!(delete_with(&app, &token, json!("text")).await.status, 400);
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200, "the session goes on");
    assert_eq!(delete(&app, &token).await.status, 200);
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 401);
}

#[tokio::test]
async fn v9_the_password_of_a_deletion_counts_with_the_other_proofs_of_it() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    for n in 0..10 {
        let guess = format!("guess number {n}");
        let answer = match n % 2 {
            0 => delete_with(&app, &token, json!({"password": guess})).await,
            _ => change(&app, &token, &guess, "another-password").await,
        };
        assert_eq!(answer.status, 400, "{n}: {}", answer.body);
    }
    assert_throttled(&delete(&app, &token).await, 300);
    app.pass(5 * MINUTE);
    assert_eq!(delete(&app, &token).await.status, 200);
}

#[tokio::test]
async fn everybody_changes_their_own_password() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NOBODY, STRANGER] {
        let token = app.sign_in(email).await;
        let answer = change(&app, &token, PASSWORD, "another-password").await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(text::PASSWORD_CHANGED)), "{email}");
        assert_eq!(login(&app, email, PASSWORD).await.status, 401);
        assert_eq!(login(&app, email, "another-password").await.status, 200);
    }
    let answer = app.post(CHANGE, None, json!({"currentPassword": PASSWORD, "newPassword": "another"})).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (401, &json!(SESSION_ENDED)));
}

#[tokio::test]
async fn a_wrong_current_password_is_no_end_of_the_session() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let answer = change(&app, &token, "wrong-password", "another-password").await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(text::CURRENT_PASSWORD_WRONG)));
    assert_eq!(answer.body["fields"]["currentPassword"], json!([text::CURRENT_PASSWORD_WRONG]));
    for (body, field) in [
        (json!({}), "currentPassword"),
        (json!({"currentPassword": PASSWORD, "newPassword": "12345"}), "newPassword"),
        (json!({"currentPassword": PASSWORD, "newPassword": "x".repeat(257)}), "newPassword"),
        (json!({"currentPassword": PASSWORD, "newPassword": "123456", "confirmPassword": "123457"}), "confirmPassword"),
    ] {
        let answer = app.post(CHANGE, Some(&token), body).await;
        assert_eq!(answer.status, 400);
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.body);
    }
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200);
}

#[tokio::test]
async fn a1_a_stolen_session_guesses_the_password_ten_times_at_most() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let (token, other) = (app.sign_in(CLERK).await, app.sign_in(CLERK).await);
    for n in 0..10 {
        let (app, token) = if n % 2 == 0 { (&app, &token) } else { (&node, &other) };
        assert_eq!(change(app, token, &format!("guess number {n}"), "another-password").await.status, 400);
    }
    let answer = change(&node, &token, PASSWORD, "another-password").await;
    assert_eq!((answer.status.as_u16(), answer.headers["retry-after"].to_str().unwrap()), (429, "300"));
    app.pass(5 * MINUTE);
    assert_eq!(change(&app, &token, PASSWORD, "another-password").await.status, 200);
}

#[tokio::test]
async fn s3_a_new_password_ends_every_other_session_and_is_told() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let device = remember(&app, CLERK, "laptop").await;
    let other = device.body["data"]["tokens"].clone();
    let (token, mine) = app.tokens(CLERK).await;
    let before = app.mails(CLERK).len();
    assert_eq!(change(&app, &token, PASSWORD, "another-password").await.status, 200);
    for app in [&app, &node] {
        assert_eq!(app.get(DETAIL, other["accessToken"].as_str()).await.status, 401);
        assert_eq!(refresh(app, other["refreshToken"].as_str().unwrap()).await.status, 401);
        assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200);
    }
    assert_eq!(refresh(&app, &mine).await.status, 200);
    let told = app.next_mail(CLERK, before).await;
    assert!(told.contains("Your password for Forecourt was changed") && !told.contains("another-password"), "{told}");
    // The device is trusted no more.
    let again = login_on(&app, CLERK, "another-password", "laptop", false).await;
    assert_eq!(again.body["requiresVerification"], true);
}

#[tokio::test]
async fn of_many_who_change_a_password_at_once_one_has_changed_it() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let tokens = [app.sign_in(CLERK).await, app.sign_in(CLERK).await];
    let news: Vec<String> = (0..8).map(|n| format!("new-password-{n}")).collect();
    let answers = join_all(news.iter().enumerate().map(|(n, new)| {
        let app = if n % 2 == 0 { &app } else { &node };
        change(app, &tokens[n % 2], PASSWORD, new)
    }))
    .await;
    let won: Vec<usize> = (0..8).filter(|n| answers[*n].status == 200).collect();
    assert_eq!(won.len(), 1, "{won:?}");
    // The others proved a password that was it no longer, or their session had ended by then.
    for (n, answer) in answers.iter().enumerate().filter(|(n, _)| *n != won[0]) {
        assert!(matches!(answer.status.as_u16(), 400 | 401), "{n}: {}", answer.body);
    }
    for (n, new) in news.iter().enumerate() {
        assert_eq!(login(&app, CLERK, new).await.status, if n == won[0] { 200 } else { 401 });
    }
}

#[tokio::test]
async fn s3_who_ends_their_account_is_gone_with_all_that_is_theirs() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let (token, mine) = app.tokens(CLERK).await;
    let written = app.post("/api/contacts", Some(&token), json!({"name": "Ada Lovelace"})).await;
    assert_eq!(written.status, 201);
    let form = Form::new().text("first_name", "Ada").text("last_name", "Lind").text("email", CLERK).text("mobile", "1");
    let form = form.part("profileImage", Part::bytes(jpeg(30, 30)).file_name("me.jpg"));
    let call = app.request(Method::POST, "/api/auth/profile/update-profile", Some(&token)).multipart(form);
    let link = app.send(call).await.body["data"]["profileImage"].as_str().unwrap().to_owned();
    assert_eq!(fetch(&app, &link).await.0, 200);
    let id = Uuid::parse_str(app.get(DETAIL, Some(&token)).await.body["data"]["id"].as_str().unwrap()).unwrap();

    let answer = delete(&app, &token).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(text::DELETED)), "{}", answer.body);
    for app in [&app, &node] {
        assert_eq!(app.get(DETAIL, Some(&token)).await.status, 401);
    }
    assert_eq!(delete(&app, &token).await.status, 401);
    assert_eq!(refresh(&app, &mine).await.status, 401);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
    assert_eq!(fetch(&app, &link).await.0, 404);
    for table in
        ["users", "sessions", "login_codes", "trusted_devices", "password_resets", "identities", "handoffs", "images"]
    {
        assert_eq!(rows(&app, table, id).await, 0, "{table}");
    }
    // What the person wrote stays, and the e-mail is free.
    let reader = app.sign_in(READER).await;
    assert_eq!(app.get("/api/contacts", Some(&reader)).await.body["data"][0]["name"], "Ada Lovelace");
    let form = Form::new().text("first_name", "Ada").text("last_name", "Lind").text("email", CLERK).text("mobile", "1");
    let form = form.text("currentPassword", PASSWORD);
    let call = app.request(Method::POST, "/api/auth/profile/update-profile", Some(&reader)).multipart(form);
    assert_eq!(app.send(call).await.status, 200);
}

/// How many rows of a table are a person's.
async fn rows(app: &TestApp, table: &str, user: Uuid) -> i64 {
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
    app.db().sql(text).bind(user).one::<(i64,)>().await.unwrap().0
}

#[tokio::test]
async fn p8_the_last_administrator_cannot_go() {
    let app = TestApp::start().await;
    for (email, sentence) in [(SUPER_ADMIN, LAST_SUPER_ADMIN), (ADMIN, LAST_ADMIN), (STRANGER, LAST_ADMIN)] {
        let token = app.sign_in(email).await;
        let answer = delete(&app, &token).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (409, &json!(sentence)), "{email}");
        assert_eq!(app.get(DETAIL, Some(&token)).await.status, 200);
    }
    for email in [CLERK, READER, NOBODY] {
        let token = app.sign_in(email).await;
        assert_eq!(delete(&app, &token).await.status, 200, "{email}");
    }
    assert_eq!(app.send(app.request(Method::DELETE, DELETE, None)).await.status, 401);
}

/// Makes another Admin of Nordbil.
async fn another_admin(app: &TestApp, email: &str) {
    app.db()
        .sql(
            "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
             created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, mobile, 'Admin', password_hash, 0, 0 \
             FROM users WHERE email = $3",
        )
        .bind(Uuid::now_v7())
        .bind(email.to_owned())
        .bind(CLERK)
        .exec()
        .await
        .unwrap();
}

#[tokio::test]
async fn p8_of_two_administrators_who_go_at_once_one_stays() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let mut stays = app.sign_in(ADMIN).await;
    for round in 0..40 {
        let email = format!("admin{round}@nordbil.example");
        another_admin(&app, &email).await;
        let newcomer = app.sign_in(&email).await;
        let both = join_all([delete(&app, &stays), delete(&node, &newcomer)]).await;
        let mut seen: Vec<u16> = both.iter().map(|answer| answer.status.as_u16()).collect();
        if seen[0] == 200 {
            stays = newcomer;
        }
        seen.sort_unstable();
        assert_eq!(seen, [200, 409], "round {round}");
        assert_eq!(app.get(DETAIL, Some(&stays)).await.status, 200);
        // Two minutes a round, so that nobody signs in too often; before the quarter of an hour is over, anew.
        app.pass(2 * MINUTE);
        if round % 6 == 5 {
            let profile = app.get(DETAIL, Some(&stays)).await.body["data"]["email"].clone();
            stays = app.sign_in(profile.as_str().unwrap()).await;
        }
    }
}

#[tokio::test]
async fn s3_who_is_banned_or_switched_off_can_do_nothing_with_their_account() {
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
        (STRANGER, "UPDATE corporations SET active = FALSE", "UPDATE corporations SET active = TRUE"),
    ] {
        let token = app.sign_in(email).await;
        app.db().sql(change).exec().await.unwrap();
        for (method, path) in calls.clone() {
            let answer = app.send(app.request(method, path, Some(&token)).json(&Value::Null)).await;
            assert_eq!((answer.status.as_u16(), &answer.body["message"]), (401, &json!(SESSION_ENDED)), "{path}");
        }
        app.db().sql(back).exec().await.unwrap();
    }
}
