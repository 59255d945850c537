//! Tenants take turns with their imports.

use crate::app::{ADMIN, CLERK, STRANGER, SUPER_ADMIN, TestApp};
use crate::imports::{csv, csv_mapping, id_of, import, is_over, rows_of, status, submit, watch};
use serde_json::{Value, json};

/// Rows of a file that takes a while.
const MANY: usize = 200_000;

/// Sends a file that takes a while; the answer's body.
async fn large(app: &TestApp, token: &str, name: &str) -> Value {
    let accepted = submit(app, token, name, &csv(MANY), &csv_mapping()).await;
    assert_eq!(accepted.status, 202, "{}", accepted.body);
    accepted.body
}

fn session(accepted: &Value) -> &str {
    accepted["sessionId"].as_str().unwrap()
}

fn is_begun(session: &Value) -> bool {
    session["status"] == "processing"
}

#[tokio::test]
async fn v6_a_small_import_of_another_tenant_does_not_wait_for_large_ones() {
    let app = TestApp::start().await;
    let (clerk, stranger) = (app.sign_in(CLERK).await, app.sign_in(STRANGER).await);
    let mut large_ones = Vec::new();
    for i in 0..4 {
        large_ones.push(large(&app, &clerk, &format!("{i}.csv")).await);
    }
    watch(&app, &clerk, session(&large_ones[0]), is_begun).await;
    let small = import(&app, &stranger, "small.csv", &csv(1), &csv_mapping()).await;
    assert_eq!(small["status"], "completed");
    let mut unfinished = 0;
    for accepted in &large_ones {
        unfinished += usize::from(!is_over(&status(&app, &clerk, session(accepted)).await));
        app.post(&format!("/api/contacts/import/cancel/{}", session(accepted)), Some(&clerk), Value::Null).await;
    }
    assert!(unfinished >= 3, "{unfinished} of the large imports were unfinished");
}

#[tokio::test]
async fn v6_an_import_gives_way_when_every_lane_is_taken() {
    let app = TestApp::start_with(&["--import-workers", "2"]).await;
    let (clerk, platform) = (app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let stranger = app.sign_in(STRANGER).await;
    let one = large(&app, &clerk, "one.csv").await;
    let other = large(&app, &platform, "other.csv").await;
    watch(&app, &clerk, session(&one), is_begun).await;
    watch(&app, &platform, session(&other), is_begun).await;
    let small = import(&app, &stranger, "small.csv", &csv(1), &csv_mapping()).await;
    assert_eq!(small["status"], "completed");
    for (token, accepted) in [(&clerk, &one), (&platform, &other)] {
        assert!(!is_over(&status(&app, token, session(accepted)).await), "it is still in progress, or waits");
        app.post(&format!("/api/contacts/import/cancel/{}", session(accepted)), Some(token), Value::Null).await;
    }
}

#[tokio::test]
async fn v6_an_import_that_gave_way_loses_no_row() {
    const ROWS: usize = 20_000;
    let app = TestApp::start_with(&["--import-workers", "2"]).await;
    let (clerk, platform) = (app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let stranger = app.sign_in(STRANGER).await;
    let mut sent = Vec::new();
    for token in [&clerk, &platform] {
        let accepted = submit(&app, token, "a.csv", &csv(ROWS), &csv_mapping()).await;
        assert_eq!(accepted.status, 202, "{}", accepted.body);
        sent.push((token, accepted.body));
    }
    let mut small_ones = 0;
    for (token, accepted) in &sent {
        // Others come in between again and again.
        while !is_over(&status(&app, token, session(accepted)).await) && small_ones < 20 {
            small_ones += 1;
            let small = import(&app, &stranger, &format!("{small_ones}.csv"), &csv(1), &csv_mapping()).await;
            assert_eq!(small["status"], "completed");
        }
        let done = watch(&app, token, session(accepted), is_over).await;
        assert_eq!((&done["status"], &done["processedRecords"]), (&json!("completed"), &json!(ROWS)), "{done}");
        assert_eq!(rows_of(&app, id_of(&done)).await as usize, ROWS - ROWS / 100);
    }
}
