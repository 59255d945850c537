//! The resources that corporations can have, and those that a user has.

use super::store;
use crate::access::scope::{Actor, Corporations, May, Read, Signed};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{AllowedResources, CorporationResource, assignable_resources, split_modules};
use forecourt_core::permissions::{Action, PermissionResource, ResourceId, UserType, effective_permissions, may};
use forecourt_core::reply::Reply;
use uuid::Uuid;

/// `GET /api/corporations/resources`
pub async fn list_resources(_: May<Read, Corporations>) -> Json<Reply<Vec<CorporationResource>>> {
    Json(Reply::new(assignable_resources()))
}

/// `GET /api/corporations/allowed-resources`: the modules that the user has, and the contact to ask for more: for a
/// User their Admin, for an Admin the platform.
pub async fn allowed_resources(actor: Signed, State(app): State<App>) -> ApiResult<Json<AllowedResources>> {
    let (data, others) = split_modules(&actor.permissions().await?);
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

/// Returns the resources of a user: one's own, or anyone's for Super Admins. For others, the id is reported as not
/// found.
pub(crate) async fn resources_of(actor: &Actor, app: &App, id: Uuid) -> ApiResult<Vec<PermissionResource>> {
    let own = actor.permissions().await?;
    if id == actor.scope().user() {
        return Ok(own);
    }
    if !may(&own, ResourceId::Corporations, Action::Read) {
        return Err(ApiError::NotFound);
    }
    let (user_type, allowed) = store::resources_of_user(&app.db, id).await?.ok_or(ApiError::NotFound)?;
    Ok(effective_permissions(user_type, &[], &allowed))
}
