//! Fair scheduling of imports among tenants.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::imports::{
    count_imported, csv, csv_mapping, import, is_finished, session_id, status, submit, wait_for_status,
};
use serde_json::{Value, json};

/// The number of rows of a large file, whose import takes seconds.
const MANY: usize = 200_000;

/// Submits a large file for import, and returns the response body.
async fn start_large_import(app: &TestApp, token: &str, name: &str) -> Value {
    let accepted = submit(app, token, name, &csv(MANY), &csv_mapping()).await;
    assert_eq!(accepted.status, 202, "{}", accepted.body);
    accepted.body
}

fn session(accepted: &Value) -> &str {
    accepted["sessionId"].as_str().unwrap()
}

fn is_processing(session: &Value) -> bool {
    session["status"] == "processing"
}

#[tokio::test]
async fn v6_a_small_import_of_another_tenant_does_not_wait_for_large_ones() {
    let app = TestApp::start().await;
    let (clerk, other_admin) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let mut large_ones = Vec::new();
    for i in 0..4 {
        large_ones.push(start_large_import(&app, &clerk, &format!("{i}.csv")).await);
    }
    wait_for_status(&app, &clerk, session(&large_ones[0]), is_processing).await;
    let small = import(&app, &other_admin, "small.csv", &csv(1), &csv_mapping()).await;
    assert_eq!(small["status"], "completed");
    let mut unfinished = 0;
    for accepted in &large_ones {
        unfinished += usize::from(!is_finished(&status(&app, &clerk, session(accepted)).await));
        app.post(&format!("/api/contacts/import/cancel/{}", session(accepted)), Some(&clerk), Value::Null).await;
    }
    assert!(unfinished >= 3, "{unfinished} of the large imports were unfinished");
}

#[tokio::test]
async fn v6_a_running_import_yields_when_all_workers_are_busy() {
    let app = TestApp::start_with(&["--import-workers", "2"]).await;
    let (admin, platform) = (app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    let one = start_large_import(&app, &admin, "one.csv").await;
    let other = start_large_import(&app, &platform, "other.csv").await;
    wait_for_status(&app, &admin, session(&one), is_processing).await;
    wait_for_status(&app, &platform, session(&other), is_processing).await;
    let small = import(&app, &other_admin, "small.csv", &csv(1), &csv_mapping()).await;
    assert_eq!(small["status"], "completed");
    for (token, accepted) in [(&admin, &one), (&platform, &other)] {
        assert!(!is_finished(&status(&app, token, session(accepted)).await), "it is still in progress, or waits");
        app.post(&format!("/api/contacts/import/cancel/{}", session(accepted)), Some(token), Value::Null).await;
    }
}

#[tokio::test]
async fn v6_an_import_that_yielded_loses_no_row() {
    const ROWS: usize = 20_000;
    let app = TestApp::start_with(&["--import-workers", "2"]).await;
    let (admin, platform) = (app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    let mut sent = Vec::new();
    for token in [&admin, &platform] {
        let accepted = submit(&app, token, "a.csv", &csv(ROWS), &csv_mapping()).await;
        assert_eq!(accepted.status, 202, "{}", accepted.body);
        sent.push((token, accepted.body));
    }
    let mut small_ones = 0;
    for (token, accepted) in &sent {
        // Small imports of another tenant interrupt the large import repeatedly.
        while !is_finished(&status(&app, token, session(accepted)).await) && small_ones < 20 {
            small_ones += 1;
            let small = import(&app, &other_admin, &format!("{small_ones}.csv"), &csv(1), &csv_mapping()).await;
            assert_eq!(small["status"], "completed");
        }
        let done = wait_for_status(&app, token, session(accepted), is_finished).await;
        assert_eq!((&done["status"], &done["processedRecords"]), (&json!("completed"), &json!(ROWS)), "{done}");
        assert_eq!(count_imported(&app, session_id(&done)).await as usize, ROWS - ROWS / 100);
    }
}
