//! Signing in and out: the password, the mailed code, sessions and their tokens.

pub mod admin;
mod codes;
mod cookies;
mod devices;
pub mod handoffs;
pub mod hasher;
pub mod oidc;
pub mod passwords;
pub mod resets;
mod routes;
pub(crate) mod sessions;

use crate::access::scope::Signed;
use crate::features::corporations::pending;
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
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;

/// `POST /api/auth/login`: returns tokens on a trusted device; otherwise mails a code. An unknown e-mail and a wrong
/// password cause the same queries and the same hashing, and get the same response.
pub async fn login(State(app): State<App>, Valid(form): Valid<LoginInput>) -> ApiResult<Json<SignIn>> {
    let form = form.into_inner();
    let email = form.email.to_lowercase();
    // Reserved before the first query, so that a flood of sign-ins cannot exhaust the database connections.
    let place = app.hasher.place()?;
    let account = concerned(users::by_email(&app.db, &email).await?);
    let waiting = pending::password_hash(&app.db, &app.keys, &email).await?;
    let device = Device::of(&app.keys, account.as_ref(), &form.device_id);
    let trusted = device.is_trusted(&app).await?;
    // A trusted device has its own counter: attempts from other devices do not lock its owner out.
    let counted = if trusted { [email.as_bytes(), &device.hash].concat() } else { email.into_bytes() };
    limits::take(&app, limits::LOGIN_ACCOUNT, &counted).await?;
    let hash = account.as_ref().map(|a| a.password_hash.clone());
    let right = app.hasher.verify_at(place, form.password.clone(), hash).await?;
    let Some(account) = account.filter(|_| right) else {
        return Err(wrong_or_unconfirmed(&app, form.password, waiting).await?);
    };
    limits::forget(&app, limits::LOGIN_ACCOUNT, &counted).await?;
    sessions::standing(&account)?;
    if !trusted {
        limits::take(&app, limits::CODES_SENT, device.user.as_bytes()).await?;
    }
    let mut tx = app.db.begin().await?;
    // If the password or e-mail changed while the hash was computed, the old ones must not open a session.
    let present = users::lock(&mut tx, account.corp_id, account.user_id).await?;
    if !present.is_some_and(|now| now.password_hash == account.password_hash && now.email == account.email) {
        return Err(ApiError::WrongCredentials);
    }
    let (name, remember) = (form.device_name, form.remember_me);
    let reply = if trusted {
        SignIn::signed_in(sessions::mint(&app, &mut tx, device.corp, device.user, name, remember).await?)
    } else {
        codes::send(&app, &mut tx, &account, &device, name, remember).await?;
        SignIn::code_sent()
    };
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(reply))
}

/// Returns the error for a password that matches no account. It may match the pending sign-up whose hash is `waiting`.
/// The work and the response do not reveal whether the e-mail has an account.
async fn wrong_or_unconfirmed(app: &App, password: String, waiting: Option<String>) -> ApiResult<ApiError> {
    let Some(hash) = waiting else { return Ok(ApiError::WrongCredentials) };
    Ok(match app.hasher.verify(password, Some(hash)).await? {
        true => ApiError::Forbidden(text::EMAIL_UNCONFIRMED),
        false => ApiError::WrongCredentials,
    })
}

/// `POST /api/auth/verify-otp`
pub async fn verify_otp(State(app): State<App>, Valid(form): Valid<CodeInput>) -> ApiResult<Json<SignIn>> {
    let account = concerned(users::by_email(&app.db, &form.email.to_lowercase()).await?);
    let device = Device::of(&app.keys, account.as_ref(), &form.device_id);
    Ok(Json(SignIn::signed_in(codes::redeem(&app, &device, &form.otp).await?)))
}

/// `POST /api/auth/resend-otp`: the response is the same whether or not a sign-in is in progress.
pub async fn resend_otp(State(app): State<App>, Valid(form): Valid<ResendInput>) -> ApiResult<Json<Done>> {
    let account = concerned(users::by_email(&app.db, &form.email.to_lowercase()).await?);
    let device = Device::of(&app.keys, account.as_ref(), &form.device_id);
    codes::resend(&app, account.as_ref(), &device).await?;
    Ok(Json(Done::new(text::CODE_RESENT)))
}

/// Records the account's user id for the request log, and returns the account.
fn concerned(account: Option<Account>) -> Option<Account> {
    account.inspect(|account| http::concerns(account.user_id))
}

/// The response to a refresh: the one to a sign-in, with the tokens also beside `data` for clients that read them
/// there.
#[derive(JsonSchema, Serialize)]
pub struct Refreshed {
    #[serde(flatten)]
    sign_in: SignIn,
    tokens: Tokens,
}

/// `POST /api/auth/refresh-token`
pub async fn refresh_token(State(app): State<App>, Valid(form): Valid<RefreshInput>) -> ApiResult<Json<Refreshed>> {
    let tokens = sessions::refresh(&app, &form.refresh_token).await?;
    Ok(Json(Refreshed { sign_in: SignIn::signed_in(tokens.clone()), tokens }))
}

/// `POST /api/auth/logout`: ends the session on the server. Ignores the request's body.
pub async fn logout(actor: Signed) -> ApiResult<Json<Done>> {
    let mut tx = actor.scope().db().begin().await?;
    sessions::end(&mut tx, actor.scope().corp(), actor.session()).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::SIGNED_OUT)))
}

/// `GET /api/rbac/user-permissions`
pub async fn user_permissions(actor: Signed) -> ApiResult<Json<Reply<UserPermissions>>> {
    let resources = actor.permissions().await?;
    Ok(Json(Reply::new(UserPermissions { resources })))
}

/// Deletes sessions, codes, trusted devices, reset links and sign-ups that have expired.
pub async fn sweep(app: &App) -> db::Result<()> {
    let now = app.clock.now();
    app.db.sql("DELETE FROM sessions WHERE expires_at <= $1").bind(now).exec().await?;
    app.db.sql("DELETE FROM login_codes WHERE sent_at <= $1").bind(now - codes::CHALLENGE).exec().await?;
    app.db.sql("DELETE FROM trusted_devices WHERE trusted_until <= $1").bind(now).exec().await?;
    app.db.sql("DELETE FROM password_resets WHERE expires_at <= $1").bind(now).exec().await?;
    pending::sweep(&app.db, now).await?;
    oidc::sweep(app).await?;
    handoffs::sweep(app).await?;
    app.db.sql("DELETE FROM reset_requests WHERE created_at <= $1").bind(now - resets::VALIDITY).exec().await?;
    Ok(())
}
