//! Mail as it arrives at a real mail server, and what becomes of it when that server refuses, is silent, or breaks off.

use crate::app::{CLERK, NOBODY, PASSWORD, TestApp, code_in};
use crate::mail::{ask_for_code, row_once};
use crate::sameness::see;
use crate::smtp::{Arrived, MailServer, Mailbox};
use crate::steps::{count, login, skip, until};
use forecourt::platform::clock::SECOND;
use forecourt::platform::mail;
use serde_json::json;
use std::time::Duration;
use tokio::net::TcpListener;

async fn app_with(server: &MailServer, flags: &[&str]) -> TestApp {
    let url = server.url();
    TestApp::start_with(&[&["--smtp-url", &url, "--mail-from", "Åkes Bil <noreply@bil.example>"], flags].concat()).await
}

async fn name(app: &TestApp, first: &str, last: &str) {
    let sql = app.db().sql("UPDATE users SET first_name = $1, last_name = $2 WHERE email = $3");
    sql.bind(first.to_owned()).bind(last.to_owned()).bind(CLERK).exec().await.unwrap();
}

async fn redeem(app: &TestApp, mail: &Arrived) -> u16 {
    let form = json!({"email": CLERK, "otp": code_in(&mail.text), "deviceId": "d"});
    app.post("/api/auth/verify-otp", None, form).await.status.as_u16()
}

/// Tries once more what is due after so long.
async fn after(app: &TestApp, micros: i64) {
    app.pass(micros);
    mail::deliver_due(&app.app).await.unwrap();
}

fn assert_fits_a_terminal(text: &str, longer: &str) {
    assert!(text.lines().all(|l| l == longer || l.chars().count() <= 78), "{text}");
    assert!(!text.contains('<') && !text.contains("&amp;"), "{text}");
}

#[tokio::test]
async fn a_code_arrives_as_text_and_html_and_its_words_are_forgotten() {
    let mut server = MailServer::start(json!({})).await;
    let app = app_with(&server, &["--brand", "Åkes Bil & Co"]).await;
    name(&app, "Åsa", "Öberg").await;
    ask_for_code(&app, CLERK).await;
    let mail = server.next().await;
    assert_eq!(mail.recipients, [CLERK]);
    assert_eq!(mail.from, Mailbox { name: "Åkes Bil".into(), address: "noreply@bil.example".into() });
    assert_eq!(mail.to, [Mailbox { name: "Åsa Öberg".into(), address: CLERK.into() }]);
    assert_eq!(mail.subject, "Your code to sign in to Åkes Bil & Co");
    assert_eq!(mail.date, "2027-01-15T08:00:00.000Z");
    assert!(mail.id.ends_with("@bil.example>"), "{}", mail.id);
    assert!(mail.types.starts_with("multipart/alternative"), "{}", mail.types);
    // The best part comes last (RFC 2046, 5.1.4).
    assert!(mail.raw.find("text/plain") < mail.raw.find("text/html"), "{}", mail.raw);
    assert!(mail.raw.is_ascii() && mail.raw.lines().all(|l| l.len() <= 78), "{}", mail.raw);

    assert!(mail.text.starts_with("Hello Åsa,\n") && mail.text.trim_end().ends_with("Åkes Bil & Co"), "{}", mail.text);
    assert_fits_a_terminal(&mail.text, "");
    let code = code_in(&mail.text);
    assert!(mail.html.contains(&format!(">{code}<")) && mail.html.contains("Åkes Bil &amp; Co"), "{}", mail.html);
    assert!(!mail.subject.contains(&code));

    let row = row_once(&app, |r| r.status == "sent").await;
    assert!(row.sealed.is_empty() && row.last_error.is_none() && row.attempts == 1, "{row:?}");
    assert_eq!(redeem(&app, &mail).await, 200);
    assert!(server.rest().await.is_empty());
    assert!(!app.data_dir().join("outbox").exists());
}

#[tokio::test]
async fn the_link_to_a_new_password_arrives_whole_on_a_line_of_its_own() {
    let mut server = MailServer::start(json!({})).await;
    let app = app_with(&server, &["--public-url", "https://cars.example/office"]).await;
    name(&app, "Åsa", "Öberg").await;
    assert_eq!(app.post("/api/auth/forgot-password", None, json!({"email": CLERK})).await.status, 200);
    let mail = server.next().await;
    assert_eq!(mail.subject, "Reset your password for Forecourt");
    let link = mail.text.lines().find(|l| l.starts_with("https://")).unwrap();
    let token = link.strip_prefix("https://cars.example/office/reset-password?token=").unwrap();
    assert!(mail.html.contains(&format!("href=\"{link}\"")), "{}", mail.html);
    assert_fits_a_terminal(&mail.text, link);
    let form = json!({"token": token, "password": "another-long-password", "confirmPassword": "another-long-password"});
    assert_eq!(app.post("/api/auth/reset-password", None, form).await.status, 200);
}

#[tokio::test]
async fn w8_a_name_with_line_breaks_adds_no_header() {
    let mut server = MailServer::start(json!({})).await;
    let app = app_with(&server, &["--brand", "Bil\r\nBcc: eve@example.com"]).await;
    ask_for_code(&app, CLERK).await;
    let usual = server.next().await.headers;
    for (first, last) in [
        ("Ada\r\nBcc: eve@example.com", "Lindqvist"),
        ("Ada", "x\nReply-To: eve@example.com\n\n<b>Pay here</b>"),
        ("\"Ada\" <eve@example.com>,", "\r\n\t\u{2028}\u{0}=?utf-8?q?=0D=0ABcc:_eve=40example.com?="),
    ] {
        // A NUL is no text to PostgreSQL.
        name(&app, first, &last.replace('\0', "")).await;
        ask_for_code(&app, CLERK).await;
        let mail = server.next().await;
        assert_eq!(mail.headers, usual, "{}", mail.raw);
        assert_eq!(mail.recipients, [CLERK]);
        let to: Vec<&str> = mail.to.iter().map(|to| to.address.as_str()).collect();
        assert_eq!(to, [CLERK], "{}", mail.raw);
        assert!(!mail.html.contains("<b>"), "{}", mail.html);
    }
}

