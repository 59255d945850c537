//! The figures of customers that follow from their agreements.

use crate::agreement_steps::{delete_from_binding, set_state, step, steps};
use crate::agreements::{create_agreement, create_vehicle, id, leg};
use crate::app::{ADMIN, CLERK, TestApp};
use crate::customers::{PATH, create_customer, customer};
use crate::helpers::{assert_error, count, delete, put, read_record, with_field};
use crate::merge::{CUSTOMERS, history, merge, merge_ok, revert};
use crate::privacy::{EMAIL, erase, person};
use crate::privacy_merges::purge;
use forecourt_core::agreements::{Agreement, figures};
use forecourt_core::customers::FIGURES;
use forecourt_core::history::text as history_text;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::{Value, json};

fn typed() -> Value {
    json!({"latestPurchase": "2026-01-31", "agreementType": "Agency", "numberOfOrders": 7, "totalSpent": 12.5,
        "warranty": "Yes", "warrantyPeriod": "2 years"})
}

/// Returns the form of a customer with typed figures.
fn with_figures(name: &str) -> Value {
    let mut form = customer(name);
    form.as_object_mut().unwrap().extend(typed().as_object().unwrap().clone());
    form
}

/// Returns the figures that a customer shows.
async fn shown(app: &TestApp, token: &str, customer: &str) -> Value {
    let record = read_record(app, token, customer).await;
    FIGURES.iter().filter_map(|field| Some(((*field).to_owned(), record.get(*field)?.clone()))).collect()
}

/// Delivers a sale of a new vehicle to a customer, and returns its path.
async fn deliver(app: &TestApp, token: &str, customer: &str, price: i64) -> String {
    let plate = format!("X{}", app.db().sql("SELECT count(*) FROM vehicles").value::<i64>().await.unwrap());
    let vehicle = create_vehicle(app, token, &plate).await;
    let form = json!({"customer_id": id(customer), "legs": [leg(&vehicle, "Out", price)], "warranty": {"kind": "Dealer", "months": 12}});
    let path = create_agreement(app, token, form).await;
    steps(app, token, &path, &["Offered", "Signed", "Delivered"]).await;
    path
}

#[tokio::test]
async fn a_delivered_agreement_shows_instead_of_what_was_typed() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada = create_customer(&app, &token, with_figures("Ada")).await;
    let agreement = deliver(&app, &token, &ada, 900).await;
    let derived = json!({"latestPurchase": "2027-01-15", "agreementType": "Sales", "numberOfOrders": 1, "totalSpent": 900,
        "warranty": "Dealer", "warrantyPeriod": "12 months"});
    assert_eq!(shown(&app, &token, &ada).await, derived);
    assert_eq!(read_record(&app, &token, &ada).await["hasFigures"], true);
    // Lists and filters have it, too.
    let filter = json!([{"field": "totalSpent", "op": "is", "value": 900}]).to_string();
    let list = app.send(app.request(Method::GET, PATH, Some(&token)).query(&[("filter", &filter)])).await.body;
    assert_eq!((&list["totalItems"], &list["stats"]["salesAgreements"]), (&json!(1), &json!(1)), "{list}");
    let days = app.get(&format!("{PATH}?fromDate=2027-01-15&toDate=2027-01-15"), Some(&token)).await.body;
    assert_eq!(days["totalItems"], 1);
    let entry = history(&app, &token, &format!("resource=customers&id={}", id(&ada))).await.remove(0);
    let fields: Vec<_> = entry["changes"].as_array().unwrap().iter().map(|change| change["field"].clone()).collect();
    assert_eq!((fields, &entry["action"]), (FIGURES.map(Value::from).to_vec(), &json!("updated")));
    // Closing changes nothing, and the next one counts as well.
    steps(&app, &token, &agreement, &["Closed"]).await;
    assert_eq!(shown(&app, &token, &ada).await, derived);
    deliver(&app, &token, &ada, 100).await;
    let both = shown(&app, &token, &ada).await;
    assert_eq!((&both["numberOfOrders"], &both["totalSpent"]), (&json!(2), &json!(1_000)));
}

