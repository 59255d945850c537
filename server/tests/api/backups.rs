//! `forecourt backup` and `forecourt restore`: what a backup contains, which files are rejected, what replaces data.

use crate::app::{ADMIN, OTHER_ADMIN, TestApp, create_postgres_database};
use crate::server::Server;
use forecourt::platform::db::Db;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// Runs `forecourt backup` or `forecourt restore` with this file, this data folder and more arguments.
fn run(command: &str, file: &Path, folder: &Path, more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.arg(command).arg(file).arg("--data-dir").arg(folder).args(more).output().unwrap()
}

/// Asserts that the command succeeded, and returns its standard output.
fn stdout_of_success(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that the command failed with one line of error, and returns the line.
fn error_of_failure(output: Output) -> String {
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.trim_end().lines().count() == 1, "{text}");
    text
}

/// Creates a folder with a migrated database without corporations in `data`, and a backup of it beside `data`.
fn create_backup() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let made = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(["migrate", "--data-dir"]).arg(&data).output();
    assert!(made.unwrap().status.success());
    let backup = folder.path().join("backup.sqlite3");
    stdout_of_success(run("backup", &backup, &data, &[]));
    (folder, backup)
}

async fn count_corporations(database: &Path) -> i64 {
    let db = Db::open(&format!("sqlite:{}", database.display()), 1).await.unwrap();
    let count: i64 = db.sql("SELECT count(*) FROM corporations").value().await.unwrap();
    db.close().await;
    count
}

