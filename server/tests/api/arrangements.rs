//! Sort orders and filters of lists: the server returns the same records as core, and rejects invalid ones.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::contract;
use crate::customers::{self, customer};
use crate::helpers::{copy_user, create_record, put, read_record, value_of, with_field};
use crate::imports::{import, mapping};
use crate::invoices::{self, invoice};
use crate::vehicles;
use forecourt::platform::clock::{HOUR, MINUTE};
use forecourt::platform::extract::TIME_ZONE;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::corporations::Corporation;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::invoices::Invoice;
use forecourt_core::lists::{
    Arrangement, ConditionInput, Field, Fields, Filter, Kind, LISTS, Record, Sort, Today, fields_of,
};
use forecourt_core::text::fold;
use forecourt_core::users::User;
use forecourt_core::vehicles::Vehicle;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

const CONTACTS: &str = "/api/contacts";
/// The time zone of the user who sends the requests.
const ZONE: &str = "Europe/Stockholm";

/// Values of text fields: some differ only in case and accents, some have a meaning in SQL patterns.
pub const TEXTS: [&str; 24] = [
    "Åsa Öberg",
    "asa oberg",
    "A\u{30a}sa",
    "ÅSA",
    "straße",
    "STRASSE",
    "50% off_now",
    "50x offxnow",
    "Ærø",
    "İstanbul",
    "σς Σ",
    "語",
    "😀",
    "𝒜",
    r"\path",
    "O'Brien",
    "\"q\"",
    "z",
    "a-b",
    "a b",
    "Ö",
    "Z",
    "\u{301}x",
    "10",
];

/// A list under test: its path, and the access token of a user who may read it.
pub struct List<'a> {
    pub app: &'a TestApp,
    pub token: &'a str,
    pub path: &'a str,
}

impl List<'_> {
    /// Returns the records on the requested page, and the total of all pages.
    async fn get(&self, query: &[(&str, &str)]) -> (Vec<Value>, u64) {
        let request = self.app.request(Method::GET, self.path, Some(self.token)).header(TIME_ZONE, ZONE);
        let response = self.app.send(request.query(query)).await;
        assert_eq!(response.status, 200, "{} {query:?}: {}", self.path, response.body);
        let body = &response.body;
        let header = response.headers.get("x-total-count").map(|total| total.to_str().unwrap().parse().unwrap());
        let total = header.or(body["totalItems"].as_u64()).or(body["pagination"]["totalContacts"].as_u64());
        (body.as_array().or(body["data"].as_array()).unwrap().clone(), total.unwrap())
    }

    async fn names(&self, field: &str, query: &[(&str, &str)]) -> Vec<String> {
        let (records, total) = self.get(query).await;
        assert_eq!(total, records.len() as u64, "{query:?}");
        records.iter().map(|record| record[field].as_str().unwrap().to_owned()).collect()
    }

    /// Asserts that the query is rejected with 400, and returns the names of the fields that have errors.
    async fn rejected_fields(&self, query: &[(&str, &str)]) -> Vec<String> {
        let response = self.app.send(self.app.request(Method::GET, self.path, Some(self.token)).query(query)).await;
        assert_eq!(response.status, 400, "{} {query:?}: {}", self.path, response.body);
        response.body["fields"].as_object().unwrap().keys().cloned().collect()
    }
}

