//! The list of corporations, who may request the routes of corporations, and which resources a user sees.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::helpers::{assert_error, list_field, module_ids};
use forecourt::access::route::{Method as RouteMethod, Who};
use forecourt::app::routes::routes;
use forecourt::features::Route;
use forecourt_core::permissions::{ResourceId, modules};
use forecourt_core::text;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Inserts a corporation with this company record, and returns its id.
async fn insert_corporation(app: &TestApp, name: &str, number: &str, city: &str) -> Uuid {
    let corp = Uuid::now_v7();
    let mut tx = app.db().begin().await.unwrap();
    tx.sql("INSERT INTO corporations (corp_id, name, active, created_at, updated_at) VALUES ($1, $2, FALSE, 0, 0)")
        .bind_all((corp, name.to_owned()))
        .exec()
        .await
        .unwrap();
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, street_address, registered_city, postal_code, city, \
         company_email, company_phone, created_at, updated_at) \
         VALUES ($1, $2, 'Storgatan 1', 'Umeå', '903 26', $3, 'info@example.se', '090 12 34 56', 0, 0)",
    )
    .bind_all((corp, number.to_owned(), city.to_owned()))
    .exec()
    .await
    .unwrap();
    tx.commit().await.unwrap();
    corp
}

/// Returns the names of the corporations on the requested page, and the response body.
async fn list_names(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, Value) {
    list_field(app, token, "/api/corporations", query, "corp_name").await
}

#[tokio::test]
async fn corporations_are_listed_with_their_company_record_resources_and_first_admin() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let corp = insert_corporation(&app, "Ny Bil AB", "559360-9844", "Ersmark").await;
    let (listed, body) = list_names(&app, &token, &[]).await;
    assert_eq!(listed, ["Ny Bil AB", "Södra Bil", "Nordbil", "Platform"], "newest first");
    assert_eq!((&body["success"], &body["totalItems"], &body["totalPages"]), (&json!(true), &json!(4), &json!(1)));
    let waiting = json!({
        "corp_id": corp.to_string(), "corp_name": "Ny Bil AB", "corp_active": false, "allowed_resources": [],
        "allowed_resources_names": [], "organization_number": "559360-9844", "street_address": "Storgatan 1",
        "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "country": "GB",
        "company_email": "info@example.se", "company_phone": "090 12 34 56", "corp_contact_name": "",
        "corp_contact_email": "", "awaits_approval": false, "is_platform": false, "version": 1,
    });
    assert_eq!(body["data"][0], waiting);
    let nordbil = &body["data"][2];
    assert_eq!(nordbil["allowed_resources"], json!(module_ids()));
    assert_eq!(nordbil["allowed_resources_names"], json!(modules().map(|module| module.title).collect::<Vec<_>>()));
    assert_eq!(
        (&nordbil["corp_contact_name"], &nordbil["corp_contact_email"]),
        (&json!("Ada Lindqvist"), &json!(ADMIN))
    );
    assert_eq!((&nordbil["corp_active"], &nordbil["organization_number"]), (&json!(true), &json!("")));
    let own = &body["data"][3];
    assert_eq!((&own["corp_contact_email"], &own["is_platform"]), (&json!(SUPER_ADMIN), &json!(true)));
    let one = app.get(&format!("/api/corporations/{corp}"), Some(&token)).await;
    assert_eq!((one.status.as_u16(), &one.body["data"]), (200, &waiting));
}

#[tokio::test]
async fn a_page_of_corporations_has_ten_entries_by_default() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for i in 0..20 {
        insert_corporation(&app, &format!("Bil {i}"), "", "").await;
    }
    let (first, body) = list_names(&app, &token, &[]).await;
    assert_eq!((first.len(), &body["totalItems"], &body["totalPages"]), (10, &json!(23), &json!(3)));
    let (second, body) = list_names(&app, &token, &[("page", "2"), ("limit", "15")]).await;
    assert_eq!((second.len(), &body["totalPages"]), (8, &json!(2)));
    assert_eq!(second.last().unwrap(), "Platform");
    let (found, body) = list_names(&app, &token, &[("search", "bil 1"), ("page", "2"), ("limit", "5")]).await;
    assert_eq!((found.len(), &body["totalItems"], &body["totalPages"]), (5, &json!(11), &json!(3)));
    assert!(list_names(&app, &token, &[("page", "4000000000")]).await.0.is_empty());
    assert!(list_names(&app, &token, &[("page", "4000000000"), ("search", "bil")]).await.0.is_empty());
    let rejected = app.get("/api/corporations?page=two", Some(&token)).await;
    assert_eq!(
        (rejected.status.as_u16(), &rejected.body["fields"]["page"][0]),
        (400, &json!("'page' must be a whole number"))
    );
}

#[tokio::test]
async fn a_corporation_search_ignores_case_and_accents_and_has_no_wildcards() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    insert_corporation(&app, "100 % Bil_AB", "559360-9844", "Malmö").await;
    for (search, found) in [
        ("SODRA", vec!["Södra Bil"]),
        ("  malmo ", vec!["100 % Bil_AB"]),
        ("9360-98", vec!["100 % Bil_AB"]),
        ("info@example", vec!["100 % Bil_AB"]),
        ("%", vec!["100 % Bil_AB"]),
        ("l_a", vec!["100 % Bil_AB"]),
        (r"\", vec![]),
        (ADMIN, vec!["Nordbil"]),
        ("ada lindqvist", vec!["Södra Bil", "Nordbil", "Platform"]),
        ("' OR 1=1", vec![]),
    ] {
        assert_eq!(list_names(&app, &token, &[("search", search)]).await.0, found, "{search}");
    }
    let long = app.get(&format!("/api/corporations?search={}", "x".repeat(101)), Some(&token)).await;
    assert_eq!(long.status, 400);
}

