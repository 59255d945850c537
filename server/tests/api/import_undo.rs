//! Undoing an import in steps, and undoing that undoing.

use crate::agreement_steps::steps;
use crate::agreements::{create_agreement, create_vehicle, leg};
use crate::app::{ADMIN, ApiResponse, OTHER_ADMIN, READER, TestApp};
use crate::customers::{create_customer, customer};
use crate::dashboard::set_read_permission;
use crate::helpers::{assert_error, delete, put, wait_until};
use crate::import_kills;
use crate::import_worker::start_long_import;
use crate::imports::{csv, csv_mapping, import, is_finished, wait_for_status};
use crate::server::Server;
use forecourt_core::history::text;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;
use uuid::Uuid;

async fn revert(app: &TestApp, token: &str, id: &str, input: Value) -> ApiResponse {
    app.post(&format!("/api/history/{id}/revert"), Some(token), input).await
}

/// Returns the total of the list at this path.
async fn total(app: &TestApp, token: &str, path: &str) -> u64 {
    let list = app.get(path, Some(token)).await.body;
    list["pagination"]["totalContacts"].as_u64().or(list["totalItems"].as_u64()).unwrap()
}

/// Returns whether the newest import in the list still has contacts, and whether some are in no binding agreement.
async fn contacts_left(app: &TestApp, token: &str) -> [Value; 2] {
    let import = app.get("/api/contacts/imports", Some(token)).await.body["data"][0].clone();
    ["hasContacts", "hasUnboundContacts"].map(|field| import[field].clone())
}

/// Returns whether the newest import in the list says that it was undone, and how many contacts it says were kept.
async fn undone(app: &TestApp, token: &str) -> (bool, Value) {
    let import = app.get("/api/contacts/imports", Some(token)).await.body["data"][0].clone();
    (import["undoneAt"].is_string(), import["keptRecords"].clone())
}

/// Returns the undoing of the newest import and, of the newest two history entries of contacts, the undoing and `undo`.
async fn undoings(app: &TestApp, token: &str) -> [Value; 5] {
    let import = app.get("/api/contacts/imports", Some(token)).await.body["data"][0].clone();
    let entries = app.get("/api/history?resource=contacts", Some(token)).await.body["data"].clone();
    let [(own, undo), (undone, undo_import)] =
        [0, 1].map(|index| (entries[index]["undoing_id"].clone(), entries[index]["undo"].clone()));
    [import["undoingId"].clone(), own, undo, undone, undo_import]
}

/// Waits until the undoing that was started with this response has ended, and returns its history entry.
async fn wait_until_undone(app: &TestApp, token: &str, started: &ApiResponse) -> Value {
    assert_eq!((started.status.as_u16(), &started.body["message"]), (202, &json!(text::REVERT_STARTED.as_str())));
    let path = format!("/api/history/{}", started.body["data"]["batch_id"].as_str().unwrap());
    wait_until("the undoing has ended", async || {
        app.get(&path, Some(token)).await.body["data"]["progress"]["state"] == "done"
    })
    .await;
    app.get(&path, Some(token)).await.body["data"].clone()
}

/// As [`wait_until_undone`], or returns at once if the undoing has ended within the request.
async fn wait_until_ended(app: &TestApp, token: &str, response: &ApiResponse) {
    if response.status.as_u16() != 200 {
        wait_until_undone(app, token, response).await;
    }
}

