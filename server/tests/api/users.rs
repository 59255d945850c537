//! The users of one's own corporation: how they are listed, made, changed and deleted.

use crate::app::{ADMIN, CLERK, NOBODY, PASSWORD, READER, STRANGER, SUPER_ADMIN, TestApp};
use crate::steps::*;
use forecourt::platform::clock::MINUTE;
use forecourt_core::text::{NOT_FOUND, STALE};
use forecourt_core::users::text;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

const USERS: &str = "/api/users";
const NEW: &str = "new@nordbil.example";

async fn of(app: &TestApp, email: &str) -> String {
    format!("{USERS}/{}", user_id(app, email).await)
}

/// The e-mails on a page, and the whole answer.
async fn emails(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, Value) {
    let answer = app.send(app.request(Method::GET, USERS, Some(token)).query(query)).await;
    assert_eq!(answer.status, 200, "{query:?}: {}", answer.body);
    let data = answer.body["data"].as_array().unwrap();
    (data.iter().map(|user| user["email"].as_str().unwrap().to_owned()).collect(), answer.body)
}

#[tokio::test]
async fn users_are_listed_the_newest_first_with_their_role_and_what_may_be_done_to_them() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let (listed, body) = emails(&app, &admin, &[]).await;
    assert_eq!(listed, [NOBODY, READER, CLERK, ADMIN], "nobody of another corporation");
    assert_eq!((&body["success"], &body["totalItems"], &body["totalPages"]), (&json!(true), &json!(4), &json!(1)));
    let clerk = &body["data"][2];
    let shown = json!({
        "user_id": user_id(&app, CLERK).await.to_string(), "first_name": "Ada", "last_name": "Lindqvist", "email": CLERK,
        "mobile": "+46 70 123 45 67", "role": {"role_id": role_id(&app, "Clerk").await.to_string(), "name": "Clerk"},
        "permissionsCount": 3, "user_type": "User", "created_at": "1970-01-01T00:00:00.000Z", "is_active": true,
        "can_update": true, "can_delete": true, "version": 1,
    });
    assert_eq!(*clerk, shown);
    let rights = |body: &Value| -> Vec<(bool, bool, u64)> {
        let one = |user: &Value| {
            let bit = |name: &str| user[name].as_bool().unwrap();
            (bit("can_update"), bit("can_delete"), user["permissionsCount"].as_u64().unwrap())
        };
        body["data"].as_array().unwrap().iter().map(one).collect()
    };
    // Nobody, the Reader who is a deputy, the Clerk who may do more with less, the Admin.
    assert_eq!(rights(&body), [(true, true, 0), (true, true, 3), (true, true, 3), (true, false, 5)]);
    let (_, body) = emails(&app, &deputy, &[]).await;
    assert_eq!(rights(&body), [(true, true, 0), (true, false, 3), (false, false, 3), (false, false, 5)]);
    let one = app.get(&of(&app, CLERK).await, Some(&admin)).await;
    assert_eq!((one.status.as_u16(), &one.body["data"]), (200, &shown));
}

#[tokio::test]
async fn a_page_of_users_has_ten_unless_asked_otherwise() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    for i in 0..8 {
        let made = app.post(USERS, Some(&admin), newcomer(&format!("p{i}@nordbil.example"), "User", Some(clerk))).await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
    let (first, body) = emails(&app, &admin, &[]).await;
    assert_eq!((first.len(), &body["totalItems"], &body["totalPages"]), (10, &json!(12), &json!(2)));
    assert_eq!(first[0], "p7@nordbil.example");
    let (second, body) = emails(&app, &admin, &[("page", "3"), ("limit", "5")]).await;
    assert_eq!((second.as_slice(), &body["totalPages"]), ([CLERK.to_owned(), ADMIN.to_owned()].as_slice(), &json!(3)));
    let (found, body) = emails(&app, &admin, &[("search", "OBERG"), ("page", "2"), ("limit", "3")]).await;
    assert_eq!((found.len(), &body["totalItems"], &body["totalPages"]), (3, &json!(8), &json!(3)));
    assert_eq!(found[0], "p4@nordbil.example");
    assert!(emails(&app, &admin, &[("page", "4000000000")]).await.0.is_empty());
    assert!(emails(&app, &admin, &[("page", "4000000000"), ("search", "ada")]).await.0.is_empty());
    let refused = app.get("/api/users?limit=many", Some(&admin)).await;
    let sentence = &refused.body["fields"]["limit"][0];
    assert_eq!((refused.status.as_u16(), sentence), (400, &json!("'limit' must be a whole number")));
}

