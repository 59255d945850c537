//! The language that a user chooses.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use forecourt_core::profile::text::{LANGUAGE_UNKNOWN, LANGUAGE_UPDATED};
use forecourt_core::text::SESSION_ENDED;
use reqwest::Method;
use serde_json::{Value, json};

const LANGUAGE: &str = "/api/auth/profile/language";

async fn put_language(app: &TestApp, token: &str, body: Value) -> ApiResponse {
    app.send(app.request(Method::PUT, LANGUAGE, Some(token)).json(&body)).await
}

/// Returns the language in the user's profile.
async fn language(app: &TestApp, token: &str) -> Option<String> {
    let response = app.get("/api/auth/profile/detail", Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["data"]), (200, &response.body["user"]));
    response.body["data"].get("language").map(|language| language.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn every_kind_of_user_can_set_a_language_for_all_devices() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NO_ROLE, OTHER_ADMIN] {
        let (here, there) = (app.sign_in(email).await, app.sign_in(email).await);
        assert_eq!(language(&app, &here).await, None, "{email} never chose one");
        for tag in ["sv", "en", "sv"] {
            let response = put_language(&app, &here, json!({"language": tag})).await;
            assert_eq!(
                (response.status.as_u16(), &response.body["message"]),
                (200, &json!(LANGUAGE_UPDATED.as_str())),
                "{email}"
            );
            assert_eq!(language(&app, &there).await.as_deref(), Some(tag), "{email}");
        }
    }
    let response = app.send(app.request(Method::PUT, LANGUAGE, None).json(&json!({"language": "sv"}))).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (401, &json!(SESSION_ENDED.as_str())));
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_set_the_language_of_another_user() {
    let app = TestApp::start().await;
    let (admin, clerk, other_admin) =
        (app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let profile = app.get("/api/auth/profile/detail", Some(&clerk)).await.body["data"].clone();
    for other in [&admin, &other_admin] {
        let body = json!({"language": "sv", "_id": profile["id"], "user_id": profile["id"], "corp_id": app.nordbil});
        assert_eq!(put_language(&app, other, body).await.status, 200);
        assert_eq!(language(&app, other).await.as_deref(), Some("sv"));
    }
    assert_eq!(language(&app, &clerk).await, None);
}

#[tokio::test]
async fn an_unknown_language_is_rejected_and_changes_nothing() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    put_language(&app, &token, json!({"language": "sv"})).await;
    for body in [
        json!({}),
        json!({"language": null}),
        json!({"language": ""}),
        json!({"language": "de"}),
        json!({"language": "SV"}),
        json!({"language": "sv'; --"}),
        json!({"language": "x".repeat(100_000)}),
    ] {
        let response = put_language(&app, &token, body).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["fields"]["language"]),
            (400, &json!([LANGUAGE_UNKNOWN.as_str()]))
        );
    }
    for body in [json!([]), json!({"language": 7}), json!({"language": ["en"]}), json!("en")] {
        assert_eq!(put_language(&app, &token, body).await.status, 400);
    }
    assert_eq!(language(&app, &token).await.as_deref(), Some("sv"));
}

#[tokio::test]
async fn a_stored_language_unknown_to_this_version_is_ignored() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    app.db().sql("UPDATE users SET language = 'fi'").exec().await.unwrap();
    assert_eq!(language(&app, &token).await, None);
}

#[tokio::test]
async fn a_profile_update_keeps_the_language() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    put_language(&app, &token, json!({"language": "sv"})).await;
    let form = [("first_name", "Ada"), ("last_name", "Lindqvist"), ("email", CLERK), ("mobile", "0701234567")]
        .into_iter()
        .fold(reqwest::multipart::Form::new(), |form, (name, value)| form.text(name, value));
    let path = "/api/auth/profile/update-profile";
    let response = app.send(app.request(Method::POST, path, Some(&token)).multipart(form)).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["data"]["language"]),
        (200, &json!("sv")),
        "{}",
        response.body
    );
}
