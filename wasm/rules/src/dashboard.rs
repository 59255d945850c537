//! The binding for the dashboard.

use crate::api;
use forecourt_call::ApiRequest;
use forecourt_core::dashboard;
use js_sys::Promise;
use wasm_bindgen::prelude::*;

/// Returns the figures of the corporation that the signed-in user may see on the dashboard.
#[wasm_bindgen(js_name = getDashboard, unchecked_return_type = "Promise<Dashboard>")]
pub fn get_dashboard() -> Promise {
    api::fetch_data(ApiRequest::get(dashboard::PATH))
}
