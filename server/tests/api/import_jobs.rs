//! What the import worker does when things go wrong around it.

use crate::app::{CLERK, STRANGER, TestApp};
use crate::imports::{count, csv, csv_mapping, id_of, import, is_over, rows_of, status, submit, watch};
use crate::steps::until;
use forecourt::platform::clock::HOUR;
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn a_worker_that_lost_its_lease_writes_nothing_more() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let accepted = submit(&app, &token, "a.csv", &csv(30_000), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    let begun = watch(&app, &token, session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    assert_eq!(begun["totalRecords"], 30_000);
    // Another node claims it, and does nothing.
    let id: Uuid = session.parse().unwrap();
    let taken = "UPDATE imports SET attempt = attempt + 1, leased_until = $1 WHERE import_id = $2";
    app.db().sql(taken).bind(i64::MAX).bind(id).exec().await.unwrap();
    let halted = status(&app, &token, session).await;
    assert_eq!(halted["status"], "processing");
    // What this worker goes on to read comes to nothing, while it works on another import.
    let stranger = app.sign_in(STRANGER).await;
    let other = import(&app, &stranger, "b.csv", &csv(5), &csv_mapping()).await;
    assert_eq!(other["status"], "completed");
    assert_eq!(status(&app, &token, session).await, halted);
    assert_eq!(json!(rows_of(&app, id).await), halted["successRecords"]);
    // That node dies: the import goes on behind what was done.
    app.db().sql("UPDATE imports SET leased_until = 0 WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.app.imports.notify_one();
    let done = watch(&app, &token, session, is_over).await;
    assert_eq!((&done["status"], &done["processedRecords"]), (&json!("completed"), &json!(30_000)));
    assert_eq!((&done["successRecords"], &done["failedRecords"]), (&json!(29_700), &json!(300)));
    assert_eq!(rows_of(&app, id).await, 29_700);
    let failed = count(&app, "SELECT count(*) FROM import_failures WHERE import_id = $1", id).await;
    assert_eq!(failed, 300);
}

/// Waits until the import was claimed and given back so many times.
pub async fn given_back(app: &TestApp, id: Uuid, tries: i32) {
    until(&format!("the import is given back after {tries} tries"), async || {
        let (now, status): (i32, String) =
            app.db().sql("SELECT tries, status FROM imports WHERE import_id = $1").bind(id).one().await.unwrap();
        now >= tries && status != "processing"
    })
    .await;
}

#[tokio::test]
async fn an_import_waits_for_a_database_in_trouble_and_is_given_up_in_the_end() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    // The database refuses what the worker writes, and nothing else.
    let trouble = "ALTER TABLE import_failures RENAME TO elsewhere";
    let over = "ALTER TABLE elsewhere RENAME TO import_failures";
    app.db().sql(trouble).exec().await.unwrap();
    let accepted = submit(&app, &token, "a.csv", &csv(150), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    let id: Uuid = session.parse().unwrap();
    given_back(&app, id, 1).await;
    let waiting = status(&app, &token, session).await;
    assert_eq!((&waiting["status"], &waiting["processedRecords"]), (&json!("pending"), &json!(0)));
    assert_eq!(rows_of(&app, id).await, 0, "a batch is written wholly or not at all");

    app.db().sql(over).exec().await.unwrap();
    app.pass(HOUR);
    app.app.imports.notify_one();
    let token = app.sign_in(CLERK).await;
    let done = watch(&app, &token, session, is_over).await;
    assert_eq!((&done["status"], &done["successRecords"]), (&json!("completed"), &json!(149)));
    assert_eq!(rows_of(&app, id).await, 149);

    app.db().sql(trouble).exec().await.unwrap();
    let accepted = submit(&app, &token, "b.csv", &csv(150), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    let id: Uuid = session.parse().unwrap();
    for tries in 1..=8 {
        given_back(&app, id, tries).await;
        app.pass(HOUR);
        app.app.imports.notify_one();
    }
    let token = app.sign_in(CLERK).await;
    let given_up = watch(&app, &token, session, is_over).await;
    assert_eq!(given_up["status"], "failed");
    assert!(given_up["message"].as_str().unwrap().contains("interrupted too many times"), "{given_up}");
    assert_eq!(count(&app, "SELECT count(*) FROM contacts WHERE import_id = $1", id).await, 0);
}

#[tokio::test]
async fn an_upload_that_never_came_whole_is_swept_and_shown_to_nobody() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let id = id_of(&done);
    app.db().sql("DELETE FROM contacts WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.db().sql("UPDATE imports SET status = 'receiving' WHERE import_id = $1").bind(id).exec().await.unwrap();
    let answer = app.get(&format!("/api/contacts/import/status/{id}"), Some(&token)).await;
    assert_eq!(answer.status, 404);
    app.pass(2 * HOUR);
    let (ask, stop) = tokio::sync::watch::channel(false);
    let mut jobs = forecourt::app::start::jobs(&app.app, &stop);
    until("it is swept at the start", async || {
        count(&app, "SELECT count(*) FROM imports WHERE import_id = $1", id).await == 0
    })
    .await;
    ask.send(true).unwrap();
    while let Some(ended) = jobs.join_next().await {
        ended.unwrap();
    }
}