#[tokio::test]
async fn a_search_for_users_looks_at_name_email_and_role_and_takes_every_sign_as_it_is() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    app.db()
        .sql("UPDATE users SET first_name = 'Åsa', last_name = 'Strauß' WHERE email = $1")
        .bind(NOBODY)
        .exec()
        .await
        .unwrap();
    for (search, found) in [
        ("asa STRAUSS", vec![NOBODY]),
        ("  åsa ", vec![NOBODY]),
        ("clerk@", vec![CLERK]),
        ("reader", vec![READER]),
        ("da lind", vec![READER, CLERK, ADMIN]),
        ("sodrabil", vec![]),
        ("%", vec![]),
        ("_", vec![]),
        ("' OR 1=1", vec![]),
    ] {
        assert_eq!(emails(&app, &admin, &[("search", search)]).await.0, found, "{search}");
    }
    assert_eq!(app.get(&format!("{USERS}?search={}", "x".repeat(101)), Some(&admin)).await.status, 400);
}

#[tokio::test]
async fn ten_thousand_users_are_listed_and_searched_without_waiting() {
    const COUNT: usize = 10_000;
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let mut tx = app.db().begin().await.unwrap();
    for chunk in (0..COUNT).collect::<Vec<_>>().chunks(500) {
        tx.sql(
            "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, \
             password_hash, created_at, updated_at) VALUES ",
        )
        .tuples(chunk, |sql, i| {
            let sql = sql.arg(app.nordbil).next(Uuid::now_v7()).next(format!("p{i}@nordbil.example")).next("Åsa");
            sql.next(format!("Öberg {i}")).next("").next("User").next(clerk).next("x").next(0_i64).next(0_i64)
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
            let answer = app.get(path, Some(&admin)).await;
            times.push(began.elapsed());
            let found = answer.body["totalItems"].as_u64().or(answer.body["data"].as_array().map(|a| a.len() as u64));
            assert_eq!((answer.status.as_u16(), found), (200, Some(total)), "{path}");
        }
        times.sort();
        println!("{COUNT} users, {path}: {:?}", times[2]);
        // Far above what it takes, for a busy machine and a program that isn't optimized.
        assert!(times[2] < Duration::from_secs(20), "{path}: {times:?}");
    }
    // The list without pages ends where it is full, and says how many there are.
    let whole = app.get(&format!("/api/corporations/{}/users", app.nordbil), Some(&admin)).await;
    assert_eq!((whole.status.as_u16(), &whole.body["totalItems"]), (200, &json!(10_004)));
    assert!(whole.body["data"].as_array().unwrap().len() < 10_004);
}

#[tokio::test]
async fn a_user_is_made_told_by_mail_without_the_password_and_signs_in() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let mut form = newcomer("New@Nordbil.example", "", Some(clerk));
    form["password"] = json!("chosen-by-the-admin");
    let made = app.post(USERS, Some(&admin), form).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED)), "{}", made.body);
    let user = &made.body["data"];
    let seen =
        (&user["email"], &user["user_type"], &user["role"]["name"], &user["permissionsCount"], &user["is_active"]);
    assert_eq!(seen, (&json!(NEW), &json!("User"), &json!("Clerk"), &json!(3), &json!(true)));
    assert_eq!(user["created_at"], "2027-01-15T08:00:00.000Z");
    let mail = app.next_mail(NEW, 0).await;
    assert!(mail.contains("Your Forecourt account") && mail.contains("/login"), "{mail}");
    assert!(!mail.contains("chosen-by-the-admin"), "{mail}");
    assert_eq!(login(&app, NEW, "chosen-by-the-admin").await.status, 200);
    assert_eq!(login(&app, NEW, PASSWORD).await.status, 401);
}

#[tokio::test]
async fn every_field_of_a_user_says_what_it_lacks_and_nothing_is_made() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let before = count(&app, "SELECT count(*) FROM users").await;
    let refused = app.post(USERS, Some(&admin), json!({})).await;
    assert_eq!(refused.status, 400);
    let fields: Vec<_> = refused.body["fields"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["email", "first_name", "last_name", "password", "role_id"]);
    // A role must be one of this corporation's.
    let stranger = app.sign_in(STRANGER).await;
    let theirs = app.post("/api/rbac/roles", Some(&stranger), json!({"name": "Theirs", "description": "x"})).await;
    for role in [theirs.body["data"]["role_id"].clone(), json!(Uuid::now_v7().to_string()), json!("clerk")] {
        let mut form = newcomer(NEW, "User", None);
        form["role_id"] = role;
        let refused = app.post(USERS, Some(&admin), form.clone()).await;
        assert_refused(&refused, 400, text::ROLE_UNKNOWN);
        assert_eq!(refused.body["fields"], json!({"role_id": [text::ROLE_UNKNOWN]}));
        form["email"] = json!(CLERK);
        assert_refused(&put(&app, &of(&app, CLERK).await, &admin, form).await, 400, text::ROLE_UNKNOWN);
    }
    assert_eq!(count(&app, "SELECT count(*) FROM users").await, before);
}

