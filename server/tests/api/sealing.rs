//! Social security numbers at rest, and the keys that they are sealed with (docs/decisions/0008-data-keys.md).

use crate::app::{ADMIN, CLERK, TestApp};
use crate::customers::{PATH, create, created, customer, shown, with};
use crate::search::{columns, forms};
use crate::steps::{count, put, until};
use forecourt::app::config::Config;
use forecourt::app::start;
use forecourt::features::customers;
use forecourt::features::state::App;
use forecourt::platform::clock::Clock;
use forecourt::platform::config::SecretKey;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Instant;
use tokio::process::Command;
use uuid::Uuid;

const NUMBER: &str = "socialSecurityNumber";

/// The settings of a node with these data keys.
fn with_data_keys(app: &TestApp, keys: &[u8]) -> Config {
    let mut config = app.config();
    config.platform.data_keys = keys.iter().map(|key| SecretKey([*key; 32])).collect();
    config
}

/// The installation as another process opens it, with these settings.
async fn open(config: Config) -> Result<App, String> {
    start::open(config, Clock::System).await
}

/// Why the installation can't be opened with these settings.
async fn refusal(config: Config) -> String {
    let Err(line) = open(config).await else { panic!("it was opened") };
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// Every customer's name and number, in the order of the list.
async fn numbers(app: &TestApp, token: &str) -> Vec<(String, String)> {
    let text = |customer: &Value, name: &str| customer[name].as_str().unwrap().to_owned();
    let mut numbers = Vec::new();
    for page in 1.. {
        let answer = app.get(&format!("{PATH}?limit=100&page={page}"), Some(token)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let data = answer.body["data"].as_array().unwrap();
        if data.is_empty() {
            break;
        }
        for listed in data {
            let customer = shown(app, token, &format!("{PATH}/{}", text(listed, "customer_id"))).await;
            numbers.push((text(&customer, "name"), text(&customer, NUMBER)));
        }
    }
    numbers
}

fn numbered(number: &str) -> Value {
    with(customer(number), NUMBER, number)
}

async fn set_sealed(app: &TestApp, path: &str, bytes: Vec<u8>) {
    let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
    let sql = app.db().sql("UPDATE customers SET social_security = $1 WHERE customer_id = $2").bind(bytes).bind(id);
    assert_eq!(sql.exec().await.unwrap(), 1);
}

async fn sealed(app: &TestApp, path: &str) -> Vec<u8> {
    let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
    let sql = app.db().sql("SELECT social_security FROM customers WHERE customer_id = $1").bind(id);
    sql.one::<(Vec<u8>,)>().await.unwrap().0
}

#[tokio::test]
async fn t8_a_number_lies_sealed_in_the_database_and_each_time_differently() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let number = "19121212-1212 and more";
    let path = created(&app, &token, numbered(number)).await;
    let first = sealed(&app, &path).await;
    assert_eq!(put(&app, &path, &token, with(customer("Ada"), NUMBER, number)).await.status, 200);
    assert_eq!(shown(&app, &token, &path).await[NUMBER], number);
    assert_ne!(sealed(&app, &path).await, first);
    app.db().sql("UPDATE customers SET name = '', search = ''").exec().await.unwrap();
    let columns = columns(app.db()).await;
    assert!(columns.iter().any(|(_, text)| text.contains("ada@example.se")), "the columns are not read");
    let found = columns.iter().find(|(_, text)| forms(number).iter().any(|form| text.contains(form)));
    assert_eq!(found, None);
    let file = std::fs::metadata(app.data_dir().join("data.keys")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o777, 0o600);
}

#[tokio::test]
async fn t8_a_number_opens_in_its_own_row_alone_and_one_that_does_not_open_is_shown_as_none() {
    let app = TestApp::start().await;
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let (one, other) = (created(&app, &token, numbered("1")).await, created(&app, &token, numbered("2")).await);
    let own = sealed(&app, &other).await;
    let mut of_unknown_key = own.clone();
    of_unknown_key[5] ^= 1;
    for bytes in [sealed(&app, &one).await, of_unknown_key, b"short".to_vec(), Vec::new(), vec![7; 200]] {
        set_sealed(&app, &other, bytes).await;
        let data = shown(&app, &token, &other).await;
        assert_eq!((&data["name"], &data[NUMBER]), (&json!("2"), &json!("")));
        let expected = [("2", ""), ("1", "1")].map(|(name, number)| (name.to_owned(), number.to_owned()));
        assert_eq!(numbers(&app, &admin).await, expected);
    }
    // Somebody who knows it types it in once more.
    assert_eq!(put(&app, &other, &token, numbered("2")).await.status, 200);
    assert_eq!(shown(&app, &token, &other).await[NUMBER], "2");
    set_sealed(&app, &one, sealed(&app, &other).await).await;
    assert_eq!(shown(&app, &token, &one).await[NUMBER], "");
}

const ALL: &str = "SELECT count(*) FROM customers";

#[tokio::test]
async fn t8_numbers_are_sealed_anew_while_people_write_and_none_is_lost() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let token = app.sign_in(CLERK).await;
    let old = app.app.data_keys.current_key_id();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let write = |writer: usize| {
        let (node, token, stop) = (if writer.is_multiple_of(2) { &app } else { &node }, &token, &stop);
        async move {
            let mut written = Vec::new();
            for i in 0.. {
                let first = created(node, token, numbered(&format!("{writer}-{i}"))).await;
                let changed = put(node, &first, token, numbered(&format!("{writer}-{i}-changed"))).await;
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
        let mut told = Vec::new();
        for _ in 0..3 {
            // Each finds numbers that were sealed since the one before, and people at work.
            let sealed = count(&app, ALL).await;
            until("numbers are sealed", async || count(&app, ALL).await >= sealed + 4).await;
            let process = open(app.config()).await.unwrap();
            told.push(customers::rotate(&process).await.unwrap());
            process.db.close().await;
        }
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        told
    };
    let (written, told) = tokio::join!(join_all((0..4).map(write)), rotate);
    assert!(told[0].contains(&old) && told[0].contains("data.keys"), "{told:?}");
    let mut written: Vec<_> = written.concat().into_iter().map(|number| (number.clone(), number)).collect();
    let mut listed = numbers(&app, &token).await;
    assert!(written.len() >= 12, "{}", written.len());
    written.sort();
    listed.sort();
    assert_eq!(listed, written);
    let keys = "SELECT count(DISTINCT social_security_key) FROM customers";
    assert_eq!((count(&app, keys).await, count(&app, "SELECT count(*) FROM data_keys").await), (1, 1));
    let (key,): (String,) = app.db().sql("SELECT key_id FROM data_keys").one().await.unwrap();
    assert_ne!(key, old);
    assert_eq!(count(&app, "SELECT count(*) FROM customers WHERE version > 2").await, 0, "nobody is told of a change");
}

#[tokio::test]
async fn t8_a_number_that_no_key_opens_is_told_of_by_a_rotation_and_left_as_it_is() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let (broken, whole) = (created(&app, &token, numbered("1")).await, created(&app, &token, numbered("2")).await);
    let bytes = vec![7; 200];
    set_sealed(&app, &broken, bytes.clone()).await;
    let told = customers::rotate(&app.app).await.unwrap();
    assert!(told.starts_with("1 social security numbers were sealed anew; "), "{told}");
    assert!(
        told.ends_with("\n1 numbers can't be opened, and stay as they are; the log names the customers."),
        "{told}"
    );
    // The old key is among those that may open it, should it be mended.
    assert!(!told.contains("Nothing in the database needs"), "{told}");
    assert_eq!(sealed(&app, &broken).await, bytes);
    assert_eq!(shown(&app, &token, &whole).await[NUMBER], "2");
}

#[tokio::test]
async fn t8_a_rotation_that_is_killed_loses_nothing_and_is_done_again() {
    const CUSTOMERS: usize = 600;
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    for some in (0..CUSTOMERS).collect::<Vec<_>>().chunks(50) {
        join_all(some.iter().map(|i| created(&app, &token, numbered(&i.to_string())))).await;
    }
    let mut expected = numbers(&app, &token).await;
    expected.sort();
    assert_eq!(expected.len(), CUSTOMERS);
    // Nothing here may wait for it in the way of the server, which may be in the middle of a write.
    let rotate = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
        let config = app.config();
        command.args(["keys", "rotate", "--log", "error", "--data-dir"]).arg(config.platform.data_dir);
        command.args(["--database-url", &config.platform.database_url.unwrap()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let done = async || {
        let output = rotate().wait_with_output().await.unwrap();
        let [told, refused] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(output.status.success() && told.contains("were sealed anew"), "{told}{refused}");
    };
    let begun = Instant::now();
    done().await;
    let lasts = begun.elapsed();
    let mut midway = 0;
    for round in 1..=8 {
        let mut process = rotate();
        tokio::time::sleep(lasts * round / 9).await;
        process.kill().await.unwrap();
        midway += i32::from(count(&app, "SELECT count(*) FROM data_keys").await > 1);
        let mut listed = numbers(&app, &token).await;
        listed.sort();
        assert_eq!(listed, expected, "round {round}");
    }
    println!("a rotation takes {lasts:?}; of 8 that were killed {midway} were midway");
    done().await;
    let keys = "SELECT count(DISTINCT social_security_key) FROM customers";
    assert_eq!((count(&app, keys).await, count(&app, "SELECT count(*) FROM data_keys").await), (1, 1));
    let node = app.another_node().await;
    let mut listed = numbers(&node, &token).await;
    listed.sort();
    assert_eq!(listed, expected);
}

#[tokio::test]
async fn t8_a_start_without_a_key_that_is_needed_is_refused() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, numbered("1")).await;
    let (key, file) = (app.app.data_keys.current_key_id(), app.data_dir().join("data.keys"));
    let kept = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let line = refusal(app.config()).await;
    assert!(line.contains(&key) && line.contains("data.keys"), "{line}");
    assert!(!file.exists(), "no other key takes its place");
    for (text, word) in [("ab".repeat(32), key.as_str()), ("ab12hunter2".into(), "64"), (String::new(), "no key")] {
        std::fs::write(&file, text).unwrap();
        let line = refusal(app.config()).await;
        assert!(line.contains(word) && line.contains("data.keys") && !line.contains("ter2"), "{line}");
    }
    let line = refusal(with_data_keys(&app, &[1])).await;
    assert!(line.contains(&key) && line.contains("FORECOURT_DATA_KEYS"), "{line}");
    // Who is at work goes on.
    assert_eq!(shown(&app, &token, &path).await[NUMBER], "1");
    std::fs::write(&file, kept).unwrap();
    open(app.config()).await.unwrap().db.close().await;
}

#[tokio::test]
async fn t8_of_two_nodes_that_bring_keys_of_their_own_only_the_first_that_seals_goes_on() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let folder = tempfile::tempdir().unwrap();
    let mut elsewhere = app.config();
    elsewhere.platform.data_dir = folder.path().to_owned();
    // Whatever runs before anything is sealed leaves no key behind.
    open(elsewhere.clone()).await.unwrap();
    assert_eq!(count(&app, "SELECT count(*) FROM data_keys").await, 0);
    created(&app, &token, numbered("1")).await;
    let line = refusal(elsewhere).await;
    assert!(line.contains(&app.app.data_keys.current_key_id()), "{line}");
    // Both at once, before there is any key.
    for text in ["DELETE FROM customers", "DELETE FROM data_keys"] {
        app.db().sql(text).exec().await.unwrap();
    }
    let one = open(with_data_keys(&app, &[1])).await.unwrap();
    let other = open(with_data_keys(&app, &[2])).await.unwrap();
    let (first, second) =
        tokio::join!(one.data_keys.register_current_key(&one.db), other.data_keys.register_current_key(&other.db));
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(count(&app, "SELECT count(*) FROM data_keys").await, 1);
}

