//! The reader process: invalid output, resource limits, and slow reading.

use crate::app::{CLERK, TestApp};
use crate::imports::{
    PREVIEW, count, count_imported, csv, csv_mapping, form, import, is_finished, send, session_id, status, submit,
    wait_for_status,
};
use forecourt::platform::clock::SECOND;
use forecourt_core::import::{Limits, ReadOptions};
use serde_json::json;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use uuid::Uuid;

/// The beginning of the message that users see if the reader's output is invalid.
const UNREADABLE: &str = "This file could not be read.";
/// Shell command for a [`FakeReader`]: runs the real reader process instead of the shell.
pub const RUN_READER: &str = r#"exec $child "$@""#;

/// Shell command for a [`FakeReader`]: sends the head that the real reader finds.
pub const SEND_REAL_HEAD: &str = r#"$child "$@" --head"#;

/// A program in place of the reader process. It runs the shell commands that tests write to its folder, in which
/// `$child` is the path of the real program.
pub struct FakeReader(TempDir);

impl FakeReader {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().display();
        let child = env!("CARGO_BIN_EXE_forecourt");
        let script =
            format!("#!/bin/sh\nchild={child}\ncase \"$*\" in\n*--head*) . {at}/head ;;\n*) . {at}/whole ;;\nesac\n");
        // Another process writes the program. If this one did, a process forked meanwhile could inherit the open file,
        // and a file that is open for writing can't be executed.
        let mut install = Command::new("install");
        install.args(["-m", "755", "/dev/stdin"]).arg(folder.path().join("program")).stdin(Stdio::piped());
        let mut install = install.spawn().unwrap();
        install.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(install.wait().unwrap().success());
        let fake = FakeReader(folder);
        fake.write_file("head", RUN_READER);
        fake
    }

    /// Writes a file to the folder of the fake reader. The files `head` and `whole` contain its shell commands for a
    /// request of the head and of all rows; other files are for these commands.
    pub fn write_file(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    /// Returns a shell command that waits until a file with this name exists in the folder.
    pub fn wait_command(&self, word: &str) -> String {
        format!("until [ -e {} ]; do /bin/sleep 0.02; done", self.0.path().join(word).display())
    }

    pub async fn app(&self) -> TestApp {
        TestApp::start_with(&["--reader", &self.0.path().join("program").display().to_string()]).await
    }
}

#[tokio::test]
async fn a_preview_is_rejected_if_the_reader_fails() {
    for program in ["/bin/false", "/usr/bin/yes"] {
        let app = TestApp::start_with(&["--reader", program]).await;
        let token = app.sign_in(CLERK).await;
        let response = send(&app, PREVIEW, &token, form("a.csv", csv(3))).await;
        assert_eq!(response.status, 400, "{program}");
        assert!(response.body["message"].as_str().unwrap().starts_with(UNREADABLE), "{}", response.body);
    }
    let app = TestApp::start_with(&["--reader", "/nowhere"]).await;
    let token = app.sign_in(CLERK).await;
    assert_eq!(send(&app, PREVIEW, &token, form("a.csv", csv(3))).await.status, 503);
}

#[tokio::test]
async fn a_preview_is_rejected_if_the_reader_sends_no_valid_head() {
    let fake = FakeReader::new();
    let app = fake.app().await;
    let token = app.sign_in(CLERK).await;
    for lines in [
        r"printf '\003\0\0\0\0'",
        r"printf '\001\0\0\0\0'",
        r"printf '\0\002\0\0\0{}'",
        // A frame that ends before its length, and a frame whose JSON is no head.
        r"printf '\0\020\0\0\0\004\0\0\0null'",
        r"printf '\0\010\0\0\0\004\0\0\0null'",
    ] {
        fake.write_file("head", lines);
        let response = send(&app, PREVIEW, &token, form("a.csv", csv(3))).await;
        assert_eq!(response.status, 400, "{lines}");
        assert!(response.body["message"].as_str().unwrap().starts_with(UNREADABLE), "{lines}: {}", response.body);
    }
}

