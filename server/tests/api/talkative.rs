//! The server as a process of its own with the most verbose log. Records all secrets that go in, and all output.

use crate::app::{client, code_in, fresh_postgres};
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
pub const VERIFY: &str = "/api/auth/verify-otp";
pub const RESEND: &str = "/api/auth/resend-otp";
pub const REFRESH: &str = "/api/auth/refresh-token";
pub const PAIR: &str = "/api/auth/verify-token";
/// The routes that return tokens.
const HAND_OUT: &[&str] = &[LOGIN, VERIFY, REFRESH, PAIR];

/// A secret, and the routes that may return it.
pub struct Secret {
    pub what: &'static str,
    pub text: String,
    pub told_by: &'static [&'static str],
}

/// The server with the most verbose log, and all its secrets and responses.
pub struct Program {
    folder: TempDir,
    database: String,
    process: Child,
    pub at: String,
    client: reqwest::Client,
    pub mails: MailServer,
    pub secrets: Vec<Secret>,
    pub codes: Vec<String>,
    /// The route of each response, and its headers and body.
    pub answers: Vec<(String, String)>,
}

/// The parts of a response that tests need.
pub struct HttpResponse {
    pub status: u16,
    pub location: String,
    /// The cookies that were set, in the format of the `Cookie` header.
    pub cookies: String,
    pub body: Value,
}

pub fn canary(what: &str) -> String {
    format!("canary-{what}-{}", uuid::Uuid::now_v7().simple())
}

impl Program {
    pub async fn start(format: &str, provider: &Provider) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = fresh_postgres().await;
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
        let at = format!("http://{listen}");
        let (secrets, codes, answers) = (Vec::new(), Vec::new(), Vec::new());
        let mut program = Program { folder, database, process, at, client, mails, secrets, codes, answers };
        program.hide("the first password", &password);
        program.hide("the password for the mail server", &smtp);
        program.hide("the secret key", &key);
        program.hide("the provider's secret", SECRET);
        program.ready().await;
        program
    }

    async fn ready(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.client.get(format!("{}/api/health", self.at)).send().await.is_err() {
            assert_eq!(self.process.try_wait().unwrap(), None, "{}", self.log());
            assert!(Instant::now() < deadline, "the server does not answer");
            sleep(Duration::from_millis(10)).await;
        }
    }

    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder.path().join("log")).unwrap()).into_owned()
    }

    pub fn hide(&mut self, what: &'static str, text: &str) {
        self.hide_but(what, text, &[]);
    }

    pub fn hide_but(&mut self, what: &'static str, text: &str, told_by: &'static [&'static str]) {
        assert!(text.len() > 20, "{what} could be found by chance");
        self.secrets.push(Secret { what, text: text.to_owned(), told_by });
    }

    /// Returns the access token and the refresh token of a response.
    pub fn tokens(&mut self, answer: &HttpResponse) -> (String, String) {
        let tokens = &answer.body["data"]["tokens"];
        let [access, refresh] = ["accessToken", "refreshToken"].map(|name| tokens[name].as_str().unwrap().to_owned());
        for (what, token) in [("an access token", &access), ("a refresh token", &refresh)] {
            self.hide_but(what, token, HAND_OUT);
        }
        (access, refresh)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.at))
    }

    pub async fn send(&mut self, call: &str, request: RequestBuilder) -> HttpResponse {
        let answer = contract::send(request).await;
        let status = answer.status.as_u16();
        // Pages are errors in a build without the web app.
        assert!(status < 500 || call == "page", "{call}: {status}");
        let all = |name| answer.headers.get_all(name).iter().map(|value| value.to_str().unwrap().to_owned());
        let location = all(header::LOCATION).next().unwrap_or_default();
        let set = all(header::SET_COOKIE).filter(|line| !line.contains("Max-Age=0"));
        let cookies = set.map(|line| line.split(';').next().unwrap().to_owned()).collect::<Vec<_>>().join("; ");
        let headers = format!("{:?}", answer.headers);
        let text = answer.text();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        self.answers.push((call.to_owned(), format!("{headers}\n{text}")));
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

    pub async fn get(&mut self, call: &str, path_and_query: &str, cookies: &str) -> HttpResponse {
        let request = self.request(Method::GET, path_and_query).header(header::COOKIE, cookies);
        // The header that a browser would send with the next request if the `Referrer-Policy` did not forbid it.
        let referer = format!("{}{path_and_query}", self.at);
        self.send(call, request.header(header::REFERER, referer)).await
    }

    /// Waits for the next mail whose subject starts with `subject`.
    pub async fn mail(&mut self, subject: &str) -> String {
        loop {
            let mail = self.mails.next().await;
            if mail.subject.starts_with(subject) {
                return mail.text;
            }
        }
    }

    pub async fn next_code(&mut self) -> String {
        let code = code_in(&self.mail("Your code").await);
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

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
