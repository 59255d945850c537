//! Undoing an entry of the history.

use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, READER, TestApp};
use crate::customers::customer;
use crate::helpers::{assert_error, create_record, delete, put, read_record, wait_until, with_field};
use crate::invoices::invoice;
use crate::records::{RECORDS, TestRecord, create};
use forecourt_core::history::text;
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns the newest history entry that matches these query parameters; null if there is none.
async fn newest(app: &TestApp, token: &str, query: &str) -> Value {
    app.get(&format!("/api/history?{query}"), Some(token)).await.body["data"][0].clone()
}

/// Requests that this history entry is undone.
async fn revert(app: &TestApp, token: &str, entry: &Value, input: Value) -> ApiResponse {
    let id = entry["history_id"].as_str().unwrap();
    app.post(&format!("/api/history/{id}/revert"), Some(token), input).await
}

/// Updates a record with its test form, in which the bulk field has this value.
async fn change(app: &TestApp, token: &str, record: &TestRecord, path: &str, value: &str) {
    let form = with_field((record.form)(), record.bulk_field, value);
    assert_eq!(put(app, path, token, form).await.status, 200);
}

/// Returns the number of history entries of all tenants.
async fn count(app: &TestApp) -> i64 {
    app.db().all_tenants().sql("SELECT count(*) FROM history").value().await.unwrap()
}

#[tokio::test]
async fn an_update_is_undone_as_a_new_change_that_can_be_undone_too() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        let of_record = format!("resource={}&id={id}", record.list);
        let before = read_record(&app, &token, &path).await;
        change(&app, &token, record, &path, "lund.example").await;
        let updated = newest(&app, &token, &of_record).await;
        let count_before = count(&app).await;
        let dry = revert(&app, &token, &updated, json!({"dry_run": true})).await;
        assert_eq!(dry.body["data"]["fields"].as_array().unwrap().len(), 1, "{}", dry.body);
        assert_eq!((&dry.body["data"]["reverted"], &dry.body["data"]["kept"]), (&json!(1), &json!([])));
        assert_eq!(count(&app).await, count_before, "a dry run writes nothing");
        let undone = revert(&app, &token, &updated, json!({})).await;
        assert_eq!((undone.status.as_u16(), &undone.body["message"]), (200, &json!(text::UNDONE.as_str())));
        let after = read_record(&app, &token, &path).await;
        assert_eq!(after[record.bulk_field], before[record.bulk_field], "{}", record.list);
        assert_eq!((&undone.body["data"]["version"], after["version"].as_i64()), (&after["version"], Some(3)));
        let entry = newest(&app, &token, &of_record).await;
        assert_eq!((&entry["action"], &entry["batch_id"]), (&json!("reverted"), &Value::Null));
        let find = |entry: &Value| {
            let changes = entry["changes"].as_array().unwrap().clone();
            changes.into_iter().find(|change| change["field"] == record.bulk_field).unwrap()
        };
        assert_eq!(
            (&find(&entry)["before"], &find(&entry)["after"]),
            (&find(&updated)["after"], &find(&updated)["before"])
        );
        let twice = revert(&app, &token, &updated, json!({})).await;
        assert_error(&twice, 409, text::NOTHING_TO_REVERT.as_str());
        let again = revert(&app, &token, &entry, json!({})).await;
        assert_eq!(again.body["data"][record.bulk_field], "lund.example");
    }
}

#[tokio::test]
async fn a_field_that_was_changed_again_is_undone_only_with_overwrite() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        let before = read_record(&app, &token, &path).await;
        change(&app, &token, record, &path, "lund.example").await;
        let entry = newest(&app, &token, &format!("resource={}&id={id}", record.list)).await;
        change(&app, &token, record, &path, "malmo.example").await;
        let count_before = count(&app).await;
        let refused = revert(&app, &token, &entry, json!({"on_conflict": "refuse"})).await;
        assert_error(&refused, 409, text::CHANGED_SINCE.as_str());
        assert_eq!(refused.body["data"][record.bulk_field], "malmo.example", "with the present record");
        let kept = revert(&app, &token, &entry, json!({"on_conflict": "keep"})).await;
        assert_error(&kept, 409, text::ALL_CHANGED_SINCE.as_str());
        let dry = revert(&app, &token, &entry, json!({"dry_run": true})).await;
        assert_eq!(
            (&dry.body["data"]["reverted"], &dry.body["data"]["kept"][0]["fields"]),
            (&json!(0), &json!([record.bulk_field]))
        );
        let last = newest(&app, &token, &format!("resource={}&id={id}", record.list)).await;
        let last = json!({"at": last["at"], "actor": last["actor"]});
        assert_eq!(dry.body["data"]["kept"][0]["last_change"], last, "who changed it again, and when");
        assert_eq!(count(&app).await, count_before);
        let overwritten = revert(&app, &token, &entry, json!({"on_conflict": "overwrite"})).await;
        assert_eq!(overwritten.status, 200, "{}", overwritten.body);
        assert_eq!(read_record(&app, &token, &path).await[record.bulk_field], before[record.bulk_field]);
    }
}

