//! Exports of lists: the same records in the same order as the list, in both formats, and importable again.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use crate::contract;
use crate::customers::{self, company};
use crate::helpers::{create_record, read_record, value_of, with_field};
use crate::imports::{PREVIEW, form, import, mapping, proposed_mapping, send};
use crate::invoices::{self, invoice};
use calamine::Data;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::corporations::Corporation;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::date::Date;
use forecourt_core::import::formula;
use forecourt_core::invoices::Invoice;
use forecourt_core::lists::{Field, Kind, LISTS, Record};
use forecourt_core::users::User;
use reqwest::Method;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde_json::{Value, json};
use std::io::Cursor;

const CONTACTS: &str = "/api/contacts";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A downloaded file.
struct File {
    content_type: String,
    content_disposition: String,
    bytes: Vec<u8>,
}

/// Downloads the export of the list at this path.
async fn download(app: &TestApp, token: &str, path: &str, query: &[(&str, &str)]) -> File {
    let request = app.request(Method::GET, &format!("{path}/export"), Some(token)).query(query);
    let reply = contract::send(request).await;
    assert_eq!(reply.status, 200, "{query:?}: {}", reply.text());
    let header = |name| reply.headers[name].to_str().unwrap().to_owned();
    File { content_type: header(CONTENT_TYPE), content_disposition: header(CONTENT_DISPOSITION), bytes: reply.bytes }
}

/// Returns the rows of a CSV file; the first has the names of the fields.
fn csv_rows(file: &File) -> Vec<Vec<String>> {
    assert_eq!(file.content_type, "text/csv; charset=utf-8");
    let text = file.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Returns the cells of a workbook's first sheet, row by row.
fn xlsx_rows(file: &File) -> Vec<Vec<Data>> {
    use calamine::Reader;
    assert_eq!(file.content_type, XLSX);
    let mut workbook: calamine::Xlsx<_> = Reader::new(Cursor::new(file.bytes.clone())).unwrap();
    let range = workbook.worksheet_range_at(0).unwrap().unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

/// Returns the date (YYYY-MM-DD, from 2020 to 2029) of a workbook's day number.
fn day_text(number: f64) -> String {
    let days = (2020..2030).flat_map(|year| {
        (1..=12)
            .flat_map(move |month| (1..=31).filter_map(move |day| Date::parse(&format!("{year}-{month:02}-{day:02}"))))
    });
    let is_day = |day: &Date| day.spreadsheet_number().map(f64::from) == Some(number);
    days.into_iter().find(is_day).unwrap().to_string()
}

/// Returns the text with which an exported file shows a value of the API.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(object) => object["name"].as_str().unwrap().to_owned(),
        other => other.to_string(),
    }
}

/// Asserts that the CSV and the XLSX export have the list's records in its order, with all exported fields. Returns
/// the number of records.
pub async fn assert_equals_list<R: Record>(app: &TestApp, token: &str, path: &str, query: &[(&str, &str)]) -> usize {
    let whole = [query, &[("limit", "100")]].concat();
    let listed = app.send(app.request(Method::GET, path, Some(token)).query(&whole)).await.body;
    let records = listed.as_array().or(listed["data"].as_array()).unwrap();
    let fields: Vec<&Field> = R::FIELDS.iter().filter(|field| field.is_exported).collect();
    let names: Vec<_> = fields.iter().map(|field| field.name.to_owned()).collect();
    let values = |record: &Value| fields.iter().map(|field| text(value_of(field, record))).collect::<Vec<_>>();
    let rows = csv_rows(&download(app, token, path, query).await);
    assert_eq!(rows[0], names);
    let amount = |text: &str| text.parse::<f64>().map_or_else(|_| text.to_owned(), |number| number.to_string());
    let exported: Vec<Vec<String>> = rows[1..]
        .iter()
        .map(|row| {
            let cells = row.iter().zip(&fields);
            let text = |(cell, field): (&String, &&Field)| match field.kind {
                Kind::Money | Kind::OwnMoney | Kind::Percent => amount(cell),
                _ => formula::unescape(cell).into_owned(),
            };
            cells.map(text).collect()
        })
        .collect();
    assert_eq!(exported, records.iter().map(values).collect::<Vec<_>>(), "{path} {query:?}");
    let workbook = xlsx_rows(&download(app, token, path, &[query, &[("format", "xlsx")]].concat()).await);
    assert_eq!(workbook.len(), rows.len(), "{path} {query:?}");
    for (row, cells) in workbook[1..].iter().zip(&rows[1..]) {
        for ((shown, cell), field) in row.iter().zip(cells).zip(&fields) {
            let shown = match (field.kind, shown) {
                (Kind::Date, Data::DateTime(day)) => day_text(day.as_f64()),
                (Kind::Money | Kind::OwnMoney | Kind::Percent | Kind::Number, _) => amount(&shown.to_string()),
                _ => shown.to_string(),
            };
            let is_amount = matches!(field.kind, Kind::Money | Kind::OwnMoney | Kind::Percent | Kind::Number);
            let cell = if is_amount { amount(cell) } else { cell.clone() };
            assert_eq!(shown, cell, "{path} {}", field.name);
        }
    }
    records.len()
}

