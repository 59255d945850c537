//! Measures latency and throughput with many users, and, for comparison, those of two minimal servers. Uses SQLite, or
//! PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster. Settings: `LOAD_USERS`, `LOAD_ROWS`, `LOAD_RATE`
//! (requests per second in total), `LOAD_SECONDS`, `LOAD_LIMIT` (the 99th percentile in milliseconds that the highest
//! rate must not exceed), `LOAD_NODES` (more than one only on PostgreSQL). Run by `make bench-load`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

mod bare;
mod drive;
mod fill;
mod mix;
#[path = "../support/process.rs"]
mod process;
#[path = "../support/server.rs"]
mod server;
#[path = "../support/statistics.rs"]
mod statistics;

use bare::Bare;
use drive::{Call, Choose, Outcome, User, load};
use hyper::Method;
use process::{cpu_time, memory};
use server::{Server, create_database, number};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long each rate is measured in the search for the highest one.
const STEP: Duration = Duration::from_secs(8);
const STARTS: usize = 5;

/// A server that is measured: Forecourt, or one of the minimal servers that it is compared with.
struct Target<'a> {
    name: &'static str,
    processes: Vec<u32>,
    users: &'a [User],
}

impl Target<'_> {
    async fn measure_rate(&self, rate: f64, time: Duration) -> Outcome {
        let computing = || self.processes.iter().map(|&process| cpu_time(process)).sum::<Duration>();
        let (before, own) = (computing(), cpu_time(std::process::id()));
        let outcome = load(self.users, rate, time).await;
        let calls = outcome.waits.len() as f64;
        let (spent, own) = (computing() - before, cpu_time(std::process::id()) - own);
        let most = self.processes.iter().map(|&process| memory(process)[1]).max().unwrap_or_default();
        let [p50, p95, p99, worst] = outcome.percentiles(None, [50.0, 95.0, 99.0, 100.0]);
        println!(
            "{:14} {:8.0} {p50:8.1} {p95:8.1} {p99:8.1} {worst:8.0} {:7} {:9.2} {:9.2} {most:6}",
            self.name,
            outcome.rate(),
            outcome.errors(),
            spent.as_secs_f64() * 1000.0 / calls,
            own.as_secs_f64() * 1000.0 / calls,
        );
        outcome
    }

    /// Returns the highest number of requests per second at which the 99th percentile of the latency is at most `limit`
    /// milliseconds and no request fails. Begins with the rate `from`.
    async fn find_highest_rate(&self, from: f64, limit: f64) -> f64 {
        let (mut best, mut rate, mut step) = (0.0, from, 2.0);
        while step > 1.1 {
            let outcome = self.measure_rate(rate, STEP).await;
            let [p99] = outcome.percentiles(None, [99.0]);
            if p99 <= limit && outcome.errors() == 0 {
                best = rate;
            } else {
                // Continue from the last good rate in smaller steps.
                step = f64::sqrt(step);
                rate = if best > 0.0 { best } else { rate / 4.0 };
            }
            rate *= step;
        }
        best
    }
}

fn print_header() {
    println!(
        "{:14} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>9} {:>9} {:>6}",
        "", "calls/s", "p50 ms", "p95", "p99", "most", "errors", "cpu/call", "bench", "MiB"
    );
}

/// Starts the server several times. Returns the milliseconds from the start of the process until the server responds as
/// healthy: median and maximum.
async fn measure_starts(folder: &Path, url: &str) -> [f64; 2] {
    let mut waits = Vec::new();
    for _ in 0..STARTS {
        let begun = Instant::now();
        let server = Server::start(folder, url).await;
        waits.push(begun.elapsed().as_secs_f64() * 1000.0);
        drop(server);
    }
    waits.sort_by(f64::total_cmp);
    [waits[STARTS / 2], waits[STARTS - 1]]
}

/// Returns the same users, who send the requests that `choose` returns to the minimal server `bare`.
fn redirect(users: &[User], bare: &Bare, choose: Choose) -> Vec<User> {
    users.iter().map(|user| User { at: bare.at, choose: choose.clone(), ..user.clone() }).collect()
}

