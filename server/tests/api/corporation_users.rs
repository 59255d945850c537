//! The users of a corporation, managed by a Super Admin (every corporation) or an Admin (their own).

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, SUPER_ADMIN, TestApp};
use crate::helpers::*;
use forecourt_core::auth::text::LAST_ADMIN;
use forecourt_core::permissions::UserType;
use forecourt_core::text::{NOT_FOUND, STALE, choice_error};
use forecourt_core::users::{assignable_types, text};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

const USERS: &str = "/api/corporations/users";
const NEW: &str = "new@nordbil.example";

async fn user_path(app: &TestApp, email: &str) -> String {
    format!("{USERS}/{}", user_id(app, email).await)
}

async fn list_users(app: &TestApp, token: &str, corp: Uuid) -> Vec<Value> {
    let response = app.get(&format!("/api/corporations/{corp}/users"), Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)), "{}", response.body);
    response.body["data"].as_array().unwrap().clone()
}

/// Returns the form with which a new user is created in this corporation, with a password.
fn new_corporation_user_form(corp: Uuid, email: &str, user_type: &str, role: Option<Uuid>) -> Value {
    let mut form = new_user_form(email, user_type, role);
    form["corp_id"] = json!(corp.to_string());
    form["mobile"] = json!("070-1");
    form
}

