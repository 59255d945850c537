//! `forecourt mail test`, which checks the mail settings, and TLS connections to a mail server.

use crate::smtp::MailServer;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use tokio::process::Command;

/// Runs `forecourt mail test`, which trusts only `certificate`; if that is `None`, it trusts no certificate.
async fn mail_test(folder: &TempDir, certificate: Option<&Path>, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    command.args(["mail", "test", "--data-dir", &folder.path().display().to_string()]).args(flags);
    command.env("SSL_CERT_FILE", certificate.unwrap_or(Path::new("/nowhere")));
    command.output().await.unwrap()
}

/// Asserts that the command failed with one line of error, and returns the line.
fn error_of_failure(output: &Output) -> String {
    let line = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    assert!(!output.status.success() && output.stdout.is_empty() && line.lines().count() == 1, "{output:?}");
    line
}

fn stdout_of_success(output: &Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Creates a self-signed certificate for `localhost`, and its key.
fn create_certificate(folder: &TempDir) -> (PathBuf, PathBuf) {
    let generated = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, generated.cert.pem()).unwrap();
    std::fs::write(&key, generated.signing_key.serialize_pem()).unwrap();
    (certificate, key)
}

/// Starts a mail server that requires a password, over TLS from the start (`implicit`) or with STARTTLS (`upgrade`).
async fn start_tls_server(folder: &TempDir, tls: &str) -> (MailServer, PathBuf) {
    let (certificate, key) = create_certificate(folder);
    let options = json!({"tls": tls, "certificate": certificate, "key": key, "user": "forecourt", "password": "p@ss"});
    (MailServer::start(options).await, certificate)
}

#[tokio::test]
async fn the_mail_test_reports_its_result_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let kept = mail_test(&folder, None, &["--to", "ada@example.se"]).await;
    assert!(stdout_of_success(&kept).contains("FORECOURT_SMTP_URL"));
    assert_eq!(std::fs::read_dir(folder.path().join("outbox")).unwrap().count(), 1);
    for flags in [["--to", "nobody", "--brand", "x"], ["--to", "a@b.se", "--smtp-url", "smtp://127.0.0.1:1"]] {
        let line = error_of_failure(&mail_test(&folder, None, &flags).await);
        assert!(line.contains(flags[1]), "{line}");
    }
}

#[tokio::test]
async fn the_mail_test_reports_the_response_of_the_mail_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = MailServer::start(json!({})).await;
    let url = server.url();
    let flags = ["--to", "ada@example.se", "--smtp-url", &url, "--brand", "Åkes Bil"];
    assert!(stdout_of_success(&mail_test(&folder, None, &flags).await).contains("accepted a mail to ada@example.se"));
    let mail = server.next().await;
    assert_eq!((mail.recipients, mail.secure, mail.user), (vec!["ada@example.se".to_owned()], false, String::new()));
    assert_eq!(mail.subject, "Test email from Åkes Bil");
    let responses: [(Value, &str); 2] =
        [(json!({"recipient": "550 5.1.1 No such mailbox"}), "550"), (json!({"connect": "421 Closing down"}), "421")];
    for (responses, code) in responses {
        server.configure(responses).await;
        let line = error_of_failure(&mail_test(&folder, None, &flags).await);
        assert!(line.contains(code) && line.contains("ada@example.se"), "{line}");
    }
}

#[tokio::test]
async fn mail_over_tls_requires_a_trusted_certificate() {
    for (tls, scheme, ending) in [("implicit", "smtps", ""), ("upgrade", "smtp", "?tls=required")] {
        let folder = tempfile::tempdir().unwrap();
        let (mut server, certificate) = start_tls_server(&folder, tls).await;
        let port = server.port();
        let url = |password: &str| format!("{scheme}://forecourt:{password}@localhost:{port}{ending}");
        let run = async |trusted: Option<&Path>, url: &str| {
            mail_test(&folder, trusted, &["--to", "ada@example.se", "--smtp-url", url]).await
        };
        stdout_of_success(&run(Some(&certificate), &url("p%40ss")).await);
        let mail = server.next().await;
        assert_eq!((mail.secure, mail.user.as_str()), (true, "forecourt"));

        let line = error_of_failure(&run(None, &url("p%40ss")).await);
        assert!(line.to_lowercase().contains("certificate"), "{line}");
        let line = error_of_failure(&run(Some(&certificate), &url("wrong-p%40ss")).await);
        assert!(line.contains("535") && !line.contains("p@ss") && !line.contains("p%40ss"), "{line}");
        assert!(server.accept_all_and_take_mails().await.is_empty());
    }
}

#[tokio::test]
async fn required_tls_sends_nothing_to_a_server_without_starttls() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = MailServer::start(json!({"user": "forecourt", "password": "p@ss"})).await;
    let url = format!("{}?tls=required", server.url().replace("127.0.0.1", "forecourt:p%40ss@localhost"));
    let line = error_of_failure(&mail_test(&folder, None, &["--to", "ada@example.se", "--smtp-url", &url]).await);
    assert!(line.contains("STARTTLS") && !line.contains("p@ss"), "{line}");
    assert!(server.accept_all_and_take_mails().await.is_empty());
}
