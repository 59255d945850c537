//! The list of customers: pages, search, filters and statistics.

use crate::app::{CLERK, OTHER_ADMIN, TestApp};
use crate::customers::{PATH, create_customer, customer, without_social_security_number};
use crate::exports::assert_equals_list;
use crate::helpers::{assert_error, delete, put, read_record, with_field};
use forecourt::platform::clock::{DAY, SECOND};
use forecourt_core::customers::{CustomerSummary, text};
use reqwest::Method;
use serde_json::{Value, json};

async fn get_list(app: &TestApp, token: &str, query: &[(&str, &str)]) -> Value {
    let response = app.send(app.request(Method::GET, PATH, Some(token)).query(query)).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["success"]),
        (200, &json!(true)),
        "{query:?}: {}",
        response.body
    );
    response.body
}

/// Returns the names of the customers in a list, and asserts that `totalItems` is their number.
async fn list_names(app: &TestApp, token: &str, query: &[(&str, &str)]) -> Vec<String> {
    let body = get_list(app, token, query).await;
    let names: Vec<_> =
        body["data"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(body["totalItems"], names.len(), "{query:?}");
    names
}

/// Returns six counts: private, company and all customers; purchase, sales and other agreements.
async fn statistics(app: &TestApp, token: &str) -> [u64; 6] {
    // The statistics cover the whole corporation, regardless of search and page.
    let stats = get_list(app, token, &[("searchTerm", "no such customer"), ("limit", "1")]).await["stats"].clone();
    assert_eq!(stats.as_object().unwrap().len(), 6, "{stats}");
    [
        "privateCustomers",
        "companyCustomers",
        "totalCustomers",
        "purchaseAgreements",
        "salesAgreements",
        "otherAgreements",
    ]
    .map(|name| stats[name].as_u64().unwrap())
}

#[tokio::test]
async fn customers_are_paged_by_fifteen_with_the_newest_first() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let empty = get_list(&app, &token, &[]).await;
    assert_eq!((&empty["data"], &empty["totalItems"], &empty["totalPages"]), (&json!([]), &json!(0), &json!(0)));
    let mut last = String::new();
    for i in 1..=17 {
        last = create_customer(&app, &token, customer(&format!("Customer {i}"))).await;
    }
    let first = get_list(&app, &token, &[]).await;
    let data = first["data"].as_array().unwrap();
    assert_eq!((data.len(), &first["totalItems"], &first["totalPages"]), (15, &json!(17), &json!(2)));
    assert_eq!((&data[0]["name"], &data[14]["name"]), (&json!("Customer 17"), &json!("Customer 3")));
    assert_eq!(without_social_security_number(read_record(&app, &token, &last).await), data[0]);
    let second = get_list(&app, &token, &[("page", "2")]).await;
    assert_eq!(second["data"].as_array().unwrap().len(), 2);
    assert_eq!(get_list(&app, &token, &[("page", "3")]).await["data"], json!([]));
    assert_eq!(
        get_list(&app, &token, &[("limit", "1000"), ("page", "-3")]).await["data"].as_array().unwrap().len(),
        17
    );
    assert_eq!(get_list(&app, &app.sign_in(OTHER_ADMIN).await, &[]).await["totalItems"], 0);
}

#[tokio::test]
async fn an_invalid_customer_query_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (query, field, message) in [
        (("typeAdv", "Dog"), "typeAdv", text::TYPE_UNKNOWN.as_str()),
        (("statusAdv", "active"), "statusAdv", text::STATUS_UNKNOWN.as_str()),
        (("fromDate", "yesterday"), "fromDate", text::DATE_INVALID.as_str()),
        (("toDate", "2026-02-30"), "toDate", text::DATE_INVALID.as_str()),
    ] {
        let response = app.send(app.request(Method::GET, PATH, Some(&token)).query(&[query])).await;
        assert_error(&response, 400, message);
        assert_eq!(response.body["fields"][field], json!([message]));
    }
    let reversed = app.get(&format!("{PATH}?fromDate=2026-02-02&toDate=2026-02-01"), Some(&token)).await;
    assert_error(&reversed, 400, text::DATES_REVERSED.as_str());
    assert_eq!(app.get(&format!("{PATH}?page=two"), Some(&token)).await.status, 400);
    create_customer(&app, &token, customer("Ada")).await;
    // Parameters that are empty or blank do not filter.
    let empty = [("typeAdv", ""), ("statusAdv", " "), ("fromDate", ""), ("toDate", ""), ("searchTerm", " ")];
    assert_eq!(list_names(&app, &token, &empty).await, ["Ada"]);
}

