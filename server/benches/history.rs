//! Measures the history over HTTP: undoing an import of which some contacts were edited afterwards, undoing that
//! undoing, and reading pages of a large history. Uses SQLite, or PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a
//! cluster. `HISTORY_ROWS` sets the size of the import, `HISTORY_ENTRIES` that of the history. Run by `make bench`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/server.rs"]
mod server;

use forecourt::platform::db::Db;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use server::{Server, create_database, number};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// The limits that the results are compared with: seconds to undo an import, and milliseconds to read a page.
const LIMITS: (f64, f64) = (10.0, 50.0);
/// One of this many contacts is edited before the import is undone.
const EDITED: usize = 100;
/// Entries of the large history per INSERT statement. All entries of a statement belong to one record.
const ENTRIES_PER_STATEMENT: usize = 1_000;
/// The position of the large history's first entry in the hash chain, after the positions of all other entries. Because
/// these entries have positions, the server's job does not add them to the chain.
const FIRST_POSITION: i64 = 1_000_000_000;
/// How often each page of the history is read.
const READS: usize = 200;

async fn import(server: &Server, rows: usize) -> String {
    let file: String = (0..rows).map(|i| format!("Ada Öberg {i},{i}@example.se,+46 70 {i:07}\n")).collect();
    let mapping = [("Namn", "name"), ("E-post", "email"), ("Telefon", "phone")]
        .map(|(file, model)| json!({"fileColumn": file, "modelColumn": model}));
    let file = Part::bytes(format!("Namn,E-post,Telefon\n{file}").into_bytes()).file_name("people.csv");
    let form = Form::new().part("file", file).text("columnMapping", json!(mapping).to_string());
    let request = server.client.post(format!("{}/api/contacts/import/submit", server.at)).bearer_auth(&server.token);
    let response = request.multipart(form).send().await.expect("the server answers");
    let response: Value = response.json().await.expect("the response is JSON");
    let session = response["sessionId"].as_str().unwrap_or_else(|| panic!("{response}")).to_owned();
    loop {
        let path = format!("/api/contacts/import/status/{session}");
        match server.call(Method::GET, &path, None).await["session"]["status"].as_str() {
            Some("pending" | "processing") => tokio::time::sleep(Duration::from_millis(50)).await,
            status => break assert_eq!(status, Some("completed")),
        }
    }
    session
}

/// Edits at least `count` contacts: all of the first pages of 100.
async fn edit_contacts(server: &Server, count: usize) {
    for page in 1..=count.div_ceil(100) {
        let list = server.call(Method::GET, &format!("/api/contacts?limit=100&page={page}"), None).await;
        for contact in list["data"].as_array().expect("there are contacts") {
            let id = contact["_id"].as_str().expect("a contact has an id");
            let form = json!({"name": "Bo Ek", "email": contact["email"], "phone": contact["phone"]});
            server.call(Method::PUT, &format!("/api/contacts/{id}"), Some(form)).await;
        }
    }
}

/// Undoes the history entry with the id `entry`, and creates single contacts until that is done. Returns the entry of
/// the undoing.
async fn undo(server: &Server, entry: &str, input: Value) -> Value {
    let (begun, mut waits) = (Instant::now(), Vec::new());
    let response = server.call(Method::POST, &format!("/api/history/{entry}/revert"), Some(input)).await;
    let batch = response["data"]["batch_id"].as_str().unwrap_or_else(|| panic!("{response}")).to_owned();
    let undone = loop {
        let single = Instant::now();
        server.call(Method::POST, "/api/contacts", Some(json!({"name": "Bench"}))).await;
        waits.push(single.elapsed());
        let found = server.call(Method::GET, &format!("/api/history/{batch}"), None).await["data"].clone();
        if found["progress"]["state"] == "done" {
            break found;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let seconds = begun.elapsed().as_secs_f64();
    let [p50, p95] = percentiles(waits);
    let (records, kept) = (&undone["records"], &undone["progress"]["kept_count"]);
    println!(
        "undo: {records} records, {kept} kept: {seconds:.1} s ({:.2} of the limit), single writes {p50:.0} ms p50, {p95:.0} ms p95",
        seconds / LIMITS.0
    );
    undone
}

fn percentiles(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort_unstable();
    [50, 95].map(|percent| times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1000.0)
}

/// Adds entries of updates to the history of the platform's corporation. Returns the id of one of the records.
async fn add_history_entries(url: &str, entries: usize) -> Uuid {
    let db = Db::open(url, 1).await.expect("the database opens");
    let (corp, user): (Uuid, Uuid) =
        db.sql("SELECT corp_id, user_id FROM users LIMIT 1").one().await.expect("there is a user");
    let changes = json!([{"field": "phone", "before": "070", "after": "071"}]).to_string();
    let mut last = Uuid::now_v7();
    for from in (0..entries).step_by(ENTRIES_PER_STATEMENT) {
        let record = Uuid::now_v7();
        let sql = db.sql(
            "INSERT INTO history (corp_id, history_id, at, actor_id, action, resource_id, record_id, label, changes, position, \
             hash) VALUES ",
        );
        let sql = sql.tuples(from..from + ENTRIES_PER_STATEMENT, |sql, i| {
            let sql = sql.arg(corp).comma(Uuid::now_v7()).comma(1_700_000_000_000_000i64).comma(user).comma("updated");
            let sql = sql.comma("contacts").comma(record).comma("Ada Öberg").comma(changes.clone());
            sql.comma(FIRST_POSITION + i as i64).comma(vec![0_u8; 32])
        });
        sql.exec().await.expect("entries are added");
        last = record;
    }
    db.close().await;
    last
}

async fn measure_reads(server: &Server, query: &str) {
    let mut times = Vec::new();
    for _ in 0..READS {
        let begun = Instant::now();
        server.call(Method::GET, &format!("/api/history?{query}"), None).await;
        times.push(begun.elapsed());
    }
    let [p50, p95] = percentiles(times);
    println!("{query:60} {p50:6.1} ms p50, {p95:6.1} ms p95 ({:.2} of the limit)", p95 / LIMITS.1);
}

#[tokio::main]
async fn main() {
    let (rows, entries) = (number("HISTORY_ROWS", 100_000), number("HISTORY_ENTRIES", 1_000_000));
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "history").await;
    let mut server = Server::start(folder.path(), &url).await;
    server.sign_in(folder.path()).await;
    let import = import(&server, rows).await;
    edit_contacts(&server, rows / EDITED).await;
    let undone = undo(&server, &import, json!({"on_conflict": "keep"})).await;
    assert_eq!(undone["progress"]["kept_count"], (rows / EDITED).next_multiple_of(100));
    undo(&server, undone["history_id"].as_str().expect("an entry has an id"), json!({})).await;
    let token = server.token.clone();
    // Stops the server: while it adds entries to the hash chain, this process could hardly write to SQLite.
    drop(server);
    let record = add_history_entries(&url, entries).await;
    let mut server = Server::start(folder.path(), &url).await;
    server.token = token;
    measure_reads(&server, &format!("resource=contacts&id={record}")).await;
    measure_reads(&server, "").await;
    measure_reads(&server, "resource=contacts&action=updated&page=50").await;
}
