//! The rules of a corporation's settings.

use crate::BindingResult;
use forecourt_call::to_js;
use forecourt_core::settings::{self, COUNTRIES, Country};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the countries that a corporation can be in.
#[wasm_bindgen]
pub fn countries() -> BindingResult<Vec<Ts<Country>>> {
    COUNTRIES.iter().map(to_js).collect()
}

/// Returns the country that the form of a new corporation suggests to a user whose browser has these regions.
#[wasm_bindgen(js_name = suggestedCountry)]
pub fn suggested_country(regions: Vec<String>) -> String {
    settings::suggested_country(&regions)
}

/// Parses a VAT rate that was typed in percent. Returns it in hundredths of a percent; `undefined` for an invalid text.
#[wasm_bindgen(js_name = parseRate)]
pub fn parse_rate(percent: &str) -> Option<u32> {
    settings::parse_rate(percent).and_then(|rate| u32::try_from(rate).ok())
}

/// Returns a VAT rate, given in hundredths of a percent, as a user would type it in percent.
#[wasm_bindgen(js_name = rateText)]
pub fn rate_text(rate: u32) -> String {
    settings::rate_text(rate.into())
}
