//! The steps of agreements, what they do with vehicles, and what they forbid.

use crate::agreements::{create, create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, READER, TestApp};
use crate::customers::{create_customer, customer};
use crate::helpers::{assert_error, count, create_record, delete, present_in, put, read_record, with_field};
use crate::vehicles::PATH as VEHICLES;
use forecourt::platform::clock::{DAY, HOUR};
use forecourt::platform::extract::TIME_ZONE;
use forecourt_core::agreements::{AgreementState, text};
use forecourt_core::customers::text as customer_text;
use forecourt_core::history::text::old_values_refused;
use forecourt_core::text::{STALE, choice_error};
use futures_util::future::{join, join_all};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

pub async fn step(app: &TestApp, token: &str, agreement: &str, state: &str) -> ApiResponse {
    step_with(app, token, agreement, json!({ "state": state })).await
}

pub async fn step_with(app: &TestApp, token: &str, agreement: &str, input: Value) -> ApiResponse {
    app.post(&format!("{agreement}/state"), Some(token), input).await
}

/// Takes these steps, each of which succeeds.
pub async fn steps(app: &TestApp, token: &str, agreement: &str, states: &[&str]) {
    for state in states {
        let taken = step(app, token, agreement, state).await;
        assert_eq!((taken.status.as_u16(), &taken.body["data"]["state"]), (200, &json!(state)), "{}", taken.body);
    }
}

/// Sets the state of an agreement in the database, without what a step needs and does.
pub async fn set_state(app: &TestApp, agreement: &str, state: &str) {
    let sql = app.db().sql("UPDATE agreements SET state = $1 WHERE agreement_id = $2").bind(state.to_owned());
    assert_eq!(sql.bind(Uuid::parse_str(id(agreement)).unwrap()).exec().await.unwrap(), 1);
}

/// Deletes a record of a binding agreement, as earlier versions allowed.
pub async fn delete_from_binding(app: &TestApp, token: &str, record: &str, agreement: &str) {
    let state = read_record(app, token, agreement).await["state"].as_str().unwrap().to_owned();
    set_state(app, agreement, "Offered").await;
    assert_eq!(delete(app, record, token).await.status, 200);
    set_state(app, agreement, &state).await;
}

/// Creates a draft of a sale to a new customer.
pub async fn sale(app: &TestApp, token: &str, legs: Vec<Value>) -> String {
    let ada = create_customer(app, token, customer("Ada")).await;
    create_agreement(app, token, json!({"customer_id": id(&ada), "legs": legs})).await
}

async fn status(app: &TestApp, token: &str, vehicle: &str) -> Value {
    read_record(app, token, vehicle).await["status"].clone()
}

pub fn vehicle_form(plate: &str, status: &str) -> Value {
    json!({"registration_number": plate, "make": "Volvo", "model": "V60", "status": status})
}

/// Returns the actions and changes of a record, newest first.
async fn changes(app: &TestApp, token: &str, resource: &str, id: &str) -> Vec<Value> {
    let history = app.get(&format!("/api/history?resource={resource}&id={id}"), Some(token)).await.body;
    history["data"].as_array().unwrap().iter().map(|entry| entry["changes"].clone()).collect()
}