#[tokio::test]
async fn a_search_finds_name_email_address_and_telephone_but_no_social_security_number() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada =
        with_field(with_field(customer("Åsa Öberg_100%"), "address", "Straße 7, Örebro"), "email", "asa.o@example.se");
    let path = create_customer(&app, &token, ada).await;
    create_customer(
        &app,
        &token,
        with_field(with_field(customer("Björn"), "address", "Vägen 8"), "email", "b+cars@example.org"),
    )
    .await;
    for (search, found) in [
        ("asa oberg", vec!["Åsa Öberg_100%"]),
        ("oberg  örebro asa", vec!["Åsa Öberg_100%"]),
        ("oberg björn", vec![]),
        ("7, str", vec![]),
        ("ÅSA", vec!["Åsa Öberg_100%"]),
        ("b+cars", vec!["Björn"]),
        ("ORG", vec!["Björn"]),
        ("vagen", vec!["Björn"]),
        ("_", vec!["Åsa Öberg_100%"]),
        ("%", vec!["Åsa Öberg_100%"]),
        ("g_1", vec!["Åsa Öberg_100%"]),
        ("0%", vec!["Åsa Öberg_100%"]),
        ("a_a", vec![]),
        ("b%n", vec![]),
        ("\\", vec![]),
        ("'", vec![]),
        ("\"", vec![]),
        ("19121212", vec![]),
        ("1212-1212", vec![]),
        ("70 123", vec!["Björn", "Åsa Öberg_100%"]),
        ("example", vec!["Björn", "Åsa Öberg_100%"]),
    ] {
        assert_eq!(list_names(&app, &token, &[("searchTerm", search)]).await, found, "{search}");
    }
    put(&app, &path, &token, customer("Ada Lindqvist")).await;
    assert_eq!(list_names(&app, &token, &[("searchTerm", "oberg")]).await, [""; 0]);
    assert_eq!(list_names(&app, &token, &[("searchTerm", "lindq")]).await, ["Ada Lindqvist"]);
}

#[tokio::test]
async fn a_search_of_customers_has_two_names_in_the_list_and_in_its_export() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for name in ["Åsa Öberg", "Björn Ek"] {
        create_customer(&app, &token, customer(name)).await;
    }
    for name in ["search", "searchTerm"] {
        let query = [(name, "oberg")];
        assert_eq!(list_names(&app, &token, &query).await, ["Åsa Öberg"], "{name}");
        assert_eq!(assert_equals_list::<CustomerSummary>(&app, &token, PATH, &query).await, 1, "{name}");
        let long = app.get(&format!("{PATH}?{name}={}", "x".repeat(101)), Some(&token)).await;
        assert_eq!(long.body["fields"][name], json!(["Maximum length is 100 characters"]), "{}", long.body);
    }
    assert_eq!(list_names(&app, &token, &[("searchTerm", "oberg"), ("search", "bjorn")]).await, ["Björn Ek"]);
}

