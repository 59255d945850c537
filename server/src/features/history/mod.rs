//! The history of records (docs/product.md 4.20). `records` writes it.

mod routes;
mod store;

use crate::access::scope::Signed;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Params;
use axum::Json;
use forecourt_core::history::{HistoryList, PAGE_SIZE, parse_resource, text};
use forecourt_core::paging::{PageQuery, total_pages};
use forecourt_core::permissions::Action;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;
pub use store::{Entry, insert, insert_import, push_insert};
use uuid::Uuid;

/// The query parameters of a record's history, not yet parsed.
#[derive(Deserialize, JsonSchema)]
pub struct HistoryQuery {
    #[serde(flatten)]
    page: PageQuery,
    /// The kind of the record: contacts, customers or invoices.
    #[serde(default)]
    resource: String,
    /// The id of the record. One without a history, as of another corporation's record, has no entries.
    #[serde(default)]
    id: String,
}

pub async fn list(actor: Signed, Params(query): Params<HistoryQuery>) -> ApiResult<Json<HistoryList>> {
    let resource =
        parse_resource(&query.resource).ok_or_else(|| ApiError::for_field("resource", text::RESOURCE_INVALID))?;
    let scope = actor.with_permission(Action::Read, resource)?;
    let id = Uuid::parse_str(query.id.trim()).map_err(|_| ApiError::for_field("id", text::ID_REQUIRED))?;
    let mut page = query.page.read(PAGE_SIZE)?;
    page.limit = page.limit.min(PAGE_SIZE);
    let (data, total_items) = store::of_record(&scope, resource, id, page).await?;
    Ok(Json(HistoryList { success: true, data, total_items, total_pages: total_pages(total_items, page.limit) }))
}
