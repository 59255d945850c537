//! Restoring some or all records of a merge: what moves back to each, even if the kept record was deleted or merged
//! since. Also what other users do during a merge.

use crate::app::{ADMIN, CLERK, TestApp};
use crate::comments::{add_comment, comment_texts};
use crate::customers::customer;
use crate::helpers::{create_record, delete, permission_line, put, read_record, role_id, wait_until, with_field};
use crate::invoices::invoice;
use crate::merge::{CONTACTS, CUSTOMERS, create, create_pair, history, id, merge, merge_ok, path, revert};
use forecourt::features::trash::sweep;
use forecourt::platform::db::Db;
use serde_json::{Value, json};
use uuid::Uuid;

async fn restore(app: &TestApp, token: &str, list: &str, ids: &[&Value]) {
    let input = json!({"resource": list, "ids": ids});
    let response = app.post("/api/trash/restore", Some(token), input).await;
    assert_eq!((response.status.as_u16(), &response.body["data"]["count"]), (200, &json!(ids.len())));
}

/// Merges the contact `other` into the contact `keep`, and returns the id of the batch.
async fn merge_two(app: &TestApp, token: &str, keep: &Value, other: &Value) -> String {
    merge_ok(app, token, CONTACTS, json!({"keep": keep["_id"], "ids": [other["_id"]], "fields": {}})).await
}

/// Returns a contact's other details and the texts of its comments, newest first.
async fn parts(app: &TestApp, token: &str, contact: &Value) -> (Value, Vec<String>) {
    let details = read_record(app, token, &path(contact)).await["otherDetails"].clone();
    (details, comment_texts(app, token, contact).await)
}

#[tokio::test]
async fn details_go_back_to_each_merged_contact_that_gave_them() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let contact = async |details: Value| create(&app, &token, json!({"name": "Maja", "otherDetails": details})).await;
    let kept = contact(json!({"Town": "Lund"})).await;
    let one = contact(json!({"Fax": "1", "Town": "Malmö"})).await;
    let two = contact(json!({"Fax": "1", "Dog": "Rex", "Cat": "Mio"})).await;
    let three = contact(json!({"Fax": "2", "Bird": "Kra"})).await;
    let ids = json!([one["_id"], two["_id"], three["_id"]]);
    let batch = merge_ok(&app, &token, CONTACTS, json!({"keep": kept["_id"], "ids": ids, "fields": {}})).await;
    let details = async || parts(&app, &token, &kept).await.0;
    let all = json!({"Town": "Lund", "Fax": "1", "Dog": "Rex", "Cat": "Mio", "Bird": "Kra"});
    assert_eq!(details().await, all);
    let changed = json!({"name": "Maja", "otherDetails": with_field(all, "Cat", "Moa")});
    assert_eq!(put(&app, &path(&kept), &token, changed).await.status, 200);

    restore(&app, &token, "contacts", &[&two["_id"]]).await;
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
    let left = json!({"Town": "Lund", "Fax": "1", "Cat": "Moa", "Bird": "Kra"});
    assert_eq!(details().await, left, "another one has given the same fax, and the cat was changed");
    let of_kept = format!("resource=contacts&id={}", kept["_id"].as_str().unwrap());
    let entry = history(&app, &token, &of_kept).await.remove(0);
    assert_eq!((&entry["action"], &entry["changes"]), (&json!("unmerged"), &json!([])));

    assert_eq!(revert(&app, &token, &batch, json!({})).await.status, 200);
    assert_eq!(details().await, json!({"Town": "Lund", "Cat": "Moa"}));
    for contact in [one, three] {
        assert_eq!(read_record(&app, &token, &path(&contact)).await, contact);
    }
}

#[tokio::test]
async fn restoring_two_merged_records_adds_one_entry_to_the_kept_one() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let three = create(&app, &token, json!({"name": "Maja"})).await;
    add_comment(&app, &token, &three, "Mailed").await;
    let ids = json!([two["_id"], three["_id"]]);
    merge_ok(&app, &token, CONTACTS, json!({"keep": one["_id"], "ids": ids, "fields": {}})).await;
    restore(&app, &token, "contacts", &[&two["_id"], &three["_id"]]).await;
    assert_eq!(parts(&app, &token, &one).await, (one["otherDetails"].clone(), vec!["Called".to_owned()]));
    let of_one = history(&app, &token, &format!("resource=contacts&id={}", one["_id"].as_str().unwrap())).await;
    let actions: Vec<_> = of_one.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["unmerged", "merged", "updated", "created"]);
    assert!(of_one[0]["batch_id"].is_string(), "of the restored records");
}

