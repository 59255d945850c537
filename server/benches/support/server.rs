//! Helpers of the benchmarks: they start a server process, create its database, and sign users in.

use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use uuid::Uuid;

pub const PASSWORD: &str = "a-long-bench-password";
/// E-mail of the first Super Admin, which the server creates at its start.
pub const EMAIL: &str = "super@bench.example";

/// Returns the number in an environment variable; `default` if it is not set or no number.
pub fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Returns a command that runs a subcommand of the program `forecourt` of this build, with this data folder and
/// database.
pub fn program(command: &str, folder: &Path, url: &str) -> Command {
    program_of(Path::new(env!("CARGO_BIN_EXE_forecourt")), command, folder, url)
}

/// As [`program`], but runs the build of the program at `path`.
pub fn program_of(path: &Path, command: &str, folder: &Path, url: &str) -> Command {
    let mut program = Command::new(path);
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
    /// Starts the server and waits until it is healthy.
    pub async fn start(folder: &Path, url: &str) -> Self {
        Server::run(program("serve", folder, url)).await
    }

    /// As [`Server::start`], but with a command that [`program_of`] returned.
    pub async fn run(mut program: Command) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port is free");
        let process = program
            .args(["--listen", &free.to_string(), "--trusted-proxies", "127.0.0.1"])
            .args(["--admin-email", EMAIL, "--admin-password", PASSWORD])
            .spawn()
            .expect("the program starts");
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let client = Client::builder().timeout(Duration::from_secs(600)).no_proxy().build().expect("a client is built");
        let mut server = Server { process, at: format!("http://{free}"), client, token: String::new() };
        while !server.is_ready().await {
            assert!(matches!(server.process.try_wait(), Ok(None)), "the server has ended before it was healthy");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server
    }

    async fn is_ready(&self) -> bool {
        let response = self.client.get(format!("{}/api/health", self.at)).send().await;
        response.is_ok_and(|response| response.status().is_success())
    }

    /// Sends a request from client address number `from`, because sign-ins are limited per address.
    pub async fn call_from(&self, from: usize, method: Method, path: &str, body: Option<Value>) -> Value {
        let address = format!("10.0.{}.{}", from >> 8, from & 255);
        let mut request = self.client.request(method, format!("{}{path}", self.at)).bearer_auth(&self.token);
        request = request.header("x-forwarded-for", address);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.expect("the server answers");
        let status = response.status();
        let response: Value = response.json().await.expect("the response is JSON");
        assert!(status.is_success(), "{path}: {status} {response}");
        response
    }

    /// Signs a user in with the mailed code and returns the access token.
    pub async fn sign_in_from(&self, folder: &Path, from: usize, email: &str) -> String {
        let form = json!({"email": email, "password": PASSWORD, "deviceId": "bench", "deviceName": "Bench"});
        self.call_from(from, Method::POST, "/api/auth/login", Some(form)).await;
        let code = loop {
            match take_code(&folder.join("outbox"), email) {
                Some(code) => break code,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let form = json!({"email": email, "otp": code, "deviceId": "bench"});
        let response = self.call_from(from, Method::POST, "/api/auth/verify-otp", Some(form)).await;
        response["data"]["tokens"]["accessToken"].as_str().expect("there is a token").to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the code that was mailed to `email`, and deletes the mail so that the next one is found quickly.
fn take_code(outbox: &Path, email: &str) -> Option<String> {
    let files = std::fs::read_dir(outbox).ok()?.filter_map(|file| Some(file.ok()?.path()));
    // Mails that are still being written have another extension.
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "eml"));
    let mut mails = files.filter_map(|file| Some((std::fs::read_to_string(&file).ok()?, file)));
    let (mail, file) = mails.find(|(mail, _)| mail.lines().any(|l| l.starts_with("To:") && l.contains(email)))?;
    let code = mail.lines().map(str::trim).find(|l| l.len() == 6 && l.bytes().all(|b| b.is_ascii_digit()))?;
    let _ = std::fs::remove_file(file);
    Some(code.to_owned())
}

/// Creates an empty database in the PostgreSQL cluster that `FORECOURT_TEST_POSTGRES_URL` names and returns its URL.
/// Without that variable, returns the URL of a SQLite file in `folder`, which the server will create.
pub async fn create_database(folder: &Path, name: &str) -> String {
    let Ok(cluster) = std::env::var("FORECOURT_TEST_POSTGRES_URL") else {
        return format!("sqlite:{}", folder.join("forecourt.sqlite3").display());
    };
    let name = format!("{name}_{}", Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&cluster).await.expect("the cluster answers");
    let sql = AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::raw_sql(sql).execute(&mut connection).await.expect("a database is created");
    let mut url = url::Url::parse(&cluster).expect("the cluster has an address");
    url.set_path(&name);
    url.to_string()
}
