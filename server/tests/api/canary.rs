//! Secrets that can't be mistaken for anything else go in by every door, while the program logs all that it can. They
//! must come out nowhere: not in its log, not in an answer that has no business with them, not in a column.

use crate::app::PASSWORD;
use crate::customers::{PATH as CUSTOMERS, SEARCH_PERSON, customer, with};
use crate::provider::{Case, Provider};
use crate::search::{codes_in, columns, forms, is_in};
use crate::talkative::{EMAIL, HttpResponse, LOGIN, PAIR, Program, REFRESH, RESEND, Secret, VERIFY, canary};
use forecourt::platform::clock::{Clock, SECOND};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, header};
use serde_json::{Map, Value, json};

const GOOGLE: &str = "/api/auth/google";
const CALLBACK: &str = "/api/auth/google/callback";
const CONNECT: &str = "/api/auth/google/connect";
const FORGOT: &str = "/api/auth/forgot-password";
const RESET: &str = "/api/auth/reset-password";
const CHANGE: &str = "/api/auth/change-password";
const PROFILE: &str = "/api/auth/profile/update-profile";

impl Program {
    /// Signs in with password and code, wrong ones before the right ones.
    async fn sign_in(&mut self, email: &str, password: &str) -> (String, String) {
        let (device, guess) = (canary("device"), canary("wrong-password"));
        self.hide("a device's id", &device);
        self.hide("a wrong password", &guess);
        assert_eq!(self.login(email, &guess, &device).await.status, 401);
        assert_eq!(self.login(email, password, &device).await.status, 200);
        let _ = self.next_code().await;
        let again = json!({"email": email, "deviceId": device});
        assert_eq!(self.post(RESEND, None, &again).await.status, 429);
        // Half a minute passes.
        let db = self.db().await;
        db.sql("UPDATE login_codes SET sent_at = sent_at - 31000000").exec().await.unwrap();
        assert_eq!(self.post(RESEND, None, &again).await.status, 200);
        let code = self.next_code().await;
        let wrong = crate::steps::wrong(&code);
        let otp = |otp: &str| json!({"email": email, "otp": otp, "deviceId": device});
        assert_eq!(self.post(VERIFY, None, &otp(&wrong)).await.status, 400);
        self.codes.push(wrong);
        let told = self.post(VERIFY, None, &otp(&code)).await;
        assert_eq!(told.status, 200, "{}", told.body["message"]);
        self.tokens(&told)
    }

    /// Spends a refresh token, within the grace and beyond it, which ends the session.
    async fn refresh(&mut self, token: &str) {
        let form = json!({"refreshToken": token});
        let told = self.post(REFRESH, None, &form).await;
        self.tokens(&told);
        assert_eq!(self.post(REFRESH, None, &form).await.status, 200);
        let db = self.db().await;
        db.sql("UPDATE refresh_tokens SET spent_at = spent_at - 11000000").exec().await.unwrap();
        assert_eq!(self.post(REFRESH, None, &form).await.status, 401);
        let unknown = canary("refresh");
        self.hide("an unknown refresh token", &unknown);
        assert_eq!(self.post(REFRESH, None, &json!({"refreshToken": unknown})).await.status, 401);
    }

    /// Chooses a new password by link; gives the token and the password.
    async fn reset(&mut self) -> (String, String) {
        assert_eq!(self.post(FORGOT, None, &json!({"email": EMAIL})).await.status, 200);
        let token = crate::steps::link_token(&self.mail("Reset your password").await);
        let (password, stale) = (canary("reset-password"), canary("link"));
        self.hide("a reset link's token", &token);
        self.hide("a password chosen by link", &password);
        self.hide("an unknown link's token", &stale);
        let form = |token: &str, again: &str| json!({"token": token, "password": password, "confirmPassword": again});
        assert_eq!(self.post(RESET, None, &form(&stale, &password)).await.status, 400);
        assert_eq!(self.post(RESET, None, &form(&token, &canary("other"))).await.status, 400);
        assert_eq!(self.post(RESET, None, &form(&token, &password)).await.status, 200);
        assert_eq!(self.post(RESET, None, &form(&token, &password)).await.status, 400);
        (token, password)
    }

    /// Changes the password, and with it the e-mail.
    async fn change(&mut self, access: &str, password: &str) -> (String, String) {
        let (new, guess, email) = (canary("new-password"), canary("wrong-current"), "boss@platform.example");
        self.hide("a new password", &new);
        self.hide("a wrong current password", &guess);
        for (current, status) in [(guess.as_str(), 400), (password, 200)] {
            let form = json!({"currentPassword": current, "newPassword": new, "confirmPassword": new});
            assert_eq!(self.post(CHANGE, Some(access), &form).await.status, status);
        }
        for (current, status) in [(&guess, 400), (&new, 200)] {
            let form = Form::new().text("first_name", "Ada").text("last_name", "Lindqvist").text("email", email);
            let form = form.text("mobile", "+46 70 123 45 67").text("currentPassword", current.clone());
            let picture = Part::bytes(b"no picture at all".to_vec()).file_name(current.clone());
            let form = if status == 400 { form.part("profileImage", picture) } else { form };
            let request = self.request(Method::POST, PROFILE).bearer_auth(access).multipart(form);
            let told = self.send(PROFILE, request).await;
            assert_eq!(told.status, status, "{}", told.body);
        }
        (email.to_owned(), new)
    }

