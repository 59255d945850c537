//! The menu as clients of old ask for it (decisions 4.4): the catalogue, as far as the person's navigation shows it.

use crate::problem::{Answer, Refusal};
use crate::scope::{Actor, Corporations, Create, Delete, May, Signed, Update};
use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use forecourt_core::corporations::text;
use forecourt_core::permissions::{MenuEntry, build_navigation};
use forecourt_core::reply::Reply;

/// `GET /api/menu/get-all-menu`: every entry that shows, those of the profile menu behind the others.
pub async fn list(actor: Signed) -> Answer<Json<Reply<Vec<MenuEntry>>>> {
    Ok(Json(Reply::new(entries(&actor).await?)))
}

/// `GET /api/menu/get-menu/{id}`: one of them, or one below them.
pub async fn get(actor: Signed, id: Result<Path<String>, PathRejection>) -> Answer<Json<Reply<MenuEntry>>> {
    let Path(id) = id.map_err(|_| Refusal::NotFound)?;
    let mut entries = entries(&actor).await?;
    let below: Vec<MenuEntry> = entries.iter().flat_map(|entry| entry.subresources.clone()).collect();
    entries.extend(below);
    let entry = entries.into_iter().find(|entry| entry.resource_id == id).ok_or(Refusal::NotFound)?;
    Ok(Json(Reply::new(entry)))
}

/// `POST /api/menu/create-menu`
pub async fn create(_: May<Create, Corporations>) -> Refusal {
    fixed()
}

/// `POST /api/menu/update-menu`
pub async fn update(_: May<Update, Corporations>) -> Refusal {
    fixed()
}

/// `DELETE /api/menu/delete-menu/{id}`
pub async fn delete(_: May<Delete, Corporations>) -> Refusal {
    fixed()
}

async fn entries(actor: &Actor) -> Answer<Vec<MenuEntry>> {
    let shown = build_navigation(&actor.permissions().await?);
    Ok([shown.main, shown.profile].concat())
}

fn fixed() -> Refusal {
    Refusal::Conflict(text::MENU_READ_ONLY.into())
}
