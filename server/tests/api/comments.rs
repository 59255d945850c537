//! Comments on contacts: adding, editing, deleting, and permissions.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, TestApp};
use crate::contacts::{contact_path, create_contact, read_contact};
use crate::helpers::*;
use forecourt::platform::clock::MINUTE;
use forecourt::platform::limits::COMMENTS;
use forecourt_core::contacts::{COMMENTS_MAX, Comment, may_delete_comment, may_edit_comment, text};
use forecourt_core::text::{NOT_ALLOWED, NOT_FOUND};
use forecourt_core::users::text::DELETED_USER;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

pub fn comments_path(contact: &Value) -> String {
    format!("{}/comments", contact_path(contact))
}

/// Returns the path of a comment.
pub fn comment_path(contact: &Value, comment: &Value) -> String {
    format!("{}/{}", comments_path(contact), comment["_id"].as_str().unwrap())
}

fn comment_form(comment: &str) -> Value {
    json!({"comment": comment})
}

/// Adds a comment, and returns it.
pub async fn add_comment(app: &TestApp, token: &str, contact: &Value, comment: &str) -> Value {
    let response = app.post(&comments_path(contact), Some(token), comment_form(comment)).await;
    assert_eq!(
        (response.status.as_u16(), &response.body["message"]),
        (201, &json!(text::COMMENT_ADDED.as_str())),
        "{}",
        response.body
    );
    response.body["data"]["comments"][0].clone()
}

/// Returns the texts of a contact's comments, newest first.
pub async fn comment_texts(app: &TestApp, token: &str, contact: &Value) -> Vec<String> {
    let comments = read_contact(app, token, contact).await["comments"].as_array().unwrap().clone();
    comments.iter().map(|comment| comment["comment"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn adding_editing_and_deleting_a_comment_returns_the_contact() {
    let app = TestApp::start().await;
    let (clerk, reader) = (app.sign_in(CLERK).await, app.sign_in(READER).await);
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    assert_eq!(contact["comments"], json!([]));
    app.advance(MINUTE);
    let first = add_comment(&app, &clerk, &contact, "  Called,\nwants a V70. ").await;
    let expected = json!({"_id": first["_id"], "userId": user_id(&app, CLERK).await.to_string(),
        "userName": "Ada Lindqvist", "comment": "Called,\nwants a V70.",
        "createdAt": "2027-01-15T08:01:00.000Z", "updatedAt": "2027-01-15T08:01:00.000Z"});
    assert_eq!(first, expected);
    let second = add_comment(&app, &reader, &contact, "<b>Sold</b>").await;
    assert_eq!(second["userId"], user_id(&app, READER).await.to_string());
    let present = read_contact(&app, &reader, &contact).await;
    assert_eq!(present["comments"], json!([second, first]), "newest first");

    app.advance(MINUTE);
    let edited = put(&app, &comment_path(&contact, &first), &clerk, comment_form("Wants two.")).await;
    assert_eq!((edited.status.as_u16(), &edited.body["message"]), (200, &json!(text::COMMENT_EDITED.as_str())));
    let mut changed = first.clone();
    (changed["comment"], changed["updatedAt"]) = (json!("Wants two."), json!("2027-01-15T08:02:00.000Z"));
    assert_eq!(edited.body["data"]["comments"], json!([second, changed]));

    let deleted = delete(&app, &comment_path(&contact, &second), &reader).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::COMMENT_DELETED.as_str())));
    assert_eq!(deleted.body["data"]["comments"], json!([changed]));
    assert_eq!(deleted.body["data"], read_contact(&app, &clerk, &contact).await);
    assert_error(&delete(&app, &comment_path(&contact, &second), &reader).await, 404, NOT_FOUND.as_str());
    assert_error(
        &put(&app, &comment_path(&contact, &second), &reader, comment_form("x")).await,
        404,
        NOT_FOUND.as_str(),
    );
    assert_eq!(
        app.get("/api/contacts", Some(&clerk)).await.body["data"][0].get("comments"),
        None,
        "the list has no comments"
    );
}

#[tokio::test]
async fn a_comment_does_not_change_the_version_of_its_contact() {
    let app = TestApp::start().await;
    let (clerk, reader) = (app.sign_in(CLERK).await, app.sign_in(READER).await);
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    app.advance(MINUTE);
    let comment = add_comment(&app, &reader, &contact, "Called").await;
    for response in [
        put(&app, &comment_path(&contact, &comment), &reader, comment_form("Called twice")).await,
        delete(&app, &comment_path(&contact, &comment), &reader).await,
    ] {
        let present = &response.body["data"];
        assert_eq!((&present["version"], &present["updatedAt"]), (&json!(1), &contact["updatedAt"]));
    }
    let saved = put(&app, &contact_path(&contact), &clerk, json!({"name": "Bo", "version": contact["version"]})).await;
    assert_eq!(saved.status, 200, "{}", saved.body);
}

