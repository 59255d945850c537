//! One's own account: what it shows and how it is changed.

use crate::app::{ADMIN, Answer, CLERK, NOBODY, PASSWORD, READER, STRANGER, SUPER_ADMIN, TestApp};
use crate::pictures::{BLUE, RED, encoded, fetch, halves, jpeg, png, png_of_bytes, turned_jpeg};
use crate::steps::{count, login, login_on, refresh, remember};
use forecourt_core::images::text::{AVATAR_KIND, AVATAR_TOO_LARGE, NOT_A_FORM, UNREADABLE};
use forecourt_core::profile::text;
use forecourt_core::text::{NOT_ALLOWED, SESSION_ENDED};
use image::{GenericImageView, ImageFormat, Rgba, RgbaImage};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use uuid::Uuid;

const DETAIL: &str = "/api/auth/profile/detail";
const UPDATE: &str = "/api/auth/profile/update-profile";

/// A form that changes nothing but what a test adds.
fn same(email: &str) -> Form {
    Form::new()
        .text("first_name", "Ada")
        .text("last_name", "Lindqvist")
        .text("email", email.to_owned())
        .text("mobile", "+46 70 123 45 67")
}

async fn send(app: &TestApp, token: &str, form: Form) -> Answer {
    app.send(app.request(Method::POST, UPDATE, Some(token)).multipart(form)).await
}

async fn detail(app: &TestApp, token: &str) -> Value {
    let answer = app.get(DETAIL, Some(token)).await;
    assert_eq!((answer.status.as_u16(), &answer.body["data"]), (200, &answer.body["user"]), "{}", answer.body);
    answer.body["data"].clone()
}

fn avatar(bytes: Vec<u8>) -> Form {
    same(CLERK).part("profileImage", Part::bytes(bytes).file_name("me.jpg"))
}

#[tokio::test]
async fn everybody_sees_themselves_with_all_that_the_settings_show() {
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
        (NOBODY, "User", "", "Nordbil"),
        (STRANGER, "Admin", "", "Södra Bil"),
    ] {
        let token = app.sign_in(email).await;
        let profile = detail(&app, &token).await;
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

/// A name that nobody else gets.
fn last_name_for(email: &str) -> String {
    email.chars().filter(char::is_ascii_alphabetic).collect()
}

#[tokio::test]
async fn everybody_changes_their_own_name_and_nobody_elses() {
    let app = TestApp::start().await;
    for email in [SUPER_ADMIN, ADMIN, CLERK, READER, NOBODY, STRANGER] {
        let token = app.sign_in(email).await;
        let id = detail(&app, &token).await["id"].as_str().unwrap().to_owned();
        let form = Form::new()
            .text("_id", id)
            .text("first_name", " Grace ")
            .text("last_name", last_name_for(email))
            .text("email", email.to_uppercase())
            .text("mobile", "+46 1");
        let answer = send(&app, &token, form).await;
        assert_eq!(answer.status, 200, "{email}: {}", answer.body);
        assert_eq!((&answer.body["success"], &answer.body["message"]), (&json!(true), &json!(text::UPDATED)));
        let profile = &answer.body["data"];
        assert_eq!(profile, &detail(&app, &token).await);
        assert_eq!((&profile["first_name"], &profile["email"]), (&json!("Grace"), &json!(email)));
    }
    let names: Vec<(String, String)> = app.db().sql("SELECT email, last_name FROM users").all().await.unwrap();
    assert!(names.iter().all(|(email, name)| *name == last_name_for(email)), "{names:?}");
    let answer = app.send(app.request(Method::POST, UPDATE, None).multipart(same(CLERK))).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (401, &json!(SESSION_ENDED)));
}

#[tokio::test]
async fn another_persons_id_is_refused_whether_or_not_it_exists() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let theirs = detail(&app, &clerk).await["id"].as_str().unwrap().to_owned();
    for id in [theirs, Uuid::now_v7().to_string(), "1".into(), "' OR 1=1".into()] {
        let answer = send(&app, &admin, same(ADMIN).text("_id", id)).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (403, &json!(NOT_ALLOWED)));
    }
    assert_eq!(send(&app, &admin, same(ADMIN).text("_id", "")).await.status, 200);
}

