//! The routes of agreements.

use crate::agreement_steps::steps;
use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, TestApp};
use crate::arrangements::{List, compare};
use crate::customers::{create_customer, customer};
use crate::exports::assert_equals_list;
use crate::helpers::{assert_error, create_record, delete, put, read_record, with_field};
use crate::merge::{CUSTOMERS, merge_ok};
use crate::records::TestRecord;
use crate::vehicles::PATH as VEHICLES;
use forecourt::platform::clock::SECOND;
use forecourt_core::agreements::{Agreement, LEGS_MAX, text};
use forecourt_core::history::text as history_text;
use forecourt_core::lists::text::{AN_ID, wrong_value};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

pub const PATH: &str = "/api/agreements";
const MISSING: &str = "0190b5a0-0000-7000-8000-000000000000";

pub const RECORD: TestRecord = TestRecord {
    list: "agreements",
    id: "agreement_id",
    text: "customer_name",
    others: &[],
    form: || json!({"notes": "Two keys"}),
    label: "SA-1001",
    bulk_field: "notes",
};

pub fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// Creates a vehicle in stock with this registration number, and returns its path.
pub async fn create_vehicle(app: &TestApp, token: &str, plate: &str) -> String {
    let form = json!({"registration_number": plate, "make": "Volvo", "model": "V60"});
    create_record(app, token, VEHICLES, form, "vehicle_id").await
}

pub fn leg(vehicle: &str, direction: &str, price: impl Into<Value>) -> Value {
    json!({"vehicle_id": id(vehicle), "direction": direction, "price": price.into()})
}

pub async fn create(app: &TestApp, token: &str, form: Value) -> ApiResponse {
    app.post(PATH, Some(token), form).await
}

/// Creates an agreement, and returns its path.
pub async fn create_agreement(app: &TestApp, token: &str, form: Value) -> String {
    create_record(app, token, PATH, form, "agreement_id").await
}

#[tokio::test]
async fn a_created_agreement_is_returned_with_its_number_names_and_totals() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, customer("Ada Öberg")).await;
    let (sold, part) = (create_vehicle(&app, &token, "AB12 CDE").await, create_vehicle(&app, &token, "A1").await);
    let form = json!({
        "customer_id": format!(" {} ", id(&ada).to_uppercase()), "contact_id": null, "deposit": "1000",
        "legs": [leg(&sold, "", "18995.50"), leg(&part, "In", 4_000)], "minimum_price": 18_000, "exclusive_until": "",
        "warranty": {"kind": "Dealer", "months": "12", "distance": 12_000}, "agreed_on": "2027-01-14",
        "notes": "Two keys\nNew tyres", "number": "SA-1", "version": 9, "out_total": 5,
    });
    let made = create(&app, &token, form).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED.as_str())), "{}", made.body);
    let shown = &made.body["data"];
    let time = "2027-01-15T08:00:00.000Z";
    assert_eq!(
        *shown,
        json!({
            "agreement_id": shown["agreement_id"], "number": "SA-1001", "type": "Sales", "state": "Draft",
            "customer_id": id(&ada), "customer_name": "Ada Öberg", "vehicles": "Volvo V60, AB12 CDE; Volvo V60, A 1",
            "legs": [
                {"vehicle_id": id(&sold), "direction": "Out", "price": 18_995.5, "vat_scheme": "Margin",
                    "name": "Volvo V60, AB12 CDE"},
                {"vehicle_id": id(&part), "direction": "In", "price": 4_000, "vat_scheme": "Margin",
                    "name": "Volvo V60, A 1"},
            ],
            "out_total": 18_995.5, "in_total": 4_000, "to_pay": 13_995.5, "deposit": 1_000, "minimum_price": 18_000,
            "warranty": {"kind": "Dealer", "months": 12, "distance": 12_000}, "agreed_on": "2027-01-14",
            "notes": "Two keys\nNew tyres", "created_at": time, "updated_at": time, "version": 1,
        })
    );
    let path = format!("{PATH}/{}", shown["agreement_id"].as_str().unwrap());
    assert_eq!(read_record(&app, &token, &path).await, *shown);
    for search in ["sa-10", "oberg", "ab12 c"] {
        let list = app.get(&format!("{PATH}?search={search}"), Some(&token)).await.body;
        assert_eq!(list, json!({"success": true, "data": [shown], "totalItems": 1, "totalPages": 1}), "{search}");
    }
}

