//! Registering and changing corporations and their company records.

use crate::app::{ApiResponse, CLERK, OTHER_ADMIN, PASSWORD, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{assert_error, count_rows, is_session_active, module_ids, present_in, stored_settings};
use forecourt_core::settings::Settings;
use forecourt_core::{corporations, organizations, text, users};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Every table that a registration writes to.
const WRITTEN_TABLES: &[&str] =
    &["corporations", "organizations", "corporation_resources", "roles", "role_permissions", "users"];

pub const REGISTER: &str = "/api/orgs/register";
const UPDATE: &str = "/api/orgs/update";
const NEW: &str = "ada@nybil.example";
const NUMBER: &str = "559360-9844";

/// Returns the form of a company record with this organization number.
pub fn record(number: &str) -> Value {
    json!({
        "organization_number": number, "corp_name": " Ny Bil AB ", "street_address": "Storgatan 1",
        "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_email": "info@nybil.example",
        "company_phone": "090 12 34 56", "allowed_resources": ["users", "contacts"],
    })
}

/// Returns the form that registers a corporation with this organization number and the email of its first Admin.
pub fn form(number: &str, email: &str) -> Value {
    let admin =
        json!({"first_name": "Ada", "last_name": "Lind", "email": email, "phone": "070 1", "password": PASSWORD});
    with_fields(record(number), &[("admin_data", admin)])
}

pub fn with_fields(mut form: Value, fields: &[(&str, Value)]) -> Value {
    for (name, value) in fields {
        form[name] = value.clone();
    }
    form
}

async fn send(app: &TestApp, method: Method, path: &str, token: &str, body: Value) -> ApiResponse {
    app.send(app.request(method, path, Some(token)).json(&body)).await
}

/// Registers a corporation, and returns it.
pub async fn register(app: &TestApp, token: &str, number: &str, email: &str) -> Value {
    let before = app.mails(email).len();
    let response = app.post(REGISTER, Some(token), form(number, email)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (201, &json!(true)), "{}", response.body);
    // The mail about the account. A sign-in would take it for the mail with the code.
    app.next_mail(email, before).await;
    response.body["data"].clone()
}

#[tokio::test]
async fn registering_a_corporation_creates_its_record_admin_and_role() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for (i, path) in [REGISTER, "/api/corporations/organizations/register"].into_iter().enumerate() {
        let before = count_rows(&app, WRITTEN_TABLES).await;
        let email = format!("Ada{i}@NyBil.example");
        let response = app.post(path, Some(&platform), form(&format!("556100-000{i}"), &email)).await;
        assert_eq!(response.status, 201, "{}", response.body);
        assert_eq!(response.body["message"], corporations::text::CREATED.as_str());
        let corp = &response.body["data"];
        let shown = json!({
            "corp_id": corp["corp_id"], "corp_name": "Ny Bil AB", "corp_active": true,
            "allowed_resources": ["contacts"], "allowed_resources_names": ["Contacts"],
            "organization_number": format!("556100-000{i}"), "street_address": "Storgatan 1", "registered_city": "Umeå",
            "postal_code": "903 26", "city": "Ersmark", "country": "GB", "company_email": "info@nybil.example",
            "company_phone": "090 12 34 56", "corp_contact_name": "Ada Lind",
            "corp_contact_email": email.to_lowercase(), "awaits_approval": false, "is_platform": false, "version": 1,
        });
        assert_eq!(*corp, shown);
        let made: Vec<i64> =
            count_rows(&app, WRITTEN_TABLES).await.iter().zip(&before).map(|(after, before)| after - before).collect();
        assert_eq!(made, [1, 1, 2, 1, 6, 1], "contacts with two subresources, users, roles and history");
    }
    let email = "ada0@nybil.example";
    let role: (String, String, String, i64) = app
        .db()
        .sql(
            "SELECT u.user_type, u.mobile, r.name, (SELECT count(*) FROM role_permissions p WHERE p.corp_id = u.corp_id \
             AND p.role_id = r.role_id AND p.can_read AND p.can_create AND p.can_update AND p.can_delete) \
             FROM users u JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.email = $1",
        )
        .bind(email)
        .one()
        .await
        .unwrap();
    assert_eq!(role, ("Admin".into(), "070 1".into(), "Administrator".into(), 6));
    let admin = app.sign_in(email).await;
    let current = app.get("/api/corporations/corporations/current", Some(&admin)).await;
    assert_eq!((&current.body["data"]["corp_name"], current.status.as_u16()), (&json!("Ny Bil AB"), 200));
}

