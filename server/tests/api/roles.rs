//! Roles: what they grant, who may say so, and how they end.

use crate::app::{ADMIN, CLERK, NOBODY, STRANGER, SUPER_ADMIN, TestApp};
use crate::races::rounds;
use crate::steps::*;
use forecourt_core::roles::text;
use forecourt_core::text::{NOT_FOUND, STALE};
use forecourt_core::users::text::ROLE_UNKNOWN;
use futures_util::future::join;
use serde_json::{Value, json};
use uuid::Uuid;

const ROLES: &str = "/api/rbac/roles";
const ALL: [bool; 4] = [true; 4];
const READ: [bool; 4] = [true, false, false, false];

fn of(role: Uuid) -> String {
    format!("{ROLES}/{role}")
}

fn permissions_of(role: Uuid) -> String {
    format!("{ROLES}/{role}/permissions")
}

async fn listed(app: &TestApp, token: &str) -> Vec<Value> {
    let answer = app.get(ROLES, Some(token)).await;
    assert_eq!((answer.status.as_u16(), &answer.body["success"]), (200, &json!(true)), "{}", answer.body);
    answer.body["data"].as_array().unwrap().clone()
}

/// What a role shows to grant on a resource or a subresource.
fn granted(role: &Value, resource: &str) -> [bool; 4] {
    let top = &role["permissions"][resource.split('.').next().unwrap()];
    let subs = top["subresources"].as_array().unwrap();
    let found = subs.iter().find(|sub| sub["resource_id"] == resource).unwrap_or(top);
    ["can_read", "can_create", "can_update", "can_delete"].map(|bit| found["permissions"][bit].as_bool().unwrap())
}

#[tokio::test]
async fn roles_are_listed_by_name_with_what_they_grant_of_the_allowed_and_how_many_hold_them() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    for name in ["Öresund", "accounts"] {
        role(&app, &admin, name, &[]).await;
    }
    let roles = listed(&app, &admin).await;
    let names: Vec<_> = roles.iter().map(|role| role["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["accounts", "Clerk", "Öresund", "Reader"]);
    let clerk = &roles[1];
    assert_eq!(clerk["role_id"], role_id(&app, "Clerk").await.to_string());
    assert_eq!(
        (&clerk["permissionsCount"], &clerk["usersCount"], &clerk["version"]),
        (&json!(3), &json!(1), &json!(1))
    );
    let allowed: Vec<_> = clerk["permissions"].as_object().unwrap().keys().collect();
    assert_eq!(allowed, ["contacts", "customers", "invoices"], "what the corporation may use");
    assert_eq!((granted(clerk, "contacts"), granted(&roles[3], "customers")), (ALL, READ));
    assert_eq!((granted(clerk, "contacts.list"), granted(clerk, "contacts.imports")), (ALL, [false; 4]));
    let contacts = &clerk["permissions"]["contacts"];
    assert_eq!((&contacts["title"], &contacts["has_subresources"]), (&json!("Contacts"), &json!(true)));
    assert_eq!((&roles[0]["permissionsCount"], &roles[0]["usersCount"]), (&json!(0), &json!(0)));
    assert_eq!(
        listed(&app, &app.sign_in(STRANGER).await).await,
        Vec::<Value>::new(),
        "another corporation has its own"
    );
}

#[tokio::test]
async fn a_role_is_made_granting_nothing_then_granted_renamed_and_deleted() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let made = app.post(ROLES, Some(&admin), json!({"name": " Sales ", "description": "Sells cars"})).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED)));
    let sales = &made.body["data"];
    assert_eq!((&sales["name"], &sales["permissionsCount"]), (&json!("Sales"), &json!(0)));
    let id: Uuid = sales["role_id"].as_str().unwrap().parse().unwrap();

    let matrix = json!({"permissions": [line("customers", [false, true, false, false]), line("contacts", READ)]});
    let set = app.post(&permissions_of(id), Some(&admin), matrix).await;
    let seen = (set.status.as_u16(), &set.body["success"], &set.body["message"]);
    assert_eq!(seen, (200, &json!(true), &json!(text::PERMISSIONS_UPDATED)), "{}", set.body);
    let role = &set.body["data"];
    assert_eq!(granted(role, "customers"), [true, true, false, false], "who may add may view");
    assert_eq!((granted(role, "contacts.list"), granted(role, "contacts.imports")), (READ, [false; 4]));
    let mut empty = line("contacts", ALL);
    empty["subresources"] = json!([]);
    let set =
        app.post(&permissions_of(id), Some(&admin), json!({"permissions": [line("customers", READ), empty]})).await;
    let role = &set.body["data"];
    assert_eq!((granted(role, "contacts"), granted(role, "contacts.list")), (ALL, ALL));
    assert_eq!(granted(role, "contacts.imports"), [false; 4], "an empty list grants no imports");
    assert_eq!((&role["permissionsCount"], &role["version"]), (&json!(2), &json!(3)));
    // The whole matrix: what it doesn't name isn't granted.
    let set = app.post(&permissions_of(id), Some(&admin), json!({"permissions": [line("invoices", READ)]})).await;
    assert_eq!((granted(&set.body["data"], "customers"), granted(&set.body["data"], "invoices")), ([false; 4], READ));

    let renamed = put(&app, &of(id), &admin, json!({"name": "Selling", "description": "Sells and buys"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["message"]), (200, &json!(text::UPDATED)));
    let role = &renamed.body["data"];
    assert_eq!((&role["name"], &role["description"]), (&json!("Selling"), &json!("Sells and buys")));
    assert_eq!((granted(role, "invoices"), &role["version"]), (READ, &json!(5)));

    let deleted = delete(&app, &of(id), &admin).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::DELETED)));
    assert_eq!(listed(&app, &admin).await.len(), 2);
    assert_refused(&delete(&app, &of(id), &admin).await, 404, NOT_FOUND);
    let left = "SELECT count(*) FROM role_permissions WHERE role_id NOT IN (SELECT role_id FROM roles)";
    assert_eq!(count(&app, left).await, 0);
}