#[tokio::test]
async fn an_empty_or_too_long_comment_is_rejected() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    let comment = add_comment(&app, &clerk, &contact, &"å".repeat(10_000)).await;
    let too_long = "Maximum length is 10000 characters";
    for (body, sentence) in [
        (json!({}), text::COMMENT_REQUIRED.as_str()),
        (comment_form(" \n\u{0}"), text::COMMENT_REQUIRED.as_str()),
        (json!({"comment": null}), text::COMMENT_REQUIRED.as_str()),
        (comment_form(&"å".repeat(10_001)), too_long),
    ] {
        for rejected in [
            app.post(&comments_path(&contact), Some(&clerk), body.clone()).await,
            put(&app, &comment_path(&contact, &comment), &clerk, body.clone()).await,
        ] {
            assert_error(&rejected, 400, sentence);
            assert_eq!(rejected.body["fields"], json!({"comment": [sentence]}));
        }
    }
    assert_eq!(app.post(&comments_path(&contact), Some(&clerk), json!({"comment": 7})).await.status, 400);
    assert_eq!(comment_texts(&app, &clerk, &contact).await, ["å".repeat(10_000)]);
}

#[tokio::test]
async fn p12_only_the_author_edits_a_comment_and_deleters_of_contacts_delete_it() {
    let app = TestApp::start().await;
    let people = [(ADMIN, true), (CLERK, true), (READER, false)];
    let mut tokens = Vec::new();
    for (email, _) in people {
        tokens.push(app.sign_in(email).await);
    }
    let contact = create_contact(&app, &tokens[0], json!({"name": "Ada"})).await;
    for author in &tokens {
        for (actor, (email, may_delete_contacts)) in tokens.iter().zip(people) {
            let comment = add_comment(&app, author, &contact, "Called").await;
            let seen: Comment = serde_json::from_value(comment.clone()).unwrap();
            let user = user_id(&app, email).await.to_string();
            let path = comment_path(&contact, &comment);

            let edited = put(&app, &path, actor, comment_form("Called twice")).await;
            let may_edit = may_edit_comment(&seen, &user);
            assert_eq!(may_edit, author == actor);
            match may_edit {
                true => assert_eq!(edited.status, 200, "{email}: {}", edited.body),
                false => assert_error(&edited, 403, text::NOT_COMMENT_AUTHOR.as_str()),
            }
            let words = if may_edit { "Called twice" } else { "Called" };
            assert_eq!(comment_texts(&app, author, &contact).await, [words]);

            let deleted = delete(&app, &path, actor).await;
            match may_delete_comment(&seen, &user, may_delete_contacts) {
                true => assert_eq!(deleted.status, 200, "{email}: {}", deleted.body),
                false => {
                    assert_error(&deleted, 403, NOT_ALLOWED.as_str());
                    assert_eq!(delete(&app, &path, author).await.status, 200);
                }
            }
            assert_eq!(comment_texts(&app, author, &contact).await, [""; 0]);
        }
    }
}

#[tokio::test]
async fn comment_routes_follow_the_current_contact_permissions() {
    let app = TestApp::start().await;
    let [admin, clerk, no_role] = [app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(NO_ROLE).await];
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    let (of_admin, of_clerk) =
        (add_comment(&app, &admin, &contact, "Sold").await, add_comment(&app, &clerk, &contact, "Called").await);
    let grant = async |permissions: [bool; 4]| {
        let path = format!("/api/rbac/roles/{}/permissions", role_id(&app, "Clerk").await);
        let set =
            app.post(&path, Some(&admin), json!({"permissions": [permission_line("contacts", permissions)]})).await;
        assert_eq!(set.status, 200, "{}", set.body);
    };
    grant([true, true, true, false]).await;
    assert_error(&delete(&app, &comment_path(&contact, &of_admin), &clerk).await, 403, NOT_ALLOWED.as_str());
    grant([true, false, false, false]).await;
    assert_eq!(put(&app, &comment_path(&contact, &of_clerk), &clerk, comment_form("Called twice")).await.status, 200);
    add_comment(&app, &clerk, &contact, "Called again").await;
    grant([false; 4]).await;
    for token in [&clerk, &no_role] {
        for rejected in [
            app.post(&comments_path(&contact), Some(token), comment_form("x")).await,
            put(&app, &comment_path(&contact, &of_clerk), token, comment_form("x")).await,
            delete(&app, &comment_path(&contact, &of_clerk), token).await,
        ] {
            assert_error(&rejected, 403, NOT_ALLOWED.as_str());
        }
    }
    assert_eq!(comment_texts(&app, &admin, &contact).await, ["Called again", "Called twice", "Sold"]);
    grant([true, false, false, true]).await;
    assert_eq!(delete(&app, &comment_path(&contact, &of_admin), &clerk).await.status, 200);
}