#[tokio::test]
async fn a_registered_corporation_starts_with_the_settings_of_its_country() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for (number, country, expected) in [("1", "", Settings::default()), ("2", "SE", Settings::of_country("SE"))] {
        let email = format!("ada{number}@nybil.example");
        let form = with_fields(form(number, &email), &[("country", json!(country))]);
        let response = app.post(REGISTER, Some(&platform), form).await;
        assert_eq!(response.status, 201, "{}", response.body);
        assert_eq!(stored_settings(&app, &email).await, expected, "{country}");
    }
}

#[tokio::test]
async fn an_invalid_registration_creates_nothing() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let before = count_rows(&app, WRITTEN_TABLES).await;
    let good = form(NUMBER, NEW);
    for (field, broken) in [
        ("organization_number", with_fields(good.clone(), &[("organization_number", json!("-"))])),
        ("company_email", with_fields(good.clone(), &[("company_email", json!("info"))])),
        ("country", with_fields(good.clone(), &[("country", json!("XX"))])),
        (
            "admin_data.password",
            with_fields(
                good.clone(),
                &[(
                    "admin_data",
                    json!({"first_name": "Ada", "last_name": "Lind",
            "email": NEW, "phone": "1", "password": "short"}),
                )],
            ),
        ),
        ("allowed_resources", with_fields(good.clone(), &[("allowed_resources", json!(["contacts", "corporations"]))])),
        ("agreed", with_fields(good.clone(), &[("agreed", json!(false))])),
    ] {
        let rejected = app.post(REGISTER, Some(&platform), broken).await;
        assert_eq!(
            (rejected.status.as_u16(), rejected.body["fields"][field].is_array()),
            (400, true),
            "{}",
            rejected.body
        );
    }
    let long = with_fields(good, &[("street_address", json!("x".repeat(201)))]);
    assert_eq!(app.post(REGISTER, Some(&platform), long).await.status, 400);
    assert_eq!(count_rows(&app, WRITTEN_TABLES).await, before);
}

#[tokio::test]
async fn a_taken_number_or_email_gets_409_with_the_field() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    register(&app, &platform, NUMBER, NEW).await;
    let before = count_rows(&app, WRITTEN_TABLES).await;
    let number = app.post(REGISTER, Some(&platform), form(" 5593 60 9844", "b@nybil.example")).await;
    assert_error(&number, 409, corporations::text::NUMBER_TAKEN.as_str());
    assert_eq!(number.body["fields"], json!({"organization_number": [corporations::text::NUMBER_TAKEN.as_str()]}));
    let email = app.post(REGISTER, Some(&platform), form("556100-0059", "CLERK@nordbil.example")).await;
    assert_error(&email, 409, users::text::EMAIL_TAKEN.as_str());
    assert_eq!(email.body["fields"], json!({"admin_data.email": [users::text::EMAIL_TAKEN.as_str()]}));
    assert_eq!(count_rows(&app, WRITTEN_TABLES).await, before);
}

#[tokio::test]
async fn one_of_four_concurrent_registrations_of_a_number_or_email_succeeds() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    for round in 0..rounds() {
        for same_number in [true, false] {
            let before = count_rows(&app, WRITTEN_TABLES).await;
            let form = |i: usize| match same_number {
                true => form(&format!("1-{round}"), &format!("n{round}-{i}@nybil.example")),
                false => form(&format!("2-{round}-{i}"), &format!("e{round}@nybil.example")),
            };
            let nodes = [&app, &node];
            let calls = (0..4).map(|i| nodes[i % 2].post(REGISTER, Some(&platform), form(i)));
            let responses = join_all(calls).await;
            let statuses: Vec<u16> = responses.iter().map(|a| a.status.as_u16()).collect();
            assert_eq!(statuses.iter().filter(|s| **s == 201).count(), 1, "round {round}: {statuses:?}");
            assert_eq!(statuses.iter().filter(|s| **s == 409).count(), 3, "round {round}: {statuses:?}");
            let made: Vec<i64> = count_rows(&app, WRITTEN_TABLES)
                .await
                .iter()
                .zip(&before)
                .map(|(after, before)| after - before)
                .collect();
            assert_eq!(made, [1, 1, 2, 1, 6, 1], "round {round}");
        }
    }
}

