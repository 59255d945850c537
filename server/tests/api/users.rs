//! Users of the signed-in user's own corporation: listing, creating, changing and deleting them.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, SUPER_ADMIN, TestApp};
use crate::helpers::*;
use forecourt::platform::clock::MINUTE;
use forecourt_core::permissions::modules;
use forecourt_core::text::{NOT_FOUND, STALE};
use forecourt_core::users::text;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

const USERS: &str = "/api/users";
const NEW: &str = "new@nordbil.example";

async fn user_path(app: &TestApp, email: &str) -> String {
    format!("{USERS}/{}", user_id(app, email).await)
}

/// Returns the emails of the users on the requested page, and the response body.
async fn list_emails(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, Value) {
    list_field(app, token, USERS, query, "email").await
}

#[tokio::test]
async fn users_are_listed_newest_first_with_role_and_allowed_actions() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let (listed, body) = list_emails(&app, &admin, &[]).await;
    assert_eq!(listed, [NO_ROLE, READER, CLERK, ADMIN], "no user of another corporation");
    assert_eq!((&body["success"], &body["totalItems"], &body["totalPages"]), (&json!(true), &json!(4), &json!(1)));
    let clerk = &body["data"][2];
    let shown = json!({
        "user_id": user_id(&app, CLERK).await.to_string(), "first_name": "Ada", "last_name": "Lindqvist", "email": CLERK,
        "mobile": "+46 70 123 45 67", "role": {"role_id": role_id(&app, "Clerk").await.to_string(), "name": "Clerk"},
        "permissionsCount": modules().count(), "user_type": "User", "created_at": "1970-01-01T00:00:00.000Z", "is_active": true,
        "is_banned": false, "can_update": true, "can_delete": true, "version": 1,
    });
    assert_eq!(*clerk, shown);
    let rights = |body: &Value| -> Vec<(bool, bool, u64)> {
        let one = |user: &Value| {
            let bit = |name: &str| user[name].as_bool().unwrap();
            (bit("can_update"), bit("can_delete"), user["permissionsCount"].as_u64().unwrap())
        };
        body["data"].as_array().unwrap().iter().map(one).collect()
    };
    // In this order: the user without a role, the Reader who is a deputy, the Clerk, the Admin.
    let all = modules().count() as u64;
    // Besides the modules, an Admin has permissions on users, roles and the history.
    let of_admin = all + 3;
    assert_eq!(rights(&body), [(true, true, 0), (true, true, 3), (true, true, all), (true, false, of_admin)]);
    let (_, body) = list_emails(&app, &deputy, &[]).await;
    assert_eq!(rights(&body), [(true, true, 0), (true, false, 3), (false, false, all), (false, false, of_admin)]);
    let one = app.get(&user_path(&app, CLERK).await, Some(&admin)).await;
    assert_eq!((one.status.as_u16(), &one.body["data"]), (200, &shown));
}

#[tokio::test]
async fn a_page_of_users_has_ten_entries_by_default() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    for i in 0..8 {
        let made =
            app.post(USERS, Some(&admin), new_user_form(&format!("p{i}@nordbil.example"), "User", Some(clerk))).await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
    let (first, body) = list_emails(&app, &admin, &[]).await;
    assert_eq!((first.len(), &body["totalItems"], &body["totalPages"]), (10, &json!(12), &json!(2)));
    assert_eq!(first[0], "p7@nordbil.example");
    let (second, body) = list_emails(&app, &admin, &[("page", "3"), ("limit", "5")]).await;
    assert_eq!((second.as_slice(), &body["totalPages"]), ([CLERK.to_owned(), ADMIN.to_owned()].as_slice(), &json!(3)));
    let (found, body) = list_emails(&app, &admin, &[("search", "OBERG"), ("page", "2"), ("limit", "3")]).await;
    assert_eq!((found.len(), &body["totalItems"], &body["totalPages"]), (3, &json!(8), &json!(3)));
    assert_eq!(found[0], "p4@nordbil.example");
    assert!(list_emails(&app, &admin, &[("page", "4000000000")]).await.0.is_empty());
    assert!(list_emails(&app, &admin, &[("page", "4000000000"), ("search", "ada")]).await.0.is_empty());
    let rejected = app.get("/api/users?limit=many", Some(&admin)).await;
    let sentence = &rejected.body["fields"]["limit"][0];
    assert_eq!((rejected.status.as_u16(), sentence), (400, &json!("'limit' must be a whole number")));
}

