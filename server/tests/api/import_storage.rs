//! The storage of imports: its limits, its expiry, and deletion.

use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, READER, TestApp};
use crate::attack_files::{LONGEST, long_names, shared_text, shared_text_as};
use crate::imports::{
    count, count_imported, csv, csv_mapping, import, mapping, session_id, status, submit, wait_for_status,
};
use forecourt::platform::clock::DAY;
use forecourt_core::import::text;
use forecourt_core::reply::Done;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::types::Json;
use uuid::Uuid;

const MEGABYTE: i64 = 1 << 20;
const LIST: &str = "/api/contacts/imports";

/// Returns the size of the database in bytes.
async fn database_bytes(app: &TestApp) -> i64 {
    let sqlite = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";
    let text = app.db().pick(sqlite, "SELECT pg_database_size(current_database())");
    app.db().sql(text).value::<i64>().await.unwrap()
}

/// Returns the number of failed rows that are stored for an import.
async fn stored_rows(app: &TestApp, id: Uuid) -> i64 {
    count(app, "SELECT count(*) FROM import_failures WHERE import_id = $1", id).await
}

async fn delete(app: &TestApp, token: &str, session: &Value) -> ApiResponse {
    let path = format!("{LIST}/{}", session["sessionId"].as_str().unwrap());
    app.send(app.request(Method::DELETE, &path, Some(token))).await
}

/// Returns the CSV report of an import's failed rows.
async fn report(app: &TestApp, token: &str, session: &Value) -> String {
    let path = format!("{LIST}/{}/failed.csv", session["sessionId"].as_str().unwrap());
    let reply = crate::contract::send(app.request(Method::GET, &path, Some(token))).await;
    assert_eq!(reply.status, 200);
    String::from_utf8(reply.bytes).unwrap()
}

/// Imports a file as the clerk. Returns the completed import, and the growth of the database in bytes.
async fn import_and_measure(app: &TestApp, name: &str, file: &[u8], mapping: &Value) -> (Value, i64) {
    let token = app.sign_in(CLERK).await;
    let before = database_bytes(app).await;
    let session = import(app, &token, name, file, mapping).await;
    (session, database_bytes(app).await - before)
}

/// Runs the job that deletes expired imports and leftover data, and asserts that `done` returns true afterwards.
async fn sweep_and_check(app: &TestApp, what: &str, done: impl AsyncFn() -> bool) {
    forecourt::features::import::sweep(&app.app).await.unwrap();
    assert!(done().await, "{what}");
}

#[tokio::test]
async fn v1_a_small_workbook_with_a_long_shared_text_uses_little_storage() {
    let app = TestApp::start_with(&["--import-report-mb", "1"]).await;
    let (session, growth) = import_and_measure(&app, "a.xlsx", &shared_text(1_500), &shared_text_as("email")).await;
    assert_eq!((&session["status"], &session["failedRecords"]), (&json!("completed"), &json!(1_500)), "{session}");
    assert!(growth < 4 * MEGABYTE, "the database grew by {growth} bytes");
    let text = report(&app, &app.sign_in(CLERK).await, &session).await;
    let cell = text.lines().nth(1).and_then(|line| line.split(',').nth(3)).unwrap();
    assert_eq!(cell.len(), LONGEST);
}

#[tokio::test]
async fn v1_a_file_that_expands_far_beyond_its_size_is_not_imported() {
    let app = TestApp::start().await;
    let (session, growth) =
        import_and_measure(&app, "a.xlsx", &shared_text(2_500), &shared_text_as("otherDetails")).await;
    assert_eq!(session["status"], "failed", "{session}");
    let sentence = "Once imported, this file would take up more than the 64 MB allowed for a file of its size. Shorten \
                    the values that repeat in many rows, or split it into smaller files.";
    assert_eq!(session["message"], sentence);
    assert_eq!(count_imported(&app, session_id(&session)).await, 0);
    assert!(growth < 4 * MEGABYTE, "the database grew by {growth} bytes");
}

