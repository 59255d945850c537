//! Mailed login codes: six digits that prove access to the mailbox, after the password was correct (docs/product.md
//! 2.2).
//!
//! **Invariant:** a code is checked at most five times and succeeds at most once, even with simultaneous requests: a
//! single statement counts the attempt, and a single statement decides the success. The codes of an account are checked
//! one at a time, so that a correct code cannot succeed while a wrong one locks the account.

use super::devices::Device;
use super::sessions;
use crate::features::state::App;
use crate::features::users::{self, Account};
use crate::platform::clock::{MINUTE, SECOND};
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::keys::{self, Keys};
use crate::platform::limits;
use crate::platform::mail;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use forecourt_core::auth::mail::code_mail;
use forecourt_core::auth::{CODE_MINUTES, CODE_TRIES, RESEND_AFTER_SECONDS, Tokens, text};
use forecourt_core::secret::Secret;
use std::io;

/// For how long after a code was sent a new one can be requested without entering the password again.
pub(super) const RESEND_PERIOD: i64 = 30 * MINUTE;

/// Creates a login code for an account whose password was just verified, and queues its mail.
pub(super) async fn send(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    device: &Device,
    device_name: String,
    remember: bool,
) -> ApiResult<()> {
    let (code, now) = (new_code()?, app.clock.now());
    tx.sql(
        "INSERT INTO login_codes \
         (corp_id, user_id, device_hash, code_hash, device_name, remember, tries, sent_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8) \
         ON CONFLICT (corp_id, user_id, device_hash) DO UPDATE SET code_hash = excluded.code_hash, \
         device_name = excluded.device_name, remember = excluded.remember, tries = 0, \
         sent_at = excluded.sent_at, expires_at = excluded.expires_at",
    )
    .bind_all((
        device.corp,
        device.user,
        device.hash.clone(),
        hash(&app.keys, device, &account.email, &code),
        device_name,
        remember,
        now,
        now + CODE_MINUTES * MINUTE,
    ))
    .exec()
    .await?;
    queue_mail(app, tx, account, device, &code, now).await
}

/// Sends a new code if one was sent to this device within [`RESEND_PERIOD`]. Else does nothing, and the response is the
/// same.
///
/// # Errors
/// 429 if the last code was sent too recently.
pub(super) async fn resend(app: &App, account: Option<&Account>, device: &Device) -> ApiResult<()> {
    let now = app.clock.now();
    let sent_at: Option<i64> = app
        .db
        .sql(
            "SELECT sent_at FROM login_codes \
             WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND sent_at > $4",
        )
        .bind_all((device.corp, device.user, device.hash.clone(), now - RESEND_PERIOD))
        .maybe_value()
        .await?;
    let Some(sent_at) = sent_at else { return Ok(()) };
    let Some(account) = account.filter(|a| sessions::check_account_status(a).is_ok()) else { return Ok(()) };
    let wait = sent_at + RESEND_AFTER_SECONDS * SECOND - now;
    if wait > 0 {
        return Err(ApiError::too_many_requests(wait));
    }
    limits::count_use(app, limits::CODES_SENT, device.user.as_bytes()).await?;
    let code = new_code()?;
    let mut tx = app.db.begin().await?;
    // Of two simultaneous requests, only the one that still finds the `sent_at` it read replaces the code.
    let replaced = tx
        .sql(
            "UPDATE login_codes SET code_hash = $1, tries = 0, sent_at = $2, expires_at = $3 \
             WHERE corp_id = $4 AND user_id = $5 AND device_hash = $6 AND sent_at = $7",
        )
        .bind_all((
            hash(&app.keys, device, &account.email, &code),
            now,
            now + CODE_MINUTES * MINUTE,
            device.corp,
            device.user,
            device.hash.clone(),
            sent_at,
        ))
        .exec()
        .await?;
    if replaced == 0 {
        return Err(ApiError::TooManyRequests(RESEND_AFTER_SECONDS.unsigned_abs()));
    }
    queue_mail(app, &mut tx, account, device, &code, now).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(())
}

