//! Roles: their names and the permissions that they grant.

mod role_history;
mod routes;
mod store;

use crate::access::rights::Rights;
use crate::access::scope::{Create, Delete, Manager, May, Read, Roles, Scope, Update};
use crate::features::state::App;
use crate::features::{history, users};
use crate::platform::db::{self, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, IdAndForm, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::history::HistoryAction;
use forecourt_core::message::Message;
use forecourt_core::permissions::ResourceId;
use forecourt_core::reply::{Done, Reply};
use forecourt_core::roles::{
    self, PermissionsInput, ROLES_MAX, Role, RoleInput, check_name, check_role_change, text, validate_grants,
};
use role_history::RoleChange;
pub use routes::ROUTES;
use uuid::Uuid;

pub(crate) use store::{
    create as create_without_grants, grants_by_role, insert_grants, list as list_roles, lock_and_get_grants, resources,
};

pub async fn list(may: May<Read, Roles>) -> ApiResult<Json<Reply<Vec<Role>>>> {
    Ok(Json(Reply::new(store::list(&may.manager()).await?)))
}

/// `POST /api/rbac/roles`: creates a role without permissions.
pub async fn create(
    may: May<Create, Roles>,
    State(app): State<App>,
    Valid(form): Valid<RoleInput>,
) -> ApiResult<Created<Reply<Role>>> {
    let mut tx = may.db().begin().await?;
    // Locked, so that the corporation gets no other roles or names until the commit.
    users::lock_corporation(&mut tx, may.corp()).await?;
    let names = store::names(&mut tx, may.corp()).await?;
    if names.len() >= ROLES_MAX as usize {
        return Err(ApiError::Conflict(text::TOO_MANY.into()));
    }
    check_name(None, &form.name, names.values().map(String::as_str)).map_err(name_error)?;
    let now = app.clock.now();
    let id = store::create(&mut tx, may.corp(), &form.name, &form.description, now).await?;
    RoleChange::creation(id).record(&mut tx, &may, now).await?;
    tx.commit().await?;
    Ok(Created(Reply::new(get_role(&may.manager(), id).await?).with_message(text::CREATED)))
}

/// `PUT /api/rbac/roles/{roleId}`: changes the name and description.
pub async fn update(
    may: May<Update, Roles>,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<RoleInput>,
) -> ApiResult<Json<Reply<Role>>> {
    let (mut tx, rights) = may.manager().begin().await?;
    // Locked, so that no other role gets the name until the commit.
    users::lock_corporation(&mut tx, may.corp()).await?;
    let version = store::lock(&mut tx, &may, id).await?.ok_or(ApiError::NotFound)?;
    check_may_manage(&mut tx, &may, &rights, id).await?;
    let mut names = store::names(&mut tx, may.corp()).await?;
    let before = names.remove(&id);
    check_name(before.as_deref(), &form.name, names.values().map(String::as_str)).map_err(name_error)?;
    let (change, now) = (RoleChange::begin(&mut tx, &may, id).await?, app.clock.now());
    store::update(&mut tx, &may, id, &form, now).await?;
    // Without a change, the transaction is dropped, so that the role keeps its version.
    if change.record(&mut tx, &may, now).await? {
        if form.version.is_some_and(|based_on| based_on != version) {
            drop(tx);
            return Err(version_conflict(&may.manager(), id).await?);
        }
        tx.commit().await?;
    }
    Ok(Json(Reply::new(get_role(&may.manager(), id).await?).with_message(text::UPDATED)))
}

/// `DELETE /api/rbac/roles/{roleId}`: deletes a role that no user has.
pub async fn delete(may: May<Delete, Roles>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Done>> {
    let (mut tx, rights) = may.manager().begin().await?;
    store::lock(&mut tx, &may, id).await?.ok_or(ApiError::NotFound)?;
    check_may_manage(&mut tx, &may, &rights, id).await?;
    let change = RoleChange::begin(&mut tx, &may, id).await?;
    if let Some(reason) = text::in_use(store::count_users(&mut tx, &may, id).await?) {
        return Err(ApiError::Conflict(reason));
    }
    store::delete(&mut tx, &may, id).await?;
    change.record(&mut tx, &may, app.clock.now()).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::DELETED)))
}

