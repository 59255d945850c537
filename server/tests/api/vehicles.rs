//! The routes of vehicles.

use crate::app::{ApiResponse, CLERK, OTHER_ADMIN, TestApp};
use crate::helpers::{assert_error, create_record, delete, present_in, put, read_record, with_field};
use crate::records::TestRecord;
use forecourt::platform::clock::HOUR;
use forecourt::platform::extract::TIME_ZONE;
use forecourt_core::text::{DAY_IN_FUTURE, PRICE_INVALID, STALE};
use forecourt_core::vehicles::text;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

pub const PATH: &str = "/api/vehicles";
const VIN: &str = "WP0ZZZ99ZTS392124";

pub const RECORD: TestRecord = TestRecord {
    list: "vehicles",
    id: "vehicle_id",
    text: "name",
    others: &[],
    // Not in stock, because a registration number is unique in stock and tests create several of these.
    form: || json!({"registration_number": "A1", "make": "Ada", "model": "Öberg", "status": "Withdrawn"}),
    label: "Ada Öberg, A 1",
    bulk_field: "location",
};

/// Returns the form of a valid vehicle with this registration number.
fn vehicle(plate: &str) -> Value {
    json!({"registration_number": plate, "make": "Volvo", "model": "V60", "mileage": 100, "asking_price": 18_995})
}

async fn create(app: &TestApp, token: &str, form: Value) -> ApiResponse {
    app.post(PATH, Some(token), form).await
}

async fn create_vehicle(app: &TestApp, token: &str, form: Value) -> String {
    create_record(app, token, PATH, form, "vehicle_id").await
}

#[tokio::test]
async fn a_created_vehicle_is_returned_normalized_with_its_name_and_stock_number() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let typed = json!({
        "registration_number": " ab12 cde", "vin": "wp0zzz99zts392124", "make": " Porsche", "model": "911", "model_year": "1996",
        "first_registered": "1996-03-01", "fuel": "Petrol", "transmission": "Manual", "colour": "Blue", "mileage": 81_000,
        "asking_price": "64995.50", "notes": "Two keys\nService book", "vehicle_id": "x", "stock_number": "S-1", "version": 9,
    });
    let made = create(&app, &token, typed).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED.as_str())), "{}", made.body);
    let shown = &made.body["data"];
    let id = shown["vehicle_id"].as_str().unwrap();
    assert_eq!(
        *shown,
        json!({
            "vehicle_id": id, "stock_number": "S-1001", "name": "Porsche 911, AB12 CDE", "vin": VIN, "registration_number": "AB12CDE",
            "registration_country": "GB", "make": "Porsche", "model": "911", "variant": "", "model_year": 1996,
            "first_registered": "1996-03-01", "body": "", "fuel": "Petrol", "transmission": "Manual", "colour": "Blue",
            "mileage": 81_000, "mileage_unit": "mi", "mileage_remark": "", "status": "In stock", "ownership": "Own",
            "vat_scheme": "Margin", "asking_price": 64_995.5, "in_stock_on": "2027-01-15", "location": "", "notes": "Two keys\nService book",
            "photos": [], "photo_count": 0,
            "created_at": "2027-01-15T08:00:00.000Z", "updated_at": "2027-01-15T08:00:00.000Z", "version": 1,
        })
    );
    let seen = app.get(&format!("{PATH}/{id}"), Some(&token)).await;
    assert_eq!((seen.status.as_u16(), &seen.body), (200, &json!({"success": true, "data": shown})));
    for text in ["b12 c", "S-1001"] {
        let list = app.get(&format!("{PATH}?search={text}"), Some(&token)).await.body;
        assert_eq!(list, json!({"success": true, "data": [shown], "totalItems": 1, "totalPages": 1}), "{text}");
    }
}

