//! The routes of contacts.

use crate::app::{ApiResponse, CLERK, TestApp};
use crate::helpers::{
    assert_error, assert_rejects_invalid_queries, delete, differing_columns, injected_values, list_field, put,
    read_record, read_row, with_columns,
};
use crate::import_worker::start_long_import;
use crate::imports::{count_imported, is_finished, wait_for_status};
use forecourt::platform::clock::MINUTE;
use forecourt_core::contacts::text;
use forecourt_core::reply::Done;
use forecourt_core::text::NOT_FOUND;
use serde_json::{Value, json};
use uuid::Uuid;

async fn create(app: &TestApp, token: &str, contact: Value) -> ApiResponse {
    app.post("/api/contacts", Some(token), contact).await
}

/// Creates a contact, and returns it.
pub async fn create_contact(app: &TestApp, token: &str, contact: Value) -> Value {
    let response = create(app, token, contact).await;
    assert_eq!(response.status, 201, "{}", response.body);
    response.body["data"].clone()
}

pub fn contact_path(contact: &Value) -> String {
    format!("/api/contacts/{}", contact["_id"].as_str().unwrap())
}

/// Reads a contact.
pub async fn read_contact(app: &TestApp, token: &str, contact: &Value) -> Value {
    read_record(app, token, &contact_path(contact)).await
}

/// Returns the names of the contacts on the requested page, and the response's `pagination` object.
async fn list_names(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, Value) {
    let (names, body) = list_field(app, token, "/api/contacts", query, "name").await;
    (names, body["pagination"].clone())
}

#[tokio::test]
async fn a_created_contact_is_returned_with_normalized_fields() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let typed = json!({
        "name": "  Åsa Öberg ", "email": "asa@example.se", "phone": "+46 70 123", "website": null,
        "otherDetails": {"Ort": "Malmö", "Kund\u{0}nr": "00\u{0}12"}, "corp_id": "x", "importSource": "x", "version": 9,
    });
    let created = create(&app, &token, typed).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.body["success"], true);
    assert_eq!(created.body["message"], "Contact created successfully");
    let contact = &created.body["data"];
    assert_eq!(contact["name"], "Åsa Öberg");
    assert_eq!(contact["website"], "");
    assert_eq!(contact["otherDetails"], json!({"Kundnr": "0012", "Ort": "Malmö"}));
    assert_eq!(contact["createdAt"], "2027-01-15T08:00:00.000Z");
    assert_eq!((&contact["version"], &contact["comments"]), (&json!(1), &json!([])));
    assert_eq!((contact.get("importSource"), contact.get("importedAt")), (None, None));
    let id = contact["_id"].as_str().unwrap();
    let shown = app.get(&format!("/api/contacts/{id}"), Some(&token)).await;
    assert_eq!((shown.status.as_u16(), &shown.body["data"]), (200, contact));
}

#[tokio::test]
async fn an_invalid_contact_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let response = create(&app, &token, json!({"name": " ", "email": "nobody", "phone": "1".repeat(101)})).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.body["success"], false);
    assert_eq!(response.body["message"], "Name is required");
    assert_eq!(response.body["fields"]["email"], json!(["Please enter a valid email address"]));
    assert_eq!(response.body["fields"]["phone"], json!(["Maximum length is 100 characters"]));
    for body in [json!([]), json!({"name": 7}), json!({"name": "Ada", "otherDetails": {"a": 1}})] {
        let response = create(&app, &token, body).await;
        assert_eq!((response.status.as_u16(), &response.body["success"]), (400, &json!(false)));
    }
    assert_eq!(list_names(&app, &token, &[]).await.1["totalContacts"], 0);
}

#[tokio::test]
async fn contacts_are_paged_with_the_newest_first() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for i in 1..=23 {
        assert_eq!(create(&app, &token, json!({"name": format!("Contact {i}")})).await.status, 201);
    }
    let (first, pagination) = list_names(&app, &token, &[]).await;
    assert_eq!((first.len(), first[0].as_str(), first[9].as_str()), (10, "Contact 23", "Contact 14"));
    assert_eq!(pagination, json!({"currentPage": 1, "totalPages": 3, "totalContacts": 23}));
    assert_eq!(list_names(&app, &token, &[("page", "3")]).await.0, ["Contact 3", "Contact 2", "Contact 1"]);
    let (beyond, pagination) = list_names(&app, &token, &[("page", "4")]).await;
    assert_eq!((beyond.len(), pagination), (0, json!({"currentPage": 4, "totalPages": 3, "totalContacts": 23})));
    assert_eq!(list_names(&app, &token, &[("limit", "1000"), ("page", "-3")]).await.0.len(), 23);
    assert_eq!(list_names(&app, &token, &[("limit", "5"), ("page", "2")]).await.0[0], "Contact 18");
    let (_, pagination) = list_names(&app, &token, &[("limit", "5"), ("search", "contact 2")]).await;
    assert_eq!(pagination, json!({"currentPage": 1, "totalPages": 1, "totalContacts": 5}));
}