/// Adds a contact, and returns its id once the server has acknowledged the write. `None` if the request failed.
async fn add_contact(server: &Server, name: &str) -> Option<String> {
    let response = server.request(Method::POST, "/api/contacts").json(&json!({"name": name})).send().await.ok()?;
    assert_eq!(response.status(), 201);
    let response: Value = response.json().await.unwrap();
    Some(response["data"]["_id"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_contains_every_write_that_was_acknowledged_before_it() {
    if create_postgres_database().await.is_some() {
        return;
    }
    let server = Server::start().await;
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup.sqlite3");
    let (acknowledged, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let writer = async |writer: usize| {
        for n in 0.. {
            if stop.load(Ordering::SeqCst) {
                return;
            }
            let id = add_contact(&server, &format!("Ada Öberg {writer} {n}")).await.unwrap();
            acknowledged.lock().unwrap().push(id);
        }
    };
    let backup_task = async {
        let deadline = Instant::now() + Duration::from_secs(60);
        while acknowledged.lock().unwrap().len() < 40 {
            assert!(Instant::now() < deadline, "nothing is written");
            sleep(Duration::from_millis(2)).await;
        }
        let before = acknowledged.lock().unwrap().clone();
        let (file, data) = (backup.clone(), server.folder().to_owned());
        let output =
            tokio::task::spawn_blocking(move || stdout_of_success(run("backup", &file, &data, &[]))).await.unwrap();
        stop.store(true, Ordering::SeqCst);
        (before, output)
    };
    let (_, (before, output)) = tokio::join!(join_all((0..4).map(writer)), backup_task);
    assert!(output.contains("is complete") && output.contains("contacts"), "{output}");

    let restored = tempfile::tempdir().unwrap();
    let output = stdout_of_success(run("restore", &backup, restored.path(), &[]));
    assert!(output.contains("restored"), "{output}");
    let db = Db::open(&format!("sqlite:{}", restored.path().join("forecourt.sqlite3").display()), 1).await.unwrap();
    for id in &before {
        let text = "SELECT count(*) FROM contacts WHERE contact_id = $1";
        let count: i64 = db.sql(text).bind(id.parse::<Uuid>().unwrap()).value().await.unwrap();
        assert_eq!(count, 1, "an acknowledged contact is not in the backup");
    }
    db.close().await;
}

#[test]
fn a_backup_is_readable_by_its_owner_only_and_overwrites_nothing() {
    let (folder, backup) = create_backup();
    assert_eq!(std::fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    let before = std::fs::read(&backup).unwrap();
    let line = error_of_failure(run("backup", &backup, &folder.path().join("data"), &[]));
    assert!(line.contains("already exists"), "{line}");
    assert_eq!(std::fs::read(&backup).unwrap(), before);
    let line = error_of_failure(run("backup", &folder.path().join("none/b"), &folder.path().join("data"), &[]));
    assert!(line.contains("can't write"), "{line}");
    let line = error_of_failure(run("backup", &folder.path().join("b"), &folder.path().join("nothing"), &[]));
    assert!(line.contains("there is no database"), "{line}");
    assert!(!folder.path().join("nothing").exists() && !folder.path().join("b").exists());
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "unexpected files beside the folder and its backup");
}

#[tokio::test]
async fn restore_rejects_damaged_foreign_and_newer_files() {
    let (folder, backup) = create_backup();
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
    // Overwrite a page in the middle of the file, so that its first pages are intact.
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
        let line = error_of_failure(run("restore", &file, &target, &[]));
        assert!(line.contains(word) || (word == "damaged" && line.contains("malformed")), "{name}: {line}");
        assert!(!target.join("forecourt.sqlite3").exists(), "{name} was restored");
    }
    let line = error_of_failure(run("restore", &folder.path().join("missing"), &target, &[]));
    assert!(line.contains("can't read"), "{line}");
}

#[tokio::test]
async fn restore_replaces_data_only_with_a_flag_and_keeps_the_old_database() {
    let (folder, backup) = create_backup();
    let data = folder.path().join("data");
    let database = data.join("forecourt.sqlite3");
    let db = Db::open(&format!("sqlite:{}", database.display()), 1).await.unwrap();
    let text =
        "INSERT INTO corporations (corp_id, name, is_platform, created_at, updated_at) VALUES ($1, 'New', FALSE, 0, 0)";
    db.sql(text).bind(Uuid::now_v7()).exec().await.unwrap();
    // The database stays open, so that the new row is in the write-ahead log and not yet in the database file.
    let line = error_of_failure(run("restore", &backup, &data, &[]));
    assert!(line.contains("--replace"), "{line}");
    assert_eq!(count_corporations(&database).await, 1);
    db.close().await;
    let output = stdout_of_success(run("restore", &backup, &data, &["--replace"]));
    assert_eq!(count_corporations(&database).await, 0);
    let old_files = std::fs::read_dir(&data).unwrap().map(|f| f.unwrap().path());
    let old_files: Vec<_> = old_files.filter(|path| path.display().to_string().contains("before-restore")).collect();
    assert!(old_files.len() == 1 && output.contains(&old_files[0].display().to_string()), "{output} {old_files:?}");
    assert_eq!(count_corporations(&old_files[0]).await, 1);
}

#[test]
fn restore_replaces_a_damaged_database_and_keeps_the_old_file() {
    let (folder, backup) = create_backup();
    let data = folder.path().join("data");
    let damaged = b"not a database at all".repeat(400);
    std::fs::write(data.join("forecourt.sqlite3"), &damaged).unwrap();
    let output = stdout_of_success(run("restore", &backup, &data, &["--replace"]));
    assert!(output.contains("before-restore") && output.contains("It is damaged"), "{output}");
    let files = std::fs::read_dir(&data).unwrap().map(|file| file.unwrap().path());
    let old_files: Vec<_> = files.filter(|path| path.display().to_string().contains("before-restore")).collect();
    assert_eq!(old_files.len(), 1, "{old_files:?}");
    assert!(std::fs::read(&old_files[0]).unwrap() == damaged, "the old file was changed");
    let restored = std::fs::read(data.join("forecourt.sqlite3")).unwrap();
    assert!(restored == std::fs::read(&backup).unwrap(), "the database is not the backup");
}

#[test]
fn root_writes_nothing_to_a_data_folder_of_another_user() {
    let (folder, backup) = create_backup();
    let data = folder.path().join("theirs");
    std::fs::create_dir(&data).unwrap();
    // Only root can change the owner of a folder. Without root, there is nothing to test.
    if std::os::unix::fs::chown(&data, Some(65_534), None).is_err() {
        return;
    }
    let in_folder = |words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
        program.args(words).arg("--data-dir").arg(&data).output().unwrap()
    };
    let mail_test = in_folder(&["mail", "test", "--to", "ada@example.se"]);
    for output in [run("restore", &backup, &data, &[]), in_folder(&["migrate"]), mail_test] {
        let line = error_of_failure(output);
        assert!(line.contains("theirs belongs to ") && line.contains("run this as"), "{line}");
    }
    assert_eq!(std::fs::read_dir(&data).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_fails_while_a_server_runs_and_works_after_it_ended() {
    if create_postgres_database().await.is_some() {
        return;
    }
    let mut server = Server::start().await;
    let (_folder, backup) = create_backup();
    let line = error_of_failure(run("restore", &backup, server.folder(), &["--replace"]));
    assert!(line.contains("is in use by a server"), "{line}");
    assert_eq!(server.get("/api/health").await["success"], true, "the server keeps running");
    server.kill();
    let output = stdout_of_success(run("restore", &backup, server.folder(), &["--replace"]));
    assert!(output.contains("restored") && output.contains("before-restore"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_named_pg_dump_and_pg_restore_commands_keep_all_corporations() {
    let Some(empty) = create_postgres_database().await else { return };
    let app = TestApp::start().await;
    for (email, name) in [(ADMIN, "Ada Öberg"), (OTHER_ADMIN, "Bo Ek")] {
        let token = app.sign_in(email).await;
        assert_eq!(app.post("/api/contacts", Some(&token), json!({"name": name})).await.status, 201);
    }
    let dump = app.data_dir().join("backup.dump");
    let full = app.app.config.database_url();
    for (command, begin, url) in [("backup", "umask ", full.expose_secret()), ("restore", "pg_restore ", &empty)] {
        let line = error_of_failure(run(command, &dump, app.data_dir(), &["--database-url", url]));
        let named = &line[line.find(begin).unwrap()..];
        let output = Command::new("sh").args(["-c", named]).output().unwrap();
        assert!(output.status.success(), "{named}{output:?}");
    }
    assert_eq!(std::fs::metadata(&dump).unwrap().permissions().mode() & 0o777, 0o600);
    let db = Db::open(&empty, 1).await.unwrap();
    let text = "SELECT n.name, c.name FROM contacts c JOIN corporations n ON n.corp_id = c.corp_id ORDER BY 1";
    let kept: Vec<(String, String)> = db.sql(text).all().await.unwrap();
    let kept: Vec<_> = kept.iter().map(|(corporation, name)| (corporation.as_str(), name.as_str())).collect();
    assert_eq!(kept, [("Nordbil", "Ada Öberg"), ("Södra Bil", "Bo Ek")]);
    db.close().await;
    // `migrate` fails if the restored schema is not the current one or lacks row-level security.
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.args(["migrate", "--database-url", &empty, "--data-dir"]).arg(app.data_dir());
    stdout_of_success(program.output().unwrap());
}

#[test]
fn on_postgresql_the_named_commands_do_not_contain_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    let url = ["--database-url", "postgres://ada:hunter2@db.example/forecourt"];
    for (command, program) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let line = error_of_failure(run(command, &file, folder.path(), &url));
        assert!(line.contains(program) && !line.contains("hunter2"), "{line}");
    }
}
