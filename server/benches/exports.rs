//! Measures exports of a large list over HTTP: duration, size, and the server's memory before the export and at its
//! peak. Uses SQLite, or PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster. `EXPORTS_ROWS` makes it smaller.
//! Run by `make bench`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/process.rs"]
mod process;
#[path = "support/server.rs"]
mod server;

use forecourt::platform::db::Db;
use process::{cpu_time, memory};
use reqwest::Method;
use server::{Server, create_database, number, program};
use std::process::Stdio;
use std::time::Instant;
use uuid::Uuid;

#[tokio::main]
async fn main() {
    let rows = number("EXPORTS_ROWS", 1_000_000);
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "exports").await;
    // Starts and stops the server, which creates the schema and the first user.
    drop(Server::start(folder.path(), &url).await);
    let db = Db::open(&url, 1).await.expect("the database opens");
    let corp: Uuid =
        db.sql("SELECT corp_id FROM corporations").value().await.expect("there is the platform's corporation");
    db.close().await;
    let mut fill = program("demo-data", folder.path(), &url);
    fill.args(["--count", &rows.to_string(), "--corporation", &corp.to_string()]).stdout(Stdio::null());
    assert!(fill.status().expect("the program starts").success());
    println!("{:45} {:>7} {:>7} {:>7} {:>11} {:>11}", "", "s", "CPU s", "MB", "MiB before", "MiB peak");
    let mut token = None;
    for list in ["contacts", "customers", "invoices"] {
        for query in ["format=csv", "format=xlsx", "format=csv&sort=-updatedAt"] {
            // A new server, because an earlier export would have raised the peak of its memory.
            let mut server = Server::start(folder.path(), &url).await;
            match &token {
                Some(token) => String::clone_from(&mut server.token, token),
                None => server.sign_in(folder.path()).await,
            }
            token = Some(server.token.clone());
            server.call(Method::GET, &format!("/api/{list}?limit=10"), None).await;
            measure(&server, &format!("/api/{list}/export?{query}")).await;
        }
    }
}

async fn measure(server: &Server, path: &str) {
    let process = server.process.id();
    let ([before, _], cpu, begun) = (memory(process), cpu_time(process), Instant::now());
    let request = server.client.get(format!("{}{path}", server.at)).bearer_auth(&server.token);
    let mut response = request.send().await.expect("the server answers");
    assert!(response.status().is_success(), "{path}: {}", response.status());
    let mut bytes = 0;
    while let Some(chunk) = response.chunk().await.expect("the file is complete") {
        bytes += chunk.len();
    }
    let (seconds, cpu, [_, peak]) = (begun.elapsed(), cpu_time(process) - cpu, memory(process));
    let (seconds, cpu, size) = (seconds.as_secs_f64(), cpu.as_secs_f64(), bytes / 1_000_000);
    println!("{path:45} {seconds:7.1} {cpu:7.1} {size:7} {before:11} {peak:11}");
}
