//! Tests of `forecourt admin create`, of `serve` making the first Super Admin, and of the log of a real server process.

use crate::app::{client, create_postgres_database, read_code};
use crate::contract;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PASSWORD: &str = "correct horse battery";

/// A data folder, and the URL of an empty database if the tests run on PostgreSQL.
pub struct Installation {
    pub folder: TempDir,
    database: Option<String>,
}

impl Installation {
    pub async fn new() -> Self {
        Installation { folder: tempfile::tempdir().unwrap(), database: create_postgres_database().await }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
        command.args(words).arg("--data-dir").arg(self.folder.path());
        if let Some(url) = &self.database {
            command.args(["--database-url", url]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `admin create` for this email, and passes `input` on standard input.
    fn create(&self, email: &str, input: &str) -> Output {
        let mut child = self.command(&["admin", "create", "--email", email]).spawn().unwrap();
        // A command that rejects its arguments may end before it reads the password.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }
}

/// A running `forecourt serve`, and its log.
pub struct Server {
    child: Child,
    pub address: String,
    log: std::thread::JoinHandle<String>,
}

impl Server {
    pub fn start(installation: &Installation, flags: &[&str]) -> Self {
        let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = installation.command(&["serve", "--listen", &address.to_string()]);
        let mut child = command.args(flags).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut log = String::new();
        while !log.contains("is ready on") {
            assert!(lines.read_line(&mut log).unwrap() > 0, "the server ended: {log}");
        }
        let log = std::thread::spawn(move || {
            lines.read_to_string(&mut log).unwrap();
            log
        });
        Server { child, address: format!("http://{address}"), log }
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        contract::send(client().post(format!("{}{path}", self.address)).json(&body)).await.value()
    }

    /// Shuts the server down, and returns the whole log.
    pub fn stop(mut self) -> String {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(self.child.wait().unwrap().success());
        self.log.join().unwrap()
    }
}

/// Waits for the first mail in the outbox of this data folder, and returns its raw text.
pub fn first_mail(folder: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let files = std::fs::read_dir(folder.join("outbox")).into_iter().flatten().flatten();
        if let Some(file) = files.map(|f| f.path()).find(|p| p.extension().is_some_and(|e| e == "eml")) {
            return std::fs::read_to_string(file).unwrap();
        }
        assert!(Instant::now() < deadline, "no mail was sent");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs `admin create` in a terminal, and types the next one of these texts at each prompt. Returns the terminal's
/// output and the exit status.
fn create_in_terminal(installation: &Installation, email: &str, typed: &[&str]) -> (String, ExitStatus) {
    let mut create = installation.command(&["admin", "create", "--email", email]);
    let words = std::iter::once(create.get_program()).chain(create.get_args()).map(|word| word.to_str().unwrap());
    let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    create = Command::new("script");
    create.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]);
    let mut child = create.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut shown = Vec::new();
    for (prompt, password) in typed.iter().enumerate() {
        let mut byte = [0];
        while shown.iter().filter(|byte| **byte == b':').count() <= prompt {
            assert_eq!(output.read(&mut byte).unwrap(), 1, "no prompt: {}", String::from_utf8_lossy(&shown));
            shown.extend(byte);
        }
        input.write_all(format!("{password}\n").as_bytes()).unwrap();
    }
    output.read_to_end(&mut shown).unwrap();
    (String::from_utf8_lossy(&shown).into_owned(), child.wait().unwrap())
}

/// Asserts that the command failed with one line of error, which contains `word` and no password.
fn assert_fails(output: &Output, word: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.trim_end().lines().count() == 1 && text.contains(word), "{text}");
    assert!(!text.contains(PASSWORD));
}

#[tokio::test(flavor = "multi_thread")]
async fn admin_create_makes_a_super_admin_who_can_sign_in() {
    let installation = Installation::new().await;
    assert_fails(&installation.create("nobody", PASSWORD), "valid email");
    assert_fails(&installation.create("ada@example.se", "12345\n"), "Minimum length is 6 characters");
    assert_fails(&installation.create("ada@example.se", ""), "Password is required");
    assert_fails(&installation.create("ada@example.se", &"x".repeat(257)), "Maximum length is 256 characters");
    let made = installation.create("Ada@Example.se", &format!("{PASSWORD}\nnot read\n"));
    assert!(made.status.success(), "{made:?}");
    assert_fails(&installation.create("ada@example.SE", PASSWORD), "is taken");
    assert!(installation.create("second@example.se", PASSWORD).status.success(), "a second Super Admin is allowed");

    let server = Server::start(&installation, &["--log", "info"]);
    let form = json!({"email": "ada@example.se", "password": PASSWORD, "deviceId": "d"});
    assert_eq!(server.post("/api/auth/login", form).await["requiresVerification"], true);
    let log = server.stop();
    assert!(!log.contains("there is no Super Admin yet"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn admin_create_in_a_terminal_asks_for_the_password_twice() {
    let installation = Installation::new().await;
    let (shown, status) = create_in_terminal(&installation, "ada@example.se", &[PASSWORD, "correct hearse battery"]);
    assert!(!status.success() && shown.contains("the two passwords differ"), "{shown}");
    let (shown, status) = create_in_terminal(&installation, "ada@example.se", &[PASSWORD, PASSWORD]);
    assert!(status.success() && shown.contains("ada@example.se is a Super Admin now"), "{shown}");
    assert!(shown.contains("Password: ") && shown.contains("Once more: "), "{shown}");
    let (shown, status) = create_in_terminal(&installation, "ada@example.se", &[]);
    assert!(!status.success() && shown.contains("is taken") && !shown.contains("Password"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_without_a_super_admin_creates_one_or_explains_how() {
    let installation = Installation::new().await;
    let log = Server::start(&installation, &[]).stop();
    assert!(log.contains("forecourt admin create --email"), "{log}");
    let set = ["--admin-email", "ada@example.se", "--admin-password", PASSWORD];
    let output =
        installation.command(&["serve"]).args(["--admin-email", "ada", "--admin-password", PASSWORD]).output().unwrap();
    assert_fails(&output, "FORECOURT_ADMIN_EMAIL");
    let log = Server::start(&installation, &set).stop();
    assert!(log.contains("made the first Super Admin") && !log.contains(PASSWORD), "{log}");
    // `--admin-email` and `--admin-password` have no effect once a Super Admin exists.
    let server = Server::start(&installation, &["--admin-email", "eve@example.se", "--admin-password", PASSWORD]);
    let login =
        |email: &str| server.post("/api/auth/login", json!({"email": email, "password": PASSWORD, "deviceId": "d"}));
    assert_eq!(login("ada@example.se").await["success"], true);
    assert_eq!(login("eve@example.se").await["success"], false);
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_contains_no_secret_even_at_trace_level() {
    let installation = Installation::new().await;
    let flags = ["--admin-email", "ada@example.se", "--admin-password", PASSWORD, "--log", "trace"];
    let server = Server::start(&installation, &flags);
    let form = |password: &str| json!({"email": "ada@example.se", "password": password, "deviceId": "device-0815"});
    server.post("/api/auth/login", form("wrong-password-0815")).await;
    server.post("/api/auth/login", form(PASSWORD)).await;
    let mail = first_mail(installation.folder.path());
    let code = read_code(&mail);
    let verify = |otp: &str| json!({"email": "ada@example.se", "otp": otp, "deviceId": "device-0815"});
    server.post("/api/auth/verify-otp", verify("000000")).await;
    let first = server.post("/api/auth/verify-otp", verify(&code)).await["data"]["tokens"].clone();
    let second = server.post("/api/auth/refresh-token", json!({"refreshToken": first["refreshToken"]})).await;
    let text = |tokens: &Value, name: &str| tokens[name].as_str().unwrap().to_owned();
    let log = server.stop();
    assert!(log.contains("DEBUG"), "the log level is too low: {log}");
    let key = std::fs::read_to_string(installation.folder.path().join("secret.key")).unwrap();
    for secret in [
        PASSWORD,
        "wrong-password-0815",
        &text(&first, "accessToken"),
        &text(&first, "refreshToken"),
        &text(&second["tokens"], "accessToken"),
        &text(&second["tokens"], "refreshToken"),
        "device-0815",
        "$argon2id$",
        &key,
    ] {
        let line = log.lines().find(|l| l.contains(secret));
        assert!(line.is_none(), "a secret is in the log: {line:?}");
    }
    // Search the code as a whole word, because a timestamp may contain the same six digits by chance.
    assert!(!log.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == code), "the code is in the log");
}
