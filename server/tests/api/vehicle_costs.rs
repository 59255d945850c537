//! Purchase prices, minimum prices and costs of vehicles, and the values of agreements that show them: who sees them,
//! and who changes them. Also the day in stock, the country and the filters of a vehicle.

use crate::agreements::PATH as AGREEMENTS;
use crate::app::{CLERK, TestApp};
use crate::helpers::{assert_error, create_record, delete, put, read_record, role_id, with_field};
use crate::policy::fixtures::{ResourceKind, create_tenant, insert_resource, insert_user};
use crate::policy::samples::{RequestValues, SAMPLES, method, path};
use crate::vehicles::PATH;
use forecourt::access::route::Method as RouteMethod;
use forecourt::app::routes::routes;
use forecourt::platform::clock::DAY;
use forecourt::platform::responses::EVENT_STREAM;
use forecourt_core::permissions::UserType;
use forecourt_core::text::fields_not_allowed;
use forecourt_core::vehicles::text as vehicle_text;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

const COSTS: &str = "vehicles.costs";
/// Texts that only the hidden values of a [`marked`] vehicle and a [`marked_agreement`] contain.
const MARKERS: [&str; 8] = [
    "7654321.98",
    "765432198",
    "7654319.98",
    "qvxzymarkedcost",
    // The price of what comes in with an agreement, its total, and what is to pay.
    "6543217.89",
    "654321789",
    "6543222.89",
    "654322289",
];

/// Returns the form of a vehicle whose purchase price, minimum price and costs contain [`MARKERS`].
fn marked(plate: &str) -> Value {
    json!({
        "registration_number": plate, "make": "Volvo", "model": "V60", "asking_price": 18_995,
        "purchase_price": 7_654_321.98, "minimum_price": 7_654_321.98,
        "costs": [{"date": "2026-11-20", "kind": "Tyres", "net": 7_654_319.98, "vat": 1.5, "note": "qvxzymarkedcost"}],
    })
}

/// Returns the form of an agreement whose hidden values are marked.
fn marked_agreement(vehicle: &str, price: f64) -> Value {
    json!({"legs": [{"vehicle_id": vehicle, "direction": "In", "price": price}], "minimum_price": 7_654_321.98,
        "deposit": 5})
}

/// Returns the first of [`MARKERS`] that the text contains.
fn find_marker(text: &str) -> Option<&'static str> {
    MARKERS.into_iter().find(|marker| text.contains(marker))
}

async fn let_clerks_read_costs(app: &TestApp) {
    let sql = "INSERT INTO role_permissions (corp_id, role_id, resource_id, can_read, can_create, can_update, can_delete) \
               VALUES ($1, $2, $3, TRUE, FALSE, FALSE, FALSE)";
    let role = role_id(app, "Clerk").await;
    app.db().sql(sql).bind_all((app.nordbil, role, COSTS.to_owned())).exec().await.unwrap();
}

/// The access tokens of a tenant's Admin, and of its clerk, who may do everything there except read costs.
pub struct Users {
    pub admin: String,
    pub clerk: String,
    values: RequestValues,
}

pub async fn users(app: &TestApp) -> Users {
    let tenant = create_tenant(app.db(), "Marked").await;
    let sql = "DELETE FROM role_permissions WHERE corp_id = $1 AND role_id = $2 AND resource_id = $3";
    let removed = app.db().sql(sql).bind_all((tenant.corp, tenant.full, COSTS.to_owned())).exec().await.unwrap();
    assert_eq!(removed, 1);
    let (admin, email) = ("admin@marked.example", "clerk@marked.example");
    insert_user(app.db(), tenant.corp, admin, UserType::Admin, None).await;
    let user = insert_user(app.db(), tenant.corp, email, UserType::User, Some(tenant.full)).await;
    let values = RequestValues { user, email: email.to_owned(), corp: tenant.corp, role: tenant.reading, n: 1 };
    Users { admin: app.sign_in(admin).await, clerk: app.sign_in(email).await, values }
}