#[tokio::test]
async fn what_is_typed_meanwhile_is_kept_until_no_agreement_is_left() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, with_figures("Ada")).await;
    let bo = create_customer(&app, &token, with_field(customer("Bo"), "email", "bo@example.se")).await;
    deliver(&app, &token, &bo, 900).await;
    let input = json!({"keep": id(&ada), "ids": [id(&bo)], "fields": {}});
    let batch = merge_ok(&app, &token, CUSTOMERS, input).await;
    let records = async |action: &str| {
        let entry = history(&app, &token, &format!("resource=customers&action={action}")).await.remove(0);
        entry["records"].clone()
    };
    assert_eq!(records("merged").await, 2, "the kept customer counts once, though its figures have an entry too");
    let derived = shown(&app, &token, &ada).await;
    assert_eq!((&derived["totalSpent"], &derived["warranty"]), (&json!(900), &json!("Dealer")));
    // A form with the shown values types none of them, and one with others is kept.
    let mut form = read_record(&app, &token, &ada).await;
    form["warranty"] = "Extended".into();
    form["name"] = "Ada Ek".into();
    form.as_object_mut().unwrap().remove("version");
    let saved = put(&app, &ada, &token, form).await;
    assert_eq!((saved.status.as_u16(), &saved.body["data"]["name"]), (200, &json!("Ada Ek")), "{}", saved.body);
    assert_eq!(shown(&app, &token, &ada).await, derived);
    let apart = revert(&app, &token, &batch, json!({"on_conflict": "keep"})).await;
    assert_eq!(apart.status, 200, "{}", apart.body);
    assert_eq!(records("unmerged").await, 2);
    assert_eq!(shown(&app, &token, &ada).await, with_field(typed(), "warranty", "Extended"));
    assert_eq!(read_record(&app, &token, &ada).await["hasFigures"], false);
    assert_eq!(shown(&app, &token, &bo).await, derived);
}

#[tokio::test]
async fn a_customer_that_comes_back_has_the_figures_of_its_agreements() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada = create_customer(&app, &token, with_figures("Ada")).await;
    let vehicle = create_vehicle(&app, &token, "A1").await;
    let form = json!({"customer_id": id(&ada), "legs": [leg(&vehicle, "Out", 900)], "delivered_on": "2027-01-15"});
    let path = create_agreement(&app, &token, form).await;
    steps(&app, &token, &path, &["Offered", "Signed"]).await;
    delete_from_binding(&app, &token, &ada, &path).await;
    // Earlier versions also delivered agreements without a customer.
    set_state(&app, &path, "Delivered").await;
    let restore = json!({"resource": "customers", "ids": [id(&ada)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(shown(&app, &token, &ada).await["totalSpent"], 900);
}

#[tokio::test]
async fn undoing_figures_that_follow_from_agreements_is_refused() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada = create_customer(&app, &token, with_figures("Ada")).await;
    deliver(&app, &token, &ada, 900).await;
    let derived = shown(&app, &token, &ada).await;
    let entry = history(&app, &token, &format!("resource=customers&id={}", id(&ada))).await.remove(0);
    assert_eq!(entry["undo"], Value::Null);
    let undone = revert(&app, &token, entry["history_id"].as_str().unwrap(), json!({})).await;
    assert_eq!(undone.status, 409, "{}", undone.body);
    assert_eq!(shown(&app, &token, &ada).await, derived);
}

#[tokio::test]
async fn undoing_later_figures_leaves_what_was_typed() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let ada = create_customer(&app, &token, with_figures("Ada")).await;
    deliver(&app, &token, &ada, 900).await;
    deliver(&app, &token, &ada, 100).await;
    let entry = history(&app, &token, &format!("resource=customers&id={}", id(&ada))).await.remove(0);
    let spent = json!({"field": "totalSpent", "before": 900, "after": 1_000});
    assert!(entry["changes"].as_array().unwrap().contains(&spent), "{entry}");
    for on_conflict in ["refuse", "overwrite"] {
        let input = json!({"on_conflict": on_conflict});
        let undone = revert(&app, &token, entry["history_id"].as_str().unwrap(), input).await;
        assert_error(&undone, 409, history_text::FOLLOWS.as_str());
    }
    let typed = "SELECT count(*) FROM customers WHERE typed_number_of_orders = 7 AND typed_total_spent = 1250";
    assert_eq!(count(&app, typed).await, 1);
}

