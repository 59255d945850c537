//! Imports: rejected files, the result of each row, and permissions. `web/src/import/parity.test.tsx` compares the
//! browser's results for the sample files with the same file of verdicts.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::contract;
use crate::helpers::{PATIENCE, wait_until};
use forecourt::features::import::reader::{Frame, Input};
use forecourt::platform::clock::MINUTE;
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{Checker, ColumnMapping, Limits, Patches, Plan, ReadOptions, RowBuffer};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sqlx::types::Json;
use std::path::{Path, PathBuf};
use std::time::Duration;
use uuid::Uuid;

pub const PREVIEW: &str = "/api/contacts/import/preview";
const SUBMIT: &str = "/api/contacts/import/submit";

fn core_tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests")
}

/// Returns the sample files with their entries in `verdicts.json`.
fn samples() -> Vec<(String, Vec<u8>, Value)> {
    let verdicts = std::fs::read_to_string(core_tests().join("verdicts.json")).unwrap();
    let Value::Object(entries) = serde_json::from_str(&verdicts).unwrap() else {
        panic!("the file must contain an object")
    };
    let bytes = |name: &String| std::fs::read(core_tests().join("files").join(name)).unwrap();
    entries.into_iter().map(|(name, entry)| (name.clone(), bytes(&name), entry)).collect()
}

pub fn form(name: &str, bytes: Vec<u8>) -> Form {
    Form::new().part("file", Part::bytes(bytes).file_name(name.to_owned()))
}

pub async fn send(app: &TestApp, path: &str, token: &str, form: Form) -> ApiResponse {
    app.send(app.request(Method::POST, path, Some(token)).multipart(form)).await
}

pub async fn submit(app: &TestApp, token: &str, name: &str, bytes: &[u8], mapping: &Value) -> ApiResponse {
    // This form sends the mapping before the file, other tests after it: both orders are accepted.
    let file = Part::bytes(bytes.to_vec()).file_name(name.to_owned());
    let form = Form::new().text("columnMapping", mapping.to_string()).part("file", file);
    send(app, SUBMIT, token, form).await
}

pub fn mapping(columns: &[(&str, &str)]) -> Value {
    columns.iter().map(|(file, model)| json!({"fileColumn": file, "modelColumn": model})).collect()
}

/// Returns the column mapping that the preview of a file (its head) proposes.
pub fn proposed_mapping(head: &Value) -> Value {
    let matches = head["matches"].as_array().unwrap();
    matches.iter().map(|m| json!({"fileColumn": m["fileColumn"], "modelColumn": m["modelColumn"]})).collect()
}

