//! The filter of a list: conditions on fields, all of which must be met.

use super::operand::{TEXT_MAX, required};
use super::{Field, Fields, Kind, Operand, Record, Today, Value, field_error, text};
use crate::form::FieldError;
use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::ops::{Bound, RangeBounds, RangeInclusive};

/// Maximum number of conditions in a filter.
pub const CONDITIONS_MAX: usize = 20;
/// Maximum number of values in a condition with the operator `in`.
pub const LIST_MAX: usize = 100;

/// A condition of a filter, as requests send it in JSON.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionInput {
    pub field: String,
    pub op: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Operand>,
}

/// The conditions of a filter.
#[derive(Clone, Debug, Default)]
pub struct Filter(Vec<Condition>);

/// A condition on one field.
#[derive(Clone, Debug)]
pub struct Condition {
    pub field: &'static Field,
    pub test: Test,
}

/// What a field's value must be to meet a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    OneOf(Vec<Value>),
    /// A value within one of these ranges.
    Within(Vec<RangeInclusive<Value>>),
    /// Any other value than this one, also an empty value.
    Not(Value),
    /// Any value outside of this range, also an empty value.
    Outside(RangeInclusive<Value>),
    /// A text that contains this one.
    Contains(String),
    /// A text that begins with this one.
    StartsWith(String),
    Empty,
    NotEmpty,
    /// A value within these bounds. Empty values do not meet the condition.
    Between(Bound<Value>, Bound<Value>),
}

const OF_TEXTS: &[&str] = &["is", "is_not", "in", "contains", "starts_with", "is_empty", "is_not_empty"];
const OF_CHOICES: &[&str] = &["is", "is_not", "in", "is_empty", "is_not_empty"];
const OF_RANGES: &[&str] = &["is", "is_not", "in", "lt", "lte", "gt", "gte", "between", "is_empty", "is_not_empty"];

impl Kind {
    /// Returns the operators that conditions on fields of this kind may have.
    pub fn operators(self) -> &'static [&'static str] {
        match self {
            Kind::Text => OF_TEXTS,
            Kind::Id | Kind::Choice(_) | Kind::Flag => OF_CHOICES,
            Kind::Number
            | Kind::Serial(_)
            | Kind::Money
            | Kind::OwnMoney
            | Kind::Costs
            | Kind::Percent
            | Kind::Legs
            | Kind::Date
            | Kind::Time => OF_RANGES,
        }
    }
}

/// How many values an operator compares a field with.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Operands {
    None,
    One,
    /// A lower and an upper value.
    Two,
    /// A list of at most [`LIST_MAX`] values.
    Many,
}

impl Operands {
    /// Returns how many values an operator compares a field with.
    pub fn of(operator: &str) -> Self {
        match operator {
            "is_empty" | "is_not_empty" => Operands::None,
            "between" => Operands::Two,
            "in" => Operands::Many,
            _ => Operands::One,
        }
    }
}

impl ConditionInput {
    /// Returns the condition for values that were typed into a form. It may be invalid. `field` must be one of
    /// `fields`.
    pub fn typed(fields: &[Field], field: &str, operator: &str, texts: &[String]) -> Self {
        let kind = fields.iter().find(|other| other.name == field).map_or(Kind::Text, |field| field.kind);
        let operands = || texts.iter().map(|text| Operand::typed(kind, text));
        let value = match Operands::of(operator) {
            Operands::None => None,
            Operands::One => operands().next(),
            Operands::Two | Operands::Many => Some(Operand::List(operands().collect())),
        };
        ConditionInput { field: field.to_owned(), op: operator.to_owned(), value }
    }
}

