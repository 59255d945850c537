//! The trash: its list, restoring, and purging (docs/product.md 4.21). `records` moves records to it.

pub mod config;
mod routes;
mod store;

use crate::access::scope::{Administrator, Scope, Signed};
use crate::features::records::restore::{Removal, take_from_trash};
use crate::features::records::trash::{self, Files, TrashSelection};
use crate::features::records::{Entity, EntityOf};
use crate::features::state::App;
use crate::features::with_record;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Params, Valid};
use axum::Json;
use axum::extract::State;
use forecourt_core::bulk::RECORDS_MAX;
use forecourt_core::history::{parse_resource, resource_error};
use forecourt_core::paging::{ListPage, PageQuery, read_search};
use forecourt_core::permissions::{Action, ResourceId};
use forecourt_core::reply::Reply;
use forecourt_core::trash::{TrashCount, TrashEntry, TrashInput, text, visible};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;
pub use store::sweep;
use uuid::Uuid;

/// Number of records per page, unless the request has its own.
const PAGE_SIZE: u32 = 20;

/// The query parameters of the trash, not yet parsed.
#[derive(Deserialize, JsonSchema)]
pub struct TrashQuery {
    #[serde(flatten)]
    page: PageQuery<PAGE_SIZE>,
    /// A part of the record's `label`.
    #[serde(default)]
    search: String,
    /// The resource of the records, such as `contacts`. Empty: all resources whose records the user may delete.
    #[serde(default)]
    resource: String,
}

pub async fn list(
    actor: Signed,
    State(app): State<App>,
    Params(query): Params<TrashQuery>,
) -> ApiResult<Json<ListPage<TrashEntry>>> {
    let (resources, scope) = match query.resource.trim() {
        "" => (visible(actor.access()).collect(), actor.scope().clone()),
        id => {
            let resource = parse_resource(id).ok_or_else(|| ApiError::for_field("resource", &resource_error()))?;
            (vec![resource], actor.with_permission(Action::Delete, resource)?)
        }
    };
    let (page, search) = (query.page.read()?, read_search(&query.search)?);
    let kept_for = app.feature_config.trash.kept_for();
    let (data, total_items) = store::list(&scope, &resources, search.as_deref(), page, kept_for).await?;
    Ok(Json(ListPage::new(data, total_items, page)))
}

/// `POST /api/trash/restore`
pub async fn restore(
    actor: Signed,
    State(app): State<App>,
    Valid(input): Valid<TrashInput>,
) -> ApiResult<Json<Reply<TrashCount>>> {
    let scope = actor.with_permission(Action::Delete, resource_of(&input)?)?;
    restore_or_purge(&scope, &app, &input, Removal::Restored).await
}

/// `DELETE /api/trash`: purges records.
pub async fn purge(
    administrator: Administrator,
    State(app): State<App>,
    Valid(input): Valid<TrashInput>,
) -> ApiResult<Json<Reply<TrashCount>>> {
    let scope = administrator.with_permission(Action::Delete, resource_of(&input)?)?;
    restore_or_purge(scope, &app, &input, Removal::Purged).await
}

/// Takes the requested records out of the trash, and responds with their number; 404 if the trash has none of them. A
/// batch of more than [`RECORDS_MAX`] records, such as an undone import, is rejected, because it would take too long
/// for one transaction.
async fn restore_or_purge(
    scope: &Scope,
    app: &App,
    input: &TrashInput,
    removal: Removal,
) -> ApiResult<Json<Reply<TrashCount>>> {
    let (now, chosen) = (app.clock.now(), chosen(input)?);
    let resource = resource_of(input)?;
    if matches!(chosen, TrashSelection::Batch(_)) && trash::count(scope, resource, &chosen).await? > RECORDS_MAX.into()
    {
        let message = if removal == Removal::Purged { text::too_many } else { text::batch_too_large };
        return Err(ApiError::for_field("batch_id", &message(RECORDS_MAX.into())));
    }
    let count =
        with_record!(resource, Record => take_from_trash::<EntityOf<Record>>(scope, now, &chosen, removal).await?);
    let count = count.ok_or_else(|| ApiError::internal(format!("{} has no trash", resource.as_str())))?;
    match (count, removal) {
        (0, _) => Err(ApiError::NotFound),
        (count, Removal::Purged) => Ok(Json(Reply::new(TrashCount { count }).with_message(&text::deleted(count)))),
        (count, _) => Ok(Json(Reply::new(TrashCount { count }).with_message(&text::restored(count)))),
    }
}

/// Returns the tables with files of a resource's records.
fn files_of(resource: ResourceId) -> &'static [Files] {
    with_record!(resource, Record => EntityOf::<Record>::FILES).unwrap_or_default()
}

fn resource_of(input: &TrashInput) -> ApiResult<ResourceId> {
    input.resource().ok_or_else(|| ApiError::for_field("resource", &resource_error()))
}

/// Returns the choice of records in a request. Ids that are not UUIDs are ignored.
fn chosen(input: &TrashInput) -> ApiResult<TrashSelection> {
    match &input.batch_id {
        Some(id) => {
            let id = Uuid::try_parse(id).map_err(|_| ApiError::for_field("batch_id", text::BATCH_INVALID))?;
            Ok(TrashSelection::Batch(id))
        }
        None => Ok(TrashSelection::Ids(input.ids.iter().flatten().filter_map(|id| Uuid::try_parse(id).ok()).collect())),
    }
}
