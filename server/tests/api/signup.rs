//! Sign-up: a corporation registers itself, without revealing who has an account.

use crate::app::{ADMIN, ApiResponse, CLERK, PASSWORD, SUPER_ADMIN, TestApp};
use crate::equal_work::measure_work;
use crate::helpers::{assert_error, count_rows, module_ids, new_user_form, put, role_id, stored_settings, with_field};
use forecourt::platform::clock::{DAY, HOUR};
use forecourt::platform::mail::{self, MailMessage};
use forecourt_core::auth::text;
use forecourt_core::reply::Done;
use forecourt_core::settings::Settings;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The tables to which confirming a sign-up adds rows. Signing up must not change them.
const REGISTRATION_TABLES: &[&str] = &["corporations", "organizations", "corporation_resources", "users"];

const NEW: &str = "ada@nybil.example";

pub fn form(email: &str) -> Value {
    json!({
        "first_name": " Ada ", "last_name": "Lind", "email": email, "mobile": "070 1", "password": PASSWORD,
        "organization_number": "559360-9844", "corp_name": "Ny & Bil AB", "street_address": "Storgatan 1",
        "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_email": "info@nybil.example",
        "company_phone": "090 12 34 56",
    })
}

async fn post_signup(app: &TestApp, form: Value) -> ApiResponse {
    app.post("/api/auth/signup", None, form).await
}

/// Waits until the outbox has this number of mails, and returns them, oldest first. Panics if it has more.
pub async fn wait_for_mails(app: &TestApp, count: usize) -> Vec<MailMessage> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let mut mails = mail::outbox(&app.app).await.unwrap();
        if mails.len() >= count {
            mails.reverse();
            assert_eq!(mails.len(), count);
            return mails;
        }
        assert!(Instant::now() < deadline, "{} mails were sent", mails.len());
        sleep(Duration::from_millis(10)).await;
    }
}

fn find_mail<'a>(mails: &'a [MailMessage], email: &str) -> &'a MailMessage {
    mails.iter().find(|m| m.to == email).unwrap()
}

/// Returns the token in the newest verification mail to this address.
fn verification_token(mails: &[MailMessage], email: &str) -> String {
    let lines = mails.iter().rev().filter(|m| m.to == email).flat_map(|m| m.text.expose_secret().lines());
    let mut tokens = lines.filter_map(|line| line.split_once("/verify-email?token="));
    tokens.next().unwrap_or_else(|| panic!("no link to {email}")).1.to_owned()
}

/// Signs up with this form, and returns the token of the mailed link.
async fn sign_up(app: &TestApp, form: Value) -> String {
    let before = mail::outbox(&app.app).await.unwrap().len();
    let response = post_signup(app, form.clone()).await;
    assert_eq!(response.status, 201, "{}", response.body);
    let email = form["email"].as_str().unwrap().trim().to_lowercase();
    verification_token(&wait_for_mails(app, before + 1).await, &email)
}

async fn confirm(app: &TestApp, token: &str) -> ApiResponse {
    app.post("/api/auth/verify-email", None, json!({"token": token})).await
}

/// Signs up and confirms the email address.
pub async fn register(app: &TestApp, form: Value) {
    let token = sign_up(app, form).await;
    let response = confirm(app, &token).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (200, &json!(text::EMAIL_CONFIRMED.as_str())));
}

async fn login(app: &TestApp, email: &str, password: &str) -> ApiResponse {
    app.post("/api/auth/login", None, json!({"email": email, "password": password, "deviceId": "d"})).await
}

/// Returns the number of sign-ups that are not confirmed.
async fn count_pending(app: &TestApp) -> i64 {
    app.db().sql("SELECT count(*) FROM signups").value::<i64>().await.unwrap()
}

