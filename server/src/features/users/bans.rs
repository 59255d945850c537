//! Bans: a Super Admin excludes a user from the platform, and lifts the ban again.

use super::{AccountChange, lock, lock_corporation, reject_last_admin, store};
use crate::access::scope::{Corporations, May, Update};
use crate::features::auth::sessions;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, IdAndForm};
use axum::Json;
use axum::extract::State;
use forecourt_core::auth::{BanInput, check_ban, text};
use forecourt_core::permissions::UserType;
use forecourt_core::reply::Done;

/// `POST /api/corporations/users/{id}/ban`: bans the user and ends their sessions. For a user who is banned already, it
/// replaces the reason and keeps the date.
pub async fn ban(
    may: May<Update, Corporations>,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<BanInput>,
) -> ApiResult<Json<Done>> {
    check_ban(id == may.user()).map_err(|sentence| ApiError::Conflict(sentence.into()))?;
    let now = app.clock.now();
    let mut tx = may.all_tenants().begin().await?;
    let corp = store::corporation_of(&mut tx, id).await?.ok_or(ApiError::NotFound)?;
    lock_corporation(&mut tx, corp).await?;
    let account = lock(&mut tx, corp, id).await?.ok_or(ApiError::NotFound)?;
    // A corporation may lose its last Admin, because Super Admins can still administer it. The platform may not lose
    // its last.
    if account.user_type == UserType::SuperAdmin.as_str() {
        reject_last_admin(&mut tx, &account).await?;
    }
    let scope = may.tenant(corp);
    let change = AccountChange::begin(&mut tx, &scope, id).await?;
    tx.sql(
        "UPDATE users SET banned_at = coalesce(banned_at, $1), ban_reason = $2, updated_at = $1 \
         WHERE corp_id = $3 AND user_id = $4",
    )
    .bind_all((now, form.into_inner().reason, corp, id))
    .exec()
    .await?;
    sessions::end_all(&mut tx, corp, id, None).await?;
    change.record(&mut tx, &scope, now, &[]).await?;
    tx.commit().await?;
    tracing::info!(user = %id, by = %may.user(), "a user was banned");
    Ok(Json(Done::new(text::BAN_DONE)))
}

/// `DELETE /api/corporations/users/{id}/ban`: lifts the ban. Ended sessions stay ended.
pub async fn lift(may: May<Update, Corporations>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Done>> {
    let mut tx = may.all_tenants().begin().await?;
    let corp = store::corporation_of(&mut tx, id).await?.ok_or(ApiError::NotFound)?;
    lock_corporation(&mut tx, corp).await?;
    let account = lock(&mut tx, corp, id).await?.ok_or(ApiError::NotFound)?;
    let (scope, now) = (may.tenant(corp), app.clock.now());
    let change = AccountChange::begin(&mut tx, &scope, id).await?;
    tx.sql("UPDATE users SET banned_at = NULL, ban_reason = NULL, updated_at = $1 WHERE corp_id = $2 AND user_id = $3")
        .bind_all((now, corp, id))
        .exec()
        .await?;
    let was_banned = account.banned_at.is_some();
    if was_banned {
        change.record(&mut tx, &scope, now, &[]).await?;
    }
    tx.commit().await?;
    if was_banned {
        tracing::info!(user = %id, by = %may.user(), "a ban was lifted");
    }
    Ok(Json(Done::new(text::BAN_LIFTED)))
}