#[tokio::test]
async fn with_keep_only_fields_that_were_not_changed_again_are_undone() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let contact = |name: &str, phone: &str| json!({"name": name, "phone": phone});
    let path = create_record(&app, &token, "/api/contacts", contact("Ada", "070"), "_id").await;
    let id = path.rsplit('/').next().unwrap();
    assert_eq!(put(&app, &path, &token, contact("Ada Ek", "071")).await.status, 200);
    let entry = newest(&app, &token, &format!("resource=contacts&id={id}")).await;
    assert_eq!(put(&app, &path, &token, contact("Ada Öberg", "071")).await.status, 200);
    let kept = revert(&app, &token, &entry, json!({"on_conflict": "keep"})).await;
    assert_eq!((&kept.body["data"]["name"], &kept.body["data"]["phone"]), (&json!("Ada Öberg"), &json!("070")));
}

#[tokio::test]
async fn a_deletion_is_undone_while_the_record_is_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        let stored = read_record(&app, &token, &path).await;
        change(&app, &token, record, &path, "lund.example").await;
        let updated = newest(&app, &token, &format!("resource={}&id={id}", record.list)).await;
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        let gone = revert(&app, &token, &updated, json!({})).await;
        assert_error(&gone, 409, text::RECORD_DELETED.as_str());
        let deleted = newest(&app, &token, &format!("resource={}&id={id}", record.list)).await;
        let dry = revert(&app, &token, &deleted, json!({"dry_run": true})).await;
        assert_eq!(
            (&dry.body["data"]["reverted"], app.get(&path, Some(&token)).await.status.as_u16()),
            (&json!(1), 404)
        );
        let restored = revert(&app, &token, &deleted, json!({})).await;
        assert_eq!((restored.status.as_u16(), &restored.body["data"]["createdAt"]), (200, &stored["createdAt"]));
        assert_eq!(read_record(&app, &token, &path).await[record.bulk_field], "lund.example");
        assert_error(&revert(&app, &token, &deleted, json!({})).await, 409, text::NOT_IN_TRASH.as_str());
    }
}

#[tokio::test]
async fn an_entry_offers_undo_only_while_something_of_it_is_left() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        change(&app, &token, record, &path, "lund.example").await;
        let of_record = format!("/api/history?resource={}&id={id}", record.list);
        let offered = async || {
            let entries = app.get(&of_record, Some(&token)).await.body["data"].as_array().unwrap().clone();
            entries.into_iter().map(|entry| entry["undo"].clone()).collect::<Vec<_>>()
        };
        let of_list = format!("resource={}", record.list);
        let (update, delete_, no) = (json!("update"), json!("delete"), Value::Null);
        assert_eq!(offered().await, [update.clone(), no.clone()], "{}", record.list);
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        assert_eq!(offered().await, [delete_.clone(), no.clone(), no.clone()], "{}", record.list);
        let deleted = newest(&app, &token, &of_list).await;
        assert_eq!(revert(&app, &token, &deleted, json!({})).await.status, 200);
        assert_eq!(offered().await, [no.clone(), no.clone(), update, no.clone()], "{}", record.list);

        let bulk = json!({"ids": [id], "action": "delete"});
        app.post(&format!("/api/{}/bulk", record.list), Some(&token), bulk).await;
        let deleted = newest(&app, &token, &of_list).await;
        assert_eq!((&deleted["records"], &deleted["undo"]), (&json!(1), &delete_), "{}", record.list);
        assert_eq!(revert(&app, &token, &deleted, json!({})).await.status, 200);
        let of_batch =
            app.get(&format!("/api/history/{}", deleted["history_id"].as_str().unwrap()), Some(&token)).await;
        assert_eq!(of_batch.body["data"]["undo"], no, "{}", record.list);
    }
}