#[tokio::test]
async fn t8_with_keys_of_the_settings_the_first_seals_and_the_old_one_can_go_after_a_rotation() {
    let app = TestApp::start_with(&["--data-keys", &"01".repeat(32)]).await;
    assert!(!app.data_dir().join("data.keys").exists());
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, numbered("1")).await;
    let old = app.app.data_keys.current_key_id();
    let with_keys = |keys: &[u8]| with_data_keys(&app, keys);
    let line = customers::rotate(&app.app).await.unwrap_err();
    assert!(line.contains("no new key") && line.contains("FORECOURT_DATA_KEYS"), "{line}");
    let both = open(with_keys(&[2, 1])).await.unwrap();
    let told = customers::rotate(&both).await.unwrap();
    assert!(told.starts_with("1 ") && told.contains(&old) && told.contains("FORECOURT_DATA_KEYS"), "{told}");
    open(with_keys(&[2])).await.unwrap();
    assert!(refusal(with_keys(&[1])).await.contains(&both.data_keys.current_key_id()));
    // A node that was left behind shows no number and takes none, and does the rest.
    assert_eq!(shown(&app, &token, &path).await[NUMBER], "");
    let refused = create(&app, &token, numbered("2")).await;
    assert_eq!((refused.status.as_u16(), &refused.headers["retry-after"]), (503, &"2".parse().unwrap()));
    assert_eq!(put(&app, &path, &token, numbered("2")).await.status, 503);
    let company = with(with(customer("Nya Bil"), "type", "Company"), "organizationNumber", "556036-0793");
    assert_eq!(create(&app, &token, company).await.status, 201);
    assert_eq!(count(&app, ALL).await, 2);
}
