//! Merging records and undoing it: one transaction, one batch in the history.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, TestApp};
use crate::comments::{add_comment, comment_texts};
use crate::customers::{company, customer};
use crate::helpers::{assert_error, count, create_record, delete, put, read_record, with_field};
use crate::invoices::invoice;
use forecourt_core::contacts::COMMENTS_MAX;
use forecourt_core::duplicates::text;
use forecourt_core::history::text as history_text;
use serde_json::{Value, json};

pub const CONTACTS: &str = "/api/contacts";
pub const CUSTOMERS: &str = "/api/customers";

pub async fn merge(app: &TestApp, token: &str, list: &str, input: Value) -> ApiResponse {
    app.post(&format!("{list}/merge"), Some(token), input).await
}

/// Merges records, asserts that it succeeds, and returns the id of the batch in the history.
pub async fn merge_ok(app: &TestApp, token: &str, list: &str, input: Value) -> String {
    let response = merge(app, token, list, input).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (200, &json!(text::MERGED.as_str())),
        "{}",
        response.body
    );
    response.body["batch_id"].as_str().unwrap().to_owned()
}

pub async fn revert(app: &TestApp, token: &str, entry: &str, input: Value) -> ApiResponse {
    app.post(&format!("/api/history/{entry}/revert"), Some(token), input).await
}

/// Returns the history entries that match these query parameters, newest first.
pub async fn history(app: &TestApp, token: &str, query: &str) -> Vec<Value> {
    app.get(&format!("/api/history?{query}"), Some(token)).await.body["data"].as_array().unwrap().clone()
}

pub async fn create(app: &TestApp, token: &str, form: Value) -> Value {
    let path = create_record(app, token, CONTACTS, form, "_id").await;
    read_record(app, token, &path).await
}

pub fn path(contact: &Value) -> String {
    format!("{CONTACTS}/{}", contact["_id"].as_str().unwrap())
}

pub fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// Creates two contacts, each with a comment and other details, and returns them.
pub async fn create_pair(app: &TestApp, token: &str) -> (Value, Value) {
    let one =
        json!({"name": "Maja Holm", "email": "maja@example.se", "phone": "070", "otherDetails": {"Town": "Lund"}});
    let two = json!({"name": "Maja H", "email": "m@example.se", "address": "Malmö", "otherDetails": {"Town": "Malmö", "Dog": "Rex"}});
    let (one, two) = (create(app, token, one).await, create(app, token, two).await);
    add_comment(app, token, &one, "Called").await;
    add_comment(app, token, &two, "Wrote").await;
    (read_record(app, token, &path(&one)).await, read_record(app, token, &path(&two)).await)
}

#[tokio::test]
async fn a_merge_takes_values_and_moves_comments_and_details() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let input = json!({
        "keep": one["_id"], "ids": [two["_id"]], "fields": {"email": "m@example.se", "address": "Malmö", "phone": null},
        "versions": {one["_id"].as_str().unwrap(): one["version"], two["_id"].as_str().unwrap(): two["version"]},
    });
    let counted = count(&app, "SELECT count(*) FROM history").await;
    let dry = merge(&app, &token, CONTACTS, with_field(input.clone(), "dry_run", true)).await;
    assert_eq!((dry.status.as_u16(), dry.body.get("batch_id")), (200, None), "{}", dry.body);
    assert_eq!(dry.body["message"], text::would_merge(2).as_str());
    assert_eq!(dry.body["moved"], json!({"comments": 1, "links": 0, "details": 1}));
    assert_eq!(count(&app, "SELECT count(*) FROM history").await, counted, "a dry run writes nothing");
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
    let response = merge(&app, &token, CONTACTS, input).await;
    assert_eq!(
        (&response.body["data"]["email"], &response.body["moved"]),
        (&json!("m@example.se"), &dry.body["moved"])
    );
    let kept = read_record(&app, &token, &path(&one)).await;
    let shown = ["name", "email", "phone", "address", "otherDetails", "version"].map(|field| kept[field].clone());
    let details = json!({"Town": "Lund", "Dog": "Rex"});
    assert_eq!(shown, [json!("Maja Holm"), json!("m@example.se"), json!(""), json!("Malmö"), details, json!(2)]);
    assert_eq!(comment_texts(&app, &token, &one).await, ["Wrote", "Called"]);
    assert_eq!(app.get(&path(&two), Some(&token)).await.status, 404);
    let trash = app.get("/api/trash", Some(&token)).await.body;
    assert_eq!((&trash["totalItems"], &trash["data"][0]["id"]), (&json!(1), &two["_id"]));
}