    /// Goes to the provider and back; gives where the browser lands.
    async fn journey(&mut self, departure: &str, cookies: &str, provider: &Provider) -> HttpResponse {
        let back = provider.agree(departure);
        for (what, name) in [("a provider's code", "code"), ("a journey's state", "state")] {
            let url = url::Url::parse(&format!("{}{back}", self.at)).unwrap();
            let value = url.query_pairs().find(|(n, _)| n == name).unwrap().1.into_owned();
            // The way there carries the state, which is a secret of that one browser.
            self.hide_but(what, &value, &[GOOGLE, CONNECT]);
        }
        self.hide_but("a journey's cookie", cookies.split_once('=').unwrap().1, &[GOOGLE, CONNECT]);
        self.get(CALLBACK, &back, cookies).await
    }

    /// Connects the account with the provider, then signs in there.
    async fn federated(&mut self, access: &str, password: &str, provider: &Provider) {
        let told = self.post(CONNECT, Some(access), &json!({"currentPassword": password})).await;
        let departure = told.body["data"]["url"].as_str().unwrap().to_owned();
        let landed = self.journey(&departure, &told.cookies, provider).await;
        assert!(landed.location.ends_with("connected=yes"), "{}", landed.location);
        let told = self.get(GOOGLE, GOOGLE, "").await;
        let landed = self.journey(&told.location, &told.cookies, provider).await;
        let url = url::Url::parse(&format!("{}{}", self.at, landed.location)).unwrap();
        assert_eq!(url.path(), "/auth/callback");
        let pair: Map<String, Value> =
            url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned().into())).collect();
        for value in pair.values() {
            self.hide_but("a one-time value", value.as_str().unwrap(), &[CALLBACK]);
        }
        self.get("page", &landed.location, "").await;
        self.hide_but("a handoff's cookie", landed.cookies.split_once('=').unwrap().1, &[CALLBACK]);
        let request = self.request(Method::POST, PAIR).header(header::COOKIE, &landed.cookies).json(&pair);
        let told = self.send(PAIR, request).await;
        self.tokens(&told);
        self.post(PAIR, None, &Value::Object(pair)).await;
    }

    /// Keeps a person's number, and looks for it.
    async fn number(&mut self, access: &str) {
        // The one call that answers it.
        const CALL: &str = "a customer's record";
        let number = canary("social-security");
        self.hide_but("a social security number", &number, &[CALL]);
        let form = with(customer("Ada"), "socialSecurityNumber", number.as_str());
        let made = self.post(CUSTOMERS, Some(access), &form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let found = self.post(SEARCH_PERSON, Some(access), &json!({"phoneNumber": form["telephone"]})).await;
        assert_eq!(found.status, 200, "{}", found.body);
        let path = format!("{CUSTOMERS}/{}", made.body["data"]["customer_id"].as_str().unwrap());
        let shown = self.send(CALL, self.request(Method::GET, &path).bearer_auth(access)).await;
        assert_eq!(shown.body["data"]["socialSecurityNumber"], number, "{}", shown.body);
        for (version, status) in [(1, 200), (1, 409)] {
            let request = self.request(Method::PUT, &path).json(&with(form.clone(), "version", version));
            assert_eq!(self.send(CUSTOMERS, request.bearer_auth(access)).await.status, status);
        }
        let sealed = "UPDATE customers SET social_security = $1";
        assert_eq!(self.db().await.sql(sealed).bind(b"not sealed".to_vec()).exec().await.unwrap(), 1);
        let wrong = with(with(form, "socialSecurityNumber", number.repeat(20)), "telephone", number.repeat(2));
        for (request, status) in [
            (self.request(Method::GET, &path), 200),
            (self.request(Method::GET, CUSTOMERS).query(&[("searchTerm", &number)]), 200),
            (self.request(Method::PUT, &path).json(&wrong), 400),
            (self.request(Method::POST, CUSTOMERS).body(wrong.to_string()), 415),
            (self.request(Method::POST, CUSTOMERS).json(&[number.as_str()]), 400),
        ] {
            assert_eq!(self.send("a wrong call", request.bearer_auth(access)).await.status, status);
        }
    }

    /// Bodies that can't be read, addresses and headers that carry what they shouldn't.
    async fn nonsense(&mut self, access: &str, password: &str, link: &str) {
        let broken = [
            format!(r#"{{"email": "{EMAIL}", "password": "{password}"#),
            format!(r#"{{"email": {{"{password}": 1}}, "password": ["{password}"], "deviceId": "{access}"}}"#),
            format!(r#"{{"token": 1, "password": "{password}", "password": "{link}"}}"#),
            format!(r#""{password}""#),
            format!("password={password}&token={link}"),
        ];
        for path in [LOGIN, VERIFY, REFRESH, PAIR, RESET, CHANGE, FORGOT, PROFILE, "/api/auth/signup", "/api/logs"] {
            for body in &broken {
                for kind in ["application/json", "text/plain"] {
                    let request = self.request(Method::POST, path).bearer_auth(access).body(body.clone());
                    self.send("nonsense", request.header(header::CONTENT_TYPE, kind)).await;
                }
            }
        }
        for path in ["/reset-password", "/auth/callback", "/api/health", "/api/nothing", LOGIN, CALLBACK, "/x.js"] {
            let query = format!("?token={link}&accessToken={access}&code={link}&state={link}&password={password}");
            let call = if path.starts_with("/api/") { "nonsense" } else { "page" };
            self.get(call, &format!("{path}{query}"), &format!("session={access}")).await;
        }
        for value in [format!("Basic {password}"), format!("Bearer {link}"), format!("Bearer {access}x")] {
            let request = self.request(Method::GET, "/api/auth/profile/detail");
            self.send("nonsense", request.header(header::AUTHORIZATION, value)).await;
        }
        let line = json!({"level": "error", "message": "Something failed", "password": password});
        self.post("/api/logs", Some(access), &line).await;
    }

    async fn sign_up(&mut self) {
        let password = canary("signup-password");
        self.hide("a password of a registration", &password);
        for email in ["new@bil.example", EMAIL, "nobody"] {
            let form = json!({"first_name": "Ada", "last_name": "Lindqvist", "email": email, "mobile": "0701234567",
                "password": password, "organization_number": "556036-0793", "corp_name": "Ny Bil",
                "street_address": "Storgatan 1", "registered_city": "Malmö", "postal_code": "211 42", "city": "Malmö",
                "company_email": "info@bil.example", "company_phone": "040123456"});
            let status = self.post("/api/auth/signup", None, &form).await.status;
            assert_eq!(status, if email == "nobody" { 400 } else { 201 }, "{email}");
        }
    }
}

async fn nothing_comes_out(format: &str) {
    let provider = Provider::start().await;
    let now = Clock::System.now() / SECOND;
    provider.set(Case { claims: json!({"email": EMAIL, "email_verified": true}), now, ..Case::default() });
    let mut program = Program::start(format, &provider).await;
    let first = program.secrets[0].text.clone();
    program.hide("nobody's password", &format!("{PASSWORD}-of-nobody"));
    program.login("nobody@platform.example", &format!("{PASSWORD}-of-nobody"), "d").await;
    let (_, refresh) = program.sign_in(EMAIL, &first).await;
    program.refresh(&refresh).await;
    let (link, password) = program.reset().await;
    let (access, refresh) = program.sign_in(EMAIL, &password).await;
    program.post(PAIR, None, &json!({"accessToken": access, "refreshToken": refresh})).await;
    program.federated(&access, &password, &provider).await;
    program.sign_up().await;
    let (email, password) = program.change(&access, &password).await;
    program.number(&access).await;
    program.nonsense(&access, &password, &link).await;
    let (other, _) = program.sign_in(&email, &password).await;
    let request = program.request(Method::DELETE, "/api/profile/delete-account").bearer_auth(&other);
    let request = request.json(&json!({"password": password}));
    assert_eq!(program.send("delete", request).await.status, 409, "the last Super Admin stays");
    assert_eq!(program.post("/api/auth/logout", Some(&access), &json!({})).await.status, 200);

    let (log, columns) = (program.log(), columns(&program.db().await).await);
    assert!(log.contains("TRACE") && log.contains("login_codes"), "the log is not talkative");
    assert!(columns.iter().any(|(_, text)| text.contains("argon2id")), "the columns are not read");
    for email in ["new@bil.example", "info@bil.example", "boss@platform.example"] {
        assert!(!log.contains(email), "an e-mail is in the log: {}", is_in(&log, email));
    }
    for Secret { what, text, told_by } in &program.secrets {
        for form in forms(text) {
            assert!(!log.contains(&form), "{what} is in the log: {}", is_in(&log, &form));
            for (place, value) in &columns {
                assert!(!value.contains(&form), "{what} is in {place}");
            }
            for (call, answer) in program.answers.iter().filter(|(call, _)| !told_by.contains(&call.as_str())) {
                assert!(!answer.contains(&form), "{what} is in an answer to {call}: {answer}");
            }
        }
    }
    for code in &program.codes {
        assert!(!codes_in(&log).contains(code.as_str()), "a code is in the log: {}", is_in(&log, code));
        let places = columns.iter().filter(|(_, value)| codes_in(value).contains(code.as_str()));
        assert_eq!(places.map(|(place, _)| place).collect::<Vec<_>>(), [""; 0], "a code is in the database");
        assert!(!program.answers.iter().any(|(_, answer)| codes_in(answer).contains(code.as_str())));
    }
}

#[tokio::test]
async fn w6_no_secret_is_in_the_most_talkative_log_an_answer_or_the_database() {
    nothing_comes_out("pretty").await;
}

#[tokio::test]
async fn w6_no_secret_is_in_a_log_of_json_lines_either() {
    nothing_comes_out("json").await;
}