/// Generates the value of a filter's condition on this field: mostly one of `stored`, the values of the records, or a
/// part of one if the field is a text; otherwise a fixed value.
fn operand(field: &'static Field, stored: Vec<Value>) -> BoxedStrategy<Value> {
    let texts = TEXTS.iter().copied().chain(["%", "_", r"\", "'", "s", "é"]).map(Value::from);
    let more: Vec<Value> = match field.kind {
        Kind::Id => vec![json!("0190b5a0-0000-7000-8000-000000000000")],
        Kind::Text => texts.collect(),
        Kind::Choice(values) => values.iter().copied().map(Value::from).collect(),
        Kind::Flag => vec![json!(true), json!(false)],
        Kind::Number | Kind::Legs => vec![json!(0), json!(2), json!(-1)],
        Kind::Serial(prefix) => vec![json!(1002), json!(format!("{prefix}1003")), json!(-1)],
        Kind::Money | Kind::OwnMoney | Kind::Costs | Kind::Percent => vec![json!(0), json!(1250.5), json!(99.99)],
        Kind::Date => vec![json!("2026-01-31"), json!("2027-01-10"), json!("0001-01-01")],
        Kind::Time => {
            let minute = json!("2027-01-15T09:00+01:00");
            vec![json!("1970-01-01T01:00:00.002+01:00"), json!("1969-12-31T23:00:00.0035-01:00"), minute]
        }
    };
    let relative: Vec<Value> = match field.kind {
        Kind::Date | Kind::Time => {
            ["today", "today-5", "month", "month-11", "year-1", "year+1"].map(Value::from).into()
        }
        _ => Vec::new(),
    };
    let more: Vec<Value> = more.into_iter().chain(relative).collect();
    let stored: Vec<Value> = stored.into_iter().filter(|value| *value != json!("")).collect();
    let stored = if stored.is_empty() { more.clone() } else { stored };
    let is_text = field.kind == Kind::Text;
    let part = move |(value, from, length): (Value, Index, usize)| match &value {
        Value::String(text) if is_text => {
            let chars: Vec<char> = text.chars().collect();
            let from = from.index(chars.len());
            let part: String = chars[from..].iter().take(length).collect();
            if fold(part.trim()).is_empty() { value } else { part.into() }
        }
        _ => value,
    };
    let stored_part = (select(stored), any::<Index>(), prop_oneof![1..4usize, Just(99)]).prop_map(part);
    prop_oneof![3 => stored_part, 1 => select(more)].boxed()
}

fn condition<R: Record + 'static>(records: &[Value]) -> BoxedStrategy<Value> {
    let records = records.to_vec();
    let field = select(R::FIELDS.iter().collect::<Vec<_>>());
    let whole = field.prop_flat_map(|field| (Just(field), select(field.kind.operators().to_vec())));
    whole
        .prop_flat_map(move |(field, op)| {
            let value = |record: &Value| match value_of(field, record) {
                // The role of a user is an object; conditions compare its name.
                Value::Object(object) => object["name"].clone(),
                // An agreement's vehicles.
                Value::Array(legs) => json!(legs.len()),
                value => value.clone(),
            };
            let stored = records.iter().map(value).filter(|value| !value.is_null()).collect();
            let operands = proptest::collection::vec(operand(field, stored), 2..5);
            operands.prop_map(move |operands| match op {
                "is_empty" | "is_not_empty" => json!({"field": field.name, "op": op}),
                "in" => json!({"field": field.name, "op": op, "value": operands}),
                "between" => {
                    let between = json!({"field": field.name, "op": op, "value": operands[..2]});
                    let swapped = json!({"field": field.name, "op": op, "value": [operands[1], operands[0]]});
                    if is_valid::<R>(&between) { between } else { swapped }
                }
                _ => json!({"field": field.name, "op": op, "value": operands[0]}),
            })
        })
        // Nothing remains of `-` in the form in which a VIN is compared.
        .prop_filter("an operand is empty", is_valid::<R>)
        .boxed()
}

fn sort<R: Record>() -> impl Strategy<Value = String> {
    let names = R::FIELDS.iter().map(|field| field.name).collect::<Vec<_>>();
    let fields = proptest::sample::subsequence(names, 0..4).prop_shuffle();
    (fields, any::<[bool; 4]>()).prop_map(|(fields, are_descending)| {
        let part = |(name, is_descending)| if is_descending { format!("-{name}") } else { name };
        fields.into_iter().map(str::to_owned).zip(are_descending).map(part).collect::<Vec<_>>().join(",")
    })
}

fn read_filter<R: Record>(filter: &Value, today: &Today) -> Option<Filter> {
    let conditions: Vec<ConditionInput> = serde_json::from_value(filter.clone()).unwrap();
    Filter::read(Fields::all(R::FIELDS), &conditions, today).ok()
}

fn is_valid<R: Record>(condition: &Value) -> bool {
    read_filter::<R>(&json!([condition]), &Today::default()).is_some()
}

/// Asserts that 250 random sort orders, filters and pages return the records that core computes from all records.
pub async fn compare<R: Record + DeserializeOwned + PartialEq + Debug + 'static>(list: List<'_>) {
    let (all, total) = list.get(&[("limit", "100")]).await;
    assert_eq!(total, all.len() as u64);
    let read = |values: Vec<Value>| -> Vec<R> {
        values.into_iter().map(|value| serde_json::from_value(value).unwrap()).collect()
    };
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let conditions = proptest::collection::vec(condition::<R>(&all), 0..3);
    let requests = (sort::<R>(), conditions, 1..4u32, select(vec![3u32, 100]));
    let today = Today::new(list.app.app.clock.now(), TimeZone::get(ZONE).unwrap());
    let (mut filtered, mut found) = (0, 0);
    for _ in 0..250 {
        let (sort, conditions, page, limit) = requests.new_tree(&mut runner).unwrap().current();
        let filter = Value::from(conditions);
        let arrangement = Arrangement {
            sort: Sort::read(Fields::all(R::FIELDS), &sort).unwrap(),
            filter: read_filter::<R>(&filter, &today).unwrap_or_else(|| panic!("{filter}")),
        };
        let mut expected: Vec<R> = read(all.clone());
        arrangement.apply(&mut expected);
        let total = expected.len();
        let offset = (page as usize - 1) * limit as usize;
        let expected: Vec<R> = expected.into_iter().skip(offset).take(limit as usize).collect();
        let (filter, page, limit) = (filter.to_string(), page.to_string(), limit.to_string());
        let query = [("sort", &*sort), ("filter", &filter), ("page", &page), ("limit", &limit)];
        let (records, listed) = list.get(&query).await;
        assert_eq!(listed, total as u64, "{} {query:?}", list.path);
        assert_eq!(read(records), expected, "{} {query:?}", list.path);
        filtered += usize::from(total < all.len());
        found += usize::from(total > 0);
    }
    assert!(filtered > 50 && found > 50, "{filtered} requests filtered, and {found} found records");
}

