//! V3 of docs/security.md: a request that waits before it writes is authorized again with the permissions at the time
//! of the write.

mod races;
mod routes;
mod sources;

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, READER, SUPER_ADMIN, TestApp};
use crate::comments::comments_path;
use crate::contacts::create_contact;
use crate::contract;
use crate::helpers::{assert_error, count, new_user_form, put, read_row, role_id, user_form, user_id, wait_until};
use crate::policy::fixtures::{ResourceKind, insert_resource};
use forecourt::features::users::lock_corporation;
use forecourt::platform::db::Db;
use forecourt_core::text::{NOT_ALLOWED, NOT_FOUND, SESSION_ENDED};
use forecourt_core::users::text::TYPE_ABOVE_OWN;
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Returns the number of writes of these nodes that wait: on SQLite for the writer, on PostgreSQL for a lock.
async fn count_waiting_writes(nodes: &[&TestApp]) -> u64 {
    let locks = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    match nodes[0].db() {
        Db::Sqlite { .. } => nodes.iter().map(|node| node.db().load().queued).sum(),
        Db::Postgres(..) => count(nodes[0], locks).await.unsigned_abs(),
    }
}

/// Runs two requests, to one node each, while the test holds the corporation's lock. Releases it once both wait for it,
/// so that they start to write at the same moment.
pub async fn run_simultaneously<T>(
    app: &TestApp,
    corp: Uuid,
    nodes: [&TestApp; 2],
    one: impl Future<Output = T>,
    other: impl Future<Output = T>,
) -> [T; 2] {
    let mut tx = app.db().begin().await.unwrap();
    lock_corporation(&mut tx, corp).await.unwrap();
    let release = async {
        wait_until("both wait", async || count_waiting_writes(&nodes).await == 2).await;
        tx.commit().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(one, other, release);
    [one, other]
}

/// Returns once the request waits to write, or has already ended.
async fn wait_for_write<T>(node: &TestApp, request: &JoinHandle<T>) {
    wait_until("the request reaches its write", async || {
        count_waiting_writes(&[node]).await > 0 || request.is_finished()
    })
    .await;
}

#[tokio::test]
async fn v3_a_super_admin_banned_while_hashing_creates_no_more_users() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let created = futures_util::future::join_all((0..48).map(|i| {
        let form = new_user_form(&format!("accomplice{i}@platform.example"), "Super Admin", None);
        app.post("/api/users", Some(&token), form)
    }));
    let ban = async {
        wait_until("passwords wait to be hashed", async || app.app.hasher.load().1 >= 24).await;
        let mut tx = app.db().begin().await.unwrap();
        let banned = "UPDATE users SET banned_at = 1, ban_reason = 'Spam' WHERE email = $1";
        assert_eq!(tx.sql(banned).bind(SUPER_ADMIN).exec().await.unwrap(), 1);
        tx.sql("DELETE FROM sessions").exec().await.unwrap();
        let users = tx.sql("SELECT count(*) FROM users").value::<i64>().await.unwrap();
        tx.commit().await.unwrap();
        users
    };
    let (responses, users) = tokio::join!(created, ban);
    assert_eq!(count(&app, "SELECT count(*) FROM users").await, users, "no user is created after the ban");
    let rejected: Vec<_> = responses.iter().filter(|response| response.status == 401).collect();
    assert!(!rejected.is_empty());
    rejected.into_iter().for_each(|response| assert_error(response, 401, SESSION_ENDED.as_str()));
}

#[tokio::test]
async fn v3_a_super_admin_deleted_while_hashing_registers_no_corporation() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let registered = futures_util::future::join_all((0..24).map(|i| {
        let form = json!({
            "organization_number": format!("55{i:08}"), "corp_name": "Ny Bil", "street_address": "Storgatan 1",
            "registered_city": "Malmö", "postal_code": "211 42", "city": "Malmö", "company_email": "info@bil.example",
            "company_phone": "040123456", "allowed_resources": ["contacts"],
            "admin_data": {"first_name": "Ada", "last_name": "Lindqvist", "email": format!("first{i}@bil.example"),
                "phone": "0701234567", "password": "a-long-test-password"},
        });
        app.post("/api/orgs/register", Some(&token), form)
    }));
    let delete = async {
        wait_until("passwords wait to be hashed", async || app.app.hasher.load().1 >= 12).await;
        let mut tx = app.db().begin().await.unwrap();
        tx.sql("DELETE FROM users WHERE email = $1").bind(SUPER_ADMIN).exec().await.unwrap();
        let corporations = tx.sql("SELECT count(*) FROM corporations").value::<i64>().await.unwrap();
        tx.commit().await.unwrap();
        corporations
    };
    let (responses, corporations) = tokio::join!(registered, delete);
    assert_eq!(
        count(&app, "SELECT count(*) FROM corporations").await,
        corporations,
        "no corporation is created after the deletion"
    );
    assert!(responses.iter().any(|response| response.status == 401));
}

/// Sends a request while an uncommitted transaction runs the statement `loss`, which takes a permission away. Commits
/// the transaction once the request waits to write.
async fn send_while_losing(
    app: &TestApp,
    loss: &'static str,
    email: &str,
    request: impl FnOnce(&TestApp) -> reqwest::RequestBuilder,
) -> ApiResponse {
    let node = app.start_another_node().await;
    let corp: Uuid =
        app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(email.to_owned()).value().await.unwrap();
    let mut tx = app.db().begin().await.unwrap();
    // Take the lock that the server takes before each change of permissions.
    lock_corporation(&mut tx, corp).await.unwrap();
    assert!(tx.sql(loss).bind(email.to_owned()).exec().await.unwrap() > 0, "{loss}");
    let request = request(&node);
    let sent = tokio::spawn(contract::send(request));
    wait_for_write(&node, &sent).await;
    assert!(!sent.is_finished(), "the request waits for the transaction");
    tx.commit().await.unwrap();
    let reply = sent.await.unwrap();
    ApiResponse { status: reply.status, body: reply.value(), headers: reply.headers }
}

