//! Error reports from browsers, and the request log.

use crate::admin::{Installation, Server, first_mail};
use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, SUPER_ADMIN, TestApp, client, read_code};
use forecourt::platform::clock::MINUTE;
use forecourt_core::text::{BODY_TOO_LARGE, NOT_JSON};
use serde_json::{Value, json};

const LOGS: &str = "/api/logs";

#[tokio::test]
async fn every_signed_in_user_can_send_a_report() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NO_ROLE, OTHER_ADMIN] {
        let token = app.sign_in(email).await;
        let response = app.post(LOGS, Some(&token), json!({"message": "a.js: x is undefined", "level": 7})).await;
        assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)), "{email}");
    }
    assert_eq!(app.post(LOGS, None, json!({"message": "x"})).await.status, 401);
}

#[tokio::test]
async fn w5_a_report_has_at_most_4_kb() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let report = |n: usize| json!({"message": "x".repeat(n)});
    let overhead = report(0).to_string().len();
    assert_eq!(app.post(LOGS, Some(&token), report(4096 - overhead)).await.status, 200);
    let response = app.post(LOGS, Some(&token), report(4097 - overhead)).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (413, &json!(BODY_TOO_LARGE.as_str())));
    for bad in [json!({}), json!({"message": " \r\n"}), json!({"message": {}}), json!([]), json!("x")] {
        assert_eq!(app.post(LOGS, Some(&token), bad).await.status, 400);
    }
    let response = app.send(app.request(reqwest::Method::POST, LOGS, Some(&token)).body("message=x")).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (415, &json!(NOT_JSON.as_str())));
}

#[tokio::test]
async fn w5_a_session_can_send_60_reports_a_minute() {
    let app = TestApp::start().await;
    let (token, another) = (app.sign_in(CLERK).await, app.sign_in(CLERK).await);
    for _ in 0..60 {
        assert_eq!(app.post(LOGS, Some(&token), json!({"message": "x"})).await.status, 200);
    }
    let response = app.post(LOGS, Some(&token), json!({"message": "x"})).await;
    assert_eq!((response.status.as_u16(), response.headers["retry-after"].to_str().unwrap()), (429, "60"));
    assert_eq!(app.post(LOGS, Some(&another), json!({"message": "x"})).await.status, 200);
    app.advance(MINUTE);
    assert_eq!(app.post(LOGS, Some(&token), json!({"message": "x"})).await.status, 200);
}

