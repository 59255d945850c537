//! Lists of records: their requests, and the handler of those without a shape of their own.

use super::{Entity, shown};
use crate::access::scope::{May, Read, Scope};
use crate::features::listing::{self, ListFilter, Listed, Selection};
use crate::platform::db::Result;
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, LocalDay, Params};
use axum::Json;
use forecourt_core::customers::{CustomerFilter, CustomerStatus, CustomerType};
use forecourt_core::form::Checked;
use forecourt_core::lists::{Arrangement, Today};
use forecourt_core::paging::{ListPage, Page};
use forecourt_core::permissions::Access;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
/// The query parameters of a list, not yet parsed.
pub trait ListParameters: DeserializeOwned + JsonSchema + Send {
    /// Reads the parameters of a user with this access on this day.
    ///
    /// # Errors
    /// 400 for invalid parameters.
    fn read(&self, access: &Access, today: &Today) -> ApiResult<ListRequest>;
}

/// Which records a request lists: page, search, filters and sort order.
pub struct ListRequest {
    pub page: Page,
    pub search: Option<String>,
    pub filter: ListFilter,
    pub arrangement: Arrangement,
}

impl ListRequest {
    pub fn selection(&self) -> Selection<'_> {
        let ListRequest { page, search, filter, arrangement } = self;
        Selection { page: *page, search: search.as_deref(), filter: filter.clone(), arrangement: arrangement.clone() }
    }
}

/// A list that has no filter of its own.
impl<E: Entity, const LIMIT: u32> ListParameters for ArrangedListQuery<E, LIMIT> {
    fn read(&self, access: &Access, today: &Today) -> ApiResult<ListRequest> {
        let (page, search, arrangement) = ArrangedListQuery::read(self, access, today)?;
        Ok(ListRequest { page, search, filter: ListFilter::default(), arrangement })
    }
}

/// Returns a page of records as the user sees them, newest first unless the request has a sort order.
pub async fn list<E: Entity>(scope: &Scope, request: &ListRequest) -> Result<Listed<E>> {
    let Listed { rows, total, changes } =
        listing::page::<E::Row>(scope, E::COLUMNS, E::LISTING, &request.selection()).await?;
    Ok(Listed { rows: rows.into_iter().map(|row| shown(scope, row)).collect::<Result<_>>()?, total, changes })
}

/// `GET /api/{resource}`: newest first unless the query has a sort order.
pub async fn list_page<E: Entity>(
    may: May<Read, E::Resource>,
    LocalDay(today): LocalDay,
    Params(query): Params<E::Query>,
) -> ApiResult<Json<ListPage<E>>> {
    let request = query.read(may.access(), &today)?;
    let Listed { rows, total, .. } = list::<E>(&may, &request).await?;
    Ok(Json(ListPage::new(rows.into_iter().map(E::in_list).collect(), total, request.page)))
}

/// Converts the form of the customers' filter panel to a filter of their list.
pub fn panel_filter(panel: &Checked<CustomerFilter>) -> ListFilter {
    ListFilter {
        customer_type: panel.customer_type().map(CustomerType::as_str),
        status: panel.status().map(CustomerStatus::as_str),
        from: panel.from().map(|day| day.to_string()),
        to: panel.to().map(|day| day.to_string()),
        ..ListFilter::default()
    }
}