#[tokio::test]
async fn users_of_a_corporation_are_listed_with_role_and_ban() {
    let app = TestApp::start().await;
    app.db()
        .sql(
            "UPDATE users SET first_name = 'Östen', banned_at = 1800000000000000, ban_reason = 'Spam' WHERE email = $1",
        )
        .bind(NO_ROLE)
        .exec()
        .await
        .unwrap();
    app.db().sql("UPDATE users SET is_active = FALSE WHERE email = $1").bind(CLERK).exec().await.unwrap();
    let platform = app.sign_in(SUPER_ADMIN).await;
    let users = list_users(&app, &platform, app.nordbil).await;
    assert_eq!(users.len(), 4, "no user of another corporation");
    let user = |email: &str| users.iter().find(|u| u["email"] == email).unwrap();
    let clerk = user(CLERK);
    let shown = json!({
        "id": user_id(&app, CLERK).await.to_string(), "first": "Ada", "last": "Lindqvist", "email": CLERK,
        "mobile": "+46 70 123 45 67", "type": "User", "is_active": false, "can_deactivate": true, "version": 1,
        "UserRole": {"role_id": role_id(&app, "Clerk").await.to_string(), "name": "Clerk"},
    });
    assert_eq!(*clerk, shown);
    assert_eq!((&user(ADMIN)["type"], user(ADMIN).get("UserRole")), (&json!("Admin"), None));
    assert_eq!(users[3], *user(NO_ROLE), "Ö comes after A");
    let ban = json!({"isBanned": true, "reason": "Spam", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(user(NO_ROLE)["ban"], ban);
    assert_eq!(list_users(&app, &app.sign_in(ADMIN).await, app.nordbil).await, users, "its Admin sees the same users");
    // The Super Admin and the corporation's Admin also see the same roles, which the form of a user offers.
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
async fn users_of_a_corporation_are_found_and_sorted_as_on_the_users_screen() {
    let app = TestApp::start().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    let change = "UPDATE users SET last_name = 'Öberg', is_active = FALSE WHERE email = $1";
    app.db().sql(change).bind(READER).exec().await.unwrap();
    let path = format!("/api/corporations/{}/users", app.nordbil);
    let inactive = json!([{"field": "is_active", "op": "is", "value": false}]).to_string();
    for query in [
        vec![("search", "OBERG")],
        vec![("filter", inactive.as_str())],
        vec![("search", "ada"), ("sort", "-email")],
        vec![("sort", "-user_type,last_name")],
        vec![("sort", "role,-created_at"), ("page", "2"), ("limit", "3")],
    ] {
        let (expected, own) = list_field(&app, &admin, "/api/users", &query, "email").await;
        assert!(!expected.is_empty(), "{query:?}");
        for token in [&platform, &admin] {
            let (found, body) = list_field(&app, token, &path, &query, "email").await;
            assert_eq!((&found, &body["totalItems"]), (&expected, &own["totalItems"]), "{query:?}");
        }
    }
    let by_name = [ADMIN, CLERK, NO_ROLE, READER];
    for (query, expected) in [
        (vec![], &by_name[..]),
        (vec![("search", "nordbil")], &by_name[..]),
        (vec![("limit", "3")], &by_name[..3]),
        (vec![("page", "2"), ("limit", "3")], &by_name[3..]),
        (vec![("page", "2")], &by_name[4..]),
    ] {
        let (found, body) = list_field(&app, &platform, &path, &query, "email").await;
        assert_eq!(found, expected, "{query:?}");
        assert_eq!((&body["totalItems"], body.as_object().unwrap().len()), (&json!(4), 3), "{body}");
    }
    assert_rejects_invalid_queries(&app, &platform, &path).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_error(&app.get(&format!("{path}?search=ada&sort=email"), Some(&other)).await, 404, NOT_FOUND.as_str());
}

#[tokio::test]
async fn a_list_of_corporation_users_names_an_unknown_sort_or_filter_field() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let path = format!("/api/corporations/{}/users", app.nordbil);
    // The names of the fields are those of the users screen, not those of this response.
    let filter = json!([{"field": "first", "op": "is", "value": "Ada"}]).to_string();
    for (query, field) in [(("sort", "first"), "sort.first"), (("filter", filter.as_str()), "filter.first")] {
        let rejected = app.send(app.request(Method::GET, &path, Some(&platform)).query(&[query])).await;
        assert_eq!((rejected.status.as_u16(), rejected.body["fields"][field].is_array()), (400, true), "{rejected:?}");
    }
}

#[tokio::test]
async fn a_super_admin_and_an_admin_create_and_change_users() {
    let app = TestApp::start().await;
    let (clerk, reader) = (role_id(&app, "Clerk").await, role_id(&app, "Reader").await);
    for (by, email) in [(SUPER_ADMIN, "one@nordbil.example"), (ADMIN, "two@nordbil.example")] {
        let token = app.sign_in(by).await;
        let made =
            app.post(USERS, Some(&token), new_corporation_user_form(app.nordbil, email, "User", Some(clerk))).await;
        assert_eq!(
            (made.status.as_u16(), &made.body["message"]),
            (201, &json!(text::CREATED.as_str())),
            "{}",
            made.body
        );
        let mail = app.next_mail(email, 0).await;
        assert!(mail.contains("Your Forecourt account") && !mail.contains(PASSWORD), "{mail}");
        let session = app.sign_in(email).await;
        let profile = app.get("/api/auth/profile/detail", Some(&session)).await;
        let seen = (&profile.body["data"]["corp"]["corp_id"], &profile.body["data"]["mobile"]);
        assert_eq!(seen, (&json!(app.nordbil.to_string()), &json!("070-1")));

        let mut form = user_form(email, "Admin", Some(reader));
        form["mobile"] = json!("");
        let changed = put(&app, &user_path(&app, email).await, &token, form).await;
        assert_eq!(
            (changed.status.as_u16(), &changed.body["message"]),
            (200, &json!(text::UPDATED.as_str())),
            "{}",
            changed.body
        );
        let users = list_users(&app, &token, app.nordbil).await;
        let user = users.iter().find(|user| user["email"] == email).unwrap();
        let seen = (&user["type"], &user["UserRole"]["name"], &user["mobile"], &user["is_active"]);
        assert_eq!(seen, (&json!("Admin"), &json!("Reader"), &json!(""), &json!(true)));
        assert!(is_session_active(&app, &session).await);
    }
}

#[tokio::test]
async fn deactivating_a_user_ends_their_sessions_and_blocks_login() {
    let app = TestApp::start().await;
    for by in [SUPER_ADMIN, ADMIN] {
        let token = app.sign_in(by).await;
        let (access, refreshing) = app.sign_in_for_tokens(CLERK).await;
        let path = user_path(&app, CLERK).await;
        let off = put(&app, &path, &token, json!({"is_active": false})).await;
        assert_eq!(
            (off.status.as_u16(), &off.body["message"]),
            (200, &json!(text::DEACTIVATED.as_str())),
            "{}",
            off.body
        );
        assert!(!is_session_active(&app, &access).await);
        assert_eq!(refresh(&app, &refreshing).await.status, 401);
        assert_eq!(login(&app, CLERK, PASSWORD).await.status, 403);
        let users = list_users(&app, &token, app.nordbil).await;
        let clerk = users.iter().find(|user| user["email"] == CLERK).unwrap();
        assert_eq!(
            (&clerk["is_active"], &clerk["UserRole"]["name"], &clerk["first"]),
            (&json!(false), &json!("Clerk"), &json!("Ada"))
        );
        let on = put(&app, &path, &token, json!({"is_active": true})).await;
        assert_eq!((on.status.as_u16(), &on.body["message"]), (200, &json!(text::UPDATED.as_str())));
        assert!(!is_session_active(&app, &access).await, "an ended session stays ended");
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        assert!(is_session_active(&app, &app.sign_in(CLERK).await).await);
    }
    // `is_active` can also be sent together with all other fields of the form.
    let admin = app.sign_in(ADMIN).await;
    let mut form = user_form(CLERK, "User", Some(role_id(&app, "Reader").await));
    form["is_active"] = json!(false);
    let off = put(&app, &user_path(&app, CLERK).await, &admin, form).await;
    assert_eq!((off.status.as_u16(), &off.body["message"]), (200, &json!(text::UPDATED.as_str())));
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 403);
}

#[tokio::test]
async fn p8_neither_oneself_nor_the_last_administrator_can_be_deactivated() {
    let app = TestApp::start().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    for (token, email) in [(&platform, SUPER_ADMIN), (&admin, ADMIN)] {
        assert_error(
            &put(&app, &user_path(&app, email).await, token, json!({"is_active": false})).await,
            403,
            text::DEACTIVATE_SELF.as_str(),
        );
        assert!(is_session_active(&app, token).await);
    }
    let role = role_id(&app, "Clerk").await;
    let mut both = user_form(ADMIN, "User", Some(role));
    both["is_active"] = json!(false);
    for change in [json!({"is_active": false}), user_form(ADMIN, "User", Some(role)), both] {
        assert_error(&put(&app, &user_path(&app, ADMIN).await, &platform, change).await, 409, LAST_ADMIN.as_str());
    }
    // ADMIN is still the last administrator if the only other one is deactivated or banned.
    for state in ["is_active = FALSE", "banned_at = 1"] {
        let text = match state {
            "is_active = FALSE" => "UPDATE users SET user_type = 'Admin', is_active = FALSE WHERE email = $1",
            _ => "UPDATE users SET user_type = 'Admin', is_active = TRUE, banned_at = 1 WHERE email = $1",
        };
        app.db().sql(text).bind(CLERK).exec().await.unwrap();
        let rejected = put(&app, &user_path(&app, ADMIN).await, &platform, json!({"is_active": false})).await;
        assert_error(&rejected, 409, LAST_ADMIN.as_str());
    }
    app.db().sql("UPDATE users SET banned_at = NULL WHERE email = $1").bind(CLERK).exec().await.unwrap();
    assert_eq!(put(&app, &user_path(&app, ADMIN).await, &platform, json!({"is_active": false})).await.status, 200);
}

#[tokio::test]
async fn the_list_says_which_users_may_be_deactivated() {
    let app = TestApp::start().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    let deactivatable = async |token: &str| {
        let users = list_users(&app, token, app.nordbil).await;
        let user = |email: &str| users.iter().find(|user| user["email"] == email).unwrap();
        [ADMIN, CLERK].map(|email| user(email)["can_deactivate"].as_bool().unwrap())
    };
    assert_eq!(deactivatable(&platform).await, [false, true], "the last Admin");
    app.db().sql("UPDATE users SET user_type = 'Admin' WHERE email = $1").bind(CLERK).exec().await.unwrap();
    assert_eq!(deactivatable(&platform).await, [true, true]);
    assert_eq!(deactivatable(&admin).await, [false, true], "oneself");
    app.db().sql("UPDATE users SET banned_at = 1 WHERE email = $1").bind(CLERK).exec().await.unwrap();
    assert_eq!(deactivatable(&platform).await, [false, true], "the other Admin is banned");
}

#[tokio::test]
async fn p3_a_super_admin_cannot_be_made_through_corporation_users() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let (own, _): (Uuid, bool) =
        app.db().sql("SELECT corp_id, is_platform FROM corporations WHERE is_platform").one().await.unwrap();
    let names: Vec<_> = assignable_types(UserType::SuperAdmin, false).into_iter().map(UserType::as_str).collect();
    let error = choice_error(&names);
    for corp in [app.nordbil, own] {
        let made = app.post(USERS, Some(&platform), new_corporation_user_form(corp, NEW, "Super Admin", None)).await;
        assert_error(&made, 400, error.as_str());
        assert_eq!(made.body["fields"], json!({"user_type": [error.as_str()]}));
    }
    let raised = put(&app, &user_path(&app, CLERK).await, &platform, user_form(CLERK, "Super Admin", None)).await;
    assert_error(&raised, 400, error.as_str());
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE user_type = 'Super Admin'").await, 1);
}