#[tokio::test]
async fn a_user_search_covers_name_email_and_role_without_wildcards() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    app.db()
        .sql("UPDATE users SET first_name = 'Åsa', last_name = 'Strauß' WHERE email = $1")
        .bind(NO_ROLE)
        .exec()
        .await
        .unwrap();
    let clerk = role_id(&app, "Clerk").await;
    app.db().sql("UPDATE users SET role_id = $1 WHERE email = $2").bind(clerk).bind(NO_ROLE).exec().await.unwrap();
    for (search, found) in [
        ("asa STRAUSS", vec![NO_ROLE]),
        ("  åsa ", vec![NO_ROLE]),
        ("clerk@", vec![CLERK]),
        ("reader@", vec![READER]),
        // NO_ROLE is found by its role's name: neither its own name nor its email contains the word.
        ("clerk", vec![NO_ROLE, CLERK]),
        ("da lind", vec![READER, CLERK, ADMIN]),
        ("sodrabil", vec![]),
        ("%", vec![]),
        ("_", vec![]),
        ("' OR 1=1", vec![]),
    ] {
        assert_eq!(list_emails(&app, &admin, &[("search", search)]).await.0, found, "{search}");
    }
    assert_eq!(app.get(&format!("{USERS}?search={}", "x".repeat(101)), Some(&admin)).await.status, 400);
}

#[tokio::test]
async fn listing_and_searching_10000_users_is_quick() {
    const COUNT: usize = 10_000;
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let mut tx = app.db().begin().await.unwrap();
    for chunk in (0..COUNT).collect::<Vec<_>>().chunks(500) {
        tx.sql(
            "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, \
             password_hash, created_at, updated_at) VALUES ",
        )
        .tuples(chunk, |sql, i| {
            let sql = sql.arg(app.nordbil).comma(Uuid::now_v7()).comma(format!("p{i}@nordbil.example")).comma("Åsa");
            sql.comma(format!("Öberg {i}")).comma("").comma("User").comma(clerk).comma("x").comma(0_i64).comma(0_i64)
        })
        .exec()
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
    for (path, total) in [
        ("/api/users?limit=15", 10_004),
        ("/api/users?limit=15&page=666", 10_004),
        ("/api/users?search=oberg%20777", 11),
        ("/api/users?search=clerk", 10_001),
    ] {
        let mut times = Vec::new();
        for _ in 0..5 {
            let began = Instant::now();
            let response = app.get(path, Some(&admin)).await;
            times.push(began.elapsed());
            let found =
                response.body["totalItems"].as_u64().or(response.body["data"].as_array().map(|a| a.len() as u64));
            assert_eq!((response.status.as_u16(), found), (200, Some(total)), "{path}");
        }
        times.sort();
        println!("{COUNT} users, {path}: {:?}", times[2]);
        // The limit is far above the usual time, because the build is not optimized and the machine may be busy.
        assert!(times[2] < Duration::from_secs(20), "{path}: {times:?}");
    }
    // A list without pages has as many users as fit into the size limit, and the total of all.
    let whole = app.get(&format!("/api/corporations/{}/users", app.nordbil), Some(&admin)).await;
    assert_eq!((whole.status.as_u16(), &whole.body["totalItems"]), (200, &json!(10_004)));
    assert!(whole.body["data"].as_array().unwrap().len() < 10_004);
}

#[tokio::test]
async fn a_new_user_gets_a_mail_without_the_password_and_signs_in() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let mut form = new_user_form("New@Nordbil.example", "", Some(clerk));
    form["password"] = json!("chosen-by-the-admin");
    let made = app.post(USERS, Some(&admin), form).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED.as_str())), "{}", made.body);
    let user = &made.body["data"];
    let seen =
        (&user["email"], &user["user_type"], &user["role"]["name"], &user["permissionsCount"], &user["is_active"]);
    assert_eq!(seen, (&json!(NEW), &json!("User"), &json!("Clerk"), &json!(modules().count()), &json!(true)));
    assert_eq!(user["created_at"], "2027-01-15T08:00:00.000Z");
    let mail = app.next_mail(NEW, 0).await;
    assert!(mail.contains("Your Forecourt account") && mail.contains("/login"), "{mail}");
    assert!(!mail.contains("chosen-by-the-admin"), "{mail}");
    assert_eq!(login(&app, NEW, "chosen-by-the-admin").await.status, 200);
    assert_eq!(login(&app, NEW, PASSWORD).await.status, 401);
}

