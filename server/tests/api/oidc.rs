//! Signing in with a provider, and connecting an account with it, as it is meant to go.

use crate::app::{ADMIN, CLERK, NOBODY, STRANGER, TestApp};
use crate::browser::{Browser, start, start_with, values, verified};
use crate::provider::{Case, Provider};
use crate::steps::{count, tokens, works};
use forecourt::platform::clock::{HOUR, MINUTE, SECOND};
use forecourt_core::auth::text;
use reqwest::Method;
use serde_json::{Value, json};

fn of(email: &str) -> Value {
    json!({"email": email, "email_verified": true})
}

/// Who is signed in with this access token.
async fn person(app: &TestApp, access: &str) -> Value {
    app.get("/api/auth/profile/detail", Some(access)).await.body["data"].clone()
}

#[tokio::test]
async fn a_person_whose_email_both_sides_verified_signs_in_and_stays_themselves_when_it_changes() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(of("Clerk@Nordbil.example"));
    let browser = Browser::new(&app);
    let (access, refresh) = browser.sign_in(&provider).await;
    assert_eq!(person(&app, &access).await["email"], CLERK);
    assert!(browser.cookies().is_empty(), "both cookies are gone");
    assert_eq!(crate::steps::refresh(&app, &refresh).await.status, 200);
    // From now on the subject counts alone: neither the e-mail there nor its verification here matters.
    provider.says(of(NOBODY));
    app.db().sql("UPDATE users SET email_verified_at = NULL").exec().await.unwrap();
    let (access, _) = browser.sign_in(&provider).await;
    assert_eq!(person(&app, &access).await["email"], CLERK);
    assert_eq!(count(&app, "SELECT count(*) FROM identities").await, 1);
}

#[tokio::test]
async fn a_federated_session_lasts_12_hours_and_bears_the_devices_name() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(of(CLERK));
    let browser = Browser::new(&app);
    let departure = browser.open("/api/auth/google?deviceName=Firefox+on+Linux&deviceId=1").await;
    let landed = browser.open(&provider.agree(&departure)).await;
    let (access, _) = tokens(&browser.verify(&values(&landed)).await);
    assert!(works(&app, &access).await);
    let row = "SELECT device_name, expires_at - created_at, remember FROM sessions";
    let row: (String, i64, bool) = app.db().sql(row).one().await.unwrap();
    assert_eq!(row, ("Firefox on Linux".into(), 12 * HOUR, false));
}

#[tokio::test]
async fn an_email_that_the_token_leaves_out_is_asked_for() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    let userinfo = json!({"email": CLERK, "email_verified": true});
    provider.set(Case { userinfo, ..Case::default() });
    let (access, _) = Browser::new(&app).sign_in(&provider).await;
    assert_eq!(person(&app, &access).await["email"], CLERK);
    assert_eq!(provider.asked(), ["discovery", "keys", "token", "userinfo"]);
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.asked(), ["token"], "who is known needs no e-mail, and the provider is known too");
}

#[tokio::test]
async fn what_the_provider_says_of_itself_is_asked_again_after_an_hour_and_when_a_key_is_new() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    assert!(provider.asked().is_empty(), "nothing is asked at the start");
    let case = |now: i64, key: &'static str| Case {
        claims: of(CLERK),
        header: json!({"kid": key}),
        keys: vec![key],
        now: 1_800_000_000 + now / SECOND,
        ..Case::default()
    };
    provider.set(case(0, "key-1"));
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.asked(), ["discovery", "keys", "token"]);
    provider.set(case(0, "key-2"));
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.asked(), ["token", "discovery", "keys"]);
    app.pass(HOUR);
    provider.set(case(HOUR, "key-2"));
    Browser::new(&app).sign_in(&provider).await;
    assert_eq!(provider.asked(), ["discovery", "keys", "token"]);
}

