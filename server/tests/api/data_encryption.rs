//! The encryption of stored social security numbers, and its keys (docs/decisions/0008-data-keys.md).

use crate::app::{ADMIN, CLERK, TestApp};
use crate::customers::{PATH, create, create_customer, customer};
use crate::helpers::{count, delete, put, read_record, wait_until, with_field};
use crate::secret_search::{encodings, read_all_columns};
use forecourt::app::config::Config;
use forecourt::app::start;
use forecourt::features::customers;
use forecourt::features::state::App;
use forecourt::platform::clock::Clock;
use forecourt_core::secret::Secret;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Instant;
use tokio::process::Command;
use uuid::Uuid;

const NUMBER: &str = "socialSecurityNumber";

/// Returns the settings of a node with these data keys, each 32 times the same byte. The first encrypts.
fn with_data_keys(app: &TestApp, keys: &[u8]) -> Config {
    let mut config = app.config();
    config.platform.data_keys = keys.iter().map(|key| Secret::new([*key; 32])).collect();
    config
}

/// Opens the installation with these settings, as a second process would. Returns the error as a line.
async fn open_installation(config: Config) -> Result<App, String> {
    start::open(config, Clock::System).await
}

/// Returns the error line of opening the installation with these settings. Panics if there is no error.
async fn open_error(config: Config) -> String {
    let Err(line) = open_installation(config).await else { panic!("the installation was opened") };
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// Returns the name and the social security number of every customer, in the order of the list.
async fn list_numbers(app: &TestApp, token: &str) -> Vec<(String, String)> {
    let text = |customer: &Value, name: &str| customer[name].as_str().unwrap().to_owned();
    let mut numbers = Vec::new();
    for page in 1.. {
        let response = app.get(&format!("{PATH}?limit=100&page={page}"), Some(token)).await;
        assert_eq!(response.status, 200, "{}", response.body);
        let data = response.body["data"].as_array().unwrap();
        if data.is_empty() {
            break;
        }
        for listed in data {
            let customer = read_record(app, token, &format!("{PATH}/{}", text(listed, "customer_id"))).await;
            numbers.push((text(&customer, "name"), text(&customer, NUMBER)));
        }
    }
    numbers
}

fn customer_with_number(number: &str) -> Value {
    with_field(customer(number), NUMBER, number)
}

async fn set_encrypted_number(app: &TestApp, path: &str, bytes: Vec<u8>) {
    let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
    let sql = app.db().sql("UPDATE customers SET social_security = $1 WHERE customer_id = $2").bind(bytes).bind(id);
    assert_eq!(sql.exec().await.unwrap(), 1);
}

async fn read_encrypted_number(app: &TestApp, path: &str) -> Vec<u8> {
    let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
    let sql = app.db().sql("SELECT social_security FROM customers WHERE customer_id = $1").bind(id);
    sql.value::<Vec<u8>>().await.unwrap()
}

#[tokio::test]
async fn t8_a_number_is_stored_encrypted_with_a_new_nonce_each_time() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let number = "19121212-1212 and more";
    let path = create_customer(&app, &token, with_field(customer("Ada"), NUMBER, number)).await;
    let first = read_encrypted_number(&app, &path).await;
    assert_eq!(put(&app, &path, &token, with_field(customer("Ada"), NUMBER, number)).await.status, 200);
    assert_eq!(read_record(&app, &token, &path).await[NUMBER], number);
    assert_ne!(read_encrypted_number(&app, &path).await, first);
    let columns = read_all_columns(app.db()).await;
    assert!(columns.iter().any(|(_, text)| text.contains("ada@example.se")), "the columns are not read");
    let found = columns.iter().find(|(_, text)| encodings(number).iter().any(|form| text.contains(form)));
    assert_eq!(found, None);
    let file = std::fs::metadata(app.data_dir().join("data.keys")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o777, 0o600);
}