async fn create_contacts(app: &TestApp, token: &str) {
    for (name, email, phone, address) in [
        ("Åsa Öberg", "asa@example.se", "+46 70-123 45 67", "Storgatan 1\n222 22 Lund"),
        ("=HYPERLINK(\"x\")", "", "007", "1;=1+1"),
        ("'quoted", "bo@example.se", "-12", "\"a\", b"),
        ("محمد 😀", "", "@home", "_x0041_ <&>"),
    ] {
        let contact = json!({"name": name, "email": email, "phone": phone, "address": address});
        create_record(app, token, CONTACTS, contact, "_id").await;
    }
}

#[tokio::test]
async fn an_export_has_the_records_of_the_list_in_its_order() {
    let app = TestApp::start().await;
    let (clerk, platform) = (app.sign_in(CLERK).await, app.sign_in(SUPER_ADMIN).await);
    create_contacts(&app, &clerk).await;
    let columns = mapping(&[("Namn", "name")]);
    let session = import(&app, &clerk, "a.csv", "Namn\nCia Berg\nDag Ek\n".as_bytes(), &columns).await;
    let batch = session["sessionId"].as_str().unwrap();
    let filter = r#"[{"field":"email","op":"is_empty"}]"#;
    for (query, count) in [
        (vec![], 6),
        (vec![("sort", "-name")], 6),
        (vec![("filter", filter), ("sort", "phone")], 4),
        (vec![("search", "oberg")], 1),
        (vec![("importBatchId", batch)], 2),
        (vec![("search", "nothing at all")], 0),
    ] {
        let found = assert_equals_list::<ContactSummary>(&app, &clerk, CONTACTS, &query).await;
        assert_eq!(found, count, "{query:?}");
    }
    let paged = csv_rows(&download(&app, &clerk, CONTACTS, &[("page", "2"), ("limit", "1")]).await);
    assert_eq!(paged.len(), 7, "the page is ignored");

    for name in ["Ada", "Bo"] {
        create_record(&app, &clerk, customers::PATH, with_field(company(name), "totalSpent", 1250.5), "customer_id")
            .await;
    }
    for query in [vec![], vec![("searchTerm", "ada")], vec![("typeAdv", "Company"), ("sort", "name")]] {
        assert_equals_list::<CustomerSummary>(&app, &clerk, customers::PATH, &query).await;
    }
    for name in ["Nordbil", "+Södra"] {
        create_record(&app, &clerk, invoices::PATH, invoice(name), "_id").await;
    }
    for query in [vec![], vec![("sort", "customer")]] {
        assert_eq!(assert_equals_list::<Invoice>(&app, &clerk, invoices::PATH, &query).await, 2);
    }
    let admin = app.sign_in(ADMIN).await;
    for query in [vec![], vec![("search", "clerk")], vec![("sort", "-email")]] {
        assert!(assert_equals_list::<User>(&app, &admin, "/api/users", &query).await > 0);
    }
    for query in [vec![], vec![("search", "nordbil")], vec![("sort", "corp_name")]] {
        assert!(assert_equals_list::<Corporation>(&app, &platform, "/api/corporations", &query).await > 0);
    }
}

