//! What is said about contacts: who may say, change and delete it, and what becomes of it.

use crate::app::{ADMIN, CLERK, NOBODY, PASSWORD, READER, STRANGER, TestApp};
use crate::contacts::{created, path_of, shown};
use crate::steps::*;
use forecourt::platform::clock::MINUTE;
use forecourt_core::contacts::{COMMENTS_MAX, Comment, may_delete_comment, may_edit_comment, text};
use forecourt_core::text::{NOT_ALLOWED, NOT_FOUND};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

pub fn comments_of(contact: &Value) -> String {
    format!("{}/comments", path_of(contact))
}

/// A comment within a contact.
pub fn within(contact: &Value, comment: &Value) -> String {
    format!("{}/{}", comments_of(contact), comment["_id"].as_str().unwrap())
}

fn words(comment: &str) -> Value {
    json!({"comment": comment})
}

/// Says something about a contact, and gives the comment.
pub async fn say(app: &TestApp, token: &str, contact: &Value, comment: &str) -> Value {
    let answer = app.post(&comments_of(contact), Some(token), words(comment)).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.body["message"]),
        (201, &json!(text::COMMENT_ADDED)),
        "{}",
        answer.body
    );
    answer.body["data"]["comments"][0].clone()
}

/// What is said about a contact, the newest first.
pub async fn said(app: &TestApp, token: &str, contact: &Value) -> Vec<String> {
    let comments = shown(app, token, contact).await["comments"].as_array().unwrap().clone();
    comments.iter().map(|comment| comment["comment"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_comment_is_added_edited_and_deleted_and_each_answer_is_the_contact_as_it_is_then() {
    let app = TestApp::start().await;
    let (clerk, reader) = (app.sign_in(CLERK).await, app.sign_in(READER).await);
    let contact = created(&app, &clerk, json!({"name": "Ada"})).await;
    assert_eq!(contact["comments"], json!([]));
    app.pass(MINUTE);
    let first = say(&app, &clerk, &contact, "  Called,\nwants a V70. ").await;
    let expected = json!({"_id": first["_id"], "userId": user_id(&app, CLERK).await.to_string(),
        "userName": "Ada Lindqvist", "comment": "Called,\nwants a V70.",
        "createdAt": "2027-01-15T08:01:00.000Z", "updatedAt": "2027-01-15T08:01:00.000Z"});
    assert_eq!(first, expected);
    let second = say(&app, &reader, &contact, "<b>Sold</b>").await;
    assert_eq!(second["userId"], user_id(&app, READER).await.to_string());
    let present = shown(&app, &reader, &contact).await;
    assert_eq!(present["comments"], json!([second, first]), "the newest first");

    app.pass(MINUTE);
    let edited = put(&app, &within(&contact, &first), &clerk, words("Wants two.")).await;
    assert_eq!((edited.status.as_u16(), &edited.body["message"]), (200, &json!(text::COMMENT_EDITED)));
    let mut changed = first.clone();
    (changed["comment"], changed["updatedAt"]) = (json!("Wants two."), json!("2027-01-15T08:02:00.000Z"));
    assert_eq!(edited.body["data"]["comments"], json!([second, changed]));

    let deleted = delete(&app, &within(&contact, &second), &reader).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::COMMENT_DELETED)));
    assert_eq!(deleted.body["data"]["comments"], json!([changed]));
    assert_eq!(deleted.body["data"], shown(&app, &clerk, &contact).await);
    assert_refused(&delete(&app, &within(&contact, &second), &reader).await, 404, NOT_FOUND);
    assert_refused(&put(&app, &within(&contact, &second), &reader, words("x")).await, 404, NOT_FOUND);
    assert_eq!(app.get("/api/contacts", Some(&clerk)).await.body["data"][0].get("comments"), None, "a list has none");
}

