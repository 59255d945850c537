//! An import that a person ends.

use crate::app::{ADMIN, Answer, CLERK, READER, STRANGER, TestApp};
use crate::imports::{count, csv, csv_mapping, import, rows_of, status, submit, watch};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

async fn cancel(app: &TestApp, token: &str, session: &str) -> Answer {
    app.post(&format!("/api/contacts/import/cancel/{session}"), Some(token), Value::Null).await
}

/// More rows than are written while a test sends a few files.
const ROWS: usize = 200_000;

/// An import at work, so that the next one waits.
async fn busy(app: &TestApp, token: &str) -> String {
    let accepted = submit(app, token, "big.csv", &csv(ROWS), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap().to_owned();
    watch(app, token, &session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    session
}

#[tokio::test]
async fn a_cancelled_import_keeps_what_was_imported_and_no_more() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let session = busy(&app, &token).await;
    let waiting = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let waiting = waiting.body["sessionId"].as_str().unwrap();
    // One that waits is over at once.
    let answer = cancel(&app, &token, waiting).await;
    assert_eq!((answer.status.as_u16(), &answer.body["session"]["status"]), (200, &json!("cancelled")));
    assert_eq!(answer.body["session"]["processedRecords"], 0);
    assert!(answer.body["session"]["endedAt"].is_string());
    // One at work ends with the batch that is being written.
    let answer = cancel(&app, &token, &session).await;
    assert_eq!((answer.status.as_u16(), &answer.body["session"]["status"]), (200, &json!("cancelled")));
    let ended = answer.body["session"].clone();
    let processed = ended["processedRecords"].as_u64().unwrap();
    assert!(processed > 0 && processed < ROWS as u64, "{ended}");
    // The worker turns to the next one.
    let next = import(&app, &token, "b.csv", &csv(5), &csv_mapping()).await;
    assert_eq!(next["status"], "completed");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(status(&app, &token, &session).await, ended);
    let id: Uuid = session.parse().unwrap();
    assert_eq!(json!(rows_of(&app, id).await), ended["successRecords"]);
    let failed = count(&app, "SELECT count(*) FROM import_failures WHERE import_id = $1", id).await;
    assert_eq!(json!(failed), ended["failedRecords"]);
    assert_eq!(count(&app, "SELECT count(*) FROM import_parts WHERE import_id = $1", id).await, 0);
    // Twice is once.
    let again = cancel(&app, &token, &session).await;
    assert_eq!((again.status.as_u16(), &again.body["session"]), (200, &ended));
    // The same file sent again is meant.
    let anew = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    assert_ne!(anew["sessionId"], json!(waiting));
}

#[tokio::test]
async fn an_import_that_is_over_stays_as_it_ended() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let session = done["sessionId"].as_str().unwrap();
    let answer = cancel(&app, &token, session).await;
    assert_eq!(answer.status, 409);
    assert_eq!(answer.body["message"], "This import is over already, so it can't be cancelled any more.");
    assert_eq!(answer.body["data"], done);
    assert_eq!(status(&app, &token, session).await, done);
}

#[tokio::test]
async fn only_who_may_import_cancels_and_only_in_their_corporation() {
    let app = TestApp::start().await;
    let (reader, stranger) = (app.sign_in(READER).await, app.sign_in(STRANGER).await);
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let session = busy(&app, &token).await;
    assert_eq!(cancel(&app, &reader, &session).await.status, 403);
    assert_eq!(cancel(&app, &stranger, &session).await.status, 404);
    assert_eq!(cancel(&app, &token, "none").await.status, 404);
    assert_eq!(status(&app, &token, &session).await["status"], "processing");
    assert_eq!(cancel(&app, &admin, &session).await.status, 200, "a colleague may");
}
