//! The history of a corporation: what its users and the platform did, for those who may read it.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, SUPER_ADMIN, TestApp};
use crate::customers::customer;
use crate::helpers::{
    assert_error, copy_user, count, create_record, create_role, delete, new_user_form, permission_line, put, role_id,
    user_form, user_id,
};
use crate::imports::{csv, csv_mapping, import};
use crate::organizations::{record, register, with_fields};
use forecourt::platform::clock::{DAY, MINUTE};
use forecourt_core::history::HistoryAction;
use forecourt_core::history::text::{PLATFORM_ADMINISTRATOR, TIME_INVALID};
use forecourt_core::lists::text::{AN_ID, wrong_value};
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::{STALE, choice_error};
use forecourt_core::users::text::DELETED_USER;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

async fn read(app: &TestApp, token: &str, query: &str) -> ApiResponse {
    app.get(&format!("/api/history?{query}"), Some(token)).await
}

/// Returns the history entries that match these query parameters, newest first.
pub async fn entries(app: &TestApp, token: &str, query: &str) -> Vec<Value> {
    let response = read(app, token, query).await;
    assert_eq!(response.status, 200, "{query}: {}", response.body);
    let entries = response.body["data"].as_array().unwrap().clone();
    assert!(entries.len() == 20 || response.body["totalItems"] == entries.len(), "{query}");
    entries
}

/// Requests this entry by its id.
async fn read_entry(app: &TestApp, token: &str, entry: &Value) -> ApiResponse {
    app.get(&format!("/api/history/{}", entry["history_id"].as_str().unwrap()), Some(token)).await
}

/// Returns `[action, resource, label]` for each entry.
pub fn summaries(entries: &[Value]) -> Vec<[&str; 3]> {
    entries.iter().map(|entry| ["action", "resource", "label"].map(|field| entry[field].as_str().unwrap())).collect()
}

async fn create_contact(app: &TestApp, token: &str, name: &str) -> String {
    let path = create_record(app, token, "/api/contacts", json!({"name": name}), "_id").await;
    path.rsplit('/').next().unwrap().to_owned()
}

#[tokio::test]
async fn an_admin_sees_what_everyone_of_the_corporation_did() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = app.sign_in(CLERK).await;
    create_contact(&app, &clerk, "Ada").await;
    let found = entries(&app, &admin, "").await;
    assert_eq!(summaries(&found[..1]), [["created", "contacts", "Ada"]]);
    let clerks_id = user_id(&app, CLERK).await.to_string();
    assert_eq!((&found[0]["actor"]["id"], &found[0]["actor"]["kind"]), (&json!(clerks_id), &json!("user")));
    assert_eq!(found[1]["action"], "signed_in");
    assert_eq!((&found[1]["actor"]["id"], &found[1]["record_id"]), (&json!(clerks_id), &json!(clerks_id)));
    assert_eq!(app.post("/api/auth/logout", Some(&clerk), json!({})).await.status, 200);
    assert_eq!(entries(&app, &admin, "").await[0]["action"], "signed_out");
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(entries(&app, &other, "").await.len(), 1, "only the own sign-in");
    let nobody = app.sign_in(NO_ROLE).await;
    assert_eq!(read(&app, &nobody, "").await.status, 403);
}

