//! Helpers that several tests share: signing in, waiting, users and roles.

use crate::app::{ADMIN, Answer, PASSWORD, READER, TestApp};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use uuid::Uuid;

/// The device id in tests that need only one device per user.
pub const DEVICE: &str = "device-1";

/// An email address without an account.
pub const UNKNOWN: &str = "nobody@at.all.example";

pub async fn login_on(app: &TestApp, email: &str, password: &str, device: &str, remember: bool) -> Answer {
    let form = json!({"email": email, "password": password, "deviceId": device, "deviceName": "Firefox on Linux",
        "rememberMe": remember});
    app.post("/api/auth/login", None, form).await
}

pub async fn login(app: &TestApp, email: &str, password: &str) -> Answer {
    login_on(app, email, password, DEVICE, false).await
}

pub async fn verify(app: &TestApp, email: &str, otp: &str, device: &str) -> Answer {
    app.post("/api/auth/verify-otp", None, json!({"email": email, "otp": otp, "deviceId": device})).await
}

pub async fn resend(app: &TestApp, email: &str, device: &str) -> Answer {
    app.post("/api/auth/resend-otp", None, json!({"email": email, "deviceId": device, "deviceName": "x"})).await
}

pub async fn forgot(app: &TestApp, email: &str) -> Answer {
    app.post("/api/auth/forgot-password", None, json!({"email": email})).await
}

pub async fn reset(app: &TestApp, token: &str, password: &str) -> Answer {
    app.post("/api/auth/reset-password", None, json!({"token": token, "password": password})).await
}

pub async fn refresh(app: &TestApp, token: &str) -> Answer {
    app.post("/api/auth/refresh-token", None, json!({"refreshToken": token})).await
}

/// Signs in with the right password, and returns the mailed code.
pub async fn code(app: &TestApp, email: &str, device: &str, remember: bool) -> String {
    let before = app.mails(email).len();
    let answer = login_on(app, email, PASSWORD, device, remember).await;
    let seen = (answer.status, &answer.body["requiresVerification"]);
    assert_eq!(seen, (StatusCode::OK, &json!(true)), "{}", answer.body);
    app.next_code(email, before).await
}

/// Signs in on a device that is remembered.
pub async fn remember(app: &TestApp, email: &str, device: &str) -> Answer {
    let otp = code(app, email, device, true).await;
    let answer = verify(app, email, &otp, device).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer
}

/// Requests a reset link, and returns its token.
pub async fn reset_token(app: &TestApp, email: &str) -> String {
    let before = app.mails(email).len();
    let answer = forgot(app, email).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    link_token(&app.next_mail(email, before).await)
}

/// Returns the token of the reset link in a raw mail.
pub fn link_token(mail: &str) -> String {
    // Undo quoted-printable's soft line breaks and encoded equals signs (RFC 2045, 6.7).
    let mail = mail.replace("\r\n", "\n").replace("=\n", "").replace("=3D", "=");
    let token = mail.lines().find_map(|line| line.split_once("/reset-password?token=").map(|(_, token)| token));
    token.unwrap_or_else(|| panic!("no link in {mail}")).trim().to_owned()
}

