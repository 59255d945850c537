//! The server as a process of its own, which a test can kill.

use crate::app::{PASSWORD, client, create_postgres_database, find_code};
use crate::contract::{self, Reply};
use forecourt::platform::db::Db;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

const EMAIL: &str = "super@platform.example";

/// A server that can be restarted: its folder, database, address and access token outlive the process.
pub struct Server {
    folder: TempDir,
    url: Option<String>,
    listen: String,
    flags: Vec<String>,
    process: Child,
    client: Client,
    token: String,
}

impl Server {
    /// Starts a server with an empty database, and signs the first Super Admin in.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// As [`Server::start`], with additional command line flags.
    pub async fn start_with(flags: &[&str]) -> Self {
        let mut server = Self::start_on(tempfile::tempdir().unwrap(), create_postgres_database().await, flags).await;
        server.sign_in(EMAIL).await;
        server
    }

    /// Starts a server with this data folder, and this database if it is on PostgreSQL. Does not sign in.
    pub async fn start_on(folder: TempDir, url: Option<String>, flags: &[&str]) -> Self {
        let flags: Vec<String> = flags.iter().map(|f| (*f).to_owned()).collect();
        let listen = free_address();
        let process = spawn(&folder, url.as_deref(), &listen, &flags);
        let client = client();
        let mut server = Server { folder, url, listen, flags, process, client, token: String::new() };
        server.wait_until_ready().await;
        server
    }

    /// Starts another process with the same data folder and database, at an address of its own.
    pub async fn start_node(&self) -> Node {
        self.start_node_with_log(Stdio::inherit(), &[]).await
    }

    /// As [`Server::start_node`], but writes the log to `log`, and adds these flags.
    pub async fn start_node_with_log(&self, log: Stdio, flags: &[&str]) -> Node {
        let listen = free_address();
        let mut command = command(&self.folder, self.url.as_deref(), &listen, &self.flags);
        let process = command.args(flags).stderr(log).spawn().unwrap();
        let node = Node { process, base_url: format!("http://{listen}"), client: client(), token: self.token.clone() };
        let deadline = Instant::now() + Duration::from_secs(30);
        while node.client.get(format!("{}/api/health", node.base_url)).send().await.is_err() {
            assert!(Instant::now() < deadline, "the node does not answer");
            sleep(Duration::from_millis(5)).await;
        }
        node
    }

