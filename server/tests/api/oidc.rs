//! Login with an OpenID Connect provider, and connecting an account with it.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, TestApp};
use crate::browser::{
    Browser, mark_email_verified, parse_one_time_values, start, start_with, start_with_clerk, start_with_provider,
};
use crate::helpers::{count, is_session_active, tokens};
use crate::provider::{Case, Provider};
use forecourt::platform::clock::{HOUR, MINUTE, SECOND};
use forecourt_core::auth::text;
use reqwest::Method;
use serde_json::{Value, json};

fn claims_of(email: &str) -> Value {
    json!({"email": email, "email_verified": true})
}

/// Returns the profile of the user with this access token.
async fn profile(app: &TestApp, access: &str) -> Value {
    app.get("/api/auth/profile/detail", Some(access)).await.body["data"].clone()
}

#[tokio::test]
async fn a_user_with_a_verified_email_signs_in_and_is_then_known_by_subject() {
    let (provider, app) = start_with_clerk().await;
    provider.set_claims(claims_of("Clerk@Nordbil.example"));
    let browser = Browser::new(&app);
    let (access, refresh) = browser.sign_in(&provider).await;
    assert_eq!(profile(&app, &access).await["email"], CLERK);
    assert!(browser.cookies().is_empty(), "both cookies are removed");
    assert_eq!(crate::helpers::refresh(&app, &refresh).await.status, 200);
    // After the first login, the provider's subject identifies the user, also if the email address changes.
    provider.set_claims(claims_of(NO_ROLE));
    app.db().sql("UPDATE users SET email_verified_at = NULL").exec().await.unwrap();
    let (access, _) = browser.sign_in(&provider).await;
    assert_eq!(profile(&app, &access).await["email"], CLERK);
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 1);
}

#[tokio::test]
async fn a_provider_session_lasts_12_hours_and_has_the_device_name() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let authorization_url = browser.open("/api/auth/google?deviceName=Firefox+on+Linux&deviceId=1").await;
    let callback = browser.open(&provider.approve(&authorization_url)).await;
    let (access, _) = tokens(&browser.verify(&parse_one_time_values(&callback)).await);
    assert!(is_session_active(&app, &access).await);
    let row = "SELECT device_name, expires_at - created_at, remember FROM sessions";
    let row: (String, i64, bool) = app.db().sql(row).one().await.unwrap();
    assert_eq!(row, ("Firefox on Linux".into(), 12 * HOUR, false));
}

#[tokio::test]
async fn an_email_missing_in_the_token_is_read_from_userinfo() {
    let (provider, app) = start_with_clerk().await;
    let userinfo = json!({"email": CLERK, "email_verified": true});
    provider.set(Case { userinfo, ..Case::default() });
    let (access, _) = Browser::new(&app).sign_in(&provider).await;
    assert_eq!(profile(&app, &access).await["email"], CLERK);
    assert_eq!(provider.take_requests(), ["discovery", "keys", "token", "userinfo"]);
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.take_requests(), ["token"], "a known subject needs no email, and the metadata is cached");
}

#[tokio::test]
async fn provider_metadata_is_refreshed_hourly_and_for_new_keys() {
    let (provider, app) = start_with_clerk().await;
    assert!(provider.take_requests().is_empty(), "no request at the start");
    let case = |now: i64, key: &'static str| Case {
        claims: claims_of(CLERK),
        header: json!({"kid": key}),
        keys: vec![key],
        now: 1_800_000_000 + now / SECOND,
        ..Case::default()
    };
    provider.set(case(0, "key-1"));
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.take_requests(), ["discovery", "keys", "token"]);
    provider.set(case(0, "key-2"));
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.take_requests(), ["token", "discovery", "keys"]);
    app.advance(HOUR);
    provider.set(case(HOUR, "key-2"));
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.take_requests(), ["discovery", "keys", "token"]);
}

