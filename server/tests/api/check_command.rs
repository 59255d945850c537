//! Which checks of `forecourt check` pass, warn or fail, and that the command itself creates nothing.

use crate::app::{ADMIN, OTHER_ADMIN, TestApp, create_postgres_database};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Returns what the command prints, and whether it succeeded.
fn check(folder: &Path, more: &[&str]) -> (String, bool) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    let output = program.args(["check", "--data-dir"]).arg(folder).args(more).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

/// Returns the first line that contains `what`. Panics if there is none.
fn line<'a>(text: &'a str, what: &str) -> &'a str {
    text.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what} in {text}"))
}

fn migrate(folder: &Path) {
    let program = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(["migrate", "--data-dir"]).arg(folder).output();
    assert!(program.unwrap().status.success());
}

#[test]
fn check_passes_before_the_first_start_and_creates_nothing() {
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
fn check_fails_if_the_data_folder_cannot_be_created() {
    let folder = tempfile::tempdir().unwrap();
    // Root can write to any folder, so this parent is a file.
    let parent = folder.path().join("file");
    std::fs::write(&parent, "").unwrap();
    let (text, is_fine) = check(&parent.join("data"), &[]);
    assert!(!is_fine && line(&text, "data folder").starts_with("failed"), "{text}");
}

#[test]
fn check_fails_if_the_folder_of_the_database_is_missing_unwritable_or_full() {
    let folder = tempfile::tempdir().unwrap();
    let check_with_database_in = |place: &Path| {
        let url = format!("sqlite:{}", place.join("cars.sqlite3").display());
        check(&folder.path().join("data"), &["--database-url", &url])
    };
    let (text, is_fine) = check_with_database_in(&folder.path().join("none"));
    assert!(!is_fine && line(&text, "does not exist").starts_with("failed   database"), "{text}");
    // Even root can't create files in this folder, and its file system has no space.
    let (text, is_fine) = check_with_database_in(Path::new("/proc"));
    assert!(!is_fine && line(&text, "can't write to /proc").starts_with("failed   database"), "{text}");
    assert!(line(&text, "MB are free in /proc").starts_with("failed   database"), "{text}");
    // The first start creates the folders that contain the data folder.
    let (new, data) = (folder.path().join("new/cars.sqlite3"), folder.path().join("new/data"));
    let (text, is_fine) = check(&data, &["--database-url", &format!("sqlite:{}", new.display())]);
    assert!(is_fine, "{text}");
}

#[test]
fn check_rejects_key_files_that_other_users_can_read() {
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
fn check_fails_for_a_damaged_database() {
    let folder = tempfile::tempdir().unwrap();
    migrate(folder.path());
    std::fs::write(folder.path().join("forecourt.sqlite3"), b"not a database at all".repeat(400)).unwrap();
    let (text, is_fine) = check(folder.path(), &[]);
    assert!(!is_fine && line(&text, "database").starts_with("failed"), "{text}");
}

#[test]
fn check_and_start_reject_a_database_that_can_only_be_read() {
    let folder = tempfile::tempdir().unwrap();
    migrate(folder.path());
    // Root can write to any file, so the URL lets SQLite only read it.
    let url = format!("sqlite:{}?mode=ro", folder.path().join("forecourt.sqlite3").display());
    let (text, is_fine) = check(folder.path(), &["--database-url", &url]);
    assert!(!is_fine && line(&text, "can only be read").starts_with("failed   database"), "{text}");
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    let start = program.args(["migrate", "--database-url", &url, "--data-dir"]).arg(folder.path()).output().unwrap();
    let failure = String::from_utf8(start.stderr).unwrap();
    assert!(!start.status.success() && failure.contains("can only be read"), "{failure}");
}

#[test]
fn check_names_unreachable_services_without_their_passwords() {
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
fn check_warns_about_a_local_sender_only_if_mail_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let warns = |more: &[&str]| check(folder.path(), more).0.contains("FORECOURT_MAIL_FROM");
    let smtp = ["--smtp-url", "smtp://127.0.0.1:1"];
    assert!(warns(&smtp));
    assert!(warns(&[&smtp[..], &["--mail-from", "Nordbil <us@LOCALHOST>"]].concat()));
    assert!(!warns(&[&smtp[..], &["--mail-from", "Nordbil <us@nordbil.example>"]].concat()));
    assert!(!warns(&[]), "without a mail server no sender is needed");
}

#[test]
fn check_fails_if_mails_cannot_be_written_to_the_outbox() {
    let folder = tempfile::tempdir().unwrap();
    // Root can write to any folder, so this outbox is a file.
    std::fs::write(folder.path().join("outbox"), "").unwrap();
    let (text, is_fine) = check(folder.path(), &[]);
    assert!(!is_fine && line(&text, "outbox").starts_with("failed"), "{text}");
}

#[test]
fn check_uses_configured_data_keys_instead_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    migrate(folder.path());
    std::fs::write(folder.path().join("data.keys"), "no key").unwrap();
    let (text, is_fine) = check(folder.path(), &[]);
    assert!(!is_fine && line(&text, "data keys").starts_with("failed"), "{text}");
    let (text, is_fine) = check(folder.path(), &["--data-keys", &"01".repeat(32)]);
    assert!(is_fine && line(&text, "data keys").starts_with("ok"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_prints_the_numbers_of_records_of_all_corporations() {
    let app = TestApp::start().await;
    for email in [ADMIN, OTHER_ADMIN] {
        let token = app.sign_in(email).await;
        assert_eq!(app.post("/api/contacts", Some(&token), json!({"name": "Ada Öberg"})).await.status, 201);
    }
    let url = app.app.config.database_url();
    let (text, _) = check(app.data_dir(), &["--database-url", url.expose_secret()]);
    let counts = line(&text, "ok       records");
    assert!(counts.contains("3 corporations") && counts.contains("2 contacts, 0 customers"), "{text}");
}

/// Starts a TLS server that always returns the discovery document of a provider whose token endpoint has no TLS.
fn start_provider(tls: Arc<ServerConfig>) -> String {
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
    let response = format!("{head}{document}");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = StreamOwned::new(ServerConnection::new(tls.clone()).unwrap(), stream);
            // The whole request arrives in one read. A client that does not trust the certificate sends no request.
            if stream.read(&mut [0; 4096]).is_ok() {
                let _ = stream.write_all(response.as_bytes());
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    issuer
}

#[test]
fn check_rejects_an_https_provider_with_an_http_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let trusted = folder.path().join("certificate.pem");
    std::fs::write(&trusted, certificate.cert.pem()).unwrap();
    let (key, crypto) = (
        PrivatePkcs8KeyDer::from(certificate.signing_key.serialize_der()),
        rustls::crypto::aws_lc_rs::default_provider(),
    );
    let tls = ServerConfig::builder_with_provider(Arc::new(crypto)).with_safe_default_protocol_versions().unwrap();
    let tls = tls.with_no_client_auth().with_single_cert(vec![certificate.cert.der().clone()], key.into()).unwrap();
    let issuer = start_provider(Arc::new(tls));
    let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    program.args(["check", "--data-dir"]).arg(folder.path()).args(["--oidc-issuer", &issuer]);
    program.args(["--oidc-client-id", "id", "--oidc-client-secret", "secret"]).env("SSL_CERT_FILE", &trusted);
    let text = String::from_utf8(program.output().unwrap().stdout).unwrap();
    assert!(line(&text, "provider").contains("it names an address without https"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_rejects_a_postgresql_without_fsync_unless_it_is_allowed() {
    let Some(url) = create_postgres_database().await else { return };
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
