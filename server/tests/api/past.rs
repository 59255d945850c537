//! A record's values as they were after one of its history entries, and who changed a record that another user edits.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, TestApp};
use crate::comments::add_comment;
use crate::customers::{company, customer};
use crate::helpers::{assert_error, create_record, delete, put, read_record, value_named, with_field};
use crate::imports::{csv, csv_mapping, import};
use crate::records::{RECORDS, create};
use forecourt::platform::clock::SECOND;
use forecourt_core::history::text;
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns the history entries of a record, newest first.
async fn history(app: &TestApp, token: &str, list: &str, id: &str) -> Vec<Value> {
    let response = app.get(&format!("/api/history?resource={list}&id={id}"), Some(token)).await;
    response.body["data"].as_array().unwrap().clone()
}

/// Requests the record as it was after this history entry.
async fn past(app: &TestApp, token: &str, entry: &Value) -> ApiResponse {
    app.get(&format!("/api/history/{}/record", entry["history_id"].as_str().unwrap()), Some(token)).await
}

/// Returns one field of the record as it was after this history entry; null if it has no such field.
async fn field(app: &TestApp, token: &str, entry: &Value, name: &str) -> Value {
    let response = past(app, token, entry).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let values = response.body["data"]["values"].as_array().unwrap();
    values.iter().find(|value| value["field"] == name).cloned().unwrap_or_default()
}

/// Returns the expected value of a field in a past record: at that time, and at present.
fn value(field: &str, value: impl Into<Value>, present: impl Into<Value>) -> Value {
    let (value, present) = (value.into(), present.into());
    let is_changed = value != present;
    json!({"field": field, "value": value, "present": present, "is_changed": is_changed, "is_known": true})
}

#[tokio::test]
async fn past_values_stay_after_changes_a_deletion_and_a_purge() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (list, name) = (record.list, record.bulk_field);
        let (path, id) = create(&app, &token, record).await;
        let first = read_record(&app, &token, &path).await;
        let none_if_empty = |value: &Value| if value == "" { Value::Null } else { value.clone() };
        let before = none_if_empty(&first[name]);
        let form = with_field((record.form)(), name, "lund.example");
        assert_eq!(put(&app, &path, &token, form).await.status, 200);
        let bulk = json!({"ids": [id], "action": "update", "fields": {name: "malmo.example"}});
        assert_eq!(app.post(&format!("/api/{list}/bulk"), Some(&token), bulk).await.body["data"]["changed"], 1);
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        let ids = json!({"resource": list, "ids": [id]});
        assert_eq!(app.post("/api/trash/restore", Some(&token), ids.clone()).await.status, 200);
        let entries = history(&app, &token, list, &id).await;
        let [restored, deleted, in_bulk, updated, created] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!(field(&app, &token, created, name).await, value(name, before.clone(), "malmo.example"), "{list}");
        assert_eq!(field(&app, &token, updated, name).await, value(name, "lund.example", "malmo.example"));
        for newest in [in_bulk, restored] {
            assert_eq!(field(&app, &token, newest, name).await, value(name, "malmo.example", "malmo.example"));
        }
        assert_error(&past(&app, &token, deleted).await, 409, text::DELETED_THEN.as_str());
        // After its creation, every known value was that of the new record.
        let data = past(&app, &token, created).await.body["data"].clone();
        assert_eq!((&data["record_id"], &data["resource"], &data["at"]), (&json!(id), &json!(list), &created["at"]));
        let known = |value: &&Value| value["is_known"] == true;
        for value in data["values"].as_array().unwrap().iter().filter(known) {
            let then = value_named(list, value["field"].as_str().unwrap(), &first);
            assert_eq!(value["value"], none_if_empty(then), "{value}");
        }
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        for _ in ["in the trash", "deleted finally"] {
            assert_eq!(field(&app, &token, updated, name).await, value(name, "lund.example", Value::Null));
            assert_eq!(field(&app, &token, created, name).await["value"], before);
            let request = app.request(reqwest::Method::DELETE, "/api/trash", Some(&token));
            app.send(request.json(&ids)).await;
        }
    }
}

