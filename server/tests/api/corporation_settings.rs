//! The country, the currency and the VAT of a corporation.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use forecourt_core::settings::text;
use reqwest::Method;
use serde_json::{Value, json};

const SETTINGS: &str = "/api/settings";

async fn put(app: &TestApp, token: &str, body: Value) -> ApiResponse {
    app.send(app.request(Method::PUT, SETTINGS, Some(token)).json(&body)).await
}

/// Returns the settings of a Swedish corporation.
fn sweden() -> Value {
    json!({"country": "SE", "currency": "SEK", "vat_rate": 25})
}

#[tokio::test]
async fn admins_set_the_settings_of_their_own_corporation_only() {
    let app = TestApp::start().await;
    let default = json!({"country": "GB", "currency": "GBP", "vat_rate": 20});
    for (email, status) in [(NO_ROLE, 403), (READER, 403), (CLERK, 403), (SUPER_ADMIN, 200), (ADMIN, 200)] {
        let token = app.sign_in(email).await;
        assert_eq!(app.get(SETTINGS, Some(&token)).await.body["data"], default, "{email}");
        assert_eq!(put(&app, &token, sweden()).await.status, status, "{email}");
    }
    let (clerk, other) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    assert_eq!(app.get(SETTINGS, Some(&clerk)).await.body["data"], sweden());
    assert_eq!(app.get(SETTINGS, Some(&other)).await.body["data"], default);
    let profile = app.get("/api/auth/profile/detail", Some(&clerk)).await.body;
    for (name, value) in sweden().as_object().unwrap() {
        assert_eq!(&profile["data"]["corp"][name], value, "{name}");
    }
}

#[tokio::test]
async fn a_change_of_the_settings_is_in_the_history_and_the_same_ones_are_not() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for vat_rate in [json!(19.5), json!("19,5"), json!("19.50")] {
        let response = put(&app, &token, json!({"country": "de", "currency": "EUR", "vat_rate": vat_rate})).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (200, &json!(text::UPDATED.as_str())));
    }
    let history = app.get("/api/history?resource=corporations", Some(&token)).await.body;
    assert_eq!(history["totalItems"], 1, "{history}");
    let expected = json!([
        {"field": "country", "before": "GB", "after": "DE"},
        {"field": "currency", "before": "GBP", "after": "EUR"},
        {"field": "vat_rate", "before": "20 %", "after": "19.5 %"},
    ]);
    assert_eq!(history["data"][0]["changes"], expected);
}

#[tokio::test]
async fn invalid_settings_are_rejected_with_their_fields() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (body, fields) in [
        (json!({}), vec!["country", "currency", "vat_rate"]),
        (json!({"country": "XX", "currency": "SEK", "vat_rate": 25}), vec!["country"]),
        (json!({"country": "SE", "currency": "JPY", "vat_rate": 25}), vec!["currency"]),
        (json!({"country": "SE", "currency": "SEK", "vat_rate": 100.01}), vec!["vat_rate"]),
        (json!({"country": "SE", "currency": "SEK", "vat_rate": 19.555}), vec!["vat_rate"]),
        (json!({"country": "SE", "currency": "SEK", "vat_rate": null}), vec!["vat_rate"]),
    ] {
        let response = put(&app, &token, body.clone()).await;
        assert_eq!(response.status, 400, "{body}");
        let found: Vec<_> = response.body["fields"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(found, fields, "{body}");
    }
}

#[tokio::test]
async fn settings_based_on_outdated_ones_are_rejected_with_who_changed_them() {
    let (app, first) = TestApp::start_and_sign_in(ADMIN).await;
    let second = app.sign_in(ADMIN).await;
    let opened = json!({"country": "GB", "currency": "GBP", "vat_rate": 20});
    let form = |vat_rate: f64| json!({"country": "GB", "currency": "GBP", "vat_rate": vat_rate, "before": opened});
    // The second time, its values are stored already.
    for _ in 0..2 {
        assert_eq!(put(&app, &first, form(17.5)).await.status, 200);
    }
    // The logo, the colour and the name are no settings.
    let recolour = json!({"color": "#ff0000", "scope": "corporation"});
    assert_eq!(app.send(app.request(Method::PUT, "/api/theme", Some(&first)).json(&recolour)).await.status, 200);
    let refused = put(&app, &second, form(15.0)).await;
    assert_eq!((refused.status.as_u16(), &refused.body["data"]["vat_rate"]), (409, &json!(17.5)), "{}", refused.body);
    let history = app.get("/api/history?resource=corporations", Some(&first)).await.body;
    let entry = history["data"].as_array().unwrap().iter().find(|entry| entry["changes"][0]["field"] == "vat_rate");
    let last_change = &refused.body["data"]["last_change"];
    assert_eq!((&last_change["at"], &last_change["actor"]), (&entry.unwrap()["at"], &entry.unwrap()["actor"]));
    let merged = json!({"country": "GB", "currency": "GBP", "vat_rate": 15, "before": refused.body["data"]});
    assert_eq!(put(&app, &second, merged).await.status, 200);
    // A client that sends no settings to compare with is not rejected.
    assert_eq!(put(&app, &first, sweden()).await.status, 200);
}
