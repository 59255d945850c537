//! The trash: users who may delete a record can restore it as it was, until it is purged.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::comments::{add_comment, comment_texts};
use crate::customers::{company, customer};
use crate::helpers::{
    assert_error, count, create_record, delete, differing_columns, put, read_record, read_row, user_id, with_field,
};
use crate::invoices;
use crate::records::{self, RECORDS, TestRecord};
use forecourt::features::trash::sweep;
use forecourt::platform::clock::{DAY, MINUTE};
use forecourt_core::bulk::RECORDS_MAX;
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::NOT_FOUND;
use forecourt_core::trash::text;
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

const TRASH: &str = "/api/trash";
const RESTORE: &str = "/api/trash/restore";

/// Creates a record, and returns its path and its id.
async fn create(app: &TestApp, token: &str, record: &TestRecord) -> (String, Uuid) {
    let (path, id) = records::create(app, token, record).await;
    (path, id.parse().unwrap())
}

async fn restore(app: &TestApp, token: &str, list: &str, id: Uuid) -> u16 {
    app.post(RESTORE, Some(token), json!({"resource": list, "ids": [id]})).await.status.as_u16()
}

async fn purge(app: &TestApp, token: &str, list: &str, id: Uuid) -> u16 {
    let request = app.request(reqwest::Method::DELETE, TRASH, Some(token));
    app.send(request.json(&json!({"resource": list, "ids": [id]}))).await.status.as_u16()
}

