//! Helpers that several tests share: signing in, waiting, users and roles.

use crate::app::{ADMIN, ApiResponse, PASSWORD, READER, TestApp};
use forecourt::platform::limits::Limit;
use forecourt_core::lists::{Field, fields_of};
use forecourt_core::money::Money;
use forecourt_core::permissions::{CatalogueEntry, modules};
use forecourt_core::settings::Settings;
use forecourt_core::text::SENT_TWICE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use uuid::Uuid;

/// The device id in tests that need only one device per user.
pub const DEVICE: &str = "device-1";

/// Returns the ids of the resources that are modules, in the catalogue's order.
pub fn module_ids() -> Vec<&'static str> {
    modules().map(CatalogueEntry::resource_id).collect()
}

/// An email address without an account.
pub const UNKNOWN: &str = "nobody@at.all.example";

pub async fn login_on(app: &TestApp, email: &str, password: &str, device: &str, remember: bool) -> ApiResponse {
    let form = json!({"email": email, "password": password, "deviceId": device, "deviceName": "Firefox on Linux",
        "rememberMe": remember});
    app.post("/api/auth/login", None, form).await
}

pub async fn login(app: &TestApp, email: &str, password: &str) -> ApiResponse {
    login_on(app, email, password, DEVICE, false).await
}

pub async fn verify(app: &TestApp, email: &str, otp: &str, device: &str) -> ApiResponse {
    app.post("/api/auth/verify-otp", None, json!({"email": email, "otp": otp, "deviceId": device})).await
}

pub async fn resend(app: &TestApp, email: &str, device: &str) -> ApiResponse {
    app.post("/api/auth/resend-otp", None, json!({"email": email, "deviceId": device, "deviceName": "x"})).await
}

pub async fn forgot(app: &TestApp, email: &str) -> ApiResponse {
    app.post("/api/auth/forgot-password", None, json!({"email": email})).await
}

pub async fn reset(app: &TestApp, token: &str, password: &str) -> ApiResponse {
    app.post("/api/auth/reset-password", None, json!({"token": token, "password": password})).await
}

pub async fn refresh(app: &TestApp, token: &str) -> ApiResponse {
    app.post("/api/auth/refresh-token", None, json!({"refreshToken": token})).await
}

/// Sends the right password from this device, and returns the mailed code.
pub async fn request_code(app: &TestApp, email: &str, device: &str, remember: bool) -> String {
    let before = app.mails(email).len();
    let response = login_on(app, email, PASSWORD, device, remember).await;
    let seen = (response.status, &response.body["requiresVerification"]);
    assert_eq!(seen, (StatusCode::OK, &json!(true)), "{}", response.body);
    app.next_code(email, before).await
}

/// Signs in with the mailed code on a device that is trusted from then on.
pub async fn remember(app: &TestApp, email: &str, device: &str) -> ApiResponse {
    let otp = request_code(app, email, device, true).await;
    let response = verify(app, email, &otp, device).await;
    assert_eq!(response.status, 200, "{}", response.body);
    response
}