pub async fn status(app: &TestApp, token: &str, session: &str) -> Value {
    let response = app.get(&format!("/api/contacts/import/status/{session}"), Some(token)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!(response.body["session"], response.body["data"]["session"]);
    response.body["session"].clone()
}

/// Polls the status of an import until it satisfies `is_reached`.
pub async fn wait_for_status(app: &TestApp, token: &str, session: &str, is_reached: impl Fn(&Value) -> bool) -> Value {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let session = status(app, token, session).await;
        if is_reached(&session) {
            return session;
        }
        assert!(tokio::time::Instant::now() < deadline, "{session}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub fn is_finished(session: &Value) -> bool {
    !["pending", "processing"].contains(&session["status"].as_str().unwrap())
}

/// Imports a file, and waits until it has ended.
pub async fn import(app: &TestApp, token: &str, name: &str, bytes: &[u8], mapping: &Value) -> Value {
    let accepted = submit(app, token, name, bytes, mapping).await;
    assert_eq!(accepted.status, 202, "{name}: {}", accepted.body);
    assert_eq!(accepted.body["sessionId"], accepted.body["data"]["sessionId"]);
    wait_for_status(app, token, accepted.body["sessionId"].as_str().unwrap(), is_finished).await
}

pub fn session_id(session: &Value) -> Uuid {
    session["sessionId"].as_str().unwrap().parse().unwrap()
}

pub async fn count(app: &TestApp, text: &'static str, id: Uuid) -> i64 {
    let count: i64 = app.db().sql(text).bind(id).value().await.unwrap();
    count
}

/// Counts the contacts of an import, and asserts that no two come from the same row.
pub async fn count_imported(app: &TestApp, id: Uuid) -> i64 {
    let all = count(app, "SELECT count(*) FROM contacts WHERE import_id = $1", id).await;
    let distinct = count(app, "SELECT count(DISTINCT import_row) FROM contacts WHERE import_id = $1", id).await;
    assert_eq!(all, distinct, "every row once");
    all
}

/// Returns a CSV file with this many rows. Every hundredth row has no name, and fails.
pub fn csv(rows: usize) -> Vec<u8> {
    let row = |i: usize| format!("{},p{i}@example.se,Gatan {i}\n", if i % 100 == 99 { "" } else { "Ada Öberg" });
    format!("Namn,E-post,Adress\n{}", (0..rows).map(row).collect::<String>()).into_bytes()
}

pub fn csv_mapping() -> Value {
    mapping(&[("Namn", "name"), ("E-post", "email"), ("Adress", "address")])
}

/// A row of the table of failed rows: row number, problems and cells.
type StoredRow = (i64, Json<Vec<Value>>, Json<Vec<String>>);

/// The number of files to send before the clock is advanced. A user may upload a few more in ten minutes.
const FILES_PER_WINDOW: usize = 50;

/// Calls `check` for each sample file, with a token of the clerk, and the file's name, bytes and expected result.
async fn for_each_sample(app: &TestApp, mut check: impl AsyncFnMut(&str, &str, Vec<u8>, Value)) {
    let mut token = String::new();
    for (index, (name, bytes, entry)) in samples().into_iter().enumerate() {
        if index.is_multiple_of(FILES_PER_WINDOW) {
            // Advance past the ten minutes of the upload limit.
            app.advance(11 * MINUTE);
            token = app.sign_in(CLERK).await;
        }
        check(&token, &name, bytes, entry).await;
    }
}

#[tokio::test]
async fn every_sample_file_has_the_same_preview_as_in_the_browser() {
    let app = TestApp::start().await;
    for_each_sample(&app, async |token, name, bytes, entry| {
        let response = send(&app, PREVIEW, token, form(name, bytes)).await;
        // Only files without a head get no preview. An invalid proposed mapping does not prevent one.
        if let Some(sentence) = entry.get("refused").filter(|_| entry.get("head").is_none()) {
            assert_eq!((response.status.as_u16(), &response.body["message"]), (400, sentence), "{name}");
            assert_eq!(response.body["errors"], json!([sentence]));
            return;
        }
        assert_eq!(response.status, 200, "{name}: {}", response.body);
        let (body, head) = (&response.body, &entry["head"]);
        assert_eq!((&body["data"], &body["fileColumns"]), (head, &head["fileColumns"]), "{name}");
        let columns = head["fileColumns"].as_array().unwrap();
        for (row, cells) in body["preview"].as_array().unwrap().iter().zip(head["preview"].as_array().unwrap()) {
            assert_eq!(row.as_object().unwrap().len(), columns.len());
            for (column, cell) in columns.iter().zip(cells.as_array().unwrap()) {
                assert_eq!(&row[column.as_str().unwrap()], cell, "{name}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn the_columns_of_a_preview_keep_the_order_of_the_file() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let request =
        app.request(Method::POST, PREVIEW, Some(&token)).multipart(form("a.csv", b"Zon,Namn,Adress\n1,2,3\n".to_vec()));
    let text = contract::send(request).await.text();
    assert!(text.contains(r#"{"Zon":"1","Namn":"2","Adress":"3"}"#), "{text}");
}

#[tokio::test]
async fn every_sample_file_is_imported_with_the_verdict_of_the_browser() {
    let app = TestApp::start().await;
    for_each_sample(&app, async |token, name, bytes, entry| {
        if let Some(sentence) = entry.get("refused") {
            let mapping = entry.get("head").map_or(json!([]), proposed_mapping);
            let response = submit(&app, token, name, &bytes, &mapping).await;
            assert_eq!((response.status.as_u16(), &response.body["message"]), (400, sentence), "{name}");
            return;
        }
        let session = import(&app, token, name, &bytes, &proposed_mapping(&entry["head"])).await;
        let verdict = &entry["verdict"];
        assert_eq!((&session["status"], &session["fileName"]), (&json!("completed"), &json!(name)), "{session}");
        for (field, other) in [
            ("totalRecords", "total"),
            ("processedRecords", "total"),
            ("successRecords", "ready"),
            ("failedRecords", "failed"),
        ] {
            assert_eq!(session[field], verdict[other], "{name}: {field}");
        }
        let id = session_id(&session);
        assert_eq!(json!(count_imported(&app, id).await), verdict["ready"], "{name}");
        let failures: Vec<StoredRow> = app
            .db()
            .sql("SELECT row_number, problems, cells FROM import_failures WHERE import_id = $1 ORDER BY row_number")
            .bind(id)
            .all()
            .await
            .unwrap();
        let stored = failures.into_iter().flat_map(|(row, Json(problems), Json(cells))| {
            problems.into_iter().map(move |mut problem| {
                problem["row"] = row.into();
                if let Some(column) = problem["column"].as_u64() {
                    problem["value"] = cells.get(column as usize).map_or("", String::as_str).into();
                }
                problem
            })
        });
        let found = entry["problems"].as_array().unwrap();
        assert_eq!(stored.clone().count(), found.len(), "{name}");
        for (mut problem, found) in stored.zip(found) {
            // If a problem has no column, no stored cell has its value, so the expected value is used.
            if problem.get("column").is_none() {
                problem["value"] = found["value"].clone();
            }
            // A stored problem names the joined column (first and last name), because the file has no such column.
            if let Some(joined_column) = problem.as_object_mut().unwrap().remove("fileColumn") {
                let columns = entry["head"]["fileColumns"].as_array().unwrap();
                problem["column"] = columns.iter().position(|column| *column == joined_column).unwrap().into();
            }
            assert_eq!(problem, *found, "{name}");
        }
        let parts = "SELECT count(*) FROM import_parts WHERE import_id = $1";
        wait_until("the file is deleted once it is imported", async || count(&app, parts, id).await == 0).await;
    })
    .await;
}

#[tokio::test]
async fn the_reader_process_and_the_browser_reach_the_same_verdict() {
    let app = TestApp::start().await;
    for (name, bytes, entry) in samples().into_iter().filter(|(_, _, entry)| entry.get("refused").is_none()) {
        let file = std::fs::File::open(core_tests().join("files").join(&name)).unwrap();
        let options = ReadOptions::default();
        let input = Input { name: &name, size: bytes.len() as u64, file, options: &options };
        let mut reading = app.app.reader.read(input).unwrap();
        let Frame::Head(opened) = reading.next().await.unwrap() else { panic!("the head comes first") };
        let mapping: Vec<ColumnMapping> = serde_json::from_value(proposed_mapping(&entry["head"])).unwrap();
        let plan = Plan::new(&opened.head.file_columns, &mapping).unwrap();
        let mut checker = Checker::new(opened.layout.clone(), plan.clone(), Patches::default(), &Limits::default());
        let mut row = RowBuffer::default();
        loop {
            match reading.next().await.unwrap() {
                Frame::Rows(rows) => {
                    let mut rows = Unpacker::new(&rows);
                    while !rows.is_at_end() {
                        rows.read_row(&mut row).unwrap();
                        checker.check_row(row.row()).unwrap();
                    }
                }
                // After the first pass, the reader sends all rows a second time.
                Frame::FirstPassEnd => {
                    assert_eq!(json!(checker.verdict()), entry["verdict"], "{name}");
                    checker = Checker::new(opened.layout.clone(), plan.clone(), Patches::default(), &Limits::default());
                }
                Frame::End => break,
                _ => panic!("{name}"),
            }
        }
        assert_eq!(json!(checker.verdict()), entry["verdict"], "{name}");
    }
}

#[tokio::test]
async fn an_imported_contact_has_its_source_and_import_id() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = "Namn;Stad\nÅsa Öberg;Malmö\n\nBo Ek;\n".as_bytes();
    let columns = mapping(&[("Stad", "otherDetails"), ("Namn", "name")]);
    let session = import(&app, &token, r"C:\filer\kunder.csv", file, &columns).await;
    assert_eq!(session["fileName"], "kunder.csv");
    let list = app.get("/api/contacts?search=asa", Some(&token)).await;
    let contact = &list.body["data"][0];
    let record = app.get(&format!("/api/contacts/{}", contact["_id"].as_str().unwrap()), Some(&token)).await;
    assert_eq!(record.body["data"]["otherDetails"], json!({"Stad": "Malmö"}));
    assert_eq!((&contact["importSource"], &contact["importBatchId"]), (&json!("kunder.csv"), &session["sessionId"]));
    assert_eq!(contact["importedAt"], "2027-01-15T08:00:00.000Z");
    let list = app.get("/api/contacts", Some(&token)).await;
    assert_eq!(list.body["pagination"]["totalContacts"], 2);
}

#[tokio::test]
async fn an_invalid_mapping_is_rejected_and_nothing_is_stored() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = csv(3);
    for (mapping, field, sentence) in [
        (mapping(&[("Namn", "name")]), "columnMapping", "Please map all columns before importing"),
        (
            mapping(&[("Namn", "name"), ("E-post", ""), ("Adress", "address")]),
            "columnMapping",
            "Please map all columns before importing",
        ),
        (
            mapping(&[("Namn", "name"), ("E-post", "email"), ("Adress", "email")]),
            "Adress",
            "Both “E-post” and “Adress” are mapped to Email. Choose another field for one of them.",
        ),
        (
            mapping(&[("Namn", "name"), ("E-post", "user_type"), ("Adress", "address")]),
            "E-post",
            "“E-post” can't be mapped to “user_type”. Choose one of the listed fields.",
        ),
    ] {
        let response = submit(&app, &token, "a.csv", &file, &mapping).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(sentence)));
        assert_eq!(response.body["fields"][field], json!([sentence]));
    }
    for nonsense in [json!("x"), json!({"Namn": "name"}), json!([1])] {
        let response = submit(&app, &token, "a.csv", &file, &nonsense).await;
        assert_eq!(response.status, 400);
        assert!(response.body["message"].as_str().unwrap().contains("columnMapping"), "{}", response.body);
    }
    let without = send(&app, SUBMIT, &token, form("a.csv", file)).await;
    assert_eq!(without.body["message"], "Please map all columns before importing");
    let imports: i64 = app.db().sql("SELECT count(*) FROM imports").value().await.unwrap();
    assert_eq!(imports, 0);
}

#[tokio::test]
async fn an_upload_without_a_valid_file_is_rejected_with_a_message() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = || Part::bytes(csv(2));
    for (form, sentence) in [
        (Form::new().text("other", "x"), "Please choose a file to import"),
        (Form::new().part("file", file()), "The file has no name. Choose a file that ends in .csv, .xlsx or .xls."),
        (
            Form::new().part("file", file().file_name("folder/")),
            "The file has no name. Choose a file that ends in .csv, .xlsx or .xls.",
        ),
        (form("a.csv", csv(2)).part("file", file().file_name("b.csv")), "Please import one file at a time"),
        (
            form("kunder", csv(2)),
            "A file whose name has no ending can't be imported. Save it as .xlsx or .csv and choose it again.",
        ),
    ] {
        let response = send(&app, PREVIEW, &token, form).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(sentence)));
    }
    let response = app.post(PREVIEW, Some(&token), json!({"file": "x"})).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.body["message"], "The file must be sent as a form (multipart/form-data), in its field “file”.");
    let cut = app
        .request(Method::POST, PREVIEW, Some(&token))
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nNamn\nAda");
    let response = app.send(cut).await;
    assert_eq!(response.status, 400);
    assert_eq!(
        response.body["message"],
        "The upload was interrupted before the whole file had arrived. Please try again."
    );
}

#[tokio::test]
async fn a_file_beyond_the_size_limit_is_rejected_with_its_size() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    // Both files contain a workbook, so the limit of workbooks applies.
    for name in ["a.xlsx", "a.csv"] {
        let workbook = [b"PK\x03\x04".to_vec(), vec![0; 64 << 20]].concat();
        let response = send(&app, PREVIEW, &token, form(name, workbook)).await;
        assert_eq!(response.status, 413, "{}", response.body);
        let message = "This file is 65 MB, but at most 64 MB can be read. Split it into smaller files.";
        assert_eq!(response.body["message"], message);
    }
}

