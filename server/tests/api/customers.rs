//! The routes of a single customer.

use crate::app::{ApiResponse, CLERK, OTHER_ADMIN, READER, TestApp};
use crate::helpers::{
    assert_error, count, create_record, injected_values, put, read_record, read_row, with_columns, with_field,
};
use crate::records::TestRecord;
use forecourt::platform::clock::SECOND;
use forecourt_core::customers::text;
use forecourt_core::text::STALE;
use serde_json::{Value, json};
use uuid::Uuid;

pub const PATH: &str = "/api/customers";
pub const SEARCH_PERSON: &str = "/api/customers/search-person";

pub const RECORD: TestRecord = TestRecord {
    list: "customers",
    id: "customer_id",
    text: "name",
    others: &[
        ("email", "''"),
        ("telephone", "''"),
        ("telephone_key", "''"),
        ("address", "''"),
        ("postal_code", "''"),
        ("location", "''"),
        ("customer_type", "'Company'"),
        ("status", "'Active'"),
        ("role", "'buyer'"),
        ("organization_number", "''"),
        ("active_on", "'2027-01-10'"),
        ("company_name", "''"),
        ("number_of_orders", "0"),
        ("total_spent", "0"),
        ("warranty", "''"),
        ("warranty_period", "''"),
    ],
    form: || customer("Ada Öberg"),
    label: "Ada Öberg",
    bulk_field: "location",
};

/// Returns the form of a valid private customer.
pub fn customer(name: &str) -> Value {
    json!({
        "name": name, "email": "ada@example.se", "telephone": "+46 70 123 45 67", "address": "Storgatan 1, Malmö",
        "type": "Private", "status": "Active", "socialSecurityNumber": "19121212-1212",
    })
}

/// Returns the form of a valid company.
pub fn company(name: &str) -> Value {
    json!({
        "name": name, "email": "info@example.se", "telephone": "+46 70 123 45 67", "address": "Storgatan 1, Malmö",
        "type": "Company", "status": "Active", "organizationNumber": "556036-0793",
    })
}

pub async fn create(app: &TestApp, token: &str, customer: Value) -> ApiResponse {
    app.post(PATH, Some(token), customer).await
}

/// Creates a customer, and returns its path.
pub async fn create_customer(app: &TestApp, token: &str, customer: Value) -> String {
    create_record(app, token, PATH, customer, "customer_id").await
}

/// Removes the social security number from a customer: of the routes of customers, only `GET /api/customers/{id}`
/// returns it.
pub fn without_social_security_number(mut customer: Value) -> Value {
    let number = customer.as_object_mut().unwrap().remove("socialSecurityNumber");
    assert!(number.is_some(), "{customer}");
    customer
}

#[tokio::test]
async fn a_created_customer_is_returned_with_normalized_fields() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let typed = json!({
        "name": "  Åsa Öberg\u{0} ", "email": " asa+cars@example.se ", "telephone": "+46 (0)70-123 45 67",
        "address": "Storgatan 1", "type": "Private", "personalNumber": " 19121212-1212 ", "postalCode": null,
        "agreementType": "Sales", "latestPurchase": "2026-02-28", "totalSpent": 1250.5, "numberOfOrders": 3,
        "organizationNumber": "556036-0793", "corp_id": "x", "customer_id": "x", "createdAt": "x", "search": "x",
        "customerNumber": "C-7", "customer_number": 7,
    });
    let made = create(&app, &token, typed).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED.as_str())), "{}", made.body);
    let id = made.body["data"]["customer_id"].as_str().unwrap();
    let mut data = json!({
        "customer_id": id, "customerNumber": "C-1001", "name": "Åsa Öberg", "email": "asa+cars@example.se", "telephone": "+46 (0)70-123 45 67",
        "address": "Storgatan 1", "postalCode": "", "location": "", "type": "Private", "status": "Active",
        "organizationNumber": "", "agreementType": "Sales",
        "latestPurchase": "2026-02-28", "role": "buyer", "companyName": "", "numberOfOrders": 3, "totalSpent": 1250.5,
        "warranty": "", "warrantyPeriod": "", "createdAt": "2027-01-15T08:00:00.000Z",
        "updatedAt": "2027-01-15T08:00:00.000Z", "version": 1, "hasFigures": false,
    });
    assert_eq!(made.body["data"], data);
    data["socialSecurityNumber"] = json!("19121212-1212");
    assert_eq!(read_record(&app, &token, &format!("{PATH}/{id}")).await, data);
    let company = json!({
        "name": "Nya Bil AB", "email": "info@nyabil.example", "telephone": "040 12", "address": "Hamngatan 4",
        "type": "Business", "orgNumber": "556036-0793", "socialSecurityNumber": "19121212-1212", "role": "seller",
        "status": "Inactive", "postalCode": "211 42", "location": "Malmö", "companyName": "Nya Bil",
    });
    let path = create_customer(&app, &token, company).await;
    let data = read_record(&app, &token, &path).await;
    let seen = ["type", "organizationNumber", "socialSecurityNumber", "role", "status", "postalCode", "location"];
    let expected = json!(["Business", "556036-0793", "", "seller", "Inactive", "211 42", "Malmö"]);
    assert_eq!(seen.iter().map(|name| data[name].clone()).collect::<Value>(), expected);
    assert_eq!((data.get("agreementType"), data.get("latestPurchase")), (None, None));
}

