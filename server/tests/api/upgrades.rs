//! Upgrades from every version in `server/tests/fixtures`, without loss of data.

use crate::app::{ADMIN, create_postgres_database};
use crate::server::Server;
use forecourt::platform::db::Db;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

/// A folder with the databases, keys, backup and recorded responses of one frozen version.
struct Fixture(PathBuf);

impl Fixture {
    fn all() -> Vec<Fixture> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let all: Vec<_> = entries.filter(|path| path.is_dir() && !path.ends_with("__pycache__")).map(Fixture).collect();
        assert!(!all.is_empty(), "no version is frozen");
        all
    }

    /// Returns the responses that the version gave on this kind of database (`sqlite` or `postgres`).
    fn recorded_responses(&self, kind: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.0.join(format!("{kind}.json"))).unwrap()).unwrap()
    }

    /// Creates a data folder with the version's keys for a kind of database (`sqlite` or `postgres`), and no database.
    fn folder_with_keys(&self, kind: &str) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["secret.key", "data.keys"] {
            fs::copy(self.0.join(format!("{kind}.{name}")), folder.path().join(name)).unwrap();
        }
        folder
    }

    /// Creates an installation as the version left it. Returns the kind of database, the data folder, and the URL of
    /// the database if it is on PostgreSQL.
    async fn install(&self) -> (&'static str, TempDir, Option<String>) {
        let Some(url) = create_postgres_database().await else {
            let folder = self.folder_with_keys("sqlite");
            fs::copy(self.0.join("forecourt.sqlite3"), folder.path().join("forecourt.sqlite3")).unwrap();
            return ("sqlite", folder, None);
        };
        let dump = fs::read_to_string(self.0.join("postgres.sql")).unwrap();
        // Lines that begin with a backslash are commands of psql.
        let sql: String = dump.lines().filter(|line| !line.starts_with('\\')).flat_map(|line| [line, "\n"]).collect();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        ("postgres", self.folder_with_keys("postgres"), Some(url))
    }
}

/// Tables of earlier versions that were derived from others.
const DERIVED: [&str; 3] = ["tallies", "tally_changes", "search_marks"];

/// Returns the number of rows of each table in the database.
async fn count_rows_by_table(folder: &TempDir, url: Option<&str>) -> BTreeMap<String, i64> {
    let mut rows = BTreeMap::new();
    if let Some(url) = url {
        // Connect directly, because the program's `Db` sets the tenant with a type that the frozen version does not
        // have.
        let mut connection = PgConnection::connect(url).await.unwrap();
        sqlx::raw_sql("SET forecourt.corp = 'all'").execute(&mut connection).await.unwrap();
        let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
        let tables: Vec<(String,)> = sqlx::query_as(tables).fetch_all(&mut connection).await.unwrap();
        for (table,) in tables {
            let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
            let (count,) = sqlx::query_as(count).fetch_one(&mut connection).await.unwrap();
            rows.insert(table, count);
        }
        return rows;
    }
    let file = format!("sqlite:{}", folder.path().join("forecourt.sqlite3").display());
    let db = Db::open(&file, 1).await.unwrap();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_search%'";
    let tables: Vec<(String,)> = db.sql(tables).all().await.unwrap();
    for (table,) in tables {
        let count: (i64,) = db.sql(format!("SELECT count(*) FROM {table}").leak()).one().await.unwrap();
        rows.insert(table, count.0);
    }
    db.close().await;
    rows
}

