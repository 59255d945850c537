//! Sign-up: a corporation registers itself, and nobody learns from it who has an account.

use crate::app::{ADMIN, Answer, CLERK, PASSWORD, SUPER_ADMIN, TestApp};
use crate::sameness::see;
use crate::steps::{assert_refused, newcomer, role_id};
use forecourt::platform::clock::{DAY, HOUR};
use forecourt::platform::mail::{self, MailMessage};
use forecourt_core::auth::text;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const NEW: &str = "ada@nybil.example";

fn form(email: &str) -> Value {
    json!({
        "first_name": " Ada ", "last_name": "Lind", "email": email, "mobile": "070 1", "password": PASSWORD,
        "organization_number": "559360-9844", "corp_name": "Ny & Bil AB", "street_address": "Storgatan 1",
        "registered_city": "Umeå", "postal_code": "903 26", "city": "Ersmark", "company_email": "info@nybil.example",
        "company_phone": "090 12 34 56",
    })
}

async fn signup(app: &TestApp, form: Value) -> Answer {
    app.post("/api/auth/signup", None, form).await
}

/// The rows of every table that a registration writes to.
async fn rows(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for text in [
        "SELECT count(*) FROM corporations",
        "SELECT count(*) FROM organizations",
        "SELECT count(*) FROM corporation_resources",
        "SELECT count(*) FROM users",
    ] {
        counts.push(app.db().sql(text).one::<(i64,)>().await.unwrap().0);
    }
    counts
}

/// The mails of the outbox, the oldest first, once there are so many.
async fn mails(app: &TestApp, count: usize) -> Vec<MailMessage> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let mut mails = mail::outbox(&app.app).await.unwrap();
        if mails.len() >= count {
            mails.reverse();
            assert_eq!(mails.len(), count);
            return mails;
        }
        assert!(Instant::now() < deadline, "{} mails came", mails.len());
        sleep(Duration::from_millis(10)).await;
    }
}

fn mail_to<'a>(mails: &'a [MailMessage], email: &str) -> &'a MailMessage {
    mails.iter().find(|m| m.to == email).unwrap()
}

/// The token of the newest mail to this address that has a link to confirm a sign-up.
fn token_for(mails: &[MailMessage], email: &str) -> String {
    let lines = mails.iter().rev().filter(|m| m.to == email).flat_map(|m| m.text.lines());
    let mut tokens = lines.filter_map(|line| line.split_once("/verify-email?token="));
    tokens.next().unwrap_or_else(|| panic!("no link to {email}")).1.to_owned()
}

/// Signs up, and returns the token of the mailed link.
async fn signed_up(app: &TestApp, form: Value) -> String {
    let before = mail::outbox(&app.app).await.unwrap().len();
    let answer = signup(app, form.clone()).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    let email = form["email"].as_str().unwrap().trim().to_lowercase();
    token_for(&mails(app, before + 1).await, &email)
}

async fn confirm(app: &TestApp, token: &str) -> Answer {
    app.post("/api/auth/verify-email", None, json!({"token": token})).await
}

/// Signs up, and confirms it.
pub async fn registered(app: &TestApp, form: Value) {
    let token = signed_up(app, form).await;
    let answer = confirm(app, &token).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (200, &json!(text::EMAIL_CONFIRMED)));
}

async fn login(app: &TestApp, email: &str, password: &str) -> Answer {
    app.post("/api/auth/login", None, json!({"email": email, "password": password, "deviceId": "d"})).await
}

async fn waiting(app: &TestApp) -> i64 {
    app.db().sql("SELECT count(*) FROM signups").one::<(i64,)>().await.unwrap().0
}