const DEMOTE: &str = "UPDATE users SET user_type = 'Admin' WHERE email = $1";

#[tokio::test]
async fn v3_a_demoted_super_admin_creates_no_super_admin() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let form = new_user_form("accomplice@platform.example", "Super Admin", None);
    let create = |node: &TestApp| node.request(Method::POST, "/api/users", Some(&token)).json(&form);
    assert_error(&send_while_losing(&app, DEMOTE, SUPER_ADMIN, create).await, 403, TYPE_ABOVE_OWN.as_str());
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE email LIKE 'accomplice%'").await, 0);
}

#[tokio::test]
async fn v3_a_demoted_super_admin_changes_no_other_corporation() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let path = format!("/api/corporations/users/{}", user_id(&app, CLERK).await);
    let form = json!({"is_active": false});
    let deactivate = |node: &TestApp| node.request(Method::PUT, &path, Some(&token)).json(&form);
    assert_error(&send_while_losing(&app, DEMOTE, SUPER_ADMIN, deactivate).await, 404, NOT_FOUND.as_str());
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE NOT is_active").await, 0);
}

#[tokio::test]
async fn v3_deleting_anothers_comment_needs_the_permission_at_the_write() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let reader = user_id(&app, READER).await;
    let ids = insert_resource(app.db(), ResourceKind::Comment, app.nordbil, Some(reader)).await;
    // With the role Reader, the clerk can still read contacts but not delete comments.
    let loss = "UPDATE users SET role_id = (SELECT r.role_id FROM roles r WHERE r.name = 'Reader') WHERE email = $1";
    let path = format!("/api/contacts/{}/comments/{}", ids[0], ids[1]);
    let delete = |node: &TestApp| node.request(Method::DELETE, &path, Some(&token));
    assert_error(&send_while_losing(&app, loss, CLERK, delete).await, 403, NOT_ALLOWED.as_str());
    assert_eq!(count(&app, "SELECT count(*) FROM comments").await, 1);
}

#[tokio::test]
async fn v3_a_repeated_creation_needs_the_permission_at_the_write() {
    for is_comment in [false, true] {
        let (app, token) = TestApp::start_and_sign_in(CLERK).await;
        let contact = create_contact(&app, &token, json!({"name": "Ada"})).await;
        let (path, form) = match is_comment {
            false => ("/api/contacts".to_owned(), json!({"name": "Bo"})),
            true => (comments_path(&contact), json!({"comment": "Called"})),
        };
        let key = Uuid::now_v7().to_string();
        let create = |node: &TestApp| {
            node.request(Method::POST, &path, Some(&token)).header("idempotency-key", key.as_str()).json(&form)
        };
        assert_eq!(app.send(create(&app)).await.status, 201);
        let loss = "UPDATE users SET role_id = NULL WHERE email = $1";
        assert_error(&send_while_losing(&app, loss, CLERK, create).await, 403, NOT_ALLOWED.as_str());
    }
}

#[tokio::test]
async fn v3_a_demoted_admin_changes_no_user() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (no_role, role) = (user_id(&app, NO_ROLE).await, role_id(&app, "Clerk").await);
    let before = read_row(&app, "users", "user_id", no_role).await;
    let path = format!("/api/users/{no_role}");
    let mut form = user_form(NO_ROLE, "User", Some(role));
    form["password"] = json!("another-long-password");
    let change = |node: &TestApp| node.request(Method::PUT, &path, Some(&token)).json(&form);
    let loss = "UPDATE users SET user_type = 'User' WHERE email = $1";
    assert_error(&send_while_losing(&app, loss, ADMIN, change).await, 403, NOT_ALLOWED.as_str());
    assert_eq!(read_row(&app, "users", "user_id", no_role).await, before);
    assert_eq!(put(&app, &path, &token, form.clone()).await.status, 403, "the next request is rejected too");
}

#[tokio::test]
async fn v3_a_write_that_queues_behind_a_ban_is_rejected() {
    let app = TestApp::start().await;
    if let Db::Sqlite { .. } = app.db() {
        return;
    }
    let (platform, token) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(CLERK).await);
    let path = format!("/api/corporations/users/{}/ban", user_id(&app, CLERK).await);
    let (one, other) = (app.start_another_node().await, app.start_another_node().await);
    // Hold the corporation's shared lock, as a write of a record does that has already started.
    let mut tx = app.db().begin().await.unwrap();
    let shared = "SELECT pg_advisory_xact_lock_shared(hashtextextended(CAST($1 AS TEXT), 0))";
    tx.sql(shared).bind(app.nordbil).exec().await.unwrap();
    let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let ban = one.request(Method::POST, &path, Some(&platform)).json(&json!({"reason": "Spam"}));
    let ban = tokio::spawn(contract::send(ban));
    wait_until("the ban waits", async || count(&app, waiting).await == 1).await;
    let write = other.request(Method::POST, "/api/contacts", Some(&token)).json(&json!({"name": "Ada"}));
    let write = tokio::spawn(contract::send(write));
    wait_until("the write waits behind it", async || count(&app, waiting).await == 2 || write.is_finished()).await;
    tx.commit().await.unwrap();
    assert_eq!(ban.await.unwrap().status, 200);
    assert_eq!(write.await.unwrap().status, 401);
    assert_eq!(count(&app, "SELECT count(*) FROM contacts").await, 0);
}
