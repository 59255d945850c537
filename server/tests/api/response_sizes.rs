//! The size of responses: lists and records stay within the limit, even with texts of maximum length.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, TestApp};
use crate::comments::{add_comment, comment_path, comment_texts, comments_path, insert_comments};
use crate::contacts::{contact_path, create_contact, read_contact};
use crate::contract;
use crate::customers::{self, customer};
use crate::helpers::{assert_error, count, create_record, delete, put, with_field};
use crate::imports::{PREVIEW, csv, csv_mapping};
use crate::invoices::{self, invoice};
use crate::openapi::DOCUMENT;
use crate::vehicles;
use forecourt_core::contacts::{
    COMMENT_MAX, COMMENTS_MAX, COMMENTS_PAGE_SIZE, DETAIL_MAX, DETAILS_LENGTH_MAX, NEWEST_COMMENTS,
    NEWEST_COMMENTS_BYTES,
};
use forecourt_core::import::{MAX_COLUMNS, PREVIEW_ROWS, header_key};
use forecourt_core::paging::LIMIT_MAX;
use forecourt_core::reply::JSON_MAX;
use forecourt_core::roles::{self, ROLES_MAX};
use forecourt_core::text::NOT_FOUND;
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A character that takes four bytes in UTF-8, the maximum.
const LETTER: &str = "\u{20000}";

/// Returns a column name of 100 characters, the maximum, that begins with this number.
fn longest_name(number: usize) -> String {
    format!("{number:03}{}", LETTER.repeat(97))
}

/// Sends a GET request. Asserts that the response is within the limit, and returns it with its length in bytes.
async fn get_within_limit(app: &TestApp, token: &str, path: &str) -> (Value, usize) {
    let reply = contract::send(app.request(Method::GET, path, Some(token))).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    let bytes = reply.bytes.len();
    assert!(bytes <= JSON_MAX, "{path} returns {bytes} bytes");
    (reply.value(), bytes)
}

/// Creates a record with the longest texts that its form accepts, and returns the form.
async fn create_longest(app: &TestApp, token: &str, path: &str, mut form: Value) -> Value {
    let schema_pointer =
        format!("/paths/{}/post/requestBody/content/application~1json/schema/properties", path.replace('/', "~1"));
    let base = form.clone();
    for (name, property) in DOCUMENT.pointer(&schema_pointer).unwrap().as_object().unwrap() {
        if let (Some(most), None) = (property["maxLength"].as_u64(), property.get("format")) {
            form[name] = json!(LETTER.repeat(usize::try_from(most).unwrap()));
        }
    }
    // These fields are other names of fields that are already set.
    for name in ["personalNumber", "orgNumber"] {
        form.as_object_mut().unwrap().remove(name);
    }
    let response = app.post(path, Some(token), form.clone()).await;
    if response.status == 400 {
        for name in response.body["fields"].as_object().unwrap().keys() {
            form[name] = base[name].clone();
        }
        assert_eq!(app.post(path, Some(token), form.clone()).await.status, 201);
    }
    form
}

/// Creates more of the longest records than fit on a page: one, and then [`LIMIT_MAX`].
async fn fill_list(app: &TestApp, token: &str, path: &str, form: Value) {
    let form = create_longest(app, token, path, form).await;
    for _ in 0..LIMIT_MAX / 10 {
        let made = join_all((0..10).map(|_| app.post(path, Some(token), form.clone()))).await;
        assert!(made.iter().all(|response| response.status == 201));
    }
}

#[tokio::test]
async fn v2_a_page_of_contacts_stays_within_the_limit_without_details() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let mut details = Map::new();
    for (i, length) in [DETAIL_MAX, DETAIL_MAX, DETAIL_MAX, DETAILS_LENGTH_MAX - 3 * DETAIL_MAX - 4].iter().enumerate()
    {
        details.insert(i.to_string(), "x".repeat(*length).into());
    }
    fill_list(&app, &token, "/api/contacts", json!({"name": "Ada", "otherDetails": details})).await;
    let (list, _) = get_within_limit(&app, &token, &format!("/api/contacts?limit={LIMIT_MAX}")).await;
    assert_eq!(list["data"].as_array().unwrap().len(), LIMIT_MAX as usize);
    let listed = &list["data"][0];
    assert_eq!((listed.get("otherDetails"), listed.get("comments")), (None, None));
    assert_eq!(read_contact(&app, &token, listed).await["otherDetails"], Value::Object(details));
}

