//! Groups of records that may be the same, and the duplicates of a form's values.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::customers::{company, customer};
use crate::helpers::{assert_error, create_record, delete, put, with_field};
use forecourt_core::lists::text::{AN_ID, wrong_value};
use reqwest::Method;
use serde_json::{Value, json};

const CONTACTS: &str = "/api/contacts";
const CUSTOMERS: &str = "/api/customers";

/// Creates a contact, and returns its path.
async fn create(app: &TestApp, token: &str, [name, email, phone, address]: [&str; 4]) -> String {
    let form = json!({"name": name, "email": email, "phone": phone, "address": address});
    create_record(app, token, CONTACTS, form, "_id").await
}

/// Returns, for each group of duplicates, its reasons and the names of its records.
fn groups(body: &Value) -> Vec<(Vec<&str>, Vec<&str>)> {
    body["data"]
        .as_array()
        .unwrap_or_else(|| panic!("{body}"))
        .iter()
        .map(|group| {
            assert_eq!(group["reason"], group["reasons"][0]);
            let reasons = group["reasons"].as_array().unwrap().iter().map(|reason| reason.as_str().unwrap()).collect();
            let names = group["records"].as_array().unwrap().iter();
            (reasons, names.map(|record| record["name"].as_str().unwrap()).collect())
        })
        .collect()
}

/// Returns the response body of a list's `duplicates` route for this query.
async fn list(app: &TestApp, token: &str, path: &str, query: &[(&str, &str)]) -> Value {
    let request = app.request(Method::GET, &format!("{path}/duplicates"), Some(token)).query(query);
    let response = app.send(request).await;
    assert_eq!(response.status, 200, "{}", response.body);
    response.body
}

const MALMO: &str = "Storgatan 1, 211 20 Malmö";

#[tokio::test]
async fn records_that_may_be_the_same_are_groups_with_their_reasons() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for texts in [
        ["Maja Holm", "maja@example.se", "070-123 45 67", MALMO],
        ["Bo Ek", "bo@example.se", "", ""],
        ["Måja HOLM", "MAJA@example.se", "+46 70 123 45 67", "Lilla torg 2, 21120 Malmö"],
        ["Bosse Ek", "bo@example.se", "040-11 22 33 4", ""],
        ["Annika Berg", "", "08-765 43 21", "222 22 Lund"],
        ["Anika Berg", "", "", "Bredgatan 1, 222 22 Lund"],
        ["Nordbil", "", "0046 8 765 43 21", ""],
        ["Cy Dal", "cy@example.se", "040-99 88 77 6", "211 20 Malmö"],
    ] {
        create(&app, &token, texts).await;
    }
    let body = list(&app, &token, CONTACTS, &[]).await;
    let expected = [
        (vec!["email"], vec!["Bosse Ek", "Bo Ek"]),
        (vec!["email", "phone", "name_and_postal_code"], vec!["Måja HOLM", "Maja Holm"]),
        (vec!["phone"], vec!["Nordbil", "Annika Berg"]),
        (vec!["similar_name"], vec!["Anika Berg", "Annika Berg"]),
    ];
    assert_eq!(groups(&body), expected);
    assert_eq!(
        (&body["totalItems"], &body["totalPages"], &body["data"][0]["count"]),
        (&json!(4), &json!(1), &json!(2))
    );
    let page = list(&app, &token, CONTACTS, &[("page", "2"), ("limit", "3")]).await;
    assert_eq!((groups(&page), &page["totalPages"]), (expected[3..].to_vec(), &json!(2)));
}