#[tokio::test]
async fn customers_are_filtered_by_type_status_and_inclusive_dates() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    // A date filter uses the day of the latest purchase, or the day of creation in UTC if there is no purchase.
    let bought = |name: &str, day: &str| with_field(customer(name), "latestPurchase", day);
    let created_on = create_customer(&app, &token, customer("Created")).await;
    create_customer(&app, &token, bought("First", "2026-12-01")).await;
    create_customer(&app, &token, with_field(bought("Last", "2026-12-31"), "status", "Inactive")).await;
    let company =
        with_field(with_field(bought("Company", "2026-12-15"), "type", "Company"), "organizationNumber", "5560360793");
    create_customer(&app, &token, company).await;
    // A list with a date filter is sorted by that day, the latest first.
    for (query, found) in [
        (vec![("fromDate", "2026-12-01"), ("toDate", "2026-12-31")], vec!["Last", "Company", "First"]),
        (vec![("fromDate", "2026-12-02"), ("toDate", "2026-12-30")], vec!["Company"]),
        (vec![("fromDate", "2026-12-31"), ("toDate", "2026-12-31")], vec!["Last"]),
        (vec![("toDate", "2026-12-01")], vec!["First"]),
        (vec![("fromDate", "2027-01-15")], vec!["Created"]),
        (vec![("fromDate", "2027-01-15"), ("toDate", "2027-01-15")], vec!["Created"]),
        (vec![("fromDate", "2027-01-16")], vec![]),
        (vec![("typeAdv", "Company")], vec!["Company"]),
        (vec![("typeAdv", "Business")], vec![]),
        (vec![("typeAdv", "Private"), ("statusAdv", "Inactive")], vec!["Last"]),
        (vec![("statusAdv", "Active"), ("searchTerm", "st")], vec!["Company", "First", "Created"]),
        (vec![("searchTerm", "stor"), ("typeAdv", "Private"), ("fromDate", "2026-12-02")], vec!["Created", "Last"]),
    ] {
        assert_eq!(list_names(&app, &token, &query).await, found, "{query:?}");
    }
    // A purchase moves the customer to its day in the filter. Once the purchase is removed, the filter uses the day of
    // creation again, not today, which is 40 days later.
    app.advance(40 * DAY);
    let token = app.sign_in(CLERK).await;
    put(&app, &created_on, &token, bought("Created", "2026-12-20")).await;
    let december = [("fromDate", "2026-12-20"), ("toDate", "2026-12-20")];
    assert_eq!(list_names(&app, &token, &december).await, ["Created"]);
    put(&app, &created_on, &token, bought("Created", "")).await;
    assert_eq!(list_names(&app, &token, &december).await, [""; 0]);
    assert_eq!(list_names(&app, &token, &[("fromDate", "2027-01-15"), ("toDate", "2027-01-15")]).await, ["Created"]);
}

#[tokio::test]
async fn the_day_of_creation_is_in_utc() {
    let app = TestApp::start().await;
    // The test's clock starts at 08:00 UTC, so this is a second before midnight.
    app.advance(16 * 3600 * SECOND - SECOND);
    let token = app.sign_in(CLERK).await;
    create_customer(&app, &token, customer("Before midnight")).await;
    app.advance(SECOND);
    create_customer(&app, &token, customer("At midnight")).await;
    assert_eq!(list_names(&app, &token, &[("toDate", "2027-01-15")]).await, ["Before midnight"]);
    assert_eq!(list_names(&app, &token, &[("fromDate", "2027-01-16")]).await, ["At midnight"]);
}

#[tokio::test]
async fn the_statistics_follow_every_change_immediately() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    assert_eq!(statistics(&app, &token).await, [0; 6]);
    let agreed = |kind: &str, agreement: &str| {
        let form = with_field(with_field(customer("Ada"), "type", kind), "agreementType", agreement);
        with_field(form, "organizationNumber", "5560360793")
    };
    let first = create_customer(&app, &token, agreed("Private", "Purchase")).await;
    assert_eq!(statistics(&app, &token).await, [1, 0, 1, 1, 0, 0]);
    create_customer(&app, &token, agreed("Company", "Sales")).await;
    create_customer(&app, &token, agreed("Business", "Sales")).await;
    create_customer(&app, &token, agreed("Agency", "Agency")).await;
    create_customer(&app, &token, agreed("Client", "")).await;
    assert_eq!(statistics(&app, &token).await, [1, 2, 5, 1, 2, 1]);
    put(&app, &first, &token, agreed("Company", "Agency")).await;
    assert_eq!(statistics(&app, &token).await, [0, 3, 5, 0, 2, 2]);
    put(&app, &first, &token, agreed("Private", "")).await;
    assert_eq!(statistics(&app, &token).await, [1, 2, 5, 0, 2, 1]);
    delete(&app, &first, &token).await;
    assert_eq!(statistics(&app, &token).await, [0, 2, 4, 0, 2, 1]);
    assert_eq!(get_list(&app, &token, &[]).await["totalItems"], 4);
    assert_eq!(statistics(&app, &app.sign_in(OTHER_ADMIN).await).await, [0; 6], "another corporation has its own data");
}
