//! Bulk actions: a dry run returns the result that the same request will have, and changes nothing; a request changes
//! all records in one transaction.

use crate::agreements::{PATH as AGREEMENTS, create_agreement, id};
use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::customers::{self, company, customer};
use crate::helpers::{create_record, put, read_record, with_field};
use crate::invoices::{self, invoice};
use crate::records::RECORDS;
use forecourt::platform::clock::DAY;
use forecourt_core::bulk::RECORDS_MAX;
use serde_json::{Value, json};
use uuid::Uuid;

const CONTACTS: &str = "/api/contacts";

/// Sends a bulk action to a list of records.
async fn bulk(app: &TestApp, token: &str, list: &str, request: Value) -> ApiResponse {
    app.post(&format!("{list}/bulk"), Some(token), request).await
}

/// Sends a dry run and then the request itself, and returns their common result. Asserts that the dry run changes
/// nothing.
async fn run(app: &TestApp, token: &str, list: &str, request: Value) -> Value {
    let before = records(app, token, list).await;
    let mut dry = preview(app, token, list, &request).await;
    assert_eq!(records(app, token, list).await, before, "a dry run changes nothing");
    let mut real = bulk(app, token, list, with_field(request, "expected", dry["digest"].clone())).await;
    let batch = real.body["data"].as_object_mut().and_then(|data| data.remove("batch_id"));
    assert_eq!(batch.is_some(), dry["changed"] != 0, "only what was changed is a batch");
    assert_eq!((real.status.as_u16(), &real.body["data"]), (200, &dry), "{}", real.body);
    dry.as_object_mut().unwrap().remove("digest");
    let label = dry.as_object_mut().unwrap().remove("label");
    assert_eq!(label.is_some(), dry["matched"] == 1, "only a single record is named");
    dry
}

/// Returns the result of a dry run.
async fn preview(app: &TestApp, token: &str, list: &str, request: &Value) -> Value {
    let dry = bulk(app, token, list, with_field(request.clone(), "dry_run", true)).await;
    assert_eq!(dry.status, 200, "{}", dry.body);
    dry.body["data"].clone()
}

/// Returns the first 100 records of a list.
async fn records(app: &TestApp, token: &str, list: &str) -> Vec<Value> {
    let body = app.get(&format!("{list}?limit=100"), Some(token)).await.body;
    body.as_array().or(body["data"].as_array()).unwrap().clone()
}

/// Creates a contact, and returns its id.
async fn create_contact(app: &TestApp, token: &str, name: &str, website: &str) -> String {
    let path = create_record(app, token, CONTACTS, json!({"name": name, "website": website}), "_id").await;
    path.rsplit('/').next().unwrap().to_owned()
}

/// Returns the expected result of a bulk action that refuses no record.
fn result(matched: u64, changed: u64, unchanged: u64) -> Value {
    json!({"matched": matched, "changed": changed, "unchanged": unchanged, "refused": []})
}

#[tokio::test]
async fn a_bulk_action_on_one_record_names_it() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for record in RECORDS {
        let list = format!("/api/{}", record.list);
        let path = create_record(&app, &token, &list, (record.form)(), record.id_field()).await;
        let label = read_record(&app, &token, &path).await[label_field(record.list)].clone();
        let ids = json!([path.rsplit('/').next().unwrap(), Uuid::now_v7()]);
        let update = json!({"ids": ids, "action": "update", "fields": {record.bulk_field: "lund.example"}});
        assert_eq!(preview(&app, &token, &list, &update).await["label"], label);
        assert_eq!(bulk(&app, &token, &list, update).await.body["data"]["label"], label);
        let deleted = bulk(&app, &token, &list, json!({"ids": ids, "action": "delete"})).await;
        assert_eq!((&deleted.body["data"]["label"], &deleted.body["data"]["changed"]), (&label, &json!(1)));
    }
}