#[tokio::test]
async fn an_invalid_user_is_rejected_with_errors_per_field() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let before = count(&app, "SELECT count(*) FROM users").await;
    let rejected = app.post(USERS, Some(&admin), json!({})).await;
    assert_eq!(rejected.status, 400);
    let fields: Vec<_> = rejected.body["fields"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["email", "first_name", "last_name", "password", "role_id"]);
    // `role_id` must be the id of a role of the same corporation. Rejected are another corporation's role, an unknown
    // id and a name.
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    let foreign_role = create_role(&app, &other_admin, "Theirs", &[]).await;
    for role in [json!(foreign_role), json!(Uuid::now_v7()), json!("clerk")] {
        let mut form = new_user_form(NEW, "User", None);
        form["role_id"] = role;
        let rejected = app.post(USERS, Some(&admin), form.clone()).await;
        assert_error(&rejected, 400, text::ROLE_UNKNOWN.as_str());
        assert_eq!(rejected.body["fields"], json!({"role_id": [text::ROLE_UNKNOWN.as_str()]}));
        form["email"] = json!(CLERK);
        assert_error(&put(&app, &user_path(&app, CLERK).await, &admin, form).await, 400, text::ROLE_UNKNOWN.as_str());
    }
    assert_eq!(count(&app, "SELECT count(*) FROM users").await, before);
}

#[tokio::test]
async fn an_email_taken_in_any_corporation_gets_409_with_the_field() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    for taken in [READER, OTHER_ADMIN, "ADMIN@sodrabil.example"] {
        for rejected in [
            app.post(USERS, Some(&admin), new_user_form(taken, "User", Some(clerk))).await,
            put(&app, &user_path(&app, CLERK).await, &admin, user_form(taken, "User", Some(clerk))).await,
        ] {
            assert_error(&rejected, 409, text::EMAIL_TAKEN.as_str());
            assert_eq!(rejected.body["fields"], json!({"email": [text::EMAIL_TAKEN.as_str()]}), "{taken}");
        }
    }
    let clerk = app.get(&user_path(&app, CLERK).await, Some(&admin)).await;
    assert_eq!((&clerk.body["data"]["first_name"], &clerk.body["data"]["version"]), (&json!("Ada"), &json!(1)));
    assert!(app.mails(READER).is_empty() && app.mails(OTHER_ADMIN).is_empty());
}

#[tokio::test]
async fn an_update_with_a_blank_password_and_without_mobile_keeps_them() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let session = app.sign_in(CLERK).await;
    let reader = role_id(&app, "Reader").await;
    let mut form = user_form(CLERK, "User", Some(reader));
    form["password"] = json!("");
    let changed = put(&app, &user_path(&app, CLERK).await, &admin, form).await;
    assert_eq!((changed.status.as_u16(), &changed.body["message"]), (200, &json!(text::UPDATED.as_str())));
    let user = &changed.body["data"];
    assert_eq!(
        (&user["first_name"], &user["last_name"], &user["version"]),
        (&json!("Åsa"), &json!("Öberg"), &json!(2))
    );
    assert_eq!((&user["role"]["name"], &user["mobile"]), (&json!("Reader"), &json!("+46 70 123 45 67")));
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    assert!(is_session_active(&app, &session).await, "the session stays active");
    let contact = app.post("/api/contacts", Some(&session), json!({"name": "Ada"})).await;
    assert_eq!(contact.status, 403, "with the lower role");
}

