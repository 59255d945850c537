//! Starting the program: invalid settings, unreachable databases, ports in use, and the demo.

use crate::app::TestApp;
use crate::server::Server;
use axum::body::Body;
use axum::http::{Request, header};
use forecourt::app::demo::mailbox;
use forecourt::app::router;
use std::process::Command;
use tower::ServiceExt;

fn forecourt(args: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_forecourt")).args(args).output().unwrap()
}

/// Runs the program with these arguments. Asserts that it fails with one line of error, and returns the line.
fn error_line(args: &[&str]) -> String {
    let output = forecourt(args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{args:?} must fail");
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    text
}

#[tokio::test]
async fn the_health_route_reports_a_ready_server() {
    let app = TestApp::start().await;
    let response = app.get("/api/health", None).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.body["success"], true);
}

#[test]
fn an_invalid_setting_stops_the_start_with_one_line_that_says_what_is_right() {
    for (flag, value, words) in [
        ("--listen", "localhost:9103", "such as 127.0.0.1:8080"),
        ("--metrics-listen", ":9103", "such as 127.0.0.1:8080"),
        ("--password-min", "5", "6..=256"),
        ("--database-url", "mysql://x", "sqlite:PATH or postgres://"),
        ("--database-url", "", "sqlite:PATH or postgres://"),
        ("--database-url", "postgres://ada:hun#ter2@db.example/cars", "%23"),
        ("--public-url", "ftp://x", "such as https://cars.example"),
        ("--oidc-issuer", "login.example", "such as https://login.example"),
        ("--smtp-url", "http://x", "such as smtps://user:password@mail.example"),
        ("--smtp-url", "mail.example", "such as smtps://user:password@mail.example"),
        ("--smtp-url", "smtp://ada:hun/ter2@mail.example", "%2F"),
        ("--mail-from", "me", "such as Forecourt <noreply@cars.example>"),
        ("--secret-key", "abc", "64 hexadecimal digits"),
        ("--data-keys", "abc", "64 hexadecimal digits"),
        ("--log", "a=b=c", "a=b=c"),
        ("--log-format", "xml", "json"),
        ("--trusted-proxies", "10.0.0.0/8", "ranges are not supported"),
    ] {
        let line = error_line(&["serve", flag, value]);
        let variable = format!("(FORECOURT_{})", flag[2..].to_uppercase().replace('-', "_"));
        for part in [flag, &variable, words] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

#[test]
fn a_public_url_other_than_an_origin_is_rejected_with_an_example() {
    for url in
        ["https://cars.example/office", "https://cars.example?a=b", "https://ada@cars.example", "cars.example", ""]
    {
        let line = error_line(&["serve", "--public-url", url]);
        assert!(line.contains("https://cars.example, without a path"), "{line}");
    }
}

#[test]
fn an_unreachable_database_stops_the_start_without_showing_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display().to_string();
    let url = "postgres://ada:hunter2@127.0.0.1:1/none";
    let line = error_line(&["serve", "--data-dir", &folder, "--database-url", url]);
    assert!(line.contains("Connection refused") && line.contains("is PostgreSQL running at 127.0.0.1:1?"), "{line}");
    assert!(!line.contains("hunter2"), "{line}");
    let line = error_line(&["serve", "--data-dir", &folder, "--database-url", "sqlite:/nowhere/at/all.db"]);
    assert!(line.contains("can't open"), "{line}");
}

#[test]
fn an_invalid_secret_setting_is_rejected_without_being_shown() {
    for (flag, value) in [
        ("--secret-key", "ab12hunter2"),
        ("--data-keys", "0101010101010101010101010101010101010101010101010101010101010101,ab12hunter2"),
        ("--smtp-url", "smpt://ada:hunter2@mail.example"),
        ("--database-url", "postgress://ada:hunter2@db.example/x"),
        ("--database-url", "postgres://ada:hun#ter2@db.example/x"),
    ] {
        let line = error_line(&["serve", flag, value]);
        assert!(line.contains(flag) && !line.contains("ter2"), "{line}");
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("data").display().to_string();
    let url = "postgres://ada@127.0.0.1:1/x?password=hun#ter2";
    let line = error_line(&["serve", "--data-dir", &folder, "--database-url", url]);
    assert!(line.contains("can't open") && !line.contains("ter2"), "{line}");
}

#[test]
fn a_missing_argument_is_named_in_one_line() {
    let line = error_line(&["serve", "--admin-email", "ada@example.se"]);
    assert!(line.contains("--admin-password"), "{line}");
    assert!(error_line(&["admin", "create"]).contains("--email"));
    assert!(error_line(&["sreve"]).contains("sreve"));
}

#[test]
fn the_demo_serves_only_this_machine_and_its_own_data() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display().to_string();
    let demo = |flags: &[&str]| error_line(&[&["demo", "--data-dir", &folder, "--log", "error"], flags].concat());
    assert!(demo(&["--listen", "0.0.0.0:0"]).contains("loopback address only"));
    assert!(demo(&["--database-url", "sqlite::memory:"]).contains("FORECOURT_DATABASE_URL"));
    assert!(demo(&["--smtp-url", "smtp://mail.example"]).contains("FORECOURT_SMTP_URL"));
    assert!(forecourt(&["migrate", "--data-dir", &folder]).status.success());
    assert!(demo(&[]).contains("another folder"));
}

#[tokio::test]
async fn the_demo_accepts_only_requests_whose_host_is_this_machine() {
    let app = TestApp::start().await;
    let mut demo = app.app.clone();
    demo.mailbox = Some(mailbox::PATH);
    for (host, status) in [
        ("127.0.0.1:8080", 200),
        ("LOCALHOST:8080", 200),
        ("[::1]:8080", 200),
        ("localhost", 200),
        ("cars.example:8080", 400),
        ("127.0.0.1.cars.example", 400),
        ("localhost.cars.example", 400),
        ("192.0.2.7:8080", 400),
        ("", 400),
    ] {
        let request = Request::get(mailbox::PATH).header(header::HOST, host).body(Body::empty()).unwrap();
        let response = router(&demo).oneshot(request).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{host}");
    }
}

#[tokio::test]
async fn a_second_server_on_one_sqlite_database_does_not_start() {
    let server = Server::start().await;
    if !server.is_on_sqlite() {
        return;
    }
    let folder = server.folder().display().to_string();
    let line = error_line(&["serve", "--data-dir", &folder, "--listen", "127.0.0.1:0", "--log", "error"]);
    assert!(line.contains("another server uses") && line.contains(&folder), "{line}");
    assert!(forecourt(&["migrate", "--data-dir", &folder]).status.success(), "commands run beside a server");
}

#[test]
fn a_port_in_use_stops_the_start_with_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display().to_string();
    let output = forecourt(&["serve", "--data-dir", &folder, "--listen", &address, "--log", "error"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.lines().count() == 1 && text.contains(&address), "{text}");
}
