//! The server under test: its own database, its own port, and a clock that stands still until a test moves it.

use crate::contract;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version};
use forecourt::app::config::Config;
use forecourt::app::start;
use forecourt::features::listing::definitions::definitions;
use forecourt::features::state::App;
use forecourt::platform::clock::{Clock, SECOND};
use forecourt::platform::db::{Db, schema};
use forecourt::platform::events::Event;
use forecourt::platform::fairness::connections::ConnectionLimit;
use forecourt::platform::http;
use forecourt_core::permissions::{CatalogueEntry, modules};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;
use uuid::Uuid;

#[path = "../../src/platform/db/test_databases.rs"]
mod test_databases;

/// The password of all users in tests.
pub const PASSWORD: &str = "a-long-test-password";
/// The users that [`TestApp::start`] creates.
pub const SUPER_ADMIN: &str = "super@platform.example";
pub const ADMIN: &str = "admin@nordbil.example";
/// A user of type User whose role grants all actions on all modules, but nothing on `contacts.imports`.
pub const CLERK: &str = "clerk@nordbil.example";
/// A user of type User whose role grants reading on all modules, but nothing on `contacts.imports`.
pub const READER: &str = "reader@nordbil.example";
/// A user of type User without a role.
pub const NO_ROLE: &str = "nobody@nordbil.example";
/// The Admin of another corporation.
pub const OTHER_ADMIN: &str = "admin@sodrabil.example";

/// A running server with two corporations besides the platform.
pub struct TestApp {
    pub app: App,
    pub address: SocketAddr,
    pub nordbil: Uuid,
    now: Arc<AtomicI64>,
    installation: Arc<Installation>,
    stop: watch::Sender<bool>,
    client: reqwest::Client,
}

/// The data folder and the database of an installation. Both are removed with the last of the nodes that share them.
struct Installation {
    folder: TempDir,
    database: String,
}

impl Drop for Installation {
    /// Drops the database, because hundreds of databases slow all tests down. This happens in the background; if it
    /// fails, the database is removed with the cluster.
    fn drop(&mut self) {
        let Some(cluster) = test_databases::cluster_url() else { return };
        let name = self.database.rsplit('/').next().unwrap_or_default();
        let remove = format!("DROP DATABASE {name} WITH (FORCE)");
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut connection = PgConnection::connect(&cluster).await?;
                sqlx::raw_sql(AssertSqlSafe(remove)).execute(&mut connection).await
            })
        });
    }
}

/// A response of the server.
#[derive(Debug)]
pub struct ApiResponse {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a server, and returns it with the access token of this user.
    pub async fn start_and_sign_in(email: &str) -> (Self, String) {
        let app = Self::start().await;
        let token = app.sign_in(email).await;
        (app, token)
    }

    /// Starts a server with additional command line flags.
    pub async fn start_with(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now = Arc::new(AtomicI64::new(1_800_000_000 * SECOND));
        let database = test_databases::create_migrated(folder.path(), definitions).await;
        let config = config(&folder, &database, flags);
        let app = start::open(config, Clock::Fixed(now.clone())).await.unwrap();
        let (listener, address) = listen();
        let (stop, stopped) = watch::channel(false);
        let mut events = app.db.events().subscribe();
        tokio::spawn(start::serve(app.clone(), listener, stopped));
        let [_, nordbil, _] = seed(&app).await;
        if let Db::Postgres(..) = app.db {
            // PostgreSQL's listener announces with `Lost` that it is connected: the node receives all later events.
            assert_eq!(*events.recv().await.unwrap(), Event::Lost);
        }
        let installation = Arc::new(Installation { folder, database });
        TestApp { app, address, nordbil, now, installation, stop, client: client() }
    }

    /// Starts another node of the same installation: with the same database and clock, and its own connections. It runs
    /// no jobs, so that the effects of a request can be counted.
    pub async fn start_another_node(&self) -> Self {
        self.start_another_node_with(self.config()).await
    }

    /// As [`TestApp::start_another_node`], with these settings.
    pub async fn start_another_node_with(&self, config: Config) -> Self {
        let app = start::open(config, Clock::Fixed(self.now.clone())).await.unwrap();
        let (listener, address) = listen();
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(http::serve(listener, forecourt::app::router(&app), false, ConnectionLimit::unlimited(), stopped));
        let (nordbil, now, installation) = (self.nordbil, self.now.clone(), self.installation.clone());
        TestApp { app, address, nordbil, now, installation, stop, client: client() }
    }

    /// Returns the settings of this node, with which another node can be started.
    pub fn config(&self) -> Config {
        let App { platform, feature_config, .. } = &self.app;
        Config { platform: (*platform.config).clone(), features: (**feature_config).clone() }
    }

