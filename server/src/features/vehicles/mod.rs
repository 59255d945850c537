//! The vehicles of a corporation.

pub mod config;
mod photo_store;
mod photos;
mod routes;
mod stock;
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
pub use stock::stock_figures;

pub(crate) use photo_store::insert_all as insert_photos;
pub(crate) use store::{insert, set_asking_price};

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
    let (mut data, total_items) = (listed.rows, listed.total);
    data.iter_mut().for_each(|vehicle| vehicle.photos.truncate(1));
    Ok(Json(VehicleList {
        success: true,
        data,
        total_items,
        total_pages: total_pages(total_items, request.page.limit),
    }))
}
