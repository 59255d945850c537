//! The prices of agreements that only users see who may read the costs of vehicles.

use crate::agreement_steps::steps;
use crate::agreements::{PATH, create, create_agreement, create_vehicle, id, leg};
use crate::app::TestApp;
use crate::customers::{create_customer, customer};
use crate::helpers::{assert_error, put, read_record};
use crate::vehicle_costs::{Users, users};
use forecourt_core::agreements::text;
use forecourt_core::text::fields_not_allowed;
use reqwest::Method;
use serde_json::{Value, json};

const HIDDEN: [&str; 4] = ["legs", "in_total", "to_pay", "minimum_price"];

#[tokio::test]
async fn what_comes_in_has_no_price_without_the_permission() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let (sold, part) = (create_vehicle(&app, &admin, "A1").await, create_vehicle(&app, &admin, "A2").await);
    let form = json!({"legs": [leg(&sold, "Out", 900), leg(&part, "In", 400)], "minimum_price": 800});
    let path = create_agreement(&app, &admin, form).await;
    let (whole, seen) = (read_record(&app, &admin, &path).await, read_record(&app, &clerk, &path).await);
    assert_eq!((&whole["legs"][1]["price"], &whole["to_pay"]), (&json!(400), &json!(500)));
    let [first, second] = ["Volvo V60, A 1", "Volvo V60, A 2"];
    let out = json!({"vehicle_id": id(&sold), "direction": "Out", "price": 900, "vat_scheme": "Margin", "name": first});
    let coming = json!({"vehicle_id": id(&part), "direction": "In", "vat_scheme": "Margin", "name": second});
    assert_eq!((&seen["legs"], &seen["out_total"]), (&json!([out, coming]), &json!(900)));
    for field in &HIDDEN[1..] {
        assert_eq!(seen.get(*field), None, "{field}");
    }
    let only_out = create_agreement(&app, &clerk, json!({"legs": [leg(&sold, "Out", 900)], "deposit": 100})).await;
    assert_eq!(read_record(&app, &clerk, &only_out).await["to_pay"], 800);
}

#[tokio::test]
async fn a_form_without_the_permission_keeps_the_hidden_prices() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let (sold, part) = (create_vehicle(&app, &admin, "A1").await, create_vehicle(&app, &admin, "A2").await);
    let form = json!({"type": "Purchase", "legs": [leg(&sold, "Out", 900), leg(&part, "", 400)], "minimum_price": 800});
    let path = create_agreement(&app, &admin, form).await;
    for coming in [leg(&part, "", Value::Null), json!({"vehicle_id": id(&part)})] {
        let form = json!({"legs": [leg(&sold, "Out", 950), coming], "minimum_price": ""});
        let saved = put(&app, &path, &clerk, form).await;
        assert_eq!(saved.status, 200, "{}", saved.body);
        let stored = read_record(&app, &admin, &path).await;
        let prices = ["legs", "out_total", "in_total", "minimum_price"].map(|field| stored[field].clone());
        assert_eq!(prices[1..], [json!(950), json!(400), json!(800)]);
        assert_eq!(prices[0][1]["price"], 400);
    }
    // To users without the permission, the history shows nothing of the legs, not even the prices that the agreement
    // shows.
    let history = app.get(&format!("/api/history?resource=agreements&id={}", id(&path)), Some(&clerk)).await.body;
    assert!(!history.to_string().contains("legs"), "{history}");
    let first = history["data"].as_array().unwrap().last().unwrap()["history_id"].as_str().unwrap();
    let past = app.get(&format!("/api/history/{first}/record"), Some(&clerk)).await;
    assert!(past.status == 200 && !past.body.to_string().contains("legs"), "{}", past.body);
}

