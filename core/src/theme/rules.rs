//! How a colour becomes shades: whatever it is, text on and in it has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3).

use super::{DEFAULT_COLOR, Shades, ThemeInput, text};
use crate::form::{Form, Sheet, either, trim};
use crate::permissions::UserType;

/// The least contrast of a text with its ground.
const READABLE: f64 = 4.5;
/// With less than this, white text would need the colour darkened until it is another; black text is taken instead.
const WHITE_WITHIN_REACH: f64 = 3.0;
const WHITE: Rgb = Rgb([255; 3]);
const BLACK: Rgb = Rgb([0; 3]);

/// The grounds that the web app paints.
struct Ground {
    card: Rgb,
    canvas: Rgb,
    /// How much of the colour the faint ground keeps.
    faint: f64,
    /// The end of the scale that stands out from the ground.
    ink: Rgb,
}

const LIGHT: Ground = Ground { card: WHITE, canvas: Rgb([0xf6, 0xf7, 0xf9]), faint: 0.09, ink: BLACK };
const DARK: Ground = Ground { card: Rgb([0x14, 0x17, 0x1d]), canvas: Rgb([0x0d, 0x0f, 0x13]), faint: 0.16, ink: WHITE };

impl ThemeInput {
    /// Is it meant for the whole corporation?
    pub fn is_for_all(&self) -> bool {
        self.scope == "corporation"
    }
}

impl Form for ThemeInput {
    fn tidy(&mut self) {
        trim(&mut self.color);
        trim(&mut self.theme);
        self.color = either(&mut self.color, &mut self.theme);
        self.color.make_ascii_lowercase();
        trim(&mut self.scope);
    }
    fn rules(&self, sheet: &mut Sheet) {
        let is_color = |c: &str| c.len() == 7 && c.starts_with('#') && Rgb::parse(c).is_some();
        sheet.field("color", &self.color).matches(is_color, text::COLOR_INVALID);
        let is_scope = |s: &str| matches!(s, "" | "user" | "corporation");
        sheet.field("scope", &self.scope).matches(is_scope, text::SCOPE_INVALID);
    }
}

/// Who may set the colour and the logo for a whole corporation (decisions 4.8).
pub fn may_set_for_all(user_type: UserType) -> bool {
    user_type >= UserType::Admin
}

/// The colour that applies: the person's own, else the corporation's, else the default (decisions 4.8).
pub fn applied<'a>(own: &'a str, corporation: &'a str) -> &'a str {
    [own, corporation].into_iter().find(|c| !c.is_empty()).unwrap_or(DEFAULT_COLOR)
}

/// The shades of a colour (`#rgb` or `#rrggbb`) on the light or the dark ground. A text that is no colour gives the
/// shades of [`DEFAULT_COLOR`].
pub fn shades(color: &str, dark: bool) -> Shades {
    let brand = Rgb::parse(color).or_else(|| Rgb::parse(DEFAULT_COLOR)).unwrap_or(BLACK);
    let ground = if dark { DARK } else { LIGHT };
    let soft = ground.card.towards(brand, ground.faint);
    let text = brand.until_readable(&[ground.card, ground.canvas, soft], ground.ink);
    // Under the pointer a fill moves away from its text, so the contrast only grows.
    let (fill, hover, on) = if brand.contrast(WHITE) >= WHITE_WITHIN_REACH {
        let fill = brand.until_readable(&[WHITE], BLACK);
        (fill, fill.towards(BLACK, 0.14), WHITE)
    } else {
        (brand, brand.towards(WHITE, 0.18), BLACK)
    };
    Shades {
        brand: brand.hex(),
        brand_fill: fill.hex(),
        brand_fill_hover: hover.hex(),
        on_brand: on.hex(),
        brand_soft: soft.hex(),
        brand_text: text.hex(),
    }
}

