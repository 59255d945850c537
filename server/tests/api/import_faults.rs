//! Imports whose disk, database or reader process fails, or that are cancelled at an unusual moment.

use crate::app::{CLERK, TestApp};
use crate::helpers::{advance_time, break_table, restore_table, wait_until};
use crate::import_reader::{FakeReader, RUN_READER, SEND_REAL_HEAD, hold_until_go};
use crate::import_worker::wait_for_failed_claims;
use crate::imports::{
    count, count_imported, csv, csv_mapping, import, is_finished, session_id, status, submit, wait_for_status,
};
use forecourt::platform::clock::{HOUR, SECOND};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// Submits a file with three rows as the clerk. Returns the clerk's access token and the response body.
async fn sign_in_and_submit_three_rows(app: &TestApp) -> (String, Value) {
    let token = app.sign_in(CLERK).await;
    let accepted = submit(app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    (token, accepted.body)
}

/// Makes the fake reader send the head at once, the frame "all rows read" when the file `send-whole` exists in its
/// folder, and the frame "end" when `send-end` exists.
fn send_frames_on_demand(fake: &FakeReader) {
    let (whole, end) = (fake.wait_command("send-whole"), fake.wait_command("send-end"));
    fake.write_file(
        "whole",
        &format!("{SEND_REAL_HEAD}\n{whole}\nprintf '\\002\\0\\0\\0\\0'\n{end}\nprintf '\\003\\0\\0\\0\\0'"),
    );
}

/// Lets the fake reader send "all rows read", and waits until the server has stored the total. The server then waits
/// for the next frame.
async fn report_all_rows(app: &TestApp, fake: &FakeReader, token: &str, accepted: &Value) {
    wait_for_status(app, token, accepted["sessionId"].as_str().unwrap(), |s| s["status"] == "processing").await;
    let id = session_id(accepted);
    let updated_at = async || count(app, "SELECT updated_at FROM imports WHERE import_id = $1", id).await;
    let begun = updated_at().await;
    app.advance(SECOND);
    fake.write_file("send-whole", "");
    wait_until("the total is noted", async || updated_at().await > begun).await;
}

/// Advances the clock past the lease and the retry delay. Asserts that the import is retried then, and completes with
/// three contacts.
async fn assert_is_retried(app: &TestApp, accepted: &Value) {
    app.advance(HOUR);
    app.app.imports.notify_one();
    let token = app.sign_in(CLERK).await;
    let done = wait_for_status(app, &token, accepted["sessionId"].as_str().unwrap(), is_finished).await;
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(count_imported(app, session_id(&done)).await, 3);
}

#[tokio::test]
async fn an_import_cancelled_just_before_its_end_stays_cancelled() {
    let fake = FakeReader::new();
    send_frames_on_demand(&fake);
    let app = fake.app().await;
    let (token, accepted) = sign_in_and_submit_three_rows(&app).await;
    let session = accepted["sessionId"].as_str().unwrap();
    report_all_rows(&app, &fake, &token, &accepted).await;
    let path = format!("/api/contacts/import/cancel/{session}");
    assert_eq!(app.post(&path, Some(&token), Value::Null).await.status, 200);
    let ended = status(&app, &token, session).await;
    fake.write_file("send-end", "");
    fake.write_file("whole", RUN_READER);
    assert_eq!(import(&app, &token, "b.csv", &csv(5), &csv_mapping()).await["status"], "completed");
    assert_eq!((&ended["status"], &status(&app, &token, session).await), (&json!("cancelled"), &ended));
}

#[tokio::test]
async fn an_import_is_retried_after_the_database_was_unavailable() {
    let fake = FakeReader::new();
    hold_until_go(&fake);
    let app = fake.app().await;
    let (token, accepted) = sign_in_and_submit_three_rows(&app).await;
    wait_for_status(&app, &token, accepted["sessionId"].as_str().unwrap(), |s| s["status"] == "processing").await;
    break_table(&app, "imports").await;
    // While its table is missing, the lease cannot be extended, the result not stored, and no import claimed.
    let statements_executed = async |times: u64, what: &str| {
        let before = app.db().statements();
        wait_until(what, async || app.db().statements() >= before + times).await;
    };
    advance_time(Duration::from_secs(5)).await;
    statements_executed(1, "the lease").await;
    fake.write_file("go", "");
    statements_executed(4, "the end").await;
    restore_table(&app, "imports").await;
    assert_is_retried(&app, &accepted).await;
}

#[tokio::test]
async fn a_reader_that_is_silent_for_two_minutes_is_ended_and_retried() {
    let fake = FakeReader::new();
    send_frames_on_demand(&fake);
    let app = fake.app().await;
    let (token, accepted) = sign_in_and_submit_three_rows(&app).await;
    report_all_rows(&app, &fake, &token, &accepted).await;
    // Advance the time only once: any more would also let the next database statement time out.
    advance_time(Duration::from_secs(121)).await;
    wait_for_failed_claims(&app, session_id(&accepted), 1).await;
    fake.write_file("whole", RUN_READER);
    assert_is_retried(&app, &accepted).await;
}

#[tokio::test]
async fn an_import_is_retried_while_its_file_cannot_be_written() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    // A node without jobs accepts the import. On the node with jobs, a file replaces the folder for temporary files.
    let (_, accepted) = sign_in_and_submit_three_rows(&node).await;
    let folder = app.data_dir().join("tmp");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "").unwrap();
    app.app.imports.notify_one();
    wait_for_failed_claims(&app, session_id(&accepted), 1).await;
    std::fs::remove_file(&folder).unwrap();
    assert_is_retried(&app, &accepted).await;
}

