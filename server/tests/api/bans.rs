//! Bans: who is shut out, who may do it, and what stays possible.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, PASSWORD, STRANGER, SUPER_ADMIN, TestApp};
use crate::rights::meet;
use forecourt::platform::clock::HOUR;
use forecourt_core::auth::text;
use forecourt_core::text::NOT_FOUND;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

const SECOND_SUPER_ADMIN: &str = "second@platform.example";

async fn id_of(app: &TestApp, email: &str) -> Uuid {
    app.db().sql("SELECT user_id FROM users WHERE email = $1").bind(email.to_owned()).one::<(Uuid,)>().await.unwrap().0
}

async fn ban(app: &TestApp, token: &str, user: Uuid, reason: &str) -> Answer {
    app.post(&format!("/api/corporations/users/{user}/ban"), Some(token), json!({"reason": reason})).await
}

async fn lift(app: &TestApp, token: &str, user: Uuid) -> Answer {
    app.send(app.request(Method::DELETE, &format!("/api/corporations/users/{user}/ban"), Some(token))).await
}

async fn login(app: &TestApp, email: &str, password: &str) -> Answer {
    let form = json!({"email": email, "password": password, "deviceId": "d"});
    app.post("/api/auth/login", None, form).await
}

fn told(answer: &Answer) -> (u16, &Value) {
    (answer.status.as_u16(), &answer.body["message"])
}

/// Makes another Super Admin.
async fn second_super_admin(app: &TestApp) -> Uuid {
    let id = Uuid::now_v7();
    app.db()
        .sql(
            "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
             created_at, updated_at) SELECT corp_id, $1, $2, 'Bo', 'Ek', '', user_type, password_hash, 0, 0 \
             FROM users WHERE email = $3",
        )
        .bind(id)
        .bind(SECOND_SUPER_ADMIN)
        .bind(SUPER_ADMIN)
        .exec()
        .await
        .unwrap();
    id
}

#[tokio::test]
async fn a_ban_shuts_out_at_once_and_a_lifted_one_lets_in_again() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let (access, _) = app.tokens(CLERK).await;
    let clerk = id_of(&app, CLERK).await;
    let banned = ban(&app, &platform, clerk, "  Sold the address book  ").await;
    assert_eq!(told(&banned), (200, &json!(text::BAN_DONE)));
    assert_eq!(app.get("/api/contacts", Some(&access)).await.status, 401);
    let refused = login(&app, CLERK, PASSWORD).await;
    assert_eq!(told(&refused), (403, &json!(text::BANNED)));
    let data = json!({"isBanned": true, "reason": "Sold the address book", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(refused.body["data"], data);

    assert_eq!(told(&lift(&app, &platform, clerk).await), (200, &json!(text::BAN_LIFTED)));
    assert_eq!(app.get("/api/contacts", Some(&access)).await.status, 401, "what was ended stays ended");
    let again = app.sign_in(CLERK).await;
    assert_eq!(app.get("/api/contacts", Some(&again)).await.status, 200);
    assert_eq!(told(&lift(&app, &platform, clerk).await), (200, &json!(text::BAN_LIFTED)), "nothing is left to lift");
}

#[tokio::test]
async fn a4_a_ban_is_told_only_to_those_who_know_the_password() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    ban(&app, &platform, id_of(&app, CLERK).await, "Spam").await;
    let (banned, unbanned) = (login(&app, CLERK, "wrong").await, login(&app, NOBODY, "wrong").await);
    assert_eq!((banned.status.as_u16(), &banned.body), (401, &unbanned.body));
}

