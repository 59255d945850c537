//! The platform's corporations, and their users.

use crate::app::{ADMIN, CLERK, NOBODY, STRANGER, SUPER_ADMIN, TestApp};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Makes a corporation with its company record.
async fn corporation(app: &TestApp, name: &str, number: &str, city: &str) -> Uuid {
    let corp = Uuid::now_v7();
    let mut tx = app.db().begin().await.unwrap();
    tx.sql("INSERT INTO corporations (corp_id, name, active, created_at, updated_at) VALUES ($1, $2, FALSE, 0, 0)")
        .bind(corp)
        .bind(name.to_owned())
        .exec()
        .await
        .unwrap();
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, street_address, registered_city, postal_code, city, \
         company_email, company_phone, created_at, updated_at) \
         VALUES ($1, $2, 'Storgatan 1', 'Umeå', '903 26', $3, 'info@example.se', '090 12 34 56', 0, 0)",
    )
    .bind(corp)
    .bind(number.to_owned())
    .bind(city.to_owned())
    .exec()
    .await
    .unwrap();
    tx.commit().await.unwrap();
    corp
}

/// The names on a page, and the whole answer.
async fn names(app: &TestApp, token: &str, query: &[(&str, &str)]) -> (Vec<String>, Value) {
    let answer = app.send(app.request(Method::GET, "/api/corporations", Some(token)).query(query)).await;
    assert_eq!(answer.status, 200, "{query:?}: {}", answer.body);
    let data = answer.body["data"].as_array().unwrap();
    (data.iter().map(|c| c["corp_name"].as_str().unwrap().to_owned()).collect(), answer.body)
}

#[tokio::test]
async fn corporations_are_listed_with_their_record_their_resources_and_their_first_admin() {
    let app = TestApp::start().await;
    let token = app.sign_in(SUPER_ADMIN).await;
    let corp = corporation(&app, "Ny Bil AB", "559360-9844", "Ersmark").await;
    let (listed, body) = names(&app, &token, &[]).await;
    assert_eq!(listed, ["Ny Bil AB", "Södra Bil", "Nordbil", "Platform"], "the newest first");
    assert_eq!((&body["success"], &body["totalItems"], &body["totalPages"]), (&json!(true), &json!(4), &json!(1)));
    let waiting = json!({
        "corp_id": corp.to_string(), "corp_name": "Ny Bil AB", "corp_active": false, "allowed_resources": [],
        "allowed_resources_names": [], "organization_number": "559360-9844", "street_address": "Storgatan 1",
        "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_email": "info@example.se",
        "company_phone": "090 12 34 56", "corp_contact_name": "", "corp_contact_email": "",
    });
    assert_eq!(body["data"][0], waiting);
    let nordbil = &body["data"][2];
    assert_eq!(nordbil["allowed_resources"], json!(["customers", "invoices", "contacts"]));
    assert_eq!(nordbil["allowed_resources_names"], json!(["Customers", "Invoices", "Contacts"]));
    assert_eq!(
        (&nordbil["corp_contact_name"], &nordbil["corp_contact_email"]),
        (&json!("Ada Lindqvist"), &json!(ADMIN))
    );
    assert_eq!((&nordbil["corp_active"], &nordbil["organization_number"]), (&json!(true), &json!("")));
    assert_eq!(body["data"][3]["corp_contact_email"], SUPER_ADMIN, "the platform's own");
    let one = app.get(&format!("/api/corporations/{corp}"), Some(&token)).await;
    assert_eq!((one.status.as_u16(), &one.body["data"]), (200, &waiting));
}

