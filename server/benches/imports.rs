//! Measures an import over HTTP from upload to completion, and the latency of single writes meanwhile. For comparison,
//! measures a raw insert of the same rows into the same table, and the same import without a history. Uses SQLite, or
//! PostgreSQL if `FORECOURT_TEST_POSTGRES_URL` names a cluster. `IMPORTS_ROWS` sets the number of rows,
//! `IMPORTS_ROUNDS` repeats all measurements. Run by `make bench-import`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its sizes from the environment")]

#[path = "support/admin.rs"]
mod admin;
#[path = "support/server.rs"]
mod server;

use forecourt::features::listing::definitions::definitions;
use forecourt::platform::db::{Db, Tx};
use forecourt_core::text::fold;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use server::{Server, create_database, number};
use sqlx::types::Json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Rows per statement of the raw insert, on SQLite and on PostgreSQL.
const ROWS: (usize, usize) = (500, 10_000);
/// Rows per transaction of the raw insert.
const ROWS_AT_ONCE: usize = 10_000;

/// Returns row number `i` of the file to import: name, e-mail, phone, address, city, notes.
fn row(i: usize) -> [String; 6] {
    let name = ["Åsa Öberg", "Björn Wikström", "Cecilia Lund", "Dag \"Dagge\" Ek"][i % 4];
    [
        format!("{name} {i}"),
        format!("{:x}.{i}@example.se", i.wrapping_mul(2_654_435_761) & 0xFFFF_FFFF),
        format!("+46 70 {:07}", i % 10_000_000),
        format!("Storgatan {}\n{:05} Malmö", i % 200, 20_000 + i % 1_000),
        ["Malmö", "Lund", "Ystad"][i % 3].to_owned(),
        if i.is_multiple_of(5) { "Ringer tillbaka, på måndag".to_owned() } else { String::new() },
    ]
}

const COLUMNS: [(&str, &str); 6] = [
    ("Namn", "name"),
    ("E-post", "email"),
    ("Telefon", "phone"),
    ("Adress", "address"),
    ("Ort", "otherDetails"),
    ("Anteckning", "otherDetails"),
];

fn file(rows: usize) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.map(|(name, _)| name)).expect("a row is written");
    (0..rows).for_each(|i| writer.write_record(row(i)).expect("a row is written"));
    writer.into_inner().expect("the file is whole")
}

async fn submit(server: &Server, name: &str, file: Vec<u8>) -> String {
    let mapping: Value = COLUMNS.iter().map(|(f, m)| json!({"fileColumn": f, "modelColumn": m})).collect();
    let form = Form::new().part("file", Part::bytes(file).file_name(name.to_owned()));
    let form = form.text("columnMapping", mapping.to_string());
    let request = server.client.post(format!("{}/api/contacts/import/submit", server.at)).bearer_auth(&server.token);
    let response = request.multipart(form).send().await.expect("the server answers");
    let response: Value = response.json().await.expect("the response is JSON");
    response["sessionId"].as_str().unwrap_or_else(|| panic!("{response}")).to_owned()
}

/// Waits until the import has completed, and creates single contacts meanwhile. Returns the latencies of these
/// creations in milliseconds, sorted.
async fn wait_for_import(server: &Server, session: &str, rows: usize) -> Vec<f64> {
    let mut waits = Vec::new();
    loop {
        let begun = Instant::now();
        server.call(Method::POST, "/api/contacts", Some(json!({"name": "Bench"}))).await;
        waits.push(begun.elapsed().as_secs_f64() * 1000.0);
        let response = server.call(Method::GET, &format!("/api/contacts/import/status/{session}"), None).await;
        match response["session"]["status"].as_str() {
            Some("pending" | "processing") => tokio::time::sleep(Duration::from_millis(50)).await,
            Some("completed") => break,
            _ => panic!("{response}"),
        }
        assert!(response["session"]["successRecords"].as_u64() <= Some(rows as u64), "{response}");
    }
    waits.sort_by(f64::total_cmp);
    waits
}

