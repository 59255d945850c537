//! The rules of the colour form, and the shades of an accent colour. Text on a filled control, and text in the accent
//! colour, has a contrast of at least 4.5:1 (WCAG 2.2, success criterion 1.4.3).

use super::{DEFAULT_COLOR, NO_COLOR, Shades, ThemeInput, text};
use crate::form::{Form, Rules, normalize_fields, normalize_line, take_first_non_empty};

/// Minimum contrast between a text and its background.
const MIN_CONTRAST: f64 = 4.5;
/// Minimum contrast of a colour with white to get white text. A lighter colour gets black text, because for white text
/// it would have to be darkened beyond recognition.
const MIN_CONTRAST_FOR_WHITE: f64 = 3.0;
/// Minimum contrast of a filled control with the card or canvas behind it, so that a white button on a white card has a
/// shape. It is low, because light accents such as yellow are wanted on white cards.
const MIN_CONTRAST_OF_FILL: f64 = 1.25;
const WHITE: Rgb = Rgb([255; 3]);
const BLACK: Rgb = Rgb([0; 3]);

/// The background colours of the web app in one mode.
struct Background {
    card: Rgb,
    canvas: Rgb,
    /// Share of the accent colour in the soft background, from 0 to 1.
    soft_share: f64,
    /// Black or white, whichever contrasts with the backgrounds.
    foreground: Rgb,
}

const LIGHT: Background =
    Background { card: WHITE, canvas: Rgb([0xf6, 0xf7, 0xf9]), soft_share: 0.09, foreground: BLACK };
const DARK: Background =
    Background { card: Rgb([0x14, 0x17, 0x1d]), canvas: Rgb([0x0d, 0x0f, 0x13]), soft_share: 0.16, foreground: WHITE };

impl ThemeInput {
    pub fn is_for_corporation(&self) -> bool {
        self.scope == "corporation"
    }

    /// Returns the colour to store; `None` if the form removes it.
    pub fn stored_color(&self) -> Option<String> {
        (self.color != NO_COLOR).then(|| self.color.clone())
    }
}

impl Form for ThemeInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.color, &mut self.theme]);
        self.color = take_first_non_empty(&mut self.color, &mut self.theme);
        self.color.make_ascii_lowercase();
        normalize_line(&mut self.scope);
    }
    fn rules(&self, rules: &mut Rules) {
        let is_color = |c: &str| c == NO_COLOR || c.len() == 7 && c.starts_with('#') && Rgb::parse(c).is_some();
        rules.field("color", &self.color).matches(is_color, text::COLOR_INVALID);
        let is_scope = |s: &str| matches!(s, "" | "user" | "corporation");
        rules.field("scope", &self.scope).matches(is_scope, text::SCOPE_INVALID);
    }
}

/// Returns the colour that the screens have: the user's own, or else the corporation's, or else the default.
pub fn effective_color<'a>(own: &'a str, corporation: &'a str) -> &'a str {
    [own, corporation].into_iter().find(|c| !c.is_empty()).unwrap_or(DEFAULT_COLOR)
}