#[tokio::test]
async fn one_value_of_a_warranty_is_changed_and_changed_back_and_the_others_stay() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let warranty = |months: i64| json!({"kind": "Dealer", "months": months, "distance": 12_000});
    let path = create_agreement(&app, &token, json!({"warranty": warranty(12)})).await;
    let change = |months: Value| json!({"ids": [id(&path)], "action": "update", "fields": {"warranty_months": months}});
    let present = async || read_record(&app, &token, &path).await["warranty"].clone();
    assert_eq!(run(&app, &token, AGREEMENTS, change(json!(24))).await, result(1, 1, 0));
    assert_eq!(run(&app, &token, AGREEMENTS, change(json!(24))).await, result(1, 0, 1));
    assert_eq!(present().await, warranty(24));
    let history = app.get("/api/history?resource=agreements", Some(&token)).await.body;
    let revert = format!("/api/history/{}/revert", history["data"][0]["history_id"].as_str().unwrap());
    assert_eq!(app.post(&revert, Some(&token), json!({})).await.status, 200);
    assert_eq!(present().await, warranty(12));
    assert_eq!(run(&app, &token, AGREEMENTS, change(json!(null))).await, result(1, 1, 0));
    assert_eq!(present().await, json!({"kind": "Dealer", "distance": 12_000}));
}

/// Returns the name of the field with the text by which users know a record of this list.
fn label_field(list: &str) -> &'static str {
    match list {
        "invoices" => "customer",
        "agreements" => "number",
        _ => "name",
    }
}

#[tokio::test]
async fn a_bulk_update_changes_the_records_with_the_given_ids() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ids = [
        create_contact(&app, &token, "Ada", "old.example").await,
        create_contact(&app, &token, "Bo", "new.example").await,
        create_contact(&app, &token, "Cy", "").await,
    ];
    let missing = Uuid::now_v7().to_string();
    let fields = json!({"website": " new.example ", "address": "Lund"});
    let request = json!({"ids": [ids[0], ids[1], ids[0], missing, "no id"], "action": "update", "fields": fields});
    assert_eq!(run(&app, &token, CONTACTS, request.clone()).await, result(2, 2, 0));
    let values = async |id: &str| {
        let contact = read_record(&app, &token, &format!("{CONTACTS}/{id}")).await;
        json!([contact["name"], contact["website"], contact["address"], contact["version"]])
    };
    assert_eq!(values(&ids[0]).await, json!(["Ada", "new.example", "Lund", 2]));
    assert_eq!(values(&ids[1]).await, json!(["Bo", "new.example", "Lund", 2]));
    assert_eq!(values(&ids[2]).await, json!(["Cy", "", "", 1]));
    // The same request again changes nothing: two records match and are unchanged.
    assert_eq!(run(&app, &token, CONTACTS, request).await, result(2, 0, 2));
    assert_eq!(values(&ids[0]).await[3], 2);
    let cleared = json!({"ids": [ids[0]], "action": "update", "fields": {"website": null}});
    assert_eq!(run(&app, &token, CONTACTS, cleared).await, result(1, 1, 0));
    assert_eq!(values(&ids[0]).await, json!(["Ada", "", "Lund", 3]));
}

#[tokio::test]
async fn changed_records_are_found_by_their_new_values() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_contact(&app, &token, "Ada", "").await;
    let request = json!({"query": {}, "action": "update", "fields": {"address": "Ölandsgatan 7"}});
    assert_eq!(run(&app, &token, CONTACTS, request).await, result(1, 1, 0));
    let filter = r#"[{"field":"address","op":"contains","value":"OLANDS"}]"#;
    for query in ["search=olandsgatan".to_owned(), format!("filter={filter}")] {
        let found = app.get(&format!("{CONTACTS}?{query}"), Some(&token)).await;
        assert_eq!(found.body["pagination"]["totalContacts"], 1, "{query}");
    }
}

