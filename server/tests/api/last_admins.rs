//! The last administrator of a corporation and of the platform stays (docs/product.md 1.6), also under concurrent
//! requests (security.md P8). `FORECOURT_TEST_ROUNDS` sets the number of rounds.

use crate::app::{ADMIN, ApiResponse, CLERK, READER, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::*;
use crate::rights::run_simultaneously;
use forecourt_core::auth::text::{LAST_ADMIN, LAST_SUPER_ADMIN};
use futures_util::future::join;
use serde_json::json;
use uuid::Uuid;

/// The requests with which an administrator stops being one. `Demote` and `Delete` use `/api/users`, the others
/// `/api/corporations/users`, which Super Admins and the corporation's own Admins may use.
#[derive(Clone, Copy, Debug)]
enum Way {
    Demote,
    Delete,
    Deactivate,
    DemoteInCorporation,
}

const WAYS: [Way; 4] = [Way::Demote, Way::Delete, Way::Deactivate, Way::DemoteInCorporation];

impl Way {
    /// Sends this request about the user with this id and email. `role` is the role of a demoted user.
    async fn send(self, app: &TestApp, token: &str, id: Uuid, email: &str, role: Uuid) -> ApiResponse {
        let user_path = format!("/api/users/{id}");
        let corporation_path = format!("/api/corporations/users/{id}");
        match self {
            Way::Demote => put(app, &user_path, token, user_form(email, "User", Some(role))).await,
            Way::Delete => delete(app, &user_path, token).await,
            Way::Deactivate => put(app, &corporation_path, token, json!({"is_active": false})).await,
            Way::DemoteInCorporation => put(app, &corporation_path, token, user_form(email, "User", Some(role))).await,
        }
    }
}

const ACTIVE_ADMINS: &str = "SELECT count(*) FROM users u JOIN corporations c ON c.corp_id = u.corp_id \
     WHERE c.name = 'Nordbil' AND u.user_type = 'Admin' AND u.is_active AND u.banned_at IS NULL";

/// Inserts two Admins of Nordbil and demotes all other Admins. Returns the ids and emails.
async fn insert_two_admins(app: &TestApp, round: usize) -> [(Uuid, String); 2] {
    app.db().sql("UPDATE users SET user_type = 'User' WHERE user_type = 'Admin'").exec().await.unwrap();
    app.db().sql("DELETE FROM throttles").exec().await.unwrap();
    let mut made = Vec::new();
    for name in ["one", "two"] {
        let email = format!("{name}{round}@nordbil.example");
        made.push((copy_user(app, CLERK, &email, "Admin").await, email));
    }
    made.try_into().unwrap()
}

#[tokio::test]
async fn p8_the_last_active_admin_cannot_be_demoted_or_deactivated() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let id = user_id(&app, ADMIN).await;
    for way in [Way::Deactivate, Way::DemoteInCorporation] {
        assert_error(&way.send(&app, &platform, id, ADMIN, role).await, 409, LAST_ADMIN.as_str());
    }
    let admin = app.sign_in(ADMIN).await;
    assert_error(&Way::Demote.send(&app, &admin, id, ADMIN, role).await, 409, LAST_ADMIN.as_str());
    let second = user_id(&app, READER).await;
    let raised = put(&app, &format!("/api/users/{second}"), &admin, user_form(READER, "Admin", Some(role))).await;
    assert_eq!(raised.status, 200, "{}", raised.body);
    assert_eq!(Way::Demote.send(&app, &admin, id, ADMIN, role).await.status, 200, "with a second Admin");
    assert_eq!(app.get("/api/users", Some(&admin)).await.status, 403, "immediately");
}

#[tokio::test]
async fn p8_an_inactive_last_admin_can_be_demoted() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let id = user_id(&app, ADMIN).await;
    app.db().sql("UPDATE users SET is_active = $1 WHERE user_id = $2").bind(false).bind(id).exec().await.unwrap();
    let demoted = Way::DemoteInCorporation.send(&app, &platform, id, ADMIN, role).await;
    assert_eq!(demoted.status, 200, "{}", demoted.body);
}

#[tokio::test]
async fn p8_the_last_active_super_admin_cannot_be_demoted() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let role = create_role(&app, &platform, "Staff", &[]).await;
    let id = user_id(&app, SUPER_ADMIN).await;
    for to in ["Admin", "User"] {
        let rejected = put(&app, &format!("/api/users/{id}"), &platform, user_form(SUPER_ADMIN, to, Some(role))).await;
        assert_error(&rejected, 409, LAST_SUPER_ADMIN.as_str());
    }
    let second =
        app.post("/api/users", Some(&platform), new_user_form("second@platform.example", "Super Admin", None)).await;
    assert_eq!(second.status, 201, "{}", second.body);
    app.next_mail("second@platform.example", 0).await;
    let second = app.sign_in("second@platform.example").await;
    let demoted = put(&app, &format!("/api/users/{id}"), &second, user_form(SUPER_ADMIN, "Admin", Some(role))).await;
    assert_eq!(demoted.status, 200, "{}", demoted.body);
    assert_eq!(app.get("/api/corporations", Some(&platform)).await.status, 403);
}

#[tokio::test]
async fn p8_one_of_two_admins_who_remove_each_other_stays() {
    let app = TestApp::start().await;
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    let role = role_id(&app, "Clerk").await;
    for round in 0..WAYS.len() * WAYS.len() {
        let [(one, first), (two, second)] = insert_two_admins(&app, round).await;
        let (one_signed, two_signed) = (app.sign_in(&first).await, app.sign_in(&second).await);
        let (way, other) = (WAYS[round % 4], WAYS[round / 4 % 4]);
        let by_one = way.send(&nodes[0], &one_signed, two, &second, role);
        let by_two = other.send(&nodes[1], &two_signed, one, &first, role);
        let responses = run_simultaneously(&app, app.nordbil, [&nodes[0], &nodes[1]], by_one, by_two).await;
        let mut statuses = responses.map(|response| response.status.as_u16());
        statuses.sort_unstable();
        let what = format!("round {round}, {way:?} and {other:?}: {statuses:?}");
        assert_eq!(count(&app, ACTIVE_ADMINS).await, 1, "{what}");
        // The slower request fails, because the faster one has ended its user's session or permission.
        assert!([[200, 401], [200, 403]].contains(&statuses), "{what}");
    }
}

#[tokio::test]
async fn p8_one_of_two_admins_removed_concurrently_stays() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let role = role_id(&app, "Clerk").await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    for round in 0..rounds() * 4 {
        let [(one, first), (two, second)] = insert_two_admins(&app, round).await;
        let ways = [Way::Deactivate, Way::DemoteInCorporation];
        let (way, other) = (ways[round % 2], ways[round / 2 % 2]);
        let (a, b) =
            join(way.send(&app, &platform, one, &first, role), other.send(&node, &platform, two, &second, role)).await;
        let mut statuses = [a.status.as_u16(), b.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}, {way:?} and {other:?}");
        assert_eq!(count(&app, ACTIVE_ADMINS).await, 1, "round {round}");
    }
}
