//! Measures lists, sort orders, filters, searches and single writes over HTTP in one large corporation among many small
//! ones, and plain SQL statements for some of the pages. Prints for each list the ratio of its 95th percentile to the
//! goal. Uses SQLite, or PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster. `LISTS_ROWS`, `LISTS_VEHICLES`,
//! `LISTS_CORPORATIONS` and `LISTS_ROUNDS` make the benchmark smaller. Run by `make bench`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/server.rs"]
mod server;
#[path = "support/statistics.rs"]
mod statistics;

use forecourt::platform::db::Db;
use forecourt_core::lists::{Kind, fields_of};
use reqwest::Method;
use serde_json::{Value, json};
use server::{Server, create_database, number, program};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;
use uuid::Uuid;

/// The number of contacts, of customers and of invoices in each of the small corporations.
const OTHERS: usize = 1_000;
const PAGE: usize = 15;
const VEHICLES: &str = "/api/vehicles";
/// A last name of sample records of British corporations, which these are unless their country is changed.
const NAME: &str = "hughes";
/// The fields by which sorting must be fast in a list of any size.
const FAST: [&str; 9] = [
    "name",
    "customer",
    "createdAt",
    "updatedAt",
    "latestPurchase",
    "totalSpent",
    "startDate",
    "endDate",
    "projectPrice",
];

fn add_records(folder: &Path, url: &str, corporation: Uuid, count: usize) {
    let mut command = program("demo-data", folder, url);
    command.args(["--count", &count.to_string(), "--corporation", &corporation.to_string()]);
    if count <= OTHERS {
        command.stdout(Stdio::null());
    }
    assert!(command.status().expect("the program starts").success());
}

/// Adds vehicles to the administrator's corporation through the API: of a hundred models, and half of them sold.
async fn add_vehicles(server: &Server, db: &Db, corp: Uuid, count: usize) {
    const AT_ONCE: usize = 8;
    let allow = "INSERT INTO corporation_resources (corp_id, resource_id) SELECT $1, resource_id FROM resources \
                 WHERE resource_id LIKE 'vehicles%' ON CONFLICT DO NOTHING";
    db.sql(allow).bind(corp).exec().await.expect("vehicles are allowed");
    let create = async |from: usize| {
        for i in (from..count).step_by(AT_ONCE) {
            let vehicle = json!({
                "registration_number": format!("B AA {i}"), "registration_country": "DE", "make": format!("Make {}", i % 10),
                "model": format!("Model {}", i % 100), "variant": format!("Variant {}", i % 7), "colour": "Blue",
                "model_year": 2_000 + i % 25, "mileage": i % 200_000, "asking_price": 1_000 + i * 7 % 50_000,
                "purchase_price": 1_000 + i * 7 % 40_000, "fuel": "Petrol", "location": format!("Row {}", i % 40),
                "in_stock_on": format!("20{:02}-{:02}-{:02}", 10 + i % 15, 1 + i % 12, 1 + i % 28),
            });
            server.call(Method::POST, VEHICLES, Some(vehicle)).await;
        }
    };
    futures_util::future::join_all((0..AT_ONCE).map(create)).await;
    // In parts, because each changes many indexes, and a statement must end in time.
    for part in 0..10_i64 {
        let sold = "UPDATE vehicles SET status = 'Sold' WHERE corp_id = $1 AND doc % 20 = $2 * 2";
        db.sql(sold).bind(corp).bind(part).exec().await.expect("vehicles are sold");
    }
}

/// Latencies of one request in milliseconds.
#[derive(Default)]
struct Waits(Vec<f64>);

impl Waits {
    fn add(&mut self, begun: Instant) {
        self.0.push(begun.elapsed().as_secs_f64() * 1000.0);
    }

    fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
    }

    /// Returns as text: the latency of the first request, the median, and the 95th and 99th percentile.
    fn line(&self) -> String {
        format!("{:8.1} {:8.1} {:8.1} {:8.1}", self.0[0], self.percentile(50), self.percentile(95), self.percentile(99))
    }
}

/// Runs two plain SQL statements, without the API: a page by OFFSET and a `count(*)`. Returns the median of their total
/// time in milliseconds.
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

/// The kind of a list request, which determines the latency that is its goal.
#[derive(Clone, Copy)]
enum Goal {
    /// The first page in a sort order that an index or sort rows (docs/decisions/0026-list-engine.md) provide.
    Ordered,
    /// Any page in a sort order that an index or sort rows provide.
    Middle,
    /// A page for which the database must read and compare many rows, as for a filter or a search.
    Compared,
    /// The middle page in a sort order that neither an index nor sort rows provide.
    Unordered,
}

