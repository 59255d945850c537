//! The commission of an agency as an amount.

use crate::agreements::{PATH, create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, TestApp};
use crate::helpers::{delete, list_field, put, read_record};
use serde_json::{Value, json};

/// Returns the ids of the agreements with at least this commission.
async fn find(app: &TestApp, token: &str, least: i64) -> Vec<String> {
    let filter = json!([{"field": "commission_amount", "op": "gte", "value": least}]).to_string();
    list_field(app, token, PATH, &[("filter", filter.as_str()), ("sort", "number")], "agreement_id").await.0
}

async fn amount(app: &TestApp, token: &str, agreement: &str) -> Value {
    read_record(app, token, agreement).await["commission_amount"].clone()
}

#[tokio::test]
async fn a_commission_in_percent_is_found_by_its_amount() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let form =
        |price: i64| json!({"type": "Agency", "legs": [leg(&vehicle, "Brokered", price)], "commission_percent": 6.5});
    let fixed = create_agreement(&app, &token, json!({"type": "Agency", "commission": 500})).await;
    let share = create_agreement(&app, &token, form(13_450)).await;
    create_agreement(&app, &token, json!({"type": "Agency"})).await;
    create_agreement(&app, &token, json!({"legs": [leg(&vehicle, "Out", 900)], "commission_percent": 6.5})).await;
    assert_eq!(amount(&app, &token, &share).await, 874.25);
    assert_eq!(find(&app, &token, 1).await, [id(&fixed), id(&share)]);
    assert_eq!(find(&app, &token, 501).await, [id(&share)]);
    assert_eq!(put(&app, &share, &token, form(1_000)).await.body["data"]["commission_amount"], 65);
    assert_eq!(find(&app, &token, 66).await, [id(&fixed)]);
}

#[tokio::test]
async fn the_migration_adds_the_commissions_of_agreements_and_of_deleted_ones() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let form = json!({"type": "Agency", "legs": [leg(&vehicle, "Brokered", 99.99)], "commission_percent": 6.5});
    let fixed = create_agreement(&app, &token, json!({"type": "Agency", "commission": 500})).await;
    let share = create_agreement(&app, &token, form.clone()).await;
    let deleted = create_agreement(&app, &token, form).await;
    let earlier = "UPDATE agreements SET commission_amount = NULL";
    assert_eq!(app.db().sql(earlier).exec().await.unwrap(), 3);
    assert_eq!(delete(&app, &deleted, &token).await.status, 200);
    let migration = app.db().pick(
        include_str!("../../../migrations/sqlite/0075_agreement_amounts.sql"),
        include_str!("../../../migrations/postgres/0075_agreement_amounts.sql"),
    );
    for (table, count) in [("UPDATE agreements SET commission_amount", 2), ("UPDATE trash", 1)] {
        let update = migration.split_terminator(";\n").find(|statement| statement.starts_with(table)).unwrap();
        assert_eq!(app.db().sql(update).exec().await.unwrap(), count, "{table}");
    }
    let restore = json!({"resource": "agreements", "ids": [id(&deleted)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(amount(&app, &token, &fixed).await, 500);
    for share in [share, deleted] {
        assert_eq!(amount(&app, &token, &share).await, 6.5);
    }
}
