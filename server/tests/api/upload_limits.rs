//! Upload limits: multipart forms without a boundary, with endless headers or too long lists, and more concurrent
//! uploads than slots.

use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, TestApp};
use crate::helpers::{PATIENCE, copy_user};
use crate::import_submission;
use crate::imports::{csv, csv_mapping, is_finished, wait_for_status};
use crate::server::Server;
use forecourt::platform::clock::MINUTE;
use reqwest::Method;
use reqwest::header::AUTHORIZATION;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const MEGABYTE: usize = 1 << 20;
/// The routes that accept a multipart form, with the `Content-Length` that the test declares.
const ROUTES: [(Method, &str, usize); 5] = [
    (Method::POST, "/api/contacts/import/preview", 50 * MEGABYTE),
    (Method::POST, "/api/contacts/import/submit", 50 * MEGABYTE),
    (Method::PUT, "/api/theme/logo", 5 * MEGABYTE),
    (Method::POST, "/api/auth/profile/update-profile", 5 * MEGABYTE),
    (Method::POST, "/api/vehicles/0199abcd-0000-7000-8000-00000000000f/photos", 10 * MEGABYTE),
];
const FILE: &str = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n";

/// Returns the head of a request with a form of this many bytes, whose boundary is `b`.
fn head(method: &Method, path: &str, authorization: &str, bytes: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: a\r\nAuthorization: {authorization}\r\nContent-Length: {bytes}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\n\r\n"
    )
}

fn authorization(server: &Server) -> String {
    let request = server.request(Method::GET, "/").build().unwrap();
    request.headers()[AUTHORIZATION].to_str().unwrap().to_owned()
}

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.url("").trim_start_matches("http://")).await.unwrap()
}

/// Sends until a response arrives. Returns how much was sent, and the beginning of the response.
async fn send_until_response(stream: &mut TcpStream, prefix: &str, filler: &str, limit: usize) -> (usize, String) {
    stream.write_all(prefix.as_bytes()).await.unwrap();
    let filler = filler.repeat((64 << 10) / filler.len());
    let (mut sent, mut response) = (prefix.len(), vec![0; 4096]);
    while sent + filler.len() <= limit {
        if timeout(Duration::from_secs(5), stream.write_all(filler.as_bytes())).await.is_ok_and(|sent| sent.is_ok()) {
            sent += filler.len();
        }
        if let Ok(Ok(read)) = timeout(Duration::from_millis(20), stream.read(&mut response)).await {
            return (sent, String::from_utf8_lossy(&response[..read]).into_owned());
        }
    }
    (sent, String::new())
}

#[tokio::test]
async fn a_form_without_a_first_field_is_rejected_early_in_little_memory() {
    let server = Server::start().await;
    let authorization = authorization(&server);
    let before = server.peak_memory();
    for (method, path, limit) in &ROUTES {
        for (prefix, filler) in [("", "x"), ("", "--a\r\n"), (FILE, "X"), (FILE, "X: a\r\n"), ("--b", " ")] {
            let mut stream = connect(&server).await;
            stream.write_all(head(method, path, &authorization, *limit).as_bytes()).await.unwrap();
            let (sent, response) = send_until_response(&mut stream, prefix, filler, *limit).await;
            let begins = &filler[..1];
            assert!(sent < MEGABYTE, "{path} {prefix:?} {begins:?}: {sent} bytes");
            assert!(response.starts_with("HTTP/1.1 400"), "{path} {prefix:?} {begins:?}: {response}");
            assert!(response.contains("must be sent as "), "{path} {prefix:?} {begins:?}: {response}");
        }
    }
    assert!(server.peak_memory() < before + 20, "{before} MB, and then {}", server.peak_memory());
    server.get("/api/health").await;
}

#[tokio::test]
async fn a_large_file_is_accepted_and_a_preamble_and_many_fields_use_little_memory() {
    let server = Server::start().await;
    let row = "Ada Öberg,ada@example.se,Gatan 1\n";
    let file = format!("Namn,E-post,Adress\n{}", row.repeat(60 * MEGABYTE / row.len()));
    let response = server.upload("preview", "a.csv", file.into_bytes(), &json!([])).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let small = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n".repeat(20_000);
    let form = format!("{}\r\n{small}{FILE}\r\nNamn\nAda\r\n--b--\r\n", "Words. ".repeat(4096));
    let before = server.peak_memory();
    let request = server.request(Method::POST, "/api/contacts/import/preview");
    let request = request.header("content-type", "multipart/form-data; boundary=b").body(form);
    let response = crate::contract::send(request).await;
    assert_eq!(
        (response.status.as_u16(), &response.value()["fileColumns"]),
        (200, &json!(["Namn"])),
        "{}",
        response.text()
    );
    assert!(server.peak_memory() < before + 20, "{before} MB, and then {}", server.peak_memory());
}

#[tokio::test]
async fn too_long_lists_in_a_form_are_rejected_before_the_file_arrives() {
    let server = Server::start().await;
    let authorization = authorization(&server);
    let field = |name: &str, json: String| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{json}\r\n{FILE}\r\nNamn\n")
    };
    let list = |item: &str, bytes: usize| format!("[{}{item}]", format!("{item},").repeat(bytes / item.len()));
    let before = server.peak_memory();
    for (form, sentence) in [
        (field("corrections", format!("{{\"leftOut\":{}}}", list("1", 12 << 20))), "more than 100,000 corrections"),
        (field("columnMapping", list("{\"fileColumn\":\"\"}", 7 << 20)), "The field “columnMapping” must be a list"),
    ] {
        let mut stream = connect(&server).await;
        let head = head(&Method::POST, "/api/contacts/import/submit", &authorization, 64 * MEGABYTE);
        stream.write_all(format!("{head}{form}").as_bytes()).await.unwrap();
        let mut response = vec![0; 4096];
        let read = timeout(PATIENCE, stream.read(&mut response)).await.unwrap().unwrap();
        let response = String::from_utf8_lossy(&response[..read]);
        assert!(response.starts_with("HTTP/1.1 400") && response.contains(sentence), "{response}");
    }
    assert!(server.peak_memory() < before + 70, "{before} MB, and then {}", server.peak_memory());
}

