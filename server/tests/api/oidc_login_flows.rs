//! F1 of docs/security.md, in the browser: an OIDC login flow can be completed only once, in time, by the browser that
//! started it, and with its own code. F4: no parameter and no header of a request determines a redirect target.

use crate::app::{CLERK, TestApp};
use crate::browser::{Browser, start_with_clerk};
use crate::helpers::count;
use crate::provider::Case;
use forecourt::platform::clock::{MINUTE, SECOND};
use serde_json::json;

const FAILED: &str = "/login?federated=failed";

/// Returns the value of a URL's query parameter. Panics if it is missing.
fn parameter(address: &str, name: &str) -> String {
    let query = address.split_once('?').unwrap().1;
    url::form_urlencoded::parse(query.as_bytes()).find(|(n, _)| n == name).unwrap().1.into_owned()
}

/// Asserts that no login flow has created one-time values or connected an account.
async fn assert_no_login(app: &TestApp) {
    assert_eq!(count(app, "SELECT count(*) FROM handoffs").await, 0);
    assert_eq!(count(app, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn f1_a_state_is_accepted_only_once() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let back = provider.approve(&browser.start_login().await);
    let cookies = browser.cookies();
    browser.open(&back).await;
    for (name, value) in cookies {
        browser.set_cookie(&name, &value);
    }
    provider.take_requests();
    assert_eq!(browser.open(&back).await, FAILED);
    assert!(provider.take_requests().is_empty(), "the code is not used");
}

#[tokio::test]
async fn f1_a_callback_without_the_cookie_is_rejected_and_uses_nothing_up() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let back = provider.approve(&browser.start_login().await);
    provider.take_requests();
    assert_eq!(Browser::new(&app).open(&back).await, FAILED);
    assert!(provider.take_requests().is_empty());
    assert_no_login(&app).await;
    assert!(browser.open(&back).await.starts_with("/auth/callback?"));
}

#[tokio::test]
async fn f1_a_cookie_that_is_not_the_signature_of_the_state_is_rejected() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let back = provider.approve(&browser.start_login().await);
    let (name, good) = browser.cookies().into_iter().next().unwrap();
    let changed = format!("{}{}", if good.starts_with('A') { 'B' } else { 'A' }, &good[1..]);
    for bad in ["", "A", &changed, &good[1..], &format!("{good}AAAA"), &parameter(&back, "state")] {
        browser.set_cookie(&name, bad);
        assert_eq!(browser.open(&back).await, FAILED, "{bad}");
    }
    assert_no_login(&app).await;
}

#[tokio::test]
async fn f1_a_state_of_another_browser_is_rejected() {
    let (provider, app) = start_with_clerk().await;
    let (mallory, victim) = (Browser::new(&app), Browser::new(&app));
    // The victim, who has started a login flow too, opens the callback of Mallory's flow.
    let link = provider.approve(&mallory.start_login().await);
    victim.start_login().await;
    assert_eq!(victim.open(&link).await, FAILED);
    assert_no_login(&app).await;
}

#[tokio::test]
async fn f1_a_code_of_another_login_flow_is_rejected_by_pkce() {
    let (provider, app) = start_with_clerk().await;
    let (mallory, victim) = (Browser::new(&app), Browser::new(&app));
    let stolen = parameter(&provider.approve(&victim.start_login().await), "code");
    let state = parameter(&provider.approve(&mallory.start_login().await), "state");
    provider.take_requests();
    assert_eq!(mallory.open(&format!("/api/auth/google/callback?code={stolen}&state={state}")).await, FAILED);
    assert_eq!(provider.take_requests(), ["token"], "the provider saw the wrong verifier");
    assert_no_login(&app).await;
}

#[tokio::test]
async fn f1_a_login_flow_expires_after_ten_minutes() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let claims = json!({"email": CLERK, "email_verified": true});
    let expired = provider.approve(&browser.start_login().await);
    app.advance(10 * MINUTE);
    provider.set(Case { claims, now: 1_800_000_000 + 20 * MINUTE / SECOND, ..Case::default() });
    assert_eq!(browser.open(&expired).await, FAILED);
    let in_time = provider.approve(&browser.start_login().await);
    app.advance(10 * MINUTE - 1);
    assert!(browser.open(&in_time).await.starts_with("/auth/callback?"));
}

#[tokio::test]
async fn f1_a_callback_without_exactly_one_code_and_state_is_rejected() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let back = async || provider.approve(&browser.start_login().await);
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
    assert_no_login(&app).await;
}