#[tokio::test]
async fn each_type_has_numbers_of_its_own_which_are_never_given_again() {
    let app = TestApp::start().await;
    let (token, other) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let number = async |token: &str, kind: &str| {
        let made = create(&app, token, json!({ "type": kind })).await;
        assert_eq!(made.status, 201, "{}", made.body);
        (made.body["data"]["number"].clone(), made.body["data"]["agreement_id"].as_str().unwrap().to_owned())
    };
    let (first, deleted) = number(&token, "Sales").await;
    assert_eq!((first, number(&token, "Purchase").await.0), (json!("SA-1001"), json!("PA-1001")));
    assert_eq!(number(&token, "Agency").await.0, "AA-1001");
    assert_eq!(delete(&app, &format!("{PATH}/{deleted}"), &token).await.status, 200);
    let at_once = join_all((0..5).map(|_| number(&token, "Sales"))).await;
    let mut numbers: Vec<Value> = at_once.into_iter().map(|(number, _)| number).collect();
    numbers.sort_by_key(|number| number.as_str().map(str::to_owned));
    assert_eq!(numbers, ["SA-1002", "SA-1003", "SA-1004", "SA-1005", "SA-1006"]);
    assert_eq!(number(&other, "Sales").await.0, "SA-1001", "another corporation");
    let restore = json!({"resource": "agreements", "ids": [deleted]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    let restored = read_record(&app, &token, &format!("{PATH}/{deleted}")).await;
    assert_eq!((&restored["number"], number(&token, "Sales").await.0), (&json!("SA-1001"), json!("SA-1007")));
}

#[tokio::test]
async fn what_an_agreement_refers_to_exists_in_its_corporation() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    let path = create_agreement(&app, &token, json!({})).await;
    let foreign_customer = create_customer(&app, &other, customer("Bo")).await;
    let foreign_vehicle = create_vehicle(&app, &other, "A1").await;
    let deleted = create_vehicle(&app, &token, "A2").await;
    assert_eq!(delete(&app, &deleted, &token).await.status, 200);
    for (form, field, sentence) in [
        (json!({"customer_id": id(&foreign_customer)}), "customer_id", text::CUSTOMER_UNKNOWN),
        (json!({"customer_id": "C-1001"}), "customer_id", text::CUSTOMER_UNKNOWN),
        (json!({"contact_id": MISSING}), "contact_id", text::CONTACT_UNKNOWN),
        (json!({"legs": [leg(&foreign_vehicle, "Out", 1)]}), "legs", text::VEHICLE_UNKNOWN),
        (json!({"legs": [leg(&deleted, "In", 1)]}), "legs", text::VEHICLE_UNKNOWN),
        (json!({"legs": [leg(MISSING, "In", 1)]}), "legs", text::VEHICLE_UNKNOWN),
        (json!({"legs": [leg("' OR 1=1", "In", 1)]}), "legs", text::VEHICLE_UNKNOWN),
    ] {
        for response in [create(&app, &token, form.clone()).await, put(&app, &path, &token, form.clone()).await] {
            assert_error(&response, 400, sentence.as_str());
            assert_eq!(response.body["fields"], json!({field: [sentence.as_str()]}), "{form}");
        }
    }
    assert_eq!(create(&app, &token, json!({"legs": {}})).await.status, 400);
}

#[tokio::test]
async fn the_list_of_a_vehicle_or_customer_has_only_their_agreements() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    let (ada, bo) =
        (create_customer(&app, &token, customer("Ada")).await, create_customer(&app, &token, customer("Bo")).await);
    let (one, two) = (create_vehicle(&app, &token, "A1").await, create_vehicle(&app, &token, "A2").await);
    let with = |customer: &str, legs: Vec<Value>| json!({"customer_id": id(customer), "legs": legs});
    let first = create_agreement(&app, &token, with(&ada, vec![leg(&one, "Out", 1)])).await;
    let both = create_agreement(&app, &token, with(&ada, vec![leg(&two, "Out", 1), leg(&one, "In", 1)])).await;
    let last = create_agreement(&app, &token, with(&bo, vec![leg(&two, "Out", 1)])).await;
    let listed = async |token: &str, query: &str| -> Vec<String> {
        let list = app.get(&format!("{PATH}?{query}"), Some(token)).await;
        assert_eq!(list.status, 200, "{}", list.body);
        let data = list.body["data"].as_array().unwrap();
        assert_eq!(list.body["totalItems"], data.len(), "{query}");
        data.iter().map(|one| format!("{PATH}/{}", one["agreement_id"].as_str().unwrap())).collect()
    };
    for (query, found) in [
        (format!("vehicle_id={}", id(&one)), vec![&both, &first]),
        (format!("vehicle_id={}&sort=number", id(&one)), vec![&first, &both]),
        (format!("vehicle_id={}&search=sa-1001", id(&one)), vec![&first]),
        (format!("customer_id={}", id(&ada)), vec![&both, &first]),
        (format!("customer_id={}&vehicle_id={}", id(&ada), id(&two)), vec![&both]),
        (format!("customer_id={}", id(&bo)), vec![&last]),
        (format!("vehicle_id={MISSING}"), vec![]),
    ] {
        assert_eq!(listed(&token, &query).await.iter().collect::<Vec<_>>(), found, "{query}");
        assert_eq!(listed(&other, &query).await, [""; 0], "another tenant's {query}");
    }
    for field in ["customer_id", "vehicle_id"] {
        assert_error(&app.get(&format!("{PATH}?{field}=V60"), Some(&token)).await, 400, wrong_value(AN_ID).as_str());
    }
    let bulk = json!({"query": {"vehicle_id": id(&one)}, "action": "delete", "dry_run": true});
    let bulk = app.post(&format!("{PATH}/bulk"), Some(&token), bulk).await.body["data"].clone();
    assert_eq!((&bulk["matched"], &bulk["changed"]), (&json!(2), &json!(2)), "{bulk}");
    let bulk = json!({"query": {"customer_id": id(&bo)}, "action": "delete", "dry_run": true});
    let bulk = app.post(&format!("{PATH}/bulk"), Some(&token), bulk).await.body["data"].clone();
    assert_eq!(bulk["matched"], 1, "{bulk}");
    let changed = put(&app, &both, &token, with(&ada, vec![leg(&two, "Out", 1)])).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(listed(&token, &format!("vehicle_id={}", id(&one))).await, std::slice::from_ref(&first));
    assert_eq!(delete(&app, &first, &token).await.status, 200);
    assert_eq!(listed(&token, &format!("vehicle_id={}", id(&one))).await, [""; 0]);
    let restore = json!({"resource": "agreements", "ids": [id(&first)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(listed(&token, &format!("vehicle_id={}", id(&one))).await, [first]);
}

#[tokio::test]
async fn deleting_a_customer_or_contact_leaves_the_agreement_with_its_name() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada = create_customer(&app, &token, customer("Ada")).await;
    let contact = create_record(&app, &token, "/api/contacts", json!({"name": "Bo"}), "_id").await;
    let form = json!({"customer_id": id(&ada), "contact_id": id(&contact)});
    let path = create_agreement(&app, &token, form).await;
    assert_eq!(delete(&app, &ada, &token).await.status, 200);
    assert_eq!(delete(&app, &contact, &token).await.status, 200);
    let left = read_record(&app, &token, &path).await;
    assert_eq!((left.get("customer_id"), left.get("contact_id"), &left["customer_name"]), (None, None, &json!("Ada")));
    for (resource, record) in [("customers", &ada), ("contacts", &contact)] {
        let restore = json!({"resource": resource, "ids": [id(record)]});
        assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    }
    let linked = read_record(&app, &token, &path).await;
    assert_eq!((&linked["customer_id"], &linked["contact_id"]), (&json!(id(&ada)), &json!(id(&contact))));
}

#[tokio::test]
async fn saving_a_draft_keeps_the_name_of_a_deleted_customer() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada = create_customer(&app, &token, customer("Ada")).await;
    let path = create_agreement(&app, &token, json!({"customer_id": id(&ada)})).await;
    assert_eq!(delete(&app, &ada, &token).await.status, 200);
    let form = with_field(read_record(&app, &token, &path).await, "notes", "Two keys");
    let saved = put(&app, &path, &token, form).await.body["data"].clone();
    assert_eq!((&saved["notes"], &saved["customer_name"]), (&json!("Two keys"), &json!("Ada")));
    // A customer that the user removes takes the name along.
    let bo = create_customer(&app, &token, customer("Bo")).await;
    for (customer_id, name) in [(id(&bo), "Bo"), ("", "")] {
        let saved = put(&app, &path, &token, json!({ "customer_id": customer_id })).await;
        assert_eq!(saved.body["data"]["customer_name"], name, "{}", saved.body);
    }
}

#[tokio::test]
async fn an_open_form_of_a_signed_agreement_is_saved_after_its_customer_was_merged() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (ada, bo) =
        (create_customer(&app, &token, customer("Ada")).await, create_customer(&app, &token, customer("Bo")).await);
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let form = json!({"customer_id": id(&ada), "legs": [leg(&vehicle, "Out", 5)]});
    let path = create_agreement(&app, &token, form).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    let form = with_field(read_record(&app, &token, &path).await, "notes", "Two keys");
    merge_ok(&app, &token, CUSTOMERS, json!({"keep": id(&bo), "ids": [id(&ada)]})).await;
    let saved = put(&app, &path, &token, form).await;
    let data = &saved.body["data"];
    assert_eq!((saved.status.as_u16(), &data["notes"]), (200, &json!("Two keys")), "{}", saved.body);
    assert_eq!(data["customer_id"], id(&bo));
}

