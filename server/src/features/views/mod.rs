//! The handlers of saved views. A user sees their own views and the shared ones, of lists that they may read,
//! except those that sort or filter by a field hidden from them.

mod routes;
mod store;

use crate::access::rights::Rights;
use crate::access::scope::{Scope, Signed};
use crate::features::state::App;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, Params, Unchecked, optional};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::form::{Checked, Form, check_with};
use forecourt_core::permissions::{Action, ResourceId, UserType, may};
use forecourt_core::reply::{Done, Reply};
use forecourt_core::views::{CORPORATION_MAX, OWN_MAX, View, ViewInput, fields, may_change, resource_error, text};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;
pub(crate) use store::insert;
use store::{Limit, StoredView};
use uuid::Uuid;

/// The query parameters of the list of views.
#[derive(Deserialize, JsonSchema)]
pub struct ViewsQuery {
    /// The resource whose views are listed; empty: all that the user may read.
    #[serde(default)]
    resource: String,
}

pub async fn list(actor: Signed, Params(query): Params<ViewsQuery>) -> ApiResult<Json<Reply<Vec<View>>>> {
    let resource = optional("resource", &query.resource, &resource_error(), |id| {
        ResourceId::parse(id).filter(|resource| fields(*resource).is_some())
    })?;
    let scope = match resource {
        Some(resource) => actor.with_permission(Action::Read, resource)?,
        None => actor.scope().clone(),
    };
    let mut views = store::list(scope.db(), &scope, resource).await?;
    views.retain(|stored| may(actor.access(), stored.resource, Action::Read));
    views.retain_mut(|stored| hide_fields(stored, &scope, actor.user_type()));
    Ok(Json(Reply::new(views.into_iter().map(|stored| stored.view).collect())))
}

pub async fn create(
    actor: Signed,
    State(app): State<App>,
    Unchecked(form): Unchecked<ViewInput>,
) -> ApiResult<Created<Reply<View>>> {
    let resource = resource_of(&form)?;
    let scope = actor.with_permission(Action::Read, resource)?;
    let form = check(&app, &scope, form)?;
    let (mut tx, rights) = scope.begin().await?;
    check_name(&mut tx, &scope, &rights, &form, None).await?;
    check_limit(&mut tx, &scope, resource, Limit::Own).await?;
    if form.is_shared() {
        check_limit(&mut tx, &scope, resource, Limit::Shared).await?;
    }
    let id = Uuid::now_v7();
    insert(&mut tx, &scope, id, &form, app.clock.now()).await?;
    store::set_default(&mut tx, &scope, resource, id, form.is_default.unwrap_or_default()).await?;
    let stored = store::find(&mut tx, &scope, id).await?.ok_or(ApiError::NotFound)?;
    tx.commit().await?;
    Ok(Created(Reply::new(stored.view).with_message(text::CREATED)))
}

/// `PUT /api/views/{view_id}`: every user who sees a view can make it their default. If the user may not read the
/// view's list, the response is 404.
pub async fn update(
    actor: Signed,
    State(app): State<App>,
    Id(id): Id,
    Unchecked(form): Unchecked<ViewInput>,
) -> ApiResult<Json<Reply<View>>> {
    let resource = resource_of(&form)?;
    let scope = actor.with_permission(Action::Read, resource).map_err(|_| ApiError::NotFound)?;
    let (mut tx, rights) = scope.begin().await?;
    let mut stored = find_of(&mut tx, &scope, id, resource).await?;
    let form = check(&app, &scope, form.completed(&stored.view))?;
    let columns = stored.view.columns_with_hidden(&form.columns, scope.access());
    let query = form.query.completed(&stored.view.query);
    if !stored.view.hide_fields(scope.access()) {
        return Err(ApiError::NotFound);
    }
    if !stored.has_content_of(&form, &query) {
        check_change(&stored, &rights)?;
        check_name(&mut tx, &scope, &rights, &form, Some(&stored.view)).await?;
        if form.is_shared() && !stored.is_shared {
            check_limit(&mut tx, &scope, resource, Limit::Shared).await?;
        }
        if !form.is_shared() && !stored.has_owner() {
            check_limit(&mut tx, &scope, resource, Limit::Own).await?;
        }
        let version = form.version.unwrap_or(stored.view.version);
        if !store::update(&mut tx, &scope, id, &form, (&query, &columns), version, app.clock.now()).await? {
            let mut current = find_of(&mut tx, &scope, id, resource).await?;
            current.view.hide_fields(scope.access());
            return Err(ApiError::version_conflict(&current.view));
        }
    }
    // An administrator can make another user's view private, and does not see it then.
    let is_visible = form.is_shared() || !stored.has_owner() || stored.is_of(scope.user());
    let is_default = form.is_default.unwrap_or_default() && is_visible;
    store::set_default(&mut tx, &scope, resource, id, is_default).await?;
    let updated = store::find(&mut tx, &scope, id).await?;
    tx.commit().await?;
    let mut view = updated.map_or(stored.view, |updated| updated.view);
    view.hide_fields(scope.access());
    Ok(Json(Reply::new(view).with_message(text::UPDATED)))
}