#[tokio::test]
async fn contacts_are_sorted_and_filtered_as_core_does() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let file = "Namn,Mejl\nÅsa,asa@example.se\nbo,\n".as_bytes();
    let imported = import(&app, &token, "Kündër.csv", file, &mapping(&[("Namn", "name"), ("Mejl", "email")])).await;
    assert_eq!(imported["status"], "completed", "{imported}");
    for (i, text) in TEXTS.into_iter().enumerate() {
        app.advance(700);
        let other = TEXTS[(i * 7) % TEXTS.len()];
        let email = if i % 3 == 0 { "" } else { "Ada@Example.se" };
        let contact = json!({"name": text, "email": email, "phone": other, "address": format!("{other}\n{text}")});
        let path = create_record(&app, &token, CONTACTS, contact, "_id").await;
        if i % 4 == 0 {
            app.advance(700);
            let changed = json!({"name": other, "website": "Exämple.se", "phone": text});
            assert_eq!(put(&app, &path, &token, changed).await.status, 200);
        }
    }
    compare::<ContactSummary>(List { app: &app, token: &token, path: CONTACTS }).await;
}

#[tokio::test]
async fn customers_are_sorted_and_filtered_as_core_does() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (i, text) in TEXTS.into_iter().enumerate() {
        app.advance(700);
        let other = TEXTS[(i * 7) % TEXTS.len()];
        let mut form = customer(text);
        form["address"] = other.into();
        form["location"] = text.into();
        form["postalCode"] = if i % 2 == 0 { "" } else { "222 22" }.into();
        form["companyName"] = other.into();
        form["warranty"] = text.into();
        form["warrantyPeriod"] = other.into();
        form["role"] = if i % 3 == 0 { "" } else { other }.into();
        form["status"] = if i % 4 == 0 { "Inactive" } else { "Active" }.into();
        form["numberOfOrders"] = (i % 3).into();
        form["totalSpent"] = json!(i as f64 / 4.0);
        if i % 2 == 0 {
            form["type"] = "Company".into();
            form["organizationNumber"] = other.into();
            form["agreementType"] = ["", "Sales", "Agency"][i % 3].into();
            form["latestPurchase"] = ["2026-01-31", "", "2025-12-31"][i % 3].into();
        }
        let path = create_record(&app, &token, customers::PATH, form.clone(), "customer_id").await;
        if i % 4 == 0 {
            app.advance(700);
            for field in ["name", "telephone", "location", "organizationNumber", "companyName", "warranty", "role"] {
                form[field] = format!("1{other}").into();
            }
            assert_eq!(put(&app, &path, &token, form).await.status, 200);
        }
    }
    compare::<CustomerSummary>(List { app: &app, token: &token, path: customers::PATH }).await;
}

