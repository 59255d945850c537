//! Measures lists, searches and single writes over HTTP in one large corporation among many small ones, beside plain SQL
//! statements for the same pages. Uses SQLite, or PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster. `LISTS_ROWS`,
//! `LISTS_CORPORATIONS` and `LISTS_ROUNDS` make it smaller. Run by `make bench`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/server.rs"]
mod server;

use forecourt::platform::db::Db;
use reqwest::Method;
use serde_json::{Value, json};
use server::{Server, create_database, number, program};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;
use uuid::Uuid;

/// Rows of each of the small corporations.
const OTHERS: usize = 1_000;
const PAGE: usize = 15;

fn add_records(folder: &Path, url: &str, corporation: Uuid, count: usize) {
    let mut command = program("demo-data", folder, url);
    command.args(["--count", &count.to_string(), "--corporation", &corporation.to_string()]);
    if count <= OTHERS {
        command.stdout(Stdio::null());
    }
    assert!(command.status().expect("the program starts").success());
}

/// Latencies of one request in milliseconds.
#[derive(Default)]
struct Waits(Vec<f64>);

impl Waits {
    fn add(&mut self, begun: Instant) {
        self.0.push(begun.elapsed().as_secs_f64() * 1000.0);
    }

    /// Returns the first, the median, the 95th and the 99th percentile.
    fn line(&self) -> String {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |percent: usize| sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)];
        format!("{:8.1} {:8.1} {:8.1} {:8.1}", self.0[0], at(50), at(95), at(99))
    }
}

/// Returns the median milliseconds of a page by OFFSET and of its `count(*)`, without the API.
async fn measure_sql(db: &Db, corp: Uuid, table: &str, condition: &str, from: usize) -> f64 {
    let text = |what: &str, rest: &str| -> &'static str {
        Box::leak(format!("SELECT {what} FROM {table} WHERE corp_id = $1{condition}{rest}").into_boxed_str())
    };
    let (page, count) = (text("doc", &format!(" ORDER BY doc DESC LIMIT {PAGE} OFFSET {from}")), text("count(*)", ""));
    let mut waits = Waits::default();
    for _ in 0..5 {
        let begun = Instant::now();
        let _: Vec<(i64,)> = db.sql(page).bind(corp).all().await.expect("a page is read");
        let _: Vec<(i64,)> = db.sql(count).bind(corp).all().await.expect("rows are counted");
        waits.add(begun);
    }
    waits.0.sort_by(f64::total_cmp);
    waits.0[2]
}

async fn measure_request(server: &Server, name: &str, path: &str, rounds: usize) {
    let mut waits = Waits::default();
    let mut total = Value::Null;
    for _ in 0..rounds {
        let begun = Instant::now();
        let response = server.call(Method::GET, path, None).await;
        waits.add(begun);
        total = response["totalItems"].as_u64().or(response["pagination"]["totalContacts"].as_u64()).into();
    }
    println!("{name:44} {:>9} {}", total.to_string(), waits.line());
}

