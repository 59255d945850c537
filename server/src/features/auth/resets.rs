//! Password reset by a mailed link (docs/product.md 2.6). A request reveals nothing about the account, not even by its
//! duration: it is only stored, and a background job looks up the account.
//!
//! **Invariant:** only a user's newest link works, and only once: deleting its row decides the success, in the
//! transaction that replaces the password.

use super::oidc::identities;
use super::passwords::{self, ChangedBy};
use crate::access::scope::scope_of_job;
use crate::access::tokens::create_one_time_value;
use crate::features::state::App;
use crate::features::users::{self, Account, AccountChange, PASSWORD};
use crate::platform::clock::MINUTE;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::http;
use crate::platform::jobs::{self, POLL};
use crate::platform::keys::Keys;
use crate::platform::limits;
use crate::platform::mail;
use axum::Json;
use axum::extract::State;
use forecourt_core::auth::mail::reset_mail;
use forecourt_core::auth::{AccountFlags, AccountStatus, ForgotInput, RESET_MINUTES, ResetInput, session_status, text};
use forecourt_core::reply::Done;
use forecourt_core::secret::Secret;
use std::time::Duration;
use tokio::sync::watch;
use uuid::Uuid;

/// How long a link is valid, and how long a request may wait for the job. In microseconds.
pub(super) const VALIDITY: i64 = RESET_MINUTES * MINUTE;

/// `POST /api/auth/forgot-password`: the same response after the same work, whether or not there is an account.
pub async fn forgot(State(app): State<App>, Valid(form): Valid<ForgotInput>) -> ApiResult<Json<Done>> {
    let email = form.into_inner().email.to_lowercase();
    limits::count_use(&app, limits::RESET_EMAIL, email.as_bytes()).await?;
    app.db
        .sql("INSERT INTO reset_requests (request_id, sealed, created_at) VALUES ($1, $2, $3)")
        .bind(Uuid::now_v7())
        .bind(app.keys.encrypt(email.as_bytes())?)
        .bind(app.clock.now())
        .exec()
        .await?;
    app.resets.notify_one();
    Ok(Json(Done::new(text::RESET_SENT)))
}

/// `POST /api/auth/reset-password`: sets a new password in exchange for the link's token. It does not sign the user in,
/// so that a reset does not bypass the code of the next sign-in (docs/security.md R2).
pub async fn reset(State(app): State<App>, Valid(form): Valid<ResetInput>) -> ApiResult<Json<Done>> {
    let form = form.into_inner();
    let (token, now) = (hash(&app.keys, &form.token), app.clock.now());
    // Checked before hashing, so that only the holder of a valid link can cause that work.
    let holder: Option<(Uuid, Uuid)> = app
        .db
        .sql("SELECT corp_id, user_id FROM password_resets WHERE token_hash = $1 AND expires_at > $2")
        .bind(token.clone())
        .bind(now)
        .maybe()
        .await?;
    let Some((corp, user)) = holder else { return Err(invalid_link_error()) };
    http::log_user(user);
    let password_hash = app.hasher.hash(form.password).await?;
    let mut tx = app.db.begin().await?;
    users::lock_corporation(&mut tx, corp).await?;
    let account = users::lock(&mut tx, corp, user).await?.filter(may_reset);
    let Some(account) = account else { return Err(invalid_link_error()) };
    let deleted = tx
        .sql("DELETE FROM password_resets WHERE corp_id = $1 AND user_id = $2 AND token_hash = $3 AND expires_at > $4")
        .bind(corp)
        .bind(user)
        .bind(token)
        .bind(now)
        .exec()
        .await?;
    if deleted == 0 {
        return Err(invalid_link_error());
    }
    users::mark_email_verified(&mut tx, &account, now).await?;
    let scope = scope_of_job(&app.db, corp, user);
    let change = AccountChange::begin(&mut tx, &scope, user).await?;
    passwords::replace(&app, &mut tx, &account, password_hash, ChangedBy::Owner { session: None }).await?;
    // After an account takeover, a provider identity that the intruder connected must not sign in any more.
    identities::disconnect_all(&mut tx, corp, user).await?;
    change.record(&mut tx, &scope, now, &[PASSWORD]).await?;
    tx.commit().await?;
    app.mail.wake();
    // Failed sign-ins and unused codes from before the reset no longer count.
    limits::reset_or_log(&app, limits::LOGIN_ACCOUNT, account.email.as_bytes()).await;
    limits::reset_or_log(&app, limits::CODES_SENT, user.as_bytes()).await;
    Ok(Json(Done::new(text::RESET_DONE)))
}