/// Returns the shades of a colour (`#rgb` or `#rrggbb`) for the light or the dark mode. An invalid colour is treated as
/// [`DEFAULT_COLOR`].
pub fn shades(color: &str, dark: bool) -> Shades {
    let brand = Rgb::parse(color).or_else(|| Rgb::parse(DEFAULT_COLOR)).unwrap_or(BLACK);
    let background = if dark { DARK } else { LIGHT };
    let soft = background.card.mix(brand, background.soft_share);
    let text = brand.readable_on(&[background.card, background.canvas, soft], background.foreground);
    let behind = [background.card, background.canvas];
    let visible = |color: Rgb| color.with_contrast(&behind, MIN_CONTRAST_OF_FILL, background.foreground);
    let (fill, on, end, share) = if brand.contrast(WHITE) >= MIN_CONTRAST_FOR_WHITE {
        (visible(brand.readable_on(&[WHITE], BLACK)), WHITE, BLACK, 0.14)
    } else {
        (visible(brand), BLACK, WHITE, 0.18)
    };
    // On hover the fill gets further from its text colour, unless it would then be too close to what is behind it.
    let hover = fill.mix(end, share);
    let hover = if visible(hover) == hover { hover } else { fill.mix(background.foreground, 0.14) };
    Shades {
        brand: brand.hex(),
        brand_fill: fill.hex(),
        brand_fill_hover: hover.hex(),
        on_brand: on.hex(),
        brand_soft: soft.hex(),
        brand_text: text.hex(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rgb([u8; 3]);

impl Rgb {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits: Vec<u8> = text
            .strip_prefix('#')
            .unwrap_or(text)
            .chars()
            .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
            .collect::<Option<_>>()?;
        match digits[..] {
            [r, g, b] => Some(Rgb([r * 17, g * 17, b * 17])),
            [r1, r2, g1, g2, b1, b2] => Some(Rgb([r1 * 16 + r2, g1 * 16 + g2, b1 * 16 + b2])),
            _ => None,
        }
    }

    fn hex(self) -> String {
        let Rgb([r, g, b]) = self;
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Mixes two colours. `share` is the share of `other`, from 0 to 1.
    fn mix(self, other: Rgb, share: f64) -> Rgb {
        let channel = |i: usize| {
            let (from, to) = (f64::from(self.0[i]), f64::from(other.0[i]));
            (from + (to - from) * share).round() as u8
        };
        Rgb([channel(0), channel(1), channel(2)])
    }

    /// Returns the colour mixed with as little of `end` as it needs to be readable as a text on all backgrounds.
    fn readable_on(self, backgrounds: &[Rgb], end: Rgb) -> Rgb {
        self.with_contrast(backgrounds, MIN_CONTRAST, end)
    }

    /// Returns the colour mixed with as little of `end` as it needs for this contrast with all backgrounds.
    fn with_contrast(self, backgrounds: &[Rgb], contrast: f64, end: Rgb) -> Rgb {
        (0..100)
            .map(|percent| self.mix(end, f64::from(percent) / 100.0))
            .find(|shade| backgrounds.iter().all(|background| shade.contrast(*background) >= contrast))
            .unwrap_or(end)
    }

    /// Returns the contrast ratio of two colours by WCAG, from 1 to 21.
    fn contrast(self, other: Rgb) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Returns the relative luminance by WCAG, from 0 to 1.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let Rgb([r, g, b]) = self;
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }
}

#[cfg(test)]
mod tests {
    use super::super::COLORS;
    use super::*;
    use proptest::prelude::*;

    fn rgb(hex: &str) -> Rgb {
        Rgb::parse(hex).unwrap()
    }

    fn unreadable(color: &str, dark: bool) -> Vec<String> {
        let s = shades(color, dark);
        let background = if dark { DARK } else { LIGHT };
        [
            ("text on a fill", rgb(&s.on_brand), rgb(&s.brand_fill)),
            ("text on a hovered fill", rgb(&s.on_brand), rgb(&s.brand_fill_hover)),
            ("text on a card", rgb(&s.brand_text), background.card),
            ("text on the canvas", rgb(&s.brand_text), background.canvas),
            ("text on the soft background", rgb(&s.brand_text), rgb(&s.brand_soft)),
        ]
        .into_iter()
        .filter(|(_, text, background)| text.contrast(*background) < MIN_CONTRAST)
        .map(|(what, ..)| format!("{what}: {s:?}"))
        .collect()
    }

    #[test]
    fn a_filled_control_is_visible_in_any_color() {
        for (color, dark) in [("#ffffff", false), ("#f6f7f9", false), ("#000000", true), ("#14171d", true)] {
            let shades = shades(color, dark);
            let background = if dark { DARK } else { LIGHT };
            for fill in [&shades.brand_fill, &shades.brand_fill_hover] {
                let contrast = [background.card, background.canvas].map(|behind| rgb(fill).contrast(behind));
                assert!(contrast.iter().all(|contrast| *contrast >= MIN_CONTRAST_OF_FILL), "{color} {shades:?}");
            }
            assert_ne!(shades.brand_fill, shades.brand_fill_hover, "{color}");
        }
    }

    #[test]
    fn accepts_six_hexadecimal_digits_or_the_default_and_known_scopes() {
        let found = |color: &str, scope: &str| {
            crate::form::errors(ThemeInput { color: color.into(), scope: scope.into(), ..Default::default() })
                .into_iter()
                .map(|e| e.field)
                .collect::<Vec<_>>()
        };
        assert!(found(" #3B82F6 ", "").is_empty());
        assert!(found("#3b82f6", "corporation").is_empty());
        assert!(found(NO_COLOR, "").is_empty());
        for bad in ["", "3b82f6", "#3b8", "#3b82fg", "red", "#3b82f6;", "url(x)"] {
            assert_eq!(found(bad, ""), ["color"], "{bad}");
        }
        assert_eq!(found("#3b82f6", "everybody"), ["scope"]);
    }

    #[test]
    fn the_users_own_color_overrides_the_corporations() {
        assert_eq!(effective_color("#111111", "#222222"), "#111111");
        assert_eq!(effective_color("", "#222222"), "#222222");
        assert_eq!(effective_color("", ""), DEFAULT_COLOR);
    }

    #[test]
    fn computes_the_contrast_of_wcag() {
        assert!((BLACK.contrast(WHITE) - 21.0).abs() < 1e-9);
        assert!((rgb("#767676").contrast(WHITE) - 4.54).abs() < 0.005);
    }

    #[test]
    fn every_named_color_is_readable_in_both_modes() {
        for named in COLORS {
            assert_eq!(shades(named.color, false).brand, named.color);
            assert_eq!(unreadable(named.color, false), [""; 0], "{}", named.name);
            assert_eq!(unreadable(named.color, true), [""; 0], "{}", named.name);
        }
    }

    #[test]
    fn a_light_color_stays_unchanged_and_gets_black_text() {
        let yellow = shades("#eab308", false);
        assert_eq!((yellow.brand_fill.as_str(), yellow.on_brand.as_str()), ("#eab308", "#000000"));
        assert_eq!(shades(DEFAULT_COLOR, false).on_brand, "#ffffff");
    }

    #[test]
    fn an_invalid_color_gives_the_default_shades() {
        for text in ["", "#12", "#gggggg", "rgb(1,2,3)", "#1234567", "＃fff", "#ÅÄÖ"] {
            assert_eq!(shades(text, false), shades(DEFAULT_COLOR, false), "{text}");
        }
        assert_eq!(shades(" #F00 ", true), shades("ff0000", true));
    }

    proptest! {
        #[test]
        fn every_color_is_readable_in_both_modes(color: [u8; 3], dark: bool) {
            prop_assert_eq!(unreadable(&Rgb(color).hex(), dark), Vec::<String>::new());
        }
        #[test]
        fn never_panics(text in "\\PC{0,8}") {
            shades(&text, false);
        }
    }
}
