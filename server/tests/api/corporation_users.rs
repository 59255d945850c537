//! A corporation's users screen: the platform's administrators in every corporation, an Admin in their own.

use crate::app::{ADMIN, CLERK, NOBODY, PASSWORD, READER, STRANGER, SUPER_ADMIN, TestApp};
use crate::steps::*;
use forecourt_core::auth::text::LAST_ADMIN;
use forecourt_core::text::{NOT_FOUND, STALE};
use forecourt_core::users::text;
use serde_json::{Value, json};
use uuid::Uuid;

const USERS: &str = "/api/corporations/users";
const NEW: &str = "new@nordbil.example";

async fn of(app: &TestApp, email: &str) -> String {
    format!("{USERS}/{}", user_id(app, email).await)
}

async fn listed(app: &TestApp, token: &str, corp: Uuid) -> Vec<Value> {
    let answer = app.get(&format!("/api/corporations/{corp}/users"), Some(token)).await;
    assert_eq!((answer.status.as_u16(), &answer.body["success"]), (200, &json!(true)), "{}", answer.body);
    answer.body["data"].as_array().unwrap().clone()
}

/// Somebody to be made in a corporation.
fn newcomer_of(corp: Uuid, email: &str, user_type: &str, role: Option<Uuid>) -> Value {
    let mut form = newcomer(email, user_type, role);
    form["corp_id"] = json!(corp.to_string());
    form["mobile"] = json!("070-1");
    form
}

#[tokio::test]
async fn the_users_of_a_corporation_are_listed_by_name_with_their_role_and_their_ban() {
    let app = TestApp::start().await;
    app.db()
        .sql(
            "UPDATE users SET first_name = 'Östen', banned_at = 1800000000000000, ban_reason = 'Spam' WHERE email = $1",
        )
        .bind(NOBODY)
        .exec()
        .await
        .unwrap();
    app.db().sql("UPDATE users SET is_active = FALSE WHERE email = $1").bind(CLERK).exec().await.unwrap();
    let platform = app.sign_in(SUPER_ADMIN).await;
    let users = listed(&app, &platform, app.nordbil).await;
    assert_eq!(users.len(), 4, "nobody of another corporation");
    let user = |email: &str| users.iter().find(|u| u["email"] == email).unwrap();
    let clerk = user(CLERK);
    let shown = json!({
        "id": user_id(&app, CLERK).await.to_string(), "first": "Ada", "last": "Lindqvist", "email": CLERK,
        "mobile": "+46 70 123 45 67", "type": "User", "is_active": false, "version": 1,
        "UserRole": {"role_id": role_id(&app, "Clerk").await.to_string(), "name": "Clerk"},
    });
    assert_eq!(*clerk, shown);
    assert_eq!((&user(ADMIN)["type"], user(ADMIN).get("UserRole")), (&json!("Admin"), None));
    assert_eq!(users[3], *user(NOBODY), "Ö comes after A");
    let ban = json!({"isBanned": true, "reason": "Spam", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(user(NOBODY)["ban"], ban);
    assert_eq!(listed(&app, &app.sign_in(ADMIN).await, app.nordbil).await, users, "its Admin sees the same");
    // So are its roles, which the form offers.
    let path = format!("/api/corporations/{}/roles", app.nordbil);
    let roles = app.get(&path, Some(&platform)).await;
    let names: Vec<_> = roles.body["data"].as_array().unwrap().iter().map(|role| role["name"].clone()).collect();
    assert_eq!(
        (roles.status.as_u16(), &roles.body["success"], names),
        (200, &json!(true), vec![json!("Clerk"), json!("Reader")])
    );
    let own = app.get("/api/rbac/roles", Some(&app.sign_in(ADMIN).await)).await;
    assert_eq!(own.body["data"], roles.body["data"]);
}

#[tokio::test]
async fn a_user_is_made_and_changed_in_a_corporation_by_the_platform_and_by_its_admin() {
    let app = TestApp::start().await;
    let (clerk, reader) = (role_id(&app, "Clerk").await, role_id(&app, "Reader").await);
    for (by, email) in [(SUPER_ADMIN, "one@nordbil.example"), (ADMIN, "two@nordbil.example")] {
        let token = app.sign_in(by).await;
        let made = app.post(USERS, Some(&token), newcomer_of(app.nordbil, email, "User", Some(clerk))).await;
        assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED)), "{}", made.body);
        let mail = app.next_mail(email, 0).await;
        assert!(mail.contains("Your Forecourt account") && !mail.contains(PASSWORD), "{mail}");
        let session = app.sign_in(email).await;
        let profile = app.get("/api/auth/profile/detail", Some(&session)).await;
        let seen = (&profile.body["data"]["corp"]["corp_id"], &profile.body["data"]["mobile"]);
        assert_eq!(seen, (&json!(app.nordbil.to_string()), &json!("070-1")));

        let mut form = person(email, "Admin", Some(reader));
        form["mobile"] = json!("");
        let changed = put(&app, &of(&app, email).await, &token, form).await;
        assert_eq!(
            (changed.status.as_u16(), &changed.body["message"]),
            (200, &json!(text::UPDATED)),
            "{}",
            changed.body
        );
        let users = listed(&app, &token, app.nordbil).await;
        let user = users.iter().find(|user| user["email"] == email).unwrap();
        let seen = (&user["type"], &user["UserRole"]["name"], &user["mobile"], &user["is_active"]);
        assert_eq!(seen, (&json!("Admin"), &json!("Reader"), &json!(""), &json!(true)));
        assert!(works(&app, &session).await);
    }
}

