//! Roles: their permissions, who may change them, and deleting them.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::*;
use forecourt_core::roles::{resource_error, text};
use forecourt_core::text::{NOT_FOUND, STALE};
use forecourt_core::users::text::ROLE_UNKNOWN;
use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

const ROLES: &str = "/api/rbac/roles";
const ALL: [bool; 4] = [true; 4];
const READ: [bool; 4] = [true, false, false, false];

fn role_path(role: Uuid) -> String {
    format!("{ROLES}/{role}")
}

fn permissions_path(role: Uuid) -> String {
    format!("{ROLES}/{role}/permissions")
}

async fn list_roles(app: &TestApp, token: &str) -> Vec<Value> {
    let response = app.get(ROLES, Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)), "{}", response.body);
    response.body["data"].as_array().unwrap().clone()
}

/// Returns whether a role grants reading, creating, updating and deleting on a resource or subresource.
fn permissions_on(role: &Value, resource: &str) -> [bool; 4] {
    let top = &role["permissions"][resource.split('.').next().unwrap()];
    let subs = top["subresources"].as_array().unwrap();
    let found = subs.iter().find(|sub| sub["resource_id"] == resource).unwrap_or(top);
    ["can_read", "can_create", "can_update", "can_delete"].map(|bit| found["permissions"][bit].as_bool().unwrap())
}

#[tokio::test]
async fn roles_are_listed_by_name_with_permissions_and_user_counts() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    for name in ["Öresund", "accounts"] {
        create_role(&app, &admin, name, &[]).await;
    }
    let roles = list_roles(&app, &admin).await;
    let names: Vec<_> = roles.iter().map(|role| role["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["accounts", "Clerk", "Öresund", "Reader"]);
    let clerk = &roles[1];
    assert_eq!(clerk["role_id"], role_id(&app, "Clerk").await.to_string());
    assert_eq!(
        (&clerk["permissionsCount"], &clerk["usersCount"], &clerk["version"]),
        (&json!(module_ids().len()), &json!(1), &json!(1))
    );
    let allowed: Vec<_> = clerk["permissions"].as_object().unwrap().keys().collect();
    let mut expected = [module_ids(), vec!["users", "roles", "history"]].concat();
    expected.sort_unstable();
    assert_eq!(allowed, expected, "the resources of the corporation");
    assert_eq!((permissions_on(clerk, "contacts"), permissions_on(&roles[3], "customers")), (ALL, READ));
    assert_eq!((permissions_on(clerk, "contacts.list"), permissions_on(clerk, "contacts.imports")), (ALL, [false; 4]));
    let contacts = &clerk["permissions"]["contacts"];
    assert_eq!((&contacts["title"], &contacts["has_subresources"]), (&json!("Contacts"), &json!(true)));
    assert_eq!((&roles[0]["permissionsCount"], &roles[0]["usersCount"]), (&json!(0), &json!(0)));
    assert_eq!(
        list_roles(&app, &app.sign_in(OTHER_ADMIN).await).await,
        Vec::<Value>::new(),
        "another corporation has its own data"
    );
}

#[tokio::test]
async fn a_role_is_created_granted_renamed_and_deleted() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let made = app.post(ROLES, Some(&admin), json!({"name": " Sales ", "description": "Sells cars"})).await;
    assert_eq!((made.status.as_u16(), &made.body["message"]), (201, &json!(text::CREATED.as_str())));
    let sales = &made.body["data"];
    assert_eq!((&sales["name"], &sales["permissionsCount"]), (&json!("Sales"), &json!(0)));
    let id: Uuid = sales["role_id"].as_str().unwrap().parse().unwrap();

    let matrix = json!({"permissions": [permission_line("customers", [false, true, false, false]), permission_line("contacts", READ)]});
    let set = app.post(&permissions_path(id), Some(&admin), matrix).await;
    let seen = (set.status.as_u16(), &set.body["success"], &set.body["message"]);
    assert_eq!(seen, (200, &json!(true), &json!(text::PERMISSIONS_UPDATED.as_str())), "{}", set.body);
    let role = &set.body["data"];
    assert_eq!(permissions_on(role, "customers"), [true, true, false, false], "adding implies viewing");
    assert_eq!((permissions_on(role, "contacts.list"), permissions_on(role, "contacts.imports")), (READ, [false; 4]));
    let mut empty = permission_line("contacts", ALL);
    empty["subresources"] = json!([]);
    let set = app
        .post(&permissions_path(id), Some(&admin), json!({"permissions": [permission_line("customers", READ), empty]}))
        .await;
    let role = &set.body["data"];
    assert_eq!((permissions_on(role, "contacts"), permissions_on(role, "contacts.list")), (ALL, ALL));
    assert_eq!(permissions_on(role, "contacts.imports"), [false; 4], "an empty list grants no imports");
    assert_eq!((&role["permissionsCount"], &role["version"]), (&json!(2), &json!(3)));
    // A role has no permissions on resources that its new matrix does not name.
    let set = app
        .post(&permissions_path(id), Some(&admin), json!({"permissions": [permission_line("invoices", READ)]}))
        .await;
    assert_eq!(
        (permissions_on(&set.body["data"], "customers"), permissions_on(&set.body["data"], "invoices")),
        ([false; 4], READ)
    );

    let renamed = put(&app, &role_path(id), &admin, json!({"name": "Selling", "description": "Sells and buys"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["message"]), (200, &json!(text::UPDATED.as_str())));
    let role = &renamed.body["data"];
    assert_eq!((&role["name"], &role["description"]), (&json!("Selling"), &json!("Sells and buys")));
    assert_eq!((permissions_on(role, "invoices"), &role["version"]), (READ, &json!(5)));

    let deleted = delete(&app, &role_path(id), &admin).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::DELETED.as_str())));
    assert_eq!(list_roles(&app, &admin).await.len(), 2);
    assert_error(&delete(&app, &role_path(id), &admin).await, 404, NOT_FOUND.as_str());
    let left = "SELECT count(*) FROM role_permissions WHERE role_id NOT IN (SELECT role_id FROM roles)";
    assert_eq!(count(&app, left).await, 0);
}