#[tokio::test]
async fn customers_have_groups_too_and_a_change_is_seen_at_once() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let one = create_record(&app, &token, CUSTOMERS, customer("Ada Ek"), "customer_id").await;
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[]).await), []);
    create_record(&app, &token, CUSTOMERS, company("Nordbil AB"), "customer_id").await;
    let phone = (vec!["phone"], vec!["Nordbil AB", "Ada Ek"]);
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[]).await), [phone]);
    let changed =
        with_field(with_field(customer("Nordbil AB"), "email", "info@example.se"), "telephone", "040-12 34 56 7");
    assert_eq!(put(&app, &one, &token, changed).await.status, 200);
    let email = (vec!["email", "similar_name"], vec!["Nordbil AB", "Nordbil AB"]);
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[]).await), [email], "the same address has no postal code");
    assert_eq!(delete(&app, &one, &token).await.status, 200);
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[]).await), []);
}

#[tokio::test]
async fn the_records_that_match_a_form_are_returned_with_their_reasons() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let maja = create(&app, &token, ["Maja Holm", "maja@example.se", "070-123 45 67", MALMO]).await;
    create(&app, &token, ["Bo Ek", "", "040-11 22 33 4", MALMO]).await;
    let found = async |query: &[(&str, &str)]| {
        let body = list(&app, &token, CONTACTS, query).await;
        groups(&body).iter().map(|(reasons, names)| (reasons.join(" "), names.join(" "))).collect::<Vec<_>>()
    };
    let is_maja = |reasons: &str| vec![(reasons.to_owned(), "Maja Holm".to_owned())];
    assert_eq!(found(&[("name", "Bo"), ("email", " Maja@EXAMPLE.se")]).await, is_maja("email"));
    assert_eq!(found(&[("phone", "+46 (0)70 1234567")]).await, is_maja("phone"));
    assert_eq!(
        found(&[("name", "holm maja"), ("address", "Torget 2, 21120 Malmö")]).await,
        is_maja("name_and_postal_code")
    );
    assert_eq!(found(&[("name", "Maya Holm"), ("postalCode", "211 20")]).await, is_maja("similar_name"));
    assert_eq!(found(&[("name", "Maja Holm")]).await, [], "only a name");
    assert_eq!(found(&[("name", "%"), ("phone", "_"), ("email", "%@%")]).await, []);
    let id = maja.rsplit('/').next().unwrap();
    assert_eq!(found(&[("email", "maja@example.se"), ("except", id)]).await, [], "the record of the form itself");
    let invalid = app.get(&format!("{CONTACTS}/duplicates?except=1"), Some(&token)).await;
    assert_error(&invalid, 400, wrong_value(AN_ID).as_str());
    let many = [("email", "maja@example.se"), ("phone", "040-1122334")];
    assert_eq!(found(&many).await, [is_maja("email"), vec![("phone".to_owned(), "Bo Ek".to_owned())]].concat());
    for n in 0..6 {
        create(&app, &token, [&format!("Copy {n}"), "copy@example.se", "", ""]).await;
    }
    assert_eq!(found(&[("email", "copy@example.se")]).await.len(), 5);
}

#[tokio::test]
async fn many_near_matches_do_not_hide_the_duplicates_of_a_form() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create(&app, &token, ["Bo Ek", "", "", MALMO]).await;
    create(&app, &token, ["Bo Eks", "bo@example.se", "", ""]).await;
    create(&app, &token, ["Bo Alm Ekman", "", "", MALMO]).await;
    // Two hundred contacts whose names contain a word of the name, or both, inside other words, and whose addresses have
    // the postal code's digits in other places. They must not use up the number of records that are compared.
    for n in 0..100 {
        create(&app, &token, [&format!("Bosse Alm {n}"), "", "", "Väg 2, Hus 11, Dörr 20"]).await;
        create(&app, &token, [&format!("Ekbo {n}"), "", "", "Väg 2, Hus 11, Dörr 20"]).await;
    }
    let query = [("name", "Bo Ek"), ("email", "bo@example.se"), ("address", MALMO)];
    let body = list(&app, &token, CONTACTS, &query).await;
    let expected = [(vec!["email"], vec!["Bo Eks"]), (vec!["name_and_postal_code"], vec!["Bo Ek"])];
    assert_eq!(groups(&body), expected);
}

