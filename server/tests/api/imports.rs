//! Imports: what a file is refused for, what becomes of its rows, and who may see it. That the browser says the same of
//! the sample files is tested in `wasm/import`, against the same page of verdicts.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, READER, STRANGER, TestApp};
use crate::contract;
use forecourt::features::import::reader::{Frame, Input};
use forecourt::platform::clock::MINUTE;
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{Checker, ColumnMapping, Limits, Patches, Plan, ReadOptions, RowBuffer, truncate_cell};
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

/// The sample files, each with what the page of verdicts says about it.
fn samples() -> Vec<(String, Vec<u8>, Value)> {
    let page = std::fs::read_to_string(core_tests().join("verdicts.json")).unwrap();
    let Value::Object(lines) = serde_json::from_str(&page).unwrap() else { panic!("the page is an object") };
    let bytes = |name: &String| std::fs::read(core_tests().join("files").join(name)).unwrap();
    lines.into_iter().map(|(name, line)| (name.clone(), bytes(&name), line)).collect()
}

pub fn form(name: &str, bytes: Vec<u8>) -> Form {
    Form::new().part("file", Part::bytes(bytes).file_name(name.to_owned()))
}

pub async fn send(app: &TestApp, path: &str, token: &str, form: Form) -> Answer {
    app.send(app.request(Method::POST, path, Some(token)).multipart(form)).await
}

pub async fn submit(app: &TestApp, token: &str, name: &str, bytes: &[u8], mapping: &Value) -> Answer {
    // The mapping goes first: the fields come in any order.
    let file = Part::bytes(bytes.to_vec()).file_name(name.to_owned());
    let form = Form::new().text("columnMapping", mapping.to_string()).part("file", file);
    send(app, SUBMIT, token, form).await
}

pub fn mapping(columns: &[(&str, &str)]) -> Value {
    columns.iter().map(|(file, model)| json!({"fileColumn": file, "modelColumn": model})).collect()
}

/// The mapping that the head of a file proposes.
fn proposed(head: &Value) -> Value {
    let matches = head["matches"].as_array().unwrap();
    matches.iter().map(|m| json!({"fileColumn": m["fileColumn"], "modelColumn": m["modelColumn"]})).collect()
}

pub async fn status(app: &TestApp, token: &str, session: &str) -> Value {
    let answer = app.get(&format!("/api/contacts/import/status/{session}"), Some(token)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["session"], answer.body["data"]["session"]);
    answer.body["session"].clone()
}

/// Looks at an import until it satisfies `until`.
pub async fn watch(app: &TestApp, token: &str, session: &str, until: impl Fn(&Value) -> bool) -> Value {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    loop {
        let session = status(app, token, session).await;
        if until(&session) {
            return session;
        }
        assert!(tokio::time::Instant::now() < deadline, "{session}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub fn is_over(session: &Value) -> bool {
    !["pending", "processing"].contains(&session["status"].as_str().unwrap())
}

/// Imports a file to its end.
pub async fn import(app: &TestApp, token: &str, name: &str, bytes: &[u8], mapping: &Value) -> Value {
    let accepted = submit(app, token, name, bytes, mapping).await;
    assert_eq!(accepted.status, 202, "{name}: {}", accepted.body);
    assert_eq!(accepted.body["sessionId"], accepted.body["data"]["sessionId"]);
    watch(app, token, accepted.body["sessionId"].as_str().unwrap(), is_over).await
}

pub fn id_of(session: &Value) -> Uuid {
    session["sessionId"].as_str().unwrap().parse().unwrap()
}

pub async fn count(app: &TestApp, text: &'static str, id: Uuid) -> i64 {
    let (count,): (i64,) = app.db().sql(text).bind(id).one().await.unwrap();
    count
}

/// Contacts of an import, told apart by their rows.
pub async fn rows_of(app: &TestApp, id: Uuid) -> i64 {
    let all = count(app, "SELECT count(*) FROM contacts WHERE import_id = $1", id).await;
    let apart = count(app, "SELECT count(DISTINCT import_row) FROM contacts WHERE import_id = $1", id).await;
    assert_eq!(all, apart, "every row once");
    all
}

/// A CSV file of so many rows; every hundredth has no name.
pub fn csv(rows: usize) -> Vec<u8> {
    let row = |i: usize| format!("{},p{i}@example.se,Gatan {i}\n", if i % 100 == 99 { "" } else { "Ada Öberg" });
    format!("Namn,E-post,Adress\n{}", (0..rows).map(row).collect::<String>()).into_bytes()
}

pub fn csv_mapping() -> Value {
    mapping(&[("Namn", "name"), ("E-post", "email"), ("Adress", "address")])
}

/// A failed row as it is stored: its number, problems and cells.
type StoredRow = (i64, Json<Vec<Value>>, Json<Vec<String>>);

/// Fewer files than a person may send in ten minutes.
const FILES_AT_ONCE: usize = 50;

/// The clerk, who may send as many files again.
async fn rested(app: &TestApp) -> String {
    app.pass(11 * MINUTE);
    app.sign_in(CLERK).await
}

#[tokio::test]
async fn every_sample_is_previewed_as_the_browser_shows_it_or_refused_with_its_sentence() {
    let app = TestApp::start().await;
    let mut token = String::new();
    for (index, (name, bytes, line)) in samples().into_iter().enumerate() {
        if index.is_multiple_of(FILES_AT_ONCE) {
            token = rested(&app).await;
        }
        let answer = send(&app, PREVIEW, &token, form(&name, bytes)).await;
        // A file whose columns can't be imported as they are matched can be looked at all the same.
        if let Some(sentence) = line.get("refused").filter(|_| line.get("head").is_none()) {
            assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, sentence), "{name}");
            assert_eq!(answer.body["errors"], json!([sentence]));
            continue;
        }
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        let (body, head) = (&answer.body, &line["head"]);
        assert_eq!((&body["data"], &body["fileColumns"]), (head, &head["fileColumns"]), "{name}");
        let columns = head["fileColumns"].as_array().unwrap();
        for (row, cells) in body["preview"].as_array().unwrap().iter().zip(head["preview"].as_array().unwrap()) {
            assert_eq!(row.as_object().unwrap().len(), columns.len());
            for (column, cell) in columns.iter().zip(cells.as_array().unwrap()) {
                assert_eq!(&row[column.as_str().unwrap()], cell, "{name}");
            }
        }
    }
}