#[tokio::test]
async fn a_merge_is_one_batch_in_the_history_that_can_be_undone() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let input = json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {"email": "m@example.se"}});
    let batch = merge_ok(&app, &token, CONTACTS, input).await;
    let of_one = format!("resource=contacts&id={}", one["_id"].as_str().unwrap());
    let entry = history(&app, &token, &of_one).await.remove(0);
    assert_eq!(
        (&entry["action"], &entry["batch_id"], &entry["undo"]),
        (&json!("merged"), &json!(batch), &json!("delete"))
    );
    assert_eq!(entry["changes"], json!([{"field": "email", "before": "maja@example.se", "after": "m@example.se"}]));
    let admin = app.sign_in(ADMIN).await;
    let of_batch = history(&app, &admin, "action=merged").await.remove(0);
    assert_eq!((&of_batch["history_id"], &of_batch["records"]), (&json!(batch), &json!(2)));
    let dry = revert(&app, &token, &batch, json!({"dry_run": true})).await;
    assert_eq!(
        (&dry.body["data"]["reverted"], &dry.body["data"]["fields"]),
        (&json!(1), &json!(["email"])),
        "{}",
        dry.body
    );
    assert_eq!(app.get(&path(&two), Some(&token)).await.status, 404, "a dry run writes nothing");
    let undone = revert(&app, &token, &batch, json!({})).await;
    assert_eq!(
        (undone.status.as_u16(), &undone.body["message"]),
        (200, &json!(text::UNMERGED.as_str())),
        "{}",
        undone.body
    );
    let kept = read_record(&app, &token, &path(&one)).await;
    assert_eq!((&kept["email"], &kept["otherDetails"]), (&one["email"], &one["otherDetails"]));
    assert_eq!(kept["comments"], one["comments"]);
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
    let actions: Vec<Value> =
        history(&app, &token, &of_one).await.iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions[..2], ["unmerged", "merged"]);
    let merged =
        [history(&app, &token, &of_one).await.remove(1), history(&app, &admin, "action=merged").await.remove(0)];
    assert_eq!(merged.map(|entry| entry["undo"].clone()), [Value::Null, Value::Null]);
    assert_error(&revert(&app, &token, &batch, json!({})).await, 409, history_text::NOT_IN_TRASH.as_str());
}

#[tokio::test]
async fn undoing_a_merge_by_the_kept_records_entry_responds_with_that_record() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    merge_ok(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {"name": "Maja"}}))
        .await;
    let entry =
        history(&app, &token, &format!("resource=contacts&id={}", one["_id"].as_str().unwrap())).await.remove(0);
    let undone = revert(&app, &token, entry["history_id"].as_str().unwrap(), json!({})).await;
    assert_eq!((undone.status.as_u16(), &undone.body["data"]["name"]), (200, &json!("Maja Holm")), "{}", undone.body);
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
}

#[tokio::test]
async fn a_field_that_was_changed_since_the_merge_is_undone_only_with_overwrite() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (on_conflict, email) in [("keep", "new@example.se"), ("overwrite", "maja@example.se")] {
        let (one, two) = create_pair(&app, &token).await;
        let fields = json!({"email": "m@example.se", "name": "Maja"});
        let batch =
            merge_ok(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": [two["_id"]], "fields": fields})).await;
        let changed = json!({"name": "Maja", "email": "new@example.se", "phone": "070"});
        assert_eq!(put(&app, &path(&one), &token, changed).await.status, 200);
        let refused = revert(&app, &token, &batch, json!({})).await;
        assert_error(&refused, 409, history_text::CHANGED_SINCE.as_str());
        assert_eq!(app.get(&path(&two), Some(&token)).await.status, 404, "nothing is undone");
        let undone = revert(&app, &token, &batch, json!({"on_conflict": on_conflict})).await;
        assert_eq!(undone.status, 200, "{}", undone.body);
        let kept = read_record(&app, &token, &path(&one)).await;
        assert_eq!((&kept["email"], &kept["name"]), (&json!(email), &json!("Maja Holm")));
        assert_eq!(app.get(&path(&two), Some(&token)).await.status, 200);
    }
}