#[tokio::test]
async fn a_merged_record_gets_everything_back_while_the_kept_one_is_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    merge_two(&app, &token, &one, &two).await;
    assert_eq!(delete(&app, &path(&one), &token).await.status, 200);
    restore(&app, &token, "contacts", &[&two["_id"]]).await;
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
    restore(&app, &token, "contacts", &[&one["_id"]]).await;
    assert_eq!(parts(&app, &token, &one).await, (one["otherDetails"].clone(), vec!["Called".to_owned()]));
}

#[tokio::test]
async fn customers_get_their_invoices_back_when_they_are_restored_after_a_merge_and_a_deletion() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for together in [false, true] {
        let one = create_record(&app, &token, CUSTOMERS, customer("Ada"), "customer_id").await;
        let two = create_record(&app, &token, CUSTOMERS, customer("Ada E"), "customer_id").await;
        let mut invoices = Vec::new();
        for customer in [&one, &two] {
            let form = with_field(invoice("Ada"), "customer_id", id(customer));
            invoices.push(create_record(&app, &token, "/api/invoices", form, "_id").await);
        }
        let input = json!({"keep": id(&one), "ids": [id(&two)], "fields": {}});
        merge_ok(&app, &token, CUSTOMERS, input).await;
        assert_eq!(delete(&app, &one, &token).await.status, 200);
        let [kept, other] = [json!(id(&one)), json!(id(&two))];
        match together {
            true => restore(&app, &token, "customers", &[&kept, &other]).await,
            false => {
                restore(&app, &token, "customers", &[&other]).await;
                let before = read_record(&app, &token, &invoices[0]).await["customer_id"].clone();
                assert_eq!(before, Value::Null, "it belongs to the one in the trash");
                restore(&app, &token, "customers", &[&kept]).await;
            }
        }
        for (invoice, customer) in invoices.iter().zip([kept, other]) {
            assert_eq!(read_record(&app, &token, invoice).await["customer_id"], customer, "together: {together}");
        }
    }
}

#[tokio::test]
async fn a_merged_record_gets_everything_back_after_the_kept_one_was_merged_too() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let last = create(&app, &token, json!({"name": "M Holm", "otherDetails": {"Town": "Ystad"}})).await;
    merge_two(&app, &token, &one, &two).await;
    let batch = merge_two(&app, &token, &last, &one).await;
    assert_eq!(parts(&app, &token, &last).await.0, json!({"Town": "Ystad", "Dog": "Rex"}));
    restore(&app, &token, "contacts", &[&two["_id"]]).await;
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
    assert_eq!(parts(&app, &token, &last).await, (json!({"Town": "Ystad"}), vec!["Called".to_owned()]));
    assert_eq!(revert(&app, &token, &batch, json!({})).await.status, 200);
    assert_eq!(parts(&app, &token, &one).await, (one["otherDetails"].clone(), vec!["Called".to_owned()]));
    assert_eq!(parts(&app, &token, &last).await, (json!({"Town": "Ystad"}), vec![]));
}

#[tokio::test]
async fn a_merged_record_gets_everything_back_after_kept_records_were_purged() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for is_expired in [false, true] {
        // Create this contact first, so that the contacts are not purged in the order of their merges by chance.
        let three = create(&app, &token, json!({"name": "M Holm", "otherDetails": {"Town": "Ystad"}})).await;
        let (one, two) = create_pair(&app, &token).await;
        let last = create(&app, &token, json!({"name": "Maja H"})).await;
        merge_two(&app, &token, &one, &two).await;
        merge_two(&app, &token, &three, &one).await;
        merge_two(&app, &token, &last, &three).await;
        if is_expired {
            let db = app.db().all_tenants();
            let sql = db.sql("UPDATE trash SET deleted_at = 0 WHERE label IN ('M Holm', 'Maja Holm')");
            assert_eq!(sql.exec().await.unwrap(), 2);
            sweep(&app.app).await.unwrap();
        } else {
            let input = json!({"resource": "contacts", "ids": [one["_id"], three["_id"]]});
            let purge = app.request(reqwest::Method::DELETE, "/api/trash", Some(&token)).json(&input);
            assert_eq!(app.send(purge).await.status, 200);
        }
        restore(&app, &token, "contacts", &[&two["_id"]]).await;
        assert_eq!(read_record(&app, &token, &path(&two)).await, two, "expired: {is_expired}");
        assert_eq!(parts(&app, &token, &last).await.0, json!({"Town": "Ystad"}));
    }
}