/// Sends a request. Returns status, headers and body as text, without the body of an event stream, which never ends.
async fn text(request: reqwest::RequestBuilder) -> String {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let is_endless = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == EVENT_STREAM);
    let body = if is_endless { Default::default() } else { response.bytes().await.unwrap() };
    format!("{status} {headers:?} {}", String::from_utf8_lossy(&body))
}

#[tokio::test]
async fn no_route_shows_a_cost_without_the_permission_to_read_costs() {
    let app = TestApp::start().await;
    let Users { admin, clerk, mut values } = users(&app).await;
    let mut found_by_admin = 0;
    for (route, sample) in routes().flat_map(|r| SAMPLES.iter().filter(|s| s.is_for_route(r)).map(move |s| (r, s))) {
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        if sample.uses_up_user || sample.mails_platform {
            continue;
        }
        values.n += 1;
        // Create a vehicle for each sample, because its requests may change or delete the vehicle.
        let vehicle = create_record(&app, &admin, PATH, marked(&format!("Q{}", values.n)), "vehicle_id").await;
        let vehicle_id = vehicle.rsplit('/').next().unwrap().to_owned();
        let changed = put(
            &app,
            &vehicle,
            &admin,
            json!({"registration_number": format!("R{}", values.n), "status": "Reserved",
            "purchase_price": 1, "costs": []}),
        )
        .await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let restored = put(&app, &vehicle, &admin, marked(&format!("R{}", values.n))).await;
        assert_eq!(restored.status, 200, "{}", restored.body);
        let agreement =
            create_record(&app, &admin, AGREEMENTS, marked_agreement(&vehicle_id, 1.0), "agreement_id").await;
        let agreement_id = agreement.rsplit('/').next().unwrap().to_owned();
        let changed = put(&app, &agreement, &admin, marked_agreement(&vehicle_id, 6_543_217.89)).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let resource = if values.n.is_multiple_of(2) { "vehicles" } else { "agreements" };
        let id = if resource == "vehicles" { &vehicle_id } else { &agreement_id };
        let history = app.get(&format!("/api/history?resource={resource}&id={id}"), Some(&admin)).await.body;
        let entry = history["data"][0]["history_id"].as_str().unwrap().to_owned();
        let ids = match sample.id {
            Some(ResourceKind::Record("vehicles")) => vec![vehicle_id.clone()],
            Some(ResourceKind::Record("agreements")) => vec![agreement_id.clone()],
            Some(ResourceKind::Change) => vec![entry],
            Some(kind) => insert_resource(app.db(), kind, values.corp, Some(values.user)).await,
            None => Vec::new(),
        };
        let address = path(route, &ids);
        let queries = [
            String::new(),
            "?resource=vehicles".into(),
            format!("?resource=vehicles&id={vehicle_id}"),
            "?sort=-purchase_price&limit=100".into(),
            r#"?filter=[{"field":"costs","op":"is","value":7654319.98}]"#.into(),
            "?search=V60&limit=100".into(),
            format!("?resource=agreements&id={agreement_id}"),
            "?sort=-to_pay&limit=100".into(),
            r#"?filter=[{"field":"in_total","op":"is","value":6543217.89}]"#.into(),
        ];
        for query in queries.iter().filter(|query| query.is_empty() || route.method == RouteMethod::Get) {
            for token in [&admin, &clerk] {
                if token == &admin && route.method != RouteMethod::Get {
                    continue;
                }
                let request = app.request(method(route.method), &format!("{address}{query}"), Some(token));
                let request = match query.is_empty() {
                    true => sample.content(&values).put_into(request),
                    false => request,
                };
                let response = text(request).await;
                match (find_marker(&response), token == &admin) {
                    (Some(_), true) => found_by_admin += 1,
                    (Some(marker), false) => panic!("{marker} in {:?} {address}{query}: {response}", route.method),
                    (None, _) => {}
                }
            }
        }
    }
    // The Admin must find the markers in several responses: list, vehicle, export, history and past record.
    assert!(found_by_admin > 10, "{found_by_admin}");
}

