//! The platform's corporations.

mod manage;
mod modules;
pub(crate) mod pending;
mod register;
mod routes;
mod signup;
mod store;

use crate::access::scope::{Corporations, May, Read, Signed};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, ListQuery, Params};
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{Corporation, CorporationList, FullDetails, PAGE_SIZE};
use forecourt_core::paging::total_pages;
use forecourt_core::reply::Reply;
pub use routes::ROUTES;

pub use manage::{add_resources, create, delete, put, remove_resources, update};
pub use modules::{allowed_resources, lists, notifications, resources, subscriptions};
pub use signup::{Open, signup, verify_email};

/// `GET /api/corporations`
pub async fn list(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Params(question): Params<ListQuery>,
) -> ApiResult<Json<CorporationList>> {
    let (page, search) = question.read(PAGE_SIZE)?;
    let (data, total) = store::list(&app.db, &platform, page, search.as_deref()).await?;
    let total_pages = total_pages(total, page.limit);
    Ok(Json(CorporationList { success: true, data, total_items: total, total_pages }))
}

/// `GET /api/corporations/{id}`
pub async fn get(platform: May<Read, Corporations>, Id(id): Id) -> ApiResult<Json<Reply<Corporation>>> {
    let corporation = store::get(&platform.tenant(id)).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(Reply::new(corporation)))
}

/// `GET /api/corporations/{id}/full-details`
pub async fn full_details(platform: May<Read, Corporations>, Id(id): Id) -> ApiResult<Json<Reply<FullDetails>>> {
    let corporation = store::get(&platform.tenant(id)).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(Reply::new(FullDetails::from(corporation))))
}

/// `GET /api/corporations/corporations/current`: the user's own corporation.
pub async fn current(actor: Signed) -> ApiResult<Json<Reply<Corporation>>> {
    let corporation = store::get(actor.scope()).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(Reply::new(corporation)))
}