#[tokio::test]
async fn restoring_a_merged_record_needs_the_permission_to_update_too() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let admin = app.sign_in(ADMIN).await;
    let (one, two) = create_pair(&app, &token).await;
    let three = create(&app, &token, json!({"name": "M Holm"})).await;
    merge_two(&app, &token, &one, &two).await;
    assert_eq!(delete(&app, &path(&three), &token).await.status, 200);
    let role = format!("/api/rbac/roles/{}/permissions", role_id(&app, "Clerk").await);
    let grant = async |may_update: bool| {
        let line = permission_line("contacts", [true, true, may_update, true]);
        assert_eq!(app.post(&role, Some(&admin), json!({"permissions": [line]})).await.status, 200);
    };
    grant(false).await;
    let input = json!({"resource": "contacts", "ids": [two["_id"], three["_id"]]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), input).await.status, 403);
    let deletion = history(&app, &token, &format!("resource=contacts&id={}", two["_id"].as_str().unwrap())).await;
    assert_eq!(deletion[0]["action"], "deleted");
    for input in [json!({"dry_run": true}), json!({})] {
        assert_eq!(revert(&app, &token, deletion[0]["history_id"].as_str().unwrap(), input).await.status, 403);
    }
    restore(&app, &token, "contacts", &[&three["_id"]]).await;
    grant(true).await;
    restore(&app, &token, "contacts", &[&two["_id"]]).await;
    assert_eq!(read_record(&app, &token, &path(&two)).await, two);
}

#[tokio::test]
async fn a_comment_that_is_written_while_its_contact_is_merged_moves_too() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let (one, two) = create_pair(&app, &token).await;
    let other: Uuid = two["_id"].as_str().unwrap().parse().unwrap();
    let (corp, user): (Uuid, Uuid) = app.db().sql("SELECT corp_id, user_id FROM comments LIMIT 1").one().await.unwrap();
    let mut tx = app.db().begin().await.unwrap();
    let sql =
        "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) VALUES (";
    let sql = tx.sql(sql).arg(corp).comma(Uuid::now_v7()).comma(other).comma(user);
    sql.push(", 'Meanwhile', 0, 0)").exec().await.unwrap();
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let commit = async {
        wait_until("the merge waits for the comment", async || match app.db() {
            Db::Sqlite { .. } => app.db().load().queued > 0,
            Db::Postgres(..) => app.db().sql(waiting).value::<i64>().await.unwrap() > 0,
        })
        .await;
        tx.commit().await.unwrap();
    };
    let input = json!({"keep": one["_id"], "ids": [two["_id"]], "fields": {}});
    let (response, ()) = tokio::join!(merge(&app, &token, CONTACTS, input), commit);
    assert_eq!((response.status.as_u16(), &response.body["moved"]["comments"]), (200, &json!(2)), "{}", response.body);
    assert_eq!(comment_texts(&app, &token, &one).await, ["Meanwhile", "Wrote", "Called"]);
}

#[tokio::test]
async fn a_node_with_one_free_connection_undoes_merges_and_bulk_actions() {
    let app = TestApp::start().await;
    let mut config = app.config();
    config.platform.database_pool = 2;
    let node = app.start_another_node_with(config).await;
    // Use one of the two connections on PostgreSQL. SQLite has a separate one for writing.
    let _used = match node.db() {
        Db::Sqlite { .. } => None,
        Db::Postgres(..) => Some(node.db().begin().await.unwrap()),
    };
    let token = node.sign_in(ADMIN).await;
    let (one, two) = create_pair(&node, &token).await;
    let batch = merge_two(&node, &token, &one, &two).await;
    assert_eq!(revert(&node, &token, &batch, json!({})).await.status, 200);
    for input in [
        json!({"query": {}, "action": "update", "fields": {"website": "lund.example"}}),
        json!({"query": {}, "action": "delete"}),
    ] {
        let bulk = node.post(&format!("{CONTACTS}/bulk"), Some(&token), input).await;
        let batch = bulk.body["data"]["batch_id"].as_str().unwrap_or_else(|| panic!("{}", bulk.body)).to_owned();
        let undone = revert(&node, &token, &batch, json!({})).await;
        assert_eq!((undone.status.as_u16(), &undone.body["data"]["reverted"]), (200, &json!(2)), "{}", undone.body);
    }
}