#[tokio::test]
async fn a_provider_that_is_down_keeps_nobody_from_signing_in_otherwise_and_is_back_by_itself() {
    let provider = Provider::start().await;
    provider.set(Case { is_down: true, ..Case::default() });
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    let browser = Browser::new(&app);
    assert_eq!(browser.leave().await, "/login?federated=failed");
    let access = app.sign_in(ADMIN).await;
    let refused =
        browser.call(Method::POST, "/api/auth/google/connect", Some(&access), Some(&crate::browser::proof())).await;
    assert_eq!((refused.status.as_u16(), &refused.body["message"]), (409, &json!(text::CONNECT_FAILED)));
    provider.says(of(CLERK));
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn without_a_provider_its_addresses_lead_to_the_login() {
    let app = TestApp::start().await;
    let browser = Browser::new(&app);
    assert_eq!(browser.leave().await, "/login?federated=off");
    assert_eq!(browser.open("/api/auth/google/callback?code=1&state=2").await, "/login?federated=off");
    let access = app.sign_in(CLERK).await;
    let refused =
        browser.call(Method::POST, "/api/auth/google/connect", Some(&access), Some(&crate::browser::proof())).await;
    assert_eq!((refused.status.as_u16(), &refused.body["message"]), (409, &json!(text::FEDERATED_OFF)));
    assert_eq!(count(&app, "SELECT count(*) FROM journeys").await, 0);
}

#[tokio::test]
async fn who_is_signed_in_connects_hears_of_it_by_mail_and_disconnects() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let access = app.sign_in(ADMIN).await;
    let browser = Browser::new(&app);
    let mails = app.mails(ADMIN).len();
    assert_eq!(person(&app, &access).await["connected"], false);
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    assert_eq!(person(&app, &access).await["connected"], true);
    let mail = app.next_mail(ADMIN, mails).await;
    assert!(mail.contains("was connected to") && mail.contains("/dashboard/profile"), "{mail}");
    assert_eq!(person(&app, &browser.sign_in(&provider).await.0).await["email"], ADMIN);
    // Again with the same person is no fault; with another one, that one takes the place.
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    provider.says(json!({"sub": "subject-2"}));
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    provider.says(json!({}));
    assert_eq!(browser.land(&provider).await, "/login?federated=unknown");

    let answer = browser.call(Method::DELETE, "/api/auth/google/connect", Some(&access), None).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(text::DISCONNECTED)));
    assert_eq!(person(&app, &access).await["connected"], false);
    provider.says(json!({"sub": "subject-2"}));
    assert_eq!(browser.land(&provider).await, "/login?federated=unknown");
}

#[tokio::test]
async fn a_person_at_the_provider_is_one_person_here_until_they_disconnect() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    let (admin, stranger) = (app.sign_in(ADMIN).await, app.sign_in(STRANGER).await);
    let browser = Browser::new(&app);
    assert_eq!(browser.connect(&provider, &admin).await, "/dashboard/profile?connected=yes");
    assert_eq!(browser.connect(&provider, &stranger).await, "/dashboard/profile?connected=taken");
    assert_eq!(person(&app, &browser.sign_in(&provider).await.0).await["email"], ADMIN);
    browser.call(Method::DELETE, "/api/auth/google/connect", Some(&admin), None).await;
    assert_eq!(browser.connect(&provider, &stranger).await, "/dashboard/profile?connected=yes");
    assert_eq!(person(&app, &browser.sign_in(&provider).await.0).await["email"], STRANGER);
}

#[tokio::test]
async fn who_has_disconnected_is_not_connected_again_by_their_email() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(of(CLERK));
    let browser = Browser::new(&app);
    let (access, _) = browser.sign_in(&provider).await;
    browser.call(Method::DELETE, "/api/auth/google/connect", Some(&access), None).await;
    assert_eq!(browser.land(&provider).await, "/login?federated=unknown");
    assert_eq!(browser.connect(&provider, &access).await, "/dashboard/profile?connected=yes");
    browser.sign_in(&provider).await;
}

#[tokio::test]
async fn what_was_begun_and_never_ended_is_swept_away() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(of(CLERK));
    let browser = Browser::new(&app);
    browser.handoff(&provider).await;
    browser.leave().await;
    let left = async || {
        forecourt::features::auth::sweep(&app.app).await.unwrap();
        let journeys = count(&app, "SELECT count(*) FROM journeys").await;
        (journeys, count(&app, "SELECT count(*) FROM handoffs").await)
    };
    assert_eq!(left().await, (1, 1));
    app.pass(MINUTE);
    assert_eq!(left().await, (1, 0));
    app.pass(9 * MINUTE);
    assert_eq!(left().await, (0, 0));
}

#[tokio::test]
async fn cookies_belong_to_the_one_host_where_people_come_by_https() {
    let provider = Provider::start().await;
    let app = start_with(&provider, &["--public-url", "https://cars.example"]).await;
    verified(&app, CLERK).await;
    provider.says(of(CLERK));
    let browser = Browser::new(&app);
    let given = async |path: &str| {
        let answer = browser.call(Method::GET, path, None, None).await;
        let cookies = answer.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap().to_owned());
        (answer.headers["location"].to_str().unwrap().to_owned(), cookies.collect::<Vec<_>>())
    };
    let (departure, cookies) = given("/api/auth/google").await;
    assert!(departure.contains("redirect_uri=https%3A%2F%2Fcars.example%2Fapi%2Fauth%2Fgoogle%2Fcallback"));
    let [journey] = cookies.as_slice() else { panic!("{cookies:?}") };
    assert!(journey.starts_with("__Host-forecourt-journey="), "{journey}");
    assert!(journey.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"), "{journey}");
    let (_, cookies) = given(&provider.agree(&departure)).await;
    let [gone, handoff] = cookies.as_slice() else { panic!("{cookies:?}") };
    assert!(gone.starts_with("__Host-forecourt-journey=; Path=/; Max-Age=0;"), "{gone}");
    assert!(handoff.starts_with("__Host-forecourt-handoff="), "{handoff}");
    assert!(handoff.ends_with("; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure"), "{handoff}");
}
