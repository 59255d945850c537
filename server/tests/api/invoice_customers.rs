//! The link from an invoice to its customer.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, TestApp};
use crate::customers::{create_customer, customer};
use crate::helpers::{assert_error, delete, put, read_record, with_field};
use crate::invoices::{PATH, create, create_invoice, invoice};
use forecourt_core::invoices::text::CUSTOMER_UNKNOWN;
use reqwest::Method;
use serde_json::{Value, json};

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// Returns the form of a valid invoice that is linked to the customer with this id.
fn invoice_of(id: impl Into<Value>) -> Value {
    with_field(invoice("Nordbil"), "customer_id", id)
}

/// Lists the invoices that are linked to a customer id. Returns their customer names, and the value of `X-Total-Count`.
async fn list(app: &TestApp, token: &str, customer: &str) -> (Vec<Value>, String) {
    let filter = json!([{"field": "customer_id", "op": "is", "value": customer}]).to_string();
    let query = [("filter", filter.as_str()), ("page", "1")];
    let response = app.send(app.request(Method::GET, PATH, Some(token)).query(&query)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let names = response.body.as_array().unwrap().iter().map(|invoice| invoice["customer"].clone()).collect();
    (names, response.headers["x-total-count"].to_str().unwrap().to_owned())
}

#[tokio::test]
async fn an_invoice_is_linked_to_a_customer_and_unlinked() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (ada, bo) =
        (create_customer(&app, &token, customer("Ada")).await, create_customer(&app, &token, customer("Bo")).await);
    let made = create(&app, &token, invoice_of(id(&ada))).await;
    assert_eq!((made.status.as_u16(), &made.body["data"]["customer_id"]), (201, &json!(id(&ada))), "{}", made.body);
    let path = format!("{PATH}/{}", made.body["data"]["_id"].as_str().unwrap());
    create_invoice(&app, &token, invoice("Free text")).await;
    assert_eq!(read_record(&app, &token, &path).await["customer_id"], id(&ada));
    assert_eq!(list(&app, &token, id(&ada)).await, (vec![json!("Nordbil")], "1".into()));
    for (sent, stored) in [
        (json!(id(&bo)), Some(json!(id(&bo)))),
        (json!(format!(" {} ", id(&ada).to_uppercase())), Some(json!(id(&ada)))),
        (Value::Null, None),
        (json!(id(&ada)), Some(json!(id(&ada)))),
        (json!(" "), None),
    ] {
        let changed = put(&app, &path, &token, invoice_of(sent.clone())).await;
        assert_eq!(
            (changed.status.as_u16(), changed.body["data"].get("customer_id")),
            (200, stored.as_ref()),
            "{sent}"
        );
    }
    // An update without the field `customer_id` keeps the link.
    put(&app, &path, &token, invoice_of(id(&bo))).await;
    let changed = put(&app, &path, &token, invoice("Other words")).await;
    assert_eq!(
        (&changed.body["data"]["customer_id"], &changed.body["data"]["customer"]),
        (&json!(id(&bo)), &json!("Other words"))
    );
}

#[tokio::test]
async fn an_unknown_deleted_or_foreign_customer_is_an_error_of_the_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    let foreign = create_customer(&app, &other, customer("Ada")).await;
    let deleted = create_customer(&app, &token, customer("Bo")).await;
    assert_eq!(delete(&app, &deleted, &token).await.status, 200);
    let path = create_invoice(&app, &token, invoice("Nordbil")).await;
    for unknown in [id(&foreign), id(&deleted), "0190b5a0-0000-7000-8000-000000000000", "C-1001", "' OR 1=1"] {
        for response in
            [create(&app, &token, invoice_of(unknown)).await, put(&app, &path, &token, invoice_of(unknown)).await]
        {
            assert_error(&response, 400, CUSTOMER_UNKNOWN.as_str());
            assert_eq!(response.body["fields"], json!({"customer_id": [CUSTOMER_UNKNOWN.as_str()]}), "{unknown}");
        }
    }
    for wrong in [json!(7), json!([]), json!({})] {
        assert_eq!(create(&app, &token, invoice_of(wrong)).await.status, 400);
    }
    assert_eq!(read_record(&app, &token, &path).await["version"], 1);
}

#[tokio::test]
async fn deleting_a_customer_leaves_its_invoices_without_the_link() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let [ada, bo] = ["Ada", "Bo"].map(customer);
    let (ada, bo) = (create_customer(&app, &token, ada).await, create_customer(&app, &token, bo).await);
    let path = create_invoice(&app, &token, invoice_of(id(&ada))).await;
    let kept = create_invoice(&app, &token, invoice_of(id(&bo))).await;
    assert_eq!(delete(&app, &ada, &token).await.status, 200);
    let left = read_record(&app, &token, &path).await;
    assert_eq!((left.get("customer_id"), &left["customer"]), (None, &json!("Nordbil")));
    assert_eq!(read_record(&app, &token, &kept).await["customer_id"], id(&bo));
    assert_eq!(list(&app, &token, id(&ada)).await, (vec![], "0".into()));
    // An update that still names the deleted customer is rejected.
    let stale = put(&app, &path, &token, invoice_of(id(&ada))).await;
    assert_error(&stale, 400, CUSTOMER_UNKNOWN.as_str());
}

#[tokio::test]
async fn a_customer_deleted_while_an_invoice_is_written_leaves_no_dangling_link() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for round in 0..8 {
        let ada = create_customer(&app, &token, customer("Ada")).await;
        let (made, deleted) = tokio::join!(create(&app, &token, invoice_of(id(&ada))), delete(&app, &ada, &token));
        assert_eq!(deleted.status, 200, "round {round}");
        assert!(matches!(made.status.as_u16(), 201 | 400), "round {round}: {}", made.body);
        assert_eq!(list(&app, &token, id(&ada)).await.1, "0", "round {round}");
    }
}
