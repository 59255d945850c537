//! Of two concurrent saves that are based on the same version, the second is rejected. On PostgreSQL, all requests but
//! those on records lock the corporation before they read the version.

use crate::app::{ADMIN, CLERK, READER, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{permission_line, read_record, role_id, user_form, user_id};
use crate::organizations::{record, register, with_fields};
use forecourt::platform::clock::HOUR;
use futures_util::future::join;
use reqwest::{Method, RequestBuilder, multipart};
use serde_json::{Value, json};

/// Saves both at once, and asserts that one is saved and the other rejected.
async fn assert_one_is_rejected(app: &TestApp, [one, other]: [RequestBuilder; 2]) {
    let (one, other) = join(app.send(one), app.send(other)).await;
    let statuses = (one.status.as_u16(), other.status.as_u16());
    assert!(matches!(statuses, (200, 409) | (409, 200)), "{statuses:?}: {}\n{}", one.body, other.body);
}

/// Returns names that neither of the saves before this round has stored.
fn names(round: usize) -> [String; 2] {
    let letter = char::from(b'a' + u8::try_from(round % 26).unwrap());
    ["Ek", "Alm"].map(|name| format!("{name}{letter}"))
}

#[tokio::test]
async fn of_two_concurrent_saves_by_admins_one_is_rejected() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    app.db().sql("UPDATE users SET user_type = 'Admin' WHERE email = $1").bind(CLERK).exec().await.unwrap();
    let (admin, clerk) = (app.sign_in(ADMIN).await, app.sign_in(CLERK).await);
    let both = |method: Method, path: &str, [one, other]: [Value; 2]| {
        let own = app.request(method.clone(), path, Some(&admin)).json(&one);
        [own, node.request(method, path, Some(&clerk)).json(&other)]
    };
    let role = role_id(&app, "Reader").await;
    let user_path = format!("/api/users/{}", user_id(&app, READER).await);
    let role_path = format!("/api/rbac/roles/{role}");
    let role_version = async || {
        let sql = app.db().sql("SELECT version FROM roles WHERE role_id = $1").bind(role);
        sql.value::<i64>().await.unwrap()
    };
    for round in 0..rounds() {
        let texts = names(round);

        let before = read_record(&app, &admin, "/api/settings").await;
        let forms = [10, 50].map(
            |rate| json!({"country": "GB", "currency": "GBP", "vat_rate": rate + round % 40 + 1, "before": before}),
        );
        assert_one_is_rejected(&app, both(Method::PUT, "/api/settings", forms)).await;

        let version = read_record(&app, &admin, &user_path).await["version"].clone();
        let forms = texts.clone().map(|name| {
            let form = user_form(READER, "User", Some(role));
            with_fields(form, &[("last_name", json!(name)), ("version", version.clone())])
        });
        assert_one_is_rejected(&app, both(Method::PUT, &user_path, forms)).await;

        let version = role_version().await;
        let forms = texts.map(|text| json!({"name": "Reader", "description": text, "version": version}));
        assert_one_is_rejected(&app, both(Method::PUT, &role_path, forms)).await;

        let version = role_version().await;
        let bits = [true, round % 2 == 0, false, false];
        let forms = ["contacts", "customers"]
            .map(|resource| json!({"permissions": [permission_line(resource, bits)], "version": version}));
        assert_one_is_rejected(&app, both(Method::POST, &format!("{role_path}/permissions"), forms)).await;
    }
}

#[tokio::test]
async fn of_two_concurrent_saves_of_a_corporation_one_is_rejected() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let node = app.start_another_node().await;
    let registered = register(&app, &platform, "559360-9844", "ada@nybil.example").await;
    let path = format!("/api/corporations/{}", registered["corp_id"].as_str().unwrap());
    for round in 0..rounds() {
        let version = read_record(&app, &platform, &path).await["version"].clone();
        let save = |node: &TestApp, city: &str| {
            let city = json!(format!("{city} {round}"));
            let form = with_fields(record("559360-9844"), &[("city", city), ("version", version.clone())]);
            node.request(Method::PUT, &path, Some(&platform)).json(&form)
        };
        assert_one_is_rejected(&app, [save(&app, "Lund"), save(&node, "Malmö")]).await;
    }
}

#[tokio::test]
async fn of_two_concurrent_saves_of_the_own_profile_one_is_rejected() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    for round in 0..rounds() {
        let token = app.sign_in(CLERK).await;
        let version = read_record(&app, &token, "/api/auth/profile/detail").await["version"].to_string();
        let save = |node: &TestApp, name: String| {
            let form = multipart::Form::new().text("first_name", "Ada").text("last_name", name).text("email", CLERK);
            let request = node.request(Method::POST, "/api/auth/profile/update-profile", Some(&token));
            request.multipart(form.text("mobile", "1").text("version", version.clone()))
        };
        let [one, other] = names(round);
        assert_one_is_rejected(&app, [save(&app, one), save(&node, other)]).await;
        // The number of these saves in ten minutes is limited.
        app.advance(HOUR);
    }
}
