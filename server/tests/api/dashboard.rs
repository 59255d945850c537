//! The dashboard.

use crate::agreement_steps::steps;
use crate::agreements::{create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::customers::{create_customer, customer};
use crate::helpers::{create_record, delete, put, with_field};
use crate::invoices::{create_invoice, invoice};
use forecourt::platform::clock::{DAY, HOUR, SECOND};
use forecourt::platform::extract::TIME_ZONE;
use forecourt_core::dashboard::EXCLUSIVITY_DUE;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Reads the dashboard.
async fn read_dashboard(app: &TestApp, token: &str) -> Value {
    let response = app.get("/api/dashboard", Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)), "{}", response.body);
    response.body["data"].clone()
}

/// Returns the names of the dashboard's parts.
fn parts(dashboard: &Value) -> Vec<&str> {
    dashboard.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Returns the months whose count is above zero, each with its count.
fn nonzero_months(part: &Value) -> Vec<(&str, u64)> {
    let months = part["months"].as_array().unwrap();
    assert_eq!(months.len(), 12, "{part}");
    let count = |month: &Value| month["count"].as_u64().unwrap();
    months
        .iter()
        .filter(|month| count(month) > 0)
        .map(|month| (month["month"].as_str().unwrap(), count(month)))
        .collect()
}

/// Grants all roles of Nordbil read permission on a resource if `reads`; otherwise removes their grants on it.
pub async fn set_read_permission(app: &TestApp, resource: &str, reads: bool) {
    let sql = match reads {
        true => {
            "INSERT INTO role_permissions (corp_id, role_id, resource_id, can_read, can_create, can_update, can_delete) \
             SELECT corp_id, role_id, $2, TRUE, FALSE, FALSE, FALSE FROM roles WHERE corp_id = $1"
        }
        false => "DELETE FROM role_permissions WHERE corp_id = $1 AND resource_id = $2",
    };
    app.db().sql(sql).bind(app.nordbil).bind(resource.to_owned()).exec().await.unwrap();
}

#[tokio::test]
async fn the_dashboard_has_only_the_parts_that_a_user_may_read() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, OTHER_ADMIN] {
        let token = app.sign_in(email).await;
        assert_eq!(
            parts(&read_dashboard(&app, &token).await),
            ["agreements", "contacts", "customers", "imports", "invoices", "vehicles"],
            "{email}"
        );
    }
    let (clerk, no_role) = (app.sign_in(CLERK).await, app.sign_in(NO_ROLE).await);
    assert_eq!(
        parts(&read_dashboard(&app, &clerk).await),
        ["agreements", "contacts", "customers", "invoices", "vehicles"]
    );
    assert_eq!(read_dashboard(&app, &no_role).await, json!({}));
    // The dashboard shows imports to a user who may read `contacts.imports`, even without contacts.
    set_read_permission(&app, "contacts.imports", true).await;
    for (resource, left) in [
        ("contacts", vec!["agreements", "customers", "imports", "invoices", "vehicles"]),
        ("customers", vec!["agreements", "imports", "invoices", "vehicles"]),
        ("agreements", vec!["imports", "invoices", "vehicles"]),
        ("invoices", vec!["imports", "vehicles"]),
        ("vehicles", vec!["imports"]),
        ("contacts.imports", vec![]),
    ] {
        set_read_permission(&app, resource, false).await;
        assert_eq!(parts(&read_dashboard(&app, &clerk).await), left, "without {resource}");
    }
    let admin = app.sign_in(ADMIN).await;
    let sql = "DELETE FROM corporation_resources WHERE corp_id = $1 AND resource_id = 'contacts'";
    app.db().sql(sql).bind(app.nordbil).exec().await.unwrap();
    assert_eq!(parts(&read_dashboard(&app, &admin).await), ["agreements", "customers", "invoices", "vehicles"]);
    assert_eq!(app.get("/api/dashboard", None).await.status, 401);
}

