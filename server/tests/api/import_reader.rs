//! The child that reads an uploaded file is believed as little as the file, and may take its time.

use crate::app::{CLERK, TestApp};
use crate::imports::{
    PREVIEW, count, csv, csv_mapping, form, id_of, import, is_over, rows_of, send, status, submit, watch,
};
use forecourt::platform::clock::SECOND;
use forecourt_core::import::{Limits, ReadOptions};
use serde_json::json;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use uuid::Uuid;

/// How an import begins that the child's words couldn't be made sense of.
const UNREADABLE: &str = "This file could not be read.";
/// What the true child does.
pub const TRUE: &str = r#"exec $child "$@""#;

/// Says the head as it is.
pub const HONEST: &str = r#"$child "$@" --head"#;

/// A program in the place of the child. What it does is written into its folder, as lines of a shell that knows the true
/// child as `$child`.
pub struct Impostor(TempDir);

impl Impostor {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().display();
        let child = env!("CARGO_BIN_EXE_forecourt");
        let script =
            format!("#!/bin/sh\nchild={child}\ncase \"$*\" in\n*--head*) . {at}/head ;;\n*) . {at}/whole ;;\nesac\n");
        // By another process: one that this one forks meanwhile would hold the file open, and it couldn't be started.
        let mut install = Command::new("install");
        install.args(["-m", "755", "/dev/stdin"]).arg(folder.path().join("program")).stdin(Stdio::piped());
        let mut install = install.spawn().unwrap();
        install.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(install.wait().unwrap().success());
        let impostor = Impostor(folder);
        impostor.does("head", TRUE);
        impostor
    }

    /// What it does when it is asked for the file's `head`, or for the `whole` of it.
    pub fn does(&self, when: &str, lines: &str) {
        std::fs::write(self.0.path().join(when), lines).unwrap();
    }

    /// The line that waits until the folder holds this.
    pub fn until(&self, word: &str) -> String {
        format!("until [ -e {} ]; do /bin/sleep 0.02; done", self.0.path().join(word).display())
    }

    pub async fn app(&self) -> TestApp {
        TestApp::start_with(&["--reader", &self.0.path().join("program").display().to_string()]).await
    }
}

#[tokio::test]
async fn a_child_that_dies_or_talks_nonsense_harms_nobody() {
    for program in ["/bin/false", "/usr/bin/yes"] {
        let app = TestApp::start_with(&["--reader", program]).await;
        let token = app.sign_in(CLERK).await;
        let answer = send(&app, PREVIEW, &token, form("a.csv", csv(3))).await;
        assert_eq!(answer.status, 400, "{program}");
        assert!(answer.body["message"].as_str().unwrap().starts_with(UNREADABLE), "{}", answer.body);
    }
    let app = TestApp::start_with(&["--reader", "/nowhere"]).await;
    let token = app.sign_in(CLERK).await;
    assert_eq!(send(&app, PREVIEW, &token, form("a.csv", csv(3))).await.status, 503);
}

#[tokio::test]
async fn a_child_that_says_something_else_than_a_head_is_not_believed() {
    let impostor = Impostor::new();
    let app = impostor.app().await;
    let token = app.sign_in(CLERK).await;
    for lines in [
        r"printf '\003\0\0\0\0'",
        r"printf '\001\0\0\0\0'",
        r"printf '\0\002\0\0\0{}'",
        // A head that breaks off, and one that is none.
        r"printf '\0\020\0\0\0\004\0\0\0null'",
        r"printf '\0\010\0\0\0\004\0\0\0null'",
    ] {
        impostor.does("head", lines);
        let answer = send(&app, PREVIEW, &token, form("a.csv", csv(3))).await;
        assert_eq!(answer.status, 400, "{lines}");
        assert!(answer.body["message"].as_str().unwrap().starts_with(UNREADABLE), "{lines}: {}", answer.body);
    }
}

