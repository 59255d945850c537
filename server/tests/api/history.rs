//! The history of records: every write adds an entry in its transaction, and only users who may read the record see it.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, TestApp};
use crate::comments::{add_comment, comment_path};
use crate::customers::{company, customer};
use crate::helpers::{assert_error, create_record, delete, put, read_record, value_named, with_field};
use crate::imports::{csv, csv_mapping, import};
use crate::records::{RECORDS, TestRecord, create};
use forecourt_core::lists::{Field, Kind, fields_of};
use forecourt_core::text::NOT_FOUND;
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns all history entries of a record, newest first. Panics if there are more than 20.
async fn history(app: &TestApp, token: &str, list: &str, id: &str) -> Vec<Value> {
    let path = format!("/api/history?resource={list}&id={id}&limit=20");
    let response = app.get(&path, Some(token)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let entries = response.body["data"].as_array().unwrap().clone();
    assert_eq!(response.body["totalItems"], entries.len());
    entries
}

/// Returns the action of each entry.
fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

/// Returns the expected change, in an entry, of a bulk action that sets a new record's bulk field to `lund.example`.
fn bulk_change(record: &TestRecord) -> Value {
    let before = (record.form)()[record.bulk_field].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    json!({"field": record.bulk_field, "before": before, "after": "lund.example"})
}

/// Returns the number of history entries of all tenants.
async fn count(app: &TestApp) -> i64 {
    app.db().all_tenants().sql("SELECT count(*) FROM history").value().await.unwrap()
}

#[tokio::test]
async fn every_write_of_a_record_adds_an_entry() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let user = app.db().sql("SELECT first_name || ' ' || last_name FROM users WHERE email = $1").bind(ADMIN.to_owned());
    let name: String = user.value().await.unwrap();
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        let form = with_field((record.form)(), record.bulk_field, "lund.example");
        assert_eq!(put(&app, &path, &token, form).await.status, 200);
        let stored = read_record(&app, &token, &path).await;
        let present = history(&app, &token, record.list, &id).await;
        assert!(present.iter().all(|entry| entry.get("is_deleted").is_none()), "{present:?}");
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        let entries = history(&app, &token, record.list, &id).await;
        assert_eq!(actions(&entries), ["deleted", "updated", "created"], "{}", record.list);
        for entry in &entries {
            assert_eq!((&entry["resource"], &entry["record_id"]), (&json!(record.list), &json!(id)));
            assert_eq!((&entry["actor"]["kind"], &entry["batch_id"]), (&json!("user"), &Value::Null));
            assert_eq!(entry["actor"]["name"], name);
            assert!(!entry["label"].as_str().unwrap().is_empty());
            assert_eq!(entry["is_deleted"], true);
        }
        let change = json!([bulk_change(record)]);
        let without_secrets =
            entries[1]["changes"].as_array().unwrap().iter().filter(|change| change["after"].is_string());
        assert_eq!(json!(without_secrets.collect::<Vec<_>>()), change);
        for changed in entries[0]["changes"].as_array().unwrap() {
            let value = value_named(record.list, changed["field"].as_str().unwrap(), &stored);
            assert_eq!((&changed["before"], &changed["after"]), (value, &Value::Null), "{}", record.list);
        }
        assert_eq!(entries[2]["changes"], json!([]), "the first values are those of the record");
    }
}

