//! Which agreements can't be deleted, and which vehicles, customers and contacts can't because of them, also from the
//! trash.

use crate::agreement_steps::{delete_from_binding, sale, step, steps};
use crate::agreements::{PATH, create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, CLERK, TestApp};
use crate::customers::{PATH as CUSTOMERS, create_customer, customer};
use crate::helpers::{assert_error, create_record, delete, put, read_record, with_field};
use crate::merge::{CONTACTS, merge_ok};
use crate::vehicles::PATH as VEHICLES;
use forecourt::features::trash::sweep;
use forecourt::platform::clock::DAY;
use forecourt_core::agreements::text;
use forecourt_core::contacts::text as contact_text;
use forecourt_core::customers::text as customer_text;
use forecourt_core::trash::text as trash_text;
use forecourt_core::vehicles::text as vehicle_text;
use reqwest::Method;
use serde_json::{Value, json};

const TRASH: &str = "/api/trash";

#[tokio::test]
async fn only_drafts_offers_and_cancelled_agreements_can_be_deleted_also_in_bulk() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let mut paths = Vec::new();
    for (plate, states) in [
        ("A1", &["Offered", "Signed"][..]),
        ("A2", &["Offered", "Signed", "Delivered"]),
        ("A3", &["Offered"]),
        ("A4", &["Cancelled"]),
        ("A5", &[]),
    ] {
        let vehicle = create_vehicle(&app, &token, plate).await;
        let path = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
        steps(&app, &token, &path, states).await;
        paths.push(path);
    }
    assert_error(&delete(&app, &paths[0], &token).await, 409, text::CANCEL_FIRST.as_str());
    assert_error(&delete(&app, &paths[1], &token).await, 409, text::DELIVERED_STAYS.as_str());
    let bulk = json!({"query": {}, "action": "delete"});
    let deleted = app.post(&format!("{PATH}/bulk"), Some(&token), bulk).await.body["data"].clone();
    assert_eq!((&deleted["matched"], &deleted["changed"]), (&json!(5), &json!(3)), "{deleted}");
    let refused: Vec<_> = deleted["refused"].as_array().unwrap().iter().map(|one| one["message"].clone()).collect();
    assert_eq!(refused, [text::CANCEL_FIRST.as_str(), text::DELIVERED_STAYS.as_str()]);
    assert_eq!(app.get(&paths[0], Some(&token)).await.status, 200);
    assert_eq!(app.get(&paths[4], Some(&token)).await.status, 404);
}