#[tokio::test]
async fn a_provider_outage_does_not_affect_other_logins() {
    let provider = Provider::start().await;
    provider.set(Case { is_down: true, ..Case::default() });
    let app = start(&provider).await;
    mark_email_verified(&app, CLERK).await;
    let browser = Browser::new(&app);
    assert_eq!(browser.start_login().await, "/login?federated=failed");
    let access = app.sign_in(ADMIN).await;
    let rejected = browser
        .send_request(Method::POST, "/api/auth/google/connect", Some(&access), Some(&crate::browser::password_form()))
        .await;
    assert_eq!((rejected.status.as_u16(), &rejected.body["message"]), (409, &json!(text::CONNECT_FAILED.as_str())));
    provider.set_claims(claims_of(CLERK));
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn without_a_provider_login_redirects_and_connecting_is_rejected() {
    let app = TestApp::start().await;
    let browser = Browser::new(&app);
    assert_eq!(browser.start_login().await, "/login?federated=off");
    assert_eq!(browser.open("/api/auth/google/callback?code=1&state=2").await, "/login?federated=off");
    let access = app.sign_in(CLERK).await;
    let rejected = browser
        .send_request(Method::POST, "/api/auth/google/connect", Some(&access), Some(&crate::browser::password_form()))
        .await;
    assert_eq!((rejected.status.as_u16(), &rejected.body["message"]), (409, &json!(text::FEDERATED_OFF.as_str())));
    assert_eq!(count(&app, "SELECT count(*) FROM journeys").await, 0);
}

#[tokio::test]
async fn a_signed_in_user_connects_gets_a_mail_and_disconnects() {
    let (provider, app) = start_with_provider().await;
    let access = app.sign_in(ADMIN).await;
    let browser = Browser::new(&app);
    let mails = app.mails(ADMIN).len();
    assert_eq!(profile(&app, &access).await["connected"], false);
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    assert_eq!(profile(&app, &access).await["connected"], true);
    let mail = app.next_mail(ADMIN, mails).await;
    assert!(mail.contains("was connected to") && mail.contains("/dashboard/profile"), "{mail}");
    assert_eq!(profile(&app, &browser.sign_in(&provider).await.0).await["email"], ADMIN);
    // Connecting again succeeds with the same subject. Another subject replaces it: the old one can't sign in any more.
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    provider.set_claims(json!({"sub": "subject-2"}));
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    provider.set_claims(json!({}));
    assert_eq!(browser.complete_login(&provider).await, "/login?federated=unknown");

    let response = browser.send_request(Method::DELETE, "/api/auth/google/connect", Some(&access), None).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (200, &json!(text::DISCONNECTED.as_str())));
    assert_eq!(profile(&app, &access).await["connected"], false);
    provider.set_claims(json!({"sub": "subject-2"}));
    assert_eq!(browser.complete_login(&provider).await, "/login?federated=unknown");
}

#[tokio::test]
async fn a_provider_account_is_connected_with_one_user_at_a_time() {
    let (provider, app) = start_with_provider().await;
    let (admin, other_admin) = (app.sign_in(ADMIN).await, app.sign_in(OTHER_ADMIN).await);
    let browser = Browser::new(&app);
    assert_eq!(browser.connect(&provider, &admin).await, "/dashboard/profile?connected=yes");
    assert_eq!(browser.connect(&provider, &other_admin).await, "/dashboard/profile?connected=taken");
    assert_eq!(profile(&app, &browser.sign_in(&provider).await.0).await["email"], ADMIN);
    browser.send_request(Method::DELETE, "/api/auth/google/connect", Some(&admin), None).await;
    assert_eq!(browser.connect(&provider, &other_admin).await, "/dashboard/profile?connected=yes");
    assert_eq!(profile(&app, &browser.sign_in(&provider).await.0).await["email"], OTHER_ADMIN);
}

#[tokio::test]
async fn a_disconnected_user_is_not_reconnected_by_email() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let (access, _) = browser.sign_in(&provider).await;
    browser.send_request(Method::DELETE, "/api/auth/google/connect", Some(&access), None).await;
    assert_eq!(browser.complete_login(&provider).await, "/login?federated=unknown");
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn expired_oidc_logins_and_login_exchanges_are_deleted() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    browser.login_exchange(&provider).await;
    browser.start_login().await;
    let sweep_and_count = async || {
        forecourt::features::auth::sweep(&app.app).await.unwrap();
        let flows = count(&app, "SELECT count(*) FROM journeys").await;
        (flows, count(&app, "SELECT count(*) FROM handoffs").await)
    };
    assert_eq!(sweep_and_count().await, (1, 1));
    app.advance(MINUTE);
    assert_eq!(sweep_and_count().await, (1, 0));
    app.advance(9 * MINUTE);
    assert_eq!(sweep_and_count().await, (0, 0));
}

#[tokio::test]
async fn oidc_cookies_are_secure_and_bound_to_the_host_over_https() {
    let provider = Provider::start().await;
    let app = start_with(&provider, &["--public-url", "https://cars.example"]).await;
    mark_email_verified(&app, CLERK).await;
    provider.set_claims(claims_of(CLERK));
    let browser = Browser::new(&app);
    let open_with_cookies = async |path: &str| {
        let response = browser.send_request(Method::GET, path, None, None).await;
        let cookies = response.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap().to_owned());
        (response.headers["location"].to_str().unwrap().to_owned(), cookies.collect::<Vec<_>>())
    };
    let (authorization_url, cookies) = open_with_cookies("/api/auth/google").await;
    assert!(authorization_url.contains("redirect_uri=https%3A%2F%2Fcars.example%2Fapi%2Fauth%2Fgoogle%2Fcallback"));
    let [flow_cookie] = cookies.as_slice() else { panic!("{cookies:?}") };
    assert!(flow_cookie.starts_with("__Host-forecourt-journey="), "{flow_cookie}");
    assert!(flow_cookie.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"), "{flow_cookie}");
    let (_, cookies) = open_with_cookies(&provider.approve(&authorization_url)).await;
    let [removed, exchange] = cookies.as_slice() else { panic!("{cookies:?}") };
    assert!(removed.starts_with("__Host-forecourt-journey=; Path=/; Max-Age=0;"), "{removed}");
    assert!(exchange.starts_with("__Host-forecourt-handoff="), "{exchange}");
    assert!(exchange.ends_with("; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure"), "{exchange}");
}
