//! What a search for a person's data does not find, because it is not the person's.

use crate::app::{ADMIN, TestApp};
use crate::helpers::{assert_error, create_record, delete, put, with_field};
use crate::invoices::invoice;
use crate::privacy::{EMAIL, erase, export, id_of, person};
use crate::privacy_merges::purge;
use forecourt_core::privacy::text::NOTHING_HELD;
use forecourt_core::text::EMAIL_INVALID;
use serde_json::{Value, json};

#[tokio::test]
async fn a_text_that_is_no_address_is_rejected() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let input = json!({"email": "Sales"});
    for response in [
        app.post("/api/privacy/person", Some(&token), input.clone()).await,
        app.post("/api/privacy/erase", Some(&token), input).await,
        app.get("/api/privacy/export?email=Sales", Some(&token)).await,
    ] {
        let seen = (response.status.as_u16(), &response.body["fields"]);
        assert_eq!(seen, (400, &json!({"email": [EMAIL_INVALID.as_str()]})), "{}", response.body);
    }
}

#[tokio::test]
async fn an_address_that_differs_in_an_accent_is_another_one() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    create_record(&app, &token, "/api/contacts", json!({"name": "Ada", "email": EMAIL}), "_id").await;
    assert_error(&person(&app, &token, &EMAIL.replace('a', "å")).await, 404, NOTHING_HELD.as_str());
    assert_eq!(person(&app, &token, EMAIL).await.status, 200);
}

#[tokio::test]
async fn an_address_in_the_history_is_found_only_in_fields_of_addresses() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |name: &str| json!({"name": name, "email": "dag@mark.example"});
    let path = create_record(&app, &token, "/api/contacts", form(EMAIL), "_id").await;
    assert_eq!(put(&app, &path, &token, form("Dag")).await.status, 200);
    assert_error(&person(&app, &token, EMAIL).await, 404, NOTHING_HELD.as_str());
}

#[tokio::test]
async fn what_accounting_needs_of_another_persons_invoice_stays_in_the_history() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |customer: &str, email: &str| with_field(invoice(customer), "email", email);
    let path = create_record(&app, &token, "/api/invoices", form(EMAIL, EMAIL), "_id").await;
    assert_eq!(put(&app, &path, &token, form("Dag", "dag@mark.example")).await.status, 200);
    let data: Value = serde_json::from_str(&export(&app, &token).await["data.json"]).unwrap();
    let fields: Vec<_> = data["mentions"].as_array().unwrap().iter().map(|mention| &mention["field"]).collect();
    assert_eq!(fields, ["email"]);
    assert_eq!(erase(&app, &token).await.status, 200);
    let entries = app.get(&format!("/api/history?resource=invoices&id={}", id_of(&path)), Some(&token)).await.body;
    let changes = json!([
        {"field": "customer", "before": EMAIL, "after": "Dag"},
        {"field": "email", "before": {"erased": true}, "after": "dag@mark.example"},
    ]);
    assert_eq!(entries["data"][0]["changes"], changes, "{entries}");
}

#[tokio::test]
async fn a_purged_record_that_had_another_address_then_loses_only_this_address() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |email: &str| json!({"name": "Dag", "email": email});
    let path = create_record(&app, &token, "/api/contacts", form(EMAIL), "_id").await;
    assert_eq!(put(&app, &path, &token, form("dag@mark.example")).await.status, 200);
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    purge(&app, &token, "contacts", &path).await;
    assert_eq!(erase(&app, &token).await.status, 200);
    let entries = app.get(&format!("/api/history?resource=contacts&id={}", id_of(&path)), Some(&token)).await.body;
    let entry =
        |action: &str| entries["data"].as_array().unwrap().iter().find(|entry| entry["action"] == action).unwrap();
    let updated = json!([{"field": "email", "before": {"erased": true}, "after": "dag@mark.example"}]);
    let deleted = json!([
        {"field": "name", "before": "Dag", "after": null},
        {"field": "email", "before": "dag@mark.example", "after": null},
    ]);
    assert_eq!([&entry("updated")["changes"], &entry("deleted")["changes"]], [&updated, &deleted]);
    assert_eq!(entry("deleted")["label"], "Dag");
}

#[tokio::test]
async fn a_purged_record_whose_address_was_removed_and_then_replaced_keeps_its_name() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |email: &str| json!({"name": "Dag", "email": email});
    let path = create_record(&app, &token, "/api/contacts", form(EMAIL), "_id").await;
    for email in ["", "dag@mark.example"] {
        assert_eq!(put(&app, &path, &token, form(email)).await.status, 200);
    }
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    purge(&app, &token, "contacts", &path).await;
    assert_eq!(erase(&app, &token).await.status, 200);
    let entries = app.get(&format!("/api/history?resource=contacts&id={}", id_of(&path)), Some(&token)).await.body;
    let deleted = entries["data"].as_array().unwrap().iter().find(|entry| entry["action"] == "deleted").unwrap();
    assert_eq!(deleted["label"], "Dag", "{entries}");
    assert!(!entries.to_string().contains(EMAIL), "{entries}");
}
