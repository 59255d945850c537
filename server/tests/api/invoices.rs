//! The calls of invoices.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, READER, STRANGER, SUPER_ADMIN, TestApp};
use crate::contract;
use crate::steps::{delete, put};
use forecourt::platform::clock::SECOND;
use forecourt_core::invoices::{UNPAGED_MAX, UNPAGED_MAX_BYTES};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

pub const PATH: &str = "/api/invoices";
const MISSING: &str = "/api/invoices/0190b5a0-0000-7000-8000-000000000000";

/// An invoice that holds, for this customer.
pub fn invoice(customer: &str) -> Value {
    json!({
        "customer": customer, "website": "nordbil.example", "email": "ada@example.se", "customerRequirements": "",
        "startDate": "2027-01-10", "endDate": "2027-02-10", "projectPrice": 1250.5,
    })
}

/// The invoice with another value of one field.
pub fn with(mut invoice: Value, field: &str, value: impl Into<Value>) -> Value {
    invoice[field] = value.into();
    invoice
}

pub async fn create(app: &TestApp, token: &str, invoice: Value) -> Answer {
    app.post(PATH, Some(token), invoice).await
}

/// Creates an invoice, and gives its address.
pub async fn created(app: &TestApp, token: &str, invoice: Value) -> String {
    let answer = create(app, token, invoice).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    format!("{PATH}/{}", answer.body["data"]["_id"].as_str().unwrap())
}

/// The customers of a list, and the total beside it.
async fn listed(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, u64) {
    let answer = app.send(app.request(Method::GET, PATH, Some(token)).query(query)).await;
    assert_eq!(answer.status, 200, "{query:?}: {}", answer.body);
    let total = answer.headers["x-total-count"].to_str().unwrap().parse().unwrap();
    let invoices = answer.body.as_array().unwrap();
    (invoices.iter().map(|i| i["customer"].as_str().unwrap().to_owned()).collect(), total)
}

#[tokio::test]
async fn a_created_invoice_is_shown_as_it_was_typed() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
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
async fn an_invoice_that_breaks_rules_is_told_each_of_them_beside_its_field() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, invoice("Nordbil")).await;
    let sentences = json!([
        "Customer name is required",
        "Website is required",
        "Email is required",
        "Start date is required",
        "End date is required",
        "Please enter a valid project price",
    ]);
    for answer in [create(&app, &token, json!({"customer": " "})).await, put(&app, &path, &token, json!({})).await] {
        assert_eq!((answer.status.as_u16(), &answer.body["success"]), (400, &json!(false)));
        assert_eq!(answer.body["errors"], sentences);
        assert_eq!(answer.body["message"], "Customer name is required");
        for (i, field) in ["customer", "website", "email", "startDate", "endDate", "projectPrice"].iter().enumerate() {
            assert_eq!(answer.body["fields"][field], json!([sentences[i]]), "{field}");
        }
    }
    for (field, value, sentence) in [
        ("email", json!("ada@example"), "Please enter a valid email address"),
        ("endDate", json!("2027-01-09"), "End date must be after start date"),
        ("startDate", json!("2027-02-30"), "Please enter a valid date"),
        ("customer", json!("x".repeat(201)), "Maximum length is 200 characters"),
        ("projectPrice", json!(0), "Please enter a valid project price"),
    ] {
        let answer = create(&app, &token, with(invoice("Nordbil"), field, value)).await;
        assert_eq!((answer.status.as_u16(), &answer.body["errors"]), (400, &json!([sentence])), "{field}");
        assert_eq!(answer.body["fields"], json!({field: [sentence]}));
    }
    assert_eq!(listed(&app, &token, &[]).await, (vec!["Nordbil".to_owned()], 1));
    assert_eq!(app.get(&path, Some(&token)).await.body["data"]["version"], 1);
}

