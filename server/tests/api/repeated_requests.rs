//! Requests that are sent again because their response was lost: creations with the same `Idempotency-Key`, and
//! updates.

use crate::app::{ADMIN, ApiResponse, CLERK, TestApp};
use crate::comments::{comment_path, comment_texts, comments_path};
use crate::contacts::{contact_path, create_contact, read_contact};
use crate::customers::customer;
use crate::helpers::*;
use crate::privacy::{EMAIL, erase};
use crate::records::RECORDS;
use forecourt_core::text::{CREATED_AND_DELETED, IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_USED, NOT_FOUND};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

async fn post(app: &TestApp, token: &str, path: &str, key: &str, form: &Value) -> ApiResponse {
    app.send(app.request(Method::POST, path, Some(token)).header("idempotency-key", key).json(form)).await
}

fn new_key() -> String {
    Uuid::now_v7().to_string()
}

#[tokio::test]
async fn a_repeated_request_creates_one_record_and_one_history_entry() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, form, key) = (format!("/api/{}", record.list), (record.form)(), new_key());
        let mut responses = join_all((0..3).map(|_| post(&app, &token, &path, &key, &form))).await;
        responses.push(post(&app, &token, &path, &key, &form).await);
        let ids: Vec<&Value> = responses.iter().map(|response| &response.body["data"][record.id_field()]).collect();
        let statuses: Vec<u16> = responses.iter().map(|response| response.status.as_u16()).collect();
        assert_eq!(statuses, [201; 4], "{}: {}", record.list, responses[0].body);
        assert!(ids.iter().all(|id| id.is_string() && *id == ids[0]), "{}: {ids:?}", record.list);
        assert_eq!(count_rows(&app, &[record.list]).await, [1], "{}", record.list);
        let history = format!("/api/history?resource={}&id={}", record.list, ids[0].as_str().unwrap());
        assert_eq!(app.get(&history, Some(&token)).await.body["data"].as_array().unwrap().len(), 1, "{}", record.list);
    }
}

#[tokio::test]
async fn another_key_another_user_and_no_key_create_another_record() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = app.sign_in(CLERK).await;
    let (form, key) = (json!({"name": "Ada"}), new_key());
    for (token, key, contacts) in [(&token, &key, 1), (&token, &new_key(), 2), (&clerk, &key, 3), (&clerk, &key, 3)] {
        assert_eq!(post(&app, token, "/api/contacts", key, &form).await.status, 201);
        assert_eq!(count_rows(&app, &["contacts"]).await, [contacts]);
    }
    for contacts in [4, 5] {
        create_contact(&app, &token, form.clone()).await;
        assert_eq!(count_rows(&app, &["contacts"]).await, [contacts]);
    }
}

#[tokio::test]
async fn a_repeated_request_is_not_refused_because_of_what_it_created_itself() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (form, key) = (json!({"registration_number": "A1", "make": "Volvo", "status": "In stock"}), new_key());
    let first = post(&app, &token, "/api/vehicles", &key, &form).await;
    assert_eq!(first.status, 201, "{}", first.body);
    let again = post(&app, &token, "/api/vehicles", &key, &form).await;
    assert_eq!((again.status.as_u16(), &again.body["data"]), (201, &first.body["data"]));
    assert!(post(&app, &token, "/api/vehicles", &new_key(), &form).await.status.is_client_error());
}

#[tokio::test]
async fn the_key_of_a_request_with_another_body_is_rejected_with_the_record_of_that_request() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, form, key) = (format!("/api/{}", record.list), (record.form)(), new_key());
        let created = post(&app, &token, &path, &key, &form).await.body["data"].clone();
        for other in [with_field(form.clone(), record.bulk_field, "lund.example"), json!({})] {
            let rejected = post(&app, &token, &path, &key, &other).await;
            assert_error(&rejected, 400, IDEMPOTENCY_KEY_USED.as_str());
            assert_eq!(rejected.body["data"][record.id_field()], created[record.id_field()], "{}", record.list);
        }
        assert_eq!(post(&app, &token, &path, &key, &form).await.status, 201, "{}", record.list);
        assert_eq!(count_rows(&app, &[record.list]).await, [1], "{}", record.list);
    }
}