#[tokio::test]
async fn history_filters_combine_and_the_total_counts_the_matches() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = app.sign_in(CLERK).await;
    let admins_id = user_id(&app, ADMIN).await;
    create_contact(&app, &clerk, "Ada").await;
    app.advance(MINUTE);
    let bo = create_contact(&app, &admin, "Bo").await;
    app.advance(MINUTE);
    assert_eq!(put(&app, &format!("/api/contacts/{bo}"), &admin, json!({"name": "Bo Ek"})).await.status, 200);
    let found = entries(&app, &admin, "resource=contacts").await;
    let [third, second] = [0, 1].map(|index| found[index]["at"].as_str().unwrap().to_owned());
    for (query, labels) in [
        ("resource=contacts".to_owned(), vec!["Bo Ek", "Bo", "Ada"]),
        (format!("resource=contacts&user={admins_id}"), vec!["Bo Ek", "Bo"]),
        ("resource=contacts&action=created".to_owned(), vec!["Bo", "Ada"]),
        (format!("from={second}&to={third}"), vec!["Bo"]),
        (format!("from={third}"), vec!["Bo Ek"]),
        (format!("resource=contacts&to={second}"), vec!["Ada"]),
        (format!("resource=contacts&action=created&user={admins_id}&from={second}"), vec!["Bo"]),
        ("action=purged".to_owned(), vec![]),
    ] {
        let found = entries(&app, &admin, &query).await;
        let found: Vec<_> = found.iter().map(|entry| entry["label"].as_str().unwrap()).collect();
        assert_eq!(found, labels, "{query}");
    }
    let page = read(&app, &admin, "resource=contacts&limit=2&page=2").await.body;
    assert_eq!(
        (&page["data"][0]["label"], &page["totalItems"], &page["totalPages"]),
        (&json!("Ada"), &json!(3), &json!(2))
    );
    let (an_id, actions) = (wrong_value(AN_ID), choice_error(HistoryAction::NAMES));
    for (query, field, expected) in [
        ("resource=cars", "resource", "contacts, "),
        ("resource=contacts&id=1", "id", an_id.as_str()),
        ("user=1", "user", an_id.as_str()),
        ("action=Created", "action", actions.as_str()),
        ("from=yesterday", "from", TIME_INVALID.as_str()),
        ("to=2026-13-01", "to", TIME_INVALID.as_str()),
        ("batch_id=1", "batch_id", an_id.as_str()),
    ] {
        let response = read(&app, &admin, query).await;
        let message = response.body["fields"][field][0].as_str().unwrap_or_default();
        assert!(response.status == 400 && message.contains(expected), "{query}: {}", response.body);
    }
}

#[tokio::test]
async fn a_page_has_20_entries_unless_the_request_has_a_limit() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let contact = create_contact(&app, &admin, "Ada").await;
    for phone in 0..21 {
        let form = json!({"name": "Ada", "phone": phone.to_string()});
        assert_eq!(put(&app, &format!("/api/contacts/{contact}"), &admin, form).await.status, 200);
    }
    for of in ["resource=contacts".to_owned(), format!("resource=contacts&id={contact}")] {
        for (limit, count, pages) in [("", 20, 2), ("&limit=21", 21, 2), ("&limit=100", 22, 1), ("&limit=1000", 22, 1)]
        {
            let page = read(&app, &admin, &format!("{of}{limit}")).await.body;
            let seen = (page["data"].as_array().unwrap().len(), &page["totalItems"], &page["totalPages"]);
            assert_eq!(seen, (count, &json!(22), &json!(pages)), "{of}{limit}");
        }
    }
}

#[tokio::test]
async fn a_role_sees_only_entries_of_what_it_may_read() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let reading = [true, false, false, false];
    let matrix = [permission_line("history", reading), permission_line("contacts", reading)];
    let role = create_role(&app, &admin, "Auditors", &matrix).await;
    let auditor = copy_user(&app, CLERK, "auditor@nordbil.example", "User").await;
    let sql = app.db().sql("UPDATE users SET role_id = $1 WHERE user_id = $2");
    assert_eq!(sql.bind(role).bind(auditor).exec().await.unwrap(), 1);
    let auditor = app.sign_in("auditor@nordbil.example").await;
    create_contact(&app, &admin, "Ada").await;
    create_record(&app, &admin, "/api/customers", customer("Bo"), "customer_id").await;
    assert_eq!(summaries(&entries(&app, &auditor, "").await), [["created", "contacts", "Ada"]]);
    assert_eq!(read(&app, &auditor, "resource=customers").await.status, 403);
    assert_eq!(read(&app, &auditor, "resource=users").await.status, 403);
    let found = entries(&app, &admin, "").await;
    assert_eq!(found[0]["resource"], "customers");
    let sign_in = found.iter().find(|entry| entry["action"] == "signed_in").unwrap();
    for hidden in [&found[0], sign_in] {
        assert_eq!(read_entry(&app, &auditor, hidden).await.status, 403, "{hidden}");
    }
    // Every user who may read the history sees the changes of the corporation's settings.
    let theme = json!({"color": "#ef4444", "scope": "corporation"});
    assert_eq!(put(&app, "/api/theme", &admin, theme).await.status, 200);
    let found = entries(&app, &auditor, "").await;
    assert_eq!(found[0]["changes"], json!([{"field": "theme", "before": null, "after": "#ef4444"}]));
    assert_eq!(read_entry(&app, &auditor, &found[0]).await.status, 200);
}