fn invalid_link_error() -> ApiError {
    ApiError::invalid(text::RESET_LINK_INVALID)
}

/// Returns whether the user may reset the password with a link. Banned or deactivated users, and users of deactivated
/// corporations, may not. A user locked out by wrong codes may, which also unlocks the account. So may a user whose
/// corporation only waits for approval, who can still not sign in afterwards.
fn may_reset(account: &Account) -> bool {
    let flags = account.flags();
    let corp_active = flags.corp_active || account.corp_awaits_approval;
    session_status(AccountFlags { corp_active, ..flags }) == AccountStatus::Active
}

/// Returns the stored form of a token.
fn hash(keys: &Keys, token: &Secret<String>) -> Vec<u8> {
    keys.mac("reset link", &[token.expose_secret().as_bytes()])
}

/// Background job: mails the requested links.
pub async fn worker(app: App, stop: watch::Receiver<bool>) {
    jobs::run("reset links", &app.resets, stop, || async {
        Ok(if process_next_request(&app).await? { Duration::ZERO } else { POLL })
    })
    .await;
}

/// Processes the oldest request for a reset link, and returns whether there was one. Mails a link if there is a
/// matching account. Several nodes may call this at once: a request is deleted in the transaction that stores its link
/// and its mail.
///
/// # Errors
/// The database is not available. The request is then still stored.
pub async fn process_next_request(app: &App) -> ApiResult<bool> {
    if !app.db.sql("SELECT request_id FROM reset_requests LIMIT 1").exists().await? {
        return Ok(false);
    }
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // `=` and not `IN`: PostgreSQL may evaluate an `IN` subquery once per row and lock another row each time.
    let limit = tx.pick("LIMIT 1)", "LIMIT 1 FOR UPDATE SKIP LOCKED)");
    let request: Option<(Vec<u8>, i64)> = tx
        .sql(
            "DELETE FROM reset_requests WHERE request_id = (SELECT request_id FROM reset_requests ORDER BY request_id ",
        )
        .push(limit)
        .push(" RETURNING sealed, created_at")
        .maybe()
        .await?;
    let Some((sealed, requested_at)) = request else { return Ok(false) };
    let email = app.keys.decrypt(&sealed).and_then(|email| String::from_utf8(email).ok());
    match email {
        Some(email) if requested_at + VALIDITY > now => mail_link(app, &mut tx, &email, now).await?,
        Some(_) => {}
        None => tracing::error!("a request for a reset link was encrypted with another secret key"),
    }
    tx.commit().await?;
    app.mail.wake();
    Ok(true)
}

/// Creates the link for the account with this e-mail, if there is one, and queues its mail. Invalidates an older link.
async fn mail_link(app: &App, tx: &mut Tx, email: &str, now: i64) -> ApiResult<()> {
    let Some(account) = users::lock_by_email(tx, email).await?.filter(may_reset) else { return Ok(()) };
    let token = create_one_time_value()?;
    tx.sql(
        "INSERT INTO password_resets (corp_id, user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (corp_id, user_id) DO UPDATE SET token_hash = excluded.token_hash, \
         created_at = excluded.created_at, expires_at = excluded.expires_at",
    )
    .bind(account.corp_id)
    .bind(account.user_id)
    .bind(hash(&app.keys, &token))
    .bind(now)
    .bind(now + VALIDITY)
    .exec()
    .await?;
    // Always the configured public URL, never one from the request: an attacker could choose where the victim's link
    // leads.
    let link = format!("{}/reset-password?token={}", app.config.public_url(), token.expose_secret());
    let text = reset_mail(&app.config.brand, &account.first_name, &link);
    let topic = mail::topic(app, "reset link", &[account.user_id.as_bytes()]);
    app.mail.queue(app, tx, account.corp_id, &account.mail(text), Some(topic), now + VALIDITY).await
}