#[tokio::test]
async fn invoices_are_sorted_and_filtered_as_core_does() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (i, text) in TEXTS.into_iter().enumerate() {
        app.advance(700);
        let mut form = invoice(text);
        form["customerRequirements"] = if i % 3 == 0 { "" } else { TEXTS[(i * 7) % TEXTS.len()] }.into();
        form["startDate"] = ["2026-01-31", "2026-02-28", "2027-01-10"][i % 3].into();
        form["projectPrice"] = json!((i % 5 + 1) as f64 * 12.5);
        let path = create_record(&app, &token, invoices::PATH, form.clone(), "_id").await;
        if i % 4 == 0 {
            app.advance(700);
            form["customer"] = TEXTS[(i * 5) % TEXTS.len()].into();
            assert_eq!(put(&app, &path, &token, form).await.status, 200);
        }
    }
    compare::<Invoice>(List { app: &app, token: &token, path: invoices::PATH }).await;
}

#[tokio::test]
async fn vehicles_are_sorted_and_filtered_as_core_does() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (i, text) in TEXTS.into_iter().enumerate() {
        app.advance(700);
        let other = TEXTS[(i * 7) % TEXTS.len()];
        let cost = |net: i64| json!({"date": "2026-12-01", "kind": "Repair", "net": net, "vat": 1.25});
        let mut form = json!({
            "registration_number": format!("A{i}"), "make": format!("M{text}"), "model": "V60", "variant": other,
            "model_year": if i % 4 == 0 { json!("") } else { json!(2010 + i % 5) },
            "first_registered": (["2026-01-31", "", "2025-12-31"][i % 3]),
            "fuel": (["", "Petrol", "Diesel"][i % 3]), "colour": text, "location": other,
            "mileage": if i % 5 == 0 { json!("") } else { json!(i * 1_000) },
            "mileage_unit": (["mi", "km"][i % 2]), "status": (["In stock", "Expected", "Withdrawn"][i % 3]),
            "vat_scheme": (["Margin", "Standard"][i % 2]),
            "asking_price": if i % 4 == 1 { json!("") } else { json!(i as f64 / 4.0 + 1.0) },
            "purchase_price": i % 3 * 100 + 1, "minimum_price": if i % 2 == 0 { json!("") } else { json!(50.5) },
            "costs": if i % 3 == 0 { json!([]) } else { json!([cost(i as i64), cost(2)]) },
            // Longer than what is compared when the list is sorted by it.
            "notes": format!("{}{text}", "Å".repeat([0, 98, 100][i % 3])),
        });
        let path = create_record(&app, &token, vehicles::PATH, form.clone(), "vehicle_id").await;
        if i % 4 == 0 {
            app.advance(700);
            form["notes"] = format!("{}{other}", "Å".repeat(99)).into();
            form["colour"] = other.into();
            assert_eq!(put(&app, &path, &token, form).await.status, 200);
        }
    }
    compare::<Vehicle>(List { app: &app, token: &token, path: vehicles::PATH }).await;
}

