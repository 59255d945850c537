//! The agreements of a corporation.

mod found;
mod routes;
mod sales;
mod steps;
mod store;

use crate::access::scope::{Agreements, May, Read};
use crate::features::listing::ListFilter;
use crate::features::records::{self, ListParameters, ListRequest};
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, Params};
use axum::Json;
use forecourt_core::agreements::{Agreement, AgreementList, PAGE_SIZE};
use forecourt_core::paging::total_pages;
use forecourt_core::permissions::Access;
pub use routes::ROUTES;
pub use sales::sales_figures;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

pub(crate) use store::{NewAgreement, insert, of_customer};

/// The query parameters of the list of agreements, not yet parsed.
#[derive(Deserialize, JsonSchema)]
pub struct AgreementQuery {
    #[serde(flatten)]
    list: ArrangedListQuery<Agreement>,
    /// Only agreements with this customer.
    #[serde(default)]
    customer_id: String,
    /// Only agreements that have this vehicle.
    #[serde(default)]
    vehicle_id: String,
}

impl ListParameters for AgreementQuery {
    fn read(&self, access: &Access) -> ApiResult<ListRequest> {
        // A text that is no UUID is the id of no record.
        let id = |text: &str| (!text.trim().is_empty()).then(|| Uuid::try_parse(text.trim()).unwrap_or_default());
        let filter =
            ListFilter { customer: id(&self.customer_id), vehicle: id(&self.vehicle_id), ..ListFilter::default() };
        Ok(ListRequest { filter, ..self.list.request(PAGE_SIZE, access)? })
    }
}

/// `GET /api/agreements`: newest first unless the query has a sort order.
pub async fn list(may: May<Read, Agreements>, Params(query): Params<AgreementQuery>) -> ApiResult<Json<AgreementList>> {
    let request = query.read(may.access())?;
    let listed = records::list::<Agreement>(&may, &request).await?;
    let (data, total_items) = (listed.rows, listed.total);
    let total_pages = total_pages(total_items, request.page.limit);
    Ok(Json(AgreementList { success: true, data, total_items, total_pages }))
}
