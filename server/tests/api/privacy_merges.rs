//! Personal data that merges have moved to records of other people is also found and erased.

use crate::app::{ADMIN, TestApp};
use crate::comments::add_comment;
use crate::customers::customer;
use crate::helpers::{create_record, delete, put, read_record, with_field};
use crate::privacy::{EMAIL, WORD, counts, customer_of, erase, export, id_of, invoice_of, person, rows_with_word};
use forecourt::features::history::chain::{extend_all, verify};
use forecourt::platform::clock::MINUTE;
use reqwest::Method;
use serde_json::{Value, json};

async fn create(app: &TestApp, token: &str, email: &str, details: Value) -> String {
    let form = json!({"name": "Maja", "email": email, "otherDetails": details});
    create_record(app, token, "/api/contacts", form, "_id").await
}

/// Adds a comment a minute after the previous one, and returns its path.
async fn comment(app: &TestApp, token: &str, path: &str, text: &str) -> String {
    app.advance(MINUTE);
    let record = read_record(app, token, path).await;
    let comment = add_comment(app, token, &record, text).await;
    format!("{path}/comments/{}", id_of(comment["_id"].as_str().unwrap()))
}

async fn merge(app: &TestApp, token: &str, list: &str, keep: &str, other: &str) {
    let input = json!({"keep": id_of(keep), "ids": [id_of(other)]});
    let merged = app.post(&format!("/api/{list}/merge"), Some(token), input).await;
    assert_eq!(merged.status, 200, "{}", merged.body);
}

pub async fn purge(app: &TestApp, token: &str, resource: &str, path: &str) {
    let request = app.request(Method::DELETE, "/api/trash", Some(token));
    let purged = app.send(request.json(&json!({"resource": resource, "ids": [id_of(path)]}))).await;
    assert_eq!(purged.status, 200, "{}", purged.body);
}

/// Merges a contact of the person into one with another email address, and edits a moved comment. Returns the paths of
/// the kept and of the merged contact.
async fn merged_contacts(app: &TestApp, token: &str, details: Value) -> (String, String) {
    let kept = create(app, token, "maja@mark.example", json!({"Town": "Lund"})).await;
    let other = create(app, token, EMAIL, details).await;
    comment(app, token, &kept, "Own").await;
    comment(app, token, &other, &format!("Called {WORD}")).await;
    let second = comment(app, token, &other, &format!("Wrote {WORD}")).await;
    merge(app, token, "contacts", &kept, &other).await;
    // The changes of this moved comment are entries in the kept contact's history.
    let moved = second.replace(&other, &kept);
    for text in [format!("Paid {WORD}"), format!("Left {WORD}")] {
        assert_eq!(put(app, &moved, token, json!({"comment": text})).await.status, 200);
    }
    (kept, other)
}

/// Erases the person. Asserts that two comments are found before, and no personal text is left.
async fn assert_erased(app: &TestApp, token: &str, place: &str) {
    let held = person(app, token, EMAIL).await.body;
    assert_eq!(counts(&held["data"]["held"])["comments"], 2, "{place}: {held}");
    extend_all(app.db()).await.unwrap();
    let erased = erase(app, token).await.body;
    assert_eq!(counts(&erased["data"]["erased"])["comments"], 2, "{place}: {erased}");
    assert_eq!(rows_with_word(app, app.nordbil).await, [""; 0], "{place}");
    assert_eq!(verify(app.db()).await.unwrap().broken.len(), 0, "{place}");
}

