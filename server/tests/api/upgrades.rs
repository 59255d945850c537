//! Upgrades from every version that is frozen in `server/tests/fixtures`: nothing that it kept is lost.

use crate::app::{ADMIN, fresh_postgres};
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

/// One version's databases, keys, backup, and what it answered.
struct Fixture(PathBuf);

impl Fixture {
    fn all() -> Vec<Fixture> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let all: Vec<_> = entries.filter(|path| path.is_dir() && !path.ends_with("__pycache__")).map(Fixture).collect();
        assert!(!all.is_empty(), "no version is frozen");
        all
    }

    /// What the version answered on a kind of database.
    fn answers(&self, kind: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.0.join(format!("{kind}.json"))).unwrap()).unwrap()
    }

    /// A data folder with the keys of a kind of database.
    fn data_folder(&self, kind: &str) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["secret.key", "data.keys"] {
            fs::copy(self.0.join(format!("{kind}.{name}")), folder.path().join(name)).unwrap();
        }
        folder
    }

    /// The version's data folder, and its database where that is on PostgreSQL; with the kind of the database.
    async fn installed(&self) -> (&'static str, TempDir, Option<String>) {
        let Some(url) = fresh_postgres().await else {
            let folder = self.data_folder("sqlite");
            fs::copy(self.0.join("forecourt.sqlite3"), folder.path().join("forecourt.sqlite3")).unwrap();
            return ("sqlite", folder, None);
        };
        let dump = fs::read_to_string(self.0.join("postgres.sql")).unwrap();
        // Lines that begin so are commands of psql's.
        let sql: String = dump.lines().filter(|line| !line.starts_with('\\')).flat_map(|line| [line, "\n"]).collect();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        ("postgres", self.data_folder("postgres"), Some(url))
    }
}

/// How many rows each table has.
async fn rows_by_table(folder: &TempDir, url: Option<&str>) -> BTreeMap<String, i64> {
    let file = format!("sqlite:{}", folder.path().join("forecourt.sqlite3").display());
    let db = Db::open(url.unwrap_or(&file), 1).await.unwrap();
    let tables = db.pick(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_search%'",
        "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'",
    );
    let tables: Vec<(String,)> = db.sql(tables).all().await.unwrap();
    let mut rows = BTreeMap::new();
    for (table,) in tables {
        let count: (i64,) = db.sql(format!("SELECT count(*) FROM {table}").leak()).one().await.unwrap();
        rows.insert(table, count.0);
    }
    db.close().await;
    rows
}

fn migrate(folder: &TempDir, url: Option<&str>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    command.args(["migrate", "--data-dir"]).arg(folder.path());
    if let Some(url) = url {
        command.args(["--database-url", url]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Does an answer contain all of an older one? Objects may have new fields, and lists new elements.
fn contains(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => {
            before.iter().all(|(name, before)| now.get(name).is_some_and(|now| contains(now, before)))
        }
        (Value::Array(now), Value::Array(before)) => {
            before.iter().all(|before| now.iter().any(|now| contains(now, before)))
        }
        (now, before) => now == before,
    }
}

/// Starts the program on a data folder, with the sign-in provider that users of the older version were connected with.
async fn start(folder: TempDir, url: Option<String>, before: &Value) -> Server {
    let provider = ["--oidc-issuer", before["issuer"].as_str().unwrap()];
    let client = ["--oidc-client-id", "fixtures", "--oidc-client-secret", "only for tests"];
    // However old the fixture is by now, its imports have not expired.
    let kept = ["--import-days", "36500"];
    Server::start_on(folder, url, &[&provider[..], &client[..], &kept[..]].concat()).await
}

/// Signs the administrator in and asks for everything that they saw before the upgrade.
async fn sees_everything(server: &mut Server, before: &Value) {
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
        let (_, folder, url) = fixture.installed().await;
        let before = rows_by_table(&folder, url.as_deref()).await;
        migrate(&folder, url.as_deref());
        let after = rows_by_table(&folder, url.as_deref()).await;
        for (table, rows) in before.iter().filter(|(table, _)| *table != "_sqlx_migrations") {
            assert_eq!(after.get(table), Some(rows), "{table}");
        }
    }
}

#[tokio::test]
async fn an_upgraded_installation_answers_what_it_answered_before() {
    for fixture in Fixture::all() {
        let (kind, folder, url) = fixture.installed().await;
        let before = fixture.answers(kind);
        let mut server = start(folder, url, &before).await;
        sees_everything(&mut server, &before).await;
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
async fn a_backup_of_a_frozen_version_is_restored_whole() {
    if fresh_postgres().await.is_some() {
        return;
    }
    for fixture in Fixture::all() {
        let folder = fixture.data_folder("sqlite");
        let restore = [Path::new("restore"), &fixture.0.join("backup.sqlite3"), Path::new("--data-dir"), folder.path()];
        let output = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(restore).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let before = fixture.answers("sqlite");
        let mut server = start(folder, None, &before).await;
        sees_everything(&mut server, &before).await;
    }
}
