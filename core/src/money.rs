//! Amounts of money in whole pence, or hundredths of the corporation's currency. In JSON an amount is a number of
//! pounds, or of that currency, with at most two decimals. Percentages are amounts, too: hundredths of a percent, in JSON
//! a number of percent.

use crate::lists::text::AN_AMOUNT;
use crate::text::without_separators;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// How far a number may be from a whole penny, in pence. Allows for the rounding errors of floating-point sums (0.1 +
/// 0.2).
const TOLERANCE: f64 = 1e-6;

/// An amount in pence, between `-Money::MAX` and [`Money::MAX`], so that a double (JavaScript's number type) can
/// represent every amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(i64);

impl Money {
    /// The largest amount, in pence: 99,999,999,999.99 pounds.
    pub const MAX: i64 = 9_999_999_999_999;

    /// Creates an amount from pence. `None` if it is out of range.
    pub fn from_pence(pence: i64) -> Option<Self> {
        (-Self::MAX..=Self::MAX).contains(&pence).then_some(Money(pence))
    }

    /// Creates an amount from pence, clamped to the valid range.
    pub const fn saturating_from_pence(pence: i64) -> Self {
        if pence > Self::MAX {
            Money(Self::MAX)
        } else if pence < -Self::MAX {
            Money(-Self::MAX)
        } else {
            Money(pence)
        }
    }

    pub fn pence(self) -> i64 {
        self.0
    }

    /// Parses an amount with at most two decimals after a point or a comma, and with or without separators between
    /// groups of three digits (`18995.5`, `18,995.50`, `18 995,50`). Therefore a comma before exactly three digits
    /// separates groups. The digits before or after the point may be missing (`.5`, `5.`). Signs are not accepted.
    pub fn parse(text: &str) -> Option<Self> {
        let is_decimal_comma = text.rsplit_once(',').is_some_and(|(_, part)| part.len() <= 2);
        let (point, mark) = if is_decimal_comma { (',', '.') } else { ('.', ',') };
        let (whole, part) = text.split_once(point).unwrap_or((text, ""));
        let whole = &*without_separators(whole, mark)?;
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && part.is_empty()) || part.len() > 2 || !digits(whole) || !digits(part) {
            return None;
        }
        let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i64>().ok() };
        let tens = if part.len() == 1 { 10 } else { 1 };
        Money::from_pence(number(whole)?.checked_mul(100)?.checked_add(number(part)? * tens)?)
    }

    /// Creates an amount from pounds. `None` if it is out of range or further than [`TOLERANCE`] from a whole penny.
    pub fn from_pounds(pounds: f64) -> Option<Self> {
        let pence = pounds * 100.0;
        // Within the valid range the product is wrong by less than half a penny, so rounding finds the amount. Dividing
        // the amount by 100 gives the same double as parsing its decimal text.
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and from_pence checks the range")]
        let money = Money::from_pence(pence.round() as i64)?;
        // Near the maximum the product's error exceeds the tolerance, so compare the pounds as well.
        (money.pounds() == pounds || (pence - pence.round()).abs() <= TOLERANCE).then_some(money)
    }

    /// Returns the double nearest to the amount in pounds. It prints as the exact amount.
    pub fn pounds(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "no amount needs more than 53 bits")]
        let pence = self.0 as f64;
        pence / 100.0
    }
}

/// Writes pounds with two decimals, without a currency.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 { s.serialize_i64(self.0 / 100) } else { s.serialize_f64(self.pounds()) }
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let pounds = f64::deserialize(d)?;
        let error = || D::Error::invalid_value(Unexpected::Float(pounds), &AN_AMOUNT.as_str());
        Money::from_pounds(pounds).ok_or_else(error)
    }
}

