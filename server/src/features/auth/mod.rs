//! Signing in and out: the password, the mailed code, sessions and their tokens.

pub mod admin;
mod codes;
pub mod config;
mod cookies;
mod devices;
pub mod hasher;
pub mod login_exchange;
pub mod oidc;
pub mod passwords;
pub mod resets;
mod routes;
pub(crate) mod sessions;

use crate::access::scope::Signed;
use crate::features::corporations::pending_signups;
use crate::features::state::App;
use crate::features::users::{self, Account};
use crate::platform::db;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::http;
use crate::platform::limits;
use axum::Json;
use axum::extract::State;
use devices::Device;
use forecourt_core::auth::{CodeInput, LoginInput, RefreshInput, ResendInput, SignIn, Tokens, text};
use forecourt_core::permissions::UserPermissions;
use forecourt_core::reply::{Done, Reply};
use forecourt_core::secret::Secret;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;

/// `POST /api/auth/login`: returns tokens on a trusted device; otherwise mails a code. An unknown e-mail and a wrong
/// password cause the same queries and the same hashing, and get the same response.
pub async fn login(State(app): State<App>, Valid(form): Valid<LoginInput>) -> ApiResult<Json<SignIn>> {
    let form = form.into_inner();
    let email = form.email.to_lowercase();
    // Reserved before the first query, so that a flood of sign-ins cannot exhaust the database connections.
    let slot = app.hasher.reserve()?;
    let account = log_account(users::by_email(&app.db, &email).await?);
    let pending_hash = pending_signups::password_hash(&app.db, &app.keys, &email).await?;
    let device = Device::of(&app.keys, account.as_ref(), &form.device_id);
    let is_trusted = device.is_trusted(&app).await?;
    // A trusted device has its own counter: attempts from other devices do not lock its owner out.
    let counter_key = if is_trusted { [email.as_bytes(), &device.hash].concat() } else { email.into_bytes() };
    limits::count_use(&app, limits::LOGIN_ACCOUNT, &counter_key).await?;
    let hash = account.as_ref().map(|a| a.password_hash.clone());
    let is_correct = app.hasher.verify_in(slot, form.password.clone(), hash).await?;
    let Some(account) = account.filter(|_| is_correct) else {
        return Err(login_error(&app, form.password, pending_hash).await?);
    };
    limits::reset(&app, limits::LOGIN_ACCOUNT, &counter_key).await?;
    sessions::check_account_status(&account)?;
    if !is_trusted {
        limits::count_use(&app, limits::CODES_SENT, device.user.as_bytes()).await?;
    }
    let mut tx = app.db.begin().await?;
    // If the password or e-mail changed while the hash was computed, the old ones must not open a session.
    let current = users::lock(&mut tx, account.corp_id, account.user_id).await?;
    if !current.is_some_and(|c| c.password_hash == account.password_hash && c.email == account.email) {
        return Err(ApiError::WrongCredentials);
    }
    let (name, remember) = (form.device_name, form.remember_me);
    let reply = if is_trusted {
        SignIn::signed_in(sessions::create_session(&app, &mut tx, device.corp, device.user, name, remember).await?)
    } else {
        codes::send(&app, &mut tx, &account, &device, name, remember).await?;
        SignIn::code_sent()
    };
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(reply))
}

/// Returns the error for a password that matches no account. It may match the pending sign-up that has
/// `pending_hash`. The work and the response do not reveal whether the e-mail has an account.
async fn login_error(app: &App, password: Secret<String>, pending_hash: Option<String>) -> ApiResult<ApiError> {
    let Some(hash) = pending_hash else { return Ok(ApiError::WrongCredentials) };
    Ok(match app.hasher.verify(password, Some(hash)).await? {
        true => ApiError::Forbidden(text::EMAIL_UNCONFIRMED),
        false => ApiError::WrongCredentials,
    })
}

pub async fn verify_otp(State(app): State<App>, Valid(form): Valid<CodeInput>) -> ApiResult<Json<SignIn>> {
    let account = log_account(users::by_email(&app.db, &form.email.to_lowercase()).await?);
    let device = Device::of(&app.keys, account.as_ref(), &form.device_id);
    Ok(Json(SignIn::signed_in(codes::redeem(&app, &device, &form.otp).await?)))
}

/// `POST /api/auth/resend-otp`: succeeds without sending anything if no sign-in is in progress on this device. Returns
/// 429 if the last code is too recent.
pub async fn resend_otp(State(app): State<App>, Valid(form): Valid<ResendInput>) -> ApiResult<Json<Done>> {
    let account = log_account(users::by_email(&app.db, &form.email.to_lowercase()).await?);
    let device = Device::of(&app.keys, account.as_ref(), &form.device_id);
    codes::resend(&app, account.as_ref(), &device).await?;
    Ok(Json(Done::new(text::CODE_RESENT)))
}

/// Records the account's user id for the request log, and returns the account.
fn log_account(account: Option<Account>) -> Option<Account> {
    account.inspect(|account| http::log_user(account.user_id))
}

/// The response to a refresh: the one to a sign-in, with the tokens also beside `data` for clients that read them
/// there.
#[derive(JsonSchema, Serialize)]
pub struct Refreshed {
    #[serde(flatten)]
    sign_in: SignIn,
    tokens: Tokens,
}

pub async fn refresh_token(State(app): State<App>, Valid(form): Valid<RefreshInput>) -> ApiResult<Json<Refreshed>> {
    let tokens = sessions::refresh(&app, form.refresh_token.expose_secret()).await?;
    Ok(Json(Refreshed { sign_in: SignIn::signed_in(tokens.clone()), tokens }))
}

/// `POST /api/auth/logout`: ends the session on the server. Ignores the request's body.
pub async fn logout(State(app): State<App>, actor: Signed) -> ApiResult<Json<Done>> {
    let mut tx = actor.scope().db().begin().await?;
    sessions::sign_out(&mut tx, actor.scope(), actor.session(), app.clock.now()).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::SIGNED_OUT)))
}

pub async fn user_permissions(actor: Signed) -> ApiResult<Json<Reply<UserPermissions>>> {
    Ok(Json(Reply::new(UserPermissions { resources: actor.access().resources() })))
}

/// Deletes what can't be used any more: expired sessions, trusted devices, reset links and requests for them, login
/// flows and one-time values; codes after which no new one can be requested; old sign-ups.
pub async fn sweep(app: &App) -> db::Result<()> {
    let now = app.clock.now();
    app.db.sql("DELETE FROM sessions WHERE expires_at <= $1").bind(now).exec().await?;
    app.db.sql("DELETE FROM login_codes WHERE sent_at <= $1").bind(now - codes::RESEND_PERIOD).exec().await?;
    app.db.sql("DELETE FROM trusted_devices WHERE trusted_until <= $1").bind(now).exec().await?;
    app.db.sql("DELETE FROM password_resets WHERE expires_at <= $1").bind(now).exec().await?;
    pending_signups::sweep(&app.db, now).await?;
    oidc::login_flow::sweep(app).await?;
    login_exchange::sweep(app).await?;
    app.db.sql("DELETE FROM reset_requests WHERE created_at <= $1").bind(now - resets::VALIDITY).exec().await?;
    Ok(())
}