#[tokio::test]
async fn an_agreement_reserves_sells_and_takes_into_stock() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let sold = create_vehicle(&app, &token, "A1").await;
    let part = create_record(&app, &token, VEHICLES, vehicle_form("A2", "Expected"), "vehicle_id").await;
    let brokered = create_record(&app, &token, VEHICLES, vehicle_form("A3", "Expected"), "vehicle_id").await;
    let legs = vec![leg(&sold, "Out", 900), leg(&part, "In", 0), leg(&brokered, "Brokered", 5)];
    let path = sale(&app, &token, legs).await;
    steps(&app, &token, &path, &["Offered"]).await;
    let all = async || {
        [status(&app, &token, &sold).await, status(&app, &token, &part).await, status(&app, &token, &brokered).await]
    };
    assert_eq!(all().await, ["In stock", "Expected", "Expected"]);
    let signed = step(&app, &token, &path, "Signed").await.body;
    assert_eq!(
        (&signed["message"], &signed["data"]["agreed_on"]),
        (&json!(text::SIGNED.as_str()), &json!("2027-01-15"))
    );
    assert_eq!(all().await, ["Reserved", "Expected", "Expected"]);
    app.advance(2 * DAY);
    let token = app.sign_in(ADMIN).await;
    let all = async || {
        [status(&app, &token, &sold).await, status(&app, &token, &part).await, status(&app, &token, &brokered).await]
    };
    let early = json!({"state": "Delivered", "delivered_on": "2027-01-14"});
    let early = step_with(&app, &token, &path, early).await;
    assert_error(&early, 409, text::DELIVERED_TOO_EARLY.as_str());
    let on = json!({"state": "Delivered", "delivered_on": "2027-01-16"});
    let delivered = step_with(&app, &token, &path, on).await.body;
    assert_eq!(delivered["data"]["delivered_on"], "2027-01-16", "{delivered}");
    assert_eq!(all().await, ["Sold", "In stock", "Sold"]);
    assert_eq!(read_record(&app, &token, &part).await["in_stock_on"], "2027-01-16");
    steps(&app, &token, &path, &["Closed"]).await;
    let states: Vec<_> = changes(&app, &token, "agreements", id(&path)).await;
    assert_eq!(states[0], json!([{"field": "state", "before": "Delivered", "after": "Closed"}]));
    let day = json!({"field": "delivered_on", "before": null, "after": "2027-01-16"});
    assert_eq!(states[1], json!([{"field": "state", "before": "Signed", "after": "Delivered"}, day]));
    let of_sold = changes(&app, &token, "vehicles", id(&sold)).await;
    assert_eq!(of_sold[0], json!([{"field": "status", "before": "Reserved", "after": "Sold"}]));
    assert_eq!(of_sold[1], json!([{"field": "status", "before": "In stock", "after": "Reserved"}]));
}

#[tokio::test]
async fn an_agreement_is_signed_and_delivered_on_the_day_in_the_users_time_zone() {
    let app = TestApp::start().await;
    app.advance(2 * HOUR);
    let token = app.sign_in(ADMIN).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let part = create_record(&app, &token, VEHICLES, vehicle_form("A2", "Expected"), "vehicle_id").await;
    let path = sale(&app, &token, vec![leg(&vehicle, "Out", 900), leg(&part, "In", 100)]).await;
    steps(&app, &token, &path, &["Offered"]).await;
    // The clock shows 10:00 UTC, which is midnight in Kiritimati.
    for (state, field) in [("Signed", "agreed_on"), ("Delivered", "delivered_on")] {
        let request = app.request(Method::POST, &format!("{path}/state"), Some(&token));
        let request = request.header(TIME_ZONE, "Pacific/Kiritimati").json(&json!({"state": state}));
        let taken = app.send(request).await.body;
        assert_eq!(taken["data"][field], "2027-01-16", "{taken}");
    }
    assert_eq!(read_record(&app, &token, &part).await["in_stock_on"], "2027-01-16");
}

