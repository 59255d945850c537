//! What users who manage users must not do: give a user a higher type than their own, change users with more
//! permissions, or take an account over unnoticed (P2, P4, P7, P8, P11, F2 and F5 of docs/security.md).

use crate::app::{ADMIN, CLERK, NO_ROLE, PASSWORD, READER, SUPER_ADMIN, TestApp};
use crate::helpers::*;
use forecourt_core::roles;
use forecourt_core::users::text;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

const NEW: &str = "new@nordbil.example";
const SECOND: &str = "second@platform.example";

async fn user_path(app: &TestApp, email: &str) -> String {
    format!("/api/users/{}", user_id(app, email).await)
}

async fn set_password(app: &TestApp, email: &str, token: &str) -> crate::app::ApiResponse {
    put(app, &format!("{}/password", user_path(app, email).await), token, json!({"password": "another-password"})).await
}

/// Connects a user with a login provider, by inserting the row. The subject is the email.
async fn insert_identity(app: &TestApp, email: &str) {
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

/// Returns the emails of the users that are connected with a login provider, sorted.
async fn connected_users(app: &TestApp) -> Vec<String> {
    let rows: Vec<(String,)> =
        app.db().sql("SELECT subject FROM identities WHERE subject IS NOT NULL ORDER BY subject").all().await.unwrap();
    rows.into_iter().map(|(subject,)| subject).collect()
}

/// Creates a user of the platform's corporation, and returns the user's access token.
async fn create_platform_user(app: &TestApp, platform: &str, email: &str, user_type: &str) -> String {
    let role = match user_type {
        "Super Admin" => None,
        _ => {
            let made = app.post("/api/rbac/roles", Some(platform), json!({"name": email, "description": "x"})).await;
            Some(made.body["data"]["role_id"].as_str().unwrap().parse().unwrap())
        }
    };
    let made = app.post("/api/users", Some(platform), new_user_form(email, user_type, role)).await;
    assert_eq!(made.status, 201, "{}", made.body);
    // Wait for the mail about the new account, which comes before the mailed code.
    app.next_mail(email, 0).await;
    app.sign_in(email).await
}

#[tokio::test]
async fn p2_p3_no_user_can_assign_a_type_above_their_own() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let role = role_id(&app, "Deputy").await;
    let try_all = async |token: &str, user_type: &str, own: &str| {
        [
            app.post("/api/users", Some(token), new_user_form(NEW, user_type, Some(role))).await,
            put(&app, &user_path(&app, NO_ROLE).await, token, user_form(NO_ROLE, user_type, Some(role))).await,
            put(&app, &user_path(&app, own).await, token, user_form(own, user_type, Some(role))).await,
        ]
    };
    for (token, user_type, own) in
        [(&deputy, "Admin", READER), (&deputy, "Super Admin", READER), (&admin, "Super Admin", ADMIN)]
    {
        for rejected in try_all(token, user_type, own).await {
            assert_error(&rejected, 403, text::TYPE_ABOVE_OWN.as_str());
        }
    }
    // A Super Admin can create another Super Admin in the platform's corporation.
    let platform = app.sign_in(SUPER_ADMIN).await;
    create_platform_user(&app, &platform, SECOND, "Super Admin").await;
    let types: Vec<(String,)> = app
        .db()
        .sql("SELECT DISTINCT email FROM users WHERE user_type = 'Super Admin' ORDER BY email")
        .all()
        .await
        .unwrap();
    assert_eq!(types, [(SECOND.to_owned(),), (SUPER_ADMIN.to_owned(),)]);
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE user_type = 'Admin'").await, 2);
    // A user can assign types up to their own.
    assert_eq!(try_all(&admin, "Admin", ADMIN).await.map(|response| response.status.as_u16()), [201, 200, 200]);
}