/// Returns the labels and ids of the records in the trash, the last deleted first.
async fn list_trash(app: &TestApp, token: &str, query: &str) -> Vec<(String, String)> {
    let response = app.get(&format!("{TRASH}{query}"), Some(token)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    response.body["data"].as_array().unwrap().iter().map(|entry| (text(entry, "label"), text(entry, "id"))).collect()
}

/// Returns the action of each entry of a record's history, newest first.
async fn actions(app: &TestApp, token: &str, list: &str, id: Uuid) -> Vec<Value> {
    let entries = app.get(&format!("/api/history?resource={list}&id={id}"), Some(token)).await;
    entries.body["data"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect()
}

#[tokio::test]
async fn a_deleted_record_comes_back_as_it_was() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for record in RECORDS {
        let list = format!("/api/{}", record.list);
        let (path, id) = create(&app, &token, record).await;
        assert_eq!(
            put(&app, &path, &token, with_field((record.form)(), record.bulk_field, "lund.example")).await.status,
            200
        );
        let other = create(&app, &token, record).await;
        let (before, row) = (read_record(&app, &token, &path).await, read_row(&app, record.list, record.id, id).await);
        app.advance(MINUTE);
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        assert_eq!(app.get(&path, Some(&token)).await.status, 404);
        assert_eq!(count_listed(&app, &token, &list).await, 1);
        assert_eq!(restore(&app, &token, record.list, id).await, 200);
        assert_eq!(read_record(&app, &token, &path).await, before);
        let restored = read_row(&app, record.list, record.id, id).await;
        assert_eq!(differing_columns(&row, &restored), ["doc"], "{}", record.list);
        assert_eq!(count_listed(&app, &token, &list).await, 2);
        let part = if record.label.contains("berg") { "berg" } else { &record.label[..4] };
        assert_eq!(count_listed(&app, &token, &format!("{list}?search={part}")).await, 2);
        assert_eq!(actions(&app, &token, record.list, id).await, ["restored", "deleted", "updated", "created"]);
        assert_eq!(list_trash(&app, &token, "").await, []);
        assert_eq!(put(&app, &path, &token, (record.form)()).await.status, 200, "it can be changed again");
        assert_eq!(app.get(&other.0, Some(&token)).await.status, 200);
    }
}

async fn count_listed(app: &TestApp, token: &str, path: &str) -> usize {
    let body = app.get(path, Some(token)).await.body;
    body.as_array().or(body["data"].as_array()).unwrap_or_else(|| panic!("{body}")).len()
}

#[tokio::test]
async fn comments_come_back_with_their_contact() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_record(&app, &token, "/api/contacts", json!({"name": "Ada"}), "_id").await;
    let contact = read_record(&app, &token, &path).await;
    for text in ["Called", "Wrote"] {
        add_comment(&app, &token, &contact, text).await;
    }
    let before = read_record(&app, &token, &path).await;
    let id = contact["_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_eq!(count(&app, "SELECT count(*) FROM comments").await, 0);
    assert_eq!(restore(&app, &token, "contacts", id).await, 200);
    assert_eq!(comment_texts(&app, &token, &contact).await, ["Wrote", "Called"]);
    assert_eq!(read_record(&app, &token, &path).await, before);
}

#[tokio::test]
async fn a_customer_comes_back_with_the_social_security_number_and_the_links_of_invoices() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_record(&app, &token, "/api/customers", customer("Ada"), "customer_id").await;
    let before = read_record(&app, &token, &path).await;
    let id = before["customer_id"].as_str().unwrap();
    let linked = with_field((invoices::RECORD.form)(), "customer_id", id);
    let invoice = create_record(&app, &token, "/api/invoices", linked.clone(), "_id").await;
    let other = create_record(&app, &token, "/api/invoices", linked, "_id").await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_eq!(read_record(&app, &token, &invoice).await["customer_id"], Value::Null);
    // An invoice that was linked to another customer since then keeps that link.
    let second = create_record(&app, &token, "/api/customers", company("Bo"), "customer_id").await;
    let second = second.rsplit('/').next().unwrap();
    let relinked = with_field((invoices::RECORD.form)(), "customer_id", second);
    assert_eq!(put(&app, &other, &token, relinked).await.status, 200);
    assert_eq!(restore(&app, &token, "customers", id.parse().unwrap()).await, 200);
    let restored = read_record(&app, &token, &path).await;
    assert_eq!(restored, before);
    assert_eq!(restored["socialSecurityNumber"], "19121212-1212");
    assert_eq!(read_record(&app, &token, &invoice).await["customer_id"], id);
    assert_eq!(read_record(&app, &token, &other).await["customer_id"], second);
    // The invoice's history has both changes of the link: its removal and its restoration.
    let history = format!("/api/history?resource=invoices&id={}", invoice.rsplit('/').next().unwrap());
    let entries = app.get(&history, Some(&token)).await.body["data"].clone();
    let link = |before: Value, after: Value| json!([{"field": "customer_id", "before": before, "after": after}]);
    assert_eq!(entries[0]["changes"], link(Value::Null, json!(id)));
    assert_eq!(entries[1]["changes"], link(json!(id), Value::Null));
    assert_eq!(entries[2]["action"], "created");
    let rows = app.db().all_tenants().sql("SELECT content FROM trash").all::<(String,)>().await.unwrap();
    assert_eq!(rows, [], "nothing is left in the trash");
}

#[tokio::test]
async fn a_social_security_number_is_in_no_text_of_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_record(&app, &token, "/api/customers", customer("Ada"), "customer_id").await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    let sql = "SELECT label || label_key || content FROM trash WHERE social_security IS NOT NULL";
    let rows = app.db().all_tenants().sql(sql).all::<(String,)>().await.unwrap();
    assert!(rows.len() == 1 && rows[0].0.contains("Ada") && !rows[0].0.contains("1212"), "{rows:?}");
    assert!(!app.get(TRASH, Some(&token)).await.body.to_string().contains("1212"));
}

#[tokio::test]
async fn a_bulk_deletion_is_restored_as_one_batch() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for record in RECORDS {
        let mut deleted = Vec::new();
        for _ in 0..3 {
            deleted.push(create(&app, &token, record).await.1);
        }
        let (path, _) = create(&app, &token, record).await;
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        let bulk = json!({"query": {}, "action": "delete"});
        let bulk = app.post(&format!("/api/{}/bulk", record.list), Some(&token), bulk).await;
        let batch = &bulk.body["data"]["batch_id"];
        assert!(batch.is_string(), "{}", bulk.body);
        let chosen = json!({"resource": record.list, "batch_id": batch});
        let restored = app.post(RESTORE, Some(&token), chosen.clone()).await;
        assert_eq!((restored.status.as_u16(), &restored.body["data"]["count"]), (200, &json!(3)));
        assert_eq!(app.get(&path, Some(&token)).await.status, 404, "the one that was deleted before stays deleted");
        for id in deleted {
            assert_eq!(actions(&app, &token, record.list, id).await, ["restored", "deleted", "created"]);
        }
        assert_eq!(app.post(RESTORE, Some(&token), chosen).await.status, 404);
        let other = RECORDS.iter().find(|other| other.list != record.list).unwrap();
        let wrong = json!({"resource": other.list, "batch_id": batch});
        assert_eq!(app.post(RESTORE, Some(&token), wrong).await.status, 404);
    }
}

