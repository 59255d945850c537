//! What a stranger can learn about who has an account: nothing, by what is answered or by the work it takes (security.md
//! A3 and A4). The work is counted on a node that does no jobs.

use crate::app::{Answer, CLERK, NOBODY, TestApp};
use crate::steps::*;
use forecourt_core::auth::text;
use serde_json::Value;

/// What a call came to, for whoever watches it closely.
#[derive(Debug, PartialEq)]
pub struct Seen {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub hashes: u64,
    pub statements: u64,
    /// Mails and requests for links, in the database.
    pub queued: i64,
}

/// Makes a call on a node that does no jobs, and counts its work.
pub async fn see(node: &TestApp, call: impl AsyncFnOnce() -> Answer) -> Seen {
    let queued = async || {
        count(node, "SELECT count(*) FROM messages").await + count(node, "SELECT count(*) FROM reset_requests").await
    };
    let before = queued().await;
    let (hashes, statements) = (node.app.hasher.computed(), node.app.db.statements());
    let answer = call().await;
    let (hashes, statements) = (node.app.hasher.computed() - hashes, node.app.db.statements() - statements);
    let differs = |name: &str| matches!(name, "date" | "x-request-id");
    let headers = answer.headers.iter().filter(|(name, _)| !differs(name.as_str()));
    Seen {
        status: answer.status.as_u16(),
        headers: headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect(),
        body: answer.body,
        hashes,
        statements,
        queued: queued().await - before,
    }
}

#[tokio::test]
async fn a3_a_sign_in_takes_the_same_whether_the_email_is_unknown_or_the_password_wrong() {
    let node = TestApp::start().await.another_node().await;
    let unknown = see(&node, async || login(&node, UNKNOWN, "guess").await).await;
    let known = see(&node, async || login(&node, CLERK, "guess").await).await;
    assert_eq!(unknown, known);
    assert_eq!((known.status, known.hashes, known.queued), (401, 1, 0));
    assert!(known.statements > 0);
}

#[tokio::test]
async fn a3_asking_for_a_link_takes_the_same_whether_or_not_there_is_an_account() {
    let app = TestApp::start().await;
    let off = "UPDATE users SET is_active = FALSE WHERE email = $1";
    app.db().sql(off).bind(NOBODY).exec().await.unwrap();
    let node = app.another_node().await;
    drop(app);
    let unknown = see(&node, async || forgot(&node, UNKNOWN).await).await;
    for email in [CLERK, NOBODY] {
        assert_eq!(unknown, see(&node, async || forgot(&node, email).await).await, "{email}");
    }
    assert_eq!((unknown.status, unknown.hashes, unknown.queued), (200, 0, 1));
    assert_eq!(unknown.body["message"], text::RESET_SENT);
}

#[tokio::test]
async fn a3_asking_for_a_new_code_takes_the_same_whether_or_not_there_is_an_account() {
    let node = TestApp::start().await.another_node().await;
    let unknown = see(&node, async || resend(&node, UNKNOWN, DEVICE).await).await;
    let known = see(&node, async || resend(&node, CLERK, DEVICE).await).await;
    assert_eq!(unknown, known);
    assert_eq!((known.status, known.hashes, known.queued), (200, 0, 0));
}

#[tokio::test]
async fn a3_trying_a_code_takes_the_same_whether_or_not_there_is_an_account() {
    let node = TestApp::start().await.another_node().await;
    let unknown = see(&node, async || verify(&node, UNKNOWN, "123456", DEVICE).await).await;
    let known = see(&node, async || verify(&node, CLERK, "123456", DEVICE).await).await;
    assert_eq!(unknown, known);
    assert_eq!((known.status, known.hashes, known.queued), (400, 0, 0));
}

#[tokio::test]
async fn a4_a_wrong_password_takes_the_same_whatever_stands_against_the_account() {
    let app = TestApp::start().await;
    let node = app.another_node().await;
    let good = see(&node, async || login(&node, NOBODY, "guess").await).await;
    for change in [
        "UPDATE users SET banned_at = 1, ban_reason = 'x' WHERE email = 'clerk@nordbil.example'",
        "UPDATE users SET banned_at = NULL, is_active = FALSE WHERE email = 'clerk@nordbil.example'",
        "UPDATE users SET is_active = TRUE, wrong_codes = 100 WHERE email = 'clerk@nordbil.example'",
        "UPDATE corporations SET active = FALSE WHERE name = 'Nordbil'",
    ] {
        app.db().sql(change).exec().await.unwrap();
        assert_eq!(good, see(&node, async || login(&node, CLERK, "guess").await).await, "{change}");
    }
}