#[tokio::test]
async fn invoices_are_counted_in_the_month_of_their_start_date() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (start, price) in [
        ("2026-01-31", json!(1)),
        ("2026-02-01", json!(0.1)),
        ("2026-12-31", json!(0.2)),
        ("2026-12-01", json!("0.10")),
        ("2027-01-15", json!(99_999_999_999.99)),
        ("2027-02-01", json!(2)),
    ] {
        let starting = with_field(with_field(invoice("Nordbil"), "startDate", start), "endDate", "2027-12-31");
        create_invoice(&app, &token, with_field(starting, "projectPrice", price)).await;
    }
    let invoices = read_dashboard(&app, &token).await["invoices"].clone();
    assert_eq!(invoices["total"], 6);
    assert_eq!(nonzero_months(&invoices), [("2026-02", 1), ("2026-12", 2), ("2027-01", 1)]);
    assert_eq!(invoices["months"][0], json!({"month": "2026-02", "count": 1, "value": 0.1}));
    assert_eq!(invoices["months"][1], json!({"month": "2026-03", "count": 0, "value": 0}));
    assert_eq!(invoices["months"][10], json!({"month": "2026-12", "count": 2, "value": 0.3}));
    assert_eq!(invoices["months"][11], json!({"month": "2027-01", "count": 1, "value": 99_999_999_999.99}));
    // Advance the clock to the last microsecond of January in UTC.
    app.advance(16 * DAY + 16 * 3600 * SECOND - 1);
    let token = app.sign_in(CLERK).await;
    assert_eq!(nonzero_months(&read_dashboard(&app, &token).await["invoices"])[0], ("2026-02", 1));
    app.advance(1);
    let invoices = read_dashboard(&app, &token).await["invoices"].clone();
    assert_eq!(nonzero_months(&invoices), [("2026-12", 2), ("2027-01", 1), ("2027-02", 1)]);
    assert_eq!((&invoices["total"], &invoices["months"][0]["month"]), (&json!(6), &json!("2026-03")));
}

#[tokio::test]
async fn changed_and_deleted_invoices_update_the_monthly_values() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, with_field(invoice("Nordbil"), "projectPrice", 10.25)).await;
    create_invoice(&app, &token, with_field(invoice("Nordbil"), "projectPrice", 1)).await;
    let figures = async || {
        let invoices = read_dashboard(&app, &token).await["invoices"].clone();
        let value = |month: &Value| month["value"].as_f64().unwrap();
        let months = invoices["months"].as_array().unwrap().iter().filter(|month| value(month) > 0.0);
        let months: Vec<_> = months.map(|m| json!([m["month"], m["count"], m["value"]])).collect();
        (invoices["total"].as_u64().unwrap(), months)
    };
    assert_eq!(figures().await, (2, vec![json!(["2027-01", 2, 11.25])]));
    let moved = with_field(with_field(invoice("Nordbil"), "startDate", "2026-11-30"), "projectPrice", 20);
    assert_eq!(put(&app, &path, &token, moved.clone()).await.status, 200);
    assert_eq!(figures().await, (2, vec![json!(["2026-11", 1, 20]), json!(["2027-01", 1, 1])]));
    assert_eq!(put(&app, &path, &token, with_field(moved, "projectPrice", 20.5)).await.status, 200);
    assert_eq!(figures().await, (2, vec![json!(["2026-11", 1, 20.5]), json!(["2027-01", 1, 1])]));
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    assert_eq!(figures().await, (1, vec![json!(["2027-01", 1, 1])]));
}

#[tokio::test]
async fn a_monthly_sum_is_capped_at_the_largest_amount() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for _ in 0..2 {
        create_invoice(&app, &token, with_field(invoice("Nordbil"), "projectPrice", 99_999_999_999.99)).await;
    }
    let invoices = read_dashboard(&app, &token).await["invoices"].clone();
    assert_eq!(invoices["months"][11], json!({"month": "2027-01", "count": 2, "value": 99_999_999_999.99}));
}