#[tokio::test]
async fn the_columns_of_a_preview_stand_in_the_order_of_the_file() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let request =
        app.request(Method::POST, PREVIEW, Some(&token)).multipart(form("a.csv", b"Zon,Namn,Adress\n1,2,3\n".to_vec()));
    let text = contract::send(request).await.text();
    assert!(text.contains(r#"{"Zon":"1","Namn":"2","Adress":"3"}"#), "{text}");
}

#[tokio::test]
async fn every_sample_comes_to_the_browsers_verdict_row_by_row() {
    let app = TestApp::start().await;
    let mut token = String::new();
    for (index, (name, bytes, line)) in samples().into_iter().enumerate() {
        if index.is_multiple_of(FILES_AT_ONCE) {
            token = rested(&app).await;
        }
        if let Some(sentence) = line.get("refused") {
            let mapping = line.get("head").map_or(json!([]), proposed);
            let answer = submit(&app, &token, &name, &bytes, &mapping).await;
            assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, sentence), "{name}");
            continue;
        }
        let session = import(&app, &token, &name, &bytes, &proposed(&line["head"])).await;
        let verdict = &line["verdict"];
        assert_eq!((&session["status"], &session["fileName"]), (&json!("completed"), &json!(name)), "{session}");
        for (field, other) in [
            ("totalRecords", "total"),
            ("processedRecords", "total"),
            ("successRecords", "ready"),
            ("failedRecords", "failed"),
        ] {
            assert_eq!(session[field], verdict[other], "{name}: {field}");
        }
        let id = id_of(&session);
        assert_eq!(json!(rows_of(&app, id).await), verdict["ready"], "{name}");
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
        let found = line["problems"].as_array().unwrap();
        assert_eq!(stored.clone().count(), found.len(), "{name}");
        for (mut problem, found) in stored.zip(found) {
            // What has no place among the file's columns has its value in none of its cells.
            if problem.get("column").is_none() {
                problem["value"] = truncate_cell(found["value"].as_str().unwrap()).into_owned().into();
            }
            if let Some(joined) = problem.as_object_mut().unwrap().remove("fileColumn") {
                let columns = line["head"]["fileColumns"].as_array().unwrap();
                problem["column"] = columns.iter().position(|column| *column == joined).unwrap().into();
            }
            let mut found = found.clone();
            found["value"] = truncate_cell(found["value"].as_str().unwrap()).into_owned().into();
            assert_eq!(problem, found, "{name}");
        }
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        while count(&app, "SELECT count(*) FROM import_parts WHERE import_id = $1", id).await > 0 {
            assert!(tokio::time::Instant::now() < deadline, "the file is deleted once it is imported");
        }
    }
}