#[tokio::test]
async fn a_vehicle_that_is_bought_with_standard_vat_leaves_the_margin_scheme() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, customer("Ada")).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let bought = with_field(leg(&vehicle, "In", 18_000), "vat_scheme", "Standard");
    let form = json!({"type": "Purchase", "customer_id": id(&ada), "legs": [bought]});
    let path = create_agreement(&app, &token, form).await;
    let sold = sale(&app, &token, vec![leg(&vehicle, "Out", 20_000)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    assert_eq!(read_record(&app, &token, &vehicle).await["vat_scheme"], "Margin");
    steps(&app, &token, &path, &["Delivered"]).await;
    assert_eq!(read_record(&app, &token, &vehicle).await["vat_scheme"], "Standard");
    let change = json!([{"field": "vat_scheme", "before": "Margin", "after": "Standard"}]);
    assert_eq!(changes(&app, &token, "vehicles", id(&vehicle)).await[0], change);
    steps(&app, &token, &sold, &["Offered"]).await;
    let under_margin = step(&app, &token, &sold, "Signed").await;
    assert_error(&under_margin, 409, text::not_under_margin("Volvo V60, A 1").as_str());
    let legs = json!([with_field(leg(&vehicle, "Out", 20_000), "vat_scheme", "Standard")]);
    let form = with_field(read_record(&app, &token, &sold).await, "legs", legs);
    assert_eq!(put(&app, &sold, &token, form).await.status, 200);
    steps(&app, &token, &sold, &["Signed"]).await;
}

#[tokio::test]
async fn a_delivered_agreement_keeps_its_vat_rate_when_the_setting_changes() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    let rate = async |token: &str, path: &str| read_record(&app, token, path).await["vat_rate"].clone();
    let signed = async |token: &str, plate: &str| {
        let vehicle = create_vehicle(&app, token, plate).await;
        let path = sale(&app, token, vec![leg(&vehicle, "Out", 900)]).await;
        steps(&app, token, &path, &["Offered", "Signed"]).await;
        path
    };
    let path = signed(&token, "A1").await;
    assert_eq!(rate(&token, &path).await, Value::Null);
    steps(&app, &token, &path, &["Delivered"]).await;
    let settings = json!({"country": "GB", "currency": "GBP", "vat_rate": 17.5});
    assert_eq!(put(&app, "/api/settings", &token, settings).await.status, 200);
    let form = with_field(read_record(&app, &token, &path).await, "notes", "Two keys");
    assert_eq!(put(&app, &path, &token, form).await.status, 200);
    steps(&app, &token, &path, &["Closed"]).await;
    assert_eq!(rate(&token, &path).await, 20);
    // Delivered agreements of earlier versions have no rate. The migration gives them the present one.
    let (not_delivered, of_other) = (signed(&token, "A2").await, signed(&other, "A1").await);
    steps(&app, &other, &of_other, &["Delivered"]).await;
    app.db().sql("UPDATE agreements SET vat_rate = NULL").exec().await.unwrap();
    let migration = app.db().pick(
        include_str!("../../../migrations/sqlite/0075_agreement_amounts.sql"),
        include_str!("../../../migrations/postgres/0075_agreement_amounts.sql"),
    );
    let is_update = |statement: &&str| statement.starts_with("UPDATE agreements SET vat_rate");
    let update = migration.split_terminator(";\n").find(is_update).unwrap();
    app.db().sql(update).exec().await.unwrap();
    assert_eq!(rate(&token, &path).await, 17.5);
    assert_eq!(rate(&token, &not_delivered).await, Value::Null);
    assert_eq!(rate(&other, &of_other).await, 20);
}

#[tokio::test]
async fn a_step_that_can_not_be_taken_says_why_and_changes_nothing() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (reader, other) = (app.sign_in(READER).await, app.sign_in(OTHER_ADMIN).await);
    let expected = create_record(&app, &token, VEHICLES, vehicle_form("A1", "Expected"), "vehicle_id").await;
    let path = create_agreement(&app, &token, json!({})).await;
    let refused = async |state: &str, sentence: &str| {
        let before = read_record(&app, &token, &path).await;
        let taken = step(&app, &token, &path, state).await;
        assert_error(&taken, 409, sentence);
        assert_eq!(read_record(&app, &token, &path).await, before);
    };
    refused("Offered", text::CUSTOMER_REQUIRED.as_str()).await;
    refused("Signed", text::DRAFT_NEXT.as_str()).await;
    let unknown = step(&app, &token, &path, "Sold").await;
    let sentence = choice_error(AgreementState::NAMES);
    assert_eq!((unknown.status.as_u16(), &unknown.body["fields"]), (400, &json!({"state": [sentence.as_str()]})));
    let ada = create_customer(&app, &token, customer("Ada")).await;
    let form = |price: i64| json!({"customer_id": id(&ada), "legs": [leg(&expected, "Out", price)]});
    assert_eq!(put(&app, &path, &token, form(0)).await.status, 200);
    refused("Offered", text::PRICES_REQUIRED.as_str()).await;
    assert_eq!(put(&app, &path, &token, form(5)).await.status, 200);
    steps(&app, &token, &path, &["Offered"]).await;
    refused("Draft", text::OFFERED_NEXT.as_str()).await;
    refused("Signed", "Volvo V60, A 1 is not in stock.").await;
    let offered = put(&app, &path, &token, form(0)).await;
    assert_eq!(offered.body["fields"], json!({"legs.0.price": [text::PRICE_REQUIRED.as_str()]}));
    assert_eq!(step(&app, &reader, &path, "Cancelled").await.status, 403);
    assert_eq!(step(&app, &other, &path, "Cancelled").await.status, 404);
    let stale = json!({"state": "Cancelled", "version": 1});
    let stale = step_with(&app, &token, &path, stale).await;
    assert_error(&stale, 409, STALE.as_str());
    let present = present_in(&stale);
    assert_eq!((&present["state"], &present["version"]), (&json!("Offered"), &json!(4)));
    assert!(stale.body["data"]["last_change"]["actor"]["name"].is_string(), "{}", stale.body);
    assert_eq!(step_with(&app, &token, &path, json!({"state": "Cancelled", "version": 4})).await.status, 200);
    refused("Offered", text::CANCELLED_STAYS.as_str()).await;
}