#[tokio::test]
async fn v8_a_sign_up_creates_a_corporation_once_it_is_confirmed() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example"]).await;
    let before = count_rows(&app, REGISTRATION_TABLES).await;
    let response = post_signup(&app, form(" Ada@NyBil.example ")).await;
    assert_eq!(response.status, 201, "{}", response.body);
    assert_eq!(response.body, json!(Done::new(text::SIGNUP_RECEIVED)));
    let sent = wait_for_mails(&app, 1).await;
    let own = find_mail(&sent, NEW).text.expose_secret();
    assert!(own.contains("https://cars.example/verify-email?token=") && own.contains("24 hours"));
    assert!(!own.contains("Ny & Bil"), "texts of the sign-up are not mailed");
    assert_eq!(
        (count_rows(&app, REGISTRATION_TABLES).await, count_pending(&app).await),
        (before, 1),
        "nothing is registered before the confirmation"
    );

    let confirmed = confirm(&app, &verification_token(&sent, NEW)).await;
    assert_eq!(confirmed.body, json!(Done::new(text::EMAIL_CONFIRMED)));
    assert_eq!(count_pending(&app).await, 0);
    let notice = find_mail(&wait_for_mails(&app, 2).await, SUPER_ADMIN).text.expose_secret().clone();

    let platform = app.sign_in(SUPER_ADMIN).await;
    let list = app.get("/api/corporations?search=ny%20%26", Some(&platform)).await;
    let corp = &list.body["data"][0];
    assert_eq!((&corp["corp_name"], &corp["corp_active"]), (&json!("Ny & Bil AB"), &json!(false)));
    assert_eq!(corp["awaits_approval"], true);
    assert_eq!(corp["allowed_resources"], json!(module_ids()));
    assert_eq!((&corp["organization_number"], &corp["city"]), (&json!("559360-9844"), &json!("Ersmark")));
    assert_eq!(
        (&corp["company_email"], &corp["company_phone"]),
        (&json!("info@nybil.example"), &json!("090 12 34 56"))
    );
    assert_eq!((&corp["corp_contact_name"], &corp["corp_contact_email"]), (&json!("Ada Lind"), &json!(NEW)));
    let users_path = format!("corporations/{}/users", corp["corp_id"].as_str().unwrap());
    assert!(notice.contains(&format!("https://cars.example/dashboard/{users_path}")), "{notice}");
    let users = app.get(&format!("/api/{users_path}"), Some(&platform)).await;
    let user = &users.body["data"][0];
    assert_eq!((&user["type"], &user["mobile"], &user["is_active"]), (&json!("Admin"), &json!("070 1"), &json!(true)));

    let rejected = login(&app, NEW, PASSWORD).await;
    assert_eq!((rejected.status.as_u16(), &rejected.body["message"]), (403, &json!(text::AWAITS_APPROVAL.as_str())));
    app.db().sql("UPDATE corporations SET active = TRUE WHERE name = 'Ny & Bil AB'").exec().await.unwrap();
    let token = app.sign_in(NEW).await;
    assert_eq!(app.get("/api/contacts", Some(&token)).await.status, 200);
    assert_eq!(app.get("/api/corporations", Some(&token)).await.status, 403);
}

#[tokio::test]
async fn v8_the_first_activation_of_a_sign_up_is_mailed_to_its_admin() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example"]).await;
    register(&app, form(NEW)).await;
    let before = wait_for_mails(&app, 2).await.len();
    let platform = app.sign_in(SUPER_ADMIN).await;
    let list = app.get("/api/corporations?search=ny%20%26", Some(&platform)).await;
    let path = format!("/api/corporations/{}", list.body["data"][0]["corp_id"].as_str().unwrap());
    for (active, awaits_approval) in [(false, true), (true, false), (false, false), (true, false)] {
        let form = with_field(form(NEW), "corp_active", active);
        let updated = put(&app, &path, &platform, form).await;
        assert_eq!((updated.status.as_u16(), &updated.body["data"]["awaits_approval"]), (200, &json!(awaits_approval)));
    }
    // One of them is the code of the sign-in.
    let sent = wait_for_mails(&app, before + 2).await;
    let notice = sent.last().unwrap();
    assert_eq!((notice.to.as_str(), notice.to_name.as_str()), (NEW, "Ada Lind"));
    let text = notice.text.expose_secret();
    assert!(text.contains("Ny & Bil AB is now active") && text.contains("https://cars.example/login"), "{text}");
    // Mails are sent in the order in which they were queued: the next one would be preceded by a second notice.
    post_signup(&app, with_field(form("next@nybil.example"), "organization_number", "559360-9845")).await;
    wait_for_mails(&app, before + 3).await;
}

