//! The photos of vehicles (docs/product.md 4.29).

use super::photo_store as store;
use crate::access::describe::forms::PhotoForm;
use crate::access::scope::{May, Update, Vehicles};
use crate::features::images::{self, ImageResponse};
use crate::features::records;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, IdAndForm, NestedIds, optional};
use crate::platform::limits::{self, PHOTOS};
use crate::platform::multipart::MultipartBody;
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::images::ImageUse;
use forecourt_core::reply::Reply;
use forecourt_core::vehicles::{PHOTO_FIELD, PhotoOrderInput, UPLOAD_ID_FIELD, Vehicle, text};
use uuid::Uuid;

const JPEG: &str = "image/jpeg";

/// `POST /api/vehicles/{id}/photos`
pub async fn add(
    State(app): State<App>,
    may: May<Update, Vehicles>,
    Id(id): Id,
    body: MultipartBody<PhotoForm>,
) -> ApiResult<Created<Reply<Vehicle>>> {
    limits::count_use(&app, PHOTOS, may.user().as_bytes()).await?;
    let mut form = images::receive_form(&app, &may, body, ImageUse::Photo, PHOTO_FIELD).await?;
    let may = may.recheck(&app).await?;
    let upload = form.take(UPLOAD_ID_FIELD);
    let upload = optional(UPLOAD_ID_FIELD, &upload, text::UPLOAD_ID_INVALID, |id| Uuid::parse_str(id).ok())?;
    let file = form.picture.as_deref().ok_or_else(|| ApiError::invalid(text::PHOTO_MISSING))?;
    let present = records::get(&may, id).await?;
    let vehicle = match store::has_upload(may.db(), &may, id, upload).await? {
        true => present,
        false => {
            // Checked before the photo is re-encoded, which takes much more work.
            store::require_place(&present)?;
            let photo = app.pictures.reencode_photo(file).await?;
            let max_bytes = app.feature_config.photos.max_bytes();
            store::add(&may, app.clock.now(), id, photo, upload, max_bytes).await?
        }
    };
    Ok(Created(Reply::new(records::as_seen(&may, vehicle)).with_message(text::PHOTO_ADDED)))
}

/// `PUT /api/vehicles/{id}/photos`
pub async fn order(
    State(app): State<App>,
    may: May<Update, Vehicles>,
    IdAndForm(id, form): IdAndForm<PhotoOrderInput>,
) -> ApiResult<Json<Reply<Vehicle>>> {
    let vehicle = store::order(&may, app.clock.now(), id, form).await?;
    Ok(Json(Reply::new(records::as_seen(&may, vehicle)).with_message(text::PHOTOS_ORDERED)))
}

/// `DELETE /api/vehicles/{id}/photos/{photo_id}`
pub async fn remove(
    State(app): State<App>,
    may: May<Update, Vehicles>,
    NestedIds(vehicle, photo): NestedIds,
) -> ApiResult<Json<Reply<Vehicle>>> {
    let vehicle = store::remove(&may, app.clock.now(), vehicle, photo).await?;
    Ok(Json(Reply::new(records::as_seen(&may, vehicle)).with_message(text::PHOTO_REMOVED)))
}

/// `GET /api/photos/{id}`: public, as [`images::get`].
pub async fn picture(State(app): State<App>, Id(id): Id) -> ApiResult<ImageResponse> {
    Ok(images::response(JPEG.to_owned(), store::picture(&app.db, id).await?))
}

/// `GET /api/photos/{id}/thumbnail`
pub async fn thumbnail(State(app): State<App>, Id(id): Id) -> ApiResult<ImageResponse> {
    Ok(images::response(JPEG.to_owned(), store::thumbnail(&app.db, id).await?))
}
