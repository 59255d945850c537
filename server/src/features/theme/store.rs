//! The colour columns in the database.

use crate::access::scope::{Administrator, Scope};
use crate::platform::db;
use forecourt_core::form::Checked;
use forecourt_core::theme::{Theme, ThemeInput, effective_color};

/// Returns the user's own colour, the corporation's, and the effective one.
pub(super) async fn get(scope: &Scope) -> db::Result<Theme> {
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

/// Sets the user's own colour.
pub(super) async fn set_user_color(scope: &Scope, theme: &Checked<ThemeInput>, now: i64) -> db::Result<()> {
    scope
        .db()
        .sql("UPDATE users SET theme = $1, updated_at = $2 WHERE corp_id = $3 AND user_id = $4")
        .bind_all((theme.color.clone(), now, scope.corp(), scope.user()))
        .exec()
        .await?;
    Ok(())
}

/// Sets the corporation's default colour.
pub(super) async fn set_corporation_color(
    scope: &Administrator,
    theme: &Checked<ThemeInput>,
    now: i64,
) -> db::Result<()> {
    scope
        .db()
        .sql("UPDATE corporations SET theme = $1, updated_at = $2 WHERE corp_id = $3")
        .bind_all((theme.color.clone(), now, scope.corp()))
        .exec()
        .await?;
    Ok(())
}