#[tokio::test]
async fn a_comment_leaves_its_contact_as_it_is_and_nobodys_form_becomes_stale_by_it() {
    let app = TestApp::start().await;
    let (clerk, reader) = (app.sign_in(CLERK).await, app.sign_in(READER).await);
    let contact = created(&app, &clerk, json!({"name": "Ada"})).await;
    app.pass(MINUTE);
    let comment = say(&app, &reader, &contact, "Called").await;
    for answer in [
        put(&app, &within(&contact, &comment), &reader, words("Called twice")).await,
        delete(&app, &within(&contact, &comment), &reader).await,
    ] {
        let present = &answer.body["data"];
        assert_eq!((&present["version"], &present["updatedAt"]), (&json!(1), &contact["updatedAt"]));
    }
    let saved = put(&app, &path_of(&contact), &clerk, json!({"name": "Bo", "version": contact["version"]})).await;
    assert_eq!(saved.status, 200, "{}", saved.body);
}

#[tokio::test]
async fn a_comment_that_says_nothing_or_too_much_is_refused() {
    let app = TestApp::start().await;
    let clerk = app.sign_in(CLERK).await;
    let contact = created(&app, &clerk, json!({"name": "Ada"})).await;
    let comment = say(&app, &clerk, &contact, &"å".repeat(10_000)).await;
    let too_long = "Maximum length is 10000 characters";
    for (body, sentence) in [
        (json!({}), text::COMMENT_REQUIRED),
        (words(" \n\u{0}"), text::COMMENT_REQUIRED),
        (json!({"comment": null}), text::COMMENT_REQUIRED),
        (words(&"å".repeat(10_001)), too_long),
    ] {
        for refused in [
            app.post(&comments_of(&contact), Some(&clerk), body.clone()).await,
            put(&app, &within(&contact, &comment), &clerk, body.clone()).await,
        ] {
            assert_refused(&refused, 400, sentence);
            assert_eq!(refused.body["fields"], json!({"comment": [sentence]}));
        }
    }
    assert_eq!(app.post(&comments_of(&contact), Some(&clerk), json!({"comment": 7})).await.status, 400);
    assert_eq!(said(&app, &clerk, &contact).await, ["å".repeat(10_000)]);
}

#[tokio::test]
async fn p12_a_comment_is_edited_by_its_author_alone_and_deleted_by_them_or_by_who_may_delete_contacts() {
    let app = TestApp::start().await;
    let people = [(ADMIN, true), (CLERK, true), (READER, false)];
    let mut tokens = Vec::new();
    for (email, _) in people {
        tokens.push(app.sign_in(email).await);
    }
    let contact = created(&app, &tokens[0], json!({"name": "Ada"})).await;
    for author in &tokens {
        for (actor, (email, may_delete_contacts)) in tokens.iter().zip(people) {
            let comment = say(&app, author, &contact, "Called").await;
            let seen: Comment = serde_json::from_value(comment.clone()).unwrap();
            let user = user_id(&app, email).await.to_string();
            let path = within(&contact, &comment);

            let edited = put(&app, &path, actor, words("Called twice")).await;
            let may_edit = may_edit_comment(&seen, &user);
            assert_eq!(may_edit, author == actor);
            match may_edit {
                true => assert_eq!(edited.status, 200, "{email}: {}", edited.body),
                false => assert_refused(&edited, 403, text::NOT_COMMENT_AUTHOR),
            }
            let words = if may_edit { "Called twice" } else { "Called" };
            assert_eq!(said(&app, author, &contact).await, [words]);

            let deleted = delete(&app, &path, actor).await;
            match may_delete_comment(&seen, &user, may_delete_contacts) {
                true => assert_eq!(deleted.status, 200, "{email}: {}", deleted.body),
                false => {
                    assert_refused(&deleted, 403, NOT_ALLOWED);
                    assert_eq!(delete(&app, &path, author).await.status, 200);
                }
            }
            assert_eq!(said(&app, author, &contact).await, [""; 0]);
        }
    }
}

