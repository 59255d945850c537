//! Database failures and concurrent changes during login, provider login and role changes.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, PASSWORD, TestApp};
use crate::browser::{self, Browser};
use crate::helpers::*;
use crate::provider::Case;
use forecourt::features::auth::admin::create_from_settings;
use forecourt::features::state::App;
use forecourt::platform::clock::SECOND;
use forecourt::platform::encryption;
use forecourt_core::text::UNEXPECTED;
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Notify;

/// Asserts that the request fails with 500. The request is not checked against the OpenAPI document, which has no 500.
async fn assert_fails(app: &TestApp, path: &str, token: &str, body: &Value) {
    let response = app.request(Method::POST, path, Some(token)).json(body).send().await.unwrap();
    assert_eq!(response.status(), 500);
    assert_eq!(response.json::<Value>().await.unwrap()["message"], UNEXPECTED.as_str());
}

#[tokio::test]
async fn an_oidc_login_does_not_start_if_its_state_cannot_be_stored() {
    let (_provider, app) = browser::start_with_provider().await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    break_table(&app, "journeys").await;
    assert_eq!(browser.start_login().await, "/login?federated=failed");
    assert_fails(&app, "/api/auth/google/connect", &access, &browser::password_form()).await;
}

#[tokio::test]
async fn an_oidc_callback_fails_while_identities_are_unavailable() {
    let (provider, app) = browser::start_with_provider().await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    break_table(&app, "identities").await;
    assert_eq!(browser.complete_login(&provider).await, "/login?federated=failed");
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=failed");
    restore_table(&app, "identities").await;
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn an_oidc_login_fails_if_the_account_is_disconnected_from_the_provider_meanwhile() {
    let (provider, app) = browser::start_with_clerk().await;
    let claims = json!({"email": CLERK, "email_verified": true});
    provider.set_claims(claims.clone());
    Browser::new(&app).sign_in(&provider).await;
    let resume = Arc::new(Notify::new());
    provider.set(Case { claims, waits_for: Some(resume.clone()), ..Case::default() });
    let node = app.start_another_node().await;
    let browser = Browser::new(&node);
    let back = provider.approve(&browser.start_login().await);
    provider.take_requests();
    let disconnect = async {
        wait_until("the token endpoint is requested", async || provider.take_requests().contains(&"token")).await;
        let mut tx = app.db().begin().await.unwrap();
        // Disconnect the user from the provider, and lock the user's row until the commit below. The login then finds
        // that the user is disconnected.
        for text in ["UPDATE users SET version = version", "UPDATE identities SET subject = NULL"] {
            tx.sql(text).exec().await.unwrap();
        }
        let statements = node.db().statements();
        resume.notify_one();
        // The login has read the account, and its next statement waits for the lock.
        wait_until("the account is looked up", async || node.db().statements() > statements).await;
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        tx.commit().await.unwrap();
    };
    let (location, ()) = tokio::join!(browser.open(&back), disconnect);
    assert_eq!(location, "/login?federated=unknown");
    assert_eq!(count(&app, "SELECT count(*) FROM handoffs").await, 0);
}

#[tokio::test]
async fn o1_only_one_of_two_concurrent_resend_requests_sends_a_code() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let _ = request_code(&app, CLERK, DEVICE, false).await;
    app.advance(30 * SECOND);
    let mut tx = app.db().begin().await.unwrap();
    // Lock the row of the code: requests can read it, but wait before they write it.
    tx.sql("UPDATE login_codes SET remember = remember").exec().await.unwrap();
    let statements = node.db().statements();
    let release = async {
        // On PostgreSQL, each request runs four statements (it counts the request, reads the account and the code,
        // counts the code) and waits in the last. On SQLite, it waits in the first.
        wait_until("both have read the code", async || node.db().statements() >= statements + node.db().pick(2, 8))
            .await;
        tx.commit().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(resend(&node, CLERK, DEVICE), resend(&node, CLERK, DEVICE), release);
    let mut responses = [one, other];
    responses.sort_by_key(|response| response.status);
    assert_eq!(responses[0].status, 200, "{}", responses[0].body);
    assert_throttled(&responses[1], 30);
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, 2);
}

