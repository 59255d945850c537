//! Values of a filter as they arrive in JSON, and their conversion to the type of a field.

use super::{Kind, Value, text};
use crate::date::Date;
use crate::form::normalize_line;
use crate::message::Message;
use crate::money::Money;
use crate::text::{fold, parse_whole};
use serde::{Deserialize, Serialize};

/// The largest whole number that a double represents exactly.
const NUMBER_MAX: f64 = 9_007_199_254_740_991.0;

/// Maximum length of a text in a filter, in characters.
pub(super) const TEXT_MAX: usize = 500;

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
                Money::parse(trimmed).map(|money| Operand::Number(money.pounds()))
            }
            _ => None,
        };
        value.unwrap_or_else(|| Operand::Text(text.to_owned()))
    }

    /// Converts the value to one that can be compared with fields of this kind.
    pub(super) fn read(&self, kind: Kind) -> Result<Value, Message> {
        if self.is_blank() {
            return Err(required(kind).into());
        }
        let expected = match kind {
            Kind::Id => text::AN_ID,
            Kind::Text => text::A_TEXT,
            Kind::Choice(values) => &text::one_of(&values.join(", ")),
            Kind::Flag => text::TRUE_OR_FALSE,
            Kind::Number | Kind::Legs => text::A_NUMBER,
            Kind::Serial(prefix) => &text::a_serial(&format!("{prefix}1042")),
            Kind::Money | Kind::OwnMoney | Kind::Costs | Kind::Percent => text::AN_AMOUNT,
            Kind::Date => text::A_DATE,
            Kind::Time => text::A_TIME,
        };
        self.convert(kind).ok_or_else(|| text::wrong_value(expected))
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
        normalize_line(&mut text);
        Some(fold(&text)).filter(|folded| !folded.is_empty())
    }
}
