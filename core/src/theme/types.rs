//! The JSON types of theme and logo.

use super::text;
use crate::message::Message;
use serde::{Deserialize, Serialize};

/// GET returns the colours, PUT sets one of them.
pub const PATH: &str = "/api/theme";
/// GET returns the logo's URL, PUT uploads a file in [`LOGO_FIELD`], DELETE removes the logo.
pub const LOGO: &str = "/api/theme/logo";
pub const LOGO_FIELD: &str = "logo";

pub const DEFAULT_COLOR: &str = "#3b82f6";
/// In the form, in place of a colour: removes the colour of the user or of the corporation.
pub const NO_COLOR: &str = "default";

api_types!(
    /// A predefined colour.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct NamedColor {
        pub name: &'static Message,
        pub color: &'static str,
    }

    /// The shades of an accent colour for the light or the dark mode, as `#rrggbb`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Shades {
        /// The colour itself, for elements without text.
        pub brand: String,
        /// Background of a filled control.
        pub brand_fill: String,
        /// Background of a hovered filled control.
        pub brand_fill_hover: String,
        /// Text on a filled control.
        pub on_brand: String,
        /// Soft background of selected elements.
        pub brand_soft: String,
        /// Text and icons on a card, on the canvas and on the soft background.
        pub brand_text: String,
    }
);

forms!(
    /// The colour form.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ThemeInput {
        /// `#rrggbb`, or `default` to remove the colour, so that the corporation's or the default colour applies.
        pub color: String,
        /// Alternative name of `color`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub theme: String,
        /// Empty or `user` for the signed-in user, `corporation` for all users of the corporation without a colour of
        /// their own.
        pub scope: String,
    }
);

api_types!(
    /// The signed-in user's colours.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Theme {
        /// The colour that the screens have: the user's own, or else the corporation's, or else the default.
        pub color: String,
        /// The user's own colour; empty if none is set.
        #[serde(default)]
        pub own: String,
        /// The corporation's colour; empty if none is set.
        #[serde(default)]
        pub corporation: String,
    }

    /// The response of the theme routes. `color` and `theme` both contain the colour that the screens have.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ThemeReply {
        /// Always `true`.
        pub success: bool,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(type = "unknown"))]
        pub message: String,
        /// `message` as a `Message`, with its code; empty without a message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub messages: Vec<Message>,
        pub color: String,
        pub theme: String,
        pub data: Theme,
    }

    /// The response of the logo routes.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LogoReply {
        /// Always `true`.
        pub success: bool,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(type = "unknown"))]
        pub message: String,
        /// `message` as a `Message`, with its code; empty without a message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub messages: Vec<Message>,
        /// URL of the logo; empty if there is none.
        pub logo: String,
    }
);

pub const COLORS: [NamedColor; 10] = [
    NamedColor { name: text::BLUE, color: DEFAULT_COLOR },
    NamedColor { name: text::INDIGO, color: "#6366f1" },
    NamedColor { name: text::PURPLE, color: "#8b5cf6" },
    NamedColor { name: text::PINK, color: "#ec4899" },
    NamedColor { name: text::RED, color: "#ef4444" },
    NamedColor { name: text::ORANGE, color: "#f97316" },
    NamedColor { name: text::YELLOW, color: "#eab308" },
    NamedColor { name: text::GREEN, color: "#10b981" },
    NamedColor { name: text::TEAL, color: "#14b8a6" },
    NamedColor { name: text::CYAN, color: "#06b6d4" },
];
