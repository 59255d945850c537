//! Cancelling an import.

use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, READER, TestApp};
use crate::imports::{count, count_imported, csv, csv_mapping, import, status, submit, wait_for_status};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

async fn cancel(app: &TestApp, token: &str, session: &str) -> ApiResponse {
    app.post(&format!("/api/contacts/import/cancel/{session}"), Some(token), Value::Null).await
}

/// So many rows that the import is still running after a test has sent a few other files.
const ROWS: usize = 200_000;

/// Starts an import of [`ROWS`] rows, and returns its id once it has imported the first ones. A later import waits.
async fn start_large_import(app: &TestApp, token: &str) -> String {
    let accepted = submit(app, token, "big.csv", &csv(ROWS), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap().to_owned();
    wait_for_status(app, token, &session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    session
}

#[tokio::test]
async fn a_cancelled_import_keeps_the_rows_that_were_imported() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let session = start_large_import(&app, &token).await;
    let waiting = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let waiting = waiting.body["sessionId"].as_str().unwrap();
    // A waiting import ends immediately.
    let response = cancel(&app, &token, waiting).await;
    assert_eq!((response.status.as_u16(), &response.body["session"]["status"]), (200, &json!("cancelled")));
    assert_eq!(response.body["session"]["processedRecords"], 0);
    assert!(response.body["session"]["endedAt"].is_string());
    // A running import ends after its current batch.
    let response = cancel(&app, &token, &session).await;
    assert_eq!((response.status.as_u16(), &response.body["session"]["status"]), (200, &json!("cancelled")));
    let ended = response.body["session"].clone();
    let processed = ended["processedRecords"].as_u64().unwrap();
    assert!(processed > 0 && processed < ROWS as u64, "{ended}");
    // The worker continues with the next import.
    let next = import(&app, &token, "b.csv", &csv(5), &csv_mapping()).await;
    assert_eq!(next["status"], "completed");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(status(&app, &token, &session).await, ended);
    let id: Uuid = session.parse().unwrap();
    assert_eq!(json!(count_imported(&app, id).await), ended["successRecords"]);
    let failed = count(&app, "SELECT count(*) FROM import_failures WHERE import_id = $1", id).await;
    assert_eq!(json!(failed), ended["failedRecords"]);
    assert_eq!(count(&app, "SELECT count(*) FROM import_parts WHERE import_id = $1", id).await, 0);
    // Cancelling again has no effect.
    let again = cancel(&app, &token, &session).await;
    assert_eq!((again.status.as_u16(), &again.body["session"]), (200, &ended));
    // Sending the same file again starts a new import.
    let new = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    assert_ne!(new["sessionId"], json!(waiting));
}

#[tokio::test]
async fn a_finished_import_cannot_be_cancelled() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let session = done["sessionId"].as_str().unwrap();
    let response = cancel(&app, &token, session).await;
    assert_eq!(response.status, 409);
    assert_eq!(response.body["message"], "This import has already ended, so it can't be cancelled.");
    assert_eq!(response.body["data"], done);
    assert_eq!(status(&app, &token, session).await, done);
}

#[tokio::test]
async fn cancelling_requires_the_permission_and_the_same_corporation() {
    let app = TestApp::start().await;
    let (reader, other_admin) = (app.sign_in(READER).await, app.sign_in(OTHER_ADMIN).await);
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let session = start_large_import(&app, &token).await;
    assert_eq!(cancel(&app, &reader, &session).await.status, 403);
    assert_eq!(cancel(&app, &other_admin, &session).await.status, 404);
    assert_eq!(cancel(&app, &token, "none").await.status, 404);
    assert_eq!(status(&app, &token, &session).await["status"], "processing");
    assert_eq!(cancel(&app, &admin, &session).await.status, 200, "another permitted user can");
}
