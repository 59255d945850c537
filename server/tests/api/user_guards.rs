//! What whoever manages users may not do: raise themselves or others above themselves, touch whoever stands above them,
//! or take an account over unseen (security.md P2, P4, P7, P8, P11, F2, F5).

use crate::app::{ADMIN, CLERK, NOBODY, PASSWORD, READER, SUPER_ADMIN, TestApp};
use crate::steps::*;
use forecourt_core::roles;
use forecourt_core::users::text;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

const NEW: &str = "new@nordbil.example";
const SECOND: &str = "second@platform.example";

async fn of(app: &TestApp, email: &str) -> String {
    format!("/api/users/{}", user_id(app, email).await)
}

async fn set_password(app: &TestApp, email: &str, token: &str) -> crate::app::Answer {
    put(app, &format!("{}/password", of(app, email).await), token, json!({"password": "another-password"})).await
}

/// Connects somebody with a person at a provider.
async fn connect(app: &TestApp, email: &str) {
    app.db()
        .sql(
            "INSERT INTO identities (corp_id, user_id, issuer, subject, created_at) \
             SELECT corp_id, user_id, 'i', $1, 0 FROM users WHERE email = $1",
        )
        .bind(email.to_owned())
        .exec()
        .await
        .unwrap();
}

/// Who is still connected.
async fn connected(app: &TestApp) -> Vec<String> {
    let rows: Vec<(String,)> =
        app.db().sql("SELECT subject FROM identities WHERE subject IS NOT NULL ORDER BY subject").all().await.unwrap();
    rows.into_iter().map(|(subject,)| subject).collect()
}

/// Makes somebody of the platform's corporation, by its Super Admin.
async fn platform_person(app: &TestApp, platform: &str, email: &str, user_type: &str) -> String {
    let role = match user_type {
        "Super Admin" => None,
        _ => {
            let made = app.post("/api/rbac/roles", Some(platform), json!({"name": email, "description": "x"})).await;
            Some(made.body["data"]["role_id"].as_str().unwrap().parse().unwrap())
        }
    };
    let made = app.post("/api/users", Some(platform), newcomer(email, user_type, role)).await;
    assert_eq!(made.status, 201, "{}", made.body);
    // The mail about the account comes first, and then the code.
    app.next_mail(email, 0).await;
    app.sign_in(email).await
}

#[tokio::test]
async fn p2_p3_nobody_gives_a_type_above_their_own_to_others_or_themselves() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let role = role_id(&app, "Deputy").await;
    let calls = async |token: &str, user_type: &str, own: &str| {
        [
            app.post("/api/users", Some(token), newcomer(NEW, user_type, Some(role))).await,
            put(&app, &of(&app, NOBODY).await, token, person(NOBODY, user_type, Some(role))).await,
            put(&app, &of(&app, own).await, token, person(own, user_type, Some(role))).await,
        ]
    };
    for (token, user_type, own) in
        [(&deputy, "Admin", READER), (&deputy, "Super Admin", READER), (&admin, "Super Admin", ADMIN)]
    {
        for refused in calls(token, user_type, own).await {
            assert_refused(&refused, 403, text::TYPE_ABOVE_OWN);
        }
    }
    // Nor does the platform make a Super Admin elsewhere: in its own corporation it does.
    let platform = app.sign_in(SUPER_ADMIN).await;
    platform_person(&app, &platform, SECOND, "Super Admin").await;
    let types: Vec<(String,)> = app
        .db()
        .sql("SELECT DISTINCT email FROM users WHERE user_type = 'Super Admin' ORDER BY email")
        .all()
        .await
        .unwrap();
    assert_eq!(types, [(SECOND.to_owned(),), (SUPER_ADMIN.to_owned(),)]);
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE user_type = 'Admin'").await, 2);
    // What is one's own or below may be given.
    assert_eq!(calls(&admin, "Admin", ADMIN).await.map(|answer| answer.status.as_u16()), [201, 200, 200]);
}