#[tokio::test]
async fn v8_a_sign_up_becomes_a_corporation_once_its_mailed_link_is_opened() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example"]).await;
    let before = rows(&app).await;
    let answer = signup(&app, form(" Ada@NyBil.example ")).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    assert_eq!(answer.body, json!({"success": true, "message": text::SIGNUP_RECEIVED}));
    let sent = mails(&app, 1).await;
    let own = mail_to(&sent, NEW);
    assert!(own.text.contains("https://cars.example/verify-email?token=") && own.text.contains("24 hours"));
    assert!(!own.text.contains("Ny & Bil"), "a stranger's words are not passed on");
    assert_eq!((rows(&app).await, waiting(&app).await), (before, 1), "until then nothing is registered");

    let confirmed = confirm(&app, &token_for(&sent, NEW)).await;
    assert_eq!(confirmed.body, json!({"success": true, "message": text::EMAIL_CONFIRMED}));
    assert_eq!(waiting(&app).await, 0);
    let notice = mail_to(&mails(&app, 2).await, SUPER_ADMIN).text.clone();
    assert!(notice.contains("https://cars.example/dashboard/corporations?search=Ny+%26+Bil+AB"), "{notice}");

    let platform = app.sign_in(SUPER_ADMIN).await;
    let list = app.get("/api/corporations?search=ny%20%26", Some(&platform)).await;
    let corp = &list.body["data"][0];
    assert_eq!((&corp["corp_name"], &corp["corp_active"]), (&json!("Ny & Bil AB"), &json!(false)));
    assert_eq!(corp["allowed_resources"], json!(["customers", "invoices", "contacts"]));
    assert_eq!((&corp["organization_number"], &corp["city"]), (&json!("559360-9844"), &json!("Ersmark")));
    assert_eq!(
        (&corp["company_email"], &corp["company_phone"]),
        (&json!("info@nybil.example"), &json!("090 12 34 56"))
    );
    assert_eq!((&corp["corp_contact_name"], &corp["corp_contact_email"]), (&json!("Ada Lind"), &json!(NEW)));
    let users =
        app.get(&format!("/api/corporations/{}/users", corp["corp_id"].as_str().unwrap()), Some(&platform)).await;
    let user = &users.body["data"][0];
    assert_eq!((&user["type"], &user["mobile"], &user["is_active"]), (&json!("Admin"), &json!("070 1"), &json!(true)));

    let refused = login(&app, NEW, PASSWORD).await;
    assert_eq!((refused.status.as_u16(), &refused.body["message"]), (403, &json!(text::ACCOUNT_DISABLED)));
    app.db().sql("UPDATE corporations SET active = TRUE WHERE name = 'Ny & Bil AB'").exec().await.unwrap();
    let token = app.sign_in(NEW).await;
    assert_eq!(app.get("/api/contacts", Some(&token)).await.status, 200);
    assert_eq!(app.get("/api/corporations", Some(&token)).await.status, 403);
}

#[tokio::test]
async fn v8_an_unconfirmed_sign_up_reserves_neither_email_nor_number() {
    let app = TestApp::start().await;
    let late = signed_up(&app, form(NEW)).await;
    let other = signed_up(&app, form("bo@nybil.example")).await;
    // An Admin creates a user with the one's e-mail, the platform registers the number with the other's.
    let admin = app.sign_in(ADMIN).await;
    let user = newcomer(NEW, "User", Some(role_id(&app, "Clerk").await));
    let made = app.post("/api/users", Some(&admin), user).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let refused = confirm(&app, &late).await;
    assert_refused(&refused, 409, text::VERIFY_EMAIL_TAKEN);

    let platform = app.sign_in(SUPER_ADMIN).await;
    let mut corporation = form("");
    corporation["admin_data"] =
        json!({"first_name": "Bo", "last_name": "Ek", "email": "bo@nybil.example", "phone": "1", "password": PASSWORD});
    let made = app.post("/api/orgs/register", Some(&platform), corporation).await;
    assert_eq!(made.status, 201, "{}", made.body);
    for token in [&late, &other] {
        assert_refused(&confirm(&app, token).await, 409, text::VERIFY_NUMBER_TAKEN);
    }
}

#[tokio::test]
async fn v8_of_sign_ups_with_one_email_or_number_the_first_that_is_confirmed_wins() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    for round in 0..4 {
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let email = |i: usize| format!("ada{round}{}@nybil.example", if round % 2 == 0 { 0 } else { i });
        let mut tokens = Vec::new();
        for i in 0..3 {
            let mut form = form(&email(i));
            // By turns one e-mail with three numbers, and one number with three e-mails.
            form["organization_number"] = json!(format!("{round}-{}", if round % 2 == 0 { i } else { 0 }));
            tokens.push(signed_up(&app, form).await);
        }
        let before = rows(&app).await;
        let confirming = tokens.iter().enumerate().map(|(i, token)| confirm(if i == 1 { &node } else { &app }, token));
        let answers = join_all(confirming).await;
        let lost = if round % 2 == 0 { text::VERIFY_EMAIL_TAKEN } else { text::VERIFY_NUMBER_TAKEN };
        assert_eq!(answers.iter().filter(|a| a.status == 200).count(), 1, "round {round}: {answers:?}");
        for answer in answers.iter().filter(|a| a.status != 200) {
            assert_refused(answer, 409, lost);
        }
        let made: Vec<i64> = rows(&app).await.iter().zip(&before).map(|(after, before)| after - before).collect();
        assert_eq!(made, [1, 1, 3, 1], "round {round}");
        // The notice to the platform's administrator, so that the next mails are those of the next round.
        mails(&app, (round + 1) * 4).await;
    }
}

