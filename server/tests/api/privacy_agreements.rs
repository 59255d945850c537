//! An erasure keeps the customer's name of binding agreements, as accounting law requires, and of no others.

use crate::agreement_steps::{delete_from_binding, steps};
use crate::agreements::{PATH, create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, TestApp};
use crate::customers::{create_customer, customer};
use crate::helpers::{put, read_record, with_field};
use crate::privacy::{EMAIL, WORD, customer_of, erase, person, rows_with_word};
use forecourt_core::agreements::AgreementState;
use forecourt_core::privacy::text;
use serde_json::{Value, json};

/// The steps to each state.
const STATES: [&[&str]; 6] = [
    &[],
    &["Offered"],
    &["Offered", "Signed"],
    &["Offered", "Signed", "Delivered"],
    &["Offered", "Signed", "Delivered", "Closed"],
    &["Offered", "Signed", "Cancelled"],
];

fn name() -> String {
    format!("Ada {WORD}")
}

/// Creates a customer, and a sale to it that took these steps, for each of `states`. Returns the paths of the sales.
async fn create_sales(app: &TestApp, token: &str, states: &[&[&str]]) -> Vec<String> {
    let ada = create_customer(app, token, customer_of("Ada")).await;
    let mut sales = Vec::new();
    for (index, taken) in states.iter().enumerate() {
        let vehicle = create_vehicle(app, token, &format!("A{index}")).await;
        let form = json!({"customer_id": id(&ada), "legs": [leg(&vehicle, "Out", 900)], "notes": WORD});
        let sale = create_agreement(app, token, form).await;
        steps(app, token, &sale, taken).await;
        sales.push(sale);
    }
    sales
}

/// Returns what a report or certificate says about agreements, without the codes of messages.
fn part_of(parts: &Value) -> Value {
    let mut part = parts.as_array().unwrap().iter().find(|part| part["kind"] == "agreements").cloned().unwrap();
    part.as_object_mut().unwrap().remove("messages");
    part
}

#[tokio::test]
async fn an_erasure_keeps_the_customers_name_of_binding_agreements_only() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let sales = create_sales(&app, &token, &STATES).await;
    let kept = json!({"kind": "agreements", "count": 3, "fields": ["customer_name"],
        "reason": text::AGREEMENTS_FOR_ACCOUNTING.as_str()});
    let erased = json!({"kind": "agreements", "count": 6, "fields": ["customer_name", "notes"]});
    let report = person(&app, &token, EMAIL).await.body["data"].clone();
    assert_eq!((part_of(&report["erased"]), part_of(&report["kept"])), (erased.clone(), kept.clone()));
    let certificate = erase(&app, &token).await.body["data"].clone();
    assert_eq!((part_of(&certificate["erased"]), part_of(&certificate["kept"])), (erased, kept));
    for sale in &sales {
        let record = read_record(&app, &token, sale).await;
        let state = AgreementState::parse(record["state"].as_str().unwrap()).unwrap();
        let shown = if state.is_binding() { name() } else { "Erased".to_owned() };
        assert_eq!((&record["customer_name"], &record["notes"]), (&json!(shown), &json!("")), "{state:?}");
        // A later update does not change the name either.
        let saved = put(&app, sale, &token, with_field(record, "notes", "Two keys")).await;
        assert_eq!((saved.status.as_u16(), &saved.body["data"]["customer_name"]), (200, &json!(shown)), "{state:?}");
    }
    let rows = rows_with_word(&app, app.nordbil).await;
    // Rows without the name of a table are keys by which SQLite sorts the agreements.
    assert!(rows.iter().all(|row| row.starts_with("agreements") || !row.contains(": ")), "{rows:?}");
    let found = app.get(&format!("{PATH}?search={WORD}"), Some(&token)).await.body;
    assert_eq!(found["totalItems"], 3, "{found}");
}

#[tokio::test]
async fn a_certificate_names_no_field_as_erased_that_all_agreements_keep() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    create_sales(&app, &token, &STATES[2..3]).await;
    let certificate = erase(&app, &token).await.body["data"].clone();
    assert_eq!(part_of(&certificate["erased"]), json!({"kind": "agreements", "count": 1, "fields": ["notes"]}));
    assert_eq!(part_of(&certificate["kept"])["fields"], json!(["customer_name"]));
}

#[tokio::test]
async fn cancelling_an_agreement_of_an_erased_customer_erases_the_name() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let sales = create_sales(&app, &token, &STATES[2..4]).await;
    assert_eq!(erase(&app, &token).await.status, 200);
    steps(&app, &token, &sales[0], &["Cancelled"]).await;
    steps(&app, &token, &sales[1], &["Closed"]).await;
    let shown = async |sale: &str| read_record(&app, &token, sale).await["customer_name"].clone();
    assert_eq!((shown(&sales[0]).await, shown(&sales[1]).await), (json!("Erased"), json!(name())));
}

/// Returns the path of an agreement's customer.
async fn customer_path(app: &TestApp, token: &str, sale: &str) -> String {
    format!("/api/customers/{}", read_record(app, token, sale).await["customer_id"].as_str().unwrap())
}

#[tokio::test]
async fn cancelling_an_agreement_gives_it_the_present_name_of_an_erased_customer() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let sales = create_sales(&app, &token, &STATES[2..3]).await;
    let ada = customer_path(&app, &token, &sales[0]).await;
    assert_eq!(erase(&app, &token).await.status, 200);
    // With another e-mail address, the customer no longer counts as erased.
    let version = read_record(&app, &token, &ada).await["version"].clone();
    let changed = put(&app, &ada, &token, with_field(customer("Eva"), "version", version)).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(read_record(&app, &token, &sales[0]).await["customer_name"], name());
    steps(&app, &token, &sales[0], &["Cancelled"]).await;
    assert_eq!(read_record(&app, &token, &sales[0]).await["customer_name"], "Eva");
}

#[tokio::test]
async fn cancelling_an_agreement_erases_the_name_of_a_deleted_customer_who_was_erased_or_purged() {
    for (is_erased, is_purged, shown) in
        [(false, false, name()), (true, false, "Erased".to_owned()), (false, true, "Erased".to_owned())]
    {
        let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
        let sales = create_sales(&app, &token, &STATES[2..3]).await;
        let ada = customer_path(&app, &token, &sales[0]).await;
        delete_from_binding(&app, &token, &ada, &sales[0]).await;
        if is_erased {
            assert_eq!(erase(&app, &token).await.status, 200);
        }
        if is_purged {
            // As earlier versions did.
            assert_eq!(app.db().sql("DELETE FROM trash WHERE resource_id = 'customers'").exec().await.unwrap(), 1);
        }
        assert_eq!(read_record(&app, &token, &sales[0]).await["customer_name"], name());
        steps(&app, &token, &sales[0], &["Cancelled"]).await;
        assert_eq!(read_record(&app, &token, &sales[0]).await["customer_name"], shown, "{is_erased} {is_purged}");
    }
}