#[tokio::test]
async fn a_purchase_is_paid_less_the_deposit_of_the_dealer() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let form = json!({"type": "Purchase", "legs": [leg(&vehicle, "In", 10_000)], "deposit": 1_000});
    let path = create_agreement(&app, &token, form).await;
    assert_eq!(read_record(&app, &token, &path).await["to_pay"], -9_000);
    // The migration corrects agreements of earlier versions, which counted the deposit of a purchase like that of a sale.
    let sale = json!({"legs": [leg(&vehicle, "Out", 10_000)], "deposit": 1_000});
    let sale = create_agreement(&app, &token, sale).await;
    let form = json!({"type": "Purchase", "legs": [leg(&vehicle, "In", 10_000)], "deposit": 1_000});
    let deleted = create_agreement(&app, &token, form).await;
    let earlier = "UPDATE agreements SET to_pay = -1100000 WHERE agreement_type = 'Purchase'";
    assert_eq!(app.db().sql(earlier).exec().await.unwrap(), 2);
    assert_eq!(delete(&app, &deleted, &token).await.status, 200);
    let migration = app.db().pick(
        include_str!("../../../migrations/sqlite/0068_purchase_deposits.sql"),
        include_str!("../../../migrations/postgres/0068_purchase_deposits.sql"),
    );
    for statement in migration.split_terminator(";\n") {
        assert_eq!(app.db().sql(statement).exec().await.unwrap(), 1, "{statement}");
    }
    let restore = json!({"resource": "agreements", "ids": [id(&deleted)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    for (path, to_pay) in [(path, -9_000), (deleted, -9_000), (sale, 9_000)] {
        assert_eq!(read_record(&app, &token, &path).await["to_pay"], to_pay);
    }
}

#[tokio::test]
async fn the_notes_of_an_offer_are_saved_after_its_vehicle_was_sold_or_deleted() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, customer("Ada")).await;
    let (one, two) = (create_vehicle(&app, &token, "A1").await, create_vehicle(&app, &token, "A2").await);
    let form = |legs: Value| json!({"customer_id": id(&ada), "legs": legs});
    let offer = create_agreement(&app, &token, form(json!([leg(&one, "Out", 5), leg(&two, "In", 1)]))).await;
    let sale = create_agreement(&app, &token, form(json!([leg(&one, "Out", 5)]))).await;
    steps(&app, &token, &offer, &["Offered"]).await;
    steps(&app, &token, &sale, &["Offered", "Signed", "Delivered"]).await;
    assert_eq!(delete(&app, &two, &token).await.status, 200);
    let stored = read_record(&app, &token, &offer).await;
    let saved = put(&app, &offer, &token, with_field(stored.clone(), "notes", "Sold to another")).await;
    let data = &saved.body["data"];
    assert_eq!((saved.status.as_u16(), &data["notes"]), (200, &json!("Sold to another")), "{}", saved.body);
    assert_eq!(data["vehicles"], stored["vehicles"]);
    let brokered = form(json!([leg(&one, "Brokered", 5)]));
    assert_error(&put(&app, &offer, &token, brokered).await, 400, "Volvo V60, A 1 is already sold.");
}

