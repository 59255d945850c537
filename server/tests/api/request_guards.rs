//! Handlers without the guard of their route, and requests that take too long.

use crate::app::{CLERK, PASSWORD, TestApp, client};
use crate::helpers::{advance_time, count, wait_until};
use crate::provider::axum_serve;
use axum::extract::FromRequestParts;
use axum::http::Request;
use forecourt::access::scope::{Administrator, Contacts, May, Read, Signed};
use forecourt::platform::error::ApiError;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};

#[tokio::test]
async fn an_extractor_without_its_guard_gets_an_internal_error() {
    let app = TestApp::start().await;
    let mut parts = Request::new(()).into_parts().0;
    let signed = Signed::from_request_parts(&mut parts, &app.app).await.err();
    let administrator = Administrator::from_request_parts(&mut parts, &app.app).await.err();
    let may = May::<Read, Contacts>::from_request_parts(&mut parts, &app.app).await.err();
    for rejected in [signed, administrator, may] {
        assert!(matches!(rejected, Some(ApiError::Internal)), "{rejected:?}");
    }
}

#[tokio::test]
async fn a_login_without_a_known_client_address_gets_500() {
    let app = TestApp::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum_serve(listener, forecourt::app::router(&app.app)));
    let form = json!({"email": CLERK, "password": PASSWORD, "deviceId": "d"});
    let response = client().post(format!("http://{address}/api/auth/login")).json(&form).send().await.unwrap();
    assert_eq!(response.status(), 500);
    assert_eq!(count(&app, "SELECT count(*) FROM login_codes").await, 0);
}

/// Sends the head of a login request with a long body, and none of the body.
async fn start_login_request(app: &TestApp) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head =
        "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    wait_until("the request is accepted", async || count(app, "SELECT count(*) FROM throttles").await > 0).await;
    stream
}

/// Returns whether the response is a 408. False if none arrives within 50 ms.
async fn is_timed_out(stream: &mut TcpStream) -> bool {
    let mut response = [0; 12];
    let read = timeout(Duration::from_millis(50), stream.read_exact(&mut response)).await;
    read.is_ok_and(|read| read.is_ok()) && &response == b"HTTP/1.1 408"
}

/// Waits until the response is 408. Returns the time since `since`, including time that the test skipped.
async fn wait_for_timeout(stream: &mut TcpStream, since: Instant) -> Duration {
    wait_until("the request times out", async || is_timed_out(stream).await).await;
    since.elapsed()
}

#[tokio::test]
async fn a_stalled_request_body_gets_408() {
    let app = TestApp::start().await;
    let since = Instant::now();
    let mut stream = start_login_request(&app).await;
    stream.write_all(b"{").await.unwrap();
    // Give the server time to read these bytes.
    sleep(Duration::from_millis(20)).await;
    advance_time(Duration::from_secs(12)).await;
    let elapsed = wait_for_timeout(&mut stream, since).await;
    assert!(elapsed < Duration::from_secs(30), "ended by the total timeout instead: {elapsed:?}");
}

#[tokio::test]
async fn a_slow_but_steady_request_gets_408_at_the_total_timeout() {
    let app = TestApp::start().await;
    let mut stream = start_login_request(&app).await;
    let mut last = Instant::now();
    for _ in 0..6 {
        last = Instant::now();
        stream.write_all(&[b' '; 8 * 1024]).await.unwrap();
        // Give the server time to read these bytes.
        sleep(Duration::from_millis(20)).await;
        advance_time(Duration::from_secs(5)).await;
    }
    let elapsed = wait_for_timeout(&mut stream, last).await;
    assert!(elapsed < Duration::from_secs(12), "ended by the idle timeout instead: {elapsed:?}");
}
