//! Roles in the database.

use crate::db::{Result, Tx};
use crate::scope::Scope;
use forecourt_core::permissions::Grant;
use uuid::Uuid;

/// Makes a role that grants nothing yet.
pub async fn create(tx: &mut Tx, corp: Uuid, name: &str, description: &str, now: i64) -> Result<Uuid> {
    let role = Uuid::now_v7();
    tx.sql(
        "INSERT INTO roles (corp_id, role_id, name, description, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind(corp)
    .bind(role)
    .bind(name.to_owned())
    .bind(description.to_owned())
    .bind(now)
    .exec()
    .await?;
    Ok(role)
}

/// Writes what a role grants that granted nothing so far.
pub async fn insert_grants(tx: &mut Tx, corp: Uuid, role: Uuid, grants: Vec<Grant>) -> Result<()> {
    if grants.is_empty() {
        return Ok(());
    }
    tx.sql(
        "INSERT INTO role_permissions (corp_id, role_id, resource_id, can_read, can_create, can_update, can_delete) \
         VALUES ",
    )
    .tuples(grants, |sql, Grant { resource_id, permissions: p }| {
        sql.arg(corp)
            .next(role)
            .next(resource_id)
            .next(p.can_read)
            .next(p.can_create)
            .next(p.can_update)
            .next(p.can_delete)
    })
    .exec()
    .await?;
    Ok(())
}

/// See [`super::withdraw_disallowed`]. A role that loses something has changed: who is about to save it is told.
pub async fn withdraw_disallowed(tx: &mut Tx, scope: &Scope, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE roles SET version = version + 1, updated_at = $2 WHERE corp_id = $1 AND role_id IN \
         (SELECT p.role_id FROM role_permissions p JOIN resources r ON r.resource_id = p.resource_id \
         WHERE p.corp_id = $1 AND coalesce(r.parent_id, r.resource_id) NOT IN \
         (SELECT resource_id FROM corporation_resources WHERE corp_id = $1))",
    )
    .bind(scope.corp())
    .bind(now)
    .exec()
    .await?;
    tx.sql(
        "DELETE FROM role_permissions WHERE corp_id = $1 AND resource_id IN \
         (SELECT resource_id FROM resources WHERE coalesce(parent_id, resource_id) NOT IN \
         (SELECT resource_id FROM corporation_resources WHERE corp_id = $1))",
    )
    .bind(scope.corp())
    .exec()
    .await?;
    Ok(())
}
