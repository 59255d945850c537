//! The handlers of a corporation's users screen, for its Admins, and for Super Admins in any corporation.

use super::handlers::find_all;
use super::management::{self, UserUpdate};
use super::store::{self, UserRow};
use crate::access::scope::{Administrator, Manager};
use crate::features::listing::page_in_memory;
use crate::features::roles;
use crate::features::state::App;
use crate::platform::db;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangedListQuery, Id, IdAndForm, LocalDay, Params, Valid};
use crate::platform::responses::{Created, take_within_bytes};
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{
    CorporationUser, CorporationUserInput, CorporationUserList, CorporationUserUpdateInput,
};
use forecourt_core::form::check_with;
use forecourt_core::lists::Arrangement;
use forecourt_core::reply::{Done, RECORDS_MAX, Reply};
use forecourt_core::roles::Role;
use forecourt_core::users::{
    PAGE_SIZE, User, UserInput, UserUpdateInput, check_not_last_admin, check_user_deactivation, text,
};
use std::collections::HashMap;
use uuid::Uuid;

/// `GET /api/corporations/{corpId}/users`: returns one page if the query has `page` or `limit`, else all users up to the
/// limit of a response. Search, sort order and filter are those of `GET /api/users`.
pub async fn list(
    administrator: Administrator,
    Id(corp): Id,
    LocalDay(today): LocalDay,
    Params(query): Params<ArrangedListQuery<User, PAGE_SIZE>>,
) -> ApiResult<Json<CorporationUserList>> {
    let (page, search, arrangement) = query.read(administrator.access(), &today)?;
    let manager = manager_of(&administrator, corp).await?;
    let users = find_users(&manager, search.as_deref(), &arrangement).await?;
    let (data, total_items) = if query.list.is_paged() {
        page_in_memory(users, page)
    } else {
        let total = users.len() as u64;
        (take_within_bytes(users, RECORDS_MAX).map_err(ApiError::internal)?, total)
    };
    Ok(Json(CorporationUserList { success: true, data, total_items }))
}

pub async fn list_roles(administrator: Administrator, Id(corp): Id) -> ApiResult<Json<Reply<Vec<Role>>>> {
    let manager = manager_of(&administrator, corp).await?;
    Ok(Json(Reply::new(roles::list_roles(&manager).await?)))
}

pub async fn create(
    administrator: Administrator,
    State(app): State<App>,
    Valid(form): Valid<CorporationUserInput>,
) -> ApiResult<Created<Done>> {
    let CorporationUserInput { corp_id, fields, password } = form.into_inner();
    let manager = administrator.manager(Uuid::parse_str(&corp_id).map_err(|_| ApiError::NotFound)?)?;
    let form = check_with(app.form_settings, UserInput { fields, password })?;
    management::create(&app, &manager, form).await?;
    Ok(Created(Done::new(text::CREATED)))
}

/// `PUT /api/corporations/users/{id}`: changes the user's data, or only whether the user is active.
pub async fn update(
    administrator: Administrator,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<CorporationUserUpdateInput>,
) -> ApiResult<Json<Done>> {
    let corp = store::corporation_of(&app.db, id).await?.ok_or(ApiError::NotFound)?;
    let manager = administrator.manager(corp)?;
    let is_only_activity = form.changes_only_activity();
    let CorporationUserUpdateInput { fields, password, is_active, version } = form.into_inner();
    let form = match is_only_activity {
        true => None,
        false => Some(check_with(app.form_settings, UserUpdateInput { fields, password, version })?),
    };
    let update = UserUpdate { form, has_mobile_field: true, is_active, version };
    if !management::update(&app, &manager, id, update).await? {
        let current = get_user(&manager, id).await?;
        return Err(management::version_conflict(&manager, id, &current).await?);
    }
    let is_deactivation = is_only_activity && is_active == Some(false);
    Ok(Json(Done::new(if is_deactivation { text::DEACTIVATED } else { text::UPDATED })))
}

/// Returns the users that match the search and the filter, sorted by name unless the arrangement has a sort order.
async fn find_users(
    manager: &Manager,
    search: Option<&str>,
    arrangement: &Arrangement,
) -> db::Result<Vec<CorporationUser>> {
    let mut users = list_users(manager).await?;
    if search.is_some() || !arrangement.is_empty() {
        // The fields by which users are searched, sorted and filtered are those of the users screen.
        let found = find_all(manager, search, arrangement).await?;
        let places: HashMap<&str, usize> = found.iter().map(|user| user.user_id.as_str()).zip(0..).collect();
        users.retain(|user| places.contains_key(user.id.as_str()));
        if !arrangement.sort.is_empty() {
            users.sort_by_key(|user| places.get(user.id.as_str()).copied());
        }
    }
    Ok(users)
}

/// Returns all users of the manager's corporation as the manager sees them, sorted by name.
async fn list_users(manager: &Manager) -> db::Result<Vec<CorporationUser>> {
    let rows = store::list_all(manager).await?;
    let active: Vec<_> = rows.iter().filter(|row| row.is_enabled()).map(UserRow::user_type).collect();
    let user = |row: UserRow| {
        let can_deactivate = check_user_deactivation(row.user_id == manager.user()).is_ok()
            && check_not_last_admin(row.user_type(), row.is_enabled(), &active).is_ok();
        row.into_corporation_user(can_deactivate)
    };
    Ok(rows.into_iter().map(user).collect())
}

/// Returns the current state of a user.
async fn get_user(manager: &Manager, id: Uuid) -> ApiResult<CorporationUser> {
    let id = id.to_string();
    list_users(manager).await?.into_iter().find(|user| user.id == id).ok_or(ApiError::NotFound)
}

/// Returns the administrator as a manager of this corporation's users; 404 if there is no such corporation.
async fn manager_of(administrator: &Administrator, corp: Uuid) -> ApiResult<Manager> {
    let manager = administrator.manager(corp)?;
    store::is_platform(manager.db(), &manager).await?.ok_or(ApiError::NotFound)?;
    Ok(manager)
}