/// Runs `forecourt migrate` on this installation.
fn migrate(folder: &TempDir, url: Option<&str>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    command.args(["migrate", "--data-dir"]).arg(folder.path());
    if let Some(url) = url {
        command.args(["--database-url", url]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Returns whether a response contains everything of a recorded one. Objects may have more fields, and lists more
/// elements. `position` and `permissionsCount` are not compared, because they change when modules are added.
fn contains(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => {
            let has = |(name, before): (&String, &Value)| now.get(name).is_some_and(|now| contains(now, before));
            before.iter().filter(|(name, _)| !["position", "permissionsCount"].contains(&name.as_str())).all(has)
        }
        (Value::Array(now), Value::Array(before)) => {
            before.iter().all(|before| now.iter().any(|now| contains(now, before)))
        }
        (now, before) => now == before,
    }
}

/// Starts the server on this data folder and database, with the login provider of the recorded version.
async fn start(folder: TempDir, url: Option<String>, before: &Value) -> Server {
    let provider = ["--oidc-issuer", before["issuer"].as_str().unwrap()];
    let client = ["--oidc-client-id", "fixtures", "--oidc-client-secret", "only for tests"];
    // Keeps the imports of the fixture from expiring.
    let retention = ["--import-days", "36500"];
    Server::start_on(folder, url, &[&provider[..], &client[..], &retention[..]].concat()).await
}

/// Signs the Admin in, repeats the recorded requests, and asserts that each response contains the recorded one.
async fn assert_recorded_responses(server: &mut Server, before: &Value) {
    server.sign_in(ADMIN).await;
    for (path, before) in before["admin"].as_object().unwrap() {
        let now = server.get(path).await;
        assert!(contains(&now, before), "{path} was {before:#}, and is {now:#}");
    }
    let failed = &before["failed"];
    let report = server.get(failed["path"].as_str().unwrap()).await;
    for cell in failed["cells"].as_array().unwrap() {
        assert!(report.as_str().unwrap().contains(cell.as_str().unwrap()), "{cell} is not in {report}");
    }
}

#[tokio::test]
async fn a_migration_keeps_every_row_of_a_frozen_version() {
    for fixture in Fixture::all() {
        let (_, folder, url) = fixture.install().await;
        let before = count_rows_by_table(&folder, url.as_deref()).await;
        migrate(&folder, url.as_deref());
        let after = count_rows_by_table(&folder, url.as_deref()).await;
        // The contents of these tables belong to the program, not to the installation, and grow with it.
        let own = ["_sqlx_migrations", "resources"];
        let is_kept = |table: &str| !own.contains(&table) && !DERIVED.contains(&table) && !table.ends_with("_search");
        for (table, rows) in before.iter().filter(|(table, _)| is_kept(table)) {
            assert_eq!(after.get(table), Some(rows), "{table}");
        }
    }
}

#[tokio::test]
async fn an_upgraded_installation_returns_the_recorded_responses() {
    for fixture in Fixture::all() {
        let (kind, folder, url) = fixture.install().await;
        let before = fixture.recorded_responses(kind);
        let mut server = start(folder, url, &before).await;
        assert_recorded_responses(&mut server, &before).await;
        let unfinished = format!("/api/contacts/import/status/{}", before["unfinished"].as_str().unwrap());
        let deadline = Instant::now() + Duration::from_secs(30);
        let session = loop {
            let session = server.get(&unfinished).await["session"].clone();
            if session["status"] == "completed" {
                break session;
            }
            assert!(Instant::now() < deadline, "an import does not end: {session:#}");
            sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(session["failedRecords"], 0, "{session:#}");
        assert_eq!(session["successRecords"], session["totalRecords"], "{session:#}");
        assert!(session["totalRecords"].as_u64().unwrap() > 0, "{session:#}");
    }
}

#[tokio::test]
async fn an_upgrade_numbers_the_customers_in_the_order_of_their_creation_and_they_are_found_by_number() {
    for fixture in Fixture::all() {
        let (kind, folder, url) = fixture.install().await;
        let before = fixture.recorded_responses(kind);
        let mut server = start(folder, url, &before).await;
        server.sign_in(ADMIN).await;
        let listed = server.get("/api/customers?limit=100&sort=createdAt").await;
        let numbers: Vec<_> = listed["data"].as_array().unwrap().iter().map(|c| c["customerNumber"].clone()).collect();
        let expected: Vec<_> = (1001..).take(numbers.len()).map(|number| format!("C-{number}")).collect();
        assert!(numbers.len() > 1, "{listed:#}");
        assert_eq!(numbers, expected);
        let found = server.get("/api/customers?searchTerm=C-1002").await;
        assert_eq!((&found["totalItems"], &found["data"][0]["customerNumber"]), (&1.into(), &"C-1002".into()));
    }
}

#[tokio::test]
async fn a_backup_of_a_frozen_version_is_restored_completely() {
    if create_postgres_database().await.is_some() {
        return;
    }
    for fixture in Fixture::all() {
        let folder = fixture.folder_with_keys("sqlite");
        let restore = [Path::new("restore"), &fixture.0.join("backup.sqlite3"), Path::new("--data-dir"), folder.path()];
        let output = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(restore).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let before = fixture.recorded_responses("sqlite");
        let mut server = start(folder, None, &before).await;
        assert_recorded_responses(&mut server, &before).await;
    }
}