#[tokio::test]
async fn queries_and_views_reject_a_hidden_field_like_an_unknown_one() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    create_record(&app, &admin, PATH, marked("A1"), "vehicle_id").await;
    let filter = |field: &str| json!([{"field": field, "op": "gt", "value": 1}]);
    for field in ["purchase_price", "minimum_price", "costs"] {
        let queries = [vec![("sort", format!("-{field}"))], vec![("filter", filter(field).to_string())]];
        for query in queries {
            let sent = async |token: &str, path: &str| {
                app.send(app.request(Method::GET, path, Some(token)).query(&query)).await
            };
            for path in [PATH.to_owned(), format!("{PATH}/export")] {
                assert_eq!(sent(&admin, &path).await.status, 200, "{query:?}");
                let refused = sent(&clerk, &path).await;
                let name = format!("{}.{field}", query[0].0);
                let unknown = refused.body["fields"][&name][0].as_str().unwrap_or_else(|| panic!("{}", refused.body));
                assert!(
                    refused.status == 400 && unknown.starts_with("This list does not have that field."),
                    "{unknown}"
                );
                assert!(!unknown.contains(field), "{unknown}");
            }
        }
        let bulk = json!({"query": {"filter": filter(field)}, "action": "delete", "dry_run": true});
        assert_eq!(app.post(&format!("{PATH}/bulk"), Some(&admin), bulk.clone()).await.status, 200);
        assert_eq!(app.post(&format!("{PATH}/bulk"), Some(&clerk), bulk).await.status, 400, "{field}");
        let view = |name: &str, query: Value, columns: Value| json!({"resource": "vehicles", "name": format!("{name} {field}"), "scope": "shared", "query": query, "columns": columns});
        let (filtered, column) = (json!({"filter": filter(field)}), json!([{"field": field}, {"field": "name"}]));
        for view in [view("With", filtered, json!([])), view("Column", json!({}), column)] {
            assert_eq!(app.post("/api/views", Some(&clerk), view.clone()).await.status, 400, "{view}");
            assert_eq!(app.post("/api/views", Some(&admin), view).await.status, 201);
        }
    }
    let unknown = json!({"resource": "vehicles", "name": "Unknown", "query": {"sort": "age"}});
    let refused = app.post("/api/views", Some(&clerk), unknown).await;
    let message = refused.body["fields"]["query.sort.age"][0].as_str().unwrap_or_else(|| panic!("{}", refused.body));
    assert!(message.contains("asking_price") && !message.contains("purchase_price"), "{message}");
    let views = app.get("/api/views?resource=vehicles", Some(&clerk)).await.body;
    let columns: Vec<_> = views["data"].as_array().unwrap().iter().map(|view| view["columns"].clone()).collect();
    assert_eq!(columns, vec![json!([{"field": "name"}]); 3], "{views}");
}

#[tokio::test]
async fn saving_a_view_keeps_its_hidden_columns_and_one_sorted_by_a_hidden_field_can_only_be_deleted() {
    let app = TestApp::start().await;
    let_clerks_read_costs(&app).await;
    let token = app.sign_in(CLERK).await;
    let created = async |body: Value| -> String {
        let response = app.post("/api/views", Some(&token), body).await;
        assert_eq!(response.status, 201, "{}", response.body);
        response.body["data"]["view_id"].as_str().unwrap().to_owned()
    };
    let view = |query: Value, columns: Value| json!({"resource": "vehicles", "name": "Margins", "query": query, "columns": columns, "is_default": true});
    let column = |field: &str| json!({"field": field});
    let shown = created(view(json!({}), json!([column("name"), column("costs"), column("status")]))).await;
    let by_price = with_field(view(json!({"sort": "-minimum_price"}), json!([column("name")])), "name", "By price");
    let sorted = created(by_price).await;
    let role = role_id(&app, "Clerk").await;
    let permission = async |can_read: bool| {
        let sql = "UPDATE role_permissions SET can_read = $4 WHERE corp_id = $1 AND role_id = $2 AND resource_id = $3";
        app.db().sql(sql).bind_all((app.nordbil, role, COSTS.to_owned(), can_read)).exec().await.unwrap();
    };
    permission(false).await;

    let saved = view(json!({}), json!([column("status"), column("name")]));
    let response = put(&app, &format!("/api/views/{shown}"), &token, saved.clone()).await;
    assert_eq!(response.body["data"]["columns"], json!([column("status"), column("name")]), "{}", response.body);
    let views = app.get("/api/views?resource=vehicles", Some(&token)).await.body["data"].clone();
    assert_eq!(views[0].get("is_restricted"), None, "{views}");
    let restricted = json!([sorted, "By price", true, false, {"search": "", "sort": "", "filter": []}, []]);
    let fields = ["view_id", "name", "is_restricted", "is_default", "query", "columns"];
    assert_eq!(json!(fields.map(|field| views[1][field].clone())), restricted);
    // It is no view that could be used or changed.
    assert_eq!(put(&app, &format!("/api/views/{sorted}"), &token, saved).await.status, 404);

    permission(true).await;
    let views = app.get("/api/views?resource=vehicles", Some(&token)).await.body["data"].clone();
    assert_eq!(views[0]["columns"], json!([column("status"), column("costs"), column("name")]), "{views}");
    permission(false).await;
    assert_eq!(delete(&app, &format!("/api/views/{sorted}"), &token).await.status, 200);
    let left = app.get("/api/views?resource=vehicles", Some(&token)).await.body["data"].as_array().unwrap().len();
    assert_eq!(left, 1);
}

