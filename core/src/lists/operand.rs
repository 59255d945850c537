//! Values of a filter as they arrive in JSON, and their conversion to the type of a field.

use super::relative::{DISTANCE_MAX, RelativeDate, has_distance};
use super::{Kind, Today, Value, text};
use crate::date::Date;
use crate::form::normalize_lines;
use crate::message::Message;
use crate::money::Money;
use crate::settings::COUNTRIES;
use crate::text::{fold, parse_whole};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The largest whole number that a double represents exactly.
const NUMBER_MAX: f64 = 9_007_199_254_740_991.0;

/// Maximum length of a text in a filter, in characters.
pub(super) const TEXT_MAX: usize = 500;

/// The signs of currencies with which screens show amounts. Longer ones are before those in which they end.
const CURRENCY_SIGNS: [&str; 5] = ["£", "€", "Nkr", "Dkr", "kr"];

/// One minute, in microseconds.
const MINUTE: i64 = 60_000_000;

/// The value of a condition, as requests send it in JSON.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Operand {
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Operand>),
}

/// Returns how many bytes a character takes in a JSON string.
fn size_in_json(c: char) -> usize {
    match c {
        '"' | '\\' | '\u{8}' | '\t' | '\n' | '\u{c}' | '\r' => 2,
        '\0'..' ' => 6,
        _ => c.len_utf8(),
    }
}

/// Returns whether a valid RFC 3339 time has only hours and minutes: its offset follows after `2026-01-31T12:00`.
fn has_no_seconds(time: &str) -> bool {
    time.as_bytes().get(16).is_some_and(|offset| b"Zz+-".contains(offset))
}

/// Returns an amount without the code or sign of a currency before or after it, with which lists show amounts. A filter
/// compares it with amounts in the currency of its field.
fn without_currency(amount: &str) -> &str {
    let mut currencies = COUNTRIES.iter().map(|country| country.currency).chain(CURRENCY_SIGNS);
    let strip = |currency: &str| amount.strip_prefix(currency).or_else(|| amount.strip_suffix(currency));
    currencies.find_map(strip).map_or(amount, str::trim)
}

/// Returns the error of a missing value. It says what its input on the screen asks for.
pub(crate) fn required(kind: Kind) -> &'static Message {
    match kind {
        Kind::Choice(_) | Kind::Flag => text::CHOICE_REQUIRED,
        Kind::Time => text::TIME_REQUIRED,
        _ => text::VALUE_REQUIRED,
    }
}

#[cfg(feature = "schema")]
json_schema!(Operand, {"type": ["boolean", "number", "string", "array"]});

impl Operand {
    /// Converts a text that was typed for a field of this kind to a JSON value. A text that can't be converted stays a
    /// text, which validation rejects.
    pub(super) fn typed(kind: Kind, text: &str) -> Self {
        let trimmed = text.trim();
        let value = match kind {
            Kind::Flag => trimmed.parse().ok().map(Operand::Flag),
            #[expect(clippy::cast_precision_loss, reason = "a number that loses precision is too large for a field")]
            Kind::Number | Kind::Legs => parse_whole(trimmed).map(|number| Operand::Number(number as f64)),
            Kind::Money | Kind::OwnMoney | Kind::Costs | Kind::Percent => {
                let (sign, amount) = trimmed.strip_prefix(['-', '−']).map_or((1.0, trimmed), |amount| (-1.0, amount));
                Money::parse(without_currency(amount)).map(|money| Operand::Number(sign * money.pounds()))
            }
            _ => None,
        };
        value.unwrap_or_else(|| Operand::Text(text.to_owned()))
    }

    /// Returns the values of fields of this kind that the value stands for: a single one, except that a relative date
    /// stands for its days, and a time without seconds for its minute.
    pub(super) fn read(&self, kind: Kind, today: &Today) -> Result<RangeInclusive<Value>, Message> {
        if self.is_blank() {
            return Err(required(kind).into());
        }
        let has_distance = matches!(self, Operand::Text(text) if has_distance(text));
        let expected = match kind {
            Kind::Id => text::AN_ID,
            Kind::Text => text::A_TEXT,
            Kind::Choice(values) => &text::one_of(&values.join(", ")),
            Kind::Flag => text::TRUE_OR_FALSE,
            Kind::Number | Kind::Legs => text::A_NUMBER,
            Kind::Serial(prefix) => &text::a_serial(&format!("{prefix}1042")),
            Kind::Money | Kind::OwnMoney | Kind::Costs | Kind::Percent => text::AN_AMOUNT,
            Kind::Date | Kind::Time if has_distance => &text::a_number_up_to(DISTANCE_MAX.into()),
            Kind::Date => text::A_DATE,
            Kind::Time => text::A_TIME,
        };
        self.values(kind, today).ok_or_else(|| text::wrong_value(expected))
    }

