//! The history of records and of the corporation: who changed what, and when (docs/product.md 4.20). `records` and the
//! features without lists add its entries.

pub mod chain;
pub mod config;
pub mod erasure;
mod list;
pub mod pruning;
mod record_state;
mod routes;
mod store;
mod values;

use crate::access::scope::{Scope, Signed};
use crate::platform::clock::parse_rfc3339;
use crate::platform::db::{Result, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Params, optional, optional_id};
use crate::platform::responses::shorten_to_bytes;
use axum::Json;
use axum::http::Method;
use forecourt_core::history::{
    Change, HistoryAction, HistoryEntry, LastChange, PAGE_SIZE, parse_resource, resource_error,
    sees_other_corporations, text, visible,
};
use forecourt_core::paging::{ListPage, Page, PageQuery};
use forecourt_core::permissions::{Access, Action, ResourceId};
use forecourt_core::reply::RECORDS_MAX;
use forecourt_core::text::choice_error;
use list::Filter;
pub use list::{entry, list_of_record};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use store::{
    Entry, StoredEntry, changes_since, deleted_meanwhile, find, find_all, ids_of_batch, insert, insert_by_system,
    insert_import, is_of_import, push_insert, record_of_request, request_error,
};
use uuid::Uuid;

/// The query parameters of a history, not yet parsed.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HistoryQuery {
    #[serde(flatten)]
    page: PageQuery<PAGE_SIZE>,
    /// Only entries of this resource, such as `contacts`. Required with an `id`.
    resource: String,
    /// Only entries of the record with this id; without it, the entries of the whole corporation, to which the
    /// parameters `user`, `action`, `from`, `to` and `batch_id` apply.
    id: String,
    /// Only entries of the user with this id.
    user: String,
    /// Only entries with this `action`.
    action: String,
    /// Only entries from this time on, RFC 3339.
    from: String,
    /// Only entries before this time, RFC 3339.
    to: String,
    /// The id of a bulk action's entry: only the entries of its records.
    batch_id: String,
}

/// Reads the history of a record or, without an id, of the corporation. If the page is too large, the last entries have
/// no changes.
pub async fn list(actor: Signed, Params(query): Params<HistoryQuery>) -> ApiResult<Json<ListPage<HistoryEntry>>> {
    let page = query.page.read()?;
    let (mut data, total_items) = if query.id.trim().is_empty() {
        let scope = actor.with_permission(Action::Read, ResourceId::History)?;
        list::list_of_corporation(&scope, &query.filter(actor.access())?, page).await?
    } else {
        let resource =
            parse_resource(&query.resource).ok_or_else(|| ApiError::for_field("resource", &resource_error()))?;
        let scope = actor.with_permission(Action::Read, resource)?;
        let id = optional_id("id", &query.id)?.unwrap_or_default();
        let (entries, total_items) = list_of_record(&scope, resource, id, page).await?;
        if total_items == 0 && !list::has_record(&scope, resource, id).await? {
            return Err(ApiError::NotFound);
        }
        (entries, total_items)
    };
    shorten_to_bytes(&mut data, RECORDS_MAX, HistoryEntry::leave_out_changes).map_err(ApiError::internal)?;
    Ok(Json(ListPage::new(data, total_items, page)))
}

impl HistoryQuery {
    /// # Errors
    /// 400 for an invalid value, 403 for a resource that the user may not read.
    fn filter(&self, access: &Access) -> ApiResult<Filter> {
        let mut resources: Vec<ResourceId> = visible(access).collect();
        let names: Vec<_> = resources.iter().map(|resource| resource.as_str()).collect();
        if let Some(resource) = optional("resource", &self.resource, &choice_error(&names), ResourceId::parse)? {
            resources.retain(|visible| *visible == resource);
            if resources.is_empty() {
                return Err(ApiError::PermissionDenied);
            }
        }
        let time = |field, text| optional(field, text, text::TIME_INVALID, parse_rfc3339);
        Ok(Filter {
            resources,
            has_other_corporations: sees_other_corporations(access),
            user: optional_id("user", &self.user)?,
            action: optional("action", &self.action, &choice_error(HistoryAction::NAMES), HistoryAction::parse)?,
            from: time("from", &self.from)?,
            to: time("to", &self.to)?,
            batch: optional_id("batch_id", &self.batch_id)?,
        })
    }
}