#[tokio::test]
async fn a_stale_user_update_gets_409_with_the_current_user() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let form_with_version = |version: i64, last_name: &str| {
        let mut form = user_form(CLERK, "User", Some(clerk));
        (form["version"], form["last_name"]) = (json!(version), json!(last_name));
        form
    };
    let path = user_path(&app, CLERK).await;
    // The second time, its values are stored already.
    for _ in 0..2 {
        let saved = put(&app, &path, &admin, form_with_version(1, "Ek")).await;
        assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(2)));
    }
    let stale = put(&app, &path, &admin, form_with_version(1, "Alm")).await;
    assert_error(&stale, 409, STALE.as_str());
    assert_eq!((&stale.body["data"]["last_name"], &stale.body["data"]["version"]), (&json!("Ek"), &json!(2)));
    let changed_by = |conflict: &ApiResponse| conflict.body["data"]["last_change"]["actor"]["id"].clone();
    assert_eq!(changed_by(&stale), user_id(&app, ADMIN).await.to_string());
    assert_eq!(put(&app, &path, &admin, form_with_version(2, "Alm")).await.status, 200);
    // A user's change of their own profile raises the version too.
    let session = app.sign_in(CLERK).await;
    let form = reqwest::multipart::Form::new().text("first_name", "Ada").text("last_name", "Bo").text("email", CLERK);
    let request = app.request(Method::POST, "/api/auth/profile/update-profile", Some(&session));
    assert_eq!(app.send(request.multipart(form.text("mobile", "1"))).await.status, 200);
    let stale = put(&app, &path, &admin, form_with_version(3, "Ek")).await;
    assert_error(&stale, 409, STALE.as_str());
    assert_eq!(changed_by(&stale), user_id(&app, CLERK).await.to_string());
    // So does a form that only sets a password.
    let version = stale.body["data"]["version"].as_i64().unwrap();
    let password = with_field(form_with_version(version, "Bo"), "password", "another-password");
    assert_eq!(put(&app, &path, &admin, password).await.status, 200);
    let stale = put(&app, &path, &admin, form_with_version(version, "Ek")).await;
    assert_error(&stale, 409, STALE.as_str());
    assert_eq!(changed_by(&stale), user_id(&app, ADMIN).await.to_string());
}

#[tokio::test]
async fn email_and_password_changes_share_the_limit_of_new_accounts() {
    let app = TestApp::start().await;
    let (admin, clerk) = (app.sign_in(ADMIN).await, user_path(&app, CLERK).await);
    let reader = role_id(&app, "Reader").await;
    let form = |email: &str| {
        let mut form = user_form(email, "User", Some(reader));
        form["password"] = json!("");
        form
    };
    let missing = "/api/users/0190b5a0-0000-7000-8000-000000000000";
    for _ in 0..299 {
        assert_eq!(put(&app, missing, &admin, form(NEW)).await.status, 404);
    }
    assert_eq!(put(&app, &clerk, &admin, form(NEW)).await.status, 200);
    let password = json!({"password": "another-password"});
    for (path, body) in [(&*clerk, form(CLERK)), (missing, form(CLERK)), (&format!("{clerk}/password"), password)] {
        assert_throttled(&put(&app, path, &admin, body).await, 3600);
    }
    let new_account = new_user_form("more@nordbil.example", "User", Some(reader));
    assert_throttled(&app.post(USERS, Some(&admin), new_account).await, 3600);
    // An update that changes neither email nor password is not limited.
    assert_eq!(put(&app, &clerk, &admin, form(NEW)).await.status, 200);
}

