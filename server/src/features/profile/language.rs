//! The language in which the signed-in user sees the screens.

use crate::access::scope::Signed;
use crate::features::state::App;
use crate::platform::error::ApiResult;
use crate::platform::extract::Valid;
use axum::Json;
use axum::extract::State;
use forecourt_core::profile::{LanguageInput, text};
use forecourt_core::reply::Done;

/// `PUT /api/auth/profile/language`
pub async fn put(State(app): State<App>, actor: Signed, Valid(form): Valid<LanguageInput>) -> ApiResult<Json<Done>> {
    let scope = actor.scope();
    scope
        .db()
        .sql("UPDATE users SET language = $1, updated_at = $2 WHERE corp_id = $3 AND user_id = $4")
        .bind(form.language.clone())
        .bind(app.clock.now())
        .bind(scope.corp())
        .bind(scope.user())
        .exec()
        .await?;
    Ok(Json(Done::new(text::LANGUAGE_UPDATED)))
}
