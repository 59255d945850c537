//! The accent colour of a user and of a corporation, and the corporation's logo (docs/product.md 4.8).

mod routes;
mod store;

use crate::access::describe::forms::LogoForm;
use crate::access::scope::{Administrator, Signed};
use crate::features::images;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::limits::{self, PICTURES};
use crate::platform::multipart::MultipartBody;
use axum::Json;
use axum::extract::State;
use forecourt_core::images::{ImageUse, text::LOGO_MISSING};
use forecourt_core::theme::{LOGO_FIELD, LogoReply, Theme, ThemeInput, ThemeReply, text};
pub use routes::ROUTES;

/// `GET /api/theme`
pub async fn get(actor: Signed) -> ApiResult<Json<ThemeReply>> {
    Ok(reply(store::get(actor.scope()).await?, ""))
}

/// `PUT /api/theme`: sets one's own colour or, with the scope `corporation`, the default for users without their own.
pub async fn put(State(app): State<App>, actor: Signed, Valid(form): Valid<ThemeInput>) -> ApiResult<Json<ThemeReply>> {
    let now = app.clock.now();
    if form.is_for_corporation() {
        let administrator = actor.administrator().ok_or(ApiError::PermissionDenied)?;
        store::set_for_all(&administrator, &form, now).await?;
    } else {
        store::set(actor.scope(), &form, now).await?;
    }
    Ok(reply(store::get(actor.scope()).await?, text::APPLIED))
}

fn reply(data: Theme, message: &str) -> Json<ThemeReply> {
    let (color, theme) = (data.color.clone(), data.color.clone());
    Json(ThemeReply { success: true, message: message.into(), color, theme, data })
}

/// `GET /api/theme/logo`
pub async fn get_logo(actor: Signed) -> ApiResult<Json<LogoReply>> {
    let logo = images::store::logo(actor.scope()).await?;
    Ok(Json(LogoReply { success: true, message: String::new(), logo }))
}

/// `PUT /api/theme/logo`
pub async fn put_logo(
    State(app): State<App>,
    administrator: Administrator,
    body: MultipartBody<LogoForm>,
) -> ApiResult<Json<LogoReply>> {
    limits::count_use(&app, PICTURES, administrator.user().as_bytes()).await?;
    let form = images::receive(&app, &administrator, body, ImageUse::Logo, LOGO_FIELD).await?;
    let administrator = administrator.recheck(&app).await?;
    let file = form.picture.ok_or_else(|| ApiError::invalid(LOGO_MISSING))?;
    let picture = app.pictures.rewrite(ImageUse::Logo, &file).await?;
    let logo = images::store::put_logo(&administrator, picture, app.clock.now()).await?;
    Ok(Json(LogoReply { success: true, message: text::LOGO_UPLOADED.into(), logo }))
}

/// `DELETE /api/theme/logo`: succeeds even if there is none.
pub async fn delete_logo(administrator: Administrator) -> ApiResult<Json<LogoReply>> {
    images::store::delete_logo(&administrator).await?;
    Ok(Json(LogoReply { success: true, message: text::LOGO_REMOVED.into(), logo: String::new() }))
}