#[tokio::test]
async fn comments_that_were_changed_or_deleted_since_are_not_lost_and_do_not_come_back() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let deleted = add_comment(&app, &token, &two, "Deleted later").await;
    let edited = two["comments"][0]["_id"].as_str().unwrap();
    let batch = merge_ok(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {}})).await;
    let comment = |id: &str| format!("{}/comments/{id}", path(&one));
    assert_eq!(put(&app, &comment(edited), &token, json!({"comment": "Wrote twice"})).await.status, 200);
    assert_eq!(delete(&app, &comment(deleted["_id"].as_str().unwrap()), &token).await.status, 200);
    add_comment(&app, &token, &one, "Later").await;
    assert_eq!(revert(&app, &token, &batch, json!({})).await.status, 200);
    assert_eq!(comment_texts(&app, &token, &two).await, ["Wrote twice"]);
    assert_eq!(comment_texts(&app, &token, &one).await, ["Later", "Called"]);
}

#[tokio::test]
async fn a_merged_record_that_is_restored_from_the_trash_gets_its_comments_back() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let batch = merge_ok(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {}})).await;
    let restored =
        app.post("/api/trash/restore", Some(&token), json!({"resource": "contacts", "ids": [two["_id"]]})).await;
    assert_eq!(restored.status, 200, "{}", restored.body);
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
    assert_eq!(comment_texts(&app, &token, &one).await, ["Called"]);
    assert_error(&revert(&app, &token, &batch, json!({})).await, 409, history_text::NOT_IN_TRASH.as_str());
}

#[tokio::test]
async fn the_invoices_of_merged_customers_move_and_go_back() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let one = create_record(&app, &token, CUSTOMERS, customer("Ada"), "customer_id").await;
    let two = create_record(&app, &token, CUSTOMERS, customer("Ada E"), "customer_id").await;
    let before = [read_record(&app, &token, &one).await, read_record(&app, &token, &two).await];
    let mut invoices = Vec::new();
    for customer in [&one, &two, &two] {
        let form = with_field(invoice("Ada"), "customer_id", id(customer));
        invoices.push(create_record(&app, &token, "/api/invoices", form, "_id").await);
    }
    let fields = json!({"name": "Ada Ek", "companyName": "Ek", "totalSpent": 12.5, "numberOfOrders": 3, "latestPurchase": "2026-01-31"});
    let batch = merge_ok(&app, &token, CUSTOMERS, json!({"keep": id(&one), "ids": [id(&two)], "fields": fields})).await;
    let kept = read_record(&app, &token, &one).await;
    let shown = ["name", "companyName", "totalSpent", "numberOfOrders", "latestPurchase", "socialSecurityNumber"];
    let values = [json!("Ada Ek"), json!("Ek"), json!(12.5), json!(3), json!("2026-01-31"), json!("19121212-1212")];
    assert_eq!(shown.map(|field| kept[field].clone()), values);
    let customers = async || {
        let mut ids = Vec::new();
        for invoice in &invoices {
            ids.push(read_record(&app, &token, invoice).await["customer_id"].as_str().unwrap_or_default().to_owned());
        }
        ids
    };
    assert_eq!(customers().await, [id(&one); 3]);
    let moved = history(&app, &token, &format!("resource=invoices&id={}", id(&invoices[1]))).await.remove(0);
    let change = json!([{"field": "customer_id", "before": id(&two), "after": id(&one)}]);
    assert_eq!((&moved["changes"], &moved["batch_id"]), (&change, &json!(batch)));
    // An invoice that was linked to another customer after the merge keeps that customer when the merge is undone.
    let third = create_record(&app, &token, CUSTOMERS, company("Nordbil"), "customer_id").await;
    let relinked = with_field(invoice("Ada"), "customer_id", id(&third));
    assert_eq!(put(&app, &invoices[2], &token, relinked).await.status, 200);
    assert_eq!(revert(&app, &token, &batch, json!({})).await.status, 200);
    assert_eq!(customers().await, [id(&one), id(&two), id(&third)]);
    assert_eq!(read_record(&app, &token, &two).await, before[1]);
    let kept = read_record(&app, &token, &one).await;
    for field in ["name", "companyName", "totalSpent", "numberOfOrders", "latestPurchase", "socialSecurityNumber"] {
        assert_eq!(kept.get(field), before[0].get(field), "{field}");
    }
}

