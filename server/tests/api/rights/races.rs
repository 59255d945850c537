//! Simultaneous requests that lock the same users and corporations all succeed, without deadlocks.

use crate::app::{ADMIN, ApiResponse, CLERK, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{new_user_form, put, refresh, role_id, user_form, user_id};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join, join_all};
use serde_json::json;

/// Returns the status of each response.
fn statuses(responses: &[ApiResponse]) -> Vec<u16> {
    responses.iter().map(|response| response.status.as_u16()).collect()
}

#[tokio::test]
async fn v3_32_concurrently_created_users_are_all_created() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (admin, role) = (app.sign_in(ADMIN).await, role_id(&app, "Clerk").await);
    let created = join_all((0..32).map(|i| {
        let form = new_user_form(&format!("new{i}@nordbil.example"), "User", Some(role));
        let node = [&app, &node][i % 2];
        node.post("/api/users", Some(&admin), form)
    }));
    assert_eq!(statuses(&created.await), [201; 32]);
}

#[tokio::test]
async fn v3_two_admins_can_change_each_other_concurrently() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let role = role_id(&app, "Clerk").await;
    app.db().sql("UPDATE users SET user_type = 'Admin' WHERE email = $1").bind(CLERK).exec().await.unwrap();
    let (one, other) = (user_id(&app, ADMIN).await, user_id(&app, CLERK).await);
    let (by_one, by_other) = (app.sign_in(ADMIN).await, app.sign_in(CLERK).await);
    for round in 0..rounds() * 4 {
        let (path_one, path_other) = (format!("/api/users/{one}"), format!("/api/corporations/users/{other}"));
        let activation = json!({"is_active": true});
        let (first, second) = join(
            put(&app, &path_other, &by_one, activation),
            put(&node, &path_one, &by_other, user_form(ADMIN, "Admin", Some(role))),
        )
        .await;
        assert_eq!(statuses(&[first, second]), [200; 2], "round {round}");
    }
}

#[tokio::test]
async fn v3_concurrent_writes_and_a_refresh_of_a_session_all_succeed() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (token, mut refreshing) = app.sign_in_for_tokens(CLERK).await;
    for round in 0..rounds() {
        let mut requests: Vec<BoxFuture<'_, ApiResponse>> = Vec::new();
        for i in 0..16 {
            let node = [&app, &node][i % 2];
            requests.push(node.post("/api/contacts", Some(&token), json!({"name": format!("Ada {i}")})).boxed());
        }
        // These requests lock the corporation exclusively and write the user's row, while the contacts above only share
        // the lock. All of them, and the refresh, lock the session's row.
        for node in [&app, &node] {
            requests.push(put(node, "/api/theme", &token, json!({"color": "#ef4444"})).boxed());
            requests.push(put(node, "/api/auth/profile/language", &token, json!({"language": "sv"})).boxed());
        }
        let (written, refreshed) = join(join_all(requests), refresh(&node, &refreshing)).await;
        assert_eq!(statuses(&written), [[201; 16].as_slice(), &[200; 4]].concat(), "round {round}");
        assert_eq!(refreshed.status, 200, "{}", refreshed.body);
        refreshing = crate::helpers::tokens(&refreshed).1;
    }
}

#[tokio::test]
async fn v3_platform_and_corporation_can_change_a_user_concurrently() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (platform, admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await);
    let (clerk, role) = (user_id(&app, CLERK).await, role_id(&app, "Clerk").await);
    let token = app.sign_in(CLERK).await;
    for round in 0..rounds() {
        let (path, own) = (format!("/api/corporations/users/{clerk}"), format!("/api/users/{clerk}"));
        let lift = format!("{path}/ban");
        let (switched, changed, lifted, written) = tokio::join!(
            put(&app, &path, &platform, json!({"is_active": true})),
            put(&node, &own, &admin, user_form(CLERK, "User", Some(role))),
            crate::helpers::delete(&app, &lift, &platform),
            node.post("/api/contacts", Some(&token), json!({"name": "Ada"})),
        );
        assert_eq!(statuses(&[switched, changed, lifted, written]), [200, 200, 200, 201], "round {round}");
    }
}