#[tokio::test]
async fn users_and_corporations_are_sorted_and_filtered_as_core_does() {
    let app = TestApp::start().await;
    for (i, text) in TEXTS.into_iter().enumerate() {
        let id = copy_user(&app, CLERK, &format!("user{i}@nordbil.example"), ["User", "Admin"][i % 2]).await;
        let sql = "UPDATE users SET first_name = $1, mobile = $2, is_active = $3, role_id = CASE WHEN $4 THEN NULL ELSE role_id \
                   END WHERE user_id = $5";
        let sql =
            app.db().sql(sql).bind(text).bind(if i % 3 == 0 { "" } else { "070" }).bind(i % 4 == 0).bind(i % 5 == 0);
        sql.bind(id).exec().await.unwrap();
        let sql = "INSERT INTO corporations (corp_id, name, active, created_at, updated_at) VALUES ($1, $2, $3, 0, 0)";
        app.db().sql(sql).bind(id).bind(text).bind(i % 3 == 0).exec().await.unwrap();
    }
    let (admin, super_admin) = (app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    compare::<User>(List { app: &app, token: &admin, path: "/api/users" }).await;
    compare::<Corporation>(List { app: &app, token: &super_admin, path: "/api/corporations" }).await;
}

#[tokio::test]
async fn a_search_and_other_parameters_narrow_a_sorted_and_filtered_list() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for (name, status, price) in
        [("Bo Ek", "Active", 5), ("Åsa Ek", "Active", 7), ("asa alm", "Inactive", 7), ("Eva Ek", "Inactive", 6)]
    {
        let (contact, form) = (json!({"name": name, "phone": status}), with_field(customer(name), "status", status));
        create_record(&app, &token, CONTACTS, contact, "_id").await;
        create_record(&app, &token, customers::PATH, form, "customer_id").await;
        create_record(&app, &token, invoices::PATH, with_field(invoice(name), "projectPrice", price), "_id").await;
    }
    let list = |path| List { app: &app, token: &token, path };
    let not_eva = r#"[{"field":"name","op":"is_not","value":"eva ek"}]"#;
    for (search, expected) in [("ek", vec!["Åsa Ek", "Bo Ek"]), ("ÅSA", vec!["asa alm", "Åsa Ek"])] {
        let query = [("sort", "name"), ("filter", not_eva), ("search", search)];
        assert_eq!(list(CONTACTS).names("name", &query).await, expected, "{search}");
    }
    let customers = list(customers::PATH);
    let query = [("sort", "-name"), ("searchTerm", "asa"), ("statusAdv", "Active")];
    assert_eq!(customers.names("name", &query).await, ["Åsa Ek"]);
    let query = [("sort", "status,name"), ("typeAdv", "Private"), ("fromDate", "1970-01-01")];
    assert_eq!(customers.names("name", &query).await, ["Åsa Ek", "Bo Ek", "asa alm", "Eva Ek"]);
    let query = [("filter", not_eva), ("fromDate", "1970-01-01")];
    assert_eq!(customers.names("name", &query).await, ["asa alm", "Åsa Ek", "Bo Ek"]);
    // The list of invoices is also sorted if the query names no page.
    let query = [("sort", "-projectPrice,customer")];
    assert_eq!(list(invoices::PATH).names("customer", &query).await, ["asa alm", "Åsa Ek", "Eva Ek", "Bo Ek"]);
    let query =
        [("sort", "customer"), ("search", "ek"), ("filter", r#"[{"field":"projectPrice","op":"lt","value":7}]"#)];
    assert_eq!(list(invoices::PATH).names("customer", &query).await, ["Bo Ek", "Eva Ek"]);
}

#[tokio::test]
async fn relative_dates_are_those_of_the_time_zone_of_the_request() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_record(&app, &token, CONTACTS, json!({"name": "Morning"}), "_id").await;
    // One minute before midnight in Stockholm.
    app.advance(14 * HOUR + 59 * MINUTE);
    let token = app.sign_in(CLERK).await;
    create_record(&app, &token, CONTACTS, json!({"name": "Evening"}), "_id").await;
    app.advance(MINUTE);
    create_record(&app, &token, CONTACTS, json!({"name": "Night"}), "_id").await;
    let condition = |op: &str, value: &str| json!([{"field": "createdAt", "op": op, "value": value}]);
    for (zone, op, value, expected) in [
        (Some(ZONE), "is", "today", vec!["Night"]),
        (Some(ZONE), "lt", "today", vec!["Evening", "Morning"]),
        (Some(ZONE), "is", "today-1", vec!["Evening", "Morning"]),
        (Some(ZONE), "gt", "today-1", vec!["Night"]),
        (Some(ZONE), "is_not", "month", vec![]),
        (Some("America/New_York"), "is", "today", vec!["Evening", "Morning", "Night"]),
        (Some("Nowhere/At_all"), "is", "today", vec!["Evening", "Morning", "Night"]),
        (None, "is", "today", vec!["Evening", "Morning", "Night"]),
        // Without seconds, a time is its whole minute.
        (None, "is", "2027-01-15T22:59Z", vec!["Evening"]),
        (None, "lte", "2027-01-15T22:59Z", vec!["Evening", "Morning"]),
        (None, "gt", "2027-01-15T22:59Z", vec!["Night"]),
    ] {
        let filter = condition(op, value);
        let request = |method, path: &str| {
            let request = app.request(method, path, Some(&token));
            if let Some(zone) = zone { request.header(TIME_ZONE, zone) } else { request }
        };
        let query = [("filter", filter.to_string()), ("sort", "name".to_owned())];
        let listed = app.send(request(Method::GET, CONTACTS).query(&query)).await.body;
        let names: Vec<_> = listed["data"].as_array().unwrap().iter().map(|contact| &contact["name"]).collect();
        assert_eq!(names, expected, "{zone:?} {op} {value}");
        let file = contract::send(request(Method::GET, &format!("{CONTACTS}/export")).query(&query)).await;
        let rows = csv::Reader::from_reader(&*file.bytes).into_records().count();
        assert_eq!(rows, expected.len(), "{zone:?} {op} {value}");
        let deletion = json!({"query": {"filter": filter}, "action": "delete", "dry_run": true});
        let found = app.send(request(Method::POST, &format!("{CONTACTS}/bulk")).json(&deletion)).await.body;
        assert_eq!(found["data"]["matched"], expected.len(), "{zone:?} {op} {value}: {found}");
    }
    let list = List { app: &app, token: &token, path: CONTACTS };
    for word in ["week", "today-", "month+10000"] {
        let filter = condition("is", word).to_string();
        assert_eq!(list.rejected_fields(&[("filter", &filter)]).await, ["filter.createdAt"], "{word}");
    }
}

#[tokio::test]
async fn a_page_beyond_the_last_has_the_exact_total() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for name in ["Ada", "Bo", "Cia"] {
        create_record(&app, &token, CONTACTS, json!({"name": name}), "_id").await;
    }
    let list = List { app: &app, token: &token, path: CONTACTS };
    assert_eq!(list.get(&[("sort", "name"), ("page", "9")]).await, (vec![], 3));
    let filter = r#"[{"field":"name","op":"contains","value":"a"}]"#;
    assert_eq!(list.get(&[("filter", filter), ("page", "2"), ("limit", "2")]).await, (vec![], 2));
    let none = r#"[{"field":"name","op":"is","value":"x"}]"#;
    assert_eq!(list.get(&[("filter", none)]).await, (vec![], 0));
}

