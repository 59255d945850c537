//! Roles in the database.

use crate::access::scope::{Manager, Scope};
use crate::platform::db::{Connection, Result, Sql, Tx};
use forecourt_core::form::Checked;
use forecourt_core::permissions::{Grant, Permissions};
use forecourt_core::roles::{Role, RoleInput, RoleState, build_matrix, permissions_count};
use forecourt_core::text::fold;
use std::collections::HashMap;
use uuid::Uuid;

#[derive(sqlx_macros::FromRow)]
struct RoleRow {
    role_id: Uuid,
    name: String,
    description: String,
    version: i64,
}

#[derive(sqlx_macros::FromRow)]
struct GrantRow {
    role_id: Uuid,
    resource_id: String,
    can_read: bool,
    can_create: bool,
    can_update: bool,
    can_delete: bool,
}

impl From<GrantRow> for Grant {
    fn from(row: GrantRow) -> Self {
        let GrantRow { resource_id, can_read, can_create, can_update, can_delete, .. } = row;
        Grant { resource_id, permissions: Permissions { can_read, can_create, can_update, can_delete } }
    }
}

const GRANTS: &str = "SELECT role_id, resource_id, can_read, can_create, can_update, can_delete \
     FROM role_permissions WHERE corp_id = $1";

/// Returns all roles of the corporation sorted by name, each with its matrix over the allowed resources.
pub async fn list(manager: &Manager) -> Result<Vec<Role>> {
    let (scope, db): (&Scope, _) = (manager, manager.db());
    let rows =
        db.sql("SELECT role_id, name, description, version FROM roles WHERE corp_id = $1").bind(scope.corp()).all();
    let counts = db
        .sql("SELECT role_id, count(*) FROM users WHERE corp_id = $1 AND role_id IS NOT NULL GROUP BY role_id")
        .bind(scope.corp())
        .all::<(Uuid, i64)>();
    let (rows, counts, mut grants, allowed) =
        tokio::try_join!(rows, counts, grants_by_role(scope), resources(db, scope))?;
    let counts: HashMap<Uuid, i64> = counts.into_iter().collect();
    let mut roles: Vec<Role> = rows
        .into_iter()
        .map(|row: RoleRow| {
            let grants = grants.remove(&row.role_id).unwrap_or_default();
            let matrix = build_matrix(&grants, &allowed, |resource| manager.grantable(resource));
            Role {
                role_id: row.role_id.to_string(),
                name: row.name,
                description: row.description,
                permissions_count: permissions_count(&matrix),
                permissions: matrix.into_iter().map(|r| (r.resource_id.clone(), r)).collect(),
                users_count: counts.get(&row.role_id).map_or(0, |users| users.unsigned_abs()),
                version: row.version,
                can_update: manager.can_change_role(row.role_id, &grants),
                can_assign: manager.can_assign_role(&grants),
            }
        })
        .collect();
    roles.sort_by_cached_key(|role| (fold(&role.name), role.role_id.clone()));
    Ok(roles)
}

/// Returns the grants by role. Roles without grants are missing.
pub async fn grants_by_role(scope: &Scope) -> Result<HashMap<Uuid, Vec<Grant>>> {
    let rows: Vec<GrantRow> = scope.db().sql(GRANTS).bind(scope.corp()).all().await?;
    let mut grants: HashMap<Uuid, Vec<Grant>> = HashMap::new();
    for row in rows {
        grants.entry(row.role_id).or_default().push(row.into());
    }
    Ok(grants)
}

/// Returns the ids of the corporation's allowed resources.
pub async fn resources(db: impl Connection<'_>, scope: &Scope) -> Result<Vec<String>> {
    let sql = db.sql("SELECT resource_id FROM corporation_resources WHERE corp_id = $1");
    sql.bind(scope.corp()).values().await
}

