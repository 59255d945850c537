//! The binding for the dashboard.

use crate::api;
use forecourt_call::{Call, Coming};
use forecourt_core::dashboard::{self, Dashboard};
use wasm_bindgen::prelude::*;

/// Returns the corporation's figures that the signed-in user may see.
#[wasm_bindgen(js_name = getDashboard)]
pub fn get_dashboard() -> Coming<Dashboard> {
    api::data(Call::get(dashboard::PATH))
}