#[tokio::test]
async fn a_form_with_far_too_many_vehicles_gets_400() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_agreement(&app, &token, json!({})).await;
    // More than SQLite takes as values of a statement.
    let legs = vec![json!({}); 40_000];
    for response in
        [create(&app, &token, json!({ "legs": &legs })).await, put(&app, &path, &token, json!({ "legs": &legs })).await]
    {
        let errors = response.body["fields"]["legs"].clone();
        let most = text::too_many_legs(LEGS_MAX as u64).to_string();
        assert_eq!((response.status.as_u16(), &errors[0]), (400, &json!(most)), "{errors}");
    }
}

#[tokio::test]
async fn changed_vehicles_are_undone_with_their_names_and_totals() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (one, two) = (create_vehicle(&app, &token, "A1").await, create_vehicle(&app, &token, "A2").await);
    let path = create_agreement(&app, &token, json!({"legs": [leg(&one, "Out", 100)]})).await;
    let before = read_record(&app, &token, &path).await;
    let changed = put(&app, &path, &token, json!({"legs": [leg(&two, "In", 70)]})).await.body["data"].clone();
    assert_eq!((&changed["vehicles"], &changed["to_pay"]), (&json!("Volvo V60, A 2"), &json!(-70)));
    let history = app.get(&format!("/api/history?resource=agreements&id={}", id(&path)), Some(&token)).await.body;
    let entry = &history["data"][0];
    assert_eq!(entry["changes"], json!([{"field": "legs", "before": before["legs"], "after": changed["legs"]}]));
    let names = ["before", "after"].map(|which| entry["changes"][0][which][0]["name"].clone());
    assert_eq!(names, ["Volvo V60, A 1", "Volvo V60, A 2"]);
    let revert = format!("/api/history/{}/revert", entry["history_id"].as_str().unwrap());
    let undone = app.post(&revert, Some(&token), json!({})).await;
    assert_eq!(undone.status, 200, "{}", undone.body);
    for field in ["legs", "vehicles", "out_total", "in_total", "to_pay"] {
        assert_eq!(undone.body["data"][field], before[field], "{field}");
    }
    // Not if the vehicle is deleted since.
    assert_eq!(delete(&app, &two, &token).await.status, 200);
    let history = app.get(&format!("/api/history?resource=agreements&id={}", id(&path)), Some(&token)).await.body;
    let revert = format!("/api/history/{}/revert", history["data"][0]["history_id"].as_str().unwrap());
    assert_error(&app.post(&revert, Some(&token), json!({})).await, 409, history_text::LINK_GONE.as_str());
}