#[tokio::test]
async fn a_taken_role_name_gets_409_with_the_field() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let named = |name: &str| json!({"name": name, "description": "Another"});
    let taken = named("Clerk");
    let reader = role_id(&app, "Reader").await;
    for form in [taken.clone(), named("CLERK")] {
        for rejected in [
            app.post(ROLES, Some(&admin), form.clone()).await,
            put(&app, &role_path(reader), &admin, form.clone()).await,
        ] {
            assert_error(&rejected, 409, text::NAME_TAKEN.as_str());
            assert_eq!(rejected.body["fields"], json!({"name": [text::NAME_TAKEN.as_str()]}));
        }
    }
    assert_eq!(list_roles(&app, &admin).await.len(), 2);
    let own = put(&app, &role_path(reader), &admin, json!({"name": "Reader", "description": "Reads"})).await;
    assert_eq!(own.status, 200, "the role's own name is accepted");
    let elsewhere = app.post(ROLES, Some(&app.sign_in(OTHER_ADMIN).await), taken).await;
    assert_eq!(elsewhere.status, 201, "names are unique per corporation");
    let bare = app.post(ROLES, Some(&admin), json!({"name": "x".repeat(101)})).await;
    assert_eq!(bare.status, 400);
    assert_eq!(bare.body["fields"]["description"], json!([text::FIELDS_REQUIRED.as_str()]));
}

#[tokio::test]
async fn older_roles_whose_names_differ_only_by_case_can_still_be_changed() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let reader = role_id(&app, "Reader").await;
    app.db().sql("UPDATE roles SET name = 'clerk' WHERE role_id = $1").bind(reader).exec().await.unwrap();
    let named = |name: &str| json!({"name": name, "description": "Reads"});
    let kept = put(&app, &role_path(reader), &admin, named("clerk")).await;
    assert_eq!((kept.status.as_u16(), &kept.body["data"]["description"]), (200, &json!("Reads")), "{}", kept.body);
    let matrix = json!({"permissions": [permission_line("customers", READ)]});
    assert_eq!(app.post(&permissions_path(reader), Some(&admin), matrix).await.status, 200);
    assert_error(&put(&app, &role_path(reader), &admin, named("CLERK")).await, 409, text::NAME_TAKEN.as_str());
    for name in ["Viewer", "VIEWER"] {
        assert_eq!(put(&app, &role_path(reader), &admin, named(name)).await.status, 200, "{name}");
    }
}

#[tokio::test]
async fn concurrent_requests_give_a_role_name_only_once() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let (clerk, reader) = (role_id(&app, "Clerk").await, role_id(&app, "Reader").await);
    let rename = async |role: Uuid, name: String| {
        let form = json!({"name": name, "description": "Sells"});
        put(&app, &role_path(role), &admin, form).await.status.as_u16()
    };
    for round in 0..rounds() {
        let (lower, upper) = (format!("sales {round}"), format!("SALES {round}"));
        let (first, second) = join(rename(clerk, lower), rename(reader, upper)).await;
        assert!(matches!((first, second), (200, 409) | (409, 200)), "{first} {second}");
    }
}