#[tokio::test]
async fn a_second_ban_keeps_the_day_and_takes_the_new_reason() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let clerk = id_of(&app, CLERK).await;
    ban(&app, &platform, clerk, "Spam").await;
    app.pass(HOUR / 10);
    assert_eq!(ban(&app, &platform, clerk, "Fraud").await.status, 200);
    let data = json!({"isBanned": true, "reason": "Fraud", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(login(&app, CLERK, PASSWORD).await.body["data"], data);
}

#[tokio::test]
async fn a_ban_needs_a_reason_and_somebody_to_be_banned() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let clerk = id_of(&app, CLERK).await;
    for reason in ["", " \u{0} ", "x".repeat(501).as_str()] {
        let refused = ban(&app, &platform, clerk, reason).await;
        assert_eq!((refused.status.as_u16(), refused.body["fields"]["reason"].is_array()), (400, true));
    }
    let bare = app.request(Method::POST, &format!("/api/corporations/users/{clerk}/ban"), Some(&platform));
    assert_eq!(app.send(bare).await.status, 415);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    assert_eq!(told(&ban(&app, &platform, Uuid::now_v7(), "Spam").await), (404, &json!(NOT_FOUND)));
    assert_eq!(told(&lift(&app, &platform, Uuid::now_v7()).await), (404, &json!(NOT_FOUND)));
    let nobody = app.post("/api/corporations/users/x/ban", Some(&platform), json!({"reason": "Spam"})).await;
    assert_eq!(nobody.status, 404);
}

#[tokio::test]
async fn nobody_below_a_super_admin_bans_or_lifts() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let (clerk, nobody) = (id_of(&app, CLERK).await, id_of(&app, NOBODY).await);
    ban(&app, &platform, nobody, "Spam").await;
    for email in [ADMIN, CLERK, STRANGER] {
        let token = app.sign_in(email).await;
        assert_eq!(ban(&app, &token, clerk, "Spam").await.status, 403, "{email}");
        assert_eq!(lift(&app, &token, nobody).await.status, 403, "{email}");
    }
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    assert_eq!(login(&app, NOBODY, PASSWORD).await.status, 403);
}

#[tokio::test]
async fn a_corporations_only_admin_can_be_banned_and_another_super_admin_too() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    assert_eq!(ban(&app, &platform, id_of(&app, STRANGER).await, "Fraud").await.status, 200);
    assert_eq!(login(&app, STRANGER, PASSWORD).await.status, 403);
    let second = second_super_admin(&app).await;
    assert_eq!(ban(&app, &platform, second, "Left").await.status, 200);
}

#[tokio::test]
async fn nobody_bans_themselves() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    second_super_admin(&app).await;
    let refused = ban(&app, &platform, id_of(&app, SUPER_ADMIN).await, "Tired").await;
    assert_eq!(told(&refused), (409, &json!(text::BAN_SELF)));
    assert_eq!(app.get("/api/corporations", Some(&platform)).await.status, 200);
}

#[tokio::test]
async fn p8_of_two_super_admins_who_ban_each_other_at_once_one_stays() {
    let app = TestApp::start().await;
    let (first, second) = (id_of(&app, SUPER_ADMIN).await, second_super_admin(&app).await);
    let free = "UPDATE users SET banned_at = NULL WHERE user_type = 'Super Admin'";
    let nodes = [app.another_node().await, app.another_node().await];
    let (platform,): (Uuid,) = app.db().sql("SELECT corp_id FROM corporations WHERE is_platform").one().await.unwrap();
    for round in 0..8 {
        app.db().sql(free).exec().await.unwrap();
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let (one, two) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(SECOND_SUPER_ADMIN).await);
        let (by_one, by_two) = (ban(&nodes[0], &one, second, "He began"), ban(&nodes[1], &two, first, "She began"));
        let answers = meet(&app, platform, [&nodes[0], &nodes[1]], by_one, by_two).await;
        let mut statuses = answers.map(|answer| answer.status.as_u16());
        statuses.sort_unstable();
        // The slower one is signed out when it comes to its write.
        assert_eq!(statuses, [200, 401], "round {round}");
        let (left,): (i64,) = app
            .db()
            .sql("SELECT count(*) FROM users WHERE user_type = 'Super Admin' AND banned_at IS NULL")
            .one()
            .await
            .unwrap();
        assert_eq!(left, 1, "round {round}");
    }
}
