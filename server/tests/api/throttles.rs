//! Login limits (security.md A1 and A2): exact per account and client address, across nodes.

use crate::app::{ApiResponse, CLERK, NO_ROLE, PASSWORD, TestApp, client};
use crate::helpers::*;
use crate::server::Server;
use forecourt::platform::clock::MINUTE;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::json;

#[tokio::test]
async fn a1_password_guesses_are_limited_per_account_except_trusted_devices() {
    let app = TestApp::start().await;
    remember(&app, CLERK, "trusted").await;
    for email in [CLERK, UNKNOWN] {
        for _ in 0..10 {
            assert_eq!(login(&app, email, "guess").await.status, 401);
        }
        assert_throttled(&login(&app, email, PASSWORD).await, 300);
    }
    assert_eq!(login(&app, NO_ROLE, PASSWORD).await.status, 200, "other users can sign in");
    assert_eq!(login_on(&app, CLERK, PASSWORD, "trusted", false).await.status, 200);
    app.advance(5 * MINUTE);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a1_code_attempts_are_limited_per_client_address() {
    let app = TestApp::start().await;
    for _ in 0..60 {
        assert_eq!(verify(&app, UNKNOWN, "123456", DEVICE).await.status, 400);
    }
    assert_throttled(&verify(&app, CLERK, "123456", DEVICE).await, 300);
    app.advance(5 * MINUTE);
    assert_eq!(verify(&app, CLERK, "123456", DEVICE).await.status, 400);
}

/// Counts the responses with this status.
fn count_with(responses: &[ApiResponse], status: u16) -> usize {
    responses.iter().filter(|a| a.status == status).count()
}

#[tokio::test]
async fn a1_the_limit_per_account_is_exact_across_nodes_and_addresses() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    for email in [CLERK, UNKNOWN] {
        let before = nodes.each_ref().map(|n| n.app.hasher.computed());
        let form = json!({"email": email, "password": "guess", "deviceId": DEVICE});
        let (one, other) = tokio::join!(
            send_at_once(&nodes[0], "/api/auth/login", &form, 32),
            send_at_once(&nodes[1], "/api/auth/login", &form, 32)
        );
        let responses: Vec<ApiResponse> = one.into_iter().chain(other).collect();
        assert_eq!((count_with(&responses, 401), count_with(&responses, 429)), (10, 54));
        assert!(responses.iter().all(|a| a.status != 429 || a.headers["retry-after"] == "300"));
        let hashes: u64 = nodes.iter().zip(before).map(|(n, before)| n.app.hasher.computed() - before).sum();
        assert_eq!(hashes, 10, "rejected attempts compute no hash");
    }
}

#[tokio::test]
async fn a1_the_limit_per_address_is_exact_across_nodes_and_accounts() {
    let app = TestApp::start().await;
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    let guess = async |i: usize| login(&nodes[i % 2], &unknown_email(i), "guess").await;
    let guesses = (0..80).map(guess);
    let responses = join_all(guesses).await;
    assert_eq!((count_with(&responses, 401), count_with(&responses, 429)), (60, 20));
    let hashes: u64 = nodes.iter().map(|n| n.app.hasher.computed()).sum();
    assert_eq!(hashes, 60, "rejected attempts compute no hash");
}

fn unknown_email(i: usize) -> String {
    format!("nobody-{i}@at.all.example")
}

#[tokio::test]
async fn a1_forwarded_addresses_count_only_behind_a_trusted_proxy() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let direct = TestApp::start().await;
    let try_code = async |app: &TestApp, from: String| {
        let form = json!({"email": UNKNOWN, "otp": "123456", "deviceId": DEVICE});
        let request = app.request(Method::POST, "/api/auth/verify-otp", None).json(&form);
        app.send(request.header("x-forwarded-for", from)).await.status
    };
    for i in 0..60 {
        // The client sends a forged address in the header; the proxy appends the address that it sees.
        assert_eq!(try_code(&app, format!("10.9.9.{i}, 2001:db8:0:{i:x}::1")).await, 400);
        assert_eq!(try_code(&direct, format!("10.9.9.{i}")).await, 400);
    }
    // All addresses of a /56 prefix count together: 0:ff is in that of the 60 attempts, 0:100 is not.
    assert_eq!(try_code(&app, "2001:db8:0:ff::1".into()).await, 429);
    assert_eq!(try_code(&app, "2001:db8:0:100::1".into()).await, 400);
    assert_eq!(try_code(&direct, "10.9.9.99".into()).await, 429);
}

#[tokio::test]
async fn a2_logins_beyond_the_hashing_queue_get_503_with_retry_after() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let requests = (0..200).map(|i| {
        let form = json!({"email": unknown_email(i), "password": "guess", "deviceId": DEVICE});
        let request = app.request(Method::POST, "/api/auth/login", None).json(&form);
        app.send(request.header("x-forwarded-for", format!("10.0.0.{i}")))
    });
    let (responses, health) = tokio::join!(join_all(requests), app.get("/api/health", None));
    assert_eq!(health.status, 200);
    let hashed = count_with(&responses, 401);
    assert!(count_with(&responses, 503) > 0 && hashed + count_with(&responses, 503) == 200, "{hashed} were hashed");
    assert!(responses.iter().all(|a| a.status != 503 || a.headers["retry-after"] == "2"));
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 200, "afterwards logins succeed again");
}

#[tokio::test]
async fn a2_a_thousand_concurrent_logins_use_little_memory() {
    let server = Server::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let client = client();
    let requests = (0..1000).map(|i| {
        let form = json!({"email": unknown_email(i), "password": "guess", "deviceId": DEVICE});
        let request = client.post(server.url("/api/auth/login")).json(&form);
        let request = request.header("x-forwarded-for", format!("10.0.{}.{}", i / 250, i % 250));
        async { request.send().await.unwrap().status() }
    });
    let others = async {
        for _ in 0..20 {
            server.get("/api/auth/profile/detail").await;
        }
    };
    let (statuses, ()) = tokio::join!(join_all(requests), others);
    let is_expected = |s: &StatusCode| matches!(s.as_u16(), 401 | 503);
    assert!(statuses.iter().all(is_expected), "{:?}", statuses.iter().find(|s| !is_expected(s)));
    let memory = server.peak_memory();
    assert!(memory < 200, "the server took {memory} MB");
}