#[tokio::test]
async fn each_entry_that_the_history_lists_is_readable_by_its_id() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let [clerk, other] = [app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await];
    create_contact(&app, &admin, "Ada").await;
    create_role(&app, &admin, "Auditors", &[permission_line("contacts", [true, false, false, false])]).await;
    for list in ["contacts", "users"] {
        assert_eq!(app.get(&format!("/api/{list}/export?format=csv"), Some(&admin)).await.status, 200);
    }
    let found = entries(&app, &admin, "").await;
    assert_eq!(summaries(&found[..1]), [["exported", "users", "csv"]]);
    for entry in &found {
        let response = read_entry(&app, &admin, entry).await;
        let names = ["history_id", "action", "label"];
        let seen = (response.status.as_u16(), names.map(|name| &response.body["data"][name]));
        assert_eq!(seen, (200, names.map(|name| &entry[name])), "{}", response.body);
        assert_eq!(read_entry(&app, &other, entry).await.status, 404, "{entry}");
    }
    // The clerk may read contacts, but not the corporation's history.
    assert_eq!(read_entry(&app, &clerk, &found[0]).await.status, 403);
}

#[tokio::test]
async fn a_batch_and_an_import_are_one_entry_with_their_number_of_records() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let ids = [create_contact(&app, &token, "Ada").await, create_contact(&app, &token, "Bo").await];
    let bulk = json!({"ids": ids, "action": "delete"});
    let bulk = app.post("/api/contacts/bulk", Some(&token), bulk).await.body;
    import(&app, &token, "people.csv", &csv(1_500), &csv_mapping()).await;
    let found = entries(&app, &token, "resource=contacts").await;
    let expected = ["imported", "deleted", "created", "created"];
    assert_eq!(found.iter().map(|entry| entry["action"].as_str().unwrap()).collect::<Vec<_>>(), expected);
    assert_eq!((&found[0]["records"], &found[0]["label"]), (&json!(1_485), &json!("people.csv")));
    assert_eq!((&found[1]["records"], &found[1]["history_id"]), (&json!(2), &bulk["data"]["batch_id"]));
    assert_eq!(found[2]["records"], Value::Null);
    let batch = found[1]["history_id"].as_str().unwrap();
    let of_batch = entries(&app, &token, &format!("batch_id={batch}")).await;
    assert_eq!(summaries(&of_batch), [["deleted", "contacts", "Bo"], ["deleted", "contacts", "Ada"]]);
    let other = app.sign_in(OTHER_ADMIN).await;
    assert!(entries(&app, &other, &format!("batch_id={batch}")).await.is_empty());
}

#[tokio::test]
async fn an_export_is_an_entry_with_its_format() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for format in ["csv", "xlsx"] {
        assert_eq!(app.get(&format!("/api/contacts/export?format={format}"), Some(&token)).await.status, 200);
        assert_eq!(summaries(&entries(&app, &token, "").await[..1]), [["exported", "contacts", format]]);
    }
    assert_eq!(app.get("/api/contacts/export?format=pdf", Some(&token)).await.status, 400);
    assert_eq!(entries(&app, &token, "action=exported").await.len(), 2);
}

#[tokio::test]
async fn changes_of_users_and_roles_name_the_fields_but_no_password() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let email = "new@nordbil.example";
    let clerk = role_id(&app, "Clerk").await;
    assert_eq!(app.post("/api/users", Some(&token), new_user_form(email, "User", Some(clerk))).await.status, 201);
    let user = user_id(&app, email).await;
    let password = json!({"password": PASSWORD});
    assert_eq!(put(&app, &format!("/api/users/{user}/password"), &token, password).await.status, 200);
    let secret = json!([{"field": "password", "before": null, "after": null}]);
    let found = entries(&app, &token, "resource=users&action=updated").await;
    assert_eq!((&found[0]["changes"], &found[0]["record_id"]), (&secret, &json!(user.to_string())));
    let role = create_role(&app, &token, "Auditors", &[permission_line("contacts", [true, false, false, false])]).await;
    let matrix = json!({"permissions": [permission_line("contacts", [true, true, false, false])]});
    let path = format!("/api/rbac/roles/{role}/permissions");
    assert_eq!(app.post(&path, Some(&token), matrix).await.status, 200);
    let found = entries(&app, &token, "resource=roles").await;
    assert_eq!(summaries(&found)[0], ["updated", "roles", "Auditors"]);
    let granted = json!([{"field": "permissions.contacts", "before": "read", "after": "read, create"}]);
    assert_eq!(found[0]["changes"], granted);
    assert_eq!(found.last().unwrap()["action"], "created");
    let rows = app.db().all_tenants().sql("SELECT changes FROM history").all::<(String,)>().await.unwrap();
    assert!(rows.iter().all(|(changes,)| !changes.contains(PASSWORD)));
}