#[tokio::test]
async fn undoing_an_import_keeps_changed_contacts_and_can_itself_be_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "people.csv", &csv(2_100), &csv_mapping()).await;
    let id = session["sessionId"].as_str().unwrap();
    let contacts = app.get("/api/contacts?limit=3", Some(&token)).await.body["data"].clone();
    let [changed, commented, moved] = [0, 1, 2].map(|index| contacts[index]["_id"].as_str().unwrap().to_owned());
    let form = json!({"name": "Bo", "email": "bo@example.se", "address": contacts[0]["address"]});
    assert_eq!(put(&app, &format!("/api/contacts/{changed}"), &token, form).await.status, 200);
    let comment = json!({"comment": "Called"});
    assert_eq!(app.post(&format!("/api/contacts/{commented}/comments"), Some(&token), comment).await.status, 201);
    let ids = json!({"resource": "contacts", "ids": [moved]});
    assert_eq!(delete(&app, &format!("/api/contacts/{moved}"), &token).await.status, 200);
    assert_eq!(app.post("/api/trash/restore", Some(&token), ids).await.status, 200);

    let dry = revert(&app, &token, id, json!({"dry_run": true})).await.body["data"].clone();
    assert_eq!((&dry["reverted"], &dry["kept_count"]), (&json!(2_077), &json!(2)));
    let mut kept: Vec<_> = dry["kept"].as_array().unwrap().iter().map(|kept| (&kept["id"], &kept["fields"])).collect();
    kept.sort_by_key(|(id, _)| id.to_string());
    let mut expected = [(json!(changed), json!(["name", "email"])), (json!(commented), json!(["comments"]))];
    expected.sort_by_key(|(id, _)| id.to_string());
    assert_eq!(kept, expected.iter().map(|(id, fields)| (id, fields)).collect::<Vec<_>>());
    let refused = revert(&app, &token, id, json!({})).await;
    assert_error(&refused, 409, text::IMPORT_CHANGED_SINCE.as_str());
    assert_eq!((&refused.body["data"], total(&app, &token, "/api/contacts").await), (&dry, 2_079), "nothing is undone");

    let started = revert(&app, &token, id, json!({"on_conflict": "keep"})).await;
    let undone = wait_until_undone(&app, &token, &started).await;
    assert_eq!(undone["progress"], json!({"state": "done", "total": 2_079, "reverted": 2_077, "kept_count": 2}));
    assert_eq!(
        [&undone["action"], &undone["label"], &undone["records"], &undone["actor"]["kind"], &undone["undo"]],
        [&json!("deleted"), &json!("people.csv"), &json!(2_077), &json!("user"), &json!("delete")]
    );
    assert_eq!(
        [total(&app, &token, "/api/contacts").await, total(&app, &token, "/api/trash").await],
        [2, 2_077],
        "what was only restored counts as unchanged"
    );
    let again = revert(&app, &token, id, json!({"on_conflict": "keep"})).await;
    assert_error(&again, 409, text::ALL_CHANGED_SINCE.as_str());

    let deletion = undone["history_id"].as_str().unwrap();
    let started = revert(&app, &token, deletion, json!({})).await;
    let restored = wait_until_undone(&app, &token, &started).await;
    assert_eq!(
        [&restored["action"], &restored["label"], &restored["records"]],
        [&json!("restored"), &json!("people.csv"), &json!(2_077)]
    );
    assert_eq!([total(&app, &token, "/api/contacts").await, total(&app, &token, "/api/trash").await], [2_079, 0]);
    assert_eq!(contacts_left(&app, &token).await, [true, true]);
    assert_error(&revert(&app, &token, deletion, json!({})).await, 409, text::NOT_IN_TRASH.as_str());

    let started = revert(&app, &token, id, json!({"on_conflict": "overwrite"})).await;
    let undone = wait_until_undone(&app, &token, &started).await;
    assert_eq!((&undone["progress"]["reverted"], &undone["progress"]["kept_count"]), (&json!(2_079), &json!(0)));
    assert_eq!([total(&app, &token, "/api/contacts").await, total(&app, &token, "/api/trash").await], [0, 2_079]);
    assert_eq!(contacts_left(&app, &token).await, [false, false]);
    for input in [json!({}), json!({"dry_run": true})] {
        assert_error(&revert(&app, &token, id, input).await, 409, text::NONE_LEFT.as_str());
    }
}