#[tokio::test]
async fn what_may_be_done_with_comments_is_what_the_permissions_say_at_that_call() {
    let app = TestApp::start().await;
    let [admin, clerk, nobody] = [app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(NOBODY).await];
    let contact = created(&app, &clerk, json!({"name": "Ada"})).await;
    let (of_admin, of_clerk) = (say(&app, &admin, &contact, "Sold").await, say(&app, &clerk, &contact, "Called").await);
    let grant = async |permissions: [bool; 4]| {
        let path = format!("/api/rbac/roles/{}/permissions", role_id(&app, "Clerk").await);
        let set = app.post(&path, Some(&admin), json!({"permissions": [line("contacts", permissions)]})).await;
        assert_eq!(set.status, 200, "{}", set.body);
    };
    grant([true, true, true, false]).await;
    assert_refused(&delete(&app, &within(&contact, &of_admin), &clerk).await, 403, NOT_ALLOWED);
    grant([true, false, false, false]).await;
    assert_eq!(put(&app, &within(&contact, &of_clerk), &clerk, words("Called twice")).await.status, 200);
    say(&app, &clerk, &contact, "Called again").await;
    grant([false; 4]).await;
    for token in [&clerk, &nobody] {
        for refused in [
            app.post(&comments_of(&contact), Some(token), words("x")).await,
            put(&app, &within(&contact, &of_clerk), token, words("x")).await,
            delete(&app, &within(&contact, &of_clerk), token).await,
        ] {
            assert_refused(&refused, 403, NOT_ALLOWED);
        }
    }
    assert_eq!(said(&app, &admin, &contact).await, ["Called again", "Called twice", "Sold"]);
    grant([true, false, false, true]).await;
    assert_eq!(delete(&app, &within(&contact, &of_admin), &clerk).await.status, 200);
}

#[tokio::test]
async fn t3_a_comment_is_found_within_its_own_contact_alone() {
    let app = TestApp::start().await;
    let (clerk, stranger) = (app.sign_in(CLERK).await, app.sign_in(STRANGER).await);
    let (ada, bo) =
        (created(&app, &clerk, json!({"name": "Ada"})).await, created(&app, &clerk, json!({"name": "Bo"})).await);
    let foreign = created(&app, &stranger, json!({"name": "Eve"})).await;
    let (of_ada, of_foreign) =
        (say(&app, &clerk, &ada, "Called").await, say(&app, &stranger, &foreign, "Called").await);
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
        (&stranger, &ada, &of_ada),
        (&stranger, &foreign, &of_ada),
    ] {
        let path = within(contact, comment);
        assert_refused(&put(&app, &path, token, words("x")).await, 404, NOT_FOUND);
        assert_refused(&delete(&app, &path, token).await, 404, NOT_FOUND);
    }
    for contact in [&foreign, &none, &nonsense] {
        assert_refused(&app.post(&comments_of(contact), Some(&clerk), words("x")).await, 404, NOT_FOUND);
    }
    assert_eq!(said(&app, &clerk, &ada).await, ["Called"]);
    assert_eq!(said(&app, &clerk, &bo).await, [""; 0]);
    assert_eq!(said(&app, &stranger, &foreign).await, ["Called"]);
}

#[tokio::test]
async fn what_a_deleted_user_said_stays_without_their_name_and_goes_with_who_may_delete_contacts() {
    let app = TestApp::start().await;
    let [admin, clerk, reader] = [app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(READER).await];
    let contact = created(&app, &admin, json!({"name": "Ada"})).await;
    let (of_clerk, of_reader) =
        (say(&app, &clerk, &contact, "Called").await, say(&app, &reader, &contact, "Sold").await);
    let of_admin = say(&app, &admin, &contact, "Well done").await;
    // The one is deleted by an administrator, the other deletes their own account.
    let deleted = delete(&app, &format!("/api/users/{}", user_id(&app, CLERK).await), &admin).await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    let own = app.request(Method::DELETE, "/api/profile/delete-account", Some(&reader));
    assert_eq!(app.send(own.json(&json!({"password": PASSWORD}))).await.status, 200);

    let without = |comment: &Value| {
        let mut comment = comment.clone();
        (comment["userId"], comment["userName"]) = (json!(""), json!(text::DELETED_USER));
        comment
    };
    let present = shown(&app, &admin, &contact).await;
    assert_eq!(present["comments"], json!([of_admin, without(&of_reader), without(&of_clerk)]));
    let edited = put(&app, &within(&contact, &of_clerk), &admin, words("Did not call")).await;
    assert_refused(&edited, 403, text::NOT_COMMENT_AUTHOR);
    assert_eq!(delete(&app, &within(&contact, &of_clerk), &admin).await.status, 200);
    assert_eq!(said(&app, &admin, &contact).await, ["Well done", "Sold"]);
}

