//! Mail: the outbox, and a mail server that takes, refuses or is not there.

use crate::app::{CLERK, NOBODY, PASSWORD, TestApp, code_in};
use forecourt::clock::{MINUTE, SECOND};
use forecourt::mail::{self, MailMessage};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What a mail server was given.
type Taken = Arc<Mutex<Vec<String>>>;

/// The least of a mail server (RFC 5321): says `to_recipient` to every recipient, and keeps what it is sent.
async fn serve_smtp(listener: TcpListener, to_recipient: &'static str, taken: Taken) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(talk(stream, to_recipient, taken.clone()));
    }
}

async fn talk(stream: TcpStream, to_recipient: &'static str, taken: Taken) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 test\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let answer = match line.get(..4).unwrap_or_default().to_ascii_uppercase().as_str() {
            "RCPT" => to_recipient,
            "DATA" => {
                write.write_all(b"354 go on\r\n").await?;
                let mut mail = String::new();
                while let Some(line) = lines.next_line().await?.filter(|l| l != ".") {
                    mail.push_str(&line);
                    mail.push('\n');
                }
                taken.lock().unwrap().push(mail);
                "250 taken"
            }
            _ => "250 ok",
        };
        write.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}

async fn app_with_server(to_recipient: &'static str) -> (TestApp, Taken) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let taken = Taken::default();
    tokio::spawn(serve_smtp(listener, to_recipient, taken.clone()));
    (TestApp::start_with(&["--smtp-url", &url, "--mail-from", "Åkes Bil <noreply@bil.example>"]).await, taken)
}

async fn ask_for_code(app: &TestApp, email: &str) {
    let form = json!({"email": email, "password": PASSWORD, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, form).await.status, 200);
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    status: String,
    attempts: i32,
    due_at: i64,
    sealed: Vec<u8>,
    last_error: Option<String>,
}

async fn row(app: &TestApp) -> Row {
    app.db().sql("SELECT status, attempts, due_at, sealed, last_error FROM messages").one().await.unwrap()
}