#[tokio::test]
async fn the_number_9999_is_before_10000_in_both_directions_and_across_pages() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    start_before_longer_numbers(&app).await;
    for kind in ["Sales", "Purchase", "Sales", "Purchase", "Sales"] {
        create_agreement(&app, &token, json!({ "type": kind })).await;
    }
    let numbers = ["PA-99999", "PA-100000", "SA-9998", "SA-9999", "SA-10000"];
    let reversed: Vec<_> = numbers.into_iter().rev().collect();
    let filter = r#"[{"field":"number","op":"contains","value":"A-"}]"#;
    for (sort, expected) in [("number", numbers.to_vec()), ("-number", reversed), ("type,number", numbers.to_vec())] {
        // The rows that match a filter or a search may be found in another way than those of the whole list.
        for (parameter, value) in [("search", ""), ("search", "A-"), ("filter", filter)] {
            let mut found = Vec::new();
            for page in ["1", "2", "3"] {
                let query = [("sort", sort), ("limit", "2"), ("page", page), (parameter, value)];
                let list = app.send(app.request(Method::GET, PATH, Some(&token)).query(&query)).await.body;
                assert_eq!(list["totalItems"], 5, "{list}");
                found.extend(list["data"].as_array().unwrap().iter().map(|one| one["number"].clone()));
            }
            assert_eq!(found, expected, "{sort} {parameter} {value}");
        }
    }
}

