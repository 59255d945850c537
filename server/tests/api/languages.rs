//! The language that a person chooses, as each kind of person.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, READER, STRANGER, SUPER_ADMIN, TestApp};
use forecourt_core::profile::text::{LANGUAGE_UNKNOWN, LANGUAGE_UPDATED};
use forecourt_core::text::SESSION_ENDED;
use reqwest::Method;
use serde_json::{Value, json};

const LANGUAGE: &str = "/api/auth/profile/language";

async fn put(app: &TestApp, token: &str, body: Value) -> Answer {
    app.send(app.request(Method::PUT, LANGUAGE, Some(token)).json(&body)).await
}

/// What the account says of its language.
async fn language(app: &TestApp, token: &str) -> Option<String> {
    let answer = app.get("/api/auth/profile/detail", Some(token)).await;
    assert_eq!((answer.status.as_u16(), &answer.body["data"]), (200, &answer.body["user"]));
    answer.body["data"].get("language").map(|language| language.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn everybody_chooses_their_own_language_and_finds_it_on_another_device() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NOBODY, STRANGER] {
        let (here, there) = (app.sign_in(email).await, app.sign_in(email).await);
        assert_eq!(language(&app, &here).await, None, "{email} never chose one");
        for tag in ["sv", "en", "sv"] {
            let answer = put(&app, &here, json!({"language": tag})).await;
            assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(LANGUAGE_UPDATED)), "{email}");
            assert_eq!(language(&app, &there).await.as_deref(), Some(tag), "{email}");
        }
    }
    let answer = app.send(app.request(Method::PUT, LANGUAGE, None).json(&json!({"language": "sv"}))).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (401, &json!(SESSION_ENDED)));
}

#[tokio::test]
async fn t6_nobody_chooses_a_language_for_another() {
    let app = TestApp::start().await;
    let (admin, clerk, stranger) = (app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(STRANGER).await);
    let profile = app.get("/api/auth/profile/detail", Some(&clerk)).await.body["data"].clone();
    for other in [&admin, &stranger] {
        let body = json!({"language": "sv", "_id": profile["id"], "user_id": profile["id"], "corp_id": app.nordbil});
        assert_eq!(put(&app, other, body).await.status, 200);
        assert_eq!(language(&app, other).await.as_deref(), Some("sv"));
    }
    assert_eq!(language(&app, &clerk).await, None);
}

#[tokio::test]
async fn what_is_no_language_is_refused_with_its_field_and_changes_nothing() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    put(&app, &token, json!({"language": "sv"})).await;
    for body in [
        json!({}),
        json!({"language": null}),
        json!({"language": ""}),
        json!({"language": "de"}),
        json!({"language": "SV"}),
        json!({"language": "sv'; --"}),
        json!({"language": "x".repeat(100_000)}),
    ] {
        let answer = put(&app, &token, body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["fields"]["language"]), (400, &json!([LANGUAGE_UNKNOWN])));
    }
    for body in [json!([]), json!({"language": 7}), json!({"language": ["en"]}), json!("en")] {
        assert_eq!(put(&app, &token, body).await.status, 400);
    }
    assert_eq!(language(&app, &token).await.as_deref(), Some("sv"));
}

#[tokio::test]
async fn a_language_that_only_a_newer_version_knows_is_none() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    app.db().sql("UPDATE users SET language = 'fi'").exec().await.unwrap();
    assert_eq!(language(&app, &token).await, None);
}

#[tokio::test]
async fn a_language_outlives_a_change_of_the_account() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    put(&app, &token, json!({"language": "sv"})).await;
    let form = [("first_name", "Ada"), ("last_name", "Lindqvist"), ("email", CLERK), ("mobile", "0701234567")]
        .into_iter()
        .fold(reqwest::multipart::Form::new(), |form, (name, value)| form.text(name, value));
    let path = "/api/auth/profile/update-profile";
    let answer = app.send(app.request(Method::POST, path, Some(&token)).multipart(form)).await;
    assert_eq!((answer.status.as_u16(), &answer.body["data"]["language"]), (200, &json!("sv")), "{}", answer.body);
}