/// Returns the scope of a user who sees this entry of their corporation in a list: in the history of its record or, if it
/// is about no record with a history, in that of the corporation.
///
/// # Errors
/// 403 if the user may not read such entries, 404 for one about another corporation.
pub fn scope_of_reader(actor: &Signed, entry: &HistoryEntry) -> ApiResult<Scope> {
    if let Some(resource) = parse_resource(&entry.resource) {
        return actor.with_permission(Action::Read, resource);
    }
    let scope = actor.with_permission(Action::Read, ResourceId::History)?;
    let resource = ResourceId::parse(&entry.resource).ok_or(ApiError::NotFound)?;
    let is_about_other = resource == ResourceId::Corporations && entry.record_id != scope.corp().to_string();
    if is_about_other && !sees_other_corporations(actor.access()) {
        return Err(ApiError::NotFound);
    }
    match visible(actor.access()).any(|visible| visible == resource) {
        true => Ok(scope),
        false => Err(ApiError::PermissionDenied),
    }
}

/// Returns who made the newest change of a record for which `is_meant` is true, and when. Reads only the record's
/// newest [`PAGE_SIZE`] entries; `None` if `is_meant` is true for none of them.
pub async fn last_change(
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    is_meant: impl Fn(&HistoryEntry) -> bool,
) -> ApiResult<Option<LastChange>> {
    let (entries, _) = list_of_record(scope, resource, record, Page { page: 1, limit: PAGE_SIZE }).await?;
    let entry = entries.into_iter().find(is_meant);
    Ok(entry.map(|HistoryEntry { at, actor, .. }| LastChange { at, actor }))
}

/// The current record and who changed it last, for the response to a version conflict.
#[derive(Serialize)]
struct Present<T> {
    #[serde(flatten)]
    record: T,
    last_change: Option<LastChange>,
}

/// Returns the 409 for a request that is based on an old version of a record, with the present record and who changed
/// it last ([`last_change`]).
pub fn version_conflict(record: &impl Serialize, last_change: Option<LastChange>) -> ApiError {
    ApiError::version_conflict(&Present { record, last_change })
}

/// Adds an entry about the scope's corporation to the platform's history, if the scope's user is one of the platform's
/// administrators and works in another corporation; else nothing. The transaction must reach the rows of all tenants.
pub async fn record_for_platform(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    action: HistoryAction,
    changes: &[Change],
) -> Result<()> {
    if scope.is_own_corporation() {
        return Ok(());
    }
    insert_about_corporation(tx, &scope.in_own_corporation(), scope.corp(), now, action, changes).await
}

/// Adds an entry about the corporation `corp` to the history of the scope's corporation.
pub async fn insert_about_corporation(
    tx: &mut Tx,
    scope: &Scope,
    corp: Uuid,
    now: i64,
    action: HistoryAction,
    changes: &[Change],
) -> Result<()> {
    let name: String = tx.sql("SELECT name FROM corporations WHERE corp_id = $1").bind(corp).value().await?;
    let entry = Entry::new(action, ResourceId::Corporations, corp, &name, changes)?;
    insert(tx, scope, now, vec![entry]).await
}

/// Adds the history entry of an export, unless the request's method is HEAD: then no record is sent. The entry does not
/// say which records were exported.
pub async fn record_export(scope: &Scope, now: i64, method: &Method, resource: ResourceId, format: &str) -> Result<()> {
    if *method == Method::HEAD {
        return Ok(());
    }
    let entry = Entry::of_export(resource, format)?;
    let owned = scope.clone();
    scope.db().write(move |tx| Box::pin(async move { insert(tx, &owned, now, vec![entry]).await })).await
}
