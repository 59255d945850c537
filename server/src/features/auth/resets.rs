//! A new password by a mailed link (docs/product.md 2.6). Who asks for a link learns nothing about the account, not even by
//! the time it takes: the request is only written down, and a job looks for the account.
//!
//! **Invariant:** only the newest link of a person works, once: the row that goes is the win, and it goes together with
//! the old password.

use super::oidc::identities;
use super::passwords;
use crate::features::state::App;
use crate::features::users::{self, Account};
use crate::platform::clock::MINUTE;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::http;
use crate::platform::keys::{self, Keys};
use crate::platform::limits;
use crate::platform::mail::{self, MailMessage};
use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt_core::auth::mail::reset_mail;
use forecourt_core::auth::{AccountStatus, ForgotInput, RESET_MINUTES, ResetInput, session_status, text};
use forecourt_core::reply::Done;
use std::time::Duration;
use uuid::Uuid;

/// How often the job looks when nothing wakes it: for what another node wrote down.
const LOOK: Duration = Duration::from_secs(2);
/// How long a link works, and how long a request may wait for the job.
pub(super) const LASTS: i64 = RESET_MINUTES * MINUTE;

/// `POST /api/auth/forgot-password`: the same answer after the same work, whether or not there is an account.
pub async fn forgot(State(app): State<App>, Valid(form): Valid<ForgotInput>) -> ApiResult<Json<Done>> {
    let email = form.into_inner().email.to_lowercase();
    limits::take(&app, limits::RESET_EMAIL, email.as_bytes()).await?;
    app.db
        .sql("INSERT INTO reset_requests (request_id, sealed, created_at) VALUES ($1, $2, $3)")
        .bind(Uuid::now_v7())
        .bind(app.keys.seal(email.as_bytes())?)
        .bind(app.clock.now())
        .exec()
        .await?;
    app.resets.notify_one();
    Ok(Json(Done::new(text::RESET_SENT)))
}

/// `POST /api/auth/reset-password`: the new password, in exchange for the link's token. Nobody is signed in by it: the
/// link proves the mailbox, and so does the code that is asked for next.
pub async fn reset(State(app): State<App>, Valid(form): Valid<ResetInput>) -> ApiResult<Json<Done>> {
    let form = form.into_inner();
    let (token, now) = (hash(&app.keys, &form.token), app.clock.now());
    // A look before the hashing, which only who holds a link may cause.
    let holder: Option<(Uuid, Uuid)> = app
        .db
        .sql("SELECT corp_id, user_id FROM password_resets WHERE token_hash = $1 AND expires_at > $2")
        .bind(token.clone())
        .bind(now)
        .maybe()
        .await?;
    let Some((corp, user)) = holder else { return Err(invalid()) };
    http::concerns(user);
    let password_hash = app.hasher.hash(form.password).await?;
    let mut tx = app.db.begin().await?;
    users::lock_corporation(&mut tx, corp).await?;
    let account = users::lock(&mut tx, corp, user).await?.filter(may_choose);
    let Some(account) = account else { return Err(invalid()) };
    let won = tx
        .sql("DELETE FROM password_resets WHERE corp_id = $1 AND user_id = $2 AND token_hash = $3 AND expires_at > $4")
        .bind(corp)
        .bind(user)
        .bind(token)
        .bind(now)
        .exec()
        .await?;
    if won == 0 {
        return Err(invalid());
    }
    users::mailbox_proven(&mut tx, &account, now).await?;
    passwords::replace(&app, &mut tx, &account, password_hash, None).await?;
    // Who takes their account back wants nobody in who had its password.
    identities::disconnect_all(&mut tx, corp, user).await?;
    tx.commit().await?;
    app.mail.wake();
    // Whoever guessed before, or asked for codes in vain, need not wait.
    limits::forget_if_possible(&app, limits::LOGIN_ACCOUNT, account.email.as_bytes()).await;
    limits::forget_if_possible(&app, limits::CODES_SENT, user.as_bytes()).await;
    Ok(Json(Done::new(text::RESET_DONE)))
}