/// The one mail's row, once it is as asked for.
async fn row_once(app: &TestApp, is_so: impl Fn(&Row) -> bool) -> Row {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    loop {
        let row = row(app).await;
        if is_so(&row) {
            return row;
        }
        assert!(tokio::time::Instant::now() < deadline, "still {row:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn without_a_mail_server_mail_is_kept_as_a_file_and_in_the_database() {
    let app = TestApp::start().await;
    ask_for_code(&app, CLERK).await;
    let code = app.next_code(CLERK, 0).await;
    let file = &app.mails(CLERK)[0];
    assert!(file.contains("From: Forecourt <noreply@localhost>"), "{file}");
    assert!(file.contains("Date: Fri, 15 Jan 2027 08:00:00 +0000"), "{file}");
    let subject = file.lines().find(|l| l.starts_with("Subject:")).unwrap();
    assert!(!subject.contains(&code), "{subject}");
    let row = row_once(&app, |r| r.status == "kept").await;
    assert!(!row.sealed.windows(6).any(|w| w == code.as_bytes()));

    ask_for_code(&app, NOBODY).await;
    let _ = app.next_code(NOBODY, 0).await;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    let mails: Vec<MailMessage> = loop {
        let mails = mail::outbox(&app.app).await.unwrap();
        if mails.len() == 2 || tokio::time::Instant::now() > deadline {
            break mails;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let to: Vec<&str> = mails.iter().map(|m| m.to.as_str()).collect();
    assert_eq!(to, [NOBODY, CLERK], "the newest first");
    assert_eq!(code_in(&mails[1].text), code);
    let unfinished = std::fs::read_dir(app.data_dir().join("outbox")).unwrap().flatten();
    assert!(unfinished.into_iter().all(|f| f.path().extension().is_some_and(|e| e == "eml")));
}

#[tokio::test]
async fn a_mail_server_gets_the_mail_and_its_words_are_forgotten() {
    let (app, taken) = app_with_server("250 ok").await;
    ask_for_code(&app, CLERK).await;
    let row = row_once(&app, |r| r.status == "sent").await;
    assert!(row.sealed.is_empty() && row.last_error.is_none(), "{row:?}");
    let mail = taken.lock().unwrap()[0].clone();
    assert!(mail.contains("clerk@nordbil.example") && mail.contains("noreply@bil.example"), "{mail}");
    let verify = json!({"email": CLERK, "otp": code_in(&mail), "deviceId": "d"});
    assert_eq!(app.post("/api/auth/verify-otp", None, verify).await.status, 200);
    assert_eq!(taken.lock().unwrap().len(), 1);
    assert!(!app.data_dir().join("outbox").exists());
}

#[tokio::test]
async fn a_mail_that_is_refused_for_good_is_given_up_and_seen_as_failed() {
    let (app, taken) = app_with_server("550 5.1.1 no such mailbox 012345").await;
    ask_for_code(&app, CLERK).await;
    let row = row_once(&app, |r| r.status == "failed").await;
    assert_eq!(row.attempts, 1);
    assert!(row.sealed.is_empty());
    let error = row.last_error.unwrap();
    assert!(error.contains("550") && error.contains("no such mailbox") && !error.contains("012345"), "{error}");
    assert!(taken.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_mail_server_that_is_away_is_tried_again_until_the_code_is_over() {
    // A port that nobody listens to any more.
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    ask_for_code(&app, CLERK).await;
    let first = row_once(&app, |r| r.last_error.is_some()).await;
    assert_eq!((first.status.as_str(), first.attempts), ("queued", 1));
    assert_eq!(first.due_at, app.app.clock.now() + 2 * SECOND);
    app.pass(2 * SECOND);
    mail::deliver_due(&app.app).await.unwrap();
    let second = row_once(&app, |r| r.attempts == 2 && r.due_at == app.app.clock.now() + 4 * SECOND).await;
    assert!(!second.sealed.is_empty());

    let taken = Taken::default();
    tokio::spawn(serve_smtp(TcpListener::bind(port).await.unwrap(), "250 ok", taken.clone()));
    app.pass(4 * SECOND);
    mail::deliver_due(&app.app).await.unwrap();
    row_once(&app, |r| r.status == "sent" && r.attempts == 3).await;
    assert_eq!(taken.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_mail_that_waited_longer_than_its_code_is_given_up() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::start_with(&["--smtp-url", &format!("smtp://{port}")]).await;
    ask_for_code(&app, CLERK).await;
    row_once(&app, |r| r.last_error.is_some()).await;
    app.pass(10 * MINUTE);
    mail::deliver_due(&app.app).await.unwrap();
    let row = row_once(&app, |r| r.status == "failed").await;
    assert!(row.sealed.is_empty() && row.last_error.is_some());
}

#[tokio::test]
async fn several_nodes_send_each_mail_once() {
    let (app, taken) = app_with_server("250 ok").await;
    let message = MailMessage {
        to: CLERK.into(),
        to_name: "Ada\r\nBcc: eve@example.com".into(),
        subject: "Hello".into(),
        text: "Hello".into(),
        html: "<p>Hello</p>".into(),
    };
    let until = app.app.clock.now() + MINUTE;
    for _ in 0..40 {
        app.app.mail.queue(&app.app, app.nordbil, &message, until).await.unwrap();
    }
    let node = async || while mail::deliver_due(&app.app).await.unwrap() > 0 {};
    tokio::join!(node(), node(), node(), node());
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    loop {
        let count = "SELECT count(*) FROM messages WHERE status = 'sent' AND attempts = 1";
        let (sent,): (i64,) = app.db().sql(count).one().await.unwrap();
        if sent == 40 {
            break;
        }
        assert!(tokio::time::Instant::now() < deadline, "{sent} were sent");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let taken = taken.lock().unwrap();
    assert_eq!(taken.len(), 40);
    assert!(taken.iter().all(|m| !m.to_ascii_lowercase().contains("\nbcc:")), "{}", taken[0]);
}

#[test]
fn a_test_mail_says_in_one_line_what_became_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |flags: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_forecourt"));
        command.args(["mail", "test", "--data-dir", &folder.path().display().to_string()]).args(flags).output().unwrap()
    };
    let kept = run(&["--to", "ada@example.se"]);
    assert!(kept.status.success() && String::from_utf8_lossy(&kept.stdout).contains("FORECOURT_SMTP_URL"));
    assert_eq!(std::fs::read_dir(folder.path().join("outbox")).unwrap().count(), 1);
    for flags in [["--to", "nobody", "--brand", "x"], ["--to", "a@b.se", "--smtp-url", "smtp://127.0.0.1:1"]] {
        let refused = run(&flags);
        let line = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && line.trim_end().lines().count() == 1, "{line}");
        assert!(line.contains(flags[1]), "{line}");
    }
}