#[tokio::test]
async fn imports_require_create_permission_and_the_same_corporation() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let session = import(&app, &clerk, "a.csv", &csv(3), &csv_mapping()).await;
    let path = format!("/api/contacts/import/status/{}", session["sessionId"].as_str().unwrap());
    for (email, expected) in [(ADMIN, 200), (READER, 403), (NO_ROLE, 403), (OTHER_ADMIN, 404)] {
        let token = app.sign_in(email).await;
        assert_eq!(app.get(&path, Some(&token)).await.status, expected, "{email}");
        let rejected = expected == 403;
        let response = send(&app, PREVIEW, &token, form("a.csv", csv(3))).await;
        assert_eq!(response.status, if rejected { 403 } else { 200 }, "{email}");
        let response = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        assert_eq!(response.status, if rejected { 403 } else { 202 }, "{email}");
    }
    assert_eq!(app.get("/api/contacts/import/status/none", Some(&clerk)).await.status, 404);
    assert_eq!(app.get(&path, None).await.status, 401);
}

#[tokio::test]
async fn uploads_are_rate_limited_per_user() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    for _ in 0..60 {
        assert_eq!(send(&app, PREVIEW, &clerk, Form::new()).await.status, 400);
    }
    let response = send(&app, SUBMIT, &clerk, Form::new()).await;
    assert_eq!((response.status.as_u16(), response.headers.contains_key("retry-after")), (429, true));
    assert_eq!(send(&app, PREVIEW, &admin, Form::new()).await.status, 400);
}