#[tokio::test]
async fn both_update_routes_change_a_corporation_and_ignore_admin_data() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let made = register(&app, &platform, NUMBER, NEW).await;
    let id = made["corp_id"].as_str().unwrap().to_owned();
    let admin = json!({"first_name": "", "email": "other@nybil.example", "password": ""});
    let changed = with_fields(
        record("5593609844"),
        &[
            ("corp_id", json!(id)),
            ("corp_name", json!("Ny Bil Norr AB")),
            ("city", json!("Umeå")),
            ("admin_data", admin.clone()),
            ("version", json!(1)),
            ("is_platform", json!(true)),
        ],
    );
    let response = send(&app, Method::PUT, UPDATE, &platform, changed).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (200, &json!(corporations::text::UPDATED.as_str()))
    );
    let expected = with_fields(
        made.clone(),
        &[
            ("corp_name", json!("Ny Bil Norr AB")),
            ("city", json!("Umeå")),
            ("organization_number", json!("5593609844")),
            ("version", json!(2)),
        ],
    );
    assert_eq!(response.body["data"], expected, "other fields are unchanged");
    // The path determines which corporation is changed; a `corp_id` in the body is ignored.
    let nordbil_id = json!(app.nordbil.to_string());
    let other = with_fields(
        record(NUMBER),
        &[("corp_id", nordbil_id), ("allowed_resources", json!([])), ("admin_data", admin)],
    );
    let response = send(&app, Method::PUT, &format!("/api/corporations/{id}"), &platform, other).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let expected = with_fields(
        made,
        &[("version", json!(3)), ("allowed_resources", json!([])), ("allowed_resources_names", json!([]))],
    );
    assert_eq!(response.body["data"], expected);
    let nordbil = app.get(&format!("/api/corporations/{}", app.nordbil), Some(&platform)).await;
    assert_eq!(nordbil.body["data"]["version"], 1);
    let details = app.get(&format!("/api/corporations/{id}/full-details"), Some(&platform)).await;
    assert_eq!(
        details.body["data"],
        json!({
            "corporation": {"corp_id": id, "corp_name": "Ny Bil AB", "corp_active": true, "allowed_resources": [],
                "is_platform": false, "version": 3},
            "organization": {"organization_number": NUMBER, "legalId": NUMBER, "corp_name": "Ny Bil AB",
                "street_address": "Storgatan 1", "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark",
                "company_email": "info@nybil.example", "company_phone": "090 12 34 56"},
        })
    );
}

#[tokio::test]
async fn a_rejected_corporation_update_changes_nothing() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let made = register(&app, &platform, NUMBER, NEW).await;
    register(&app, &platform, "556100-0059", "b@nybil.example").await;
    let id = made["corp_id"].clone();
    let update = async |fields: &[(&str, Value)]| {
        let form = with_fields(with_fields(record(NUMBER), &[("corp_id", id.clone())]), fields);
        send(&app, Method::PUT, UPDATE, &platform, form).await
    };
    let stale = update(&[("version", json!(0)), ("corp_name", json!("Theirs"))]).await;
    assert_error(&stale, 409, text::STALE.as_str());
    assert_eq!(present_in(&stale), made, "the current record");
    let missing = update(&[("organization_number", json!("-"))]).await;
    let required = organizations::text::ORGANIZATION_NUMBER_REQUIRED.as_str();
    assert_eq!((missing.status.as_u16(), &missing.body["fields"]["organization_number"][0]), (400, &json!(required)));
    let taken = update(&[("organization_number", json!("5561000059"))]).await;
    assert_error(&taken, 409, corporations::text::NUMBER_TAKEN.as_str());
    assert_eq!(taken.body["fields"]["organization_number"][0], corporations::text::NUMBER_TAKEN.as_str());
    assert!(update(&[("company_email", json!(""))]).await.body["fields"]["company_email"].is_array());
    for unknown in [json!(Uuid::now_v7().to_string()), json!("x"), json!(null)] {
        assert_error(&update(&[("corp_id", unknown)]).await, 404, text::NOT_FOUND.as_str());
    }
    let without_record =
        update(&[("corp_id", json!(app.nordbil.to_string())), ("organization_number", json!("3"))]).await;
    assert_error(&without_record, 404, organizations::text::NOT_FOUND.as_str());
    let after = app.get(&format!("/api/corporations/{}", id.as_str().unwrap()), Some(&platform)).await;
    assert_eq!(after.body["data"], made);
}