#[tokio::test]
async fn an_email_that_somebody_has_on_the_installation_is_told_beside_its_field() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    for taken in [READER, STRANGER, "ADMIN@sodrabil.example"] {
        for refused in [
            app.post(USERS, Some(&admin), newcomer(taken, "User", Some(clerk))).await,
            put(&app, &of(&app, CLERK).await, &admin, person(taken, "User", Some(clerk))).await,
        ] {
            assert_refused(&refused, 409, text::EMAIL_TAKEN);
            assert_eq!(refused.body["fields"], json!({"email": [text::EMAIL_TAKEN]}), "{taken}");
        }
    }
    let clerk = app.get(&of(&app, CLERK).await, Some(&admin)).await;
    assert_eq!((&clerk.body["data"]["first_name"], &clerk.body["data"]["version"]), (&json!("Ada"), &json!(1)));
    assert!(app.mails(READER).is_empty() && app.mails(STRANGER).is_empty());
}

#[tokio::test]
async fn a_user_is_changed_and_a_blank_password_or_mobile_keeps_the_one_there_is() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let session = app.sign_in(CLERK).await;
    let reader = role_id(&app, "Reader").await;
    let mut form = person(CLERK, "User", Some(reader));
    form["password"] = json!("");
    let changed = put(&app, &of(&app, CLERK).await, &admin, form).await;
    assert_eq!((changed.status.as_u16(), &changed.body["message"]), (200, &json!(text::UPDATED)));
    let user = &changed.body["data"];
    assert_eq!(
        (&user["first_name"], &user["last_name"], &user["version"]),
        (&json!("Åsa"), &json!("Öberg"), &json!(2))
    );
    assert_eq!((&user["role"]["name"], &user["mobile"]), (&json!("Reader"), &json!("+46 70 123 45 67")));
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    assert!(works(&app, &session).await, "the session goes on");
    let contact = app.post("/api/contacts", Some(&session), json!({"name": "Ada"})).await;
    assert_eq!(contact.status, 403, "with the smaller role");
}

#[tokio::test]
async fn a_change_of_a_user_that_is_based_on_an_older_state_is_refused_with_the_present_one() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let based_on = |version: i64, last_name: &str| {
        let mut form = person(CLERK, "User", Some(clerk));
        (form["version"], form["last_name"]) = (json!(version), json!(last_name));
        form
    };
    let path = of(&app, CLERK).await;
    assert_eq!(put(&app, &path, &admin, based_on(1, "Ek")).await.status, 200);
    let stale = put(&app, &path, &admin, based_on(1, "Alm")).await;
    assert_refused(&stale, 409, STALE);
    assert_eq!((&stale.body["data"]["last_name"], &stale.body["data"]["version"]), (&json!("Ek"), &json!(2)));
    assert_eq!(put(&app, &path, &admin, based_on(2, "Alm")).await.status, 200);
    // What the person changes of themselves counts too.
    let session = app.sign_in(CLERK).await;
    let form = reqwest::multipart::Form::new().text("first_name", "Ada").text("last_name", "Bo").text("email", CLERK);
    let call = app.request(Method::POST, "/api/auth/profile/update-profile", Some(&session));
    assert_eq!(app.send(call.multipart(form.text("mobile", "1"))).await.status, 200);
    assert_refused(&put(&app, &path, &admin, based_on(3, "Ek")).await, 409, STALE);
}

#[tokio::test]
async fn another_email_or_password_is_given_as_seldom_as_an_account_is_made() {
    let app = TestApp::start().await;
    let (admin, clerk) = (app.sign_in(ADMIN).await, of(&app, CLERK).await);
    let reader = role_id(&app, "Reader").await;
    let form = |email: &str| {
        let mut form = person(email, "User", Some(reader));
        form["password"] = json!("");
        form
    };
    let nobody = "/api/users/0190b5a0-0000-7000-8000-000000000000";
    for _ in 0..299 {
        assert_eq!(put(&app, nobody, &admin, form(NEW)).await.status, 404);
    }
    assert_eq!(put(&app, &clerk, &admin, form(NEW)).await.status, 200);
    let password = json!({"password": "another-password"});
    for (path, body) in [(&*clerk, form(CLERK)), (nobody, form(CLERK)), (&format!("{clerk}/password"), password)] {
        assert_throttled(&put(&app, path, &admin, body).await, 3600);
    }
    // Who stays who they are is changed as often as one likes.
    assert_eq!(put(&app, &clerk, &admin, form(NEW)).await.status, 200);
}