#[tokio::test]
async fn a_form_of_a_user_without_the_permission_keeps_the_hidden_values() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let path = create_record(&app, &admin, PATH, marked("A1"), "vehicle_id").await;
    let before = read_record(&app, &admin, &path).await;
    let form =
        json!({"registration_number": "A1", "make": "Saab", "purchase_price": " ", "minimum_price": null, "costs": []});
    let saved = put(&app, &path, &clerk, form.clone()).await;
    assert_eq!((saved.status.as_u16(), &saved.body["data"]["make"]), (200, &json!("Saab")), "{}", saved.body);
    let after = read_record(&app, &admin, &path).await;
    for field in ["purchase_price", "minimum_price", "costs"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    // An Admin sees these fields. An Admin's form that omits them keeps them too.
    let saved = put(&app, &path, &admin, json!({"registration_number": "A1", "make": "Volvo"})).await;
    assert_eq!(saved.body["data"]["costs"], before["costs"]);
    let emptied =
        put(&app, &path, &admin, json!({"registration_number": "A1", "costs": null, "purchase_price": ""})).await;
    assert_eq!((&emptied.body["data"]["costs"], &emptied.body["data"]["purchase_price"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_value_in_a_hidden_field_is_403_and_nothing_is_saved() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let path = create_record(&app, &admin, PATH, marked("A1"), "vehicle_id").await;
    let before = read_record(&app, &admin, &path).await;
    for (field, value, name) in [
        ("purchase_price", json!(5), vehicle_text::PURCHASE_PRICE),
        ("minimum_price", json!("5"), vehicle_text::MINIMUM_PRICE),
        ("costs", before["costs"].clone(), vehicle_text::COSTS),
    ] {
        let form = with_field(json!({"registration_number": "B1", "make": "Saab"}), field, value);
        for refused in [put(&app, &path, &clerk, form.clone()).await, app.post(PATH, Some(&clerk), form).await] {
            assert_error(&refused, 403, fields_not_allowed(&[name]).as_str());
        }
    }
    assert_eq!(read_record(&app, &admin, &path).await, before);
    assert_eq!(app.get(PATH, Some(&admin)).await.body["totalItems"], 1);
}

#[tokio::test]
async fn a_user_without_the_permission_undoes_only_what_they_see() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let path = create_record(&app, &admin, PATH, marked("A1"), "vehicle_id").await;
    let id = path.rsplit('/').next().unwrap();
    let mut form = marked("A1");
    form["make"] = "Saab".into();
    form["purchase_price"] = 2.into();
    assert_eq!(put(&app, &path, &admin, form.clone()).await.status, 200);
    form["purchase_price"] = 3.into();
    assert_eq!(put(&app, &path, &admin, form).await.status, 200);
    let history = app.get(&format!("/api/history?resource=vehicles&id={id}"), Some(&clerk)).await.body;
    let both = &history["data"][0];
    let fields: Vec<_> = both["changes"].as_array().unwrap().iter().map(|change| &change["field"]).collect();
    assert_eq!((fields, &both["undo"]), (vec![&json!("make")], &json!("update")));
    let revert = format!("/api/history/{}/revert", both["history_id"].as_str().unwrap());
    let undone = app.post(&revert, Some(&clerk), json!({})).await;
    assert_eq!((undone.status.as_u16(), &undone.body["data"]["make"]), (200, &json!("Volvo")), "{}", undone.body);
    assert_eq!(read_record(&app, &admin, &path).await["purchase_price"], 3);
}

#[tokio::test]
async fn an_entry_about_costs_alone_exists_only_for_users_who_may_read_costs() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let path = create_record(&app, &admin, PATH, marked("A1"), "vehicle_id").await;
    let mut form = marked("A1");
    for (field, value) in [("make", json!("Saab")), ("purchase_price", json!(2)), ("costs", json!([]))] {
        form[field] = value;
        assert_eq!(put(&app, &path, &admin, form.clone()).await.status, 200, "{field}");
    }
    let of_record = format!("resource=vehicles&id={}", path.rsplit('/').next().unwrap());
    let fields = ["costs", "purchase_price", "make"];
    for query in [&of_record[..], "resource=vehicles&action=updated", "resource=vehicles&action=updated&limit=1"] {
        // The history of the record also has its creation.
        let others = usize::from(query == of_record);
        for (token, expected) in [(&admin, &fields[..]), (&clerk, &fields[2..])] {
            let page = app.get(&format!("/api/history?{query}"), Some(token)).await.body;
            assert_eq!(page["totalItems"], expected.len() + others, "{query} {page}");
            assert_eq!(page["data"][0]["changes"][0]["field"], expected[0], "{query} {page}");
        }
    }
    let entries = app.get(&format!("/api/history?{of_record}"), Some(&admin)).await.body["data"].clone();
    for entry in &entries.as_array().unwrap()[..2] {
        let entry = format!("/api/history/{}", entry["history_id"].as_str().unwrap());
        for path in [entry.clone(), format!("{entry}/record")] {
            assert_eq!(app.get(&path, Some(&admin)).await.status, 200, "{path}");
            assert_eq!(app.get(&path, Some(&clerk)).await.status, 404, "{path}");
        }
        assert_eq!(app.post(&format!("{entry}/revert"), Some(&clerk), json!({})).await.status, 404);
    }
}

#[tokio::test]
async fn a_change_of_costs_is_recorded_and_undone_as_the_whole_list() {
    let app = TestApp::start().await;
    let_clerks_read_costs(&app).await;
    let token = app.sign_in(CLERK).await;
    let path = create_record(&app, &token, PATH, marked("A1"), "vehicle_id").await;
    let before = read_record(&app, &token, &path).await;
    let mut form = marked("A1");
    form["costs"]
        .as_array_mut()
        .unwrap()
        .push(json!({"date": "2026-11-21", "kind": "Paint", "net": "12.50", "vat": ""}));
    let saved = put(&app, &path, &token, form).await;
    assert_eq!(
        saved.body["data"]["costs"][1],
        json!({"date": "2026-11-21", "kind": "Paint", "net": 12.5, "vat": 0, "note": ""})
    );
    let id = path.rsplit('/').next().unwrap();
    let history = app.get(&format!("/api/history?resource=vehicles&id={id}"), Some(&token)).await.body;
    let change = json!([{"field": "costs", "before": before["costs"], "after": saved.body["data"]["costs"]}]);
    assert_eq!(history["data"][0]["changes"], change);
    let entry = history["data"][0]["history_id"].as_str().unwrap();
    let undone = app.post(&format!("/api/history/{entry}/revert"), Some(&token), json!({})).await;
    assert_eq!(undone.body["data"]["costs"], before["costs"], "{}", undone.body);
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    let restore = json!({"resource": "vehicles", "ids": [id]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), restore).await.status, 200);
    assert_eq!(read_record(&app, &token, &path).await["costs"], before["costs"]);
}

