//! The routes of invoices.

use crate::app::{ApiResponse, CLERK, READER, TestApp};
use crate::contract;
use crate::helpers::{assert_rejects_invalid_queries, create_record, delete, put, with_field};
use crate::records::TestRecord;
use forecourt_core::invoices::{UNPAGED_MAX, UNPAGED_MAX_BYTES};
use reqwest::Method;
use serde_json::{Value, json};

pub const PATH: &str = "/api/invoices";

pub const RECORD: TestRecord = TestRecord {
    list: "invoices",
    id: "invoice_id",
    text: "customer",
    others: &[
        ("website", "''"),
        ("email", "''"),
        ("customer_requirements", "''"),
        ("start_date", "'2027-01-10'"),
        ("end_date", "'2027-01-10'"),
        ("project_price", "1"),
    ],
    form: || invoice("Ada Öberg"),
    label: "Ada Öberg",
    bulk_field: "website",
};

/// Returns the form of a valid invoice with this customer name.
pub fn invoice(customer: &str) -> Value {
    json!({
        "customer": customer, "website": "nordbil.example", "email": "ada@example.se", "customerRequirements": "",
        "startDate": "2027-01-10", "endDate": "2027-02-10", "projectPrice": 1250.5,
    })
}

pub async fn create(app: &TestApp, token: &str, invoice: Value) -> ApiResponse {
    app.post(PATH, Some(token), invoice).await
}

/// Creates an invoice, and returns its path.
pub async fn create_invoice(app: &TestApp, token: &str, invoice: Value) -> String {
    create_record(app, token, PATH, invoice, "_id").await
}

/// Returns the customer names in a list of invoices, and the list's total.
async fn list_customers(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, u64) {
    let response = app.send(app.request(Method::GET, PATH, Some(token)).query(query)).await;
    assert_eq!(response.status, 200, "{query:?}: {}", response.body);
    let total = response.headers["x-total-count"].to_str().unwrap().parse().unwrap();
    let invoices = response.body.as_array().unwrap();
    (invoices.iter().map(|i| i["customer"].as_str().unwrap().to_owned()).collect(), total)
}

#[tokio::test]
async fn a_created_invoice_is_returned_with_normalized_fields() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let typed = json!({
        "customer": "  Åsa Öberg\u{0} ", "website": "https://öberg.example/a?b=c", "email": " asa@example.se ",
        "customerRequirements": "Two doors\nand a roof", "startDate": "2027-01-10", "endDate": " 2027-01-10 ",
        "projectPrice": 1250.5, "_id": "x", "corp_id": "x", "createdAt": "x", "version": 9,
    });
    let made = create(&app, &token, typed).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!((&made.body["success"], &made.body["message"]), (&json!(true), &json!("Invoice created successfully")));
    let shown = &made.body["data"];
    let id = shown["_id"].as_str().unwrap();
    assert_eq!(
        *shown,
        json!({
            "_id": id, "customer": "Åsa Öberg", "website": "https://öberg.example/a?b=c", "email": "asa@example.se",
            "customerRequirements": "Two doors\nand a roof", "startDate": "2027-01-10", "endDate": "2027-01-10",
            "projectPrice": 1250.5, "createdAt": "2027-01-15T08:00:00.000Z", "updatedAt": "2027-01-15T08:00:00.000Z",
            "version": 1,
        })
    );
    let seen = app.get(&format!("{PATH}/{id}"), Some(&token)).await;
    assert_eq!((seen.status.as_u16(), &seen.body), (200, &json!({"success": true, "data": shown})));
    assert_eq!(app.get(PATH, Some(&token)).await.body, json!([shown]));
}

