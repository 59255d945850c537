//! Mail sent to a real mail server that accepts or rejects it, does not respond, or closes the connection.

use crate::app::{CLERK, NO_ROLE, PASSWORD, TestApp, read_code};
use crate::equal_work::measure_work;
use crate::helpers::{advance_time, count, login, wait_until};
use crate::mail::{start_with_failed_mail, trigger_code_mail, wait_for_row};
use crate::smtp::{MailServer, Mailbox, ReceivedMail};
use forecourt::platform::clock::SECOND;
use forecourt::platform::mail;
use serde_json::json;
use std::time::Duration;
use tokio::net::TcpListener;

async fn app_with(server: &MailServer, flags: &[&str]) -> TestApp {
    let url = server.url();
    TestApp::start_with(&[&["--smtp-url", &url, "--mail-from", "Åkes Bil <noreply@bil.example>"], flags].concat()).await
}

async fn set_name(app: &TestApp, first: &str, last: &str) {
    let sql = app.db().sql("UPDATE users SET first_name = $1, last_name = $2 WHERE email = $3");
    sql.bind(first.to_owned()).bind(last.to_owned()).bind(CLERK).exec().await.unwrap();
}

async fn verify_code(app: &TestApp, mail: &ReceivedMail) -> u16 {
    let form = json!({"email": CLERK, "otp": read_code(&mail.text), "deviceId": "d"});
    app.post("/api/auth/verify-otp", None, form).await.status.as_u16()
}

/// Advances the clock by this many microseconds, and delivers the mails that are due.
async fn deliver_after(app: &TestApp, micros: i64) {
    app.advance(micros);
    mail::deliver_due(&app.app).await.unwrap();
}

/// Asserts that a mail's text has lines of at most 78 characters, except the link, and no HTML.
fn assert_fits_a_terminal(text: &str, link: &str) {
    assert!(text.lines().all(|l| l == link || l.chars().count() <= 78), "{text}");
    assert!(!text.contains('<') && !text.contains("&amp;"), "{text}");
}

#[tokio::test]
async fn a_code_is_mailed_as_text_and_html_and_deleted_once_sent() {
    let mut server = MailServer::start(json!({})).await;
    let app = app_with(&server, &["--brand", "Åkes Bil & Co"]).await;
    set_name(&app, "Åsa", "Öberg").await;
    trigger_code_mail(&app, CLERK).await;
    let mail = server.next().await;
    assert_eq!(mail.recipients, [CLERK]);
    assert_eq!(mail.from, Mailbox { name: "Åkes Bil".into(), address: "noreply@bil.example".into() });
    assert_eq!(mail.to, [Mailbox { name: "Åsa Öberg".into(), address: CLERK.into() }]);
    assert_eq!(mail.subject, "Your code to sign in to Åkes Bil & Co");
    assert_eq!(mail.date, "2027-01-15T08:00:00.000Z");
    assert!(mail.id.ends_with("@bil.example>"), "{}", mail.id);
    assert!(mail.types.starts_with("multipart/alternative"), "{}", mail.types);
    // The HTML part comes last, because mail programs prefer the last part (RFC 2046, section 5.1.4).
    assert!(mail.raw.find("text/plain") < mail.raw.find("text/html"), "{}", mail.raw);
    assert!(mail.raw.is_ascii() && mail.raw.lines().all(|l| l.len() <= 78), "{}", mail.raw);

    assert!(mail.text.starts_with("Hello Åsa,\n") && mail.text.trim_end().ends_with("Åkes Bil & Co"), "{}", mail.text);
    assert_fits_a_terminal(&mail.text, "");
    let code = read_code(&mail.text);
    assert!(mail.html.contains(&format!(">{code}<")) && mail.html.contains("Åkes Bil &amp; Co"), "{}", mail.html);
    assert!(!mail.subject.contains(&code));

    let row = wait_for_row(&app, |r| r.status == "sent").await;
    assert!(row.sealed.is_empty() && row.last_error.is_none() && row.attempts == 1, "{row:?}");
    assert_eq!(verify_code(&app, &mail).await, 200);
    assert!(server.accept_all_and_take_mails().await.is_empty());
    assert!(!app.data_dir().join("outbox").exists());
}