#[tokio::test]
async fn a_restore_of_many_records_restores_each_once_and_in_their_order() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for i in 0..1_200 {
        let (corp, id) = (app.nordbil, Uuid::now_v7());
        assert_eq!(TestRecord::find("contacts").insert(app.db(), corp, id, &format!("Ada {i}")).await.unwrap(), 1);
    }
    let list = async || {
        let body = app.get("/api/contacts?limit=100", Some(&token)).await.body;
        body["data"].as_array().unwrap().iter().map(|contact| contact["name"].clone()).collect::<Vec<_>>()
    };
    let before = list().await;
    let bulk = json!({"query": {}, "action": "delete"});
    let bulk = app.post("/api/contacts/bulk", Some(&token), bulk).await;
    assert_eq!(bulk.body["data"]["changed"], 1_200, "{}", bulk.body);
    let chosen = json!({"resource": "contacts", "batch_id": bulk.body["data"]["batch_id"]});
    let restores = (0..2).map(|_| app.post(RESTORE, Some(&token), chosen.clone()));
    let mut statuses: Vec<_> = join_all(restores).await.iter().map(|response| response.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404], "of two at once, one finds nothing");
    assert_eq!(count(&app, "SELECT count(*) FROM contacts").await, 1_200);
    assert_eq!(list().await, before);
}

#[tokio::test]
async fn more_records_than_a_bulk_deletion_can_have_are_not_restored_in_one_request() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (batch, user) = (Uuid::now_v7(), user_id(&app, ADMIN).await);
    // They are deleted now, because the job would purge records that were deleted long ago.
    let now = app.app.clock.now();
    for _ in 0..=RECORDS_MAX / 500 {
        let sql = app.db().sql(
            "INSERT INTO trash (corp_id, resource_id, record_id, label, label_key, deleted_at, deleted_by, batch_id, content) VALUES ",
        );
        let rows = sql.tuples(0..500, |sql, _| {
            let sql = sql.arg(app.nordbil).comma("contacts").comma(Uuid::now_v7()).comma("Ada").comma("ada").comma(now);
            sql.comma(user).comma(batch).comma("{}")
        });
        assert_eq!(rows.exec().await.unwrap(), 500);
    }
    let chosen = json!({"resource": "contacts", "batch_id": batch});
    let response = app.post(RESTORE, Some(&token), chosen.clone()).await;
    let message = text::batch_too_large(RECORDS_MAX.into()).to_string();
    assert_eq!((response.status.as_u16(), &response.body["fields"]["batch_id"]), (400, &json!([message])));
    let purged = app.send(app.request(reqwest::Method::DELETE, TRASH, Some(&token)).json(&chosen)).await;
    assert_eq!(purged.status, 400);
}

#[tokio::test]
async fn only_who_may_delete_a_record_sees_and_restores_it() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let [reader, no_role, other] =
        [app.sign_in(READER).await, app.sign_in(NO_ROLE).await, app.sign_in(OTHER_ADMIN).await];
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        let query = format!("?resource={}", record.list);
        assert_eq!(list_trash(&app, &token, &query).await, [(record.label.to_owned(), id.to_string())]);
        for may_not in [&reader, &no_role] {
            assert_eq!(app.get(&format!("{TRASH}{query}"), Some(may_not)).await.status, 403);
            assert_eq!(restore(&app, may_not, record.list, id).await, 403);
        }
        assert_eq!(list_trash(&app, &other, "").await, [], "another tenant's");
        assert_eq!(restore(&app, &other, record.list, id).await, 404);
        assert_eq!(purge(&app, &other, record.list, id).await, 404);
        assert_eq!(restore(&app, &token, record.list, id).await, 200);
    }
    let (path, _) = create(&app, &token, RECORDS[0]).await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_eq!(list_trash(&app, &no_role, "").await, []);
}

