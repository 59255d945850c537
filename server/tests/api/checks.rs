//! `forecourt check`: what is right, what is not, and that looking makes nothing.

use crate::app::fresh_postgres;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// What it prints, and whether a server would work.
fn check(folder: &Path, more: &[&str]) -> (String, bool) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    let output = program.args(["check", "--data-dir"]).arg(folder).args(more).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

fn line<'a>(text: &'a str, what: &str) -> &'a str {
    text.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what} in {text}"))
}

fn migrate(folder: &Path) {
    let program = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(["migrate", "--data-dir"]).arg(folder).output();
    assert!(program.unwrap().status.success());
}

#[test]
fn before_the_first_start_nothing_is_wrong_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (text, is_fine) = check(&data, &[]);
    assert!(is_fine, "{text}");
    for what in ["data folder", "secret key", "database"] {
        assert!(line(&text, what).starts_with("ok"), "{text}");
    }
    assert!(line(&text, "mail").starts_with("warning"), "{text}");
    assert!(!data.exists());
}

#[test]
fn a_folder_that_a_server_has_made_is_fine_and_keys_that_others_can_read_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    migrate(&data);
    let (text, is_fine) = check(&data, &[]);
    assert!(is_fine && line(&text, "schema").contains("this program's"), "{text}");
    assert!(line(&text, "data keys").starts_with("ok"), "{text}");
    for (name, what) in [("secret.key", "secret key"), ("data.keys", "data keys")] {
        let file = data.join(name);
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
        let (text, is_fine) = check(&data, &[]);
        assert!(!is_fine && line(&text, what).contains("chmod 600"), "{text}");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    }
    std::fs::write(data.join("secret.key"), "no key").unwrap();
    assert!(!check(&data, &[]).1);
}

#[test]
fn a_damaged_database_fails() {
    let folder = tempfile::tempdir().unwrap();
    migrate(folder.path());
    std::fs::write(folder.path().join("forecourt.sqlite3"), b"not a database at all".repeat(400)).unwrap();
    let (text, is_fine) = check(folder.path(), &[]);
    assert!(!is_fine && line(&text, "database").starts_with("failed"), "{text}");
}

#[test]
fn what_does_not_answer_is_named_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--smtp-url", "smtp://ada:hunter2@127.0.0.1:1", "--oidc-issuer", "http://127.0.0.1:1"];
    let client = ["--oidc-client-id", "id", "--oidc-client-secret", "hunter2"];
    let register = ["--directory-url", "http://127.0.0.1:1/{organization_number}?key=hunter2"];
    let (text, is_fine) = check(folder.path(), &[&more[..], &client, &register].concat());
    assert!(!is_fine && !text.contains("hunter2"), "{text}");
    for (what, state) in [("mail", "failed"), ("provider", "failed"), ("register", "warning")] {
        assert!(text.lines().any(|l| l.starts_with(state) && l.contains(what)), "{what}: {text}");
    }
}

#[test]
fn a_sender_that_other_mail_servers_refuse_is_told_where_mail_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let told = |more: &[&str]| check(folder.path(), more).0.contains("FORECOURT_MAIL_FROM");
    let sent = ["--smtp-url", "smtp://127.0.0.1:1"];
    assert!(told(&sent));
    assert!(told(&[&sent[..], &["--mail-from", "Nordbil <us@LOCALHOST>"]].concat()));
    assert!(!told(&[&sent[..], &["--mail-from", "Nordbil <us@nordbil.example>"]].concat()));
    assert!(!told(&[]), "what is kept needs no sender");
}

#[test]
fn the_data_keys_of_the_settings_are_looked_at_instead_of_the_folders() {
    let folder = tempfile::tempdir().unwrap();
    migrate(folder.path());
    std::fs::write(folder.path().join("data.keys"), "no key").unwrap();
    let (text, is_fine) = check(folder.path(), &[]);
    assert!(!is_fine && line(&text, "data keys").starts_with("failed"), "{text}");
    let (text, is_fine) = check(folder.path(), &["--data-keys", &"01".repeat(32)]);
    assert!(is_fine && line(&text, "data keys").starts_with("ok"), "{text}");
}

/// Answers every question over TLS with the document of a provider whose codes are changed elsewhere, without.
fn provider(tls: Arc<ServerConfig>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": "http://localhost/token",
        "jwks_uri": format!("{issuer}/keys"),
        "keys": [],
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    });
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    let answer = format!("{head}{document}");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = StreamOwned::new(ServerConnection::new(tls.clone()).unwrap(), stream);
            // What is asked fits into one read, and whoever doesn't trust the certificate asks nothing.
            if stream.read(&mut [0; 4096]).is_ok() {
                let _ = stream.write_all(answer.as_bytes());
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    issuer
}

#[test]
fn a_provider_that_is_asked_by_https_and_leads_out_of_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let trusted = folder.path().join("certificate.pem");
    std::fs::write(&trusted, made.cert.pem()).unwrap();
    let (key, aws) =
        (PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()), rustls::crypto::aws_lc_rs::default_provider());
    let tls = ServerConfig::builder_with_provider(Arc::new(aws)).with_safe_default_protocol_versions().unwrap();
    let tls = tls.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key.into()).unwrap();
    let issuer = provider(Arc::new(tls));
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.args(["check", "--data-dir"]).arg(folder.path()).args(["--oidc-issuer", &issuer]);
    program.args(["--oidc-client-id", "id", "--oidc-client-secret", "secret"]).env("SSL_CERT_FILE", &trusted);
    let text = String::from_utf8(program.output().unwrap().stdout).unwrap();
    assert!(line(&text, "provider").contains("it names an address without https"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_may_lose_what_it_acknowledged_is_refused_unless_told_otherwise() {
    let Some(url) = fresh_postgres().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--database-url", &url, "--database-unsafe", "false"];
    let (text, is_fine) = check(folder.path(), &flags);
    assert!(!is_fine && text.lines().any(|l| l.starts_with("failed") && l.contains("fsync=off")), "{text}");
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    let output = program.args(["migrate", "--data-dir"]).arg(folder.path()).args(flags).output().unwrap();
    let failure = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && failure.contains("fsync=off"), "{failure}");
    assert!(check(folder.path(), &["--database-url", &url, "--database-unsafe", "true"]).1);
}