#[tokio::test]
async fn f1_an_issuer_in_the_callback_must_match() {
    let (provider, app) = start_with_clerk().await;
    let browser = Browser::new(&app);
    let ours: String = url::form_urlencoded::byte_serialize(provider.issuer().as_bytes()).collect();
    let back = provider.approve(&browser.start_login().await);
    assert_eq!(browser.open(&format!("{back}&iss=https%3A%2F%2Faccounts.google.com")).await, FAILED);
    let back = provider.approve(&browser.start_login().await);
    assert!(browser.open(&format!("{back}&iss={ours}")).await.starts_with("/auth/callback?"));
}

#[tokio::test]
async fn f1_an_announced_issuer_parameter_must_be_present() {
    let (provider, app) = start_with_clerk().await;
    let claims = json!({"email": CLERK, "email_verified": true});
    let metadata = json!({"authorization_response_iss_parameter_supported": true});
    provider.set(Case { claims, metadata, ..Case::default() });
    let browser = Browser::new(&app);
    assert_eq!(browser.complete_login(&provider).await, FAILED);
    let ours: String = url::form_urlencoded::byte_serialize(provider.issuer().as_bytes()).collect();
    let back = provider.approve(&browser.start_login().await);
    assert!(browser.open(&format!("{back}&iss={ours}")).await.starts_with("/auth/callback?"));
}

/// Returns URL-encoded addresses that lead to another site if a server trusts them.
fn open_redirect_payloads() -> Vec<String> {
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
async fn f4_no_parameter_redirects_to_another_site() {
    let (provider, app) = start_with_clerk().await;
    // Reset the login limit, because all logins come from the same client address.
    app.db().sql("DELETE FROM throttles").exec().await.unwrap();
    let names = ["next", "redirect", "redirect_uri", "returnTo", "return_url", "continue", "url", "deviceName"];
    let payloads = open_redirect_payloads();
    assert!(payloads.len() >= 100);
    for payload in &payloads {
        let query: String = names.iter().map(|name| format!("&{name}={payload}")).collect();
        let browser = Browser::new(&app);
        let authorization_url = browser.open(&format!("/api/auth/google?{}", &query[1..])).await;
        assert!(authorization_url.starts_with(&format!("{}/authorize?", provider.issuer())), "{authorization_url}");
        assert_eq!(parameter(&authorization_url, "redirect_uri"), "http://127.0.0.1:8080/api/auth/google/callback");
        assert!(!authorization_url.contains("evil"), "{authorization_url}");
        let back = provider.approve(&authorization_url);
        let callback = browser.open(&format!("{back}{query}")).await;
        assert!(callback.starts_with("/auth/callback?accessToken=") && !callback.contains("evil"), "{callback}");
        assert_eq!(browser.open(&format!("/api/auth/google/callback?code={payload}&state={payload}")).await, FAILED);
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
    }
}

#[tokio::test]
async fn f4_no_header_redirects_to_another_site() {
    let (provider, app) = start_with_clerk().await;
    let none = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(none).no_proxy().build().unwrap();
    for name in ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded", "referer", "origin", "x-original-url"] {
        let value = if name == "forwarded" { "host=evil.example;proto=https" } else { "evil.example" };
        let response = client.get(app.url("/api/auth/google")).header(name, value).send().await.unwrap();
        let authorization_url = response.headers()["location"].to_str().unwrap();
        assert!(
            authorization_url.starts_with(&format!("{}/authorize?", provider.issuer())),
            "{name}: {authorization_url}"
        );
        assert!(!authorization_url.contains("evil"), "{name}: {authorization_url}");
    }
}

#[tokio::test]
async fn f1_another_site_cannot_start_a_login_flow() {
    let (provider, app) = start_with_clerk().await;
    let none = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(none).no_proxy().build().unwrap();
    let there = format!("{}/authorize?", provider.issuer());
    for (site, starts) in [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)] {
        let response = client.get(app.url("/api/auth/google")).header("sec-fetch-site", site).send().await.unwrap();
        let authorization_url = response.headers()["location"].to_str().unwrap();
        assert_eq!(authorization_url.starts_with(&there), starts, "{site}: {authorization_url}");
        assert!(
            starts || (authorization_url == "/login" && !response.headers().contains_key("set-cookie")),
            "{authorization_url}"
        );
    }
}