#[tokio::test]
async fn a_deleted_user_is_out_leaves_what_they_wrote_and_frees_the_email() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let session = app.tokens(CLERK).await;
    assert_eq!(app.post("/api/contacts", Some(&session.0), json!({"name": "Ada Lovelace"})).await.status, 201);
    let path = of(&app, CLERK).await;
    let deleted = delete(&app, &path, &admin).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::DELETED)));
    assert!(!works(&app, &session.0).await);
    assert_eq!(refresh(&app, &session.1).await.status, 401);
    assert_refused(&delete(&app, &path, &admin).await, 404, NOT_FOUND);
    assert_eq!(app.get("/api/contacts", Some(&admin)).await.body["data"][0]["name"], "Ada Lovelace");
    let again = app.post(USERS, Some(&admin), newcomer(CLERK, "User", Some(role_id(&app, "Clerk").await))).await;
    assert_eq!(again.status, 201, "{}", again.body);
}

#[tokio::test]
async fn p3_no_field_beyond_the_documented_ones_reaches_a_column_of_a_user() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let id = user_id(&app, CLERK).await;
    let documented = ["first_name", "last_name", "email", "mobile", "user_type", "role_id", "version"];
    assert_eq!(app.post(USERS, Some(&admin), newcomer("plain@nordbil.example", "User", Some(clerk))).await.status, 201);
    let plain = row(&app, "users", "user_id", user_id(&app, "plain@nordbil.example").await).await;
    // The form as it is filled in already.
    let mut same = person(CLERK, "User", Some(clerk));
    (same["first_name"], same["last_name"]) = (json!("Ada"), json!("Lindqvist"));
    let mut before = row(&app, "users", "user_id", id).await;
    assert!(before.len() >= 17 && before.contains_key("banned_at"), "{before:?}");
    for (i, value) in tried_values().iter().enumerate() {
        let email = format!("p{i}@nordbil.example");
        let form = with_columns(&newcomer(&email, "User", Some(clerk)), &before, &documented, value);
        let made = app.post(USERS, Some(&admin), form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let changed = differing(&plain, &row(&app, "users", "user_id", user_id(&app, &email).await).await);
        assert!(changed.iter().all(|c| ["user_id", "email", "password_hash"].contains(&c.as_str())), "{changed:?}");

        let form = with_columns(&same, &before, &documented, value);
        assert_eq!(put(&app, &of(&app, CLERK).await, &admin, form).await.status, 200);
        let unchanged = row(&app, "users", "user_id", id).await;
        let changed = differing(&before, &unchanged);
        assert!(changed.iter().all(|c| ["updated_at", "version"].contains(&c.as_str())), "{value}: {changed:?}");

        let form = with_columns(&json!({"password": "another-password"}), &before, &[], value);
        assert_eq!(put(&app, &format!("{USERS}/{id}/password"), &admin, form).await.status, 200);
        before = row(&app, "users", "user_id", id).await;
        assert_eq!(differing(&unchanged, &before), ["password_hash"], "{value}");
    }
}

#[tokio::test]
async fn another_corporations_user_is_not_found_and_stays_as_they_are() {
    let app = TestApp::start().await;
    let stranger = app.sign_in(STRANGER).await;
    let made = app.post("/api/rbac/roles", Some(&stranger), json!({"name": "Theirs", "description": "x"})).await;
    let role = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
    let id = user_id(&app, CLERK).await;
    let before = row(&app, "users", "user_id", id).await;
    for id in [id, user_id(&app, SUPER_ADMIN).await, Uuid::now_v7()] {
        let path = format!("{USERS}/{id}");
        assert_refused(&app.get(&path, Some(&stranger)).await, 404, NOT_FOUND);
        assert_refused(&put(&app, &path, &stranger, person(NEW, "User", Some(role))).await, 404, NOT_FOUND);
        assert_refused(&delete(&app, &path, &stranger).await, 404, NOT_FOUND);
        let password = json!({"password": "another-password"});
        assert_refused(&put(&app, &format!("{path}/password"), &stranger, password).await, 404, NOT_FOUND);
    }
    assert_eq!(row(&app, "users", "user_id", id).await, before);
    app.pass(MINUTE);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
    for path in ["/api/users/x", "/api/users/%00"] {
        assert_eq!(app.get(path, Some(&stranger)).await.status, 404, "{path}");
    }
}