#[tokio::test]
async fn an_undoing_continues_after_a_step_of_only_changed_contacts() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "people.csv", &csv(1_100), &csv_mapping()).await;
    let first = "SELECT contact_id FROM contacts ORDER BY import_row LIMIT 1000";
    let ids: Vec<(Uuid,)> = app.db().sql(first).all().await.unwrap();
    let ids: Vec<String> = ids.into_iter().map(|(id,)| id.to_string()).collect();
    let change = json!({"ids": ids, "action": "update", "fields": {"website": "lund.example"}});
    assert_eq!(app.post("/api/contacts/bulk", Some(&token), change).await.body["data"]["changed"], 1_000);
    let all = total(&app, &token, "/api/contacts").await;
    let keep = json!({"on_conflict": "keep"});
    let started = revert(&app, &token, session["sessionId"].as_str().unwrap(), keep).await;
    let undone = wait_until_undone(&app, &token, &started).await;
    let [reverted, kept] = ["reverted", "kept_count"].map(|name| undone["progress"][name].as_u64());
    assert_eq!([reverted, kept], [Some(all - 1_000), Some(1_000)]);
    assert_eq!(total(&app, &token, "/api/contacts").await, 1_000);
}

#[tokio::test]
async fn a_small_import_is_undone_at_once_by_those_who_may_delete_contacts() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "people.csv", &csv(5), &csv_mapping()).await;
    let id = session["sessionId"].as_str().unwrap();
    let [reader, other] = [app.sign_in(READER).await, app.sign_in(OTHER_ADMIN).await];
    assert_eq!(revert(&app, &reader, id, json!({})).await.status, 403);
    assert_eq!(revert(&app, &other, id, json!({})).await.status, 404);
    let entry = app.get(&format!("/api/history/{id}"), Some(&reader)).await.body["data"].clone();
    assert_eq!(
        [&entry["action"], &entry["undo"], &entry["progress"]],
        [&json!("imported"), &Value::Null, &Value::Null],
        "the reader may not undo it"
    );
    let entry = app.get(&format!("/api/history/{id}"), Some(&token)).await.body["data"].clone();
    assert_eq!(entry["undo"], "delete");
    assert_eq!(app.get(&format!("/api/history/{id}"), Some(&other)).await.status, 404);
    let undone = revert(&app, &token, id, json!({})).await;
    assert_eq!((undone.status.as_u16(), &undone.body["data"]["reverted"]), (200, &json!(5)));
    assert_eq!(undone.body["message"], text::import_reverted(5).to_string());
    assert_eq!(total(&app, &token, "/api/contacts").await, 0);
}

#[tokio::test]
async fn undoing_a_small_import_returns_how_many_contacts_it_keeps() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "people.csv", &csv(5), &csv_mapping()).await;
    let contacts = app.get("/api/contacts?limit=1", Some(&token)).await;
    let path = format!("/api/contacts/{}/comments", contacts.body["data"][0]["_id"].as_str().unwrap());
    assert_eq!(app.post(&path, Some(&token), json!({"comment": "Called"})).await.status, 201);
    let keep = json!({"on_conflict": "keep"});
    let undone = revert(&app, &token, session["sessionId"].as_str().unwrap(), keep).await.body["data"].clone();
    assert_eq!((&undone["reverted"], &undone["kept_count"]), (&json!(4), &json!(1)));
    assert_eq!(total(&app, &token, "/api/contacts").await, 1);
}

