//! The steps of signing in, as tests take them.

use crate::app::{Answer, PASSWORD, TestApp};
use reqwest::{Method, StatusCode};
use serde_json::json;

/// Each person's device in tests that need no other.
pub const DEVICE: &str = "device-1";

/// An e-mail that nobody has.
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

/// Gives the right password and reads the code.
pub async fn code(app: &TestApp, email: &str, device: &str, remember: bool) -> String {
    let before = app.mails(email).len();
    let answer = login_on(app, email, PASSWORD, device, remember).await;
    let seen = (answer.status, &answer.body["requiresVerification"]);
    assert_eq!(seen, (StatusCode::OK, &json!(true)), "{}", answer.body);
    app.next_code(email, before).await
}

/// Signs in on a device to be remembered.
pub async fn remember(app: &TestApp, email: &str, device: &str) -> Answer {
    let otp = code(app, email, device, true).await;
    let answer = verify(app, email, &otp, device).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer
}

/// Asks for a reset link and reads its token.
pub async fn reset_token(app: &TestApp, email: &str) -> String {
    let before = app.mails(email).len();
    let answer = forgot(app, email).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    link_token(&app.next_mail(email, before).await)
}

/// The token of the link that stands on a line of its own in a mail as it lies in the outbox.
pub fn link_token(mail: &str) -> String {
    // A soft line break and the equals sign of quoted-printable (RFC 2045, 6.7).
    let mail = mail.replace("\r\n", "\n").replace("=\n", "").replace("=3D", "=");
    let token = mail.lines().find_map(|line| line.split_once("/reset-password?token=").map(|(_, token)| token));
    token.unwrap_or_else(|| panic!("no link in {mail}")).trim().to_owned()
}

/// The access and the refresh token of a sign-in.
pub fn tokens(answer: &Answer) -> (String, String) {
    let tokens = &answer.body["data"]["tokens"];
    let text = |name: &str| tokens[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", answer.body)).to_owned();
    (text("accessToken"), text("refreshToken"))
}

/// Does the session behind this access token live?
pub async fn works(app: &TestApp, access: &str) -> bool {
    let answer = app.get("/api/auth/profile/detail", Some(access)).await;
    let over = answer.body["message"] == forecourt_core::text::SESSION_OVER;
    assert!(answer.status == 200 || (answer.status == 401 && over), "{}", answer.body);
    answer.status == 200
}

/// Another code than this one.
pub fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Sends the same call so many times at once, each from an address of its own; the server has to trust 127.0.0.1 as a
/// proxy.
pub async fn at_once(app: &TestApp, path: &str, body: &serde_json::Value, times: usize) -> Vec<Answer> {
    let calls = (0..times).map(|i| {
        let request = app.request(Method::POST, path, None).json(body);
        app.send(request.header("x-forwarded-for", format!("10.{}.{}.1", i / 250, i % 250)))
    });
    futures_util::future::join_all(calls).await
}

/// Refused as it should be, in one sentence.
pub fn assert_refused(answer: &Answer, status: u16, message: &str) {
    let seen = (answer.status.as_u16(), &answer.body["success"], &answer.body["message"]);
    assert_eq!(seen, (status, &json!(false), &json!(message)), "{}", answer.body);
}

/// Refused for a while, as the header says too.
pub fn assert_throttled(answer: &Answer, seconds: u64) {
    assert_eq!(answer.status, 429, "{}", answer.body);
    assert_eq!(answer.headers["retry-after"], seconds.to_string().as_str());
}

/// How many rows a statement counts.
pub async fn count(app: &TestApp, text: &'static str) -> i64 {
    app.db().sql(text).one::<(i64,)>().await.unwrap().0
}