#[tokio::test]
async fn of_two_who_sell_the_same_vehicle_at_once_one_reads_why_not() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let other = app.sign_in(ADMIN).await;
    for round in 1..5 {
        let vehicle = create_vehicle(&app, &token, &format!("A{round}")).await;
        let one = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
        let two = sale(&app, &token, vec![leg(&vehicle, "Out", 950)]).await;
        for path in [&one, &two] {
            steps(&app, &token, path, &["Offered"]).await;
        }
        let both = join_all([step(&app, &token, &one, "Signed"), step(&app, &other, &two, "Signed")]).await;
        let (won, lost) = if both[0].status == 200 { (&both[0], &both[1]) } else { (&both[1], &both[0]) };
        assert_eq!(won.status, 200, "{}", won.body);
        let number = won.body["data"]["number"].as_str().unwrap();
        let why = format!("Volvo V60, A {round} is in the signed agreement {number}.");
        assert_error(lost, 409, &why);
        let loser = if both[0].status == 200 { &two } else { &one };
        assert_eq!(read_record(&app, &token, loser).await["state"], "Offered");
        // Once it is delivered, the vehicle is sold.
        let winner = if both[0].status == 200 { &one } else { &two };
        steps(&app, &token, winner, &["Delivered"]).await;
        let sold = step(&app, &token, loser, "Signed").await;
        assert_error(&sold, 409, &format!("Volvo V60, A {round} is already sold."));
        let form = json!({"legs": [leg(&vehicle, "Brokered", 1)]});
        assert_error(&create(&app, &token, form).await, 400, &format!("Volvo V60, A {round} is already sold."));
    }
    let sql = "SELECT count(*) FROM agreement_vehicles WHERE state = 'Signed'";
    assert_eq!(
        (count(&app, sql).await, count(&app, "SELECT CAST(sum(signed_count) AS BIGINT) FROM vehicles").await),
        (0, 0)
    );
}

#[tokio::test]
async fn no_agreement_is_signed_while_its_customer_is_deleted() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for round in 1..5 {
        let ada = create_customer(&app, &token, customer("Ada")).await;
        let vehicle = create_vehicle(&app, &token, &format!("A{round}")).await;
        let form = json!({"customer_id": id(&ada), "legs": [leg(&vehicle, "Out", 900)]});
        let path = create_agreement(&app, &token, form).await;
        steps(&app, &token, &path, &["Offered"]).await;
        let (signed, deleted) = join(step(&app, &token, &path, "Signed"), delete(&app, &ada, &token)).await;
        // Either may be first.
        if signed.status == 200 {
            assert_error(&deleted, 409, customer_text::HAS_AGREEMENTS.as_str());
        } else {
            assert_eq!(deleted.status, 200, "{}", deleted.body);
            assert_error(&signed, 409, text::CUSTOMER_REQUIRED.as_str());
        }
    }
    let sql = "SELECT count(*) FROM agreements WHERE state = 'Signed' AND customer_id IS NULL";
    assert_eq!(count(&app, sql).await, 0);
}

