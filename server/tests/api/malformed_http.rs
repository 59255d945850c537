//! Malformed and unusual HTTP/1.1. A request with an ambiguous length is rejected; if it has both a Content-Length and
//! chunks, the chunks count. In both cases the connection closes, so that bytes that follow are never processed as a
//! request.

use crate::app::{CLERK, TestApp};
use serde_json::json;
use socket2::SockRef;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Sends these bytes on a new connection. Returns the status of each response, once the server has closed it.
async fn send_raw(app: &TestApp, bytes: &[u8]) -> Vec<u16> {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let mut seen = Vec::new();
    // Writing may fail, because a server that rejects a request may close the connection before it has read all.
    let both = async { tokio::join!(writer.write_all(bytes), reader.read_to_end(&mut seen)) };
    let ended = timeout(Duration::from_secs(30), both).await.is_ok();
    assert!(ended, "the server keeps the connection: {:.300}", String::from_utf8_lossy(bytes));
    statuses(&seen)
}

/// Returns the status of each response in these bytes.
fn statuses(responses: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(responses).into_owned();
    text.split("HTTP/1.").skip(1).map(|response| response[2..5].parse().unwrap()).collect()
}

/// Asserts by the metrics that no request has ended with a server error, even one whose response was not received.
async fn assert_no_server_error(app: &TestApp) {
    let metrics = app.app.metrics.render(app.db(), 0, (0, 0)).await.unwrap();
    let is_fault = |line: &&str| line.contains("\"unexpected\"") || line.contains("\"5xx\"");
    let faults: Vec<&str> = metrics.lines().filter(is_fault).filter(|line| !line.ends_with(" 0")).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

const SMUGGLED: &str = "GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

fn post(headers: &str, body: &str) -> String {
    format!("POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{headers}\r\n{body}")
}

#[tokio::test]
async fn an_ambiguous_body_length_is_rejected_with_all_that_follows() {
    let app = TestApp::start().await;
    let with_smuggled_request = |headers: &str, body: &str| post(headers, &format!("{body}{SMUGGLED}"));
    for request in [
        with_smuggled_request("Content-Length: 5\r\nContent-Length: 6\r\n", "{}"),
        with_smuggled_request("Content-Length: 2, 3\r\n", "{}"),
        with_smuggled_request("Content-Length: +2\r\n", "{}"),
        with_smuggled_request("Content-Length: -1\r\n", "{}"),
        with_smuggled_request("Content-Length: 0x2\r\n", "{}"),
        with_smuggled_request("Content-Length: 2 2\r\n", "{}"),
        with_smuggled_request("Content-Length: 18446744073709551616\r\n", "{}"),
        with_smuggled_request("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding: chunked\r\n", "2\r\n{}XX0\r\n\r\n"),
        with_smuggled_request("Transfer-Encoding: chunked\r\n", "2\n{}\n0\n\n"),
        with_smuggled_request(
            "Transfer-Encoding: chunked\r\n",
            &format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "x".repeat(1 << 20)),
        ),
    ] {
        let seen = send_raw(&app, request.as_bytes()).await;
        assert!(seen.len() <= 1 && seen.iter().all(|status| *status == 400), "{seen:?}: {:.300}", request);
    }
}

#[tokio::test]
async fn with_two_body_lengths_chunking_wins_and_the_connection_closes() {
    let app = TestApp::start().await;
    for headers in
        ["Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"]
    {
        let seen = send_raw(&app, post(headers, &format!("2\r\n{{}}\r\n0\r\n\r\n{SMUGGLED}")).as_bytes()).await;
        assert_eq!(seen, [400], "{headers}: {seen:?}");
    }
}

#[tokio::test]
async fn a_malformed_request_line_or_header_is_rejected() {
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
        let seen = send_raw(&app, request.as_bytes()).await;
        let is_rejected = seen.len() <= 1 && seen.iter().all(|status| matches!(status, 400 | 414 | 431));
        assert!(is_rejected, "{seen:?}: {:.200}", request.escape_debug());
    }
}