#[tokio::test]
async fn a_bulk_action_is_undone_as_another_one() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let (first, second) = (create(&app, &token, record).await, create(&app, &token, record).await);
        let before = read_record(&app, &token, &first.0).await[record.bulk_field].clone();
        let bulk = |action: &str, fields: Value| {
            let input = json!({"ids": [first.1, second.1], "action": action, "fields": fields});
            let path = format!("/api/{}/bulk", record.list);
            let (app, token) = (&app, &token);
            async move { assert_eq!(app.post(&path, Some(token), input).await.body["data"]["changed"], 2) }
        };
        let value = async |path: &str| read_record(&app, &token, path).await[record.bulk_field].clone();
        bulk("update", json!({record.bulk_field: "lund.example"})).await;
        let of_list = format!("resource={}", record.list);
        let updated = newest(&app, &token, &of_list).await;
        change(&app, &token, record, &second.0, "malmo.example").await;
        let of_second = format!("resource={}&id={}", record.list, second.1);
        let label = newest(&app, &token, &of_second).await["label"].clone();
        let refused = revert(&app, &token, &updated, json!({})).await;
        assert_error(&refused, 409, text::CHANGED_SINCE.as_str());
        let kept = json!([{"id": second.1, "label": label, "fields": [record.bulk_field]}]);
        assert_eq!(refused.body["data"]["kept"], kept);
        assert_eq!(value(&first.0).await, "lund.example", "nothing was undone");
        let undone = revert(&app, &token, &updated, json!({"on_conflict": "keep"})).await.body;
        assert_eq!(
            undone["data"],
            json!({"reverted": 1, "fields": [], "kept": kept, "kept_count": 1, "bound_count": 0, "refused": []})
        );
        assert_eq!((value(&first.0).await, value(&second.0).await), (before.clone(), json!("malmo.example")));
        let batch = newest(&app, &token, &of_list).await;
        assert_eq!(
            (&batch["action"], &batch["records"], &batch["record_id"]),
            (&json!("reverted"), &json!(1), &json!(""))
        );
        let undone = revert(&app, &token, &updated, json!({"on_conflict": "overwrite"})).await.body;
        assert_eq!((&undone["data"]["reverted"], value(&second.0).await), (&json!(1), before.clone()));

        bulk("delete", json!({})).await;
        let deleted = newest(&app, &token, &of_list).await;
        let undone = revert(&app, &token, &deleted, json!({})).await.body;
        assert_eq!(undone["data"]["reverted"], 2, "{undone}");
        let batch = newest(&app, &token, &of_list).await;
        assert_eq!((&batch["action"], &batch["records"]), (&json!("restored"), &json!(2)));
        assert_eq!(newest(&app, &token, &of_second).await["batch_id"], batch["history_id"]);
        assert_eq!((value(&first.0).await, value(&second.0).await), (before.clone(), before));
        assert_error(&revert(&app, &token, &deleted, json!({})).await, 409, text::NOT_IN_TRASH.as_str());
    }
}

#[tokio::test]
async fn the_deletion_of_many_records_is_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for record in RECORDS {
        let ids: Vec<Uuid> = (0..1_000).map(|_| Uuid::now_v7()).collect();
        assert_eq!(record.insert_all(app.db(), app.nordbil, &ids, "Ada").await.unwrap(), 1_000);
        let bulk = json!({"ids": ids, "action": "delete"});
        let bulk = app.post(&format!("/api/{}/bulk", record.list), Some(&token), bulk).await.body;
        assert_eq!(bulk["data"]["changed"], 1_000, "{bulk}");
        let deleted = newest(&app, &token, &format!("resource={}", record.list)).await;
        let undone = revert(&app, &token, &deleted, json!({})).await;
        assert!(undone.status.is_success(), "{}", undone.body);
        wait_until("the records are back", async || {
            let sql =
                app.db().sql("SELECT count(*) FROM ").push(record.list).push_arg(" WHERE corp_id = ", app.nordbil);
            sql.value::<i64>().await.unwrap() == 1_000
        })
        .await;
    }
}

#[tokio::test]
async fn vehicles_whose_vin_another_one_has_by_then_stay_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let mut ids: Vec<Uuid> = (0..1_000).map(|_| Uuid::now_v7()).collect();
    TestRecord::find("vehicles").insert_all(app.db(), app.nordbil, &ids, "Volvo").await.unwrap();
    let vehicle = json!({"vin": "1M8GDM9AXKP042788", "make": "Saab"});
    let path = create_record(&app, &token, "/api/vehicles", vehicle.clone(), "vehicle_id").await;
    ids.push(path.rsplit('/').next().unwrap().parse().unwrap());
    app.post("/api/vehicles/bulk", Some(&token), json!({"ids": ids, "action": "delete"})).await;
    create_record(&app, &token, "/api/vehicles", vehicle, "vehicle_id").await;
    let deleted = newest(&app, &token, "resource=vehicles&action=deleted").await;
    let started = revert(&app, &token, &deleted, json!({})).await.body;
    let batch = format!("/api/history/{}", started["data"]["batch_id"].as_str().unwrap());
    let progress = async || app.get(&batch, Some(&token)).await.body["data"]["progress"].clone();
    wait_until("the undoing has ended", async || progress().await["state"] == "done").await;
    let ended = json!({"state": "done", "total": 1_001, "reverted": 1_000, "kept_count": 1});
    assert_eq!(progress().await, ended);
    let trash = app.get("/api/trash?resource=vehicles", Some(&token)).await.body;
    assert_eq!(trash["data"].as_array().unwrap().len(), 1, "{trash}");
}