#[tokio::test]
async fn in_stock_on_is_the_first_day_in_stock_unless_the_form_gives_another() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form = |status: &str| json!({"registration_number": "A1", "status": status});
    let path = create_record(&app, &token, PATH, form("Expected"), "vehicle_id").await;
    assert_eq!(read_record(&app, &token, &path).await["in_stock_on"], Value::Null);
    for (status, days) in [("In stock", 3), ("Withdrawn", 1), ("In stock", 1)] {
        app.advance(days * DAY);
        let token = app.sign_in(CLERK).await;
        let saved = put(&app, &path, &token, form(status)).await;
        assert_eq!(saved.body["data"]["in_stock_on"], "2027-01-18", "{}", saved.body);
    }
    let token = app.sign_in(CLERK).await;
    let mut earlier = form("In stock");
    earlier["in_stock_on"] = "2027-01-02".into();
    assert_eq!(put(&app, &path, &token, earlier).await.body["data"]["in_stock_on"], "2027-01-02");
    let bulk = json!({"query": {}, "action": "update", "fields": {"status": "Reserved"}});
    assert_eq!(app.post(&format!("{PATH}/bulk"), Some(&token), bulk).await.body["data"]["changed"], 1);
    assert_eq!(read_record(&app, &token, &path).await["in_stock_on"], "2027-01-02");
    // An empty day is unknown, and stays so until one is given.
    for (given, stored) in [(Some(""), Value::Null), (None, Value::Null), (Some("2027-01-05"), "2027-01-05".into())] {
        let mut emptied = form("Reserved");
        if let Some(day) = given {
            emptied["in_stock_on"] = day.into();
        }
        let saved = put(&app, &path, &token, emptied).await;
        assert_eq!(saved.body["data"].get("in_stock_on").cloned().unwrap_or_default(), stored, "{}", saved.body);
    }
}

