//! The platform's corporations, and their users as its administrators see them.

mod register;
mod signup;
mod store;

use crate::problem::{Answer, Id, Question, Refusal};
use crate::scope::{Corporations, May, Read};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::corporations::{Corporation, CorporationList, CorporationUser, PAGE_SIZE};
use forecourt_core::paging::{PageQuery, read_search, total_pages};
use forecourt_core::reply::Reply;
use serde::Deserialize;

pub use signup::signup;

/// What a list asks for, still as texts: a client may send anything.
#[derive(Deserialize)]
pub struct ListQuestion {
    #[serde(flatten)]
    page: PageQuery,
    #[serde(default)]
    search: String,
}

/// `GET /api/corporations`
pub async fn list(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Question(question): Question<ListQuestion>,
) -> Answer<Json<CorporationList>> {
    let page = question.page.read(PAGE_SIZE)?;
    let search = read_search(&question.search)?;
    let (data, total) = store::list(&app.db, &platform, page, search.as_deref()).await?;
    let total_pages = total_pages(total, page.limit);
    Ok(Json(CorporationList { success: true, data, total_items: total, total_pages }))
}

/// `GET /api/corporations/{id}`
pub async fn get(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Id(id): Id,
) -> Answer<Json<Reply<Corporation>>> {
    let corporation = store::get(&app.db, &platform, id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(Reply::new(corporation)))
}

/// `GET /api/corporations/{corpId}/users`
pub async fn users(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Id(corp): Id,
) -> Answer<Json<Reply<Vec<CorporationUser>>>> {
    let users = store::users(&app.db, &platform, corp).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(Reply::new(users)))
}
