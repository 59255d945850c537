//! Measures the server's CPU time per request of an ordinary user (a clerk), with several connections at once.
//! `REQUESTS_BEFORE` is the path of another build of the program to compare with: both builds have the same data and
//! are measured in turns. Uses SQLite, or PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster; PostgreSQL's own
//! CPU time is not included. Settings: `REQUESTS_ROWS`, `REQUESTS_ROUNDS`, `REQUESTS_COUNT` (per round). Not part of
//! `make bench`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its settings from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/process.rs"]
mod process;
#[path = "support/server.rs"]
mod server;

use forecourt_core::permissions::assignable_entries;
use futures_util::future::join_all;
use process::{cpu_time, memory};
use reqwest::Method;
use serde_json::json;
use server::{PASSWORD, Server, create_database, number, program, program_of};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

const CONNECTIONS: usize = 8;
const CLERK: &str = "clerk@bench.example";
const PATHS: [&str; 3] =
    ["/api/contacts?page=1&limit=10", "/api/customers?page=1&limit=15", "/api/invoices?page=1&limit=15"];

/// Starts the build of the program at the path `build` (this build if `None`) on its own database with `rows` contacts,
/// as many customers and as many invoices, and signs a clerk in.
async fn start(build: Option<&Path>, folder: &Path, rows: usize) -> Server {
    let url = create_database(folder, "requests").await;
    let (mut server, mut records) = match build {
        Some(path) => {
            (Server::run(program_of(path, "serve", folder, &url)).await, program_of(path, "demo-data", folder, &url))
        }
        None => (Server::start(folder, &url).await, program("demo-data", folder, &url)),
    };
    server.sign_in(folder).await;
    let list = server.call(Method::GET, "/api/corporations", None).await;
    let corp = list["data"][0]["corp_id"].as_str().expect("there is a corporation").to_owned();
    let resources: Vec<&str> = assignable_entries().map(|entry| entry.resource_id()).collect();
    let path_of_resources = format!("/api/corporations/{corp}/resources");
    server.call(Method::POST, &path_of_resources, Some(json!({"resourceIds": resources}))).await;
    let role = json!({"name": "Clerk", "description": "Reads and writes records"});
    let role = server.call(Method::POST, "/api/rbac/roles", Some(role)).await["data"]["role_id"].clone();
    let line = |id: &&str| json!({"resource_id": id, "can_read": true, "can_create": true, "can_update": true, "can_delete": true});
    let matrix: Vec<_> = ["customers", "invoices", "contacts"].iter().map(line).collect();
    let matrix = json!({"permissions": matrix});
    let role_path = format!("/api/rbac/roles/{}/permissions", role.as_str().expect("the role has an id"));
    server.call(Method::POST, &role_path, Some(matrix)).await;
    let clerk = json!({"first_name": "Maja", "last_name": "Holm", "email": CLERK, "user_type": "User", "role_id": role, "password": PASSWORD});
    server.call(Method::POST, "/api/users", Some(clerk)).await;
    records.args(["--count", &rows.to_string(), "--corporation", &corp]).stdout(Stdio::null());
    assert!(records.status().expect("the program starts").success());
    server.token = server.sign_in_from(folder, 1, CLERK).await;
    server
}

/// Returns the server's CPU time per request in milliseconds.
async fn measure(server: &Server, path: &str, count: usize) -> f64 {
    let before = cpu_time(server.process.id());
    let ask = async || {
        for _ in 0..count / CONNECTIONS {
            let request = server.client.get(format!("{}{path}", server.at)).bearer_auth(&server.token);
            let response = request.header("x-forwarded-for", "10.0.0.1").send().await.expect("the server answers");
            assert!(response.status().is_success(), "{path}: {}", response.status());
            response.bytes().await.expect("the response is complete");
        }
    };
    join_all((0..CONNECTIONS).map(|_| ask())).await;
    (cpu_time(server.process.id()) - before).as_secs_f64() * 1000.0 / (count / CONNECTIONS * CONNECTIONS) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[tokio::main]
async fn main() {
    let (rows, rounds) = (number("REQUESTS_ROWS", 20_000), number("REQUESTS_ROUNDS", 9));
    let count = number("REQUESTS_COUNT", 4_000);
    let before = std::env::var_os("REQUESTS_BEFORE").map(PathBuf::from);
    let builds = before.as_deref().map(Some).into_iter().chain([None]);
    let (mut servers, mut folders) = (Vec::new(), Vec::new());
    for build in builds {
        let folder = tempfile::tempdir().expect("a folder is created");
        servers.push(start(build, folder.path(), rows).await);
        folders.push(folder);
    }
    // Waits for the background work that the inserted records cause, such as indexing.
    tokio::time::sleep(Duration::from_secs(3)).await;
    println!("CPU milliseconds per request, {CONNECTIONS} connections, {rows} records of each kind");
    for path in PATHS {
        let mut times = vec![Vec::new(); servers.len()];
        for round in 0..=rounds {
            for (server, times) in servers.iter().zip(&mut times) {
                let time = measure(server, path, count).await;
                // The first round does not count: it warms the caches up.
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let medians: Vec<f64> = times.into_iter().map(median).collect();
        match medians[..] {
            [before, now] => {
                let change = (now / before - 1.0) * 100.0;
                println!("{path:32} before {before:.3}, now {now:.3}: {change:+.0} %");
            }
            _ => println!("{path:32} {:.3}", medians[0]),
        }
    }
    let peaks: Vec<u64> = servers.iter().map(|server| memory(server.process.id())[1]).collect();
    println!("peak memory in MiB: {peaks:?}");
}