/// Returns the log of a real server process after these reports.
async fn log_of_reports(format: &str, messages: &[&str]) -> String {
    let installation = Installation::new().await;
    let flags = ["--admin-email", SUPER_ADMIN, "--admin-password", PASSWORD, "--log-format", format];
    let server = Server::start(&installation, &flags);
    server.post("/api/auth/login", json!({"email": SUPER_ADMIN, "password": PASSWORD, "deviceId": "d"})).await;
    let otp = read_code(&first_mail(installation.folder.path()));
    let signed_in =
        server.post("/api/auth/verify-otp", json!({"email": SUPER_ADMIN, "otp": otp, "deviceId": "d"})).await;
    let token = signed_in["data"]["tokens"]["accessToken"].as_str().unwrap().to_owned();
    for message in messages {
        let call = client().post(format!("{}{LOGS}", server.address)).bearer_auth(&token);
        assert_eq!(call.json(&json!({"message": message})).send().await.unwrap().status(), 200);
    }
    server.stop()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_json_line_about_a_mail_has_one_message_and_the_id_of_the_mail() {
    let log = log_of_reports("json", &[]).await;
    let line = log.lines().find(|line| line.contains("wrote a mail to the outbox")).unwrap();
    assert_eq!(line.matches(r#""message":"#).count(), 1, "{line}");
    let mail = serde_json::from_str::<Value>(line).unwrap()["mail"].as_str().map(uuid::Uuid::parse_str);
    assert!(matches!(mail, Some(Ok(_))), "{line}");
}

/// Texts that try to forge log lines, control a terminal, or run commands in a log viewer.
const FORGED: [&str; 5] = [
    "one\r\n{\"level\":\"ERROR\",\"message\":\"forged\",\"target\":\"forecourt\"}",
    "two\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m",
    "three\u{2028}next\u{85}next\u{0}",
    "four ${jndi:ldap://x/a} \"},{\"level\":\"ERROR\"",
    "five \u{202e}txet",
];

#[tokio::test(flavor = "multi_thread")]
async fn w5_a_report_is_always_one_valid_json_line() {
    let log = log_of_reports("json", &FORGED).await;
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let reported: Vec<&Value> = lines.iter().filter(|line| line["target"] == "browser").collect();
    let texts: Vec<&str> = reported.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts[0], FORGED[0].replace("\r\n", " "));
    assert_eq!(texts[1], "two [2J ]0;owned 31m");
    assert_eq!(texts[2], "three next next");
    assert_eq!(texts[3..], FORGED[3..]);
    for line in reported {
        assert_eq!((&line["level"], &line["message"]), (&json!("INFO"), &json!("a browser reports")));
    }
    assert!(!lines.iter().any(|line| line["message"] == "forged"));
}

#[tokio::test(flavor = "multi_thread")]
async fn w5_a_report_contains_no_terminal_control_characters() {
    let log = log_of_reports("pretty", &FORGED).await;
    assert_eq!(log.lines().filter(|line| line.contains("a browser reports")).count(), FORGED.len());
    let steering = log.lines().find(|line| line.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{2028}']));
    assert_eq!(steering, None);
}

#[tokio::test]
async fn a_log_that_cannot_be_written_does_not_stop_the_server() {
    let mut server = crate::server::Server::start().await;
    // On SQLite there can be only one server.
    server.stop();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let node = server.start_node_with_log(full.into(), &["--log", "debug"]).await;
    for _ in 0..3 {
        assert_eq!(node.get("/api/contacts").await["success"], true);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_request_log_has_the_user_and_the_reason_of_a_rejection() {
    let installation = Installation::new().await;
    let flags = ["--admin-email", SUPER_ADMIN, "--admin-password", PASSWORD, "--log-format", "json"];
    let server = Server::start(&installation, &flags);
    let login = |email: &str, password: &str| json!({"email": email, "password": password, "deviceId": "d"});
    server.post("/api/auth/login", login("nobody@platform.example", PASSWORD)).await;
    server.post("/api/auth/login", login(SUPER_ADMIN, "guess")).await;
    server.post("/api/auth/login", login(SUPER_ADMIN, PASSWORD)).await;
    let otp = read_code(&first_mail(installation.folder.path()));
    let code = |otp: &str| json!({"email": SUPER_ADMIN, "otp": otp, "deviceId": "d"});
    server.post("/api/auth/verify-otp", code(&crate::helpers::wrong_code(&otp))).await;
    let signed_in = server.post("/api/auth/verify-otp", code(&otp)).await;
    let token = signed_in["data"]["tokens"]["accessToken"].as_str().unwrap().to_owned();
    let as_user = |call: reqwest::RequestBuilder| call.bearer_auth(&token).json(&json!({}));
    as_user(client().post(format!("{}/api/menu/create-menu", server.address))).send().await.unwrap();
    as_user(client().post(format!("{}/api/auth/logout", server.address))).send().await.unwrap();
    as_user(client().post(format!("{}/api/auth/logout", server.address))).send().await.unwrap();
    let log = server.stop();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    let lines: Vec<Value> = lines.filter(|line| line["message"] == "responded").collect();
    let user = lines[1]["span"]["user"].as_str().unwrap();
    assert!(uuid::Uuid::parse_str(user).is_ok(), "{user}");
    let reported_requests = lines.iter().map(|line| {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let route = word(&line["route"]).rsplit('/').next().unwrap().to_owned();
        (route, line["status"].as_u64().unwrap(), word(&line["reason"]), line["span"]["user"] == user)
    });
    let expected = [
        ("login", 401, "wrong_credentials", false),
        ("login", 401, "wrong_credentials", true),
        ("login", 200, "", true),
        ("verify-otp", 400, "invalid", true),
        ("verify-otp", 200, "", true),
        ("create-menu", 409, "conflict", true),
        ("logout", 200, "", true),
        ("logout", 401, "session_expired", false),
    ];
    let expected = expected.map(|(route, status, reason, is_theirs)| (route.into(), status, reason.into(), is_theirs));
    assert_eq!(reported_requests.collect::<Vec<(String, u64, String, bool)>>(), expected);
    assert!(!log.contains("nobody@platform.example"));
}
