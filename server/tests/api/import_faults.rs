//! Imports whose disk, database or child fails in the middle of them, or that are ended at an odd moment.

use crate::app::{CLERK, TestApp};
use crate::import_jobs::given_back;
use crate::import_reader::{HONEST, Impostor, TRUE, waits};
use crate::imports::{count, csv, csv_mapping, id_of, import, is_over, rows_of, status, submit, watch};
use crate::steps::{give_back, skip, take_away, until};
use forecourt::platform::clock::{HOUR, SECOND};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// A child that has said the head and now says that these were all rows, and that it is done, each once the folder holds
/// its word.
fn by_turns(impostor: &Impostor) {
    let (whole, end) = (impostor.until("whole-is-said"), impostor.until("end-is-said"));
    impostor
        .does("whole", &format!("{HONEST}\n{whole}\nprintf '\\002\\0\\0\\0\\0'\n{end}\nprintf '\\003\\0\\0\\0\\0'"));
}

/// Lets the child say that these were all rows. The server waits for what it says next once it has noted how many.
async fn whole_is_said(app: &TestApp, impostor: &Impostor, token: &str, accepted: &Value) {
    watch(app, token, accepted["sessionId"].as_str().unwrap(), |s| s["status"] == "processing").await;
    let id = id_of(accepted);
    let noted = async || count(app, "SELECT updated_at FROM imports WHERE import_id = $1", id).await;
    let begun = noted().await;
    app.pass(SECOND);
    impostor.does("whole-is-said", "");
    until("the total is noted", async || noted().await > begun).await;
}

/// What was given back is tried again after a while, and comes to its end: three rows.
async fn is_tried_again(app: &TestApp, session: &Value) {
    app.pass(HOUR);
    app.app.imports.notify_one();
    let token = app.sign_in(CLERK).await;
    let done = watch(app, &token, session["sessionId"].as_str().unwrap(), is_over).await;
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(rows_of(app, id_of(&done)).await, 3);
}

#[tokio::test]
async fn an_import_that_is_cancelled_at_its_very_end_stays_cancelled() {
    let impostor = Impostor::new();
    by_turns(&impostor);
    let app = impostor.app().await;
    let token = app.sign_in(CLERK).await;
    let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let session = accepted.body["sessionId"].as_str().unwrap();
    whole_is_said(&app, &impostor, &token, &accepted.body).await;
    let path = format!("/api/contacts/import/cancel/{session}");
    assert_eq!(app.post(&path, Some(&token), Value::Null).await.status, 200);
    let ended = status(&app, &token, session).await;
    impostor.does("end-is-said", "");
    impostor.does("whole", TRUE);
    assert_eq!(import(&app, &token, "b.csv", &csv(5), &csv_mapping()).await["status"], "completed");
    assert_eq!((&ended["status"], &status(&app, &token, session).await), (&json!("cancelled"), &ended));
}

#[tokio::test]
async fn an_import_whose_database_is_away_while_it_is_at_work_goes_on_when_it_is_back() {
    let impostor = Impostor::new();
    waits(&impostor);
    let app = impostor.app().await;
    let token = app.sign_in(CLERK).await;
    let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    watch(&app, &token, accepted.body["sessionId"].as_str().unwrap(), |s| s["status"] == "processing").await;
    take_away(&app, "imports").await;
    // Its lease can't be extended, what it comes to can't be noted, and no other can be claimed.
    let tried = async |times: u64, what: &str| {
        let before = app.db().statements();
        until(what, async || app.db().statements() >= before + times).await;
    };
    skip(Duration::from_secs(5)).await;
    tried(1, "the lease").await;
    impostor.does("go", "");
    tried(4, "the end").await;
    give_back(&app, "imports").await;
    is_tried_again(&app, &accepted.body).await;
}

#[tokio::test]
async fn a_child_that_says_nothing_for_two_minutes_is_ended_and_its_import_tried_again() {
    let impostor = Impostor::new();
    by_turns(&impostor);
    let app = impostor.app().await;
    let token = app.sign_in(CLERK).await;
    let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    whole_is_said(&app, &impostor, &token, &accepted.body).await;
    // Once: what is to be noted then would be in a hurry if more time was skipped.
    skip(Duration::from_secs(121)).await;
    given_back(&app, id_of(&accepted.body), 1).await;
    impostor.does("whole", TRUE);
    is_tried_again(&app, &accepted.body).await;
}