#[tokio::test]
async fn customers_that_match_a_form_are_found_by_telephone_or_by_name_and_postal_code() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form = with_field(customer("Maja Holm"), "postalCode", "211 20");
    create_record(&app, &token, CUSTOMERS, form, "customer_id").await;
    let found = list(&app, &token, CUSTOMERS, &[("telephone", "070-123 45 67")]).await;
    assert_eq!(groups(&found), [(vec!["phone"], vec!["Maja Holm"])]);
    let found = list(&app, &token, CUSTOMERS, &[("name", "Maja Holm"), ("postalCode", "21120")]).await;
    assert_eq!(groups(&found), [(vec!["name_and_postal_code"], vec!["Maja Holm"])]);
    assert!(!found.to_string().contains("socialSecurityNumber"));
}

#[tokio::test]
async fn companies_with_the_same_organization_number_may_be_the_same() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_record(&app, &token, CUSTOMERS, company("Nordbil AB"), "customer_id").await;
    let query = [("name", "Sydbil AB"), ("organizationNumber", "5560360793")];
    let expected = [(vec!["organization_number"], vec!["Nordbil AB"])];
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &query).await), expected);
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[("organizationNumber", "556036-0794")]).await), []);
    assert_eq!(groups(&list(&app, &token, CONTACTS, &query).await), [], "contacts have no such number");
    // A person has none, also if the form has one.
    let person = with_field(customer("Bo Ek"), "organizationNumber", "556036-0793");
    create_record(&app, &token, CUSTOMERS, with_field(person, "telephone", "040-11 22 33 4"), "customer_id").await;
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[]).await), []);
    let other = json!({
        "name": "Sydbil AB", "email": "syd@example.se", "telephone": "040-99 88 77 6", "address": "Torget 2, Lund",
        "type": "Business", "status": "Active", "organizationNumber": "5560360793",
    });
    create_record(&app, &token, CUSTOMERS, other, "customer_id").await;
    let expected = [(vec!["organization_number"], vec!["Sydbil AB", "Nordbil AB"])];
    assert_eq!(groups(&list(&app, &token, CUSTOMERS, &[]).await), expected);
}

#[tokio::test]
async fn a_page_has_20_groups_unless_the_request_has_a_limit() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for number in 0..21 {
        let email = format!("ada{number}@example.se");
        for name in ["Ada", "Bo"] {
            create(&app, &token, [name, &email, "", ""]).await;
        }
    }
    for (query, count) in [(vec![], 20), (vec![("limit", "100")], 21)] {
        let body = list(&app, &token, CONTACTS, &query).await;
        assert_eq!((groups(&body).len(), &body["totalItems"]), (count, &json!(21)), "{query:?}");
    }
}

#[tokio::test]
async fn duplicates_belong_to_one_tenant_and_need_read_permission() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let texts = ["Maja Holm", "maja@example.se", "", ""];
    create(&app, &token, texts).await;
    create(&app, &token, texts).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    create(&app, &other, texts).await;
    assert_eq!(groups(&list(&app, &token, CONTACTS, &[]).await).len(), 1);
    assert_eq!(groups(&list(&app, &other, CONTACTS, &[]).await), []);
    assert_eq!(groups(&list(&app, &other, CONTACTS, &[("email", "maja@example.se")]).await).len(), 1);
    let reader = app.sign_in(READER).await;
    assert_eq!(app.get("/api/contacts/duplicates", Some(&reader)).await.status, 200);
    let nobody = app.sign_in(NO_ROLE).await;
    for path in [CONTACTS, CUSTOMERS] {
        assert_eq!(app.get(&format!("{path}/duplicates"), Some(&nobody)).await.status, 403);
    }
    let invalid = app.get("/api/contacts/duplicates?page=x", Some(&token)).await;
    assert_eq!(invalid.status, 400);
}
