//! Bans: their effect on login and sessions, and who may ban.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, SUPER_ADMIN, TestApp};
use crate::helpers::{copy_user, user_id};
use crate::rights::run_simultaneously;
use forecourt::platform::clock::HOUR;
use forecourt_core::auth::text;
use forecourt_core::text::NOT_FOUND;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

const SECOND_SUPER_ADMIN: &str = "second@platform.example";

async fn ban(app: &TestApp, token: &str, user: Uuid, reason: &str) -> ApiResponse {
    app.post(&format!("/api/corporations/users/{user}/ban"), Some(token), json!({"reason": reason})).await
}

async fn lift_ban(app: &TestApp, token: &str, user: Uuid) -> ApiResponse {
    app.send(app.request(Method::DELETE, &format!("/api/corporations/users/{user}/ban"), Some(token))).await
}

async fn login(app: &TestApp, email: &str, password: &str) -> ApiResponse {
    let form = json!({"email": email, "password": password, "deviceId": "d"});
    app.post("/api/auth/login", None, form).await
}

fn status_and_message(response: &ApiResponse) -> (u16, &Value) {
    (response.status.as_u16(), &response.body["message"])
}

/// Inserts a second Super Admin, and returns the id.
async fn insert_super_admin(app: &TestApp) -> Uuid {
    copy_user(app, SUPER_ADMIN, SECOND_SUPER_ADMIN, "Super Admin").await
}

#[tokio::test]
async fn a_ban_ends_sessions_and_blocks_login_until_it_is_lifted() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let (access, _) = app.sign_in_for_tokens(CLERK).await;
    let clerk = user_id(&app, CLERK).await;
    let banned = ban(&app, &platform, clerk, "  Sold the address book  ").await;
    assert_eq!(status_and_message(&banned), (200, &json!(text::BAN_DONE.as_str())));
    assert_eq!(app.get("/api/contacts", Some(&access)).await.status, 401);
    let rejected = login(&app, CLERK, PASSWORD).await;
    assert_eq!(status_and_message(&rejected), (403, &json!(text::BANNED.as_str())));
    let data = json!({"isBanned": true, "reason": "Sold the address book", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(rejected.body["data"], data);

    assert_eq!(status_and_message(&lift_ban(&app, &platform, clerk).await), (200, &json!(text::BAN_LIFTED.as_str())));
    assert_eq!(app.get("/api/contacts", Some(&access)).await.status, 401, "an ended session stays ended");
    let again = app.sign_in(CLERK).await;
    assert_eq!(app.get("/api/contacts", Some(&again)).await.status, 200);
    assert_eq!(
        status_and_message(&lift_ban(&app, &platform, clerk).await),
        (200, &json!(text::BAN_LIFTED.as_str())),
        "lifting again has no effect"
    );
}

#[tokio::test]
async fn the_administrators_of_the_corporation_see_who_is_banned() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let (admin, clerk) = (app.sign_in(ADMIN).await, user_id(&app, CLERK).await);
    let banned = async || {
        let users = app.get("/api/users?limit=100", Some(&admin)).await.body;
        let users = users["data"].as_array().unwrap().iter().filter(|user| user["is_banned"] == true);
        users.map(|user| user["email"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(banned().await, [json!(null); 0]);
    ban(&app, &platform, clerk, "Spam").await;
    assert_eq!(banned().await, [CLERK]);
}

#[tokio::test]
async fn a4_a_banned_user_with_a_wrong_password_gets_the_usual_401() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    ban(&app, &platform, user_id(&app, CLERK).await, "Spam").await;
    let (banned, unbanned) = (login(&app, CLERK, "wrong").await, login(&app, NO_ROLE, "wrong").await);
    assert_eq!((banned.status.as_u16(), &banned.body), (401, &unbanned.body));
}

#[tokio::test]
async fn a_second_ban_keeps_the_date_and_replaces_the_reason() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let clerk = user_id(&app, CLERK).await;
    ban(&app, &platform, clerk, "Spam").await;
    app.advance(HOUR / 10);
    assert_eq!(ban(&app, &platform, clerk, "Fraud").await.status, 200);
    let data = json!({"isBanned": true, "reason": "Fraud", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["data"], data);
}

#[tokio::test]
async fn a_ban_requires_a_valid_reason_and_an_existing_user() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let clerk = user_id(&app, CLERK).await;
    for reason in ["", " \u{0} ", "x".repeat(501).as_str()] {
        let rejected = ban(&app, &platform, clerk, reason).await;
        assert_eq!((rejected.status.as_u16(), rejected.body["fields"]["reason"].is_array()), (400, true));
    }
    let bare = app.request(Method::POST, &format!("/api/corporations/users/{clerk}/ban"), Some(&platform));
    assert_eq!(app.send(bare).await.status, 415);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    assert_eq!(
        status_and_message(&ban(&app, &platform, Uuid::now_v7(), "Spam").await),
        (404, &json!(NOT_FOUND.as_str()))
    );
    assert_eq!(status_and_message(&lift_ban(&app, &platform, Uuid::now_v7()).await), (404, &json!(NOT_FOUND.as_str())));
    let unknown = app.post("/api/corporations/users/x/ban", Some(&platform), json!({"reason": "Spam"})).await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn only_a_super_admin_can_ban_or_lift_a_ban() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let (clerk, no_role) = (user_id(&app, CLERK).await, user_id(&app, NO_ROLE).await);
    ban(&app, &platform, no_role, "Spam").await;
    for email in [ADMIN, CLERK, OTHER_ADMIN] {
        let token = app.sign_in(email).await;
        assert_eq!(ban(&app, &token, clerk, "Spam").await.status, 403, "{email}");
        assert_eq!(lift_ban(&app, &token, no_role).await.status, 403, "{email}");
    }
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    assert_eq!(login(&app, NO_ROLE, PASSWORD).await.status, 403);
}

#[tokio::test]
async fn the_only_admin_of_a_corporation_and_super_admins_can_be_banned() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    assert_eq!(ban(&app, &platform, user_id(&app, OTHER_ADMIN).await, "Fraud").await.status, 200);
    assert_eq!(login(&app, OTHER_ADMIN, PASSWORD).await.status, 403);
    let second = insert_super_admin(&app).await;
    assert_eq!(ban(&app, &platform, second, "Left").await.status, 200);
}

