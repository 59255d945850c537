//! Pictures of users and corporations in the database: at most one per user, and at most one logo per corporation.

use super::pictures::Picture;
use crate::access::scope::{Administrator, Scope};
use crate::platform::db::{self, Db, Tx};
use crate::platform::error::ApiResult;
use crate::platform::keys;
use uuid::Uuid;

/// Returns a picture's MIME type and bytes. Not restricted to a tenant: the link, 128 random bits, is the
/// authorization.
pub(super) async fn get(db: &Db, id: Uuid) -> db::Result<(String, Vec<u8>)> {
    db.sql("SELECT mime, bytes FROM images WHERE image_id = $1").bind(id).one().await
}

/// Returns the path of a picture; empty for `None`.
pub(crate) fn link(id: Option<Uuid>) -> String {
    id.map(|id| format!("/api/images/{}", id.simple())).unwrap_or_default()
}

/// Returns the path of the corporation's logo; empty if there is none.
pub(crate) async fn logo(scope: &Scope) -> db::Result<String> {
    let id = scope
        .db()
        .sql("SELECT image_id FROM images WHERE corp_id = $1 AND user_id IS NULL")
        .bind(scope.corp())
        .maybe_value()
        .await?;
    Ok(link(id))
}

/// Inserts or replaces a user's picture, or the corporation's logo, and returns its new id.
async fn replace(tx: &mut Tx, scope: &Scope, user: Option<Uuid>, picture: Picture, now: i64) -> ApiResult<Uuid> {
    // 128 random bits, because the id must not be guessable.
    let id = Uuid::from_bytes(keys::random()?);
    let existing = match user {
        Some(_) => "(corp_id, user_id) WHERE user_id IS NOT NULL",
        None => "(corp_id) WHERE user_id IS NULL",
    };
    tx.sql(
        "INSERT INTO images (corp_id, image_id, user_id, mime, bytes, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT ",
    )
    .push(existing)
    .push(
        " DO UPDATE SET image_id = excluded.image_id, mime = excluded.mime, bytes = excluded.bytes, \
         created_at = excluded.created_at",
    )
    .bind_all((scope.corp(), id, user, picture.mime, picture.bytes, now))
    .exec()
    .await?;
    Ok(id)
}

/// Replaces the corporation's logo and returns its new path. The old path becomes invalid.
pub(crate) async fn replace_logo(tx: &mut Tx, scope: &Administrator, logo: Picture, now: i64) -> ApiResult<String> {
    Ok(link(Some(replace(tx, scope, None, logo, now).await?)))
}

/// Removes the corporation's logo. Returns whether there was one.
pub(crate) async fn delete_logo(tx: &mut Tx, scope: &Administrator) -> db::Result<bool> {
    let sql = tx.sql("DELETE FROM images WHERE corp_id = $1 AND user_id IS NULL");
    Ok(sql.bind(scope.corp()).exec().await? > 0)
}

/// Replaces a user's picture.
pub(crate) async fn replace_avatar(tx: &mut Tx, scope: &Scope, avatar: Picture, now: i64) -> ApiResult<Uuid> {
    replace(tx, scope, Some(scope.user()), avatar, now).await
}
