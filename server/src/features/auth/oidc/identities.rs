//! The rows that connect a user's account with an identity at an OpenID Connect provider: its issuer, and its subject
//! (the user's id there).

use super::provider::Identity;
use crate::access::scope::Scope;
use crate::platform::db::{self, Db, Tx};
use uuid::Uuid;

/// Returns the corporation and user that this provider identity is connected with.
pub(super) async fn find_owner(db: &Db, identity: &Identity) -> db::Result<Option<(Uuid, Uuid)>> {
    db.sql("SELECT corp_id, user_id FROM identities WHERE issuer = $1 AND subject = $2")
        .bind_all((identity.issuer.clone(), identity.subject.clone()))
        .maybe()
        .await
}

/// Connects an account that was found by its e-mail. Returns `false` if the account is or was connected already, or the
/// provider identity belongs to another account.
pub(super) async fn link(tx: &mut Tx, (corp, user): (Uuid, Uuid), identity: &Identity, now: i64) -> db::Result<bool> {
    let inserted = tx
        .sql(
            "INSERT INTO identities (corp_id, user_id, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT DO NOTHING",
        )
        .bind_all((corp, user, identity.issuer.clone(), identity.subject.clone(), now))
        .exec()
        .await?;
    Ok(inserted == 1)
}

/// Connects the signed-in user, replacing a previous connection. Returns `false` if the provider identity belongs to
/// another account; the transaction must then be dropped.
pub(super) async fn connect(tx: &mut Tx, scope: &Scope, identity: &Identity, now: i64) -> db::Result<bool> {
    let inserted = tx
        .sql(
            "INSERT INTO identities (corp_id, user_id, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (corp_id, user_id, issuer) \
             DO UPDATE SET subject = excluded.subject, created_at = excluded.created_at",
        )
        .bind_all((scope.corp(), scope.user(), identity.issuer.clone(), identity.subject.clone(), now))
        .exec()
        .await;
    match inserted {
        Ok(_) => Ok(true),
        Err(error) if db::is_unique_violation(&error, "identities.subject", "identities_subject_key") => Ok(false),
        Err(error) => Err(error),
    }
}

/// Disconnects the signed-in user. The row stays, so that the e-mail alone does not connect the account again. Returns
/// whether the user was connected.
pub(super) async fn disconnect(tx: &mut Tx, scope: &Scope, issuer: &str) -> db::Result<bool> {
    let disconnected = tx
        .sql(
            "UPDATE identities SET subject = NULL \
             WHERE corp_id = $1 AND user_id = $2 AND issuer = $3 AND subject IS NOT NULL",
        )
        .bind_all((scope.corp(), scope.user(), issuer.to_owned()))
        .exec()
        .await?;
    Ok(disconnected > 0)
}

/// Disconnects a user from every provider, in the same way as [`disconnect`].
pub(crate) async fn disconnect_all(tx: &mut Tx, corp: Uuid, user: Uuid) -> db::Result<()> {
    tx.sql("UPDATE identities SET subject = NULL WHERE corp_id = $1 AND user_id = $2")
        .bind_all((corp, user))
        .exec()
        .await?;
    Ok(())
}

/// Returns whether the account is still connected with this provider identity. Call it after locking the account.
pub(super) async fn is_owner(tx: &mut Tx, (corp, user): (Uuid, Uuid), identity: &Identity) -> db::Result<bool> {
    tx.sql(
        "SELECT created_at FROM identities \
             WHERE corp_id = $1 AND user_id = $2 AND issuer = $3 AND subject = $4",
    )
    .bind_all((corp, user, identity.issuer.clone(), identity.subject.clone()))
    .exists()
    .await
}

/// Returns whether the signed-in user can also sign in with this issuer.
pub(crate) async fn is_connected(db: &Db, scope: &Scope, issuer: &str) -> db::Result<bool> {
    db.sql(
        "SELECT created_at FROM identities \
             WHERE corp_id = $1 AND user_id = $2 AND issuer = $3 AND subject IS NOT NULL",
    )
    .bind_all((scope.corp(), scope.user(), issuer.to_owned()))
    .exists()
    .await
}