#[tokio::test]
async fn v8_an_unconfirmed_sign_up_reserves_neither_email_nor_number() {
    let app = TestApp::start().await;
    let first_token = sign_up(&app, form(NEW)).await;
    let second_token = sign_up(&app, form("bo@nybil.example")).await;
    // Before the confirmations, an Admin creates a user with the first email, and the platform registers a corporation
    // with the second sign-up's number.
    let admin = app.sign_in(ADMIN).await;
    let user = new_user_form(NEW, "User", Some(role_id(&app, "Clerk").await));
    let made = app.post("/api/users", Some(&admin), user).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let rejected = confirm(&app, &first_token).await;
    assert_error(&rejected, 409, text::VERIFY_EMAIL_TAKEN.as_str());

    let platform = app.sign_in(SUPER_ADMIN).await;
    let mut corporation = form("");
    corporation["admin_data"] =
        json!({"first_name": "Cy", "last_name": "Ek", "email": "cy@nybil.example", "phone": "1", "password": PASSWORD});
    let made = app.post("/api/orgs/register", Some(&platform), corporation).await;
    assert_eq!(made.status, 201, "{}", made.body);
    for (token, conflict) in [(first_token, text::VERIFY_EMAIL_TAKEN), (second_token, text::VERIFY_NUMBER_TAKEN)] {
        assert_error(&confirm(&app, &token).await, 409, conflict.as_str());
    }
}

#[tokio::test]
async fn v8_the_second_link_of_an_owner_reports_the_email_and_not_the_number() {
    let app = TestApp::start().await;
    let first = sign_up(&app, form(NEW)).await;
    let second = sign_up(&app, form("Ada@NyBil.example")).await;
    assert_eq!(confirm(&app, &first).await.status, 200);
    assert_error(&confirm(&app, &second).await, 409, text::VERIFY_EMAIL_TAKEN.as_str());
}

#[tokio::test]
async fn v8_the_first_confirmed_sign_up_gets_the_email_or_number() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    for round in 0..4 {
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let email = |i: usize| format!("ada{round}{}@nybil.example", if round % 2 == 0 { 0 } else { i });
        let mut tokens = Vec::new();
        for i in 0..3 {
            let mut form = form(&email(i));
            // Even rounds have one email with three numbers, odd rounds one number with three emails.
            form["organization_number"] = json!(format!("{round}-{}", if round % 2 == 0 { i } else { 0 }));
            tokens.push(sign_up(&app, form).await);
        }
        let before = count_rows(&app, REGISTRATION_TABLES).await;
        let confirming = tokens.iter().enumerate().map(|(i, token)| confirm(if i == 1 { &node } else { &app }, token));
        let responses = join_all(confirming).await;
        let conflict =
            if round % 2 == 0 { text::VERIFY_EMAIL_TAKEN.as_str() } else { text::VERIFY_NUMBER_TAKEN.as_str() };
        assert_eq!(responses.iter().filter(|a| a.status == 200).count(), 1, "round {round}: {responses:?}");
        for response in responses.iter().filter(|a| a.status != 200) {
            assert_error(response, 409, conflict);
        }
        let made: Vec<i64> = count_rows(&app, REGISTRATION_TABLES)
            .await
            .iter()
            .zip(&before)
            .map(|(after, before)| after - before)
            .collect();
        assert_eq!(made, [1, 1, module_ids().len() as i64, 1], "round {round}");
        // Wait for the mail that notifies the Super Admin, so that later mails belong to the next round.
        wait_for_mails(&app, (round + 1) * 4).await;
    }
}

#[tokio::test]
async fn v8_a_confirmation_link_is_valid_once_for_24_hours() {
    let app = TestApp::start().await;
    for bad in ["", "unknown", &"x".repeat(43)] {
        assert_error(&confirm(&app, bad).await, 400, text::VERIFY_LINK_INVALID.as_str());
    }
    let (first, second) = (sign_up(&app, form(NEW)).await, sign_up(&app, form("bo@nybil.example")).await);
    app.advance(DAY - 1);
    let responses = join_all((0..8).map(|_| confirm(&app, &first))).await;
    assert_eq!(responses.iter().filter(|a| a.status == 200).count(), 1);
    for response in responses.iter().filter(|a| a.status != 200) {
        assert_error(response, 400, text::VERIFY_LINK_INVALID.as_str());
    }
    app.advance(1);
    assert_error(&confirm(&app, &second).await, 400, text::VERIFY_LINK_INVALID.as_str());
}

