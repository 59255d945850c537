//! Saved views: who sees, changes and deletes them, and what they may contain.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use crate::helpers::{delete, put, with_field};
use forecourt_core::views::text::{CREATED, DELETED, NAME_TAKEN, NOT_OWNER, UPDATED};
use forecourt_core::views::{CORPORATION_MAX, OWN_MAX, PATH};
use serde_json::{Value, json};

/// Returns the form of a private view of contacts in which all optional fields are set.
fn view(name: &str) -> Value {
    json!({
        "resource": "contacts", "name": name,
        "query": {
            "search": "nordbil", "sort": "-createdAt,name",
            "filter": [
                {"field": "email", "op": "is_empty"},
                {"field": "name", "op": "in", "value": ["Ada", "Bo"]},
                {"field": "createdAt", "op": "between", "value": ["today-30", "today"]},
            ],
        },
        "columns": [{"field": "name", "width": 240}, {"field": "website", "hidden": true}],
        "density": "compact", "scope": "mine", "is_default": false,
    })
}

async fn create(app: &TestApp, token: &str, view: Value) -> ApiResponse {
    app.post(PATH, Some(token), view).await
}

/// Creates a saved view, and returns it.
async fn create_view(app: &TestApp, token: &str, view: Value) -> Value {
    let made = create(app, token, view).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(CREATED.as_str())), "{}", made.body);
    made.body["data"].clone()
}

fn path(view: &Value) -> String {
    format!("{PATH}/{}", view["view_id"].as_str().unwrap())
}

/// Returns the names of the views that a user sees for this resource. The user's default has an asterisk.
async fn names(app: &TestApp, token: &str, resource: &str) -> Vec<String> {
    let response = app.get(&format!("{PATH}?resource={resource}"), Some(token)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let star = |view: &Value| if view["is_default"] == true { "*" } else { "" };
    let views = response.body["data"].as_array().unwrap();
    views.iter().map(|view| format!("{}{}", view["name"].as_str().unwrap(), star(view))).collect()
}

#[tokio::test]
async fn a_view_is_saved_with_a_trimmed_name_then_changed_and_deleted() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let made = create_view(&app, &token, view(" Without e-mail ")).await;
    let mut expected = view("Without e-mail");
    let id = made["view_id"].as_str().unwrap();
    let owner = &made["owner"];
    expected["view_id"] = id.into();
    expected["owner"] = owner.clone();
    expected["version"] = 1.into();
    assert_eq!(made, expected);
    assert!(!owner["id"].as_str().unwrap().is_empty() && owner["name"].as_str().unwrap().contains(' '), "{owner}");
    for query in ["", "?resource=contacts"] {
        assert_eq!(app.get(&format!("{PATH}{query}"), Some(&token)).await.body["data"], json!([expected]));
    }
    assert!(names(&app, &token, "invoices").await.is_empty());

    let change = json!({"resource": "contacts", "name": "Everyone", "version": 1});
    let updated = put(&app, &path(&made), &token, change.clone()).await;
    assert_eq!((updated.status.as_u16(), &updated.body["message"]), (200, &json!(UPDATED.as_str())));
    let expected = json!({
        "view_id": id, "resource": "contacts", "name": "Everyone", "query": {"search": "", "sort": "", "filter": []},
        "columns": [], "density": "compact", "scope": "mine", "is_default": false, "owner": owner, "version": 2,
    });
    assert_eq!(updated.body["data"], expected);

    let stale = put(&app, &path(&made), &token, with_field(change, "name", "Mine")).await;
    assert_eq!((stale.status.as_u16(), &stale.body["data"]), (409, &expected));
    let deleted = delete(&app, &path(&made), &token).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(DELETED.as_str())));
    assert_eq!(delete(&app, &path(&made), &token).await.status, 404);
    assert!(names(&app, &token, "contacts").await.is_empty());
}