    /// Returns the relative date that the value is in a condition on a field of this kind, if it is one.
    pub(super) fn relative(&self, kind: Kind) -> Option<RelativeDate> {
        match (kind, self) {
            (Kind::Date | Kind::Time, Operand::Text(text)) => RelativeDate::parse(text),
            _ => None,
        }
    }

    fn values(&self, kind: Kind, today: &Today) -> Option<RangeInclusive<Value>> {
        if let Some(relative) = self.relative(kind) {
            return Some(today.values(relative, kind));
        }
        let first = self.convert(kind)?;
        let last = match (&first, self) {
            (Value::Time(start), Operand::Text(text)) if has_no_seconds(text) => Value::Time(start + MINUTE - 1),
            _ => first.clone(),
        };
        Some(first..=last)
    }

    fn convert(&self, kind: Kind) -> Option<Value> {
        let value = match (kind, self) {
            (Kind::Id, Operand::Text(text)) => Value::id(text),
            (Kind::Text, Operand::Text(_)) => Value::Text(self.folded()?),
            (Kind::Choice(values), Operand::Text(text)) if values.contains(&text.as_str()) => Value::choice(text),
            (Kind::Flag, Operand::Flag(flag)) => Value::Flag(*flag),
            (Kind::Serial(prefix), Operand::Text(text)) => Value::serial(prefix, text.trim()),
            (Kind::Number | Kind::Serial(_) | Kind::Legs, Operand::Number(number))
                if number.fract() == 0.0 && number.abs() <= NUMBER_MAX =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "the number is whole and in range")]
                Value::Number(*number as i64)
            }
            (Kind::Money | Kind::OwnMoney | Kind::Costs | Kind::Percent, Operand::Number(amount)) => {
                Value::Money(Money::from_pounds(*amount)?)
            }
            (Kind::Date, Operand::Text(text)) => Value::Date(Date::parse(text)?),
            (Kind::Time, Operand::Text(text)) => Value::time(text),
            _ => return None,
        };
        Some(value).filter(|value| *value != Value::Empty)
    }

    /// Returns whether nothing was typed or chosen.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Operand::Flag(_) | Operand::Number(_) => false,
            Operand::Text(text) => text.trim().is_empty(),
            Operand::List(operands) => operands.is_empty(),
        }
    }

    /// Returns the value with each of its texts converted by this function.
    pub(super) fn map_texts(&self, convert: fn(&str) -> String) -> Self {
        match self {
            Operand::Text(text) => Operand::Text(convert(text)),
            Operand::List(operands) => Operand::List(operands.iter().map(|one| one.map_texts(convert)).collect()),
            Operand::Flag(_) | Operand::Number(_) => self.clone(),
        }
    }

    /// Returns about how many bytes the value takes in JSON.
    pub fn size(&self) -> usize {
        match self {
            Operand::Flag(_) | Operand::Number(_) => 8,
            Operand::Text(text) => 3 + text.chars().map(size_in_json).sum::<usize>(),
            Operand::List(operands) => operands.iter().map(Operand::size).sum(),
        }
    }

    /// Returns whether the value contains a text of more than [`TEXT_MAX`] characters.
    pub(super) fn is_too_long(&self) -> bool {
        match self {
            Operand::Flag(_) | Operand::Number(_) => false,
            Operand::Text(text) => text.chars().count() > TEXT_MAX,
            Operand::List(operands) => operands.iter().any(Operand::is_too_long),
        }
    }

    /// Returns the text folded for comparisons; `None` if the value is not a text, or if nothing is left of it.
    fn folded(&self) -> Option<String> {
        let Operand::Text(text) = self else { return None };
        let mut text = text.clone();
        normalize_lines(&mut text);
        Some(fold(&text)).filter(|folded| !folded.is_empty())
    }
}
