//! The installation's settings that the rules depend on. The page passes them in.

use crate::Door;
use forecourt_core::form::{self, FormSettings};
use std::cell::Cell;
use tsify::Ts;
use wasm_bindgen::prelude::*;

thread_local! {
    static RULES: Cell<Option<FormSettings>> = const { Cell::new(None) };
}

/// Stores the installation's settings. All later validations use them.
#[wasm_bindgen(js_name = setHouseRules)]
pub fn set_house_rules(rules: Ts<FormSettings>) -> Door<()> {
    RULES.set(Some(forecourt_call::read(&rules)?));
    Ok(())
}

/// Returns whether unsaved input of this field must never be stored.
#[wasm_bindgen(js_name = isSecret)]
pub fn is_secret(field: &str) -> bool {
    form::is_secret(field)
}

pub(crate) fn rules() -> FormSettings {
    RULES.get().unwrap_or_default()
}