#[tokio::test]
async fn a_page_of_corporations_has_ten_unless_asked_otherwise() {
    let app = TestApp::start().await;
    let token = app.sign_in(SUPER_ADMIN).await;
    for i in 0..20 {
        corporation(&app, &format!("Bil {i}"), "", "").await;
    }
    let (first, body) = names(&app, &token, &[]).await;
    assert_eq!((first.len(), &body["totalItems"], &body["totalPages"]), (10, &json!(23), &json!(3)));
    let (second, body) = names(&app, &token, &[("page", "2"), ("limit", "15")]).await;
    assert_eq!((second.len(), &body["totalPages"]), (8, &json!(2)));
    assert_eq!(second.last().unwrap(), "Platform");
    let (found, body) = names(&app, &token, &[("search", "bil 1"), ("page", "2"), ("limit", "5")]).await;
    assert_eq!((found.len(), &body["totalItems"], &body["totalPages"]), (5, &json!(11), &json!(3)));
    assert!(names(&app, &token, &[("page", "4000000000")]).await.0.is_empty());
    assert!(names(&app, &token, &[("page", "4000000000"), ("search", "bil")]).await.0.is_empty());
    let refused = app.get("/api/corporations?page=two", Some(&token)).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["fields"]["page"][0]),
        (400, &json!("'page' must be a whole number"))
    );
}

#[tokio::test]
async fn a_search_for_corporations_folds_case_and_accents_and_takes_every_sign_as_it_is() {
    let app = TestApp::start().await;
    let token = app.sign_in(SUPER_ADMIN).await;
    corporation(&app, "100 % Bil_AB", "559360-9844", "Malmö").await;
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
        assert_eq!(names(&app, &token, &[("search", search)]).await.0, found, "{search}");
    }
    let long = app.get(&format!("/api/corporations?search={}", "x".repeat(101)), Some(&token)).await;
    assert_eq!(long.status, 400);
}

#[tokio::test]
async fn the_users_of_a_corporation_are_listed_by_name_with_their_role_and_their_ban() {
    let app = TestApp::start().await;
    let token = app.sign_in(SUPER_ADMIN).await;
    app.db()
        .sql(
            "UPDATE users SET first_name = 'Östen', banned_at = 1800000000000000, ban_reason = 'Spam' WHERE email = $1",
        )
        .bind(NOBODY)
        .exec()
        .await
        .unwrap();
    app.db().sql("UPDATE users SET is_active = FALSE WHERE email = $1").bind(CLERK).exec().await.unwrap();
    let answer = app.get(&format!("/api/corporations/{}/users", app.nordbil), Some(&token)).await;
    assert_eq!((answer.status.as_u16(), &answer.body["success"]), (200, &json!(true)));
    let users = answer.body["data"].as_array().unwrap();
    assert_eq!(users.len(), 4, "nobody of another corporation");
    let user = |email: &str| users.iter().find(|u| u["email"] == email).unwrap();
    let clerk = user(CLERK);
    let shown = json!({
        "id": clerk["id"], "first": "Ada", "last": "Lindqvist", "email": CLERK, "mobile": "+46 70 123 45 67",
        "type": "User", "UserRole": {"name": "Clerk"}, "is_active": false,
    });
    assert_eq!(*clerk, shown);
    assert_eq!((&user(ADMIN)["type"], user(ADMIN).get("UserRole")), (&json!("Admin"), None));
    assert_eq!(users[3], *user(NOBODY), "Ö comes after A");
    let ban = json!({"isBanned": true, "reason": "Spam", "bannedAt": "2027-01-15T08:00:00.000Z"});
    assert_eq!(user(NOBODY)["ban"], ban);
}

#[tokio::test]
async fn corporations_are_the_platforms_business_alone() {
    let app = TestApp::start().await;
    let (admin, clerk, stranger) = (app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(STRANGER).await);
    let (own, unknown) = (app.nordbil, Uuid::now_v7());
    for path in [
        "/api/corporations".to_owned(),
        format!("/api/corporations/{own}"),
        format!("/api/corporations/{own}/users"),
        format!("/api/corporations/{unknown}/users"),
    ] {
        for token in [&admin, &clerk, &stranger] {
            let refused = app.get(&path, Some(token)).await;
            assert_eq!(refused.status, 403, "{path}");
            assert_eq!(refused.body.get("data"), None);
        }
        assert_eq!(app.get(&path, None).await.status, 401, "{path}");
    }
    let token = app.sign_in(SUPER_ADMIN).await;
    for path in [format!("/api/corporations/{unknown}"), format!("/api/corporations/{unknown}/users")] {
        assert_eq!(app.get(&path, Some(&token)).await.status, 404);
    }
    for path in ["/api/corporations/x", "/api/corporations/x/users", "/api/corporations/%00"] {
        assert_eq!(app.get(path, Some(&token)).await.status, 404, "{path}");
    }
}
