//! F2: an e-mail connects only once, only where both sides verified it, and never an administrator.

use crate::app::{ADMIN, CLERK, NOBODY, SUPER_ADMIN};
use crate::browser::{Browser, proof, start, verified};
use crate::provider::{Case, Provider};
use crate::steps::{count, reset, reset_token, until};
use forecourt::platform::db::Db;
use reqwest::Method;
use serde_json::{Value, json};

const UNKNOWN: &str = "/login?federated=unknown";

#[tokio::test]
async fn f2_an_email_that_the_provider_has_not_verified_connects_nobody() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    let browser = Browser::new(&app);
    for is_verified in [json!(false), Value::Null] {
        provider.says(json!({"email": CLERK, "email_verified": is_verified}));
        assert_eq!(browser.land(&provider).await, UNKNOWN);
        let userinfo = json!({"email": CLERK, "email_verified": is_verified});
        provider.set(Case { userinfo, ..Case::default() });
        assert_eq!(browser.land(&provider).await, UNKNOWN);
    }
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
    provider.says(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn f2_an_email_that_is_not_verified_here_connects_nobody() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let browser = Browser::new(&app);
    provider.says(json!({"email": CLERK, "email_verified": true}));
    assert_eq!(browser.land(&provider).await, UNKNOWN);
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
    // A code that came by mail proves the mailbox.
    app.sign_in(CLERK).await;
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn f2_an_administrator_is_not_connected_by_email_but_while_signed_in() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let browser = Browser::new(&app);
    for (subject, email) in [("subject-a", ADMIN), ("subject-s", SUPER_ADMIN)] {
        let access = app.sign_in(email).await;
        provider.says(json!({"sub": subject, "email": email, "email_verified": true}));
        assert_eq!(browser.land(&provider).await, UNKNOWN);
        assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
        let (access, _) = browser.sign_in(&provider).await;
        let profile = app.get("/api/auth/profile/detail", Some(&access)).await;
        assert_eq!(profile.body["data"]["email"], email);
    }
}

#[tokio::test]
async fn f2_an_email_that_was_given_to_somebody_else_does_not_take_the_account_over() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    let browser = Browser::new(&app);
    provider.says(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
    provider.says(json!({"sub": "subject-2", "email": CLERK, "email_verified": true}));
    assert_eq!(browser.land(&provider).await, UNKNOWN);
    provider.says(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn f2_who_is_known_by_subject_takes_no_other_account_by_email() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    verified(&app, NOBODY).await;
    let browser = Browser::new(&app);
    provider.says(json!({"email": CLERK, "email_verified": true}));
    browser.sign_in(&provider).await;
    provider.says(json!({"email": NOBODY, "email_verified": true}));
    let (access, _) = browser.sign_in(&provider).await;
    assert_eq!(app.get("/api/auth/profile/detail", Some(&access)).await.body["data"]["email"], CLERK);
}

#[tokio::test]
async fn f2_what_is_no_email_of_ours_is_nobody() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
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
        provider.says(json!({"email": email, "email_verified": true}));
        assert_eq!(browser.land(&provider).await, UNKNOWN, "{email}");
    }
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f2_only_a_live_session_is_connected_and_only_in_its_own_browser() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let browser = Browser::new(&app);
    let begin = async |token: &str| {
        let answer = browser.call(Method::POST, "/api/auth/google/connect", Some(token), Some(&proof())).await;
        provider.agree(answer.body["data"]["url"].as_str().unwrap())
    };
    for method in [Method::POST, Method::DELETE] {
        assert_eq!(browser.call(method, "/api/auth/google/connect", None, None).await.status, 401);
    }
    let access = app.sign_in(ADMIN).await;
    let back = begin(&access).await;
    assert_eq!(Browser::new(&app).open(&back).await, "/login?federated=failed");
    app.post("/api/auth/logout", Some(&access), json!({})).await;
    assert_eq!(browser.open(&back).await, "/dashboard/profile?connected=failed");

    let access = app.sign_in(ADMIN).await;
    provider.says(json!({"nonce": "another"}));
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=failed");
    let refused = begin(&access).await.replace("code=", "error=access_denied&was=");
    assert_eq!(browser.open(&refused).await, "/dashboard/profile?connected=failed");
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f2_a_session_that_ends_while_its_journey_does_connects_nobody() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    let answer = browser.call(Method::POST, "/api/auth/google/connect", Some(&access), Some(&proof())).await;
    let back = provider.agree(answer.body["data"]["url"].as_str().unwrap());
    let mut tx = app.db().begin().await.unwrap();
    // Whoever throws the person out holds their row.
    tx.sql("UPDATE users SET version = version").exec().await.unwrap();
    let asked = app.db().statements();
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let thrown_out = async {
        until("it waits for the row, on SQLite for the writer", async || match app.db() {
            Db::Sqlite { .. } => app.db().statements() > asked,
            Db::Postgres(..) => count(&app, waits).await > 0,
        })
        .await;
        tx.sql("DELETE FROM sessions").exec().await.unwrap();
        tx.commit().await.unwrap();
    };
    let (place, ()) = tokio::join!(browser.open(&back), thrown_out);
    assert_eq!(place, "/dashboard/profile?connected=failed");
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f2_two_returns_at_once_connect_one_person_once() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(json!({"email": CLERK, "email_verified": true}));
    let browsers = [(); 8].map(|()| Browser::new(&app));
    let landed = futures_util::future::join_all(browsers.iter().map(|b| b.land(&provider))).await;
    assert!(landed.iter().all(|place| place.starts_with("/auth/callback?")), "{landed:?}");
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 1);
}

#[tokio::test]
async fn f2_a_session_that_was_left_open_connects_nobody_without_the_password() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    for (body, sentence) in [
        (json!({}), "Current password is required"),
        (json!({"currentPassword": "a guess"}), "The current password is incorrect"),
    ] {
        let refused = browser.call(Method::POST, "/api/auth/google/connect", Some(&access), Some(&body)).await;
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert_eq!(refused.body["fields"]["currentPassword"], json!([sentence]));
    }
    assert_eq!(count(&app, "SELECT count(*) FROM journeys").await, 0);
}

#[tokio::test]
async fn r1_a_reset_link_ends_the_connection_with_a_provider() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let (browser, access) = (Browser::new(&app), app.sign_in(ADMIN).await);
    provider.says(json!({"email": ADMIN, "email_verified": true}));
    browser.connect(&provider, &access).await;
    assert_eq!(count(&app, "SELECT count(*) FROM identities WHERE subject IS NOT NULL").await, 1);
    // After the mails of the code and of the connection.
    app.next_mail(ADMIN, 1).await;
    let token = reset_token(&app, ADMIN).await;
    assert_eq!(reset(&app, &token, "another-long-password").await.status, 200);
    assert_eq!(count(&app, "SELECT count(*) FROM identities WHERE subject IS NOT NULL").await, 0);
    assert_eq!(browser.land(&provider).await, UNKNOWN);
}