#[tokio::test]
async fn a_value_that_is_typed_meanwhile_is_in_the_history_and_can_be_undone() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, with_figures("Ada")).await;
    deliver(&app, &token, &ada, 900).await;
    let derived = shown(&app, &token, &ada).await;
    let mut form = with_field(read_record(&app, &token, &ada).await, "warranty", "Extended");
    form.as_object_mut().unwrap().remove("socialSecurityNumber");
    assert_eq!(put(&app, &ada, &token, form).await.status, 200);
    let newest = async || history(&app, &token, &format!("resource=customers&id={}", id(&ada))).await.remove(0);
    let entry = newest().await;
    assert_eq!(entry["changes"], json!([{"field": "typed.warranty", "before": "Yes", "after": "Extended"}]));
    let undone = revert(&app, &token, entry["history_id"].as_str().unwrap(), json!({})).await;
    assert_eq!(undone.status, 200, "{}", undone.body);
    assert_eq!(newest().await["changes"], json!([{"field": "typed.warranty", "before": "Extended", "after": "Yes"}]));
    assert_eq!(shown(&app, &token, &ada).await, derived);
    assert_eq!(count(&app, "SELECT count(*) FROM customers WHERE typed_warranty = 'Yes'").await, 1);
}

#[tokio::test]
async fn undoing_a_merge_gives_back_what_was_typed() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for has_own in [false, true] {
        let ada = create_customer(&app, &token, with_figures("Ada")).await;
        let bo = create_customer(&app, &token, with_field(customer("Bo"), "email", "bo@example.se")).await;
        deliver(&app, &token, &bo, 900).await;
        if has_own {
            deliver(&app, &token, &ada, 100).await;
        }
        let before = shown(&app, &token, &ada).await;
        let fields = json!({"warranty": "Extended", "numberOfOrders": 70});
        let input = json!({"keep": id(&ada), "ids": [id(&bo)], "fields": fields});
        let batch = merge_ok(&app, &token, CUSTOMERS, input).await;
        let extended =
            "SELECT count(*) FROM customers WHERE typed_warranty = 'Extended' AND typed_number_of_orders = 70";
        assert_eq!(count(&app, extended).await, 1);
        let apart = revert(&app, &token, &batch, json!({})).await;
        assert_eq!(apart.status, 200, "{}", apart.body);
        assert_eq!(shown(&app, &token, &ada).await, before);
        let yes = "SELECT count(*) FROM customers WHERE typed_warranty = 'Yes' AND typed_number_of_orders = 7";
        assert_eq!((count(&app, extended).await, count(&app, yes).await), (0, i64::from(has_own)));
    }
}

#[tokio::test]
async fn an_erasure_erases_the_notes_of_the_agreements_of_a_purged_customer_and_what_was_typed() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for is_purged in [false, true] {
        let ada = with_field(customer("Ada Marked"), "email", EMAIL);
        let ada = create_customer(&app, &token, ada).await;
        let agreement = deliver(&app, &token, &ada, 900).await;
        let form = with_field(read_record(&app, &token, &agreement).await, "notes", "Called Ada");
        assert_eq!(put(&app, &agreement, &token, form).await.status, 200);
        let form = with_field(read_record(&app, &token, &ada).await, "warranty", "Typed by Ada");
        assert_eq!(put(&app, &ada, &token, form).await.status, 200);
        if is_purged {
            // As earlier versions allowed.
            set_state(&app, &agreement, "Offered").await;
            assert_eq!(delete(&app, &ada, &token).await.status, 200);
            purge(&app, &token, "customers", &ada).await;
            set_state(&app, &agreement, "Delivered").await;
        }
        assert_eq!(erase(&app, &token).await.status, 200);
        let erased = read_record(&app, &token, &agreement).await;
        assert_eq!((&erased["customer_name"], &erased["notes"]), (&json!("Ada Marked"), &json!("")));
        let entries = history(&app, &token, &format!("resource=customers&id={}", id(&ada))).await;
        let changes: Vec<_> = entries.iter().flat_map(|entry| entry["changes"].as_array().unwrap()).collect();
        let typed = changes.iter().find(|change| change["field"] == "typed.warranty").unwrap();
        assert_eq!(typed["after"], json!({"erased": true}));
    }
}

