//! The rows that failed, as a file to correct and import again.

use crate::app::{CLERK, READER, STRANGER, TestApp};
use crate::contract;
use crate::imports::{csv, csv_mapping, import, mapping};
use reqwest::Method;
use serde_json::{Value, json};

struct Report {
    disposition: String,
    text: String,
    rows: Vec<Vec<String>>,
}

async fn report(app: &TestApp, token: &str, session: &Value) -> Report {
    let path = format!("/api/contacts/imports/{}/failed.csv", session["sessionId"].as_str().unwrap());
    let reply = contract::send(app.request(Method::GET, &path, Some(token))).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.headers["content-type"], "text/csv; charset=utf-8");
    let disposition = reply.headers["content-disposition"].to_str().unwrap().to_owned();
    let text = String::from_utf8(reply.bytes).unwrap();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    Report { disposition, text, rows }
}

#[tokio::test]
async fn every_failed_row_is_reported_as_it_stands_in_its_file_with_the_reason() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let file = "Förnamn;Tel;E-post\nAda;1;a@b.se\n;+46 70-123;=cmd()\n\"A;\nB\";2;x;extra\n;-5;\"@SUM(A1)\"\n";
    let columns = mapping(&[("Förnamn", "name"), ("Tel", "phone"), ("E-post", "email")]);
    let session = import(&app, &token, "Kunder \"2027\" åäö.csv", file.as_bytes(), &columns).await;
    assert_eq!((&session["successRecords"], &session["failedRecords"]), (&json!(1), &json!(3)));
    let Report { disposition, text, rows } = report(&app, &token, &session).await;
    assert!(text.starts_with("\u{feff}Row,Reason,Förnamn,Tel,E-post\r\n"), "{text}");
    assert_eq!(
        rows[1..],
        [
            vec![
                "3",
                "Förnamn: Name is required; E-post: Please enter a valid email address",
                "",
                "+46 70-123",
                "'=cmd()"
            ],
            vec!["4", "This row has one more value than the file has columns", "A;\nB", "2", "x", "extra"],
            vec!["5", "Förnamn: Name is required; E-post: Please enter a valid email address", "", "-5", "'@SUM(A1)"],
        ]
    );
    let encoded = "Kunder%20%222027%22%20%C3%A5%C3%A4%C3%B6%20-%20failed%20rows.csv";
    let expected = format!("attachment; filename=\"Kunder _2027_ ___ - failed rows.csv\"; filename*=UTF-8''{encoded}");
    assert_eq!(disposition, expected);
}

#[tokio::test]
async fn a_report_of_many_rows_has_each_of_them_once() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let file = format!("Namn,E-post,Adress\n{}", ",,x\n".repeat(2_345));
    let session = import(&app, &token, "a.csv", file.as_bytes(), &csv_mapping()).await;
    let rows = report(&app, &token, &session).await.rows;
    let numbers: Vec<u64> = rows[1..].iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers, (2..=2_346).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_report_is_for_who_may_read_contacts_of_the_same_corporation() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let session = import(&app, &token, "a.csv", &csv(100), &csv_mapping()).await;
    let (reader, stranger) = (app.sign_in(READER).await, app.sign_in(STRANGER).await);
    assert_eq!(report(&app, &reader, &session).await.rows.len(), 2);
    let path = format!("/api/contacts/imports/{}/failed.csv", session["sessionId"].as_str().unwrap());
    assert_eq!(app.get(&path, Some(&stranger)).await.status, 404);
    assert_eq!(app.get("/api/contacts/imports/x/failed.csv", Some(&token)).await.status, 404);
    assert_eq!(app.get(&path, None).await.status, 401);
}