#[tokio::test]
async fn returns_the_same_404_for_foreign_and_missing_corporation_users() {
    let (app, other_admin) = TestApp::start_and_sign_in(OTHER_ADMIN).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let clerk = user_id(&app, CLERK).await;
    let before = read_row(&app, "users", "user_id", clerk).await;
    let mut seen = Vec::new();
    for (token, corp, user) in [
        (&other_admin, app.nordbil, clerk),
        (&other_admin, Uuid::now_v7(), Uuid::now_v7()),
        (&other_admin, app.nordbil, user_id(&app, SUPER_ADMIN).await),
        (&platform, Uuid::now_v7(), Uuid::now_v7()),
    ] {
        for response in [
            app.get(&format!("/api/corporations/{corp}/users"), Some(token)).await,
            app.get(&format!("/api/corporations/{corp}/roles"), Some(token)).await,
            app.post(USERS, Some(token), new_corporation_user_form(corp, NEW, "User", Some(role))).await,
            put(&app, &format!("{USERS}/{user}"), token, user_form(CLERK, "User", Some(role))).await,
            put(&app, &format!("{USERS}/{user}"), token, json!({"is_active": false})).await,
        ] {
            assert_error(&response, 404, NOT_FOUND.as_str());
            seen.push(response.body);
        }
    }
    assert!(seen.iter().all(|body| *body == seen[0]));
    assert_eq!(read_row(&app, "users", "user_id", clerk).await, before);
    assert_eq!(count(&app, "SELECT count(*) FROM users").await, 6);
    // A role of another corporation is rejected.
    let other_corp: Uuid =
        app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(OTHER_ADMIN).value().await.unwrap();
    let rejected =
        app.post(USERS, Some(&platform), new_corporation_user_form(other_corp, NEW, "User", Some(role))).await;
    assert_error(&rejected, 400, text::ROLE_UNKNOWN.as_str());
    for path in ["/api/corporations/x/users", "/api/corporations/%00/roles"] {
        assert_eq!(app.get(path, Some(&platform)).await.status, 404, "{path}");
    }
    let mut nowhere = new_corporation_user_form(other_corp, NEW, "User", Some(role));
    nowhere["corp_id"] = json!("x");
    assert_error(&app.post(USERS, Some(&platform), nowhere).await, 404, NOT_FOUND.as_str());
}

