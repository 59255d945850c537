//! How much can be tried (security.md A1 and A2): per account and per address, exactly, on however many nodes.

use crate::app::{Answer, CLERK, NOBODY, PASSWORD, TestApp, client};
use crate::server::Server;
use crate::steps::*;
use forecourt::platform::clock::MINUTE;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::json;

#[tokio::test]
async fn a1_guessing_a_password_is_throttled_by_account_but_not_on_its_trusted_device() {
    let app = TestApp::start().await;
    remember(&app, CLERK, "trusted").await;
    for email in [CLERK, UNKNOWN] {
        for _ in 0..10 {
            assert_eq!(login(&app, email, "guess").await.status, 401);
        }
        assert_throttled(&login(&app, email, PASSWORD).await, 300);
    }
    assert_eq!(login(&app, NOBODY, PASSWORD).await.status, 200, "others sign in as before");
    assert_eq!(login_on(&app, CLERK, PASSWORD, "trusted", false).await.status, 200);
    app.pass(5 * MINUTE);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a1_codes_tried_from_one_address_are_throttled() {
    let app = TestApp::start().await;
    for _ in 0..60 {
        assert_eq!(verify(&app, UNKNOWN, "123456", DEVICE).await.status, 400);
    }
    assert_throttled(&verify(&app, CLERK, "123456", DEVICE).await, 300);
    app.pass(5 * MINUTE);
    assert_eq!(verify(&app, CLERK, "123456", DEVICE).await.status, 400);
}

/// How many answers have this status.
fn with(answers: &[Answer], status: u16) -> usize {
    answers.iter().filter(|a| a.status == status).count()
}

#[tokio::test]
async fn a1_an_accounts_limit_is_exact_however_many_nodes_and_addresses_guess_at_once() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let nodes = [app.another_node().await, app.another_node().await];
    for email in [CLERK, UNKNOWN] {
        let before = nodes.each_ref().map(|n| n.app.hasher.computed());
        let form = json!({"email": email, "password": "guess", "deviceId": DEVICE});
        let (one, other) = tokio::join!(
            at_once(&nodes[0], "/api/auth/login", &form, 32),
            at_once(&nodes[1], "/api/auth/login", &form, 32)
        );
        let answers: Vec<Answer> = one.into_iter().chain(other).collect();
        assert_eq!((with(&answers, 401), with(&answers, 429)), (10, 54));
        assert!(answers.iter().all(|a| a.status != 429 || a.headers["retry-after"] == "300"));
        let hashes: u64 = nodes.iter().zip(before).map(|(n, before)| n.app.hasher.computed() - before).sum();
        assert_eq!(hashes, 10, "who is refused costs no hash");
    }
}

#[tokio::test]
async fn a1_an_addresss_limit_is_exact_however_many_nodes_and_accounts_are_tried_at_once() {
    let app = TestApp::start().await;
    let nodes = [app.another_node().await, app.another_node().await];
    let guess = async |i: usize| login(&nodes[i % 2], &nobody(i), "guess").await;
    let guesses = (0..80).map(guess);
    let answers = join_all(guesses).await;
    assert_eq!((with(&answers, 401), with(&answers, 429)), (60, 20));
    let hashes: u64 = nodes.iter().map(|n| n.app.hasher.computed()).sum();
    assert_eq!(hashes, 60, "who is refused costs no hash");
}

fn nobody(i: usize) -> String {
    format!("nobody-{i}@at.all.example")
}

#[tokio::test]
async fn a1_a_forwarded_address_counts_only_behind_a_trusted_proxy_and_ipv6_by_its_56_bits() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let direct = TestApp::start().await;
    let tried = async |app: &TestApp, from: String| {
        let form = json!({"email": UNKNOWN, "otp": "123456", "deviceId": DEVICE});
        let request = app.request(Method::POST, "/api/auth/verify-otp", None).json(&form);
        app.send(request.header("x-forwarded-for", from)).await.status
    };
    for i in 0..60 {
        // What a client wrote itself stands left of what the proxy saw.
        assert_eq!(tried(&app, format!("10.9.9.{i}, 2001:db8:0:{i:x}::1")).await, 400);
        assert_eq!(tried(&direct, format!("10.9.9.{i}")).await, 400);
    }
    assert_eq!(tried(&app, "2001:db8:0:ff::1".into()).await, 429);
    assert_eq!(tried(&app, "2001:db8:0:100::1".into()).await, 400);
    assert_eq!(tried(&direct, "10.9.9.99".into()).await, 429);
}

#[tokio::test]
async fn a2_what_would_wait_too_long_to_be_hashed_is_told_when_to_come_again() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let calls = (0..200).map(|i| {
        let form = json!({"email": nobody(i), "password": "guess", "deviceId": DEVICE});
        let request = app.request(Method::POST, "/api/auth/login", None).json(&form);
        app.send(request.header("x-forwarded-for", format!("10.0.0.{i}")))
    });
    let (answers, health) = tokio::join!(join_all(calls), app.get("/api/health", None));
    assert_eq!(health.status, 200);
    let hashed = with(&answers, 401);
    assert!(with(&answers, 503) > 0 && hashed + with(&answers, 503) == 200, "{hashed} were hashed");
    assert!(answers.iter().all(|a| a.status != 503 || a.headers["retry-after"] == "2"));
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200, "afterwards all is as before");
}

#[tokio::test]
async fn a2_a_thousand_logins_at_once_take_little_memory_and_the_rest_goes_on() {
    let server = Server::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let client = client();
    let calls = (0..1000).map(|i| {
        let form = json!({"email": nobody(i), "password": "guess", "deviceId": DEVICE});
        let call = client.post(server.at("/api/auth/login")).json(&form);
        let call = call.header("x-forwarded-for", format!("10.0.{}.{}", i / 250, i % 250));
        async { call.send().await.unwrap().status() }
    });
    let others = async {
        for _ in 0..20 {
            server.get("/api/auth/profile/detail").await;
        }
    };
    let (statuses, ()) = tokio::join!(join_all(calls), others);
    let fine = |s: &StatusCode| matches!(s.as_u16(), 401 | 503);
    assert!(statuses.iter().all(fine), "{:?}", statuses.iter().find(|s| !fine(s)));
    let memory = server.peak_memory();
    assert!(memory < 200, "the server took {memory} MB");
}
