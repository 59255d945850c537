//! The routes of the menu, which only older clients use.

use crate::app::{ADMIN, CLERK, NO_ROLE, SUPER_ADMIN, TestApp};
use crate::helpers::assert_error;
use forecourt_core::corporations::text::MENU_READ_ONLY;
use forecourt_core::permissions::{CATALOGUE, CatalogueEntry, modules};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn the_menu_has_the_entries_of_the_users_navigation() {
    let app = TestApp::start().await;
    let ids = |count| CATALOGUE.iter().map(CatalogueEntry::resource_id).take(count).collect::<Vec<_>>();
    let all = CATALOGUE.len();
    for (email, shown) in [(SUPER_ADMIN, all), (ADMIN, all - 1), (CLERK, modules().count()), (NO_ROLE, 0)] {
        let shown = json!(ids(shown));
        let token = app.sign_in(email).await;
        let menu = app.get("/api/menu/get-all-menu", Some(&token)).await;
        let ids: Value = menu.body["data"].as_array().unwrap().iter().map(|e| e["resource_id"].clone()).collect();
        assert_eq!((menu.status.as_u16(), &ids), (200, &shown), "{email}");
        for id in ["corporations", "contacts.list", "contacts.imports", "contacts", "x", "%00", "%ff"] {
            let response = app.get(&format!("/api/menu/get-menu/{id}"), Some(&token)).await;
            let shows = match id {
                "corporations" => email == SUPER_ADMIN,
                "contacts" | "contacts.list" => email != NO_ROLE,
                "contacts.imports" => email == SUPER_ADMIN || email == ADMIN,
                _ => false,
            };
            assert_eq!(response.status, if shows { 200 } else { 404 }, "{email} {id}");
            assert!(!shows || response.body["data"]["resource_id"] == id, "{}", response.body);
        }
    }
}

#[tokio::test]
async fn the_menu_cannot_be_changed_by_any_user() {
    let app = TestApp::start().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    for (method, path) in [
        (Method::POST, "/api/menu/create-menu"),
        (Method::POST, "/api/menu/update-menu"),
        (Method::DELETE, "/api/menu/delete-menu/contacts"),
    ] {
        let call = async |token| app.send(app.request(method.clone(), path, token).json(&json!({"title": "x"}))).await;
        assert_error(&call(Some(&platform)).await, 409, MENU_READ_ONLY.as_str());
        assert_eq!(call(Some(&admin)).await.status, 403, "{path}");
        assert_eq!(call(None).await.status, 401, "{path}");
    }
}