#[tokio::test]
async fn routes_of_corporation_users_get_403_for_all_but_administrators() {
    let app = TestApp::start().await;
    let role = role_id(&app, "Clerk").await;
    for email in [CLERK, READER, NO_ROLE] {
        let token = app.sign_in(email).await;
        for rejected in [
            app.get(&format!("/api/corporations/{}/users", app.nordbil), Some(&token)).await,
            app.get(&format!("/api/corporations/{}/users?search=ada&sort=email", app.nordbil), Some(&token)).await,
            app.get(&format!("/api/corporations/{}/roles", app.nordbil), Some(&token)).await,
            app.post(USERS, Some(&token), new_corporation_user_form(app.nordbil, NEW, "User", Some(role))).await,
            put(&app, &user_path(&app, NO_ROLE).await, &token, json!({"is_active": false})).await,
        ] {
            assert_eq!((rejected.status.as_u16(), rejected.body.get("data")), (403, None), "{email}");
        }
    }
}

#[tokio::test]
async fn a_stale_update_of_a_corporation_user_gets_409_with_current_data() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let path = user_path(&app, CLERK).await;
    let mut form = user_form(CLERK, "User", Some(role_id(&app, "Clerk").await));
    form["version"] = json!(1);
    assert_eq!(put(&app, &path, &admin, form.clone()).await.status, 200);
    for change in [with_field(form, "last_name", "Ek"), json!({"is_active": false, "version": 1})] {
        let stale = put(&app, &path, &admin, change).await;
        assert_error(&stale, 409, STALE.as_str());
        let data = &stale.body["data"];
        assert_eq!((&data["first"], &data["is_active"], &data["version"]), (&json!("Åsa"), &json!(true), &json!(2)));
        assert_eq!(data["last_change"]["actor"]["id"], user_id(&app, ADMIN).await.to_string());
    }
    assert_eq!(put(&app, &path, &admin, json!({"is_active": false, "version": 2})).await.status, 200);
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_corporation_user() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let id = user_id(&app, CLERK).await;
    let documented =
        ["corp_id", "first_name", "last_name", "email", "mobile", "user_type", "role_id", "is_active", "version"];
    let form = new_corporation_user_form(app.nordbil, "plain@nordbil.example", "User", Some(clerk));
    assert_eq!(app.post(USERS, Some(&platform), form).await.status, 201);
    let plain = read_row(&app, "users", "user_id", user_id(&app, "plain@nordbil.example").await).await;
    let other_corp: Uuid =
        app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(OTHER_ADMIN).value().await.unwrap();
    // A form with the stored values, and with the id of another corporation, which has no effect.
    let mut same = user_form(CLERK, "User", Some(clerk));
    (same["first_name"], same["last_name"]) = (json!("Ada"), json!("Lindqvist"));
    (same["mobile"], same["corp_id"]) = (json!("+46 70 123 45 67"), json!(other_corp.to_string()));
    let before = read_row(&app, "users", "user_id", id).await;
    for (i, value) in injected_values().iter().enumerate() {
        let email = format!("p{i}@nordbil.example");
        let form = new_corporation_user_form(app.nordbil, &email, "User", Some(clerk));
        // `is_active` in the form of a new user is ignored: the user is active.
        let mut form = with_columns(&form, &before, &documented, value);
        form["is_active"] = json!(false);
        let made = app.post(USERS, Some(&platform), form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let changed = differing_columns(&plain, &read_row(&app, "users", "user_id", user_id(&app, &email).await).await);
        assert!(changed.iter().all(|c| ["user_id", "email", "password_hash"].contains(&c.as_str())), "{changed:?}");

        let changed =
            put(&app, &user_path(&app, CLERK).await, &platform, with_columns(&same, &before, &documented, value)).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let changed = differing_columns(&before, &read_row(&app, "users", "user_id", id).await);
        assert!(changed.iter().all(|c| ["updated_at", "version"].contains(&c.as_str())), "{value}: {changed:?}");
    }
}
