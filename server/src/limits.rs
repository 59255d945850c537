//! Throttles, counted in the database so that they hold across nodes (decisions 2.4), and the address of a caller.

use crate::clock::{HOUR, MINUTE};
use crate::config::Config;
use crate::problem::{Answer, Refusal};
use crate::state::App;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::net::{IpAddr, SocketAddr};

/// So many uses in so long a window, counted apart for each key.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub name: &'static str,
    pub uses: i32,
    /// Microseconds.
    pub window: i64,
}

/// Sign-ins tried from one address.
pub const LOGIN_ADDRESS: Limit = Limit { name: "login address", uses: 60, window: 5 * MINUTE };
/// Sign-ins tried for one account.
pub const LOGIN_ACCOUNT: Limit = Limit { name: "login account", uses: 10, window: 5 * MINUTE };
/// Codes tried from one address.
pub const CODE_ADDRESS: Limit = Limit { name: "code address", uses: 60, window: 5 * MINUTE };
/// Codes sent to one account (decisions 2.2).
pub const CODES_SENT: Limit = Limit { name: "codes sent", uses: 5, window: HOUR };
/// Reset links asked for from one address.
pub const FORGOT_ADDRESS: Limit = Limit { name: "forgot address", uses: 30, window: 5 * MINUTE };
/// Reset links asked for one e-mail, whether or not it has an account.
pub const RESET_EMAIL: Limit = Limit { name: "reset email", uses: 5, window: HOUR };
/// Reset links tried from one address.
pub const RESET_ADDRESS: Limit = Limit { name: "reset address", uses: 60, window: 5 * MINUTE };
/// Journeys to the provider that one can sign in with, and returns from it, from one address: each sign-in is one of both.
pub const FEDERATED_ADDRESS: Limit = Limit { name: "federated address", uses: 120, window: 5 * MINUTE };
/// Connections with that provider begun by one person.
pub const CONNECTS: Limit = Limit { name: "connects", uses: 20, window: HOUR };
/// Pairs verified from one address.
pub const PAIR_ADDRESS: Limit = Limit { name: "pair address", uses: 600, window: 5 * MINUTE };
/// Refreshes from one address.
pub const REFRESH_ADDRESS: Limit = Limit { name: "refresh address", uses: 600, window: 5 * MINUTE };
/// Registrations from one address.
pub const SIGNUP_ADDRESS: Limit = Limit { name: "signup address", uses: 10, window: HOUR };
/// Links of sign-ups tried from one address.
pub const VERIFY_EMAIL_ADDRESS: Limit = Limit { name: "verify email address", uses: 60, window: 5 * MINUTE };
/// Registrations with one e-mail, each of which mails its owner.
pub const SIGNUP_EMAIL: Limit = Limit { name: "signup email", uses: 3, window: HOUR };
/// Current passwords tried by who is signed in, for what needs one.
pub const PASSWORD_PROOF: Limit = Limit { name: "password proof", uses: 10, window: 5 * MINUTE };
/// Forms that may hold a picture, sent by one person.
pub const PICTURES: Limit = Limit { name: "pictures", uses: 60, window: 10 * MINUTE };
/// Lines that one session may write into the log (decisions 4.4).
pub const LOG_LINES: Limit = Limit { name: "log lines", uses: 60, window: MINUTE };
/// Accounts made, or given another e-mail or password, by one person: each tells whether an e-mail is taken, mails it, or
/// takes a core to hash.
pub const ACCOUNTS: Limit = Limit { name: "accounts", uses: 300, window: HOUR };
/// Companies looked up by one person.
pub const LOOKUPS: Limit = Limit { name: "lookups", uses: 60, window: 5 * MINUTE };
/// Files sent by one person.
pub const IMPORTS: Limit = Limit { name: "imports", uses: 60, window: 10 * MINUTE };

/// Counts one use.
///
/// # Errors
/// 429 with the seconds to wait, once the window's uses are spent.
pub async fn take(app: &App, limit: Limit, key: &[u8]) -> Answer<()> {
    let now = app.clock.now();
    let (uses, resets_at): (i32, i64) = app
        .db
        .sql(
            "INSERT INTO throttles (throttle_key, uses, resets_at) VALUES ($1, 1, $2) \
             ON CONFLICT (throttle_key) DO UPDATE SET \
             uses = CASE WHEN throttles.resets_at <= $3 THEN 1 ELSE throttles.uses + 1 END, \
             resets_at = CASE WHEN throttles.resets_at <= $3 THEN excluded.resets_at ELSE throttles.resets_at END \
             RETURNING uses, resets_at",
        )
        .bind(app.keys.mac("throttle", &[limit.name.as_bytes(), key]))
        .bind(now + limit.window)
        .bind(now)
        .one()
        .await?;
    if uses <= limit.uses {
        return Ok(());
    }
    app.metrics.throttled(limit.name);
    Err(Refusal::too_many(resets_at - now))
}