/// Sets the last numbers so that those of sales soon have five digits, and those of purchases six.
async fn start_before_longer_numbers(app: &TestApp) {
    let sql = "UPDATE corporations SET last_sales_number = 9997, last_purchase_number = 99998";
    app.db().sql(sql).exec().await.unwrap();
}

#[tokio::test]
async fn the_list_is_sorted_filtered_and_exported_as_core_does() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    start_before_longer_numbers(&app).await;
    let ada = create_customer(&app, &token, customer("Ada")).await;
    let bo = create_customer(&app, &token, customer("Åsa Bo")).await;
    for number in 0..9_i64 {
        let vehicle = create_vehicle(&app, &token, &format!("A{number}")).await;
        let place = number as usize % 3;
        let (direction, kind) = (["Out", "In", "Brokered"][place], ["Sales", "Purchase", "Agency"][place]);
        let with = if number < 4 { &ada } else { &bo };
        let legs = if number == 5 { json!([]) } else { json!([leg(&vehicle, direction, 100 * (number % 4))]) };
        let warranty = if number % 2 == 0 { "None" } else { "Dealer" };
        let form = json!({
            "type": kind, "customer_id": id(with), "legs": legs,
            "deposit": if number % 2 == 0 { json!(number) } else { json!("") },
            "commission_percent": if number % 3 == 2 { json!(7.25) } else { json!(null) },
            "minimum_price": if number == 3 { json!(99.99) } else { json!("") },
            "warranty": {"kind": warranty, "months": number + 1},
            "agreed_on": format!("2027-01-0{}", number % 4 + 1), "notes": "'=1+1",
        });
        create_agreement(&app, &token, form).await;
        app.advance(SECOND);
    }
    let path = create_agreement(&app, &token, json!({})).await;
    assert_eq!(app.post(&format!("{path}/state"), Some(&token), json!({"state": "Cancelled"})).await.status, 200);
    let list = List { app: &app, token: &token, path: PATH };
    compare::<Agreement>(list).await;
    let filter = r#"[{"field":"state","op":"is","value":"Draft"}]"#;
    for (query, count) in [(vec![], 10), (vec![("sort", "-number")], 10), (vec![("filter", filter)], 9)] {
        assert_eq!(assert_equals_list::<Agreement>(&app, &token, PATH, &query).await, count);
    }
}
