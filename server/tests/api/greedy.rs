//! Forms that would have the server hold more than it should: without a boundary, with a header that never ends, with lists
//! that nobody needs, and more of them at once than there are places.

use crate::app::{ADMIN, Answer, CLERK, STRANGER, TestApp};
use crate::import_sending;
use crate::imports::{csv, csv_mapping, is_over, watch};
use crate::server::Server;
use forecourt::platform::clock::MINUTE;
use reqwest::Method;
use reqwest::header::AUTHORIZATION;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use uuid::Uuid;

const MEGABYTE: usize = 1 << 20;
/// The calls that take a form in parts, with how much they may be told that it has.
const CALLS: [(Method, &str, usize); 4] = [
    (Method::POST, "/api/contacts/import/preview", 50 * MEGABYTE),
    (Method::POST, "/api/contacts/import/submit", 50 * MEGABYTE),
    (Method::PUT, "/api/theme/logo", 5 * MEGABYTE),
    (Method::POST, "/api/auth/profile/update-profile", 5 * MEGABYTE),
];
const FILE: &str = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n";

/// The head of a call with a form of so many bytes, whose boundary is `b`.
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
    TcpStream::connect(server.at("").trim_start_matches("http://")).await.unwrap()
}

/// Goes on sending until an answer comes; how much was sent by then, and the answer as far as it came.
async fn sent_until_answered(stream: &mut TcpStream, begin: &str, more: &str, most: usize) -> (usize, String) {
    stream.write_all(begin.as_bytes()).await.unwrap();
    let more = more.repeat((64 << 10) / more.len());
    let (mut sent, mut answer) = (begin.len(), vec![0; 4096]);
    while sent + more.len() <= most {
        if timeout(Duration::from_secs(5), stream.write_all(more.as_bytes())).await.is_ok_and(|sent| sent.is_ok()) {
            sent += more.len();
        }
        if let Ok(Ok(read)) = timeout(Duration::from_millis(20), stream.read(&mut answer)).await {
            return (sent, String::from_utf8_lossy(&answer[..read]).into_owned());
        }
    }
    (sent, String::new())
}

#[tokio::test]
async fn a_form_that_never_comes_to_its_first_field_is_refused_early_and_held_by_nobody() {
    let server = Server::start().await;
    let authorization = authorization(&server);
    let before = server.peak_memory();
    for (method, path, most) in &CALLS {
        for (begin, more) in [("", "x"), ("", "--a\r\n"), (FILE, "X"), (FILE, "X: a\r\n"), ("--b", " ")] {
            let mut stream = connect(&server).await;
            stream.write_all(head(method, path, &authorization, *most).as_bytes()).await.unwrap();
            let (sent, answer) = sent_until_answered(&mut stream, begin, more, *most).await;
            let begins = &more[..1];
            assert!(sent < MEGABYTE, "{path} {begin:?} {begins:?}: {sent} bytes");
            assert!(answer.starts_with("HTTP/1.1 400"), "{path} {begin:?} {begins:?}: {answer}");
            assert!(answer.contains("must be sent as "), "{path} {begin:?} {begins:?}: {answer}");
        }
    }
    assert!(server.peak_memory() < before + 20, "{before} MB, and then {}", server.peak_memory());
    server.get("/api/health").await;
}

#[tokio::test]
async fn a_form_is_taken_with_words_before_its_first_boundary_a_thousand_small_fields_and_a_large_file() {
    let server = Server::start().await;
    let row = "Ada Öberg,ada@example.se,Gatan 1\n";
    let file = format!("Namn,E-post,Adress\n{}", row.repeat(60 * MEGABYTE / row.len()));
    let answer = server.upload("preview", "a.csv", file.into_bytes(), &json!([])).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let small = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n".repeat(20_000);
    let form = format!("{}\r\n{small}{FILE}\r\nNamn\nAda\r\n--b--\r\n", "Words. ".repeat(4096));
    let before = server.peak_memory();
    let request = server.request(Method::POST, "/api/contacts/import/preview");
    let request = request.header("content-type", "multipart/form-data; boundary=b").body(form);
    let answer = crate::contract::send(request).await;
    assert_eq!((answer.status.as_u16(), &answer.value()["fileColumns"]), (200, &json!(["Namn"])), "{}", answer.text());
    assert!(server.peak_memory() < before + 20, "{before} MB, and then {}", server.peak_memory());
}

#[tokio::test]
async fn lists_that_are_longer_than_any_may_be_are_refused_before_the_file_is_there() {
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
        let mut answer = vec![0; 4096];
        let read = timeout(Duration::from_secs(20), stream.read(&mut answer)).await.unwrap().unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]);
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains(sentence), "{answer}");
    }
    assert!(server.peak_memory() < before + 70, "{before} MB, and then {}", server.peak_memory());
}

