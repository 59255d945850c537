//! The mailed code: six digits that prove the mailbox after the password proved the person (decisions 2.2).
//!
//! **Invariant:** a code is evaluated at most five times and wins at most once, whatever arrives at the same moment:
//! each try is taken, and the win decided, by one statement.

use super::devices::Device;
use super::sessions;
use crate::clock::{MINUTE, SECOND};
use crate::keys::{self, Keys};
use crate::limits;
use crate::mail::MailMessage;
use crate::problem::{Answer, Refusal};
use crate::state::App;
use crate::users::Account;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use forecourt_core::auth::mail::code_mail;
use forecourt_core::auth::{CODE_MINUTES, CODE_TRIES, RESEND_AFTER_SECONDS, Tokens, text};
use std::io;

/// For so long after a code a new one can be asked for without the password.
pub(super) const CHALLENGE: i64 = 30 * MINUTE;

/// Sends a code to whoever has just given the right password.
pub(super) async fn send(
    app: &App,
    account: &Account,
    device: &Device,
    device_name: String,
    remember: bool,
) -> Answer<()> {
    limits::take(app, limits::CODES_SENT, device.user.as_bytes()).await?;
    let (code, now) = (new_code()?, app.clock.now());
    app.db
        .sql(
            "INSERT INTO login_codes \
             (corp_id, user_id, device_hash, code_hash, device_name, remember, tries, sent_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8) \
             ON CONFLICT (corp_id, user_id, device_hash) DO UPDATE SET code_hash = excluded.code_hash, \
             device_name = excluded.device_name, remember = excluded.remember, tries = 0, \
             sent_at = excluded.sent_at, expires_at = excluded.expires_at",
        )
        .bind(device.corp)
        .bind(device.user)
        .bind(device.hash.clone())
        .bind(hash(&app.keys, device, &code))
        .bind(device_name)
        .bind(remember)
        .bind(now)
        .bind(now + CODE_MINUTES * MINUTE)
        .exec()
        .await?;
    mail(app, account, &code, now).await
}

/// Sends a new code where one was sent before. Elsewhere nothing happens, and the caller can't tell.
pub(super) async fn resend(app: &App, account: Option<&Account>, device: &Device) -> Answer<()> {
    let now = app.clock.now();
    let sent: Option<(i64,)> = app
        .db
        .sql(
            "SELECT sent_at FROM login_codes \
             WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND sent_at > $4",
        )
        .bind(device.corp)
        .bind(device.user)
        .bind(device.hash.clone())
        .bind(now - CHALLENGE)
        .maybe()
        .await?;
    let Some((sent_at,)) = sent else { return Ok(()) };
    let Some(account) = account.filter(|a| sessions::standing(a).is_ok()) else { return Ok(()) };
    let wait = sent_at + RESEND_AFTER_SECONDS * SECOND - now;
    if wait > 0 {
        return Err(Refusal::too_many(wait));
    }
    limits::take(app, limits::CODES_SENT, device.user.as_bytes()).await?;
    let code = new_code()?;
    // Of two that ask at once, the one that finds the code it read replaces it.
    let replaced = app
        .db
        .sql(
            "UPDATE login_codes SET code_hash = $1, tries = 0, sent_at = $2, expires_at = $3 \
             WHERE corp_id = $4 AND user_id = $5 AND device_hash = $6 AND sent_at = $7",
        )
        .bind(hash(&app.keys, device, &code))
        .bind(now)
        .bind(now + CODE_MINUTES * MINUTE)
        .bind(device.corp)
        .bind(device.user)
        .bind(device.hash.clone())
        .bind(sent_at)
        .exec()
        .await?;
    if replaced == 0 {
        return Err(Refusal::TooMany(RESEND_AFTER_SECONDS.unsigned_abs()));
    }
    mail(app, account, &code, now).await
}

/// Changes the right code for a session.
///
/// # Errors
/// A 400 when the code is wrong or no longer valid; 403 when the person was banned or switched off meanwhile.
pub(super) async fn redeem(app: &App, device: &Device, code: &str) -> Answer<Tokens> {
    let now = app.clock.now();
    let given = hash(&app.keys, device, code);
    let kept: Option<(Vec<u8>,)> = app
        .db
        .sql(
            "UPDATE login_codes SET tries = tries + 1 \
             WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND tries < $4 AND expires_at > $5 \
             RETURNING code_hash",
        )
        .bind(device.corp)
        .bind(device.user)
        .bind(device.hash.clone())
        .bind(CODE_TRIES)
        .bind(now)
        .maybe()
        .await?;
    let Some((kept,)) = kept else { return Err(Refusal::invalid(text::CODE_EXPIRED)) };
    if verify_slices_are_equal(&kept, &given).is_err() {
        return Err(Refusal::invalid(text::CODE_WRONG));
    }
    let mut tx = app.db.begin().await?;
    // The row that goes is the win, and it goes together with the session that comes.
    let won: Option<(String, bool)> = tx
        .sql(
            "DELETE FROM login_codes WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND code_hash = $4 \
             RETURNING device_name, remember",
        )
        .bind(device.corp)
        .bind(device.user)
        .bind(device.hash.clone())
        .bind(given)
        .maybe()
        .await?;
    let Some((device_name, remember)) = won else { return Err(Refusal::invalid(text::CODE_EXPIRED)) };
    let tokens = sessions::mint(app, &mut tx, device.corp, device.user, device_name, remember).await?;
    if remember {
        device.trust(&mut tx, now).await?;
    }
    tx.commit().await?;
    limits::forget(app, limits::CODES_SENT, device.user.as_bytes()).await?;
    Ok(tokens)
}

async fn mail(app: &App, account: &Account, code: &str, now: i64) -> Answer<()> {
    let text = code_mail(&app.config.brand, &account.first_name, code);
    let name = format!("{} {}", account.first_name, account.last_name);
    let message = MailMessage::new(&account.email, &name, text);
    app.mail.queue(app, account.corp_id, &message, now + CODE_MINUTES * MINUTE).await
}

/// A code as it is kept: bound to the person and the device.
fn hash(keys: &Keys, device: &Device, code: &str) -> Vec<u8> {
    keys.mac("login code", &[device.user.as_bytes(), &device.hash, code.as_bytes()])
}

/// Six random digits, each code as likely as any other: numbers beyond the last full million are drawn again.
fn new_code() -> io::Result<String> {
    const CODES: u32 = 1_000_000;
    const FAIR: u32 = u32::MAX - u32::MAX % CODES;
    loop {
        let number = u32::from_le_bytes(keys::random()?);
        if number < FAIR {
            return Ok(format!("{:06}", number % CODES));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_six_digits_and_is_not_the_same_again() {
        let codes: std::collections::HashSet<String> = (0..200).map(|_| new_code().unwrap()).collect();
        assert!(codes.iter().all(|c| c.len() == 6 && c.bytes().all(|b| b.is_ascii_digit())));
        assert!(codes.len() > 190);
    }
}