#[tokio::test]
async fn a_login_succeeds_even_if_its_counter_cannot_be_reset() {
    let app = TestApp::start().await;
    let otp = request_code(&app, CLERK, DEVICE, false).await;
    let forbid_delete = app.db().pick(
        "CREATE TRIGGER stays BEFORE DELETE ON throttles BEGIN SELECT RAISE(ABORT, 'it stays'); END",
        "REVOKE DELETE ON throttles FROM CURRENT_USER",
    );
    app.db().sql(forbid_delete).exec().await.unwrap();
    let counters = count(&app, "SELECT count(*) FROM throttles").await;
    let access = tokens(&verify(&app, CLERK, &otp, DEVICE).await).0;
    assert!(is_session_active(&app, &access).await);
    assert!(count(&app, "SELECT count(*) FROM throttles").await >= counters);
}

#[tokio::test]
async fn a_database_failure_is_not_reported_as_a_taken_role_name() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    // Only the INSERT of the role names this column. The statement before it, which reads the names, succeeds.
    app.db().sql("ALTER TABLE roles RENAME COLUMN description TO taken_away").exec().await.unwrap();
    assert_fails(&app, "/api/rbac/roles", &admin, &json!({"name": "New", "description": "x"})).await;
}

#[tokio::test]
async fn retiring_a_data_key_fails_if_the_database_is_unavailable() {
    let app = TestApp::start().await;
    let key = app.app.data_keys.current_key_id();
    assert!(encryption::delete_key_id(app.db(), &key).await.unwrap());
    break_table(&app, "data_keys").await;
    assert!(encryption::delete_key_id(app.db(), &key).await.is_err());
}

/// Returns the server's state with this first Super Admin in its settings.
fn with_first_admin(app: &TestApp, email: &str, password: &str) -> App {
    let mut config = (*app.app.feature_config).clone();
    (config.auth.admin_email, config.auth.admin_password) = (Some(email.to_owned()), Some(password.into()));
    App { feature_config: Arc::new(config), ..app.app.clone() }
}

#[tokio::test]
async fn two_nodes_starting_at_once_create_one_first_super_admin() {
    let app = TestApp::start().await;
    app.db().sql("DELETE FROM users WHERE user_type = 'Super Admin'").exec().await.unwrap();
    let super_admins = "SELECT count(*) FROM users WHERE user_type = 'Super Admin'";
    let error_line = async |email: &str, password: &str| {
        let error_line = create_from_settings(&with_first_admin(&app, email, password)).await.unwrap_err();
        assert!(error_line.contains("FORECOURT_ADMIN_EMAIL"), "{error_line}");
        error_line
    };
    assert!(error_line("ada@example.se", "12345").await.contains("Minimum length is 6 characters"));
    assert!(error_line(OTHER_ADMIN, PASSWORD).await.contains("is taken"));
    let mut permits = Vec::new();
    while let Ok(permit) = app.app.hasher.reserve() {
        permits.push(permit);
    }
    assert!(error_line("ada@example.se", PASSWORD).await.contains("can't be hashed at the moment"));
    drop(permits);
    assert_eq!(count(&app, super_admins).await, 0);
    let nodes = [app.start_another_node().await, app.start_another_node().await]
        .map(|n| with_first_admin(&n, "ada@example.se", PASSWORD));
    let (one, other) = tokio::join!(create_from_settings(&nodes[0]), create_from_settings(&nodes[1]));
    assert_eq!((one, other), (Ok(()), Ok(())));
    assert_eq!(count(&app, super_admins).await, 1);
    break_table(&app, "users").await;
    let error_line = create_from_settings(&with_first_admin(&app, "ada@example.se", PASSWORD)).await.unwrap_err();
    assert!(error_line.starts_with("the database is not available") && error_line.lines().count() == 1, "{error_line}");
}
