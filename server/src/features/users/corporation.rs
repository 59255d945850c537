//! The handlers of a corporation's users screen, for its Admins, and for Super Admins in any corporation.

use super::manage::{self, Change, Written};
use super::store;
use crate::access::scope::{Administrator, Manager};
use crate::features::roles;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, Valid};
use crate::platform::responses::{Created, take_within_bytes};
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{
    CorporationUser, CorporationUserInput, CorporationUserList, CorporationUserUpdateInput,
};
use forecourt_core::form::check_with;
use forecourt_core::reply::{Done, RECORDS_MAX, Reply};
use forecourt_core::roles::Role;
use forecourt_core::users::{UserInput, UserUpdateInput, text};
use uuid::Uuid;

/// `GET /api/corporations/{corpId}/users`
pub async fn list(administrator: Administrator, Id(corp): Id) -> ApiResult<Json<CorporationUserList>> {
    let by = at_work_in(&administrator, corp).await?;
    let users = store::all(&by).await?;
    let total_items = users.len() as u64;
    let data =
        take_within_bytes(users.into_iter().map(CorporationUser::from), RECORDS_MAX).map_err(ApiError::internal)?;
    Ok(Json(CorporationUserList { success: true, data, total_items }))
}

/// `GET /api/corporations/{corpId}/roles`
pub async fn list_roles(administrator: Administrator, Id(corp): Id) -> ApiResult<Json<Reply<Vec<Role>>>> {
    let by = at_work_in(&administrator, corp).await?;
    Ok(Json(Reply::new(roles::all(&by).await?)))
}

/// `POST /api/corporations/users`
pub async fn create(
    administrator: Administrator,
    State(app): State<App>,
    Valid(form): Valid<CorporationUserInput>,
) -> ApiResult<Created<Done>> {
    let CorporationUserInput { corp_id, fields, password } = form.into_inner();
    let by = administrator.manager(Uuid::parse_str(&corp_id).map_err(|_| ApiError::NotFound)?)?;
    let form = check_with(app.form_settings, UserInput { fields, password })?;
    manage::create(&app, &by, form).await?;
    Ok(Created(Done::new(text::CREATED)))
}

/// `PUT /api/corporations/users/{id}`: changes the user's data, or only whether the user is active.
pub async fn update(
    administrator: Administrator,
    State(app): State<App>,
    Id(id): Id,
    Valid(form): Valid<CorporationUserUpdateInput>,
) -> ApiResult<Json<Done>> {
    let corp = store::corporation_of(&app.db, id).await?.ok_or(ApiError::NotFound)?;
    let by = administrator.manager(corp)?;
    let is_only_activity = form.changes_only_activity();
    let CorporationUserUpdateInput { fields, password, is_active, version } = form.into_inner();
    let form = match is_only_activity {
        true => None,
        false => Some(check_with(app.form_settings, UserUpdateInput { fields, password, version })?),
    };
    match manage::update(&app, &by, id, Change { form, asks_mobile: true, is_active, version }).await? {
        Written::Done if is_only_activity && is_active == Some(false) => Ok(Json(Done::new(text::DEACTIVATED))),
        Written::Done => Ok(Json(Done::new(text::UPDATED))),
        Written::Stale => {
            let row = store::get(&by, id).await?.ok_or(ApiError::NotFound)?;
            Err(ApiError::version_conflict(&CorporationUser::from(row)))
        }
    }
}

/// Returns the administrator as manager of an existing corporation.
async fn at_work_in(administrator: &Administrator, corp: Uuid) -> ApiResult<Manager> {
    let by = administrator.manager(corp)?;
    store::is_platform(&by).await?.ok_or(ApiError::NotFound)?;
    Ok(by)
}
