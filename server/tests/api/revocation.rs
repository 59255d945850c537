//! A request that ends sessions takes effect with the next request (S3 of docs/security.md, docs/product.md 1.7): on
//! the same node, on another node, and on PostgreSQL also in another process. After it, the first request to each node
//! is one with the access token, and then one that refreshes.

use crate::app::{ADMIN, ApiResponse, CLERK, PASSWORD, SUPER_ADMIN, TestApp, client};
use crate::contract;
use crate::helpers::{create_role, delete, put, request_reset_token, reset, role_id, user_form, user_id};
use crate::organizations::{record, with_fields};
use forecourt::platform::clock::Clock;
use forecourt::platform::db::Db;
use forecourt_core::text::SESSION_ENDED;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const PROFILE: &str = "/api/auth/profile/detail";
const CONTACTS: &str = "/api/contacts";
const NEW_PASSWORD: &str = "another-long-password";

/// The nodes of one installation. The requests that end sessions are sent to the first.
struct Nodes {
    first: TestApp,
    second: TestApp,
    process: Option<(String, Child)>,
}

impl Nodes {
    async fn start() -> Self {
        let first = TestApp::start().await;
        // Set the clock of this process to the real time, which the other process uses.
        first.advance(Clock::System.now() - first.app.clock.now());
        let second = first.start_another_node().await;
        let mut nodes = Nodes { first, second, process: None };
        if matches!(nodes.first.db(), Db::Postgres(..)) {
            nodes.start_process().await;
        }
        nodes
    }