#[tokio::test]
async fn a_role_that_is_in_use_cannot_be_deleted() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    assert_error(&delete(&app, &role_path(clerk), &admin).await, 409, text::in_use(1).unwrap().as_str());
    let path = format!("/api/users/{}", user_id(&app, NO_ROLE).await);
    assert_eq!(put(&app, &path, &admin, user_form(NO_ROLE, "User", Some(clerk))).await.status, 200);
    assert_error(&delete(&app, &role_path(clerk), &admin).await, 409, text::in_use(2).unwrap().as_str());
    assert_eq!(list_roles(&app, &admin).await.len(), 2);
}

#[tokio::test]
async fn deleting_and_assigning_a_role_concurrently_has_one_winner() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let admin = app.sign_in(ADMIN).await;
    let path = format!("/api/users/{}", user_id(&app, NO_ROLE).await);
    for round in 0..rounds() * 4 {
        let role = create_role(&app, &admin, &format!("Role {round}"), &[permission_line("contacts", READ)]).await;
        let path_of_role = role_path(role);
        let (deleted, given) = join(
            delete(&app, &path_of_role, &admin),
            put(&node, &path, &admin, user_form(NO_ROLE, "User", Some(role))),
        )
        .await;
        match (deleted.status.as_u16(), given.status.as_u16()) {
            (200, 400) => assert_error(&given, 400, ROLE_UNKNOWN.as_str()),
            (409, 200) => assert_error(&deleted, 409, text::in_use(1).unwrap().as_str()),
            both => panic!("round {round}: {both:?}, {} and {}", deleted.body, given.body),
        }
    }
}

#[tokio::test]
async fn p1_a_role_cannot_grant_resources_the_corporation_lacks() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    app.db().sql("DELETE FROM corporation_resources WHERE resource_id = 'vehicles'").exec().await.unwrap();
    let before = list_roles(&app, &admin).await;
    let sub = json!({"resource_id": "customers", "subresources": [permission_line("contacts.list", ALL)]});
    let unknown = resource_error();
    for (matrix, sentence) in [
        (permission_line("vehicles", READ), text::RESOURCE_NOT_ALLOWED.as_str()),
        (permission_line("corporations", READ), text::RESOURCE_NOT_ALLOWED.as_str()),
        (permission_line("cars", READ), unknown.as_str()),
        (permission_line("contacts.list", READ), unknown.as_str()),
        (sub, unknown.as_str()),
    ] {
        let rejected = app.post(&permissions_path(clerk), Some(&admin), json!({"permissions": [matrix]})).await;
        assert_error(&rejected, 400, sentence);
        assert_eq!(rejected.body["fields"], json!({"permissions": [sentence]}));
    }
    // A Super Admin can't grant resources that the platform's own corporation lacks either.
    let platform = app.sign_in(SUPER_ADMIN).await;
    let made = app.post(ROLES, Some(&platform), json!({"name": "Boss", "description": "x"})).await;
    let boss: Uuid = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
    let wanted = json!({"permissions": [permission_line("corporations", ALL)]});
    assert_error(
        &app.post(&permissions_path(boss), Some(&platform), wanted).await,
        400,
        text::RESOURCE_NOT_ALLOWED.as_str(),
    );
    assert_eq!(list_roles(&app, &admin).await, before);
}