/// Exchanges a correct code for a session. Wrong codes are counted per account, across all codes, since the last
/// correct one or the last password reset.
///
/// # Errors
/// 400 if this device has no pending code (none was sent, it expired, or it was tried too often), with any status of
/// the account. Else 403, before the code is compared and without counting a try, if the account is locked, banned or
/// deactivated, or its corporation is deactivated. Else 400 if the code is wrong.
pub(super) async fn redeem(app: &App, device: &Device, code: &Secret<String>) -> ApiResult<Tokens> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let account = users::lock(&mut tx, device.corp, device.user).await?;
    let stored_hash: Option<Vec<u8>> = tx
        .sql(
            "UPDATE login_codes SET tries = tries + 1 \
             WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND tries < $4 AND expires_at > $5 \
             RETURNING code_hash",
        )
        .bind_all((device.corp, device.user, device.hash.clone(), CODE_TRIES, now))
        .maybe_value()
        .await?;
    let (Some(account), Some(stored_hash)) = (account, stored_hash) else {
        return Err(ApiError::invalid(text::CODE_EXPIRED));
    };
    // A pending code proves that the password was correct, so the account's status may be disclosed.
    sessions::check_account_status(&account)?;
    let given_hash = hash(&app.keys, device, &account.email, code);
    if verify_slices_are_equal(&stored_hash, &given_hash).is_err() {
        tx.sql("UPDATE users SET wrong_codes = wrong_codes + 1 WHERE corp_id = $1 AND user_id = $2")
            .bind_all((device.corp, device.user))
            .exec()
            .await?;
        tx.commit().await?;
        return Err(ApiError::invalid(text::CODE_WRONG));
    }
    // Deleting the row decides the success, in the same transaction that creates the session.
    let redeemed: Option<(String, bool)> = tx
        .sql(
            "DELETE FROM login_codes WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND code_hash = $4 \
             RETURNING device_name, remember",
        )
        .bind_all((device.corp, device.user, device.hash.clone(), given_hash))
        .maybe()
        .await?;
    let Some((device_name, remember)) = redeemed else { return Err(ApiError::invalid(text::CODE_EXPIRED)) };
    users::mark_email_verified(&mut tx, &account, now).await?;
    let tokens = sessions::create_session(app, &mut tx, device.corp, device.user, device_name, remember).await?;
    if remember {
        device.trust(&mut tx, now).await?;
    }
    tx.commit().await?;
    limits::reset_or_log(app, limits::CODES_SENT, device.user.as_bytes()).await;
    Ok(tokens)
}

async fn queue_mail(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    device: &Device,
    code: &Secret<String>,
    now: i64,
) -> ApiResult<()> {
    let text = code_mail(&app.config.brand, &account.first_name, code.expose_secret());
    let topic = mail::topic(app, "login code", &[device.user.as_bytes(), &device.hash]);
    app.mail.queue(app, tx, account.corp_id, &account.mail(text), Some(topic), now + CODE_MINUTES * MINUTE).await
}

/// Returns the stored form of a code: a MAC over the user, the device, the e-mail address and the code.
fn hash(keys: &Keys, device: &Device, email: &str, code: &Secret<String>) -> Vec<u8> {
    keys.mac("login code", &[device.user.as_bytes(), &device.hash, email.as_bytes(), code.expose_secret().as_bytes()])
}

/// Returns six uniformly distributed random digits. Values from the last incomplete million are rejected and redrawn.
fn new_code() -> io::Result<Secret<String>> {
    const CODES: u32 = 1_000_000;
    const LIMIT: u32 = u32::MAX - u32::MAX % CODES;
    let mut number = LIMIT;
    while number >= LIMIT {
        number = u32::from_le_bytes(keys::random()?);
    }
    Ok(format!("{:06}", number % CODES).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_six_digits_and_differ() {
        let codes: std::collections::HashSet<String> =
            (0..200).map(|_| new_code().unwrap().expose_secret().clone()).collect();
        assert!(codes.iter().all(|c| c.len() == 6 && c.bytes().all(|b| b.is_ascii_digit())));
        assert!(codes.len() > 190);
    }
}