#[tokio::test]
async fn what_changes_nothing_adds_no_entry() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, _) = create(&app, &token, record).await;
        let before = count(&app).await;
        let list = format!("/api/{}", record.list);
        let missing = format!("{list}/{}", Uuid::now_v7());
        // An empty agreement is a valid draft.
        let invalid = if record.list == "agreements" { json!({"warranty": {"kind": "Yes"}}) } else { json!({}) };
        assert_eq!(app.post(&list, Some(&token), invalid.clone()).await.status, 400);
        assert_eq!(put(&app, &path, &token, invalid).await.status, 400);
        let changed = with_field((record.form)(), record.bulk_field, "lund.example");
        assert_eq!(put(&app, &path, &token, with_field(changed, "version", 7)).await.status, 409);
        assert_eq!(put(&app, &missing, &token, (record.form)()).await.status, 404);
        assert_eq!(delete(&app, &missing, &token).await.status, 404);
        let bulk = json!({"ids": [missing], "action": "delete"});
        assert_eq!(app.post(&format!("{list}/bulk"), Some(&token), bulk).await.status, 200);
        let dry = json!({"query": {}, "action": "delete", "dry_run": true});
        assert_eq!(app.post(&format!("{list}/bulk"), Some(&token), dry).await.status, 200);
        assert_eq!(count(&app).await, before, "{}", record.list);
    }
}

#[tokio::test]
async fn saving_an_unchanged_form_keeps_the_version_and_adds_no_entry() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, _) = create(&app, &token, record).await;
        let (stored, before) = (read_record(&app, &token, &path).await, count(&app).await);
        let mut form = (record.form)();
        // A form with a number always changes the customer, because each encryption has another result.
        form.as_object_mut().unwrap().remove("socialSecurityNumber");
        // The app's forms send an empty text for a value that the record leaves out.
        let is_empty =
            |field: &&Field| matches!(field.kind, Kind::Money | Kind::OwnMoney | Kind::Date | Kind::Choice(_));
        for field in fields_of(record.list).unwrap().iter().filter(is_empty) {
            let present = stored.get(field.name).cloned().unwrap_or(json!(""));
            form.as_object_mut().unwrap().entry(field.name).or_insert(present);
        }
        assert_eq!(put(&app, &path, &token, form).await.status, 200);
        assert_eq!((read_record(&app, &token, &path).await, count(&app).await), (stored, before), "{}", record.list);
    }
}

#[tokio::test]
async fn only_who_may_read_the_record_sees_its_history() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let [other, no_role] = [app.sign_in(OTHER_ADMIN).await, app.sign_in(NO_ROLE).await];
    for record in RECORDS {
        let (_, id) = create(&app, &token, record).await;
        assert_eq!(history(&app, &token, record.list, &id).await.len(), 1);
        let path = |list| format!("/api/history?resource={list}&id={id}");
        assert_error(&app.get(&path(record.list), Some(&other)).await, 404, NOT_FOUND.as_str());
        assert_eq!(app.get(&path(record.list), Some(&no_role)).await.status, 403);
        // The id finds no entries of a resource that it does not belong to.
        for another in RECORDS.iter().filter(|another| another.list != record.list) {
            assert_error(&app.get(&path(another.list), Some(&token)).await, 404, NOT_FOUND.as_str());
        }
    }
    for path in ["/api/history?id=1", "/api/history?resource=roles&id=1", "/api/history?resource=contacts&id=1"] {
        assert_eq!(app.get(path, Some(&token)).await.status, 400, "{path}");
    }
}

#[tokio::test]
async fn a_record_without_entries_has_an_empty_history_also_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        for is_deleted in [false, true] {
            if is_deleted {
                assert_eq!(delete(&app, &path, &token).await.status, 200);
            }
            let forget = app.db().sql("DELETE FROM history WHERE record_id = $1").bind(id.parse::<Uuid>().unwrap());
            assert!(forget.exec().await.unwrap() > 0);
            assert!(history(&app, &token, record.list, &id).await.is_empty(), "{}", record.list);
        }
    }
}