#[tokio::test]
async fn an_invalid_invoice_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, invoice("Nordbil")).await;
    let sentences = json!([
        "Customer name is required",
        "Website is required",
        "Email is required",
        "Start date is required",
        "End date is required",
        "Please enter a valid project price",
    ]);
    for response in [create(&app, &token, json!({"customer": " "})).await, put(&app, &path, &token, json!({})).await] {
        assert_eq!((response.status.as_u16(), &response.body["success"]), (400, &json!(false)));
        assert_eq!(response.body["errors"], sentences);
        assert_eq!(response.body["message"], "Customer name is required");
        for (i, field) in ["customer", "website", "email", "startDate", "endDate", "projectPrice"].iter().enumerate() {
            assert_eq!(response.body["fields"][field], json!([sentences[i]]), "{field}");
        }
    }
    for (field, value, sentence) in [
        ("email", json!("ada@example"), "Please enter a valid email address"),
        ("endDate", json!("2027-01-09"), "End date must be after start date"),
        ("startDate", json!("2027-02-30"), "Please enter a valid date"),
        ("customer", json!("x".repeat(201)), "Maximum length is 200 characters"),
        ("projectPrice", json!(0), "Please enter a valid project price"),
    ] {
        let response = create(&app, &token, with_field(invoice("Nordbil"), field, value)).await;
        assert_eq!((response.status.as_u16(), &response.body["errors"]), (400, &json!([sentence])), "{field}");
        assert_eq!(response.body["fields"], json!({field: [sentence]}));
    }
    assert_eq!(list_customers(&app, &token, &[]).await, (vec!["Nordbil".to_owned()], 1));
    assert_eq!(app.get(&path, Some(&token)).await.body["data"]["version"], 1);
}

#[tokio::test]
async fn invoices_are_listed_newest_first_with_or_without_pages() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for i in 1..=23 {
        create_invoice(&app, &token, invoice(&format!("Customer {i}"))).await;
    }
    let (all, total) = list_customers(&app, &token, &[]).await;
    assert_eq!((all.len(), total, all[0].as_str(), all[22].as_str()), (23, 23, "Customer 23", "Customer 1"));
    assert_eq!(list_customers(&app, &token, &[("page", ""), ("limit", " ")]).await.0.len(), 23);
    let (first, total) = list_customers(&app, &token, &[("page", "1")]).await;
    assert_eq!((first.len(), total, first[14].as_str()), (15, 23, "Customer 9"));
    assert_eq!(
        list_customers(&app, &token, &[("page", "5"), ("limit", "5")]).await.0,
        ["Customer 3", "Customer 2", "Customer 1"]
    );
    assert_eq!(list_customers(&app, &token, &[("limit", "2")]).await.0, ["Customer 23", "Customer 22"]);
    assert_eq!(list_customers(&app, &token, &[("limit", "1000"), ("page", "-3")]).await.0.len(), 23);
    assert_eq!(list_customers(&app, &token, &[("page", "3")]).await, (vec![], 23));
    let (found, total) = list_customers(&app, &token, &[("limit", "2"), ("search", "customer 1")]).await;
    assert_eq!((found.len(), total), (2, 11));
    assert_eq!(list_customers(&app, &token, &[("search", "customer 1")]).await.0.len(), 11);
    assert_rejects_invalid_queries(&app, &token, PATH).await;
}

#[tokio::test]
async fn an_invoice_search_covers_customer_website_and_email() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let requiring = with_field(invoice("Åsa Öberg"), "customerRequirements", "Blåbär");
    create_invoice(&app, &token, with_field(requiring, "website", "https://bil.example/bil_100%")).await;
    let path = create_invoice(&app, &token, with_field(invoice("Ek"), "email", "dagmar@sodra.example")).await;
    for (search, found) in [
        ("ASA OB", vec!["Åsa Öberg"]),
        ("bil_100%", vec!["Åsa Öberg"]),
        ("bil%100", vec![]),
        ("dagmar@", vec!["Ek"]),
        ("ek", vec!["Ek"]),
        ("blabar", vec![]),
        ("1250", vec![]),
        (" ", vec!["Ek", "Åsa Öberg"]),
    ] {
        let (names, total) = list_customers(&app, &token, &[("search", search)]).await;
        assert_eq!((&names, total), (&found.iter().map(|s| (*s).to_owned()).collect(), found.len() as u64), "{search}");
    }
    assert_eq!(put(&app, &path, &token, invoice("Björk")).await.status, 200);
    assert_eq!(list_customers(&app, &token, &[("search", "dagmar@")]).await.1, 0);
    assert_eq!(list_customers(&app, &token, &[("search", "bjork")]).await.0, ["Björk"]);
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_eq!(list_customers(&app, &token, &[("search", "bjork")]).await, (vec![], 0));
}