#[tokio::test]
async fn v2_a_page_of_customers_or_invoices_stays_within_the_limit() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    fill_list(&app, &token, customers::PATH, customer("Ada")).await;
    let (list, _) = get_within_limit(&app, &token, &format!("{}?limit={LIMIT_MAX}", customers::PATH)).await;
    assert_eq!(list["data"].as_array().unwrap().len(), LIMIT_MAX as usize);

    fill_list(&app, &token, invoices::PATH, invoice("Nordbil")).await;
    let (list, bytes) = get_within_limit(&app, &token, &format!("{}?limit={LIMIT_MAX}", invoices::PATH)).await;
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), LIMIT_MAX as usize);
    // As many of the newest invoices as fit contain their requirements. Those of the others are only in their records.
    let whole = list.iter().take_while(|invoice| invoice.get("customerRequirements").is_some()).count();
    let longest = list[0].to_string().len();
    assert!(whole < list.len() && bytes + longest > JSON_MAX - 1_000, "{whole} are complete in {bytes} bytes");
    assert!(list[whole..].iter().all(|invoice| invoice.get("customerRequirements").is_none()));
    let path = format!("{}/{}", invoices::PATH, list[whole]["_id"].as_str().unwrap());
    let (record, _) = get_within_limit(&app, &token, &path).await;
    assert_eq!(record["data"]["customerRequirements"], list[0]["customerRequirements"]);
}

#[tokio::test]
async fn v2_a_page_of_the_history_stays_within_the_limit_and_each_entry_returns_its_changes() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let mut form = json!({"registration_number": "A1", "make": "Volvo"});
    let path = create_record(&app, &token, vehicles::PATH, form.clone(), "vehicle_id").await;
    for i in 10..26 {
        let note = format!("{i}{}", LETTER.repeat(198));
        let cost = json!({"date": "2026-11-20", "kind": "Tyres", "net": 5, "vat": 1, "note": note});
        form["costs"] = json!(vec![cost; 100]);
        assert_eq!(put(&app, &path, &token, form.clone()).await.status, 200);
    }
    let of_vehicle = format!("resource=vehicles&id={}", path.rsplit('/').next().unwrap());
    for query in [of_vehicle, format!("limit={LIMIT_MAX}")] {
        let (page, bytes) = get_within_limit(&app, &token, &format!("/api/history?{query}")).await;
        let entries = page["data"].as_array().unwrap();
        assert_eq!(page["totalItems"], entries.len(), "{query}");
        let updates: Vec<_> = entries.iter().filter(|entry| entry["action"] == "updated").collect();
        assert_eq!(updates.len(), 16, "{query}");
        // As many of the newest entries as fit have their changes.
        let whole = updates.iter().take_while(|entry| entry.get("is_shortened").is_none()).count();
        let longest = updates[0].to_string().len();
        assert!(whole < updates.len() && bytes + longest > JSON_MAX - 1_000, "{whole} are complete in {bytes} bytes");
        for shortened in &updates[whole..] {
            assert_eq!((&shortened["is_shortened"], &shortened["changes"]), (&json!(true), &json!([])), "{query}");
            let path = format!("/api/history/{}", shortened["history_id"].as_str().unwrap());
            let (entry, _) = get_within_limit(&app, &token, &path).await;
            assert_eq!(entry["data"]["changes"][0]["field"], "costs");
            assert_eq!(entry["data"].get("is_shortened"), None);
        }
    }
}

#[tokio::test]
async fn v2_a_page_of_users_and_all_roles_stay_within_the_limit() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let role = json!({"name": "Role", "description": "For a test"});
    let form = create_longest(&app, &token, roles::PATH, role).await;
    let named = |i: u32| with_field(form.clone(), "name", format!("{i:03}{}", LETTER.repeat(97)));
    let before = u32::try_from(count(&app, "SELECT count(*) FROM roles").await).unwrap();
    for i in before..ROLES_MAX {
        assert_eq!(app.post(roles::PATH, Some(&token), named(i)).await.status, 201);
    }
    assert_error(&app.post(roles::PATH, Some(&token), named(ROLES_MAX)).await, 409, roles::text::TOO_MANY.as_str());
    let (list, _) = get_within_limit(&app, &token, roles::PATH).await;
    assert_eq!(list["data"].as_array().unwrap().len(), ROLES_MAX as usize);

    // More users than fit into one response.
    let people = 5_000;
    let mut tx = app.db().begin().await.unwrap();
    for chunk in (0..people).collect::<Vec<_>>().chunks(500) {
        tx.sql(
            "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
             created_at, updated_at) VALUES ",
        )
        .tuples(chunk, |sql, i| {
            let sql = sql.arg(app.nordbil).comma(Uuid::now_v7()).comma(format!("{i}@nordbil.example"));
            let (name, mobile) = (LETTER.repeat(50), LETTER.repeat(50));
            sql.comma(name.clone()).comma(name).comma(mobile).comma("User").comma("").comma(0_i64).comma(0_i64)
        })
        .exec()
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
    let (list, _) = get_within_limit(&app, &token, &format!("/api/users?limit={LIMIT_MAX}")).await;
    let total = list["totalItems"].as_u64().unwrap();
    assert!(total > people && list["data"].as_array().unwrap().len() == LIMIT_MAX as usize);
    let (list, bytes) = get_within_limit(&app, &token, &format!("/api/corporations/{}/users", app.nordbil)).await;
    let listed = list["data"].as_array().unwrap();
    assert_eq!(list["totalItems"], total);
    assert!((listed.len() as u64) < total && bytes + 2_000 > JSON_MAX, "{} users in {bytes} bytes", listed.len());
}