#[tokio::test]
async fn a_reset_link_is_mailed_on_a_single_line() {
    let mut server = MailServer::start(json!({})).await;
    let app = app_with(&server, &["--public-url", "https://cars.example"]).await;
    set_name(&app, "Åsa", "Öberg").await;
    assert_eq!(app.post("/api/auth/forgot-password", None, json!({"email": CLERK})).await.status, 200);
    let mail = server.next().await;
    assert_eq!(mail.subject, "Reset your password for Forecourt");
    let link = mail.text.lines().find(|l| l.starts_with("https://")).unwrap();
    let token = link.strip_prefix("https://cars.example/reset-password?token=").unwrap();
    assert!(mail.html.contains(&format!("href=\"{link}\"")), "{}", mail.html);
    assert_fits_a_terminal(&mail.text, link);
    let form = json!({"token": token, "password": "another-long-password", "confirmPassword": "another-long-password"});
    assert_eq!(app.post("/api/auth/reset-password", None, form).await.status, 200);
}

#[tokio::test]
async fn w8_a_name_with_line_breaks_adds_no_mail_header() {
    let mut server = MailServer::start(json!({})).await;
    let app = app_with(&server, &["--brand", "Bil\r\nBcc: eve@example.com"]).await;
    trigger_code_mail(&app, CLERK).await;
    let expected_headers = server.next().await.headers;
    for (first, last) in [
        ("Ada\r\nBcc: eve@example.com", "Lindqvist"),
        ("Ada", "x\nReply-To: eve@example.com\n\n<b>Pay here</b>"),
        ("\"Ada\" <eve@example.com>,", "\r\n\t\u{2028}\u{0}=?utf-8?q?=0D=0ABcc:_eve=40example.com?="),
    ] {
        // NUL is removed before the name is stored, because PostgreSQL accepts no NUL in texts.
        set_name(&app, first, &last.replace('\0', "")).await;
        trigger_code_mail(&app, CLERK).await;
        let mail = server.next().await;
        assert_eq!(mail.headers, expected_headers, "{}", mail.raw);
        assert_eq!(mail.recipients, [CLERK]);
        let to: Vec<&str> = mail.to.iter().map(|to| to.address.as_str()).collect();
        assert_eq!(to, [CLERK], "{}", mail.raw);
        assert!(!mail.html.contains("<b>"), "{}", mail.html);
    }
}

#[tokio::test]
async fn a_permanently_rejected_mail_is_marked_as_failed() {
    let refusal = format!("550 5.1.1 <{CLERK}> has no mailbox, nor has 012345");
    let mut server = MailServer::start(json!({"recipient": refusal})).await;
    let app = app_with(&server, &[]).await;
    trigger_code_mail(&app, CLERK).await;
    let row = wait_for_row(&app, |r| r.status == "failed").await;
    assert_eq!(row.attempts, 1);
    assert!(row.sealed.is_empty());
    let error = row.last_error.unwrap();
    assert!(error.contains("550") && error.contains("has no mailbox"), "{error}");
    assert!(!error.contains("012345") && !error.contains('@'), "{error}");
    assert!(server.accept_all_and_take_mails().await.is_empty());
}

