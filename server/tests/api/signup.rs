//! Sign-up: a corporation registers itself, and nobody learns from it who has an account.

use crate::app::{ADMIN, Answer, CLERK, PASSWORD, SUPER_ADMIN, TestApp};
use crate::sameness::see;
use forecourt::clock::HOUR;
use forecourt::mail::{self, MailMessage};
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

#[tokio::test]
async fn a_corporation_that_registers_waits_until_it_is_switched_on() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example"]).await;
    let answer = signup(&app, form(" Ada@NyBil.example ")).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    assert_eq!(answer.body, json!({"success": true, "message": text::SIGNUP_RECEIVED}));

    let mails = mails(&app, 2).await;
    assert!(mail_to(&mails, NEW).text.contains("Thank you for registering with"));
    let notice = mail_to(&mails, SUPER_ADMIN);
    assert!(
        notice.text.contains("https://cars.example/dashboard/corporations?search=Ny+%26+Bil+AB"),
        "{}",
        notice.text
    );

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

    let login = json!({"email": NEW, "password": PASSWORD, "deviceId": "d"});
    let refused = app.post("/api/auth/login", None, login).await;
    assert_eq!((refused.status.as_u16(), &refused.body["message"]), (403, &json!(text::SWITCHED_OFF)));
    app.db().sql("UPDATE corporations SET active = TRUE WHERE name = 'Ny & Bil AB'").exec().await.unwrap();
    let token = app.sign_in(NEW).await;
    assert_eq!(app.get("/api/contacts", Some(&token)).await.status, 200);
    assert_eq!(app.get("/api/corporations", Some(&token)).await.status, 403);
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
    assert_eq!(waiting, 3, "two about the new corporation, one to the e-mail's owner");
    let mails = mails(&app, 3).await;
    let told = mail_to(&mails, CLERK);
    assert!(told.text.starts_with("Hello Ada,") && told.text.contains("has an account already"), "{}", told.text);
    assert!(told.text.contains("/forgot-password"), "{}", told.text);
    assert!(!told.text.contains("Ny & Bil"), "a stranger's words are not passed on");
    let login = json!({"email": CLERK, "password": PASSWORD, "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, login).await.status, 200, "the account is as it was");
}

#[tokio::test]
async fn a3_registering_takes_the_same_whether_or_not_the_email_is_taken() {
    let node = TestApp::start().await.another_node().await;
    let free = see(&node, async || signup(&node, form(NEW)).await).await;
    let taken = see(&node, async || signup(&node, form(CLERK)).await).await;
    assert_eq!((free.status, free.hashes, free.statements), (taken.status, taken.hashes, taken.statements));
    assert_eq!((&free.headers, &free.body), (&taken.headers, &taken.body));
    assert_eq!((free.status, free.hashes), (201, 1));
    assert_eq!((free.queued, taken.queued), (2, 1), "one mail to whom the email belongs, and the notice");
}

#[tokio::test]
async fn of_those_that_register_one_email_at_once_one_makes_a_corporation() {
    let app = TestApp::start().await;
    for round in 0..10 {
        app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        let before = rows(&app).await;
        let email = format!("ada{round}@nybil.example");
        let answers = join_all((0..3).map(|_| signup(&app, form(&email)))).await;
        assert!(answers.iter().all(|a| a.status == 201 && a.body == answers[0].body), "{answers:?}");
        let made: Vec<i64> = rows(&app).await.iter().zip(&before).map(|(after, before)| after - before).collect();
        assert_eq!(made, [1, 1, 3, 1], "round {round}");
    }
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
    assert_eq!(signup(&app, form).await.status, 201);
    let row: (String, bool, bool, bool) = app
        .db()
        .sql(
            "SELECT u.user_type, c.active, c.is_platform, u.email_verified_at IS NOT NULL FROM users u \
             JOIN corporations c ON c.corp_id = u.corp_id WHERE u.email = $1",
        )
        .bind(NEW)
        .one()
        .await
        .unwrap();
    assert_eq!(row, ("Admin".into(), false, false, false));
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
