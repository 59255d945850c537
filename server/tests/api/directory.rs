//! The company directory: registered corporations, the imported list, and an external company register.

use crate::app::{ApiResponse, SUPER_ADMIN, TestApp};
use crate::helpers::{assert_error, assert_throttled};
use crate::organizations::register;
use crate::provider::axum_serve;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use forecourt_core::organizations::OrganizationExists;
use forecourt_core::organizations::text;
use forecourt_core::reply::Reply;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::{Instant, sleep};

const SEARCH: &str = "/api/orgs/search";
const PUBLIC: &str = "/api/orgs/public-search";
const EXISTS: &str = "/api/orgs/check-exists";

/// An external company register for the tests. It records the requested numbers, and some numbers get faulty responses.
#[derive(Clone, Default)]
struct Companies(Arc<Mutex<Vec<String>>>);

impl Companies {
    async fn start() -> (Self, SocketAddr) {
        let companies = Companies::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/{number}", get(respond)).with_state(companies.clone());
        tokio::spawn(axum_serve(listener, router));
        (companies, address)
    }

    fn requested_numbers(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

async fn respond(State(companies): State<Companies>, Path(number): Path<String>) -> Response {
    companies.0.lock().unwrap().push(number.clone());
    let company = |number: &str| json!({"legalId": number, "corp_name": " Register AB ", "city": null, "company_phone": "08 1", "employees": 7});
    match number.as_str() {
        "broken" => "<html>".into_response(),
        "fault" => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        "other" => axum::Json(company("another")).into_response(),
        "nameless" => axum::Json(json!({"organization_number": "nameless"})).into_response(),
        "slow" => {
            sleep(Duration::from_secs(20)).await;
            axum::Json(company("slow")).into_response()
        }
        "huge" => {
            let name = json!({"organization_number": "huge", "corp_name": "A", "rest": "x".repeat(70_000)});
            axum::Json(name).into_response()
        }
        "endless" => Body::from_stream(futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 1024])))
            .into_response(),
        "away" => (StatusCode::FOUND, [(header::LOCATION, "/elsewhere")]).into_response(),
        "none" => StatusCode::NOT_FOUND.into_response(),
        number => axum::Json(company(number)).into_response(),
    }
}

/// Looks up a company by its number, with one of the directory's routes.
async fn look_up(app: &TestApp, path: &str, token: &str, number: &str) -> ApiResponse {
    app.post(path, Some(token), json!({"organization_number": number})).await
}

/// Returns the company's name in a response.
fn name(response: &ApiResponse) -> &Value {
    &response.body["data"]["corp_name"]
}

/// Runs `forecourt directory import` with this list.
async fn import(app: &TestApp, text: &[u8]) -> Output {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("companies.csv");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    command.args(["directory", "import"]).arg(file).arg("--data-dir").arg(app.data_dir());
    command.args(["--database-url", app.app.config.database_url().expose_secret()]);
    command.output().await.unwrap()
}

