//! Limits per session, tenant and client address, and their effect on others.

use crate::app::{CLERK, OTHER_ADMIN, TestApp};
use crate::server::Server;
use forecourt::platform::db::Db;
use forecourt::platform::fairness::SESSION_BYTES;
use forecourt_core::reply::JSON_MAX;
use reqwest::Method;
use reqwest::header::AUTHORIZATION;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use uuid::Uuid;

/// A request counts as waiting if it has no response after this time.
const MOMENT: Duration = Duration::from_millis(500);

/// Inserts `count` invoices, each with a text that repeats `letter` ten thousand times.
async fn insert_long_invoices(db: &Db, corp: Uuid, letter: &'static str, count: i64) {
    let (numbers, id, long_text, rows) = db.pick(
        (
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $3) ",
            "randomblob(16)",
            "replace(hex(zeroblob(5000)), '0', $2)",
            "n",
        ),
        ("", "gen_random_uuid()", "repeat($2, 10000)", "generate_series(1, $3)"),
    );
    let mut tx = db.begin_job().await.unwrap();
    let sql = tx
        .sql(numbers)
        .push(
            "INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, \
             end_date, project_price, customer_key, doc, created_at, updated_at) SELECT $1, ",
        )
        .push(id)
        .push(", 'Long', '', '', ")
        .push(long_text)
        .push(", '2027-01-01', '2027-01-01', 1, 'long', 0, 0, 0 FROM ")
        .push(rows);
    sql.bind(corp).bind(letter).bind(count).exec().await.unwrap();
    tx.commit().await.unwrap();
}

/// Connects from this local address, with a receive buffer of 4 KB.
async fn connect(to: SocketAddr, from: [u8; 4]) -> TcpStream {
    try_to_connect(to, from).await.unwrap()
}

/// As [`connect`], but returns an error if the server closes the connection at once.
async fn try_to_connect(to: SocketAddr, from: [u8; 4]) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(to).await
}

/// Requests the long list of invoices. Returns the first bytes of the response, and the connection, from which the
/// caller reads nothing more.
async fn request_slowly(to: SocketAddr, authorization: &str) -> (String, TcpStream) {
    let mut stream = connect(to, [127, 0, 0, 1]).await;
    let head = format!("GET /api/invoices HTTP/1.1\r\nHost: a\r\nAuthorization: {authorization}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = vec![0; 1024];
    let read = stream.read(&mut response).await.unwrap();
    (String::from_utf8_lossy(&response[..read]).into_owned(), stream)
}

/// Returns whether the request was rejected by the limit of the session, with a `Retry-After` header.
fn is_rejected(response: &str) -> bool {
    response.starts_with("HTTP/1.1 429") && response.contains("\r\nretry-after: 2\r\n")
}

#[tokio::test]
async fn v2_a_session_that_reads_slowly_gets_429_and_others_are_served() {
    let app = TestApp::start().await;
    insert_long_invoices(app.db(), app.nordbil, "x", 1_700).await;
    let [clerk, other_admin] = [app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await];
    let (address, authorization) = (app.address, format!("Bearer {clerk}"));
    let mut readers = JoinSet::new();
    for _ in 0..300 {
        let authorization = authorization.clone();
        readers.spawn(async move { request_slowly(address, &authorization).await });
    }
    let (mut slow, mut rejected) = (Vec::new(), 0);
    while rejected < 40 {
        let (response, stream) = readers.join_next().await.unwrap().unwrap();
        match response.starts_with("HTTP/1.1 200") {
            true => slow.push(stream),
            false => {
                assert!(is_rejected(&response), "{response}");
                rejected += 1;
            }
        }
    }
    assert!(app.app.fairness.bytes_in_flight() <= SESSION_BYTES);
    assert_eq!(app.get("/api/contacts", Some(&other_admin)).await.status, 200);
    assert_eq!(app.get("/api/health", None).await.status, 200);
    drop((slow, readers));
    let is_served = async || app.get("/api/invoices?limit=1", Some(&clerk)).await.status == 200;
    crate::helpers::wait_until("the session has capacity again", is_served).await;
}

#[tokio::test]
async fn v2_eighty_slow_readers_of_a_session_use_little_memory() {
    let server = Server::start().await;
    let db = server.database().await;
    let platform: Uuid = db.sql("SELECT corp_id FROM corporations").value().await.unwrap();
    insert_long_invoices(&db.for_tenant(platform), platform, "x", 1_700).await;
    let request = server.request(Method::GET, "/").build().unwrap();
    let authorization = request.headers()[AUTHORIZATION].to_str().unwrap().to_owned();
    let address: SocketAddr = server.url("").trim_start_matches("http://").parse().unwrap();
    let before = server.peak_memory();
    let mut readers = JoinSet::new();
    for _ in 0..80 {
        let authorization = authorization.clone();
        readers.spawn(async move { request_slowly(address, &authorization).await });
    }
    let responses = readers.join_all().await;
    let rejected = responses.iter().filter(|(response, _)| is_rejected(response)).count();
    let growth = server.peak_memory() - before;
    // On a busy machine, the list may take so long that none gets it in time.
    assert!(rejected > 0 && growth < 200, "{growth} MB more, {rejected} rejected");
    drop(responses);
    server.get("/api/health").await;
}

#[tokio::test]
async fn v2_a_list_larger_than_2_mb_is_rejected_with_a_message() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    insert_long_invoices(app.db(), app.nordbil, "🚗", 100).await;
    // Make the websites longer than any form accepts, because records that forms accepted always fit on a page.
    let lengthen = "UPDATE invoices SET website = customer_requirements WHERE corp_id = $1";
    app.db().sql(lengthen).bind(app.nordbil).exec().await.unwrap();
    let response = app.get("/api/invoices?limit=100", Some(&clerk)).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.body["message"], forecourt_core::text::RESPONSE_TOO_LARGE.as_str());
    let response = app.request(Method::GET, "/api/invoices?limit=10", Some(&clerk)).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.bytes().await.unwrap().len() <= JSON_MAX);
}