#[tokio::test]
async fn an_entry_about_hidden_prices_alone_exists_only_for_users_who_may_read_costs() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let (sold, part) = (create_vehicle(&app, &admin, "A1").await, create_vehicle(&app, &admin, "A2").await);
    let form = |out: i64, coming: i64| json!({"legs": [leg(&sold, "Out", out), leg(&part, "In", coming)]});
    let path = create_agreement(&app, &admin, form(900, 400)).await;
    for form in [form(900, 500), form(950, 500)] {
        assert_eq!(put(&app, &path, &admin, form).await.status, 200);
    }
    for (token, entries) in [(&admin, 3), (&clerk, 2)] {
        let of_record = format!("resource=agreements&id={}", id(&path));
        for query in [of_record.as_str(), "resource=agreements"] {
            let page = app.get(&format!("/api/history?{query}"), Some(token)).await.body;
            assert_eq!((&page["totalItems"], page["data"].as_array().unwrap().len()), (&json!(entries), entries));
        }
    }
}

#[tokio::test]
async fn a_hidden_price_in_a_form_is_403_and_nothing_is_saved() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let part = create_vehicle(&app, &admin, "A1").await;
    let path = create_agreement(&app, &admin, json!({"type": "Purchase", "legs": [leg(&part, "", 400)]})).await;
    let before = read_record(&app, &admin, &path).await;
    let minimum = json!({"minimum_price": 1});
    let both = json!({"type": " Purchase ", "legs": [leg(&part, "", 1)], "minimum_price": 1});
    for (form, names) in [
        (minimum, vec![text::MINIMUM_PRICE]),
        (json!({"legs": [leg(&part, "In", "1")]}), vec![text::IN_PRICE]),
        (both, vec![text::IN_PRICE, text::MINIMUM_PRICE]),
    ] {
        for refused in [create(&app, &clerk, form.clone()).await, put(&app, &path, &clerk, form).await] {
            assert_error(&refused, 403, fields_not_allowed(&names).as_str());
        }
    }
    // An empty direction is the stored one.
    let refused = put(&app, &path, &clerk, json!({"legs": [leg(&part, "", 1)]})).await;
    assert_error(&refused, 403, fields_not_allowed(&[text::IN_PRICE]).as_str());
    assert_eq!(read_record(&app, &admin, &path).await, before);
    assert_eq!(app.get(PATH, Some(&admin)).await.body["totalItems"], 1);
}

#[tokio::test]
async fn a_delivery_gives_what_comes_in_its_purchase_price_for_those_who_may_read_costs() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let (part, other) = (create_vehicle(&app, &admin, "A1").await, create_vehicle(&app, &admin, "A2").await);
    let known = json!({"registration_number": "A2", "make": "Volvo", "model": "V60", "purchase_price": 350});
    assert_eq!(put(&app, &other, &admin, known).await.status, 200);
    let ada = create_customer(&app, &admin, customer("Ada")).await;
    let legs = json!([leg(&part, "In", 400), leg(&other, "In", 300)]);
    let form = json!({"type": "Purchase", "customer_id": id(&ada), "legs": legs});
    let path = create_agreement(&app, &admin, form).await;
    steps(&app, &clerk, &path, &["Offered", "Signed", "Delivered"]).await;
    let price = async |path: &str| read_record(&app, &admin, path).await["purchase_price"].clone();
    assert_eq!((price(&part).await, price(&other).await), (json!(400), json!(350)));
    let history = format!("/api/history?resource=vehicles&id={}", id(&part));
    let change = json!({"field": "purchase_price", "before": null, "after": 400});
    for (token, is_shown) in [(&admin, true), (&clerk, false)] {
        assert_eq!(read_record(&app, token, &part).await.get("purchase_price").is_some(), is_shown);
        let entry = app.get(&history, Some(token)).await.body["data"][0]["changes"].clone();
        assert_eq!(entry.as_array().unwrap().contains(&change), is_shown, "{entry}");
        assert!(is_shown || !entry.to_string().contains("400"), "{entry}");
    }
}

#[tokio::test]
async fn a_hidden_field_is_an_unknown_one_in_queries() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    for field in HIDDEN {
        let filter = json!([{"field": field, "op": "gt", "value": 1}]).to_string();
        for query in [[("sort", format!("-{field}"))], [("filter", filter)]] {
            for (token, status) in [(&admin, 200), (&clerk, 400)] {
                let sent = app.send(app.request(Method::GET, PATH, Some(token)).query(&query)).await;
                assert_eq!(sent.status, status, "{query:?}");
            }
        }
    }
}
