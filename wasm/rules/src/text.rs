//! Bindings for texts that a screen displays itself.

use crate::BindingResult;
use forecourt_call::to_js;
use forecourt_core::form;
use forecourt_core::text::Texts;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the messages that screens show without a server response, including the ones for a response without a message.
#[wasm_bindgen]
pub fn texts() -> BindingResult<Ts<Texts>> {
    to_js(&Texts::default())
}

/// Returns the address that a website's link leads to; `undefined` if the text is no website.
#[wasm_bindgen(js_name = websiteLink)]
pub fn website_link(website: &str) -> Option<String> {
    form::website_link(website)
}