#[tokio::test]
async fn p2_a_deputy_cannot_assign_higher_roles_or_change_the_own_role() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let (clerk, own) = (role_id(&app, "Clerk").await, role_id(&app, "Deputy").await);
    let lower_role =
        create_role(&app, &admin, "Trainee", &[permission_line("contacts", [true, false, false, false])]).await;
    for rejected in [
        app.post("/api/users", Some(&deputy), new_user_form(NEW, "User", Some(clerk))).await,
        put(&app, &user_path(&app, NO_ROLE).await, &deputy, user_form(NO_ROLE, "User", Some(clerk))).await,
    ] {
        assert_error(&rejected, 403, text::ROLE_ABOVE_OWN.as_str());
    }
    for other in [lower_role, clerk] {
        let rejected = put(&app, &user_path(&app, READER).await, &deputy, user_form(READER, "User", Some(other))).await;
        assert_error(&rejected, 403, text::OWN_ROLE.as_str());
    }
    assert_eq!(app.post("/api/users", Some(&deputy), new_user_form(NEW, "User", Some(lower_role))).await.status, 201);
    let equal = put(&app, &user_path(&app, NO_ROLE).await, &deputy, user_form(NO_ROLE, "User", Some(own))).await;
    assert_eq!(equal.status, 200, "{}", equal.body);
    let renamed = put(&app, &user_path(&app, READER).await, &deputy, user_form(READER, "User", Some(own))).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["data"]["first_name"]), (200, &json!("Åsa")));
}

#[tokio::test]
async fn p4_users_with_more_permissions_cannot_be_changed_or_deleted() {
    let app = TestApp::start().await;
    let (_, deputy) = create_deputy(&app).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    let platform_admin = create_platform_user(&app, &platform, "admin@platform.example", "Admin").await;
    let role = role_id(&app, "Deputy").await;
    for (token, target) in [(&deputy, ADMIN), (&deputy, CLERK), (&platform_admin, SUPER_ADMIN)] {
        let id = user_id(&app, target).await;
        let before = read_row(&app, "users", "user_id", id).await;
        let path = format!("/api/users/{id}");
        for rejected in [
            put(&app, &path, token, user_form(target, "User", Some(role))).await,
            delete(&app, &path, token).await,
            set_password(&app, target, token).await,
        ] {
            assert_error(&rejected, 403, text::ABOVE_OWN.as_str());
        }
        assert_eq!(read_row(&app, "users", "user_id", id).await, before, "{target}");
    }
}

#[tokio::test]
async fn p4_super_admins_and_oneself_cannot_be_deleted_as_users() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let platform = app.sign_in(SUPER_ADMIN).await;
    create_platform_user(&app, &platform, SECOND, "Super Admin").await;
    assert_error(
        &delete(&app, &user_path(&app, SECOND).await, &platform).await,
        403,
        text::DELETE_SUPER_ADMIN.as_str(),
    );
    for (token, email) in [(&admin, ADMIN), (&deputy, READER), (&platform, SUPER_ADMIN)] {
        assert_error(&delete(&app, &user_path(&app, email).await, token).await, 403, text::DELETE_SELF.as_str());
        assert!(is_session_active(&app, token).await);
    }
}

#[tokio::test]
async fn p7_a_password_set_by_an_admin_ends_all_access_and_sends_a_mail() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
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
        let pending_code = request_code(&app, CLERK, "phone", false).await;
        let link = request_reset_token(&app, CLERK).await;
        insert_identity(&app, CLERK).await;
        let before = app.mails(CLERK).len();
        let response = match on_the_form {
            false => set_password(&app, CLERK, &admin).await,
            true => {
                let mut form = user_form(CLERK, "User", Some(role_id(&app, "Clerk").await));
                form["password"] = json!("another-password");
                put(&app, &user_path(&app, CLERK).await, &admin, form).await
            }
        };
        let sentence = if on_the_form { text::UPDATED.as_str() } else { text::PASSWORD_SET.as_str() };
        assert_eq!((response.status.as_u16(), &response.body["message"]), (200, &json!(sentence)), "{}", response.body);
        let mail = app.next_mail(CLERK, before).await;
        assert!(
            mail.contains("Your password for Forecourt was changed") && !mail.contains("another-password"),
            "{mail}"
        );
        assert!(!is_session_active(&app, &trusted.0).await);
        assert_eq!(refresh(&app, &trusted.1).await.status, 401);
        assert_eq!(verify(&app, CLERK, &pending_code, "phone").await.status, 400);
        assert_eq!(reset(&app, &link, "by-the-old-link").await.status, 400);
        assert_eq!(connected_users(&app).await, Vec::<String>::new());
        assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
        let sent = app.mails(CLERK).len();
        let again = login_on(&app, CLERK, "another-password", "laptop", false).await;
        let outcome = (again.status.as_u16(), &again.body["requiresVerification"]);
        assert_eq!(outcome, (200, &json!(true)), "the device is no longer trusted");
        app.next_code(CLERK, sent).await;
    }
    assert!(is_session_active(&app, &admin).await, "the Admin stays signed in");
}