#[tokio::test]
async fn a_repeated_request_may_order_the_members_of_its_body_differently() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let key = new_key();
    for body in [r#"{"name": "Ada", "address": "Lund"}"#, r#"{"address":"Lund","name":"Ada"}"#] {
        let request = app.request(Method::POST, "/api/contacts", Some(&token)).header("idempotency-key", &key);
        let response = app.send(request.header("content-type", "application/json").body(body)).await;
        assert_eq!(response.status, 201, "{}", response.body);
    }
    assert_eq!(count_rows(&app, &["contacts"]).await, [1]);
}

#[tokio::test]
async fn a_request_of_an_older_version_is_repeated_with_any_body() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let key = new_key();
    let first = post(&app, &token, "/api/contacts", &key, &json!({"name": "Ada"})).await;
    // Older versions stored no digest.
    app.db().sql("UPDATE history SET request_digest = NULL").exec().await.unwrap();
    let again = post(&app, &token, "/api/contacts", &key, &json!({"name": "Bo"})).await;
    assert_eq!((again.status.as_u16(), &again.body["data"]), (201, &first.body["data"]));
}

#[tokio::test]
async fn equal_requests_have_different_digests_and_an_erasure_deletes_them() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = json!({"name": "Ada", "email": EMAIL});
    for _ in 0..2 {
        assert_eq!(post(&app, &token, "/api/contacts", &new_key(), &form).await.status, 201);
    }
    let digests = "SELECT count(DISTINCT request_digest) FROM history";
    assert_eq!(count(&app, digests).await, 2);
    assert_eq!(erase(&app, &token).await.status, 200);
    assert_eq!(count(&app, digests).await, 0);
}

#[tokio::test]
async fn a_rejected_request_may_be_corrected_with_the_same_key() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let key = new_key();
    assert_eq!(post(&app, &token, "/api/contacts", &key, &json!({"name": ""})).await.status, 400);
    assert_eq!(post(&app, &token, "/api/contacts", &key, &json!({"name": "Ada"})).await.status, 201);
    assert_eq!(count_rows(&app, &["contacts"]).await, [1]);
}

#[tokio::test]
async fn a_repeated_request_whose_record_was_deleted_meanwhile_gets_404() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (form, key) = (json!({"name": "Ada"}), new_key());
    let created = post(&app, &token, "/api/contacts", &key, &form).await;
    assert_eq!(delete(&app, &contact_path(&created.body["data"]), &token).await.status, 200);
    for form in [form, json!({"name": "Bo"})] {
        let again = post(&app, &token, "/api/contacts", &key, &form).await;
        assert_error(&again, 404, CREATED_AND_DELETED.as_str());
    }
    assert_eq!(count_rows(&app, &["contacts"]).await, [0]);
}

#[tokio::test]
async fn a_repeated_comment_is_added_once() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &token, json!({"name": "Ada"})).await;
    let (path, form, key) = (comments_path(&contact), json!({"comment": "Called"}), new_key());
    let send = || post(&app, &token, &path, &key, &form);
    for _ in 0..2 {
        let response = send().await;
        assert_eq!((response.status.as_u16(), &response.body["data"]["_id"]), (201, &contact["_id"]));
    }
    let other = post(&app, &token, &path, &key, &json!({"comment": "Called again"})).await;
    assert_error(&other, 400, IDEMPOTENCY_KEY_USED.as_str());
    assert_eq!(comment_texts(&app, &token, &contact).await, ["Called"]);
    let comment = read_contact(&app, &token, &contact).await["comments"][0].clone();
    assert_eq!(delete(&app, &comment_path(&contact, &comment), &token).await.status, 200);
    let again = send().await;
    assert_eq!((again.status.as_u16(), &again.body["data"]["comments"]), (201, &json!([])));
    assert_eq!(delete(&app, &contact_path(&contact), &token).await.status, 200);
    assert_error(&send().await, 404, NOT_FOUND.as_str());
}