#[tokio::test]
async fn a_view_update_keeps_the_scope_density_and_default_that_it_leaves_out() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let shared = with_field(with_field(view("Ours"), "scope", "shared"), "is_default", true);
    let made = create_view(&app, &token, shared).await;
    let renamed = put(&app, &path(&made), &token, json!({"resource": "contacts", "name": "Everyone"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["data"]["name"]), (200, &json!("Everyone")), "{}", renamed.body);
    for field in ["scope", "density", "is_default"] {
        assert_eq!(renamed.body["data"][field], made[field], "{field}");
    }
    assert_eq!(names(&app, &app.sign_in(READER).await, "contacts").await, ["Everyone"]);
}

#[tokio::test]
async fn an_invalid_view_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let made = create_view(&app, &token, view("Mine")).await;
    for (field, value, error) in [
        ("name", json!(""), "name"),
        ("name", json!("x".repeat(61)), "name"),
        ("resource", json!("roles"), "resource"),
        ("resource", json!(null), "resource"),
        ("query", json!({"sort": "age"}), "query.sort.age"),
        ("query", json!({"filter": [{"field": "name", "op": "lt", "value": "a"}]}), "query.filter.name"),
        ("query", json!({"typeAdv": "Company"}), "query.typeAdv"),
        ("query", json!({"fromDate": "soon"}), "query.fromDate"),
        ("columns", json!([{"field": "age"}]), "columns.age"),
        ("density", json!("tiny"), "density"),
        ("scope", json!("all"), "scope"),
    ] {
        let bad = with_field(view("Bad"), field, value);
        for response in [create(&app, &token, bad.clone()).await, put(&app, &path(&made), &token, bad).await] {
            assert_eq!(response.status, 400, "{field}: {}", response.body);
            assert!(response.body["fields"][error][0].is_string(), "{field}: {}", response.body);
        }
    }
    for query in [json!({"filter": "x"}), json!({"filter": [{"field": "name"}]}), json!([1])] {
        let response = create(&app, &token, with_field(view("Bad"), "query", query)).await;
        assert_eq!(response.status, 400, "{}", response.body);
    }
    let unknown = app.get(&format!("{PATH}?resource=roles"), Some(&token)).await;
    assert_eq!((unknown.status.as_u16(), unknown.body["fields"]["resource"][0].is_string()), (400, true));
    assert_eq!(names(&app, &token, "contacts").await, ["Mine"]);
}

#[tokio::test]
async fn a_view_can_not_get_the_name_of_another_one_that_its_user_sees() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let shared = |name: &str| with_field(view(name), "scope", "shared");
    create_view(&app, &token, shared("Ours")).await;
    create_view(&app, &token, view("Mine")).await;
    let reader = app.sign_in(READER).await;
    // A private view of another user does not count, and neither does one of another list.
    let last = create_view(&app, &reader, view("Mine")).await;
    create_view(&app, &token, json!({"resource": "invoices", "name": "Ours"})).await;
    let mut responses = vec![create(&app, &reader, view("MINE")).await];
    for name in ["OURS", "all"] {
        responses.push(create(&app, &reader, view(name)).await);
        responses.push(put(&app, &path(&last), &reader, shared(name)).await);
    }
    for response in responses {
        let error = &response.body["fields"]["name"][0];
        assert_eq!((response.status.as_u16(), error), (400, &json!(NAME_TAKEN.as_str())), "{}", response.body);
    }

    // Names that are stored already stay.
    app.db().sql("UPDATE views SET name = 'Same'").exec().await.unwrap();
    let kept = put(&app, &path(&last), &reader, with_field(view("Same"), "density", "comfortable")).await;
    assert_eq!((kept.status.as_u16(), &kept.body["data"]["density"]), (200, &json!("comfortable")), "{}", kept.body);
}

#[tokio::test]
async fn a_view_that_names_a_lost_field_is_still_returned() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_view(&app, &token, view("Old")).await;
    let columns = r#"[{"field":"fax"}]"#.to_owned();
    let conditions = r#"[{"field":"fax","op":"is_empty"}]"#.to_owned();
    let sql = app.db().sql("UPDATE views SET columns = $1, conditions = $2, sort = '-fax'");
    sql.bind_all((columns, conditions)).exec().await.unwrap();
    let seen = app.get(PATH, Some(&token)).await.body["data"][0].clone();
    assert_eq!(seen["columns"], json!([{"field": "fax"}]));
    assert_eq!(
        seen["query"],
        json!({"search": "nordbil", "sort": "-fax", "filter": [{"field": "fax", "op": "is_empty"}]})
    );
}