async fn measure_requests(server: &Server, rows: usize, rounds: usize) {
    println!("{:44} {:>9} {:>8} {:>8} {:>8} {:>8}", "milliseconds over HTTP", "of", "first", "p50", "p95", "p99");
    let pages = rows / PAGE;
    for (table, search) in [("contacts", "search"), ("customers", "searchTerm")] {
        for (name, page) in [("first", 1), ("middle", pages / 2), ("last", pages)] {
            let path = format!("/api/{table}?limit={PAGE}&page={page}");
            measure_request(server, &format!("{table}, {name} page"), &path, rounds).await;
        }
        // Texts that no row contains, ten in a million, one in seventeen (a name), and nearly all.
        for (name, text) in
            [("nothing", "zzzqqq"), ("few", "12345@example"), ("a name", "wikström"), ("most", "example")]
        {
            let path = format!("/api/{table}?limit={PAGE}&{search}={text}");
            measure_request(server, &format!("{table}, search that finds {name}"), &path, rounds).await;
        }
        let path = format!("/api/{table}?limit={PAGE}&page=100&{search}=wikström");
        measure_request(server, &format!("{table}, page 100 of a name"), &path, rounds).await;
    }
    for (name, filter, page) in [
        ("a type", "typeAdv=Company", 1),
        ("a type, middle page", "typeAdv=Company", pages / 9),
        ("a status", "statusAdv=Inactive", 1),
        ("a quarter", "fromDate=2025-01-01&toDate=2025-03-31", 1),
        ("a type in a quarter", "typeAdv=Agency&fromDate=2025-01-01&toDate=2025-03-31", 1),
        ("three years, middle page", "fromDate=2020-01-01&toDate=2030-01-01", pages / 2),
        ("a name of a type", "typeAdv=Private&searchTerm=wikström", 1),
    ] {
        let path = format!("/api/customers?limit={PAGE}&page={page}&{filter}");
        measure_request(server, &format!("customers, {name}"), &path, rounds).await;
    }
    for (name, arrangement, page) in [
        ("by name", "sort=name", 1),
        ("by name, middle page", "sort=name", pages / 2),
        ("newest change first", "sort=-updatedAt", 1),
        ("a name begins", r#"filter=[{"field":"name","op":"starts_with","value":"wik"}]"#, 1),
        ("an address contains", r#"sort=email&filter=[{"field":"address","op":"contains","value":"malmö"}]"#, 1),
        ("no website", r#"filter=[{"field":"website","op":"is_empty"}]"#, 1),
    ] {
        let path = format!("/api/contacts?limit={PAGE}&page={page}&{arrangement}");
        measure_request(server, &format!("contacts, {name}"), &path, rounds).await;
    }
    let path = format!("/api/contacts?limit={PAGE}&sort=name&search=wikström");
    measure_request(server, "contacts, a name, by name", &path, rounds).await;
    measure_request(server, "dashboard", "/api/dashboard", rounds).await;
    measure_writes(server, rounds).await;
    measure_request(server, "contacts, a name, after those writes", "/api/contacts?limit=15&search=wikström", rounds)
        .await;
}

async fn measure_writes(server: &Server, rounds: usize) {
    let (mut create, mut update, mut fresh) = (Waits::default(), Waits::default(), Waits::default());
    for i in 0..rounds {
        let contact = json!({"name": format!("Bench Person {i}"), "email": format!("bench{i}@example.se")});
        let begun = Instant::now();
        let made = server.call(Method::POST, "/api/contacts", Some(contact.clone())).await;
        create.add(begun);
        let id = made["data"]["_id"].as_str().expect("there is an id");
        let begun = Instant::now();
        server.call(Method::PUT, &format!("/api/contacts/{id}"), Some(json!({"name": format!("Bench {i}")}))).await;
        update.add(begun);
        // A write invalidates the cached totals of searches.
        if i % 10 == 0 {
            let begun = Instant::now();
            server.call(Method::GET, "/api/contacts?limit=15&search=wikström", None).await;
            fresh.add(begun);
        }
    }
    for (name, waits) in [("create", create), ("update", update), ("a name, not cached", fresh)] {
        println!("{:44} {:>9} {}", format!("contacts, {name}"), "", waits.line());
    }
}

async fn measure_driver(db: &Db, corp: Uuid, rows: usize) {
    println!("{:44} {:>18}", "milliseconds of plain SQL", "p50");
    for table in ["contacts", "customers"] {
        for (name, from) in [("first", 0), ("middle", rows / 2), ("last", rows - PAGE)] {
            let wait = measure_sql(db, corp, table, "", from).await;
            println!("{:44} {wait:18.1}", format!("{table}, {name} page by offset, and count(*)"));
        }
        let wait = measure_sql(db, corp, table, " AND name_key LIKE '%wikstrom%'", 0).await;
        println!("{:44} {wait:18.1}", format!("{table}, a name by LIKE, and count(*)"));
    }
}

#[tokio::main]
async fn main() {
    let (rows, corporations) = (number("LISTS_ROWS", 1_000_000), number("LISTS_CORPORATIONS", 100));
    let rounds = number("LISTS_ROUNDS", 100);
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "lists").await;
    let db_name = if url.starts_with("sqlite") { "SQLite" } else { "PostgreSQL" };
    println!(
        "{db_name}: {rows} contacts, customers and invoices in one corporation, {OTHERS} in each of {corporations}"
    );
    // Creates the schema and the first user.
    drop(Server::start(folder.path(), &url).await);
    let db = Db::open(&url, 2).await.expect("the database opens");
    let (corp,): (Uuid,) = db.sql("SELECT corp_id FROM corporations").one().await.expect("there is a platform");
    for i in 0..corporations {
        if i == corporations / 2 {
            add_records(folder.path(), &url, corp, rows);
        }
        let other = Uuid::now_v7();
        let sql = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, 'Other', 0, 0)";
        db.sql(sql).bind(other).exec().await.expect("a corporation is created");
        add_records(folder.path(), &url, other, OTHERS);
    }
    db.sql(db.pick("ANALYZE", "VACUUM ANALYZE")).exec().await.expect("statistics are updated");
    let mut server = Server::start(folder.path(), &url).await;
    server.sign_in(folder.path()).await;
    measure_requests(&server, rows, rounds).await;
    drop(server);
    measure_driver(&db, corp, rows).await;
    db.close().await;
}