#[tokio::test]
async fn the_comments_of_a_contact_go_with_it_and_others_stay() {
    let app = TestApp::start().await;
    let clerk = app.sign_in(CLERK).await;
    let (ada, bo) =
        (created(&app, &clerk, json!({"name": "Ada"})).await, created(&app, &clerk, json!({"name": "Bo"})).await);
    let comment = say(&app, &clerk, &ada, "Called").await;
    say(&app, &clerk, &bo, "Sold").await;
    assert_eq!(delete(&app, &path_of(&ada), &clerk).await.status, 200);
    assert_eq!(count(&app, "SELECT count(*) FROM comments").await, 1);
    assert_eq!(said(&app, &clerk, &bo).await, ["Sold"]);
    for refused in [
        app.post(&comments_of(&ada), Some(&clerk), words("x")).await,
        put(&app, &within(&ada, &comment), &clerk, words("x")).await,
        delete(&app, &within(&ada, &comment), &clerk).await,
    ] {
        assert_refused(&refused, 404, NOT_FOUND);
    }
}

/// Adds comments of a clerk straight to the database, the oldest first.
pub async fn add_comments(app: &TestApp, contact: &Value, texts: &[String]) {
    let (id, user): (Uuid, Uuid) = (contact["_id"].as_str().unwrap().parse().unwrap(), user_id(app, CLERK).await);
    let mut tx = app.db().begin().await.unwrap();
    for some in texts.chunks(100) {
        tx.sql(
            "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) VALUES ",
        )
        .tuples(some, |sql, text| {
            let sql = sql.arg(app.nordbil).next(Uuid::now_v7()).next(id).next(user);
            sql.next(text.clone()).next(0_i64).next(0_i64)
        })
        .exec()
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_contact_takes_a_thousand_comments_and_no_more() {
    let app = TestApp::start().await;
    let clerk = app.sign_in(CLERK).await;
    let contact = created(&app, &clerk, json!({"name": "Ada"})).await;
    let texts: Vec<_> = (0..COMMENTS_MAX - 1).map(|i| format!("Call {i}")).collect();
    add_comments(&app, &contact, &texts).await;
    let last = say(&app, &clerk, &contact, "The thousandth").await;
    let too_many = app.post(&comments_of(&contact), Some(&clerk), words("One more")).await;
    assert_refused(&too_many, 409, text::TOO_MANY_COMMENTS);
    assert_eq!(delete(&app, &within(&contact, &last), &clerk).await.status, 200);
    say(&app, &clerk, &contact, "One more").await;
}

#[tokio::test]
async fn p3_no_field_beyond_the_documented_ones_reaches_a_column_of_a_comment() {
    let app = TestApp::start().await;
    let clerk = app.sign_in(CLERK).await;
    let contact = created(&app, &clerk, json!({"name": "Ada"})).await;
    let id_of = |comment: &Value| comment["_id"].as_str().unwrap().parse().unwrap();
    let comment = say(&app, &clerk, &contact, "Called").await;
    let before = row(&app, "comments", "comment_id", id_of(&comment)).await;
    assert!(before.len() >= 7 && before.contains_key("user_id"), "{before:?}");
    for value in &tried_values() {
        let form = with_columns(&words("Called"), &before, &["comment"], value);
        let made = app.post(&comments_of(&contact), Some(&clerk), form.clone()).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = id_of(&made.body["data"]["comments"][0]);
        assert_eq!(differing(&before, &row(&app, "comments", "comment_id", id).await), ["comment_id"], "{value}");
        assert_eq!(put(&app, &within(&contact, &comment), &clerk, form).await.status, 200);
        let changed = differing(&before, &row(&app, "comments", "comment_id", id_of(&comment)).await);
        assert_eq!(changed, [""; 0], "{value}");
    }
}