pub async fn delete(actor: Signed, Id(id): Id) -> ApiResult<Json<Done>> {
    let stored = store::find(actor.scope().db(), actor.scope(), id).await?.ok_or(ApiError::NotFound)?;
    let scope = actor.with_permission(Action::Read, stored.resource).map_err(|_| ApiError::NotFound)?;
    let (mut tx, rights) = scope.begin().await?;
    let mut stored = find_of(&mut tx, &scope, id, stored.resource).await?;
    // The others do not see a view that they can't use.
    let is_usable = stored.view.hide_fields(scope.access());
    check_change(&stored, &rights).map_err(|error| if is_usable { error } else { ApiError::NotFound })?;
    store::delete(&mut tx, &scope, id).await?;
    tx.commit().await?;
    Ok(Json(Done::new(text::DELETED)))
}

/// Removes what the user does not see of a view. Returns `false` if the user does not see the view itself.
fn hide_fields(stored: &mut StoredView, scope: &Scope, user_type: UserType) -> bool {
    let is_usable = stored.view.hide_fields(scope.access());
    if !is_usable {
        stored.view.restrict();
    }
    is_usable || may_change(stored.is_of(scope.user()), user_type)
}

/// Rejects a new name that another view of the list has which the user sees. `stored` is the view that is updated.
async fn check_name(
    tx: &mut Tx,
    scope: &Scope,
    rights: &Rights,
    form: &ViewInput,
    stored: Option<&View>,
) -> ApiResult<()> {
    let mut views = store::list(tx, scope, form.resource()).await?;
    views.retain_mut(|other| hide_fields(other, scope, rights.user_type));
    let others = views.iter().map(|other| &other.view);
    let others = others.filter(|other| stored.is_none_or(|stored| stored.view_id != other.view_id));
    match form.check_name(stored.map(|view| view.name.as_str()), others.map(|view| view.name.as_str())) {
        Some(error) => Err(vec![error].into()),
        None => Ok(()),
    }
}

/// Checks a form. First rejects fields that the user does not see, because the errors of the form's own rules list all
/// fields.
fn check(app: &App, scope: &Scope, mut form: ViewInput) -> ApiResult<Checked<ViewInput>> {
    form.normalize();
    let errors = form.check_visible(scope.access());
    if errors.is_empty() { Ok(check_with(app.form_settings, form)?) } else { Err(errors.into()) }
}

fn resource_of(form: &ViewInput) -> ApiResult<ResourceId> {
    form.resource().ok_or_else(|| ApiError::for_field("resource", &resource_error()))
}

/// Returns a view of this list that the user sees, with all its fields, also those that are hidden from the user.
async fn find_of(tx: &mut Tx, scope: &Scope, id: Uuid, resource: ResourceId) -> ApiResult<StoredView> {
    let found = store::find(tx, scope, id).await?;
    found.filter(|stored| stored.resource == resource).ok_or(ApiError::NotFound)
}

fn check_change(stored: &StoredView, rights: &Rights) -> ApiResult<()> {
    if may_change(stored.is_of(rights.user), rights.user_type) {
        Ok(())
    } else {
        Err(ApiError::Forbidden(text::NOT_OWNER))
    }
}

/// Fails with 409 if the views of this list that `limit` counts (the user's own, or the corporation's shared ones) have
/// reached their maximum. Simultaneous requests can exceed it on PostgreSQL.
async fn check_limit(tx: &mut Tx, scope: &Scope, resource: ResourceId, limit: Limit) -> ApiResult<()> {
    let (most, message) = match limit {
        Limit::Own => (OWN_MAX, text::too_many_views(OWN_MAX.into())),
        Limit::Shared => (CORPORATION_MAX, text::too_many_shared(CORPORATION_MAX.into())),
    };
    let count = store::count(tx, scope, resource, limit).await?;
    if count < i64::from(most) { Ok(()) } else { Err(ApiError::Conflict(message)) }
}
