//! Random sequences of requests on sessions and their chains of refresh tokens (S2 of docs/security.md).

use crate::app::{CLERK, PASSWORD, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{is_session_active, refresh, tokens, wait_until};
use forecourt::platform::clock::{MINUTE, SECOND};
use serde_json::json;

const GRACE: i64 = 10 * SECOND;

/// The expected state of a session.
struct Session {
    is_active: bool,
    access: String,
    /// When the access token was issued, in microseconds.
    issued_at: i64,
    /// The session's refresh tokens, oldest first, each with the time of its first use; `None` if it was not used.
    chain: Vec<(String, Option<i64>)>,
}

impl Session {
    /// Refreshes with the token at position `at` of the chain, checks the result, and updates the expected state.
    async fn refresh(&mut self, app: &TestApp, at: usize) {
        let now = app.app.clock.now();
        let response = refresh(app, &self.chain[at].0).await;
        let is_within_grace = self.chain[at..].iter().all(|(_, spent)| spent.is_none_or(|spent| now - spent <= GRACE));
        if !self.is_active || !is_within_grace {
            assert_eq!(response.status, 401, "{}", response.body);
            self.is_active = false;
            return;
        }
        assert_eq!(response.status, 200, "{}", response.body);
        let (access, next) = tokens(&response);
        (self.access, self.issued_at) = (access, now);
        let last = self.chain.len() - 1;
        if at == last {
            self.chain[last].1 = Some(now);
            self.chain.push((next, None));
        } else {
            assert_eq!(next, self.chain[last].0, "the chain has one end");
        }
    }
}

/// A random number generator with a seed, so that a failure can be repeated (splitmix64).
struct Random(u64);

impl Random {
    /// Returns the next random number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

#[tokio::test]
async fn s2_a_session_has_one_refresh_token_chain_or_is_ended() {
    for seed in 0..rounds() as u64 {
        let app = TestApp::start().await;
        let mut random = Random(seed);
        let mut sessions: Vec<Session> = Vec::new();
        for step in 0..60 {
            app.advance((1 + random.below(6) as i64) * SECOND);
            let now = app.app.clock.now();
            if sessions.len() < 2 || (sessions.len() < 6 && random.below(12) == 0) {
                let (access, token) = app.sign_in_for_tokens(CLERK).await;
                sessions.push(Session { is_active: true, access, issued_at: now, chain: vec![(token, None)] });
                continue;
            }
            let index = random.below(sessions.len());
            let session = &mut sessions[index];
            let newest = session.chain.len() - 1;
            match random.below(24) {
                0 if session.is_active && now - session.issued_at < 15 * MINUTE => {
                    let out = app.post("/api/auth/logout", Some(&session.access), json!({})).await;
                    assert_eq!(out.status, 200);
                    session.is_active = false;
                }
                1 if session.is_active && now - session.issued_at < 15 * MINUTE => {
                    let form = json!({"currentPassword": PASSWORD, "newPassword": PASSWORD});
                    let mails = app.mails(CLERK).len();
                    let changed = app.post("/api/auth/change-password", Some(&session.access), form).await;
                    assert_eq!(changed.status, 200, "{}", changed.body);
                    for (i, session) in sessions.iter_mut().enumerate() {
                        session.is_active &= i == index;
                    }
                    // Wait for the mail about the password change, which a later sign-in could mistake for its code.
                    let is_sent = async || app.mails(CLERK).len() > mails;
                    wait_until("the mail about the change is sent", is_sent).await;
                }
                2..8 => session.refresh(&app, random.below(newest + 1)).await,
                _ => session.refresh(&app, newest).await,
            }
            for (i, session) in sessions.iter().enumerate() {
                let is_active = session.is_active && now - session.issued_at < 15 * MINUTE;
                assert_eq!(
                    is_session_active(&app, &session.access).await,
                    is_active,
                    "seed {seed}, step {step}, session {i}"
                );
            }
        }
    }
}