#[tokio::test]
async fn what_breaks_a_rule_is_refused_field_by_field() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let answer = send(&app, &token, Form::new().text("first_name", " ").text("email", "nobody")).await;
    assert_eq!(answer.status, 400);
    for field in ["first_name", "last_name", "email", "mobile"] {
        assert!(answer.body["fields"].get(field).is_some(), "{field}: {}", answer.body);
    }
    let binary = same(CLERK).part("mobile", Part::bytes(vec![0xff, 0xfe]));
    for form in [same(CLERK).text("mobile", "1".repeat(51)), binary, same(CLERK).text("mobile", "1".repeat(100_000))] {
        assert_eq!(send(&app, &token, form).await.status, 400);
    }
    let json = app.post(UPDATE, Some(&token), json!({"first_name": "Ada"})).await;
    assert_eq!((json.status.as_u16(), &json.body["message"]), (400, &json!(NOT_A_FORM)));
}

/// A row of a table, column by column, as far as it can be written as text.
async fn row(app: &TestApp, email: &str) -> Vec<Option<String>> {
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

/// The columns of a table, as the database itself lists them.
async fn columns(app: &TestApp, table: &'static str) -> Vec<String> {
    let text = app.db().pick(
        "SELECT name FROM pragma_table_info($1)",
        "SELECT column_name::text FROM information_schema.columns WHERE table_name = $1",
    );
    app.db().sql(text).bind(table).all::<(String,)>().await.unwrap().into_iter().map(|(name,)| name).collect()
}

#[tokio::test]
async fn p3_no_field_beyond_the_documented_ones_reaches_a_column() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let before = row(&app, CLERK).await;
    let names = columns(&app, "users").await;
    assert!(names.len() >= 15 && names.contains(&"user_type".to_owned()), "{names:?}");
    let documented = ["first_name", "last_name", "email", "mobile"];
    for value in ["Super Admin", "0190b5a0-0000-7000-8000-000000000000", "1", "true", "null"] {
        let mut form = same(CLERK).text("type", value).text("role", value).text("knownEmail", value);
        for name in names.iter().filter(|name| !documented.contains(&name.as_str())) {
            form = form.text(name.clone(), value);
        }
        assert_eq!(send(&app, &token, form).await.status, 200);
        assert_eq!(row(&app, CLERK).await, before, "{value}");
    }
    // Nor can the known e-mail be claimed, to change it without a password.
    let claimed = same("eve@example.com").text("knownEmail", "eve@example.com");
    assert_eq!(send(&app, &token, claimed).await.body["message"], text::PASSWORD_FOR_EMAIL);
}

#[tokio::test]
async fn u3_a_picture_of_a_person_becomes_a_small_square() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let clear = RgbaImage::from_pixel(300, 300, Rgba([9, 9, 9, 100]));
    for (bytes, side, mime) in [
        (jpeg(900, 300), 256, "image/jpeg"),
        (png(halves(100, 60)), 60, "image/jpeg"),
        (png(clear), 256, "image/png"),
        (turned_jpeg(6, 900, 300), 256, "image/jpeg"),
    ] {
        let answer = send(&app, &token, avatar(bytes)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let (status, headers, bytes) = fetch(&app, answer.body["data"]["profileImage"].as_str().unwrap()).await;
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, mime));
        assert_eq!(image::load_from_memory(&bytes).unwrap().dimensions(), (side, side));
        assert!(!bytes.windows(6).any(|w| w == b"CANARY"));
    }
    // The middle stays: of three stripes the one between.
    let stripes = RgbaImage::from_fn(300, 100, |x, _| if (100..200).contains(&x) { BLUE } else { RED });
    let answer = send(&app, &token, avatar(encoded(stripes, ImageFormat::Png))).await;
    let link = answer.body["data"]["profileImage"].as_str().unwrap().to_owned();
    let shown = image::load_from_memory(&fetch(&app, &link).await.2).unwrap();
    for x in [5, 50, 95] {
        let Rgba([red, _, blue, _]) = shown.get_pixel(x, 50);
        assert!(blue > 200 && red < 60, "{x}");
    }
    // A form without a picture, or with an empty one, keeps it; only its owner has it.
    let none = same(CLERK).part("profileImage", Part::bytes(Vec::new()).file_name(""));
    for form in [same(CLERK), none, same(CLERK).text("profileImage", "/api/images/1")] {
        assert_eq!(send(&app, &token, form).await.body["data"]["profileImage"], link);
    }
    let admin = app.sign_in(ADMIN).await;
    assert_eq!(detail(&app, &admin).await["profileImage"], "");
}