#[tokio::test]
async fn the_past_record_at_an_import_has_the_imported_values() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let import = import(&app, &token, "people.csv", &csv(20), &csv_mapping()).await;
    let contact = app.get("/api/contacts?limit=1", Some(&token)).await.body["data"][0].clone();
    let (id, other) = (contact["_id"].as_str().unwrap(), create(&app, &token, RECORDS[0]).await.1);
    let form = json!({"name": "Ada Ek", "email": "", "phone": "", "website": "", "address": ""});
    assert_eq!(put(&app, &format!("/api/contacts/{id}"), &token, form).await.status, 200);
    let path = format!("/api/history/{}/record", import["sessionId"].as_str().unwrap());
    let response = app.get(&format!("{path}?id={id}"), Some(&token)).await;
    assert_eq!(
        response.body["data"]["values"][0],
        value("name", contact["name"].clone(), "Ada Ek"),
        "{}",
        response.body
    );
    assert_eq!(response.body["data"]["values"][1], value("email", contact["email"].clone(), Value::Null));
    assert_error(&app.get(&path, Some(&token)).await, 400, text::ID_REQUIRED.as_str());
    for missing in [other, Uuid::now_v7().to_string(), "1".into()] {
        assert_eq!(app.get(&format!("{path}?id={missing}"), Some(&token)).await.status, 404, "{missing}");
    }
}

#[tokio::test]
async fn a_kept_record_has_the_values_before_its_merge_and_after_that_was_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |email: &str| json!({"name": "Maja Holm", "email": email});
    let path = create_record(&app, &token, "/api/contacts", form("one@example.se"), "_id").await;
    let other = create_record(&app, &token, "/api/contacts", form("two@example.se"), "_id").await;
    let [keep, id] = [&path, &other].map(|path| path.rsplit('/').next().unwrap());
    let input = json!({"keep": keep, "ids": [id], "fields": {"email": "two@example.se"}});
    let merged = app.post("/api/contacts/merge", Some(&token), input).await;
    let undo = format!("/api/history/{}/revert", merged.body["batch_id"].as_str().unwrap());
    assert_eq!(app.post(&undo, Some(&token), json!({})).await.status, 200);
    let entries = history(&app, &token, "contacts", keep).await;
    let mut emails = Vec::new();
    for entry in &entries {
        emails.push((entry["action"].clone(), field(&app, &token, entry, "email").await["value"].clone()));
    }
    let expected = [("unmerged", "one@example.se"), ("merged", "two@example.se"), ("created", "one@example.se")];
    assert_eq!(emails, expected.map(|(action, email)| (json!(action), json!(email))));
    // The entry of the batch is about several records, so the request must say which.
    let batch = json!({"history_id": merged.body["batch_id"]});
    assert_eq!(past(&app, &token, &batch).await.status, 400);
}

#[tokio::test]
async fn a_past_social_security_number_that_was_changed_since_is_unknown() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |number: &str| with_field(customer("Ada"), "socialSecurityNumber", number);
    let path = create_record(&app, &token, "/api/customers", form("19900101-0017"), "customer_id").await;
    assert_eq!(put(&app, &path, &token, form("19851224-1234")).await.status, 200);
    let entries = history(&app, &token, "customers", path.rsplit('/').next().unwrap()).await;
    let unknown =
        json!({"field": "socialSecurityNumber", "value": null, "present": null, "is_changed": true, "is_known": false});
    assert_eq!(field(&app, &token, &entries[1], "socialSecurityNumber").await, unknown);
    assert_eq!(field(&app, &token, &entries[0], "socialSecurityNumber").await, Value::Null);
    let response = past(&app, &token, &entries[1]).await;
    // Only the values: an id may contain the same digits by chance.
    let values = response.body["data"]["values"].to_string();
    assert!(!values.is_empty() && ["0017", "1234"].iter().all(|number| !values.contains(number)), "{values}");
}

