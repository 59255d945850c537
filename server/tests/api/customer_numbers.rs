//! Customer numbers, which are counted per corporation.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, TestApp};
use crate::customers::{PATH, create_customer, customer};
use crate::helpers::{delete, put, read_record, with_field};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Creates a customer, and returns its path and its customer number.
async fn create(app: &TestApp, token: &str, name: &str) -> (String, String) {
    let path = create_customer(app, token, customer(name)).await;
    let number = read_record(app, token, &path).await["customerNumber"].as_str().unwrap().to_owned();
    (path, number)
}

/// Returns the names of the customers that match these query parameters, as a JSON array.
async fn list(app: &TestApp, token: &str, query: &[(&str, &str)]) -> Value {
    let response = app.send(app.request(reqwest::Method::GET, PATH, Some(token)).query(query)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    response.body["data"].as_array().unwrap().iter().map(|customer| customer["name"].clone()).collect()
}

#[tokio::test]
async fn customer_numbers_are_counted_per_corporation_and_never_reused() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (ada, number) = create(&app, &token, "Ada").await;
    assert_eq!(number, "C-1001");
    let (last, number) = create(&app, &token, "Björn").await;
    assert_eq!(number, "C-1002");
    assert_eq!(delete(&app, &last, &token).await.status, 200);
    assert_eq!(create(&app, &token, "Cecilia").await.1, "C-1003");
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(create(&app, &other, "Dag").await.1, "C-1001");
    let changed = put(&app, &ada, &token, with_field(customer("Ada"), "customerNumber", "C-7")).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["customerNumber"]), (200, &json!("C-1001")));
}

#[tokio::test]
async fn customers_created_at_once_on_two_nodes_have_different_numbers() {
    const EACH: usize = 16;
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let other = app.start_another_node().await;
    let one_node = async |app: &TestApp| {
        let creations = (0..EACH).map(|i| {
            let (app, token) = (&app, &token);
            async move { create(app, token, &format!("Ada {i}")).await.1 }
        });
        futures_util::future::join_all(creations).await
    };
    let (numbers, others) = tokio::join!(one_node(&app), one_node(&other));
    let numbers: BTreeSet<String> = numbers.into_iter().chain(others).collect();
    assert_eq!(numbers.len(), 2 * EACH, "{numbers:?}");
}

#[tokio::test]
async fn the_list_is_sorted_and_filtered_by_number() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    app.db().sql("UPDATE corporations SET last_customer_number = 9997").exec().await.unwrap();
    for name in ["Ada", "Björn", "Cecilia", "Dag"] {
        create(&app, &token, name).await;
    }
    assert_eq!(list(&app, &token, &[("sort", "customerNumber")]).await, json!(["Ada", "Björn", "Cecilia", "Dag"]));
    let filter = |op: &str, value: Value| json!([{"field": "customerNumber", "op": op, "value": value}]).to_string();
    for (op, value, names) in [
        ("is", json!("c-10000"), json!(["Cecilia"])),
        ("lt", json!("C-10000"), json!(["Björn", "Ada"])),
        ("in", json!([9998, "10001"]), json!(["Dag", "Ada"])),
    ] {
        assert_eq!(list(&app, &token, &[("filter", &filter(op, value))]).await, names, "{op}");
    }
}

#[tokio::test]
async fn a_search_finds_a_customer_by_number_and_by_telephone_with_or_without_blanks() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (ada, _) = create(&app, &token, "Ada").await;
    create_customer(&app, &token, with_field(customer("Björn"), "telephone", "040-12 345")).await;
    create_customer(
        &app,
        &token,
        with_field(with_field(customer("Cecilia"), "address", "Box 1001-2000"), "telephone", "09"),
    )
    .await;
    let found = async |text: &str| list(&app, &token, &[("searchTerm", text)]).await;
    for (text, names) in [
        ("C-1001", json!(["Ada"])),
        ("c-100", json!(["Cecilia", "Björn", "Ada"])),
        ("1002", json!(["Björn"])),
        ("040-12", json!(["Björn"])),
        ("04012345", json!(["Björn"])),
        ("701234567", json!(["Ada"])),
        ("070 123 45 67", json!(["Ada"])),
        ("+46-701-23 45 67", json!(["Ada"])),
        ("0046701234567", json!(["Ada"])),
        ("0701234", json!(["Ada"])),
        ("1001-2000", json!(["Cecilia"])),
        ("C-1004", json!([])),
    ] {
        assert_eq!(found(text).await, names, "{text}");
    }
    let moved = with_field(with_field(customer("Ada"), "telephone", "08-555"), "version", 1);
    assert_eq!(put(&app, &ada, &token, moved).await.status, 200);
    assert_eq!((found("08555").await, found("701234567").await), (json!(["Ada"]), json!([])));
}