#[tokio::test]
async fn f5_an_email_changed_by_an_admin_ends_all_access_and_sends_a_mail() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let session = tokens(&remember(&app, CLERK, "laptop").await);
    insert_identity(&app, CLERK).await;
    let before = (app.mails(CLERK).len(), count(&app, "SELECT count(*) FROM messages").await);
    let form = user_form("New@nordbil.example", "User", Some(role_id(&app, "Clerk").await));
    let changed = put(&app, &user_path(&app, CLERK).await, &admin, form).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["email"]), (200, &json!(NEW)), "{}", changed.body);
    let mail = app.next_mail(CLERK, before.0).await;
    assert!(mail.contains("An administrator changed the email") && mail.contains(NEW), "{mail}");
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, before.1 + 1, "the new address gets no mail");
    assert!(!is_session_active(&app, &session.0).await);
    assert_eq!(refresh(&app, &session.1).await.status, 401);
    assert_eq!(connected_users(&app).await, Vec::<String>::new());
    assert_eq!(count(&app, "SELECT count(email_verified_at) FROM users WHERE email LIKE 'new@%'").await, 0);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
    let again = login_on(&app, NEW, PASSWORD, "laptop", false).await;
    assert_eq!((again.status.as_u16(), &again.body["requiresVerification"]), (200, &json!(true)));
}

#[tokio::test]
async fn f5_own_email_and_password_cannot_be_changed_as_a_user() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let role = role_id(&app, "Clerk").await;
    let mut with_password = user_form(ADMIN, "Admin", Some(role));
    with_password["password"] = json!("another-password");
    let own = user_path(&app, ADMIN).await;
    for (rejected, field, sentence) in [
        (set_password(&app, ADMIN, &admin).await, "password", text::OWN_PASSWORD.as_str()),
        (put(&app, &own, &admin, with_password).await, "password", text::OWN_PASSWORD.as_str()),
        (put(&app, &own, &admin, user_form(NEW, "Admin", Some(role))).await, "email", text::OWN_EMAIL.as_str()),
    ] {
        assert_error(&rejected, 400, sentence);
        assert_eq!(rejected.body["fields"], json!({field: [sentence]}));
    }
    assert_eq!(login(&app, ADMIN, PASSWORD).await.status, 200);
    assert_eq!(
        put(&app, &own, &admin, user_form(ADMIN, "Admin", Some(role))).await.status,
        200,
        "other fields can be changed"
    );
}

#[tokio::test]
async fn f2_becoming_an_administrator_removes_the_provider_connection() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let role: Uuid = role_id(&app, "Clerk").await;
    for email in [CLERK, READER] {
        insert_identity(&app, email).await;
    }
    let change = async |email: &str, user_type: &str| {
        let changed = put(&app, &user_path(&app, email).await, &admin, user_form(email, user_type, Some(role))).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        connected_users(&app).await
    };
    assert_eq!(change(CLERK, "User").await, [CLERK, READER]);
    assert_eq!(change(CLERK, "Admin").await, [READER]);
    // A connection that was made while the user was an administrator stays when they are saved again or demoted.
    app.db().sql("UPDATE identities SET subject = $1 WHERE subject IS NULL").bind(CLERK).exec().await.unwrap();
    assert_eq!(change(CLERK, "Admin").await, [CLERK, READER]);
    assert_eq!(change(CLERK, "User").await, [CLERK, READER]);
}