#[tokio::test]
async fn v2_stalled_bodies_of_public_routes_use_little_memory() {
    const CONNECTIONS: usize = 400;
    const HEAD: &[u8] = b"POST /api/auth/verify-token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
        Content-Length: 250001\r\n\r\n";
    let server = Server::start().await;
    let address: SocketAddr = server.url("").trim_start_matches("http://").parse().unwrap();
    let before = server.peak_memory();
    let body = "x".repeat(250_000);
    let mut connections = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let body = body.clone();
        connections.spawn(async move {
            let mut stream = connect(address, [127, 0, 0, 1]).await;
            stream.write_all(HEAD).await.unwrap();
            // Writing may time out, because the server does not read a body that exceeds its memory limit.
            let _ = timeout(2 * MOMENT, stream.write_all(body.as_bytes())).await;
            stream
        });
    }
    let connections = connections.join_all().await;
    server.get("/api/contacts").await;
    let growth = server.peak_memory() - before;
    assert!(growth < 60, "{growth} MB for {} bodies", connections.len());
}

#[tokio::test]
async fn v5_searches_wait_for_a_slot_of_their_own_tenant_only() {
    let app = TestApp::start().await;
    let [clerk, other_admin] = [app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await];
    let search = "/api/contacts?search=an";
    // Take all search slots of the clerk's tenant.
    let slots = app.app.fairness.searches.acquire(app.nordbil, usize::MAX, MOMENT).await.unwrap();
    let mut waiting = Box::pin(app.get(search, Some(&clerk)));
    assert!(timeout(MOMENT, &mut waiting).await.is_err());
    assert_eq!(app.get("/api/contacts", Some(&clerk)).await.status, 200);
    assert_eq!(app.get("/api/contacts?search=%20", Some(&clerk)).await.status, 200);
    assert_eq!(app.get(search, Some(&other_admin)).await.status, 200);
    drop(slots);
    assert_eq!(waiting.await.status, 200);
}

