//! The accent colour of a user and of a corporation, and the corporation's logo (docs/product.md 4.8).

mod routes;

use crate::access::describe::forms::LogoForm;
use crate::access::scope::{Administrator, Scope, Signed};
use crate::features::corporations;
use crate::features::images;
use crate::features::state::App;
use crate::platform::db::{Result, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::limits::{self, PICTURES};
use crate::platform::multipart::MultipartBody;
use axum::Json;
use axum::extract::State;
use forecourt_core::form::Checked;
use forecourt_core::history::{HistoryAction, secret_changes, text_change};
use forecourt_core::images::{ImageUse, text::LOGO_MISSING};
use forecourt_core::message::Message;
use forecourt_core::theme::{LOGO_FIELD, LogoReply, Theme, ThemeInput, ThemeReply, effective_color, text};
pub use routes::ROUTES;

pub async fn get(actor: Signed) -> ApiResult<Json<ThemeReply>> {
    Ok(reply(colors(actor.scope()).await?, None))
}

/// `PUT /api/theme`: sets or removes one's own colour or, with the scope `corporation`, the default for users without
/// their own.
pub async fn update(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<ThemeInput>,
) -> ApiResult<Json<ThemeReply>> {
    let now = app.clock.now();
    if form.is_for_corporation() {
        let administrator = actor.administrator().ok_or(ApiError::PermissionDenied)?;
        set_corporation_color(&administrator, &form, now).await?;
    } else {
        set_user_color(actor.scope(), &form, now).await?;
    }
    Ok(reply(colors(actor.scope()).await?, Some(text::APPLIED)))
}

fn logo_reply(message: &Message, logo: String) -> Json<LogoReply> {
    Json(LogoReply { success: true, message: message.to_string(), messages: vec![message.clone()], logo })
}

fn reply(data: Theme, message: Option<&Message>) -> Json<ThemeReply> {
    let (color, theme) = (data.color.clone(), data.color.clone());
    Json(ThemeReply {
        success: true,
        message: message.map(Message::to_string).unwrap_or_default(),
        messages: message.into_iter().cloned().collect(),
        color,
        theme,
        data,
    })
}

pub async fn get_logo(actor: Signed) -> ApiResult<Json<LogoReply>> {
    let logo = images::store::logo(actor.scope()).await?;
    Ok(Json(LogoReply { success: true, message: String::new(), messages: Vec::new(), logo }))
}

pub async fn update_logo(
    State(app): State<App>,
    administrator: Administrator,
    body: MultipartBody<LogoForm>,
) -> ApiResult<Json<LogoReply>> {
    limits::count_use(&app, PICTURES, administrator.user().as_bytes()).await?;
    let form = images::receive_form(&app, &administrator, body, ImageUse::Logo, LOGO_FIELD).await?;
    let administrator = administrator.recheck(&app).await?;
    let file = form.picture.ok_or_else(|| ApiError::invalid(LOGO_MISSING))?;
    let picture = app.pictures.reencode(ImageUse::Logo, &file).await?;
    let now = app.clock.now();
    let mut tx = administrator.db().begin().await?;
    let logo = images::store::replace_logo(&mut tx, &administrator, picture, now).await?;
    record_logo(&mut tx, &administrator, now).await?;
    tx.commit().await?;
    Ok(logo_reply(text::LOGO_UPLOADED, logo))
}

/// `DELETE /api/theme/logo`: succeeds even if there is none.
pub async fn delete_logo(State(app): State<App>, administrator: Administrator) -> ApiResult<Json<LogoReply>> {
    let mut tx = administrator.db().begin().await?;
    if images::store::delete_logo(&mut tx, &administrator).await? {
        record_logo(&mut tx, &administrator, app.clock.now()).await?;
    }
    tx.commit().await?;
    Ok(logo_reply(text::LOGO_REMOVED, String::new()))
}

/// Adds the history entry for a new or removed logo of the corporation.
async fn record_logo(tx: &mut Tx, scope: &Scope, now: i64) -> Result<()> {
    let changes: Vec<_> = secret_changes(&[LOGO_FIELD]).collect();
    corporations::record(tx, scope, now, HistoryAction::Updated, &changes).await
}

/// Returns the user's own colour, the corporation's, and the effective one.
async fn colors(scope: &Scope) -> ApiResult<Theme> {
    let (own, corporation): (Option<String>, Option<String>) = scope
        .db()
        .sql(
            "SELECT u.theme, c.theme FROM users u JOIN corporations c ON c.corp_id = u.corp_id \
             WHERE u.corp_id = $1 AND u.user_id = $2",
        )
        .bind_all((scope.corp(), scope.user()))
        .one()
        .await?;
    let (own, corporation) = (own.unwrap_or_default(), corporation.unwrap_or_default());
    Ok(Theme { color: effective_color(&own, &corporation).to_owned(), own, corporation })
}

/// Sets or removes the user's own colour.
async fn set_user_color(scope: &Scope, theme: &Checked<ThemeInput>, now: i64) -> ApiResult<()> {
    scope
        .db()
        .sql("UPDATE users SET theme = $1, updated_at = $2 WHERE corp_id = $3 AND user_id = $4")
        .bind_all((theme.stored_color(), now, scope.corp(), scope.user()))
        .exec()
        .await?;
    Ok(())
}

/// Sets or removes the corporation's default colour.
async fn set_corporation_color(scope: &Administrator, theme: &Checked<ThemeInput>, now: i64) -> ApiResult<()> {
    let mut tx = scope.db().begin().await?;
    let sql = tx.sql("SELECT theme FROM corporations WHERE corp_id = $1").bind(scope.corp());
    let before: Option<String> = sql.value().await?;
    let after = theme.stored_color();
    tx.sql("UPDATE corporations SET theme = $1, updated_at = $2 WHERE corp_id = $3")
        .bind_all((after.clone(), now, scope.corp()))
        .exec()
        .await?;
    let change = text_change("theme", &before.unwrap_or_default(), &after.unwrap_or_default());
    corporations::record(&mut tx, scope, now, HistoryAction::Updated, change.as_slice()).await?;
    Ok(tx.commit().await?)
}