/// Returns the access token and the refresh token of a sign-in.
pub fn tokens(answer: &Answer) -> (String, String) {
    let tokens = &answer.body["data"]["tokens"];
    let text = |name: &str| tokens[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", answer.body)).to_owned();
    (text("accessToken"), text("refreshToken"))
}

/// Returns whether the session of this access token is active.
pub async fn works(app: &TestApp, access: &str) -> bool {
    let answer = app.get("/api/auth/profile/detail", Some(access)).await;
    let over = answer.body["message"] == forecourt_core::text::SESSION_ENDED;
    assert!(answer.status == 200 || (answer.status == 401 && over), "{}", answer.body);
    answer.status == 200
}

/// Returns a code that differs from this one.
pub fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Sends the same request `times` times at once, each with another client address. The server must trust 127.0.0.1 as a
/// proxy.
pub async fn at_once(app: &TestApp, path: &str, body: &Value, times: usize) -> Vec<Answer> {
    let calls = (0..times).map(|i| {
        let request = app.request(Method::POST, path, None).json(body);
        app.send(request.header("x-forwarded-for", format!("10.{}.{}.1", i / 250, i % 250)))
    });
    futures_util::future::join_all(calls).await
}

/// Asserts that the response is an error with this status and message.
pub fn assert_refused(answer: &Answer, status: u16, message: &str) {
    let seen = (answer.status.as_u16(), &answer.body["success"], &answer.body["message"]);
    assert_eq!(seen, (status, &json!(false), &json!(message)), "{}", answer.body);
}

/// Asserts that the response is a 429 with this `Retry-After`.
pub fn assert_throttled(answer: &Answer, seconds: u64) {
    assert_eq!(answer.status, 429, "{}", answer.body);
    assert_eq!(answer.headers["retry-after"], seconds.to_string().as_str());
}

/// Advances tokio's clock for all timers of this test, including those of the server and its jobs.
pub async fn skip(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// Polls until the condition is true, for at most a minute, because the machine may be busy.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    // Real time, which [`skip`] does not advance.
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !is_so().await {
        assert!(std::time::Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Runs `once` until three runs took less than `within`. Panics after fifteen runs; some may be slow because the
/// machine is busy.
pub async fn is_quick(what: &str, within: Duration, mut once: impl AsyncFnMut()) {
    let mut times = Vec::new();
    while times.iter().filter(|time| **time < within).count() < 3 {
        assert!(times.len() < 15, "{what}: {times:?}");
        let begun = std::time::Instant::now();
        once().await;
        times.push(begun.elapsed());
    }
    println!("{what}: {times:?}");
}

/// Renames a table, so that all statements with it fail.
pub async fn take_away(app: &TestApp, table: &str) {
    rename(app, table, "taken_away").await;
}

/// Restores a table that [`take_away`] renamed.
pub async fn give_back(app: &TestApp, table: &str) {
    rename(app, "taken_away", table).await;
}

async fn rename(app: &TestApp, from: &str, to: &str) {
    let text = format!("ALTER TABLE {from} RENAME TO {to}");
    app.db().sql(Box::leak(text.into_boxed_str())).exec().await.unwrap();
}

/// Returns the count that a statement selects.
pub async fn count(app: &TestApp, text: &'static str) -> i64 {
    app.db().sql(text).one::<(i64,)>().await.unwrap().0
}

pub async fn put(app: &TestApp, path: &str, token: &str, body: Value) -> Answer {
    app.send(app.request(Method::PUT, path, Some(token)).json(&body)).await
}

pub async fn delete(app: &TestApp, path: &str, token: &str) -> Answer {
    app.send(app.request(Method::DELETE, path, Some(token))).await
}

pub async fn user_id(app: &TestApp, email: &str) -> Uuid {
    app.db().sql("SELECT user_id FROM users WHERE email = $1").bind(email.to_owned()).one::<(Uuid,)>().await.unwrap().0
}

pub async fn role_id(app: &TestApp, name: &str) -> Uuid {
    app.db().sql("SELECT role_id FROM roles WHERE name = $1").bind(name.to_owned()).one::<(Uuid,)>().await.unwrap().0
}

/// Returns a line of a permission matrix.
pub fn line(resource: &str, [can_read, can_create, can_update, can_delete]: [bool; 4]) -> Value {
    json!({"resource_id": resource, "can_read": can_read, "can_create": can_create, "can_update": can_update,
        "can_delete": can_delete})
}

/// Creates a role of Nordbil with this matrix.
pub async fn role(app: &TestApp, admin: &str, name: &str, matrix: &[Value]) -> Uuid {
    let made = app.post("/api/rbac/roles", Some(admin), json!({"name": name, "description": "For a test"})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let id: Uuid = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
    let path = format!("/api/rbac/roles/{id}/permissions");
    let set = app.post(&path, Some(admin), json!({"permissions": matrix})).await;
    assert_eq!(set.status, 200, "{}", set.body);
    id
}

/// Returns the form of a user.
pub fn person(email: &str, user_type: &str, role: Option<Uuid>) -> Value {
    json!({"first_name": "Åsa", "last_name": "Öberg", "email": email, "user_type": user_type,
        "role_id": role.map(|role| role.to_string()).unwrap_or_default()})
}

/// Returns the form of a new user, with a password.
pub fn newcomer(email: &str, user_type: &str, role: Option<Uuid>) -> Value {
    let mut person = person(email, user_type, role);
    person["password"] = json!(PASSWORD);
    person
}

/// Gives Nordbil's READER a role that may manage users and roles, and read contacts. Returns the access tokens of the
/// Admin and of the READER.
pub async fn deputy(app: &TestApp) -> (String, String) {
    for resource in ["users", "roles"] {
        app.db()
            .sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)")
            .bind(app.nordbil)
            .bind(resource)
            .exec()
            .await
            .unwrap();
    }
    let admin = app.sign_in(ADMIN).await;
    let all = [true; 4];
    let matrix = [line("users", all), line("roles", all), line("contacts", [true, false, false, false])];
    let role = role(app, &admin, "Deputy", &matrix).await;
    let path = format!("/api/users/{}", user_id(app, READER).await);
    let given = put(app, &path, &admin, person(READER, "User", Some(role))).await;
    assert_eq!(given.status, 200, "{}", given.body);
    (admin, app.sign_in(READER).await)
}

/// Returns a row as texts by column. The columns are read from the database's schema.
pub async fn row(app: &TestApp, table: &str, key: &str, id: Uuid) -> BTreeMap<String, String> {
    let sql = |text: String| app.db().sql(Box::leak(text.into_boxed_str()));
    let columns = app.db().pick(
        "SELECT name FROM pragma_table_info($1)",
        "SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1",
    );
    let columns: Vec<(String,)> = app.db().sql(columns).bind(table.to_owned()).all().await.unwrap();
    let mut row = BTreeMap::new();
    for (column,) in columns {
        let text = app.db().pick(format!("quote({column})"), format!("coalesce({column}::text, 'NULL')"));
        let value = sql(format!("SELECT {text} FROM {table} WHERE {key} = $1")).bind(id);
        row.insert(column, value.one::<(String,)>().await.unwrap().0);
    }
    row
}

/// Returns the columns in which two rows differ.
pub fn differing(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<String> {
    one.iter().filter(|(column, value)| other.get(*column) != Some(value)).map(|(column, _)| column.clone()).collect()
}

/// Returns the body with an additional field for each column of `row` that is not a documented field, all with this
/// value.
pub fn with_columns(body: &Value, row: &BTreeMap<String, String>, documented: &[&str], value: &Value) -> Value {
    let mut body = body.clone();
    for column in row.keys().filter(|column| !documented.contains(&column.as_str())) {
        body[column] = value.clone();
    }
    body
}

/// Returns values with which a client might try to overwrite any column.
pub fn tried_values() -> [Value; 5] {
    [json!("Super Admin"), json!(Uuid::now_v7().to_string()), json!(1), json!(true), Value::Null]
}