#[tokio::test]
async fn a_name_that_another_role_has_is_told_beside_its_field() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let taken = json!({"name": "Clerk", "description": "Another"});
    let reader = role_id(&app, "Reader").await;
    for refused in
        [app.post(ROLES, Some(&admin), taken.clone()).await, put(&app, &of(reader), &admin, taken.clone()).await]
    {
        assert_refused(&refused, 409, text::NAME_TAKEN);
        assert_eq!(refused.body["fields"], json!({"name": [text::NAME_TAKEN]}));
    }
    assert_eq!(listed(&app, &admin).await.len(), 2);
    let own = put(&app, &of(reader), &admin, json!({"name": "Reader", "description": "Reads"})).await;
    assert_eq!(own.status, 200, "one's own name may stay");
    let elsewhere = app.post(ROLES, Some(&app.sign_in(STRANGER).await), taken).await;
    assert_eq!(elsewhere.status, 201, "another corporation's names are its own");
    let bare = app.post(ROLES, Some(&admin), json!({"name": "x".repeat(101)})).await;
    assert_eq!(bare.status, 400);
    assert_eq!(bare.body["fields"]["description"], json!([text::FIELDS_REQUIRED]));
}

#[tokio::test]
async fn a_role_that_somebody_holds_stays() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    assert_refused(&delete(&app, &of(clerk), &admin).await, 409, &text::in_use(1));
    let path = format!("/api/users/{}", user_id(&app, NOBODY).await);
    assert_eq!(put(&app, &path, &admin, person(NOBODY, "User", Some(clerk))).await.status, 200);
    assert_refused(&delete(&app, &of(clerk), &admin).await, 409, &text::in_use(2));
    assert_eq!(listed(&app, &admin).await.len(), 2);
}

#[tokio::test]
async fn of_a_role_that_is_deleted_and_given_at_once_one_holds() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let admin = app.sign_in(ADMIN).await;
    let path = format!("/api/users/{}", user_id(&app, NOBODY).await);
    for round in 0..rounds() * 4 {
        let role = role(&app, &admin, &format!("Role {round}"), &[line("contacts", READ)]).await;
        let path_of_role = of(role);
        let (deleted, given) =
            join(delete(&app, &path_of_role, &admin), put(&node, &path, &admin, person(NOBODY, "User", Some(role))))
                .await;
        match (deleted.status.as_u16(), given.status.as_u16()) {
            (200, 400) => assert_refused(&given, 400, ROLE_UNKNOWN),
            (409, 200) => assert_refused(&deleted, 409, &text::in_use(1)),
            both => panic!("round {round}: {both:?}, {} and {}", deleted.body, given.body),
        }
    }
}

