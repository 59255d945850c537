//! The handlers of the users screen: the users of the own corporation.

use super::manage::{self, Change, Written};
use super::store::{self, UserRow};
use crate::access::scope::{Create, Delete, Manager, May, Read, Update, Users};
use crate::features::roles;
use crate::features::state::App;
use crate::platform::clock::rfc3339;
use crate::platform::db;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, ListQuery, Params, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::paging::total_pages;
use forecourt_core::permissions::{Grant, effective_permissions};
use forecourt_core::reply::{Done, Reply};
use forecourt_core::users::{
    PAGE_SIZE, PasswordInput, User, UserInput, UserList, UserUpdateInput, check_user_deletion, permissions_count, text,
};
use std::collections::HashMap;
use uuid::Uuid;

/// `GET /api/users`
pub async fn list(may: May<Read, Users>, Params(question): Params<ListQuery>) -> ApiResult<Json<UserList>> {
    let (page, search) = question.read(PAGE_SIZE)?;
    let by = may.manager();
    let ((rows, total), shown) = tokio::try_join!(store::list(&by, page, search.as_deref()), Shown::to(&by))?;
    let data = rows.into_iter().map(|row| shown.user(row)).collect();
    Ok(Json(UserList { success: true, data, total_items: total, total_pages: total_pages(total, page.limit) }))
}

/// `GET /api/users/{id}`
pub async fn get(may: May<Read, Users>, Id(id): Id) -> ApiResult<Json<Reply<User>>> {
    Ok(Json(Reply::new(present(&may.manager(), id).await?)))
}

/// `POST /api/users`
pub async fn create(
    may: May<Create, Users>,
    State(app): State<App>,
    Valid(form): Valid<UserInput>,
) -> ApiResult<Created<Reply<User>>> {
    let by = may.manager();
    let id = manage::create(&app, &by, form).await?;
    Ok(Created(Reply::new(present(&by, id).await?).with_message(text::CREATED)))
}

/// `PUT /api/users/{id}`
pub async fn update(
    may: May<Update, Users>,
    State(app): State<App>,
    Id(id): Id,
    Valid(form): Valid<UserUpdateInput>,
) -> ApiResult<Json<Reply<User>>> {
    let by = may.manager();
    let version = form.version;
    let change = Change { form: Some(form), asks_mobile: false, is_active: None, version };
    let written = manage::update(&app, &by, id, change).await?;
    let present = present(&by, id).await?;
    match written {
        Written::Done => Ok(Json(Reply::new(present).with_message(text::UPDATED))),
        Written::Stale => Err(ApiError::version_conflict(&present)),
    }
}

/// `DELETE /api/users/{id}`
pub async fn delete(may: May<Delete, Users>, Id(id): Id) -> ApiResult<Json<Done>> {
    manage::delete(&may.manager(), id).await?;
    Ok(Json(Done::new(text::DELETED)))
}

/// `PUT /api/users/{id}/password`
pub async fn set_password(
    may: May<Update, Users>,
    State(app): State<App>,
    Id(id): Id,
    Valid(form): Valid<PasswordInput>,
) -> ApiResult<Json<Done>> {
    manage::set_password(&app, &may.manager(), id, form).await?;
    Ok(Json(Done::new(text::PASSWORD_SET)))
}

/// Returns the current state of a user.
async fn present(by: &Manager, id: Uuid) -> ApiResult<User> {
    let (row, shown) = tokio::try_join!(store::get(by, id), Shown::to(by))?;
    Ok(shown.user(row.ok_or(ApiError::NotFound)?))
}

/// Converts rows to API users: the manager who views them, the grants of every role, and the allowed resources.
struct Shown<'a> {
    to: &'a Manager,
    grants: HashMap<Uuid, Vec<Grant>>,
    allowed: Vec<String>,
}

impl<'a> Shown<'a> {
    async fn to(by: &'a Manager) -> db::Result<Self> {
        let (grants, allowed) = tokio::try_join!(roles::grants(by), roles::allowed(by))?;
        Ok(Shown { to: by, grants, allowed })
    }

    fn user(&self, row: UserRow) -> User {
        let none = Vec::new();
        let grants = row.role_id.and_then(|role| self.grants.get(&role)).unwrap_or(&none);
        let user_type = row.user_type();
        let can_update = self.to.can_manage(user_type, grants);
        User {
            role: row.role(),
            permissions_count: permissions_count(&effective_permissions(user_type, grants, &self.allowed)),
            can_update,
            can_delete: can_update && check_user_deletion(user_type, row.user_id == self.to.user()).is_ok(),
            user_id: row.user_id.to_string(),
            first_name: row.first_name,
            last_name: row.last_name,
            email: row.email,
            mobile: row.mobile,
            user_type,
            created_at: rfc3339(row.created_at),
            is_active: row.is_active,
            version: row.version,
        }
    }
}
