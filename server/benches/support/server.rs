//! What the benches share: the program as a process of its own, a database for it, and people who are signed in.

use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use uuid::Uuid;

pub const PASSWORD: &str = "a-long-bench-password";
/// The first Super Admin, whom the program makes.
pub const EMAIL: &str = "super@bench.example";

/// A size that the environment may change.
pub fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// The program with its own arguments, as a bench needs them.
pub fn program(command: &str, folder: &Path, url: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.arg(command).args(["--log", "warn", "--database-url", url, "--data-dir"]).arg(folder).stdin(Stdio::null());
    program
}

pub struct Server {
    pub process: Child,
    pub at: String,
    pub client: Client,
    pub token: String,
}

impl Server {
    /// Starts the program, and waits until it answers.
    pub async fn start(folder: &Path, url: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port is free");
        let process = program("serve", folder, url)
            .args(["--listen", &free.to_string(), "--trusted-proxies", "127.0.0.1"])
            .args(["--admin-email", EMAIL, "--admin-password", PASSWORD])
            .spawn()
            .expect("the program starts");
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let client = Client::builder().timeout(Duration::from_secs(600)).no_proxy().build().expect("a client is made");
        let server = Server { process, at: format!("http://{free}"), client, token: String::new() };
        while !server.is_ready().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server
    }

    async fn is_ready(&self) -> bool {
        let answer = self.client.get(format!("{}/api/health", self.at)).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }

    /// Calls as if from an address of its own, since sign-ins are counted by address.
    pub async fn call_from(&self, from: usize, method: Method, path: &str, body: Option<Value>) -> Value {
        let address = format!("10.0.{}.{}", from >> 8, from & 255);
        let mut request = self.client.request(method, format!("{}{path}", self.at)).bearer_auth(&self.token);
        request = request.header("x-forwarded-for", address);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("the server answers");
        let status = answer.status();
        let answer: Value = answer.json().await.expect("the answer is JSON");
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }

    /// Signs somebody in with the mailed code; gives their access token.
    pub async fn token_of(&self, folder: &Path, from: usize, email: &str) -> String {
        let form = json!({"email": email, "password": PASSWORD, "deviceId": "bench", "deviceName": "Bench"});
        self.call_from(from, Method::POST, "/api/auth/login", Some(form)).await;
        let code = loop {
            match take_code(&folder.join("outbox"), email) {
                Some(code) => break code,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let form = json!({"email": email, "otp": code, "deviceId": "bench"});
        let answer = self.call_from(from, Method::POST, "/api/auth/verify-otp", Some(form)).await;
        answer["data"]["tokens"]["accessToken"].as_str().expect("there is a token").to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The code mailed to somebody. Its mail is deleted, so that the next is soon found.
fn take_code(outbox: &Path, email: &str) -> Option<String> {
    let files = std::fs::read_dir(outbox).ok()?.filter_map(|file| Some(file.ok()?.path()));
    // Not one that is still being written under another name.
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "eml"));
    let mut mails = files.filter_map(|file| Some((std::fs::read_to_string(&file).ok()?, file)));
    let (mail, file) = mails.find(|(mail, _)| mail.lines().any(|l| l.starts_with("To:") && l.contains(email)))?;
    let code = mail.lines().map(str::trim).find(|l| l.len() == 6 && l.bytes().all(|b| b.is_ascii_digit()))?;
    let _ = std::fs::remove_file(file);
    Some(code.to_owned())
}

/// A new database: in the cluster that `FORECOURT_TEST_POSTGRES_URL` names, if there is one.
pub async fn database(folder: &Path, name: &str) -> String {
    let Ok(cluster) = std::env::var("FORECOURT_TEST_POSTGRES_URL") else {
        return format!("sqlite:{}", folder.join("forecourt.sqlite3").display());
    };
    let name = format!("{name}_{}", Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&cluster).await.expect("the cluster answers");
    let sql = AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::raw_sql(sql).execute(&mut connection).await.expect("a database is made");
    let mut url = url::Url::parse(&cluster).expect("the cluster has an address");
    url.set_path(&name);
    url.to_string()
}
