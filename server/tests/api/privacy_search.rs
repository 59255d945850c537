//! What a search for a person's data does not find, because it is not the person's.

use crate::app::{ADMIN, TestApp};
use forecourt_core::text::EMAIL_INVALID;
use serde_json::json;

#[tokio::test]
async fn a_text_that_is_no_address_is_rejected() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let input = json!({"email": "Sales"});
    for response in [
        app.post("/api/privacy/person", Some(&token), input.clone()).await,
        app.post("/api/privacy/erase", Some(&token), input).await,
        app.get("/api/privacy/export?email=Sales", Some(&token)).await,
    ] {
        let seen = (response.status.as_u16(), &response.body["fields"]);
        assert_eq!(seen, (400, &json!({"email": [EMAIL_INVALID.as_str()]})), "{}", response.body);
    }
}