#[tokio::test]
async fn an_exported_file_has_the_day_in_its_name_and_no_formula() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_contacts(&app, &token).await;
    for (format, end) in [("csv", "csv"), ("", "csv"), ("xlsx", "xlsx")] {
        let file = download(&app, &token, CONTACTS, &[("format", format)]).await;
        assert_eq!(file.content_disposition, format!("attachment; filename=\"contacts-2027-01-15.{end}\""));
    }
    let csv = csv_rows(&download(&app, &token, CONTACTS, &[("sort", "name")]).await);
    let workbook = xlsx_rows(&download(&app, &token, CONTACTS, &[("sort", "name"), ("format", "xlsx")]).await);
    let workbook: Vec<Vec<String>> = workbook.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    for rows in [csv, workbook] {
        let cells = |name: &str| {
            let column = rows[0].iter().position(|field| field == name).unwrap();
            rows[1..].iter().map(move |row| row[column].clone()).collect::<Vec<_>>()
        };
        assert_eq!(cells("name"), ["''quoted", "'=HYPERLINK(\"x\")", "Åsa Öberg", "محمد 😀"]);
        assert_eq!(cells("phone"), ["'-12", "007", "'+46 70-123 45 67", "'@home"]);
        assert_eq!(cells("address"), ["\"a\", b", "1;'=1+1", "Storgatan 1\n222 22 Lund", "_x0041_ <&>"]);
        assert!(!rows[0].contains(&"version".to_owned()));
    }
}

#[tokio::test]
async fn an_exported_file_imports_the_same_contacts() {
    let app = TestApp::start().await;
    let (clerk, other) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    create_contacts(&app, &clerk).await;
    create_detailed_contacts(&app, &clerk).await;
    let fields = ["name", "email", "phone", "website", "address", "otherDetails"];
    let contacts = async |token: &str, filter: &str| {
        let query = [("sort", "name,phone"), ("limit", "100"), ("filter", filter)];
        let list = app.send(app.request(Method::GET, CONTACTS, Some(token)).query(&query)).await.body;
        let mut contacts = Vec::new();
        for listed in list["data"].as_array().unwrap() {
            let path = format!("{CONTACTS}/{}", listed["_id"].as_str().unwrap());
            let contact = read_record(&app, token, &path).await;
            contacts.push(fields.map(|field| contact[field].clone()));
        }
        contacts
    };
    let expected = contacts(&clerk, "").await;
    for (format, name) in [("csv", "contacts.csv"), ("xlsx", "contacts.xlsx")] {
        let file = download(&app, &clerk, CONTACTS, &[("format", format)]).await;
        let preview = send(&app, PREVIEW, &other, form(name, file.bytes.clone())).await;
        let session = import(&app, &other, name, &file.bytes, &proposed_mapping(&preview.body["data"])).await;
        assert_eq!(session["failedRecords"], 0, "{session}");
        let batch = session["sessionId"].as_str().unwrap();
        let filter = json!([{"field": "importBatchId", "op": "is", "value": batch}]).to_string();
        assert_eq!(contacts(&other, &filter).await, expected, "{format}");
    }
}

async fn create_detailed_contacts(app: &TestApp, token: &str) {
    for (name, details) in [
        ("Cia Berg", json!({"Ort": "Lund\nMalmö", "Kund\"nr\\": "007", "=1+1": "=2+2", "Förnamn": "Cia"})),
        (
            "Dag Ek",
            json!({"Ort": "+46", "E-post": "dag@example.se", "email": "ej e-post", "_id": "7", "ملاحظة 😀": "שלום"}),
        ),
    ] {
        create_record(app, token, CONTACTS, json!({"name": name, "otherDetails": details}), "_id").await;
    }
}