#[tokio::test]
async fn a_bulk_action_adds_an_entry_for_each_record_that_it_changes() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (_, changed) = create(&app, &token, record).await;
        let (path, unchanged) = create(&app, &token, record).await;
        let form = with_field((record.form)(), record.bulk_field, "lund.example");
        assert_eq!(put(&app, &path, &token, form).await.status, 200);
        let path = format!("/api/{}/bulk", record.list);
        let fields = json!({record.bulk_field: "lund.example"});
        let ids = json!([changed, unchanged]);
        let update = json!({"ids": ids, "action": "update", "fields": fields});
        assert_eq!(app.post(&path, Some(&token), update).await.body["data"]["changed"], 1);
        let deletion = json!({"ids": ids, "action": "delete"});
        assert_eq!(app.post(&path, Some(&token), deletion).await.body["data"]["changed"], 2);
        let entries = history(&app, &token, record.list, &changed).await;
        assert_eq!(actions(&entries), ["deleted", "updated", "created"]);
        let change = json!([bulk_change(record)]);
        assert_eq!(entries[1]["changes"], change);
        let others = history(&app, &token, record.list, &unchanged).await;
        assert_eq!(actions(&others), ["deleted", "updated", "created"]);
        assert_eq!(others[0]["batch_id"], entries[0]["batch_id"]);
        assert!(entries[0]["batch_id"].is_string() && entries[0]["batch_id"] != entries[1]["batch_id"]);
        // The bulk action adds one entry for the batch, and one for each record.
        let batch: Uuid = entries[0]["batch_id"].as_str().unwrap().parse().unwrap();
        let db = app.db().all_tenants();
        let sql = db.sql("SELECT count(*) FROM history WHERE history_id = $1 OR batch_id = $1");
        assert_eq!(sql.bind(batch).value::<i64>().await.unwrap(), 3);
    }
}

#[tokio::test]
async fn each_entry_continues_the_one_before_it_when_many_users_write_at_once() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for record in RECORDS.iter().filter(|record| record.list != "customers") {
        let (path, id) = create(&app, &token, record).await;
        let text = match record.list {
            "invoices" => "customer",
            "vehicles" => "make",
            "agreements" => "notes",
            _ => record.text,
        };
        let writes = (0..8).map(|i| put(&app, &path, &token, with_field((record.form)(), text, format!("Ada {i}"))));
        for response in join_all(writes).await {
            assert_eq!(response.status, 200, "without a version, the last write wins");
        }
        let entries = history(&app, &token, record.list, &id).await;
        assert_eq!(entries.len(), 9);
        let mut value = read_record(&app, &token, &path).await[text].clone();
        for entry in &entries[..8] {
            let change = &entry["changes"].as_array().unwrap().iter().find(|change| change["field"] == text).unwrap();
            assert_eq!(change["after"], value);
            value = change["before"].clone();
        }
        assert_eq!(value, (record.form)()[text]);
    }
}

#[tokio::test]
async fn a_social_security_number_is_never_in_the_history() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let [first, second] = ["19900101-0017", "19851224-1234"];
    let form = |number: &str| with_field(customer("Ada"), "socialSecurityNumber", number);
    let path = create_record(&app, &token, "/api/customers", form(first), "customer_id").await;
    assert_eq!(put(&app, &path, &token, form(second)).await.status, 200);
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    let entries = history(&app, &token, "customers", path.rsplit('/').next().unwrap()).await;
    assert_eq!(actions(&entries), ["deleted", "updated", "created"]);
    let change = json!([{"field": "socialSecurityNumber", "before": null, "after": null}]);
    assert_eq!(entries[1]["changes"], change);
    // Changing the type to company removes the social security number. The entry names the field without values.
    let path = create_record(&app, &token, "/api/customers", form(first), "customer_id").await;
    let company = with_field(company("Ada"), "version", 1);
    assert_eq!(put(&app, &path, &token, company).await.status, 200);
    let entries = history(&app, &token, "customers", path.rsplit('/').next().unwrap()).await;
    assert!(entries[0]["changes"].as_array().unwrap().contains(&change[0]), "{}", entries[0]);
    // The same happens in a bulk action, here on a customer of an older version, which has both numbers.
    let path = create_record(&app, &token, "/api/customers", form(first), "customer_id").await;
    let id = path.rsplit('/').next().unwrap();
    let both = "UPDATE customers SET organization_number = '556036-0793' WHERE customer_id = $1";
    assert_eq!(app.db().sql(both).bind(id.parse::<Uuid>().unwrap()).exec().await.unwrap(), 1);
    let fields = json!({"type": "Company"});
    let bulk = json!({"ids": [id], "action": "update", "fields": fields});
    let bulk = app.post("/api/customers/bulk", Some(&token), bulk).await;
    assert_eq!(bulk.body["data"]["changed"], 1, "{}", bulk.body);
    let entries = history(&app, &token, "customers", id).await;
    assert!(entries[0]["changes"].as_array().unwrap().contains(&change[0]), "{}", entries[0]);
    let rows = app.db().all_tenants().sql("SELECT changes FROM history").all::<(String,)>().await.unwrap();
    for number in [first, second, "0017", "1234"] {
        assert!(rows.iter().all(|(changes,)| !changes.contains(number)), "{number}");
    }
}

