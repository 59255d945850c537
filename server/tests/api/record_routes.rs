//! The routes that all lists of records have: their permissions, and updates of stale, deleted and foreign records.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{assert_error, delete, present_in, put, read_record, read_row, with_field};
use crate::records::{RECORDS, TestRecord, create};
use forecourt::platform::clock::SECOND;
use forecourt_core::lists::list;
use forecourt_core::reply::Done;
use forecourt_core::text::{NOT_ALLOWED, NOT_FOUND, STALE};
use futures_util::future::join_all;
use serde_json::{Value, json};

/// For each user of the tests: the response status of reading and that of creating a record.
const READ_AND_CREATE_STATUSES: [(&str, u16, u16); 6] = [
    (SUPER_ADMIN, 200, 201),
    (ADMIN, 200, 201),
    (CLERK, 200, 201),
    (READER, 200, 403),
    (NO_ROLE, 403, 403),
    (OTHER_ADMIN, 200, 201),
];

const MISSING: &str = "0190b5a0-0000-7000-8000-000000000000";

/// Returns a record's test form with this text in the bulk field, and this value in another one.
fn form(record: &TestRecord, text: &str, field: &str, value: impl Into<Value>) -> Value {
    with_field(with_field((record.form)(), record.bulk_field, text), field, value)
}

#[tokio::test]
async fn every_kind_of_user_is_limited_to_its_permissions() {
    let app = TestApp::start().await;
    for (email, read, write) in READ_AND_CREATE_STATUSES {
        let token = app.sign_in(email).await;
        for record in RECORDS {
            let path = format!("/api/{}", record.list);
            assert_eq!(app.get(&path, Some(&token)).await.status, read, "{email} lists {}", record.list);
            let created = app.post(&path, Some(&token), (record.form)()).await;
            assert_eq!(created.status, write, "{email} creates {}", record.list);
            let missing = format!("{path}/{MISSING}");
            for (response, is_allowed) in [
                (app.get(&missing, Some(&token)).await, read == 200),
                (put(&app, &missing, &token, (record.form)()).await, write == 201),
                (delete(&app, &missing, &token).await, write == 201),
            ] {
                match is_allowed {
                    true => assert_error(&response, 404, NOT_FOUND.as_str()),
                    false => assert_error(&response, 403, NOT_ALLOWED.as_str()),
                }
            }
            assert_eq!(app.get(&path, None).await.status, 401, "{}", record.list);
        }
    }
}

#[tokio::test]
async fn returns_404_for_another_corporations_record() {
    let app = TestApp::start().await;
    let (clerk, other_admin) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    for record in RECORDS {
        let (_, id) = create(&app, &clerk, record).await;
        let read = async || read_row(&app, record.list, record.id, id.parse().unwrap()).await;
        let before = read().await;
        for id in [id.as_str(), MISSING, "ada", "%00"] {
            let path = format!("/api/{}/{id}", record.list);
            for response in [
                app.get(&path, Some(&other_admin)).await,
                put(&app, &path, &other_admin, (record.form)()).await,
                delete(&app, &path, &other_admin).await,
            ] {
                assert_error(&response, 404, NOT_FOUND.as_str());
            }
        }
        assert_eq!(read().await, before, "{}", record.list);
        let word = record.label.split(' ').next().unwrap();
        for text in ["", &word[..2], word] {
            for (token, is_listed) in [(&clerk, true), (&other_admin, false)] {
                let list = app.get(&format!("/api/{}?search={text}", record.list), Some(token)).await;
                assert_eq!((list.status.as_u16(), list.body.to_string().contains(&id)), (200, is_listed), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn a_stale_update_gets_409_with_the_current_record() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for record in RECORDS {
        let (path, _) = create(&app, &token, record).await;
        let time = record.time_field();
        let created = read_record(&app, &token, &path).await;
        app.advance(SECOND);
        let update = async |text: &str, field: &str, value: Value| {
            put(&app, &path, &token, form(record, text, field, value)).await
        };
        let changed = update("lund.example", "version", json!(1)).await;
        let message = json!(list(record.list).unwrap().updated.as_str());
        assert_eq!((changed.status.as_u16(), &changed.body["message"]), (200, &message), "{}", changed.body);
        let present = &changed.body["data"];
        assert_eq!((&present["version"], &present[record.bulk_field]), (&json!(2), &json!("lund.example")));
        let created_at = |data: &Value| data[time.replace("updated", "created")].as_str().unwrap().to_owned();
        assert_eq!(created_at(present), created_at(&created));
        let mut stored = read_record(&app, &token, &path).await;
        // Only the page of a customer shows the social security number.
        stored.as_object_mut().unwrap().remove("socialSecurityNumber");
        assert_eq!(stored, *present);
        let updated_at = present[time].as_str().unwrap();
        for (field, value) in [
            ("version", json!(0)),
            ("version", json!(1)),
            ("version", json!(3)),
            ("version", json!(-1)),
            (time, created[time].clone()),
            (time, json!(updated_at.replace(".000Z", ".001Z"))),
            (time, json!("yesterday")),
        ] {
            let stale = update("malmo.example", field, value).await;
            assert_error(&stale, 409, STALE.as_str());
            assert_eq!(present_in(&stale), *present, "{}: {field}", record.list);
        }
        let same_time = updated_at.replace("T08:", "T09:").replace('Z', "+01:00");
        // An update that sends neither a version nor a time replaces the stored values. A time can have any offset.
        for (version, field, value) in [
            (3, "version", Value::Null),
            (4, time, json!("")),
            (5, time, json!(updated_at)),
            (6, time, json!(same_time)),
        ] {
            let saved = update(&format!("malmo{version}.example"), field, value).await;
            assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(version)), "{field}");
        }
    }
}

#[tokio::test]
async fn one_of_16_concurrent_updates_succeeds_and_the_others_get_409() {
    let app = TestApp::start().await;
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    let token = app.sign_in(CLERK).await;
    for record in RECORDS {
        let (path, _) = create(&app, &token, record).await;
        for version in 1..=rounds() {
            let updates = (0..16).map(|i| {
                let form = form(record, &format!("lund{version}x{i}.example"), "version", version);
                put(&nodes[i % 2], &path, &token, form)
            });
            let (won, lost): (Vec<_>, Vec<_>) =
                join_all(updates).await.into_iter().partition(|response| response.status == 200);
            assert_eq!((won.len(), lost.len()), (1, 15), "{}", record.list);
            let present = &won[0].body["data"];
            assert_eq!(present["version"], version + 1);
            for response in lost {
                assert_error(&response, 409, STALE.as_str());
                assert_eq!(present_in(&response), *present, "{}", record.list);
            }
        }
    }
}

#[tokio::test]
async fn a_deleted_record_gets_404_from_every_route() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    for record in RECORDS {
        let (path, _) = create(&app, &token, record).await;
        let (kept, _) = create(&app, &token, record).await;
        let deleted = delete(&app, &path, &token).await;
        let done = json!(Done::new(list(record.list).unwrap().deleted));
        assert_eq!((deleted.status.as_u16(), &deleted.body), (200, &done));
        for response in [
            app.get(&path, Some(&token)).await,
            put(&app, &path, &token, (record.form)()).await,
            put(&app, &path, &token, with_field((record.form)(), "version", 1)).await,
            delete(&app, &path, &token).await,
        ] {
            assert_error(&response, 404, NOT_FOUND.as_str());
        }
        read_record(&app, &token, &kept).await;
    }
}