#[tokio::test]
async fn a_query_selects_what_the_list_shows() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (name, website) in [("Ada Ek", ""), ("Bo Ek", "b.example"), ("Cy Berg", "")] {
        create_contact(&app, &token, name, website).await;
    }
    let without = json!([{"field": "website", "op": "is_empty"}]);
    let query = json!({"search": "ek", "filter": without});
    let request = json!({"query": query, "action": "update", "fields": {"website": "ek.example"}});
    assert_eq!(run(&app, &token, CONTACTS, request).await, result(1, 1, 0));

    for name in ["Ada", "Bo"] {
        create_record(&app, &token, customers::PATH, company(name), "customer_id").await;
    }
    let update = |query: Value| json!({"query": query, "action": "update", "fields": {"location": "Lund"}});
    let private = update(json!({"typeAdv": "Private"}));
    assert_eq!(run(&app, &token, customers::PATH, private).await, result(0, 0, 0));
    let companies = update(json!({"typeAdv": "Company", "search": "ada"}));
    assert_eq!(run(&app, &token, customers::PATH, companies).await, result(1, 1, 0));
    for (list, query, field) in [
        (CONTACTS, json!({"typeAdv": "Company"}), "query.typeAdv"),
        (customers::PATH, json!({"importBatchId": "x"}), "query.importBatchId"),
        (customers::PATH, json!({"fromDate": "soon"}), "query.fromDate"),
        (customers::PATH, json!({"searchTerm": "ada"}), "query.searchTerm"),
        (CONTACTS, json!({"serach": "ek"}), "query.serach"),
        (CONTACTS, json!({"filter": [{"field": "age", "op": "is_empty"}]}), "query.filter.age"),
        (CONTACTS, json!({"search": "x".repeat(101)}), "query.search"),
        (CONTACTS, json!({"filter": [{"field": "name", "op": "is", "value": "x".repeat(501)}]}), "query.filter.name"),
    ] {
        let response = bulk(&app, &token, list, json!({"query": query, "action": "delete"})).await;
        assert_eq!(response.status, 400, "{field}: {}", response.body);
        assert!(response.body["fields"][field][0].is_string(), "{field}: {}", response.body);
    }
    assert_eq!(records(&app, &token, CONTACTS).await.len(), 3);
    assert_eq!(records(&app, &token, customers::PATH).await.len(), 2);
}

#[tokio::test]
async fn records_that_break_a_rule_are_refused_and_the_others_changed() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let early = with_field(invoice("Early"), "startDate", "2027-01-01");
    create_record(&app, &token, invoices::PATH, early, "_id").await;
    let late = create_record(&app, &token, invoices::PATH, invoice("Late"), "_id").await;
    let request = json!({"query": {}, "action": "update", "fields": {"endDate": "2027-01-05"}});
    let done = run(&app, &token, invoices::PATH, request).await;
    let sentence = "End date must be after start date";
    assert_eq!((&done["matched"], &done["changed"]), (&json!(2), &json!(1)));
    let refused = &done["refused"][0];
    assert_eq!((&refused["label"], &refused["message"]), (&json!("Late"), &json!(sentence)));
    assert!(late.ends_with(refused["id"].as_str().unwrap()));
    assert_eq!(refused["messages"][0]["code"], "invoices.dates_reversed");
    let dates: Vec<_> =
        records(&app, &token, invoices::PATH).await.iter().map(|invoice| invoice["endDate"].clone()).collect();
    assert_eq!(dates, ["2027-02-10", "2027-01-05"]);
}

#[tokio::test]
async fn a_bulk_update_keeps_social_security_numbers() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let number = "19900101-0017";
    let private = with_field(with_field(customer("Ada"), "type", "Private"), "socialSecurityNumber", number);
    let path = create_record(&app, &token, customers::PATH, private, "customer_id").await;
    let stored = read_record(&app, &token, &path).await["socialSecurityNumber"].clone();
    assert!(!stored.as_str().unwrap().is_empty());
    let request = json!({"query": {}, "action": "update", "fields": {"location": "Lund"}});
    assert_eq!(run(&app, &token, customers::PATH, request).await, result(1, 1, 0));
    let changed = read_record(&app, &token, &path).await;
    assert_eq!((&changed["socialSecurityNumber"], &changed["location"]), (&stored, &json!("Lund")));
    // The customer cannot become a company, because a company needs an organization number.
    let request = json!({"query": {}, "action": "update", "fields": {"type": "Company", "location": "Malmö"}});
    let done = run(&app, &token, customers::PATH, request).await;
    assert_eq!((&done["changed"], &done["refused"][0]["label"]), (&json!(0), &json!("Ada")), "{done}");
}