#[tokio::test]
async fn v2_a_page_of_imports_and_a_mapping_stay_within_the_limit() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let one = crate::imports::import(&app, &token, "a.csv", &csv(2), &csv_mapping()).await;
    let file_name = format!("{}.csv", LETTER.repeat(251));
    let columns: Vec<_> = (0..MAX_COLUMNS).map(longest_name).collect();
    let mapping: Vec<_> =
        columns.iter().map(|name| json!({"fileColumn": name, "modelColumn": "otherDetails"})).collect();
    let key = header_key(&columns);
    for _ in 0..LIMIT_MAX {
        app.db()
            .sql(
                "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, header_key, status, \
                 created_at, updated_at) VALUES ($1, $2, $3, $4, 1, $5, $6, 'completed', 0, 0)",
            )
            .bind_all((
                app.nordbil,
                Uuid::now_v7(),
                one["userId"].as_str().unwrap().parse::<Uuid>().unwrap(),
                file_name.clone(),
                sqlx::types::Json(Value::Array(mapping.clone())),
                key.clone(),
            ))
            .exec()
            .await
            .unwrap();
    }
    let admin = app.sign_in(ADMIN).await;
    let (list, _) = get_within_limit(&app, &admin, &format!("/api/contacts/imports?limit={LIMIT_MAX}")).await;
    assert_eq!(list["data"].as_array().unwrap().len(), LIMIT_MAX as usize);
    let (remembered, _) = get_within_limit(&app, &token, &format!("/api/contacts/import/mapping?headers={key}")).await;
    assert_eq!(remembered["mapping"], Value::Array(mapping));
}

#[tokio::test]
async fn v2_a_preview_has_as_many_rows_as_fit_into_the_limit() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let names = (0..MAX_COLUMNS).map(longest_name).collect::<Vec<_>>().join(",");
    let cells = vec!["Ada"; MAX_COLUMNS].join(",");
    let lines = [vec![names], vec![cells; PREVIEW_ROWS]].concat().join("\n");
    let file = Part::bytes(lines.into_bytes()).file_name("a.csv");
    let form = Form::new().part("file", file).text("options", json!({"header": 1}).to_string());
    let reply = contract::send(app.request(Method::POST, PREVIEW, Some(&token)).multipart(form)).await;
    let (bytes, response) = (reply.bytes.len(), reply.value());
    assert_eq!(response["fileColumns"].as_array().unwrap().len(), MAX_COLUMNS, "{response}");
    let rows = response["preview"].as_array().unwrap();
    let one = rows[0].to_string().len() + response["data"]["preview"][0].to_string().len();
    let is_full = rows.len() < PREVIEW_ROWS && bytes + one > JSON_MAX;
    assert!(bytes <= JSON_MAX && is_full, "{bytes} bytes with {} rows", rows.len());
    assert_eq!(response["data"]["preview"].as_array().unwrap().len(), rows.len());
}