#[tokio::test]
async fn contacts_and_customers_are_counted_in_their_month_of_creation() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let customer = |agreement: &str| {
        json!({
            "name": "Ada", "email": "ada@example.se", "telephone": "070", "address": "Ring 1", "type": "Company",
            "organizationNumber": "559360-9844", "agreementType": agreement,
        })
    };
    let add = async |token: &str, path: &str, body: Value| {
        let response = app.post(path, Some(token), body).await;
        assert_eq!(response.status, 201, "{}", response.body);
    };
    for agreement in ["Sales", "Agency", ""] {
        add(&token, "/api/customers", customer(agreement)).await;
    }
    // Create records in the last microsecond of January in UTC, and in the first of February.
    app.advance(16 * DAY + 16 * 3600 * SECOND - 1);
    let token = app.sign_in(CLERK).await;
    add(&token, "/api/contacts", json!({"name": "Ada"})).await;
    app.advance(1);
    add(&token, "/api/contacts", json!({"name": "Ada"})).await;
    add(&token, "/api/contacts", json!({"name": "Ada"})).await;
    add(&token, "/api/customers", customer("Agency")).await;
    let dashboard = read_dashboard(&app, &token).await;
    assert_eq!((&dashboard["contacts"]["total"], &dashboard["customers"]["total"]), (&json!(3), &json!(4)));
    assert_eq!(nonzero_months(&dashboard["contacts"]), [("2027-01", 1), ("2027-02", 2)]);
    assert_eq!(nonzero_months(&dashboard["customers"]), [("2027-01", 3), ("2027-02", 1)]);
    assert_eq!(
        dashboard["customers"]["agreements"],
        json!([
            {"agreement": "Sales", "count": 1}, {"agreement": "Purchase", "count": 0},
            {"agreement": "Agency", "count": 2}, {"count": 1},
        ])
    );
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    let dashboard = read_dashboard(&app, &other_admin).await;
    for part in ["contacts", "customers", "invoices"] {
        assert_eq!((&dashboard[part]["total"], nonzero_months(&dashboard[part])), (&json!(0), vec![]), "{part}");
    }
}

#[tokio::test]
async fn the_five_latest_accepted_imports_are_shown() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    assert_eq!(read_dashboard(&app, &token).await["imports"], json!([]));
    let statuses = ["completed", "failed", "completed", "failed", "completed", "processing", "pending", "receiving"];
    let mut ids = Vec::new();
    for (i, status) in statuses.into_iter().enumerate() {
        let id = Uuid::now_v7();
        // A lease far in the future prevents the workers from claiming these imports.
        app.db()
            .sql(
                "INSERT INTO imports (corp_id, import_id, file_name, file_size, mapping, status, leased_until, total, \
                 processed, succeeded, failed, created_at, updated_at) \
                 VALUES ($1, $2, $3, 1, $4, $5, 9000000000000000000, 9, 9, $6, 2, 0, 0)",
            )
            .bind_all((app.nordbil, id, format!("{i}.csv"), sqlx::types::Json(json!([])), status, 7_i64))
            .exec()
            .await
            .unwrap();
        ids.push(id.to_string());
    }
    let imports = read_dashboard(&app, &token).await["imports"].clone();
    let files: Vec<_> = imports.as_array().unwrap().iter().map(|i| [&i["fileName"], &i["status"]]).collect();
    assert_eq!(
        json!(files),
        json!([
            ["6.csv", "pending"],
            ["5.csv", "processing"],
            ["4.csv", "completed"],
            ["3.csv", "failed"],
            ["2.csv", "completed"],
        ])
    );
    assert_eq!(
        imports[2],
        json!({
            "id": ids[4], "fileName": "4.csv", "status": "completed", "totalRecords": 9, "successRecords": 7,
            "failedRecords": 2, "leftOutRecords": 0, "createdAt": "1970-01-01T00:00:00.000Z",
        })
    );
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(read_dashboard(&app, &other_admin).await["imports"], json!([]));
}

#[tokio::test]
async fn invoices_of_this_month_are_compared_day_by_day_with_last_month() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (start, price) in
        [("2026-11-30", 1), ("2026-12-01", 2), ("2026-12-31", 4), ("2027-01-02", 8), ("2027-01-16", 16)]
    {
        let starting = with_field(with_field(invoice("Nordbil"), "startDate", start), "endDate", "2027-12-31");
        create_invoice(&app, &token, with_field(starting, "projectPrice", price)).await;
    }
    let invoices = read_dashboard(&app, &token).await["invoices"].clone();
    let (this_month, last_month) =
        (invoices["this_month"].as_array().unwrap(), invoices["last_month"].as_array().unwrap());
    // The clock shows 15 January.
    assert_eq!(
        (this_month.len(), &this_month[0], &this_month[1], &this_month[14]),
        (15, &json!(0), &json!(8), &json!(8))
    );
    assert_eq!(
        (last_month.len(), &last_month[0], &last_month[29], &last_month[30]),
        (31, &json!(2), &json!(2), &json!(6))
    );
    assert_eq!(invoices["months"][11], json!({"month": "2027-01", "count": 1, "value": 8}));
}

