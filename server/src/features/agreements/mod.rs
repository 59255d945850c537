//! The agreements of a corporation.

mod references;
mod routes;
mod sales;
mod steps;
mod store;

use crate::features::listing::ListFilter;
use crate::features::records::{ListParameters, ListRequest};
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, optional_id};
use forecourt_core::agreements::{Agreement, PAGE_SIZE};
use forecourt_core::lists::Today;
use forecourt_core::permissions::Access;
pub use routes::ROUTES;
pub use sales::sales_figures;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use store::{NewAgreement, insert, of_customer};

/// The query parameters of the list of agreements, not yet parsed.
#[derive(Deserialize, JsonSchema)]
pub struct AgreementQuery {
    #[serde(flatten)]
    list: ArrangedListQuery<Agreement, PAGE_SIZE>,
    /// Only agreements with this customer.
    #[serde(default)]
    customer_id: String,
    /// Only agreements that have this vehicle.
    #[serde(default)]
    vehicle_id: String,
}

impl ListParameters for AgreementQuery {
    fn read(&self, access: &Access, today: &Today) -> ApiResult<ListRequest> {
        let customer = optional_id("customer_id", &self.customer_id)?;
        let vehicle = optional_id("vehicle_id", &self.vehicle_id)?;
        let filter = ListFilter { customer, vehicle, ..ListFilter::default() };
        Ok(ListRequest { filter, ..ListParameters::read(&self.list, access, today)? })
    }
}
