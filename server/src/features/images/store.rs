//! The rows of pictures: at most one of a person, and one of a corporation.

use super::pictures::Picture;
use crate::access::scope::{Administrator, Scope};
use crate::platform::db::{self, Db, Tx};
use crate::platform::error::ApiResult;
use crate::platform::keys;
use uuid::Uuid;

/// A picture's kind and bytes. Here alone no corporation is named: the link, 128 random bits, is what opens it.
pub(super) async fn get(db: &Db, id: Uuid) -> db::Result<Option<(String, Vec<u8>)>> {
    db.sql("SELECT mime, bytes FROM images WHERE image_id = $1").bind(id).maybe().await
}

/// The address of a picture; empty without one.
pub(crate) fn link(id: Option<Uuid>) -> String {
    id.map(|id| format!("/api/images/{}", id.simple())).unwrap_or_default()
}

/// The link of the corporation's logo; empty without one.
pub(crate) async fn logo(scope: &Scope) -> db::Result<String> {
    let id: Option<(Uuid,)> = scope
        .db()
        .sql("SELECT image_id FROM images WHERE corp_id = $1 AND user_id IS NULL")
        .bind(scope.corp())
        .maybe()
        .await?;
    Ok(link(id.map(|(id,)| id)))
}

const INSERT: &str = "INSERT INTO images (corp_id, image_id, user_id, mime, bytes, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ";
const REPLACE: &str = " DO UPDATE SET image_id = excluded.image_id, mime = excluded.mime, bytes = excluded.bytes, \
    created_at = excluded.created_at";

/// Puts a logo in the place of the one before, whose link is dead from then on; gives the new link.
pub(crate) async fn put_logo(scope: &Administrator, logo: Picture, now: i64) -> ApiResult<String> {
    let id = new_id()?;
    scope
        .db()
        .sql(INSERT)
        .push("(corp_id) WHERE user_id IS NULL")
        .push(REPLACE)
        .bind(scope.corp())
        .bind(id)
        .bind(None::<Uuid>)
        .bind(logo.mime)
        .bind(logo.bytes)
        .bind(now)
        .exec()
        .await?;
    Ok(link(Some(id)))
}

/// Removes the corporation's logo, if there is one.
pub(crate) async fn delete_logo(scope: &Administrator) -> db::Result<()> {
    scope.db().sql("DELETE FROM images WHERE corp_id = $1 AND user_id IS NULL").bind(scope.corp()).exec().await?;
    Ok(())
}

/// Puts a person's picture in the place of the one before.
pub(crate) async fn put_avatar(tx: &mut Tx, scope: &Scope, avatar: Picture, now: i64) -> ApiResult<()> {
    tx.sql(INSERT)
        .push("(corp_id, user_id) WHERE user_id IS NOT NULL")
        .push(REPLACE)
        .bind(scope.corp())
        .bind(new_id()?)
        .bind(scope.user())
        .bind(avatar.mime)
        .bind(avatar.bytes)
        .bind(now)
        .exec()
        .await?;
    Ok(())
}

/// 128 random bits: a link that can't be guessed.
fn new_id() -> std::io::Result<Uuid> {
    Ok(Uuid::from_bytes(keys::random()?))
}
