//! The validation of websites in forms and imports.

use crate::app::{CLERK, TestApp};
use crate::contacts::{contact_path, create_contact};
use crate::helpers::put;
use crate::imports::{import, mapping, session_id};
use forecourt_core::text::WEBSITE_INVALID;
use reqwest::Method;
use serde_json::{Value, json};

/// Texts that are not valid as a website.
const BAD: [&str; 5] =
    ["javascript:alert(1)", "JAVASCRIPT://nordbil.se/%0Aalert(1)", "data:text/html,x", "no website", "ada@nordbil.se"];

fn invoice(website: &str) -> Value {
    json!({"customer": "Nordbil", "website": website, "email": "ada@example.se", "startDate": "2026-01-31",
        "endDate": "2026-01-31", "projectPrice": 0.1 + 0.2})
}

#[tokio::test]
async fn contact_and_invoice_forms_accept_only_host_names_and_http_urls() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &token, json!({"name": "Ada", "website": "nordbil.se:8080/cars"})).await;
    let made = app.post("/api/invoices", Some(&token), invoice("https://nordbil.se")).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.body["data"]["projectPrice"], 0.3, "0.1 + 0.2 is thirty pence");
    let invoice_path = format!("/api/invoices/{}", made.body["data"]["_id"].as_str().unwrap());
    for bad in BAD {
        let responses = [
            app.post("/api/contacts", Some(&token), json!({"name": "Ada", "website": bad})).await,
            put(&app, &contact_path(&contact), &token, json!({"name": "Ada", "website": bad})).await,
            app.post("/api/invoices", Some(&token), invoice(bad)).await,
            put(&app, &invoice_path, &token, invoice(bad)).await,
        ];
        for response in responses {
            let seen = (response.status.as_u16(), &response.body["fields"]["website"]);
            assert_eq!(seen, (400, &json!([WEBSITE_INVALID.as_str()])), "{bad}: {}", response.body);
        }
    }
}

#[tokio::test]
async fn an_unchanged_invalid_website_does_not_block_an_update() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let contact = contact_path(&create_contact(&app, &token, json!({"name": "Ada", "website": "nordbil.se"})).await);
    let made = app.post("/api/invoices", Some(&token), invoice("nordbil.se")).await;
    let invoice_path = format!("/api/invoices/{}", made.body["data"]["_id"].as_str().unwrap());
    for text in ["UPDATE contacts SET website = 'no website'", "UPDATE invoices SET website = 'no website'"] {
        app.db().sql(text).exec().await.unwrap();
    }
    let mut renamed = invoice("no website");
    renamed["customer"] = json!("Södra Bil");
    for (path, body, other) in [
        (&contact, json!({"name": "Bo", "website": "no website"}), json!({"name": "Bo", "website": "none at all"})),
        (&invoice_path, renamed, invoice("none at all")),
    ] {
        let changed = put(&app, path, &token, body).await;
        assert_eq!((changed.status.as_u16(), &changed.body["data"]["website"]), (200, &json!("no website")), "{path}");
        assert_eq!(put(&app, path, &token, other).await.status, 400, "{path}: another website is validated");
    }
    let gone = contact_path(&json!({"_id": uuid::Uuid::now_v7().to_string()}));
    let missing = put(&app, &gone, &token, json!({"name": "Bo", "website": "nordbil.se"})).await;
    assert_eq!(missing.status, 404, "{}", missing.body);
}

#[tokio::test]
async fn an_imported_row_with_a_bad_website_fails_with_its_reason() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let mapping = mapping(&[("Name", "name"), ("Website", "website")]);
    let file = b"Name,Website\nAda,nordbil.se\nBo,javascript:alert(1)\nCy,\n";
    let done = import(&app, &token, "a.csv", file, &mapping).await;
    assert_eq!((&done["successRecords"], &done["failedRecords"]), (&json!(2), &json!(1)), "{done}");
    let path = format!("/api/contacts/imports/{}/failed.csv", session_id(&done));
    let report = app.request(Method::GET, &path, Some(&token)).send().await.unwrap().text().await.unwrap();
    assert!(report.contains(WEBSITE_INVALID.as_str()), "{report}");
}
