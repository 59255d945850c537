//! The figures of the whole platform.

use crate::app::{ADMIN, CLERK, SUPER_ADMIN, TestApp};
use crate::helpers::{put, user_id};
use crate::signup;
use serde_json::{Value, json};

async fn read_platform(app: &TestApp, token: &str) -> Value {
    let response = app.get("/api/platform", Some(token)).await;
    assert_eq!(response.status, 200, "{}", response.body);
    response.body["data"].clone()
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_platform_shows_its_corporations_and_their_activity() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let before = read_platform(&app, &token).await;
    assert_eq!((&before["waiting"], &before["bans"], &before["imports"]), (&json!([]), &json!([]), &json!([])));
    assert!(before["database_bytes"].as_u64().unwrap() > 0);
    let disk = |name: &str| before["disk"][name].as_u64().unwrap();
    assert!(0 < disk("free_bytes") && disk("free_bytes") <= disk("total_bytes"));
    assert_eq!(before["version"], env!("CARGO_PKG_VERSION"));
    let clerk = app.sign_in(CLERK).await;
    let contact = json!({"name": "Ada", "email": "ada@kund.example"});
    assert_eq!(app.post("/api/contacts", Some(&clerk), contact).await.status, 201);
    let after = read_platform(&app, &token).await;
    let count = |figures: &Value, name: &str| figures[name].as_u64().unwrap();
    assert_eq!(count(&after, "active_users"), count(&before, "active_users") + 1);
    assert_eq!(count(&after, "records"), count(&before, "records") + 1);
    // The corporation that was used last is the first one.
    assert_eq!(after["active"][0]["name"], "Nordbil");
    assert_eq!((&after["active"][0]["active_users"], &after["active"][0]["records"]), (&json!(1), &json!(1)));
    assert_eq!(after["active"].as_array().unwrap().len() as u64, count(&after, "corporations"));
    // The platform's own corporation is in the list of corporations, but not in these figures.
    assert!(!names(&after["active"]).contains(&"Platform"));
    let list = app.get("/api/corporations", Some(&token)).await.body;
    assert_eq!(list["totalItems"].as_u64().unwrap(), count(&after, "corporations") + 1);
    // Who signed out was active all the same.
    let last_active = |figures: &Value| figures["active"][0]["last_active"].clone();
    assert!(last_active(&after).is_string());
    assert_eq!(app.post("/api/auth/logout", Some(&clerk), json!({})).await.status, 200);
    let left = read_platform(&app, &token).await;
    assert_eq!((&left["active"][0]["name"], last_active(&left).is_string()), (&json!("Nordbil"), true));
    let admin = app.sign_in(ADMIN).await;
    assert_eq!(app.get("/api/platform", Some(&admin)).await.status, 403);
}

#[tokio::test]
async fn a_sign_up_waits_until_it_is_approved_and_not_again_when_it_is_deactivated() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    signup::register(&app, signup::form("ada@nybil.example")).await;
    let platform = read_platform(&app, &token).await;
    assert_eq!(names(&platform["waiting"]), ["Ny & Bil AB"]);
    let waiting = &platform["waiting"][0];
    assert_eq!((&waiting["admin_name"], &waiting["admin_email"]), (&json!("Ada Lind"), &json!("ada@nybil.example")));
    assert!(!names(&platform["active"]).contains(&"Ny & Bil AB"));
    let path = format!("/api/corporations/{}", waiting["corp_id"].as_str().unwrap());
    let set_active = async |active: bool| {
        let details = app.get(&format!("{path}/full-details"), Some(&token)).await.body["data"].clone();
        let mut form = details["organization"].clone();
        form["corp_active"] = json!(active);
        let changed = put(&app, &path, &token, form).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        read_platform(&app, &token).await
    };
    for active in [true, false] {
        let platform = set_active(active).await;
        assert_eq!(platform["waiting"], json!([]), "{active}");
        assert!(names(&platform["active"]).contains(&"Ny & Bil AB"));
    }
}

#[tokio::test]
async fn the_platform_shows_the_latest_bans() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let clerk = user_id(&app, CLERK).await;
    let ban = app.post(&format!("/api/corporations/users/{clerk}/ban"), Some(&token), json!({"reason": "Left"})).await;
    assert_eq!(ban.status, 200, "{}", ban.body);
    let bans = read_platform(&app, &token).await["bans"].clone();
    assert_eq!((&bans[0]["user_id"], &bans[0]["reason"]), (&json!(clerk.to_string()), &json!("Left")));
    assert_eq!(bans[0]["corporation"], "Nordbil");
}
