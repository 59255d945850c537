//! What becomes of a call that comes without what stands in front of every handler, and of one that takes too long.

use crate::app::{CLERK, PASSWORD, TestApp, client};
use crate::provider::axum_serve;
use crate::steps::{count, skip, until};
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
async fn a_handler_whose_line_does_not_grant_what_it_asks_for_answers_nobody() {
    let app = TestApp::start().await;
    let mut parts = Request::new(()).into_parts().0;
    let signed = Signed::from_request_parts(&mut parts, &app.app).await.err();
    let administrator = Administrator::from_request_parts(&mut parts, &app.app).await.err();
    let may = May::<Read, Contacts>::from_request_parts(&mut parts, &app.app).await.err();
    for refused in [signed, administrator, may] {
        assert!(matches!(refused, Some(ApiError::Internal)), "{refused:?}");
    }
}

#[tokio::test]
async fn where_nobody_knows_from_where_a_call_comes_nothing_is_tried() {
    let app = TestApp::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum_serve(listener, forecourt::app::router(&app.app)));
    let form = json!({"email": CLERK, "password": PASSWORD, "deviceId": "d"});
    let answer = client().post(format!("http://{address}/api/auth/login")).json(&form).send().await.unwrap();
    assert_eq!(answer.status(), 500);
    assert_eq!(count(&app, "SELECT count(*) FROM login_codes").await, 0);
}

/// Begins a sign-in whose body is longer than what will come of it.
async fn begun(app: &TestApp) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head =
        "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    until("it is let in", async || count(app, "SELECT count(*) FROM throttles").await > 0).await;
    stream
}

async fn is_too_slow(stream: &mut TcpStream) -> bool {
    let mut answer = [0; 12];
    let came = timeout(Duration::from_millis(50), stream.read_exact(&mut answer)).await;
    came.is_ok_and(|read| read.is_ok()) && &answer == b"HTTP/1.1 408"
}

/// Waits until the call is given up; how long that is after `since`, with the time that was skipped.
async fn given_up(stream: &mut TcpStream, since: Instant) -> Duration {
    until("it is given up", async || is_too_slow(stream).await).await;
    since.elapsed()
}

#[tokio::test]
async fn a_body_that_stops_coming_is_answered_as_too_slow() {
    let app = TestApp::start().await;
    let since = Instant::now();
    let mut stream = begun(&app).await;
    stream.write_all(b"{").await.unwrap();
    // Until it is read.
    sleep(Duration::from_millis(20)).await;
    skip(Duration::from_secs(12)).await;
    let took = given_up(&mut stream, since).await;
    assert!(took < Duration::from_secs(30), "not for its pace, but because the call's time was over: {took:?}");
}

#[tokio::test]
async fn a_call_that_takes_longer_than_its_time_is_given_up_however_steadily_it_comes() {
    let app = TestApp::start().await;
    let mut stream = begun(&app).await;
    let mut last = Instant::now();
    for _ in 0..6 {
        last = Instant::now();
        stream.write_all(&[b' '; 8 * 1024]).await.unwrap();
        // Until it is read.
        sleep(Duration::from_millis(20)).await;
        skip(Duration::from_secs(5)).await;
    }
    let took = given_up(&mut stream, last).await;
    assert!(took < Duration::from_secs(12), "not for its time, but because nothing came for so long: {took:?}");
}
