//! The server as a process of its own with the most verbose log. Records all secrets that go in, and all output.

use crate::app::{client, create_postgres_database, read_code};
use crate::contract;
use crate::provider::{CLIENT, Provider, SECRET};
use crate::smtp::MailServer;
use forecourt::platform::db::Db;
use reqwest::{Method, RequestBuilder, header};
use serde_json::{Value, json};
use std::fs::File;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

pub const EMAIL: &str = "super@platform.example";
pub const LOGIN: &str = "/api/auth/login";
pub const VERIFY_OTP: &str = "/api/auth/verify-otp";
pub const RESEND: &str = "/api/auth/resend-otp";
pub const REFRESH: &str = "/api/auth/refresh-token";
pub const VERIFY_TOKEN: &str = "/api/auth/verify-token";
/// The routes that return tokens.
const RETURN_TOKENS: &[&str] = &[LOGIN, VERIFY_OTP, REFRESH, VERIFY_TOKEN];

/// A secret, and the routes that may return it.
pub struct Secret {
    pub what: &'static str,
    pub text: String,
    pub allowed_in: &'static [&'static str],
}

/// The server process, with all secrets that were sent to it, and all its responses.
pub struct TracedServer {
    folder: TempDir,
    database: String,
    process: Child,
    pub base_url: String,
    client: reqwest::Client,
    pub mails: MailServer,
    pub secrets: Vec<Secret>,
    pub codes: Vec<String>,
    /// The route of each response, and its headers and body.
    pub responses: Vec<(String, String)>,
}

/// The parts of a response that the tests need.
pub struct HttpResponse {
    pub status: u16,
    pub location: String,
    /// The cookies that were set, in the format of the `Cookie` header.
    pub cookies: String,
    pub body: Value,
}

/// Returns a unique text that can be searched for as a secret.
pub fn canary(what: &str) -> String {
    format!("canary-{what}-{}", uuid::Uuid::now_v7().simple())
}

impl TracedServer {
    pub async fn start(format: &str, provider: &Provider) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = create_postgres_database().await;
        let database = url.unwrap_or_else(|| format!("sqlite:{}", folder.path().join("forecourt.sqlite3").display()));
        let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let (password, smtp, key) = (canary("first-password"), canary("smtp"), "c0ffee42".repeat(8));
        let mails = MailServer::start(json!({"user": "forecourt", "password": smtp})).await;
        let smtp_url = mails.url().replace("://", &format!("://forecourt:{smtp}@"));
        let log = File::create(folder.path().join("log")).unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_forecourt"))
            .args(["serve", "--listen", &listen, "--log", "trace", "--log-format", format])
            .args(["--database-url", &database, "--secret-key", &key, "--smtp-url", &smtp_url])
            .args(["--admin-email", EMAIL, "--admin-password", &password, "--data-dir"])
            .arg(folder.path())
            .args(["--oidc-issuer", &provider.issuer(), "--oidc-client-id", CLIENT, "--oidc-client-secret", SECRET])
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        // `client` installs rustls' provider of cryptography, which every client needs.
        let _ = client();
        let none = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder().redirect(none).no_proxy().build().unwrap();
        let base_url = format!("http://{listen}");
        let (secrets, codes, responses) = (Vec::new(), Vec::new(), Vec::new());
        let mut program =
            TracedServer { folder, database, process, base_url, client, mails, secrets, codes, responses };
        program.track_secret("the first password", &password);
        program.track_secret("the password for the mail server", &smtp);
        program.track_secret("the secret key", &key);
        program.track_secret("the provider's secret", SECRET);
        program.wait_until_ready().await;
        program
    }

    async fn wait_until_ready(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.client.get(format!("{}/api/health", self.base_url)).send().await.is_err() {
            assert_eq!(self.process.try_wait().unwrap(), None, "{}", self.log());
            assert!(Instant::now() < deadline, "the server does not answer");
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Returns the log so far.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder.path().join("log")).unwrap()).into_owned()
    }

    /// Tracks a secret that no response may contain.
    pub fn track_secret(&mut self, what: &'static str, text: &str) {
        self.track_secret_except(what, text, &[]);
    }

    /// Tracks a secret that only the responses of these routes may contain.
    pub fn track_secret_except(&mut self, what: &'static str, text: &str, allowed_in: &'static [&'static str]) {
        assert!(text.len() > 20, "{what} could be found by chance");
        self.secrets.push(Secret { what, text: text.to_owned(), allowed_in });
    }

    /// Tracks the access token and the refresh token of a response as secrets, and returns them.
    pub fn track_tokens(&mut self, response: &HttpResponse) -> (String, String) {
        let tokens = &response.body["data"]["tokens"];
        let [access, refresh] = ["accessToken", "refreshToken"].map(|name| tokens[name].as_str().unwrap().to_owned());
        for (what, token) in [("an access token", &access), ("a refresh token", &refresh)] {
            self.track_secret_except(what, token, RETURN_TOKENS);
        }
        (access, refresh)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base_url))
    }

    pub async fn send(&mut self, route: &str, request: RequestBuilder) -> HttpResponse {
        let response = contract::send(request).await;
        let status = response.status.as_u16();
        // In a build without the web app, pages have a status of 500 or above.
        assert!(status < 500 || route == "page", "{route}: {status}");
        let all = |name| response.headers.get_all(name).iter().map(|value| value.to_str().unwrap().to_owned());
        let location = all(header::LOCATION).next().unwrap_or_default();
        let set = all(header::SET_COOKIE).filter(|line| !line.contains("Max-Age=0"));
        let cookies = set.map(|line| line.split(';').next().unwrap().to_owned()).collect::<Vec<_>>().join("; ");
        let headers = format!("{:?}", response.headers);
        let text = response.text();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        self.responses.push((route.to_owned(), format!("{headers}\n{text}")));
        HttpResponse { status, location, cookies, body }
    }

    pub async fn post(&mut self, path: &str, token: Option<&str>, body: &Value) -> HttpResponse {
        let request = self.request(Method::POST, path).json(body);
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        self.send(path, request).await
    }

    pub async fn get(&mut self, route: &str, path_and_query: &str, cookies: &str) -> HttpResponse {
        let request = self.request(Method::GET, path_and_query).header(header::COOKIE, cookies);
        // Repeat the address in `Referer`, as the loaded page would in its requests if the `Referrer-Policy` allowed
        // it, so that its secrets are also in a header.
        let referer = format!("{}{path_and_query}", self.base_url);
        self.send(route, request.header(header::REFERER, referer)).await
    }

    /// Waits for the next mail whose subject starts with `subject`. Drops the mails before it.
    pub async fn next_mail(&mut self, subject: &str) -> String {
        loop {
            let mail = self.mails.next().await;
            if mail.subject.starts_with(subject) {
                return mail.text;
            }
        }
    }

    pub async fn next_code(&mut self) -> String {
        let code = read_code(&self.next_mail("Your code").await);
        self.codes.push(code.clone());
        code
    }

    pub async fn login(&mut self, email: &str, password: &str, device: &str) -> HttpResponse {
        let form = json!({"email": email, "password": password, "deviceId": device, "deviceName": "Tests"});
        self.post(LOGIN, None, &form).await
    }

    pub async fn db(&self) -> Db {
        Db::open(&self.database, 2).await.unwrap()
    }
}

impl Drop for TracedServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
