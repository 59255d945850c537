//! The list of imports, the contacts that an import created, and the remembered column mapping.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::dashboard::set_read_permission;
use crate::imports::{csv, csv_mapping, import, mapping};
use forecourt_core::import::header_key;
use serde_json::{Value, json};

const LIST: &str = "/api/contacts/imports";

fn names(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|s| s["fileName"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn imports_are_listed_newest_first_to_permitted_users() {
    let app = TestApp::start().await;
    set_read_permission(&app, "contacts.imports", true).await;
    let clerk = app.sign_in(CLERK).await;
    let mut last = Value::Null;
    for i in 0..5 {
        last = import(&app, &clerk, &format!("{i}.csv"), &csv(100), &csv_mapping()).await;
    }
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    import(&app, &other_admin, "theirs.csv", &csv(2), &csv_mapping()).await;
    for (email, expected) in [(ADMIN, 200), (READER, 200), (NO_ROLE, 403)] {
        let token = app.sign_in(email).await;
        assert_eq!(app.get(LIST, Some(&token)).await.status, expected, "{email}");
    }
    let list = app.get(&format!("{LIST}?page=2&limit=2"), Some(&clerk)).await.body;
    assert_eq!(names(&list), ["2.csv", "1.csv"]);
    assert_eq!(list["pagination"], json!({"currentPage": 2, "totalPages": 3, "totalImports": 5}));
    let list = app.get(LIST, Some(&clerk)).await.body;
    assert_eq!(names(&list), ["4.csv", "3.csv", "2.csv", "1.csv", "0.csv"]);
    let newest = &list["data"][0];
    assert_eq!(*newest, last, "the list and the status are equal");
    assert_eq!((&newest["userName"], &newest["fileSize"]), (&json!("Ada Lindqvist"), &json!(csv(100).len())));
    assert_eq!((&newest["createdAt"], &newest["endedAt"]), (&newest["endedAt"], &json!("2027-01-15T08:00:00.000Z")));
    assert_eq!(names(&app.get(LIST, Some(&other_admin)).await.body), ["theirs.csv"]);
    app.db().sql("DELETE FROM users WHERE email = $1").bind(CLERK).exec().await.unwrap();
    let admin = app.sign_in(ADMIN).await;
    let list = app.get(LIST, Some(&admin)).await.body;
    let session = &list["data"][0];
    assert_eq!((&session["userId"], &session["userName"]), (&json!(""), &json!("Deleted user")));
    assert_eq!(session["userNameMessage"]["code"], "users.deleted_user");
    assert_eq!(app.get(&format!("{LIST}?page=x"), Some(&admin)).await.status, 400);
}

#[tokio::test]
async fn the_import_list_has_its_own_permission_and_reports_need_contacts() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let session =
        import(&app, &clerk, "a.csv", b"Namn,E-post\nAda,x\n", &mapping(&[("Namn", "name"), ("E-post", "email")]))
            .await;
    let rows = format!("{LIST}/{}/failed.csv", session["sessionId"].as_str().unwrap());
    let statuses = async || {
        let mut statuses = [0; 3];
        for (i, path) in [LIST, &rows, "/api/contacts"].into_iter().enumerate() {
            statuses[i] = app.get(path, Some(&clerk)).await.status.as_u16();
        }
        statuses
    };
    assert_eq!(statuses().await, [403, 200, 200], "with contacts, but without imports");
    set_read_permission(&app, "contacts.imports", true).await;
    assert_eq!(statuses().await, [200, 200, 200]);
    for resource in ["contacts", "contacts.list"] {
        set_read_permission(&app, resource, false).await;
    }
    assert_eq!(statuses().await, [200, 403, 403], "only with imports");
}

#[tokio::test]
async fn contacts_of_one_import_can_be_listed_and_searched() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = |name: &str| (0..40).map(|i| format!("{name} {i},\n")).collect::<String>();
    let columns = mapping(&[("Namn", "name"), ("Ort", "otherDetails")]);
    let one = import(&app, &token, "a.csv", format!("Namn,Ort\n{}", file("Ada")).as_bytes(), &columns).await;
    let other = import(&app, &token, "b.csv", format!("Namn,Ort\n{}", file("Bo")).as_bytes(), &columns).await;
    app.post("/api/contacts", Some(&token), json!({"name": "Ada typed"})).await;
    let path = format!("/api/contacts?importBatchId={}", one["sessionId"].as_str().unwrap());
    let mut seen = Vec::new();
    for page in 1..=4 {
        let list = app.get(&format!("{path}&page={page}&limit=12"), Some(&token)).await.body;
        assert_eq!(list["pagination"], json!({"currentPage": page, "totalPages": 4, "totalContacts": 40}));
        seen.extend(list["data"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap().to_owned()));
    }
    assert_eq!(seen, (0..40).rev().map(|i| format!("Ada {i}")).collect::<Vec<_>>());
    for (search, total) in [("ada", 40), ("bo", 0), ("ada 3", 11), ("d", 40), ("typed", 0)] {
        for _ in 0..2 {
            let list = app.get(&format!("{path}&search={search}&limit=5"), Some(&token)).await.body;
            assert_eq!(list["pagination"]["totalContacts"], total, "{search}");
            assert_eq!(list["data"].as_array().unwrap().len(), total.min(5), "{search}");
        }
    }
    let first = app.get(&path, Some(&token)).await.body["data"][0]["_id"].as_str().unwrap().to_owned();
    app.send(app.request(reqwest::Method::DELETE, &format!("/api/contacts/{first}"), Some(&token))).await;
    let list = app.get(&path, Some(&token)).await.body;
    assert_eq!((&list["pagination"]["totalContacts"], &list["data"][0]["name"]), (&json!(39), &json!("Ada 38")));
    let all = app.get("/api/contacts?importBatchId=", Some(&token)).await.body;
    assert_eq!(all["pagination"]["totalContacts"], 80);
    let other_session = other["sessionId"].as_str().unwrap();
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    let list = app.get(&format!("/api/contacts?importBatchId={other_session}"), Some(&other_admin)).await.body;
    assert_eq!(list["pagination"]["totalContacts"], 0);
    assert_eq!(app.get("/api/contacts?importBatchId=x", Some(&token)).await.status, 400);
}

#[tokio::test]
async fn the_latest_mapping_of_the_same_headers_is_remembered_per_tenant() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let key = header_key(&["Namn", "E-post", "Adress"].map(str::to_owned));
    let path = format!("/api/contacts/import/mapping?headers={key}");
    let none = json!({"success": true});
    assert_eq!(app.get(&path, Some(&token)).await.body, none);
    import(&app, &token, "a.csv", &csv(2), &csv_mapping()).await;
    let other = mapping(&[("Namn", "name"), ("E-post", "doNotImport"), ("Adress", "otherDetails")]);
    import(&app, &token, "b.csv", &csv(2), &other).await;
    let remembered = app.get(&path, Some(&token)).await.body;
    assert_eq!((&remembered["mapping"], &remembered["importedAt"]), (&other, &json!("2027-01-15T08:00:00.000Z")));
    let (admin, other_admin, reader) =
        (app.sign_in(ADMIN).await, app.sign_in(OTHER_ADMIN).await, app.sign_in(READER).await);
    assert_eq!(app.get(&path, Some(&admin)).await.body, remembered);
    assert_eq!(app.get(&path, Some(&other_admin)).await.body, none);
    assert_eq!(app.get(&path, Some(&reader)).await.status, 403);
    assert_eq!(app.get("/api/contacts/import/mapping", Some(&token)).await.body, none);
}