#[tokio::test]
async fn a_platform_administrator_has_no_name_in_a_corporations_history() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let clerk = user_id(&app, CLERK).await;
    let path = format!("/api/corporations/users/{clerk}/ban");
    assert_eq!(app.post(&path, Some(&platform), json!({"reason": "Spam"})).await.status, 200);
    let found = entries(&app, &token, "").await;
    let name = PLATFORM_ADMINISTRATOR.as_str();
    let message = json!({"code": "history.platform_administrator", "text": name});
    assert_eq!(found[0]["actor"], json!({"kind": "user", "id": "", "name": name, "name_message": message}));
    assert_eq!(found[0]["changes"], json!([{"field": "banned", "before": false, "after": true}]));
}

#[tokio::test]
async fn a_stale_update_of_a_corporation_gets_409_with_who_changed_it() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let (number, email) = ("559360-9844", "ada@nybil.example");
    let made = register(&app, &platform, number, email).await;
    let path = format!("/api/corporations/{}", made["corp_id"].as_str().unwrap());
    let rename = async |name: &str| {
        let form = with_fields(record(number), &[("corp_name", json!(name)), ("version", json!(1))]);
        put(&app, &path, &platform, form).await
    };
    // The second time, its values are stored already.
    for _ in 0..2 {
        let saved = rename("Nya Bil AB").await;
        assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(2)));
    }
    // The colour is no part of the form.
    let admin = app.sign_in(email).await;
    let theme = json!({"color": "#ef4444", "scope": "corporation"});
    assert_eq!(put(&app, "/api/theme", &admin, theme).await.status, 200);
    let stale = rename("Ny Bil").await;
    assert_error(&stale, 409, STALE.as_str());
    let data = &stale.body["data"];
    assert_eq!((&data["corp_name"], &data["version"]), (&json!("Nya Bil AB"), &json!(2)));
    let found = entries(&app, &admin, "resource=corporations").await;
    let renaming = found.iter().find(|entry| entry["changes"][0]["field"] == "corp_name").unwrap();
    // Administrators of the platform see each other's names, which the corporation does not see.
    let actor = json!({"kind": "user", "id": user_id(&app, SUPER_ADMIN).await, "name": "Ada Lindqvist"});
    assert_eq!(data["last_change"], json!({"at": renaming["at"], "actor": actor}));
    assert_eq!(renaming["actor"]["name"], PLATFORM_ADMINISTRATOR.as_str());
}

#[tokio::test]
async fn a_deleted_user_has_a_message_in_place_of_the_name() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let clerk = app.sign_in(CLERK).await;
    let contact = create_contact(&app, &clerk, "Ada").await;
    assert_eq!(delete(&app, &format!("/api/contacts/{contact}"), &clerk).await.status, 200);
    let user = user_id(&app, CLERK).await;
    assert_eq!(delete(&app, &format!("/api/users/{user}"), &admin).await.status, 200);
    let name = DELETED_USER.as_str();
    let message = json!({"code": "users.deleted_user", "text": name});
    let actor = json!({"kind": "user", "id": "", "name": name, "name_message": message});
    assert_eq!(entries(&app, &admin, "resource=contacts").await[0]["actor"], actor);
    let trash = app.get("/api/trash", Some(&admin)).await.body;
    assert_eq!(trash["data"][0]["deleted_by"], json!({"id": "", "name": name, "name_message": message}));
}

