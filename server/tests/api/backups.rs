//! Backups: what is in them, what is refused, and what is left when one is restored.

use crate::app::{ADMIN, STRANGER, TestApp, fresh_postgres};
use crate::server::Server;
use forecourt::platform::db::Db;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

fn run(command: &str, file: &Path, folder: &Path, more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.arg(command).arg(file).arg("--data-dir").arg(folder).args(more).output().unwrap()
}

fn done(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(output: Output) -> String {
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.trim_end().lines().count() == 1, "{text}");
    text
}

/// A folder with a database of no records, and a backup of it beside.
fn backed_up() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let made = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(["migrate", "--data-dir"]).arg(&data).output();
    assert!(made.unwrap().status.success());
    let backup = folder.path().join("backup.sqlite3");
    done(run("backup", &backup, &data, &[]));
    (folder, backup)
}

async fn corporations(database: &Path) -> i64 {
    let db = Db::open(&format!("sqlite:{}", database.display()), 1).await.unwrap();
    let (count,): (i64,) = db.sql("SELECT count(*) FROM corporations").one().await.unwrap();
    db.close().await;
    count
}

/// Adds a contact; gives its id once that is acknowledged.
async fn write(server: &Server, name: &str) -> Option<String> {
    let answer = server.request(Method::POST, "/api/contacts").json(&json!({"name": name})).send().await.ok()?;
    assert_eq!(answer.status(), 201);
    let answer: Value = answer.json().await.unwrap();
    Some(answer["data"]["_id"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_four_writers_holds_every_write_acknowledged_before_it_began() {
    if fresh_postgres().await.is_some() {
        return;
    }
    let server = Server::start().await;
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup.sqlite3");
    let (acknowledged, enough) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let writer = async |writer: usize| {
        for n in 0.. {
            if enough.load(Ordering::SeqCst) {
                return;
            }
            let id = write(&server, &format!("Ada Öberg {writer} {n}")).await.unwrap();
            acknowledged.lock().unwrap().push(id);
        }
    };
    let backing_up = async {
        let deadline = Instant::now() + Duration::from_secs(60);
        while acknowledged.lock().unwrap().len() < 40 {
            assert!(Instant::now() < deadline, "nothing is written");
            sleep(Duration::from_millis(2)).await;
        }
        let before = acknowledged.lock().unwrap().clone();
        let (file, data) = (backup.clone(), server.folder().to_owned());
        let said = tokio::task::spawn_blocking(move || done(run("backup", &file, &data, &[]))).await.unwrap();
        enough.store(true, Ordering::SeqCst);
        (before, said)
    };
    let (_, (before, said)) = tokio::join!(join_all((0..4).map(writer)), backing_up);
    assert!(said.contains("is complete") && said.contains("contacts"), "{said}");

    let restored = tempfile::tempdir().unwrap();
    let said = done(run("restore", &backup, restored.path(), &[]));
    assert!(said.contains("restored"), "{said}");
    let db = Db::open(&format!("sqlite:{}", restored.path().join("forecourt.sqlite3").display()), 1).await.unwrap();
    for id in &before {
        let text = "SELECT count(*) FROM contacts WHERE contact_id = $1";
        let (count,): (i64,) = db.sql(text).bind(id.parse::<Uuid>().unwrap()).one().await.unwrap();
        assert_eq!(count, 1, "an acknowledged contact is not in the backup");
    }
    db.close().await;
}

#[test]
fn a_backup_is_its_owners_alone_and_replaces_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, backup) = backed_up();
    assert_eq!(std::fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    let before = std::fs::read(&backup).unwrap();
    let line = refused(run("backup", &backup, &folder.path().join("data"), &[]));
    assert!(line.contains("already exists"), "{line}");
    assert_eq!(std::fs::read(&backup).unwrap(), before);
    let line = refused(run("backup", &folder.path().join("none/b"), &folder.path().join("data"), &[]));
    assert!(line.contains("can't write"), "{line}");
    let line = refused(run("backup", &folder.path().join("b"), &folder.path().join("nothing"), &[]));
    assert!(line.contains("there is no database"), "{line}");
    assert!(!folder.path().join("nothing").exists() && !folder.path().join("b").exists());
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "something is left beside the folder and its backup");
}

#[tokio::test]
async fn what_is_no_whole_backup_of_this_program_is_refused_and_changes_nothing() {
    let (folder, backup) = backed_up();
    let whole = std::fs::read(&backup).unwrap();
    let target = folder.path().join("target");
    let foreign = folder.path().join("foreign.sqlite3");
    let db = Db::open(&format!("sqlite:{}", foreign.display()), 1).await.unwrap();
    db.sql("CREATE TABLE cars (id INTEGER) STRICT").exec().await.unwrap();
    db.close().await;
    let newer = folder.path().join("newer.sqlite3");
    std::fs::write(&newer, &whole).unwrap();
    let db = Db::open(&format!("sqlite:{}", newer.display()), 1).await.unwrap();
    let text = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                VALUES (9999, 'later', TRUE, $1, 0)";
    db.sql(text).bind(vec![1_u8]).exec().await.unwrap();
    db.close().await;
    let mut torn = whole.clone();
    // In the middle of the file: its first pages still look well.
    let middle = torn.len() / 2;
    torn[middle..middle + 4096].fill(0xA5);
    for (name, bytes, word) in [
        ("truncated", whole[..whole.len() / 2].to_vec(), "damaged"),
        ("torn", torn, "damaged"),
        ("empty", Vec::new(), "isn't a backup"),
        ("text", b"INSERT INTO corporations".to_vec(), "isn't a backup"),
        ("foreign", std::fs::read(&foreign).unwrap(), "isn't a backup of this program"),
        ("newer", std::fs::read(&newer).unwrap(), "newer version"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let line = refused(run("restore", &file, &target, &[]));
        assert!(line.contains(word) || (word == "damaged" && line.contains("malformed")), "{name}: {line}");
        assert!(!target.join("forecourt.sqlite3").exists(), "{name} was put in place");
    }
    let line = refused(run("restore", &folder.path().join("missing"), &target, &[]));
    assert!(line.contains("can't read"), "{line}");
}

#[tokio::test]
async fn a_restored_backup_takes_the_place_of_data_only_when_told_and_the_old_stays_beside() {
    let (folder, backup) = backed_up();
    let data = folder.path().join("data");
    let database = data.join("forecourt.sqlite3");
    let db = Db::open(&format!("sqlite:{}", database.display()), 1).await.unwrap();
    let text =
        "INSERT INTO corporations (corp_id, name, is_platform, created_at, updated_at) VALUES ($1, 'New', FALSE, 0, 0)";
    db.sql(text).bind(Uuid::now_v7()).exec().await.unwrap();
    // Not closed: the row is in the log, not in the file yet.
    let line = refused(run("restore", &backup, &data, &[]));
    assert!(line.contains("--replace"), "{line}");
    assert_eq!(corporations(&database).await, 1);
    db.close().await;
    let said = done(run("restore", &backup, &data, &["--replace"]));
    assert_eq!(corporations(&database).await, 0);
    let aside = std::fs::read_dir(&data).unwrap().map(|f| f.unwrap().path());
    let aside: Vec<_> = aside.filter(|path| path.display().to_string().contains("before-restore")).collect();
    assert!(aside.len() == 1 && said.contains(&aside[0].display().to_string()), "{said} {aside:?}");
    assert_eq!(corporations(&aside[0]).await, 1);
}

#[test]
fn a_damaged_database_is_put_aside_as_it_lies_there_and_that_is_said() {
    let (folder, backup) = backed_up();
    let data = folder.path().join("data");
    let wreck = b"not a database at all".repeat(400);
    std::fs::write(data.join("forecourt.sqlite3"), &wreck).unwrap();
    let said = done(run("restore", &backup, &data, &["--replace"]));
    assert!(said.contains("before-restore") && said.contains("It is damaged"), "{said}");
    let aside = std::fs::read_dir(&data).unwrap().map(|file| file.unwrap().path());
    let aside = aside.filter(|path| path.display().to_string().contains("before-restore"));
    assert!(aside.into_iter().all(|path| std::fs::read(path).unwrap() == wreck));
}

#[test]
fn root_leaves_nothing_in_the_folder_of_somebody_else() {
    let (folder, backup) = backed_up();
    let data = folder.path().join("theirs");
    std::fs::create_dir(&data).unwrap();
    // Only root can give a folder away, and nobody else is told apart.
    if std::os::unix::fs::chown(&data, Some(65_534), None).is_err() {
        return;
    }
    let migrate = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(["migrate", "--data-dir"]).arg(&data).output();
    for output in [run("restore", &backup, &data, &[]), migrate.unwrap()] {
        let line = refused(output);
        assert!(line.contains("theirs belongs to ") && line.contains("run this as"), "{line}");
    }
    assert_eq!(std::fs::read_dir(&data).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_restored_under_a_server_and_a_backup_needs_its_keys() {
    if fresh_postgres().await.is_some() {
        return;
    }
    let mut server = Server::start().await;
    let (_folder, backup) = backed_up();
    let line = refused(run("restore", &backup, server.folder(), &["--replace"]));
    assert!(line.contains("is in use by a server"), "{line}");
    assert_eq!(server.get("/api/health").await["success"], true, "the server goes on");
    server.kill();
    let said = done(run("restore", &backup, server.folder(), &["--replace"]));
    assert!(said.contains("restored") && said.contains("before-restore"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_postgresqls_own_programs_keep_and_restore_as_they_are_named_is_every_corporations() {
    let Some(empty) = fresh_postgres().await else { return };
    let app = TestApp::start().await;
    for (email, name) in [(ADMIN, "Ada Öberg"), (STRANGER, "Bo Ek")] {
        let token = app.sign_in(email).await;
        assert_eq!(app.post("/api/contacts", Some(&token), json!({"name": name})).await.status, 201);
    }
    let dump = app.data_dir().join("backup.dump");
    let full = app.app.config.database_url();
    for (command, begin, url) in [("backup", "PGOPTIONS=", &full), ("restore", "pg_restore ", &empty)] {
        let line = refused(run(command, &dump, app.data_dir(), &["--database-url", url]));
        let named = &line[line.find(begin).unwrap()..];
        let output = Command::new("sh").args(["-c", named]).output().unwrap();
        assert!(output.status.success(), "{named}{output:?}");
    }
    let db = Db::open(&empty, 1).await.unwrap();
    let text = "SELECT n.name, c.name FROM contacts c JOIN corporations n ON n.corp_id = c.corp_id ORDER BY 1";
    let kept: Vec<(String, String)> = db.sql(text).all().await.unwrap();
    let kept: Vec<_> = kept.iter().map(|(corporation, name)| (corporation.as_str(), name.as_str())).collect();
    assert_eq!(kept, [("Nordbil", "Ada Öberg"), ("Södra Bil", "Bo Ek")]);
    db.close().await;
    // A start looks whether the schema is this program's, and row level security as it has to be.
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.args(["migrate", "--database-url", &empty, "--data-dir"]).arg(app.data_dir());
    done(program.output().unwrap());
}

#[test]
fn on_postgresql_its_own_programs_are_named_without_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    let url = ["--database-url", "postgres://ada:hunter2@db.example/forecourt"];
    for (command, program) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let line = refused(run(command, &file, folder.path(), &url));
        assert!(line.contains(program) && !line.contains("hunter2"), "{line}");
    }
}