#[tokio::test]
async fn an_invalid_customer_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_customer(&app, &token, customer("Ada")).await;
    let wrong = json!({
        "name": " ", "email": "ada", "telephone": "", "type": "Company", "status": "Gone", "agreementType": "Rental",
        "latestPurchase": "2026-02-30", "companyName": "x".repeat(201),
    });
    for response in [create(&app, &token, wrong.clone()).await, put(&app, &path, &token, wrong).await] {
        assert_error(&response, 400, text::NAME_REQUIRED.as_str());
        let fields = json!({
            "name": [text::NAME_REQUIRED.as_str()], "email": [text::EMAIL_INVALID.as_str()], "telephone": [text::TELEPHONE_REQUIRED.as_str()],
            "address": [text::ADDRESS_REQUIRED.as_str()], "organizationNumber": [text::ORGANIZATION_NUMBER_REQUIRED.as_str()],
            "status": [text::STATUS_UNKNOWN.as_str()], "agreementType": [text::AGREEMENT_UNKNOWN.as_str()],
            "latestPurchase": [text::DATE_INVALID.as_str()], "companyName": ["Maximum length is 200 characters"],
        });
        assert_eq!(response.body["fields"], fields);
    }
    let private = with_field(customer("Ada"), "socialSecurityNumber", "");
    assert_error(&create(&app, &token, private).await, 400, text::SOCIAL_SECURITY_NUMBER_REQUIRED.as_str());
    for body in [
        json!([]),
        with_field(customer("Ada"), "name", 7),
        with_field(customer("Ada"), "totalSpent", 0.001),
        with_field(customer("Ada"), "numberOfOrders", -1),
        with_field(customer("Ada"), "version", "1"),
    ] {
        let response = create(&app, &token, body).await;
        assert_eq!((response.status.as_u16(), &response.body["success"]), (400, &json!(false)), "{}", response.body);
    }
    assert_eq!(count(&app, "SELECT count(*) FROM customers").await, 1);
}

#[tokio::test]
async fn a_customer_update_keeps_some_of_the_fields_that_it_leaves_out() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let mut first = customer("Ada");
    for (field, value) in [
        ("status", json!("Inactive")),
        ("role", json!("seller")),
        ("companyName", json!("Ada AB")),
        ("numberOfOrders", json!(7)),
        ("totalSpent", json!(99.99)),
        ("warranty", json!("Full")),
        ("warrantyPeriod", json!("A year")),
        ("location", json!("Malmö")),
        ("agreementType", json!("Agency")),
        ("latestPurchase", json!("2026-12-31")),
    ] {
        first[field] = value;
    }
    let path = create_customer(&app, &token, first.clone()).await;
    app.advance(SECOND);
    let mut form = with_field(customer("Ada Öberg"), "agreementType", Value::Null);
    form.as_object_mut().unwrap().remove("status");
    let changed = put(&app, &path, &token, form).await;
    assert_eq!(
        (changed.status.as_u16(), &changed.body["message"]),
        (200, &json!(text::UPDATED.as_str())),
        "{}",
        changed.body
    );
    let data = &changed.body["data"];
    let kept = ["status", "role", "companyName", "numberOfOrders", "totalSpent", "warranty", "warrantyPeriod"];
    for field in kept {
        assert_eq!(data[field], first[field], "{field}");
    }
    assert_eq!((&data["name"], &data["location"], &data["version"]), (&json!("Ada Öberg"), &json!(""), &json!(2)));
    // The update left out `location`, which clears it, and `latestPurchase`, which keeps it. It sent `agreementType` as
    // null, which clears it.
    assert_eq!((data.get("agreementType"), &data["latestPurchase"]), (None, &first["latestPurchase"]));
    assert_eq!(count(&app, "SELECT count(*) FROM customers WHERE active_on = '2026-12-31'").await, 1);
    assert_eq!(
        (&data["createdAt"], &data["updatedAt"]),
        (&json!("2027-01-15T08:00:00.000Z"), &json!("2027-01-15T08:00:01.000Z"))
    );
    assert_eq!(without_social_security_number(read_record(&app, &token, &path).await), *data);
    let without = put(&app, &path, &token, with_field(customer("Ada"), "latestPurchase", "")).await;
    assert_eq!(without.body["data"].get("latestPurchase"), None);
    assert_eq!(count(&app, "SELECT count(*) FROM customers WHERE active_on = '2027-01-15'").await, 1);
    // A private customer becomes a company, and then a private customer again.
    let company = with_field(with_field(customer("Ada"), "type", "Company"), "organizationNumber", "556036-0793");
    let numbers = async || {
        let data = read_record(&app, &token, &path).await;
        [data["socialSecurityNumber"].clone(), data["organizationNumber"].clone()]
    };
    assert_eq!(put(&app, &path, &token, company).await.status, 200);
    assert_eq!(numbers().await, [json!(""), json!("556036-0793")]);
    let with_number =
        "SELECT count(*) FROM customers WHERE social_security IS NOT NULL OR social_security_key IS NOT NULL";
    assert_eq!(count(&app, with_number).await, 0);
    assert_eq!(put(&app, &path, &token, customer("Ada")).await.status, 200);
    assert_eq!(numbers().await, [json!("19121212-1212"), json!("")]);
    for (field, value) in [("companyName", json!("")), ("numberOfOrders", json!(0)), ("totalSpent", json!(0))] {
        let emptied = put(&app, &path, &token, with_field(customer("Ada"), field, value.clone())).await;
        assert_eq!(emptied.body["data"][field], value, "{field}");
    }
}

