//! Pictures of users, corporations and vehicles: uploaded in a form, re-encoded in a child process, stored in the
//! database, and served under an unguessable link (docs/decisions/0006-image-links.md).
//!
//! **Invariant:** uploaded bytes are never served, only the output of [`PictureEncoder`].

mod child;
mod form;
mod pictures;
mod raster;
pub(crate) mod store;
mod svg;

pub use child::{ReadPicture, run};
pub(crate) use form::receive_form;
pub(crate) use pictures::Photo;
pub use pictures::PictureEncoder;
pub(crate) use raster::encode_photo;

use crate::access::route::{self, Who, handler};
use crate::features::Route;
use crate::features::state::App;
use crate::platform::error::ApiResult;
use crate::platform::extract::Id;
use crate::platform::responses::{Content, Image};
use axum::extract::State;
use axum::http::{HeaderName, header};

pub const ROUTES: &[Route] = &[route::get("/api/images/{id}", Who::Public, handler!(get, "Returns a picture"))];

/// `GET /api/images/{id}`: public, because browsers send no token with an `<img>`. The content of a link never changes.
/// The content security policy makes an SVG inert when it is opened as a page.
pub async fn get(State(app): State<App>, Id(id): Id) -> ApiResult<ImageResponse> {
    let (mime, bytes) = store::get(&app.db, id).await?;
    Ok(response(mime, bytes))
}

/// A picture with its headers.
pub(crate) type ImageResponse = ([(HeaderName, String); 3], Content<Image>);

/// Returns the response for a picture whose link always has the same content.
pub(crate) fn response(mime: String, bytes: Vec<u8>) -> ImageResponse {
    // SVG is text, written in UTF-8.
    let kind = if mime.ends_with("+xml") { format!("{mime}; charset=utf-8") } else { mime };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".into()),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox".into()),
    ];
    (headers, Content::new(bytes))
}