#[tokio::test]
async fn an_import_whose_child_breaks_its_word_fails_and_writes_nothing() {
    let impostor = Impostor::new();
    let app = impostor.app().await;
    let token = app.sign_in(CLERK).await;
    for (what, before, says) in [
        ("nothing", "", ""),
        ("no head", "", r"'\003\0\0\0\0'"),
        ("a head alone", HONEST, ""),
        ("a frame of four gigabytes", HONEST, r"'\001\377\377\377\377'"),
        ("less than was announced", HONEST, r"'\001\020\0\0\0Ada'"),
        ("a frame of no kind", HONEST, r"'\011\0\0\0\0'"),
        ("rows that break off", HONEST, r"'\001\003\0\0\0Ada'"),
        // The second row, of one cell: in the first column, nine bytes of a text of none.
        ("a cell beyond its row", HONEST, r"'\001\024\0\0\0\002\0\0\0\001\0\0\0\0\0\0\0\011\0\0\0\0\0\0\0'"),
        ("the end before its time", HONEST, r"'\003\0\0\0\0'"),
        ("that it was all, twice", HONEST, r"'\002\0\0\0\0\002\0\0\0\0'"),
        ("a refusal that is no text", HONEST, r"'\004\001\0\0\0\377'"),
    ] {
        impostor.does("whole", &format!("{before}\nprintf {says}"));
        let session = import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        assert_eq!(session["status"], "failed", "{what}: {session}");
        assert!(session["message"].as_str().unwrap().starts_with(UNREADABLE), "{what}: {session}");
        assert_eq!(rows_of(&app, id_of(&session)).await, 0, "{what}");
    }
    impostor.does("whole", TRUE);
    assert_eq!(import(&app, &token, "a.csv", &csv(3), &csv_mapping()).await["status"], "completed");
}

#[test]
fn the_child_has_limited_itself_before_it_says_a_word_and_ends_when_nobody_listens() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&csv(50_000)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    child.args(["read-file", "--name=a.csv", &format!("--size={}", file.metadata().unwrap().len())]);
    child.arg(format!("--options={}", serde_json::to_string(&ReadOptions::default()).unwrap()));
    child.arg(format!("--limits={}", serde_json::to_string(&Limits::default()).unwrap()));
    let mut child = child.stdin(file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut said = child.stdout.take().unwrap();
    said.read_exact(&mut [0]).unwrap();
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
    drop(said);
    assert!(!child.wait().unwrap().success());
}

/// Does nothing until the folder holds `go`, then what the true child does.
pub fn waits(impostor: &Impostor) {
    impostor.does("whole", &format!("{}\n{TRUE}", impostor.until("go")));
}

async fn leased_until(app: &TestApp, id: Uuid) -> i64 {
    count(app, "SELECT leased_until FROM imports WHERE import_id = $1", id).await
}

#[tokio::test]
async fn an_import_that_takes_long_stays_with_its_worker_and_one_that_was_cancelled_keeps_nobody_waiting() {
    let (slow, cancelled) = (Impostor::new(), Impostor::new());
    waits(&slow);
    waits(&cancelled);
    let stays = async {
        let app = slow.app().await;
        let token = app.sign_in(CLERK).await;
        let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        let session = accepted.body["sessionId"].as_str().unwrap();
        let id = id_of(&accepted.body);
        watch(&app, &token, session, |s| s["status"] == "processing").await;
        let before = leased_until(&app, id).await;
        app.pass(20 * SECOND);
        let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
        while leased_until(&app, id).await == before {
            assert!(tokio::time::Instant::now() < deadline, "the lease is extended");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(leased_until(&app, id).await, before + 20 * SECOND);
        slow.does("go", "");
        let done = watch(&app, &token, session, is_over).await;
        assert_eq!((&done["status"], &done["successRecords"]), (&json!("completed"), &json!(3)));
        let (attempts,): (i32,) =
            app.db().sql("SELECT attempt FROM imports WHERE import_id = $1").bind(id).one().await.unwrap();
        assert_eq!(attempts, 1, "it was claimed once");
    };
    let gives_way = async {
        let app = cancelled.app().await;
        let token = app.sign_in(CLERK).await;
        let accepted = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        let session = accepted.body["sessionId"].as_str().unwrap();
        watch(&app, &token, session, |s| s["status"] == "processing").await;
        let path = format!("/api/contacts/import/cancel/{session}");
        assert_eq!(app.post(&path, Some(&token), json!({})).await.status, 200);
        cancelled.does("whole", TRUE);
        let other = import(&app, &token, "b.csv", &csv(5), &csv_mapping()).await;
        assert_eq!(other["status"], "completed");
        assert_eq!(status(&app, &token, session).await["status"], "cancelled");
    };
    tokio::join!(stays, gives_way);
}