#[tokio::test]
async fn the_newest_invoices_come_first_all_of_them_or_page_by_page() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    for i in 1..=23 {
        created(&app, &token, invoice(&format!("Customer {i}"))).await;
    }
    let (all, total) = listed(&app, &token, &[]).await;
    assert_eq!((all.len(), total, all[0].as_str(), all[22].as_str()), (23, 23, "Customer 23", "Customer 1"));
    assert_eq!(listed(&app, &token, &[("page", ""), ("limit", " ")]).await.0.len(), 23);
    let (first, total) = listed(&app, &token, &[("page", "1")]).await;
    assert_eq!((first.len(), total, first[14].as_str()), (15, 23, "Customer 9"));
    assert_eq!(
        listed(&app, &token, &[("page", "5"), ("limit", "5")]).await.0,
        ["Customer 3", "Customer 2", "Customer 1"]
    );
    assert_eq!(listed(&app, &token, &[("limit", "2")]).await.0, ["Customer 23", "Customer 22"]);
    assert_eq!(listed(&app, &token, &[("limit", "1000"), ("page", "-3")]).await.0.len(), 23);
    assert_eq!(listed(&app, &token, &[("page", "3")]).await, (vec![], 23));
    let (found, total) = listed(&app, &token, &[("limit", "2"), ("search", "customer 1")]).await;
    assert_eq!((found.len(), total), (2, 11));
    assert_eq!(listed(&app, &token, &[("search", "customer 1")]).await.0.len(), 11);
    for (query, sentence) in [
        ("page=two", "'page' must be a whole number"),
        ("limit=1.5", "'limit' must be a whole number"),
        (&format!("search={}", "a".repeat(101)), "Maximum length is 100 characters"),
        ("page=1&page=2", "The query string is invalid."),
    ] {
        let answer = app.get(&format!("{PATH}?{query}"), Some(&token)).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(sentence)), "{query}");
    }
}

#[tokio::test]
async fn a_search_looks_through_customers_websites_and_emails_as_they_are() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let requiring = with(invoice("Åsa Öberg"), "customerRequirements", "Blåbär");
    created(&app, &token, with(requiring, "website", "https://bil.example/bil_100%")).await;
    let path = created(&app, &token, with(invoice("Ek"), "email", "dagmar@sodra.example")).await;
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
        let (names, total) = listed(&app, &token, &[("search", search)]).await;
        assert_eq!((&names, total), (&found.iter().map(|s| (*s).to_owned()).collect(), found.len() as u64), "{search}");
    }
    // What is searched follows the change.
    assert_eq!(put(&app, &path, &token, invoice("Björk")).await.status, 200);
    assert_eq!(listed(&app, &token, &[("search", "dagmar@")]).await.1, 0);
    assert_eq!(listed(&app, &token, &[("search", "bjork")]).await.0, ["Björk"]);
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_eq!(listed(&app, &token, &[("search", "bjork")]).await, (vec![], 0));
}

#[tokio::test]
async fn a_list_without_a_page_ends_at_its_most_and_tells_how_many_there_are() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let more = u64::from(UNPAGED_MAX) + 3;
    let rows = app.db().pick(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
         INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, search, created_at, updated_at) SELECT $1, randomblob(16), 'Many', '', '', '', '2027-01-01', \
         '2027-01-01', 1, 'many', 0, 0 FROM n",
        "INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, search, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Many', '', '', '', '2027-01-01', \
         '2027-01-01', 1, 'many', 0, 0 FROM generate_series(1, $2)",
    );
    let made = app.db().sql(rows).bind(app.nordbil).bind(more.cast_signed()).exec().await.unwrap();
    assert_eq!(made, more);
    for query in [&[][..], &[("search", "many")]] {
        let (all, total) = listed(&app, &token, query).await;
        assert_eq!((all.len(), total), (UNPAGED_MAX as usize, more), "{query:?}");
    }
    assert_eq!(app.get("/api/invoices/total", Some(&token)).await.body["total"], more);
}