#[tokio::test]
async fn a_stale_update_gets_409_also_without_the_social_security_number_that_it_needs() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_customer(&app, &token, company("Bo AB")).await;
    let mut private = with_field(customer("Bo"), "updatedAt", "2027-01-15T07:59:59.999Z");
    private.as_object_mut().unwrap().remove("socialSecurityNumber");
    assert_error(&put(&app, &path, &token, private).await, 409, STALE.as_str());
}

#[tokio::test]
async fn a_customer_is_found_by_telephone_in_any_notation() {
    let (app, token) = TestApp::start_and_sign_in(READER).await;
    let clerk = app.sign_in(CLERK).await;
    create_customer(&app, &clerk, with_field(customer("Ada"), "telephone", "+46 70-123 45 67")).await;
    let moved = create_customer(&app, &clerk, with_field(customer("Björn"), "telephone", "040 12 34")).await;
    create_customer(&app, &clerk, with_field(customer("Cecilia"), "telephone", "ask for her")).await;
    let find = |number: Value| {
        let (app, token) = (&app, &token);
        async move { app.post(SEARCH_PERSON, Some(token), json!({"phoneNumber": number})).await }
    };
    create_customer(&app, &clerk, with_field(customer("Eva"), "telephone", "+46 (0)73-123 45 67")).await;
    for (number, name) in [
        ("+46701234567", "Ada"),
        ("0046 70 123 45 67", "Ada"),
        (" 46-701234567 ", "Ada"),
        ("070/123 45 67", "Ada"),
        ("+46 73 123 45 67", "Eva"),
        ("0731234567", "Eva"),
    ] {
        let found = find(json!(number)).await;
        assert_eq!((found.status.as_u16(), &found.body["data"]["name"]), (200, &json!(name)), "{number}");
    }
    for number in ["+46 70 123 45 6", "+47 70 123 45 67", "0401235"] {
        assert_error(&find(json!(number)).await, 404, text::PERSON_NOT_FOUND.as_str());
    }
    let (missing, invalid) = (text::TELEPHONE_REQUIRED.as_str(), text::TELEPHONE_INVALID.as_str());
    for (number, error) in [(json!(""), missing), (json!("ask for her"), invalid), (Value::Null, missing)] {
        let response = find(number).await;
        assert_error(&response, 400, error);
        assert_eq!(response.body["fields"]["phoneNumber"], json!([error]));
    }
    // If two customers have the same number, the newest is found. An updated number finds the customer too.
    create_customer(&app, &clerk, with_field(customer("Dagmar"), "telephone", "0401234")).await;
    assert_eq!(find(json!("040-1234")).await.body["data"]["name"], "Dagmar");
    put(&app, &moved, &clerk, with_field(customer("Björn"), "telephone", "08 1")).await;
    assert_eq!(find(json!("081")).await.body["data"]["name"], "Björn");
    let other = app.sign_in(OTHER_ADMIN).await;
    let foreign = app.post(SEARCH_PERSON, Some(&other), json!({"phoneNumber": "+46701234567"})).await;
    assert_error(&foreign, 404, text::PERSON_NOT_FOUND.as_str());
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_customer() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let id = |path: &str| path.rsplit('/').next().unwrap().parse::<Uuid>().unwrap();
    let path = create_customer(&app, &token, customer("Ada")).await;
    let before = read_row(&app, "customers", "customer_id", id(&path)).await;
    assert!(before.len() > 20 && before.contains_key("telephone_key"), "{before:?}");
    let documented =
        ["name", "email", "telephone", "address", "location", "status", "role", "warranty", "version", "type"];
    for value in injected_values() {
        let form = with_columns(&customer("Ada"), &before, &documented, &value);
        let made = create_customer(&app, &token, form.clone()).await;
        let changed = put(&app, &path, &token, form).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        for (path, may_differ) in [(&made, &["customer_id", "customer_number", "doc"][..]), (&path, &["version"][..])] {
            let after = read_row(&app, "customers", "customer_id", id(path)).await;
            let differ = crate::helpers::differing_columns(&before, &after);
            let encrypted_again = |column: &String| column == "social_security";
            let fault = differ.iter().find(|c| !may_differ.contains(&c.as_str()) && !encrypted_again(c));
            assert_eq!(fault, None, "{value}");
        }
    }
}
