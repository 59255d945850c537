//! Sessions and their chains of refresh tokens, walked through at random and held against the rule (security.md S2).

use crate::app::{CLERK, PASSWORD, TestApp};
use crate::races::rounds;
use crate::steps::{refresh, tokens, until, works};
use forecourt::platform::clock::{MINUTE, SECOND};
use serde_json::json;

const GRACE: i64 = 10 * SECOND;

/// A session as it should be.
struct Family {
    lives: bool,
    access: String,
    /// When the access token was made.
    since: i64,
    /// The chain: each token, and when it was spent.
    chain: Vec<(String, Option<i64>)>,
}

impl Family {
    /// What a refresh with the token at this place of the chain should lead to, and what it does to the session.
    async fn refresh(&mut self, app: &TestApp, at: usize) {
        let now = app.app.clock.now();
        let answer = refresh(app, &self.chain[at].0).await;
        let in_time = self.chain[at..].iter().all(|(_, spent)| spent.is_none_or(|spent| now - spent <= GRACE));
        if !self.lives || !in_time {
            assert_eq!(answer.status, 401, "{}", answer.body);
            self.lives = false;
            return;
        }
        assert_eq!(answer.status, 200, "{}", answer.body);
        let (access, next) = tokens(&answer);
        (self.access, self.since) = (access, now);
        let last = self.chain.len() - 1;
        if at == last {
            self.chain[last].1 = Some(now);
            self.chain.push((next, None));
        } else {
            assert_eq!(next, self.chain[last].0, "the chain has one end");
        }
    }
}

/// A source of numbers that a failing test can repeat (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

#[tokio::test]
async fn s2_whatever_is_refreshed_reused_or_ended_in_whatever_order_a_session_has_one_chain_or_is_over() {
    for seed in 0..rounds() as u64 {
        let app = TestApp::start().await;
        let mut numbers = Numbers(seed);
        let mut families: Vec<Family> = Vec::new();
        for step in 0..60 {
            app.pass((1 + numbers.below(6) as i64) * SECOND);
            let now = app.app.clock.now();
            if families.len() < 2 || (families.len() < 6 && numbers.below(12) == 0) {
                let (access, token) = app.tokens(CLERK).await;
                families.push(Family { lives: true, access, since: now, chain: vec![(token, None)] });
                continue;
            }
            let which = numbers.below(families.len());
            let family = &mut families[which];
            let newest = family.chain.len() - 1;
            match numbers.below(24) {
                0 if family.lives && now - family.since < 15 * MINUTE => {
                    let out = app.post("/api/auth/logout", Some(&family.access), json!({})).await;
                    assert_eq!(out.status, 200);
                    family.lives = false;
                }
                1 if family.lives && now - family.since < 15 * MINUTE => {
                    let form = json!({"currentPassword": PASSWORD, "newPassword": PASSWORD});
                    let changed = app.post("/api/auth/change-password", Some(&family.access), form).await;
                    assert_eq!(changed.status, 200, "{}", changed.body);
                    for (i, family) in families.iter_mut().enumerate() {
                        family.lives &= i == which;
                    }
                    // The mail that tells of it is not taken for the next code's.
                    let is_told = async || app.mails(CLERK).last().is_some_and(|m| m.contains("was changed"));
                    until("the change is told", is_told).await;
                }
                2..8 => family.refresh(&app, numbers.below(newest + 1)).await,
                _ => family.refresh(&app, newest).await,
            }
            for (i, family) in families.iter().enumerate() {
                let lives = family.lives && now - family.since < 15 * MINUTE;
                assert_eq!(works(&app, &family.access).await, lives, "seed {seed}, step {step}, session {i}");
            }
        }
    }
}