#[tokio::test]
async fn v5_an_export_has_a_search_slot_only_while_it_finds_its_records() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let (exports, searches) = (&app.app.fairness.exports, &app.app.fairness.searches);
    let other_exports = exports.acquire(app.nordbil, usize::MAX, MOMENT).await.unwrap();
    let mut export = Box::pin(app.get("/api/contacts/export", Some(&clerk)));
    assert!(timeout(MOMENT, &mut export).await.is_err(), "it waits for the other exports");
    assert_eq!(searches.weight_in_use(), 0);
    let slots = searches.acquire(app.nordbil, usize::MAX, MOMENT).await.unwrap();
    drop(other_exports);
    assert!(timeout(MOMENT, &mut export).await.is_err(), "it waits for a search slot");
    // The export's entry in the history waits for this transaction.
    let mut tx = app.db().begin().await.unwrap();
    let lock = tx.pick("SELECT 1", "LOCK TABLE history");
    tx.sql(lock).exec().await.unwrap();
    drop(slots);
    let has_found = async || searches.weight_in_use() == 0;
    crate::helpers::wait_until("the records are found", has_found).await;
    assert_eq!(exports.weight_in_use(), 1);
    tx.commit().await.unwrap();
    assert_eq!(export.await.status, 200);
}

#[tokio::test]
async fn v7_connections_beyond_the_limit_of_their_address_are_closed() {
    const LIMIT: usize = 20;
    let app = TestApp::start_with(&["--connections-per-address", &LIMIT.to_string()]).await;
    let mut connections = Vec::new();
    for _ in 0..LIMIT {
        connections.push(connect(app.address, [127, 0, 0, 9]).await);
    }
    for _ in 0..3 {
        let read = async { try_to_connect(app.address, [127, 0, 0, 9]).await?.read(&mut [0]).await };
        let read = timeout(Duration::from_secs(10), read).await.unwrap();
        assert!(!matches!(read, Ok(1..)), "{read:?}");
    }
    assert_eq!(app.app.metrics.rejected_connections().get(), 3);
    assert_eq!(app.get("/api/health", None).await.status, 200);
    drop(connections.split_off(LIMIT - 1));
    let call = b"GET /api/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    crate::helpers::wait_until("the address has capacity again", async || {
        let Ok(mut again) = try_to_connect(app.address, [127, 0, 0, 9]).await else { return false };
        let mut response = String::new();
        let _ = again.write_all(call).await;
        again.read_to_string(&mut response).await.is_ok() && response.starts_with("HTTP/1.1 200")
    })
    .await;
}

#[tokio::test]
async fn v7_behind_a_trusted_proxy_parallel_requests_are_limited_per_client() {
    let app = TestApp::start_with(&["--connections-per-address", "2", "--trusted-proxies", "127.0.0.1"]).await;
    let clerk = app.sign_in(CLERK).await;
    let mut uploads = Vec::new();
    let head = format!(
        "POST /api/contacts/import/preview HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {clerk}\r\nContent-Length: 999\r\n\
         X-Forwarded-For: 1.1.1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
    );
    for _ in 0..2 {
        let mut stream = connect(app.address, [127, 0, 0, 1]).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        uploads.push(stream);
    }
    let get_live = async |client: &str| {
        let request = app.request(Method::GET, "/api/health/live", None).header("x-forwarded-for", client);
        app.send(request).await
    };
    crate::helpers::wait_until("the client is rejected", async || get_live("1.1.1.1").await.status == 429).await;
    assert_eq!(get_live("1.1.1.2").await.status, 200);
    drop(uploads);
    crate::helpers::wait_until("the client is served", async || get_live("1.1.1.1").await.status == 200).await;
}

#[tokio::test]
async fn v7_endless_request_heads_use_little_memory() {
    const CONNECTIONS: usize = 900;
    let server = Server::start().await;
    let address: SocketAddr = server.url("").trim_start_matches("http://").parse().unwrap();
    let before = server.peak_memory();
    let begin = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}", "a".repeat(15_000));
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        let mut stream = connect(address, [127, 0, 0, 1]).await;
        stream.write_all(begin.as_bytes()).await.unwrap();
        connections.push(stream);
    }
    for stream in &mut connections {
        // A head that is too long is rejected, and its connection closed.
        let _ = timeout(MOMENT, stream.write_all("a".repeat(16_000).as_bytes())).await;
    }
    server.get("/api/health").await;
    let growth = server.peak_memory() - before;
    assert!(growth < 40, "{growth} MB for {CONNECTIONS} heads");
}
