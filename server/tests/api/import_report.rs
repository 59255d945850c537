//! The failed rows of an import as a CSV file, which can be corrected and imported again.

use crate::app::{CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::contract;
use crate::import_submission::finish;
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
    // The delimiter is the character after `Row`, the name of the report's first column.
    let delimiter = text.as_bytes()["\u{feff}Row".len()];
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    Report { disposition, text, rows }
}

#[tokio::test]
async fn a_report_has_every_failed_row_with_its_reason() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = "Förnamn;Tel;E-post\nAda;1;a@b.se\n;+46 70-123;=cmd()\n\"A;\nB\";2;x;extra\n;-5;\"1,@SUM(A1)\"\n";
    let columns = mapping(&[("Förnamn", "name"), ("Tel", "phone"), ("E-post", "email")]);
    let session = import(&app, &token, "Kunder \"2027\" åäö.csv", file.as_bytes(), &columns).await;
    assert_eq!((&session["successRecords"], &session["failedRecords"]), (&json!(1), &json!(3)));
    let Report { disposition, text, rows } = report(&app, &token, &session).await;
    assert!(text.starts_with("\u{feff}Row;Reason;Förnamn;Tel;E-post\r\n"), "{text}");
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
            vec!["5", "Förnamn: Name is required; E-post: Please enter a valid email address", "", "-5", "1,'@SUM(A1)"],
        ]
    );
    let encoded = "Kunder%20%222027%22%20%C3%A5%C3%A4%C3%B6%20-%20rows%20with%20problems.csv";
    let plain = "Kunder _2027_ ___ - rows with problems.csv";
    let expected = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    assert_eq!(disposition, expected);
}

#[tokio::test]
async fn a_report_of_many_rows_has_each_row_once() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = format!("Namn,E-post,Adress\n{}", ",,x\n".repeat(2_345));
    let session = import(&app, &token, "a.csv", file.as_bytes(), &csv_mapping()).await;
    let rows = report(&app, &token, &session).await.rows;
    let numbers: Vec<u64> = rows[1..].iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers, (2..=2_346).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_report_has_the_corrections_of_the_failed_rows() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let columns = mapping(&[("Namn", "name"), ("E-post", "email"), ("Ort", "otherDetails")]);
    let corrections = json!({
        "cells": [{"row": 2, "fileColumn": "Namn", "value": "Åsa"}],
        "replacements": [{"fileColumn": "Ort", "from": "Sthlm", "to": "Stockholm"}],
    });
    let fields = [("columnMapping", columns), ("corrections", corrections)];
    let file = "Namn,E-post,Ort\n,x,Sthlm\nBo,y,Lund\n".as_bytes();
    let session = finish(&app, &token, "a.csv", file, &fields).await;
    let rows = report(&app, &token, &session).await.rows;
    let cells: Vec<&[String]> = rows[1..].iter().map(|row| &row[2..]).collect();
    assert_eq!(cells, [["Åsa", "x", "Stockholm"], ["Bo", "y", "Lund"]]);
}

#[tokio::test]
async fn a_report_requires_read_permission_in_the_same_corporation() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let session = import(&app, &token, "a.csv", &csv(100), &csv_mapping()).await;
    let (reader, other_admin) = (app.sign_in(READER).await, app.sign_in(OTHER_ADMIN).await);
    assert_eq!(report(&app, &reader, &session).await.rows.len(), 2);
    let path = format!("/api/contacts/imports/{}/failed.csv", session["sessionId"].as_str().unwrap());
    let without_role = app.sign_in(NO_ROLE).await;
    assert_eq!(app.get(&path, Some(&without_role)).await.status, 403);
    assert_eq!(app.get(&path, Some(&other_admin)).await.status, 404);
    assert_eq!(app.get("/api/contacts/imports/x/failed.csv", Some(&token)).await.status, 404);
    assert_eq!(app.get(&path, None).await.status, 401);
}

#[tokio::test]
async fn a_report_keeps_the_delimiter_and_gives_the_same_report_if_it_is_imported() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let columns = mapping(&[("Namn", "name"), ("E-post", "email"), ("Anm", "otherDetails")]);
    for (delimiter, expected) in [(",", ","), (";", ";"), ("\t", "\t"), ("|", "|")] {
        let notes = ["=1+1", "\"1;=1+1;2\"", "\";@SUM(1)\"", "\"a|-b\nc\"", "'=1", "+46 70-123 45 67"];
        let lines = notes.iter().map(|note| ["Ada", "x", note].join(delimiter));
        let file = ["Namn,E-post,Anm".replace(',', delimiter)].into_iter().chain(lines).collect::<Vec<_>>().join("\n");
        let session =
            import(&app, &token, &format!("{}.csv", expected.escape_default()), file.as_bytes(), &columns).await;
        assert_eq!(session["failedRecords"], 6, "{session}");
        let first = report(&app, &token, &session).await;
        assert!(first.text.starts_with(&format!("\u{feff}Row{expected}Reason{expected}Namn")), "{}", first.text);
        let cells: Vec<&str> = first.rows[1..].iter().map(|row| row[4].as_str()).collect();
        let escaped = ["'=1+1", "1;'=1+1;2", ";'@SUM(1)", "a|'-b\nc", "'=1", "+46 70-123 45 67"];
        assert_eq!(cells, escaped, "an existing apostrophe is kept");
        let all = mapping(&[
            ("Row", "doNotImport"),
            ("Reason", "doNotImport"),
            ("Namn", "name"),
            ("E-post", "email"),
            ("Anm", "otherDetails"),
        ]);
        let again = import(&app, &token, "again.csv", first.text.as_bytes(), &all).await;
        let second = report(&app, &token, &again).await;
        let without =
            |rows: &[Vec<String>]| rows[1..].iter().map(|row| row[row.len() - 3..].to_vec()).collect::<Vec<_>>();
        assert_eq!(without(&second.rows), without(&first.rows));
    }
}