#[tokio::test]
async fn a_view_of_customers_stores_their_filter_by_type_and_date() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let view = |query: Value| json!({"resource": "customers", "name": "New", "query": query, "scope": "shared"});
    let stored = |own: Value| {
        let mut query = json!({"search": "", "sort": "", "filter": []});
        query.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        query
    };
    let companies = json!({"typeAdv": "Company", "fromDate": "2026-01-01", "toDate": "2026-03-31"});
    let made = create_view(&app, &token, view(companies.clone())).await;
    assert_eq!(made["query"], stored(companies.clone()));

    // To everyone else the view has the same filter, which only its owner and administrators can change.
    let reader = app.sign_in(READER).await;
    let seen = app.get(&format!("{PATH}?resource=customers"), Some(&reader)).await.body["data"][0].clone();
    assert_eq!(seen["query"], made["query"]);
    let from = json!({"fromDate": "2026-02-01"});
    assert_eq!(put(&app, &path(&made), &reader, view(from.clone())).await.status, 403);
    let default = with_field(view(companies), "is_default", true);
    assert_eq!(put(&app, &path(&made), &reader, default).await.status, 200);
    let changed = put(&app, &path(&made), &token, view(from.clone())).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["query"]), (200, &stored(from)), "{}", changed.body);

    // A type that no longer exists stays in the view.
    let sql = app.db().sql("UPDATE views SET customer_type = 'Dealer'");
    sql.exec().await.unwrap();
    let seen = app.get(PATH, Some(&token)).await.body["data"][0].clone();
    assert_eq!(seen["query"], stored(json!({"typeAdv": "Dealer", "fromDate": "2026-02-01"})));
}

#[tokio::test]
async fn a_client_that_does_not_know_the_filter_of_customers_keeps_it() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let view =
        |name: &str, query: Value| json!({"resource": "customers", "name": name, "query": query, "scope": "shared"});
    let made = create_view(&app, &token, view("New", json!({"typeAdv": "Company", "toDate": "2026-03-31"}))).await;
    let reader = app.sign_in(READER).await;
    let default = with_field(view("New", json!({})), "is_default", true);
    assert_eq!(put(&app, &path(&made), &reader, default).await.status, 200);
    let renamed = put(&app, &path(&made), &token, view("Companies", json!({}))).await.body["data"].clone();
    assert_eq!((&renamed["name"], &renamed["query"]), (&json!("Companies"), &made["query"]));

    let empty = json!({"typeAdv": "", "fromDate": "", "toDate": ""});
    let emptied = put(&app, &path(&made), &token, view("Companies", empty)).await.body["data"].clone();
    assert_eq!(emptied["query"], json!({"search": "", "sort": "", "filter": []}));
}

#[tokio::test]
async fn a_private_view_is_hidden_from_everyone_else() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let made = create_view(&app, &token, view("Mine")).await;
    for user in [READER, ADMIN, OTHER_ADMIN] {
        let other = app.sign_in(user).await;
        assert!(names(&app, &other, "contacts").await.is_empty(), "{user}");
        assert_eq!(put(&app, &path(&made), &other, view("Taken")).await.status, 404, "{user}");
        assert_eq!(delete(&app, &path(&made), &other).await.status, 404, "{user}");
    }
    assert_eq!(names(&app, &token, "contacts").await, ["Mine"]);
}

