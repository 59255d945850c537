//! Measures 500 open event streams of one node over HTTP: the time from the response to a write until each stream has
//! received its event, and the memory of a stream. On PostgreSQL also what announcing events costs: the writes per
//! second of 8 clients with announcing, and without it (a function that does nothing replaces `pg_notify`). Uses
//! SQLite, or PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster. `EVENTS_STREAMS`, `EVENTS_WRITES` and
//! `EVENTS_SECONDS` make the benchmark smaller. Run by `make bench`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/process.rs"]
mod process;
#[path = "support/server.rs"]
mod server;

use forecourt::platform::db::Db;
use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::json;
use server::{EMAIL, Server, create_database, number};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// The limits that the results are compared with: the 95th percentile of the lag in milliseconds, and the memory of a
/// stream in kB.
const LIMITS: (f64, f64) = (1_000.0, 32.0);
/// The number of streams of each user, which is the maximum (server/src/features/events/streams.rs).
const STREAMS_OF_USER: usize = 12;
/// Time between two writes.
const PAUSE: Duration = Duration::from_millis(50);
const CLIENTS: usize = 8;
/// How often writes with and without announcing are measured.
const ROUNDS: usize = 3;

/// The events that a stream has received: the id of the record that changed, and the time.
type Read = Arc<Mutex<Vec<(String, Instant)>>>;

/// Creates `count` users as copies of the first Super Admin, signs them in, and returns their access tokens.
async fn sign_users_in(server: &Server, folder: &Path, url: &str, count: usize) -> Vec<String> {
    let db = Db::open(url, 1).await.expect("the database opens");
    let mut tokens = Vec::new();
    for user in 0..count {
        let email = format!("user-{user}@bench.example");
        let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
            created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, mobile, user_type, password_hash, created_at, \
            updated_at FROM users WHERE email = $3";
        let sql = db.sql(copy).bind(Uuid::now_v7()).bind(email.clone()).bind(EMAIL);
        assert_eq!(sql.exec().await.expect("a user is created"), 1);
        tokens.push(server.sign_in_from(folder, user + 1, &email).await);
    }
    db.close().await;
    tokens
}

/// Opens an event stream from client address number `from`, and waits for its first line, which is a comment.
async fn open_stream(server: &Server, from: usize, token: &str) -> Response {
    let request = server.client.get(format!("{}/api/events", server.at)).bearer_auth(token);
    let request = request.header("x-forwarded-for", format!("10.1.{}.{}", from >> 8, from & 255));
    let mut response = request.send().await.expect("the server answers");
    assert_eq!(response.status(), 200);
    response.chunk().await.expect("the stream is open").expect("the stream has a comment");
    response
}

