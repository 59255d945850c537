//! `FORECOURT_HISTORY_MONTHS`: the values of old history entries are erased, the entries and their chain stay.

use crate::app::{ADMIN, TestApp};
use crate::customers::{company, create_customer};
use crate::helpers::{assert_error, create_record, delete, put, with_field};
use crate::invoices::invoice;
use crate::records::CONTACTS;
use forecourt::features::history::chain::{extend_all, verify};
use forecourt::features::history::pruning::sweep;
use forecourt::platform::clock::DAY;
use forecourt_core::history::text;
use serde_json::{Value, json};
use uuid::Uuid;

/// Adds all entries to their chains, runs the job, and asserts that the chains are intact.
async fn prune(app: &TestApp) {
    extend_all(app.db()).await.unwrap();
    sweep(&app.app).await.unwrap();
    let verified = verify(app.db()).await.unwrap();
    assert_eq!((verified.waiting, &verified.broken[..]), (0, &[][..]));
}

/// Returns the history entries of a record, newest first.
async fn entries(app: &TestApp, token: &str, path: &str) -> Vec<Value> {
    let (list, id) = path.trim_start_matches("/api/").split_once('/').unwrap();
    let response = app.get(&format!("/api/history?resource={list}&id={id}"), Some(token)).await;
    response.body["data"].as_array().unwrap().clone()
}

/// Returns the status and body of undoing an entry.
async fn undo(app: &TestApp, token: &str, entry: &Value) -> crate::app::ApiResponse {
    let path = format!("/api/history/{}/revert", entry["history_id"].as_str().unwrap());
    app.post(&path, Some(token), json!({"on_conflict": "overwrite"})).await
}

#[tokio::test]
async fn values_older_than_the_limit_are_erased_and_newer_ones_stay() {
    let app = TestApp::start_with(&["--history-months", "2"]).await;
    let token = app.sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/contacts", json!({"name": "Ada", "phone": "070"}), "_id").await;
    put(&app, &path, &token, json!({"name": "Ada", "phone": "071"})).await;
    // January has 31 days, and February 28: the entries are two months old after 59 days.
    app.advance(58 * DAY);
    prune(&app).await;
    let token = app.sign_in(ADMIN).await;
    put(&app, &path, &token, json!({"name": "Ada", "phone": "072"})).await;
    let kept = json!([{"field": "phone", "before": "070", "after": "071"}]);
    assert_eq!(entries(&app, &token, &path).await[1]["changes"], kept);

    app.advance(2 * DAY);
    // The second time, nothing is left to prune.
    for _ in 0..2 {
        prune(&app).await;
    }
    let token = app.sign_in(ADMIN).await;
    let [newer, older, created] = &entries(&app, &token, &path).await[..] else { panic!("three entries") };
    let erased = json!({"erased": true});
    assert_eq!(older["changes"], json!([{"field": "phone", "before": erased, "after": erased}]));
    assert_eq!([&older["label"], &created["label"]], ["Ada", "Ada"], "the record's name stays");
    assert_eq!(older["undo"], Value::Null);
    assert_error(&undo(&app, &token, older).await, 409, text::NOT_RECORDED.as_str());
    assert_eq!(newer["changes"], json!([{"field": "phone", "before": "071", "after": "072"}]));
    assert_eq!((&newer["undo"], undo(&app, &token, newer).await.status.as_u16()), (&json!("update"), 200));
    let past = app.get(&format!("/api/history/{}/record", created["history_id"].as_str().unwrap()), Some(&token)).await;
    let phone = json!({"field": "phone", "value": erased, "present": "071", "is_changed": true, "is_known": true});
    assert!(past.body["data"]["values"].as_array().unwrap().contains(&phone), "{}", past.body);
}

#[tokio::test]
async fn links_between_records_stay_because_erasures_follow_them() {
    let app = TestApp::start_with(&["--history-months", "1"]).await;
    let token = app.sign_in(ADMIN).await;
    let customer = create_customer(&app, &token, company("Nordbil")).await;
    let id = customer.rsplit('/').next().unwrap();
    let path = create_record(&app, &token, "/api/invoices", invoice("Nordbil"), "_id").await;
    let linked = with_field(with_field(invoice("Nordbil"), "customer_id", id), "projectPrice", 99);
    assert_eq!(put(&app, &path, &token, linked).await.status, 200);
    app.advance(32 * DAY);
    prune(&app).await;
    let token = app.sign_in(ADMIN).await;
    let changes = entries(&app, &token, &path).await[0]["changes"].clone();
    let after =
        |field| changes.as_array().unwrap().iter().find(|change| change["field"] == field).unwrap()["after"].clone();
    assert_eq!([after("customer_id"), after("projectPrice")], [json!(id), json!({"erased": true})]);
}

#[tokio::test]
async fn the_address_of_a_deleted_record_stays_because_an_erasure_finds_it_by_that() {
    let app = TestApp::start_with(&["--history-months", "1", "--trash-days", "90"]).await;
    let token = app.sign_in(ADMIN).await;
    let contact = json!({"name": "Ada", "email": "ada@example.se"});
    let path = create_record(&app, &token, "/api/contacts", contact, "_id").await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    app.advance(32 * DAY);
    prune(&app).await;
    let token = app.sign_in(ADMIN).await;
    let deleted = &entries(&app, &token, &path).await[0];
    let before = |field| {
        let change = deleted["changes"].as_array().unwrap().iter().find(|change| change["field"] == field);
        change.unwrap()["before"].clone()
    };
    assert_eq!([before("email"), before("name")], [json!("ada@example.se"), json!({"erased": true})]);
    // Undoing a deletion needs no old values.
    assert_eq!((&deleted["undo"], undo(&app, &token, deleted).await.status.as_u16()), (&json!("delete"), 200));
}

#[tokio::test]
async fn all_old_entries_are_pruned_however_many_there_are() {
    let app = TestApp::start_with(&["--history-months", "1"]).await;
    let token = app.sign_in(ADMIN).await;
    let ids: Vec<Uuid> = (0..1_100).map(|_| Uuid::now_v7()).collect();
    CONTACTS.insert_all(app.db(), app.nordbil, &ids, "Ada").await.unwrap();
    let update = json!({"query": {}, "action": "update", "fields": {"website": "lund.example"}});
    assert_eq!(app.post("/api/contacts/bulk", Some(&token), update).await.status, 200);
    app.advance(32 * DAY);
    prune(&app).await;
    let sql = app.db().sql("SELECT count(*) FROM history WHERE corp_id = $1 AND changes LIKE '%lund%'");
    assert_eq!(sql.bind(app.nordbil).value::<i64>().await.unwrap(), 0);
}

#[tokio::test]
async fn without_a_limit_all_values_stay() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/contacts", json!({"name": "Ada", "phone": "070"}), "_id").await;
    put(&app, &path, &token, json!({"name": "Ada", "phone": "071"})).await;
    app.advance(10_000 * DAY);
    prune(&app).await;
    let token = app.sign_in(ADMIN).await;
    assert_eq!(entries(&app, &token, &path).await[0]["changes"][0]["before"], "070");
}
