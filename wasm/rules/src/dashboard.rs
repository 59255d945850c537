//! Bindings for the dashboard.

use crate::{BindingResult, api, to_ts_list};
use forecourt_call::{ApiRequest, to_js};
use forecourt_core::agreements::AgreementState;
use forecourt_core::dashboard::{self, ExclusivityDue, ToDeliver};
use forecourt_core::vehicles::VehicleStatus;
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the figures of the corporation that the signed-in user may see on the dashboard.
#[wasm_bindgen(js_name = getDashboard, unchecked_return_type = "Promise<Dashboard>")]
pub fn get_dashboard() -> Promise {
    api::fetch_data(ApiRequest::get(dashboard::PATH))
}

/// Returns the statuses of vehicles that are in stock.
#[wasm_bindgen(js_name = inStockStatuses)]
pub fn in_stock_statuses() -> BindingResult<Vec<Ts<VehicleStatus>>> {
    to_ts_list(&VehicleStatus::IN_STOCK)
}

/// Returns the states of agreements whose vehicles have been delivered.
#[wasm_bindgen(js_name = deliveredStates)]
pub fn delivered_states() -> BindingResult<Vec<Ts<AgreementState>>> {
    to_ts_list(&AgreementState::DELIVERED)
}

/// Returns which agreements wait for delivery.
#[wasm_bindgen(js_name = toDeliver)]
pub fn to_deliver() -> BindingResult<Ts<ToDeliver>> {
    to_js(&dashboard::TO_DELIVER)
}

/// Returns which agreements' exclusivity is due.
#[wasm_bindgen(js_name = exclusivityDue)]
pub fn exclusivity_due() -> BindingResult<Ts<ExclusivityDue>> {
    to_js(&dashboard::EXCLUSIVITY_DUE)
}