#[tokio::test]
async fn a_filter_finds_no_record_of_another_tenant() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let path = create_record(&app, &token, CONTACTS, json!({"name": "Ada"}), "_id").await;
    let id = read_record(&app, &token, &path).await["_id"].clone();
    let other = app.sign_in(OTHER_ADMIN).await;
    for condition in [json!({"field": "_id", "op": "is", "value": id}), json!({"field": "name", "op": "is_not_empty"})]
    {
        let filter = json!([condition]).to_string();
        for (token, found) in [(&token, 1), (&other, 0)] {
            let list = List { app: &app, token, path: CONTACTS };
            assert_eq!(list.get(&[("filter", &filter), ("sort", "name")]).await.1, found);
        }
    }
}

#[tokio::test]
async fn invalid_sort_orders_and_filters_are_rejected_with_their_field() {
    let app = TestApp::start().await;
    let (clerk, admin, super_admin) =
        (app.sign_in(CLERK).await, app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    for list in LISTS {
        let token = match *list {
            "users" => &admin,
            "corporations" => &super_admin,
            _ => &clerk,
        };
        let list = List { app: &app, token, path: &format!("/api/{list}") };
        let condition =
            |field: &str, op: &str, value: Value| json!([{"field": field, "op": op, "value": value}]).to_string();
        let many = json!(vec![json!({"field": "version", "op": "is", "value": 1}); 21]).to_string();
        for (query, field) in [
            (("sort", "nothing".to_owned()), "sort.nothing"),
            (("sort", "version,-version".to_owned()), "sort.version"),
            (("sort", "socialSecurityNumber".to_owned()), "sort.socialSecurityNumber"),
            (("filter", condition("password", "is", json!("x"))), "filter.password"),
            (("filter", condition("version", "contains", json!("1"))), "filter.version"),
            (("filter", condition("version", "is", json!("1"))), "filter.version"),
            (("filter", condition("version", "is", Value::Null)), "filter.version"),
            (("filter", many), "filter"),
            (("filter", r#"{"field":"version"}"#.to_owned()), "filter"),
            (("filter", r#"[["version","is",1]]"#.to_owned()), "filter"),
            (("filter", "version".to_owned()), "filter"),
            (("filter", r#"[{"field":"version","op":"is","value":1,"and":1}]"#.to_owned()), "filter"),
        ] {
            assert_eq!(list.rejected_fields(&[(query.0, &query.1)]).await, [field], "{query:?}");
        }
        let both = [("sort", "a"), ("filter", r#"[{"field":"b","op":"is_empty"},{"field":"c","op":"is_empty"}]"#)];
        assert_eq!(list.rejected_fields(&both).await, ["filter.b", "filter.c", "sort.a"]);
    }
}

#[tokio::test]
async fn the_openapi_document_lists_fields_and_operators() {
    let app = TestApp::start().await;
    let document = app.get("/api/openapi.json", None).await.body;
    for list in LISTS {
        let fields = fields_of(list).unwrap();
        let parameters = document["paths"][format!("/api/{list}")]["get"]["parameters"].as_array().unwrap();
        let schema = |name: &str| &parameters.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"];
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        let (sort, filter) = (schema("sort"), schema("filter"));
        assert!(sort["description"].as_str().unwrap().contains(&names.join(", ")), "{sort}");
        assert!(sort["pattern"].as_str().unwrap().contains(&names.join("|")), "{sort}");
        assert!(filter["description"].as_str().unwrap().contains("version: is, is_not, in, lt, lte"), "{filter}");
        assert_eq!(filter["contentSchema"]["items"]["properties"]["field"]["enum"], json!(names));
    }
}
