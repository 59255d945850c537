//! What is good once, used by 64 at the same moment. `FORECOURT_TEST_ROUNDS` says how often each is tried.

use crate::app::{Answer, CLERK, TestApp};
use crate::browser::{self, Browser};
use crate::provider::{Case, Provider};
use crate::steps::*;
use forecourt::platform::clock::{HOUR, SECOND};
use forecourt_core::auth::text;
use reqwest::Method;
use serde_json::json;

const AT_ONCE: usize = 64;

/// How many rounds each race runs.
pub fn rounds() -> usize {
    #[expect(clippy::disallowed_methods, reason = "how long tests may take is chosen by the environment")]
    let rounds = std::env::var("FORECOURT_TEST_ROUNDS");
    rounds.map_or(5, |rounds| rounds.parse().unwrap())
}

fn winners(answers: &[Answer]) -> usize {
    answers.iter().filter(|a| a.status == 200).count()
}

/// Two nodes that get half of the calls each.
async fn on_two_nodes(nodes: &[TestApp; 2], path: &str, body: &serde_json::Value) -> Vec<Answer> {
    let half = |node| at_once(node, path, body, AT_ONCE / 2);
    let (one, other) = tokio::join!(half(&nodes[0]), half(&nodes[1]));
    one.into_iter().chain(other).collect()
}

async fn start() -> (TestApp, [TestApp; 2]) {
    let app = TestApp::start_with(&["--trusted-proxies", "127.0.0.1"]).await;
    let nodes = [app.another_node().await, app.another_node().await];
    (app, nodes)
}

#[tokio::test]
async fn o2_of_64_who_send_the_right_code_at_once_one_is_signed_in() {
    let (app, nodes) = start().await;
    for round in 0..rounds() {
        let otp = code(&app, CLERK, DEVICE, false).await;
        let sessions = count(&app, "SELECT count(*) FROM sessions").await;
        let form = json!({"email": CLERK, "otp": otp, "deviceId": DEVICE});
        let answers = on_two_nodes(&nodes, "/api/auth/verify-otp", &form).await;
        assert_eq!(winners(&answers), 1, "round {round}");
        for answer in answers.iter().filter(|a| a.status != 200) {
            assert_refused(answer, 400, text::CODE_EXPIRED);
        }
        assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, sessions + 1, "round {round}");
        app.pass(HOUR);
    }
}

#[tokio::test]
async fn r1_of_64_who_use_the_same_link_at_once_one_sets_the_password() {
    let (app, nodes) = start().await;
    for round in 0..rounds() {
        let token = reset_token(&app, CLERK).await;
        let mails = app.mails(CLERK).len();
        let form = json!({"token": token, "password": format!("password-{round}")});
        let answers = on_two_nodes(&nodes, "/api/auth/reset-password", &form).await;
        assert_eq!(winners(&answers), 1, "round {round}");
        for answer in answers.iter().filter(|a| a.status != 200) {
            assert_refused(answer, 400, text::RESET_LINK_INVALID);
        }
        let told = app.next_mail(CLERK, mails).await;
        assert!(told.contains("was changed"), "{told}");
        assert_eq!(count(&app, "SELECT count(*) FROM password_resets").await, 0);
        app.pass(HOUR);
    }
}

#[tokio::test]
async fn s2_of_64_who_refresh_at_once_all_get_the_same_successor_and_stay_signed_in() {
    let (app, nodes) = start().await;
    let (_, mut token) = app.tokens(CLERK).await;
    for round in 0..rounds() {
        let answers = on_two_nodes(&nodes, "/api/auth/refresh-token", &json!({"refreshToken": token})).await;
        let successor = tokens(&answers[0]).1;
        assert_ne!(successor, token);
        for answer in &answers {
            assert_eq!(tokens(answer).1, successor, "round {round}");
        }
        assert!(works(&app, &tokens(&answers[AT_ONCE - 1]).0).await);
        token = successor;
    }
    let kept = count(&app, "SELECT count(*) FROM refresh_tokens").await;
    assert_eq!(kept.unsigned_abs() as usize, rounds() + 1, "one chain");
}

#[tokio::test]
async fn o5_of_64_who_bring_the_same_values_at_once_one_is_signed_in() {
    let provider = Provider::start().await;
    let app = browser::start_with(&provider, &["--trusted-proxies", "127.0.0.1"]).await;
    let nodes = [app.another_node().await, app.another_node().await];
    browser::verified(&app, CLERK).await;
    for round in 0..rounds() {
        let now = app.app.clock.now() / SECOND;
        let claims = json!({"email": CLERK, "email_verified": true});
        provider.set(Case { claims, now, ..Case::default() });
        let browser = Browser::new(&app);
        let pair = browser.handoff(&provider).await;
        let sessions = count(&app, "SELECT count(*) FROM sessions").await;
        let cookies: Vec<String> = browser.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let calls = (0..AT_ONCE).map(|i| {
            let node = &nodes[i % 2];
            let request = node.request(Method::POST, "/api/auth/verify-token", None).json(&pair);
            node.send(request.header("cookie", cookies.join("; ")).header("x-forwarded-for", format!("10.0.{i}.1")))
        });
        let answers = futures_util::future::join_all(calls).await;
        assert_eq!(winners(&answers), AT_ONCE, "the question is answered to all");
        let valid = answers.iter().filter(|a| a.body["data"]["valid"] == true).count();
        assert_eq!(valid, 1, "round {round}");
        assert_eq!(count(&app, "SELECT count(*) FROM sessions").await, sessions + 1, "round {round}");
        app.pass(HOUR);
    }
}
