//! Users read and change their own profile.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, PASSWORD, READER, SUPER_ADMIN, TestApp};
use crate::helpers::{
    assert_error, count, login, login_on, present_in, put, refresh, remember, role_id, user_form, user_id,
};
use crate::image_files::{BLUE, RED, encode, fetch, jpeg, png, png_of_bytes, red_and_blue, turned_jpeg};
use forecourt_core::images::text::{AVATAR_KIND, AVATAR_TOO_LARGE, NOT_A_FORM, UNREADABLE};
use forecourt_core::lists::text::{A_NUMBER, wrong_value};
use forecourt_core::profile::text;
use forecourt_core::text::{NOT_ALLOWED, SESSION_ENDED, STALE};
use image::{GenericImageView, ImageFormat, Rgba, RgbaImage};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use uuid::Uuid;

const DETAIL: &str = "/api/auth/profile/detail";
const UPDATE: &str = "/api/auth/profile/update-profile";

/// Returns the form of a user's profile with the values that the tests' users have, and this email.
fn unchanged_form(email: &str) -> Form {
    Form::new()
        .text("first_name", "Ada")
        .text("last_name", "Lindqvist")
        .text("email", email.to_owned())
        .text("mobile", "+46 70 123 45 67")
}

async fn send(app: &TestApp, token: &str, form: Form) -> ApiResponse {
    app.send(app.request(Method::POST, UPDATE, Some(token)).multipart(form)).await
}

async fn get_profile(app: &TestApp, token: &str) -> Value {
    let response = app.get(DETAIL, Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["data"]), (200, &response.body["user"]), "{}", response.body);
    response.body["data"].clone()
}

fn avatar(bytes: Vec<u8>) -> Form {
    unchanged_form(CLERK).part("profileImage", Part::bytes(bytes).file_name("me.jpg"))
}

#[tokio::test]
async fn every_kind_of_user_can_read_their_own_profile() {
    let app = TestApp::start().await;
    app.db()
        .sql(
            "INSERT INTO organizations (corp_id, organization_number, company_email, company_phone, business_category, \
             legal_form, created_at, updated_at) VALUES ($1, '556011-7482', 'info@nordbil.example', '090 12 34', \
             'Vehicle dealer', 'Aktiebolag', 0, 0)",
        )
        .bind(app.nordbil)
        .exec()
        .await
        .unwrap();
    for (email, user_type, role, corp) in [
        (SUPER_ADMIN, "Super Admin", "", "Platform"),
        (ADMIN, "Admin", "", "Nordbil"),
        (CLERK, "User", "Clerk", "Nordbil"),
        (READER, "User", "Reader", "Nordbil"),
        (NO_ROLE, "User", "", "Nordbil"),
        (OTHER_ADMIN, "Admin", "", "Södra Bil"),
    ] {
        let token = app.sign_in(email).await;
        let profile = get_profile(&app, &token).await;
        let seen = ["email", "type", "role", "theme", "profileImage", "logo"].map(|n| profile[n].as_str().unwrap());
        assert_eq!(seen, [email, user_type, role, "#3b82f6", "", ""]);
        assert_eq!((&profile["corp"]["corp_name"], &profile["connected"]), (&json!(corp), &json!(false)));
        let number = if corp == "Nordbil" { "556011-7482" } else { "" };
        assert_eq!(profile["organization"]["organization_name"], corp);
        assert_eq!(profile["organization"]["organization_number"], number);
        if corp == "Nordbil" {
            assert_eq!(
                profile["organization"],
                json!({
                    "organization_name": "Nordbil", "organization_number": "556011-7482",
                    "organization_email": "info@nordbil.example", "organization_phone": "090 12 34",
                    "business_category": "Vehicle dealer", "legal_form": "Aktiebolag",
                    "company_email": "info@nordbil.example", "company_phone": "090 12 34",
                })
            );
        }
    }
    assert_eq!(app.get(DETAIL, None).await.status, 401);
}

/// Returns a last name that is unique per email address.
fn last_name_for(email: &str) -> String {
    email.chars().filter(char::is_ascii_alphabetic).collect()
}