#[tokio::test]
async fn existing_duplicates_of_a_number_can_still_be_changed() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for (number, email) in [("1", NEW), ("2", "b@nybil.example")] {
        register(&app, &platform, number, email).await;
        let taken =
            "UPDATE organizations SET organization_number = $1, number_key = '5593609844' WHERE number_key = $2";
        app.db().sql(taken).bind(NUMBER).bind(number).exec().await.unwrap();
    }
    let duplicates = app.get("/api/corporations?search=ny%20bil", Some(&platform)).await;
    assert_eq!(duplicates.body["totalItems"], 2);
    for corp in duplicates.body["data"].as_array().unwrap() {
        let unchanged_number =
            with_fields(record("5593609844"), &[("corp_id", corp["corp_id"].clone()), ("corp_active", json!(true))]);
        let response = send(&app, Method::PUT, UPDATE, &platform, unchanged_number).await;
        assert_eq!((response.status.as_u16(), &response.body["data"]["corp_active"]), (200, &json!(true)));
    }
    let third = register(&app, &platform, "3", "c@nybil.example").await;
    let rejected = with_fields(record(NUMBER), &[("corp_id", third["corp_id"].clone())]);
    assert_error(
        &send(&app, Method::PUT, UPDATE, &platform, rejected).await,
        409,
        corporations::text::NUMBER_TAKEN.as_str(),
    );
}

#[tokio::test]
async fn a_corporation_keeps_an_old_number_without_letters_and_digits() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let made = register(&app, &platform, NUMBER, NEW).await;
    app.db()
        .sql("UPDATE organizations SET organization_number = '-', number_key = '' WHERE number_key = '5593609844'")
        .exec()
        .await
        .unwrap();
    for active in [false, true] {
        let form = with_fields(record("-"), &[("corp_id", made["corp_id"].clone()), ("corp_active", json!(active))]);
        let response = send(&app, Method::PUT, UPDATE, &platform, form).await;
        assert_eq!((response.status.as_u16(), &response.body["data"]["corp_active"]), (200, &json!(active)));
    }
}

#[tokio::test]
async fn the_platform_corporation_cannot_be_deactivated_or_deleted() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let own = app.get("/api/corporations/corporations/current", Some(&platform)).await.body["data"].clone();
    let id = own["corp_id"].as_str().unwrap();
    app.db()
        .sql(
            "INSERT INTO organizations (corp_id, organization_number, number_key, created_at, updated_at) \
             VALUES ($1, '1', '1', 0, 0)",
        )
        .bind(id.parse::<Uuid>().unwrap())
        .exec()
        .await
        .unwrap();
    let off = with_fields(record("1"), &[("corp_id", json!(id)), ("corp_active", json!(false))]);
    let rejected = send(&app, Method::PUT, UPDATE, &platform, off).await;
    assert_error(&rejected, 409, corporations::text::PLATFORM_CORPORATION.as_str());
    let path = format!("/api/corporations/{id}");
    let rejected = send(&app, Method::DELETE, &path, &platform, json!({})).await;
    assert_error(&rejected, 409, corporations::text::PLATFORM_CORPORATION.as_str());
    let renamed = with_fields(record("1"), &[("corp_id", json!(id)), ("corp_active", json!(true))]);
    assert_eq!(send(&app, Method::PUT, UPDATE, &platform, renamed).await.status, 200);
    assert!(is_session_active(&app, &platform).await);
}

