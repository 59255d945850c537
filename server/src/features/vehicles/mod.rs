//! The vehicles of a corporation.

mod routes;
mod store;

use crate::access::scope::{May, Read, Vehicles};
use crate::features::records::{self, ListParameters, ListRequest};
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, Params};
use axum::Json;
use forecourt_core::paging::total_pages;
use forecourt_core::permissions::Access;
use forecourt_core::vehicles::{PAGE_SIZE, Vehicle, VehicleList};
pub use routes::ROUTES;

pub(crate) use store::insert;

impl ListParameters for ArrangedListQuery<Vehicle> {
    fn read(&self, access: &Access) -> ApiResult<ListRequest> {
        self.request(PAGE_SIZE, access)
    }
}

/// `GET /api/vehicles`: newest first unless the query has a sort order.
pub async fn list(
    may: May<Read, Vehicles>,
    Params(query): Params<ArrangedListQuery<Vehicle>>,
) -> ApiResult<Json<VehicleList>> {
    let request = ListParameters::read(&query, may.access())?;
    let listed = records::list::<Vehicle>(&may, &request).await?;
    let (data, total_items) = (listed.rows, listed.total);
    Ok(Json(VehicleList {
        success: true,
        data,
        total_items,
        total_pages: total_pages(total_items, request.page.limit),
    }))
}
