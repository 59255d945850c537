//! Changing one's own password, and deleting one's own account.

use super::own_account;
use crate::access::scope::Signed;
use crate::features::auth::passwords;
use crate::features::state::App;
use crate::features::users;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use axum::Json;
use axum::extract::State;
use forecourt_core::form::check;
use forecourt_core::profile::{ChangePasswordInput, DeleteAccountInput, text};
use forecourt_core::reply::Done;

/// `POST /api/auth/change-password`: ends all sessions except the current one.
pub async fn change_password(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<ChangePasswordInput>,
) -> ApiResult<Json<Done>> {
    let form = form.into_inner();
    let account = own_account(&actor).await?;
    passwords::verify_current(&app, &account, "currentPassword", form.current_password).await?;
    let password_hash = app.hasher.hash(form.new_password).await?;
    let mut tx = actor.scope().db().begin().await?;
    let current = users::lock(&mut tx, account.corp_id, account.user_id).await?.ok_or(ApiError::SessionExpired)?;
    // A simultaneous change may have replaced the password that was verified.
    if current.password_hash != account.password_hash {
        return Err(passwords::wrong_password_error("currentPassword"));
    }
    passwords::replace(&app, &mut tx, &current, password_hash, Some(actor.session())).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(Done::new(text::PASSWORD_CHANGED)))
}

/// `DELETE /api/profile/delete-account`: deletes the user and everything that belongs to them; records they wrote stay
/// (docs/product.md 4.9). Requires the password, because a session alone may have been left open or stolen.
pub async fn delete(
    State(app): State<App>,
    actor: Signed,
    body: ApiResult<Valid<DeleteAccountInput>>,
) -> ApiResult<Json<Done>> {
    let form = match body {
        // Older clients send no body; they get the validation error for the missing password.
        Err(ApiError::UnsupportedMediaType) => check(DeleteAccountInput::default())?,
        body => body?.0,
    };
    let (corp, user) = (actor.scope().corp(), actor.scope().user());
    let account = own_account(&actor).await?;
    passwords::verify_current(&app, &account, "password", form.into_inner().password).await?;
    let mut tx = actor.scope().db().begin().await?;
    // Locked, so that of two administrators who delete themselves at once the last one is detected.
    users::lock_corporation(&mut tx, corp).await?;
    let current = users::lock(&mut tx, corp, user).await?.ok_or(ApiError::SessionExpired)?;
    // The password may have been changed since it was verified.
    if current.password_hash != account.password_hash {
        return Err(passwords::wrong_password_error("password"));
    }
    users::delete_account(&mut tx, &current).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::DELETED)))
}
