//! The door to the dashboard.

use crate::api;
use forecourt_call::{Call, Failure};
use forecourt_core::dashboard::{self, Dashboard};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// What the signed-in person may see of how the corporation is doing.
#[wasm_bindgen(js_name = getDashboard)]
pub async fn get_dashboard() -> Result<Ts<Dashboard>, Failure> {
    Ok(api::call(&Call::get(dashboard::PATH)).await?.data()?)
}