#[tokio::test]
async fn a_temporarily_rejected_mail_is_retried_with_the_same_message_id() {
    let mut server = MailServer::start(json!({"connect": "421 4.3.2 Closing down"})).await;
    let app = app_with(&server, &[]).await;
    trigger_code_mail(&app, CLERK).await;
    let first = wait_for_row(&app, |r| r.last_error.is_some()).await;
    assert_eq!((first.status.as_str(), first.attempts), ("queued", 1));
    assert!(first.last_error.unwrap().contains("421"));

    server.configure(json!({"data": "451 4.7.1 Come back later"})).await;
    deliver_after(&app, 2 * SECOND).await;
    let second = wait_for_row(&app, |r| r.attempts == 2 && r.due_at == app.app.clock.now() + 4 * SECOND).await;
    assert!(second.last_error.unwrap().contains("451"));
    let rejected = server.next().await;

    server.configure(json!({"breakOff": true})).await;
    deliver_after(&app, 4 * SECOND).await;
    wait_for_row(&app, |r| r.attempts == 3 && r.due_at == app.app.clock.now() + 8 * SECOND).await;
    let broken_off = server.next().await;

    server.configure(json!({})).await;
    deliver_after(&app, 8 * SECOND).await;
    wait_for_row(&app, |r| r.status == "sent" && r.attempts == 4).await;
    let accepted = server.next().await;
    // All attempts send the same id, date and text, so that a mailbox can recognize a mail that it receives twice.
    for other in [&rejected, &broken_off] {
        assert_eq!((&other.id, &other.date, &other.text), (&accepted.id, &accepted.date, &accepted.text));
    }
    assert_eq!(verify_code(&app, &accepted).await, 200);
}

#[tokio::test]
async fn a_login_does_the_same_work_in_every_state_of_the_mail_server() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let unreachable = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    let (accepting_server, mut server) =
        (MailServer::start(json!({})).await, MailServer::start(json!({"hold": true})).await);
    let (accepting, silent) = (app_with(&accepting_server, &[]).await, app_with(&server, &[]).await);
    let mut seen = Vec::new();
    for app in [&unreachable, &accepting, &silent] {
        let node = app.start_another_node().await;
        seen.push(measure_work(&node, async || login(&node, CLERK, PASSWORD).await).await);
    }
    assert_eq!((seen[0].status, seen[0].hashes, seen[0].queued), (200, 1, 1));
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");

    // While the server does not respond to one mail, other users can sign in.
    let _ = server.next().await;
    assert_eq!(login(&silent, NO_ROLE, PASSWORD).await.status, 200);
    assert_eq!(count(&silent, "SELECT count(*) FROM messages WHERE status = 'queued'").await, 2);
    server.configure(json!({})).await;
    let sent = "SELECT count(*) FROM messages WHERE status = 'sent' AND attempts = 1";
    wait_until("both are sent", async || count(&silent, sent).await == 2).await;
}

#[tokio::test]
async fn a_silent_mail_server_times_out_and_the_mail_is_retried() {
    let mut server = MailServer::start(json!({"hold": true})).await;
    let app = app_with(&server, &[]).await;
    trigger_code_mail(&app, CLERK).await;
    let first = server.next().await;
    advance_time(Duration::from_secs(45)).await;
    let row = wait_for_row(&app, |r| r.last_error.is_some()).await;
    assert_eq!((row.status.as_str(), row.attempts), ("queued", 1));
    server.configure(json!({})).await;
    deliver_after(&app, 2 * SECOND).await;
    wait_for_row(&app, |r| r.status == "sent").await;
    assert_eq!(server.next().await.id, first.id);
}

#[tokio::test]
async fn after_an_outage_only_the_newest_code_is_mailed() {
    let (app, address, _) = start_with_failed_mail().await;
    app.advance(30 * SECOND);
    let again = json!({"email": CLERK, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/resend-otp", None, again).await.status, 200);
    wait_for_row(&app, |r| r.last_error.is_some()).await;

    let mut server = MailServer::start(json!({"port": address.port()})).await;
    deliver_after(&app, 4 * SECOND).await;
    let mail = server.next().await;
    wait_for_row(&app, |r| r.status == "sent").await;
    assert_eq!(verify_code(&app, &mail).await, 200);
    deliver_after(&app, 300 * SECOND).await;
    assert!(server.accept_all_and_take_mails().await.is_empty(), "a withdrawn mail is not sent");
    let waiting: i64 = app.db().sql("SELECT count(*) FROM messages WHERE status = 'queued'").value().await.unwrap();
    assert_eq!(waiting, 0);
}
