//! F1, the browser's side: a journey is ended once, in time, by the browser that began it, with the code that belongs to
//! it. F4: nothing of a request says where a browser goes.

use crate::app::{CLERK, TestApp};
use crate::browser::{Browser, start, verified};
use crate::provider::{Case, Provider};
use crate::steps::count;
use forecourt::platform::clock::{MINUTE, SECOND};
use serde_json::json;

const FAILED: &str = "/login?federated=failed";

/// A provider that vouches for the clerk.
async fn ready() -> (Provider, TestApp) {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    provider.says(json!({"email": CLERK, "email_verified": true}));
    (provider, app)
}

/// One parameter of an address.
fn parameter(address: &str, name: &str) -> String {
    let query = address.split_once('?').unwrap().1;
    url::form_urlencoded::parse(query.as_bytes()).find(|(n, _)| n == name).unwrap().1.into_owned()
}

async fn nobody_came_in(app: &TestApp) {
    assert_eq!(count(app, "SELECT count(*) FROM handoffs").await, 0);
    assert_eq!(count(app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f1_a_state_ends_one_journey_also_for_the_browser_that_began_it() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let back = provider.agree(&browser.leave().await);
    let cookies = browser.cookies();
    browser.open(&back).await;
    for (name, value) in cookies {
        browser.set_cookie(&name, &value);
    }
    provider.asked();
    assert_eq!(browser.open(&back).await, FAILED);
    assert!(provider.asked().is_empty(), "no code is tried for it");
}

#[tokio::test]
async fn f1_a_return_without_the_cookie_is_refused_and_spends_nothing() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let back = provider.agree(&browser.leave().await);
    provider.asked();
    assert_eq!(Browser::new(&app).open(&back).await, FAILED);
    assert!(provider.asked().is_empty());
    nobody_came_in(&app).await;
    assert!(browser.open(&back).await.starts_with("/auth/callback?"));
}

#[tokio::test]
async fn f1_a_cookie_that_is_not_the_states_signature_is_refused() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let back = provider.agree(&browser.leave().await);
    let (name, good) = browser.cookies().into_iter().next().unwrap();
    let changed = format!("{}{}", if good.starts_with('A') { 'B' } else { 'A' }, &good[1..]);
    for bad in ["", "A", &changed, &good[1..], &format!("{good}AAAA"), &parameter(&back, "state")] {
        browser.set_cookie(&name, bad);
        assert_eq!(browser.open(&back).await, FAILED, "{bad}");
    }
    nobody_came_in(&app).await;
}

#[tokio::test]
async fn f1_another_browsers_state_is_refused() {
    let (provider, app) = ready().await;
    let (mallory, victim) = (Browser::new(&app), Browser::new(&app));
    // Mallory's own account at the provider, on the victim's browser, which is on a journey of its own.
    let link = provider.agree(&mallory.leave().await);
    victim.leave().await;
    assert_eq!(victim.open(&link).await, FAILED);
    nobody_came_in(&app).await;
}

#[tokio::test]
async fn f1_a_code_of_another_journey_is_refused_by_pkce() {
    let (provider, app) = ready().await;
    let (mallory, victim) = (Browser::new(&app), Browser::new(&app));
    let stolen = parameter(&provider.agree(&victim.leave().await), "code");
    let state = parameter(&provider.agree(&mallory.leave().await), "state");
    provider.asked();
    assert_eq!(mallory.open(&format!("/api/auth/google/callback?code={stolen}&state={state}")).await, FAILED);
    assert_eq!(provider.asked(), ["token"], "the provider saw the wrong verifier");
    nobody_came_in(&app).await;
}

#[tokio::test]
async fn f1_a_journey_of_ten_minutes_is_over() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let claims = json!({"email": CLERK, "email_verified": true});
    let late = provider.agree(&browser.leave().await);
    app.pass(10 * MINUTE);
    provider.set(Case { claims, now: 1_800_000_000 + 20 * MINUTE / SECOND, ..Case::default() });
    assert_eq!(browser.open(&late).await, FAILED);
    let in_time = provider.agree(&browser.leave().await);
    app.pass(10 * MINUTE - 1);
    assert!(browser.open(&in_time).await.starts_with("/auth/callback?"));
}

#[tokio::test]
async fn f1_a_return_without_code_or_state_or_with_two_of_them_is_refused() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let back = async || provider.agree(&browser.leave().await);
    let path = "/api/auth/google/callback";
    let state = parameter(&back().await, "state");
    assert_eq!(browser.open(&format!("{path}?state={state}")).await, FAILED);
    let state = parameter(&back().await, "state");
    assert_eq!(browser.open(&format!("{path}?state={state}&code=")).await, FAILED);
    let state = parameter(&back().await, "state");
    let denied = format!("{path}?state={state}&error=access_denied&error_description=%3Cscript%3E");
    assert_eq!(browser.open(&denied).await, FAILED);
    let whole = back().await;
    let (code, state) = (parameter(&whole, "code"), parameter(&whole, "state"));
    for query in [
        String::new(),
        "?".into(),
        format!("?code={code}"),
        format!("?code={code}&state="),
        format!("?code={code}&state={state}A"),
        format!("?code={code}&state=x&state={state}"),
        format!("?code={code}&state[]={state}"),
        format!("?code={code}&state=%FF%00"),
        format!("?code={code}&state={}", "s".repeat(10_000)),
    ] {
        assert_eq!(browser.open(&format!("{path}{query}")).await, FAILED, "{query:.60}");
    }
    nobody_came_in(&app).await;
}

