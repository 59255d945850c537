//! Responses and work are the same whether or not an account exists (security.md A3 and A4). The work is counted on a
//! node without jobs.

use crate::app::{ApiResponse, CLERK, NO_ROLE, TestApp};
use crate::helpers::*;
use forecourt_core::auth::text;
use serde_json::Value;

/// The response to a request, and the work that the server did for it.
#[derive(Debug, PartialEq)]
pub struct Measurement {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub hashes: u64,
    pub statements: u64,
    /// The number of mails and reset requests that the request added to the queues.
    pub queued: i64,
}

/// Runs a request on a node without jobs, and measures its work.
pub async fn measure_work(node: &TestApp, request: impl AsyncFnOnce() -> ApiResponse) -> Measurement {
    let queued = async || {
        count(node, "SELECT count(*) FROM messages").await + count(node, "SELECT count(*) FROM reset_requests").await
    };
    let before = queued().await;
    let (hashes, statements) = (node.app.hasher.computed(), node.app.db.statements());
    let response = request().await;
    let (hashes, statements) = (node.app.hasher.computed() - hashes, node.app.db.statements() - statements);
    let differs = |name: &str| matches!(name, "date" | "x-request-id");
    let headers = response.headers.iter().filter(|(name, _)| !differs(name.as_str()));
    Measurement {
        status: response.status.as_u16(),
        headers: headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect(),
        body: response.body,
        hashes,
        statements,
        queued: queued().await - before,
    }
}

#[tokio::test]
async fn a3_a_login_does_the_same_work_for_unknown_emails() {
    let node = TestApp::start().await.start_another_node().await;
    let unknown = measure_work(&node, async || login(&node, UNKNOWN, "guess").await).await;
    let known = measure_work(&node, async || login(&node, CLERK, "guess").await).await;
    assert_eq!(unknown, known);
    assert_eq!((known.status, known.hashes, known.queued), (401, 1, 0));
    assert!(known.statements > 0);
}

#[tokio::test]
async fn a3_a_reset_request_does_the_same_work_without_an_account() {
    let app = TestApp::start().await;
    let off = "UPDATE users SET is_active = FALSE WHERE email = $1";
    app.db().sql(off).bind(NO_ROLE).exec().await.unwrap();
    let node = app.start_another_node().await;
    drop(app);
    let unknown = measure_work(&node, async || forgot(&node, UNKNOWN).await).await;
    for email in [CLERK, NO_ROLE] {
        assert_eq!(unknown, measure_work(&node, async || forgot(&node, email).await).await, "{email}");
    }
    assert_eq!((unknown.status, unknown.hashes, unknown.queued), (200, 0, 1));
    assert_eq!(unknown.body["message"], text::RESET_SENT.as_str());
}

#[tokio::test]
async fn a3_a_resend_request_does_the_same_work_without_an_account() {
    let node = TestApp::start().await.start_another_node().await;
    let unknown = measure_work(&node, async || resend(&node, UNKNOWN, DEVICE).await).await;
    let known = measure_work(&node, async || resend(&node, CLERK, DEVICE).await).await;
    assert_eq!(unknown, known);
    assert_eq!((known.status, known.hashes, known.queued), (200, 0, 0));
}

#[tokio::test]
async fn a3_verifying_a_code_does_the_same_work_without_an_account() {
    let node = TestApp::start().await.start_another_node().await;
    let unknown = measure_work(&node, async || verify(&node, UNKNOWN, "123456", DEVICE).await).await;
    let known = measure_work(&node, async || verify(&node, CLERK, "123456", DEVICE).await).await;
    assert_eq!(unknown, known);
    assert_eq!((known.status, known.hashes, known.queued), (400, 0, 0));
}

#[tokio::test]
async fn a4_a_wrong_password_does_the_same_work_for_blocked_accounts() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let good = measure_work(&node, async || login(&node, NO_ROLE, "guess").await).await;
    for change in [
        "UPDATE users SET banned_at = 1, ban_reason = 'x' WHERE email = 'clerk@nordbil.example'",
        "UPDATE users SET banned_at = NULL, is_active = FALSE WHERE email = 'clerk@nordbil.example'",
        "UPDATE users SET is_active = TRUE, wrong_codes = 100 WHERE email = 'clerk@nordbil.example'",
        "UPDATE corporations SET active = FALSE WHERE name = 'Nordbil'",
    ] {
        app.db().sql(change).exec().await.unwrap();
        assert_eq!(good, measure_work(&node, async || login(&node, CLERK, "guess").await).await, "{change}");
    }
}