#[tokio::test]
async fn every_kind_of_user_can_change_only_their_own_name() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NO_ROLE, OTHER_ADMIN] {
        let token = app.sign_in(email).await;
        let id = get_profile(&app, &token).await["id"].as_str().unwrap().to_owned();
        let form = Form::new()
            .text("_id", id)
            .text("first_name", " Grace ")
            .text("last_name", last_name_for(email))
            .text("email", email.to_uppercase())
            .text("mobile", "+46 1");
        let response = send(&app, &token, form).await;
        assert_eq!(response.status, 200, "{email}: {}", response.body);
        assert_eq!(
            (&response.body["success"], &response.body["message"]),
            (&json!(true), &json!(text::UPDATED.as_str()))
        );
        let profile = &response.body["data"];
        assert_eq!(profile, &get_profile(&app, &token).await);
        assert_eq!((&profile["first_name"], &profile["email"]), (&json!("Grace"), &json!(email)));
    }
    let names: Vec<(String, String)> = app.db().sql("SELECT email, last_name FROM users").all().await.unwrap();
    assert!(names.iter().all(|(email, name)| *name == last_name_for(email)), "{names:?}");
    let response = app.send(app.request(Method::POST, UPDATE, None).multipart(unchanged_form(CLERK))).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (401, &json!(SESSION_ENDED.as_str())));
}

#[tokio::test]
async fn another_users_id_gets_403_whether_or_not_it_exists() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let other_id = get_profile(&app, &clerk).await["id"].as_str().unwrap().to_owned();
    for id in [other_id, Uuid::now_v7().to_string(), "1".into(), "' OR 1=1".into()] {
        let response = send(&app, &admin, unchanged_form(ADMIN).text("_id", id)).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (403, &json!(NOT_ALLOWED.as_str())));
    }
    assert_eq!(send(&app, &admin, unchanged_form(ADMIN).text("_id", "")).await.status, 200);
}

#[tokio::test]
async fn saving_an_unchanged_profile_keeps_the_version_and_adds_no_entry() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let state = async || {
        let versions = "SELECT CAST(sum(version) AS BIGINT) FROM users";
        (count(&app, versions).await, count(&app, "SELECT count(*) FROM history").await)
    };
    let before = state().await;
    assert_eq!(send(&app, &token, unchanged_form(CLERK)).await.status, 200);
    assert_eq!(state().await, before);
}

#[tokio::test]
async fn a_stale_profile_update_gets_409_with_the_current_profile() {
    let app = TestApp::start().await;
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let user = format!("/api/users/{}", user_id(&app, CLERK).await);
    let new = "ada.new@nordbil.example";
    let form = user_form(new, "User", Some(role_id(&app, "Clerk").await));
    assert_eq!(put(&app, &user, &admin, form).await.status, 200);
    // The new email has ended the session.
    assert_eq!(app.get(DETAIL, Some(&token)).await.status, 401);
    let token = app.sign_in(new).await;
    let present = get_profile(&app, &token).await;
    // The form still has the old email, but needs no password.
    let stale = send(&app, &token, unchanged_form(CLERK).text("version", "1")).await;
    assert_error(&stale, 409, STALE.as_str());
    assert_eq!((&present_in(&stale), &present["version"]), (&present, &json!(2)));
    assert_eq!(stale.body["data"]["last_change"]["actor"]["id"], user_id(&app, ADMIN).await.to_string());
    assert_eq!(get_profile(&app, &token).await, present, "a rejected form changes nothing");
    let saved = send(&app, &token, unchanged_form(new).text("version", "2")).await;
    assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(3)), "{}", saved.body);
    // A form without a version replaces the stored values.
    for form in [unchanged_form(new), unchanged_form(new).text("version", "")] {
        assert_eq!(send(&app, &token, form).await.status, 200);
    }
    let invalid = send(&app, &token, unchanged_form(new).text("version", "three")).await;
    assert_eq!(invalid.status, 400);
    assert_eq!(invalid.body["fields"], json!({"version": [wrong_value(A_NUMBER).as_str()]}));
}