/// Requests a reset link, and returns its token.
pub async fn request_reset_token(app: &TestApp, email: &str) -> String {
    let before = app.mails(email).len();
    let response = forgot(app, email).await;
    assert_eq!(response.status, 200, "{}", response.body);
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
pub fn tokens(response: &ApiResponse) -> (String, String) {
    let tokens = &response.body["data"]["tokens"];
    let text = |name: &str| tokens[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", response.body)).to_owned();
    (text("accessToken"), text("refreshToken"))
}

/// Returns whether the session of this access token is active.
pub async fn is_session_active(app: &TestApp, access: &str) -> bool {
    let response = app.get("/api/auth/profile/detail", Some(access)).await;
    let has_ended = response.body["message"] == forecourt_core::text::SESSION_ENDED.as_str();
    assert!(response.status == 200 || (response.status == 401 && has_ended), "{}", response.body);
    response.status == 200
}

/// Returns a code that differs from this one.
pub fn wrong_code(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Sends the same POST request `times` times at once, each with another address in `X-Forwarded-For`. The server must
/// trust 127.0.0.1 as a proxy.
pub async fn send_at_once(app: &TestApp, path: &str, body: &Value, times: usize) -> Vec<ApiResponse> {
    let requests = (0..times).map(|i| {
        app.send_until_served(move || {
            let request = app.request(Method::POST, path, None).json(body);
            request.header("x-forwarded-for", format!("10.{}.{}.1", i / 250, i % 250))
        })
    });
    futures_util::future::join_all(requests).await
}

/// Asserts that the response is an error with this status and message.
pub fn assert_error(response: &ApiResponse, status: u16, message: &str) {
    let seen = (response.status.as_u16(), &response.body["success"], &response.body["message"]);
    assert_eq!(seen, (status, &json!(false), &json!(message)), "{}", response.body);
}

/// Asserts that a list rejects malformed and repeated query parameters, and a search text that is too long.
pub async fn assert_rejects_invalid_queries(app: &TestApp, token: &str, path: &str) {
    for (query, message) in [
        ("page=two", "'page' must be a whole number"),
        ("limit=1.5", "'limit' must be a whole number"),
        (&format!("search={}", "a".repeat(101)), "Maximum length is 100 characters"),
        ("page=1&page=2", SENT_TWICE.as_str()),
    ] {
        let response = app.get(&format!("{path}?{query}"), Some(token)).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(message)), "{query}");
    }
}

/// Asserts that the response is a 429 whose `Retry-After` is this number of seconds.
pub fn assert_throttled(response: &ApiResponse, seconds: u64) {
    assert_eq!(response.status, 429, "{}", response.body);
    assert_eq!(response.headers["retry-after"], seconds.to_string().as_str());
}

/// Counts as many uses as this limit allows, for every counter that has counted one.
pub async fn use_up(app: &TestApp, limit: Limit) {
    app.db().sql("UPDATE throttles SET uses = $1").bind(limit.uses).exec().await.unwrap();
}

/// Advances tokio's time for all timers of this test, including those of the server and its jobs.
pub async fn advance_time(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// The longest time that tests wait for what the server does in the background: the machine may be very busy.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Polls until the condition is true, for at most [`PATIENCE`].
pub async fn wait_until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    // The deadline is in real time, which [`advance_time`] does not advance.
    let deadline = std::time::Instant::now() + PATIENCE;
    while !condition().await {
        assert!(std::time::Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Renames a table, so that all statements with it fail.
pub async fn break_table(app: &TestApp, table: &str) {
    rename_table(app, table, "taken_away").await;
}

/// Restores a table that [`break_table`] renamed.
pub async fn restore_table(app: &TestApp, table: &str) {
    rename_table(app, "taken_away", table).await;
}

async fn rename_table(app: &TestApp, from: &str, to: &str) {
    let text = format!("ALTER TABLE {from} RENAME TO {to}");
    app.db().sql(leak(text)).exec().await.unwrap();
}

/// Returns the number that this statement selects.
pub async fn count(app: &TestApp, text: &'static str) -> i64 {
    app.db().sql(text).value::<i64>().await.unwrap()
}

/// Returns the number of rows of each of these tables.
pub async fn count_rows(app: &TestApp, tables: &[&str]) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in tables {
        counts.push(count(app, leak(format!("SELECT count(*) FROM {table}"))).await);
    }
    counts
}

/// Returns the value of a field in the JSON of a record; null if it has none.
pub fn value_of<'a>(field: &Field, record: &'a Value) -> &'a Value {
    field.path().into_iter().fold(record, |json, name| &json[name])
}

/// As [`value_of`], for the field with this name. A list does not have all that the history records.
pub fn value_named<'a>(list: &str, name: &str, record: &'a Value) -> &'a Value {
    let field = fields_of(list).unwrap().iter().find(|field| field.name == name);
    field.map_or(&record[name], |field| value_of(field, record))
}

/// Returns the settings of the corporation of the user with this email.
pub async fn stored_settings(app: &TestApp, email: &str) -> Settings {
    let sql = "SELECT c.country, c.currency, c.vat_rate FROM corporations c \
               JOIN users u ON u.corp_id = c.corp_id WHERE u.email = $1";
    let (country, currency, vat_rate): (String, String, i64) =
        app.db().sql(sql).bind(email.to_owned()).one().await.unwrap();
    Settings { country, currency, vat_rate: Money::from_pence(vat_rate).unwrap() }
}

/// Returns the current record that a 409 response to a stale update contains, without `last_change`.
pub fn present_in(conflict: &ApiResponse) -> Value {
    let mut data = conflict.body["data"].clone();
    assert!(data.as_object_mut().unwrap().remove("last_change").is_some(), "{data}");
    data
}

/// Creates a record with this form, and returns its path.
pub async fn create_record(app: &TestApp, token: &str, path: &str, form: Value, id_field: &str) -> String {
    let response = app.post(path, Some(token), form).await;
    assert_eq!(response.status, 201, "{}", response.body);
    format!("{path}/{}", response.body["data"][id_field].as_str().unwrap())
}

/// Returns the record at this path.
pub async fn read_record(app: &TestApp, token: &str, path: &str) -> Value {
    let response = app.get(path, Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)), "{}", response.body);
    response.body["data"].clone()
}

/// Returns the form with another value in one field.
pub fn with_field(mut form: Value, field: &str, value: impl Into<Value>) -> Value {
    form[field] = value.into();
    form
}

/// Lists records, and returns one field of each, and the response body.
pub async fn list_field(
    app: &TestApp,
    token: &str,
    path: &str,
    query: &[(&str, &str)],
    field: &str,
) -> (Vec<String>, Value) {
    let response = app.send(app.request(Method::GET, path, Some(token)).query(query)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)), "{query:?}");
    let data = response.body["data"].as_array().unwrap();
    (data.iter().map(|record| record[field].as_str().unwrap().to_owned()).collect(), response.body)
}