#[tokio::test]
async fn an_export_has_a_column_for_each_other_detail_of_its_contacts() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_contacts(&app, &token).await;
    create_detailed_contacts(&app, &token).await;
    let fields = ContactSummary::FIELDS.iter().filter(|field| field.is_exported).count();
    for (search, name, header, cells) in [
        (
            "",
            "Cia Berg",
            "'=1+1|E-post|Förnamn|Kund\"nr\\|Ort|otherDetails._id|otherDetails.email|ملاحظة 😀",
            "'=2+2||Cia|007|Lund\nMalmö|||",
        ),
        (
            "",
            "Åsa Öberg",
            "'=1+1|E-post|Förnamn|Kund\"nr\\|Ort|otherDetails._id|otherDetails.email|ملاحظة 😀",
            "|||||||",
        ),
        (
            "dag",
            "Dag Ek",
            "E-post|Ort|otherDetails._id|otherDetails.email|ملاحظة 😀",
            "dag@example.se|'+46|7|ej e-post|שלום",
        ),
        ("oberg", "Åsa Öberg", "", ""),
    ] {
        let csv = csv_rows(&download(&app, &token, CONTACTS, &[("search", search)]).await);
        let workbook = xlsx_rows(&download(&app, &token, CONTACTS, &[("search", search), ("format", "xlsx")]).await);
        let workbook = workbook.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
        for rows in [csv, workbook] {
            let row = rows.iter().find(|row| row[1] == name).unwrap();
            assert_eq!((rows[0][fields..].join("|"), row[fields..].join("|")), (header.to_owned(), cells.to_owned()));
        }
    }
}

#[tokio::test]
async fn an_export_with_more_columns_than_a_sheet_can_have_is_rejected() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for contact in 0..33 {
        let details: Value = (0..500).map(|number| (format!("{contact} {number}"), json!("x"))).collect();
        let name = if contact == 0 { "Ada" } else { "Bo" };
        create_record(&app, &token, CONTACTS, json!({"name": name, "otherDetails": details}), "_id").await;
    }
    for format in ["csv", "xlsx"] {
        let response = app.get(&format!("{CONTACTS}/export?format={format}"), Some(&token)).await;
        assert_eq!((response.status.as_u16(), response.body["fields"]["filter"][0].is_string()), (400, true));
    }
    assert_eq!(app.get("/api/history?action=exported", Some(&app.sign_in(ADMIN).await)).await.body["totalItems"], 0);
    let one = csv_rows(&download(&app, &token, CONTACTS, &[("search", "ada")]).await);
    assert!(one[0].len() > 500);
}

#[tokio::test]
async fn only_readers_of_a_list_can_export_it() {
    let app = TestApp::start().await;
    let (reader, nobody, other) =
        (app.sign_in(READER).await, app.sign_in(NO_ROLE).await, app.sign_in(OTHER_ADMIN).await);
    create_contacts(&app, &app.sign_in(CLERK).await).await;
    assert_eq!(csv_rows(&download(&app, &reader, CONTACTS, &[]).await).len(), 5);
    assert_eq!(csv_rows(&download(&app, &other, CONTACTS, &[]).await).len(), 1, "only the header");
    for list in LISTS.iter().map(|list| format!("/api/{list}")) {
        assert_eq!(app.get(&format!("{list}/export"), Some(&nobody)).await.status, 403, "{list}");
        assert_eq!(app.get(&format!("{list}/export"), None).await.status, 401, "{list}");
    }
}

#[tokio::test]
async fn a_head_request_for_an_export_adds_no_entry_to_the_history() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let exported = async || app.get("/api/history?action=exported", Some(&token)).await.body["totalItems"].clone();
    let lists = LISTS.iter().map(|list| format!("/api/{list}/export"));
    let paths: Vec<_> = lists.chain([format!("/api/privacy/export?email={SUPER_ADMIN}")]).collect();
    for path in &paths {
        let response = app.send(app.request(Method::HEAD, path, Some(&token))).await;
        assert_eq!((response.status.as_u16(), exported().await), (200, json!(0)), "{path}");
    }
    for path in &paths {
        assert_eq!(app.get(path, Some(&token)).await.status, 200, "{path}");
    }
    assert_eq!(exported().await, paths.len());
}