#[tokio::test]
async fn roles_of_every_corporation_can_grant_users_roles_and_history() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let always = ["users", "roles", "history"];
    let id = create_role(&app, &admin, "Office", &always.map(|id| permission_line(id, READ))).await;
    let clerks = format!("/api/users/{}", user_id(&app, CLERK).await);
    assert_eq!(put(&app, &clerks, &admin, user_form(CLERK, "User", Some(id))).await.status, 200);
    // The grants stay when the corporation loses all other resources.
    let platform = app.sign_in(SUPER_ADMIN).await;
    let path = format!("/api/corporations/{}/resources", app.nordbil);
    let ids = [module_ids(), always.to_vec()].concat();
    let all = json!({"resourceIds": ids});
    assert_eq!(app.send(app.request(Method::DELETE, &path, Some(&platform)).json(&all)).await.status, 200);
    let clerk = app.sign_in(CLERK).await;
    let roles = list_roles(&app, &clerk).await;
    let office = roles.iter().find(|role| role["role_id"] == json!(id)).unwrap();
    assert_eq!(office["permissions"].as_object().unwrap().len(), always.len());
    assert!(always.into_iter().all(|id| permissions_on(office, id) == READ), "{office}");
    for path in ["/api/users", "/api/history"] {
        assert_eq!(app.get(path, Some(&clerk)).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn p2_a_deputy_grants_only_own_permissions_and_not_to_the_own_role() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let (own, other) = (role_id(&app, "Deputy").await, create_role(&app, &admin, "Trainee", &[]).await);
    let set = async |token: &str, role: Uuid, matrix: &[Value]| {
        app.post(&permissions_path(role), Some(token), json!({"permissions": matrix})).await
    };
    for rejected in [
        set(
            &deputy,
            own,
            &[permission_line("users", ALL), permission_line("roles", ALL), permission_line("contacts", ALL)],
        )
        .await,
        set(&deputy, own, &[permission_line("users", READ)]).await,
    ] {
        assert_error(&rejected, 403, text::OWN_ROLE.as_str());
    }
    let offered = async |name: &str| {
        let roles = list_roles(&app, &deputy).await;
        let role = roles.iter().find(|role| role["name"] == name).unwrap();
        [&role["can_update"], &role["can_assign"]].map(|offered| offered.as_bool().unwrap())
    };
    assert_eq!([offered("Deputy").await, offered("Trainee").await], [[false, true], [true, true]]);
    let matrix = &list_roles(&app, &deputy).await[0]["permissions"];
    let grantable = |resource: &str| matrix[resource]["grantable"]["can_update"].as_bool().unwrap();
    assert_eq!([grantable("roles"), grantable("customers")], [true, false]);
    for beyond in [permission_line("contacts", [true, true, false, false]), permission_line("customers", READ)] {
        assert_error(
            &set(&deputy, other, &[permission_line("roles", READ), beyond]).await,
            403,
            text::ABOVE_OWN.as_str(),
        );
    }
    let granted_count =
        "SELECT count(*) FROM role_permissions WHERE role_id IN (SELECT role_id FROM roles WHERE name = 'Trainee')";
    assert_eq!(count(&app, granted_count).await, 0, "a rejected request grants nothing");
    assert_eq!(
        set(&deputy, other, &[permission_line("contacts", READ), permission_line("roles", ALL)]).await.status,
        200
    );
    assert_eq!(set(&deputy, other, &[]).await.status, 200);
    // The deputy can't change a role that has a permission which the deputy lacks.
    assert_eq!(set(&admin, other, &[permission_line("customers", READ)]).await.status, 200);
    assert_eq!(offered("Trainee").await, [false, false]);
    for changed in [[].as_slice(), &[permission_line("customers", READ), permission_line("contacts", READ)]] {
        assert_error(&set(&deputy, other, changed).await, 403, text::ROLE_ABOVE_OWN.as_str());
    }
    assert_eq!(set(&admin, own, &[permission_line("contacts", ALL)]).await.status, 200);
    assert_eq!(app.get(ROLES, Some(&deputy)).await.status, 403, "a revoked permission ends with the next request");
}

#[tokio::test]
async fn a_stale_role_update_gets_409_with_the_current_role() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let rename = |name: &str, version: i64| json!({"name": name, "description": "Sells", "version": version});
    // The second time, its values are stored already.
    for _ in 0..2 {
        let saved = put(&app, &role_path(clerk), &admin, rename("Seller", 1)).await;
        assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(2)));
    }
    let matrix = json!({"permissions": [permission_line("customers", READ)], "version": 1});
    for stale in [
        put(&app, &role_path(clerk), &admin, rename("Buyer", 1)).await,
        app.post(&permissions_path(clerk), Some(&admin), matrix).await,
    ] {
        assert_error(&stale, 409, STALE.as_str());
        let data = &stale.body["data"];
        assert_eq!((&data["name"], &data["version"]), (&json!("Seller"), &json!(2)));
        let history = app.get("/api/history?resource=roles&action=updated", Some(&admin)).await.body;
        let entry = &history["data"][0];
        assert_eq!(data["last_change"], json!({"at": entry["at"], "actor": entry["actor"]}));
        assert_eq!((permissions_on(data, "contacts"), permissions_on(data, "customers")), (ALL, ALL));
    }
    let matrix = json!({"permissions": [permission_line("customers", ALL)], "version": 2});
    // The second time, its permissions are stored already.
    for _ in 0..2 {
        let set = app.post(&permissions_path(clerk), Some(&admin), matrix.clone()).await;
        assert_eq!((set.status.as_u16(), &set.body["data"]["version"]), (200, &json!(3)));
    }
    let matrix = with_field(matrix, "permissions", json!([permission_line("customers", READ)]));
    assert_error(&app.post(&permissions_path(clerk), Some(&admin), matrix).await, 409, STALE.as_str());
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_role() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let plain = read_row(&app, "roles", "role_id", create_role(&app, &admin, "Plain", &[]).await).await;
    let documented = ["name", "description", "version"];
    let before = read_row(&app, "roles", "role_id", clerk).await;
    assert!(before.len() >= 7 && before.contains_key("corp_id"), "{before:?}");
    let grants = "SELECT count(*) FROM role_permissions";
    for (i, value) in injected_values().iter().enumerate() {
        let form = json!({"name": format!("Role {i}"), "description": "For a test"});
        let made = app.post(ROLES, Some(&admin), with_columns(&form, &before, &documented, value)).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
        let changed = differing_columns(&plain, &read_row(&app, "roles", "role_id", id).await);
        assert!(
            changed.iter().all(|c| ["role_id", "name", "version", "updated_at"].contains(&c.as_str())),
            "{changed:?}"
        );

        let form = json!({"name": "Clerk", "description": "Sells"});
        let renamed = put(&app, &role_path(clerk), &admin, with_columns(&form, &before, &documented, value)).await;
        assert_eq!(renamed.status, 200, "{}", renamed.body);
        // The lines of the matrix have undocumented fields, which name other roles and corporations.
        let mut extra = with_columns(&permission_line("contacts", ALL), &before, &documented, value);
        extra["subresources"] =
            json!([with_columns(&permission_line("contacts.list", ALL), &before, &documented, value)]);
        let others = module_ids().into_iter().filter(|id| *id != "contacts").map(|id| permission_line(id, ALL));
        let permissions: Vec<_> = [extra].into_iter().chain(others).collect();
        let lines = json!({"permissions": permissions});
        let matrix = with_columns(&lines, &before, &documented, value);
        let set = app.post(&permissions_path(clerk), Some(&admin), matrix).await;
        assert_eq!(set.status, 200, "{}", set.body);
        let changed = differing_columns(&before, &read_row(&app, "roles", "role_id", clerk).await);
        assert!(changed.iter().all(|c| ["description", "version", "updated_at"].contains(&c.as_str())), "{changed:?}");
        assert_eq!(
            count(&app, grants).await,
            2 * (module_ids().len() as i64 + 2),
            "the grants of both roles are unchanged"
        );
    }
}

