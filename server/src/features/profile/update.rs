//! Changing one's own account. With a stolen session, an attacker would change the e-mail first. The change therefore
//! requires the password, ends all other sessions, and is notified to the old address (F5 in docs/security.md).

use super::{account, detail};
use crate::access::describe::forms::ProfileForm;
use crate::access::scope::Signed;
use crate::features::auth::passwords;
use crate::features::images::{self, store::put_avatar};
use crate::features::state::App;
use crate::features::users;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::limits::{self, PICTURES};
use crate::platform::multipart::MultipartBody;
use axum::Json;
use axum::extract::State;
use forecourt_core::auth::mail::email_changed_mail;
use forecourt_core::form::check;
use forecourt_core::images::ImageUse;
use forecourt_core::profile::{AVATAR_FIELD, Profile, ProfileInput, text};
use forecourt_core::reply::Reply;
use uuid::Uuid;

/// `POST /api/auth/profile/update-profile`
pub async fn update(
    State(app): State<App>,
    actor: Signed,
    body: MultipartBody<ProfileForm>,
) -> ApiResult<Json<Reply<Profile>>> {
    let scope = actor.scope();
    limits::count_use(&app, PICTURES, scope.user().as_bytes()).await?;
    let mut form = images::receive(&app, scope, body, ImageUse::Avatar, AVATAR_FIELD).await?;
    let actor = actor.recheck(&app).await?;
    let scope = actor.scope();
    // The token identifies the account; a request for another one is rejected (docs/product.md 4.3).
    let meant = form.take("_id");
    if !meant.is_empty() && Uuid::parse_str(&meant).ok() != Some(scope.user()) {
        return Err(ApiError::PermissionDenied);
    }
    let known = account(&actor).await?;
    let input = check(ProfileInput {
        first_name: form.take("first_name"),
        last_name: form.take("last_name"),
        email: form.take("email"),
        mobile: form.take("mobile"),
        current_password: form.take("currentPassword"),
        known_email: known.email.clone(),
    })?;
    if input.changes_email() {
        passwords::prove(&app, &known, "currentPassword", input.current_password.clone()).await?;
    }
    let avatar = match form.picture {
        Some(bytes) => Some(app.pictures.rewrite(ImageUse::Avatar, &bytes).await?),
        None => None,
    };
    let now = app.clock.now();
    let mut tx = scope.db().begin().await?;
    let present = users::lock(&mut tx, scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)?;
    tx.sql(
        "UPDATE users SET first_name = $1, last_name = $2, mobile = $3, version = version + 1, updated_at = $4 \
         WHERE corp_id = $5 AND user_id = $6",
    )
    .bind(input.first_name.clone())
    .bind(input.last_name.clone())
    .bind(input.mobile.clone())
    .bind(now)
    .bind(scope.corp())
    .bind(scope.user())
    .exec()
    .await?;
    if input.changes_email() {
        // The password may have been changed since it was verified.
        if present.password_hash != known.password_hash {
            return Err(passwords::wrong("currentPassword"));
        }
        let email = input.email.to_lowercase();
        let words = email_changed_mail(&app.config.brand, &present.first_name, &email);
        if !users::change_email(&app, &mut tx, &present, &email, words, Some(actor.session())).await? {
            return Err(ApiError::for_field("email", text::EMAIL_TAKEN));
        }
    }
    if let Some(avatar) = avatar {
        put_avatar(&mut tx, scope, avatar, now).await?;
    }
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(Reply::new(detail(&app, &actor).await?).with_message(text::UPDATED)))
}