fn print_by_kind(outcome: &Outcome) {
    let kinds: BTreeSet<&str> = outcome.waits.iter().map(|wait| wait.kind).collect();
    println!("\n{:24} {:>8} {:>8} {:>8} {:>8}", "milliseconds", "calls", "p50", "p95", "p99");
    for kind in kinds {
        let [p50, p95, p99] = outcome.percentiles(Some(kind), [50.0, 95.0, 99.0]);
        let calls = outcome.waits.iter().filter(|wait| wait.kind == kind).count();
        println!("{kind:24} {calls:8} {p50:8.1} {p95:8.1} {p99:8.1}");
    }
}

async fn measure() {
    let (user_count, rows) = (number("LOAD_USERS", 500), number("LOAD_ROWS", 100_000));
    let (rate, time) = (number("LOAD_RATE", 250) as f64, Duration::from_secs(number("LOAD_SECONDS", 30) as u64));
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "load").await;
    let (name, limit) = if url.starts_with("sqlite") { ("SQLite", 100) } else { ("PostgreSQL", 150) };
    let node_count = number("LOAD_NODES", 1);
    assert!(
        node_count == 1 || name == "PostgreSQL",
        "LOAD_NODES above 1 needs PostgreSQL (FORECOURT_TEST_POSTGRES_URL)"
    );
    let limit = number("LOAD_LIMIT", limit) as f64;
    println!(
        "{name}: {user_count} users, {rate:.0} requests per second; {rows} contacts, {rows} customers and {rows} invoices in the largest of ten \
         corporations"
    );

    let begun = Instant::now();
    let server = Server::start(folder.path(), &url).await;
    let first = begun.elapsed().as_secs_f64() * 1000.0;
    drop(server);
    let [empty, longest] = measure_starts(folder.path(), &url).await;
    println!("start, ms: {first:.0} the very first with its schema, {empty:.0} empty (at most {longest:.0})");
    let made = fill::create_corporations(folder.path(), &url, rows, user_count).await;
    let [full, longest] = measure_starts(folder.path(), &url).await;
    println!("start, ms: {full:.0} full (at most {longest:.0})");

    let mut nodes = Vec::new();
    for _ in 0..node_count {
        nodes.push(Server::start(folder.path(), &url).await);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let processes: Vec<u32> = nodes.iter().map(|node| node.process.id()).collect();
    println!("memory when idle, MiB: {:?}", processes.iter().map(|&id| memory(id)[0]).collect::<Vec<_>>());
    let begun = Instant::now();
    let (large, users) = fill::sign_in_users(&nodes, folder.path(), &made, user_count).await;
    println!("{user_count} signed in within {:.0} s", begun.elapsed().as_secs_f64());

    let hello = Bare::start("hello").await;
    let call = |kind, path| Call { kind, method: Method::GET, path, body: None };
    let hellos = redirect(&users, &hello, Arc::new(move |_| call("hello", "/".to_owned())));
    let point = Bare::start(&url).await;
    let points = redirect(
        &users,
        &point,
        Arc::new(move |dice| call("point read", format!("/{}/{}", large.corp, dice.one_of(&large.contacts)))),
    );
    let bare = |name, bare: &Bare| (name, vec![bare.process.id()]);
    let targets =
        [(("Forecourt", processes), &users), (bare("hello", &hello), &hellos), (bare("point read", &point), &points)]
            .map(|((name, processes), users)| Target { name, processes, users });

    println!("\nAt the given rate. CPU milliseconds per call: cpu/call of the server, bench of this benchmark:");
    print_header();
    let mut first = None;
    for target in &targets {
        let outcome = target.measure_rate(rate, time).await;
        first.get_or_insert(outcome);
    }
    first.iter().for_each(print_by_kind);
    println!("\nSearching for the highest rate with a 99th percentile of at most {limit} ms:");
    print_header();
    let mut highest = Vec::new();
    for target in &targets {
        highest.push(target.find_highest_rate(rate, limit).await);
    }
    let [ours, hello, point] = highest[..] else { return };
    println!(
        "\nhighest: Forecourt {ours:.0}, hello {hello:.0} ({:.1} times), point read {point:.0} ({:.1} times)",
        hello / ours,
        point / ours
    );
    for &id in &targets[0].processes {
        println!("memory afterwards, MiB: {:?} now, and at most", memory(id));
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments[..] {
        [_, word, at, url] if word == "bare" => bare::serve(at, url).await,
        _ => measure().await,
    }
}