#[tokio::test]
async fn read_permission_on_users_does_not_allow_changes() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let role = role_id(&app, "Deputy").await;
    let matrix: Value = json!({"permissions": [permission_line("users", [true, false, false, false])]});
    let set = app.post(&format!("/api/rbac/roles/{role}/permissions"), Some(&admin), matrix).await;
    assert_eq!(set.status, 200);
    assert_eq!(app.get("/api/users", Some(&deputy)).await.status, 200);
    let clerk = app.sign_in(CLERK).await;
    assert_eq!(app.get("/api/users", Some(&clerk)).await.status, 403);
    for token in [&deputy, &clerk] {
        for rejected in [
            app.post("/api/users", Some(token), new_user_form(NEW, "User", Some(role))).await,
            put(&app, &user_path(&app, NO_ROLE).await, token, user_form(NO_ROLE, "User", Some(role))).await,
            delete(&app, &user_path(&app, NO_ROLE).await, token).await,
            set_password(&app, NO_ROLE, token).await,
        ] {
            assert_eq!(rejected.status, 403, "{}", rejected.body);
        }
    }
}

#[tokio::test]
async fn p11_deactivation_during_the_body_creates_no_user() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let body = new_user_form(NEW, "Admin", Some(role_id(&app, "Clerk").await)).to_string();
    let head = format!(
        "POST /api/users HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {admin}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let (beginning, rest) = body.split_at(1);
    // The node runs no jobs, because their statements would be counted too.
    let node = app.start_another_node().await;
    let statements = node.db().statements();
    let mut stream = TcpStream::connect(node.address).await.unwrap();
    stream.write_all(format!("{head}{beginning}").as_bytes()).await.unwrap();
    // At this moment the server has read the user's rights once, and waits for the rest of the body.
    wait_until("the head is accepted", async || node.db().statements() > statements).await;
    app.db().sql("UPDATE users SET is_active = FALSE WHERE email = $1").bind(ADMIN).exec().await.unwrap();
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    let made: Option<(Uuid,)> =
        app.db().sql("SELECT user_id FROM users WHERE email = $1").bind(NEW).maybe().await.unwrap();
    assert_eq!(made, None);
}

#[tokio::test]
async fn p2_a_deputy_cannot_change_or_delete_a_role_above_their_own() {
    let app = TestApp::start().await;
    let (admin, deputy) = create_deputy(&app).await;
    let higher_role = create_role(&app, &admin, "Manager", &[permission_line("contacts", [true; 4])]).await;
    let path = format!("/api/rbac/roles/{higher_role}");
    let before = read_row(&app, "roles", "role_id", higher_role).await;
    for rejected in [
        app.post(&format!("{path}/permissions"), Some(&deputy), json!({"permissions": []})).await,
        put(&app, &path, &deputy, json!({"name": "Weak", "description": "Weak"})).await,
        delete(&app, &path, &deputy).await,
    ] {
        assert_error(&rejected, 403, roles::text::ROLE_ABOVE_OWN.as_str());
    }
    assert_eq!(read_row(&app, "roles", "role_id", higher_role).await, before);
}

#[tokio::test]
async fn p8_an_admin_of_the_platforms_corporation_can_be_deleted_beside_a_super_admin() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    create_platform_user(&app, &platform, "admin@platform.example", "Admin").await;
    let gone = delete(&app, &user_path(&app, "admin@platform.example").await, &platform).await;
    assert_eq!(gone.status, 200, "{}", gone.body);
}

#[tokio::test]
async fn an_update_without_a_type_keeps_the_type() {
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let corp = app.nordbil;
    let role = role_id(&app, "Clerk").await;
    let id = user_id(&app, ADMIN).await;
    let mut form = user_form(ADMIN, "", Some(role));
    form["corp_id"] = json!(corp);
    let changed = put(&app, &format!("/api/corporations/users/{id}"), &platform, form).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let user_type: String =
        app.db().sql("SELECT user_type FROM users WHERE email = $1").bind(ADMIN).value().await.unwrap();
    assert_eq!(user_type, "Admin");
}

#[tokio::test]
async fn the_mail_about_a_password_says_that_an_administrator_set_it() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    assert_eq!(set_password(&app, CLERK, &admin).await.status, 200);
    let mail = app.next_mail(CLERK, 0).await;
    assert!(mail.contains("An administrator set a new password"), "{mail}");
}