#[tokio::test]
async fn invalid_exports_are_rejected() {
    let (app, admin) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for list in LISTS.iter().map(|list| format!("/api/{list}")) {
        for (name, value, field) in [
            ("format", "pdf", "format"),
            ("sort", "age", "sort.age"),
            ("filter", "[{\"field\":\"age\",\"op\":\"is_empty\"}]", "filter.age"),
        ] {
            let request = app.request(Method::GET, &format!("{list}/export"), Some(&admin)).query(&[(name, value)]);
            let response = app.send(request).await;
            assert_eq!(response.status, 400, "{list} {name}: {}", response.body);
            assert!(response.body["fields"][field][0].is_string(), "{list} {name}: {}", response.body);
        }
    }
}

/// Inserts this many contacts of the clerk's corporation directly, with numbers (`doc`) that it reserves in `lists`.
async fn insert_contacts(app: &TestApp, count: i64) {
    // SQLite also needs the new total; on PostgreSQL, a trigger counts the rows.
    let reserved = app.db().pick(
        "UPDATE lists SET next_doc = next_doc + $2, total = total + $2 WHERE corp_id = $1 AND kind = 'contacts'",
        "UPDATE lists SET next_doc = next_doc + $2 WHERE corp_id = $1 AND kind = 'contacts'",
    );
    let mut tx = app.db().begin_job().await.unwrap();
    tx.sql(reserved).bind(app.nordbil).bind(count).exec().await.unwrap();
    let text = app.db().pick(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2) \
         INSERT INTO contacts (corp_id, doc, contact_id, name, email, phone, website, address, other_details, name_key, \
         email_key, phone_key, website_key, address_key, created_at, updated_at) SELECT $1, next_doc - n, randomblob(16), \
         'Contact ' || n, '', '', '', '', '{}', 'contact ' || n, '', '', '', '', 0, 0 \
         FROM numbers, lists WHERE corp_id = $1 AND kind = 'contacts'",
        "INSERT INTO contacts (corp_id, doc, contact_id, name, email, phone, website, address, other_details, name_key, \
         email_key, phone_key, website_key, address_key, created_at, updated_at) SELECT $1, next_doc - n, gen_random_uuid(), \
         'Contact ' || n, '', '', '', '', '{}', 'contact ' || n, '', '', '', '', 0, 0 \
         FROM generate_series(1, $2) AS n, lists WHERE corp_id = $1 AND kind = 'contacts'",
    );
    let made = tx.sql(text).bind(app.nordbil).bind(count).exec().await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(made, count.unsigned_abs());
}

#[tokio::test]
async fn an_export_has_all_records_of_many_batches_once() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    insert_contacts(&app, 2_345).await;
    let rows = csv_rows(&download(&app, &token, CONTACTS, &[("sort", "createdAt")]).await);
    let mut names: Vec<_> = rows[1..].iter().map(|row| row[1].clone()).collect();
    assert_eq!(names.len(), 2_345);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 2_345);
    let workbook = xlsx_rows(&download(&app, &token, CONTACTS, &[("format", "xlsx")]).await);
    let mut workbook_names: Vec<_> = workbook[1..].iter().map(|row| row[1].to_string()).collect();
    workbook_names.sort();
    assert_eq!(workbook_names, names);
}

#[tokio::test]
async fn an_abandoned_export_ends_and_frees_its_permit() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    insert_contacts(&app, 20_000).await;
    for _ in 0..8 {
        // Eight exports, more than a corporation may run at once. The client drops each after its first bytes.
        let mut response =
            app.request(Method::GET, "/api/contacts/export?format=xlsx", Some(&token)).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.chunk().await.unwrap().is_some());
    }
    let semaphore = &app.app.fairness.exports;
    crate::helpers::wait_until("all exports have ended", async || semaphore.weight_in_use() == 0).await;
}
