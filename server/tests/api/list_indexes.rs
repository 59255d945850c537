//! The job that indexes the rows of lists for searches.

use crate::app::{CLERK, TestApp};
use crate::customers::{self, company};
use crate::helpers::{create_record, wait_until};
use serde_json::json;

#[tokio::test]
async fn a_list_that_can_not_be_indexed_does_not_block_the_others() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_record(&app, &token, "/api/contacts", json!({"name": "Ada"}), "_id").await;
    // The job indexes the shortest list first, so it comes to the customers after the contacts, which fail.
    for name in ["Bo", "Cy"] {
        create_record(&app, &token, customers::PATH, company(name), "customer_id").await;
    }
    let tails = async || {
        let sql = "SELECT count(*) FROM lists WHERE kind IN ('contacts', 'customers') AND searched_doc < next_doc - 1";
        app.db().sql(sql).value::<i64>().await.unwrap()
    };
    for sql in [
        "DROP TABLE contacts_search",
        app.db().pick(
            "DELETE FROM customers_search WHERE rowid IN (SELECT doc FROM customers)",
            "DELETE FROM customers_search",
        ),
        "UPDATE lists SET searched_doc = searched_doc - total WHERE kind IN ('contacts', 'customers')",
    ] {
        app.db().sql(sql).exec().await.unwrap();
    }
    wait_until("the customers are indexed", async || tails().await == 1).await;
    let found = app.get(&format!("{}?searchTerm=bo", customers::PATH), Some(&token)).await;
    assert_eq!(found.body["data"][0]["name"], "Bo", "{}", found.body);
}
