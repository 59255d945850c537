//! Many connections at once, connections during a shutdown, and which responses close theirs.

use crate::app::TestApp;
use crate::helpers::wait_until;
use std::io::{self, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

const REQUEST: &[u8] = b"GET /api/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

async fn read_response(stream: TcpStream) -> String {
    stream.set_nonblocking(true).unwrap();
    let mut stream = tokio::net::TcpStream::from_std(stream).unwrap();
    let mut response = String::new();
    timeout(Duration::from_secs(20), stream.read_to_string(&mut response)).await.unwrap().unwrap();
    response
}

#[tokio::test]
async fn five_hundred_simultaneous_connections_need_no_retry() {
    let app = TestApp::start().await;
    // The server shares this thread and does not run meanwhile, so all connections wait in the kernel's queue. A client
    // whose connection attempt is dropped retries after a second, which is longer than this timeout.
    let moment = Duration::from_millis(900);
    let mut waiting: Vec<TcpStream> =
        (0..500).map(|_| TcpStream::connect_timeout(&app.address, moment).unwrap()).collect();
    let mut last = waiting.pop().unwrap();
    last.write_all(REQUEST).unwrap();
    assert!(read_response(last).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn connections_that_wait_in_the_queue_are_served_during_a_shutdown() {
    let app = TestApp::start().await.start_another_node().await;
    // The server shares this thread and does not run meanwhile: the connections are queued when the shutdown begins.
    let waiting: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(app.address).unwrap();
            stream.write_all(REQUEST).unwrap();
            stream
        })
        .collect();
    app.request_shutdown();
    for stream in waiting {
        assert!(read_response(stream).await.starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test]
async fn an_open_connection_gets_its_first_response_during_a_shutdown() {
    let app = TestApp::start().await;
    let mut early = TcpStream::connect(app.address).unwrap();
    app.request_shutdown();
    // The kernel retries a dropped connection attempt after a second, and the server waits at most three seconds for
    // `early`. Each attempt ends after 50 ms, so that none of them spends that time on a retry.
    let moment = Duration::from_millis(50);
    let mut rejected = None;
    wait_until("the listener is closed", async || {
        let late = timeout(moment, tokio::net::TcpStream::connect(app.address)).await;
        rejected = late.ok().and_then(Result::err);
        rejected.is_some()
    })
    .await;
    let rejected = rejected.unwrap();
    assert_eq!(rejected.kind(), io::ErrorKind::ConnectionRefused);
    early.write_all(REQUEST).unwrap();
    assert!(read_response(early).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_response_that_does_not_wait_for_the_body_announces_that_the_connection_closes() {
    let app = TestApp::start().await;
    for (path, status) in [("/api/contacts", 401), ("/api/none", 404), ("/api/health", 405)] {
        let mut stream = TcpStream::connect(app.address).unwrap();
        let request =
            format!("POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Length: 1024\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let response = read_response(stream).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{response}");
        assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
    }
}

#[tokio::test]
async fn an_error_without_a_body_or_after_the_whole_body_keeps_the_connection() {
    let app = TestApp::start().await;
    let mut stream = TcpStream::connect(app.address).unwrap();
    let get = b"GET /api/users HTTP/1.1\r\nHost: a\r\n\r\n";
    let post =
        b"POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    stream.write_all(&[&get[..], &post[..], REQUEST].concat()).unwrap();
    let responses = read_response(stream).await;
    let statuses: Vec<&str> = responses.split("HTTP/1.1 ").skip(1).map(|response| &response[..3]).collect();
    assert_eq!(statuses, ["401", "400", "200"], "{responses}");
}