#[tokio::test]
async fn an_unusual_but_valid_request_causes_no_server_error() {
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
        (get("GET /api/health/../users HTTP/1.1"), 404),
        (get("GET /api/users/..%2fhealth HTTP/1.1"), 401),
        (get("GET /api/users;a=b HTTP/1.1"), 404),
        (get("GET /api/users/ HTTP/1.1"), 404),
        (get("GET //api/users HTTP/1.1"), 404),
        (get("GET /api/users%00 HTTP/1.1"), 404),
        (get("GET /api/users%23 HTTP/1.1"), 404),
        (get("GET /api/health?%ff=%zz&&=&a HTTP/1.1"), 200),
        (get("GET /api/users?limit=%ff%fe HTTP/1.1"), 401),
        (get("OPTIONS * HTTP/1.1"), 405),
        (get("CONNECT elsewhere.example:443 HTTP/1.1"), 405),
        (get("get /api/health HTTP/1.1"), 405),
        (post("Connection: close\r\nContent-Length: 9\r\n", "{\"email\":"), 400),
        (post("Connection: close\r\nTransfer-Encoding: chunked\r\n", "2;a=\"b\"\r\n{}\r\n0\r\nX: y\r\n\r\n"), 400),
        ("\r\n\r\nGET /api/health HTTP/1.0\r\n\r\n".to_owned(), 200),
    ] {
        let seen = send_raw(&app, request.as_bytes()).await;
        assert_eq!(seen.last(), Some(&expected), "{:.200}", request.escape_debug());
    }
}

#[tokio::test]
async fn pipelined_requests_get_their_responses_in_order() {
    let app = TestApp::start().await;
    let one = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n");
    let all = one("/api/health") + &one("/api/users") + &one("/api/none") + SMUGGLED;
    assert_eq!(send_raw(&app, all.as_bytes()).await, [200, 401, 404, 200]);
}

#[tokio::test]
async fn a_thousand_pipelined_requests_all_get_a_response() {
    let app = TestApp::start().await;
    let all = "GET /api/none HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000) + SMUGGLED;
    let seen = send_raw(&app, all.as_bytes()).await;
    assert_eq!((seen.len(), seen.iter().filter(|status| **status == 404).count()), (1001, 1000));
    assert_eq!(seen.last(), Some(&200));
}

#[tokio::test]
async fn a_request_must_have_exactly_one_valid_host() {
    let app = TestApp::start().await;
    let get = |version: &str, headers: &str| {
        format!("GET /api/health/live HTTP/{version}\r\nConnection: close\r\n{headers}\r\n")
    };
    for (version, headers, expected) in [
        ("1.1", "", 400),
        ("1.1", "Host: a\r\nHost: a\r\n", 400),
        ("1.1", "Host: a\r\nhOST: b\r\n", 400),
        ("1.0", "Host: a\r\nHost: b\r\n", 400),
        ("1.1", "Host: a/b\r\n", 400),
        ("1.1", "Host: a b\r\n", 400),
        ("1.1", "Host: user@a\r\n", 400),
        ("1.1", "Host: a, b\r\n", 400),
        ("1.1", "Host: \u{e9}\r\n", 400),
        ("1.1", "Host: cars.example:8080\r\n", 200),
        ("1.1", "Host: [::1]:8080\r\n", 200),
        ("1.1", "Host:\r\n", 200),
        ("1.0", "", 200),
    ] {
        assert_eq!(send_raw(&app, get(version, headers).as_bytes()).await, [expected], "{version} {headers}");
    }
}

#[tokio::test]
async fn contradictory_credentials_grant_no_access_and_cause_no_server_error() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let get = |headers: &str| {
        let own = format!("Authorization: Bearer {token}\r\n");
        let headers = headers.replace("OWN", &own);
        format!("GET /api/contacts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{headers}\r\n")
    };
    for (headers, expected) in [
        ("OWN", 200),
        ("OWNOWN", 401),
        ("OWNAuthorization: Bearer x\r\n", 401),
        ("Authorization: Bearer x\r\nOWN", 401),
        ("Authorization:\r\n", 401),
        ("Authorization: Bearer\r\n", 401),
        ("Authorization: Bearer \u{e9}\r\n", 401),
        ("Cookie: a=b\r\nCookie: a=\u{e9}; =; ;;\r\nOWN", 200),
        ("OWNConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", 200),
        ("OWNConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n", 200),
        ("OWNExpect: 100-continue\r\n", 200),
        ("OWNExpect: the-impossible\r\n", 200),
        ("OWNRange: bytes=9999999999-0, -1, 0-\r\n", 200),
        ("OWNIf-None-Match: *\r\nIf-Modified-Since: then\r\n", 200),
        ("OWNAccept: \u{e9}\r\nAccept: text/html;q=nan\r\n", 200),
        ("OWNAccept-Encoding: *;q=0, identity;q=0\r\n", 200),
        ("OWNX-Forwarded-For: a, \u{e9}, ::, 1.2.3.4:99999\r\nForwarded: for=\"_x\r\n", 200),
        ("OWNX-HTTP-Method-Override: DELETE\r\nX-Original-URL: /api/users\r\n", 200),
        ("OWNContent-Type: application/json\r\nContent-Type: text/plain\r\n", 200),
    ] {
        assert_eq!(send_raw(&app, get(headers).as_bytes()).await.last(), Some(&expected), "{headers}");
    }
}