/// Waits until the list indexes contain every contact.
async fn wait_until_indexed(url: &str) {
    let db = Db::open(url, 1).await.expect("the database opens");
    let behind = db.pick(
        "SELECT 1 FROM lists WHERE min(searched_doc, sorted_doc) < next_doc - 1",
        "SELECT 1 FROM lists WHERE searched_doc < next_doc - 1",
    );
    while db.sql(behind).exists().await.expect("the lists are read") {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    db.close().await;
}

/// Inserts the rows of the file directly into the database, without reading a file or validating anything. Returns the
/// seconds that this took.
async fn insert_raw(rows: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a folder is created");
    let db = Db::open(&create_database(folder.path(), "imports").await, 2).await.expect("the database opens");
    db.migrate(&definitions(&db)).await.expect("the schema is created");
    let (corp, import) = (Uuid::now_v7(), Uuid::now_v7());
    let sql = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, 'Raw', 0, 0)";
    db.sql(sql).bind(corp).exec().await.expect("a corporation is created");
    let sql = "INSERT INTO imports (corp_id, import_id, file_name, file_size, mapping, status, created_at, updated_at) \
               VALUES ($1, $2, '', 0, '[]', 'failed', 0, 0)";
    db.sql(sql).bind(corp).bind(import).exec().await.expect("an import is created");
    // Reserves the numbers of the rows, so that no trigger counts them one by one.
    let sql =
        "UPDATE lists SET next_doc = next_doc + $2 WHERE corp_id = $1 AND kind = 'contacts' RETURNING next_doc - $2";
    let first: i64 = db.sql(sql).bind(corp).bind(rows as i64).value().await.expect("the numbers are reserved");
    let mut spent = Duration::ZERO;
    for from in (0..rows).step_by(ROWS_AT_ONCE) {
        let made: Vec<ContactRow> = (from..rows.min(from + ROWS_AT_ONCE)).map(|i| ContactRow::new(i, first)).collect();
        let begun = Instant::now();
        let mut tx = db.begin().await.expect("a transaction begins");
        let mut rest = made.into_iter();
        loop {
            let some: Vec<ContactRow> = rest.by_ref().take(db.pick(ROWS.0, ROWS.1)).collect();
            if some.is_empty() {
                break;
            }
            insert_contacts(&mut tx, corp, import, some).await;
        }
        tx.commit().await.expect("the transaction is kept");
        spent += begun.elapsed();
    }
    db.close().await;
    spent.as_secs_f64()
}

/// A row of the table of contacts.
struct ContactRow {
    id: Uuid,
    number: i64,
    doc: i64,
    texts: [String; 8],
    details: Json<BTreeMap<String, String>>,
}

impl ContactRow {
    fn new(i: usize, first: i64) -> Self {
        let [name, email, phone, address, city, note] = row(i);
        let keys = [&name, &email, &phone, &address].map(|text| fold(text));
        let details = [("Ort", city), ("Anteckning", note)].into_iter().filter(|(_, text)| !text.is_empty());
        let details = Json(details.map(|(name, text)| (name.to_owned(), text)).collect());
        let mut texts = [name, email, phone, address].into_iter().chain(keys);
        let texts = std::array::from_fn(|_| texts.next().unwrap_or_default());
        ContactRow { id: Uuid::now_v7(), number: i as i64 + 2, doc: first + i as i64, texts, details }
    }
}