#[tokio::test]
async fn v2_a_list_without_a_page_ends_before_its_json_is_too_long() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    // Each quotation mark takes two bytes of JSON.
    let long = app.db().pick(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
         INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, search, created_at, updated_at) SELECT $1, randomblob(16), 'Long', '', '', \
         replace(hex(zeroblob(5000)), '0', '\"'), '2027-01-01', '2027-01-01', 1, 'long', 0, 0 FROM n",
        "INSERT INTO invoices (corp_id, invoice_id, customer, website, email, customer_requirements, start_date, end_date, \
         project_price, search, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Long', '', '', repeat('\"', 10000), \
         '2027-01-01', '2027-01-01', 1, 'long', 0, 0 FROM generate_series(1, 2000)",
    );
    app.db().sql(long).bind(app.nordbil).exec().await.unwrap();
    let reply = contract::send(app.request(Method::GET, PATH, Some(&token))).await;
    let invoices = reply.value().as_array().unwrap().len();
    let bytes = reply.bytes.len();
    assert!(
        bytes <= UNPAGED_MAX_BYTES && bytes + bytes / invoices > UNPAGED_MAX_BYTES,
        "{invoices} invoices have {bytes} bytes"
    );
    assert_eq!(listed(&app, &token, &[]).await.1, 2_000);
}

#[tokio::test]
async fn v2_a_change_without_the_requirements_keeps_them() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, with(invoice("Nordbil"), "customerRequirements", "Two doors")).await;
    let mut without = invoice("Nordbil");
    without.as_object_mut().unwrap().remove("customerRequirements");
    let kept = put(&app, &path, &token, without.clone()).await;
    assert_eq!((kept.status.as_u16(), &kept.body["data"]["customerRequirements"]), (200, &json!("Two doors")));
    let emptied = put(&app, &path, &token, with(without.clone(), "customerRequirements", Value::Null)).await;
    assert_eq!(emptied.body["data"]["customerRequirements"], "");
    assert_eq!(create(&app, &token, without).await.body["data"]["customerRequirements"], "");
}

#[tokio::test]
async fn the_total_is_no_invoice_of_that_name() {
    let app = TestApp::start().await;
    let token = app.sign_in(READER).await;
    let clerk = app.sign_in(CLERK).await;
    let total = async || {
        let answer = app.get("/api/invoices/total", Some(&token)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    };
    assert_eq!(total().await, json!({"success": true, "total": 0, "data": {"total": 0}}));
    let path = created(&app, &clerk, invoice("Nordbil")).await;
    created(&app, &clerk, invoice("Södra Bil")).await;
    assert_eq!(total().await, json!({"success": true, "total": 2, "data": {"total": 2}}));
    delete(&app, &path, &clerk).await;
    assert_eq!(total().await["total"], 1);
    assert_eq!(delete(&app, "/api/invoices/total", &clerk).await.status, 405);
}

#[tokio::test]
async fn each_kind_of_user_may_do_what_its_permissions_say() {
    let app = TestApp::start().await;
    for (email, read, write) in [
        (SUPER_ADMIN, 200, 201),
        (ADMIN, 200, 201),
        (CLERK, 200, 201),
        (READER, 200, 403),
        (NOBODY, 403, 403),
        (STRANGER, 200, 201),
    ] {
        let token = app.sign_in(email).await;
        assert_eq!(app.get(PATH, Some(&token)).await.status, read, "{email} lists");
        assert_eq!(app.get("/api/invoices/total", Some(&token)).await.status, read, "{email} counts");
        assert_eq!(create(&app, &token, invoice("Nordbil")).await.status, write, "{email} creates");
        let (missing, change) = (if read == 200 { 404 } else { 403 }, if write == 201 { 404 } else { 403 });
        assert_eq!(app.get(MISSING, Some(&token)).await.status, missing, "{email} gets");
        assert_eq!(put(&app, MISSING, &token, invoice("Nordbil")).await.status, change, "{email} updates");
        assert_eq!(delete(&app, MISSING, &token).await.status, change, "{email} deletes");
    }
    assert_eq!(app.get(PATH, None).await.status, 401);
}

#[tokio::test]
async fn another_corporations_invoices_are_not_there() {
    let app = TestApp::start().await;
    let (clerk, stranger) = (app.sign_in(CLERK).await, app.sign_in(STRANGER).await);
    let path = created(&app, &clerk, invoice("Ada Lovelace")).await;
    let before = app.get(&path, Some(&clerk)).await.body;
    for (method, body) in [(Method::GET, None), (Method::PUT, Some(invoice("Mine"))), (Method::DELETE, None)] {
        let mut answers = Vec::new();
        for at in [path.as_str(), MISSING, "/api/invoices/ada"] {
            let request = app.request(method.clone(), at, Some(&stranger));
            let request = body.iter().fold(request, |request, body| request.json(body));
            let answer = app.send(request).await;
            answers.push((answer.status.as_u16(), answer.body));
        }
        assert_eq!((answers[0].0, &answers[0], &answers[1]), (404, &answers[1], &answers[2]), "{method}");
    }
    for search in ["", "ada", "ad", "lovelace", "example"] {
        assert_eq!(listed(&app, &stranger, &[("search", search)]).await, (vec![], 0), "{search}");
    }
    assert_eq!(app.get("/api/invoices/total", Some(&stranger)).await.body["total"], 0);
    assert_eq!(app.get(&path, Some(&clerk)).await.body, before);
}

#[tokio::test]
async fn a_change_raises_the_version_and_a_stale_one_is_told_the_present_record() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, with(invoice("First"), "version", 7)).await;
    app.pass(SECOND);
    let changed = put(&app, &path, &token, with(invoice("Second"), "version", 1)).await;
    assert_eq!((changed.status.as_u16(), &changed.body["message"]), (200, &json!("Invoice updated successfully")));
    let present = app.get(&path, Some(&token)).await.body["data"].clone();
    assert_eq!(changed.body["data"], present);
    assert_eq!((&present["version"], &present["customer"]), (&json!(2), &json!("Second")));
    assert_eq!(present["createdAt"], "2027-01-15T08:00:00.000Z");
    assert_eq!(present["updatedAt"], "2027-01-15T08:00:01.000Z");
    for version in [1, 3, -1] {
        let stale = put(&app, &path, &token, with(invoice("Third"), "version", version)).await;
        assert_eq!(
            (stale.status.as_u16(), &stale.body["success"], &stale.body["data"]),
            (409, &json!(false), &present)
        );
    }
    let stale = put(&app, &path, &token, with(invoice("Third"), "updatedAt", "2027-01-15T08:00:00.000Z")).await;
    assert_eq!((stale.status.as_u16(), &stale.body["data"]), (409, &present));
    // Without what it was based on the last write wins.
    assert_eq!(put(&app, &path, &token, invoice("Fourth")).await.body["data"]["version"], 3);
    let last = put(&app, &path, &token, with(invoice("Fifth"), "version", Value::Null)).await;
    assert_eq!((&last.body["data"]["version"], &last.body["data"]["customer"]), (&json!(4), &json!("Fifth")));
    let last = put(&app, &path, &token, with(invoice("Sixth"), "updatedAt", "2027-01-15T08:00:01.000Z")).await;
    assert_eq!((&last.body["data"]["version"], &last.body["data"]["customer"]), (&json!(5), &json!("Sixth")));
}