#[tokio::test]
async fn v2_a_contact_contains_at_most_a_megabyte_of_comments() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    let text = LETTER.repeat(usize::try_from(COMMENT_MAX).unwrap());
    let newest = add_comment(&app, &clerk, &contact, &text).await;
    assert_eq!(newest["comment"], text);
    insert_comments(&app, &contact, &vec![text; COMMENTS_MAX as usize - 1]).await;
    let (record, _) = get_within_limit(&app, &clerk, &contact_path(&contact)).await;
    let record = &record["data"];
    assert_eq!(record["commentsTotal"], COMMENTS_MAX);
    let carried = record["comments"].as_array().unwrap();
    let bytes = record["comments"].to_string().len();
    let one = carried[0].to_string().len();
    assert!(bytes <= NEWEST_COMMENTS_BYTES && bytes + 2 * one > NEWEST_COMMENTS_BYTES, "{bytes} bytes");

    let mut ids: Vec<_> = carried.iter().map(|comment| comment["_id"].clone()).collect();
    while ids.len() < COMMENTS_MAX as usize {
        let path = format!("{}?before={}", comments_path(&contact), ids[ids.len() - 1].as_str().unwrap());
        let (page, _) = get_within_limit(&app, &clerk, &path).await;
        let page = page["data"].as_array().unwrap();
        assert!(!page.is_empty(), "{} comments were found", ids.len());
        ids.extend(page.iter().map(|comment| comment["_id"].clone()));
    }
    assert!(ids.is_sorted_by(|newer, older| newer.as_str() > older.as_str()));
    let (page, _) = get_within_limit(&app, &clerk, &format!("{}?page=2", comments_path(&contact))).await;
    assert_eq!(page["data"][0]["_id"], ids[COMMENTS_PAGE_SIZE as usize]);
}

#[tokio::test]
async fn v2_a_contact_contains_its_newest_comments_and_pages_have_the_rest() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    assert_eq!(contact["commentsTotal"], 0);
    let count = NEWEST_COMMENTS + COMMENTS_PAGE_SIZE + 3;
    let texts: Vec<_> = (0..count).map(|i| format!("Call {i}")).collect();
    insert_comments(&app, &contact, &texts).await;
    let newest_first: Vec<_> = texts.iter().rev().cloned().collect();

    let carried = read_contact(&app, &clerk, &contact).await;
    assert_eq!(carried["commentsTotal"], count);
    assert_eq!(comment_texts(&app, &clerk, &contact).await, newest_first[..NEWEST_COMMENTS as usize]);
    let page = async |query: &str| {
        let response = app.get(&format!("{}?{query}", comments_path(&contact)), Some(&clerk)).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["commentsTotal"]),
            (200, &json!(count)),
            "{}",
            response.body
        );
        let comments = response.body["data"].as_array().unwrap().clone();
        (comments.iter().map(|c| c["comment"].as_str().unwrap().to_owned()).collect::<Vec<_>>(), comments)
    };
    let size = COMMENTS_PAGE_SIZE as usize;
    for (number, expected) in newest_first.chunks(size).enumerate() {
        assert_eq!(page(&format!("page={}", number + 1)).await.0, expected);
    }
    assert_eq!(page("page=100").await.0, [""; 0]);
    assert_eq!(page("").await.1, carried["comments"].as_array().unwrap()[..size]);

    add_comment(&app, &clerk, &contact, "Just now").await;
    // Returns a page of the comments that are older than `before`. New comments do not shift these pages.
    let page = async |before: &Value, number: u32| {
        let query = format!("before={}&page={number}", before["_id"].as_str().unwrap());
        let response = app.get(&format!("{}?{query}", comments_path(&contact)), Some(&clerk)).await;
        assert_eq!(response.status, 200, "{}", response.body);
        let comments = response.body["data"].as_array().unwrap().clone();
        comments.iter().map(|c| c["comment"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let oldest = &carried["comments"][NEWEST_COMMENTS as usize - 1];
    let older = &newest_first[NEWEST_COMMENTS as usize..];
    assert_eq!(page(oldest, 1).await, older[..size]);
    assert_eq!(page(oldest, 2).await, older[size..]);
    assert_eq!(delete(&app, &comment_path(&contact, oldest), &clerk).await.status, 200);
    assert_eq!(page(oldest, 1).await[0], older[0], "even after it was deleted");

    for wrong in ["page=one", "before=1"] {
        let response = app.get(&format!("{}?{wrong}", comments_path(&contact)), Some(&clerk)).await;
        assert_eq!((response.status.as_u16(), &response.body["success"]), (400, &json!(false)), "{wrong}");
    }
    let other_admin = app.sign_in(OTHER_ADMIN).await;
    assert_error(&app.get(&comments_path(&contact), Some(&other_admin)).await, 404, NOT_FOUND.as_str());
    let none = json!({"_id": Uuid::now_v7().to_string()});
    assert_error(&app.get(&comments_path(&none), Some(&clerk)).await, 404, NOT_FOUND.as_str());
}