impl Goal {
    /// Returns the goal in milliseconds: the longest acceptable 95th percentile in a list of this many rows.
    fn limit(self, rows: usize, is_sqlite: bool) -> f64 {
        match (self, rows > 100_000) {
            (Goal::Unordered, false) => 80.0,
            (_, false) | (Goal::Ordered, true) => 50.0,
            (Goal::Middle, true) if is_sqlite => 50.0,
            (Goal::Middle, true) => 60.0,
            (Goal::Compared | Goal::Unordered, true) if is_sqlite => 250.0,
            (Goal::Compared | Goal::Unordered, true) => 600.0,
        }
    }
}

/// The server and its database, and the large corporation that is measured.
struct Bench<'a> {
    server: &'a Server,
    db: &'a Db,
    corp: Uuid,
    rows: usize,
    vehicles: usize,
    rounds: usize,
}

impl Bench<'_> {
    /// Returns the number of rows of a list.
    fn rows_of(&self, list: &str) -> usize {
        if list == "vehicles" { self.vehicles } else { self.rows }
    }

    fn is_sqlite(&self) -> bool {
        self.db.pick(true, false)
    }

    /// Measures a list request and prints its line. Before each request, the cached totals of the lists are
    /// invalidated. Returns the number of rows that the list has on all pages.
    async fn measure(&self, name: &str, path: &str, goal: Goal) -> u64 {
        let (mut waits, mut total) = (Waits::default(), None);
        for _ in 0..self.rounds {
            let changed = "UPDATE lists SET changes = changes + 1 WHERE corp_id = $1";
            self.db.sql(changed).bind(self.corp).exec().await.expect("the lists have changed");
            let request = self.server.client.get(format!("{}{path}", self.server.at)).bearer_auth(&self.server.token);
            let begun = Instant::now();
            let response = request.send().await.expect("the server answers");
            let header = response.headers().get("x-total-count").and_then(|total| total.to_str().ok()?.parse().ok());
            let status = response.status();
            let body: Value = response.json().await.expect("the response is JSON");
            waits.add(begun);
            assert!(status.is_success(), "{path}: {body}");
            total = header.or(body["totalItems"].as_u64()).or(body["pagination"]["totalContacts"].as_u64());
        }
        let list = if path.starts_with(VEHICLES) { "vehicles" } else { "" };
        let limit = goal.limit(self.rows_of(list), self.is_sqlite());
        let ratio = waits.percentile(95) / limit;
        let mark = if ratio > 1.0 { " MISSED" } else { "" };
        let total = total.unwrap_or_default();
        println!("{name:52} {total:>9} {} {limit:6.0} {ratio:6.2}{mark}", waits.line());
        total
    }

    /// Measures sorting contacts, customers, invoices and vehicles by each field: the first page and the middle one.
    async fn measure_sorts(&self) {
        for list in ["contacts", "customers", "invoices", "vehicles"] {
            for field in fields_of(list).expect("there is such a list") {
                // Whether sort rows or an index provide the order.
                let has_order = match (list, self.is_sqlite()) {
                    ("vehicles", true) => field.kind != Kind::Id,
                    ("vehicles", false) => true,
                    (_, true) => field.kind != Kind::Id && field.name != "version",
                    (_, false) => FAST.contains(&field.name) || field.is_long,
                };
                let is_fast = FAST.contains(&field.name);
                for (page, deep) in [(1, false), (self.rows_of(list) / PAGE / 2, true)] {
                    let goal = match (is_fast, has_order, deep) {
                        (true, _, false) => Goal::Ordered,
                        (true, _, true) => Goal::Middle,
                        (_, true, _) | (_, _, false) => Goal::Compared,
                        (_, false, true) => Goal::Unordered,
                    };
                    let name = format!("{list} by {}{}", field.name, if deep { ", middle page" } else { "" });
                    let path = format!("/api/{list}?limit={PAGE}&page={page}&sort={}", field.name);
                    self.measure(&name, &path, goal).await;
                }
            }
        }
    }

    /// Measures filters: each operator, on one or two fields of each kind.
    async fn measure_filters(&self) {
        let address = self.find_value("contacts", "address").await;
        for (list, field, [low, high]) in [
            ("contacts", "address", [json!(address), json!("1 high street")]),
            ("contacts", "name", [json!("thomas hughes"), json!("zoë reed")]),
            ("contacts", "importBatchId", [json!(self.corp), json!(self.corp)]),
            ("contacts", "createdAt", [json!("2025-01-01T00:00:00Z"), json!("2026-01-01T00:00:00Z")]),
            ("customers", "status", [json!("Active"), json!("Inactive")]),
            ("customers", "customerNumber", [json!("C-1500"), json!("C-9000")]),
            ("customers", "numberOfOrders", [json!(1), json!(9)]),
            ("customers", "latestPurchase", [json!("2025-01-01"), json!("2025-03-31")]),
            ("invoices", "projectPrice", [json!(1_000), json!(5_000)]),
            ("invoices", "startDate", [json!("2025-01-01"), json!("2025-03-31")]),
            ("vehicles", "status", [json!("In stock"), json!("Sold")]),
            ("vehicles", "make", [json!("make 1"), json!("make 2")]),
            ("vehicles", "asking_price", [json!(5_000), json!(9_000)]),
            ("vehicles", "in_stock_on", [json!("2020-01-01"), json!("2020-12-31")]),
        ] {
            let kind = fields_of(list).and_then(|all| all.iter().find(|f| f.name == field)).expect("a field").kind;
            for operator in kind.operators() {
                let mut condition = json!({"field": field, "op": operator});
                match *operator {
                    "is_empty" | "is_not_empty" => {}
                    "in" | "between" => condition["value"] = json!([low, high]),
                    _ => condition["value"] = low.clone(),
                }
                let path = format!("/api/{list}?limit={PAGE}&filter={}", json!([condition]));
                self.measure(&format!("{list}, {field} {operator}"), &path, Goal::Compared).await;
                if *operator == "is_not" || *operator == "starts_with" {
                    let path = format!("{path}&sort=name");
                    let path = if list == "invoices" { path.replace("=name", "=customer") } else { path };
                    self.measure(&format!("{list}, {field} {operator}, by name"), &path, Goal::Compared).await;
                }
            }
        }
    }

    /// Returns a value that a field has in the middle of a list.
    async fn find_value(&self, list: &str, field: &str) -> String {
        let path = format!("{}/api/{list}?limit={PAGE}&page={}", self.server.at, self.rows / PAGE / 2 + 1);
        let request = self.server.client.get(path).bearer_auth(&self.server.token);
        let body: Value = request.send().await.expect("the server answers").json().await.expect("the response is JSON");
        let mut rows = body["data"].as_array().expect("the page has rows").iter();
        let value = rows.find_map(|row| row[field].as_str().filter(|value| !value.is_empty()));
        value.expect("a row has a value").to_owned()
    }

    /// Measures searches that find no row, few rows (an e-mail), one row in forty (a name) or nearly all rows, and
    /// combinations of searches with filters and sort orders.
    async fn measure_searches(&self) {
        for (list, search) in [("contacts", "search"), ("customers", "searchTerm")] {
            let email = self.find_value(list, "email").await;
            let finds =
                [("nothing", "zzzqqq"), ("few", &email), ("a name", NAME), ("most", "example"), ("two letters", "hu")];
            for (name, text) in finds {
                let path = format!("/api/{list}?limit={PAGE}&{search}={text}");
                let found = self.measure(&format!("{list}, search that finds {name}"), &path, Goal::Compared).await;
                assert_eq!(found == 0, name == "nothing", "{path} finds {found}");
                let path = format!("{path}&sort=name");
                self.measure(&format!("{list}, search that finds {name}, by name"), &path, Goal::Compared).await;
                let path = format!(r#"{path}&filter=[{{"field":"address","op":"contains","value":"road"}}]"#);
                self.measure(&format!("{list}, {name} in a road, by name"), &path, Goal::Compared).await;
            }
            let path = format!("/api/{list}?limit={PAGE}&page=100&{search}={NAME}");
            self.measure(&format!("{list}, page 100 of a name"), &path, Goal::Compared).await;
        }
        for (name, query) in [
            ("a plate", "search=B%20AA%204321"),
            ("a model", "search=model%2042"),
            ("most", "search=make"),
            ("a model, by price", "search=model%2042&sort=-asking_price"),
        ] {
            self.measure(
                &format!("vehicles, search that finds {name}"),
                &format!("{VEHICLES}?limit={PAGE}&{query}"),
                Goal::Compared,
            )
            .await;
        }
        let pages = self.rows / PAGE;
        for (name, query, page) in [
            ("a type", "typeAdv=Company", 1),
            ("a type, middle page", "typeAdv=Company", pages / 9),
            ("a status", "statusAdv=Inactive", 1),
            ("a status by name", "statusAdv=Inactive&sort=name", 1),
            ("a status by name, page 100", "statusAdv=Inactive&sort=name", 100),
            ("a quarter", "fromDate=2025-01-01&toDate=2025-03-31", 1),
            ("a type in a quarter", "typeAdv=Agency&fromDate=2025-01-01&toDate=2025-03-31", 1),
            ("three years, middle page", "fromDate=2020-01-01&toDate=2030-01-01", pages / 2),
            ("a name of a type", "typeAdv=Private&searchTerm=hughes", 1),
            ("a name of a type, by amount", "typeAdv=Private&searchTerm=hughes&sort=-totalSpent", 1),
            ("by type and name", "sort=type,name", 1),
        ] {
            let path = format!("/api/customers?limit={PAGE}&page={page}&{query}");
            self.measure(&format!("customers, {name}"), &path, Goal::Compared).await;
        }
    }

    async fn measure_all(&self) {
        let Bench { server, rounds, .. } = *self;
        println!(
            "{:52} {:>9} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6}",
            "milliseconds over HTTP", "of", "first", "p50", "p95", "p99", "limit", "ratio"
        );
        for list in ["contacts", "customers", "invoices", "vehicles"] {
            let pages = self.rows_of(list) / PAGE;
            for (name, page) in [("first", 1), ("middle", pages / 2), ("last", pages)] {
                let path = format!("/api/{list}?limit={PAGE}&page={page}");
                self.measure(&format!("{list}, {name} page"), &path, Goal::Middle).await;
            }
        }
        self.measure_sorts().await;
        self.measure_filters().await;
        self.measure_searches().await;
        self.measure("dashboard", "/api/dashboard", Goal::Ordered).await;
        measure_writes(server, rounds).await;
    }
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
            server.call(Method::GET, "/api/contacts?limit=15&search=hughes", None).await;
            fresh.add(begun);
        }
    }
    for (name, waits) in [("create", create), ("update", update), ("a name, not cached", fresh)] {
        println!("{:44} {:>9} {}", format!("contacts, {name}"), "", waits.line());
    }
}

