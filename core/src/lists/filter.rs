//! The filter of a list: conditions on fields, all of which must be met.

use super::operand::{TEXT_MAX, required};
use super::{Field, Fields, Kind, Operand, Record, Value, field_error, text};
use crate::form::FieldError;
use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::ops::{Bound, RangeBounds};

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
    /// Any other value than this one, also an empty value.
    Not(Value),
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
    /// Validates the conditions of a filter on a list with these fields.
    ///
    /// # Errors
    /// A validation error for each condition whose field, operator or value is invalid; a single one if there are more
    /// than [`CONDITIONS_MAX`] conditions.
    pub fn read(fields: Fields<'_>, conditions: &[ConditionInput]) -> Result<Self, Vec<FieldError>> {
        if conditions.len() > CONDITIONS_MAX {
            let message = text::too_many_conditions(CONDITIONS_MAX as u64);
            return Err(vec![FieldError { field: "filter".into(), message }]);
        }
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        for condition in conditions {
            match Condition::read(fields, condition) {
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
    fn read(fields: Fields<'_>, input: &ConditionInput) -> Result<Self, FieldError> {
        let field = fields.find(&input.field, "filter")?;
        let normalized = field.normalize.and_then(|normalize| Some(input.value.as_ref()?.map_texts(normalize)));
        let test = Test::read(field.kind, &input.op, normalized.as_ref().or(input.value.as_ref()));
        test.map(|test| Condition { field, test }).map_err(|message| field_error("filter", field.name, message))
    }
}

impl Test {
    fn read(kind: Kind, operator: &str, operand: Option<&Operand>) -> Result<Self, Message> {
        if !kind.operators().contains(&operator) {
            return Err(text::unknown_operator(&kind.operators().join(", ")));
        }
        if operand.is_some_and(Operand::is_too_long) {
            return Err(text::too_long(TEXT_MAX as u64));
        }
        // Stands for a missing value: an empty list is blank.
        let missing = Operand::List(Vec::new());
        let value = || operand.unwrap_or(&missing).read(kind);
        let text = || match value()? {
            Value::Text(text) => Ok(text),
            _ => Err(text::wrong_value(text::A_TEXT)),
        };
        let list = |sizes: std::ops::RangeInclusive<usize>, error: Message| match operand {
            Some(Operand::List(operands)) if sizes.contains(&operands.len()) => {
                operands.iter().map(|operand| operand.read(kind)).collect::<Result<Vec<_>, _>>()
            }
            _ => Err(error),
        };
        let test = match operator {
            "is" => Test::OneOf(vec![value()?]),
            "is_not" => Test::Not(value()?),
            "in" if operand.is_none_or(Operand::is_blank) => return Err(required(kind).into()),
            "in" => Test::OneOf(list(1..=LIST_MAX, text::wrong_list(LIST_MAX as u64))?),
            "contains" => Test::Contains(text()?),
            "starts_with" => Test::StartsWith(text()?),
            "lt" => Test::Between(Bound::Unbounded, Bound::Excluded(value()?)),
            "lte" => Test::Between(Bound::Unbounded, Bound::Included(value()?)),
            "gt" => Test::Between(Bound::Excluded(value()?), Bound::Unbounded),
            "gte" => Test::Between(Bound::Included(value()?), Bound::Unbounded),
            "between" => {
                let wrong = if matches!(kind, Kind::Date | Kind::Time) { text::TWO_DATES } else { text::TWO_VALUES };
                match <[Value; 2]>::try_from(list(2..=2, wrong.into())?) {
                    Ok([low, high]) if low <= high => Test::Between(Bound::Included(low), Bound::Included(high)),
                    _ => return Err(wrong.into()),
                }
            }
            _ if operand.is_some() => return Err(text::NO_VALUE.into()),
            "is_empty" => Test::Empty,
            _ => Test::NotEmpty,
        };
        Ok(test)
    }

    fn matches(&self, value: &Value) -> bool {
        let text_meets = |text: &str, matches: fn(&str, &str) -> bool| match value {
            Value::Text(value) => matches(value, text),
            _ => false,
        };
        match self {
            Test::OneOf(values) => values.contains(value),
            Test::Not(other) => value != other,
            Test::Contains(part) => text_meets(part, |value, part| value.contains(part)),
            Test::StartsWith(start) => text_meets(start, |value, start| value.starts_with(start)),
            Test::Empty => *value == Value::Empty,
            Test::NotEmpty => *value != Value::Empty,
            Test::Between(low, high) => *value != Value::Empty && (low.as_ref(), high.as_ref()).contains(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Personal};
    use super::*;
    use crate::date::Date;
    use crate::money::Money;
    use serde_json::{Value as Json, json};

    struct Car {
        name: &'static str,
        fuel: &'static str,
        sold: &'static str,
        price: i64,
    }

    impl Record for Car {
        const FIELDS: &'static [Field] = &[
            Field::text(Personal::Business).named("name"),
            Field::new(Kind::Choice(&["Petrol", "Electric"])).named("fuel"),
            Field::new(Kind::Date).named("sold"),
            Field::new(Kind::Money).named("price"),
            Field::new(Kind::Number).named("doors"),
            Field::new(Kind::Serial("C-")).named("number"),
            Field::new(Kind::Time).named("at"),
            Field::new(Kind::Flag).named("is_new"),
            Field::new(Kind::Id).named("id"),
        ];

        fn cell(&self, field: &str) -> Cell<'_> {
            match field {
                "name" => Cell::Text(self.name),
                "fuel" => Cell::Choice(self.fuel),
                "sold" => Date::parse(self.sold).map_or(Cell::Empty, Cell::Date),
                "price" => Cell::Money(Money::saturating_from_pence(self.price)),
                "doors" => Cell::Number(5),
                "number" => Cell::Serial("C-", "C-1042"),
                "at" => Cell::Time("2026-03-29T01:30:00Z"),
                "is_new" => Cell::Flag(true),
                _ => Cell::Id("00000000-0000-0000-0000-00000000000a"),
            }
        }
    }

    const CAR: Car = Car { name: "Citroën DS", fuel: "Petrol", sold: "2026-02-28", price: 19_99 };
    const EMPTY: Car = Car { name: "", fuel: "", sold: "", price: 0 };

    fn read(filter: Json) -> Result<Filter, Vec<(String, String)>> {
        let conditions: Vec<ConditionInput> = serde_json::from_value(filter).unwrap();
        let texts = |errors: Vec<FieldError>| errors.into_iter().map(|e| (e.field, e.message.into())).collect();
        Filter::read(Fields::all(Car::FIELDS), &conditions).map_err(texts)
    }

    fn matches(car: &Car, field: &str, op: &str, value: Json) -> bool {
        read(json!([{"field": field, "op": op, "value": value}])).unwrap().matches(car)
    }

    fn error(field: &str, op: &str, value: Json) -> String {
        let [(name, message)] = &read(json!([{"field": field, "op": op, "value": value}])).unwrap_err()[..] else {
            panic!("one condition has one error")
        };
        assert_eq!(*name, format!("filter.{field}"));
        message.clone()
    }

    #[test]
    fn text_operators_ignore_case_and_accents() {
        for (op, value, expected) in [
            ("is", json!("CITROEN ds"), true),
            ("is", json!("Citroën"), false),
            ("is_not", json!("Citroën"), true),
            ("in", json!(["Saab", "citroën DS"]), true),
            ("contains", json!("ËN D"), true),
            ("contains", json!("%"), false),
            ("starts_with", json!("citroe"), true),
            ("starts_with", json!("ds"), false),
        ] {
            assert_eq!(matches(&CAR, "name", op, value.clone()), expected, "{op} {value}");
        }
    }

    #[test]
    fn an_empty_field_meets_only_conditions_with_is_empty_or_is_not() {
        for field in ["name", "fuel", "sold"] {
            assert!(matches(&EMPTY, field, "is_empty", Json::Null) && !matches(&CAR, field, "is_empty", Json::Null));
            assert!(matches(&CAR, field, "is_not_empty", Json::Null));
            assert!(!matches(&EMPTY, field, "is_not_empty", Json::Null));
        }
        assert!(matches(&EMPTY, "name", "is_not", json!("x")) && matches(&EMPTY, "fuel", "is_not", json!("Petrol")));
        assert!(!matches(&EMPTY, "sold", "lt", json!("9999-12-31")));
        assert!(!matches(&EMPTY, "name", "contains", json!("x")));
    }

    #[test]
    fn ranges_compare_typed_values() {
        for (field, op, value, expected) in [
            ("sold", "between", json!(["2026-02-28", "2026-02-28"]), true),
            ("sold", "gt", json!("2026-02-28"), false),
            ("sold", "gte", json!("2026-02-28"), true),
            ("price", "lt", json!(20), true),
            ("price", "lte", json!(19.99), true),
            ("price", "lt", json!(19.99), false),
            ("price", "is", json!(19.99), true),
            ("doors", "gt", json!(10), false),
            ("number", "is", json!(" c-1042 "), true),
            ("number", "gt", json!("C-999"), true),
            ("number", "between", json!([1042, "1043"]), true),
            ("at", "is", json!("2026-03-29T03:30:00+02:00"), true),
            ("at", "lt", json!("2026-03-29T02:30:00+02:00"), false),
            ("is_new", "is", json!(true), true),
            ("id", "in", json!(["00000000-0000-0000-0000-00000000000A"]), true),
        ] {
            assert_eq!(matches(&CAR, field, op, value.clone()), expected, "{field} {op} {value}");
        }
    }

    #[test]
    fn all_conditions_must_be_met() {
        let both = |price: i64| {
            read(
                json!([{"field": "name", "op": "contains", "value": "ds"}, {"field": "price", "op": "gt", "value": price}]),
            )
        };
        assert!(both(19).unwrap().matches(&CAR) && !both(20).unwrap().matches(&CAR));
        assert!(read(json!([])).unwrap().matches(&CAR));
    }

    #[test]
    fn errors_name_the_field_and_what_is_allowed() {
        assert_eq!(
            error("colour", "is", json!("red")),
            "This list does not have that field. Use one of: name, fuel, sold, price, doors, number, at, is_new, id."
        );
        assert_eq!(
            error("name", "lt", json!("x")),
            "This field does not have that operator. Use one of: is, is_not, in, contains, starts_with, is_empty, \
             is_not_empty."
        );
        for (field, op, value, expected) in [
            ("name", "is", json!(1), "a text"),
            ("name", "contains", json!(" \u{0} "), "a text"),
            ("fuel", "is", json!("petrol"), "one of: Petrol, Electric"),
            ("sold", "lt", json!("2026-02-29"), "a date, such as 2026-01-31"),
            ("price", "is", json!("1"), "an amount with at most two decimals"),
            ("price", "is", json!(1.001), "an amount with at most two decimals"),
            ("doors", "in", json!([5, 5.5]), "a whole number"),
            ("doors", "is", json!(1e300), "a whole number"),
            ("number", "is", json!("C-"), "a number such as C-1042"),
            ("number", "in", json!([1.5]), "a number such as C-1042"),
            ("at", "gt", json!("2026-01-01"), "a time with its offset, such as 2026-01-31T12:00:00Z"),
            ("is_new", "is", json!("true"), "true or false"),
            ("id", "is", json!("a"), "an id"),
        ] {
            assert_eq!(error(field, op, value), format!("Enter {expected}."));
        }
        assert_eq!(error("name", "is_empty", json!("x")), text::NO_VALUE.as_str());
        for value in [json!([1]), json!([1, 2, 3]), json!([2, 1]), json!(1), Json::Null] {
            assert_eq!(error("doors", "between", value), text::TWO_VALUES.as_str());
        }
        for (field, value) in [
            ("sold", json!(["2026-02-28", "2026-02-01"])),
            ("at", json!(["2026-02-28T12:00:00Z", "2026-02-28T11:00:00Z"])),
        ] {
            assert_eq!(error(field, "between", value), text::TWO_DATES.as_str());
        }
        for value in [json!("x"), json!(vec!["x"; LIST_MAX + 1])] {
            assert_eq!(error("name", "in", value), "Enter a list of at most 100 values.");
        }
    }

    #[test]
    fn a_missing_value_is_asked_for_by_the_kind_of_its_field() {
        for (field, expected) in [
            ("name", "Enter a value."),
            ("price", "Enter a value."),
            ("sold", "Enter a value."),
            ("fuel", "Choose a value."),
            ("is_new", "Choose a value."),
            ("at", "Enter a date and a time."),
        ] {
            for (op, value) in [("is", json!(" ")), ("is", Json::Null), ("in", json!([])), ("in", json!([""]))] {
                assert_eq!(error(field, op, value.clone()), expected, "{field} {op} {value}");
            }
        }
        assert_eq!(error("name", "contains", Json::Null), "Enter a value.");
        assert_eq!(error("doors", "between", json!(["", 2])), "Enter a value.");
    }

    #[test]
    fn limits_the_length_of_texts() {
        let text = |length| json!("å".repeat(length));
        for (op, value) in [("is", text(TEXT_MAX)), ("in", json!(["a", text(TEXT_MAX)]))] {
            assert!(read(json!([{"field": "name", "op": op, "value": value}])).is_ok(), "{op}");
        }
        for (field, op, value) in [
            ("name", "contains", text(TEXT_MAX + 1)),
            ("name", "in", json!(["a", text(TEXT_MAX + 1)])),
            ("sold", "is", text(TEXT_MAX + 1)),
        ] {
            assert_eq!(error(field, op, value), "A text in a filter can have at most 500 characters.");
        }
    }

    #[test]
    fn typed_values_are_read_by_the_kind_of_their_field() {
        let typed = |field: &str, op: &str, texts: &[&str]| {
            let texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
            ConditionInput::typed(Car::FIELDS, field, op, &texts)
        };
        for (field, op, texts, expected) in [
            ("name", "contains", &["citroën"][..], true),
            ("name", "in", &["Saab", "citroen ds"], true),
            ("name", "is_empty", &["ignored"], false),
            ("fuel", "in", &["Petrol"], true),
            ("price", "between", &[" 19.99", "20"], true),
            ("doors", "gt", &["4 "], true),
            ("is_new", "is", &["false"], false),
            ("sold", "gte", &["2026-02-28"], true),
            ("at", "lt", &["2027-01-01T00:00:00.000Z"], true),
        ] {
            let filter = Filter::read(Fields::all(Car::FIELDS), &[typed(field, op, texts)]).unwrap();
            assert_eq!(filter.matches(&CAR), expected, "{field} {op} {texts:?}");
        }
        for (field, op, texts) in [("price", "is", &["1.999"][..]), ("doors", "lt", &["five"]), ("name", "is", &[])] {
            assert!(
                Filter::read(Fields::all(Car::FIELDS), &[typed(field, op, texts)]).is_err(),
                "{field} {op} {texts:?}"
            );
        }
    }

    #[test]
    fn limits_the_number_of_conditions() {
        let filter = |count| read(json!(vec![json!({"field": "name", "op": "is_empty"}); count]));
        assert!(filter(CONDITIONS_MAX).is_ok());
        let errors = filter(CONDITIONS_MAX + 1).unwrap_err();
        assert_eq!(errors, [("filter".to_owned(), "A filter can have at most 20 conditions. Remove some.".to_owned())]);
    }

    #[test]
    fn a_condition_with_an_unknown_member_is_rejected() {
        let read = |json: &str| serde_json::from_str::<ConditionInput>(json).is_ok();
        assert!(read(r#"{"field":"name","op":"is_empty","value":null}"#));
        assert!(!read(r#"{"field":"name","operator":"is_empty"}"#));
        assert!(!read(r#"{"field":"name","op":"is","value":{}}"#));
        assert!(!read(r#"{"field":"name","op":"is","value":"a","not":true}"#));
    }
}