#[tokio::test]
async fn a_profile_update_that_is_sent_again_meanwhile_or_later_is_saved_once() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let form = || unchanged_form(" Ada.New@nordbil.example").text("version", "1").text("currentPassword", PASSWORD);
    let state = async || {
        (count(&app, "SELECT count(*) FROM messages").await, count(&app, "SELECT count(*) FROM history").await)
    };
    let (mails, entries) = state().await;
    let (saved, meanwhile) = tokio::join!(send(&app, &token, form()), send(&app, &token, form()));
    assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(2)), "{}", saved.body);
    let later = send(&app, &token, form()).await;
    for again in [meanwhile, later] {
        assert_eq!((again.status.as_u16(), &again.body), (200, &saved.body));
    }
    assert_eq!(state().await, (mails + 1, entries + 1));
    // A new picture is a change, and so are other values.
    let picture = form().part("profileImage", Part::bytes(png(red_and_blue(20, 10))).file_name("me.png"));
    for other in [picture, unchanged_form(CLERK).text("version", "1")] {
        assert_error(&send(&app, &token, other).await, 409, STALE.as_str());
    }
}

#[tokio::test]
async fn a_users_own_password_and_language_do_not_conflict_with_the_profile() {
    let app = TestApp::start().await;
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let change_password = async |current: &str, new: &str| {
        let form = json!({"currentPassword": current, "newPassword": new});
        assert_eq!(app.post("/api/auth/change-password", Some(&token), form).await.status, 200);
    };
    change_password(PASSWORD, "another-password").await;
    assert_eq!(put(&app, "/api/auth/profile/language", &token, json!({"language": "sv"})).await.status, 200);
    let saved = send(&app, &token, unchanged_form(CLERK).text("first_name", "Grace").text("version", "1")).await;
    assert_eq!((saved.status.as_u16(), &saved.body["data"]["version"]), (200, &json!(2)), "{}", saved.body);
    let user = format!("/api/users/{}", user_id(&app, CLERK).await);
    let form = user_form(CLERK, "User", Some(role_id(&app, "Clerk").await));
    assert_eq!(put(&app, &user, &admin, form).await.status, 200);
    change_password("another-password", PASSWORD).await;
    let stale = send(&app, &token, unchanged_form(CLERK).text("version", "2")).await;
    assert_error(&stale, 409, STALE.as_str());
    // Not the user, who has changed only the password since.
    assert_eq!(stale.body["data"]["last_change"]["actor"]["id"], user_id(&app, ADMIN).await.to_string());
}

#[tokio::test]
async fn an_invalid_profile_is_rejected_with_errors_per_field() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let response = send(&app, &token, Form::new().text("first_name", " ").text("email", "nobody")).await;
    assert_eq!(response.status, 400);
    for field in ["first_name", "last_name", "email", "mobile"] {
        assert!(response.body["fields"].get(field).is_some(), "{field}: {}", response.body);
    }
    let binary = unchanged_form(CLERK).part("mobile", Part::bytes(vec![0xff, 0xfe]));
    for form in [
        unchanged_form(CLERK).text("mobile", "1".repeat(51)),
        binary,
        unchanged_form(CLERK).text("mobile", "1".repeat(100_000)),
    ] {
        assert_eq!(send(&app, &token, form).await.status, 400);
    }
    let json = app.post(UPDATE, Some(&token), json!({"first_name": "Ada"})).await;
    assert_eq!((json.status.as_u16(), &json.body["message"]), (400, &json!(NOT_A_FORM.as_str())));
}

/// Returns the values, as text, of the columns of a user that the profile form must not change.
async fn read_protected_columns(app: &TestApp, email: &str) -> Vec<Option<String>> {
    let text = app.db().pick(
        "SELECT json_array(hex(corp_id), hex(user_id), user_type, hex(role_id), password_hash, is_active, banned_at, \
         ban_reason, created_at, theme, email_verified_at, wrong_codes) FROM users WHERE email = $1",
        "SELECT json_build_array(corp_id, user_id, user_type, role_id, password_hash, is_active, banned_at, \
         ban_reason, created_at, theme, email_verified_at, wrong_codes)::text FROM users WHERE email = $1",
    );
    app.db()
        .sql(text)
        .bind(email.to_owned())
        .all::<(Option<String>,)>()
        .await
        .unwrap()
        .into_iter()
        .map(|r| r.0)
        .collect()
}