const SUBMIT: &str = "/api/contacts/import/submit";
const PREVIEW: &str = "/api/contacts/import/preview";
const PROFILE: &str = "/api/auth/profile/update-profile";
/// Whoever isn't answered within this waits for something.
const MOMENT: Duration = Duration::from_millis(500);

/// Sends a form's first words, and goes on waiting.
async fn begun(app: &TestApp, path: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = head(&Method::POST, path, &format!("Bearer {token}"), MEGABYTE);
    stream.write_all(format!("{head}{FILE}\r\nNamn\n").as_bytes()).await.unwrap();
    stream
}

/// Sends a form of no use, which is refused as soon as it is looked at.
async fn sent(app: &TestApp, path: &str, token: &str) -> Answer {
    let request = app.request(Method::POST, path, Some(token));
    app.send(request.header("content-type", "multipart/form-data; boundary=b").body("--b--\r\n")).await
}

#[tokio::test]
async fn whoever_sends_three_files_at_once_waits_with_the_fourth_and_nobody_else_does() {
    let app = TestApp::start().await;
    let [clerk, admin] = [app.sign_in(CLERK).await, app.sign_in(ADMIN).await];
    for (path, other) in [(SUBMIT, PREVIEW), (PROFILE, PROFILE)] {
        let mut coming = Vec::new();
        for _ in 0..3 {
            coming.push(begun(&app, path, &clerk).await);
        }
        let mut fourth = Box::pin(sent(&app, other, &clerk));
        // Until the three have their places.
        while let Ok(answer) = timeout(MOMENT, &mut fourth).await {
            assert_eq!(answer.status, 400, "{other}");
            fourth = Box::pin(sent(&app, other, &clerk));
        }
        assert_eq!(sent(&app, other, &admin).await.status, 400, "{other}");
        drop(coming.pop());
        assert_eq!(fourth.await.status, 400, "{other}");
    }
}

/// More users of the clerk's corporation and role.
async fn colleagues(app: &TestApp, count: usize) -> Vec<String> {
    let mut tokens = Vec::new();
    for i in 0..count {
        let email = format!("colleague{i}@nordbil.example");
        let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, \
                    password_hash, created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, mobile, \
                    user_type, role_id, password_hash, 0, 0 FROM users WHERE email = $3";
        let copied = app.db().sql(copy).bind(Uuid::now_v7()).bind(email.clone()).bind(CLERK).exec().await.unwrap();
        assert_eq!(copied, 1);
        tokens.push(app.sign_in(&email).await);
    }
    tokens
}

#[tokio::test]
async fn v4_the_slow_uploads_of_one_tenant_refuse_nothing_of_another() {
    let app = TestApp::start().await;
    let tokens = colleagues(&app, 12).await;
    let [clerk, stranger] = [app.sign_in(CLERK).await, app.sign_in(STRANGER).await];
    // More than there are places for all: of files six users make 18, of pictures twelve make 36.
    for (path, users) in [(SUBMIT, 6), (PROFILE, 12)] {
        let mut coming = Vec::new();
        for token in tokens.iter().take(users).flat_map(|token| [token; 3]) {
            coming.push(begun(&app, path, token).await);
        }
        // Until as many are received as the tenant may have, one more of it waits.
        let mut waiting = Box::pin(sent(&app, path, &clerk));
        while let Ok(answer) = timeout(MOMENT, &mut waiting).await {
            assert_eq!(answer.status, 400, "{path}");
            waiting = Box::pin(sent(&app, path, &clerk));
        }
        let answer = sent(&app, path, &stranger).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        drop(waiting);
    }
}

#[tokio::test]
async fn a_file_that_there_is_no_room_for_is_refused_before_it_is_there() {
    let app = TestApp::start().await;
    let said = [("columnMapping", csv_mapping())];
    let clerk = app.sign_in(CLERK).await;
    let names = (0..20).map(|i| format!("b{i}.csv")).chain(["a.csv".to_owned()]);
    let mut ids = Vec::new();
    for name in names {
        let answer = import_sending::send(&app, &clerk, &name, &csv(1), &said).await;
        assert_eq!(answer.status, 202, "{}", answer.body);
        ids.push(answer.body["sessionId"].clone());
        watch(&app, &clerk, ids.last().unwrap().as_str().unwrap(), is_over).await;
    }
    // As if a worker that is far away were still at the first twenty.
    let sql = "UPDATE imports SET status = 'processing', leased_until = $1 WHERE file_name LIKE 'b%'";
    app.db().sql(sql).bind(i64::MAX).exec().await.unwrap();
    let again = import_sending::send(&app, &clerk, "a.csv", &csv(1), &said).await;
    assert_eq!((again.status.as_u16(), &again.body["sessionId"]), (202, &ids[20]));
    app.pass(2 * MINUTE);
    let mut stream = begun(&app, SUBMIT, &clerk).await;
    let mut answer = vec![0; 4096];
    let read = timeout(Duration::from_secs(10), stream.read(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]);
    assert!(answer.starts_with("HTTP/1.1 409") && answer.contains("Too many imports"), "{answer}");
}