#[tokio::test]
async fn a_list_without_a_page_is_limited_and_has_the_total() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let more = u64::from(UNPAGED_MAX) + 3;
    let rows = app.db().pick(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
         INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, customer_key, doc, created_at, updated_at) SELECT $1, randomblob(16), 'Many', '', '', '', '2027-01-01', \
         '2027-01-01', 1, 'many', 0, 0, 0 FROM n",
        "INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, customer_key, doc, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Many', '', '', '', '2027-01-01', \
         '2027-01-01', 1, 'many', 0, 0, 0 FROM generate_series(1, $2)",
    );
    // Insert 500 rows at a time, because a trigger numbers each row: a longer statement could reach the time limit.
    for part in (0..more).step_by(500) {
        let count = (more - part).min(500);
        let made = app.db().sql(rows).bind(app.nordbil).bind(count.cast_signed()).exec().await.unwrap();
        assert_eq!(made, count);
    }
    for query in [&[][..], &[("search", "many")]] {
        let (all, total) = list_customers(&app, &token, query).await;
        assert_eq!((all.len(), total), (UNPAGED_MAX as usize, more), "{query:?}");
    }
    assert_eq!(app.get("/api/invoices/total", Some(&token)).await.body["total"], more);
}

#[tokio::test]
async fn v2_a_list_without_a_page_is_limited_by_its_json_size() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    // Fill the requirements with quotation marks, each of which takes two bytes of JSON.
    let long = app.db().pick(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
         INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, customer_key, doc, created_at, updated_at) SELECT $1, randomblob(16), 'Long', '', '', \
         replace(hex(zeroblob(5000)), '0', '\"'), '2027-01-01', '2027-01-01', 1, 'long', 0, 0, 0 FROM n",
        "INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, customer_key, doc, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Long', '', '', repeat('\"', 10000), \
         '2027-01-01', '2027-01-01', 1, 'long', 0, 0, 0 FROM generate_series(1, 2000)",
    );
    let mut tx = app.db().begin_job().await.unwrap();
    tx.sql(long).bind(app.nordbil).exec().await.unwrap();
    tx.commit().await.unwrap();
    let reply = contract::send(app.request(Method::GET, PATH, Some(&token))).await;
    let invoices = reply.value().as_array().unwrap().len();
    let bytes = reply.bytes.len();
    assert!(
        bytes <= UNPAGED_MAX_BYTES && bytes + bytes / invoices > UNPAGED_MAX_BYTES,
        "{invoices} invoices have {bytes} bytes"
    );
    assert_eq!(list_customers(&app, &token, &[]).await.1, 2_000);
}

#[tokio::test]
async fn v2_an_update_without_customer_requirements_keeps_them() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, with_field(invoice("Nordbil"), "customerRequirements", "Two doors")).await;
    let mut without = invoice("Nordbil");
    without.as_object_mut().unwrap().remove("customerRequirements");
    let kept = put(&app, &path, &token, without.clone()).await;
    assert_eq!((kept.status.as_u16(), &kept.body["data"]["customerRequirements"]), (200, &json!("Two doors")));
    let emptied = put(&app, &path, &token, with_field(without.clone(), "customerRequirements", Value::Null)).await;
    assert_eq!(emptied.body["data"]["customerRequirements"], "");
    assert_eq!(create(&app, &token, without).await.body["data"]["customerRequirements"], "");
}

#[tokio::test]
async fn invoice_totals_have_their_own_route() {
    let (app, token) = TestApp::start_and_sign_in(READER).await;
    let clerk = app.sign_in(CLERK).await;
    let total = async || {
        let response = app.get("/api/invoices/total", Some(&token)).await;
        assert_eq!(response.status, 200, "{}", response.body);
        response.body
    };
    assert_eq!(total().await, json!({"success": true, "total": 0, "data": {"total": 0}}));
    let path = create_invoice(&app, &clerk, invoice("Nordbil")).await;
    create_invoice(&app, &clerk, invoice("Södra Bil")).await;
    assert_eq!(total().await, json!({"success": true, "total": 2, "data": {"total": 2}}));
    delete(&app, &path, &clerk).await;
    assert_eq!(total().await["total"], 1);
    assert_eq!(delete(&app, "/api/invoices/total", &clerk).await.status, 405);
}