#[tokio::test]
async fn deletes_records_with_what_belongs_to_them() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ids = [create_contact(&app, &token, "Ada", "").await, create_contact(&app, &token, "Bo", "").await];
    app.post(&format!("{CONTACTS}/{}/comments", ids[0]), Some(&token), json!({"comment": "Called"})).await;
    let request = json!({"ids": [ids[0], Uuid::now_v7()], "action": "delete"});
    assert_eq!(run(&app, &token, CONTACTS, request).await, result(1, 1, 0));
    let left = records(&app, &token, CONTACTS).await;
    assert_eq!(left.iter().map(|contact| contact["name"].clone()).collect::<Vec<_>>(), ["Bo"]);
    assert_eq!(app.db().sql("SELECT count(*) FROM comments").value::<i64>().await.unwrap(), 0);
}

#[tokio::test]
async fn an_action_on_records_that_changed_since_the_preview_is_rejected() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ids = [create_contact(&app, &token, "Ada", "").await, create_contact(&app, &token, "Bo", "").await];
    let update = |target: &str, value: Value| json!({target: value, "action": "update", "fields": {"address": "Lund"}});
    let delete = |target: &str, value: Value| json!({target: value, "action": "delete"});
    let requests = [
        update("query", json!({"search": "o"})),
        delete("query", json!({})),
        update("ids", json!(ids)),
        delete("ids", json!(ids)),
    ];
    for (phone, request) in ["1", "2", "3", "4"].into_iter().zip(&requests) {
        let expected = preview(&app, &token, CONTACTS, request).await["digest"].clone();
        let path = format!("{CONTACTS}/{}", ids[1]);
        let contact = read_record(&app, &token, &path).await;
        let changed = put(&app, &path, &token, with_field(contact, "phone", phone)).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let before = records(&app, &token, CONTACTS).await;
        let real = bulk(&app, &token, CONTACTS, with_field(request.clone(), "expected", expected)).await;
        let sentence = "The records have changed since the preview. Check the new numbers, then confirm.";
        assert_eq!((real.status.as_u16(), &real.body["message"]), (409, &json!(sentence)), "{request}");
        assert_eq!(records(&app, &token, CONTACTS).await, before, "{request}");
    }
    // Since the preview, the query finds one more record.
    let expected = preview(&app, &token, CONTACTS, &requests[0]).await["digest"].clone();
    create_contact(&app, &token, "Otto", "").await;
    let real = bulk(&app, &token, CONTACTS, with_field(requests[0].clone(), "expected", expected)).await;
    assert_eq!(real.status, 409);
    // A request without `expected`, the digest of a preview, is not compared with one.
    assert_eq!(bulk(&app, &token, CONTACTS, requests[1].clone()).await.body["data"]["changed"], 3);
}

#[tokio::test]
async fn customers_whose_purchases_were_removed_in_bulk_are_filtered_by_their_days_of_creation() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let bought = |name: &str, day: &str| with_field(company(name), "latestPurchase", day);
    create_record(&app, &token, customers::PATH, bought("Ada", "2026-01-01"), "customer_id").await;
    app.advance(DAY);
    let token = app.sign_in(CLERK).await;
    create_record(&app, &token, customers::PATH, bought("Bo", "2026-01-02"), "customer_id").await;
    let request = json!({"query": {}, "action": "update", "fields": {"latestPurchase": null}});
    assert_eq!(run(&app, &token, customers::PATH, request).await, result(2, 2, 0));
    // Without a purchase, the list filters these customers by their day of creation.
    for (day, name) in [("2027-01-15", "Ada"), ("2027-01-16", "Bo")] {
        let path = format!("{}?fromDate={day}&toDate={day}", customers::PATH);
        let found = app.get(&path, Some(&token)).await.body;
        let names: Vec<_> = found["data"].as_array().unwrap().iter().map(|customer| &customer["name"]).collect();
        assert_eq!(names, [name], "{day}");
    }
}

