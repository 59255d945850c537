//! Invoices: exact prices, and malformed request bodies.

use crate::app::{CLERK, TestApp};
use crate::contract;
use crate::helpers::{differing_columns, injected_values, put, read_row, with_columns, with_field};
use crate::invoices::{PATH, create, create_invoice, invoice};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Sends an invoice with `price` written literally into its JSON. Returns the status and the text of the response.
async fn send_priced(app: &TestApp, token: &str, method: Method, path: &str, price: &str) -> (u16, String) {
    let mut body = invoice("Nordbil");
    body.as_object_mut().unwrap().remove("projectPrice");
    let body = body.to_string().replacen('{', &format!("{{\"projectPrice\":{price},"), 1);
    let request = app.request(method, path, Some(token)).header("content-type", "application/json").body(body);
    let response = contract::send(request).await;
    (response.status.as_u16(), response.text())
}

#[tokio::test]
async fn a_price_is_stored_and_returned_to_the_penny() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, invoice("Nordbil")).await;
    for (sent, pence, expected) in [
        ("0.01", 1, "0.01"),
        ("0.1", 10, "0.1"),
        ("0.3", 30, "0.3"),
        ("0.30", 30, "0.3"),
        ("0.29", 29, "0.29"),
        ("4.35", 435, "4.35"),
        ("1.1", 110, "1.1"),
        ("1e2", 10_000, "100"),
        ("1.25E1", 1_250, "12.5"),
        ("100", 10_000, "100"),
        ("100.0", 10_000, "100"),
        ("\"12.50\"", 1_250, "12.5"),
        ("\" 0.07 \"", 7, "0.07"),
        ("1234567.89", 123_456_789, "1234567.89"),
        ("99999999999.98", 9_999_999_999_998, "99999999999.98"),
        ("99999999999.99", 9_999_999_999_999, "99999999999.99"),
        ("\"99999999999.99\"", 9_999_999_999_999, "99999999999.99"),
    ] {
        for (method, at) in [(Method::POST, PATH), (Method::PUT, path.as_str())] {
            let (status, response) = send_priced(&app, &token, method, at, sent).await;
            assert!(
                status < 300 && response.contains(&format!("\"projectPrice\":{expected},")),
                "{sent}: {status} {response}"
            );
            let id = serde_json::from_str::<Value>(&response).unwrap()["data"]["_id"].as_str().unwrap().to_owned();
            let stored: i64 = app
                .db()
                .sql("SELECT project_price FROM invoices WHERE invoice_id = $1")
                .bind(id.parse::<Uuid>().unwrap())
                .value()
                .await
                .unwrap();
            assert_eq!(stored, pence, "{sent}");
            let seen = contract::send(app.request(Method::GET, &format!("{PATH}/{id}"), Some(&token))).await;
            assert!(seen.text().contains(&format!("\"projectPrice\":{expected},")), "{sent}");
        }
    }
}

#[tokio::test]
async fn an_invalid_price_is_rejected_and_changes_nothing() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, invoice("Nordbil")).await;
    for price in [
        "1.005",
        "0.001",
        "0.3000001",
        "0",
        "0.00",
        "-0.01",
        "1e-3",
        "1e300",
        "100000000000",
        "99999999999.991",
        "18446744073709551616",
        "-9223372036854775808",
        "null",
        "\"\"",
        "\"1.005\"",
        "\"1e2\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"-1\"",
        "\"£5\"",
        "\"1,0000\"",
        "\"٣\"",
        "\"9223372036854775808\"",
    ] {
        for (method, at) in [(Method::POST, PATH), (Method::PUT, path.as_str())] {
            let (status, response) = send_priced(&app, &token, method, at, price).await;
            assert!(
                status == 400 && response.contains("Please enter a valid project price"),
                "{price}: {status} {response}"
            );
        }
    }
    let expected = app.get(PATH, Some(&token)).await.body;
    assert_eq!((expected.as_array().unwrap().len(), &expected[0]["projectPrice"]), (1, &json!(1250.5)));
}

#[tokio::test]
async fn malformed_invoice_bodies_never_cause_a_server_error() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, invoice("Nordbil")).await;
    let fields = invoice("x").as_object().unwrap().keys().cloned().chain(["version".to_owned()]).collect::<Vec<_>>();
    let mut bodies: Vec<String> =
        ["", "null", "[]", "[[]]", "7", "\"x\"", "{", "{}", "NaN", "{\"customer\"}", "\u{feff}{}"]
            .into_iter()
            .map(str::to_owned)
            .collect();
    bodies.push(format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)));
    for field in &fields {
        for value in [
            "[]",
            "{}",
            "[null]",
            "{\"a\":{\"b\":[]}}",
            "true",
            "-1",
            "1.5",
            "1e999",
            "99999999999999999999999",
            "NaN",
            "Infinity",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"NaN\"",
            "\"-1\"",
            "\"9999-99-99\"",
            "\"+10000-01-01\"",
            "\"2027-01-10T00:00:00Z\"",
            "\"' OR 1=1 --\"",
        ] {
            let stored = invoice("Nordbil");
            let rest = stored.as_object().unwrap().iter().filter(|(name, _)| *name != field);
            let rest = rest.map(|(name, value)| format!(",\"{name}\":{value}")).collect::<String>();
            bodies.push(format!("{{\"{field}\":{value}{rest}}}"));
            bodies.push(format!("{{\"{field}\":{value},\"{field}\":{value}{rest}}}"));
        }
    }
    for body in bodies {
        for (method, at) in [(Method::POST, PATH), (Method::PUT, path.as_str())] {
            let request = app.request(method.clone(), at, Some(&token)).header("content-type", "application/json");
            let response = app.send(request.body(body.clone())).await;
            let is_expected = match response.status.as_u16() {
                // Only these bodies may be accepted or get 409: they have valid texts, or versions that never match.
                200 | 201 | 409 => {
                    body.contains("OR 1=1") || body.contains("NaN\"") || body.contains("-1") || body.contains("\\u0000")
                }
                status => status == 400 && response.body["message"].is_string(),
            };
            assert!(is_expected, "{method} {body}: {} {}", response.status, response.body);
        }
    }
    let form = app.request(Method::POST, PATH, Some(&token)).form(&[("customer", "Ada")]);
    assert_eq!(app.send(form).await.status, 415);
    let large = with_field(invoice("Nordbil"), "customerRequirements", "x".repeat(300_000));
    assert_eq!(create(&app, &token, large).await.status, 413);
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_an_invoice() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_invoice(&app, &token, invoice("Nordbil")).await;
    let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
    let documented = ["customer", "customer_id", "website", "email", "version"];
    let before = read_row(&app, "invoices", "invoice_id", id).await;
    assert!(before.len() >= 13 && before.contains_key("corp_id"), "{before:?}");
    for value in &injected_values() {
        let form = with_columns(&invoice("Nordbil"), &before, &documented, value);
        assert_eq!(put(&app, &path, &token, form).await.status, 200);
        let changed = differing_columns(&before, &read_row(&app, "invoices", "invoice_id", id).await);
        assert!(changed.iter().all(|c| ["updated_at", "version"].contains(&c.as_str())), "{value}: {changed:?}");
    }
}