fn stdout_of_success(output: &Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Registers a corporation, and imports this list as the directory. Returns the Super Admin's access token.
async fn register_and_import(app: &TestApp, list: &[u8]) -> String {
    let token = app.sign_in(SUPER_ADMIN).await;
    register(app, &token, "559360-9844", "ada@nybil.example").await;
    stdout_of_success(&import(app, list).await);
    token
}

/// Asserts that the command failed with one line, and returns what follows the file's name in it.
fn error_of_failure(output: &Output) -> String {
    let line = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    assert!(!output.status.success() && output.stdout.is_empty() && line.lines().count() == 1, "{output:?}");
    line.rsplit_once("companies.csv").unwrap().1.to_owned()
}

#[tokio::test]
async fn a_company_is_looked_up_in_corporations_then_list_then_register() {
    let (companies, address) = Companies::start().await;
    let url = format!("http://{address}/{{organization_number}}");
    let app = TestApp::start_with(&["--directory-url", &url]).await;
    let token =
        register_and_import(&app, b"organization_number,corp_name\n5593609844,Listed\n556100-0059,Listed\n").await;

    let own = look_up(&app, SEARCH, &token, " 5593609844 ").await;
    assert_eq!((own.status.as_u16(), &own.body["message"]), (200, &json!(text::FOUND.as_str())));
    let whole = json!({"organization_number": "559360-9844", "corp_name": "Ny Bil AB", "street_address": "Storgatan 1",
        "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_email": "info@nybil.example",
        "company_phone": "090 12 34 56"});
    assert_eq!(own.body["data"], whole);
    assert_eq!(*name(&look_up(&app, SEARCH, &token, "5561000059").await), "Listed");
    assert!(companies.requested_numbers().is_empty(), "known companies are not requested from the register");

    let other = app.post(SEARCH, Some(&token), json!({"legalId": "HRB 1/ö"})).await;
    let expected = json!({"organization_number": "HRB 1/ö", "corp_name": "Register AB", "street_address": "",
        "registered_city": "", "postal_code": "", "city": "", "company_email": "", "company_phone": "08 1"});
    assert_eq!(other.body["data"], expected);
    assert_eq!(companies.requested_numbers(), ["HRB 1/ö"], "one path segment");
    assert_error(&look_up(&app, SEARCH, &token, "none").await, 404, text::NOT_FOUND.as_str());
    assert_error(&look_up(&app, SEARCH, &token, " - ").await, 400, text::NUMBER_MISSING.as_str());
}

#[tokio::test]
async fn a_public_search_hides_the_contact_details_of_a_corporation() {
    let app = TestApp::start().await;
    let token =
        register_and_import(&app, b"organization_number,corp_name,company_email\n1,Listed,info@listed.example\n").await;
    let own = look_up(&app, PUBLIC, &token, "559360-9844").await;
    assert_eq!((own.status.as_u16(), name(&own)), (200, &json!("Ny Bil AB")));
    let text = own.body.to_string();
    for hidden in ["ada@", "info@", "090 12", "070 1", "Lind"] {
        assert!(!text.contains(hidden), "{text}");
    }
    let listed = look_up(&app, PUBLIC, &token, "1").await;
    assert_eq!(listed.body["data"]["company_email"], "info@listed.example", "the data of the list");
    assert_error(&look_up(&app, PUBLIC, &token, "2").await, 404, text::NOT_FOUND.as_str());
}

#[tokio::test]
async fn check_exists_finds_only_registered_corporations() {
    let app = TestApp::start().await;
    let token = register_and_import(&app, b"organization_number,corp_name\n1,Listed\n").await;
    for (number, exists, message) in
        [("5593609844", true, text::FOUND), ("1", false, text::NOT_FOUND), ("2", false, text::NOT_FOUND)]
    {
        let response = look_up(&app, EXISTS, &token, number).await;
        let reply = Reply::new(OrganizationExists { exists }).with_message(message);
        assert_eq!(response.body, json!(reply), "{number}");
    }
}

#[tokio::test]
async fn a_lookup_in_a_failing_or_slow_register_returns_503_in_time() {
    let (companies, address) = Companies::start().await;
    let url = format!("http://{address}/{{organization_number}}");
    let app = TestApp::start_with(&["--directory-url", &url]).await;
    let token = app.sign_in(SUPER_ADMIN).await;
    for number in ["broken", "fault", "other", "nameless", "huge", "endless", "away", "slow"] {
        let begun = Instant::now();
        assert_error(&look_up(&app, SEARCH, &token, number).await, 503, text::DIRECTORY_UNAVAILABLE.as_str());
        // The server waits 3 s for the register, and the slow one takes 20 s. 15 s leaves room for a busy machine.
        assert!(begun.elapsed() < Duration::from_secs(15), "{number}: {:?}", begun.elapsed());
    }
    assert!(!companies.requested_numbers().contains(&"elsewhere".to_owned()), "no redirect is followed");
    assert_eq!(*name(&look_up(&app, SEARCH, &token, "7").await), "Register AB", "the next request succeeds");
    let gone = TestApp::start_with(&["--directory-url", "http://127.0.0.1:1/{organization_number}"]).await;
    let token = gone.sign_in(SUPER_ADMIN).await;
    assert_error(&look_up(&gone, PUBLIC, &token, "7").await, 503, text::DIRECTORY_UNAVAILABLE.as_str());
}

#[tokio::test]
async fn the_three_directory_routes_share_one_limit_per_account() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for i in 0..60 {
        let response = look_up(&app, [SEARCH, PUBLIC, EXISTS][i % 3], &token, "1").await;
        assert!(matches!(response.status.as_u16(), 200 | 404), "{i}: {}", response.body);
    }
    for path in [SEARCH, PUBLIC, EXISTS] {
        assert_throttled(&look_up(&app, path, &token, "1").await, 300);
    }
}

#[tokio::test]
async fn a_rejected_directory_import_changes_nothing_and_imports_are_repeatable() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let rows: String = (0..1200).map(|i| format!("{i}-0,Company {i},Umeå\n")).collect();
    let list = format!("Organization_Number,CORP_NAME,City\n{rows}");
    for _ in 0..2 {
        assert_eq!(stdout_of_success(&import(&app, list.as_bytes()).await), "1200 companies can be looked up now.\n");
    }
    let entries = async || {
        let count = app.db().sql("SELECT count(*) FROM directory_entries").one::<(i64,)>().await;
        count.unwrap().0
    };
    assert_eq!(entries().await, 1200);
    assert_eq!(*name(&look_up(&app, SEARCH, &token, "11990").await), "Company 1199");

    let broken = b"organization_number,corp_name\n0-0,New\n9999-9,Another\n77-7,\n";
    assert_eq!(error_of_failure(&import(&app, broken).await), ", line 4: corp_name: Company Name is required");
    assert_eq!(
        error_of_failure(&import(&app, b"number\n1\n").await),
        ", line 1: the column organization_number is missing"
    );
    assert_eq!((entries().await, name(&look_up(&app, SEARCH, &token, "00").await)), (1200, &json!("Company 0")));

    stdout_of_success(&import(&app, b"organization_number,corp_name\n00,Renamed\n5,New\n").await);
    assert_eq!((entries().await, name(&look_up(&app, SEARCH, &token, "0-0").await)), (1201, &json!("Renamed")));
}

#[tokio::test]
async fn importing_a_missing_file_of_companies_is_an_error() {
    let app = TestApp::start().await;
    let missing = Command::new(env!("CARGO_BIN_EXE_forecourt"))
        .args(["directory", "import", "/nowhere/companies.csv", "--data-dir"])
        .arg(app.data_dir())
        .output()
        .await
        .unwrap();
    assert!(error_of_failure(&missing).starts_with(" can't be opened: "), "{missing:?}");
}

#[tokio::test]
async fn an_invalid_register_url_stops_the_start_without_being_printed() {
    for url in ["http://register.example/{organization_number}?key=s3cret", "https://register.example/s3cret"] {
        let output = Command::new(env!("CARGO_BIN_EXE_forecourt")).args(["serve", "--directory-url", url]).output();
        let output = output.await.unwrap();
        let line = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && line.trim_end().lines().count() == 1, "{line}");
        assert!(line.contains("--directory-url") && !line.contains("s3cret"), "{line}");
    }
}
