//! Sessions: the only place that issues tokens, and the rotation of refresh tokens (docs/product.md 2.3).

use crate::access::scope::{Scope, scope_of_job};
use crate::access::tokens::{self, SessionKey, TokenSubject};
use crate::features::history::{self, Entry};
use crate::features::state::App;
use crate::features::users::{self, Account};
use crate::platform::clock::{DAY, HOUR, SECOND, rfc3339};
use crate::platform::db::{self, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::http;
use forecourt_core::auth::{self, AccountStatus, REMEMBER_DAYS, SESSION_HOURS, SPENT_TOKEN_GRACE_SECONDS, Tokens};
use forecourt_core::history::HistoryAction;
use forecourt_core::permissions::ResourceId;
use forecourt_core::problem::Ban;
use forecourt_core::secret::Secret;
use uuid::Uuid;

/// Maximum number of successors of a spent refresh token that are followed to find the current one. Tabs that refresh
/// at the same time never create that many.
const MAX_SUCCESSORS: usize = 16;

/// Returns an error if the account's status does not permit a new session. Called only after authentication, because
/// the error discloses the status.
pub(super) fn check_account_status(account: &Account) -> ApiResult<()> {
    match auth::sign_in_status(account.flags()) {
        AccountStatus::Active => Ok(()),
        AccountStatus::Disabled if account.corp_awaits_approval => Err(ApiError::AwaitsApproval),
        AccountStatus::Disabled if !account.corp_active => Err(ApiError::CorporationDisabled),
        AccountStatus::Disabled => Err(ApiError::AccountDisabled),
        AccountStatus::Locked => Err(ApiError::AccountLocked),
        AccountStatus::Banned => Err(ApiError::Banned(Ban {
            is_banned: true,
            reason: account.ban_reason.clone().unwrap_or_default(),
            banned_at: rfc3339(account.banned_at.unwrap_or_default()),
        })),
    }
}

/// Creates a session and returns its tokens. Every way to sign in ends here, so the account's status is checked here.
///
/// # Errors
/// 403 if the user is banned, locked or deactivated or the corporation is deactivated; 401 if the user no longer
/// exists.
pub(super) async fn create_session(
    app: &App,
    tx: &mut Tx,
    corp: Uuid,
    user: Uuid,
    device_name: String,
    remember: bool,
) -> ApiResult<Tokens> {
    let now = app.clock.now();
    let Some(account) = users::lock(tx, corp, user).await? else { return Err(ApiError::WrongCredentials) };
    check_account_status(&account)?;
    let session = Uuid::now_v7();
    let lifetime = if remember { REMEMBER_DAYS * DAY } else { SESSION_HOURS * HOUR };
    tx.sql(
        "INSERT INTO sessions (corp_id, session_id, user_id, device_name, remember, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind_all((corp, session, user, device_name.clone(), remember, now, now + lifetime))
    .exec()
    .await?;
    let refresh_token = tokens::create_refresh_token(&app.keys, SessionKey { corp, session })?;
    insert_refresh_token(app, tx, corp, session, refresh_token.expose_secret()).await?;
    record(tx, &scope_of_job(&app.db, corp, user), now, HistoryAction::SignedIn, &device_name).await?;
    create_tokens(app, user, session, &account.user_type, refresh_token)
}

/// Adds the history entry for the beginning or the end of a session of the scope's user.
async fn record(tx: &mut Tx, scope: &Scope, now: i64, action: HistoryAction, device_name: &str) -> db::Result<()> {
    let entry = Entry::new(action, ResourceId::Users, scope.user(), device_name, &[])?;
    history::insert(tx, scope, now, vec![entry]).await
}

/// Ends the session of a user who signs out.
pub(super) async fn sign_out(tx: &mut Tx, scope: &Scope, session: Uuid, now: i64) -> db::Result<()> {
    let ended: Option<String> = tx
        .sql("DELETE FROM sessions WHERE corp_id = $1 AND session_id = $2 RETURNING device_name")
        .bind_all((scope.corp(), session))
        .maybe_value()
        .await?;
    match ended {
        Some(device_name) => record(tx, scope, now, HistoryAction::SignedOut, &device_name).await,
        // The session ended before this request.
        None => Ok(()),
    }
}

/// Exchanges a refresh token for a new pair of tokens.
///
/// # Errors
/// [`ApiError::SessionExpired`] if the token is unknown, its session has ended, the user or the corporation is not
/// active, or the token was used before the grace period.
pub(super) async fn refresh(app: &App, token: &str) -> ApiResult<Tokens> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let stored: Option<(Uuid, Uuid)> = tx
        .sql("SELECT corp_id, session_id FROM refresh_tokens WHERE token_hash = $1")
        .bind(tokens::hash_refresh_token(&app.keys, token))
        .maybe()
        .await?;
    // A correctly signed token without a row was spent, and deleted after the grace period.
    let chain = stored
        .map(|(corp, session)| SessionKey { corp, session })
        .or_else(|| tokens::verify_refresh_token(&app.keys, token));
    let Some(chain @ SessionKey { corp, session }) = chain else { return Err(ApiError::SessionExpired) };
    // Serializes simultaneous refreshes of a session; each sees the result of the one before.
    let row_lock = tx.pick("", " FOR NO KEY UPDATE");
    let owner: Option<Uuid> = tx
        .sql("SELECT user_id FROM sessions WHERE corp_id = $1 AND session_id = $2 AND expires_at > $3")
        .push(row_lock)
        .bind_all((corp, session, now))
        .maybe_value()
        .await?;
    let Some(user) = owner else { return Err(ApiError::SessionExpired) };
    http::log_user(user);
    let account =
        users::find(&mut tx, corp, user).await?.filter(|a| auth::session_status(a.flags()) == AccountStatus::Active);
    let Some(account) = account else { return Err(ApiError::SessionExpired) };
    let spent = tx
        .sql("UPDATE refresh_tokens SET spent_at = $1 WHERE corp_id = $2 AND token_hash = $3 AND spent_at IS NULL")
        .bind_all((now, corp, tokens::hash_refresh_token(&app.keys, token)))
        .exec()
        .await?;
    let next = if spent == 1 {
        let next = tokens::derive_successor(&app.keys, token, chain);
        insert_refresh_token(app, &mut tx, corp, session, next.expose_secret()).await?;
        delete_spent_tokens(&mut tx, chain, now).await?;
        next
    } else if let Some(next) = current_token_after_race(app, &mut tx, chain, token, now).await? {
        next
    } else {
        // In a separate transaction, because the lock order is corporation, then session.
        drop(tx);
        let mut tx = app.db.begin().await?;
        users::lock_corporation(&mut tx, corp).await?;
        end(&mut tx, corp, session).await?;
        tx.commit().await?;
        tracing::warn!(%session, "a spent refresh token was used again: its session was ended");
        return Err(ApiError::SessionExpired);
    };
    tx.commit().await?;
    create_tokens(app, user, session, &account.user_type, next)
}

/// Returns the current token of the chain that a spent token belongs to, if every spent token on the way was spent
/// within the grace period. Otherwise returns `None`: the token was reused too late. Racing tabs thereby continue with
/// the same token, even after several races.
async fn current_token_after_race(
    app: &App,
    tx: &mut Tx,
    chain: SessionKey,
    token: &str,
    now: i64,
) -> db::Result<Option<Secret<String>>> {
    let mut token = Secret::from(token);
    for _ in 0..MAX_SUCCESSORS {
        let spent_at: Option<Option<i64>> = tx
            .sql("SELECT spent_at FROM refresh_tokens WHERE corp_id = $1 AND token_hash = $2")
            .bind_all((chain.corp, tokens::hash_refresh_token(&app.keys, token.expose_secret())))
            .maybe_value()
            .await?;
        match spent_at {
            Some(None) => return Ok(Some(token)),
            Some(Some(spent_at)) if now - spent_at <= SPENT_TOKEN_GRACE_SECONDS * SECOND => {
                token = tokens::derive_successor(&app.keys, token.expose_secret(), chain);
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Deletes the session's tokens that were spent before the grace period, so that their number does not grow with every
/// refresh. Tokens that do not contain their session's id stay: without the row, their reuse could not be detected.
async fn delete_spent_tokens(tx: &mut Tx, chain: SessionKey, now: i64) -> db::Result<()> {
    tx.sql("DELETE FROM refresh_tokens WHERE corp_id = $1 AND session_id = $2 AND names_session AND spent_at < $3")
        .bind_all((chain.corp, chain.session, now - SPENT_TOKEN_GRACE_SECONDS * SECOND))
        .exec()
        .await?;
    Ok(())
}

/// Ends a session; the database deletes its tokens with it.
pub(super) async fn end(tx: &mut Tx, corp: Uuid, session: Uuid) -> db::Result<()> {
    tx.sql("DELETE FROM sessions WHERE corp_id = $1 AND session_id = $2").bind_all((corp, session)).exec().await?;
    Ok(())
}

/// Ends every session of a user except `except`, and deletes all codes, trusted devices, reset links and one-time
/// values. The change that requires this (of the password, of the e-mail, a ban) belongs in the same transaction.
pub(crate) async fn end_all(tx: &mut Tx, corp: Uuid, user: Uuid, except: Option<Uuid>) -> db::Result<()> {
    users::lock(tx, corp, user).await?;
    for text in [
        "DELETE FROM login_codes WHERE corp_id = $1 AND user_id = $2",
        "DELETE FROM trusted_devices WHERE corp_id = $1 AND user_id = $2",
        "DELETE FROM password_resets WHERE corp_id = $1 AND user_id = $2",
        "DELETE FROM handoffs WHERE corp_id = $1 AND user_id = $2",
    ] {
        tx.sql(text).bind_all((corp, user)).exec().await?;
    }
    tx.sql("DELETE FROM sessions WHERE corp_id = $1 AND user_id = $2 AND session_id <> $3")
        .bind_all((corp, user, except.unwrap_or_default()))
        .exec()
        .await?;
    Ok(())
}

/// Ends every session of a deactivated corporation, and deletes its codes and one-time values. A sign-in in progress
/// fails when the account's status is checked.
pub(crate) async fn end_all_of_corporation(tx: &mut Tx, corp: Uuid) -> db::Result<()> {
    // Locks users first, then their rows ([`users::lock`]).
    let row_lock = tx.pick("", " FOR NO KEY UPDATE");
    let _: Vec<()> =
        tx.sql("SELECT user_id FROM users WHERE corp_id = $1 ORDER BY user_id").push(row_lock).bind(corp).all().await?;
    for text in [
        "DELETE FROM login_codes WHERE corp_id = $1",
        "DELETE FROM handoffs WHERE corp_id = $1",
        "DELETE FROM sessions WHERE corp_id = $1",
    ] {
        tx.sql(text).bind(corp).exec().await?;
    }
    Ok(())
}

async fn insert_refresh_token(app: &App, tx: &mut Tx, corp: Uuid, session: Uuid, token: &str) -> db::Result<()> {
    tx.sql(
        "INSERT INTO refresh_tokens (corp_id, token_hash, session_id, created_at, names_session) \
         VALUES ($1, $2, $3, $4, TRUE)",
    )
    .bind_all((corp, tokens::hash_refresh_token(&app.keys, token), session, app.clock.now()))
    .exec()
    .await?;
    Ok(())
}

fn create_tokens(app: &App, user: Uuid, session: Uuid, role: &str, refresh_token: Secret<String>) -> ApiResult<Tokens> {
    let bearer = TokenSubject { user, session, role };
    let access_token = tokens::sign_access_token(&app.keys, &bearer, app.clock.now()).map_err(ApiError::internal)?;
    Ok(Tokens { access_token, refresh_token })
}