#[tokio::test]
async fn v8_an_unconfirmed_sign_up_is_deleted_after_seven_days() {
    let app = TestApp::start().await;
    sign_up(&app, form(NEW)).await;
    app.advance(7 * DAY - 1);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!(count_pending(&app).await, 1);
    assert_error(&login(&app, NEW, PASSWORD).await, 403, text::EMAIL_UNCONFIRMED.as_str());
    app.advance(1);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!(count_pending(&app).await, 0);
    assert_error(&login(&app, NEW, PASSWORD).await, 401, text::WRONG_CREDENTIALS.as_str());
}

#[tokio::test]
async fn v8_only_the_right_password_reveals_an_unconfirmed_sign_up() {
    let node = TestApp::start().await.start_another_node().await;
    let sign_up_with = async |email: &str, password: &str| {
        let mut form = form(email);
        form["password"] = json!(password);
        assert_eq!(post_signup(&node, form).await.status, 201);
    };
    sign_up_with(NEW, "first-password").await;
    sign_up_with(NEW, "another-password").await;
    // Sign up with the email of an existing account. The responses must not reveal that it exists.
    sign_up_with(CLERK, "another-password").await;
    for (password, status) in [("guess", 401), ("first-password", 401), ("another-password", 403)] {
        let with_free_email = measure_work(&node, async || login(&node, NEW, password).await).await;
        let with_taken_email = measure_work(&node, async || login(&node, CLERK, password).await).await;
        assert_eq!(with_free_email, with_taken_email, "{password}");
        assert_eq!((with_free_email.status, with_free_email.hashes), (status, 2), "{password}");
    }
    let right = login(&node, CLERK, PASSWORD).await;
    assert_eq!(right.status, 200, "the account is unchanged: {}", right.body);
}

#[tokio::test]
async fn v8_a_pending_sign_up_is_not_stored_in_plain_text() {
    let app = TestApp::start().await;
    let token = sign_up(&app, form(NEW)).await;
    let row: (Vec<u8>, Vec<u8>, Vec<u8>) =
        app.db().sql("SELECT token_hash, email_key, sealed FROM signups").one().await.unwrap();
    for secret in [token.as_str(), NEW, "Ny & Bil", "argon2id", "559360", PASSWORD] {
        for bytes in [&row.0, &row.1, &row.2] {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "{secret}");
        }
    }
}

#[tokio::test]
async fn a3_a_sign_up_with_a_taken_email_gets_the_same_response() {
    let app = TestApp::start().await;
    let free = post_signup(&app, form(NEW)).await;
    let before = count_rows(&app, REGISTRATION_TABLES).await;
    let taken = post_signup(&app, form("CLERK@nordbil.example")).await;
    assert_eq!((free.status, &free.body), (taken.status, &taken.body));
    let header_names =
        |response: &ApiResponse| response.headers.keys().map(|k| k.as_str().to_owned()).collect::<Vec<_>>();
    assert_eq!(header_names(&free), header_names(&taken));
    assert_eq!(count_rows(&app, REGISTRATION_TABLES).await, before);
    let waiting: i64 = app.db().sql("SELECT count(*) FROM messages").value().await.unwrap();
    assert_eq!(waiting, 2, "one to the new address, one to the owner of the account");
    let mails = wait_for_mails(&app, 2).await;
    let mail = find_mail(&mails, CLERK).text.expose_secret();
    assert!(mail.starts_with("Hello Ada,") && mail.contains("already have an account"), "{mail}");
    assert!(mail.contains("/forgot-password") && !mail.contains("/verify-email"), "{mail}");
    assert!(!mail.contains("Ny & Bil"), "texts of the sign-up are not mailed");
    let login = json!({"email": CLERK, "password": PASSWORD, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, login).await.status, 200, "the account is unchanged");
}

#[tokio::test]
async fn a3_a_sign_up_with_a_taken_email_does_the_same_work() {
    let node = TestApp::start().await.start_another_node().await;
    let free = measure_work(&node, async || post_signup(&node, form(NEW)).await).await;
    let taken = measure_work(&node, async || post_signup(&node, form(CLERK)).await).await;
    assert_eq!(free, taken);
    assert_eq!((free.status, free.hashes, free.queued), (201, 1, 1));
}