/// An sRGB colour.
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

    /// Moves a part of the way (0 to 1) towards another colour.
    fn towards(self, end: Rgb, part: f64) -> Rgb {
        let channel = |i: usize| {
            let (from, to) = (f64::from(self.0[i]), f64::from(end.0[i]));
            (from + (to - from) * part).round() as u8
        };
        Rgb([channel(0), channel(1), channel(2)])
    }

    /// The nearest shade on the way to `end` that can be read on all of these grounds.
    fn until_readable(self, grounds: &[Rgb], end: Rgb) -> Rgb {
        (0..100)
            .map(|percent| self.towards(end, f64::from(percent) / 100.0))
            .find(|shade| grounds.iter().all(|ground| shade.contrast(*ground) >= READABLE))
            .unwrap_or(end)
    }

    /// WCAG's contrast of two colours, from 1 to 21.
    fn contrast(self, other: Rgb) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// WCAG's relative luminance, from 0 to 1.
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
        let ground = if dark { DARK } else { LIGHT };
        [
            ("text on a fill", rgb(&s.on_brand), rgb(&s.brand_fill)),
            ("text on a fill under the pointer", rgb(&s.on_brand), rgb(&s.brand_fill_hover)),
            ("text on a card", rgb(&s.brand_text), ground.card),
            ("text on the canvas", rgb(&s.brand_text), ground.canvas),
            ("text on the faint ground", rgb(&s.brand_text), rgb(&s.brand_soft)),
        ]
        .into_iter()
        .filter(|(_, text, ground)| text.contrast(*ground) < READABLE)
        .map(|(what, ..)| format!("{what}: {s:?}"))
        .collect()
    }

    #[test]
    fn a_color_is_six_digits_and_its_scope_a_known_one() {
        let found = |color: &str, scope: &str| {
            crate::form::errors(ThemeInput { color: color.into(), scope: scope.into(), ..Default::default() })
                .into_iter()
                .map(|e| e.field)
                .collect::<Vec<_>>()
        };
        assert!(found(" #3B82F6 ", "").is_empty());
        assert!(found("#3b82f6", "corporation").is_empty());
        for bad in ["", "3b82f6", "#3b8", "#3b82fg", "red", "#3b82f6;", "url(x)"] {
            assert_eq!(found(bad, ""), ["color"], "{bad}");
        }
        assert_eq!(found("#3b82f6", "everybody"), ["scope"]);
    }

    #[test]
    fn ones_own_color_goes_before_the_corporations() {
        assert_eq!(applied("#111111", "#222222"), "#111111");
        assert_eq!(applied("", "#222222"), "#222222");
        assert_eq!(applied("", ""), DEFAULT_COLOR);
        assert!(may_set_for_all(UserType::Admin) && !may_set_for_all(UserType::User));
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((BLACK.contrast(WHITE) - 21.0).abs() < 1e-9);
        assert!((rgb("#767676").contrast(WHITE) - 4.54).abs() < 0.005);
    }

    #[test]
    fn every_offered_color_can_be_read_on_light_and_on_dark() {
        for named in COLORS {
            assert_eq!(shades(named.color, false).brand, named.color);
            assert_eq!(unreadable(named.color, false), [""; 0], "{}", named.name);
            assert_eq!(unreadable(named.color, true), [""; 0], "{}", named.name);
        }
    }

    #[test]
    fn a_light_color_keeps_its_fill_and_takes_black_text() {
        let yellow = shades("#eab308", false);
        assert_eq!((yellow.brand_fill.as_str(), yellow.on_brand.as_str()), ("#eab308", "#000000"));
        assert_eq!(shades(DEFAULT_COLOR, false).on_brand, "#ffffff");
    }

    #[test]
    fn what_is_no_color_gives_the_default() {
        for text in ["", "#12", "#gggggg", "rgb(1,2,3)", "#1234567", "＃fff", "#ÅÄÖ"] {
            assert_eq!(shades(text, false), shades(DEFAULT_COLOR, false), "{text}");
        }
        assert_eq!(shades(" #F00 ", true), shades("ff0000", true));
    }

    proptest! {
        #[test]
        fn every_color_can_be_read_on_light_and_on_dark(color: [u8; 3], dark: bool) {
            prop_assert_eq!(unreadable(&Rgb(color).hex(), dark), Vec::<String>::new());
        }
        #[test]
        fn no_text_makes_the_shades_panic(text in "\\PC{0,8}") {
            shades(&text, false);
        }
    }
}
