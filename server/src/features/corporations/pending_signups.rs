//! Sign-ups that wait for the confirmation of their mailed link. They reserve neither e-mail nor organization number.
//! The e-mail is stored as a keyed hash, and the form encrypted.
//!
//! **Invariant:** a token confirms only once: deleting its row decides the success.

use crate::access::tokens::create_one_time_value;
use crate::platform::clock::{DAY, HOUR};
use crate::platform::db::{self, Db, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::keys::Keys;
use forecourt_core::auth::{SIGNUP_DAYS, VERIFY_EMAIL_HOURS};
use forecourt_core::organizations::OrganizationInput;
use forecourt_core::secret::Secret;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long a link is valid, in microseconds.
pub(super) const LINK_LIFETIME: i64 = VERIFY_EMAIL_HOURS * HOUR;

/// The data from which a confirmed sign-up creates a corporation.
#[derive(Serialize, Deserialize)]
pub(super) struct PendingSignup {
    pub form: PendingForm,
    pub password_hash: String,
}

/// The form of a sign-up without the password.
#[derive(Serialize, Deserialize)]
pub(super) struct PendingForm {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub mobile: String,
    #[serde(flatten)]
    pub organization: OrganizationInput,
    /// Missing in sign-ups that an older version has stored.
    #[serde(default)]
    pub country: String,
}

/// Stores a sign-up, and returns the token of its link.
pub(super) async fn create(tx: &mut Tx, keys: &Keys, pending: &PendingSignup, now: i64) -> ApiResult<Secret<String>> {
    let token = create_one_time_value()?;
    let plain = serde_json::to_vec(pending).map_err(ApiError::internal)?;
    tx.sql("INSERT INTO signups (signup_id, token_hash, email_key, sealed, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind_all((
            Uuid::now_v7(),
            token_hash(keys, token.expose_secret()),
            email_key(keys, &pending.form.email.to_lowercase()),
            keys.encrypt(&plain)?,
            now,
        ))
        .exec()
        .await?;
    Ok(token)
}

/// Deletes the sign-up of a link, and returns it; `None` if the link was used or has expired.
pub(super) async fn take(tx: &mut Tx, keys: &Keys, token: &str, now: i64) -> db::Result<Option<PendingSignup>> {
    let encrypted: Option<Vec<u8>> = tx
        .sql("DELETE FROM signups WHERE token_hash = $1 AND created_at > $2 RETURNING sealed")
        .bind_all((token_hash(keys, token), now - LINK_LIFETIME))
        .maybe_value()
        .await?;
    Ok(encrypted.and_then(|encrypted| decrypt(keys, &encrypted)))
}

/// Returns the password hash of the newest sign-up with this e-mail, which must be in lower case.
pub(crate) async fn password_hash(db: &Db, keys: &Keys, email: &str) -> db::Result<Option<String>> {
    let encrypted: Option<Vec<u8>> = db
        .sql("SELECT sealed FROM signups WHERE email_key = $1 ORDER BY signup_id DESC LIMIT 1")
        .bind(email_key(keys, email))
        .maybe_value()
        .await?;
    Ok(encrypted.and_then(|encrypted| decrypt(keys, &encrypted)).map(|pending| pending.password_hash))
}

/// Deletes sign-ups `SIGNUP_DAYS` after they were made. Until then, also after the link has expired, a sign-in with
/// the password of the newest one for an e-mail returns the error that the e-mail is unconfirmed.
pub(crate) async fn sweep(db: &Db, now: i64) -> db::Result<()> {
    db.sql("DELETE FROM signups WHERE created_at <= $1").bind(now - SIGNUP_DAYS * DAY).exec().await?;
    Ok(())
}

fn decrypt(keys: &Keys, encrypted: &[u8]) -> Option<PendingSignup> {
    let pending = keys.decrypt(encrypted).and_then(|plain| serde_json::from_slice(&plain).ok());
    if pending.is_none() {
        tracing::error!("a sign-up was encrypted with another secret key");
    }
    pending
}

fn token_hash(keys: &Keys, token: &str) -> Vec<u8> {
    keys.mac("sign-up link", &[token.as_bytes()])
}

fn email_key(keys: &Keys, email: &str) -> Vec<u8> {
    keys.mac("sign-up email", &[email.as_bytes()])
}