#[tokio::test]
async fn undoing_an_import_always_keeps_the_contacts_of_binding_agreements() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "people.csv", &csv(5), &csv_mapping()).await;
    let id = session["sessionId"].as_str().unwrap();
    let contacts = app.get("/api/contacts?limit=2", Some(&token)).await.body["data"].clone();
    for (contact, plate, states) in [(0, "A1", &["Offered", "Signed"][..]), (1, "A2", &["Offered"])] {
        let ada = create_customer(&app, &token, customer("Ada")).await;
        let vehicle = create_vehicle(&app, &token, plate).await;
        let form = json!({
            "customer_id": ada.rsplit('/').next().unwrap(), "contact_id": contacts[contact]["_id"],
            "legs": [leg(&vehicle, "Out", 900)],
        });
        let agreement = create_agreement(&app, &token, form).await;
        steps(&app, &token, &agreement, states).await;
    }
    // That it was changed too is no conflict.
    let path = format!("/api/contacts/{}/comments", contacts[0]["_id"].as_str().unwrap());
    assert_eq!(app.post(&path, Some(&token), json!({"comment": "Called"})).await.status, 201);
    for on_conflict in ["refuse", "keep", "overwrite"] {
        let input = json!({"dry_run": true, "on_conflict": on_conflict});
        let dry = revert(&app, &token, id, input).await.body["data"].clone();
        let counts = ["reverted", "kept_count", "bound_count"].map(|name| dry[name].as_u64());
        assert_eq!(counts, [Some(4), Some(0), Some(1)], "{on_conflict}");
    }
    for input in [json!({}), json!({"on_conflict": "overwrite"})] {
        let undoing = revert(&app, &token, id, input.clone()).await.body["data"].clone();
        assert_eq!((&undoing["reverted"], &undoing["kept_count"]), (&json!(4), &json!(1)), "{input}");
        assert_eq!((total(&app, &token, "/api/contacts").await, undone(&app, &token).await), (1, (true, json!(1))));
        assert_error(&revert(&app, &token, id, input).await, 409, text::CONTACTS_BOUND.as_str());
        let entry = app.get(&format!("/api/history/{id}"), Some(&token)).await;
        assert_eq!(entry.body["data"]["undo"], Value::Null, "no other contact is left");
        assert_eq!(contacts_left(&app, &token).await, [true, false]);
        let entries = app.get("/api/history?resource=contacts", Some(&token)).await;
        let deletion = entries.body["data"][0]["history_id"].as_str().unwrap().to_owned();
        assert_eq!(revert(&app, &token, &deletion, json!({})).await.status, 200);
    }
}

#[tokio::test]
async fn an_undone_import_says_how_many_contacts_were_kept_until_that_is_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    // The first import is undone within the request, the other one in steps.
    for rows in [5, 2_100] {
        let session = import(&app, &token, "people.csv", &csv(rows), &csv_mapping()).await;
        let id = session["sessionId"].as_str().unwrap();
        assert_eq!(undone(&app, &token).await, (false, Value::Null), "{rows} rows");
        let contacts = app.get("/api/contacts?limit=1", Some(&token)).await;
        let path = format!("/api/contacts/{}/comments", contacts.body["data"][0]["_id"].as_str().unwrap());
        assert_eq!(app.post(&path, Some(&token), json!({"comment": "Called"})).await.status, 201);

        let keep = json!({"on_conflict": "keep"});
        wait_until_ended(&app, &token, &revert(&app, &token, id, keep).await).await;
        assert_eq!(undone(&app, &token).await, (true, json!(1)), "{rows} rows");
        let status = app.get(&format!("/api/contacts/import/status/{id}"), Some(&token)).await;
        assert_eq!(status.body["session"]["keptRecords"], 1, "{rows} rows");

        let entries = app.get("/api/history?resource=contacts", Some(&token)).await;
        let undoing = entries.body["data"][0]["history_id"].as_str().unwrap().to_owned();
        wait_until_ended(&app, &token, &revert(&app, &token, &undoing, json!({})).await).await;
        assert_eq!(undone(&app, &token).await, (false, Value::Null), "{rows} rows");
    }
}

#[tokio::test]
async fn an_undone_import_no_longer_counts_as_undone_once_contacts_were_restored() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "people.csv", &csv(5), &csv_mapping()).await;
    let contacts = app.get("/api/contacts?limit=2", Some(&token)).await.body["data"].clone();
    let [kept, restored] = [0, 1].map(|index| format!("/api/contacts/{}", contacts[index]["_id"].as_str().unwrap()));
    let comment = json!({"comment": "Called"});
    assert_eq!(app.post(&format!("{kept}/comments"), Some(&token), comment).await.status, 201);
    let keep = json!({"on_conflict": "keep"});
    let undoing = revert(&app, &token, session["sessionId"].as_str().unwrap(), keep).await;
    wait_until_ended(&app, &token, &undoing).await;
    assert_eq!(undone(&app, &token).await, (true, json!(1)));
    let ids = json!({"resource": "contacts", "ids": [contacts[1]["_id"]]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), ids).await.status, 200);
    assert_eq!(undone(&app, &token).await, (false, Value::Null));
    assert_eq!(delete(&app, &restored, &token).await.status, 200);
    assert_eq!(undone(&app, &token).await, (true, json!(1)));
}