/// Returns the condition of the list's filter that selects the vehicles of this age. The test checks that it does.
fn condition_of_age(age: &Value) -> Value {
    let (from, to) = (format!("today-{}", age["from"]), format!("today-{}", age["to"]));
    let (op, value) = match (age["from"] == 0, age["to"].is_null()) {
        (_, true) => ("lte", json!(from)),
        (true, false) => ("gte", json!(to)),
        (false, false) => ("between", json!([to, from])),
    };
    json!({"field": "in_stock_on", "op": op, "value": value})
}

/// Returns how many vehicles in stock the list has that meet this condition.
async fn count_in_stock(app: &TestApp, token: &str, condition: Value) -> Value {
    let filter = json!([{"field": "status", "op": "in", "value": ["In stock", "Reserved"]}, condition]);
    let list = app.get(&format!("/api/vehicles?filter={filter}"), Some(token)).await;
    assert_eq!(list.status, 200, "{}", list.body);
    list.body["totalItems"].clone()
}

#[tokio::test]
async fn the_dashboard_shows_stock_by_age_and_the_oldest_vehicles() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (plate, status, since, price) in [
        ("AA11AAA", "In stock", "2027-01-15", json!(100)),
        ("BB11BBB", "Reserved", "2026-12-01", json!(1000.5)),
        ("CC11CCC", "In stock", "2026-01-15", json!("")),
        ("DD11DDD", "Expected", "", json!(7)),
    ] {
        let vehicle = json!({"registration_number": plate, "registration_country": "GB", "make": "Volvo", "model": "V60",
            "status": status, "in_stock_on": since, "asking_price": price});
        let created = app.post("/api/vehicles", Some(&token), vehicle).await;
        assert_eq!(created.status, 201, "{}", created.body);
    }
    let vehicles = read_dashboard(&app, &token).await["vehicles"].clone();
    assert_eq!(
        (&vehicles["count"], &vehicles["value"], &vehicles["average_days"]),
        (&json!(3), &json!(1100.5), &json!(137))
    );
    // As many as the list to which the value leads.
    let filter = json!([{"field": "status", "op": "in", "value": ["In stock", "Reserved"]},
        {"field": "asking_price", "op": "is_not_empty"}]);
    let priced = app.get(&format!("/api/vehicles?filter={filter}"), Some(&token)).await.body;
    assert_eq!((&vehicles["priced"], &priced["totalItems"]), (&json!(2), &json!(2)));
    let ages: Vec<_> = vehicles["ages"].as_array().unwrap().iter().map(|age| age["count"].clone()).collect();
    assert_eq!(ages, [1, 1, 0, 1]);
    for age in vehicles["ages"].as_array().unwrap() {
        assert_eq!(count_in_stock(&app, &token, condition_of_age(age)).await, age["count"], "{age}");
    }
    let oldest: Vec<_> =
        vehicles["oldest"].as_array().unwrap().iter().map(|v| json!([v["plate"], v["days"]])).collect();
    assert_eq!(oldest, [json!(["CC11 CCC", 365]), json!(["BB11 BBB", 45]), json!(["AA11 AAA", 0])]);
    assert_eq!(vehicles.get("unknown"), None);
    app.advance(2 * HOUR);
    let token = app.sign_in(ADMIN).await;
    // The clock shows 10:00 UTC: midnight in Kiritimati, and 23:00 of the day before in Pago Pago.
    for (zone, days) in [("Pacific/Kiritimati", 366), ("Pacific/Pago_Pago", 364), ("Nowhere/At_all", 365)] {
        let request = app.request(Method::GET, "/api/dashboard", Some(&token)).header(TIME_ZONE, zone);
        let oldest = app.send(request).await.body["data"]["vehicles"]["oldest"][0].clone();
        assert_eq!((&oldest["plate"], &oldest["days"]), (&json!("CC11 CCC"), &json!(days)), "{zone}");
    }
    // The day of a new vehicle is today, until the user removes it.
    let undated = json!({"registration_number": "EE11EEE", "in_stock_on": "", "asking_price": 7});
    let path = create_record(&app, &token, "/api/vehicles", undated.clone(), "vehicle_id").await;
    assert_eq!(put(&app, &path, &token, undated).await.status, 200);
    let vehicles = read_dashboard(&app, &token).await["vehicles"].clone();
    assert_eq!((&vehicles["count"], &vehicles["unknown"]), (&json!(4), &json!({"count": 1, "value": 7})));
    assert_eq!(count_in_stock(&app, &token, json!({"field": "in_stock_on", "op": "is_empty"})).await, 1);
    // Another corporation has none of them.
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(read_dashboard(&app, &other).await["vehicles"]["count"], 0);
}

