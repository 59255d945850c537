//! The rules of a corporation's settings.

use crate::BindingResult;
use forecourt_call::{read, to_js};
use forecourt_core::form::{FieldError, check};
use forecourt_core::settings::{self, COUNTRIES, Country, SettingsInput};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the countries that a corporation can be in.
#[wasm_bindgen]
pub fn countries() -> BindingResult<Vec<Ts<Country>>> {
    COUNTRIES.iter().map(to_js).collect()
}

/// Validates the settings of a corporation.
#[wasm_bindgen(js_name = checkSettings)]
pub fn check_settings(form: Ts<SettingsInput>) -> BindingResult<Vec<Ts<FieldError>>> {
    check::<SettingsInput>(read(&form)?).err().unwrap_or_default().iter().map(to_js).collect()
}

/// Parses a rate of VAT in percent. Returns it in hundredths of a percent; nothing for an invalid text.
#[wasm_bindgen(js_name = parseRate)]
pub fn parse_rate(percent: &str) -> Option<u32> {
    settings::parse_rate(percent).and_then(|rate| u32::try_from(rate).ok())
}

/// Returns a rate of VAT as it is typed.
#[wasm_bindgen(js_name = rateText)]
pub fn rate_text(rate: u32) -> String {
    settings::rate_text(rate.into())
}
