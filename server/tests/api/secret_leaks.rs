//! Unique secrets are sent through the routes of sign-in, sign-up, profile and customers, also in malformed requests,
//! while the server logs at the most detailed level. They must not appear in the log, in responses other than the ones
//! that return them, or in a database column.

use crate::app::PASSWORD;
use crate::customers::{PATH as CUSTOMERS, SEARCH_PERSON, customer};
use crate::helpers::with_field;
use crate::provider::{Case, Provider};
use crate::secret_search::{encodings, find_codes, line_with, read_all_columns};
use crate::traced_server::{
    EMAIL, HttpResponse, LOGIN, REFRESH, RESEND, Secret, TracedServer, VERIFY_OTP, VERIFY_TOKEN, canary,
};
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

impl TracedServer {
    /// Signs in with the right password and code, after a wrong password and a wrong code. Returns both tokens.
    async fn sign_in(&mut self, email: &str, password: &str) -> (String, String) {
        let (device, guess) = (canary("device"), canary("wrong-password"));
        self.track_secret("a device's id", &device);
        self.track_secret("a wrong password", &guess);
        assert_eq!(self.login(email, &guess, &device).await.status, 401);
        assert_eq!(self.login(email, password, &device).await.status, 200);
        let _ = self.next_code().await;
        let again = json!({"email": email, "deviceId": device});
        assert_eq!(self.post(RESEND, None, &again).await.status, 429);
        // Set the time of the last code half a minute back, so that another one can be requested.
        let db = self.db().await;
        db.sql("UPDATE login_codes SET sent_at = sent_at - 31000000").exec().await.unwrap();
        assert_eq!(self.post(RESEND, None, &again).await.status, 200);
        let code = self.next_code().await;
        let wrong = crate::helpers::wrong_code(&code);
        let otp = |otp: &str| json!({"email": email, "otp": otp, "deviceId": device});
        assert_eq!(self.post(VERIFY_OTP, None, &otp(&wrong)).await.status, 400);
        self.codes.push(wrong);
        let response = self.post(VERIFY_OTP, None, &otp(&code)).await;
        assert_eq!(response.status, 200, "{}", response.body["message"]);
        self.track_tokens(&response)
    }

    /// Uses a refresh token three times: first, again within the grace period, and after it, which ends the session.
    async fn refresh(&mut self, token: &str) {
        let form = json!({"refreshToken": token});
        let response = self.post(REFRESH, None, &form).await;
        self.track_tokens(&response);
        assert_eq!(self.post(REFRESH, None, &form).await.status, 200);
        let db = self.db().await;
        db.sql("UPDATE refresh_tokens SET spent_at = spent_at - 11000000").exec().await.unwrap();
        assert_eq!(self.post(REFRESH, None, &form).await.status, 401);
        let unknown = canary("refresh");
        self.track_secret("an unknown refresh token", &unknown);
        assert_eq!(self.post(REFRESH, None, &json!({"refreshToken": unknown})).await.status, 401);
    }

    /// Resets the password with a mailed link. Returns the link's token and the new password.
    async fn reset(&mut self) -> (String, String) {
        assert_eq!(self.post(FORGOT, None, &json!({"email": EMAIL})).await.status, 200);
        let token = crate::helpers::link_token(&self.next_mail("Reset your password").await);
        let (password, stale) = (canary("reset-password"), canary("link"));
        self.track_secret("a reset link's token", &token);
        self.track_secret("a password chosen by link", &password);
        self.track_secret("an unknown link's token", &stale);
        let form = |token: &str, again: &str| json!({"token": token, "password": password, "confirmPassword": again});
        assert_eq!(self.post(RESET, None, &form(&stale, &password)).await.status, 400);
        assert_eq!(self.post(RESET, None, &form(&token, &canary("other"))).await.status, 400);
        assert_eq!(self.post(RESET, None, &form(&token, &password)).await.status, 200);
        assert_eq!(self.post(RESET, None, &form(&token, &password)).await.status, 400);
        (token, password)
    }