#[tokio::test]
async fn returns_404_for_another_corporations_role() {
    let (app, other_admin) = TestApp::start_and_sign_in(OTHER_ADMIN).await;
    let clerk = role_id(&app, "Clerk").await;
    let before =
        (read_row(&app, "roles", "role_id", clerk).await, count(&app, "SELECT count(*) FROM role_permissions").await);
    let form = json!({"name": "Taken over", "description": "x"});
    for id in [clerk, Uuid::now_v7()] {
        assert_error(&put(&app, &role_path(id), &other_admin, form.clone()).await, 404, NOT_FOUND.as_str());
        assert_error(&delete(&app, &role_path(id), &other_admin).await, 404, NOT_FOUND.as_str());
        let matrix = json!({"permissions": [permission_line("contacts", READ)]});
        assert_error(&app.post(&permissions_path(id), Some(&other_admin), matrix).await, 404, NOT_FOUND.as_str());
    }
    let after =
        (read_row(&app, "roles", "role_id", clerk).await, count(&app, "SELECT count(*) FROM role_permissions").await);
    assert_eq!(before, after);
    for path in ["/api/rbac/roles/x", "/api/rbac/roles/%00"] {
        assert_eq!(put(&app, path, &other_admin, form.clone()).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn read_permission_on_roles_does_not_allow_changes() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let (own, clerk) = (role_id(&app, "Deputy").await, role_id(&app, "Clerk").await);
    let matrix = json!({"permissions": [permission_line("roles", READ)]});
    assert_eq!(app.post(&permissions_path(own), Some(&admin), matrix.clone()).await.status, 200);
    assert_eq!(list_roles(&app, &deputy).await.len(), 3);
    let form = json!({"name": "x", "description": "x"});
    let without_roles = app.sign_in(CLERK).await;
    assert_eq!(app.get(ROLES, Some(&without_roles)).await.status, 403);
    for token in [&deputy, &without_roles] {
        for rejected in [
            app.post(ROLES, Some(token), form.clone()).await,
            put(&app, &role_path(clerk), token, form.clone()).await,
            delete(&app, &role_path(clerk), token).await,
            app.post(&permissions_path(clerk), Some(token), matrix.clone()).await,
        ] {
            assert_eq!(rejected.status, 403, "{}", rejected.body);
        }
    }
}