#[tokio::test]
async fn f1_an_answer_that_names_its_issuer_must_name_ours() {
    let (provider, app) = ready().await;
    let browser = Browser::new(&app);
    let ours: String = url::form_urlencoded::byte_serialize(provider.issuer().as_bytes()).collect();
    let back = provider.agree(&browser.leave().await);
    assert_eq!(browser.open(&format!("{back}&iss=https%3A%2F%2Faccounts.google.com")).await, FAILED);
    let back = provider.agree(&browser.leave().await);
    assert!(browser.open(&format!("{back}&iss={ours}")).await.starts_with("/auth/callback?"));
}

#[tokio::test]
async fn f1_a_provider_that_promises_to_name_itself_must_do_so() {
    let provider = Provider::start().await;
    let app = start(&provider).await;
    verified(&app, CLERK).await;
    let claims = json!({"email": CLERK, "email_verified": true});
    let metadata = json!({"authorization_response_iss_parameter_supported": true});
    provider.set(Case { claims, metadata, ..Case::default() });
    let browser = Browser::new(&app);
    assert_eq!(browser.land(&provider).await, FAILED);
    let ours: String = url::form_urlencoded::byte_serialize(provider.issuer().as_bytes()).collect();
    let back = provider.agree(&browser.leave().await);
    assert!(browser.open(&format!("{back}&iss={ours}")).await.starts_with("/auth/callback?"));
}

/// Addresses that lead elsewhere where a server believes them, as they stand in an address.
fn elsewhere() -> Vec<String> {
    let hosts =
        ["evil.example", "evil.example%2F", "127.0.0.1.evil.example", "evil.example%23", "evil%E3%80%82example"];
    let shapes = [
        "https%3A%2F%2F{}",
        "http%3A%2F%2F{}",
        "%2F%2F{}",
        "%2F%2F%2F{}",
        "%2F%5C{}",
        "%5C%5C{}",
        "%2F%09%2F{}",
        "%0A%2F%2F{}",
        "%0D%0ALocation%3A%20https%3A%2F%2F{}",
        "https%3A{}",
        "https%3A%2F{}",
        "%20https%3A%2F%2F{}",
        "https%3A%2F%2F127.0.0.1%40{}",
        "https%3A%2F%2F127.0.0.1%2F..%2F%2F{}",
        "%2Fdashboard%2F..%2F%2F{}",
        "javascript%3Aalert(1)%2F%2F{}",
        "data%3Atext%2Fhtml%2C{}",
        "%2Flogin%3Fnext%3Dhttps%3A%2F%2F{}",
        "%E2%80%AEhttps%3A%2F%2F{}",
        "{}%00https%3A%2F%2F{}",
    ];
    shapes.iter().flat_map(|shape| hosts.map(|host| shape.replace("{}", host))).collect()
}

#[tokio::test]
async fn f4_no_parameter_leads_a_browser_elsewhere() {
    let (provider, app) = ready().await;
    // Each is a sign-in of its own, from one address.
    app.db().sql("DELETE FROM throttles").exec().await.unwrap();
    let names = ["next", "redirect", "redirect_uri", "returnTo", "return_url", "continue", "url", "deviceName"];
    let payloads = elsewhere();
    assert!(payloads.len() >= 100);
    for payload in &payloads {
        let query: String = names.iter().map(|name| format!("&{name}={payload}")).collect();
        let browser = Browser::new(&app);
        let departure = browser.open(&format!("/api/auth/google?{}", &query[1..])).await;
        assert!(departure.starts_with(&format!("{}/authorize?", provider.issuer())), "{departure}");
        assert_eq!(parameter(&departure, "redirect_uri"), "http://127.0.0.1:8080/api/auth/google/callback");
        assert!(!departure.contains("evil"), "{departure}");
        let back = provider.agree(&departure);
        let landed = browser.open(&format!("{back}{query}")).await;
        assert!(landed.starts_with("/auth/callback?accessToken=") && !landed.contains("evil"), "{landed}");
        assert_eq!(browser.open(&format!("/api/auth/google/callback?code={payload}&state={payload}")).await, FAILED);
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
    }
}

#[tokio::test]
async fn f4_no_header_leads_a_browser_elsewhere() {
    let (provider, app) = ready().await;
    let none = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(none).no_proxy().build().unwrap();
    for name in ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded", "referer", "origin", "x-original-url"] {
        let value = if name == "forwarded" { "host=evil.example;proto=https" } else { "evil.example" };
        let answer = client.get(app.url("/api/auth/google")).header(name, value).send().await.unwrap();
        let departure = answer.headers()["location"].to_str().unwrap();
        assert!(departure.starts_with(&format!("{}/authorize?", provider.issuer())), "{name}: {departure}");
        assert!(!departure.contains("evil"), "{name}: {departure}");
    }
}

#[tokio::test]
async fn f1_no_page_of_another_site_begins_a_journey() {
    let (provider, app) = ready().await;
    let none = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(none).no_proxy().build().unwrap();
    let there = format!("{}/authorize?", provider.issuer());
    for (site, begins) in [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)] {
        let answer = client.get(app.url("/api/auth/google")).header("sec-fetch-site", site).send().await.unwrap();
        let departure = answer.headers()["location"].to_str().unwrap();
        assert_eq!(departure.starts_with(&there), begins, "{site}: {departure}");
        assert!(begins || (departure == "/login" && !answer.headers().contains_key("set-cookie")), "{departure}");
    }
}