#[tokio::test]
async fn p1_a_role_grants_nothing_that_the_corporation_is_not_allowed() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let before = listed(&app, &admin).await;
    let sub = json!({"resource_id": "customers", "subresources": [line("contacts.list", ALL)]});
    for (matrix, sentence) in [
        (line("users", READ), text::RESOURCE_NOT_ALLOWED),
        (line("corporations", READ), text::RESOURCE_NOT_ALLOWED),
        (line("cars", READ), text::RESOURCE_UNKNOWN),
        (line("contacts.list", READ), text::RESOURCE_UNKNOWN),
        (sub, text::RESOURCE_UNKNOWN),
    ] {
        let refused = app.post(&permissions_of(clerk), Some(&admin), json!({"permissions": [matrix]})).await;
        assert_refused(&refused, 400, sentence);
        assert_eq!(refused.body["fields"], json!({"permissions": [sentence]}));
    }
    // Not even the platform's own administrator, in the platform's own corporation.
    let platform = app.sign_in(SUPER_ADMIN).await;
    let made = app.post(ROLES, Some(&platform), json!({"name": "Boss", "description": "x"})).await;
    let boss: Uuid = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
    let wanted = json!({"permissions": [line("corporations", ALL)]});
    assert_refused(&app.post(&permissions_of(boss), Some(&platform), wanted).await, 400, text::RESOURCE_NOT_ALLOWED);
    assert_eq!(listed(&app, &admin).await, before);
}

#[tokio::test]
async fn p2_whoever_is_no_administrator_grants_only_what_they_hold_and_nothing_to_their_own_role() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let (own, other) = (role_id(&app, "Deputy").await, role(&app, &admin, "Trainee", &[]).await);
    let set = async |token: &str, role: Uuid, matrix: &[Value]| {
        app.post(&permissions_of(role), Some(token), json!({"permissions": matrix})).await
    };
    for refused in [
        set(&deputy, own, &[line("users", ALL), line("roles", ALL), line("contacts", ALL)]).await,
        set(&deputy, own, &[line("users", READ)]).await,
    ] {
        assert_refused(&refused, 403, text::OWN_ROLE);
    }
    for above in [line("contacts", [true, true, false, false]), line("customers", READ)] {
        assert_refused(&set(&deputy, other, &[line("roles", READ), above]).await, 403, text::ABOVE_OWN);
    }
    let granted_count =
        "SELECT count(*) FROM role_permissions WHERE role_id IN (SELECT role_id FROM roles WHERE name = 'Trainee')";
    assert_eq!(count(&app, granted_count).await, 0, "a refusal grants nothing of it");
    assert_eq!(set(&deputy, other, &[line("contacts", READ), line("roles", ALL)]).await.status, 200);
    assert_eq!(set(&deputy, other, &[]).await.status, 200);
    // What an administrator granted beyond that is nobody else's to change.
    assert_eq!(set(&admin, other, &[line("customers", READ)]).await.status, 200);
    for changed in [[].as_slice(), &[line("customers", READ), line("contacts", READ)]] {
        assert_refused(&set(&deputy, other, changed).await, 403, text::ROLE_ABOVE_OWN);
    }
    assert_eq!(set(&admin, own, &[line("contacts", ALL)]).await.status, 200);
    assert_eq!(app.get(ROLES, Some(&deputy)).await.status, 403, "what was taken away is gone at the next call");
}

#[tokio::test]
async fn a_change_of_a_role_that_is_based_on_an_older_state_is_refused_with_the_present_one() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let rename = |name: &str, version: i64| json!({"name": name, "description": "Sells", "version": version});
    assert_eq!(put(&app, &of(clerk), &admin, rename("Seller", 1)).await.status, 200);
    let matrix = json!({"permissions": [line("customers", READ)], "version": 1});
    for stale in [
        put(&app, &of(clerk), &admin, rename("Buyer", 1)).await,
        app.post(&permissions_of(clerk), Some(&admin), matrix).await,
    ] {
        assert_refused(&stale, 409, STALE);
        let data = &stale.body["data"];
        assert_eq!((&data["name"], &data["version"]), (&json!("Seller"), &json!(2)));
        assert_eq!((granted(data, "contacts"), granted(data, "customers")), (ALL, ALL));
    }
    let matrix = json!({"permissions": [line("customers", ALL)], "version": 2});
    let set = app.post(&permissions_of(clerk), Some(&admin), matrix).await;
    assert_eq!((set.status.as_u16(), &set.body["data"]["version"]), (200, &json!(3)));
}