#[tokio::test]
async fn stock_numbers_are_counted_per_corporation_and_never_reused() {
    let app = TestApp::start().await;
    let (token, other) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let number = async |token: &str, form: Value| {
        let made = create(&app, token, form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        (made.body["data"]["stock_number"].clone(), made.body["data"]["vehicle_id"].as_str().unwrap().to_owned())
    };
    let (first, id) = number(&token, vehicle("A1")).await;
    assert_eq!(first, "S-1001");
    assert_eq!(delete(&app, &format!("{PATH}/{id}"), &token).await.status, 200);
    let at_once = join_all((0..5).map(|i| number(&token, vehicle(&format!("B{i}"))))).await;
    let mut numbers: Vec<Value> = at_once.into_iter().map(|(number, _)| number).collect();
    numbers.sort_by_key(|number| number.as_str().map(str::to_owned));
    assert_eq!(numbers, ["S-1002", "S-1003", "S-1004", "S-1005", "S-1006"]);
    assert_eq!(number(&other, vehicle("A1")).await.0, "S-1001", "another corporation");
    let restored = app.post("/api/trash/restore", Some(&token), json!({"resource": "vehicles", "ids": [id]})).await;
    assert_eq!(restored.status, 200, "{}", restored.body);
    assert_eq!(app.get(&format!("{PATH}/{id}"), Some(&token)).await.body["data"]["stock_number"], "S-1001");
}

#[tokio::test]
async fn an_invalid_vehicle_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_vehicle(&app, &token, vehicle("A1")).await;
    for response in [create(&app, &token, json!({})).await, put(&app, &path, &token, json!({"mileage": 100})).await] {
        assert_error(&response, 400, text::NUMBER_REQUIRED.as_str());
        assert_eq!(response.body["fields"], json!({"registration_number": [text::NUMBER_REQUIRED.as_str()]}));
    }
    for (field, value, sentence) in [
        ("vin", json!("1HGCM82643A004352"), text::VIN_CHECK_DIGIT),
        ("vin", json!("IHGCM82633A004352"), text::VIN_LETTERS),
        ("asking_price", json!(0), PRICE_INVALID),
        ("mileage", json!("many"), text::MILEAGE_INVALID),
        ("status", json!("Sold"), text::SOLD_BY_AGREEMENT),
    ] {
        let response = create(&app, &token, with_field(vehicle("A2"), field, value)).await;
        assert_eq!(response.status, 400, "{field}");
        assert_eq!(response.body["fields"], json!({field: [sentence.as_str()]}));
    }
    let lower = put(&app, &path, &token, with_field(vehicle("A1"), "mileage", json!(99))).await;
    assert_eq!(lower.body["fields"], json!({"mileage_remark": [text::MILEAGE_REMARK_REQUIRED.as_str()]}));
    let remarked =
        with_field(with_field(vehicle("A1"), "mileage", json!(99)), "mileage_remark", json!("New instrument"));
    assert_eq!(put(&app, &path, &token, remarked).await.status, 200);
}

#[tokio::test]
async fn a_vehicle_can_not_get_a_day_in_stock_that_is_in_the_future() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form = |day: &str| with_field(vehicle("A1"), "in_stock_on", day);
    assert_error(&create(&app, &token, form("2027-01-17")).await, 400, DAY_IN_FUTURE.as_str());
    // Where the user is, it may be the day after that of UTC.
    let path = create_vehicle(&app, &token, form("2027-01-16")).await;
    assert_error(&put(&app, &path, &token, form("2027-05-05")).await, 400, DAY_IN_FUTURE.as_str());
    // Earlier versions accepted such days.
    app.db().sql("UPDATE vehicles SET in_stock_on = '2027-05-05'").exec().await.unwrap();
    assert_eq!(put(&app, &path, &token, form("2027-05-05")).await.status, 200);
}

