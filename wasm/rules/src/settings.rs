//! Bindings for the installation's settings, on which rules of forms depend, and for the question whether a field is
//! secret.

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

/// Returns true if unsaved input of the field with this name must never be stored in the browser.
#[wasm_bindgen(js_name = isSecret)]
pub fn is_secret(field: &str) -> bool {
    form::is_secret(field)
}

pub(crate) fn form_settings() -> FormSettings {
    SETTINGS.get().unwrap_or_default()
}