#[tokio::test]
async fn moved_comments_and_details_are_exported_and_erased_in_the_kept_contact() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (kept, _) = merged_contacts(&app, &token, json!({WORD: WORD})).await;
    let data: Value = serde_json::from_str(&export(&app, &token).await["data.json"]).unwrap();
    let mut texts: Vec<_> = data["moved_comments"].as_array().unwrap().iter().map(|c| c["comment"].clone()).collect();
    texts.sort_by_key(Value::to_string);
    assert_eq!(texts, [format!("Called {WORD}"), format!("Left {WORD}")]);
    let before = read_record(&app, &token, &kept).await["version"].as_i64().unwrap();
    assert_erased(&app, &token, "in the list").await;
    let record = read_record(&app, &token, &kept).await;
    let comments: Vec<_> = record["comments"].as_array().unwrap().iter().map(|c| c["comment"].clone()).collect();
    assert_eq!(comments, ["Erased", "Erased", "Own"]);
    assert_eq!((&record["name"], &record["otherDetails"]), (&json!("Maja"), &json!({"Town": "Lund"})));
    assert_eq!(record["version"], before + 1, "an open form does not bring the details back");
}

#[tokio::test]
async fn moved_comments_are_erased_if_the_kept_contact_is_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (kept, _) = merged_contacts(&app, &token, json!({WORD: WORD})).await;
    let before = read_record(&app, &token, &kept).await["version"].as_i64().unwrap();
    assert_eq!(delete(&app, &kept, &token).await.status, 200);
    assert_erased(&app, &token, "in the trash").await;
    let restored = json!({"resource": "contacts", "ids": [id_of(&kept)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restored).await.status, 200);
    let record = read_record(&app, &token, &kept).await;
    assert_eq!((&record["comments"][2]["comment"], &record["otherDetails"]), (&json!("Own"), &json!({"Town": "Lund"})));
    assert_eq!(record["version"], before + 1, "an open form does not bring the details back");
}

#[tokio::test]
async fn moved_comments_are_erased_after_the_merged_contact_was_purged() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (kept, other) = merged_contacts(&app, &token, json!({})).await;
    purge(&app, &token, "contacts", &other).await;
    assert_erased(&app, &token, "purged").await;
    assert_eq!(read_record(&app, &token, &kept).await["comments"][2]["comment"], "Own");
}

#[tokio::test]
async fn moved_comments_are_erased_after_a_second_merge() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (kept, other) = merged_contacts(&app, &token, json!({WORD: WORD})).await;
    let last = create(&app, &token, "last@mark.example", json!({})).await;
    merge(&app, &token, "contacts", &last, &kept).await;
    assert_erased(&app, &token, "merged again").await;
    purge(&app, &token, "contacts", &kept).await;
    purge(&app, &token, "contacts", &other).await;
    assert_eq!(read_record(&app, &token, &last).await["otherDetails"], json!({"Town": "Lund"}));
}

#[tokio::test]
async fn invoices_that_a_merge_moved_are_found_also_after_a_purge() {
    for is_purged in [false, true] {
        let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
        let kept = with_field(customer("Maja"), "email", "maja@mark.example");
        let kept = create_record(&app, &token, "/api/customers", kept, "customer_id").await;
        let other = create_record(&app, &token, "/api/customers", customer_of("Maja"), "customer_id").await;
        let address = format!("other-{WORD}@mark.example");
        let own = with_field(invoice_of(Some(id_of(&kept)), "maja@mark.example"), "website", "maja.example");
        create_record(&app, &token, "/api/invoices", own, "_id").await;
        create_record(&app, &token, "/api/invoices", invoice_of(Some(id_of(&other)), &address), "_id").await;
        merge(&app, &token, "customers", &kept, &other).await;
        if is_purged {
            purge(&app, &token, "customers", &other).await;
        }
        let held = person(&app, &token, EMAIL).await.body;
        assert_eq!(counts(&held["data"]["held"])["invoices"], 1, "{held}");
        let data: Value = serde_json::from_str(&export(&app, &token).await["data.json"]).unwrap();
        assert_eq!((data["invoices"].as_array().unwrap().len(), &data["invoices"][0]["email"]), (1, &json!(address)));
        assert_eq!(erase(&app, &token).await.status, 200);
        assert_eq!(rows_with_word(&app, app.nordbil).await, [""; 0]);
    }
}
