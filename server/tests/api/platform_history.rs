//! What the platform's history says about the changes that its administrators make in other corporations.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, PASSWORD, SUPER_ADMIN, TestApp};
use crate::corporation_history::{entries, summaries};
use crate::helpers::{assert_error, copy_user, new_user_form, put, role_id, user_form, user_id};
use crate::organizations::{record, register, with_fields};
use forecourt_core::history::text::PLATFORM_ADMINISTRATOR;
use forecourt_core::text::{NOT_FOUND, STALE};
use reqwest::Method;
use serde_json::{Value, json};

const CORPORATIONS: &str = "resource=corporations";

/// Bans Nordbil's CLERK.
async fn ban_clerk(app: &TestApp, platform: &str) {
    let path = format!("/api/corporations/users/{}/ban", user_id(app, CLERK).await);
    assert_eq!(app.post(&path, Some(platform), json!({"reason": "Spam"})).await.status, 200);
}

#[tokio::test]
async fn the_platforms_history_has_its_administrators_changes_of_a_corporation() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let corp = register(&app, &platform, "559360-9844", "ada@nybil.example").await["corp_id"].clone();
    let path = format!("/api/corporations/{}", corp.as_str().unwrap());
    let changed = [("corp_name", json!("Nya Bil AB")), ("corp_active", json!(false)), ("version", json!(1))];
    let form = with_fields(record("556100-0001"), &changed);
    assert_eq!(put(&app, &path, &platform, form.clone()).await.status, 200);
    let disallow = async || {
        let request = app.request(Method::DELETE, &format!("{path}/resources"), Some(&platform));
        assert_eq!(app.send(request.json(&json!({"resourceIds": ["contacts"]}))).await.status, 200);
    };
    disallow().await;
    let found = entries(&app, &platform, CORPORATIONS).await;
    let updated = ["updated", "corporations", "Nya Bil AB"];
    assert_eq!(summaries(&found), [updated, updated, ["created", "corporations", "Ny Bil AB"]]);
    let actor = json!({"kind": "user", "id": user_id(&app, SUPER_ADMIN).await, "name": "Ada Lindqvist"});
    assert!(found.iter().all(|entry| entry["actor"] == actor && entry["record_id"] == corp), "{found:?}");
    let resources = json!([{"field": "allowed_resources", "before": "contacts", "after": null}]);
    // The number of a sole trader is their personal number.
    let details = json!([
        {"field": "corp_name", "before": "Ny Bil AB", "after": "Nya Bil AB"},
        {"field": "corp_active", "before": true, "after": false},
        {"field": "organization_number", "before": null, "after": null},
    ]);
    let changes: Vec<&Value> = found.iter().map(|entry| &entry["changes"]).collect();
    assert_eq!(changes, [&resources, &details, &json!([])]);
    // Neither a rejected change nor one without effect adds an entry.
    disallow().await;
    let stale = with_fields(form, &[("city", json!("Lund"))]);
    assert_error(&put(&app, &path, &platform, stale).await, 409, STALE.as_str());
    assert_eq!(entries(&app, &platform, CORPORATIONS).await.len(), 3);
}

#[tokio::test]
async fn the_platforms_history_names_another_corporations_users_without_their_data() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let users = "/api/corporations/users";
    let path = format!("{users}/{}", user_id(&app, CLERK).await);
    ban_clerk(&app, &platform).await;
    assert_eq!(put(&app, &path, &platform, json!({"is_active": false})).await.status, 200);
    let role = Some(role_id(&app, "Reader").await);
    let secret = "another-secret";
    let form = with_fields(user_form("ada@nordbil.example", "Admin", role), &[("password", json!(secret))]);
    assert_eq!(put(&app, &path, &platform, form).await.status, 200);
    let new = with_fields(new_user_form("new@nordbil.example", "User", role), &[("corp_id", json!(app.nordbil))]);
    assert_eq!(app.post(users, Some(&platform), new).await.status, 201);
    let found = entries(&app, &platform, CORPORATIONS).await;
    assert_eq!(summaries(&found), [["updated", "corporations", "Nordbil"]; 4]);
    assert!(found.iter().all(|entry| entry["record_id"] == json!(app.nordbil)), "{found:?}");
    let user = |before: &str, after: &str| json!({"field": "user", "before": before, "after": after});
    let unknown = |field: &str| json!({"field": field, "before": null, "after": null});
    let (old, new) = ("Ada Lindqvist", "Åsa Öberg");
    let created = json!([{"field": "user", "before": null, "after": new}]);
    let edited = json!([
        user(old, new), unknown("user.first_name"), unknown("user.last_name"), unknown("user.email"),
        unknown("user.mobile"), {"field": "user.role", "before": "Clerk", "after": "Reader"},
        {"field": "user.user_type", "before": "User", "after": "Admin"}, unknown("user.password"),
    ]);
    let deactivated = json!([user(old, old), {"field": "user.is_active", "before": true, "after": false}]);
    let banned = json!([user(old, old), {"field": "user.banned", "before": false, "after": true}]);
    let changes: Vec<&Value> = found.iter().map(|entry| &entry["changes"]).collect();
    assert_eq!(changes, [&created, &edited, &deactivated, &banned]);
    let text = json!(found).to_string();
    for personal in ["@nordbil.example", "+46 70", PASSWORD, secret, "Spam"] {
        assert!(!text.contains(personal), "{personal}: {text}");
    }
}

#[tokio::test]
async fn only_platform_administrators_see_the_platforms_entries_about_other_corporations() {
    let app = TestApp::start().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    ban_clerk(&app, &platform).await;
    copy_user(&app, SUPER_ADMIN, "deputy@platform.example", "Super Admin").await;
    copy_user(&app, SUPER_ADMIN, "office@platform.example", "Admin").await;
    let deputy = app.sign_in("deputy@platform.example").await;
    let found = entries(&app, &deputy, "action=updated").await;
    assert_eq!(summaries(&found), [["updated", "corporations", "Nordbil"]]);
    let entry = format!("/api/history/{}", found[0]["history_id"].as_str().unwrap());
    assert_eq!(app.get(&entry, Some(&deputy)).await.body["data"]["label"], "Nordbil");
    // The corporation has only its own entry, about the user.
    let own = entries(&app, &admin, "action=updated").await;
    assert_eq!(summaries(&own), [["updated", "users", "Ada Lindqvist"]]);
    assert_eq!(own[0]["actor"]["name"], PLATFORM_ADMINISTRATOR.as_str());
    assert_eq!(own[0]["changes"], json!([{"field": "banned", "before": false, "after": true}]));
    // An Admin of the platform's own corporation may not read corporations.
    for email in [OTHER_ADMIN, "office@platform.example"] {
        let token = app.sign_in(email).await;
        assert!(entries(&app, &token, "action=updated").await.is_empty(), "{email}");
        assert_error(&app.get(&entry, Some(&token)).await, 404, NOT_FOUND.as_str());
    }
    assert_error(&app.get(&entry, Some(&admin)).await, 404, NOT_FOUND.as_str());
}