#[tokio::test]
async fn a_search_treats_special_characters_literally() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (name, address) in
        [("Åsa \"Blå\" Öberg", ""), ("100% Bil_AB", "Ring\\vägen 4"), ("Ek", ""), ("Straße", "O'Brien Road")]
    {
        assert_eq!(create(&app, &token, json!({"name": name, "address": address})).await.status, 201);
    }
    for (search, found) in [
        ("ASA \"BLA\"", vec!["Åsa \"Blå\" Öberg"]),
        (" öberg ", vec!["Åsa \"Blå\" Öberg"]),
        ("100% b", vec!["100% Bil_AB"]),
        ("bil_a", vec!["100% Bil_AB"]),
        ("bil%a", vec![]),
        ("b_l", vec![]),
        ("%", vec!["100% Bil_AB"]),
        ("_", vec!["100% Bil_AB"]),
        ("\\", vec!["100% Bil_AB"]),
        ("ring\\v", vec!["100% Bil_AB"]),
        ("ek", vec!["Ek"]),
        ("strasse", vec!["Straße"]),
        ("' OR 1=1 --", vec![]),
        ("o'brien", vec!["Straße"]),
        ("\" OR \"ek", vec![]),
        ("\u{e000}\u{e001}", vec!["Straße", "Ek", "100% Bil_AB", "Åsa \"Blå\" Öberg"]),
        ("E\u{0}k", vec!["Ek"]),
    ] {
        let (names, pagination) = list_names(&app, &token, &[("search", search)]).await;
        assert_eq!((names.len(), &pagination["totalContacts"]), (found.len(), &json!(found.len())), "{search}");
        assert_eq!(names, found, "{search}");
    }
}

#[tokio::test]
async fn an_invalid_list_query_is_rejected_with_a_message() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    assert_rejects_invalid_queries(&app, &token, "/api/contacts").await;
}

#[tokio::test]
async fn an_update_without_other_details_keeps_them() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let typed = json!({"name": "Ada", "email": "ada@example.se", "website": "ada.se", "otherDetails": {"Ort": "Lund"}});
    let made = create_contact(&app, &token, typed).await;
    app.advance(MINUTE);
    let form = json!({"name": " Åsa Öberg ", "email": "asa@example.se", "phone": "0701", "website": null,
        "importSource": "x", "importBatchId": "x", "createdAt": "x", "comments": ["x"]});
    let changed = put(&app, &contact_path(&made), &token, form).await;
    assert_eq!((changed.status.as_u16(), &changed.body["success"]), (200, &json!(true)), "{}", changed.body);
    assert_eq!(changed.body["message"], text::UPDATED.as_str());
    let contact = &changed.body["data"];
    let expected = json!({"_id": made["_id"], "name": "Åsa Öberg", "email": "asa@example.se", "phone": "0701",
        "website": "", "address": "", "otherDetails": {"Ort": "Lund"}, "comments": [], "commentsTotal": 0,
        "version": 2, "createdAt": "2027-01-15T08:00:00.000Z", "updatedAt": "2027-01-15T08:01:00.000Z"});
    assert_eq!((contact, &read_contact(&app, &token, &made).await), (&expected, &expected));
    for (details, kept) in [(json!({"Bil": "V70"}), json!({"Bil": "V70"})), (Value::Null, json!({"Bil": "V70"}))] {
        let form = json!({"name": "Åsa", "otherDetails": details});
        assert_eq!(put(&app, &contact_path(&made), &token, form).await.body["data"]["otherDetails"], kept);
    }
    let form = json!({"name": "Åsa", "otherDetails": {}});
    assert_eq!(put(&app, &contact_path(&made), &token, form).await.body["data"]["otherDetails"], json!({}));
}

#[tokio::test]
async fn an_invalid_update_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let made = create_contact(&app, &token, json!({"name": "Ada"})).await;
    let form = json!({"name": " ", "email": "nobody", "address": "x".repeat(1_001)});
    let rejected = put(&app, &contact_path(&made), &token, form).await;
    assert_error(&rejected, 400, text::NAME_REQUIRED.as_str());
    let fields: Vec<_> = rejected.body["fields"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["address", "email", "name"]);
    for body in [json!([]), json!({"name": "Bo", "version": "one"}), json!({"name": "Bo", "otherDetails": "x"})] {
        assert_eq!(put(&app, &contact_path(&made), &token, body).await.status, 400);
    }
    assert_eq!(read_contact(&app, &token, &made).await, made);
}