#[tokio::test]
async fn v1_long_column_names_are_not_stored_with_each_failed_row() {
    let app = TestApp::start().await;
    let (file, mapping) = long_names(1_000);
    let (session, growth) = import_and_measure(&app, "a.csv", &file, &mapping).await;
    assert_eq!((&session["status"], &session["failedRecords"]), (&json!("completed"), &json!(1_000)), "{session}");
    assert!(growth < 10 * MEGABYTE, "the database grew by {growth} bytes");
}

#[tokio::test]
async fn v1_a_full_report_counts_the_rows_that_it_leaves_out() {
    let app = TestApp::start_with(&["--import-report-mb", "1"]).await;
    let token = app.sign_in(CLERK).await;
    let rows = 8_000;
    let file = format!("Namn,E-post,Adress\n{}", format!(",,{}\n", "x".repeat(180)).repeat(rows));
    let session = import(&app, &token, "a.csv", file.as_bytes(), &csv_mapping()).await;
    assert_eq!((&session["status"], &session["failedRecords"]), (&json!("completed"), &json!(rows)), "{session}");
    let stored = stored_rows(&app, session_id(&session)).await;
    let text = report(&app, &token, &session).await;
    let lines: Vec<&str> = text.lines().collect();
    assert!(stored > 1_000 && text.len() < 2 << 20, "{stored} rows, {} bytes", text.len());
    assert_eq!(lines.len() as i64, stored + 2);
    let end = lines.last().unwrap();
    assert!(end.contains("The report ends here. Rows with problems that it leaves out: "), "{end}");
}

#[tokio::test]
async fn v1_the_reports_of_a_tenant_share_one_storage_limit() {
    let app = TestApp::start_with(&["--import-stored-mb", "1"]).await;
    let token = app.sign_in(ADMIN).await;
    let file = format!("Namn,E-post,Adress\n{}", format!(",,{}\n", "x".repeat(180)).repeat(5_000));
    let session = import(&app, &token, "a.csv", file.as_bytes(), &csv_mapping()).await;
    assert_eq!(session["status"], "completed");
    app.advance(2 * forecourt::platform::clock::MINUTE);
    let rejected = submit(&app, &token, "b.csv", &csv(3), &csv_mapping()).await;
    assert_eq!(rejected.status, 409, "{}", rejected.body);
    let message = rejected.body["message"].as_str().unwrap();
    assert!(message.contains("more than the allowed 1 MB") && message.contains("Delete imports"), "{message}");
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(import(&app, &other_admin, "b.csv", &csv(3), &csv_mapping()).await["status"], "completed");
    assert_eq!(delete(&app, &token, &session).await.status, 200);
    assert_eq!(import(&app, &token, "b.csv", &csv(3), &csv_mapping()).await["status"], "completed");
}

#[tokio::test]
async fn v1_deleting_an_import_keeps_only_its_contacts() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let session = import(&app, &token, "a.csv", &csv(2_500), &csv_mapping()).await;
    let other = import(&app, &token, "b.csv", &csv(100), &csv_mapping()).await;
    let id = session_id(&session);
    assert_eq!(stored_rows(&app, id).await, 25);
    let response = delete(&app, &token, &session).await;
    assert_eq!((response.status.as_u16(), &response.body), (200, &json!(Done::new(text::DELETED))));
    assert_eq!((stored_rows(&app, id).await, count_imported(&app, id).await), (0, 2_475));
    for path in [format!("/api/contacts/import/status/{id}"), format!("{LIST}/{id}/failed.csv")] {
        assert_eq!(app.get(&path, Some(&token)).await.status, 404, "{path}");
    }
    let list = app.get(LIST, Some(&token)).await.body;
    assert_eq!((&list["data"], &list["pagination"]["totalImports"]), (&json!([other]), &json!(1)));
    assert_eq!(delete(&app, &token, &session).await.status, 404);
    // The list of contacts can still be filtered by the deleted import.
    let contacts = app.get(&format!("/api/contacts?importBatchId={id}&limit=1"), Some(&token)).await.body;
    assert_eq!(contacts["pagination"]["totalContacts"], 2_475);
    assert_eq!(contacts["data"][0]["importSource"], "a.csv");
    let again = import(&app, &token, "a.csv", &csv(2_500), &csv_mapping()).await;
    assert_ne!(again["sessionId"], session["sessionId"]);
    // The deleted import's row in `imports` stays until its last contact is deleted.
    let rows_left = async || count(&app, "SELECT count(*) FROM imports WHERE import_id = $1", id).await;
    assert_eq!(rows_left().await, 1);
    app.db().sql("DELETE FROM contacts WHERE import_id = $1").bind(id).exec().await.unwrap();
    sweep_and_check(&app, "the row is gone", async || rows_left().await == 0).await;
    assert_eq!(status(&app, &token, other["sessionId"].as_str().unwrap()).await, other);
}

