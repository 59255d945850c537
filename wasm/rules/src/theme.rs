//! Doors to the accent colour.

use crate::{Door, list};
use forecourt_core::theme::{self, NamedColor, Shades};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The shades that a colour gives on light or dark ground, each readable; a text that is no colour gives the default's.
#[wasm_bindgen]
pub fn shades(color: &str, dark: bool) -> Door<Ts<Shades>> {
    Ok(theme::shades(color, dark).into_ts()?)
}

/// The colour when nobody has chosen one.
#[wasm_bindgen(js_name = defaultColor)]
pub fn default_color() -> String {
    theme::DEFAULT_COLOR.to_owned()
}

/// The colours that are offered by name.
#[wasm_bindgen(js_name = themeColors)]
pub fn theme_colors() -> Door<Vec<Ts<NamedColor>>> {
    list(&theme::COLORS)
}