#[tokio::test]
async fn only_changes_and_deletions_of_records_that_the_user_may_change_can_be_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (path, id) = create(&app, &token, TestRecord::find("contacts")).await;
    let of_contact = format!("resource=contacts&id={id}");
    let created = newest(&app, &token, &of_contact).await;
    assert_eq!(created["undo"], Value::Null);
    assert_error(&revert(&app, &token, &created, json!({})).await, 409, text::NOT_REVERTIBLE.as_str());
    let signed_in = newest(&app, &token, "action=signed_in").await;
    assert_error(&revert(&app, &token, &signed_in, json!({})).await, 409, text::NOT_REVERTIBLE.as_str());
    assert_eq!(put(&app, &path, &token, json!({"name": "Bo"})).await.status, 200);
    let updated = newest(&app, &token, &of_contact).await;
    assert_eq!(updated["undo"], "update");
    let [other, reader] = [app.sign_in(OTHER_ADMIN).await, app.sign_in(READER).await];
    assert_eq!(revert(&app, &other, &updated, json!({})).await.status, 404, "another tenant's entry");
    assert_eq!(revert(&app, &reader, &updated, json!({})).await.status, 403);
    assert_eq!(newest(&app, &reader, &of_contact).await["undo"], Value::Null, "not by this user");
    let unknown = json!({"history_id": Uuid::now_v7().to_string()});
    assert_eq!(revert(&app, &token, &unknown, json!({})).await.status, 404);
    let invalid = revert(&app, &token, &updated, json!({"on_conflict": "ignore"})).await;
    assert!(invalid.status == 400 && invalid.body["fields"]["on_conflict"].is_array(), "{}", invalid.body);
}

#[tokio::test]
async fn a_social_security_number_does_not_come_back() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = |number: &str| with_field(customer("Ada"), "socialSecurityNumber", number);
    let path = create_record(&app, &token, "/api/customers", form("19900101-0017"), "customer_id").await;
    assert_eq!(put(&app, &path, &token, form("19851224-1234")).await.status, 200);
    let id = path.rsplit('/').next().unwrap();
    let entry = newest(&app, &token, &format!("resource=customers&id={id}")).await;
    assert_eq!(entry["undo"], Value::Null);
    assert_error(&revert(&app, &token, &entry, json!({})).await, 409, text::NOT_RECORDED.as_str());
    let both = with_field(form("19900101-0017"), "name", "Bo");
    assert_eq!(put(&app, &path, &token, both).await.status, 200);
    let entry = newest(&app, &token, &format!("resource=customers&id={id}")).await;
    let dry = revert(&app, &token, &entry, json!({"dry_run": true})).await;
    let (fields, unrecorded) = (&dry.body["data"]["fields"], &dry.body["data"]["unrecorded"]);
    assert_eq!((fields, unrecorded), (&json!(["name"]), &json!(["socialSecurityNumber"])), "{}", dry.body);
    assert_eq!(revert(&app, &token, &entry, json!({})).await.status, 200);
    assert_eq!(read_record(&app, &token, &path).await["socialSecurityNumber"], "19900101-0017");
}

#[tokio::test]
async fn a_link_to_a_deleted_customer_does_not_come_back() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let customer = create_record(&app, &token, "/api/customers", customer("Ada"), "customer_id").await;
    let id = customer.rsplit('/').next().unwrap();
    let linked = with_field(invoice("Ada"), "customer_id", id);
    let path = create_record(&app, &token, "/api/invoices", linked, "_id").await;
    assert_eq!(put(&app, &path, &token, with_field(invoice("Bo"), "customer_id", "")).await.status, 200);
    let of_invoice = format!("resource=invoices&id={}", path.rsplit('/').next().unwrap());
    let entry = newest(&app, &token, &of_invoice).await;
    assert_eq!(delete(&app, &customer, &token).await.status, 200);
    let rejected = revert(&app, &token, &entry, json!({})).await;
    assert_error(&rejected, 409, text::LINK_GONE.as_str());
    assert_eq!(read_record(&app, &token, &path).await["customer"], "Bo");
}
