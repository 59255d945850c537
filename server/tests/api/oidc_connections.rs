//! F2 of docs/security.md: a provider's email address connects an account only once, only if both the provider and this
//! server verified it, and never an administrator's.

use crate::app::{ADMIN, CLERK, NO_ROLE, SUPER_ADMIN};
use crate::browser::{Browser, mark_email_verified, password_form, start_with_clerk, start_with_provider};
use crate::helpers::{count, request_reset_token, reset, wait_until};
use crate::provider::Case;
use forecourt::platform::db::Db;
use reqwest::Method;
use serde_json::{Value, json};

const UNKNOWN: &str = "/login?federated=unknown";

#[tokio::test]
async fn f2_an_email_not_verified_by_the_provider_connects_no_account() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    for is_verified in [json!(false), Value::Null] {
        provider.set_claims(json!({"email": CLERK, "email_verified": is_verified}));
        assert_eq!(browser.complete_login(&provider).await, UNKNOWN);
        let userinfo = json!({"email": CLERK, "email_verified": is_verified});
        provider.set(Case { userinfo, ..Case::default() });
        assert_eq!(browser.complete_login(&provider).await, UNKNOWN);
    }
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
    provider.set_claims(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn f2_an_email_not_verified_here_connects_no_account() {
    let (provider, app) = start_with_provider().await;
    let browser = Browser::new(&app);
    provider.set_claims(json!({"email": CLERK, "email_verified": true}));
    assert_eq!(browser.complete_login(&provider).await, UNKNOWN);
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
    // Signing in with a mailed code verifies the email address here.
    app.sign_in(CLERK).await;
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn f2_an_administrator_is_connected_only_while_signed_in() {
    let (provider, app) = start_with_provider().await;
    let browser = Browser::new(&app);
    for (subject, email) in [("subject-a", ADMIN), ("subject-s", SUPER_ADMIN)] {
        let access = app.sign_in(email).await;
        provider.set_claims(json!({"sub": subject, "email": email, "email_verified": true}));
        assert_eq!(browser.complete_login(&provider).await, UNKNOWN);
        assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
        let (access, _) = browser.sign_in(&provider).await;
        let profile = app.get("/api/auth/profile/detail", Some(&access)).await;
        assert_eq!(profile.body["data"]["email"], email);
    }
}

#[tokio::test]
async fn f2_a_reassigned_email_does_not_take_the_account_over() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    provider.set_claims(json!({"sub": "subject-2", "email": CLERK, "email_verified": true}));
    assert_eq!(browser.complete_login(&provider).await, UNKNOWN);
    provider.set_claims(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn f2_a_known_subject_cannot_switch_the_account_by_email() {
    let (provider, app) = start_with_clerk().await;
    mark_email_verified(&app, NO_ROLE).await;
    let browser = Browser::new(&app);
    provider.set_claims(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
    provider.set_claims(json!({"email": NO_ROLE, "email_verified": true}));
    let (access, _) = browser.sign_in(&provider).await;
    assert_eq!(app.get("/api/auth/profile/detail", Some(&access)).await.body["data"]["email"], CLERK);
}

#[tokio::test]
async fn f2_an_unknown_or_malformed_email_connects_no_account() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let long = format!("{}@nordbil.example", "c".repeat(300));
    for email in [
        "nobody@at.all.example",
        "",
        "clerk",
        "%",
        "clerk@nordbil.example\0",
        " clerk@nordbil.example",
        "clerk@nordbil.example,admin@nordbil.example",
        "ｃlerk@nordbil.example",
        "clerk@nordbil.example' OR '1'='1",
        &long,
    ] {
        provider.set_claims(json!({"email": email, "email_verified": true}));
        assert_eq!(browser.complete_login(&provider).await, UNKNOWN, "{email}");
    }
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f2_connecting_requires_an_active_session_in_the_same_browser() {
    let (provider, app) = start_with_provider().await;
    let browser = Browser::new(&app);
    let start_connecting = async |token: &str| {
        let response =
            browser.send_request(Method::POST, "/api/auth/google/connect", Some(token), Some(&password_form())).await;
        provider.approve(response.body["data"]["url"].as_str().unwrap())
    };
    for method in [Method::POST, Method::DELETE] {
        assert_eq!(browser.send_request(method, "/api/auth/google/connect", None, None).await.status, 401);
    }
    let access = app.sign_in(ADMIN).await;
    let back = start_connecting(&access).await;
    assert_eq!(Browser::new(&app).open(&back).await, "/login?federated=failed");
    app.post("/api/auth/logout", Some(&access), json!({})).await;
    assert_eq!(browser.open(&back).await, "/dashboard/profile?connected=failed");

    let access = app.sign_in(ADMIN).await;
    provider.set_claims(json!({"nonce": "another"}));
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=failed");
    let rejected = start_connecting(&access).await.replace("code=", "error=access_denied&was=");
    assert_eq!(browser.open(&rejected).await, "/dashboard/profile?connected=failed");
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f2_a_session_ending_during_the_callback_connects_nothing() {
    let (provider, app) = start_with_provider().await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    let response =
        browser.send_request(Method::POST, "/api/auth/google/connect", Some(&access), Some(&password_form())).await;
    let back = provider.approve(response.body["data"]["url"].as_str().unwrap());
    let mut tx = app.db().begin().await.unwrap();
    // Lock the user's row, as deactivating or banning the user does.
    tx.sql("UPDATE users SET version = version").exec().await.unwrap();
    let statements = app.db().statements();
    let waiting_for_lock =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let end_sessions = async {
        wait_until("the callback waits for the row, or on SQLite for the writer", async || match app.db() {
            Db::Sqlite { .. } => app.db().statements() > statements,
            Db::Postgres(..) => count(&app, waiting_for_lock).await > 0,
        })
        .await;
        tx.sql("DELETE FROM sessions").exec().await.unwrap();
        tx.commit().await.unwrap();
    };
    let (location, ()) = tokio::join!(browser.open(&back), end_sessions);
    assert_eq!(location, "/dashboard/profile?connected=failed");
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f2_eight_concurrent_callbacks_create_one_connection() {
    let (provider, app) = start_with_clerk().await;
    let browsers = [(); 8].map(|()| Browser::new(&app));
    let locations = futures_util::future::join_all(browsers.iter().map(|b| b.complete_login(&provider))).await;
    assert!(locations.iter().all(|location| location.starts_with("/auth/callback?")), "{locations:?}");
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 1);
}

#[tokio::test]
async fn f2_connecting_requires_the_current_password() {
    let (_provider, app) = start_with_provider().await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    for (body, sentence) in [
        (json!({}), "Current password is required"),
        (json!({"currentPassword": "a guess"}), "The current password is incorrect"),
    ] {
        let rejected = browser.send_request(Method::POST, "/api/auth/google/connect", Some(&access), Some(&body)).await;
        assert_eq!(rejected.status, 400, "{}", rejected.body);
        assert_eq!(rejected.body["fields"]["currentPassword"], json!([sentence]));
    }
    assert_eq!(count(&app, "SELECT count(*) FROM journeys").await, 0);
}

#[tokio::test]
async fn r1_a_password_reset_removes_the_provider_connection() {
    let (provider, app) = start_with_provider().await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    provider.set_claims(json!({"email": ADMIN, "email_verified": true}));
    browser.connect(&provider, &access).await;
    assert_eq!(count(&app, "SELECT count(*) FROM identities WHERE subject IS NOT NULL").await, 1);
    // Wait for the mail about the connection, which follows the mail with the code, before the next mail is requested.
    app.next_mail(ADMIN, 1).await;
    let token = request_reset_token(&app, ADMIN).await;
    assert_eq!(reset(&app, &token, "another-long-password").await.status, 200);
    assert_eq!(count(&app, "SELECT count(*) FROM identities WHERE subject IS NOT NULL").await, 0);
    assert_eq!(browser.complete_login(&provider).await, UNKNOWN);
}
