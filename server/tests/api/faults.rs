//! What signs people in, and what they may do, where the database fails in the middle of it, and where two come at once.

use crate::app::{ADMIN, CLERK, PASSWORD, STRANGER, TestApp};
use crate::browser::{self, Browser, verified};
use crate::provider::{Case, Provider};
use crate::steps::*;
use forecourt::features::auth::admin::first_start;
use forecourt::features::state::App;
use forecourt::platform::clock::SECOND;
use forecourt::platform::encryption;
use forecourt_core::text::UNEXPECTED;
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Notify;

/// The call comes to a fault of the server's own, which no call is said to answer.
async fn fails(app: &TestApp, path: &str, token: &str, body: &Value) {
    let answer = app.request(Method::POST, path, Some(token)).json(body).send().await.unwrap();
    assert_eq!(answer.status(), 500);
    assert_eq!(answer.json::<Value>().await.unwrap()["message"], UNEXPECTED);
}

#[tokio::test]
async fn a_journey_that_cannot_be_written_down_is_not_begun() {
    let provider = Provider::start().await;
    let app = browser::start(&provider).await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    take_away(&app, "journeys").await;
    assert_eq!(browser.leave().await, "/login?federated=failed");
    fails(&app, "/api/auth/google/connect", &access, &browser::proof()).await;
}

#[tokio::test]
async fn who_comes_back_while_connections_cannot_be_read_or_written_lands_as_if_it_had_failed() {
    let provider = Provider::start().await;
    let app = browser::start(&provider).await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    take_away(&app, "identities").await;
    assert_eq!(browser.land(&provider).await, "/login?federated=failed");
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=failed");
    give_back(&app, "identities").await;
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn who_is_disconnected_while_they_come_back_is_not_let_in() {
    let provider = Provider::start().await;
    let app = browser::start(&provider).await;
    verified(&app, CLERK).await;
    let claims = json!({"email": CLERK, "email_verified": true});
    provider.says(claims.clone());
    Browser::new(&app).sign_in(&provider).await;
    let told = Arc::new(Notify::new());
    provider.set(Case { claims, waits_for: Some(told.clone()), ..Case::default() });
    let node = app.another_node().await;
    let browser = Browser::new(&node);
    let back = provider.agree(&browser.leave().await);
    provider.asked();
    let disconnect = async {
        until("the provider is asked", async || provider.asked().contains(&"token")).await;
        let mut tx = app.db().begin().await.unwrap();
        // Whoever is changed is locked.
        for text in ["UPDATE users SET version = version", "UPDATE identities SET subject = NULL"] {
            tx.sql(text).exec().await.unwrap();
        }
        let asked = node.db().statements();
        told.notify_one();
        // Whose account it is was asked; what follows waits.
        until("it is asked", async || node.db().statements() > asked).await;
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        tx.commit().await.unwrap();
    };
    let (landed, ()) = tokio::join!(browser.open(&back), disconnect);
    assert_eq!(landed, "/login?federated=unknown");
    assert_eq!(count(&app, "SELECT count(*) FROM handoffs").await, 0);
}

#[tokio::test]
async fn o1_of_two_who_ask_at_once_for_another_code_one_is_sent_it() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let _ = code(&app, CLERK, DEVICE, false).await;
    app.pass(30 * SECOND);
    let mut tx = app.db().begin().await.unwrap();
    // Whoever wants to write it waits, whoever reads it doesn't.
    tx.sql("UPDATE login_codes SET remember = remember").exec().await.unwrap();
    let asked = node.db().statements();
    let release = async {
        // Each counts the call, finds the account and the code, counts the code, and waits; on SQLite at the first of these.
        until("both have read it", async || node.db().statements() >= asked + node.db().pick(2, 8)).await;
        tx.commit().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(resend(&node, CLERK, DEVICE), resend(&node, CLERK, DEVICE), release);
    let mut answers = [one, other];
    answers.sort_by_key(|answer| answer.status);
    assert_eq!(answers[0].status, 200, "{}", answers[0].body);
    assert_throttled(&answers[1], 30);
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, 2);
}

#[tokio::test]
async fn a_sign_in_that_is_done_does_not_fail_for_a_counter_that_goes_on() {
    let app = TestApp::start().await;
    let otp = code(&app, CLERK, DEVICE, false).await;
    let stays = app.db().pick(
        "CREATE TRIGGER stays BEFORE DELETE ON throttles BEGIN SELECT RAISE(ABORT, 'it stays'); END",
        "REVOKE DELETE ON throttles FROM CURRENT_USER",
    );
    app.db().sql(stays).exec().await.unwrap();
    let counters = count(&app, "SELECT count(*) FROM throttles").await;
    let access = tokens(&verify(&app, CLERK, &otp, DEVICE).await).0;
    assert!(works(&app, &access).await);
    assert!(count(&app, "SELECT count(*) FROM throttles").await >= counters);
}

#[tokio::test]
async fn a_role_that_cannot_be_written_is_a_fault_and_no_name_that_is_taken() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    take_away(&app, "roles").await;
    fails(&app, "/api/rbac/roles", &admin, &json!({"name": "New", "description": "x"})).await;
}

#[tokio::test]
async fn a_key_whose_name_cannot_be_looked_up_is_not_said_to_be_gone() {
    let app = TestApp::start().await;
    let key = app.app.data_keys.current_key_id();
    assert!(encryption::delete_key_id(app.db(), &key).await.unwrap());
    take_away(&app, "data_keys").await;
    assert!(encryption::delete_key_id(app.db(), &key).await.is_err());
}

/// The installation, with this first Super Admin in its settings.
fn with_first(app: &TestApp, email: &str, password: &str) -> App {
    let mut config = (*app.app.feature_config).clone();
    (config.auth.admin_email, config.auth.admin_password) = (Some(email.to_owned()), Some(password.to_owned()));
    App { feature_config: Arc::new(config), ..app.app.clone() }
}

#[tokio::test]
async fn the_first_super_admin_is_made_once_also_by_two_nodes_that_start_at_once() {
    let app = TestApp::start().await;
    app.db().sql("DELETE FROM users WHERE user_type = 'Super Admin'").exec().await.unwrap();
    let there = "SELECT count(*) FROM users WHERE user_type = 'Super Admin'";
    let line = async |email: &str, password: &str| {
        let line = first_start(&with_first(&app, email, password)).await.unwrap_err();
        assert!(line.contains("FORECOURT_ADMIN_EMAIL"), "{line}");
        line
    };
    assert!(line("ada@example.se", "12345").await.contains("Minimum length is 6 characters"));
    assert!(line(STRANGER, PASSWORD).await.contains("is taken"));
    let mut places = Vec::new();
    while let Ok(place) = app.app.hasher.place() {
        places.push(place);
    }
    assert!(line("ada@example.se", PASSWORD).await.contains("can't be hashed at the moment"));
    drop(places);
    assert_eq!(count(&app, there).await, 0);
    let nodes =
        [app.another_node().await, app.another_node().await].map(|n| with_first(&n, "ada@example.se", PASSWORD));
    let (one, other) = tokio::join!(first_start(&nodes[0]), first_start(&nodes[1]));
    assert_eq!((one, other), (Ok(()), Ok(())));
    assert_eq!(count(&app, there).await, 1);
    take_away(&app, "users").await;
    let line = first_start(&with_first(&app, "ada@example.se", PASSWORD)).await.unwrap_err();
    assert!(line.starts_with("the database is not available") && line.lines().count() == 1, "{line}");
}