/// `POST /api/rbac/roles/{roleId}/permissions`: replaces the whole matrix; resources that it does not name grant
/// nothing.
pub async fn set_permissions(
    may: May<Update, Roles>,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<PermissionsInput>,
) -> ApiResult<Json<Reply<Role>>> {
    let manager = may.manager();
    let (mut tx, rights) = manager.begin().await?;
    // Locked, so that the corporation's allowed resources do not change until the commit.
    users::lock_corporation(&mut tx, manager.corp()).await?;
    let version = store::lock(&mut tx, &manager, id).await?.ok_or(ApiError::NotFound)?;
    let allowed = resources(&mut tx, &manager).await?;
    let new_grants =
        validate_grants(&form, &allowed).map_err(|sentence| ApiError::for_field("permissions", sentence))?;
    let old_grants = lock_and_get_grants(&mut tx, &manager, id).await?.unwrap_or_default();
    let is_own = rights.role == Some(id);
    check_role_change(rights.user_type, &rights.access, is_own, &old_grants, &new_grants)
        .map_err(ApiError::Forbidden)?;
    let (change, now) = (RoleChange::begin(&mut tx, &manager, id).await?, app.clock.now());
    store::replace_grants(&mut tx, &manager, id, new_grants, now).await?;
    // Without a change, the transaction is dropped, so that the role keeps its version.
    if change.record(&mut tx, &manager, now).await? {
        if form.version.is_some_and(|based_on| based_on != version) {
            drop(tx);
            return Err(version_conflict(&manager, id).await?);
        }
        tx.commit().await?;
    }
    Ok(Json(Reply::new(get_role(&manager, id).await?).with_message(text::PERMISSIONS_UPDATED)))
}

/// Fails with 403 unless the scope's user is an administrator, or does not have this role and has all permissions that
/// it grants.
async fn check_may_manage(tx: &mut Tx, scope: &Scope, rights: &Rights, id: Uuid) -> ApiResult<()> {
    let grants = lock_and_get_grants(tx, scope, id).await?.unwrap_or_default();
    check_role_change(rights.user_type, &rights.access, rights.role == Some(id), &grants, &grants)
        .map_err(ApiError::Forbidden)
}

/// Returns the current state of a role.
async fn get_role(manager: &Manager, id: Uuid) -> ApiResult<Role> {
    let id = id.to_string();
    store::list(manager).await?.into_iter().find(|role| role.role_id == id).ok_or(ApiError::NotFound)
}

/// Returns the 409 for a request that is based on an old version of a role.
async fn version_conflict(manager: &Manager, id: Uuid) -> ApiResult<ApiError> {
    let last_change = history::last_change(manager, ResourceId::Roles, id, |entry| {
        // Every entry with this action has incremented the version.
        entry.action == HistoryAction::Updated.as_str()
    });
    let last_change = last_change.await?;
    Ok(history::version_conflict(&get_role(manager, id).await?, last_change))
}

fn name_error(reason: &'static Message) -> ApiError {
    ApiError::already_exists("name", reason)
}

/// Creates the first role of a new corporation, which grants everything that the corporation may use.
pub(crate) async fn create_first(tx: &mut Tx, corp: Uuid, allowed: &[&'static str], now: i64) -> db::Result<Uuid> {
    let (name, description) = (text::FIRST_ROLE.as_str(), text::FIRST_ROLE_DESCRIPTION.as_str());
    let role = store::create(tx, corp, name, description, now).await?;
    insert_grants(tx, corp, role, roles::all_grants(allowed)).await?;
    Ok(role)
}

/// Deletes the grants on resources that the corporation may no longer use, and adds the changes of the roles to the
/// history. Call it after [`crate::features::users::lock_corporation`] and after `corporation_resources` was updated.
pub(crate) async fn revoke_disallowed_grants(tx: &mut Tx, scope: &Scope, now: i64) -> db::Result<()> {
    let disallowed = roles::disallowed_ids(&resources(&mut *tx, scope).await?);
    let mut changes = Vec::new();
    for role in store::with_grants_on(tx, scope, &disallowed).await? {
        changes.push(RoleChange::begin(tx, scope, role).await?);
    }
    store::delete_grants_on(tx, scope, &disallowed, now).await?;
    for change in changes {
        change.record(tx, scope, now).await?;
    }
    Ok(())
}