#[tokio::test]
async fn u1_a_picture_that_cannot_be_taken_changes_nothing() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
    let half = png(halves(60, 60))[..90].to_vec();
    for (bytes, status, sentence) in [
        (svg, 400, AVATAR_KIND),
        (b"GIF89a".to_vec(), 400, AVATAR_KIND),
        (half, 400, UNREADABLE),
        (png_of_bytes(5 * 1024 * 1024 + 1), 413, AVATAR_TOO_LARGE),
    ] {
        let form = avatar(bytes).text("first_name", "Changed");
        let answer = send(&app, &token, form).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (status, &json!(sentence)));
        let profile = detail(&app, &token).await;
        assert_eq!((&profile["first_name"], &profile["profileImage"]), (&json!("Ada"), &json!("")));
    }
    assert_eq!(send(&app, &token, avatar(png_of_bytes(5 * 1024 * 1024))).await.status, 200);
}

#[tokio::test]
async fn f5_another_email_needs_the_password_and_is_told_to_the_old_address() {
    let app = TestApp::start().await;
    let device = remember(&app, CLERK, "laptop").await;
    let other = device.body["data"]["tokens"].clone();
    let (access, _) = app.tokens(CLERK).await;
    let id = Uuid::parse_str(detail(&app, &access).await["id"].as_str().unwrap()).unwrap();
    app.db()
        .sql("INSERT INTO identities (corp_id, issuer, subject, user_id, created_at) VALUES ($1, 'i', 's', $2, 0)")
        .bind(app.nordbil)
        .bind(id)
        .exec()
        .await
        .unwrap();
    let new = "ada.new@nordbil.example";
    let change = async |email: &str, password: &str| {
        send(&app, &access, same(email).text("currentPassword", password.to_owned())).await
    };
    for (password, sentence) in [("", text::PASSWORD_FOR_EMAIL), ("wrong-password", text::CURRENT_PASSWORD_WRONG)] {
        let refused = change(new, password).await;
        assert_eq!((refused.status.as_u16(), &refused.body["fields"]["currentPassword"]), (400, &json!([sentence])));
    }
    for taken in [ADMIN, STRANGER, "ADMIN@nordbil.example"] {
        let refused = change(taken, PASSWORD).await;
        assert_eq!((refused.status.as_u16(), &refused.body["fields"]["email"]), (400, &json!([text::EMAIL_TAKEN])));
    }
    assert_eq!(refresh(&app, other["refreshToken"].as_str().unwrap()).await.status, 200, "a refusal changes nothing");
    let before = (app.mails(CLERK).len(), count(&app, "SELECT count(*) FROM messages").await);
    let changed = change("Ada.New@nordbil.example", PASSWORD).await;
    assert_eq!((changed.status.as_u16(), &changed.body["data"]["email"]), (200, &json!(new)), "{}", changed.body);
    // The old address is told where the account went.
    let told = app.next_mail(CLERK, before.0).await;
    assert!(told.contains("Your email address for Forecourt was changed") && told.contains(new), "{told}");
    assert_eq!(count(&app, "SELECT count(*) FROM messages").await, before.1 + 1, "the new one is told nothing");
    // This session goes on; the other, and the trust in its device, are over; so is the connection with the provider.
    assert_eq!(detail(&app, &access).await["email"], new);
    assert_eq!(app.get(DETAIL, other["accessToken"].as_str()).await.status, 401);
    assert_eq!(login(&app, CLERK, PASSWORD).await.status, 401);
    let again = login_on(&app, new, PASSWORD, "laptop", false).await;
    assert_eq!((again.status.as_u16(), &again.body["requiresVerification"]), (200, &json!(true)));
    type Kept = (Option<i64>, Option<String>);
    let kept: Kept = app
        .db()
        .sql("SELECT u.email_verified_at, i.subject FROM users u JOIN identities i ON i.user_id = u.user_id WHERE u.email = $1")
        .bind(new)
        .one()
        .await
        .unwrap();
    assert_eq!(kept, (None, None), "nobody has shown to read the new mailbox");
}

#[tokio::test]
async fn f5_the_password_for_another_email_is_tried_ten_times_at_most() {
    let app = TestApp::start().await;
    let token = app.sign_in(CLERK).await;
    let attempt = async |password: &str| {
        let form = same("new@nordbil.example").text("currentPassword", password.to_owned());
        send(&app, &token, form).await
    };
    for n in 0..10 {
        assert_eq!(attempt(&format!("guess number {n}")).await.status, 400);
    }
    let answer = attempt(PASSWORD).await;
    assert_eq!(answer.status, 429);
    assert!(answer.headers.contains_key("retry-after"));
    assert_eq!(send(&app, &token, same(CLERK)).await.status, 200, "what needs no password goes on");
    app.pass(5 * forecourt::platform::clock::MINUTE);
    assert_eq!(attempt(PASSWORD).await.status, 200);
}
