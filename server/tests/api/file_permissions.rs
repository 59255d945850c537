//! Files that the program writes are readable only by its own user, regardless of the umask.

use crate::server::Server;
use reqwest::Method;
use serde_json::json;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the path of the folder, and of every file and folder in it.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let inner = entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] });
    std::iter::once(folder.to_owned()).chain(inner).collect()
}

/// Asserts that the folder, and each folder in it, has mode 0700 and each file 0600. Returns their names.
fn assert_private(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for path in walk(folder) {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{}: {mode:o}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    names
}

/// Makes the folder, and every file and folder in it, readable for all users of the machine.
fn make_readable(folder: &Path) {
    for path in walk(folder) {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
}

/// Runs the program with umask 022 and this data folder.
fn run(args: &[&str], folder: &Path) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"umask 022; exec "$0" "$@""#, env!("CARGO_BIN_EXE_forecourt")]).args(args);
    let output = shell.arg("--data-dir").arg(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

#[tokio::test]
async fn v10_files_of_a_server_are_private_under_umask_022() {
    // `Server` starts the process with umask 022.
    let mut server = Server::start().await;
    let write_files = async |server: &Server| {
        let made = server.request(Method::POST, "/api/contacts").json(&json!({"name": "Ada"})).send().await.unwrap();
        assert_eq!(made.status(), 201);
        let read = server.upload("preview", "a.csv", b"Name\nAda\n".to_vec(), &json!([])).await;
        assert_eq!(read.status, 200);
        assert_private(server.folder())
    };
    let names = write_files(&server).await;
    for name in ["secret.key", "data.keys", "outbox", "tmp"] {
        assert!(names.iter().any(|n| n == name), "{name} is missing: {names:?}");
    }
    assert!(names.iter().any(|n| n.ends_with(".eml")), "{names:?}");
    if server.is_on_sqlite() {
        for ending in ["", "-wal", "-shm", ".lock", ".serve.lock"] {
            let name = format!("forecourt.sqlite3{ending}");
            assert!(names.contains(&name), "{name} is missing: {names:?}");
        }
    }
    server.kill();
    make_readable(server.folder());
    server.restart().await;
    write_files(&server).await;
}

#[test]
fn an_inaccessible_data_folder_is_reported_by_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    command.args(["serve", "--log", "warn", "--data-dir"]).arg(folder.path());
    // Only root can run the program as another user. Without root, there is nothing to test.
    let Ok(output) = command.uid(65_534).output() else { return };
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.lines().count() == 1 && text.contains("Permission denied"), "{text}");
}

#[test]
fn v10_backups_and_restored_files_are_private_under_umask_022() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backup) = (folder.path().join("data"), folder.path().join("backup.sqlite3"));
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    run(&["migrate"], &data);
    assert_private(&data);
    run(&["backup", backup.to_str().unwrap()], &data);
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    // Make the backup and the old data readable for all users, as they could be after a copy from another machine.
    make_readable(folder.path());
    run(&["restore", backup.to_str().unwrap(), "--replace"], &data);
    let names = assert_private(&data);
    assert!(names.iter().any(|name| name.contains(".before-restore-")), "{names:?}");
}