#[tokio::test]
async fn p6_removing_a_resource_blocks_it_and_revokes_role_permissions() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (platform, clerk) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(CLERK).await);
    let path = format!("/api/corporations/{}/resources", app.nordbil);
    let read = async |node: &TestApp| node.get("/api/contacts", Some(&clerk)).await.status.as_u16();
    assert_eq!((read(&app).await, read(&node).await), (200, 200));
    let without_contacts: Vec<_> = module_ids().into_iter().filter(|id| *id != "contacts").collect();
    let ids = json!({"resourceIds": ["contacts", "roles"]});
    let removed = send(&app, Method::DELETE, &path, &platform, ids.clone()).await;
    assert_eq!(
        (removed.status.as_u16(), &removed.body["message"]),
        (200, &json!(corporations::text::UPDATED.as_str()))
    );
    assert_eq!(removed.body["data"]["allowed_resources"], json!(without_contacts));
    assert_eq!((read(&node).await, read(&app).await), (403, 403));
    let (granted, versions): (i64, i64) = app
        .db()
        .sql(
            "SELECT (SELECT count(*) FROM role_permissions WHERE corp_id = $1 AND resource_id LIKE 'contacts%'), \
             (SELECT min(version) FROM roles WHERE corp_id = $1)",
        )
        .bind(app.nordbil)
        .one()
        .await
        .unwrap();
    assert_eq!((granted, versions), (0, 2), "the version of the roles is raised");
    let added = send(&app, Method::POST, &path, &platform, ids).await;
    let all = json!(module_ids());
    assert_eq!((&added.body["data"]["allowed_resources"], &added.body["data"]["version"]), (&all, &json!(3)));
    assert_eq!(read(&node).await, 403, "the permissions of roles are not restored");
    for ids in [json!(["corporations"]), json!(["contacts.list"]), json!(["cars"])] {
        let rejected = send(&app, Method::POST, &path, &platform, json!({"resourceIds": ids})).await;
        assert_eq!((rejected.status.as_u16(), rejected.body["fields"]["resourceIds"].is_array()), (400, true));
    }
    for method in [Method::POST, Method::DELETE] {
        let path = format!("/api/corporations/{}/resources", Uuid::now_v7());
        assert_eq!(send(&app, method, &path, &platform, json!({"resourceIds": ["roles"]})).await.status, 404);
    }
}

#[tokio::test]
async fn p13_deactivating_a_corporation_ends_its_sessions() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let made = register(&app, &platform, NUMBER, NEW).await;
    let (admin, other_admin) = (app.sign_in(NEW).await, app.sign_in(OTHER_ADMIN).await);
    let set_active = async |activated: bool| {
        let form =
            with_fields(record(NUMBER), &[("corp_id", made["corp_id"].clone()), ("corp_active", json!(activated))]);
        let response = send(&app, Method::PUT, UPDATE, &platform, form).await;
        assert_eq!((response.status.as_u16(), &response.body["data"]["corp_active"]), (200, &json!(activated)));
    };
    set_active(false).await;
    assert!(!is_session_active(&app, &admin).await && is_session_active(&app, &other_admin).await);
    let login = json!({"email": NEW, "password": PASSWORD, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, login).await.status, 403);
    set_active(true).await;
    assert!(!is_session_active(&app, &admin).await, "an ended session stays ended");
    assert!(is_session_active(&app, &app.sign_in(NEW).await).await);
}

#[tokio::test]
async fn signup_creates_an_administrator_role_with_all_its_grants() {
    let app = TestApp::start().await;
    let person = [
        ("first_name", json!("Ada")),
        ("last_name", json!("Lind")),
        ("email", json!(NEW)),
        ("mobile", json!("070 1")),
        ("password", json!(PASSWORD)),
    ];
    crate::signup::register(&app, with_fields(record(NUMBER), &person)).await;
    let (role, grants): (String, i64) = app
        .db()
        .sql(
            "SELECT r.name, (SELECT count(*) FROM role_permissions p WHERE p.corp_id = r.corp_id) FROM users u \
             JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.email = $1",
        )
        .bind(NEW)
        .one()
        .await
        .unwrap();
    assert_eq!(
        (role.as_str(), grants),
        ("Administrator", module_ids().len() as i64 + 7),
        "the modules, the subresources of contacts and vehicles, users, roles and history"
    );
}

#[tokio::test]
async fn the_admin_of_a_registered_corporation_is_mailed() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let email = "first@nybil.example";
    assert_eq!(app.post(REGISTER, Some(&platform), form("556100-0059", email)).await.status, 201);
    let mail = app.next_mail(email, 0).await;
    assert!(mail.contains("account was created for you"), "{mail}");
}