#[tokio::test]
async fn endless_request_heads_and_bodies_are_rejected() {
    let app = TestApp::start().await;
    let chunked = |body: &str| post("Connection: close\r\nTransfer-Encoding: chunked\r\n", body);
    let trailers: String = (0..10_000).map(|n| format!("X-{n}: {n}\r\n")).collect();
    for request in [
        "a".repeat(1 << 20),
        format!("GET /{}", "a".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}", "a".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\n{}", "X: a\r\n".repeat(100_000)),
        "\r\n".repeat(100_000),
        chunked(&format!("{}x\r\n", "0".repeat(1 << 20))),
        chunked(&format!("10\r\n{}\r\n", "a".repeat(16)).repeat(20_000)),
        chunked(&format!("2;{}\r\n{{}}\r\n0\r\n\r\n", ";a=b".repeat(1 << 18))),
        chunked(&format!("2\r\n{{}}\r\n0\r\n{trailers}\r\n")),
        chunked(&format!("2\r\n{{}}\r\n0\r\nX: {}", "a".repeat(1 << 20))),
        post("Connection: close\r\nContent-Length: 9223372036854775807\r\n", &"a".repeat(1 << 20)),
    ] {
        let seen = send_raw(&app, request.as_bytes()).await;
        let is_rejected = seen.len() <= 1 && seen.iter().all(|status| matches!(status, 400 | 413 | 414 | 431));
        assert!(is_rejected, "{seen:?}: {:.200}", request.escape_debug());
    }
    assert_no_server_error(&app).await;
}

#[tokio::test]
async fn a_disconnect_at_any_byte_of_a_request_causes_no_server_error() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let own = format!("Host: a\r\nAuthorization: Bearer {token}\r\n");
    let body = "{\"name\":\"Ada\"}";
    let file =
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nNamn\nAda\n\r\n--b--\r\n";
    let requests = [
        format!(
            "POST /api/contacts HTTP/1.1\r\n{own}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
        format!(
            "POST /api/contacts/import/preview HTTP/1.1\r\n{own}Content-Type: multipart/form-data; boundary=b\r\n\
             Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{file}\r\n0\r\n\r\n",
            file.len()
        ),
    ];
    for request in requests {
        let head = request.find("\r\n\r\n").unwrap();
        // Disconnect after every seventh byte of the head, and after every byte of the body.
        for end in (0..head).step_by(7).chain(head..request.len()) {
            app.db().sql("DELETE FROM throttles").exec().await.unwrap();
            for abruptly in [false, true] {
                let mut stream = TcpStream::connect(app.address).await.unwrap();
                stream.write_all(&request.as_bytes()[..end]).await.unwrap();
                if abruptly {
                    SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
                    continue;
                }
                stream.shutdown().await.unwrap();
                let mut seen = Vec::new();
                let ended = timeout(Duration::from_secs(30), stream.read_to_end(&mut seen)).await;
                assert!(ended.is_ok(), "the server waits for a closed connection: {:?}", &request[..end]);
                // A multipart form is complete with its last boundary, so the request may succeed from there on.
                let is_whole = request[..end].contains("--b--");
                let is_expected = |status: &u16| *status == 400 || (is_whole && *status == 200);
                assert!(statuses(&seen).iter().all(is_expected), "{end}: {}", String::from_utf8_lossy(&seen));
            }
        }
    }
    let contacts = app.get("/api/contacts", Some(&token)).await.body;
    assert_eq!(contacts["data"], json!([]), "an incomplete request has no effect");
    assert_no_server_error(&app).await;
}