#[tokio::test]
async fn rejects_deletions_of_sold_vehicles_and_of_parties_of_binding_agreements() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (ada_error, bo_error) = (Some(customer_text::HAS_AGREEMENTS), Some(contact_text::HAS_AGREEMENTS));
    let signed = Some(vehicle_text::IN_SIGNED_AGREEMENT);
    let (sold_error, part_error) = (Some(vehicle_text::SOLD_STAYS), Some(vehicle_text::IN_DELIVERED_AGREEMENT));
    let delivered = [ada_error, bo_error, sold_error, part_error];
    let (mut agreements, mut records) = (Vec::new(), Vec::new());
    for (plate, states, errors) in [
        ("A1", &["Offered"][..], [None; 4]),
        ("A2", &["Offered", "Signed"], [ada_error, bo_error, signed, signed]),
        ("A3", &["Offered", "Signed", "Delivered"], delivered),
        ("A4", &["Offered", "Signed", "Delivered", "Closed"], delivered),
    ] {
        let ada = create_customer(&app, &token, customer("Ada")).await;
        let bo = create_record(&app, &token, CONTACTS, json!({"name": "Bo"}), "_id").await;
        let sold = create_vehicle(&app, &token, plate).await;
        let part = create_vehicle(&app, &token, &format!("{plate}P")).await;
        let legs = [leg(&sold, "Out", 900), leg(&part, "In", 100)];
        let form = json!({"customer_id": id(&ada), "contact_id": id(&bo), "legs": legs});
        let path = create_agreement(&app, &token, form).await;
        steps(&app, &token, &path, states).await;
        agreements.push(path);
        records.extend([ada, bo, sold, part].into_iter().zip(errors));
    }
    for list in [CUSTOMERS, CONTACTS, VEHICLES] {
        let of_list = || records.iter().filter(|(path, _)| path.starts_with(list));
        let refused: Vec<_> = of_list().filter_map(|(_, error)| error.map(|error| error.as_str())).collect();
        let changed = of_list().count() - refused.len();
        for dry_run in [true, false] {
            let bulk = json!({"query": {}, "action": "delete", "dry_run": dry_run});
            let deleted = app.post(&format!("{list}/bulk"), Some(&token), bulk).await.body["data"].clone();
            let messages = deleted["refused"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap());
            assert_eq!(
                (messages.collect::<Vec<_>>(), &deleted["changed"]),
                (refused.clone(), &json!(changed)),
                "{list}"
            );
        }
    }
    for (path, error) in &records {
        match error {
            Some(error) => assert_error(&delete(&app, path, &token).await, 409, error.as_str()),
            None => assert_eq!(app.get(path, Some(&token)).await.status, 404, "{path}"),
        }
    }
    // The records of a cancelled agreement can be deleted.
    steps(&app, &token, &agreements[1], &["Cancelled"]).await;
    for (path, _) in &records[4..8] {
        assert_eq!(delete(&app, path, &token).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn an_open_form_of_a_signed_agreement_is_saved_after_its_customer_was_deleted() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (ada, bo) =
        (create_customer(&app, &token, customer("Ada")).await, create_customer(&app, &token, customer("Bo")).await);
    let contact = create_record(&app, &token, CONTACTS, json!({"name": "Cia"}), "_id").await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let form = json!({"customer_id": id(&ada), "contact_id": id(&contact), "legs": [leg(&vehicle, "Out", 5)]});
    let path = create_agreement(&app, &token, form).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    let form = with_field(read_record(&app, &token, &path).await, "notes", "Two keys");
    for record in [&ada, &contact] {
        delete_from_binding(&app, &token, record, &path).await;
    }
    let saved = put(&app, &path, &token, form.clone()).await;
    assert_eq!(saved.body["fields"], json!({"contact_id": [text::CONTACT_UNKNOWN.as_str()]}));
    assert_error(&step(&app, &token, &path, "Delivered").await, 409, text::CUSTOMER_DELETED.as_str());
    let restore = json!({"resource": "customers", "ids": [id(&ada)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    steps(&app, &token, &path, &["Delivered"]).await;
    delete_from_binding(&app, &token, &ada, &path).await;
    let version = read_record(&app, &token, &path).await["version"].clone();
    let form = with_field(with_field(form, "version", version), "state", "Delivered");
    let form = with_field(form, "delivered_on", "2027-01-15");
    let saved = put(&app, &path, &token, form.clone()).await;
    let data = &saved.body["data"];
    assert_eq!((saved.status.as_u16(), &data["notes"]), (200, &json!("Two keys")), "{}", saved.body);
    assert_eq!((data.get("customer_id"), data.get("contact_id"), &data["customer_name"]), (None, None, &json!("Ada")));
    let form = with_field(with_field(form, "version", json!(null)), "customer_id", id(&bo));
    assert_error(&put(&app, &path, &token, form).await, 400, text::ONLY_NOTES.as_str());
}

#[tokio::test]
async fn records_of_binding_agreements_stay_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (mut agreements, mut kept) = (Vec::new(), Vec::new());
    for (plate, states) in [("A1", &["Offered", "Signed"][..]), ("A2", &["Offered", "Signed", "Delivered", "Closed"])] {
        let ada = create_customer(&app, &token, customer("Ada")).await;
        let vehicle = create_vehicle(&app, &token, plate).await;
        let part = create_vehicle(&app, &token, &format!("{plate}P")).await;
        let eva = create_record(&app, &token, CONTACTS, json!({"name": "Eva"}), "_id").await;
        let legs = [leg(&vehicle, "Out", 900), leg(&part, "In", 100)];
        let form = json!({"customer_id": id(&ada), "contact_id": id(&eva), "legs": legs});
        let path = create_agreement(&app, &token, form).await;
        steps(&app, &token, &path, states).await;
        for record in [&ada, &part, &eva] {
            delete_from_binding(&app, &token, record, &path).await;
        }
        agreements.push(path);
        kept.extend([("customers", ada), ("vehicles", part), ("contacts", eva)]);
    }
    // The agreement of a merged customer has the other one instead, and an offer is not binding.
    let (bo, cia) =
        (create_customer(&app, &token, customer("Bo")).await, create_customer(&app, &token, customer("Cia")).await);
    let sold = create_vehicle(&app, &token, "A3").await;
    let form = json!({"customer_id": id(&bo), "legs": [leg(&sold, "Out", 900)]});
    let path = create_agreement(&app, &token, form).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    merge_ok(&app, &token, CUSTOMERS, json!({"keep": id(&cia), "ids": [id(&bo)]})).await;
    let vehicle = create_vehicle(&app, &token, "A4").await;
    let offered = sale(&app, &token, vec![leg(&vehicle, "Out", 900)]).await;
    steps(&app, &token, &offered, &["Offered"]).await;
    assert_eq!(delete(&app, &vehicle, &token).await.status, 200);

    let in_trash = async |token: &str, is_kept: bool| {
        let list = app.get(TRASH, Some(token)).await.body["data"].clone();
        let entries = list.as_array().unwrap().iter().filter(|entry| entry["is_kept"] == is_kept);
        let mut ids: Vec<Value> = entries.map(|entry| entry["id"].clone()).collect();
        ids.sort_by_key(Value::to_string);
        ids
    };
    let mut expected: Vec<Value> = kept.iter().map(|(_, path)| json!(id(path))).collect();
    expected.sort_by_key(Value::to_string);
    assert_eq!((in_trash(&token, true).await, in_trash(&token, false).await.len()), (expected.clone(), 2));
    let purge = async |token: &str, resource: &str, ids: Value| {
        let request = app.request(Method::DELETE, TRASH, Some(token));
        app.send(request.json(&json!({"resource": resource, "ids": ids}))).await
    };
    for (resource, path) in &kept {
        let list = app.get(TRASH, Some(&token)).await.body["data"].clone();
        let entry = list.as_array().unwrap().iter().find(|entry| entry["id"] == id(path)).unwrap();
        let message = trash_text::is_bound(entry["label"].as_str().unwrap());
        let other = if *resource == "vehicles" { &vehicle } else { &bo };
        let refused = purge(&token, resource, json!([id(other), id(path)])).await;
        assert_error(&refused, 409, message.as_str());
    }
    assert_eq!(in_trash(&token, false).await.len(), 2, "a refused request purges nothing");
    app.advance(31 * DAY);
    sweep(&app.app).await.unwrap();
    let token = app.sign_in(ADMIN).await;
    assert_eq!((in_trash(&token, true).await, in_trash(&token, false).await), (expected, vec![]));

    // The records of a cancelled agreement are purged.
    steps(&app, &token, &agreements[0], &["Cancelled"]).await;
    let (resource, path) = &kept[1];
    assert_eq!(purge(&token, resource, json!([id(path)])).await.status, 200);
    sweep(&app.app).await.unwrap();
    assert_eq!((in_trash(&token, true).await.len(), in_trash(&token, false).await.len()), (3, 0));
    // A restored customer is the agreement's again.
    let (_, ada) = &kept[3];
    let restore = json!({"resource": "customers", "ids": [id(ada)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(read_record(&app, &token, &agreements[1]).await["customer_id"], id(ada));
}