#[tokio::test]
async fn of_changes_based_on_the_same_version_one_is_written_and_the_others_are_told() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, invoice("First")).await;
    for version in 1..=5 {
        let bodies = (0..8).map(|i| with(invoice(&format!("{version} {i}")), "version", version));
        let answers = join_all(bodies.map(|body| put(&app, &path, &token, body))).await;
        let written: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!((written.len(), answers.iter().filter(|answer| answer.status == 409).count()), (1, 7));
        let present = &written[0].body["data"];
        assert_eq!(present["version"], version + 1);
        assert!(answers.iter().all(|answer| answer.body["data"] == *present));
        assert_eq!(app.get(&path, Some(&token)).await.body["data"], *present);
    }
}

#[tokio::test]
async fn a_deleted_invoice_is_gone() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let path = created(&app, &token, invoice("First")).await;
    let kept = created(&app, &token, invoice("Second")).await;
    let deleted = delete(&app, &path, &token).await;
    assert_eq!(deleted.status, 200);
    assert_eq!(deleted.body, json!({"success": true, "message": "Invoice deleted successfully"}));
    assert_eq!(app.get(&path, Some(&token)).await.status, 404);
    assert_eq!(delete(&app, &path, &token).await.status, 404);
    assert_eq!(put(&app, &path, &token, with(invoice("Third"), "version", 1)).await.status, 404);
    assert_eq!(listed(&app, &token, &[]).await, (vec!["Second".to_owned()], 1));
    assert_eq!(app.get(&kept, Some(&token)).await.status, 200);
}
