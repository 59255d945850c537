//! Changing one's own account. With a stolen session, an attacker would change the e-mail first. The change therefore
//! requires the password, ends all other sessions, and is notified to the old address (F5 in docs/security.md).

use super::{detail, own_account};
use crate::access::describe::forms::ProfileForm;
use crate::access::scope::Signed;
use crate::features::auth::passwords;
use crate::features::images::{self, store::replace_avatar};
use crate::features::state::App;
use crate::features::users;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::limits::{self, PICTURES};
use crate::platform::responses::Sent;
use axum::Json;
use axum::extract::State;
use forecourt_core::auth::mail::email_changed_mail;
use forecourt_core::form::check;
use forecourt_core::images::ImageUse;
use forecourt_core::profile::{AVATAR_FIELD, LanguageInput, Profile, ProfileInput, text};
use forecourt_core::reply::{Done, Reply};
use uuid::Uuid;

/// `POST /api/auth/profile/update-profile`
pub async fn update(
    State(app): State<App>,
    actor: Signed,
    Sent { form, .. }: Sent<ProfileForm>,
) -> ApiResult<Json<Reply<Profile>>> {
    let scope = actor.scope();
    limits::take(&app, PICTURES, scope.user().as_bytes()).await?;
    let mut form = images::receive_form(&app, scope, form, ImageUse::Avatar, AVATAR_FIELD).await?;
    let actor = actor.again(&app).await?;
    let scope = actor.scope();
    // The token identifies the account; a request for another one is rejected (docs/product.md 4.3).
    let id = form.take("_id");
    if !id.is_empty() && Uuid::parse_str(&id).ok() != Some(scope.user()) {
        return Err(ApiError::PermissionDenied);
    }
    let account = own_account(&actor).await?;
    let input = check(ProfileInput {
        first_name: form.take("first_name"),
        last_name: form.take("last_name"),
        email: form.take("email"),
        mobile: form.take("mobile"),
        current_password: form.take("currentPassword"),
        known_email: account.email.clone(),
    })?;
    if input.changes_email() {
        passwords::verify_current(&app, &account, "currentPassword", input.current_password.clone()).await?;
    }
    let avatar = match form.picture {
        Some(bytes) => Some(app.pictures.reencode(ImageUse::Avatar, &bytes).await?),
        None => None,
    };
    let now = app.clock.now();
    let mut tx = scope.db().begin().await?;
    let current = users::lock(&mut tx, scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)?;
    tx.sql(
        "UPDATE users SET first_name = $1, last_name = $2, mobile = $3, version = version + 1, updated_at = $4 \
         WHERE corp_id = $5 AND user_id = $6",
    )
    .bind_all((
        input.first_name.clone(),
        input.last_name.clone(),
        input.mobile.clone(),
        now,
        scope.corp(),
        scope.user(),
    ))
    .exec()
    .await?;
    if input.changes_email() {
        // The password may have been changed since it was verified.
        if current.password_hash != account.password_hash {
            return Err(passwords::wrong_password_error("currentPassword"));
        }
        let email = input.email.to_lowercase();
        let mail_text = email_changed_mail(&app.config.brand, &current.first_name, &email);
        if !users::change_email(&app, &mut tx, &current, &email, mail_text, Some(actor.session())).await? {
            return Err(ApiError::for_field("email", text::EMAIL_TAKEN));
        }
    }
    if let Some(avatar) = avatar {
        replace_avatar(&mut tx, scope, avatar, now).await?;
    }
    tx.commit().await?;
    app.mail.wake();
    Ok(Json(Reply::new(detail(&app, &actor).await?).with_message(text::UPDATED)))
}

/// `PUT /api/auth/profile/language`
pub async fn update_language(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<LanguageInput>,
) -> ApiResult<Json<Done>> {
    let scope = actor.scope();
    scope
        .db()
        .sql("UPDATE users SET language = $1, updated_at = $2 WHERE corp_id = $3 AND user_id = $4")
        .bind_all((form.language.clone(), app.clock.now(), scope.corp(), scope.user()))
        .exec()
        .await?;
    Ok(Json(Done::new(text::LANGUAGE_UPDATED)))
}
