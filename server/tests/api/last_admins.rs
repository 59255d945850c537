//! The last who administers a corporation, or the platform, stays (docs/product.md 1.6), also when two go at once (security.md
//! P8). `FORECOURT_TEST_ROUNDS` says how often that is tried.

use crate::app::{ADMIN, Answer, CLERK, READER, SUPER_ADMIN, TestApp};
use crate::races::rounds;
use crate::rights::meet;
use crate::steps::*;
use forecourt_core::auth::text::{LAST_ADMIN, LAST_SUPER_ADMIN};
use futures_util::future::join;
use serde_json::json;
use uuid::Uuid;

/// Ways to take an administrator away.
#[derive(Clone, Copy, Debug)]
enum Way {
    Demote,
    Delete,
    Deactivate,
    DemoteElsewhere,
}

const WAYS: [Way; 4] = [Way::Demote, Way::Delete, Way::Deactivate, Way::DemoteElsewhere];

impl Way {
    /// Tries it, on somebody with this e-mail.
    async fn take(self, app: &TestApp, token: &str, id: Uuid, email: &str, role: Uuid) -> Answer {
        let own = format!("/api/users/{id}");
        let elsewhere = format!("/api/corporations/users/{id}");
        match self {
            Way::Demote => put(app, &own, token, person(email, "User", Some(role))).await,
            Way::Delete => delete(app, &own, token).await,
            Way::Deactivate => put(app, &elsewhere, token, json!({"is_active": false})).await,
            Way::DemoteElsewhere => put(app, &elsewhere, token, person(email, "User", Some(role))).await,
        }
    }
}

const ACTIVE_ADMINS: &str = "SELECT count(*) FROM users u JOIN corporations c ON c.corp_id = u.corp_id \
     WHERE c.name = 'Nordbil' AND u.user_type = 'Admin' AND u.is_active AND u.banned_at IS NULL";

/// Makes two new people the only Admins of Nordbil.
async fn two_admins(app: &TestApp, round: usize) -> [(Uuid, String); 2] {
    app.db().sql("UPDATE users SET user_type = 'User' WHERE user_type = 'Admin'").exec().await.unwrap();
    app.db().sql("DELETE FROM throttles").exec().await.unwrap();
    let mut made = Vec::new();
    for name in ["one", "two"] {
        let (id, email) = (Uuid::now_v7(), format!("{name}{round}@nordbil.example"));
        app.db()
            .sql(
                "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
                 created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, '', 'Admin', password_hash, 0, 0 \
                 FROM users WHERE email = $3",
            )
            .bind(id)
            .bind(email.clone())
            .bind(CLERK)
            .exec()
            .await
            .unwrap();
        made.push((id, email));
    }
    made.try_into().unwrap()
}

#[tokio::test]
async fn p8_the_last_active_admin_cannot_be_taken_away_in_any_way() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let id = user_id(&app, ADMIN).await;
    for way in [Way::Deactivate, Way::DemoteElsewhere] {
        assert_refused(&way.take(&app, &platform, id, ADMIN, role).await, 409, LAST_ADMIN);
    }
    let admin = app.sign_in(ADMIN).await;
    assert_refused(&Way::Demote.take(&app, &admin, id, ADMIN, role).await, 409, LAST_ADMIN);
    let second = user_id(&app, READER).await;
    let raised = put(&app, &format!("/api/users/{second}"), &admin, person(READER, "Admin", Some(role))).await;
    assert_eq!(raised.status, 200, "{}", raised.body);
    assert_eq!(Way::Demote.take(&app, &admin, id, ADMIN, role).await.status, 200, "once there is another one");
    assert_eq!(app.get("/api/users", Some(&admin)).await.status, 403, "and at once");
}

#[tokio::test]
async fn p8_an_admin_who_is_switched_off_is_none_that_has_to_stay() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let id = user_id(&app, ADMIN).await;
    app.db().sql("UPDATE users SET is_active = $1 WHERE user_id = $2").bind(false).bind(id).exec().await.unwrap();
    let demoted = Way::DemoteElsewhere.take(&app, &platform, id, ADMIN, role).await;
    assert_eq!(demoted.status, 200, "{}", demoted.body);
}

#[tokio::test]
async fn p8_the_last_active_super_admin_cannot_be_demoted_by_themselves_or_another() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let role = app.post("/api/rbac/roles", Some(&platform), json!({"name": "Staff", "description": "x"})).await;
    let role = role.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
    let id = user_id(&app, SUPER_ADMIN).await;
    for to in ["Admin", "User"] {
        let refused = put(&app, &format!("/api/users/{id}"), &platform, person(SUPER_ADMIN, to, Some(role))).await;
        assert_refused(&refused, 409, LAST_SUPER_ADMIN);
    }
    let second =
        app.post("/api/users", Some(&platform), newcomer("second@platform.example", "Super Admin", None)).await;
    assert_eq!(second.status, 201, "{}", second.body);
    app.next_mail("second@platform.example", 0).await;
    let second = app.sign_in("second@platform.example").await;
    let demoted = put(&app, &format!("/api/users/{id}"), &second, person(SUPER_ADMIN, "Admin", Some(role))).await;
    assert_eq!(demoted.status, 200, "{}", demoted.body);
    assert_eq!(app.get("/api/corporations", Some(&platform)).await.status, 403);
}

#[tokio::test]
async fn p8_of_two_admins_who_take_each_other_away_at_once_one_stays() {
    let app = TestApp::start().await;
    let nodes = [app.another_node().await, app.another_node().await];
    let role = role_id(&app, "Clerk").await;
    for round in 0..WAYS.len() * WAYS.len() {
        let [(one, first), (two, second)] = two_admins(&app, round).await;
        let (one_signed, two_signed) = (app.sign_in(&first).await, app.sign_in(&second).await);
        let (way, other) = (WAYS[round % 4], WAYS[round / 4 % 4]);
        let by_one = way.take(&nodes[0], &one_signed, two, &second, role);
        let by_two = other.take(&nodes[1], &two_signed, one, &first, role);
        let answers = meet(&app, app.nordbil, [&nodes[0], &nodes[1]], by_one, by_two).await;
        let mut statuses = answers.map(|answer| answer.status.as_u16());
        statuses.sort_unstable();
        let what = format!("round {round}, {way:?} and {other:?}: {statuses:?}");
        assert_eq!(count(&app, ACTIVE_ADMINS).await, 1, "{what}");
        // The slower one has lost the right to it.
        assert!([[200, 401], [200, 403]].contains(&statuses), "{what}");
    }
}

#[tokio::test]
async fn p8_of_two_admins_whom_the_platform_takes_away_at_once_one_stays() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let role = role_id(&app, "Clerk").await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    for round in 0..rounds() * 4 {
        let [(one, first), (two, second)] = two_admins(&app, round).await;
        let ways = [Way::Deactivate, Way::DemoteElsewhere];
        let (way, other) = (ways[round % 2], ways[round / 2 % 2]);
        let (a, b) =
            join(way.take(&app, &platform, one, &first, role), other.take(&node, &platform, two, &second, role)).await;
        let mut statuses = [a.status.as_u16(), b.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}, {way:?} and {other:?}");
        assert_eq!(count(&app, ACTIVE_ADMINS).await, 1, "round {round}");
    }
}