#[tokio::test]
async fn t8_an_undecryptable_or_swapped_number_is_shown_as_empty() {
    let app = TestApp::start().await;
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let (one, other) = (
        create_customer(&app, &token, customer_with_number("1")).await,
        create_customer(&app, &token, customer_with_number("2")).await,
    );
    let own = read_encrypted_number(&app, &other).await;
    let mut of_unknown_key = own.clone();
    of_unknown_key[5] ^= 1;
    for bytes in [read_encrypted_number(&app, &one).await, of_unknown_key, b"short".to_vec(), Vec::new(), vec![7; 200]]
    {
        set_encrypted_number(&app, &other, bytes).await;
        let data = read_record(&app, &token, &other).await;
        assert_eq!((&data["name"], &data[NUMBER]), (&json!("2"), &json!("")));
        let expected = [("2", ""), ("1", "1")].map(|(name, number)| (name.to_owned(), number.to_owned()));
        assert_eq!(list_numbers(&app, &admin).await, expected);
    }
    // After a user has entered the number again, it is encrypted and shown as usual.
    assert_eq!(put(&app, &other, &token, customer_with_number("2")).await.status, 200);
    assert_eq!(read_record(&app, &token, &other).await[NUMBER], "2");
    set_encrypted_number(&app, &one, read_encrypted_number(&app, &other).await).await;
    assert_eq!(read_record(&app, &token, &one).await[NUMBER], "");
}

const ALL: &str = "SELECT count(*) FROM customers";

#[tokio::test]
async fn t8_a_key_rotation_during_concurrent_writes_loses_no_number() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let token = app.sign_in(CLERK).await;
    let old = app.app.data_keys.current_key_id();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let write = |writer: usize| {
        let (node, token, stop) = (if writer.is_multiple_of(2) { &app } else { &node }, &token, &stop);
        async move {
            let mut written = Vec::new();
            for i in 0.. {
                let first = create_customer(node, token, customer_with_number(&format!("{writer}-{i}"))).await;
                let changed = put(node, &first, token, customer_with_number(&format!("{writer}-{i}-changed"))).await;
                assert_eq!(changed.status, 200, "{}", changed.body);
                written.push(format!("{writer}-{i}-changed"));
                if stop.load(std::sync::atomic::Ordering::SeqCst) {
                    break;
                }
            }
            written
        }
    };
    let rotate = async {
        let mut report = Vec::new();
        for _ in 0..3 {
            // Wait for four more customers, so that each rotation finds new numbers and runs during writes.
            let sealed = count(&app, ALL).await;
            wait_until("numbers are sealed", async || count(&app, ALL).await >= sealed + 4).await;
            let process = open_installation(app.config()).await.unwrap();
            report.push(customers::rotate(&process).await.unwrap());
            process.db.close().await;
        }
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        report
    };
    let (written, report) = tokio::join!(join_all((0..4).map(write)), rotate);
    assert!(report[0].contains(&old) && report[0].contains("data.keys"), "{report:?}");
    let mut written: Vec<_> = written.concat().into_iter().map(|number| (number.clone(), number)).collect();
    let mut listed = list_numbers(&app, &token).await;
    assert!(written.len() >= 12, "{}", written.len());
    written.sort();
    listed.sort();
    assert_eq!(listed, written);
    let keys = "SELECT count(DISTINCT social_security_key) FROM customers";
    assert_eq!((count(&app, keys).await, count(&app, "SELECT count(*) FROM data_keys").await), (1, 1));
    let key: String = app.db().sql("SELECT key_id FROM data_keys").value().await.unwrap();
    assert_ne!(key, old);
    assert_eq!(count(&app, "SELECT count(*) FROM customers WHERE version > 2").await, 0, "no version is raised");
}

#[tokio::test]
async fn t8_a_key_rotation_includes_deleted_customers() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_customer(&app, &token, customer_with_number("1")).await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    let old = app.app.data_keys.current_key_id();
    let report = customers::rotate(&app.app).await.unwrap();
    assert!(report.starts_with("1 social security numbers were re-encrypted; ") && report.contains(&old), "{report}");
    let key: String = app.db().sql("SELECT key_id FROM data_keys").value().await.unwrap();
    assert_ne!(key, old);
    let id = path.rsplit('/').next().unwrap();
    let restored = app.post("/api/trash/restore", Some(&token), json!({"resource": "customers", "ids": [id]})).await;
    assert_eq!(restored.status, 200, "{}", restored.body);
    assert_eq!(read_record(&app, &token, &path).await[NUMBER], "1");
}

