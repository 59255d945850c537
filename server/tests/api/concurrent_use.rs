//! Codes, links and tokens that work once, sent by 64 requests at the same time. `FORECOURT_TEST_ROUNDS` sets the
//! number of rounds.

use crate::app::{ApiResponse, CLERK, TestApp};
use crate::browser::{self, Browser};
use crate::helpers::*;
use crate::provider::{Case, Provider};
use forecourt::platform::clock::{HOUR, SECOND};
use forecourt_core::auth::text;
use reqwest::Method;
use serde_json::json;

const AT_ONCE: usize = 64;

/// The number of rounds of each test.
pub fn rounds() -> usize {
    #[expect(clippy::disallowed_methods, reason = "how long tests may take is chosen by the environment")]
    let rounds = std::env::var("FORECOURT_TEST_ROUNDS");
    rounds.map_or(5, |rounds| rounds.parse().unwrap())
}

fn count_successes(responses: &[ApiResponse]) -> usize {
    responses.iter().filter(|a| a.status == 200).count()
}

/// Sends the same request many times at once, half of them to each of two nodes. Returns the responses.
async fn send_on_two_nodes(nodes: &[TestApp; 2], path: &str, body: &serde_json::Value) -> Vec<ApiResponse> {
    let half = |node| send_at_once(node, path, body, AT_ONCE / 2);
    let (one, other) = tokio::join!(half(&nodes[0]), half(&nodes[1]));
    one.into_iter().chain(other).collect()
}

/// Starts a server that trusts 127.0.0.1 as a proxy, and two nodes of the same installation without jobs.
async fn start() -> (TestApp, [TestApp; 2]) {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    (app, nodes)
}

#[tokio::test]
async fn o2_only_one_of_64_concurrent_uses_of_a_code_signs_in() {
    let (app, nodes) = start().await;
    for round in 0..rounds() {
        let otp = request_code(&app, CLERK, DEVICE, false).await;
        let sessions = count(&app, "SELECT count(*) FROM sessions").await;
        let form = json!({"email": CLERK, "otp": otp, "deviceId": DEVICE});
        let responses = send_on_two_nodes(&nodes, "/api/auth/verify-otp", &form).await;
        assert_eq!(count_successes(&responses), 1, "round {round}");
        for response in responses.iter().filter(|a| a.status != 200) {
            assert_error(response, 400, text::CODE_EXPIRED.as_str());
        }
        assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, sessions + 1, "round {round}");
        app.advance(HOUR);
    }
}

#[tokio::test]
async fn r1_only_one_of_64_concurrent_uses_of_a_link_sets_the_password() {
    let (app, nodes) = start().await;
    for round in 0..rounds() {
        let token = request_reset_token(&app, CLERK).await;
        let mails = app.mails(CLERK).len();
        let form = json!({"token": token, "password": format!("password-{round}")});
        let responses = send_on_two_nodes(&nodes, "/api/auth/reset-password", &form).await;
        assert_eq!(count_successes(&responses), 1, "round {round}");
        for response in responses.iter().filter(|a| a.status != 200) {
            assert_error(response, 400, text::RESET_LINK_INVALID.as_str());
        }
        let mail = app.next_mail(CLERK, mails).await;
        assert!(mail.contains("was changed"), "{mail}");
        assert_eq!(count(&app, "SELECT count(*) FROM password_resets").await, 0);
        app.advance(HOUR);
    }
}

#[tokio::test]
async fn s2_64_concurrent_refreshes_get_the_same_successor_token() {
    let (app, nodes) = start().await;
    let (_, mut token) = app.sign_in_for_tokens(CLERK).await;
    for round in 0..rounds() {
        let responses = send_on_two_nodes(&nodes, "/api/auth/refresh-token", &json!({"refreshToken": token})).await;
        let successor = tokens(&responses[0]).1;
        assert_ne!(successor, token);
        for response in &responses {
            assert_eq!(tokens(response).1, successor, "round {round}");
        }
        assert!(is_session_active(&app, &tokens(&responses[AT_ONCE - 1]).0).await);
        token = successor;
    }
    let stored = count(&app, "SELECT count(*) FROM refresh_tokens").await;
    assert_eq!(stored.unsigned_abs() as usize, rounds() + 1, "one chain");
}

#[tokio::test]
async fn o5_only_one_of_64_concurrent_uses_of_one_time_values_signs_in() {
    let provider = Provider::start().await;
    let app = browser::start_with(&provider, &["--trusted-proxies", "127.0.0.1"]).await;
    let nodes = [app.start_another_node().await, app.start_another_node().await];
    browser::mark_email_verified(&app, CLERK).await;
    for round in 0..rounds() {
        let now = app.app.clock.now() / SECOND;
        let claims = json!({"email": CLERK, "email_verified": true});
        provider.set(Case { claims, now, ..Case::default() });
        let browser = Browser::new(&app);
        let pair = browser.login_exchange(&provider).await;
        let sessions = count(&app, "SELECT count(*) FROM sessions").await;
        let cookies: Vec<String> = browser.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (nodes, pair, cookies) = (&nodes, &pair, cookies.join("; "));
        let requests = (0..AT_ONCE).map(|i| {
            let (node, cookies) = (&nodes[i % 2], cookies.as_str());
            node.send_until_served(move || {
                let request = node.request(Method::POST, "/api/auth/verify-token", None).json(pair);
                request.header("cookie", cookies).header("x-forwarded-for", format!("10.0.{i}.1"))
            })
        });
        let responses = futures_util::future::join_all(requests).await;
        assert_eq!(count_successes(&responses), AT_ONCE, "every request succeeds");
        let valid = responses.iter().filter(|a| a.body["data"]["valid"] == true).count();
        assert_eq!(valid, 1, "round {round}");
        assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, sessions + 1, "round {round}");
        app.advance(HOUR);
    }
}