#[tokio::test]
async fn an_import_is_one_entry_that_each_of_its_contacts_shows() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let before = count(&app).await;
    let session = import(&app, &token, "people.csv", &csv(1_500), &csv_mapping()).await;
    assert_eq!((&session["successRecords"], count(&app).await), (&json!(1_485), before + 1));
    let listed = app.get("/api/contacts?limit=2", Some(&token)).await.body;
    for contact in listed["data"].as_array().unwrap() {
        let id = contact["_id"].as_str().unwrap();
        let entries = history(&app, &token, "contacts", id).await;
        assert_eq!(actions(&entries), ["imported"]);
        assert_eq!((&entries[0]["label"], &entries[0]["history_id"]), (&json!("people.csv"), &session["sessionId"]));
        assert_eq!((&entries[0]["changes"], &entries[0]["batch_id"]), (&json!([]), &Value::Null));
        let form = json!({"name": "Ada", "email": "", "phone": "", "website": "", "address": ""});
        assert_eq!(put(&app, &format!("/api/contacts/{id}"), &token, form).await.status, 200);
        assert_eq!(actions(&history(&app, &token, "contacts", id).await), ["updated", "imported"]);
    }
    let path =
        format!("/api/history?resource=contacts&id={}&limit=1&page=2", listed["data"][0]["_id"].as_str().unwrap());
    let page = app.get(&path, Some(&token)).await.body;
    assert_eq!((&page["data"][0]["action"], &page["totalItems"]), (&json!("imported"), &json!(2)));
    let failed = import(&app, &token, "empty.csv", b"Namn,E-post,Adress\n,a,b\n", &csv_mapping()).await;
    assert_eq!(
        (&failed["successRecords"], count(&app).await),
        (&json!(0), before + 3),
        "without contacts, it is no entry"
    );
}

#[tokio::test]
async fn comments_are_changes_of_their_contact() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_record(&app, &token, "/api/contacts", json!({"name": "Ada"}), "_id").await;
    let contact = read_record(&app, &token, &path).await;
    let id = contact["_id"].as_str().unwrap();
    let comment = add_comment(&app, &token, &contact, "Called").await;
    let one = comment_path(&contact, &comment);
    assert_eq!(put(&app, &one, &token, json!({"comment": "Wrote"})).await.status, 200);
    assert_eq!(delete(&app, &one, &token).await.status, 200);
    for missing in [put(&app, &one, &token, json!({"comment": "Wrote"})).await, delete(&app, &one, &token).await] {
        assert_eq!(missing.status, 404);
    }
    let entries = history(&app, &token, "contacts", id).await;
    assert_eq!(actions(&entries), ["updated", "updated", "updated", "created"]);
    let change = |before: Value, after: Value| json!([{"field": "comments", "before": before, "after": after}]);
    assert_eq!(entries[0]["changes"], change(json!("Wrote"), Value::Null));
    assert_eq!(entries[1]["changes"], change(json!("Called"), json!("Wrote")));
    assert_eq!(entries[2]["changes"], change(Value::Null, json!("Called")));
    assert!(entries.iter().all(|entry| entry["label"] == "Ada"), "{entries:?}");
    assert_eq!(read_record(&app, &token, &path).await["version"], contact["version"]);
}
