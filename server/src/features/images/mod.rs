//! Pictures of people and corporations: taken in as a form, written anew by a child process, kept in the database, and
//! served under a link that can't be guessed (docs/decisions/0006-image-links.md).
//!
//! **Invariant:** no byte of an uploaded file is served: only what [`Pictures::rewrite`] made of it.

mod child;
mod form;
mod pictures;
mod raster;
pub(crate) mod store;
mod svg;

pub use child::{ReadPicture, run};
pub(crate) use form::receive;
pub use pictures::Pictures;

use crate::access::route::{self, Who, handler};
use crate::features::Route;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Id;
use crate::platform::responses::{Image, Page};
use axum::extract::State;
use axum::http::{HeaderName, header};

pub const ROUTES: &[Route] =
    &[route::get("/api/images/{id}", Who::Public, handler!(get, "Sends a picture to whoever has its link"))];

/// `GET /api/images/{id}`: for everybody who has the link, since a browser sends no token with an `<img>`. What a link
/// leads to never changes. Opened on its own, a drawing may do nothing.
pub async fn get(State(app): State<App>, Id(id): Id) -> ApiResult<([(HeaderName, String); 3], Page<Image>)> {
    let (mime, bytes) = store::get(&app.db, id).await?.ok_or(ApiError::NotFound)?;
    // A drawing is a text, and written as this one.
    let kind = if mime.ends_with("+xml") { format!("{mime}; charset=utf-8") } else { mime };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".into()),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox".into()),
    ];
    Ok((headers, Page::new(bytes)))
}