#[tokio::test]
async fn a_mail_that_is_refused_for_good_is_given_up_and_seen_as_failed() {
    let refusal = format!("550 5.1.1 <{CLERK}> has no mailbox, nor has 012345");
    let mut server = MailServer::start(json!({"recipient": refusal})).await;
    let app = app_with(&server, &[]).await;
    ask_for_code(&app, CLERK).await;
    let row = row_once(&app, |r| r.status == "failed").await;
    assert_eq!(row.attempts, 1);
    assert!(row.sealed.is_empty());
    let error = row.last_error.unwrap();
    assert!(error.contains("550") && error.contains("has no mailbox"), "{error}");
    assert!(!error.contains("012345") && !error.contains('@'), "{error}");
    assert!(server.rest().await.is_empty());
}

#[tokio::test]
async fn a_mail_that_is_not_taken_now_is_tried_again_and_stays_the_same_mail() {
    let mut server = MailServer::start(json!({"connect": "421 4.3.2 Closing down"})).await;
    let app = app_with(&server, &[]).await;
    ask_for_code(&app, CLERK).await;
    let first = row_once(&app, |r| r.last_error.is_some()).await;
    assert_eq!((first.status.as_str(), first.attempts), ("queued", 1));
    assert!(first.last_error.unwrap().contains("421"));

    server.say(json!({"data": "451 4.7.1 Come back later"})).await;
    after(&app, 2 * SECOND).await;
    let second = row_once(&app, |r| r.attempts == 2 && r.due_at == app.app.clock.now() + 4 * SECOND).await;
    assert!(second.last_error.unwrap().contains("451"));
    let refused = server.next().await;

    server.say(json!({"breakOff": true})).await;
    after(&app, 4 * SECOND).await;
    row_once(&app, |r| r.attempts == 3 && r.due_at == app.app.clock.now() + 8 * SECOND).await;
    let broken_off = server.next().await;

    server.say(json!({})).await;
    after(&app, 8 * SECOND).await;
    row_once(&app, |r| r.status == "sent" && r.attempts == 4).await;
    let taken = server.next().await;
    // A mailbox that got it twice can tell: it is the same mail to the letter, save for the marks between its parts.
    for other in [&refused, &broken_off] {
        assert_eq!((&other.id, &other.date, &other.text), (&taken.id, &taken.date, &taken.text));
    }
    assert_eq!(redeem(&app, &taken).await, 200);
}

#[tokio::test]
async fn a_sign_in_is_the_same_work_and_answer_whatever_the_mail_server_does() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let away = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    let (taker, mut server) = (MailServer::start(json!({})).await, MailServer::start(json!({"hold": true})).await);
    let (taking, silent) = (app_with(&taker, &[]).await, app_with(&server, &[]).await);
    let mut seen = Vec::new();
    for app in [&away, &taking, &silent] {
        let node = app.another_node().await;
        seen.push(see(&node, async || login(&node, CLERK, PASSWORD).await).await);
    }
    assert_eq!((seen[0].status, seen[0].hashes, seen[0].queued), (200, 1, 1));
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");

    // A mail is there that the server says nothing to: others sign in meanwhile.
    let _ = server.next().await;
    assert_eq!(login(&silent, NOBODY, PASSWORD).await.status, 200);
    assert_eq!(count(&silent, "SELECT count(*) FROM messages WHERE status = 'queued'").await, 2);
    server.say(json!({})).await;
    let sent = "SELECT count(*) FROM messages WHERE status = 'sent' AND attempts = 1";
    until("both are sent", async || count(&silent, sent).await == 2).await;
}

#[tokio::test]
async fn a_mail_server_that_falls_silent_is_left_and_tried_again() {
    let mut server = MailServer::start(json!({"hold": true})).await;
    let app = app_with(&server, &[]).await;
    ask_for_code(&app, CLERK).await;
    let first = server.next().await;
    skip(Duration::from_secs(45)).await;
    let row = row_once(&app, |r| r.last_error.is_some()).await;
    assert_eq!((row.status.as_str(), row.attempts), ("queued", 1));
    server.say(json!({})).await;
    after(&app, 2 * SECOND).await;
    row_once(&app, |r| r.status == "sent").await;
    assert_eq!(server.next().await.id, first.id);
}

#[tokio::test]
async fn once_a_mail_server_is_back_the_newest_code_arrives_alone() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    ask_for_code(&app, CLERK).await;
    row_once(&app, |r| r.last_error.is_some()).await;
    app.pass(30 * SECOND);
    let again = json!({"email": CLERK, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/resend-otp", None, again).await.status, 200);
    row_once(&app, |r| r.last_error.is_some()).await;

    let mut server = MailServer::start(json!({"port": port.port()})).await;
    after(&app, 4 * SECOND).await;
    let mail = server.next().await;
    row_once(&app, |r| r.status == "sent").await;
    assert_eq!(redeem(&app, &mail).await, 200);
    after(&app, 300 * SECOND).await;
    assert!(server.rest().await.is_empty(), "what was withdrawn stays so");
    let (waiting,): (i64,) = app.db().sql("SELECT count(*) FROM messages WHERE status = 'queued'").one().await.unwrap();
    assert_eq!(waiting, 0);
}