    /// Sends a signal to the process.
    pub fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
    }

    /// Kills the process with SIGKILL, without a shutdown.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Requests a shutdown with a signal, and waits until the process has ended.
    pub fn stop(&mut self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(self.process.wait().unwrap().success(), "the process exits with status 0");
    }

    /// Returns whether the process has child processes.
    pub fn has_children(&self) -> bool {
        !self.children().is_empty()
    }

    /// Sends SIGTERM to all child processes, as a service manager does to all processes of a service. Returns their
    /// number.
    pub fn stop_children(&self) -> usize {
        let ids = self.children();
        for id in &ids {
            // `kill` may fail, because the child may have ended by itself.
            let _ = Command::new("kill").args(["-TERM", id]).status();
        }
        ids.len()
    }

    /// Returns the ids of the child processes.
    fn children(&self) -> Vec<String> {
        let of_thread = |task: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(task.unwrap().path().join("children")).unwrap_or_default()
        };
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).unwrap();
        tasks.map(of_thread).flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    /// Starts the process again, with the same folder, database and flags. At another address, because a client on this
    /// machine may have taken the port meanwhile.
    pub async fn restart(&mut self) {
        self.listen = free_address();
        self.process = spawn(&self.folder, self.url.as_deref(), &self.listen, &self.flags);
        self.wait_until_ready().await;
    }

    /// Returns whether the database is the SQLite file in the data folder.
    pub fn is_on_sqlite(&self) -> bool {
        self.url.is_none()
    }

    /// Returns the data folder.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Returns the URL of the database on PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Opens the server's database.
    pub async fn database(&self) -> Db {
        let file = || format!("sqlite:{}", self.folder.path().join("forecourt.sqlite3").display());
        Db::open(&self.url.clone().unwrap_or_else(file), 2).await.unwrap()
    }

    /// Returns the peak memory usage of the process, in megabytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    pub async fn get(&self, path: &str) -> Value {
        let reply = contract::send(self.client.get(self.url(path)).bearer_auth(&self.token)).await;
        assert_eq!(reply.status, 200, "{path}");
        reply.value()
    }

    /// Creates a request with the access token of the signed-in user. The caller may add to it and sends it.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path)).bearer_auth(&self.token)
    }

    /// Sends a file to `/api/contacts/import/{step}`, where `step` is `preview` or `submit`.
    pub async fn upload(&self, step: &str, name: &str, bytes: Vec<u8>, mapping: &Value) -> Reply {
        let file = Part::bytes(bytes).file_name(name.to_owned());
        let form = Form::new().part("file", file).text("columnMapping", mapping.to_string());
        let path = self.url(&format!("/api/contacts/import/{step}"));
        contract::send(self.client.post(path).bearer_auth(&self.token).multipart(form)).await
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.listen)
    }

    async fn wait_until_ready(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.client.get(self.url("/api/health")).send().await.is_err() {
            assert_eq!(self.process.try_wait().unwrap(), None, "the server has ended");
            assert!(Instant::now() < deadline, "the server does not answer");
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Signs a user in with the password and the mailed code. Later requests have this user's access token.
    pub async fn sign_in(&mut self, email: &str) {
        let login = json!({"email": email, "password": PASSWORD, "deviceId": "test", "deviceName": "Tests"});
        self.client.post(self.url("/api/auth/login")).json(&login).send().await.unwrap();
        let outbox = self.folder.path().join("outbox");
        let deadline = Instant::now() + Duration::from_secs(20);
        let code = loop {
            let mails = std::fs::read_dir(&outbox).into_iter().flatten().filter_map(|f| Some(f.ok()?.path()));
            let mails = mails.filter(|path| path.extension().is_some_and(|e| e == "eml"));
            let mails = mails.map(|path| std::fs::read_to_string(path).unwrap());
            let mut own = mails.filter(|mail| mail.lines().any(|l| l.starts_with("To:") && l.contains(email)));
            if let Some(code) = own.find_map(|mail| find_code(&mail)) {
                break code;
            }
            assert!(Instant::now() < deadline, "no mail was sent");
            sleep(Duration::from_millis(5)).await;
        };
        let code = json!({"email": email, "otp": code, "deviceId": "test"});
        let response = self.client.post(self.url("/api/auth/verify-otp")).json(&code).send().await.unwrap();
        let response: Value = response.json().await.unwrap();
        self.token = response["data"]["tokens"]["accessToken"].as_str().unwrap().to_owned();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Another node beside a [`Server`]. It is killed when dropped.
pub struct Node {
    process: Child,
    base_url: String,
    client: Client,
    token: String,
}

impl Node {
    /// Creates a request with the access token of the signed-in user. The caller may add to it and sends it.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base_url)).bearer_auth(&self.token)
    }

    pub async fn get(&self, path: &str) -> Value {
        let response =
            self.client.get(format!("{}{path}", self.base_url)).bearer_auth(&self.token).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns an address of this machine on which no server listens.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

fn spawn(folder: &TempDir, url: Option<&str>, listen: &str, flags: &[String]) -> Child {
    command(folder, url, listen, flags).spawn().unwrap()
}

fn command(folder: &TempDir, url: Option<&str>, listen: &str, flags: &[String]) -> Command {
    // Run with the usual umask, which lets all users of the machine read new files.
    let mut command = Command::new("sh");
    command.args(["-c", r#"umask 022; exec "$0" "$@""#, env!("CARGO_BIN_EXE_forecourt")]);
    command.env("FORECOURT_LOG", "warn").args(["serve", "--listen", listen, "--data-dir"]).arg(folder.path());
    command.args(["--admin-email", EMAIL, "--admin-password", PASSWORD]).args(flags);
    if let Some(url) = url {
        command.args(["--database-url", url]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}