/// Returns every route that requires a permission on the resource `corporations`, which only Super Admins have.
fn platform_routes() -> Vec<&'static Route> {
    let calls = routes().filter(|route| matches!(route.who, Who::May(_, ResourceId::Corporations)));
    calls.collect()
}

#[tokio::test]
async fn p5_corporation_routes_get_403_for_all_but_super_admins() {
    let app = TestApp::start().await;
    let mut tokens = Vec::new();
    for email in [ADMIN, CLERK, NO_ROLE, OTHER_ADMIN] {
        tokens.push(app.sign_in(email).await);
    }
    let calls = platform_routes();
    assert!(calls.len() >= 19, "{}", calls.len());
    for route in calls {
        let method = match route.method {
            RouteMethod::Get => Method::GET,
            RouteMethod::Post => Method::POST,
            RouteMethod::Put => Method::PUT,
            RouteMethod::Delete => Method::DELETE,
        };
        // The response is the same for the user's own corporation and for an id that does not exist.
        for id in [app.nordbil, Uuid::now_v7()] {
            let path = route.path.replace("{id}", &id.to_string());
            let call = async |token| app.send(app.request(method.clone(), &path, token).json(&json!({}))).await;
            for token in &tokens {
                assert_error(&call(Some(token)).await, 403, text::NOT_ALLOWED.as_str());
            }
            assert_error(&call(None).await, 401, text::SESSION_ENDED.as_str());
        }
    }
}

#[tokio::test]
async fn returns_404_for_an_unknown_corporation() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for id in [Uuid::now_v7().to_string(), "x".into(), "%00".into()] {
        for rest in ["", "/full-details", "/users"] {
            let path = format!("/api/corporations/{id}{rest}");
            assert_eq!(app.get(&path, Some(&token)).await.status, 404, "{path}");
        }
        let path = format!("/api/corporations/{id}");
        assert_eq!(app.send(app.request(Method::DELETE, &path, Some(&token))).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn users_see_included_and_other_resources_and_whom_to_ask_for_them() {
    let app = TestApp::start().await;
    let (clerk, admin, platform) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    app.db().sql("DELETE FROM corporation_resources WHERE resource_id = 'vehicles'").exec().await.unwrap();
    let modules = module_ids().into_iter().filter(|id| *id != "vehicles");
    let expected: Vec<_> = modules.chain(["users", "roles", "history"]).collect();
    let allowed_resources = async |token: &str| {
        let body = app.get("/api/corporations/allowed-resources", Some(token)).await.body;
        let ids = |list: &Value| list.as_array().unwrap().iter().map(|r| r["resource_id"].clone()).collect::<Vec<_>>();
        (ids(&body["data"]), ids(&body["others"]), body["contact"].clone())
    };
    let (included, others, contact) = allowed_resources(&clerk).await;
    assert_eq!((json!(included), json!(others)), (json!(expected), json!(["vehicles"])));
    assert_eq!(contact, json!({"name": "Ada Lindqvist", "email": ADMIN}));
    let (included, others, contact) = allowed_resources(&admin).await;
    assert_eq!((json!(included), json!(others)), (json!(expected), json!(["vehicles"])));
    assert_eq!(contact, json!({"name": "Platform", "email": ""}));
    app.db().sql("UPDATE users SET is_active = FALSE WHERE email = $1").bind(ADMIN).exec().await.unwrap();
    assert_eq!(allowed_resources(&clerk).await.2["name"], "Platform", "the corporation has no contact");
    let all = app.get("/api/corporations/resources", Some(&platform)).await.body["data"].clone();
    let first = json!({"resource_id": "customers", "title": "Customers", "icon": "users", "is_module": true,
        "description": "People and companies that buy, sell or broker vehicles"});
    assert_eq!((all.as_array().unwrap().len(), &all[0]), (module_ids().len() + 3, &first));
}

#[tokio::test]
async fn only_a_user_and_super_admins_can_read_the_users_own_lists() {
    let app = TestApp::start().await;
    let (clerk, admin, platform) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let id: Uuid = app.db().sql("SELECT user_id FROM users WHERE email = $1").bind(CLERK).value().await.unwrap();
    for (what, count) in [("notifications", 0), ("lists", 0), ("subscriptions", module_ids().len() + 3)] {
        let path = format!("/api/corporations/users/{id}/{what}");
        for token in [&clerk, &platform] {
            let response = app.get(&path, Some(token)).await;
            assert_eq!(
                (response.status.as_u16(), response.body["data"].as_array().unwrap().len()),
                (200, count),
                "{path}"
            );
        }
        let (foreign, unknown) = (
            app.get(&path, Some(&admin)).await,
            app.get(&format!("/api/corporations/users/{}/{what}", Uuid::now_v7()), Some(&admin)).await,
        );
        assert_eq!((foreign.status.as_u16(), &foreign.body), (404, &unknown.body));
        let unknown = format!("/api/corporations/users/{}/{what}", Uuid::now_v7());
        assert_eq!(app.get(&unknown, Some(&platform)).await.status, 404);
    }
}