#[tokio::test]
async fn v8_a_link_confirms_once_and_for_24_hours() {
    let app = TestApp::start().await;
    for bad in ["", "unknown", &"x".repeat(43)] {
        assert_refused(&confirm(&app, bad).await, 400, text::VERIFY_LINK_INVALID);
    }
    let (first, second) = (signed_up(&app, form(NEW)).await, signed_up(&app, form("bo@nybil.example")).await);
    app.pass(DAY - 1);
    let answers = join_all((0..8).map(|_| confirm(&app, &first))).await;
    assert_eq!(answers.iter().filter(|a| a.status == 200).count(), 1);
    for answer in answers.iter().filter(|a| a.status != 200) {
        assert_refused(answer, 400, text::VERIFY_LINK_INVALID);
    }
    app.pass(1);
    assert_refused(&confirm(&app, &second).await, 400, text::VERIFY_LINK_INVALID);
}

#[tokio::test]
async fn v8_a_sign_up_that_is_not_confirmed_is_deleted_after_seven_days() {
    let app = TestApp::start().await;
    signed_up(&app, form(NEW)).await;
    app.pass(7 * DAY - 1);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!(waiting(&app).await, 1);
    assert_refused(&login(&app, NEW, PASSWORD).await, 403, text::EMAIL_UNCONFIRMED);
    app.pass(1);
    forecourt::features::auth::sweep(&app.app).await.unwrap();
    assert_eq!(waiting(&app).await, 0);
    assert_refused(&login(&app, NEW, PASSWORD).await, 401, text::WRONG_CREDENTIALS);
}

#[tokio::test]
async fn v8_only_the_password_of_an_unconfirmed_sign_up_tells_that_it_waits() {
    let node = TestApp::start().await.another_node().await;
    let sign_up_with = async |email: &str, password: &str| {
        let mut form = form(email);
        form["password"] = json!(password);
        assert_eq!(signup(&node, form).await.status, 201);
    };
    sign_up_with(NEW, "first-password").await;
    sign_up_with(NEW, "another-password").await;
    // The e-mail of an account: whoever signed up with it must not learn that it is one.
    sign_up_with(CLERK, "another-password").await;
    for (password, status) in [("guess", 401), ("first-password", 401), ("another-password", 403)] {
        let of_free = see(&node, async || login(&node, NEW, password).await).await;
        let of_taken = see(&node, async || login(&node, CLERK, password).await).await;
        assert_eq!(of_free, of_taken, "{password}");
        assert_eq!((of_free.status, of_free.hashes), (status, 2), "{password}");
    }
    let right = login(&node, CLERK, PASSWORD).await;
    assert_eq!(right.status, 200, "the account is as it was: {}", right.body);
}

#[tokio::test]
async fn v8_the_database_shows_nothing_of_a_sign_up_that_waits() {
    let app = TestApp::start().await;
    let token = signed_up(&app, form(NEW)).await;
    let row: (Vec<u8>, Vec<u8>, Vec<u8>) =
        app.db().sql("SELECT token_hash, email_key, sealed FROM signups").one().await.unwrap();
    for secret in [token.as_str(), NEW, "Ny & Bil", "argon2id", "559360", PASSWORD] {
        for bytes in [&row.0, &row.1, &row.2] {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "{secret}");
        }
    }
}