#[cfg(feature = "wasm")]
typescript!("Money = number");
#[cfg(feature = "schema")]
json_schema!(Money, {
    "type": "number", "minimum": -Money(Money::MAX).pounds(), "maximum": Money(Money::MAX).pounds(),
    "description": "An amount in the currency of its field, with at most two decimals.",
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parses_amounts_with_at_most_two_decimals() {
        let pence = |text: &str| Money::parse(text).map(Money::pence);
        assert_eq!(pence("12"), Some(1200));
        assert_eq!(pence("12.5"), Some(1250));
        assert_eq!(pence("0.07"), Some(7));
        assert_eq!(pence(".5"), Some(50));
        assert_eq!(pence("99999999999.99"), Some(Money::MAX));
        for text in ["", ".", "12.345", "-1", "+1", "1e3", "12 ", "£12", "100000000000", "9223372036854775807"] {
            assert_eq!(pence(text), None, "{text}");
        }
    }

    #[test]
    fn parses_amounts_with_a_decimal_comma_or_separated_groups() {
        let pence = |text: &str| Money::parse(text).map(Money::pence);
        for text in ["18995.5", "18995,5", "18,995.50", "18 995,50", "18.995,50", "18\u{a0}995,50", "18\u{202f}995.5"] {
            assert_eq!(pence(text), Some(1_899_550), "{text}");
        }
        assert_eq!([pence("1,000"), pence("1,234,567")], [Some(100_000), Some(123_456_700)]);
        assert_eq!([pence("12,5"), pence(",5"), pence("5,")], [Some(1250), Some(50), Some(500)]);
        for text in
            ["1.000", "1,0000", "12,34,5", "1,000,5", "1.000.000", "12 34", "1 000,000", ",", "1,5.5", "1,2e3", "0,500"]
        {
            assert_eq!(pence(text), None, "{text}");
        }
    }

    #[test]
    fn rejects_numbers_with_more_than_two_decimals() {
        for pounds in [0.001, 12.345, 1e300, f64::NAN, f64::INFINITY, 1e-7] {
            assert_eq!(Money::from_pounds(pounds), None, "{pounds}");
        }
    }

    #[test]
    fn tolerates_floating_point_errors_of_a_millionth_of_a_penny() {
        for (pounds, pence) in
            [(0.1 + 0.2, 30), (1.1 * 3.0, 330), (19.99 * 100.0 / 100.0, 1999), (4.35 * 3.0, 1305), (-0.1 - 0.2, -30)]
        {
            assert_eq!(Money::from_pounds(pounds).map(Money::pence), Some(pence), "{pounds}");
        }
        let read = |json: &str| serde_json::from_str::<Money>(json).ok().map(Money::pence);
        assert_eq!(read("0.30000000000000004"), Some(30));
        assert_eq!(read("0.300000009"), Some(30));
        assert_eq!(read("0.30000002"), None);
    }

    #[test]
    fn saturating_from_pence_clamps_to_the_valid_range() {
        let nearest = [0, 1, Money::MAX, i64::MAX, i64::MIN].map(|pence| Money::saturating_from_pence(pence).pence());
        assert_eq!(nearest, [0, 1, Money::MAX, Money::MAX, -Money::MAX]);
    }

    proptest! {
        #[test]
        fn round_trips_through_text_number_and_json(pence in -Money::MAX..=Money::MAX) {
            let Some(money) = Money::from_pence(pence) else { return Err(TestCaseError::fail("in range")) };
            prop_assert_eq!(Money::from_pounds(money.pounds()), Some(money));
            let json = serde_json::to_string(&money).map_err(|e| TestCaseError::fail(e.to_string()))?;
            let decimals = json.split_once('.').map_or(0, |(_, part)| part.len());
            prop_assert!(decimals <= 2, "{}", json);
            prop_assert_eq!(serde_json::from_str::<Money>(&json).ok(), Some(money));
            if pence >= 0 {
                let text = format!("{}.{:02}", pence / 100, pence % 100);
                prop_assert_eq!(Money::parse(&text), Some(money));
                prop_assert_eq!(Money::parse(&json), Some(money));
            }
        }
        #[test]
        fn parsing_never_panics(text in "\\PC{0,24}", pounds: f64) {
            let _ = (Money::parse(&text), Money::from_pounds(pounds));
        }
    }
}