#[tokio::test]
async fn p2_whoever_is_no_administrator_gives_no_role_above_their_own_and_keeps_theirs() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let (clerk, own) = (role_id(&app, "Clerk").await, role_id(&app, "Deputy").await);
    let small = role(&app, &admin, "Trainee", &[line("contacts", [true, false, false, false])]).await;
    for refused in [
        app.post("/api/users", Some(&deputy), newcomer(NEW, "User", Some(clerk))).await,
        put(&app, &of(&app, NOBODY).await, &deputy, person(NOBODY, "User", Some(clerk))).await,
    ] {
        assert_refused(&refused, 403, text::ROLE_ABOVE_OWN);
    }
    for other in [small, clerk] {
        let refused = put(&app, &of(&app, READER).await, &deputy, person(READER, "User", Some(other))).await;
        assert_refused(&refused, 403, text::OWN_ROLE);
    }
    assert_eq!(app.post("/api/users", Some(&deputy), newcomer(NEW, "User", Some(small))).await.status, 201);
    let equal = put(&app, &of(&app, NOBODY).await, &deputy, person(NOBODY, "User", Some(own))).await;
    assert_eq!(equal.status, 200, "{}", equal.body);
    let renamed = put(&app, &of(&app, READER).await, &deputy, person(READER, "User", Some(own))).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["data"]["first_name"]), (200, &json!("Åsa")));
}

#[tokio::test]
async fn p4_nobody_changes_deletes_or_resets_whoever_may_do_more() {
    let app = TestApp::start().await;
    let (_, deputy) = deputy(&app).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let platforms_admin = platform_person(&app, &platform, "admin@platform.example", "Admin").await;
    let role = role_id(&app, "Deputy").await;
    for (token, target) in [(&deputy, ADMIN), (&deputy, CLERK), (&platforms_admin, SUPER_ADMIN)] {
        let id = user_id(&app, target).await;
        let before = row(&app, "users", "user_id", id).await;
        let path = format!("/api/users/{id}");
        for refused in [
            put(&app, &path, token, person(target, "User", Some(role))).await,
            delete(&app, &path, token).await,
            set_password(&app, target, token).await,
        ] {
            assert_refused(&refused, 403, text::ABOVE_OWN);
        }
        assert_eq!(row(&app, "users", "user_id", id).await, before, "{target}");
    }
}

#[tokio::test]
async fn p4_nobody_deletes_a_super_admin_or_themselves_on_the_users_screen() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    platform_person(&app, &platform, SECOND, "Super Admin").await;
    assert_refused(&delete(&app, &of(&app, SECOND).await, &platform).await, 403, text::DELETE_SUPER_ADMIN);
    for (token, email) in [(&admin, ADMIN), (&deputy, READER), (&platform, SUPER_ADMIN)] {
        assert_refused(&delete(&app, &of(&app, email).await, token).await, 403, text::DELETE_SELF);
        assert!(works(&app, token).await);
    }
}

#[tokio::test]
async fn p7_a_password_that_another_sets_ends_all_that_the_old_one_opened_and_is_told() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    for on_the_form in [false, true] {
        app.db()
            .sql("UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = $1)")
            .bind(ADMIN)
            .exec()
            .await
            .unwrap();
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        app.db().sql("DELETE FROM identities").exec().await.unwrap();
        let trusted = tokens(&remember(&app, CLERK, "laptop").await);
        let waiting = code(&app, CLERK, "phone", false).await;
        let link = reset_token(&app, CLERK).await;
        connect(&app, CLERK).await;
        let before = app.mails(CLERK).len();
        let answer = match on_the_form {
            false => set_password(&app, CLERK, &admin).await,
            true => {
                let mut form = person(CLERK, "User", Some(role_id(&app, "Clerk").await));
                form["password"] = json!("another-password");
                put(&app, &of(&app, CLERK).await, &admin, form).await
            }
        };
        let sentence = if on_the_form { text::UPDATED } else { text::PASSWORD_SET };
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(sentence)), "{}", answer.body);
        let told = app.next_mail(CLERK, before).await;
        assert!(
            told.contains("Your password for Forecourt was changed") && !told.contains("another-password"),
            "{told}"
        );
        assert!(!works(&app, &trusted.0).await);
        assert_eq!(refresh(&app, &trusted.1).await.status, 401);
        assert_eq!(verify(&app, CLERK, &waiting, "phone").await.status, 400);
        assert_eq!(reset(&app, &link, "by-the-old-link").await.status, 400);
        assert_eq!(connected(&app).await, Vec::<String>::new());
        assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
        let sent = app.mails(CLERK).len();
        let again = login_on(&app, CLERK, "another-password", "laptop", false).await;
        let asked = (again.status.as_u16(), &again.body["requiresVerification"]);
        assert_eq!(asked, (200, &json!(true)), "the device is trusted no more");
        app.next_code(CLERK, sent).await;
    }
    assert!(works(&app, &admin).await, "who set it stays signed in");
}

