//! Rate limits, counted in the database so that they apply across nodes (docs/product.md 2.4), and the client's
//! address.

use crate::platform::client_address::{Peer, address_key, client_address};
use crate::platform::clock::{HOUR, MINUTE};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::state::Platform;
use axum::http::request::Parts;

/// A rate limit: at most `uses` per `window` for each key, such as an address or an account. `name` labels it in
/// metrics.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub name: &'static str,
    pub uses: i32,
    /// Length of the window in microseconds.
    pub window: i64,
}

// Limits of sign-in. Those without "address" in their name count per account or per e-mail, not per client address.
pub const LOGIN_ADDRESS: Limit = Limit { name: "login address", uses: 60, window: 5 * MINUTE };
pub const LOGIN_ACCOUNT: Limit = Limit { name: "login account", uses: 10, window: 5 * MINUTE };
pub const CODE_ADDRESS: Limit = Limit { name: "code address", uses: 60, window: 5 * MINUTE };
/// Codes sent to one account (docs/product.md 2.2).
pub const CODES_SENT: Limit = Limit { name: "codes sent", uses: 5, window: HOUR };
pub const REFRESH_ADDRESS: Limit = Limit { name: "refresh address", uses: 600, window: 5 * MINUTE };
pub const FORGOT_ADDRESS: Limit = Limit { name: "forgot address", uses: 30, window: 5 * MINUTE };
/// Password reset requests for one e-mail, whether or not it has an account.
pub const RESET_EMAIL: Limit = Limit { name: "reset email", uses: 5, window: HOUR };
pub const RESET_ADDRESS: Limit = Limit { name: "reset address", uses: 60, window: 5 * MINUTE };
/// OIDC authorization requests and callbacks from one address. Each sign-in consists of one of each, so it counts
/// twice.
pub const OIDC_ADDRESS: Limit = Limit { name: "oidc address", uses: 120, window: 5 * MINUTE };
/// One-time login exchanges from one address.
pub const EXCHANGE_ADDRESS: Limit = Limit { name: "exchange address", uses: 600, window: 5 * MINUTE };
/// Attempts of one user to connect the account with the OIDC provider.
pub const OIDC_LINKS: Limit = Limit { name: "oidc links", uses: 20, window: HOUR };
pub const PASSWORD_CONFIRMATIONS: Limit = Limit { name: "password confirmations", uses: 10, window: 5 * MINUTE };

// Limits of registration.
pub const SIGNUP_ADDRESS: Limit = Limit { name: "signup address", uses: 10, window: HOUR };
/// Registrations with one e-mail, because each sends a mail to the e-mail's owner.
pub const SIGNUP_EMAIL: Limit = Limit { name: "signup email", uses: 3, window: HOUR };
pub const VERIFY_EMAIL_ADDRESS: Limit = Limit { name: "verify email address", uses: 60, window: 5 * MINUTE };

// Limits on requests of one signed-in user.
/// Users that an administrator creates, and changes that they make to another user's e-mail or password. Such a
/// request reveals whether an e-mail is in use, sends mail, or hashes a password.
pub const ACCOUNT_CHANGES: Limit = Limit { name: "accounts", uses: 300, window: HOUR };
/// Forms that may contain a picture.
pub const PICTURES: Limit = Limit { name: "pictures", uses: 60, window: 10 * MINUTE };
/// Uploads of photos of vehicles. Each vehicle can have up to 30 photos.
pub const PHOTOS: Limit = Limit { name: "photos", uses: 600, window: 10 * MINUTE };
pub const IMPORTS: Limit = Limit { name: "imports", uses: 60, window: 10 * MINUTE };
/// Company lookups.
pub const LOOKUPS: Limit = Limit { name: "lookups", uses: 60, window: 5 * MINUTE };
/// Comments that a user adds or edits. Each is an entry of the history.
pub const COMMENTS: Limit = Limit { name: "comments", uses: 300, window: 10 * MINUTE };
/// Messages about records that a user edits. Each goes to all colleagues who may read the record. An open form sends
/// one every 15 seconds, and at most one every 3 seconds in response to others.
pub const PRESENCE: Limit = Limit { name: "presence", uses: 1_200, window: 5 * MINUTE };
/// Log lines of one session (docs/product.md 4.4).
pub const LOG_LINES: Limit = Limit { name: "log lines", uses: 60, window: MINUTE };

/// Counts one use of what is limited by `key`.
///
/// # Errors
/// 429 with the seconds to wait, if the key's uses of this window exceed the limit.
pub async fn count_use(platform: &Platform, limit: Limit, key: &[u8]) -> ApiResult<()> {
    let now = platform.clock.now();
    let (uses, resets_at): (i32, i64) = platform
        .db
        .sql(
            "INSERT INTO throttles (throttle_key, uses, resets_at) VALUES ($1, 1, $2) \
             ON CONFLICT (throttle_key) DO UPDATE SET \
             uses = CASE WHEN throttles.resets_at <= $3 THEN 1 ELSE throttles.uses + 1 END, \
             resets_at = CASE WHEN throttles.resets_at <= $3 THEN excluded.resets_at ELSE throttles.resets_at END \
             RETURNING uses, resets_at",
        )
        .bind(platform.keys.mac("throttle", &[limit.name.as_bytes(), key]))
        .bind(now + limit.window)
        .bind(now)
        .one()
        .await?;
    if uses <= limit.uses {
        return Ok(());
    }
    platform.metrics.count_throttled(limit.name);
    Err(ApiError::too_many_requests(resets_at - now))
}

/// Resets the counter of a limit for `key`, because the user has proved to own the account: with the password, a code
/// or a reset link.
pub async fn reset(platform: &Platform, limit: Limit, key: &[u8]) -> sqlx::Result<()> {
    let key = platform.keys.mac("throttle", &[limit.name.as_bytes(), key]);
    platform.db.sql("DELETE FROM throttles WHERE throttle_key = $1").bind(key).exec().await?;
    Ok(())
}

/// As [`reset`], but only logs a failure, so that a request which has already done its work still succeeds.
pub async fn reset_or_log(platform: &Platform, limit: Limit, key: &[u8]) {
    if let Err(error) = reset(platform, limit, key).await {
        tracing::warn!(%error, limit = limit.name, "a rate limit counter could not be reset");
    }
}

/// Deletes the rate limit counters whose window has passed, and returns how many.
pub async fn delete_expired(platform: &Platform) -> sqlx::Result<u64> {
    platform.db.sql("DELETE FROM throttles WHERE resets_at <= $1").bind(platform.clock.now()).exec().await
}

/// Returns the key that the client of a request is counted under ([`address_key`]): its address, which is the peer's,
/// or behind trusted proxies the first one from the right of `X-Forwarded-For` that is not a trusted proxy.
///
/// # Errors
/// 500 if the connection has no [`Peer`], which the accept loop adds.
pub fn client_key(parts: &Parts, platform: &Platform) -> ApiResult<Vec<u8>> {
    let Some(Peer(peer)) = parts.extensions.get::<Peer>() else {
        return Err(ApiError::internal("the connection has no peer address"));
    };
    Ok(address_key(client_address(peer.ip(), &parts.headers, &platform.config)))
}
