//! Requests with values that can't be deserialized: the error names the field, and never contains the value.

use crate::app::{ADMIN, ApiResponse, TestApp};
use crate::helpers::{assert_error, put};
use forecourt_core::lists::text::{
    A_LIST, A_NUMBER, A_TEXT, AN_AMOUNT, AN_ID, AN_OBJECT, ANY_NUMBER, TRUE_OR_FALSE, a_number_from_zero, wrong_value,
};
use forecourt_core::message::Message;
use forecourt_core::text::{
    BODY_NOT_AN_OBJECT, FIELD_MISSING, SENT_TWICE, VALUE_INVALID, body_not_json, member_unknown,
};
use reqwest::Method;
use serde_json::{Value, json};

/// Asserts that the response is a 400 whose only error is this message about this field.
fn assert_field_error(response: &ApiResponse, field: &str, message: &Message) {
    assert_error(response, 400, message.as_str());
    assert_eq!(response.body["fields"], json!({field: [message.as_str()]}));
    let expected = json!({"field": field, "code": message.code});
    let seen = &response.body["messages"][0];
    assert_eq!(json!({"field": seen["field"], "code": seen["code"]}), expected);
}

async fn send_body(app: &TestApp, token: &str, path: &str, body: &str) -> ApiResponse {
    let request = app.request(Method::POST, path, Some(token)).header("content-type", "application/json");
    app.send(request.body(body.to_owned())).await
}

#[tokio::test]
async fn a_value_of_the_wrong_type_is_an_error_of_its_field() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let not_negative = &a_number_from_zero(u32::MAX.into());
    for (path, body, field, expected) in [
        ("/api/customers", json!({"telephone": 701_234_567}), "telephone", A_TEXT),
        ("/api/customers", json!({"socialSecurityNumber": ["1912"]}), "socialSecurityNumber", A_TEXT),
        ("/api/customers", json!({"version": "1"}), "version", A_NUMBER),
        ("/api/customers", json!({"numberOfOrders": -1}), "numberOfOrders", not_negative),
        ("/api/customers", json!({"totalSpent": "12"}), "totalSpent", ANY_NUMBER),
        ("/api/customers", json!({"totalSpent": 0.001}), "totalSpent", AN_AMOUNT),
        ("/api/contacts", json!({"otherDetails": "Malmö"}), "otherDetails", AN_OBJECT),
        ("/api/contacts", json!({"otherDetails": {"n": 5}}), "otherDetails.n", A_TEXT),
        ("/api/contacts/bulk", json!({"ids": ["1", 7]}), "ids.1", A_TEXT),
        ("/api/views", json!({"query": "a"}), "query", AN_OBJECT),
        ("/api/views", json!({"columns": {}}), "columns", A_LIST),
        ("/api/views", json!({"columns": [{"width": 9}, {"width": -1}]}), "columns.1.width", not_negative),
        ("/api/views", json!({"is_default": ", expected one of `yes`"}), "is_default", TRUE_OR_FALSE),
        ("/api/agreements", json!({"legs": "Volvo"}), "legs", A_LIST),
        ("/api/agreements", json!({"legs": [{"price": true}]}), "legs.0.price", AN_AMOUNT),
        ("/api/vehicles", json!({"costs": [{"note": ""}, {"kind": 1}]}), "costs.1.kind", A_TEXT),
        // The types of these have flattened fields.
        ("/api/users", json!({"first_name": 7, "last_name": "Lind"}), "first_name", A_TEXT),
        ("/api/customers/bulk", json!({"query": {"search": "", "typeAdv": 5}}), "query.typeAdv", A_TEXT),
    ] {
        assert_field_error(&app.post(path, Some(&token), body).await, field, &wrong_value(expected));
    }
    let login = app.post("/api/auth/login", None, json!({"password": {"hunter2": 1}})).await;
    assert_field_error(&login, "password", &wrong_value(A_TEXT));
    let several = app.post("/api/vehicles", Some(&token), json!({"mileage": [1]})).await;
    assert_field_error(&several, "mileage", VALUE_INVALID);
}

#[tokio::test]
async fn a_missing_a_repeated_and_an_unknown_member_are_named() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let settings = json!({"before": {"country": "GB", "currency": "GBP"}});
    assert_field_error(&put(&app, "/api/settings", &token, settings).await, "before.vat_rate", FIELD_MISSING);
    let view = |condition: Value| json!({"query": {"filter": [condition]}});
    let missing = app.post("/api/views", Some(&token), view(json!({"field": "name"}))).await;
    assert_field_error(&missing, "query.filter.0.op", FIELD_MISSING);
    let unknown = app.post("/api/views", Some(&token), view(json!({"field": "name", "op": "is", "x": 1}))).await;
    assert_field_error(&unknown, "query.filter.0.x", &member_unknown("field, op, value"));
    for (path, body, field) in [
        ("/api/contacts", r#"{"name": "Ada", "name": "Bo"}"#, "name"),
        ("/api/views", r#"{"query": {"sort": "a", "sort": "b"}}"#, "query.sort"),
        ("/api/users", r#"{"email": "a@b.se", "email": "c@d.se"}"#, "email"),
    ] {
        assert_field_error(&send_body(&app, &token, path, body).await, field, SENT_TWICE);
    }
}

#[tokio::test]
async fn a_body_that_is_no_json_object_is_an_error_of_the_whole() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (body, message) in [
        ("{\"name\": \"Ada\",\n\"email\": hunter2}", &body_not_json(2, 10)),
        ("{\"name\": \"Ada\"} hunter2", &body_not_json(1, 17)),
        ("", &body_not_json(1, 0)),
        ("7", BODY_NOT_AN_OBJECT),
        ("null", BODY_NOT_AN_OBJECT),
    ] {
        let response = send_body(&app, &token, "/api/contacts", body).await;
        assert_error(&response, 400, message.as_str());
        assert_eq!(response.body["fields"], json!({}), "{body}");
    }
}

#[tokio::test]
async fn an_invalid_query_parameter_is_named() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let contact = app.post("/api/contacts", Some(&token), json!({"name": "Ada"})).await;
    let comments = format!("contacts/{}/comments?before=x", contact.body["data"]["_id"].as_str().unwrap());
    let an_id = wrong_value(AN_ID);
    for (path, field, message) in [
        ("contacts?search=a&search=b", "search", SENT_TWICE),
        ("customers/export?format=csv&format=xlsx", "format", SENT_TWICE),
        ("contacts?importBatchId=x", "importBatchId", &an_id),
        (&comments, "before", &an_id),
    ] {
        assert_field_error(&app.get(&format!("/api/{path}"), Some(&token)).await, field, message);
    }
}