/// Reads a stream until it ends, and adds each event's record id and time to `read`.
async fn record_events(mut stream: Response, read: Read) {
    let mut received = String::new();
    while let Ok(Some(chunk)) = stream.chunk().await {
        let at = Instant::now();
        received.push_str(&String::from_utf8_lossy(&chunk));
        while let Some((event, rest)) = received.split_once("\n\n") {
            let id = event.split_once("\"ids\":[\"").and_then(|(_, rest)| rest.split_once('"'));
            if let Some((id, _)) = id {
                read.lock().expect("no reader has failed").push((id.to_owned(), at));
            }
            received = rest.to_owned();
        }
    }
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

async fn measure_streams(folder: &Path, url: &str) {
    let (streams, writes) = (number("EVENTS_STREAMS", 500), number("EVENTS_WRITES", 200));
    let mut server = Server::start(folder, url).await;
    server.sign_in(folder).await;
    let tokens = sign_users_in(&server, folder, url, streams.div_ceil(STREAMS_OF_USER)).await;
    create(&server).await;
    let [before, _] = process::memory(server.process.id());
    let mut readers = Vec::new();
    for stream in 0..streams {
        let response = open_stream(&server, stream, &tokens[stream / STREAMS_OF_USER]).await;
        let read = Read::default();
        readers.push((tokio::spawn(record_events(response, read.clone())), read));
    }
    let [open, _] = process::memory(server.process.id());
    let (mut written, begun, spent) = (HashMap::new(), Instant::now(), process::cpu_time(server.process.id()));
    for _ in 0..writes {
        let id = create(&server).await;
        written.insert(id, Instant::now());
        tokio::time::sleep(PAUSE).await;
    }
    let spent = (process::cpu_time(server.process.id()) - spent).as_secs_f64() / begun.elapsed().as_secs_f64();
    // Waits longer than the limit of the lag. Events that arrive even later are missing below.
    tokio::time::sleep(Duration::from_millis(2_000)).await;
    let [used, _] = process::memory(server.process.id());
    let mut lags = Vec::new();
    for (task, read) in readers {
        task.abort();
        for (id, at) in read.lock().expect("no reader has failed").iter() {
            lags.extend(written.get(id).map(|begun| at.saturating_duration_since(*begun).as_secs_f64() * 1000.0));
        }
    }
    lags.sort_by(f64::total_cmp);
    let expected = streams * writes;
    assert_eq!(lags.len(), expected, "each stream has each event");
    let [p50, p95, most] = [50, 95, 100].map(|percent| percentile(&lags, percent));
    println!(
        "{streams} streams, {writes} writes: lag {p50:.1} ms p50, {p95:.1} ms p95 ({:.2} of the limit), {most:.1} ms most",
        p95 / LIMITS.0
    );
    let per_stream = |memory: u64| memory.saturating_sub(before) as f64 * 1024.0 / streams as f64;
    println!("the server used {:.0} % of a core", spent * 100.0);
    println!(
        "memory of a stream: {:.1} kB open, {:.1} kB after the events ({:.2} of the limit)",
        per_stream(open),
        per_stream(used),
        per_stream(used) / LIMITS.1
    );
}

async fn create(server: &Server) -> String {
    let response = server.call(Method::POST, "/api/contacts", Some(json!({"name": "Bench"}))).await;
    response["data"]["_id"].as_str().expect("a contact has an id").to_owned()
}

/// Returns how many contacts per second [`CLIENTS`] concurrent clients create.
async fn measure_writes(server: &Server) -> f64 {
    let (begun, time) = (Instant::now(), Duration::from_secs(number("EVENTS_SECONDS", 5) as u64));
    let clients = (0..CLIENTS).map(async |_| {
        let mut count = 0_u32;
        while begun.elapsed() < time {
            create(server).await;
            count += 1;
        }
        count
    });
    let counts = join_all(clients).await;
    f64::from(counts.iter().sum::<u32>()) / begun.elapsed().as_secs_f64()
}

/// Measures what announcing costs on PostgreSQL. By the search path, connections find either PostgreSQL's `pg_notify`
/// or this benchmark's function of that name, which does nothing.
async fn measure_announcing(folder: &Path, url: &str) {
    let db = Db::open(url, 1).await.expect("the database opens");
    let silent = "CREATE FUNCTION public.pg_notify(TEXT, TEXT) RETURNS VOID LANGUAGE sql AS ''";
    db.sql(silent).exec().await.expect("a function is created");
    let (mut token, mut rates) = (String::new(), [Vec::new(), Vec::new()]);
    for _ in 0..ROUNDS {
        for (rates, path) in rates.iter_mut().zip(["DEFAULT", "public, pg_catalog"]) {
            let name = url.rsplit('/').next().expect("the address has a database").to_owned();
            let sql = db.sql("ALTER DATABASE ").push(Box::leak(name.into_boxed_str())).push(" SET search_path TO ");
            sql.push(path).exec().await.expect("the path is set");
            let mut server = Server::start(folder, url).await;
            if token.is_empty() {
                server.sign_in(folder).await;
                token.clone_from(&server.token);
            }
            server.token.clone_from(&token);
            rates.push(measure_writes(&server).await);
        }
    }
    db.close().await;
    let [with, without] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        percentile(&rates, 50)
    });
    println!("{CLIENTS} clients: {with:.0} writes/s with announcing, {without:.0} without ({:.2})", with / without);
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "events").await;
    measure_streams(folder.path(), &url).await;
    if url.starts_with("postgres") {
        measure_announcing(folder.path(), &url).await;
    }
}
