//! The import worker: lost leases, database failures, and incomplete uploads.

use crate::app::{CLERK, OTHER_ADMIN, TestApp};
use crate::helpers::wait_until;
use crate::imports::{
    count, count_imported, csv, csv_mapping, import, is_finished, session_id, status, submit, wait_for_status,
};
use forecourt::platform::clock::HOUR;
use serde_json::json;
use uuid::Uuid;

/// Submits a file with 30,000 rows, and waits until the first ones are imported. Returns the id of the import.
pub async fn start_long_import(app: &TestApp, token: &str) -> String {
    let accepted = submit(app, token, "people.csv", &csv(30_000), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    let begun = wait_for_status(app, token, session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    assert_eq!(begun["totalRecords"], 30_000);
    session.to_owned()
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_writes_no_more_rows() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let session = &start_long_import(&app, &token).await;
    // Claim the import as another node would, and never process it.
    let id: Uuid = session.parse().unwrap();
    let taken = "UPDATE imports SET attempt = attempt + 1, leased_until = $1 WHERE import_id = $2";
    app.db().sql(taken).bind(i64::MAX).bind(id).exec().await.unwrap();
    let unchanged = status(&app, &token, session).await;
    assert_eq!(unchanged["status"], "processing");
    // The server's worker discards the rows that it still reads of this import, and can process another import.
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    let other = import(&app, &other_admin, "b.csv", &csv(5), &csv_mapping()).await;
    assert_eq!(other["status"], "completed");
    assert_eq!(status(&app, &token, session).await, unchanged);
    assert_eq!(json!(count_imported(&app, id).await), unchanged["successRecords"]);
    // The other node's lease ends, as if it had died. The server's worker continues after the last batch.
    app.db().sql("UPDATE imports SET leased_until = 0 WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.app.imports.notify_one();
    let done = wait_for_status(&app, &token, session, is_finished).await;
    assert_eq!((&done["status"], &done["processedRecords"]), (&json!("completed"), &json!(30_000)));
    assert_eq!((&done["successRecords"], &done["failedRecords"]), (&json!(29_700), &json!(300)));
    assert_eq!(count_imported(&app, id).await, 29_700);
    let failed = count(&app, "SELECT count(*) FROM import_failures WHERE import_id = $1", id).await;
    assert_eq!(failed, 300);
}

/// Waits until at least this many claims of an import have failed in a row, and none is running.
pub async fn wait_for_failed_claims(app: &TestApp, id: Uuid, tries: i32) {
    wait_until(&format!("{tries} claims have failed"), async || {
        let (now, status): (i32, String) =
            app.db().sql("SELECT tries, status FROM imports WHERE import_id = $1").bind(id).one().await.unwrap();
        now >= tries && status != "processing"
    })
    .await;
}

#[tokio::test]
async fn an_import_is_retried_on_database_errors_and_fails_in_the_end() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    // Rename only the table of failed rows, so that the worker can claim the import but not store its first batch.
    let break_statement = "ALTER TABLE import_failures RENAME TO elsewhere";
    let repair_statement = "ALTER TABLE elsewhere RENAME TO import_failures";
    app.db().sql(break_statement).exec().await.unwrap();
    let accepted = submit(&app, &token, "a.csv", &csv(150), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    let id: Uuid = session.parse().unwrap();
    wait_for_failed_claims(&app, id, 1).await;
    let waiting = status(&app, &token, session).await;
    assert_eq!((&waiting["status"], &waiting["processedRecords"]), (&json!("pending"), &json!(0)));
    assert_eq!(count_imported(&app, id).await, 0, "a batch is written completely or not at all");

    app.db().sql(repair_statement).exec().await.unwrap();
    app.advance(HOUR);
    app.app.imports.notify_one();
    let token = app.sign_in(CLERK).await;
    let done = wait_for_status(&app, &token, session, is_finished).await;
    assert_eq!((&done["status"], &done["successRecords"]), (&json!("completed"), &json!(149)));
    assert_eq!(count_imported(&app, id).await, 149);

    app.db().sql(break_statement).exec().await.unwrap();
    let accepted = submit(&app, &token, "b.csv", &csv(150), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    let id: Uuid = session.parse().unwrap();
    for tries in 1..=8 {
        wait_for_failed_claims(&app, id, tries).await;
        app.advance(HOUR);
        app.app.imports.notify_one();
    }
    let token = app.sign_in(CLERK).await;
    let given_up = wait_for_status(&app, &token, session, is_finished).await;
    assert_eq!(given_up["status"], "failed");
    assert!(given_up["message"].as_str().unwrap().contains("interrupted too many times"), "{given_up}");
    assert_eq!(count(&app, "SELECT count(*) FROM contacts WHERE import_id = $1", id).await, 0);
}

#[tokio::test]
async fn an_incomplete_upload_is_deleted_and_never_shown() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let id = session_id(&done);
    app.db().sql("DELETE FROM contacts WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.db().sql("UPDATE imports SET status = 'receiving' WHERE import_id = $1").bind(id).exec().await.unwrap();
    let response = app.get(&format!("/api/contacts/import/status/{id}"), Some(&token)).await;
    assert_eq!(response.status, 404);
    app.advance(2 * HOUR);
    let (stop_sender, stop) = tokio::sync::watch::channel(false);
    let mut jobs = forecourt::app::start::spawn_jobs(&app.app, &stop);
    wait_until("it is deleted at the start", async || {
        count(&app, "SELECT count(*) FROM imports WHERE import_id = $1", id).await == 0
    })
    .await;
    stop_sender.send(true).unwrap();
    while let Some(ended) = jobs.join_next().await {
        ended.unwrap();
    }
}