#[tokio::test]
async fn an_import_waits_for_a_disk_that_takes_no_file() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let token = app.sign_in(CLERK).await;
    // Taken in by a node that does no jobs; the folder of the one that does them is none meanwhile.
    let accepted = submit(&node, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let folder = app.data_dir().join("tmp");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "").unwrap();
    app.app.imports.notify_one();
    given_back(&app, id_of(&accepted.body), 1).await;
    std::fs::remove_file(&folder).unwrap();
    is_tried_again(&app, &accepted.body).await;
}

#[tokio::test]
async fn an_import_that_has_ended_the_program_eight_times_is_given_up_unread() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let token = app.sign_in(CLERK).await;
    let accepted = submit(&node, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let id = id_of(&accepted.body);
    app.db().sql("UPDATE imports SET tries = 8 WHERE import_id = $1").bind(id).exec().await.unwrap();
    app.app.imports.notify_one();
    let given_up = watch(&app, &token, accepted.body["sessionId"].as_str().unwrap(), is_over).await;
    assert_eq!(given_up["status"], "failed");
    assert!(given_up["message"].as_str().unwrap().contains("interrupted too many times"), "{given_up}");
    assert_eq!(rows_of(&app, id).await, 0);
}

#[tokio::test]
async fn an_import_whose_columns_are_others_than_were_mapped_fails_with_the_rule_that_it_breaks() {
    let impostor = Impostor::new();
    // It reads another file than it was given.
    impostor.does("other", &String::from_utf8(csv(3)).unwrap().replace("Namn", "Nomn"));
    impostor.does("whole", &format!(r#"{TRUE} <"${{0%/*}}/other""#));
    let app = impostor.app().await;
    let token = app.sign_in(CLERK).await;
    let session = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    assert_eq!((&session["status"], &session["processedRecords"]), (&json!("failed"), &json!(0)));
    assert_eq!(session["message"], "Please map all columns before importing", "{session}");
}

#[tokio::test]
async fn twenty_imports_of_a_corporation_may_wait_and_no_more() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let done = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
    let again = "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, status, leased_until, \
                 created_at, updated_at) SELECT corp_id, $1, user_id, file_name, file_size, mapping, 'pending', $2, \
                 created_at, updated_at FROM imports WHERE import_id = $3";
    for _ in 0..20 {
        let waits = app.db().sql(again).bind(Uuid::now_v7()).bind(i64::MAX).bind(id_of(&done));
        assert_eq!(waits.exec().await.unwrap(), 1);
    }
    let refused = submit(&app, &token, "b.csv", &csv(3), &csv_mapping()).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    app.db().sql("DELETE FROM imports WHERE leased_until = $1").bind(i64::MAX).exec().await.unwrap();
    assert_eq!(import(&app, &token, "b.csv", &csv(3), &csv_mapping()).await["status"], "completed");
}

#[tokio::test]
async fn a_report_that_cannot_be_read_to_its_end_breaks_off_and_looks_like_no_whole_one() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let session = import(&app, &token, "a.csv", &csv(150), &csv_mapping()).await;
    take_away(&app, "import_failures").await;
    let path = format!("/api/contacts/imports/{}/failed.csv", session["sessionId"].as_str().unwrap());
    let answer = app.request(Method::GET, &path, Some(&token)).send().await;
    let whole = match answer {
        Ok(answer) => answer.bytes().await.is_ok(),
        Err(_) => false,
    };
    assert!(!whole);
}

#[tokio::test]
async fn a_file_that_an_import_left_behind_is_forgotten_however_many_parts_it_has() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let id = id_of(&import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await);
    let parts = async || count(&app, "SELECT count(*) FROM import_parts WHERE import_id = $1", id).await;
    until("its own are gone", async || parts().await == 0).await;
    for part in 0..40 {
        let left = "INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $2, $3, $4)";
        app.db().sql(left).bind(app.nordbil).bind(id).bind(part).bind(vec![0_u8]).exec().await.unwrap();
    }
    forecourt::features::import::sweep(&app.app).await.unwrap();
    assert_eq!(parts().await, 0);
    assert_eq!(status(&app, &token, &id.to_string()).await["status"], "completed");
}

#[tokio::test]
async fn a_worker_that_finds_no_database_goes_on_asking_until_it_is_told_to_end() {
    let app = TestApp::start().await;
    app.db().close().await;
    let (tell, stop) = tokio::sync::watch::channel(false);
    let before = app.db().statements();
    let worker = tokio::spawn(forecourt::features::import::worker(app.app.clone(), stop));
    // Claims of the previous process, and imports that wait: each fails.
    until("it has asked", async || app.db().statements() >= before + 3).await;
    assert!(!worker.is_finished());
    tell.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(20), worker).await.expect("it ends").unwrap();
}
