//! The fields sent with a file (options, corrections, the browser's verdict), and a file sent twice.

use crate::app::{ADMIN, ApiResponse, CLERK, TestApp};
use crate::contacts::read_contact;
use crate::imports::{count, csv, csv_mapping, import, is_finished, mapping, session_id, wait_for_status};
use forecourt::platform::clock::SECOND;
use forecourt_core::text::BODY_TOO_LARGE;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

const SUBMIT: &str = "/api/contacts/import/submit";

fn form(bytes: &[u8], name: &str, fields: &[(&'static str, Value)]) -> Form {
    let form = Form::new().part("file", Part::bytes(bytes.to_vec()).file_name(name.to_owned()));
    fields.iter().fold(form, |form, (field, value)| form.text(*field, value.to_string()))
}

pub async fn send(
    app: &TestApp,
    token: &str,
    name: &str,
    bytes: &[u8],
    fields: &[(&'static str, Value)],
) -> ApiResponse {
    app.send(app.request(Method::POST, SUBMIT, Some(token)).multipart(form(bytes, name, fields))).await
}

/// Submits a file with these form fields, and returns the import once it has ended.
pub async fn finish(app: &TestApp, token: &str, name: &str, bytes: &[u8], fields: &[(&'static str, Value)]) -> Value {
    let accepted = send(app, token, name, bytes, fields).await;
    assert_eq!(accepted.status, 202, "{}", accepted.body);
    wait_for_status(app, token, accepted.body["sessionId"].as_str().unwrap(), is_finished).await
}

/// Returns the import's counts of rows: total, processed, imported, failed, left out, duplicate.
fn counts(session: &Value) -> [u64; 6] {
    ["total", "processed", "success", "failed", "leftOut", "duplicate"]
        .map(|name| session[format!("{name}Records")].as_u64().unwrap())
}

async fn names(app: &TestApp, token: &str) -> Vec<String> {
    let list = app.get("/api/contacts?limit=100", Some(token)).await;
    list.body["data"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_file_sent_60_times_concurrently_is_imported_once() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let token = app.sign_in(CLERK).await;
    let file = csv(200);
    // Sixty files are the most that a user may upload in ten minutes.
    let sent = (0..60).map(|i| {
        let (app, token, file) = (if i % 2 == 0 { &app } else { &node }, &token, &file);
        async move { send(app, token, "a.csv", file, &[("columnMapping", csv_mapping())]).await }
    });
    let mut ids = BTreeSet::new();
    for response in futures_util::future::join_all(sent).await {
        assert_eq!(response.status, 202, "{}", response.body);
        ids.insert(response.body["sessionId"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 1);
    let session = ids.pop_first().unwrap();
    let done = wait_for_status(&app, &token, &session, is_finished).await;
    assert_eq!(counts(&done), [200, 200, 198, 2, 0, 0]);
    assert_eq!(count(&app, "SELECT count(*) FROM imports WHERE import_id <> $1", Uuid::nil()).await, 1);
    assert_eq!(count(&app, "SELECT count(*) FROM contacts WHERE import_id = $1", session.parse().unwrap()).await, 198);
}

#[tokio::test]
async fn a_file_is_imported_again_after_a_minute_by_another_user_or_with_any_difference() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let first = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    app.advance(59 * SECOND);
    let again = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    assert_eq!(again["sessionId"], first["sessionId"], "a repeated upload gets the same session");
    let mut ids = BTreeSet::from([first["sessionId"].to_string()]);
    let other_name = import(&app, &token, "b.csv", &csv(3), &csv_mapping()).await;
    let other_bytes = import(&app, &token, "a.csv", &csv(4), &csv_mapping()).await;
    let admin = app.sign_in(ADMIN).await;
    let other_person = import(&app, &admin, "a.csv", &csv(3), &csv_mapping()).await;
    let corrected = json!({"leftOut": [2]});
    let fields = [("columnMapping", csv_mapping()), ("corrections", corrected)];
    let other_rows = finish(&app, &token, "a.csv", &csv(3), &fields).await;
    app.advance(2 * SECOND);
    let later = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    ids.extend([other_name, other_bytes, other_person, other_rows, later].map(|s| s["sessionId"].to_string()));
    assert_eq!(ids.len(), 6);
}

#[tokio::test]
async fn a_rejected_or_incomplete_file_is_imported_when_sent_again() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let rejected = send(&app, &token, "a.csv", &csv(3), &[("columnMapping", json!([]))]).await;
    assert_eq!(rejected.status, 400);
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    // Set the import to the state that it has if a node dies while it receives the file.
    let id = session_id(&done);
    app.db().sql("DELETE FROM contacts WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.db().sql("UPDATE imports SET status = 'receiving' WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.advance(121 * SECOND);
    let again = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    assert_ne!(again["sessionId"], done["sessionId"]);
    assert_eq!(again["status"], "completed");
}

#[tokio::test]
async fn corrections_excluded_rows_and_duplicates_are_counted_exactly() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = "Namn,E-post\nAda,a@b.se\n,saknas\nBo,saknas\nCid,A@B.se\nDag,d@b.se\n,x\n".as_bytes();
    let columns = mapping(&[("Namn", "name"), ("E-post", "email")]);
    let plain = finish(&app, &token, "a.csv", file, &[("columnMapping", columns.clone())]).await;
    assert_eq!(counts(&plain), [6, 6, 3, 3, 0, 1]);
    let mut corrections = json!({
        "cells": [{"row": 3, "fileColumn": "Namn", "value": "Åsa"}],
        "replacements": [{"fileColumn": "E-post", "from": "saknas", "to": ""}],
        "leftOut": [6],
    });
    let fields = |corrections: &Value| [("columnMapping", columns.clone()), ("corrections", corrections.clone())];
    let done = finish(&app, &token, "a.csv", file, &fields(&corrections)).await;
    assert_eq!(counts(&done), [5, 5, 4, 1, 1, 1]);
    assert_eq!(names(&app, &token).await[..4], ["Cid", "Bo", "Åsa", "Ada"]);
    corrections["duplicates"] = "refuse".into();
    let rejected = finish(&app, &token, "a.csv", file, &fields(&corrections)).await;
    assert_eq!(counts(&rejected), [5, 5, 3, 2, 1, 1]);
    for (corrections, field) in [
        (json!({"cells": [{"row": 2, "fileColumn": "Land", "value": ""}]}), "corrections"),
        (json!({"leftOut": vec![1; 100_001]}), "corrections"),
    ] {
        let response = send(&app, &token, "a.csv", file, &fields(&corrections)).await;
        assert_eq!(response.status, 400);
        assert!(response.body["fields"][field].is_array(), "{}", response.body);
    }
}

#[tokio::test]
async fn a_file_is_read_with_the_chosen_options() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form_fields =
        |columns: &[(&str, &str)], options: Value| [("columnMapping", mapping(columns)), ("options", options)];
    let file = b"Namn|Ort;Land\n\xc5sa|Malm\xf6;SE\n";
    let options = json!({"encoding": "windows-1252", "delimiter": "|"});
    let columns = [("Namn", "name"), ("Ort;Land", "otherDetails")];
    finish(&app, &token, "a.csv", file, &form_fields(&columns, options)).await;
    let list = app.get("/api/contacts", Some(&token)).await;
    let contact = read_contact(&app, &token, &list.body["data"][0]).await;
    assert_eq!((&contact["name"], &contact["otherDetails"]), (&json!("Åsa"), &json!({"Ort;Land": "Malmö;SE"})));
    let columns = [("Column 1", "name"), ("Column 2", "otherDetails")];
    let done =
        finish(&app, &token, "b.csv", b"Namn,Ort\nBo,Lund\n", &form_fields(&columns, json!({"header": 0}))).await;
    assert_eq!(counts(&done)[..3], [2, 2, 2]);
    assert_eq!(names(&app, &token).await[..2], ["Bo", "Namn"]);
    for (options, sentence) in [
        (json!({"encoding": "klingon"}), "There is no such encoding. Choose another one."),
        (
            json!({"header": "x"}),
            "The field “options” must be an object such as {\"delimiter\": \";\", \"header\": 1}.",
        ),
    ] {
        let response = send(&app, &token, "c.csv", &csv(2), &form_fields(&[], options)).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(sentence)));
    }
    for (field, wrong) in [("corrections", json!([1])), ("verdict", json!("x")), ("options", json!("a".repeat(9_000)))]
    {
        let response = send(&app, &token, "c.csv", &csv(2), &[("columnMapping", csv_mapping()), (field, wrong)]).await;
        assert_eq!(response.status, 400, "{field}");
        assert!(response.body["message"].as_str().unwrap().contains(field), "{}", response.body);
    }
}

#[tokio::test]
async fn a_different_verdict_of_the_browser_is_recorded() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (file, columns) = (csv(150), csv_mapping());
    let done = import(&app, &token, "a.csv", &file, &columns).await;
    assert_eq!(done["differs"], false, "without a verdict there is no difference");
    let id = session_id(&done);
    let sql = app.db().sql("SELECT digest FROM imports WHERE import_id = $1").bind(id);
    let digest: String = sql.value().await.unwrap();
    let verdict = json!({"total": 150, "ready": 149, "failed": 1, "leftOut": 0, "duplicates": 0, "digest": digest});
    let mut reported_differences = Vec::new();
    for (field, value) in [("total", json!(150)), ("duplicates", json!(1)), ("digest", json!("0000000000000000"))] {
        let mut verdict = verdict.clone();
        verdict[field] = value;
        let fields = [("columnMapping", columns.clone()), ("verdict", verdict)];
        let done = finish(&app, &token, &format!("{field}.csv"), &file, &fields).await;
        assert_eq!(done["status"], "completed");
        reported_differences.push(done["differs"].clone());
    }
    assert_eq!(reported_differences, [json!(false), json!(true), json!(true)]);
}

#[tokio::test]
async fn a_nul_character_in_a_column_name_is_rejected_in_a_mapping_and_ignored_in_a_lookup() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let response = app.get("/api/contacts/import/mapping?headers=a%00b", Some(&token)).await;
    assert_eq!((response.status.as_u16(), &response.body), (200, &json!({"success": true})));
    let fields = [("columnMapping", mapping(&[("Na\0mn", "name")]))];
    assert_eq!(send(&app, &token, "a.csv", b"Namn\nAda\n", &fields).await.status, 400);
}

#[tokio::test]
async fn the_import_limits_of_the_settings_are_enforced() {
    let app = TestApp::start_with(&["--import-csv-mb", "1", "--import-excel-mb", "2", "--import-rows", "5"]).await;
    let token = app.sign_in(CLERK).await;
    let fields = [("columnMapping", csv_mapping())];
    let big = format!("Namn,E-post,Adress\n{}", "Ada,,\n".repeat(200_000)).into_bytes();
    let response = send(&app, &token, "a.csv", &big, &fields).await;
    assert_eq!(response.status, 413);
    let sentence = "This file is 2 MB, but at most 1 MB can be read. Split it into smaller files.";
    assert_eq!(response.body["message"], sentence);
    let workbook = [b"PK\x03\x04".to_vec(), vec![0; 3 << 20]].concat();
    assert_eq!(send(&app, &token, "a.xlsx", &workbook, &fields).await.status, 413);
    // Undocumented fields count towards the size limit of the request body.
    let padded = [("columnMapping", csv_mapping()), ("padding", json!("x".repeat(44 << 20)))];
    let response = send(&app, &token, "a.csv", &csv(5), &padded).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (413, &json!(BODY_TOO_LARGE.as_str())));
    assert_eq!(import(&app, &token, "a.csv", &csv(5), &csv_mapping()).await["status"], "completed");
    // A file with too many rows fails before its first row is imported, because the job counts the rows first.
    let failed = import(&app, &token, "a.csv", &csv(6), &csv_mapping()).await;
    assert_eq!((&failed["status"], &failed["processedRecords"]), (&json!("failed"), &json!(0)));
    let text = "This file has more than 5 rows. Split it into smaller files.";
    assert_eq!(failed["message"], text);
    assert_eq!(failed["messages"], json!([{"code": "import.too_many_rows", "parameters": {"limit": 5}, "text": text}]));
}

#[tokio::test]
async fn a_failure_that_was_stored_as_text_has_no_code() {
    let app = TestApp::start_with(&["--import-rows", "5"]).await;
    let token = app.sign_in(CLERK).await;
    let failed = import(&app, &token, "a.csv", &csv(6), &csv_mapping()).await;
    app.db().sql("UPDATE imports SET message = 'This file is too long.'").exec().await.unwrap();
    let status = format!("/api/contacts/import/status/{}", failed["sessionId"].as_str().unwrap());
    let session = app.get(&status, Some(&token)).await.body["session"].clone();
    assert_eq!(session["message"], "This file is too long.");
    assert_eq!(session["messages"], json!([{"code": "", "text": "This file is too long."}]));
}