#[tokio::test]
async fn a_shared_view_is_changed_by_its_owner_and_administrators() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let shared = |name: &str| with_field(view(name), "scope", "shared");
    let made = create_view(&app, &token, shared("Ours")).await;
    let (reader, admin) = (app.sign_in(READER).await, app.sign_in(ADMIN).await);
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(names(&app, &reader, "contacts").await, ["Ours"]);
    assert!(names(&app, &other, "contacts").await.is_empty());

    for response in [put(&app, &path(&made), &reader, shared("Mine")).await, delete(&app, &path(&made), &reader).await]
    {
        assert_eq!((response.status.as_u16(), &response.body["message"]), (403, &json!(NOT_OWNER.as_str())));
    }
    for response in [put(&app, &path(&made), &other, shared("Mine")).await, delete(&app, &path(&made), &other).await] {
        assert_eq!(response.status, 404);
    }
    let changed = put(&app, &path(&made), &admin, shared("The team's")).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["owner"]), (200, &made["owner"]), "{}", changed.body);
    assert_eq!(names(&app, &token, "contacts").await, ["The team's"]);
    assert_eq!(put(&app, &path(&made), &token, shared("Ours")).await.status, 200);
    assert_eq!(delete(&app, &path(&made), &admin).await.status, 200);
    assert!(names(&app, &token, "contacts").await.is_empty());
}

#[tokio::test]
async fn each_user_has_at_most_one_default_per_list() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let default = |view: Value| with_field(view, "is_default", true);
    create_view(&app, &token, default(view("First"))).await;
    let of_invoices = json!({"resource": "invoices", "name": "Invoices", "is_default": true});
    create_view(&app, &token, of_invoices).await;
    let shared = with_field(view("Shared"), "scope", "shared");
    let made = create_view(&app, &token, default(shared.clone())).await;
    assert_eq!(names(&app, &token, "contacts").await, ["First", "Shared*"]);
    assert_eq!(names(&app, &token, "invoices").await, ["Invoices*"]);

    // Each user chooses their own default, which can be a shared view that they can't change.
    let reader = app.sign_in(READER).await;
    assert_eq!(names(&app, &reader, "contacts").await, ["Shared"]);
    let chosen = put(&app, &path(&made), &reader, default(shared.clone())).await;
    assert_eq!((chosen.status.as_u16(), &chosen.body["data"]["is_default"]), (200, &json!(true)), "{}", chosen.body);
    assert_eq!(chosen.body["data"]["version"], 1);
    assert_eq!(put(&app, &path(&made), &token, shared).await.status, 200);
    assert_eq!(names(&app, &token, "contacts").await, ["First", "Shared"]);
    assert_eq!(names(&app, &reader, "contacts").await, ["Shared*"]);

    // A view that becomes private is no longer the default of other users.
    assert_eq!(put(&app, &path(&made), &token, view("Shared")).await.status, 200);
    assert!(names(&app, &reader, "contacts").await.is_empty());
    let left = "SELECT count(*) FROM view_defaults";
    assert_eq!(app.db().sql(left).value::<i64>().await.unwrap(), 1);
}

#[tokio::test]
async fn views_require_the_permission_to_read_the_list() {
    let app = TestApp::start().await;
    let (clerk, nobody, platform) =
        (app.sign_in(CLERK).await, app.sign_in(NO_ROLE).await, app.sign_in(SUPER_ADMIN).await);
    let shared = with_field(view("Ours"), "scope", "shared");
    let made = create_view(&app, &clerk, shared.clone()).await;
    assert_eq!(app.get(&format!("{PATH}?resource=contacts"), Some(&nobody)).await.status, 403);
    assert_eq!(app.get(PATH, Some(&nobody)).await.body["data"], json!([]));
    assert_eq!(create(&app, &nobody, view("Mine")).await.status, 403);
    assert_eq!(put(&app, &path(&made), &nobody, shared.clone()).await.status, 404);
    assert_eq!(delete(&app, &path(&made), &nobody).await.status, 404);
    // An update can't move a view to another list.
    let moved = json!({"resource": "invoices", "name": "Ours", "scope": "shared"});
    assert_eq!(put(&app, &path(&made), &clerk, moved).await.status, 404);
    for resource in ["users", "corporations"] {
        let view = json!({"resource": resource, "name": "Everyone", "scope": "shared"});
        assert_eq!(create(&app, &clerk, view.clone()).await.status, 403, "{resource}");
        create_view(&app, &platform, view).await;
    }
    assert_eq!(names(&app, &clerk, "contacts").await, ["Ours"]);
}