#[tokio::test]
async fn the_result_of_a_merge_obeys_the_rules_of_the_form() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let one = create_record(&app, &token, CUSTOMERS, customer("Ada"), "customer_id").await;
    let two = create_record(&app, &token, CUSTOMERS, company("Nordbil"), "customer_id").await;
    let try_fields = async |keep: &str, other: &str, fields: Value| {
        merge(&app, &token, CUSTOMERS, json!({"keep": id(keep), "ids": [id(other)], "fields": fields})).await
    };
    for (fields, field) in [
        (json!({"email": "none"}), "email"),
        (json!({"name": null}), "name"),
        (json!({"status": "Gone"}), "status"),
        (json!({"type": "Company"}), "organizationNumber"),
        (json!({"type": "Company", "organizationNumber": "556036-0793"}), "type"),
        (json!({"socialSecurityNumber": "1"}), "socialSecurityNumber"),
        (json!({"customerNumber": "C-1"}), "customerNumber"),
        (json!({"numberOfOrders": "many"}), "numberOfOrders"),
    ] {
        let response = try_fields(&one, &two, fields.clone()).await;
        assert_eq!(response.status, 400, "{fields} {}", response.body);
        assert!(
            response.body["fields"][field].is_string() || response.body.to_string().contains(field),
            "{}",
            response.body
        );
    }
    let without_number = try_fields(&two, &one, json!({"type": "Private"})).await;
    assert_eq!(without_number.status, 400, "{}", without_number.body);
    assert_eq!(read_record(&app, &token, &two).await["version"], 1, "nothing was written");
}

#[tokio::test]
async fn a_merge_of_records_that_have_changed_is_a_conflict() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let input = json!({
        "keep": one["_id"], "ids": [two["_id"]], "fields": {},
        "versions": {one["_id"].as_str().unwrap(): 1, two["_id"].as_str().unwrap().to_uppercase(): 1},
    });
    assert_eq!(put(&app, &path(&two), &token, json!({"name": "Maja"})).await.status, 200);
    assert_error(&merge(&app, &token, CONTACTS, input.clone()).await, 409, text::CHANGED_SINCE.as_str());
    let unreadable = merge(&app, &token, CONTACTS, with_field(input, "versions", json!({"one": 1}))).await;
    assert_eq!(unreadable.body["fields"]["versions"], json!([text::VERSIONS_INVALID.as_str()]));
}

#[tokio::test]
async fn a_record_with_too_many_comments_is_not_merged() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let id: uuid::Uuid = one["_id"].as_str().unwrap().parse().unwrap();
    let (corp, user): (uuid::Uuid, uuid::Uuid) =
        app.db().sql("SELECT corp_id, user_id FROM comments LIMIT 1").one().await.unwrap();
    for _ in 1..COMMENTS_MAX {
        let sql = app.db().sql(
            "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) VALUES (",
        );
        let sql = sql.arg(corp).comma(uuid::Uuid::now_v7()).comma(id).comma(user);
        sql.push(", 'Called', 0, 0)").exec().await.unwrap();
    }
    let response = merge(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {}})).await;
    let message = text::too_much_moved(COMMENTS_MAX.into());
    assert_eq!((response.status.as_u16(), &response.body["fields"]["ids"][0]), (400, &json!(message.as_str())));
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
}

#[tokio::test]
async fn only_who_may_update_and_delete_merges_records_of_the_own_tenant() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let input = json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {}});
    for user in [READER, NO_ROLE] {
        let token = app.sign_in(user).await;
        assert_eq!(merge(&app, &token, CONTACTS, input.clone()).await.status, 403, "{user}");
    }
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(merge(&app, &other, CONTACTS, input.clone()).await.status, 404);
    let foreign = create(&app, &other, json!({"name": "Bo"})).await;
    for ids in [json!([foreign["_id"]]), json!([two["_id"], foreign["_id"]]), json!(["none"])] {
        let input = with_field(input.clone(), "ids", ids);
        assert_eq!(merge(&app, &token, CONTACTS, input).await.status, 404);
    }
    let twice = with_field(input.clone(), "ids", json!([two["_id"], two["_id"]]));
    let batch = merge_ok(&app, &token, CONTACTS, twice).await;
    assert_eq!(revert(&app, &other, &batch, json!({})).await.status, 404);
    let reader = app.sign_in(READER).await;
    assert_eq!(revert(&app, &reader, &batch, json!({})).await.status, 403);
    assert_eq!(delete(&app, &path(&one), &token).await.status, 200);
    assert_error(&revert(&app, &token, &batch, json!({})).await, 409, history_text::RECORD_DELETED.as_str());
}

#[tokio::test]
async fn a_record_is_not_merged_with_itself_in_another_spelling() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, _) = create_pair(&app, &token).await;
    let same = one["_id"].as_str().unwrap().to_uppercase();
    let response = merge(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": [same]})).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["fields"]["ids"][0]),
        (400, &json!(text::KEEP_AMONG_IDS.as_str()))
    );
    assert_eq!(read_record(&app, &token, &path(&one)).await["name"], one["name"]);
}
