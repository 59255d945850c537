//! One's own password, and the end of one's own account.

use super::account;
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

/// `POST /api/auth/change-password`: this session goes on, all others end.
pub async fn change_password(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<ChangePasswordInput>,
) -> ApiResult<Json<Done>> {
    let form = form.into_inner();
    let known = account(&actor).await?;
    passwords::prove(&app, &known, "currentPassword", form.current_password).await?;
    let password_hash = app.hasher.hash(form.new_password).await?;
    let mut tx = actor.scope().db().begin().await?;
    let present = users::lock(&mut tx, known.corp_id, known.user_id).await?.ok_or(ApiError::SessionExpired)?;
    // Of two who change it at once, one proved a password that is no longer it.
    if present.password_hash != known.password_hash {
        return Err(passwords::wrong("currentPassword"));
    }
    passwords::replace(&app, &mut tx, &present, password_hash, Some(actor.session())).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(Done::new(text::PASSWORD_CHANGED)))
}

/// `DELETE /api/profile/delete-account`: the person and all that is theirs; what they wrote stays (docs/product.md 4.9). A
/// session alone does not suffice, because it may have been left open or stolen: the password proves the person.
pub async fn delete(
    State(app): State<App>,
    actor: Signed,
    body: ApiResult<Valid<DeleteAccountInput>>,
) -> ApiResult<Json<Done>> {
    let form = match body {
        // A client from before the password was asked for sends no body.
        Err(ApiError::UnsupportedMediaType) => check(DeleteAccountInput::default())?,
        body => body?.0,
    };
    let (corp, user) = (actor.scope().corp(), actor.scope().user());
    let known = account(&actor).await?;
    passwords::prove(&app, &known, "password", form.into_inner().password).await?;
    let mut tx = actor.scope().db().begin().await?;
    // Two administrators who go at once look at each other in turn.
    users::lock_corporation(&mut tx, corp).await?;
    let present = users::lock(&mut tx, corp, user).await?.ok_or(ApiError::SessionExpired)?;
    // What was proved must still hold: the password may have been changed meanwhile.
    if present.password_hash != known.password_hash {
        return Err(passwords::wrong("password"));
    }
    users::remove(&mut tx, &present).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::DELETED)))
}
