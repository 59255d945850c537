//! Requests that are no proper HTTP/1.1, byte by byte: what two programs could read in two ways is refused, and whatever
//! came with it is never answered as a call of its own.

use crate::app::TestApp;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Sends the bytes, and gives the status of every answer until the server closes.
async fn answers(app: &TestApp, bytes: &[u8]) -> Vec<u16> {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    // A server that has refused may close before it has read all.
    let _ = stream.write_all(bytes).await;
    let mut seen = Vec::new();
    let ended = timeout(Duration::from_secs(30), stream.read_to_end(&mut seen)).await;
    assert!(ended.is_ok(), "the server keeps the connection: {}", String::from_utf8_lossy(bytes));
    let text = String::from_utf8_lossy(&seen).into_owned();
    text.split("HTTP/1.").skip(1).map(|answer| answer[2..5].parse().unwrap()).collect()
}

const SMUGGLED: &str = "GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

fn post(headers: &str, body: &str) -> String {
    format!("POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{headers}\r\n{body}")
}

#[tokio::test]
async fn a_body_that_could_end_in_two_places_is_refused_and_nothing_behind_it_is_answered() {
    let app = TestApp::start().await;
    let behind = |headers: &str, body: &str| post(headers, &format!("{body}{SMUGGLED}"));
    for request in [
        behind("Content-Length: 5\r\nContent-Length: 6\r\n", "{}"),
        behind("Content-Length: 2, 3\r\n", "{}"),
        behind("Content-Length: +2\r\n", "{}"),
        behind("Content-Length: -1\r\n", "{}"),
        behind("Content-Length: 0x2\r\n", "{}"),
        behind("Content-Length: 2 2\r\n", "{}"),
        behind("Content-Length: 18446744073709551616\r\n", "{}"),
        behind("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        behind("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
        behind("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
        behind("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
        behind("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
        behind("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"),
        behind("Transfer-Encoding: chunked\r\n", "2\r\n{}XX0\r\n\r\n"),
        behind("Transfer-Encoding: chunked\r\n", "2\n{}\n0\n\n"),
        behind("Transfer-Encoding: chunked\r\n", &format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "x".repeat(1 << 20))),
    ] {
        let seen = answers(&app, request.as_bytes()).await;
        assert!(seen.len() <= 1 && seen.iter().all(|status| *status == 400), "{seen:?}: {:.300}", request);
    }
}

#[tokio::test]
async fn of_two_ways_to_tell_a_bodys_end_the_chunks_count_and_the_connection_is_closed() {
    let app = TestApp::start().await;
    for headers in
        ["Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"]
    {
        let seen = answers(&app, post(headers, &format!("2\r\n{{}}\r\n0\r\n\r\n{SMUGGLED}")).as_bytes()).await;
        assert_eq!(seen, [400], "{headers}: {seen:?}");
    }
}

#[tokio::test]
async fn a_line_or_a_header_that_is_not_well_formed_is_refused() {
    let app = TestApp::start().await;
    let get = |headers: &str| format!("GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{headers}\r\n");
    let many: String = (0..100).map(|n| format!("X-{n}: 1\r\n")).collect();
    let mut requests = vec![
        get("X: a\r\n folded\r\n"),
        get("X\r\n"),
        get("X y: 1\r\n"),
        get(": 1\r\n"),
        get("X: a\0b\r\n"),
        get("X: a\rb\r\n"),
        get(&many),
        get(&format!("X: {}\r\n", "a".repeat(64 * 1024))),
        "GET\r\n\r\n".into(),
        "GET /api/health\r\n\r\n".into(),
        "GET  /api/health HTTP/1.1\r\nHost: a\r\n\r\n".into(),
        "GET /api/health HTTP/2.0\r\nHost: a\r\n\r\n".into(),
        "GET /api/health HTTP/1.1x\r\nHost: a\r\n\r\n".into(),
        "GET /api/he alth HTTP/1.1\r\nHost: a\r\n\r\n".into(),
        "GET /api/\0health HTTP/1.1\r\nHost: a\r\n\r\n".into(),
        "G\u{e9}T /api/health HTTP/1.1\r\nHost: a\r\n\r\n".into(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(),
        "\x16\x03\x01\x02\x00\x01\x00".into(),
    ];
    requests.push(format!("GET /api/health?{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(64 * 1024)));
    for request in requests {
        let seen = answers(&app, request.as_bytes()).await;
        let is_refused = seen.len() <= 1 && seen.iter().all(|status| matches!(status, 400 | 414 | 431));
        assert!(is_refused, "{seen:?}: {:.200}", request.escape_debug());
    }
}

#[tokio::test]
async fn a_call_that_is_well_formed_and_odd_is_answered_without_a_fault() {
    let app = TestApp::start().await;
    let get = |line: &str| format!("{line}\r\nHost: a\r\nConnection: close\r\n\r\n");
    for (request, expected) in [
        (get("GET http://elsewhere.example/api/health HTTP/1.1"), 200),
        (get("BREW /api/health HTTP/1.1"), 405),
        (get("TRACE /api/health HTTP/1.1"), 405),
        (get("OPTIONS /api/health HTTP/1.1"), 405),
        (get("GET /api/images/%zz HTTP/1.1"), 404),
        (get("GET /api/images/%ff%fe HTTP/1.1"), 404),
        (get("GET /api/images/%00 HTTP/1.1"), 404),
        (get("GET /api//health HTTP/1.1"), 404),
        (get("GET /api/./health HTTP/1.1"), 404),
        (get("GET /api/%68ealth HTTP/1.1"), 404),
        (get("GET /api/health/%2e%2e/users HTTP/1.1"), 404),
        (post("Connection: close\r\nContent-Length: 9\r\n", "{\"email\":"), 400),
        (post("Connection: close\r\nTransfer-Encoding: chunked\r\n", "2;a=\"b\"\r\n{}\r\n0\r\nX: y\r\n\r\n"), 400),
        ("\r\n\r\nGET /api/health HTTP/1.0\r\n\r\n".to_owned(), 200),
    ] {
        let seen = answers(&app, request.as_bytes()).await;
        assert_eq!(seen.last(), Some(&expected), "{:.200}", request.escape_debug());
    }
}

#[tokio::test]
async fn calls_that_come_in_one_go_are_answered_in_their_order() {
    let app = TestApp::start().await;
    let one = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n");
    let all = one("/api/health") + &one("/api/users") + &one("/api/none") + SMUGGLED;
    assert_eq!(answers(&app, all.as_bytes()).await, [200, 401, 404, 200]);
}