#[tokio::test]
async fn what_the_child_reads_has_the_digest_of_what_the_browser_reads() {
    let app = TestApp::start().await;
    for (name, bytes, line) in samples().into_iter().filter(|(_, _, line)| line.get("refused").is_none()) {
        let file = std::fs::File::open(core_tests().join("files").join(&name)).unwrap();
        let options = ReadOptions::default();
        let input = Input { name: &name, size: bytes.len() as u64, file, options: &options };
        let mut reading = app.app.reader.read(input).unwrap();
        let Frame::Head(opened) = reading.next().await.unwrap() else { panic!("the head comes first") };
        let mapping: Vec<ColumnMapping> = serde_json::from_value(proposed(&line["head"])).unwrap();
        let plan = Plan::new(&opened.head.file_columns, &mapping).unwrap();
        let mut checker = Checker::new(opened.layout.clone(), plan.clone(), Patches::default(), &Limits::default());
        let mut row = RowBuffer::default();
        loop {
            match reading.next().await.unwrap() {
                Frame::Rows(rows) => {
                    let mut rows = Unpacker::new(&rows);
                    while !rows.is_empty() {
                        rows.read_row(&mut row).unwrap();
                        checker.check_row(row.row()).unwrap();
                    }
                }
                // From here on the same rows come again.
                Frame::FirstPassEnd => {
                    assert_eq!(json!(checker.verdict()), line["verdict"], "{name}");
                    checker = Checker::new(opened.layout.clone(), plan.clone(), Patches::default(), &Limits::default());
                }
                Frame::End => break,
                _ => panic!("{name}"),
            }
        }
        assert_eq!(json!(checker.verdict()), line["verdict"], "{name}");
    }
}

#[tokio::test]
async fn an_imported_contact_says_where_it_comes_from() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let file = "Namn;Stad\nÅsa Öberg;Malmö\n\nBo Ek;\n".as_bytes();
    let session =
        import(&app, &token, r"C:\filer\kunder.csv", file, &mapping(&[("Stad", "otherDetails"), ("Namn", "name")]))
            .await;
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
async fn a_mapping_that_does_not_hold_is_refused_before_anything_is_kept() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
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
        let answer = submit(&app, &token, "a.csv", &file, &mapping).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(sentence)));
        assert_eq!(answer.body["fields"][field], json!([sentence]));
    }
    for nonsense in [json!("x"), json!({"Namn": "name"}), json!([1])] {
        let answer = submit(&app, &token, "a.csv", &file, &nonsense).await;
        assert_eq!(answer.status, 400);
        assert!(answer.body["message"].as_str().unwrap().contains("columnMapping"), "{}", answer.body);
    }
    let without = send(&app, SUBMIT, &token, form("a.csv", file)).await;
    assert_eq!(without.body["message"], "Please map all columns before importing");
    let (imports,): (i64,) = app.db().sql("SELECT count(*) FROM imports").one().await.unwrap();
    assert_eq!(imports, 0);
}

#[tokio::test]
async fn an_upload_that_is_no_file_is_refused_with_a_sentence() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
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
        let answer = send(&app, PREVIEW, &token, form).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(sentence)));
    }
    let answer = app.post(PREVIEW, Some(&token), json!({"file": "x"})).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.body["message"], "The file must be sent as a form (multipart/form-data), in its field “file”.");
    let cut = app
        .request(Method::POST, PREVIEW, Some(&token))
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nNamn\nAda");
    let answer = app.send(cut).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.body["message"], "The upload broke off before the whole file had arrived. Please try again.");
}

#[tokio::test]
async fn a_file_beyond_its_limit_is_refused_with_its_size() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    // Whatever its name, it is a workbook.
    for name in ["a.xlsx", "a.csv"] {
        let workbook = [b"PK\x03\x04".to_vec(), vec![0; 64 << 20]].concat();
        let answer = send(&app, PREVIEW, &token, form(name, workbook)).await;
        assert_eq!(answer.status, 413, "{}", answer.body);
        let message = "This file has 65 MB, and 64 MB is the most that can be read. Split it into smaller files.";
        assert_eq!(answer.body["message"], message);
    }
}

#[tokio::test]
async fn imports_take_the_permission_to_create_and_show_only_to_their_corporation() {
    let app = TestApp::start().await;
    let clerk = app.sign_in(CLERK).await;
    let session = import(&app, &clerk, "a.csv", &csv(3), &csv_mapping()).await;
    let path = format!("/api/contacts/import/status/{}", session["sessionId"].as_str().unwrap());
    for (email, expected) in [(ADMIN, 200), (READER, 403), (NOBODY, 403), (STRANGER, 404)] {
        let token = app.sign_in(email).await;
        assert_eq!(app.get(&path, Some(&token)).await.status, expected, "{email}");
        let refused = expected == 403;
        let answer = send(&app, PREVIEW, &token, form("a.csv", csv(3))).await;
        assert_eq!(answer.status, if refused { 403 } else { 200 }, "{email}");
        let answer = submit(&app, &token, "a.csv", &csv(3), &csv_mapping()).await;
        assert_eq!(answer.status, if refused { 403 } else { 202 }, "{email}");
    }
    assert_eq!(app.get("/api/contacts/import/status/none", Some(&clerk)).await.status, 404);
    assert_eq!(app.get(&path, None).await.status, 401);
}

#[tokio::test]
async fn files_are_counted_for_each_person() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    for _ in 0..60 {
        assert_eq!(send(&app, PREVIEW, &clerk, Form::new()).await.status, 400);
    }
    let answer = send(&app, SUBMIT, &clerk, Form::new()).await;
    assert_eq!((answer.status.as_u16(), answer.headers.contains_key("retry-after")), (429, true));
    assert_eq!(send(&app, PREVIEW, &admin, Form::new()).await.status, 400);
}