#[tokio::test]
async fn only_administrators_can_purge_records() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let admin = app.sign_in(ADMIN).await;
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        assert_eq!(purge(&app, &admin, record.list, id).await, 404, "it is not in the trash");
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        assert_eq!(purge(&app, &token, record.list, id).await, 403);
        assert_eq!(purge(&app, &admin, record.list, id).await, 200);
        assert_eq!(restore(&app, &token, record.list, id).await, 404);
        assert_eq!(actions(&app, &admin, record.list, id).await, ["purged", "deleted", "created"]);
    }
    assert_eq!(count(&app, "SELECT count(*) FROM trash").await, 0);
}

#[tokio::test]
async fn the_trash_shows_who_deleted_a_record_and_when_it_is_purged() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let mut ids = Vec::new();
    for record in RECORDS {
        let (path, id) = create(&app, &token, record).await;
        app.advance(MINUTE);
        assert_eq!(delete(&app, &path, &token).await.status, 200);
        ids.insert(0, id.to_string());
    }
    let entries = list_trash(&app, &token, "").await;
    assert_eq!(entries.iter().map(|(_, id)| id).collect::<Vec<_>>(), ids.iter().collect::<Vec<_>>());
    let page = app.get(&format!("{TRASH}?limit=2&page=2"), Some(&token)).await.body;
    assert_eq!((&page["totalItems"], &page["totalPages"]), (&json!(RECORDS.len()), &json!(RECORDS.len().div_ceil(2))));
    let entry = &page["data"][0];
    assert_eq!((&entry["resource"], &entry["id"]), (&json!(RECORDS[RECORDS.len() - 3].list), &json!(ids[2])));
    assert_eq!(entry["deleted_by"]["id"], user_id(&app, CLERK).await.to_string());
    let [deleted, purged] = ["deleted_at", "purge_at"].map(|field| entry[field].as_str().unwrap());
    let day = |time: &str| time.parse::<jiff::Timestamp>().unwrap().as_second() / 86_400;
    assert_eq!(day(purged) - day(deleted), 30);
    let named = RECORDS.iter().filter(|record| record.label.contains("Öberg")).count();
    for (search, found) in [("OBERG", named), ("öberg", named), ("sa-1", 1), ("Bo", 0), ("%", 0), ("_", 0)] {
        let path = format!("?search={}", search.replace('%', "%25"));
        assert_eq!(list_trash(&app, &token, &path).await.len(), found, "{search}");
    }
}

#[tokio::test]
async fn a_record_is_purged_after_30_days() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (path, id) = create(&app, &token, RECORDS[0]).await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    app.advance(MINUTE);
    let (path, later) = create(&app, &token, RECORDS[1]).await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    let left = async || {
        sweep(&app.app).await.unwrap();
        let db = app.db().all_tenants();
        let ids = db.sql("SELECT record_id FROM trash ORDER BY record_id").all::<(Uuid,)>();
        ids.await.unwrap().into_iter().map(|(id,)| id).collect::<Vec<_>>()
    };
    app.advance(30 * DAY - MINUTE);
    assert_eq!(left().await, [id, later]);
    app.advance(1);
    assert_eq!(left().await, [later]);
    app.advance(MINUTE);
    assert!(left().await.is_empty());
    let admin = app.sign_in(ADMIN).await;
    let entries = app.get("/api/history?action=purged", Some(&admin)).await.body;
    let purged: Vec<_> = entries["data"].as_array().unwrap().iter().map(|entry| &entry["record_id"]).collect();
    assert_eq!(purged, [&json!(later), &json!(id)]);
    assert_eq!(entries["data"][0]["actor"], json!({"kind": "system", "id": "", "name": "Forecourt"}));
}