#[tokio::test]
async fn an_import_fails_after_eight_interrupted_attempts() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (token, accepted) = sign_in_and_submit_three_rows(&node).await;
    let id = session_id(&accepted);
    app.db().sql("UPDATE imports SET tries = 8 WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.app.imports.notify_one();
    let given_up = wait_for_status(&app, &token, accepted["sessionId"].as_str().unwrap(), is_finished).await;
    assert_eq!(given_up["status"], "failed");
    assert!(given_up["message"].as_str().unwrap().contains("interrupted too many times"), "{given_up}");
    assert_eq!(count_imported(&app, id).await, 0);
}

#[tokio::test]
async fn an_import_fails_if_the_columns_do_not_match_the_mapping() {
    let fake = FakeReader::new();
    // The fake reader lets the real one read another file, in which a column has another name.
    fake.write_file("other", &String::from_utf8(csv(3)).unwrap().replace("Namn", "Nomn"));
    fake.write_file("whole", &format!(r#"{RUN_READER} <"${{0%/*}}/other""#));
    let app = fake.app().await;
    let token = app.sign_in(CLERK).await;
    let session = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    assert_eq!((&session["status"], &session["processedRecords"]), (&json!("failed"), &json!(0)));
    assert_eq!(session["message"], "Please map all columns before importing", "{session}");
}

#[tokio::test]
async fn at_most_twenty_imports_of_a_corporation_can_wait() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let again = "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, status, leased_until, \
                 created_at, updated_at) SELECT corp_id, $1, user_id, file_name, file_size, mapping, 'pending', $2, \
                 created_at, updated_at FROM imports WHERE import_id = $3";
    for _ in 0..20 {
        let waits = app.db().sql(again).bind(Uuid::now_v7()).bind(i64::MAX).bind(session_id(&done));
        assert_eq!(waits.exec().await.unwrap(), 1);
    }
    let rejected = submit(&app, &token, "b.csv", &csv(3), &csv_mapping()).await;
    assert_eq!(rejected.status, 409, "{}", rejected.body);
    app.db().sql("DELETE FROM imports WHERE leased_until = $1").bind(i64::MAX).exec().await.unwrap();
    assert_eq!(import(&app, &token, "b.csv", &csv(3), &csv_mapping()).await["status"], "completed");
}

#[tokio::test]
async fn a_report_breaks_off_if_the_database_fails() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let session = import(&app, &token, "a.csv", &csv(150), &csv_mapping()).await;
    break_table(&app, "import_failures").await;
    let path = format!("/api/contacts/imports/{}/failed.csv", session["sessionId"].as_str().unwrap());
    let response = app.request(Method::GET, &path, Some(&token)).send().await;
    let whole = match response {
        Ok(response) => response.bytes().await.is_ok(),
        Err(_) => false,
    };
    assert!(!whole);
}

#[tokio::test]
async fn leftover_file_parts_are_deleted() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let id = session_id(&import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await);
    let parts = async || count(&app, "SELECT count(*) FROM import_parts WHERE import_id = $1", id).await;
    wait_until("its own parts are deleted", async || parts().await == 0).await;
    for part in 0..40 {
        let insert = "INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $2, $3, $4)";
        app.db().sql(insert).bind(app.nordbil).bind(id).bind(part).bind(vec![0_u8]).exec().await.unwrap();
    }
    forecourt::features::import::sweep(&app.app).await.unwrap();
    assert_eq!(parts().await, 0);
    assert_eq!(status(&app, &token, &id.to_string()).await["status"], "completed");
}

#[tokio::test]
async fn a_worker_without_a_database_keeps_trying_until_shutdown() {
    let app = TestApp::start().await;
    app.db().close().await;
    let (stop_sender, stop) = tokio::sync::watch::channel(false);
    let before = app.db().statements();
    let worker = tokio::spawn(forecourt::features::import::worker(app.app.clone(), stop));
    // The worker queries the claims of the previous process and the waiting imports. Each statement fails.
    wait_until("it has queried the database", async || app.db().statements() >= before + 3).await;
    assert!(!worker.is_finished());
    stop_sender.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(20), worker).await.expect("it ends").unwrap();
}