#[tokio::test]
async fn a_deactivated_user_is_out_of_every_session_until_activated_and_signed_in_again() {
    let app = TestApp::start().await;
    for by in [SUPER_ADMIN, ADMIN] {
        let token = app.sign_in(by).await;
        let (access, refreshing) = app.tokens(CLERK).await;
        let path = of(&app, CLERK).await;
        let off = put(&app, &path, &token, json!({"is_active": false})).await;
        assert_eq!((off.status.as_u16(), &off.body["message"]), (200, &json!(text::DEACTIVATED)), "{}", off.body);
        assert!(!works(&app, &access).await);
        assert_eq!(refresh(&app, &refreshing).await.status, 401);
        assert_eq!(login(&app, CLERK, PASSWORD).await.status, 403);
        let users = listed(&app, &token, app.nordbil).await;
        let clerk = users.iter().find(|user| user["email"] == CLERK).unwrap();
        assert_eq!(
            (&clerk["is_active"], &clerk["UserRole"]["name"], &clerk["first"]),
            (&json!(false), &json!("Clerk"), &json!("Ada"))
        );
        let on = put(&app, &path, &token, json!({"is_active": true})).await;
        assert_eq!((on.status.as_u16(), &on.body["message"]), (200, &json!(text::UPDATED)));
        assert!(!works(&app, &access).await, "what was ended stays ended");
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        assert!(works(&app, &app.sign_in(CLERK).await).await);
    }
    // The flag may come with the rest of the form too.
    let admin = app.sign_in(ADMIN).await;
    let mut form = person(CLERK, "User", Some(role_id(&app, "Reader").await));
    form["is_active"] = json!(false);
    let off = put(&app, &of(&app, CLERK).await, &admin, form).await;
    assert_eq!((off.status.as_u16(), &off.body["message"]), (200, &json!(text::UPDATED)));
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 403);
}

