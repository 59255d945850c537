//! The door to the dashboard.

use crate::api;
use forecourt_call::{Call, Coming};
use forecourt_core::dashboard::{self, Dashboard};
use wasm_bindgen::prelude::*;

/// What the signed-in person may see of how the corporation is doing.
#[wasm_bindgen(js_name = getDashboard)]
pub fn get_dashboard() -> Coming<Dashboard> {
    api::data(Call::get(dashboard::PATH))
}