#[tokio::test]
async fn many_records_take_few_statements() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for index in 0..60 {
        create_contact(&app, &token, &format!("Ada {index}"), "").await;
    }
    let statements = async |fields: Value| {
        let node = app.start_another_node().await;
        let before = node.db().statements();
        let done = bulk(&node, &token, CONTACTS, json!({"query": {}, "action": "update", "fields": fields})).await;
        assert_eq!(done.body["data"]["changed"], 60, "{}", done.body);
        node.db().statements() - before
    };
    let count = statements(json!({"address": "Lund", "website": "lund.example"})).await;
    assert!(count < 20, "{count} statements");
}

#[tokio::test]
async fn records_of_another_corporation_are_not_found() {
    let app = TestApp::start().await;
    let (clerk, other) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let id = create_contact(&app, &clerk, "Ada", "").await;
    for request in [
        json!({"ids": [id], "action": "update", "fields": {"website": "taken.example"}}),
        json!({"ids": [id], "action": "delete"}),
        json!({"query": {}, "action": "delete"}),
    ] {
        assert_eq!(run(&app, &other, CONTACTS, request).await, result(0, 0, 0));
    }
    let contact = read_record(&app, &clerk, &format!("{CONTACTS}/{id}")).await;
    assert_eq!((&contact["website"], &contact["version"]), (&json!(""), &json!(1)));
}

#[tokio::test]
async fn readers_and_users_without_a_role_can_run_no_bulk_action() {
    let app = TestApp::start().await;
    let (reader, nobody, admin) = (app.sign_in(READER).await, app.sign_in(NO_ROLE).await, app.sign_in(ADMIN).await);
    for record in RECORDS {
        let list = &format!("/api/{}", record.list);
        for request in [
            json!({"ids": [], "action": "update", "fields": {record.bulk_field: ""}, "dry_run": true}),
            json!({"query": {}, "action": "delete"}),
        ] {
            for token in [&reader, &nobody] {
                assert_eq!(bulk(&app, token, list, request.clone()).await.status, 403, "{list} {request}");
            }
        }
        assert_eq!(bulk(&app, &admin, list, json!({"ids": [], "action": "delete"})).await.status, 200, "{list}");
    }
}

#[tokio::test]
async fn invalid_actions_are_rejected_before_anything_changes() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let id = create_contact(&app, &token, "Ada", "").await;
    let before = records(&app, &token, CONTACTS).await;
    for (request, field) in [
        (json!({"action": "delete"}), "ids"),
        (json!({"ids": [id], "query": {}, "action": "delete"}), "ids"),
        (json!({"ids": [id], "action": "rename"}), "action"),
        (json!({"query": {}, "search": "bo", "action": "delete"}), "search"),
        (json!({"ids": [id], "action": "delete", "dryRun": true}), "dryRun"),
        (json!({"ids": [id], "action": "update"}), "fields"),
        (json!({"ids": [id], "action": "delete", "fields": {"website": "a.se"}}), "fields"),
        (json!({"ids": [id], "action": "update", "fields": {"createdAt": "x"}}), "fields.createdAt"),
        (json!({"ids": [id], "action": "update", "fields": {"website": 7}}), "fields.website"),
        (json!({"ids": [id], "action": "update", "fields": {"website": ["a.se"]}}), "fields.website"),
    ] {
        let response = bulk(&app, &token, CONTACTS, request.clone()).await;
        assert_eq!(response.status, 400, "{request}: {}", response.body);
        assert!(response.body["fields"][field][0].is_string(), "{request}: {}", response.body);
    }
    // Invoices need a website, contacts don't.
    let emptied = json!({"ids": [id], "action": "update", "fields": {"website": " "}});
    let response = bulk(&app, &token, invoices::PATH, emptied).await;
    let error = &response.body["fields"]["fields.website"];
    assert_eq!((response.status.as_u16(), error), (400, &json!(["Enter a value."])), "{}", response.body);
    let many: Vec<_> = (0..=RECORDS_MAX).map(|_| Uuid::now_v7()).collect();
    let response = bulk(&app, &token, CONTACTS, json!({"ids": many, "action": "delete"})).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.body["message"], "A bulk action can have at most 10,000 records. Select fewer.");
    let most = json!({"ids": many[1..], "action": "delete"});
    assert_eq!(bulk(&app, &token, CONTACTS, most).await.status, 200);
    assert_eq!(records(&app, &token, CONTACTS).await, before);
}