    async fn start_process(&mut self) {
        let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
        command.args(["serve", "--listen", &listen, "--log", "warn", "--data-dir"]).arg(self.first.data_dir());
        command.args(["--database-url", self.first.app.config.database_url().expose_secret()]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let base_url = format!("http://{listen}");
        self.process = Some((base_url.clone(), child));
        let deadline = Instant::now() + Duration::from_secs(30);
        while client().get(format!("{base_url}/api/health")).send().await.is_err() {
            assert!(Instant::now() < deadline, "the other process does not answer");
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Returns the base URL of each node.
    fn base_urls(&self) -> Vec<String> {
        let mut base_urls = vec![self.first.url(""), self.second.url("")];
        base_urls.extend(self.process.iter().map(|(base_url, _)| base_url.clone()));
        base_urls
    }

    /// Sends a GET request to every node, and returns status and body of each response.
    async fn get(&self, path: &str, access: &str) -> Vec<(StatusCode, Value)> {
        let mut responses = Vec::new();
        for base_url in self.base_urls() {
            let reply = contract::send(client().get(base_url + path).bearer_auth(access)).await;
            responses.push((reply.status, reply.value()));
        }
        responses
    }

    async fn refresh(base_url: &str, token: &str) -> (StatusCode, Value) {
        let body = json!({"refreshToken": token});
        let reply = contract::send(client().post(format!("{base_url}/api/auth/refresh-token")).json(&body)).await;
        (reply.status, reply.value())
    }

    /// Signs in, and asserts that the session is active on every node. Returns the access token and the refresh token.
    async fn create_session(&self, email: &str) -> (String, String) {
        let tokens = self.first.sign_in_for_tokens(email).await;
        for (status, body) in self.get(PROFILE, &tokens.0).await {
            assert_eq!(status, 200, "{body}");
        }
        tokens
    }

    /// Asserts that every node rejects both the access token and the refresh token.
    async fn assert_session_ended(&self, (access, token): &(String, String)) {
        let mut responses = self.get(PROFILE, access).await;
        for base_url in self.base_urls() {
            responses.push(Self::refresh(&base_url, token).await);
        }
        for (status, body) in responses {
            assert_eq!((status.as_u16(), &body["message"]), (401, &json!(SESSION_ENDED.as_str())));
        }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        if let Some((_, child)) = &mut self.process {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Asserts that all nodes reject the clerk's session once the user with this email has sent the request.
async fn assert_request_ends_sessions(email: &str, request: impl AsyncFnOnce(&TestApp, &str) -> ApiResponse) {
    let nodes = Nodes::start().await;
    let session = nodes.create_session(CLERK).await;
    let token = nodes.first.sign_in(email).await;
    let response = request(&nodes.first, &token).await;
    assert_eq!(response.status, 200, "{}", response.body);
    nodes.assert_session_ended(&session).await;
}

#[tokio::test]
async fn s3_a_password_change_ends_other_sessions_at_the_next_request() {
    let nodes = Nodes::start().await;
    let (own, other) = (nodes.create_session(CLERK).await, nodes.create_session(CLERK).await);
    let form = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD, "confirmPassword": NEW_PASSWORD});
    let changed = nodes.first.post("/api/auth/change-password", Some(&own.0), form).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    nodes.assert_session_ended(&other).await;
    assert!(nodes.get(PROFILE, &own.0).await.iter().all(|(status, _)| *status == 200), "the own session stays active");
    assert_eq!(Nodes::refresh(&nodes.second.url(""), &own.1).await.0, 200);
}

#[tokio::test]
async fn s3_a_password_reset_ends_every_session_at_the_next_request() {
    let nodes = Nodes::start().await;
    let sessions = [nodes.create_session(CLERK).await, nodes.create_session(CLERK).await];
    let token = request_reset_token(&nodes.first, CLERK).await;
    assert_eq!(reset(&nodes.first, &token, NEW_PASSWORD).await.status, 200);
    for session in &sessions {
        nodes.assert_session_ended(session).await;
    }
}

/// Asserts that the clerk's sessions end when the Admin sends this update of the clerk to `path`.
async fn assert_update_ends_sessions(path: &str, body: Value) {
    assert_request_ends_sessions(ADMIN, async |app, token| {
        let path = path.replace("{id}", &user_id(app, CLERK).await.to_string());
        put(app, &path, token, body.clone()).await
    })
    .await;
}

#[tokio::test]
async fn s3_a_password_set_by_an_admin_ends_sessions_at_the_next_request() {
    assert_update_ends_sessions("/api/users/{id}/password", json!({"password": NEW_PASSWORD})).await;
}

#[tokio::test]
async fn s3_a_ban_ends_sessions_at_the_next_request_even_if_it_is_lifted() {
    let nodes = Nodes::start().await;
    let sessions = [nodes.create_session(CLERK).await, nodes.create_session(CLERK).await];
    let platform = nodes.first.sign_in(SUPER_ADMIN).await;
    let path = format!("/api/corporations/users/{}/ban", user_id(&nodes.first, CLERK).await);
    let banned = nodes.first.post(&path, Some(&platform), json!({"reason": "Spam"})).await;
    assert_eq!(banned.status, 200, "{}", banned.body);
    for session in &sessions {
        nodes.assert_session_ended(session).await;
    }
    let lifted = delete(&nodes.first, &path, &platform).await;
    assert_eq!(lifted.status, 200, "{}", lifted.body);
    for session in &sessions {
        nodes.assert_session_ended(session).await;
    }
}

#[tokio::test]
async fn s3_deactivating_a_user_ends_sessions_at_the_next_request() {
    assert_update_ends_sessions("/api/corporations/users/{id}", json!({"is_active": false})).await;
}

#[tokio::test]
async fn s3_p11_deactivating_a_corporation_ends_sessions_at_the_next_request() {
    assert_request_ends_sessions(SUPER_ADMIN, async |app, token| {
        let insert = "INSERT INTO organizations (corp_id, organization_number, number_key, created_at, updated_at) \
                      SELECT corp_id, '1', '1', 0, 0 FROM users WHERE email = $1";
        app.db().sql(insert).bind(CLERK).exec().await.unwrap();
        let form = with_fields(record("1"), &[("corp_active", json!(false))]);
        put(app, &format!("/api/corporations/{}", app.nordbil), token, form).await
    })
    .await;
}

/// The session stays active, but the user has fewer permissions.
#[tokio::test]
async fn s3_losing_a_role_or_its_permissions_applies_at_the_next_request() {
    for is_replaced in [true, false] {
        let nodes = Nodes::start().await;
        let session = nodes.create_session(CLERK).await;
        assert!(nodes.get(CONTACTS, &session.0).await.iter().all(|(status, _)| *status == 200));
        let admin = nodes.first.sign_in(ADMIN).await;
        let changed = match is_replaced {
            true => {
                let other = create_role(&nodes.first, &admin, "Trainee", &[]).await;
                let path = format!("/api/users/{}", user_id(&nodes.first, CLERK).await);
                put(&nodes.first, &path, &admin, user_form(CLERK, "User", Some(other))).await
            }
            false => {
                let path = format!("/api/rbac/roles/{}/permissions", role_id(&nodes.first, "Clerk").await);
                nodes.first.post(&path, Some(&admin), json!({"permissions": []})).await
            }
        };
        assert_eq!(changed.status, 200, "{}", changed.body);
        assert!(nodes.get(CONTACTS, &session.0).await.iter().all(|(status, _)| *status == 403), "{is_replaced}");
        let (status, body) = Nodes::refresh(&nodes.second.url(""), &session.1).await;
        assert_eq!(status, 200, "the session itself stays active");
        let access = body["tokens"]["accessToken"].as_str().unwrap();
        assert!(
            nodes.get(CONTACTS, access).await.iter().all(|(status, _)| *status == 403),
            "a new token grants no more"
        );
    }
}

#[tokio::test]
async fn s3_deleting_a_user_ends_sessions_at_the_next_request() {
    let nodes = Nodes::start().await;
    let (own, other) = (nodes.create_session(CLERK).await, nodes.create_session(CLERK).await);
    let request = nodes.first.request(Method::DELETE, "/api/profile/delete-account", Some(&own.0));
    let deleted = nodes.first.send(request.json(&json!({"password": PASSWORD}))).await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    nodes.assert_session_ended(&own).await;
    nodes.assert_session_ended(&other).await;
    // An administrator deletes the user.
    assert_request_ends_sessions(ADMIN, async |app, token| {
        let path = format!("/api/users/{}", user_id(app, CLERK).await);
        delete(app, &path, token).await
    })
    .await;
}

#[tokio::test]
async fn s3_deleting_a_corporation_ends_sessions_at_the_next_request() {
    assert_request_ends_sessions(SUPER_ADMIN, async |app, token| {
        delete(app, &format!("/api/corporations/{}", app.nordbil), token).await
    })
    .await;
}