/// Returns the columns of a table from the database's schema.
async fn columns(app: &TestApp, table: &'static str) -> Vec<String> {
    let text = app.db().pick(
        "SELECT name FROM pragma_table_info($1)",
        "SELECT column_name::text FROM information_schema.columns WHERE table_name = $1",
    );
    app.db().sql(text).bind(table).all::<(String,)>().await.unwrap().into_iter().map(|(name,)| name).collect()
}

#[tokio::test]
async fn p3_undocumented_fields_do_not_change_a_profile() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let before = read_protected_columns(&app, CLERK).await;
    let names = columns(&app, "users").await;
    assert!(names.len() >= 15 && names.contains(&"user_type".to_owned()), "{names:?}");
    let documented = ["first_name", "last_name", "email", "mobile", "version"];
    for value in ["Super Admin", "0190b5a0-0000-7000-8000-000000000000", "1", "true", "null"] {
        let mut form = unchanged_form(CLERK).text("type", value).text("role", value).text("knownEmail", value);
        for name in names.iter().filter(|name| !documented.contains(&name.as_str())) {
            form = form.text(name.clone(), value);
        }
        assert_eq!(send(&app, &token, form).await.status, 200);
        assert_eq!(read_protected_columns(&app, CLERK).await, before, "{value}");
    }
    // The server does not take the current email address from the form, so this change still needs the password.
    let claimed = unchanged_form("eve@example.com").text("knownEmail", "eve@example.com");
    assert_eq!(send(&app, &token, claimed).await.body["message"], text::PASSWORD_FOR_EMAIL.as_str());
}

#[tokio::test]
async fn u3_a_profile_picture_becomes_a_small_square() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let transparent = RgbaImage::from_pixel(300, 300, Rgba([9, 9, 9, 100]));
    for (bytes, side, mime) in [
        (jpeg(900, 300), 256, "image/jpeg"),
        (png(red_and_blue(100, 60)), 60, "image/jpeg"),
        (png(transparent), 256, "image/png"),
        (turned_jpeg(6, 900, 300), 256, "image/jpeg"),
    ] {
        let response = send(&app, &token, avatar(bytes)).await;
        assert_eq!(response.status, 200, "{}", response.body);
        let (status, headers, bytes) = fetch(&app, response.body["data"]["profileImage"].as_str().unwrap()).await;
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, mime));
        assert_eq!(image::load_from_memory(&bytes).unwrap().dimensions(), (side, side));
        assert!(!bytes.windows(6).any(|w| w == b"CANARY"));
    }
    // A wide picture is cropped to a square: of three stripes, only the middle one stays.
    let stripes = RgbaImage::from_fn(300, 100, |x, _| if (100..200).contains(&x) { BLUE } else { RED });
    let response = send(&app, &token, avatar(encode(stripes, ImageFormat::Png))).await;
    let link = response.body["data"]["profileImage"].as_str().unwrap().to_owned();
    let shown = image::load_from_memory(&fetch(&app, &link).await.2).unwrap();
    for x in [5, 50, 95] {
        let Rgba([red, _, blue, _]) = shown.get_pixel(x, 50);
        assert!(blue > 200 && red < 60, "{x}");
    }
    // A form without a picture, with an empty one, or with a text in its place keeps the stored picture.
    let none = unchanged_form(CLERK).part("profileImage", Part::bytes(Vec::new()).file_name(""));
    for form in [unchanged_form(CLERK), none, unchanged_form(CLERK).text("profileImage", "/api/images/1")] {
        assert_eq!(send(&app, &token, form).await.body["data"]["profileImage"], link);
    }
    let admin = app.sign_in(ADMIN).await;
    assert_eq!(get_profile(&app, &admin).await["profileImage"], "");
}

#[tokio::test]
async fn u1_a_rejected_profile_picture_changes_nothing() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
    let half = png(red_and_blue(60, 60))[..90].to_vec();
    for (bytes, status, sentence) in [
        (svg, 400, AVATAR_KIND),
        (b"GIF89a".to_vec(), 400, AVATAR_KIND),
        (half, 400, UNREADABLE),
        (png_of_bytes(5 * 1024 * 1024 + 1), 413, AVATAR_TOO_LARGE),
    ] {
        let form = avatar(bytes).text("first_name", "Changed");
        let response = send(&app, &token, form).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (status, &json!(sentence.as_str())));
        let profile = get_profile(&app, &token).await;
        assert_eq!((&profile["first_name"], &profile["profileImage"]), (&json!("Ada"), &json!("")));
    }
    assert_eq!(send(&app, &token, avatar(png_of_bytes(5 * 1024 * 1024))).await.status, 200);
}

