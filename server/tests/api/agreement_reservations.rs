//! Which vehicles a signed agreement reserves.

use crate::agreement_steps::{sale, steps, vehicle_form};
use crate::agreements::{create_vehicle, id, leg};
use crate::app::{ADMIN, CLERK, TestApp};
use crate::helpers::{assert_error, count, delete, put, read_record, with_field};
use crate::vehicles::PATH as VEHICLES;
use forecourt_core::history::text::old_values_refused;
use forecourt_core::vehicles::text as vehicle_text;
use serde_json::{Value, json};

#[tokio::test]
async fn a_signed_agreement_holds_its_vehicles() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let free = create_vehicle(&app, &token, "A2").await;
    // It is read, and saved once it is reserved.
    let read = read_record(&app, &token, &vehicle).await;
    let path = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    let held = vehicle_text::HELD_BY_AGREEMENT.as_str();
    assert_error(&put(&app, &vehicle, &token, vehicle_form("A1", "In stock")).await, 400, held);
    let based_on = with_field(vehicle_form("A1", "In stock"), "version", read["version"].clone());
    assert_eq!(put(&app, &vehicle, &token, based_on).await.status, 409);
    assert_eq!(put(&app, &vehicle, &token, vehicle_form("A1", "Reserved")).await.status, 200);
    let bulk = |action: &str, fields: Value| {
        let input = json!({"ids": [id(&vehicle), id(&free)], "action": action, "fields": fields, "dry_run": true});
        async { app.post(&format!("{VEHICLES}/bulk"), Some(&token), input).await.body["data"].clone() }
    };
    let freed = bulk("update", json!({"status": "In stock"})).await;
    assert_eq!((&freed["unchanged"], &freed["refused"][0]["message"]), (&json!(1), &json!(held)), "{freed}");
    let deleted = bulk("delete", json!({})).await;
    let signed = vehicle_text::IN_SIGNED_AGREEMENT.as_str();
    assert_eq!((&deleted["changed"], &deleted["refused"][0]["message"]), (&json!(1), &json!(signed)), "{deleted}");
    assert_error(&delete(&app, &vehicle, &token).await, 409, signed);
    // The reservation is not undone either.
    let history = app.get(&format!("/api/history?resource=vehicles&id={}", id(&vehicle)), Some(&token)).await.body;
    let reserved = history["data"].as_array().unwrap().iter().find(|entry| entry["changes"][0]["field"] == "status");
    let revert = format!("/api/history/{}/revert", reserved.unwrap()["history_id"].as_str().unwrap());
    let refused = app.post(&revert, Some(&token), json!({})).await;
    assert_error(&refused, 409, old_values_refused(vehicle_text::HELD_BY_AGREEMENT).as_str());
    steps(&app, &token, &path, &["Delivered"]).await;
    assert_error(
        &app.post(&revert, Some(&token), json!({"on_conflict": "overwrite"})).await,
        409,
        old_values_refused(vehicle_text::SOLD_IS_FINAL).as_str(),
    );
    assert_error(&delete(&app, &vehicle, &token).await, 409, vehicle_text::SOLD_STAYS.as_str());
}

#[tokio::test]
async fn a_signed_agreement_does_not_hold_what_comes_in_or_is_brokered() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (part, brokered) = (create_vehicle(&app, &token, "A1").await, create_vehicle(&app, &token, "A2").await);
    let path = sale(&app, &token, vec![leg(&part, "In", 5), leg(&brokered, "Brokered", 900)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    for (vehicle, plate) in [(&part, "A1"), (&brokered, "A2")] {
        for state in ["Reserved", "In stock"] {
            let saved = put(&app, vehicle, &token, vehicle_form(plate, state)).await;
            assert_eq!((saved.status.as_u16(), &saved.body["data"]["status"]), (200, &json!(state)), "{}", saved.body);
        }
    }
}

#[tokio::test]
async fn the_migration_counts_only_the_signed_agreements_that_reserve_a_vehicle() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (sold, part) = (create_vehicle(&app, &token, "A1").await, create_vehicle(&app, &token, "A2").await);
    let deleted = create_vehicle(&app, &token, "A3").await;
    let path = sale(&app, &token, vec![leg(&sold, "Out", 900), leg(&part, "In", 5)]).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    let counted = async || count(&app, "SELECT CAST(sum(signed_count) AS BIGINT) FROM vehicles").await;
    assert_eq!(counted().await, 1);
    // As earlier versions counted.
    app.db().sql("UPDATE vehicles SET signed_count = 1").exec().await.unwrap();
    assert_eq!(delete(&app, &deleted, &token).await.status, 200);
    let migration = app.db().pick(
        include_str!("../../../migrations/sqlite/0076_reserving_agreements.sql"),
        include_str!("../../../migrations/postgres/0076_reserving_agreements.sql"),
    );
    for table in ["UPDATE vehicles", "UPDATE trash"] {
        let update = migration.split_terminator(";\n").find(|statement| statement.starts_with(table)).unwrap();
        app.db().sql(update).exec().await.unwrap();
    }
    let restore = json!({"resource": "vehicles", "ids": [id(&deleted)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(counted().await, 1);
    let freed = put(&app, &sold, &token, vehicle_form("A1", "In stock")).await;
    assert_error(&freed, 400, vehicle_text::HELD_BY_AGREEMENT.as_str());
}