async fn measure_plain_sql(db: &Db, corp: Uuid, rows: usize) {
    println!("{:44} {:>18}", "milliseconds of plain SQL", "p50");
    for table in ["contacts", "customers"] {
        for (name, from) in [("first", 0), ("middle", rows / 2), ("last", rows - PAGE)] {
            let wait = measure_sql(db, corp, table, "", from).await;
            println!("{:44} {wait:18.1}", format!("{table}, {name} page by offset, and count(*)"));
        }
        let wait = measure_sql(db, corp, table, " AND name_key LIKE '%hughes%'", 0).await;
        println!("{:44} {wait:18.1}", format!("{table}, a name by LIKE, and count(*)"));
    }
}

#[tokio::main]
async fn main() {
    let (rows, corporations) = (number("LISTS_ROWS", 1_000_000), number("LISTS_CORPORATIONS", 100));
    let (vehicles, rounds) = (number("LISTS_VEHICLES", 100_000), number("LISTS_ROUNDS", 100));
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "lists").await;
    let db_name = if url.starts_with("sqlite") { "SQLite" } else { "PostgreSQL" };
    println!(
        "{db_name}: {rows} contacts, customers and invoices and {vehicles} vehicles in one corporation, {OTHERS} in each \
         of {corporations}"
    );
    // Starts and stops the server, which creates the schema and the first user.
    drop(Server::start(folder.path(), &url).await);
    let db = Db::open(&url, 2).await.expect("the database opens");
    let corp: Uuid = db.sql("SELECT corp_id FROM corporations").value().await.expect("there is a platform");
    for i in 0..corporations {
        if i == corporations / 2 {
            add_records(folder.path(), &url, corp, rows);
        }
        let other = Uuid::now_v7();
        let sql = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, 'Other', 0, 0)";
        db.sql(sql).bind(other).exec().await.expect("a corporation is created");
        add_records(folder.path(), &url, other, OTHERS);
    }
    let mut server = Server::start(folder.path(), &url).await;
    server.sign_in(folder.path()).await;
    add_vehicles(&server, &db, corp, vehicles).await;
    statistics::update(&url).await;
    Bench { server: &server, db: &db, corp, rows, vehicles, rounds }.measure_all().await;
    drop(server);
    measure_plain_sql(&db, corp, rows).await;
    db.close().await;
}