const SUBMIT: &str = "/api/contacts/import/submit";
const PREVIEW: &str = "/api/contacts/import/preview";
const PROFILE: &str = "/api/auth/profile/update-profile";
/// A request without a response after this time is taken to be waiting for an upload slot.
const MOMENT: Duration = Duration::from_millis(500);

/// Sends the first bytes of a form with a file. Returns the open connection, which keeps its upload slot.
async fn start_upload(app: &TestApp, path: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = head(&Method::POST, path, &format!("Bearer {token}"), MEGABYTE);
    stream.write_all(format!("{head}{FILE}\r\nNamn\n").as_bytes()).await.unwrap();
    stream
}

/// Sends a form without fields, which is rejected with 400 as soon as the server parses it.
async fn send_empty_form(app: &TestApp, path: &str, token: &str) -> ApiResponse {
    let request = app.request(Method::POST, path, Some(token));
    app.send(request.header("content-type", "multipart/form-data; boundary=b").body("--b--\r\n")).await
}

#[tokio::test]
async fn a_fourth_concurrent_upload_of_a_user_waits_and_others_do_not() {
    let app = TestApp::start().await;
    let [clerk, admin] = [app.sign_in(CLERK).await, app.sign_in(ADMIN).await];
    for (path, other) in [(SUBMIT, PREVIEW), (PROFILE, PROFILE)] {
        let mut uploads = Vec::new();
        for _ in 0..3 {
            uploads.push(start_upload(&app, path, &clerk).await);
        }
        let mut fourth = Box::pin(send_empty_form(&app, other, &clerk));
        // Repeat until the three uploads have all slots of the user, so that the fourth waits.
        while let Ok(response) = timeout(MOMENT, &mut fourth).await {
            assert_eq!(response.status, 400, "{other}");
            fourth = Box::pin(send_empty_form(&app, other, &clerk));
        }
        assert_eq!(send_empty_form(&app, other, &admin).await.status, 400, "{other}");
        drop(uploads.pop());
        assert_eq!(fourth.await.status, 400, "{other}");
    }
}

/// Inserts this many users with the clerk's corporation and role, signs them in, and returns their access tokens.
async fn sign_in_colleagues(app: &TestApp, count: usize) -> Vec<String> {
    let mut tokens = Vec::new();
    for i in 0..count {
        let email = format!("colleague{i}@nordbil.example");
        copy_user(app, CLERK, &email, "User").await;
        tokens.push(app.sign_in(&email).await);
    }
    tokens
}

#[tokio::test]
async fn v4_slow_uploads_of_one_tenant_do_not_block_another_tenant() {
    let app = TestApp::start().await;
    let tokens = sign_in_colleagues(&app, 12).await;
    let [clerk, other_admin] = [app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await];
    // Start more uploads than the tenant's share of 8. The 36 pictures of twelve users are also more than the 32 slots
    // of all tenants; files have no such total limit while they arrive.
    for (path, users) in [(SUBMIT, 6), (PROFILE, 12)] {
        let mut uploads = Vec::new();
        for token in tokens.iter().take(users).flat_map(|token| [token; 3]) {
            uploads.push(start_upload(&app, path, token).await);
        }
        // Repeat until the tenant's uploads use all its slots, so that one more waits.
        let mut waiting = Box::pin(send_empty_form(&app, path, &clerk));
        while let Ok(response) = timeout(MOMENT, &mut waiting).await {
            assert_eq!(response.status, 400, "{path}");
            waiting = Box::pin(send_empty_form(&app, path, &clerk));
        }
        let response = send_empty_form(&app, path, &other_admin).await;
        assert_eq!(response.status, 400, "{path}: {}", response.body);
        drop(waiting);
    }
}

#[tokio::test]
async fn too_many_pending_imports_are_rejected_before_the_file_arrives() {
    let app = TestApp::start().await;
    let fields = [("columnMapping", csv_mapping())];
    let clerk = app.sign_in(CLERK).await;
    let names = (0..20).map(|i| format!("b{i}.csv")).chain(["a.csv".to_owned()]);
    let mut ids = Vec::new();
    for name in names {
        let response = import_submission::send(&app, &clerk, &name, &csv(1), &fields).await;
        assert_eq!(response.status, 202, "{}", response.body);
        ids.push(response.body["sessionId"].clone());
        wait_for_status(&app, &clerk, ids.last().unwrap().as_str().unwrap(), is_finished).await;
    }
    // Set the first twenty imports to the state that they have while another node processes them.
    let sql = "UPDATE imports SET status = 'processing', leased_until = $1 WHERE file_name LIKE 'b%'";
    app.db().sql(sql).bind(i64::MAX).exec().await.unwrap();
    let again = import_submission::send(&app, &clerk, "a.csv", &csv(1), &fields).await;
    assert_eq!((again.status.as_u16(), &again.body["sessionId"]), (202, &ids[20]));
    app.advance(2 * MINUTE);
    let mut stream = start_upload(&app, SUBMIT, &clerk).await;
    let mut response = vec![0; 4096];
    let read = timeout(PATIENCE, stream.read(&mut response)).await.unwrap().unwrap();
    let response = String::from_utf8_lossy(&response[..read]);
    assert!(response.starts_with("HTTP/1.1 409") && response.contains("Too many imports"), "{response}");
}