/// Forgets what was counted: the person has proved to be the right one.
pub async fn forget(app: &App, limit: Limit, key: &[u8]) -> sqlx::Result<()> {
    let key = app.keys.mac("throttle", &[limit.name.as_bytes(), key]);
    app.db.sql("DELETE FROM throttles WHERE throttle_key = $1").bind(key).exec().await?;
    Ok(())
}

/// As [`forget`], after something that is done already and must not fail for this.
pub async fn forget_if_possible(app: &App, limit: Limit, key: &[u8]) {
    if let Err(error) = forget(app, limit, key).await {
        tracing::warn!(%error, limit = limit.name, "a counter goes on");
    }
}

/// Removes counters whose window is over.
pub async fn sweep(app: &App) -> sqlx::Result<u64> {
    app.db.sql("DELETE FROM throttles WHERE resets_at <= $1").bind(app.clock.now()).exec().await
}

/// Where a call came from, as the accept loop saw it.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The address that a caller is counted under: the peer, or behind trusted proxies the first address from the right of
/// X-Forwarded-For that is not one of them. An IPv6 address counts by its /56, what one household or office has.
pub struct Caller(pub Vec<u8>);

impl FromRequestParts<App> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let Some(Peer(peer)) = parts.extensions.get::<Peer>() else {
            return Err(Refusal::unexpected("the accept loop names every peer"));
        };
        Ok(Caller(key_of(caller(peer.ip(), &parts.headers, &app.config))))
    }
}

fn caller(peer: IpAddr, headers: &HeaderMap, config: &Config) -> IpAddr {
    let trusted = |ip: &IpAddr| config.trusted_proxies.contains(&ip.to_canonical());
    let mut address = peer.to_canonical();
    if !trusted(&address) {
        return address;
    }
    let chain: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(',')).collect();
    for hop in chain.iter().rev() {
        // What stands left of something unreadable can't be believed.
        let hop = hop.trim();
        // Some gateways write the port too.
        let Ok(ip) = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|a| a.ip())) else { break };
        address = ip.to_canonical();
        if !trusted(&address) {
            break;
        }
    }
    address
}

/// The client of a request that a trusted proxy hands on; `None` where the peer itself is the client.
pub(crate) fn client_behind_proxy(peer: IpAddr, headers: &HeaderMap, config: &Config) -> Option<IpAddr> {
    config.trusted_proxies.contains(&peer.to_canonical()).then(|| caller(peer, headers, config))
}

/// Returns the key that an address is counted under: an IPv6 address counts by its /56, what one household or office has.
pub(crate) fn key_of(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets()[..7].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        config: Config,
    }

    fn seen(peer: &str, forwarded: &[&str], trusted: &str) -> String {
        let mut args = vec!["forecourt"];
        if !trusted.is_empty() {
            args.extend(["--trusted-proxies", trusted]);
        }
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        caller(peer.parse().unwrap(), &headers, &Only::parse_from(args).config).to_string()
    }

    #[test]
    fn a_forwarded_address_is_believed_only_from_a_trusted_proxy_and_from_the_right() {
        assert_eq!(seen("9.9.9.9", &["1.1.1.1"], ""), "9.9.9.9");
        assert_eq!(seen("10.0.0.1", &["6.6.6.6, 1.1.1.1"], "10.0.0.1"), "1.1.1.1");
        assert_eq!(seen("10.0.0.1", &["6.6.6.6", "1.1.1.1, 10.0.0.2"], "10.0.0.1,10.0.0.2"), "1.1.1.1");
        assert_eq!(seen("10.0.0.1", &["6.6.6.6, nonsense"], "10.0.0.1"), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1:5678"], "10.0.0.1"), "1.1.1.1");
        assert_eq!(seen("::ffff:10.0.0.1", &["1.1.1.1"], "10.0.0.1"), "1.1.1.1");
    }

    #[test]
    fn an_ipv6_address_counts_by_its_56_bits() {
        let key = |text: &str| key_of(text.parse().unwrap());
        assert_eq!(key("2001:db8:0:1::1"), key("2001:db8:0:ff::2"));
        assert_ne!(key("2001:db8:0:100::1"), key("2001:db8:0:1::1"));
    }
}