    /// Requests a shutdown, as a signal would.
    pub fn request_shutdown(&self) {
        self.stop.send(true).unwrap();
    }

    pub fn db(&self) -> &Db {
        &self.app.db
    }

    /// Advances the server's clock by this many microseconds.
    pub fn advance(&self, micros: i64) {
        self.now.fetch_add(micros, Ordering::SeqCst);
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Creates a request with this access token. The caller may add to it and sends it.
    pub fn request(&self, method: Method, path: &str, token: Option<&str>) -> reqwest::RequestBuilder {
        let request = self.client.request(method, self.url(path));
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request, asserts that it and its response match the OpenAPI document, and returns the response.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> ApiResponse {
        let reply = contract::send(request).await;
        let body = reply.value();
        ApiResponse { status: reply.status, headers: reply.headers, body }
    }

    /// Sends a request, and sends it again while the server responds that it is too busy, as clients do. On a slow
    /// machine the last of many concurrent requests may wait too long for a connection to the database.
    pub async fn send_until_served(&self, request: impl Fn() -> reqwest::RequestBuilder) -> ApiResponse {
        for _ in 0..20 {
            let response = self.send(request()).await;
            if response.status != StatusCode::SERVICE_UNAVAILABLE {
                return response;
            }
        }
        panic!("the server is still too busy");
    }

    pub async fn get(&self, path: &str, token: Option<&str>) -> ApiResponse {
        self.send(self.request(Method::GET, path, token)).await
    }

    pub async fn post(&self, path: &str, token: Option<&str>, body: Value) -> ApiResponse {
        self.send(self.request(Method::POST, path, token).json(&body)).await
    }

    /// Signs in with the password and the mailed code, and returns the access token.
    pub async fn sign_in(&self, email: &str) -> String {
        self.sign_in_for_tokens(email).await.0
    }

    /// As [`TestApp::sign_in`], but returns the access token and the refresh token.
    pub async fn sign_in_for_tokens(&self, email: &str) -> (String, String) {
        let device = Uuid::now_v7().to_string();
        let before = self.mails(email).len();
        let login = json!({"email": email, "password": PASSWORD, "deviceId": device, "deviceName": "Tests"});
        let response = self.post("/api/auth/login", None, login).await;
        assert_eq!(response.status, 200, "{}", response.body);
        assert_eq!(response.body["requiresVerification"], true, "{}", response.body);
        let otp = self.next_code(email, before).await;
        let verified =
            self.post("/api/auth/verify-otp", None, json!({"email": email, "otp": otp, "deviceId": device})).await;
        assert_eq!(verified.status, 200, "{}", verified.body);
        let tokens = &verified.body["data"]["tokens"];
        let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
        (text("accessToken"), text("refreshToken"))
    }

    /// Returns the mails to this address in the outbox, oldest first, each as the raw file.
    pub fn mails(&self, email: &str) -> Vec<String> {
        self.outbox(email).into_iter().map(|(_, mail)| mail).collect()
    }

    /// As [`TestApp::mails`], each with the id of its row in `messages`.
    fn outbox(&self, email: &str) -> Vec<(Uuid, String)> {
        let Ok(folder) = std::fs::read_dir(self.data_dir().join("outbox")) else { return Vec::new() };
        let mut files: Vec<PathBuf> =
            folder.filter_map(|f| Some(f.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "eml")).collect();
        files.sort();
        let id = |path: &PathBuf| path.file_stem()?.to_str()?.parse().ok();
        let mails = files.iter().filter_map(|f| Some((id(f)?, std::fs::read_to_string(f).ok()?)));
        mails.filter(|(_, mail)| mail.lines().any(|l| l.starts_with("To:") && l.contains(email))).collect()
    }

    /// Waits for the mail number `before` (from 0) to this address, and returns its code.
    pub async fn next_code(&self, email: &str, before: usize) -> String {
        read_code(&self.next_mail(email, before).await)
    }

    /// As [`TestApp::next_code`], but returns the mail. Also waits until the mail is no longer queued in the database,
    /// because a later request could withdraw a queued mail.
    pub async fn next_mail(&self, email: &str, before: usize) -> String {
        let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
        loop {
            if let Some((id, mail)) = self.outbox(email).into_iter().nth(before)
                && !self.is_queued(id).await
            {
                return mail;
            }
            assert!(tokio::time::Instant::now() < deadline, "no mail to {email}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn is_queued(&self, message: Uuid) -> bool {
        let text = "SELECT count(*) FROM messages WHERE message_id = $1 AND status = 'queued'";
        self.db().sql(text).bind(message).value::<i64>().await.unwrap() > 0
    }

    pub fn data_dir(&self) -> &std::path::Path {
        self.installation.folder.path()
    }
}

/// Creates a client with its own connections. It does not follow redirects, because the tests check the server's own
/// response.
pub fn client() -> reqwest::Client {
    // rustls needs a default provider of cryptography, for any client. The server installs the same one.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let none = reqwest::redirect::Policy::none();
    reqwest::Client::builder().timeout(Duration::from_secs(60)).redirect(none).no_proxy().build().unwrap()
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

/// Returns the mailed code: the first line that consists of six digits. Panics if there is no such line.
pub fn read_code(mail: &str) -> String {
    find_code(mail).unwrap_or_else(|| panic!("no code in {mail}"))
}

/// As [`read_code`], but returns `None` if the mail has no such line.
pub fn find_code(mail: &str) -> Option<String> {
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit());
    mail.lines().map(str::trim).find(is_code).map(str::to_owned)
}

fn listen() -> (TcpListener, SocketAddr) {
    let listener = http::listen(SocketAddr::from(([127, 0, 0, 1], 0)), "FORECOURT_LISTEN").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    config: Config,
}

fn config(folder: &TempDir, database: &str, flags: &[&str]) -> Config {
    let data_dir = folder.path().display().to_string();
    let mut args = vec!["forecourt".to_owned(), "--data-dir".into(), data_dir, "--database-pool".into(), "4".into()];
    if !flags.contains(&"--reader") {
        args.extend(["--reader".into(), env!("CARGO_BIN_EXE_forecourt").into()]);
    }
    args.extend(["--database-url".into(), database.into()]);
    args.extend(flags.iter().map(|f| (*f).to_owned()));
    <Flags as clap::Parser>::parse_from(args).config
}

/// Creates a database without a schema in the cluster of `FORECOURT_TEST_POSTGRES_URL`. Returns `None` if the variable
/// is not set.
pub async fn create_postgres_database() -> Option<String> {
    Some(test_databases::copy_database(&test_databases::cluster_url()?, "template1").await)
}

/// Creates the platform with its Super Admin, Nordbil with four users, and Södra Bil with its Admin.
async fn seed(app: &App) -> [Uuid; 3] {
    // A hash with the lowest cost, because verifying a password costs as much as its hash says. Without it, all tests
    // together would take a seventh longer.
    static HASH: LazyLock<String> = LazyLock::new(|| {
        let cheap = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(8, 1, 1, None).unwrap());
        cheap.hash_password(PASSWORD.as_bytes()).unwrap().to_string()
    });
    let corps = [Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7()];
    let mut tx = app.db.begin().await.unwrap();
    for (i, name) in ["Platform", "Nordbil", "Södra Bil"].into_iter().enumerate() {
        tx.sql("INSERT INTO corporations (corp_id, name, is_platform, created_at, updated_at) VALUES ($1,$2,$3,0,0)")
            .bind_all((corps[i], name, i == 0))
            .exec()
            .await
            .unwrap();
        for resource in modules().map(CatalogueEntry::resource_id) {
            tx.sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)")
                .bind_all((corps[i], resource))
                .exec()
                .await
                .unwrap();
        }
    }
    let [platform, nordbil, sodrabil] = corps;
    let roles = [(Uuid::now_v7(), "Clerk", true), (Uuid::now_v7(), "Reader", false)];
    for (role, name, all) in roles {
        tx.sql(
            "INSERT INTO roles (corp_id, role_id, name, description, created_at, updated_at) VALUES ($1,$2,$3,'',0,0)",
        )
        .bind_all((nordbil, role, name))
        .exec()
        .await
        .unwrap();
        for resource in modules().map(CatalogueEntry::resource_id).chain(["contacts.list", "vehicles.list"]) {
            tx.sql(
                "INSERT INTO role_permissions \
                 (corp_id, role_id, resource_id, can_read, can_create, can_update, can_delete) VALUES ($1,$2,$3,TRUE,$4,$4,$4)",
            )
            .bind_all((nordbil, role, resource, all))
            .exec()
            .await
            .unwrap();
        }
    }
    let people = [
        (platform, SUPER_ADMIN, "Super Admin", None),
        (nordbil, ADMIN, "Admin", None),
        (nordbil, CLERK, "User", Some(roles[0].0)),
        (nordbil, READER, "User", Some(roles[1].0)),
        (nordbil, NO_ROLE, "User", None),
        (sodrabil, OTHER_ADMIN, "Admin", None),
    ];
    for (corp, email, user_type, role) in people {
        tx.sql(
            "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, \
             password_hash, created_at, updated_at) VALUES ($1,$2,$3,'Ada','Lindqvist','+46 70 123 45 67',$4,$5,$6,0,0)",
        )
        .bind_all((corp, Uuid::now_v7(), email, user_type, role, HASH.clone()))
        .exec()
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
    corps
}