#[tokio::test]
async fn a_super_admin_cannot_ban_their_own_account() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    insert_super_admin(&app).await;
    let rejected = ban(&app, &platform, user_id(&app, SUPER_ADMIN).await, "Tired").await;
    assert_eq!(status_and_message(&rejected), (409, &json!(text::BAN_SELF.as_str())));
    assert_eq!(app.get("/api/corporations", Some(&platform)).await.status, 200);
}

#[tokio::test]
async fn p8_one_of_two_super_admins_who_ban_each_other_stays_active() {
    let app = TestApp::start().await;
    let (first, second) = (user_id(&app, SUPER_ADMIN).await, insert_super_admin(&app).await);
    let free = "UPDATE users SET banned_at = NULL WHERE user_type = 'Super Admin'";
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    let platform: Uuid = app.db().sql("SELECT corp_id FROM corporations WHERE is_platform").value().await.unwrap();
    for round in 0..8 {
        app.db().sql(free).exec().await.unwrap();
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let (one, two) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(SECOND_SUPER_ADMIN).await);
        let (by_one, by_two) = (ban(&nodes[0], &one, second, "He began"), ban(&nodes[1], &two, first, "She began"));
        let responses = run_simultaneously(&app, platform, [&nodes[0], &nodes[1]], by_one, by_two).await;
        let mut statuses = responses.map(|response| response.status.as_u16());
        statuses.sort_unstable();
        // The slower of the two is banned and signed out by the faster one before it writes.
        assert_eq!(statuses, [200, 401], "round {round}");
        let left: i64 = app
            .db()
            .sql("SELECT count(*) FROM users WHERE user_type = 'Super Admin' AND banned_at IS NULL")
            .value()
            .await
            .unwrap();
        assert_eq!(left, 1, "round {round}");
    }
}
