//! Colours, and what is made of them.

use serde::{Deserialize, Serialize};

/// The colour when nobody has chosen one (specification section 9).
pub const DEFAULT_COLOR: &str = "#3b82f6";

/// A colour that is offered by name.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NamedColor {
    pub name: &'static str,
    pub color: &'static str,
}

/// The colours that are offered by name (specification section 9).
pub const COLORS: [NamedColor; 10] = [
    NamedColor { name: "Blue", color: DEFAULT_COLOR },
    NamedColor { name: "Indigo", color: "#6366f1" },
    NamedColor { name: "Purple", color: "#8b5cf6" },
    NamedColor { name: "Pink", color: "#ec4899" },
    NamedColor { name: "Red", color: "#ef4444" },
    NamedColor { name: "Orange", color: "#f97316" },
    NamedColor { name: "Yellow", color: "#eab308" },
    NamedColor { name: "Green", color: "#10b981" },
    NamedColor { name: "Teal", color: "#14b8a6" },
    NamedColor { name: "Cyan", color: "#06b6d4" },
];

/// The shades of an accent colour on one ground, as `#rrggbb`.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shades {
    /// The colour itself, for marks that carry no text.
    pub brand: String,
    /// Ground of a filled control.
    pub brand_fill: String,
    /// The same under the pointer.
    pub brand_fill_hover: String,
    /// Text on a filled control.
    pub on_brand: String,
    /// A faint ground for what is chosen.
    pub brand_soft: String,
    /// Text and icons on a card, on the canvas and on the faint ground.
    pub brand_text: String,
}