#[tokio::test]
async fn a_vehicle_without_a_country_has_that_of_its_corporation() {
    let app = TestApp::start().await;
    let Users { admin, clerk, .. } = users(&app).await;
    let sweden = json!({"country": "SE", "currency": "SEK", "vat_rate": 25});
    assert_eq!(put(&app, "/api/settings", &admin, sweden).await.status, 200);
    let made = app.post(PATH, Some(&clerk), json!({"registration_number": "abc123", "mileage": 5})).await.body;
    let shown = ["registration_country", "mileage_unit", "name"].map(|field| made["data"][field].clone());
    assert_eq!(shown, [json!("SE"), json!("km"), json!("ABC 123")]);
}

#[tokio::test]
async fn a_filter_finds_a_registration_number_as_it_is_written() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form = json!({"registration_number": "AB12 CDE", "vin": "jzx100-0012345"});
    create_record(&app, &token, PATH, form, "vehicle_id").await;
    for (field, op, value) in [
        ("registration_number", "is", json!("ab12 cde")),
        ("registration_number", "in", json!(["X", "AB12-CDE"])),
        ("registration_number", "contains", json!("12 c")),
        ("vin", "is", json!("JZX100-0012345")),
        ("vin", "starts_with", json!("JZX100")),
    ] {
        let filter = json!([{"field": field, "op": op, "value": value}]).to_string();
        let found = app.send(app.request(Method::GET, PATH, Some(&token)).query(&[("filter", &filter)])).await.body;
        assert_eq!(found["totalItems"], 1, "{filter} {found}");
    }
}

#[tokio::test]
async fn a_change_of_make_can_be_undone_after_a_change_of_model() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form = |make: &str, model: &str| json!({"registration_number": "A1", "make": make, "model": model});
    let path = create_record(&app, &token, PATH, form("Volvo", "V60"), "vehicle_id").await;
    for (make, model) in [("Saab", "V60"), ("Saab", "900")] {
        assert_eq!(put(&app, &path, &token, form(make, model)).await.status, 200);
    }
    let id = path.rsplit('/').next().unwrap();
    let history = app.get(&format!("/api/history?resource=vehicles&id={id}"), Some(&token)).await.body;
    let entry = history["data"][1]["history_id"].as_str().unwrap();
    let undone = app.post(&format!("/api/history/{entry}/revert"), Some(&token), json!({})).await;
    assert_eq!(
        (undone.status.as_u16(), &undone.body["data"]["name"]),
        (200, &json!("Volvo 900, A 1")),
        "{}",
        undone.body
    );
}