#[tokio::test]
async fn t8_after_a_key_rotation_only_the_first_line_of_the_key_file_is_needed() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_customer(&app, &token, customer_with_number("1")).await;
    let report = customers::rotate(&app.app).await.unwrap();
    let file = app.data_dir().join("data.keys");
    assert!(report.contains(&format!("first line of {}: copy this file", file.display())), "{report}");
    assert!(report.ends_with(&format!("remove all keys but the first from {}.", file.display())), "{report}");
    let keys = std::fs::read_to_string(&file).unwrap();
    assert_eq!(keys.lines().count(), 2);
    std::fs::write(&file, keys.lines().next().unwrap()).unwrap();
    let node = app.start_another_node().await;
    assert_eq!(read_record(&node, &token, &path).await[NUMBER], "1");
}

#[tokio::test]
async fn t8_a_key_rotation_reports_and_keeps_undecryptable_numbers() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (broken, whole) = (
        create_customer(&app, &token, customer_with_number("1")).await,
        create_customer(&app, &token, customer_with_number("2")).await,
    );
    let bytes = vec![7; 200];
    set_encrypted_number(&app, &broken, bytes.clone()).await;
    let report = customers::rotate(&app.app).await.unwrap();
    assert!(report.starts_with("1 social security numbers were re-encrypted; "), "{report}");
    assert!(
        report.ends_with("\n1 numbers can't be opened, and stay as they are; the log names the customers."),
        "{report}"
    );
    // The report does not call the old key unused, because the damaged number may need it.
    assert!(!report.contains("Nothing in the database needs"), "{report}");
    assert_eq!(read_encrypted_number(&app, &broken).await, bytes);
    assert_eq!(read_record(&app, &token, &whole).await[NUMBER], "2");
}

#[tokio::test]
async fn t8_a_killed_key_rotation_loses_nothing_and_can_be_repeated() {
    const CUSTOMERS: usize = 600;
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for some in (0..CUSTOMERS).collect::<Vec<_>>().chunks(50) {
        join_all(some.iter().map(|i| create_customer(&app, &token, customer_with_number(&i.to_string())))).await;
    }
    let mut expected = list_numbers(&app, &token).await;
    expected.sort();
    assert_eq!(expected.len(), CUSTOMERS);
    // The test must not block its thread while it waits for the process: the server runs on the same thread, and may be
    // in the middle of a write that the process waits for.
    let rotate = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
        let config = app.config();
        command.args(["keys", "rotate", "--log", "error", "--data-dir"]).arg(&config.platform.data_dir);
        command.args(["--database-url", config.platform.database_url().expose_secret()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let run_rotation = async || {
        let output = rotate().wait_with_output().await.unwrap();
        let [report, rejected] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(output.status.success() && report.contains("were re-encrypted"), "{report}{rejected}");
    };
    let started = Instant::now();
    run_rotation().await;
    let duration = started.elapsed();
    let mut midway = 0;
    for round in 1..=8 {
        let mut process = rotate();
        tokio::time::sleep(duration * round / 9).await;
        process.kill().await.unwrap();
        // Reads all numbers only while some are encrypted with the old key; the last reading finds all other losses.
        if count(&app, "SELECT count(*) FROM data_keys").await > 1 {
            midway += 1;
            let mut listed = list_numbers(&app, &token).await;
            listed.sort();
            assert_eq!(listed, expected, "round {round}");
        }
    }
    println!("a rotation takes {duration:?}; {midway} of 8 kills came before its end");
    run_rotation().await;
    let keys = "SELECT count(DISTINCT social_security_key) FROM customers";
    assert_eq!((count(&app, keys).await, count(&app, "SELECT count(*) FROM data_keys").await), (1, 1));
    let node = app.start_another_node().await;
    let mut listed = list_numbers(&node, &token).await;
    listed.sort();
    assert_eq!(listed, expected);
}

#[tokio::test]
async fn t8_the_start_fails_if_a_needed_key_is_missing() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_customer(&app, &token, customer_with_number("1")).await;
    let (key, file) = (app.app.data_keys.current_key_id(), app.data_dir().join("data.keys"));
    let saved = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let line = open_error(app.config()).await;
    assert!(line.contains(&key) && line.contains("data.keys"), "{line}");
    assert!(!file.exists(), "no new key is created");
    for (text, word) in [("ab".repeat(32), key.as_str()), ("ab12hunter2".into(), "64"), (String::new(), "no key")] {
        std::fs::write(&file, text).unwrap();
        let line = open_error(app.config()).await;
        assert!(line.contains(word) && line.contains("data.keys") && !line.contains("ter2"), "{line}");
    }
    let line = open_error(with_data_keys(&app, &[1])).await;
    assert!(line.contains(&key) && line.contains("FORECOURT_DATA_KEYS"), "{line}");
    // The server that was started before still decrypts with the keys that it has in memory.
    assert_eq!(read_record(&app, &token, &path).await[NUMBER], "1");
    std::fs::write(&file, saved).unwrap();
    open_installation(app.config()).await.unwrap().db.close().await;
}

#[tokio::test]
async fn t8_of_two_nodes_with_different_keys_only_the_first_can_encrypt() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let folder = tempfile::tempdir().unwrap();
    let mut other_folder = app.config();
    other_folder.platform.data_dir = folder.path().to_owned();
    // A node registers its key in the database only when it encrypts, not when it starts.
    open_installation(other_folder.clone()).await.unwrap();
    assert_eq!(count(&app, "SELECT count(*) FROM data_keys").await, 0);
    create_customer(&app, &token, customer_with_number("1")).await;
    let line = open_error(other_folder).await;
    assert!(line.contains(&app.app.data_keys.current_key_id()), "{line}");
    // Two nodes register their keys at the same time, when the database has none.
    for text in ["DELETE FROM customers", "DELETE FROM data_keys"] {
        app.db().sql(text).exec().await.unwrap();
    }
    let one = open_installation(with_data_keys(&app, &[1])).await.unwrap();
    let other = open_installation(with_data_keys(&app, &[2])).await.unwrap();
    let (first, second) =
        tokio::join!(one.data_keys.register_current_key(&one.db), other.data_keys.register_current_key(&other.db));
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(count(&app, "SELECT count(*) FROM data_keys").await, 1);
}

