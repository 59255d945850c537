//! Money: whole pence, exact from the form to the database and back (decisions 4.1). It travels as a JSON number with at
//! most two decimals.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// How far a number may be from a whole penny and still mean it, in pence: what adding doubles leaves (0.1 + 0.2).
const NOISE: f64 = 1e-6;

/// An amount in pence. At most [`Money::MOST`] either way, so that a double, which is what a JSON number is in the
/// browser, holds every amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(i64);

impl Money {
    /// The largest amount, in pence: 99,999,999,999.99 pounds.
    pub const MOST: i64 = 9_999_999_999_999;

    /// So many pence; none beyond the largest amount.
    pub fn from_pence(pence: i64) -> Option<Self> {
        (-Self::MOST..=Self::MOST).contains(&pence).then_some(Money(pence))
    }

    /// So many pence, or the largest amount where there are more: for a sum, of which nobody asks the last penny then.
    pub fn nearest(pence: i64) -> Self {
        Money(pence.clamp(-Self::MOST, Self::MOST))
    }

    pub fn pence(self) -> i64 {
        self.0
    }

    /// Reads what a person types: digits, perhaps with a point and one or two more; no sign, no thousands.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && part.is_empty()) || part.len() > 2 || !digits(whole) || !digits(part) {
            return None;
        }
        let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i64>().ok() };
        let tens = if part.len() == 1 { 10 } else { 1 };
        Money::from_pence(number(whole)?.checked_mul(100)?.checked_add(number(part)? * tens)?)
    }

    /// Returns the amount of a number of pounds; `None` if the number is further than [`NOISE`] from a whole penny.
    pub fn from_pounds(pounds: f64) -> Option<Self> {
        let pence = pounds * 100.0;
        // Every double below the largest amount is far nearer to its pence than half a penny, so rounding finds them, and
        // dividing gives back the very double that their text reads as.
        #[expect(clippy::cast_possible_truncation, reason = "it saturates, and what is too large is refused next")]
        let money = Money::from_pence(pence.round() as i64)?;
        // Near the largest amount the product is less exact than the noise, so equal pounds count too.
        (money.pounds() == pounds || (pence - pence.round()).abs() <= NOISE).then_some(money)
    }

    /// The nearest double to the amount in pounds, which shows as its exact text.
    pub fn pounds(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "no amount needs more than 53 bits")]
        let pence = self.0 as f64;
        pence / 100.0
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 { s.serialize_i64(self.0 / 100) } else { s.serialize_f64(self.pounds()) }
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Money::from_pounds(f64::deserialize(d)?).ok_or_else(|| D::Error::custom("an amount has at most two decimals"))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Money {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Money".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let most = Money(Money::MOST).pounds();
        schemars::json_schema!({
            "type": "number", "minimum": -most, "maximum": most,
            "description": "Pounds, with at most two decimals.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_amount_is_typed_with_at_most_two_decimals() {
        let pence = |text: &str| Money::parse(text).map(Money::pence);
        assert_eq!(pence("12"), Some(1200));
        assert_eq!(pence("12.5"), Some(1250));
        assert_eq!(pence("0.07"), Some(7));
        assert_eq!(pence(".5"), Some(50));
        assert_eq!(pence("99999999999.99"), Some(Money::MOST));
        for text in ["", ".", "12.345", "-1", "+1", "1e3", "1,000", "12 ", "£12", "100000000000", "9223372036854775807"]
        {
            assert_eq!(pence(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_with_more_than_two_decimals_is_no_amount() {
        for pounds in [0.001, 12.345, 1e300, f64::NAN, f64::INFINITY, 1e-7] {
            assert_eq!(Money::from_pounds(pounds), None, "{pounds}");
        }
    }

    #[test]
    fn a_number_within_a_millionth_of_a_penny_is_that_penny() {
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
    fn a_sum_stays_within_the_amounts_there_are() {
        let nearest = [0, 1, Money::MOST, i64::MAX, i64::MIN].map(|pence| Money::nearest(pence).pence());
        assert_eq!(nearest, [0, 1, Money::MOST, Money::MOST, -Money::MOST]);
    }

    proptest! {
        #[test]
        fn money_comes_back_to_the_penny_from_its_text_its_number_and_its_json(pence in -Money::MOST..=Money::MOST) {
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
        fn reading_an_amount_never_panics(text in "\\PC{0,24}", pounds: f64) {
            let _ = (Money::parse(&text), Money::from_pounds(pounds));
        }
    }
}