#[tokio::test]
async fn a_vehicle_that_arrives_is_in_stock_since_the_day_in_the_users_time_zone() {
    let app = TestApp::start().await;
    app.advance(2 * HOUR);
    let token = app.sign_in(CLERK).await;
    // The clock shows 10:00 UTC: midnight in Kiritimati, and 23:00 of the day before in Pago Pago.
    for (zone, place, since) in [
        ("Pacific/Kiritimati", "K", "2027-01-16"),
        ("Pacific/Pago_Pago", "P", "2027-01-14"),
        ("Nowhere/At_all", "N", "2027-01-15"),
    ] {
        let send = async |method: Method, path: &str, body: Value| {
            let request = app.request(method, path, Some(&token)).header(TIME_ZONE, zone).json(&body);
            app.send(request).await.body["data"].clone()
        };
        let form = |number: u32, status: &str| with_field(vehicle(&format!("{place}{number}")), "status", status);
        let created = send(Method::POST, PATH, form(1, "In stock")).await;
        assert_eq!(created["in_stock_on"], since, "{created}");
        let path = create_vehicle(&app, &token, form(2, "Expected")).await;
        let updated = send(Method::PUT, &path, form(2, "In stock")).await;
        assert_eq!(updated["in_stock_on"], since, "{updated}");
        let path = create_vehicle(&app, &token, form(3, "Expected")).await;
        let ids = [path.rsplit('/').next().unwrap()];
        let bulk = json!({"ids": ids, "action": "update", "fields": {"status": "In stock"}});
        let changed = send(Method::POST, &format!("{PATH}/bulk"), bulk).await;
        assert_eq!(changed["changed"], 1, "{changed}");
        assert_eq!(read_record(&app, &token, &path).await["in_stock_on"], since, "{zone}");
        // A vehicle without a day arrives again when its withdrawal is undone.
        let undated = |status: &str| with_field(form(4, status), "in_stock_on", "");
        let path = create_vehicle(&app, &token, undated("In stock")).await;
        for status in ["In stock", "Withdrawn"] {
            assert_eq!(send(Method::PUT, &path, undated(status)).await["in_stock_on"], Value::Null, "{status}");
        }
        let query = format!("/api/history?resource=vehicles&id={}", path.rsplit('/').next().unwrap());
        let entries = app.get(&query, Some(&token)).await.body;
        let entry = entries["data"][0]["history_id"].as_str().unwrap();
        let undone = send(Method::POST, &format!("/api/history/{entry}/revert"), json!({})).await;
        assert_eq!((&undone["status"], &undone["in_stock_on"]), (&json!("In stock"), &json!(since)), "{undone}");
    }
}

#[tokio::test]
async fn a_vehicle_update_keeps_the_choices_that_it_leaves_out() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let choices = [
        ("status", "Expected"),
        ("registration_country", "SE"),
        ("mileage_unit", "mi"),
        ("ownership", "Consigned"),
        ("vat_scheme", "Standard"),
    ];
    let form = choices.iter().fold(vehicle("ABC 123"), |form, (field, value)| with_field(form, field, *value));
    let path = create_vehicle(&app, &token, form).await;
    let changed = put(&app, &path, &token, with_field(vehicle("ABC 123"), "colour", "Blue")).await.body["data"].clone();
    assert_eq!((&changed["colour"], &changed["name"]), (&json!("Blue"), &json!("Volvo V60, ABC 123")), "{changed}");
    for (field, value) in choices {
        assert_eq!(changed[field], value, "{field}");
    }
    let usual = with_field(with_field(vehicle("ABC 123"), "registration_country", ""), "mileage_unit", Value::Null);
    let changed = put(&app, &path, &token, usual).await.body["data"].clone();
    assert_eq!((&changed["registration_country"], &changed["mileage_unit"]), (&json!("GB"), &json!("mi")), "{changed}");
}

#[tokio::test]
async fn a_form_of_an_older_version_gets_the_present_vehicle_and_no_errors_about_it() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_record(&app, &token, PATH, vehicle("A1"), "vehicle_id").await;
    let driven = with_field(with_field(vehicle("A1"), "mileage", 105), "version", 1);
    assert_eq!(put(&app, &path, &token, driven).await.status, 200);
    // Its mileage was the present one when the form was opened, and is lower now.
    let stale = put(&app, &path, &token, with_field(vehicle("A1"), "version", 1)).await;
    assert_error(&stale, 409, STALE.as_str());
    assert_eq!(present_in(&stale)["mileage"], 105);
}