#[tokio::test]
async fn v1_only_finished_imports_can_be_deleted_and_only_with_permission() {
    let app = TestApp::start().await;
    let (token, reader, other_admin) =
        (app.sign_in(ADMIN).await, app.sign_in(READER).await, app.sign_in(OTHER_ADMIN).await);
    let accepted = submit(&app, &token, "big.csv", &csv(200_000), &csv_mapping()).await.body;
    let session = accepted["sessionId"].as_str().unwrap();
    wait_for_status(&app, &token, session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    let response = delete(&app, &token, &accepted).await;
    assert_eq!(response.status, 409);
    assert_eq!(response.body["message"], "This import is still running. Cancel it before you delete it.");
    let cancelled = app.post(&format!("/api/contacts/import/cancel/{session}"), Some(&token), Value::Null).await;
    assert_eq!(cancelled.status, 200);
    for (token, expected) in [(&reader, 403), (&other_admin, 404), (&token, 200)] {
        assert_eq!(delete(&app, token, &accepted).await.status, expected);
    }
}

#[tokio::test]
async fn v1_an_import_expires_but_its_contacts_stay() {
    let app = TestApp::start_with(&["--import-days", "30"]).await;
    let token = app.sign_in(ADMIN).await;
    let old = import(&app, &token, "old.csv", &csv(200), &csv_mapping()).await;
    assert_eq!(
        (&old["endedAt"], &old["expiresAt"]),
        (&json!("2027-01-15T08:00:00.000Z"), &json!("2027-02-14T08:00:00.000Z"))
    );
    app.advance(29 * DAY);
    let token = app.sign_in(ADMIN).await;
    let new = import(&app, &token, "new.csv", &csv(200), &csv_mapping()).await;
    app.advance(2 * DAY);
    let id = session_id(&old);
    sweep_and_check(&app, "the report is gone", async || stored_rows(&app, id).await == 0).await;
    let token = app.sign_in(ADMIN).await;
    assert_eq!(app.get(LIST, Some(&token)).await.body["data"], json!([new]));
    assert_eq!(count_imported(&app, id).await, 198);
}

#[tokio::test]
async fn a_report_stored_by_an_older_version_is_still_readable() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = "Namn,E-post\n,a\n";
    let session =
        import(&app, &token, "a.csv", file.as_bytes(), &mapping(&[("Namn", "name"), ("E-post", "email")])).await;
    let problems = json!([
        {"row": 2, "fileColumn": "Namn", "value": "", "message": "Name is required"},
        {"row": 2, "fileColumn": "", "value": "", "message": "This row repeats row 1"},
    ]);
    let sql = "UPDATE import_failures SET problems = $1 WHERE import_id = $2";
    app.db().sql(sql).bind(Json(problems)).bind(session_id(&session)).exec().await.unwrap();
    let text = report(&app, &token, &session).await;
    assert_eq!(text.lines().nth(1), Some("2,Namn: Name is required; This row repeats row 1,,a"));
}