/// Returns the grants of a role, or `None` if it does not exist. Prevents its deletion until the transaction ends.
pub async fn lock_and_get_grants(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<Option<Vec<Grant>>> {
    let row_lock = tx.pick("", " FOR KEY SHARE");
    let exists = tx
        .sql("SELECT role_id FROM roles WHERE corp_id = $1 AND role_id = $2")
        .push(row_lock)
        .bind_all((scope.corp(), role))
        .exists()
        .await?;
    if !exists {
        return Ok(None);
    }
    Ok(Some(grants_of(tx, scope, role).await?))
}

/// Returns the name, description and grants of a role; `None` if it does not exist.
pub async fn state(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<Option<RoleState>> {
    let found: Option<(String, String)> = tx
        .sql("SELECT name, description FROM roles WHERE corp_id = $1 AND role_id = $2")
        .bind_all((scope.corp(), role))
        .maybe()
        .await?;
    let Some((name, description)) = found else { return Ok(None) };
    let grants = grants_of(tx, scope, role).await?;
    Ok(Some(RoleState { name, description, grants }))
}

async fn grants_of(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<Vec<Grant>> {
    let rows: Vec<GrantRow> =
        tx.sql(GRANTS).push(" AND role_id = $2 ORDER BY resource_id").bind_all((scope.corp(), role)).all().await?;
    Ok(rows.into_iter().map(Grant::from).collect())
}

/// Returns the version of a role and locks its row until the transaction ends; `None` if it does not exist.
pub async fn lock(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<Option<i64>> {
    let row_lock = tx.pick("", " FOR UPDATE");
    tx.sql("SELECT version FROM roles WHERE corp_id = $1 AND role_id = $2")
        .push(row_lock)
        .bind_all((scope.corp(), role))
        .maybe_value()
        .await
}

pub async fn count_users(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<u64> {
    let users: i64 = tx
        .sql("SELECT count(*) FROM users WHERE corp_id = $1 AND role_id = $2")
        .bind_all((scope.corp(), role))
        .value()
        .await?;
    Ok(users.unsigned_abs())
}

/// Changes a role's name and description.
pub async fn update(tx: &mut Tx, scope: &Scope, role: Uuid, form: &Checked<RoleInput>, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE roles SET name = $1, description = $2, version = version + 1, updated_at = $3 \
         WHERE corp_id = $4 AND role_id = $5",
    )
    .bind_all((form.name.clone(), form.description.clone(), now, scope.corp(), role))
    .exec()
    .await?;
    Ok(())
}

/// Deletes a role; the database deletes its grants with it.
pub async fn delete(tx: &mut Tx, scope: &Scope, role: Uuid) -> Result<()> {
    tx.sql("DELETE FROM roles WHERE corp_id = $1 AND role_id = $2").bind_all((scope.corp(), role)).exec().await?;
    Ok(())
}

pub async fn replace_grants(tx: &mut Tx, scope: &Scope, role: Uuid, grants: Vec<Grant>, now: i64) -> Result<()> {
    tx.sql("UPDATE roles SET version = version + 1, updated_at = $1 WHERE corp_id = $2 AND role_id = $3")
        .bind_all((now, scope.corp(), role))
        .exec()
        .await?;
    tx.sql("DELETE FROM role_permissions WHERE corp_id = $1 AND role_id = $2")
        .bind_all((scope.corp(), role))
        .exec()
        .await?;
    insert_grants(tx, scope.corp(), role, grants).await
}

/// Creates a role without grants.
pub async fn create(tx: &mut Tx, corp: Uuid, name: &str, description: &str, now: i64) -> Result<Uuid> {
    let role = Uuid::now_v7();
    tx.sql(
        "INSERT INTO roles (corp_id, role_id, name, description, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind_all((corp, role, name.to_owned(), description.to_owned(), now))
    .exec()
    .await?;
    Ok(role)
}

/// Returns the ids and names of the corporation's roles.
pub async fn names(tx: &mut Tx, corp: Uuid) -> Result<HashMap<Uuid, String>> {
    let names: Vec<(Uuid, String)> =
        tx.sql("SELECT role_id, name FROM roles WHERE corp_id = $1").bind(corp).all().await?;
    Ok(names.into_iter().collect())
}

/// Inserts grants for a role that has none.
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
            .comma(role)
            .comma(resource_id)
            .comma(p.can_read)
            .comma(p.can_create)
            .comma(p.can_update)
            .comma(p.can_delete)
    })
    .exec()
    .await?;
    Ok(())
}

/// Returns the ids of the roles with grants on one of these resources.
pub async fn with_grants_on(tx: &mut Tx, scope: &Scope, resources: &[&'static str]) -> Result<Vec<Uuid>> {
    let sql = tx.sql("SELECT DISTINCT role_id FROM role_permissions WHERE corp_id = ").arg(scope.corp());
    push_resources(sql, resources).values().await
}

/// Deletes the grants on these resources. Increments the version of the changed roles, so that a concurrent edit gets a
/// version conflict.
pub async fn delete_grants_on(tx: &mut Tx, scope: &Scope, resources: &[&'static str], now: i64) -> Result<()> {
    let sql = tx
        .sql("UPDATE roles SET version = version + 1, updated_at = ")
        .arg(now)
        .push_arg(" WHERE corp_id = ", scope.corp())
        .push_arg(" AND role_id IN (SELECT role_id FROM role_permissions WHERE corp_id = ", scope.corp());
    push_resources(sql, resources).push(")").exec().await?;
    let sql = tx.sql("DELETE FROM role_permissions WHERE corp_id = ").arg(scope.corp());
    push_resources(sql, resources).exec().await?;
    Ok(())
}

/// Appends the condition that a grant is on one of these resources.
fn push_resources<'a>(sql: Sql<'a>, resources: &[&'static str]) -> Sql<'a> {
    sql.push(" AND resource_id IN (").texts(resources.iter().copied()).push(")")
}