#[tokio::test]
async fn an_erasure_erases_the_notes_of_the_agreements_of_a_customer() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = with_field(customer("Ada Marked"), "email", EMAIL);
    let ada = create_customer(&app, &token, ada).await;
    let agreement = deliver(&app, &token, &ada, 900).await;
    let mut form = read_record(&app, &token, &agreement).await;
    form["notes"] = "Called Ada".into();
    assert_eq!(put(&app, &agreement, &token, form).await.status, 200);
    let draft = json!({"customer_id": id(&ada), "notes": "Ada wants a V60"});
    let deleted = create_agreement(&app, &token, draft).await;
    assert_eq!(delete(&app, &deleted, &token).await.status, 200);
    let report = person(&app, &token, EMAIL).await.body["data"].clone();
    let held = report["held"].as_array().unwrap().iter().find(|part| part["kind"] == "agreements").unwrap();
    assert_eq!((&held["count"], &held["in_trash"]), (&json!(2), &json!(1)), "{report}");
    assert_eq!(erase(&app, &token).await.status, 200);
    let erased = read_record(&app, &token, &agreement).await;
    assert_eq!((&erased["customer_name"], &erased["notes"]), (&json!("Ada Marked"), &json!("")));
    let restore = json!({"resource": "agreements", "ids": [id(&deleted)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(read_record(&app, &token, &deleted).await["notes"], "");
    // The figures follow from what accounting keeps.
    assert_eq!(shown(&app, &token, &ada).await["totalSpent"], 900);
    let entries = history(&app, &token, &format!("resource=agreements&id={}", id(&agreement))).await;
    assert!(!json!(entries).to_string().contains("Called Ada"), "{entries:?}");
}

#[tokio::test]
async fn an_erasure_erases_an_agreement_in_the_trash_that_lost_its_customer() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for is_purged in [false, true] {
        let ada = with_field(customer("Ada Marked"), "email", EMAIL);
        let ada = create_customer(&app, &token, ada).await;
        let draft = json!({"customer_id": id(&ada), "notes": "Ada wants a V60"});
        let agreement = create_agreement(&app, &token, draft).await;
        assert_eq!(delete(&app, &ada, &token).await.status, 200);
        assert_eq!(delete(&app, &agreement, &token).await.status, 200);
        if is_purged {
            purge(&app, &token, "customers", &ada).await;
        } else {
            let restore = json!({"resource": "customers", "ids": [id(&ada)]});
            assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
        }
        assert_eq!(erase(&app, &token).await.status, 200);
        let restore = json!({"resource": "agreements", "ids": [id(&agreement)]});
        assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
        let restored = read_record(&app, &token, &agreement).await;
        assert_eq!((&restored["customer_name"], &restored["notes"]), (&json!("Erased"), &json!("")), "{is_purged}");
    }
}

/// What happens to the customers and agreements of the property test.
#[derive(Clone, Debug)]
enum Event {
    Deliver(usize, i64, &'static str),
    Close(Index),
    Merge(usize, usize),
    Unmerge(Index),
    Delete(usize),
    Restore(usize),
    Type(usize, i64),
}

fn event() -> impl Strategy<Value = Event> {
    let customer = || 0..3usize;
    prop_oneof![
        4 => (customer(), 1..1_000_i64, proptest::sample::select(vec!["Sales", "Purchase", "Agency"]))
            .prop_map(|(of, price, kind)| Event::Deliver(of, price, kind)),
        1 => any::<Index>().prop_map(Event::Close),
        2 => (customer(), customer()).prop_map(|(keep, other)| Event::Merge(keep, other)),
        2 => any::<Index>().prop_map(Event::Unmerge),
        1 => customer().prop_map(Event::Delete),
        1 => customer().prop_map(Event::Restore),
        1 => (customer(), 1..100_i64).prop_map(|(of, orders)| Event::Type(of, orders)),
    ]
}

/// Asserts that each customer shows the figures of its agreements, or else what was typed.
async fn assert_figures(app: &TestApp, token: &str, customers: &[String], typed: &[i64], events: &[Event]) {
    for (customer, orders) in customers.iter().zip(typed) {
        let response = app.get(customer, Some(token)).await;
        if response.status == 404 {
            continue;
        }
        let list = app.get(&format!("/api/agreements?customer_id={}&limit=100", id(customer)), Some(token)).await.body;
        let agreements: Vec<Agreement> = serde_json::from_value(list["data"].clone()).unwrap();
        let record = &response.body["data"];
        match figures(&agreements) {
            Some(figures) => {
                assert_eq!(record["numberOfOrders"], figures.number_of_orders, "{events:?}");
                assert_eq!(record["totalSpent"], json!(figures.total_spent), "{events:?}");
                assert_eq!(record["agreementType"], json!(figures.agreement_type), "{events:?}");
                assert_eq!(record["latestPurchase"], json!(figures.latest_purchase), "{events:?}");
                assert_eq!(record["warranty"], figures.warranty, "{events:?}");
                assert_eq!(record["warrantyPeriod"], figures.warranty_period, "{events:?}");
            }
            None => assert_eq!(record["numberOfOrders"], *orders, "{events:?}"),
        }
    }
}

#[tokio::test]
async fn the_figures_are_those_of_the_agreements_after_any_sequence() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let sequences = proptest::collection::vec(event(), 4..14);
    let mut plate = 0;
    for _ in 0..6 {
        let events = sequences.new_tree(&mut runner).unwrap().current();
        let (mut customers, mut typed, mut delivered, mut merges) = (Vec::new(), vec![0; 3], Vec::new(), Vec::new());
        for name in ["Ada", "Bo", "Cia"] {
            customers.push(create_customer(&app, &token, customer(name)).await);
        }
        for (index, event) in events.iter().enumerate() {
            match event {
                Event::Deliver(of, price, kind) => {
                    plate += 1;
                    let vehicle = create_vehicle(&app, &token, &format!("Y{plate}")).await;
                    let form = json!({"type": kind, "customer_id": id(&customers[*of]), "legs": [leg(&vehicle, "Out", *price)],
                        "warranty": {"kind": "Insured", "months": price % 120 + 1}});
                    let made = app.post("/api/agreements", Some(&token), form).await;
                    if made.status == 201 {
                        let path = format!("/api/agreements/{}", made.body["data"]["agreement_id"].as_str().unwrap());
                        steps(&app, &token, &path, &["Offered", "Signed", "Delivered"]).await;
                        delivered.push(path);
                    }
                }
                Event::Close(which) if !delivered.is_empty() => {
                    step(&app, &token, &delivered[which.index(delivered.len())], "Closed").await;
                }
                Event::Merge(keep, other) if keep != other => {
                    let input = json!({"keep": id(&customers[*keep]), "ids": [id(&customers[*other])], "fields": {}});
                    let response = merge(&app, &token, CUSTOMERS, input).await;
                    merges.extend(response.body["batch_id"].as_str().map(str::to_owned));
                }
                Event::Unmerge(which) if !merges.is_empty() => {
                    let merge = &merges[which.index(merges.len())];
                    revert(&app, &token, merge, json!({"on_conflict": "keep"})).await;
                }
                Event::Delete(of) => {
                    delete(&app, &customers[*of], &token).await;
                }
                Event::Restore(of) => {
                    let input = json!({"resource": "customers", "ids": [id(&customers[*of])]});
                    app.post("/api/trash/restore", Some(&token), input).await;
                }
                Event::Type(of, orders) => {
                    let form = with_field(customer("Ada"), "numberOfOrders", *orders);
                    let before = read_orders(&app, &token, &customers[*of]).await;
                    if put(&app, &customers[*of], &token, form).await.status == 200 && before != Some(*orders) {
                        typed[*of] = *orders;
                    }
                }
                Event::Close(_) | Event::Merge(..) | Event::Unmerge(_) => {}
            }
            assert_figures(&app, &token, &customers, &typed, &events[..=index]).await;
        }
    }
}

async fn read_orders(app: &TestApp, token: &str, customer: &str) -> Option<i64> {
    app.get(customer, Some(token)).await.body["data"]["numberOfOrders"].as_i64()
}

#[tokio::test]
async fn an_erasure_keeps_figures_of_agreements_and_says_so() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ada = create_customer(&app, &token, with_field(with_figures("Ada"), "email", EMAIL)).await;
    deliver(&app, &token, &ada, 900).await;
    let history = format!("/api/history?resource=customers&id={}", id(&ada));
    let entries = app.get(&history, Some(&token)).await.body["totalItems"].clone();
    let held = person(&app, &token, EMAIL).await.body["data"].clone();
    let certificate = erase(&app, &token).await.body["data"].clone();
    assert_eq!((&certificate["erased"], &certificate["kept"]), (&held["erased"], &held["kept"]));
    let of_customers = |part: &&Value| part["kind"] == "customers";
    let kept = certificate["kept"].as_array().unwrap().iter().find(of_customers).unwrap();
    assert_eq!((&kept["count"], &kept["fields"]), (&json!(1), &json!(["warranty", "warrantyPeriod"])));
    let erased = certificate["erased"].as_array().unwrap().iter().find(of_customers).unwrap();
    assert!(!erased["fields"].to_string().contains("warranty"), "{erased}");
    let record = read_record(&app, &token, &ada).await;
    assert_eq!((&record["warranty"], &record["warrantyPeriod"]), (&json!("Dealer"), &json!("12 months")));
    assert_eq!(record["name"], "Erased");
    assert_eq!(count(&app, "SELECT count(*) FROM customers WHERE typed_warranty IS NOT NULL").await, 0);
    assert_eq!(app.get(&history, Some(&token)).await.body["totalItems"], entries, "an erasure changes no figures");
}