#[tokio::test]
async fn a_repeated_update_is_no_conflict_and_changes_nothing() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (list, mut form) = (format!("/api/{}", record.list), (record.form)());
        let path = create_record(&app, &token, &list, form.clone(), record.id_field()).await;
        // An update with a social security number always counts as a change.
        form.as_object_mut().unwrap().remove("socialSecurityNumber");
        let form = |value: &str| with_field(with_field(form.clone(), record.bulk_field, value), "version", 1);
        let saved = put(&app, &path, &token, form(" lund.example ")).await;
        assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(2)), "{}", saved.body);
        let entries = count_rows(&app, &["history"]).await;
        let again = put(&app, &path, &token, form(" lund.example ")).await;
        assert_eq!((again.status.as_u16(), &again.body), (200, &saved.body), "{}", record.list);
        assert_eq!(count_rows(&app, &["history"]).await, entries, "{}", record.list);
        assert_eq!(put(&app, &path, &token, form("malmo.example")).await.status, 409, "{}", record.list);
    }
}

#[tokio::test]
async fn a_repeated_request_creates_one_user_and_sends_one_mail() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (clerk, key) = (role_id(&app, "Clerk").await, new_key());
    let form = |email: &str| new_user_form(email, "User", Some(clerk));
    let state = async || count_rows(&app, &["users", "history", "messages"]).await;
    let before = state().await;
    let new = form("new@nordbil.example");
    let mut responses = join_all((0..2).map(|_| post(&app, &token, "/api/users", &key, &new))).await;
    responses.push(post(&app, &token, "/api/users", &key, &new).await);
    for response in &responses {
        assert_eq!((response.status.as_u16(), &response.body["data"]), (201, &responses[0].body["data"]));
    }
    let after: Vec<i64> = before.iter().map(|rows| rows + 1).collect();
    let other = post(&app, &token, "/api/users", &key, &form("other@nordbil.example")).await;
    assert_error(&other, 400, IDEMPOTENCY_KEY_USED.as_str());
    assert_eq!(other.body["data"], responses[0].body["data"]);
    assert_eq!(state().await, after);
    // The key of a contact creates no user.
    let contact = new_key();
    assert_eq!(post(&app, &token, "/api/contacts", &contact, &json!({"name": "Ada"})).await.status, 201);
    let other = post(&app, &token, "/api/users", &contact, &form("other@nordbil.example")).await;
    assert_error(&other, 400, IDEMPOTENCY_KEY_USED.as_str());
    assert_eq!(count_rows(&app, &["users"]).await, after[..1]);
    let path = format!("/api/users/{}", responses[0].body["data"]["user_id"].as_str().unwrap());
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_error(&post(&app, &token, "/api/users", &key, &new).await, 404, CREATED_AND_DELETED.as_str());
}

#[tokio::test]
async fn the_key_of_another_request_is_rejected() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (key, contact) = (new_key(), json!({"name": "Ada"}));
    let contact = post(&app, &token, "/api/contacts", &key, &contact).await.body["data"].clone();
    let other = create_contact(&app, &token, json!({"name": "Bo"})).await;
    let comment_key = new_key();
    let comment = json!({"comment": "Called"});
    assert_eq!(post(&app, &token, &comments_path(&contact), &comment_key, &comment).await.status, 201);
    for (path, key, form) in [
        ("/api/customers", &key, &customer("Ada")),
        ("/api/contacts", &comment_key, &json!({"name": "Eva"})),
        (&comments_path(&contact), &key, &comment),
        (&comments_path(&other), &comment_key, &comment),
    ] {
        assert_error(&post(&app, &token, path, key, form).await, 400, IDEMPOTENCY_KEY_USED.as_str());
    }
    assert_eq!(comment_texts(&app, &token, &contact).await, ["Called"]);
    assert_eq!(count_rows(&app, &["contacts", "customers", "comments"]).await, [2, 0, 1]);
}

#[tokio::test]
async fn an_idempotency_key_is_a_uuid() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &token, json!({"name": "Ada"})).await;
    for path in ["/api/contacts", &comments_path(&contact)] {
        for key in ["", "1", "Ada"] {
            let response = post(&app, &token, path, key, &json!({"name": "Bo", "comment": "Called"})).await;
            assert_error(&response, 400, IDEMPOTENCY_KEY_INVALID.as_str());
        }
    }
}