#[tokio::test]
async fn t3_a_comment_is_found_only_through_its_own_contact() {
    let app = TestApp::start().await;
    let (clerk, other_admin) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let (ada, bo) = (
        create_contact(&app, &clerk, json!({"name": "Ada"})).await,
        create_contact(&app, &clerk, json!({"name": "Bo"})).await,
    );
    let foreign = create_contact(&app, &other_admin, json!({"name": "Eve"})).await;
    let (of_ada, of_foreign) =
        (add_comment(&app, &clerk, &ada, "Called").await, add_comment(&app, &other_admin, &foreign, "Called").await);
    let none = json!({"_id": Uuid::now_v7().to_string()});
    let nonsense = json!({"_id": "1"});
    for (token, contact, comment) in [
        (&clerk, &bo, &of_ada),
        (&clerk, &foreign, &of_foreign),
        (&clerk, &foreign, &of_ada),
        (&clerk, &ada, &of_foreign),
        (&clerk, &ada, &none),
        (&clerk, &none, &of_ada),
        (&clerk, &ada, &nonsense),
        (&clerk, &nonsense, &of_ada),
        (&other_admin, &ada, &of_ada),
        (&other_admin, &foreign, &of_ada),
    ] {
        let path = comment_path(contact, comment);
        assert_error(&put(&app, &path, token, comment_form("x")).await, 404, NOT_FOUND.as_str());
        assert_error(&delete(&app, &path, token).await, 404, NOT_FOUND.as_str());
    }
    for contact in [&foreign, &none, &nonsense] {
        assert_error(
            &app.post(&comments_path(contact), Some(&clerk), comment_form("x")).await,
            404,
            NOT_FOUND.as_str(),
        );
    }
    assert_eq!(comment_texts(&app, &clerk, &ada).await, ["Called"]);
    assert_eq!(comment_texts(&app, &clerk, &bo).await, [""; 0]);
    assert_eq!(comment_texts(&app, &other_admin, &foreign).await, ["Called"]);
}

#[tokio::test]
async fn comments_of_deleted_users_stay_without_the_name_of_the_author() {
    let app = TestApp::start().await;
    let [admin, clerk, reader] = [app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(READER).await];
    let contact = create_contact(&app, &admin, json!({"name": "Ada"})).await;
    let (of_clerk, of_reader) =
        (add_comment(&app, &clerk, &contact, "Called").await, add_comment(&app, &reader, &contact, "Sold").await);
    let of_admin = add_comment(&app, &admin, &contact, "Well done").await;
    // An administrator deletes the clerk, and the reader deletes their own account.
    let deleted = delete(&app, &format!("/api/users/{}", user_id(&app, CLERK).await), &admin).await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    let own = app.request(Method::DELETE, "/api/profile/delete-account", Some(&reader));
    assert_eq!(app.send(own.json(&json!({"password": PASSWORD}))).await.status, 200);

    let without = |comment: &Value| {
        let mut comment = comment.clone();
        (comment["userId"], comment["userName"]) = (json!(""), json!(DELETED_USER.as_str()));
        comment["userNameMessage"] = serde_json::to_value(DELETED_USER).unwrap();
        comment
    };
    let present = read_contact(&app, &admin, &contact).await;
    assert_eq!(present["comments"], json!([of_admin, without(&of_reader), without(&of_clerk)]));
    let edited = put(&app, &comment_path(&contact, &of_clerk), &admin, comment_form("Did not call")).await;
    assert_error(&edited, 403, text::NOT_COMMENT_AUTHOR.as_str());
    assert_eq!(delete(&app, &comment_path(&contact, &of_clerk), &admin).await.status, 200);
    assert_eq!(comment_texts(&app, &admin, &contact).await, ["Well done", "Sold"]);
}