fn invalid() -> ApiError {
    ApiError::invalid(text::RESET_LINK_INVALID)
}

/// May the person choose a new password by a link? Not who is banned or switched off; but who is locked out by wrong
/// codes may, and gets in again by it.
fn may_choose(account: &Account) -> bool {
    session_status(account.marks()) == AccountStatus::Active
}

/// A token as it is kept.
fn hash(keys: &Keys, token: &str) -> Vec<u8> {
    keys.mac("reset link", &[token.as_bytes()])
}

/// The job: mails the links that were asked for, for ever.
pub async fn worker(app: App) {
    loop {
        match answer_next(&app).await {
            Ok(true) => continue,
            Ok(false) => {}
            // What went wrong is in the log; the request is still there.
            Err(refusal) => tracing::warn!(?refusal, "a reset link could not be made"),
        }
        tokio::select! {
            () = app.resets.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

/// Answers the oldest request with a link, or with nothing; says whether there was one. Several nodes may do so at once:
/// a request goes in the same transaction as its link and its mail come.
///
/// # Errors
/// The database is not available; the request is still there then.
pub async fn answer_next(app: &App) -> ApiResult<bool> {
    let waits: Option<(Uuid,)> = app.db.sql("SELECT request_id FROM reset_requests LIMIT 1").maybe().await?;
    if waits.is_none() {
        return Ok(false);
    }
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // `=`, and not `IN`: PostgreSQL may ask an `IN` again for each row, and each time lock another one.
    let oldest = tx.pick("LIMIT 1)", "LIMIT 1 FOR UPDATE SKIP LOCKED)");
    let taken: Option<(Vec<u8>, i64)> = tx
        .sql(
            "DELETE FROM reset_requests WHERE request_id = (SELECT request_id FROM reset_requests ORDER BY request_id ",
        )
        .push(oldest)
        .push(" RETURNING sealed, created_at")
        .maybe()
        .await?;
    let Some((sealed, asked_at)) = taken else { return Ok(false) };
    let email = app.keys.open(&sealed).and_then(|email| String::from_utf8(email).ok());
    match email {
        Some(email) if asked_at + LASTS > now => link_for(app, &mut tx, &email, now).await?,
        Some(_) => {}
        None => tracing::error!("a request for a reset link was sealed with another secret key"),
    }
    tx.commit().await?;
    app.mail.wake();
    Ok(true)
}

/// Makes the link of whoever has this e-mail, if anybody has, and queues its mail. An older link ends.
async fn link_for(app: &App, tx: &mut Tx, email: &str, now: i64) -> ApiResult<()> {
    let Some(account) = users::lock_by_email(tx, email).await?.filter(may_choose) else { return Ok(()) };
    let token = URL_SAFE_NO_PAD.encode(keys::random::<32>()?);
    tx.sql(
        "INSERT INTO password_resets (corp_id, user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (corp_id, user_id) DO UPDATE SET token_hash = excluded.token_hash, \
         created_at = excluded.created_at, expires_at = excluded.expires_at",
    )
    .bind(account.corp_id)
    .bind(account.user_id)
    .bind(hash(&app.keys, &token))
    .bind(now)
    .bind(now + LASTS)
    .exec()
    .await?;
    // Never an address that the request named: whoever asks for somebody else's link would choose where it leads.
    let link = format!("{}/reset-password?token={token}", app.config.public_url());
    let text = reset_mail(&app.config.brand, &account.first_name, &link);
    let message = MailMessage::new(&account.email, &account.full_name(), text);
    let topic = mail::topic(app, "reset link", &[account.user_id.as_bytes()]);
    app.mail.queue(app, tx, account.corp_id, &message, Some(topic), now + LASTS).await
}
