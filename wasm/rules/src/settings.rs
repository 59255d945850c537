//! The installation's settings, which the page passes in and the rules depend on, and which fields are secret.

use crate::BindingResult;
use forecourt_core::form::{self, FormSettings};
use std::cell::Cell;
use tsify::Ts;
use wasm_bindgen::prelude::*;

thread_local! {
    static SETTINGS: Cell<Option<FormSettings>> = const { Cell::new(None) };
}

/// Stores the installation's settings. All later validations use them.
#[wasm_bindgen(js_name = setFormSettings)]
pub fn set_form_settings(settings: Ts<FormSettings>) -> BindingResult<()> {
    SETTINGS.set(Some(forecourt_call::read(&settings)?));
    Ok(())
}

/// Returns whether unsaved input of this field must never be stored.
#[wasm_bindgen(js_name = isSecret)]
pub fn is_secret(field: &str) -> bool {
    form::is_secret(field)
}

pub(crate) fn form_settings() -> FormSettings {
    SETTINGS.get().unwrap_or_default()
}