#[tokio::test]
async fn one_vehicle_in_stock_has_a_vin_and_a_registration_number() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let with_vin = |plate: &str| with_field(vehicle(plate), "vin", json!(VIN));
    let first = create_vehicle(&app, &token, with_vin("A1")).await;
    let second = create_vehicle(&app, &token, vehicle("A2")).await;
    let taken = async |response: ApiResponse, field: &str, sentence: &str| {
        assert_eq!(response.status, 400, "{}", response.body);
        assert_eq!(response.body["fields"], json!({field: [sentence]}));
    };
    taken(create(&app, &token, with_vin("A3")).await, "vin", text::VIN_TAKEN.as_str()).await;
    taken(create(&app, &token, vehicle("a 1")).await, "registration_number", text::PLATE_TAKEN.as_str()).await;
    taken(put(&app, &second, &token, vehicle("A1")).await, "registration_number", text::PLATE_TAKEN.as_str()).await;
    // Of two simultaneous requests with the same number, one succeeds.
    let both = join_all([create(&app, &token, vehicle("A4")), create(&app, &token, vehicle("A4"))]).await;
    let mut statuses: Vec<u16> = both.iter().map(|response| response.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 400]);

    let withdrawn = with_field(with_vin("A1"), "status", json!("Withdrawn"));
    assert_eq!(put(&app, &first, &token, withdrawn).await.status, 200);
    let again = create_vehicle(&app, &token, with_vin("A5")).await;
    let back = with_field(with_vin("A1"), "status", json!("In stock"));
    taken(put(&app, &first, &token, back.clone()).await, "vin", text::VIN_TAKEN.as_str()).await;
    // A bulk action names the vehicle of several that can't come back.
    let free = create_vehicle(&app, &token, with_field(vehicle("A6"), "status", json!("Withdrawn"))).await;
    let ids = [&free, &first].map(|path| path.rsplit('/').next().unwrap());
    let bulk = json!({"ids": ids, "action": "update", "fields": {"status": "In stock"}, "dry_run": false});
    let refused = app.post(&format!("{PATH}/bulk"), Some(&token), bulk).await;
    taken(refused, "vin", text::vin_taken_of("Volvo V60, A 1").as_str()).await;

    // A deleted vehicle is not in stock: its numbers are free, and it can be restored only while they still are.
    assert_eq!(delete(&app, &again, &token).await.status, 200);
    assert_eq!(put(&app, &first, &token, back).await.status, 200);
    let restore = json!({"resource": "vehicles", "ids": [again.rsplit('/').next().unwrap()]});
    let restored = app.post("/api/trash/restore", Some(&token), restore).await;
    taken(restored, "vin", text::VIN_TAKEN.as_str()).await;
}

#[tokio::test]
async fn a_status_change_that_is_not_allowed_is_rejected_also_in_bulk() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let expected = with_field(vehicle("A1"), "status", json!("Expected"));
    let path = create_vehicle(&app, &token, expected).await;
    create_vehicle(&app, &token, vehicle("A2")).await;
    let reserved = with_field(vehicle("A1"), "status", json!("Reserved"));
    assert_error(&put(&app, &path, &token, reserved).await, 400, text::EXPECTED_NEXT.as_str());
    let bulk = json!({"query": {}, "action": "update", "fields": {"status": "Reserved"}, "dry_run": true});
    let found = app.post(&format!("{PATH}/bulk"), Some(&token), bulk).await.body["data"].clone();
    assert_eq!((&found["matched"], &found["changed"]), (&json!(2), &json!(1)));
    assert_eq!(found["refused"][0]["message"], text::EXPECTED_NEXT.as_str());
    assert_eq!(found["refused"][0]["label"], "Volvo V60, A 1");
}