#[tokio::test]
async fn p8_nobody_deactivates_themselves_or_the_last_administrator() {
    let app = TestApp::start().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    for (token, email) in [(&platform, SUPER_ADMIN), (&admin, ADMIN)] {
        assert_refused(
            &put(&app, &of(&app, email).await, token, json!({"is_active": false})).await,
            403,
            text::DEACTIVATE_SELF,
        );
        assert!(works(&app, token).await);
    }
    let role = role_id(&app, "Clerk").await;
    let mut both = person(ADMIN, "User", Some(role));
    both["is_active"] = json!(false);
    for change in [json!({"is_active": false}), person(ADMIN, "User", Some(role)), both] {
        assert_refused(&put(&app, &of(&app, ADMIN).await, &platform, change).await, 409, LAST_ADMIN);
    }
    // Nor does a second one who is switched off or banned count.
    for state in ["is_active = FALSE", "banned_at = 1"] {
        let text = match state {
            "is_active = FALSE" => "UPDATE users SET user_type = 'Admin', is_active = FALSE WHERE email = $1",
            _ => "UPDATE users SET user_type = 'Admin', is_active = TRUE, banned_at = 1 WHERE email = $1",
        };
        app.db().sql(text).bind(CLERK).exec().await.unwrap();
        let refused = put(&app, &of(&app, ADMIN).await, &platform, json!({"is_active": false})).await;
        assert_refused(&refused, 409, LAST_ADMIN);
    }
    app.db().sql("UPDATE users SET banned_at = NULL WHERE email = $1").bind(CLERK).exec().await.unwrap();
    assert_eq!(put(&app, &of(&app, ADMIN).await, &platform, json!({"is_active": false})).await.status, 200);
}

#[tokio::test]
async fn p3_the_screen_of_a_corporation_makes_no_super_admin() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let (own, _): (Uuid, bool) =
        app.db().sql("SELECT corp_id, is_platform FROM corporations WHERE is_platform").one().await.unwrap();
    for corp in [app.nordbil, own] {
        let made = app.post(USERS, Some(&platform), newcomer_of(corp, NEW, "Super Admin", None)).await;
        assert_refused(&made, 400, text::INPUT_INVALID);
        assert_eq!(made.body["fields"], json!({"user_type": [text::INPUT_INVALID]}));
    }
    let raised = put(&app, &of(&app, CLERK).await, &platform, person(CLERK, "Super Admin", None)).await;
    assert_refused(&raised, 400, text::INPUT_INVALID);
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE user_type = 'Super Admin'").await, 1);
}

#[tokio::test]
async fn another_corporation_and_its_users_are_not_found_like_those_that_there_are_not() {
    let app = TestApp::start().await;
    let stranger = app.sign_in(STRANGER).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let clerk = user_id(&app, CLERK).await;
    let before = row(&app, "users", "user_id", clerk).await;
    let mut seen = Vec::new();
    for (token, corp, user) in [
        (&stranger, app.nordbil, clerk),
        (&stranger, Uuid::now_v7(), Uuid::now_v7()),
        (&stranger, app.nordbil, user_id(&app, SUPER_ADMIN).await),
        (&platform, Uuid::now_v7(), Uuid::now_v7()),
    ] {
        for answer in [
            app.get(&format!("/api/corporations/{corp}/users"), Some(token)).await,
            app.get(&format!("/api/corporations/{corp}/roles"), Some(token)).await,
            app.post(USERS, Some(token), newcomer_of(corp, NEW, "User", Some(role))).await,
            put(&app, &format!("{USERS}/{user}"), token, person(CLERK, "User", Some(role))).await,
            put(&app, &format!("{USERS}/{user}"), token, json!({"is_active": false})).await,
        ] {
            assert_refused(&answer, 404, NOT_FOUND);
            seen.push(answer.body);
        }
    }
    assert!(seen.iter().all(|body| *body == seen[0]));
    assert_eq!(row(&app, "users", "user_id", clerk).await, before);
    assert_eq!(count(&app, "SELECT count(*) FROM users").await, 6);
    // A role of another corporation is none of this one.
    let (theirs,): (Uuid,) =
        app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(STRANGER).one().await.unwrap();
    let refused = app.post(USERS, Some(&platform), newcomer_of(theirs, NEW, "User", Some(role))).await;
    assert_refused(&refused, 400, text::ROLE_UNKNOWN);
    for path in ["/api/corporations/x/users", "/api/corporations/%00/roles"] {
        assert_eq!(app.get(path, Some(&platform)).await.status, 404, "{path}");
    }
    let mut nowhere = newcomer_of(theirs, NEW, "User", Some(role));
    nowhere["corp_id"] = json!("x");
    assert_refused(&app.post(USERS, Some(&platform), nowhere).await, 404, NOT_FOUND);
}