#[tokio::test]
async fn records_that_are_purged_together_are_one_entry_of_the_corporation() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ids: Vec<_> =
        [create(&app, &token, RECORDS[0]).await, create(&app, &token, RECORDS[0]).await].map(|(_, id)| id).into();
    let bulk = json!({"ids": ids, "action": "delete"});
    let path = format!("/api/{}/bulk", RECORDS[0].list);
    assert_eq!(app.post(&path, Some(&token), bulk).await.status, 200);
    app.advance(30 * DAY + 1);
    sweep(&app.app).await.unwrap();
    let token = app.sign_in(ADMIN).await;
    let entries = app.get("/api/history?action=purged", Some(&token)).await.body;
    assert_eq!((&entries["totalItems"], &entries["data"][0]["records"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn a_deleted_author_import_or_customer_does_not_prevent_a_restore() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    // Delete the author of a comment and the import of a contact, while the contact is in the trash.
    let mapping = crate::imports::csv_mapping();
    let session = crate::imports::import(&app, &token, "people.csv", &crate::imports::csv(1), &mapping).await;
    let contact = app.get("/api/contacts", Some(&token)).await.body["data"][0].clone();
    let author = app.sign_in(ADMIN).await;
    add_comment(&app, &author, &contact, "Called").await;
    let id = contact["_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(delete(&app, &format!("/api/contacts/{id}"), &token).await.status, 200);
    let db = app.db();
    let import = crate::imports::session_id(&session);
    assert_eq!(db.sql("DELETE FROM imports WHERE import_id = $1").bind(import).exec().await.unwrap(), 1);
    let admin = user_id(&app, ADMIN).await;
    db.sql("DELETE FROM sessions WHERE user_id = $1").bind(admin).exec().await.unwrap();
    assert_eq!(db.sql("DELETE FROM users WHERE user_id = $1").bind(admin).exec().await.unwrap(), 1);
    assert_eq!(restore(&app, &token, "contacts", id).await, 200);
    let restored = read_record(&app, &token, &format!("/api/contacts/{id}")).await;
    assert_eq!((&restored["importBatchId"], &restored["importSource"]), (&Value::Null, &json!("people.csv")));
    assert_eq!(restored["comments"][0]["comment"], "Called");
    // Restore an invoice whose customer was deleted after it.
    let customer = create_record(&app, &token, "/api/customers", company("Bo"), "customer_id").await;
    let linked = with_field((invoices::RECORD.form)(), "customer_id", customer.rsplit('/').next().unwrap());
    let path = create_record(&app, &token, "/api/invoices", linked, "_id").await;
    for path in [&path, &customer] {
        assert_eq!(delete(&app, path, &token).await.status, 200);
    }
    assert_eq!(restore(&app, &token, "invoices", path.rsplit('/').next().unwrap().parse().unwrap()).await, 200);
    assert_eq!(read_record(&app, &token, &path).await["customer_id"], Value::Null);
}

#[tokio::test]
async fn restoring_needs_a_resource_with_a_trash_and_ids_or_a_batch() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let many = vec![Uuid::nil(); RECORDS_MAX as usize + 1];
    for body in [
        json!({"ids": []}),
        json!({"resource": "contacts"}),
        json!({"resource": "contacts", "ids": many}),
        json!({"resource": "contacts", "batch_id": "1"}),
        json!({"resource": "contacts", "batch_id": Uuid::nil(), "ids": []}),
    ] {
        assert_eq!(app.post(RESTORE, Some(&token), body).await.status, 400);
    }
    for resource in ResourceId::ALL.iter().filter(|resource| RECORDS.iter().all(|r| r.list != resource.as_str())) {
        let body = json!({"resource": resource.as_str(), "ids": []});
        assert_eq!(app.post(RESTORE, Some(&token), body).await.status, 400, "{resource:?}");
        assert_eq!(app.get(&format!("{TRASH}?resource={}", resource.as_str()), Some(&token)).await.status, 400);
    }
    for ids in [json!([]), json!(["1"]), json!([Uuid::now_v7()])] {
        let response = app.post(RESTORE, Some(&token), json!({"resource": "contacts", "ids": ids})).await;
        assert_error(&response, 404, NOT_FOUND.as_str());
    }
}