#[tokio::test]
async fn f5_an_email_that_another_changes_ends_all_that_the_old_one_opened_and_is_told_to_it() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let session = tokens(&remember(&app, CLERK, "laptop").await);
    connect(&app, CLERK).await;
    let before = (app.mails(CLERK).len(), count(&app, "SELECT count(*) FROM messages").await);
    let form = person("New@nordbil.example", "User", Some(role_id(&app, "Clerk").await));
    let changed = put(&app, &of(&app, CLERK).await, &admin, form).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["email"]), (200, &json!(NEW)), "{}", changed.body);
    let told = app.next_mail(CLERK, before.0).await;
    assert!(told.contains("An administrator changed the email") && told.contains(NEW), "{told}");
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, before.1 + 1, "the new one is told nothing");
    assert!(!works(&app, &session.0).await);
    assert_eq!(refresh(&app, &session.1).await.status, 401);
    assert_eq!(connected(&app).await, Vec::<String>::new());
    assert_eq!(count(&app, "SELECT count(email_verified_at) FROM users WHERE email LIKE 'new@%'").await, 0);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
    let again = login_on(&app, NEW, PASSWORD, "laptop", false).await;
    assert_eq!((again.status.as_u16(), &again.body["requiresVerification"]), (200, &json!(true)));
}

#[tokio::test]
async fn f5_ones_own_email_and_password_are_not_changed_without_the_present_password() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let mut with_password = person(ADMIN, "Admin", Some(role));
    with_password["password"] = json!("another-password");
    let own = of(&app, ADMIN).await;
    for (refused, field, sentence) in [
        (set_password(&app, ADMIN, &admin).await, "password", text::OWN_PASSWORD),
        (put(&app, &own, &admin, with_password).await, "password", text::OWN_PASSWORD),
        (put(&app, &own, &admin, person(NEW, "Admin", Some(role))).await, "email", text::OWN_EMAIL),
    ] {
        assert_refused(&refused, 400, sentence);
        assert_eq!(refused.body["fields"], json!({field: [sentence]}));
    }
    assert_eq!(login(&app, ADMIN, PASSWORD).await.status, 200);
    assert_eq!(put(&app, &own, &admin, person(ADMIN, "Admin", Some(role))).await.status, 200, "the rest may");
}

#[tokio::test]
async fn f2_whoever_becomes_an_administrator_is_disconnected_from_the_provider() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let role: Uuid = role_id(&app, "Clerk").await;
    for email in [CLERK, READER] {
        connect(&app, email).await;
    }
    let change = async |email: &str, user_type: &str| {
        let changed = put(&app, &of(&app, email).await, &admin, person(email, user_type, Some(role))).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        connected(&app).await
    };
    assert_eq!(change(CLERK, "User").await, [CLERK, READER]);
    assert_eq!(change(CLERK, "Admin").await, [READER]);
    // An administrator who has connected since stays so.
    app.db().sql("UPDATE identities SET subject = $1 WHERE subject IS NULL").bind(CLERK).exec().await.unwrap();
    assert_eq!(change(CLERK, "Admin").await, [CLERK, READER]);
    assert_eq!(change(CLERK, "User").await, [CLERK, READER]);
}

