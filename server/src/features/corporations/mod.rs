//! Corporations: the handlers that read them, and the resources that they and their users have.

mod corporation_history;
mod management;
pub(crate) mod pending_signups;
mod platform;
mod registration;
mod routes;
mod signup;
mod store;

use crate::access::scope::{Actor, Corporations, May, Read, Signed};
use crate::features::history::record_export;
use crate::features::records::export::{Export, ExportQuery, acquire, respond};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangedListQuery, Id, LocalDay, Params};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use forecourt_core::corporations::{
    AllowedResources, Corporation, CorporationResource, FullDetails, PAGE_SIZE, assignable_resources,
    partition_resources,
};
use forecourt_core::paging::ListPage;
use forecourt_core::permissions::{Access, Action, ResourceId, UserType, effective_permissions, may};
use forecourt_core::reply::Reply;
pub use routes::ROUTES;
use uuid::Uuid;

pub(crate) use corporation_history::record;
pub use management::{add_resources, create, decline, delete, remove_resources, update, update_by_body};
pub(crate) use registration::{Registration, register};
pub use signup::{SignupEnabled, signup, verify_email};
pub(crate) use store::insert_resources;

pub async fn list(
    may: May<Read, Corporations>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    Params(query): Params<ArrangedListQuery<Corporation, PAGE_SIZE>>,
) -> ApiResult<Json<ListPage<Corporation>>> {
    let (page, search, arrangement) = query.read(may.access(), &today)?;
    let (data, total) = store::list(&app.db, &may, page, search.as_deref(), &arrangement).await?;
    Ok(Json(ListPage::new(data, total, page)))
}

/// `GET /api/corporations/export`
pub async fn export(
    may: May<Read, Corporations>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    method: Method,
    Params(query): Params<ExportQuery<ArrangedListQuery<Corporation, PAGE_SIZE>>>,
) -> ApiResult<Export> {
    let (format, (_, search, arrangement)) = (query.format()?, query.list.read(may.access(), &today)?);
    let (permit, _search_permit) = acquire(&app, &may).await?;
    let corporations = store::list_all(&app.db, &may, search.as_deref(), &arrangement).await?;
    record_export(&may, app.clock.now(), &method, ResourceId::Corporations, format.extension()).await?;
    respond(&app, "corporations", format, may.access(), permit, corporations)
}

pub async fn get(may: May<Read, Corporations>, Id(id): Id) -> ApiResult<Json<Reply<Corporation>>> {
    Ok(Json(Reply::new(store::get(&may.tenant(id)).await?)))
}

pub async fn full_details(may: May<Read, Corporations>, Id(id): Id) -> ApiResult<Json<Reply<FullDetails>>> {
    Ok(Json(Reply::new(store::get(&may.tenant(id)).await?.into())))
}

/// `GET /api/corporations/corporations/current`: the user's own corporation.
pub async fn current(actor: Signed) -> ApiResult<Json<Reply<Corporation>>> {
    Ok(Json(Reply::new(store::get(actor.scope()).await?)))
}

pub async fn list_resources(_: May<Read, Corporations>) -> Json<Reply<Vec<CorporationResource>>> {
    Json(Reply::new(assignable_resources()))
}

/// `GET /api/corporations/allowed-resources`: the modules that the user has, and the contact to ask for more: for a
/// User their first administrator; for an administrator, or if there is none, the platform.
pub async fn allowed_resources(actor: Signed, State(app): State<App>) -> ApiResult<Json<AllowedResources>> {
    let (data, others) = partition_resources(actor.access());
    let admin = match actor.user_type() {
        UserType::User => store::first_admin(actor.scope()).await?,
        _ => None,
    };
    let contact = match admin {
        Some(admin) => admin,
        None => store::platform_contact(&app.db).await?.unwrap_or_default(),
    };
    Ok(Json(AllowedResources { success: true, data, others, contact }))
}

/// Returns the access of a user, which a user may see of themselves and a Super Admin of everyone; else the user is not
/// found (404). For another user, the access contains the allowed resources of their corporation, but not the grants of
/// their role.
pub(crate) async fn resources_of(actor: &Actor, app: &App, id: Uuid) -> ApiResult<Access> {
    let own = *actor.access();
    if id == actor.scope().user() {
        return Ok(own);
    }
    if !may(&own, ResourceId::Corporations, Action::Read) {
        return Err(ApiError::NotFound);
    }
    let (user_type, allowed) = store::corporation_resources_of_user(&app.db, id).await?.ok_or(ApiError::NotFound)?;
    Ok(effective_permissions(user_type, &[], &allowed))
}