impl Filter {
    /// Validates the conditions of a filter on a list with these fields. Relative dates are counted from `today`.
    ///
    /// # Errors
    /// A validation error for each condition whose field, operator or value is invalid; a single one if there are more
    /// than [`CONDITIONS_MAX`] conditions.
    pub fn read(fields: Fields<'_>, conditions: &[ConditionInput], today: &Today) -> Result<Self, Vec<FieldError>> {
        if conditions.len() > CONDITIONS_MAX {
            let message = text::too_many_conditions(CONDITIONS_MAX as u64);
            return Err(vec![FieldError { field: "filter".into(), message }]);
        }
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        for condition in conditions {
            match Condition::read(fields, condition, today) {
                Ok(condition) => read.push(condition),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(Filter(read)) } else { Err(errors) }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn conditions(&self) -> &[Condition] {
        &self.0
    }

    /// Returns whether a record meets all conditions.
    pub fn matches<R: Record>(&self, record: &R) -> bool {
        self.0.iter().all(|condition| condition.test.matches(&record.value(condition.field.name)))
    }
}

impl Condition {
    fn read(fields: Fields<'_>, input: &ConditionInput, today: &Today) -> Result<Self, FieldError> {
        let field = fields.find(&input.field, "filter")?;
        let normalized = field.normalize.and_then(|normalize| Some(input.value.as_ref()?.map_texts(normalize)));
        let test = Test::read(field.kind, &input.op, normalized.as_ref().or(input.value.as_ref()), today);
        test.map(|test| Condition { field, test }).map_err(|message| field_error("filter", field.name, message))
    }
}

impl Test {
    fn read(kind: Kind, operator: &str, operand: Option<&Operand>, today: &Today) -> Result<Self, Message> {
        if !kind.operators().contains(&operator) {
            return Err(text::unknown_operator(&kind.operators().join(", ")));
        }
        if operand.is_some_and(Operand::is_too_long) {
            return Err(text::too_long(TEXT_MAX as u64));
        }
        // Stands for a missing value: an empty list is blank.
        let missing = Operand::List(Vec::new());
        let values = || operand.unwrap_or(&missing).read(kind, today);
        let first = || values().map(|values| values.into_inner().0);
        let last = || values().map(|values| values.into_inner().1);
        let text = || match first()? {
            Value::Text(text) => Ok(text),
            _ => Err(text::wrong_value(text::A_TEXT)),
        };
        let list = |sizes: RangeInclusive<usize>, error: Message| match operand {
            Some(Operand::List(operands)) if sizes.contains(&operands.len()) => {
                operands.iter().map(|operand| operand.read(kind, today)).collect::<Result<Vec<_>, _>>()
            }
            _ => Err(error),
        };
        let test = match operator {
            "is" => Test::one_of(vec![values()?]),
            "is_not" => match values()?.into_inner() {
                (first, last) if first == last => Test::Not(first),
                (first, last) => Test::Outside(first..=last),
            },
            "in" if operand.is_none_or(Operand::is_blank) => return Err(required(kind).into()),
            "in" => Test::one_of(list(1..=LIST_MAX, text::wrong_list(LIST_MAX as u64))?),
            "contains" => Test::Contains(text()?),
            "starts_with" => Test::StartsWith(text()?),
            "lt" => Test::Between(Bound::Unbounded, Bound::Excluded(first()?)),
            "lte" => Test::Between(Bound::Unbounded, Bound::Included(last()?)),
            "gt" => Test::Between(Bound::Excluded(last()?), Bound::Unbounded),
            "gte" => Test::Between(Bound::Included(first()?), Bound::Unbounded),
            "between" => {
                let wrong = if matches!(kind, Kind::Date | Kind::Time) { text::TWO_DATES } else { text::TWO_VALUES };
                match <[_; 2]>::try_from(list(2..=2, wrong.into())?) {
                    Ok([low, high]) if !is_reversed(kind, operand, &low, &high) => {
                        Test::Between(Bound::Included(low.into_inner().0), Bound::Included(high.into_inner().1))
                    }
                    _ => return Err(wrong.into()),
                }
            }
            _ if operand.is_some() => return Err(text::NO_VALUE.into()),
            "is_empty" => Test::Empty,
            _ => Test::NotEmpty,
        };
        Ok(test)
    }

    fn one_of(ranges: Vec<RangeInclusive<Value>>) -> Self {
        if ranges.iter().any(|range| range.start() != range.end()) {
            return Test::Within(ranges);
        }
        Test::OneOf(ranges.into_iter().map(|range| range.into_inner().0).collect())
    }

    fn matches(&self, value: &Value) -> bool {
        let text_meets = |text: &str, matches: fn(&str, &str) -> bool| match value {
            Value::Text(value) => matches(value, text),
            _ => false,
        };
        match self {
            Test::OneOf(values) => values.contains(value),
            Test::Within(ranges) => ranges.iter().any(|range| range.contains(value)),
            Test::Not(other) => value != other,
            Test::Outside(range) => !range.contains(value),
            Test::Contains(part) => text_meets(part, |value, part| value.contains(part)),
            Test::StartsWith(start) => text_meets(start, |value, start| value.starts_with(start)),
            Test::Empty => *value == Value::Empty,
            Test::NotEmpty => *value != Value::Empty,
            Test::Between(low, high) => *value != Value::Empty && (low.as_ref(), high.as_ref()).contains(value),
        }
    }
}

/// Returns whether the two values of a range, `operand`, are in the wrong order on every day. A range that only
/// some days leave empty is valid.
fn is_reversed(
    kind: Kind,
    operand: Option<&Operand>,
    low: &RangeInclusive<Value>,
    high: &RangeInclusive<Value>,
) -> bool {
    let relative = |index: usize| match operand {
        Some(Operand::List(operands)) => operands.get(index)?.relative(kind),
        _ => None,
    };
    match (relative(0), relative(1)) {
        (Some(low), Some(high)) => low.is_always_after(high),
        (None, None) => low.start() > high.end(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