#[tokio::test]
async fn only_who_may_read_the_record_sees_its_past() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let [other, no_role] = [app.sign_in(OTHER_ADMIN).await, app.sign_in(NO_ROLE).await];
    for record in RECORDS {
        let (_, id) = create(&app, &token, record).await;
        let entry = history(&app, &token, record.list, &id).await.remove(0);
        assert_eq!(past(&app, &token, &entry).await.status, 200);
        assert_eq!(
            (past(&app, &other, &entry).await.status.as_u16(), past(&app, &no_role, &entry).await.status.as_u16()),
            (404, 403)
        );
        // The query asks for a record that the entry is not about.
        let path = format!("/api/history/{}/record?id={}", entry["history_id"].as_str().unwrap(), Uuid::now_v7());
        assert_eq!(app.get(&path, Some(&token)).await.status, 404);
    }
    // An entry about a sign-in has no record whose past could be shown.
    let sign_in = app.get("/api/history?action=signed_in", Some(&token)).await.body["data"][0].clone();
    assert_eq!(past(&app, &token, &sign_in).await.status, 404);
}

#[tokio::test]
async fn a_past_record_is_derived_from_more_entries_than_one_query_reads() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (path, id) = create(&app, &token, RECORDS[0]).await;
    let created = history(&app, &token, "contacts", &id).await.remove(0);
    let contact = |phone: usize| json!({"name": "Ada Öberg", "phone": phone.to_string()});
    // Add more entries than one query reads (`BATCH` in `features/revert/past.rs`).
    for phone in 0..205 {
        assert_eq!(put(&app, &path, &token, contact(phone)).await.status, 200);
    }
    let form = json!({"name": "Ada Ek", "phone": "204"});
    assert_eq!(put(&app, &path, &token, form).await.status, 200);
    assert_eq!(field(&app, &token, &created, "name").await, value("name", "Ada Öberg", "Ada Ek"));
    assert_eq!(field(&app, &token, &created, "phone").await, value("phone", Value::Null, "204"));
}

#[tokio::test]
async fn a_conflict_says_who_changed_the_record_last_and_when() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = app.sign_in(CLERK).await;
    for record in RECORDS.iter().filter(|record| record.list != "customers") {
        let (path, id) = create(&app, &token, record).await;
        let form = |value: &str, version: i64| {
            with_field(with_field((record.form)(), record.bulk_field, value), "version", version)
        };
        assert_eq!(put(&app, &path, &clerk, form("lund.example", 1)).await.status, 200);
        let entry = history(&app, &token, record.list, &id).await.remove(0);
        app.advance(SECOND);
        if record.list == "contacts" {
            // Adding a comment does not change the contact's version, so it is not the last change.
            add_comment(&app, &token, &read_record(&app, &token, &path).await, "Called").await;
        }
        let refused = put(&app, &path, &token, form("malmo.example", 1)).await;
        let data = &refused.body["data"];
        assert_eq!((refused.status.as_u16(), &data[record.bulk_field]), (409, &json!("lund.example")), "{data}");
        let last_change = json!({"at": entry["at"], "actor": entry["actor"]});
        assert_eq!(data["last_change"], last_change, "{}", record.list);
        // A deletion and a restoration do not change the values, so neither is the last change.
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        let ids = json!({"resource": record.list, "ids": [id]});
        assert_eq!(app.post("/api/trash/restore", Some(&token), ids).await.status, 200);
        let refused = put(&app, &path, &token, form("malmo.example", 1)).await;
        assert_eq!(refused.body["data"]["last_change"], last_change, "{}", refused.body);
    }
    let path = create_record(&app, &token, "/api/customers", company("Ada"), "customer_id").await;
    let form = |name: &str, version: i64| with_field(company(name), "version", version);
    assert_eq!(put(&app, &path, &token, form("Bo", 1)).await.status, 200);
    let refused = put(&app, &path, &token, form("Cia", 1)).await;
    assert!(refused.body["data"]["last_change"]["actor"]["name"].is_string(), "{}", refused.body);
}