#[tokio::test]
async fn a_search_follows_updates_and_deletions_of_contacts() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let made = create_contact(&app, &token, json!({"name": "Ada Öberg", "address": "Storgatan 1"})).await;
    create_contact(&app, &token, json!({"name": "Erik Ek", "address": "Kungsgatan 2"})).await;
    let found = async |search: &str| list_names(&app, &token, &[("search", search)]).await.1["totalContacts"].clone();
    let form = json!({"name": "Åsa Lind", "email": "asa@lind.example", "phone": "0709", "address": "Torget 3"});
    assert_eq!(put(&app, &contact_path(&made), &token, form).await.status, 200);
    for (search, count) in [
        ("ada", 0),
        ("oberg", 0),
        ("storgatan", 0),
        ("öb", 0),
        ("asa lind", 1),
        ("asa@", 1),
        ("0709", 1),
        ("torget", 1),
        ("ås", 1),
        ("gatan", 1),
    ] {
        assert_eq!(found(search).await, count, "{search}");
    }
    assert_eq!(list_names(&app, &token, &[]).await.1["totalContacts"], 2);
    let deleted = delete(&app, &contact_path(&made), &token).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body), (200, &json!(Done::new(text::DELETED))));
    for search in ["asa lind", "torget", "ås"] {
        assert_eq!(found(search).await, 0, "{search}");
    }
    assert_eq!((found("gatan").await, list_names(&app, &token, &[]).await.0), (json!(1), vec!["Erik Ek".to_owned()]));
    assert_error(&app.get(&contact_path(&made), Some(&token)).await, 404, NOT_FOUND.as_str());
    assert_error(&delete(&app, &contact_path(&made), &token).await, 404, NOT_FOUND.as_str());
}

#[tokio::test]
async fn imported_contacts_can_be_changed_and_deleted_during_the_import() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let session = &start_long_import(&app, &token).await;
    let id: Uuid = session.parse().unwrap();
    // Claim the import as another node would, so that this server does not process it until the claim ends below.
    let taken = "UPDATE imports SET attempt = attempt + 1, leased_until = $1 WHERE import_id = $2";
    app.db().sql(taken).bind(i64::MAX).bind(id).exec().await.unwrap();
    let listed = app.get("/api/contacts", Some(&token)).await.body["data"].as_array().unwrap().clone();
    let (kept, gone) = (&read_contact(&app, &token, &listed[0]).await, &listed[1]);
    let changed = put(&app, &contact_path(kept), &token, json!({"name": "Bo Ek", "version": 1})).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["version"]), (200, &json!(2)), "{}", changed.body);
    for field in ["importSource", "importedAt", "importBatchId", "createdAt", "otherDetails"] {
        assert_eq!(changed.body["data"][field], kept[field], "{field}");
    }
    assert_eq!(changed.body["data"]["importSource"], "people.csv");
    assert_eq!(delete(&app, &contact_path(gone), &token).await.status, 200);
    app.db().sql("UPDATE imports SET leased_until = 0 WHERE import_id = $1").bind(id).exec().await.unwrap();
    let done = wait_for_status(&app, &token, session, is_finished).await;
    assert_eq!((&done["status"], &done["processedRecords"]), (&json!("completed"), &json!(30_000)));
    assert_eq!((&done["successRecords"], &done["failedRecords"]), (&json!(29_700), &json!(300)));
    assert_eq!(count_imported(&app, id).await, 29_699);
    assert_eq!(read_contact(&app, &token, kept).await["name"], "Bo Ek");
    assert_error(&app.get(&contact_path(gone), Some(&token)).await, 404, NOT_FOUND.as_str());
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_contact() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let made = create_contact(&app, &token, json!({"name": "Ada"})).await;
    let id: Uuid = made["_id"].as_str().unwrap().parse().unwrap();
    let documented = ["name", "email", "phone", "website", "address", "version"];
    let before = read_row(&app, "contacts", "contact_id", id).await;
    assert!(before.len() >= 16 && before.contains_key("corp_id"), "{before:?}");
    for value in &injected_values() {
        let form = with_columns(&json!({"name": "Ada"}), &before, &documented, value);
        assert_eq!(put(&app, &contact_path(&made), &token, form).await.status, 200);
        let changed = differing_columns(&before, &read_row(&app, "contacts", "contact_id", id).await);
        assert!(changed.iter().all(|c| ["updated_at", "version"].contains(&c.as_str())), "{value}: {changed:?}");
    }
}

#[tokio::test]
async fn responses_have_the_code_and_the_parameters_of_each_message() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let invalid = create(&app, &token, json!({"name": " ", "email": "x", "phone": "1".repeat(101)})).await;
    let [name, email, phone] =
        ["Name is required", "Please enter a valid email address", "Maximum length is 100 characters"];
    assert_eq!(
        invalid.body,
        json!({
            "success": false, "message": name, "errors": [name, email, phone],
            "fields": {"name": [name], "email": [email], "phone": [phone]},
            "messages": [
                {"field": "name", "code": "contacts.name_required", "text": name},
                {"field": "email", "code": "email_invalid", "text": email},
                {"field": "phone", "code": "maximum_length", "parameters": {"count": 100}, "text": phone},
            ],
        })
    );
    let created = create(&app, &token, json!({"name": "Ada"})).await;
    let text = "Contact created successfully";
    assert_eq!(
        (&created.body["message"], &created.body["messages"]),
        (&json!(text), &json!([{"code": "contacts.created", "text": text}]))
    );
    let missing = app.get("/api/contacts/00000000-0000-0000-0000-000000000000", Some(&token)).await;
    assert_eq!(missing.body["messages"], json!([{"code": "not_found", "text": NOT_FOUND.as_str()}]));
}