#[tokio::test]
async fn an_import_that_is_running_or_being_undone_cannot_be_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let id = start_long_import(&app, &token).await;
    assert_error(&revert(&app, &token, &id, json!({})).await, 409, text::IMPORT_RUNNING.as_str());
    let done = wait_for_status(&app, &token, &id, is_finished).await;
    let started = revert(&app, &token, &id, json!({})).await;
    let twice = revert(&app, &token, &id, json!({})).await;
    assert_error(&twice, 409, text::REVERT_RUNNING.as_str());
    let own = revert(&app, &token, started.body["data"]["batch_id"].as_str().unwrap(), json!({})).await;
    assert_error(&own, 409, text::REVERT_RUNNING.as_str());
    let undone = wait_until_undone(&app, &token, &started).await;
    assert_eq!(undone["records"], done["successRecords"]);
}

#[tokio::test]
async fn a_running_undoing_is_named_by_its_import_and_in_the_history_to_every_user() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    set_read_permission(&app, "contacts.imports", true).await;
    let reader = app.sign_in(READER).await;
    let session = import(&app, &token, "people.csv", &csv(30_000), &csv_mapping()).await;
    let started = revert(&app, &token, session["sessionId"].as_str().unwrap(), json!({})).await;
    let undoing = started.body["data"]["batch_id"].clone();
    let imports = app.get("/api/contacts/imports", Some(&reader)).await;
    assert_eq!(imports.body["data"][0]["undoingId"], undoing);
    let none = Value::Null;
    let while_it_runs = [undoing.clone(), undoing.clone(), none.clone(), undoing.clone(), none.clone()];
    assert_eq!(undoings(&app, &token).await, while_it_runs);
    wait_until_undone(&app, &token, &started).await;
    assert_eq!(undoings(&app, &token).await, [none.clone(), none.clone(), json!("delete"), none.clone(), none]);
}

/// Selects the number of an import's contacts in the list, of records that the undoing moved to the trash, of the
/// undoing's history entries, and of the records that these entries are about.
const FOUND: &str = "SELECT (SELECT count(*) FROM contacts WHERE import_id = $1), \
     (SELECT count(*) FROM trash WHERE batch_id = $2), (SELECT count(*) FROM history WHERE batch_id = $2), \
     (SELECT count(DISTINCT record_id) FROM history WHERE batch_id = $2)";

#[tokio::test]
async fn an_undoing_that_was_killed_goes_on_until_every_contact_is_in_the_trash_once() {
    const ROWS: u64 = 10_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    let session = import_kills::submit(&server, "people.csv", ROWS).await;
    let done = import_kills::wait_for_status(&server, &session, |s| s["status"] == "completed").await;
    let count = done["successRecords"].as_i64().unwrap();
    let request = server.request(Method::POST, &format!("/api/history/{session}/revert"));
    let started: Value = request.json(&json!({})).send().await.unwrap().json().await.unwrap();
    let batch = started["data"]["batch_id"].as_str().unwrap().to_owned();
    let mut kills = 0;
    loop {
        let progress = server.get(&format!("/api/history/{batch}")).await["data"]["progress"].clone();
        if progress["state"] == "done" {
            break;
        }
        let (_, chance) = Uuid::now_v7().as_u64_pair();
        sleep(Duration::from_millis(chance % 3_000)).await;
        server.kill();
        let ids: (Uuid, Uuid) = (session.parse().unwrap(), batch.parse().unwrap());
        let (left, gone, entries, distinct): (i64, i64, i64, i64) = db.sql(FOUND).bind_all(ids).one().await.unwrap();
        assert_eq!((left + gone, entries, distinct), (count, gone, gone), "after {kills} kills");
        kills += 1;
        server.restart().await;
    }
    assert!(kills > 0, "the undoing has ended before it was killed");
    assert_eq!(server.get(&format!("/api/history/{batch}")).await["data"]["records"], count);
    assert_eq!(server.get("/api/trash").await["totalItems"], count);
    db.close().await;
}