#[tokio::test]
async fn a_deleted_corporation_stays_in_the_history_of_the_platform() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let corp: Uuid = {
        let sql = app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(OTHER_ADMIN.to_owned());
        sql.value().await.unwrap()
    };
    assert_eq!(delete(&app, &format!("/api/corporations/{corp}"), &platform).await.status, 200);
    let found = entries(&app, &platform, "resource=corporations").await;
    assert_eq!((found.len(), &found[0]["action"]), (1, &json!(HistoryAction::Deleted.as_str())));
    assert_eq!(
        (&found[0]["resource"], &found[0]["record_id"]),
        (&json!(ResourceId::Corporations.as_str()), &json!(corp))
    );
    // An Admin of the platform's own corporation may not read corporations, so entries about these are not listed.
    copy_user(&app, SUPER_ADMIN, "office@platform.example", "Admin").await;
    let office = app.sign_in("office@platform.example").await;
    assert!(entries(&app, &office, "resource=corporations").await.is_empty());
}

#[tokio::test]
async fn roles_that_lose_permissions_with_a_resource_have_an_entry() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let path = format!("/api/corporations/{}/resources", app.nordbil);
    let request = app.request(Method::DELETE, &path, Some(&platform)).json(&json!({"resourceIds": ["contacts"]}));
    assert_eq!(app.send(request).await.status, 200);
    let found = entries(&app, &admin, "resource=roles").await;
    assert!(!found.is_empty());
    for entry in found {
        let lost = entry["changes"].as_array().unwrap().iter().find(|change| change["field"] == "permissions.contacts");
        assert_eq!((&entry["action"], &lost.unwrap()["after"]), (&json!("updated"), &Value::Null));
    }
    let corporation = &entries(&app, &admin, "resource=corporations").await[0];
    assert_eq!(corporation["changes"][0]["field"], "allowed_resources");
}

#[tokio::test]
async fn the_deletion_of_an_expired_import_has_the_program_as_its_actor() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    import(&app, &token, "people.csv", &csv(10), &csv_mapping()).await;
    app.advance(365 * DAY);
    forecourt::features::import::sweep(&app.app).await.unwrap();
    let token = app.sign_in(ADMIN).await;
    let found = entries(&app, &token, "resource=contacts.imports").await;
    assert_eq!(summaries(&found), [["deleted", "contacts.imports", "people.csv"]]);
    assert_eq!(found[0]["actor"]["kind"], "system");
}

#[tokio::test]
async fn saving_a_user_role_or_corporation_unchanged_keeps_its_version_and_adds_no_entry() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let number = "559360-9844";
    let made = register(&app, &platform, number, "ada@nybil.example").await;
    let corporation = format!("/api/corporations/{}", made["corp_id"].as_str().unwrap());
    let user = format!("/api/users/{}", user_id(&app, CLERK).await);
    let role = format!("/api/rbac/roles/{}", create_role(&app, &admin, "Auditors", &[]).await);
    let user_form = user_form(CLERK, "User", Some(role_id(&app, "Clerk").await));
    let reading = permission_line("contacts", [true, false, false, false]);
    let state = async || {
        let versions = "SELECT CAST((SELECT sum(version) FROM users) + (SELECT sum(version) FROM roles) + \
                        (SELECT sum(version) FROM corporations) AS BIGINT)";
        (count(&app, versions).await, count(&app, "SELECT count(*) FROM history").await)
    };
    for (method, path, token, form) in [
        (Method::PUT, user, &admin, user_form),
        (Method::PUT, role.clone(), &admin, json!({"name": "Audit", "description": "Reads"})),
        (Method::POST, format!("{role}/permissions"), &admin, json!({"permissions": [reading]})),
        (Method::PUT, corporation.clone(), &platform, with_fields(record(number), &[("city", json!("Lund"))])),
        (Method::POST, format!("{corporation}/resources"), &platform, json!({"resourceIds": ["vehicles"]})),
    ] {
        let save = async || {
            let request = app.request(method.clone(), &path, Some(token)).json(&form);
            assert_eq!(app.send(request).await.status, 200, "{path}");
            state().await
        };
        let before = state().await;
        let changed = save().await;
        assert!(changed.0 > before.0 && changed.1 > before.1, "{path}: {before:?} {changed:?}");
        assert_eq!(save().await, changed, "{path}");
    }
}