#[tokio::test]
async fn f5_changing_the_email_needs_the_password_and_notifies_the_old_one() {
    let app = TestApp::start().await;
    let device = remember(&app, CLERK, "laptop").await;
    let other = device.body["data"]["tokens"].clone();
    let (access, _) = app.sign_in_for_tokens(CLERK).await;
    let id = Uuid::parse_str(get_profile(&app, &access).await["id"].as_str().unwrap()).unwrap();
    app.db()
        .sql("INSERT INTO identities (corp_id, issuer, subject, user_id, created_at) VALUES ($1, 'i', 's', $2, 0)")
        .bind_all((app.nordbil, id))
        .exec()
        .await
        .unwrap();
    let new = "ada.new@nordbil.example";
    let change = async |email: &str, password: &str| {
        send(&app, &access, unchanged_form(email).text("currentPassword", password.to_owned())).await
    };
    for (password, sentence) in
        [("", text::PASSWORD_FOR_EMAIL.as_str()), ("wrong-password", text::CURRENT_PASSWORD_WRONG.as_str())]
    {
        let rejected = change(new, password).await;
        assert_eq!((rejected.status.as_u16(), &rejected.body["fields"]["currentPassword"]), (400, &json!([sentence])));
    }
    for taken in [ADMIN, OTHER_ADMIN, "ADMIN@nordbil.example"] {
        let rejected = change(taken, PASSWORD).await;
        assert_eq!(
            (rejected.status.as_u16(), &rejected.body["fields"]["email"]),
            (400, &json!([text::EMAIL_TAKEN.as_str()]))
        );
    }
    assert_eq!(
        refresh(&app, other["refreshToken"].as_str().unwrap()).await.status,
        200,
        "a rejected request changes nothing"
    );
    let before = (app.mails(CLERK).len(), count(&app, "SELECT count(*) FROM messages").await);
    let changed = change("Ada.New@nordbil.example", PASSWORD).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["email"]), (200, &json!(new)), "{}", changed.body);
    let mail = app.next_mail(CLERK, before.0).await;
    assert!(mail.contains("Your email address for Forecourt was changed") && mail.contains(new), "{mail}");
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, before.1 + 1, "the new address gets no mail");
    // The session that changed the email stays active. The user's other session, trusted device and provider
    // connection are removed.
    assert_eq!(get_profile(&app, &access).await["email"], new);
    assert_eq!(app.get(DETAIL, other["accessToken"].as_str()).await.status, 401);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
    let again = login_on(&app, new, PASSWORD, "laptop", false).await;
    assert_eq!((again.status.as_u16(), &again.body["requiresVerification"]), (200, &json!(true)));
    type Stored = (Option<i64>, Option<String>);
    let stored: Stored = app
        .db()
        .sql("SELECT u.email_verified_at, i.subject FROM users u JOIN identities i ON i.user_id = u.user_id WHERE u.email = $1")
        .bind(new)
        .one()
        .await
        .unwrap();
    assert_eq!(stored, (None, None), "the new mailbox is not verified");
}

#[tokio::test]
async fn f5_the_password_for_an_email_change_can_be_tried_ten_times() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let attempt = async |password: &str| {
        let form = unchanged_form("new@nordbil.example").text("currentPassword", password.to_owned());
        send(&app, &token, form).await
    };
    for n in 0..10 {
        assert_eq!(attempt(&format!("guess number {n}")).await.status, 400);
    }
    let response = attempt(PASSWORD).await;
    assert_eq!(response.status, 429);
    assert!(response.headers.contains_key("retry-after"));
    assert_eq!(
        send(&app, &token, unchanged_form(CLERK)).await.status,
        200,
        "changes without a password are not limited"
    );
    app.advance(5 * forecourt::platform::clock::MINUTE);
    assert_eq!(attempt(PASSWORD).await.status, 200);
}
