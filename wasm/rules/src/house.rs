//! What the installation has set that rules depend on, as the page brought it along.

use crate::Door;
use forecourt_core::form::{self, FormSettings};
use std::cell::Cell;
use tsify::Ts;
use wasm_bindgen::prelude::*;

thread_local! {
    static RULES: Cell<Option<FormSettings>> = const { Cell::new(None) };
}

/// Takes over the installation's settings; every check follows them from now on.
#[wasm_bindgen(js_name = setHouseRules)]
pub fn set_house_rules(rules: Ts<FormSettings>) -> Door<()> {
    RULES.set(Some(forecourt_call::read(&rules)?));
    Ok(())
}

/// May what is typed into this field never be kept before it is saved?
#[wasm_bindgen(js_name = isSecret)]
pub fn is_secret(field: &str) -> bool {
    form::is_secret(field)
}

pub(crate) fn rules() -> FormSettings {
    RULES.get().unwrap_or_default()
}