#[tokio::test]
async fn a3_a_taken_email_gets_the_same_answer_and_nothing_is_made() {
    let app = TestApp::start().await;
    let free = signup(&app, form(NEW)).await;
    let before = rows(&app).await;
    let taken = signup(&app, form("CLERK@nordbil.example")).await;
    assert_eq!((free.status, &free.body), (taken.status, &taken.body));
    let names = |answer: &Answer| answer.headers.keys().map(|k| k.as_str().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&free), names(&taken));
    assert_eq!(rows(&app).await, before);
    let (waiting,): (i64,) = app.db().sql("SELECT count(*) FROM messages").one().await.unwrap();
    assert_eq!(waiting, 2, "one to whoever signed up, one to the e-mail's owner");
    let mails = mails(&app, 2).await;
    let told = mail_to(&mails, CLERK);
    assert!(told.text.starts_with("Hello Ada,") && told.text.contains("already have an account"), "{}", told.text);
    assert!(told.text.contains("/forgot-password") && !told.text.contains("/verify-email"), "{}", told.text);
    assert!(!told.text.contains("Ny & Bil"), "a stranger's words are not passed on");
    let login = json!({"email": CLERK, "password": PASSWORD, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, login).await.status, 200, "the account is as it was");
}

#[tokio::test]
async fn a3_registering_takes_the_same_whether_or_not_the_email_is_taken() {
    let node = TestApp::start().await.another_node().await;
    let free = see(&node, async || signup(&node, form(NEW)).await).await;
    let taken = see(&node, async || signup(&node, form(CLERK)).await).await;
    assert_eq!(free, taken);
    assert_eq!((free.status, free.hashes, free.queued), (201, 1, 1));
}

#[tokio::test]
async fn a_registration_without_person_or_organisation_is_refused() {
    let app = TestApp::start().await;
    let before = rows(&app).await;
    let fields = ["first_name", "email", "password", "organization_number", "corp_name", "company_email"];
    for missing in fields {
        let mut form = form(NEW);
        form.as_object_mut().unwrap().remove(missing);
        let refused = signup(&app, form).await;
        assert_eq!((refused.status.as_u16(), refused.body["fields"][missing].is_array()), (400, true), "{missing}");
    }
    let person = json!({"first_name": "Ada", "last_name": "Lind", "email": NEW, "password": PASSWORD});
    assert_eq!(signup(&app, person).await.body["message"], "Organization Number is required");
    assert_eq!(rows(&app).await, before);
}

#[tokio::test]
async fn p3_what_a_registration_does_not_ask_for_is_not_taken() {
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
    registered(&app, form).await;
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
    assert_eq!(row, ("Admin".into(), false, false, app.app.clock.now()), "the link has proved the mailbox just now");
    let (resources,): (i64,) = app
        .db()
        .sql(
            "SELECT count(*) FROM corporation_resources r JOIN users u ON u.corp_id = r.corp_id \
             WHERE u.email = $1 AND r.resource_id NOT IN ('customers', 'invoices', 'contacts')",
        )
        .bind(NEW)
        .one()
        .await
        .unwrap();
    assert_eq!(resources, 0);
}

#[tokio::test]
async fn where_registration_is_closed_nobody_registers_whatever_they_send() {
    let app = TestApp::start_with(&["--signup", "off"]).await;
    let before = rows(&app).await;
    for body in [form(NEW), form(ADMIN), json!({})] {
        let refused = signup(&app, body).await;
        assert_eq!((refused.status.as_u16(), &refused.body["message"]), (403, &json!(text::SIGNUP_OFF)));
    }
    assert_refused(&confirm(&app, "x").await, 403, text::SIGNUP_OFF);
    assert_eq!(rows(&app).await, before);
}

#[tokio::test]
async fn registrations_are_counted_for_each_email_and_each_address() {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let from = async |address: &str, email: &str| {
        let request = app.request(Method::POST, "/api/auth/signup", None).header("x-forwarded-for", address);
        app.send(request.json(&form(email))).await
    };
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        assert_eq!(from(address, CLERK).await.status, 201);
    }
    let refused = from("192.0.2.4", "Clerk@Nordbil.example").await;
    assert_eq!((refused.status.as_u16(), &refused.headers["retry-after"]), (429, &"3600".parse().unwrap()));
    for i in 0..10 {
        let answer = from("198.51.100.7", &format!("a{i}@nybil.example")).await;
        assert_eq!(answer.status, 201, "{i}: {}", answer.body);
    }
    assert_eq!(from("198.51.100.7", "b@nybil.example").await.status, 429);
    app.pass(HOUR);
    assert_eq!(from("198.51.100.7", "b@nybil.example").await.status, 201);
    assert_eq!(from("192.0.2.4", CLERK).await.status, 201);
}