#[tokio::test]
async fn cancelling_a_signed_agreement_frees_its_vehicles() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let path = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    assert_eq!(status(&app, &token, &vehicle).await, "Reserved");
    steps(&app, &token, &path, &["Cancelled"]).await;
    assert_eq!(status(&app, &token, &vehicle).await, "In stock");
    let again = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
    steps(&app, &token, &again, &["Offered", "Signed"]).await;
}

#[tokio::test]
async fn a_delivery_names_the_vehicle_whose_number_is_taken() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let withdrawn = create_record(&app, &token, VEHICLES, vehicle_form("A1", "Withdrawn"), "vehicle_id").await;
    create_vehicle(&app, &token, "A1").await;
    let path = sale(&app, &token, vec![leg(&withdrawn, "In", 900)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    let taken = step(&app, &token, &path, "Delivered").await;
    assert_error(&taken, 409, text::already_in_stock("Volvo V60, A 1").as_str());
    assert_eq!(read_record(&app, &token, &path).await["state"], "Signed");
}

#[tokio::test]
async fn no_step_is_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let path = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
    for state in ["Offered", "Signed", "Delivered", "Closed"] {
        steps(&app, &token, &path, &[state]).await;
        let query = format!("/api/history?resource=agreements&id={}", id(&path));
        let entry = app.get(&query, Some(&token)).await.body["data"][0].clone();
        assert_eq!(entry["undo"], Value::Null, "{entry}");
        let entry = entry["history_id"].as_str().unwrap().to_owned();
        for input in [json!({}), json!({"on_conflict": "overwrite"})] {
            let undone = app.post(&format!("/api/history/{entry}/revert"), Some(&token), input).await;
            assert_error(&undone, 409, old_values_refused(text::STATE_BY_STEPS).as_str());
        }
        assert_eq!(read_record(&app, &token, &path).await["state"], state);
    }
    assert_eq!(status(&app, &token, &vehicle).await, "Sold");
}

#[tokio::test]
async fn what_was_signed_is_fixed_and_the_notes_never() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let path = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    let form = |stored: &Value, field: &str, value: Value| with_field(stored.clone(), field, value);
    let stored = read_record(&app, &token, &path).await;
    for (field, value, sentence) in [
        ("legs", json!([]), text::SIGNED_FIXED),
        ("customer_id", json!(""), text::SIGNED_FIXED),
        ("deposit", json!(5), text::SIGNED_FIXED),
    ] {
        let changed = put(&app, &path, &token, form(&stored, field, value)).await;
        assert_eq!(changed.body["fields"], json!({field: [sentence.as_str()]}), "{}", changed.body);
    }
    let changed = put(&app, &path, &token, form(&stored, "warranty", json!({"kind": "Insured"}))).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["warranty"]), (200, &json!({"kind": "Insured"})));
    let history = format!("/api/history?resource=agreements&id={}", id(&path));
    let undo = async |place: usize| app.get(&history, Some(&token)).await.body["data"][place]["undo"].clone();
    assert_eq!(undo(0).await, "update", "the warranty of a signed agreement can be changed back");
    steps(&app, &token, &path, &["Delivered"]).await;
    assert_eq!((undo(0).await, undo(1).await), (Value::Null, Value::Null), "not once it is delivered");
    let stored = read_record(&app, &token, &path).await;
    let changed = put(&app, &path, &token, form(&stored, "warranty", json!({"kind": "None"}))).await;
    assert_eq!(changed.body["fields"]["warranty"], json!([text::ONLY_NOTES.as_str()]));
    assert_eq!(put(&app, &path, &token, form(&stored, "notes", json!("Paid"))).await.status, 200);
    let stored = read_record(&app, &token, &path).await;
    let state = put(&app, &path, &token, form(&stored, "state", json!("Draft"))).await;
    assert_eq!(state.body["fields"], json!({"state": [text::STATE_BY_STEPS.as_str()]}));
}