    /// Changes the password and then the email address. Returns the new values.
    async fn change(&mut self, access: &str, password: &str) -> (String, String) {
        let (new, guess, email) = (canary("new-password"), canary("wrong-current"), "boss@platform.example");
        self.track_secret("a new password", &new);
        self.track_secret("a wrong current password", &guess);
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
            let response = self.send(PROFILE, request).await;
            assert_eq!(response.status, status, "{}", response.body);
        }
        (email.to_owned(), new)
    }

    /// Signs in at the provider, and returns the response of the callback.
    async fn complete_oidc_login(
        &mut self,
        authorization_url: &str,
        cookies: &str,
        provider: &Provider,
    ) -> HttpResponse {
        let back = provider.approve(authorization_url);
        for (what, name) in [("a provider's code", "code"), ("a login state", "state")] {
            let url = url::Url::parse(&format!("{}{back}", self.base_url)).unwrap();
            let value = url.query_pairs().find(|(n, _)| n == name).unwrap().1.into_owned();
            // The responses with the provider's address contain the state; only this browser receives them.
            self.track_secret_except(what, &value, &[GOOGLE, CONNECT]);
        }
        self.track_secret_except("the cookie of a login flow", cookies.split_once('=').unwrap().1, &[GOOGLE, CONNECT]);
        self.get(CALLBACK, &back, cookies).await
    }

    /// Connects the account with the provider, then signs in with it.
    async fn sign_in_with_provider(&mut self, access: &str, password: &str, provider: &Provider) {
        let response = self.post(CONNECT, Some(access), &json!({"currentPassword": password})).await;
        let authorization_url = response.body["data"]["url"].as_str().unwrap().to_owned();
        let callback = self.complete_oidc_login(&authorization_url, &response.cookies, provider).await;
        assert!(callback.location.ends_with("connected=yes"), "{}", callback.location);
        let response = self.get(GOOGLE, GOOGLE, "").await;
        let callback = self.complete_oidc_login(&response.location, &response.cookies, provider).await;
        let url = url::Url::parse(&format!("{}{}", self.base_url, callback.location)).unwrap();
        assert_eq!(url.path(), "/auth/callback");
        let pair: Map<String, Value> =
            url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned().into())).collect();
        for value in pair.values() {
            self.track_secret_except("a one-time value", value.as_str().unwrap(), &[CALLBACK]);
        }
        self.get("page", &callback.location, "").await;
        self.track_secret_except(
            "the cookie of a login exchange",
            callback.cookies.split_once('=').unwrap().1,
            &[CALLBACK],
        );
        let request = self.request(Method::POST, VERIFY_TOKEN).header(header::COOKIE, &callback.cookies).json(&pair);
        let response = self.send(VERIFY_TOKEN, request).await;
        self.track_tokens(&response);
        self.post(VERIFY_TOKEN, None, &Value::Object(pair)).await;
    }

    /// Creates, reads and searches a customer with a social security number.
    async fn use_social_security_number(&mut self, access: &str) {
        // The response to this request is the only one that may contain the number.
        const CALL: &str = "a customer's record";
        let number = canary("social-security");
        self.track_secret_except("a social security number", &number, &[CALL]);
        let form = with_field(customer("Ada"), "socialSecurityNumber", number.as_str());
        let made = self.post(CUSTOMERS, Some(access), &form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let found = self.post(SEARCH_PERSON, Some(access), &json!({"phoneNumber": form["telephone"]})).await;
        assert_eq!(found.status, 200, "{}", found.body);
        let path = format!("{CUSTOMERS}/{}", made.body["data"]["customer_id"].as_str().unwrap());
        let shown = self.send(CALL, self.request(Method::GET, &path).bearer_auth(access)).await;
        assert_eq!(shown.body["data"]["socialSecurityNumber"], number, "{}", shown.body);
        for (version, status) in [(1, 200), (1, 409)] {
            let request = self.request(Method::PUT, &path).json(&with_field(form.clone(), "version", version));
            assert_eq!(self.send(CUSTOMERS, request.bearer_auth(access)).await.status, status);
        }
        let sealed = "UPDATE customers SET social_security = $1";
        assert_eq!(self.db().await.sql(sealed).bind(b"not sealed".to_vec()).exec().await.unwrap(), 1);
        let wrong =
            with_field(with_field(form, "socialSecurityNumber", number.repeat(20)), "telephone", number.repeat(2));
        for (request, status) in [
            (self.request(Method::GET, &path), 200),
            (self.request(Method::GET, CUSTOMERS).query(&[("searchTerm", &number)]), 200),
            (self.request(Method::PUT, &path).json(&wrong), 400),
            (self.request(Method::POST, CUSTOMERS).body(wrong.to_string()), 415),
            (self.request(Method::POST, CUSTOMERS).json(&[number.as_str()]), 400),
        ] {
            assert_eq!(self.send("another request about a customer", request.bearer_auth(access)).await.status, status);
        }
    }

    /// Sends malformed bodies, and secrets in unexpected parts of URLs and headers.
    async fn send_malformed_requests(&mut self, access: &str, password: &str, link: &str) {
        let broken = [
            format!(r#"{{"email": "{EMAIL}", "password": "{password}"#),
            format!(r#"{{"email": {{"{password}": 1}}, "password": ["{password}"], "deviceId": "{access}"}}"#),
            format!(r#"{{"token": 1, "password": "{password}", "password": "{link}"}}"#),
            format!(r#""{password}""#),
            format!("password={password}&token={link}"),
        ];
        for path in
            [LOGIN, VERIFY_OTP, REFRESH, VERIFY_TOKEN, RESET, CHANGE, FORGOT, PROFILE, "/api/auth/signup", "/api/logs"]
        {
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
        self.track_secret("a password of a registration", &password);
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

async fn assert_no_secret_is_exposed(format: &str) {
    let provider = Provider::start().await;
    let now = Clock::System.now() / SECOND;
    provider.set(Case { claims: json!({"email": EMAIL, "email_verified": true}), now, ..Case::default() });
    let mut program = TracedServer::start(format, &provider).await;
    let first = program.secrets[0].text.clone();
    program.track_secret("the password of an unknown user", &format!("{PASSWORD}-of-nobody"));
    program.login("nobody@platform.example", &format!("{PASSWORD}-of-nobody"), "d").await;
    let (_, refresh) = program.sign_in(EMAIL, &first).await;
    program.refresh(&refresh).await;
    let (link, password) = program.reset().await;
    let (access, refresh) = program.sign_in(EMAIL, &password).await;
    program.post(VERIFY_TOKEN, None, &json!({"accessToken": access, "refreshToken": refresh})).await;
    program.sign_in_with_provider(&access, &password, &provider).await;
    program.sign_up().await;
    let (email, password) = program.change(&access, &password).await;
    program.use_social_security_number(&access).await;
    program.send_malformed_requests(&access, &password, &link).await;
    let (other, _) = program.sign_in(&email, &password).await;
    let request = program.request(Method::DELETE, "/api/profile/delete-account").bearer_auth(&other);
    let request = request.json(&json!({"password": password}));
    assert_eq!(program.send("delete", request).await.status, 409, "the last Super Admin stays");
    assert_eq!(program.post("/api/auth/logout", Some(&access), &json!({})).await.status, 200);

    let (log, columns) = (program.log(), read_all_columns(&program.db().await).await);
    assert!(log.contains("TRACE") && log.contains("login_codes"), "the log level is too low");
    assert!(columns.iter().any(|(_, text)| text.contains("argon2id")), "the columns are not read");
    for email in ["new@bil.example", "info@bil.example", "boss@platform.example"] {
        assert!(!log.contains(email), "an e-mail is in the log: {}", line_with(&log, email));
    }
    for Secret { what, text, allowed_in } in &program.secrets {
        for form in encodings(text) {
            assert!(!log.contains(&form), "{what} is in the log: {}", line_with(&log, &form));
            for (place, value) in &columns {
                assert!(!value.contains(&form), "{what} is in {place}");
            }
            for (route, response) in program.responses.iter().filter(|(route, _)| !allowed_in.contains(&route.as_str()))
            {
                assert!(!response.contains(&form), "{what} is in a response to {route}: {response}");
            }
        }
    }
    for code in &program.codes {
        assert!(!find_codes(&log).contains(code.as_str()), "a code is in the log: {}", line_with(&log, code));
        let places = columns.iter().filter(|(_, value)| find_codes(value).contains(code.as_str()));
        assert_eq!(places.map(|(place, _)| place).collect::<Vec<_>>(), [""; 0], "a code is in the database");
        assert!(!program.responses.iter().any(|(_, response)| find_codes(response).contains(code.as_str())));
    }
}

#[tokio::test]
async fn w6_no_secret_is_in_the_trace_log_a_response_or_the_database() {
    assert_no_secret_is_exposed("pretty").await;
}

#[tokio::test]
async fn w6_no_secret_is_in_the_trace_log_as_json_lines() {
    assert_no_secret_is_exposed("json").await;
}
