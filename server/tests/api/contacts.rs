//! The address book's calls.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, READER, STRANGER, SUPER_ADMIN, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

async fn create(app: &TestApp, token: &str, contact: Value) -> Answer {
    app.post("/api/contacts", Some(token), contact).await
}

/// The names on a page, and its pagination.
async fn names(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, Value) {
    let answer = app.send(app.request(Method::GET, "/api/contacts", Some(token)).query(query)).await;
    assert_eq!(answer.status, 200, "{query:?}: {}", answer.body);
    assert_eq!(answer.body["success"], true);
    let data = answer.body["data"].as_array().unwrap();
    (data.iter().map(|c| c["name"].as_str().unwrap().to_owned()).collect(), answer.body["pagination"].clone())
}

#[tokio::test]
async fn a_created_contact_is_shown_as_it_was_typed() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
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
async fn a_contact_that_breaks_a_rule_is_refused_field_by_field() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let answer = create(&app, &token, json!({"name": " ", "email": "nobody", "phone": "1".repeat(101)})).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.body["success"], false);
    assert_eq!(answer.body["message"], "Name is required");
    assert_eq!(answer.body["fields"]["email"], json!(["Please enter a valid email address"]));
    assert_eq!(answer.body["fields"]["phone"], json!(["Maximum length is 100 characters"]));
    for body in [json!([]), json!({"name": 7}), json!({"name": "Ada", "otherDetails": {"a": 1}})] {
        let answer = create(&app, &token, body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["success"]), (400, &json!(false)));
    }
    assert_eq!(names(&app, &token, &[]).await.1["totalContacts"], 0);
}

#[tokio::test]
async fn each_kind_of_user_may_do_what_its_permissions_say() {
    let app = TestApp::start().await;
    for (email, read, write) in [
        (SUPER_ADMIN, 200, 201),
        (ADMIN, 200, 201),
        (CLERK, 200, 201),
        (READER, 200, 403),
        (NOBODY, 403, 403),
        (STRANGER, 200, 201),
    ] {
        let token = app.sign_in(email).await;
        assert_eq!(app.get("/api/contacts", Some(&token)).await.status, read, "{email} lists");
        assert_eq!(create(&app, &token, json!({"name": "Ada"})).await.status, write, "{email} creates");
        let missing = app.get("/api/contacts/0190b5a0-0000-7000-8000-000000000000", Some(&token)).await;
        assert_eq!(missing.status, if read == 200 { 404 } else { 403 }, "{email} gets");
    }
    assert_eq!(app.get("/api/contacts", None).await.status, 401);
}

#[tokio::test]
async fn another_corporations_contacts_are_not_there() {
    let app = TestApp::start().await;
    let (clerk, stranger) = (app.sign_in(CLERK).await, app.sign_in(STRANGER).await);
    let created = create(&app, &clerk, json!({"name": "Ada Lovelace", "email": "ada@example.se"})).await;
    let id = created.body["data"]["_id"].as_str().unwrap();
    let foreign = app.get(&format!("/api/contacts/{id}"), Some(&stranger)).await;
    let missing = app.get("/api/contacts/0190b5a0-0000-7000-8000-000000000000", Some(&stranger)).await;
    let nonsense = app.get("/api/contacts/ada", Some(&stranger)).await;
    assert_eq!((foreign.status.as_u16(), missing.status.as_u16(), nonsense.status.as_u16()), (404, 404, 404));
    assert_eq!((&foreign.body, &nonsense.body), (&missing.body, &missing.body));
    for search in ["", "ada", "ad", "lovelace"] {
        let (found, pagination) = names(&app, &stranger, &[("search", search)]).await;
        assert_eq!((found.len(), &pagination["totalContacts"]), (0, &json!(0)), "{search}");
    }
}

#[tokio::test]
async fn the_newest_contacts_come_first_page_by_page() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    for i in 1..=23 {
        assert_eq!(create(&app, &token, json!({"name": format!("Contact {i}")})).await.status, 201);
    }
    let (first, pagination) = names(&app, &token, &[]).await;
    assert_eq!((first.len(), first[0].as_str(), first[9].as_str()), (10, "Contact 23", "Contact 14"));
    assert_eq!(pagination, json!({"currentPage": 1, "totalPages": 3, "totalContacts": 23}));
    assert_eq!(names(&app, &token, &[("page", "3")]).await.0, ["Contact 3", "Contact 2", "Contact 1"]);
    let (beyond, pagination) = names(&app, &token, &[("page", "4")]).await;
    assert_eq!((beyond.len(), pagination), (0, json!({"currentPage": 4, "totalPages": 3, "totalContacts": 23})));
    assert_eq!(names(&app, &token, &[("limit", "1000"), ("page", "-3")]).await.0.len(), 23);
    assert_eq!(names(&app, &token, &[("limit", "5"), ("page", "2")]).await.0[0], "Contact 18");
    let (_, pagination) = names(&app, &token, &[("limit", "5"), ("search", "contact 2")]).await;
    assert_eq!(pagination, json!({"currentPage": 1, "totalPages": 1, "totalContacts": 5}));
}

#[tokio::test]
async fn a_search_takes_its_text_as_it_is() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
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
        let (names, pagination) = names(&app, &token, &[("search", search)]).await;
        assert_eq!((names.len(), &pagination["totalContacts"]), (found.len(), &json!(found.len())), "{search}");
        assert_eq!(names, found, "{search}");
    }
}

#[tokio::test]
async fn a_question_that_makes_no_sense_is_refused_with_a_sentence() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    for (query, sentence) in [
        ("page=two", "'page' must be a whole number"),
        ("limit=1.5", "'limit' must be a whole number"),
        (&format!("search={}", "a".repeat(101)), "Maximum length is 100 characters"),
        ("page=1&page=2", "The question after the ? in the address could not be read."),
    ] {
        let answer = app.get(&format!("/api/contacts?{query}"), Some(&token)).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(sentence)), "{query}");
    }
}