pub async fn put(app: &TestApp, path: &str, token: &str, body: Value) -> ApiResponse {
    app.send(app.request(Method::PUT, path, Some(token)).json(&body)).await
}

pub async fn delete(app: &TestApp, path: &str, token: &str) -> ApiResponse {
    app.send(app.request(Method::DELETE, path, Some(token))).await
}

pub async fn user_id(app: &TestApp, email: &str) -> Uuid {
    app.db().sql("SELECT user_id FROM users WHERE email = $1").bind(email.to_owned()).value::<Uuid>().await.unwrap()
}

pub async fn role_id(app: &TestApp, name: &str) -> Uuid {
    app.db().sql("SELECT role_id FROM roles WHERE name = $1").bind(name.to_owned()).value::<Uuid>().await.unwrap()
}

/// Inserts a copy of the user `from` with another email address and type, and returns its id.
pub async fn copy_user(app: &TestApp, from: &str, email: &str, user_type: &str) -> Uuid {
    let id = Uuid::now_v7();
    let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, \
                password_hash, created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, mobile, $3, \
                role_id, password_hash, 0, 0 FROM users WHERE email = $4";
    let sql = app.db().sql(copy).bind(id).bind(email.to_owned()).bind(user_type.to_owned()).bind(from.to_owned());
    assert_eq!(sql.exec().await.unwrap(), 1);
    id
}

/// Returns the line of a role's permission matrix for this resource.
pub fn permission_line(resource: &str, [can_read, can_create, can_update, can_delete]: [bool; 4]) -> Value {
    json!({"resource_id": resource, "can_read": can_read, "can_create": can_create, "can_update": can_update,
        "can_delete": can_delete})
}

/// Creates a role with this permission matrix as the user `admin`, and returns its id.
pub async fn create_role(app: &TestApp, admin: &str, name: &str, matrix: &[Value]) -> Uuid {
    let made = app.post("/api/rbac/roles", Some(admin), json!({"name": name, "description": "For a test"})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let id: Uuid = made.body["data"]["role_id"].as_str().unwrap().parse().unwrap();
    let path = format!("/api/rbac/roles/{id}/permissions");
    let set = app.post(&path, Some(admin), json!({"permissions": matrix})).await;
    assert_eq!(set.status, 200, "{}", set.body);
    id
}

/// Returns the form with which a user is changed, without a password.
pub fn user_form(email: &str, user_type: &str, role: Option<Uuid>) -> Value {
    json!({"first_name": "Åsa", "last_name": "Öberg", "email": email, "user_type": user_type,
        "role_id": role.map(|role| role.to_string()).unwrap_or_default()})
}

/// Returns the form of a new user, with a password.
pub fn new_user_form(email: &str, user_type: &str, role: Option<Uuid>) -> Value {
    let mut user_form = user_form(email, user_type, role);
    user_form["password"] = json!(PASSWORD);
    user_form
}

/// Gives Nordbil's READER a role that may manage users and roles, and read contacts. Returns the access tokens of the
/// Admin and of the READER.
pub async fn create_deputy(app: &TestApp) -> (String, String) {
    let admin = app.sign_in(ADMIN).await;
    let all = [true; 4];
    let matrix = [
        permission_line("users", all),
        permission_line("roles", all),
        permission_line("contacts", [true, false, false, false]),
    ];
    let role = create_role(app, &admin, "Deputy", &matrix).await;
    let path = format!("/api/users/{}", user_id(app, READER).await);
    let given = put(app, &path, &admin, user_form(READER, "User", Some(role))).await;
    assert_eq!(given.status, 200, "{}", given.body);
    (admin, app.sign_in(READER).await)
}

/// Leaks a text, because `Db::sql` takes only statements with a static lifetime.
pub fn leak(text: String) -> &'static str {
    text.leak()
}

/// Returns the row whose column `key` has this id: each value as text, by column. Reads the columns from the schema.
pub async fn read_row(app: &TestApp, table: &str, key: &str, id: Uuid) -> BTreeMap<String, String> {
    let sql = |text: String| app.db().sql(leak(text));
    let columns = app.db().pick(
        "SELECT name FROM pragma_table_info($1)",
        "SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1",
    );
    let columns: Vec<String> = app.db().sql(columns).bind(table.to_owned()).values().await.unwrap();
    let mut row = BTreeMap::new();
    for column in columns {
        let text = app.db().pick(format!("quote({column})"), format!("coalesce({column}::text, 'NULL')"));
        let value = sql(format!("SELECT {text} FROM {table} WHERE {key} = $1")).bind(id).value::<String>();
        row.insert(column, value.await.unwrap());
    }
    row
}

/// Returns the columns in which two rows differ.
pub fn differing_columns(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<String> {
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

/// Returns values that a client might send in undocumented fields to overwrite a column.
pub fn injected_values() -> [Value; 5] {
    [json!("Super Admin"), json!(Uuid::now_v7().to_string()), json!(1), json!(true), Value::Null]
}
