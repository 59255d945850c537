//! Social security numbers in responses, and in updates.

use crate::app::{ADMIN, CLERK, READER, TestApp};
use crate::customers::{PATH, SEARCH_PERSON, create, create_customer, customer, without_social_security_number};
use crate::helpers::{assert_error, count, present_in, put, read_record, with_field};
use crate::privacy::{customer_of, erase};
use forecourt_core::customers::text;
use forecourt_core::text::STALE;
use serde_json::{Value, json};

#[tokio::test]
async fn t8_only_the_response_for_one_customer_has_the_social_security_number() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let reader = app.sign_in(READER).await;
    let form = customer("Ada");
    let number = form["socialSecurityNumber"].as_str().unwrap();
    let made = create(&app, &token, form.clone()).await;
    let path = format!("{}/{}", PATH, made.body["data"]["customer_id"].as_str().unwrap());
    let record = read_record(&app, &reader, &path).await;
    assert_eq!(record["socialSecurityNumber"], number);
    let summary = without_social_security_number(record);
    assert_eq!((made.status.as_u16(), &made.body["data"]), (201, &summary));
    let list = app.get(PATH, Some(&token)).await;
    assert_eq!(list.body["data"], json!([summary]));
    let found = app.post(SEARCH_PERSON, Some(&token), json!({"phoneNumber": form["telephone"]})).await;
    assert_eq!(found.body["data"], summary);
    let changed = put(&app, &path, &token, with_field(form.clone(), "version", 1)).await;
    let stale = put(&app, &path, &token, with_field(form.clone(), "version", 1)).await;
    assert_error(&stale, 409, STALE.as_str());
    let summary = without_social_security_number(read_record(&app, &token, &path).await);
    assert_eq!((&changed.body["data"], &present_in(&stale)), (&summary, &summary));
}

#[tokio::test]
async fn t8_an_update_without_the_social_security_number_keeps_it() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_customer(&app, &token, customer("Ada")).await;
    let number = async || read_record(&app, &token, &path).await["socialSecurityNumber"].clone();
    let mut without = customer("Åsa");
    without.as_object_mut().unwrap().remove("socialSecurityNumber");
    for form in [without.clone(), with_field(without.clone(), "socialSecurityNumber", Value::Null)] {
        let changed = put(&app, &path, &token, form).await;
        assert_eq!((changed.status.as_u16(), &changed.body["data"]["name"]), (200, &json!("Åsa")), "{}", changed.body);
        assert_eq!(number().await, "19121212-1212");
    }
    let emptied = put(&app, &path, &token, with_field(without.clone(), "socialSecurityNumber", "")).await;
    assert_error(&emptied, 400, text::SOCIAL_SECURITY_NUMBER_REQUIRED.as_str());
    assert_eq!(put(&app, &path, &token, with_field(without.clone(), "personalNumber", "2")).await.status, 200);
    assert_eq!(number().await, "2");

    // A company has no social security number, so it can become a private customer only if one is sent.
    let company = with_field(with_field(without.clone(), "type", "Company"), "organizationNumber", "556036-0793");
    assert_eq!(put(&app, &path, &token, company.clone()).await.status, 200);
    assert_eq!(number().await, "");
    for form in [without.clone(), with_field(without.clone(), "version", 4)] {
        let rejected = put(&app, &path, &token, form).await;
        assert_error(&rejected, 400, text::SOCIAL_SECURITY_NUMBER_REQUIRED.as_str());
        assert!(rejected.body["fields"]["socialSecurityNumber"].is_array(), "{}", rejected.body);
    }
    let stale = put(&app, &path, &token, with_field(without.clone(), "version", 3)).await;
    assert_error(&stale, 409, STALE.as_str());
    assert_eq!(put(&app, &path, &token, with_field(without, "socialSecurityNumber", "3")).await.status, 200);
    assert_eq!(number().await, "3");
    assert_eq!(put(&app, &path, &token, company).await.status, 200);
    let with_number =
        "SELECT count(*) FROM customers WHERE social_security IS NOT NULL OR social_security_key IS NOT NULL";
    assert_eq!(count(&app, with_number).await, 0);
}

#[tokio::test]
async fn a_stale_update_with_a_new_social_security_number_is_a_conflict() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_customer(&app, &token, customer_of("Ada")).await;
    // Only a private customer whose data was erased may have no number.
    assert_eq!(erase(&app, &token).await.status, 200);
    let form = with_field(without_social_security_number(read_record(&app, &token, &path).await), "location", "Lund");
    for _ in 0..2 {
        assert_eq!(put(&app, &path, &token, form.clone()).await.status, 200);
    }
    let stale = put(&app, &path, &token, with_field(form, "socialSecurityNumber", "2")).await;
    assert_error(&stale, 409, STALE.as_str());
    let present = with_field(read_record(&app, &token, &path).await, "socialSecurityNumber", "2");
    assert_eq!(put(&app, &path, &token, present).await.status, 200);
    assert_eq!(read_record(&app, &token, &path).await["socialSecurityNumber"], "2");
}