#[tokio::test]
async fn the_number_of_views_is_limited() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let insert = "INSERT INTO views (corp_id, view_id, user_id, resource_id, name, search, sort, conditions, columns, \
                  density, is_shared, created_at, updated_at) SELECT corp_id, $1, user_id, 'contacts', 'x', '', '', '[]', \
                  '[]', 'compact', $2, 0, 0 FROM users WHERE email = $3";
    let fill = async |count: u32, is_shared: bool, email: &str| {
        for _ in 0..count {
            let sql = app.db().sql(insert).bind_all((uuid::Uuid::now_v7(), is_shared, email.to_owned()));
            assert_eq!(sql.exec().await.unwrap(), 1);
        }
    };
    fill(OWN_MAX - 1, false, CLERK).await;
    let last = create_view(&app, &token, view("Last")).await;
    let response = create(&app, &token, view("One more")).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (409, &json!("You can save at most 50 views of a list. Delete one first."))
    );
    let of_invoices = json!({"resource": "invoices", "name": "Invoices"});
    create_view(&app, &token, of_invoices).await;
    fill(CORPORATION_MAX, true, ADMIN).await;
    let shared = with_field(view("Last"), "scope", "shared");
    let response = put(&app, &path(&last), &token, shared).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (409, &json!("A list can have at most 100 shared views. Delete one first."))
    );
}

#[tokio::test]
async fn a_deleted_users_shared_views_stay() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    create_view(&app, &token, view("Mine")).await;
    let shared = with_field(with_field(view("Ours"), "scope", "shared"), "is_default", true);
    create_view(&app, &token, shared).await;
    let sql = app.db().sql("DELETE FROM users WHERE email = $1").bind(CLERK.to_owned());
    assert_eq!(sql.exec().await.unwrap(), 1);
    let admin = app.sign_in(ADMIN).await;
    let views = app.get(PATH, Some(&admin)).await.body["data"].clone();
    assert_eq!(views.as_array().unwrap().len(), 1);
    assert_eq!((&views[0]["name"], &views[0]["owner"]), (&json!("Ours"), &json!({"id": "", "name": "Deleted user"})));
    let left = "SELECT (SELECT count(*) FROM views) + (SELECT count(*) FROM view_defaults)";
    assert_eq!(app.db().sql(left).value::<i64>().await.unwrap(), 1);

    // A view whose owner was deleted belongs to the administrator who makes it private.
    let private = put(&app, &path(&views[0]), &admin, view("Ours")).await;
    assert_eq!(private.status, 200, "{}", private.body);
    assert!(!private.body["data"]["owner"]["id"].as_str().unwrap().is_empty());
    assert_eq!(names(&app, &admin, "contacts").await, ["Ours"]);
    let reader = app.sign_in(READER).await;
    assert!(names(&app, &reader, "contacts").await.is_empty());
    assert_eq!(delete(&app, &path(&views[0]), &admin).await.status, 200);
}

#[tokio::test]
async fn a_view_that_becomes_private_is_the_default_of_its_owner_only() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let default = |view: Value| with_field(view, "is_default", true);
    let shared = default(with_field(view("Ours"), "scope", "shared"));
    let made = create_view(&app, &token, shared.clone()).await;
    let admin = app.sign_in(ADMIN).await;
    assert_eq!(put(&app, &path(&made), &admin, shared).await.status, 200);
    assert_eq!(names(&app, &admin, "contacts").await, ["Ours*"]);
    assert_eq!(put(&app, &path(&made), &admin, default(view("Ours"))).await.status, 200);
    assert!(names(&app, &admin, "contacts").await.is_empty());
    assert_eq!(names(&app, &token, "contacts").await, ["Ours*"]);
    let left = "SELECT count(*) FROM view_defaults";
    assert_eq!(app.db().sql(left).value::<i64>().await.unwrap(), 1);
}
