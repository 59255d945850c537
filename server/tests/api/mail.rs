//! The mail queue: the outbox, an unreachable mail server, concurrent deliveries. `mail_server.rs` tests the responses
//! of mail servers.

use crate::app::{CLERK, NO_ROLE, PASSWORD, TestApp, read_code};
use crate::smtp::MailServer;
use forecourt::platform::clock::{MINUTE, SECOND};
use forecourt::platform::mail::{self, MailMessage};
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;

/// Sends the right password, so that a code is mailed.
pub async fn trigger_code_mail(app: &TestApp, email: &str) {
    let form = json!({"email": email, "password": PASSWORD, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, form).await.status, 200);
}

#[derive(Debug, sqlx_macros::FromRow)]
pub struct Row {
    pub status: String,
    pub attempts: i32,
    pub due_at: i64,
    pub sealed: Vec<u8>,
    pub last_error: Option<String>,
}

/// Returns the only row of `messages`.
async fn read_row(app: &TestApp) -> Row {
    app.db().sql("SELECT status, attempts, due_at, sealed, last_error FROM messages").one().await.unwrap()
}

/// Waits until the only row of `messages` satisfies `is_expected`, and returns the row.
pub async fn wait_for_row(app: &TestApp, is_expected: impl Fn(&Row) -> bool) -> Row {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    loop {
        let row = read_row(app).await;
        if is_expected(&row) {
            return row;
        }
        assert!(tokio::time::Instant::now() < deadline, "still {row:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Starts a server that has failed once to mail a code, because its mail server is unreachable. Returns the server, the
/// address at which it expects the mail server, and the mail's row in `messages`.
pub async fn start_with_failed_mail() -> (TestApp, SocketAddr, Row) {
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::start_with(&["--smtp-url", &format!("smtp://{address}")]).await;
    trigger_code_mail(&app, CLERK).await;
    let row = wait_for_row(&app, |r| r.last_error.is_some()).await;
    (app, address, row)
}

#[tokio::test]
async fn without_a_mail_server_mail_is_stored_in_the_outbox() {
    let app = TestApp::start().await;
    trigger_code_mail(&app, CLERK).await;
    let code = app.next_code(CLERK, 0).await;
    let file = &app.mails(CLERK)[0];
    assert!(file.contains("From: Forecourt <noreply@localhost>"), "{file}");
    assert!(file.contains("Date: Fri, 15 Jan 2027 08:00:00 +0000"), "{file}");
    let subject = file.lines().find(|l| l.starts_with("Subject:")).unwrap();
    assert!(!subject.contains(&code), "{subject}");
    let row = wait_for_row(&app, |r| r.status == "kept").await;
    assert!(!row.sealed.windows(6).any(|w| w == code.as_bytes()));

    trigger_code_mail(&app, NO_ROLE).await;
    let _ = app.next_code(NO_ROLE, 0).await;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    let mails: Vec<MailMessage> = loop {
        let mails = mail::outbox(&app.app).await.unwrap();
        if mails.len() == 2 || tokio::time::Instant::now() > deadline {
            break mails;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let to: Vec<&str> = mails.iter().map(|m| m.to.as_str()).collect();
    assert_eq!(to, [NO_ROLE, CLERK], "newest first");
    assert_eq!(read_code(mails[1].text.expose_secret()), code);
    let unfinished = std::fs::read_dir(app.data_dir().join("outbox")).unwrap().flatten();
    assert!(unfinished.into_iter().all(|f| f.path().extension().is_some_and(|e| e == "eml")));
}

#[tokio::test]
async fn mail_is_retried_with_back_off_while_the_mail_server_is_unreachable() {
    // A port without a listener.
    let (app, address, first) = start_with_failed_mail().await;
    assert_eq!((first.status.as_str(), first.attempts), ("queued", 1));
    assert_eq!(first.due_at, app.app.clock.now() + 2 * SECOND);
    app.advance(2 * SECOND);
    mail::deliver_due(&app.app).await.unwrap();
    let second = wait_for_row(&app, |r| r.attempts == 2 && r.due_at == app.app.clock.now() + 4 * SECOND).await;
    assert!(!second.sealed.is_empty());

    let mut server = MailServer::start(json!({"port": address.port()})).await;
    app.advance(4 * SECOND);
    mail::deliver_due(&app.app).await.unwrap();
    wait_for_row(&app, |r| r.status == "sent" && r.attempts == 3).await;
    assert_eq!(server.accept_all_and_take_mails().await.len(), 1);
}

#[tokio::test]
async fn a_mail_fails_once_its_code_has_expired() {
    let (app, ..) = start_with_failed_mail().await;
    app.advance(10 * MINUTE);
    mail::deliver_due(&app.app).await.unwrap();
    let row = wait_for_row(&app, |r| r.status == "failed").await;
    assert!(row.sealed.is_empty() && row.last_error.is_some());
}

#[tokio::test]
async fn concurrent_deliveries_send_each_mail_once() {
    let mut server = MailServer::start(json!({})).await;
    let app = TestApp::start_with(&["--smtp-url", &server.url()]).await;
    let message = MailMessage {
        to: CLERK.into(),
        to_name: "Ada".into(),
        subject: "Hello".into(),
        text: "Hello".into(),
        html: "<p>Hello</p>".into(),
    };
    let expires_at = app.app.clock.now() + MINUTE;
    let mut tx = app.db().begin().await.unwrap();
    for _ in 0..40 {
        app.app.mail.queue(&app.app, &mut tx, app.nordbil, &message, None, expires_at).await.unwrap();
    }
    tx.commit().await.unwrap();
    let deliver = async || while mail::deliver_due(&app.app).await.unwrap() > 0 {};
    tokio::join!(deliver(), deliver(), deliver(), deliver());
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    loop {
        let count = "SELECT count(*) FROM messages WHERE status = 'sent' AND attempts = 1";
        let sent: i64 = app.db().sql(count).value().await.unwrap();
        if sent == 40 {
            break;
        }
        assert!(tokio::time::Instant::now() < deadline, "{sent} were sent");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(server.accept_all_and_take_mails().await.len(), 40);
}