#[tokio::test]
async fn p3_no_field_beyond_the_documented_ones_reaches_a_column_of_a_role() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let plain = row(&app, "roles", "role_id", role(&app, &admin, "Plain", &[]).await).await;
    let documented = ["name", "description", "version"];
    let before = row(&app, "roles", "role_id", clerk).await;
    assert!(before.len() >= 7 && before.contains_key("corp_id"), "{before:?}");
    let grants = "SELECT count(*) FROM role_permissions";
    for (i, value) in tried_values().iter().enumerate() {
        let form = json!({"name": format!("Role {i}"), "description": "For a test"});
        let made = app.post(ROLES, Some(&admin), with_columns(&form, &before, &documented, value)).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
        let changed = differing(&plain, &row(&app, "roles", "role_id", id).await);
        assert!(
            changed.iter().all(|c| ["role_id", "name", "version", "updated_at"].contains(&c.as_str())),
            "{changed:?}"
        );

        let form = json!({"name": "Clerk", "description": "Sells"});
        let renamed = put(&app, &of(clerk), &admin, with_columns(&form, &before, &documented, value)).await;
        assert_eq!(renamed.status, 200, "{}", renamed.body);
        // A line may name another role, corporation or resource as often as it likes.
        let mut extra = with_columns(&line("contacts", ALL), &before, &documented, value);
        extra["subresources"] = json!([with_columns(&line("contacts.list", ALL), &before, &documented, value)]);
        let lines = json!({"permissions": [extra, line("customers", ALL), line("invoices", ALL)]});
        let matrix = with_columns(&lines, &before, &documented, value);
        let set = app.post(&permissions_of(clerk), Some(&admin), matrix).await;
        assert_eq!(set.status, 200, "{}", set.body);
        let changed = differing(&before, &row(&app, "roles", "role_id", clerk).await);
        assert!(changed.iter().all(|c| ["description", "version", "updated_at"].contains(&c.as_str())), "{changed:?}");
        assert_eq!(count(&app, grants).await, 8, "the two roles' grants, as before");
    }
}

#[tokio::test]
async fn another_corporations_role_is_not_found_and_stays_as_it_is() {
    let app = TestApp::start().await;
    let stranger = app.sign_in(STRANGER).await;
    let clerk = role_id(&app, "Clerk").await;
    let before =
        (row(&app, "roles", "role_id", clerk).await, count(&app, "SELECT count(*) FROM role_permissions").await);
    let form = json!({"name": "Taken over", "description": "x"});
    for id in [clerk, Uuid::now_v7()] {
        assert_refused(&put(&app, &of(id), &stranger, form.clone()).await, 404, NOT_FOUND);
        assert_refused(&delete(&app, &of(id), &stranger).await, 404, NOT_FOUND);
        let matrix = json!({"permissions": [line("contacts", READ)]});
        assert_refused(&app.post(&permissions_of(id), Some(&stranger), matrix).await, 404, NOT_FOUND);
    }
    let after =
        (row(&app, "roles", "role_id", clerk).await, count(&app, "SELECT count(*) FROM role_permissions").await);
    assert_eq!(before, after);
    for path in ["/api/rbac/roles/x", "/api/rbac/roles/%00"] {
        assert_eq!(put(&app, path, &stranger, form.clone()).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn whoever_may_only_look_at_roles_changes_none() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let (own, clerk) = (role_id(&app, "Deputy").await, role_id(&app, "Clerk").await);
    let matrix = json!({"permissions": [line("roles", READ)]});
    assert_eq!(app.post(&permissions_of(own), Some(&admin), matrix.clone()).await.status, 200);
    assert_eq!(listed(&app, &deputy).await.len(), 3);
    let form = json!({"name": "x", "description": "x"});
    let nobody = app.sign_in(CLERK).await;
    assert_eq!(app.get(ROLES, Some(&nobody)).await.status, 403);
    for token in [&deputy, &nobody] {
        for refused in [
            app.post(ROLES, Some(token), form.clone()).await,
            put(&app, &of(clerk), token, form.clone()).await,
            delete(&app, &of(clerk), token).await,
            app.post(&permissions_of(clerk), Some(token), matrix.clone()).await,
        ] {
            assert_eq!(refused.status, 403, "{}", refused.body);
        }
    }
}