#[tokio::test]
async fn deleting_a_contact_deletes_only_its_own_comments() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let (ada, bo) = (
        create_contact(&app, &clerk, json!({"name": "Ada"})).await,
        create_contact(&app, &clerk, json!({"name": "Bo"})).await,
    );
    let comment = add_comment(&app, &clerk, &ada, "Called").await;
    add_comment(&app, &clerk, &bo, "Sold").await;
    assert_eq!(delete(&app, &contact_path(&ada), &clerk).await.status, 200);
    assert_eq!(count(&app, "SELECT count(*) FROM comments").await, 1);
    assert_eq!(comment_texts(&app, &clerk, &bo).await, ["Sold"]);
    for rejected in [
        app.post(&comments_path(&ada), Some(&clerk), comment_form("x")).await,
        put(&app, &comment_path(&ada, &comment), &clerk, comment_form("x")).await,
        delete(&app, &comment_path(&ada, &comment), &clerk).await,
    ] {
        assert_error(&rejected, 404, NOT_FOUND.as_str());
    }
}

/// Inserts comments that the clerk wrote on a contact, in this order: the first is the oldest.
pub async fn insert_comments(app: &TestApp, contact: &Value, texts: &[String]) {
    let (id, user): (Uuid, Uuid) = (contact["_id"].as_str().unwrap().parse().unwrap(), user_id(app, CLERK).await);
    let mut tx = app.db().begin().await.unwrap();
    for some in texts.chunks(100) {
        tx.sql(
            "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) VALUES ",
        )
        .tuples(some, |sql, text| {
            let sql = sql.arg(app.nordbil).comma(Uuid::now_v7()).comma(id).comma(user);
            sql.comma(text.clone()).comma(0_i64).comma(0_i64)
        })
        .exec()
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_contact_has_at_most_a_thousand_comments() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    let texts: Vec<_> = (0..COMMENTS_MAX - 1).map(|i| format!("Call {i}")).collect();
    insert_comments(&app, &contact, &texts).await;
    let last = add_comment(&app, &clerk, &contact, "The thousandth").await;
    let too_many = app.post(&comments_path(&contact), Some(&clerk), comment_form("One more")).await;
    assert_error(&too_many, 409, text::TOO_MANY_COMMENTS.as_str());
    assert_eq!(delete(&app, &comment_path(&contact, &last), &clerk).await.status, 200);
    add_comment(&app, &clerk, &contact, "One more").await;
}

#[tokio::test]
async fn a_user_adds_and_edits_a_limited_number_of_comments_in_ten_minutes() {
    let app = TestApp::start().await;
    let (clerk, reader) = (app.sign_in(CLERK).await, app.sign_in(READER).await);
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    let comment = add_comment(&app, &clerk, &contact, "Called").await;
    use_up(&app, COMMENTS).await;
    assert_throttled(&app.post(&comments_path(&contact), Some(&clerk), comment_form("Again")).await, 600);
    assert_throttled(&put(&app, &comment_path(&contact, &comment), &clerk, comment_form("Again")).await, 600);
    add_comment(&app, &reader, &contact, "Sold").await;
    assert_eq!(comment_texts(&app, &clerk, &contact).await, ["Sold", "Called"]);
    app.advance(10 * MINUTE);
    add_comment(&app, &clerk, &contact, "Again").await;
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_comment() {
    let (app, clerk) = TestApp::start_and_sign_in(CLERK).await;
    let contact = create_contact(&app, &clerk, json!({"name": "Ada"})).await;
    let id_of = |comment: &Value| comment["_id"].as_str().unwrap().parse().unwrap();
    let comment = add_comment(&app, &clerk, &contact, "Called").await;
    let before = read_row(&app, "comments", "comment_id", id_of(&comment)).await;
    assert!(before.len() >= 7 && before.contains_key("user_id"), "{before:?}");
    for value in &injected_values() {
        let form = with_columns(&comment_form("Called"), &before, &["comment"], value);
        let made = app.post(&comments_path(&contact), Some(&clerk), form.clone()).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = id_of(&made.body["data"]["comments"][0]);
        assert_eq!(
            differing_columns(&before, &read_row(&app, "comments", "comment_id", id).await),
            ["comment_id"],
            "{value}"
        );
        assert_eq!(put(&app, &comment_path(&contact, &comment), &clerk, form).await.status, 200);
        let changed = differing_columns(&before, &read_row(&app, "comments", "comment_id", id_of(&comment)).await);
        assert_eq!(changed, [""; 0], "{value}");
    }
}