#[tokio::test]
async fn whoever_may_only_look_at_users_changes_none() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let role = role_id(&app, "Deputy").await;
    let matrix: Value = json!({"permissions": [line("users", [true, false, false, false])]});
    let set = app.post(&format!("/api/rbac/roles/{role}/permissions"), Some(&admin), matrix).await;
    assert_eq!(set.status, 200);
    assert_eq!(app.get("/api/users", Some(&deputy)).await.status, 200);
    let clerk = app.sign_in(CLERK).await;
    assert_eq!(app.get("/api/users", Some(&clerk)).await.status, 403);
    for token in [&deputy, &clerk] {
        for refused in [
            app.post("/api/users", Some(token), newcomer(NEW, "User", Some(role))).await,
            put(&app, &of(&app, NOBODY).await, token, person(NOBODY, "User", Some(role))).await,
            delete(&app, &of(&app, NOBODY).await, token).await,
            set_password(&app, NOBODY, token).await,
        ] {
            assert_eq!(refused.status, 403, "{}", refused.body);
        }
    }
}

#[tokio::test]
async fn p11_a_right_that_is_lost_while_the_body_arrives_makes_nobody() {
    let app = TestApp::start().await;
    let admin = app.sign_in(ADMIN).await;
    let body = newcomer(NEW, "Admin", Some(role_id(&app, "Clerk").await)).to_string();
    let head = format!(
        "POST /api/users HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {admin}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let (beginning, rest) = body.split_at(1);
    // One that does no jobs, which would ask too.
    let node = app.another_node().await;
    let asked = node.db().statements();
    let mut stream = TcpStream::connect(node.address).await.unwrap();
    stream.write_all(format!("{head}{beginning}").as_bytes()).await.unwrap();
    // Let in by the head alone: the person, the role and what the corporation may use were asked for.
    until("they are let in", async || node.db().statements() >= asked + 2).await;
    app.db().sql("UPDATE users SET is_active = FALSE WHERE email = $1").bind(ADMIN).exec().await.unwrap();
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let made: Option<(Uuid,)> =
        app.db().sql("SELECT user_id FROM users WHERE email = $1").bind(NEW).maybe().await.unwrap();
    assert_eq!(made, None);
}

#[tokio::test]
async fn p2_whoever_is_no_administrator_weakens_renames_and_deletes_no_role_above_their_own() {
    let app = TestApp::start().await;
    let (admin, deputy) = deputy(&app).await;
    let strong = role(&app, &admin, "Manager", &[line("contacts", [true; 4])]).await;
    let path = format!("/api/rbac/roles/{strong}");
    let before = row(&app, "roles", "role_id", strong).await;
    for refused in [
        app.post(&format!("{path}/permissions"), Some(&deputy), json!({"permissions": []})).await,
        put(&app, &path, &deputy, json!({"name": "Weak", "description": "Weak"})).await,
        delete(&app, &path, &deputy).await,
    ] {
        assert_refused(&refused, 403, roles::text::ROLE_ABOVE_OWN);
    }
    assert_eq!(row(&app, "roles", "role_id", strong).await, before);
}

#[tokio::test]
async fn p8_an_admin_of_the_platform_may_go_while_it_has_a_super_admin() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    platform_person(&app, &platform, "admin@platform.example", "Admin").await;
    let gone = delete(&app, &of(&app, "admin@platform.example").await, &platform).await;
    assert_eq!(gone.status, 200, "{}", gone.body);
}

#[tokio::test]
async fn a_type_that_is_left_out_stays_as_it_is() {
    let app = TestApp::start().await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let corp = app.nordbil;
    let role = role_id(&app, "Clerk").await;
    let id = user_id(&app, ADMIN).await;
    let mut form = person(ADMIN, "", Some(role));
    form["corp_id"] = json!(corp);
    let changed = put(&app, &format!("/api/corporations/users/{id}"), &platform, form).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let (kept,): (String,) =
        app.db().sql("SELECT user_type FROM users WHERE email = $1").bind(ADMIN).one().await.unwrap();
    assert_eq!(kept, "Admin");
}
