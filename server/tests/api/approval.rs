//! A Super Admin approves or declines the sign-up of a corporation.

use crate::app::{ApiResponse, PASSWORD, SUPER_ADMIN, TestApp};
use crate::helpers::{assert_error, count_rows, login, put, user_id, with_field};
use crate::signup::{form, register, wait_for_mails};
use forecourt_core::auth::text::WRONG_CREDENTIALS;
use forecourt_core::corporations::text::{DECLINED, NOT_WAITING};
use serde_json::json;
use uuid::Uuid;

const APPLICANT: &str = "ada@nybil.example";

/// The tables with rows of a corporation that waits for approval.
const TABLES: &[&str] =
    &["corporations", "organizations", "corporation_resources", "users", "roles", "role_permissions"];

/// Signs up, and returns a Super Admin's token and the path of the corporation that waits for approval.
async fn sign_up(app: &TestApp) -> (String, String) {
    register(app, form(APPLICANT)).await;
    wait_for_mails(app, 2).await;
    let corp: Uuid = app.db().sql("SELECT corp_id FROM corporations WHERE awaits_approval").value().await.unwrap();
    (app.sign_in(SUPER_ADMIN).await, format!("/api/corporations/{corp}"))
}

/// Makes the corporation active or inactive.
async fn set_active(app: &TestApp, token: &str, path: &str, active: bool) -> ApiResponse {
    put(app, path, token, with_field(form(APPLICANT), "corp_active", active)).await
}

async fn decline(app: &TestApp, token: &str, path: &str, reason: &str) -> ApiResponse {
    app.post(&format!("{path}/decline"), Some(token), json!({"reason": reason})).await
}

#[tokio::test]
async fn the_platforms_history_says_once_who_approved_a_sign_up() {
    let app = TestApp::start().await;
    let (platform, path) = sign_up(&app).await;
    for active in [true, false, true] {
        assert_eq!(set_active(&app, &platform, &path, active).await.status, 200);
    }
    let history = app.get("/api/history?resource=corporations", Some(&platform)).await.body;
    assert_eq!(history["totalItems"], 3, "{history}");
    let changes = |index: usize| history["data"][index]["changes"].clone();
    assert_eq!(changes(0), json!([{"field": "corp_active", "before": false, "after": true}]));
    assert_eq!(changes(1), json!([{"field": "corp_active", "before": true, "after": false}]));
    let entry = &history["data"][2];
    assert_eq!(entry["actor"]["id"], json!(user_id(&app, SUPER_ADMIN).await));
    assert_eq!((&entry["action"], &entry["label"]), (&json!("updated"), &json!("Ny & Bil AB")));
    assert_eq!(changes(2), json!([{"field": "awaits_approval", "before": true, "after": false}]));
    assert!(path.ends_with(entry["record_id"].as_str().unwrap()), "{entry}");
}

#[tokio::test]
async fn a_declined_sign_up_is_deleted_and_its_admin_is_mailed_the_reason() {
    let app = TestApp::start().await;
    let before = count_rows(&app, TABLES).await;
    let (platform, path) = sign_up(&app).await;
    let long = decline(&app, &platform, &path, &"x".repeat(501)).await;
    assert_eq!((long.status.as_u16(), long.body["fields"]["reason"].is_array()), (400, true), "{}", long.body);
    let declined = decline(&app, &platform, &path, " Ask <Bo>.\nThen register again. ").await;
    assert_eq!((declined.status.as_u16(), &declined.body["message"]), (200, &json!(DECLINED.as_str())));
    assert_eq!(count_rows(&app, TABLES).await, before);
    assert_eq!(decline(&app, &platform, &path, "").await.status, 404);
    assert_error(&login(&app, APPLICANT, PASSWORD).await, 401, WRONG_CREDENTIALS.as_str());
    // The others are the link of the sign-up and the Super Admin's code. The notice to the Super Admin was deleted with
    // the corporation.
    let sent = wait_for_mails(&app, 3).await;
    let notice = sent.last().unwrap();
    assert_eq!((notice.to.as_str(), notice.to_name.as_str()), (APPLICANT, "Ada Lind"));
    let text = notice.text.expose_secret();
    assert!(text.contains("Ny & Bil AB") && text.contains("\n\nAsk <Bo>.\n\nThen register again.\n\n"), "{text}");
    register(&app, form(APPLICANT)).await;
}

#[tokio::test]
async fn the_platforms_history_says_who_declined_a_sign_up_but_not_why() {
    let app = TestApp::start().await;
    let (platform, path) = sign_up(&app).await;
    assert_eq!(decline(&app, &platform, &path, "Not a dealer.").await.status, 200);
    let history = app.get("/api/history?action=declined", Some(&platform)).await.body;
    assert_eq!(history["totalItems"], 1, "{history}");
    let entry = &history["data"][0];
    assert_eq!(entry["actor"]["id"], json!(user_id(&app, SUPER_ADMIN).await));
    assert_eq!((&entry["resource"], &entry["label"]), (&json!("corporations"), &json!("Ny & Bil AB")));
    assert_eq!(entry["changes"], json!([]));
    assert!(path.ends_with(entry["record_id"].as_str().unwrap()), "{entry}");
}

#[tokio::test]
async fn only_a_corporation_that_waits_for_approval_can_be_declined() {
    let app = TestApp::start().await;
    let (platform, path) = sign_up(&app).await;
    let before = count_rows(&app, TABLES).await;
    let nordbil = format!("/api/corporations/{}", app.nordbil);
    assert_error(&decline(&app, &platform, &nordbil, "").await, 409, NOT_WAITING.as_str());
    for active in [true, false] {
        assert_eq!(set_active(&app, &platform, &path, active).await.status, 200);
        assert_error(&decline(&app, &platform, &path, "").await, 409, NOT_WAITING.as_str());
    }
    assert_eq!(count_rows(&app, TABLES).await, before);
}

#[tokio::test]
async fn a_sign_up_that_is_approved_and_declined_at_once_gets_one_of_both() {
    let app = TestApp::start().await;
    let (platform, path) = sign_up(&app).await;
    let approval = set_active(&app, &platform, &path, true);
    let (approved, declined) = tokio::join!(approval, decline(&app, &platform, &path, ""));
    let statuses = (approved.status.as_u16(), declined.status.as_u16());
    assert!([(200, 409), (404, 200)].contains(&statuses), "{statuses:?}");
    assert_eq!(app.get(&path, Some(&platform)).await.status, approved.status);
}
