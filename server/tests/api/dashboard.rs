//! The dashboard.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::helpers::{delete, put, with_field};
use crate::invoices::{create_invoice, invoice};
use forecourt::platform::clock::{DAY, SECOND};
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
            ["contacts", "customers", "imports", "invoices"],
            "{email}"
        );
    }
    let (clerk, no_role) = (app.sign_in(CLERK).await, app.sign_in(NO_ROLE).await);
    assert_eq!(parts(&read_dashboard(&app, &clerk).await), ["contacts", "customers", "invoices"]);
    assert_eq!(read_dashboard(&app, &no_role).await, json!({}));
    // The dashboard shows imports to a user who may read `contacts.imports`, even without contacts.
    set_read_permission(&app, "contacts.imports", true).await;
    for (resource, left) in [
        ("contacts", vec!["customers", "imports", "invoices"]),
        ("customers", vec!["imports", "invoices"]),
        ("invoices", vec!["imports"]),
        ("contacts.imports", vec![]),
    ] {
        set_read_permission(&app, resource, false).await;
        assert_eq!(parts(&read_dashboard(&app, &clerk).await), left, "without {resource}");
    }
    let admin = app.sign_in(ADMIN).await;
    let sql = "DELETE FROM corporation_resources WHERE corp_id = $1 AND resource_id = 'contacts'";
    app.db().sql(sql).bind(app.nordbil).exec().await.unwrap();
    assert_eq!(parts(&read_dashboard(&app, &admin).await), ["customers", "invoices"]);
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
        ("2027-01-31", json!(99_999_999_999.99)),
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
async fn the_five_latest_received_imports_are_shown() {
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
            "failedRecords": 2, "createdAt": "1970-01-01T00:00:00.000Z",
        })
    );
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(read_dashboard(&app, &other_admin).await["imports"], json!([]));
}