#[tokio::test]
async fn a_corporations_users_are_its_administrators_business_alone() {
    let app = TestApp::start().await;
    let role = role_id(&app, "Clerk").await;
    for email in [CLERK, READER, NOBODY] {
        let token = app.sign_in(email).await;
        for refused in [
            app.get(&format!("/api/corporations/{}/users", app.nordbil), Some(&token)).await,
            app.get(&format!("/api/corporations/{}/roles", app.nordbil), Some(&token)).await,
            app.post(USERS, Some(&token), newcomer_of(app.nordbil, NEW, "User", Some(role))).await,
            put(&app, &of(&app, NOBODY).await, &token, json!({"is_active": false})).await,
        ] {
            assert_eq!((refused.status.as_u16(), refused.body.get("data")), (403, None), "{email}");
        }
    }
}

#[tokio::test]
async fn a_change_in_a_corporation_that_is_based_on_an_older_state_is_refused_with_the_present_one() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let path = of(&app, CLERK).await;
    let mut form = person(CLERK, "User", Some(role_id(&app, "Clerk").await));
    form["version"] = json!(1);
    assert_eq!(put(&app, &path, &admin, form.clone()).await.status, 200);
    for change in [form, json!({"is_active": false, "version": 1})] {
        let stale = put(&app, &path, &admin, change).await;
        assert_refused(&stale, 409, STALE);
        let data = &stale.body["data"];
        assert_eq!((&data["first"], &data["is_active"], &data["version"]), (&json!("Åsa"), &json!(true), &json!(2)));
    }
    assert_eq!(put(&app, &path, &admin, json!({"is_active": false, "version": 2})).await.status, 200);
}

#[tokio::test]
async fn p3_no_field_beyond_the_documented_ones_reaches_a_column_by_a_corporations_screen() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let id = user_id(&app, CLERK).await;
    let documented =
        ["corp_id", "first_name", "last_name", "email", "mobile", "user_type", "role_id", "is_active", "version"];
    let form = newcomer_of(app.nordbil, "plain@nordbil.example", "User", Some(clerk));
    assert_eq!(app.post(USERS, Some(&platform), form).await.status, 201);
    let plain = row(&app, "users", "user_id", user_id(&app, "plain@nordbil.example").await).await;
    let (theirs,): (Uuid,) =
        app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(STRANGER).one().await.unwrap();
    // The form as it is filled in already; but nobody moves to another corporation.
    let mut same = person(CLERK, "User", Some(clerk));
    (same["first_name"], same["last_name"]) = (json!("Ada"), json!("Lindqvist"));
    (same["mobile"], same["corp_id"]) = (json!("+46 70 123 45 67"), json!(theirs.to_string()));
    let before = row(&app, "users", "user_id", id).await;
    for (i, value) in tried_values().iter().enumerate() {
        let email = format!("p{i}@nordbil.example");
        let form = newcomer_of(app.nordbil, &email, "User", Some(clerk));
        // Whether a new one is active is not asked either.
        let mut form = with_columns(&form, &before, &documented, value);
        form["is_active"] = json!(false);
        let made = app.post(USERS, Some(&platform), form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let changed = differing(&plain, &row(&app, "users", "user_id", user_id(&app, &email).await).await);
        assert!(changed.iter().all(|c| ["user_id", "email", "password_hash"].contains(&c.as_str())), "{changed:?}");

        let changed =
            put(&app, &of(&app, CLERK).await, &platform, with_columns(&same, &before, &documented, value)).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let changed = differing(&before, &row(&app, "users", "user_id", id).await);
        assert!(changed.iter().all(|c| ["updated_at", "version"].contains(&c.as_str())), "{value}: {changed:?}");
    }
}