#[tokio::test]
async fn t8_the_first_configured_key_encrypts_and_old_keys_can_be_removed() {
    let app = TestApp::start_with(&["--data-keys", &"01".repeat(32)]).await;
    assert!(!app.data_dir().join("data.keys").exists());
    let token = app.sign_in(CLERK).await;
    let path = create_customer(&app, &token, customer_with_number("1")).await;
    let old = app.app.data_keys.current_key_id();
    let with_keys = |keys: &[u8]| with_data_keys(&app, keys);
    let line = customers::rotate(&app.app).await.unwrap_err();
    assert!(line.contains("no new key") && line.contains("FORECOURT_DATA_KEYS"), "{line}");
    let both = open_installation(with_keys(&[2, 1])).await.unwrap();
    let report = customers::rotate(&both).await.unwrap();
    assert!(report.starts_with("1 ") && report.contains(&old) && report.contains("FORECOURT_DATA_KEYS"), "{report}");
    assert!(!report.contains("copy this file"), "{report}");
    open_installation(with_keys(&[2])).await.unwrap();
    assert!(open_error(with_keys(&[1])).await.contains(&both.data_keys.current_key_id()));
    // A node without the new key shows the number as empty and rejects new numbers with 503. Other requests succeed.
    assert_eq!(read_record(&app, &token, &path).await[NUMBER], "");
    let rejected = create(&app, &token, customer_with_number("2")).await;
    assert_eq!((rejected.status.as_u16(), &rejected.headers["retry-after"]), (503, &"2".parse().unwrap()));
    assert_eq!(put(&app, &path, &token, customer_with_number("2")).await.status, 503);
    let company = with_field(with_field(customer("Nya Bil"), "type", "Company"), "organizationNumber", "556036-0793");
    assert_eq!(create(&app, &token, company).await.status, 201);
    assert_eq!(count(&app, ALL).await, 2);
}
