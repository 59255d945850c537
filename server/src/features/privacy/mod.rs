//! Everything about one person: what is stored, as a download, and its erasure (docs/product.md 4.25).

mod agreements;
mod archive;
mod certificates;
mod data;
mod erasure;
mod moved;
mod person;
mod routes;
mod tables;
mod vehicles;

use crate::access::scope::Administrator;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Params, Valid};
use crate::platform::responses::{Content, Download, Zip};
use archive::Archive;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, Method};
use forecourt_core::form::check;
use forecourt_core::paging::{ListPage, PageQuery};
use forecourt_core::privacy::{Certificate, PersonalData, PersonalDataInput, is_anonymous, text};
use forecourt_core::reply::Reply;
use person::PersonRecords;
pub use routes::ROUTES;

/// Certificates per page, unless the request says otherwise.
const PAGE_SIZE: u32 = 20;

/// `POST /api/privacy/person`: the address is in the body, so that a search stays in no proxy's log.
pub async fn person(
    administrator: Administrator,
    State(app): State<App>,
    Valid(input): Valid<PersonalDataInput>,
) -> ApiResult<Json<Reply<PersonalData>>> {
    let _permit = app.fairness.acquire_export_permit(administrator.corp()).await?;
    let found = find(&administrator, input.into_inner()).await?;
    Ok(Json(Reply::new(found.report(&administrator).await?)))
}

/// `GET /api/privacy/export`: a ZIP archive, which is streamed.
pub async fn export(
    administrator: Administrator,
    State(app): State<App>,
    method: Method,
    Params(query): Params<PersonalDataInput>,
) -> ApiResult<Download<Content<Zip>>> {
    let permit = app.fairness.acquire_export_permit(administrator.corp()).await?;
    let found = find(&administrator, check(query)?.into_inner()).await?;
    erasure::record_export(&administrator, app.clock.now(), &method).await?;
    let disposition = HeaderValue::from_static("attachment; filename=\"personal-data.zip\"");
    let source = data::Source { scope: administrator.clone(), app, found };
    let body = Archive::stream(permit, |files| source.write(files));
    Ok(Download(disposition, Content::new(body)))
}

/// `POST /api/privacy/erase`
pub async fn erase(
    administrator: Administrator,
    State(app): State<App>,
    Valid(input): Valid<PersonalDataInput>,
) -> ApiResult<Json<Reply<Certificate>>> {
    let _permit = app.fairness.acquire_export_permit(administrator.corp()).await?;
    let found = find(&administrator, input.into_inner()).await?;
    let certificate = erasure::erase(&administrator, app.clock.now(), &found).await?;
    Ok(Json(Reply::new(certificate).with_message(text::ERASED)))
}

/// `GET /api/privacy/certificates`
pub async fn certificates(
    administrator: Administrator,
    Params(query): Params<PageQuery<PAGE_SIZE>>,
) -> ApiResult<Json<ListPage<Certificate>>> {
    let page = query.read()?;
    let (data, total_items) = certificates::list(&administrator, page).await?;
    Ok(Json(ListPage::new(data, total_items, page)))
}

/// # Errors
/// 404 if nothing is stored about a person with this e-mail address.
async fn find(administrator: &Administrator, input: PersonalDataInput) -> ApiResult<PersonRecords> {
    if is_anonymous(&input.email) {
        return Err(ApiError::NotFoundBecause(text::NOTHING_HELD));
    }
    let found = person::find(administrator, &input.email).await?;
    if found.is_empty() { Err(ApiError::NotFoundBecause(text::NOTHING_HELD)) } else { Ok(found) }
}