#[tokio::test]
async fn the_dashboard_counts_sold_vehicles_and_shows_what_is_due() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, customer("Ada Öberg")).await;
    let sell = async |plate: &str, fields: Value| {
        let vehicle = create_vehicle(&app, &token, plate).await;
        let mut form = json!({"customer_id": id(&ada), "legs": [leg(&vehicle, "", 1_000)]});
        form.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let agreement = create_agreement(&app, &token, form).await;
        steps(&app, &token, &agreement, &["Offered"]).await;
        agreement
    };
    let delivered = sell("AA11 AAA", json!({"agreed_on": "2026-12-14", "delivered_on": "2026-12-15"})).await;
    steps(&app, &token, &delivered, &["Signed", "Delivered", "Closed"]).await;
    let delivered = sell("BB11 BBB", json!({})).await;
    steps(&app, &token, &delivered, &["Signed", "Delivered"]).await;
    let signed = sell("CC11 CCC", json!({"agreed_on": "2027-01-10"})).await;
    steps(&app, &token, &signed, &["Signed"]).await;
    let exclusive = json!({"type": "Agency", "exclusive_until": "2027-01-22"});
    let brokered = sell("DD11 DDD", exclusive).await;
    sell("EE11 EEE", json!({"type": "Agency", "exclusive_until": "2027-01-23"})).await;
    // A signed agency waits for a buyer, not for its delivery.
    let agency = sell("GG11 GGG", json!({"type": "Agency", "agreed_on": "2027-01-02"})).await;
    steps(&app, &token, &agency, &["Signed"]).await;
    sell("FF11 FFF", json!({"type": "Agency", "exclusive_until": "2027-01-14"})).await;
    let agreements = read_dashboard(&app, &token).await["agreements"].clone();
    assert_eq!(nonzero_months(&agreements), [("2026-12", 1), ("2027-01", 1)]);
    assert_eq!((&agreements["this_month"], &agreements["last_month"]), (&json!(1), &json!(1)));
    assert_eq!((&agreements["to_deliver"], &agreements["offered"]), (&json!(1), &json!(3)));
    assert_eq!(agreements["exclusivity_due"], json!(1));
    let filter = json!([
        {"field": "state", "op": "in", "value": EXCLUSIVITY_DUE.states},
        {"field": "exclusive_until", "op": "between", "value": ["today", format!("today%2B{}", EXCLUSIVITY_DUE.days)]},
    ]);
    let list = app.get(&format!("/api/agreements?filter={filter}"), Some(&token)).await;
    assert_eq!(list.body["totalItems"], agreements["exclusivity_due"], "{}", list.body);
    let due: Vec<_> =
        agreements["due"].as_array().unwrap().iter().map(|a| json!([a["agreement_id"], a["due"], a["day"]])).collect();
    assert_eq!(
        due,
        [json!([id(&brokered), "Exclusivity", "2027-01-22"]), json!([id(&signed), "Delivery", "2027-01-10"])]
    );
    let other = app.sign_in(OTHER_ADMIN).await;
    let others = read_dashboard(&app, &other).await["agreements"].clone();
    assert_eq!((nonzero_months(&others), &others["offered"], &others["due"]), (vec![], &json!(0), &json!([])));
}
