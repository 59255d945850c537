//! Forms that were opened before an erasure do not store again what was erased, and their conflict names it.

use crate::app::{ADMIN, TestApp};
use crate::helpers::{create_record, delete, put, read_record, with_field};
use crate::privacy::{EMAIL, contact, customer_of, erase, id_of, rows_with_word};
use forecourt::platform::clock::MINUTE;
use serde_json::{Value, json};

#[tokio::test]
async fn a_conflict_names_the_fields_that_were_erased_since_the_form_was_opened() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let form = json!({"registration_number": "A1", "notes": format!("Bought from {EMAIL}")});
    let vehicle = create_record(&app, &token, "/api/vehicles", form.clone(), "vehicle_id").await;
    let customer = create_record(&app, &token, "/api/customers", customer_of("Ada"), "customer_id").await;
    let erased = async |path: &str, form: &Value, version: i64| {
        let refused = put(&app, path, &token, with_field(form.clone(), "version", version)).await;
        assert_eq!(refused.status, 409, "{}", refused.body);
        refused.body["data"]["erased"].clone()
    };
    let save = async |path: &str, form: Value| {
        let saved = put(&app, path, &token, form).await;
        assert_eq!(saved.status, 200, "{}", saved.body);
    };
    save(&customer, customer_of("Bo")).await;
    assert_eq!(erased(&customer, &customer_of("Åsa"), 1).await, Value::Null);
    assert_eq!(erase(&app, &token).await.status, 200);
    assert_eq!(erased(&vehicle, &form, 1).await, json!(["mileage_remark", "notes"]));
    // A later change of another field does not hide the erasure, except from a form that was opened after it.
    save(&vehicle, json!({"registration_number": "A1", "location": "Lund"})).await;
    assert_eq!(erased(&vehicle, &form, 1).await, json!(["mileage_remark", "notes"]));
    assert_eq!(erased(&vehicle, &form, 2).await, Value::Null);
    save(&vehicle, json!({"registration_number": "A1", "notes": "Two keys"})).await;
    assert_eq!(erased(&vehicle, &form, 1).await, json!(["mileage_remark"]));
    let mut later = with_field(read_record(&app, &token, &customer).await, "location", "Lund");
    later.as_object_mut().unwrap().remove("socialSecurityNumber");
    save(&customer, later).await;
    let names = erased(&customer, &customer_of("Åsa"), 2).await;
    let names = names.as_array().unwrap();
    assert!(names.contains(&json!("telephone")) && !names.contains(&json!("location")), "{names:?}");
}

#[tokio::test]
async fn other_details_that_were_entered_after_an_erasure_are_not_named_as_erased() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/contacts", contact("Ada"), "_id").await;
    assert_eq!(erase(&app, &token).await.status, 200);
    for (details, is_named) in [(json!({}), true), (json!({"Colour": "Red"}), false)] {
        let form = json!({"name": "Ada", "address": "Lund", "otherDetails": details});
        assert_eq!(put(&app, &path, &token, form).await.status, 200);
        let refused = put(&app, &path, &token, with_field(contact("Åsa"), "version", 1)).await;
        let names = refused.body["data"]["erased"].as_array().unwrap();
        assert_eq!(names.contains(&json!("otherDetails")), is_named, "{names:?}");
        assert!(names.contains(&json!("phone")) && !names.contains(&json!("address")), "{names:?}");
    }
}

#[tokio::test]
async fn a_form_from_before_an_erasure_in_the_trash_conflicts_after_the_restoration() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/contacts", contact("Ada"), "_id").await;
    let opened = read_record(&app, &token, &path).await;
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    app.advance(MINUTE);
    assert_eq!(erase(&app, &token).await.status, 200);
    let restored = json!({"resource": "contacts", "ids": [id_of(&path)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restored).await.status, 200);
    for base in ["version", "updatedAt"] {
        let refused = put(&app, &path, &token, with_field(contact("Åsa"), base, opened[base].clone())).await;
        assert_eq!(refused.status, 409, "{base}: {}", refused.body);
        let names = refused.body["data"]["erased"].as_array().unwrap();
        assert!(names.contains(&json!("name")), "{base}: {names:?}");
    }
    assert_eq!(rows_with_word(&app, app.nordbil).await, [""; 0]);
}

#[tokio::test]
async fn a_conflict_of_a_form_with_only_a_time_names_what_any_erasure_has_left() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/contacts", contact("Ada"), "_id").await;
    assert_eq!(erase(&app, &token).await.status, 200);
    let opened = read_record(&app, &token, &path).await;
    app.advance(MINUTE);
    let form = |address: &str| json!({"name": "Ada", "address": address});
    assert_eq!(put(&app, &path, &token, form("Lund")).await.status, 200);
    for (base, is_named) in [("version", false), ("updatedAt", true)] {
        let refused = put(&app, &path, &token, with_field(form("Oslo"), base, opened[base].clone())).await;
        assert_eq!(refused.status, 409, "{base}: {}", refused.body);
        assert_eq!(refused.body["data"]["erased"].is_array(), is_named, "{base}: {}", refused.body);
    }
}
