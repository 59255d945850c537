//! The menu for legacy clients (docs/product.md 4.4): the catalogue, as the user's navigation shows it.

use crate::access::route::{self, Who, handler};
use crate::access::scope::{Actor, Corporations, Create, Delete, May, Signed, Update};
use crate::features::Route;
use crate::platform::error::{ApiError, ApiResult};
use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use forecourt_core::corporations::text;
use forecourt_core::permissions::{Action, ResourceId};
use forecourt_core::permissions::{MenuEntry, build_navigation};
use forecourt_core::reply::Reply;

pub const ROUTES: &[Route] = &[
    route::get("/api/menu/get-all-menu", Who::Session, handler!(list, "Lists the menu's entries")),
    route::get("/api/menu/get-menu/{id}", Who::Session, handler!(get, "Shows an entry of the menu")),
    route::post(
        "/api/menu/create-menu",
        Who::May(Action::Create, ResourceId::Corporations),
        handler!(create, "Refused: the menu is fixed"),
    )
    .errors(&[409]),
    route::post(
        "/api/menu/update-menu",
        Who::May(Action::Update, ResourceId::Corporations),
        handler!(update, "Refused: the menu is fixed"),
    )
    .errors(&[409]),
    route::delete(
        "/api/menu/delete-menu/{id}",
        Who::May(Action::Delete, ResourceId::Corporations),
        handler!(delete, "Refused: the menu is fixed"),
    )
    .errors(&[409]),
];

/// `GET /api/menu/get-all-menu`: the visible entries, those of the profile menu last.
pub async fn list(actor: Signed) -> ApiResult<Json<Reply<Vec<MenuEntry>>>> {
    Ok(Json(Reply::new(entries(&actor).await?)))
}

/// `GET /api/menu/get-menu/{id}`: a visible entry or subentry.
pub async fn get(actor: Signed, id: Result<Path<String>, PathRejection>) -> ApiResult<Json<Reply<MenuEntry>>> {
    let Path(id) = id.map_err(|_| ApiError::NotFound)?;
    let mut entries = entries(&actor).await?;
    let below: Vec<MenuEntry> = entries.iter().flat_map(|entry| entry.subresources.clone()).collect();
    entries.extend(below);
    let entry = entries.into_iter().find(|entry| entry.resource_id == id).ok_or(ApiError::NotFound)?;
    Ok(Json(Reply::new(entry)))
}

/// `POST /api/menu/create-menu`
pub async fn create(_: May<Create, Corporations>) -> ApiError {
    fixed()
}

/// `POST /api/menu/update-menu`
pub async fn update(_: May<Update, Corporations>) -> ApiError {
    fixed()
}

/// `DELETE /api/menu/delete-menu/{id}`
pub async fn delete(_: May<Delete, Corporations>) -> ApiError {
    fixed()
}

async fn entries(actor: &Actor) -> ApiResult<Vec<MenuEntry>> {
    let shown = build_navigation(&actor.permissions().await?);
    Ok([shown.main, shown.profile].concat())
}

fn fixed() -> ApiError {
    ApiError::Conflict(text::MENU_READ_ONLY.into())
}