#[tokio::test]
async fn an_import_fails_without_rows_if_the_reader_output_is_invalid() {
    let fake = FakeReader::new();
    let app = fake.app().await;
    let token = app.sign_in(CLERK).await;
    for (what, before, bytes) in [
        ("no output", "", ""),
        ("no head", "", r"'\003\0\0\0\0'"),
        ("only a head", SEND_REAL_HEAD, ""),
        ("a frame of four gigabytes", SEND_REAL_HEAD, r"'\001\377\377\377\377'"),
        ("a frame shorter than its length", SEND_REAL_HEAD, r"'\001\020\0\0\0Ada'"),
        ("a frame of an unknown kind", SEND_REAL_HEAD, r"'\011\0\0\0\0'"),
        ("truncated rows", SEND_REAL_HEAD, r"'\001\003\0\0\0Ada'"),
        // A frame with row 2, whose only cell claims nine bytes of text, while none follow.
        (
            "a cell beyond the end of its row",
            SEND_REAL_HEAD,
            r"'\001\024\0\0\0\002\0\0\0\001\0\0\0\0\0\0\0\011\0\0\0\0\0\0\0'",
        ),
        ("an end without \"all rows read\"", SEND_REAL_HEAD, r"'\003\0\0\0\0'"),
        ("\"all rows read\" twice", SEND_REAL_HEAD, r"'\002\0\0\0\0\002\0\0\0\0'"),
        ("an error message that is not UTF-8", SEND_REAL_HEAD, r"'\004\001\0\0\0\377'"),
    ] {
        fake.write_file("whole", &format!("{before}\nprintf {bytes}"));
        let session = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        assert_eq!(session["status"], "failed", "{what}: {session}");
        assert!(session["message"].as_str().unwrap().starts_with(UNREADABLE), "{what}: {session}");
        assert_eq!(count_imported(&app, session_id(&session)).await, 0, "{what}");
    }
    fake.write_file("whole", RUN_READER);
    assert_eq!(import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await["status"], "completed");
}

#[test]
fn the_reader_limits_its_resources_and_exits_when_its_pipe_closes() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&csv(50_000)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    child.args(["read-file", "--name=a.csv", &format!("--size={}", file.metadata().unwrap().len())]);
    child.arg(format!("--options={}", serde_json::to_string(&ReadOptions::default()).unwrap()));
    child.arg(format!("--limits={}", serde_json::to_string(&Limits::default()).unwrap()));
    let mut child = child.stdin(file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0]).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    for (what, most) in [
        ("Max address space", "1073741824"),
        ("Max cpu time", "60"),
        ("Max file size", "0"),
        ("Max open files", "16"),
        ("Max core file size", "0"),
    ] {
        let line = limits.lines().find_map(|line| line.strip_prefix(what)).unwrap();
        let both: Vec<&str> = line.split_whitespace().take(2).collect();
        assert_eq!(both, [most, most], "{what}");
    }
    drop(output);
    assert!(!child.wait().unwrap().success());
}

/// Makes the fake reader wait until the file `go` exists in its folder, and then run the real reader for all rows.
pub fn hold_until_go(fake: &FakeReader) {
    fake.write_file("whole", &format!("{}\n{RUN_READER}", fake.wait_command("go")));
}

async fn leased_until(app: &TestApp, id: Uuid) -> i64 {
    count(app, "SELECT leased_until FROM imports WHERE import_id = $1", id).await
}

#[tokio::test]
async fn a_slow_import_keeps_its_lease_and_a_cancelled_one_does_not_block_its_tenant() {
    let (slow, cancelled) = (FakeReader::new(), FakeReader::new());
    hold_until_go(&slow);
    hold_until_go(&cancelled);
    let stays = async {
        let app = slow.app().await;
        let token = app.sign_in(CLERK).await;
        let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        let session = accepted.body["sessionId"].as_str().unwrap();
        let id = session_id(&accepted.body);
        wait_for_status(&app, &token, session, |s| s["status"] == "processing").await;
        let before = leased_until(&app, id).await;
        app.advance(20 * SECOND);
        let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
        while leased_until(&app, id).await == before {
            assert!(tokio::time::Instant::now() < deadline, "the lease is extended");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(leased_until(&app, id).await, before + 20 * SECOND);
        slow.write_file("go", "");
        let done = wait_for_status(&app, &token, session, is_finished).await;
        assert_eq!((&done["status"], &done["successRecords"]), (&json!("completed"), &json!(3)));
        let attempts: i32 =
            app.db().sql("SELECT attempt FROM imports WHERE import_id = $1").bind(id).value().await.unwrap();
        assert_eq!(attempts, 1, "it was claimed once");
    };
    let cancelled_import = async {
        let app = cancelled.app().await;
        let token = app.sign_in(CLERK).await;
        let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        let session = accepted.body["sessionId"].as_str().unwrap();
        wait_for_status(&app, &token, session, |s| s["status"] == "processing").await;
        let path = format!("/api/contacts/import/cancel/{session}");
        assert_eq!(app.post(&path, Some(&token), json!({})).await.status, 200);
        cancelled.write_file("whole", RUN_READER);
        let other = import(&app, &token, "b.csv", &csv(5), &csv_mapping()).await;
        assert_eq!(other["status"], "completed");
        assert_eq!(status(&app, &token, session).await["status"], "cancelled");
    };
    tokio::join!(stays, cancelled_import);
}