#[tokio::test]
async fn a_sign_up_without_user_or_company_data_is_rejected() {
    let app = TestApp::start().await;
    let before = count_rows(&app, REGISTRATION_TABLES).await;
    let fields = ["first_name", "email", "password", "organization_number", "corp_name", "company_email"];
    for missing in fields {
        let mut form = form(NEW);
        form.as_object_mut().unwrap().remove(missing);
        let rejected = post_signup(&app, form).await;
        assert_eq!((rejected.status.as_u16(), rejected.body["fields"][missing].is_array()), (400, true), "{missing}");
    }
    let person = json!({"first_name": "Ada", "last_name": "Lind", "email": NEW, "password": PASSWORD});
    assert_eq!(post_signup(&app, person).await.body["message"], "Organization Number is required");
    assert_eq!(count_rows(&app, REGISTRATION_TABLES).await, before);
}

#[tokio::test]
async fn a_sign_up_starts_with_the_settings_of_its_country() {
    let app = TestApp::start().await;
    let signups = [
        (NEW, "559360-9844", json!(null), Settings::default()),
        ("bo@nybil.example", "559360-9845", json!(" se "), Settings::of_country("SE")),
    ];
    let mut tokens = Vec::new();
    for (email, number, country, _) in &signups {
        let form = with_field(form(email), "organization_number", *number);
        tokens.push(sign_up(&app, with_field(form, "country", country.clone())).await);
    }
    for (token, (email, _, country, expected)) in tokens.iter().zip(signups) {
        assert_eq!(confirm(&app, token).await.status, 200);
        assert_eq!(stored_settings(&app, email).await, expected, "{country}");
    }
}

#[tokio::test]
async fn p3_undocumented_fields_of_a_sign_up_are_ignored() {
    let app = TestApp::start().await;
    let mut form = form(NEW);
    for (name, value) in [
        ("user_type", json!("Super Admin")),
        ("corp_id", json!(app.nordbil.to_string())),
        ("corp_active", json!(true)),
        ("is_platform", json!(true)),
        ("active", json!(true)),
        ("allowed_resources", json!(["corporations", "users"])),
        ("email_verified_at", json!(1)),
    ] {
        form[name] = value;
    }
    register(&app, form).await;
    let row: (String, bool, bool, i64) = app
        .db()
        .sql(
            "SELECT u.user_type, c.active, c.is_platform, u.email_verified_at FROM users u \
             JOIN corporations c ON c.corp_id = u.corp_id WHERE u.email = $1",
        )
        .bind(NEW)
        .one()
        .await
        .unwrap();
    assert_eq!(row, ("Admin".into(), false, false, app.app.clock.now()), "the link has verified the email address");
    let resources: Vec<(String,)> = app
        .db()
        .sql(
            "SELECT r.resource_id FROM corporation_resources r JOIN users u ON u.corp_id = r.corp_id WHERE u.email = $1",
        )
        .bind(NEW)
        .all()
        .await
        .unwrap();
    assert!(resources.iter().all(|(id,)| module_ids().contains(&id.as_str())), "{resources:?}");
}

#[tokio::test]
async fn sign_ups_get_403_if_sign_up_is_off() {
    let app = TestApp::start_with(&["--signup", "off"]).await;
    let before = count_rows(&app, REGISTRATION_TABLES).await;
    for body in [form(NEW), form(ADMIN), json!({})] {
        let rejected = post_signup(&app, body).await;
        assert_eq!((rejected.status.as_u16(), &rejected.body["message"]), (403, &json!(text::SIGNUP_OFF.as_str())));
    }
    assert_error(&confirm(&app, "x").await, 403, text::SIGNUP_OFF.as_str());
    assert_eq!(count_rows(&app, REGISTRATION_TABLES).await, before);
}

#[tokio::test]
async fn sign_ups_are_limited_per_email_and_client_address() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let from = async |address: &str, email: &str| {
        let request = app.request(Method::POST, "/api/auth/signup", None).header("x-forwarded-for", address);
        app.send(request.json(&form(email))).await
    };
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        assert_eq!(from(address, CLERK).await.status, 201);
    }
    let rejected = from("192.0.2.4", "Clerk@Nordbil.example").await;
    assert_eq!((rejected.status.as_u16(), &rejected.headers["retry-after"]), (429, &"3600".parse().unwrap()));
    for i in 0..10 {
        let response = from("198.51.100.7", &format!("a{i}@nybil.example")).await;
        assert_eq!(response.status, 201, "{i}: {}", response.body);
    }
    assert_eq!(from("198.51.100.7", "b@nybil.example").await.status, 429);
    app.advance(HOUR);
    assert_eq!(from("198.51.100.7", "b@nybil.example").await.status, 201);
    assert_eq!(from("192.0.2.4", CLERK).await.status, 201);
}
