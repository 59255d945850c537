//! The handlers of the users screen, which shows the users of the signed-in user's own corporation.

use super::management::{self, UserUpdate};
use super::store::{self, UserRow};
use crate::access::scope::{Create, Delete, Manager, May, Read, Update, Users};
use crate::features::history::{self, record_export};
use crate::features::listing::page_in_memory;
use crate::features::records::export::{Export, ExportQuery, acquire, respond};
use crate::features::roles;
use crate::features::state::App;
use crate::platform::db;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangedListQuery, Id, IdAndForm, LocalDay, Params, Repeatable, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use forecourt_core::history::HistoryAction;
use forecourt_core::lists::Arrangement;
use forecourt_core::paging::ListPage;
use forecourt_core::permissions::{Grant, ResourceId, effective_permissions};
use forecourt_core::reply::{Done, Reply};
use forecourt_core::users::{
    PAGE_SIZE, PasswordInput, User, UserInput, UserUpdateInput, check_user_deletion, permissions_count, text,
};
use std::collections::HashMap;
use uuid::Uuid;

pub async fn list(
    may: May<Read, Users>,
    LocalDay(today): LocalDay,
    Params(query): Params<ArrangedListQuery<User, PAGE_SIZE>>,
) -> ApiResult<Json<ListPage<User>>> {
    let (page, search, arrangement) = query.read(may.access(), &today)?;
    let manager = may.manager();
    let (data, total) = if search.is_none() && arrangement.is_empty() {
        let ((rows, total), view) = tokio::try_join!(store::list(&manager, page), UserView::load(&manager))?;
        (rows.into_iter().map(|row| view.user(row)).collect(), total)
    } else {
        page_in_memory(find_all(&manager, search.as_deref(), &arrangement).await?, page)
    };
    Ok(Json(ListPage::new(data, total, page)))
}

/// `GET /api/users/export`
pub async fn export(
    may: May<Read, Users>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    method: Method,
    Params(query): Params<ExportQuery<ArrangedListQuery<User, PAGE_SIZE>>>,
) -> ApiResult<Export> {
    let (format, (_, search, arrangement)) = (query.format()?, query.list.read(may.access(), &today)?);
    let (permit, _search_permit) = acquire(&app, &may).await?;
    let users = find_all(&may.manager(), search.as_deref(), &arrangement).await?;
    record_export(&may, app.clock.now(), &method, ResourceId::Users, format.extension()).await?;
    respond(&app, "users", format, may.access(), permit, users)
}

/// Returns all users that a request lists, in its order.
pub(super) async fn find_all(
    manager: &Manager,
    search: Option<&str>,
    arrangement: &Arrangement,
) -> db::Result<Vec<User>> {
    let (rows, view) = tokio::try_join!(store::find_all(manager, search), UserView::load(manager))?;
    let mut users = rows.into_iter().map(|row| view.user(row)).collect();
    arrangement.apply(&mut users);
    Ok(users)
}

pub async fn get(may: May<Read, Users>, Id(id): Id) -> ApiResult<Json<Reply<User>>> {
    Ok(Json(Reply::new(get_user(&may.manager(), id).await?)))
}

/// Creates a user, once if the request is repeated with its `Idempotency-Key`.
pub async fn create(
    may: May<Create, Users>,
    State(app): State<App>,
    Repeatable(request, Valid(form)): Repeatable<Valid<UserInput>>,
) -> ApiResult<Created<Reply<User>>> {
    let manager = may.manager().of_request(request);
    let user = match management::create(&app, &manager, form).await {
        Ok(id) => get_user(&manager, id).await?,
        // The error may be that the e-mail is in use already: by the user whom the first request has created.
        Err(error) => {
            let (action, resource) = (HistoryAction::Created, ResourceId::Users);
            let created = history::record_of_request(&manager, &error, action, resource).await?;
            let (id, is_same) = created.ok_or(error)?;
            let user = get_user(&manager, id).await.map_err(history::deleted_meanwhile)?;
            if is_same { user } else { return Err(ApiError::key_used(&user)) }
        }
    };
    Ok(Created(Reply::new(user).with_message(text::CREATED)))
}

pub async fn update(
    may: May<Update, Users>,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<UserUpdateInput>,
) -> ApiResult<Json<Reply<User>>> {
    let manager = may.manager();
    let version = form.version;
    let update = UserUpdate { form: Some(form), has_mobile_field: false, is_active: None, version };
    let is_updated = management::update(&app, &manager, id, update).await?;
    let current = get_user(&manager, id).await?;
    match is_updated {
        true => Ok(Json(Reply::new(current).with_message(text::UPDATED))),
        false => Err(management::version_conflict(&manager, id, &current).await?),
    }
}

pub async fn delete(may: May<Delete, Users>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Done>> {
    management::delete(&app, &may.manager(), id).await?;
    Ok(Json(Done::new(text::DELETED)))
}

pub async fn set_password(
    may: May<Update, Users>,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<PasswordInput>,
) -> ApiResult<Json<Done>> {
    management::set_password(&app, &may.manager(), id, form).await?;
    Ok(Json(Done::new(text::PASSWORD_SET)))
}

/// Returns the current state of a user.
async fn get_user(manager: &Manager, id: Uuid) -> ApiResult<User> {
    let (row, view) = tokio::try_join!(store::find(manager.db(), manager, id), UserView::load(manager))?;
    Ok(view.user(row.ok_or(ApiError::NotFound)?))
}

/// What is needed to convert users' rows to API users: the manager who views them, the grants of every role, and the
/// allowed resources.
struct UserView<'a> {
    manager: &'a Manager,
    grants: HashMap<Uuid, Vec<Grant>>,
    allowed: Vec<String>,
}

impl<'a> UserView<'a> {
    async fn load(manager: &'a Manager) -> db::Result<Self> {
        let (grants, allowed) =
            tokio::try_join!(roles::grants_by_role(manager), roles::resources(manager.db(), manager))?;
        Ok(UserView { manager, grants, allowed })
    }

    fn user(&self, row: UserRow) -> User {
        let none = Vec::new();
        let grants = row.role_id.and_then(|role| self.grants.get(&role)).unwrap_or(&none);
        let user_type = row.user_type();
        let can_update = self.manager.can_manage(user_type, grants);
        User {
            permissions_count: permissions_count(&effective_permissions(user_type, grants, &self.allowed)),
            can_update,
            can_delete: can_update && check_user_deletion(user_type, row.user_id == self.manager.user()).is_ok(),
            ..row.into_user()
        }
    }
}