#[tokio::test]
async fn deleting_a_user_ends_sessions_keeps_records_and_frees_the_email() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let session = app.sign_in_for_tokens(CLERK).await;
    assert_eq!(app.post("/api/contacts", Some(&session.0), json!({"name": "Ada Lovelace"})).await.status, 201);
    let path = user_path(&app, CLERK).await;
    let deleted = delete(&app, &path, &admin).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::DELETED.as_str())));
    assert!(!is_session_active(&app, &session.0).await);
    assert_eq!(refresh(&app, &session.1).await.status, 401);
    assert_error(&delete(&app, &path, &admin).await, 404, NOT_FOUND.as_str());
    assert_eq!(app.get("/api/contacts", Some(&admin)).await.body["data"][0]["name"], "Ada Lovelace");
    let again = app.post(USERS, Some(&admin), new_user_form(CLERK, "User", Some(role_id(&app, "Clerk").await))).await;
    assert_eq!(again.status, 201, "{}", again.body);
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_user() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let id = user_id(&app, CLERK).await;
    let documented = ["first_name", "last_name", "email", "mobile", "user_type", "role_id", "version"];
    assert_eq!(
        app.post(USERS, Some(&admin), new_user_form("plain@nordbil.example", "User", Some(clerk))).await.status,
        201
    );
    let plain = read_row(&app, "users", "user_id", user_id(&app, "plain@nordbil.example").await).await;
    // A form with the stored values.
    let mut unchanged_form = user_form(CLERK, "User", Some(clerk));
    (unchanged_form["first_name"], unchanged_form["last_name"]) = (json!("Ada"), json!("Lindqvist"));
    let mut before = read_row(&app, "users", "user_id", id).await;
    assert!(before.len() >= 17 && before.contains_key("banned_at"), "{before:?}");
    for (i, value) in injected_values().iter().enumerate() {
        let email = format!("p{i}@nordbil.example");
        let form = with_columns(&new_user_form(&email, "User", Some(clerk)), &before, &documented, value);
        let made = app.post(USERS, Some(&admin), form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let changed = differing_columns(&plain, &read_row(&app, "users", "user_id", user_id(&app, &email).await).await);
        assert!(changed.iter().all(|c| ["user_id", "email", "password_hash"].contains(&c.as_str())), "{changed:?}");

        let form = with_columns(&unchanged_form, &before, &documented, value);
        assert_eq!(put(&app, &user_path(&app, CLERK).await, &admin, form).await.status, 200);
        let unchanged = read_row(&app, "users", "user_id", id).await;
        let changed = differing_columns(&before, &unchanged);
        assert!(changed.iter().all(|c| ["updated_at", "version"].contains(&c.as_str())), "{value}: {changed:?}");

        let form = with_columns(&json!({"password": "another-password"}), &before, &[], value);
        assert_eq!(put(&app, &format!("{USERS}/{id}/password"), &admin, form).await.status, 200);
        before = read_row(&app, "users", "user_id", id).await;
        assert_eq!(differing_columns(&unchanged, &before), ["password_hash"], "{value}");
    }
}

#[tokio::test]
async fn returns_404_for_another_corporations_user() {
    let (app, other_admin) = TestApp::start_and_sign_in(OTHER_ADMIN).await;
    let role = create_role(&app, &other_admin, "Theirs", &[]).await;
    let id = user_id(&app, CLERK).await;
    let before = read_row(&app, "users", "user_id", id).await;
    for id in [id, user_id(&app, SUPER_ADMIN).await, Uuid::now_v7()] {
        let path = format!("{USERS}/{id}");
        assert_error(&app.get(&path, Some(&other_admin)).await, 404, NOT_FOUND.as_str());
        assert_error(
            &put(&app, &path, &other_admin, user_form(NEW, "User", Some(role))).await,
            404,
            NOT_FOUND.as_str(),
        );
        assert_error(&delete(&app, &path, &other_admin).await, 404, NOT_FOUND.as_str());
        let password = json!({"password": "another-password"});
        assert_error(&put(&app, &format!("{path}/password"), &other_admin, password).await, 404, NOT_FOUND.as_str());
    }
    assert_eq!(read_row(&app, "users", "user_id", id).await, before);
    app.advance(MINUTE);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    for path in ["/api/users/x", "/api/users/%00"] {
        assert_eq!(app.get(path, Some(&other_admin)).await.status, 404, "{path}");
    }
}
