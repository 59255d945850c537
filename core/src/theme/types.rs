//! Colours, and what is made of them.

use crate::form::text_or_null;
use serde::{Deserialize, Serialize};

/// GET shows the colours, PUT sets one.
pub const PATH: &str = "/api/theme";
/// GET gives the logo's link, PUT takes a file in [`LOGO_FIELD`], DELETE removes it.
pub const LOGO: &str = "/api/theme/logo";
pub const LOGO_FIELD: &str = "logo";

/// The colour when nobody has chosen one (specification section 9).
pub const DEFAULT_COLOR: &str = "#3b82f6";

/// A colour that is offered by name.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// Whose colour is set.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ThemeInput {
    /// `#rrggbb`.
    #[serde(deserialize_with = "text_or_null")]
    pub color: String,
    /// Another spelling of `color` (specification section 7).
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "String::is_empty")]
    pub theme: String,
    /// Empty or `user` for oneself, `corporation` for everybody in the corporation who has chosen none.
    #[serde(deserialize_with = "text_or_null")]
    pub scope: String,
}

/// The colours that concern the signed-in person.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theme {
    /// The one that applies.
    pub color: String,
    /// The person's own choice; empty without one.
    #[serde(default)]
    pub own: String,
    /// The corporation's; empty without one.
    #[serde(default)]
    pub corporation: String,
}

/// The answer to questions and changes of the colour; `color` and `theme` say which one applies.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThemeReply {
    /// Always `true`.
    pub success: bool,
    #[serde(default)]
    pub message: String,
    pub color: String,
    pub theme: String,
    pub data: Theme,
}

/// The answer to questions and changes of the logo.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogoReply {
    /// Always `true`.
    pub success: bool,
    #[serde(default)]
    pub message: String,
    /// The logo's link; empty without one.
    pub logo: String,
}
