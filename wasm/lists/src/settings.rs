//! The rules of a corporation's settings.

use crate::BindingResult;
use forecourt_call::to_js;
use forecourt_core::invoices::Price;
use forecourt_core::money::Money;
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

/// Parses a VAT rate in percent that was typed; `undefined` for an invalid text.
#[wasm_bindgen(js_name = parseRate)]
pub fn parse_rate(text: &str) -> Option<f64> {
    Price::Text(text.to_owned()).percent().map(Money::pounds)
}