/// Inserts contacts by one statement, without the server's code.
async fn insert_contacts(tx: &mut Tx, corp: Uuid, import: Uuid, rows: Vec<ContactRow>) {
    const INTO: &str = "INSERT INTO contacts (corp_id, import_id, import_source, website, imported_at, created_at, updated_at, \
         contact_id, import_row, other_details, doc, name, email, phone, address, name_key, email_key, phone_key, address_key) ";
    let sql = match tx {
        Tx::Sqlite(..) => {
            tx.sql(INTO).push("VALUES ").tuples(rows, |sql, ContactRow { id, number, doc, texts, details }| {
                let sql = sql.arg(corp).comma(import).comma("kunder.csv").comma("").comma(1i64).comma(1i64).comma(1i64);
                texts
                    .into_iter()
                    .fold(sql.comma(id).comma(number).comma(details).comma(doc), |sql, text| sql.comma(text))
            })
        }
        Tx::Postgres(..) => {
            let sql = tx.sql(INTO).push("SELECT ").arg(corp).comma(import).comma("kunder.csv").comma("").comma(1i64);
            let sql = sql.comma(1i64).comma(1i64);
            let sql = sql.column(", added.* FROM unnest(", "UUID[]", rows.iter().map(|row| row.id).collect());
            let sql = sql.column(",", "BIGINT[]", rows.iter().map(|row| row.number).collect());
            let sql = sql.column(",", "JSONB[]", rows.iter().map(|row| row.details.clone()).collect::<Vec<_>>());
            let sql = sql.column(",", "BIGINT[]", rows.iter().map(|row| row.doc).collect());
            let text = |at: usize| rows.iter().map(|row| row.texts[at].clone()).collect::<Vec<_>>();
            (0..8).fold(sql, |sql, at| sql.column(",", "TEXT[]", text(at))).push(") AS added")
        }
    };
    sql.exec().await.expect("rows are written");
}

#[tokio::main]
async fn main() {
    let (rows, rounds) = (number("IMPORTS_ROWS", 1_000_000), number("IMPORTS_ROUNDS", 1));
    let file = file(rows);
    println!("{rows} rows, {} MiB", file.len() >> 20);
    println!(
        "{:>10} {:>10} {:>7} {:>12} {:>7} {:>10} {:>30}",
        "raw s", "import s", "ratio", "no history s", "ratio", "indexed s", "single write ms p50 p99 most"
    );
    for round in 0..rounds {
        let alone = insert_raw(rows).await;
        // The import with and the one without a history take turns at being first, because the disk's cache is warmer
        // for the second.
        let first = round.is_multiple_of(2);
        let one = measure(rows, &file, first).await;
        let other = measure(rows, &file, !first).await;
        let (with, without) = if first { (one, other) } else { (other, one) };
        let at = |percent: usize| with.waits[(with.waits.len() * percent / 100).min(with.waits.len() - 1)];
        let waits = format!("{:.0} {:.0} {:.0}", at(50), at(99), at(100));
        let (whole, bare) = (with.whole, without.whole);
        let ratios = format!("{:7.2} {bare:12.1} {:7.2}", whole / alone, whole / bare);
        println!("{alone:10.1} {whole:10.1} {ratios} {:10.1} {waits:>30}", with.indexed);
    }
}

/// The seconds from the upload until the import has completed (`whole`) and until the list indexes contain all its
/// contacts (`indexed`), and the latencies of single writes during the import in milliseconds (`waits`).
struct Measured {
    whole: f64,
    indexed: f64,
    waits: Vec<f64>,
}

async fn measure(rows: usize, file: &[u8], has_history: bool) -> Measured {
    let folder = tempfile::tempdir().expect("a folder is created");
    let url = create_database(folder.path(), "imports").await;
    let mut server = Server::start(folder.path(), &url).await;
    server.sign_in(folder.path()).await;
    if !has_history {
        drop_entries(&url).await;
    }
    let begun = Instant::now();
    let session = submit(&server, "people.csv", file.to_vec()).await;
    let waits = wait_for_import(&server, &session, rows).await;
    let whole = begun.elapsed().as_secs_f64();
    wait_until_indexed(&url).await;
    Measured { whole, indexed: begun.elapsed().as_secs_f64(), waits }
}

/// Creates a trigger by which the database discards each new entry of the history.
async fn drop_entries(url: &str) {
    let db = Db::open(url, 1).await.expect("the database opens");
    let statements: &[&'static str] = if let Db::Postgres(..) = db {
        &[
            "CREATE FUNCTION history_none() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER history_none BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION history_none()",
        ]
    } else {
        &["CREATE TRIGGER history_none BEFORE INSERT ON history BEGIN SELECT RAISE(IGNORE); END"]
    };
    for statement in statements {
        db.sql(statement).exec().await.expect("the trigger is created");
    }
    db.close().await;
}
