use super::super::{Cell, Personal};
use super::*;
use crate::date::Date;
use crate::money::Money;
use jiff::Timestamp;
use jiff::tz::TimeZone;
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

/// 1 March 2026, with an offset of two hours.
fn today() -> Today {
    let now: Timestamp = "2026-02-28T22:30:00Z".parse().unwrap();
    Today::new(now.as_microsecond(), TimeZone::fixed(jiff::tz::offset(2)))
}

fn read(filter: Json) -> Result<Filter, Vec<(String, String)>> {
    let conditions: Vec<ConditionInput> = serde_json::from_value(filter).unwrap();
    let texts = |errors: Vec<FieldError>| errors.into_iter().map(|e| (e.field, e.message.into())).collect();
    Filter::read(Fields::all(Car::FIELDS), &conditions, &today()).map_err(texts)
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
fn a_text_with_line_breaks_equals_itself() {
    let car = Car { name: "Storgatan 1\nLund", ..CAR };
    assert!(matches(&car, "name", "is", json!(" storgatan 1\nLund\n")));
    assert!(!matches(&car, "name", "is", json!("Storgatan 1 Lund")));
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
fn a_relative_date_is_compared_as_its_whole_day_month_or_year() {
    let meets = |sold: &'static str, op: &str, value: Json| matches(&Car { sold, ..CAR }, "sold", op, value);
    for (op, value, [day_before, first, last, day_after]) in [
        ("is", json!("month-1"), [false, true, true, false]),
        ("in", json!(["month-1"]), [false, true, true, false]),
        ("is_not", json!("month-1"), [true, false, false, true]),
        ("lt", json!("month-1"), [true, false, false, false]),
        ("lte", json!("month-1"), [true, true, true, false]),
        ("gt", json!("month-1"), [false, false, false, true]),
        ("gte", json!("month-1"), [false, true, true, true]),
        ("between", json!(["month-1", "month-1"]), [false, true, true, false]),
        ("between", json!(["month-1", "today-2"]), [false, true, false, false]),
        ("between", json!(["2026-02-28", "today"]), [false, false, true, true]),
        ("in", json!(["2026-01-31", "today"]), [true, false, false, true]),
        ("is", json!("year"), [true, true, true, true]),
        ("is", json!("year-1"), [false, false, false, false]),
    ] {
        for (sold, expected) in
            [("2026-01-31", day_before), ("2026-02-01", first), ("2026-02-28", last), ("2026-03-01", day_after)]
        {
            assert_eq!(meets(sold, op, value.clone()), expected, "{sold} {op} {value}");
        }
    }
    assert!(matches(&EMPTY, "sold", "is_not", json!("month")) && !matches(&EMPTY, "sold", "lte", json!("month")));
}

#[test]
fn a_time_without_seconds_is_its_whole_minute() {
    let meets = |at: &'static str, op: &str, value: Json| {
        let condition: ConditionInput =
            serde_json::from_value(json!({"field": "at", "op": op, "value": value})).unwrap();
        let filter = Filter::read(Fields::all(Car::FIELDS), &[condition], &today()).unwrap();
        filter.conditions()[0].test.matches(&Value::time(at))
    };
    for (op, value, [before, first, last, after]) in [
        ("is", json!("2026-03-29T01:30Z"), [false, true, true, false]),
        ("is", json!("2026-03-29T03:30+02:00"), [false, true, true, false]),
        ("is", json!("2026-03-29T01:30:00Z"), [false, true, false, false]),
        ("in", json!(["2026-03-29T01:30Z", "2026-03-29T01:31:00Z"]), [false, true, true, true]),
        ("is_not", json!("2026-03-29T01:30Z"), [true, false, false, true]),
        ("lt", json!("2026-03-29T01:30Z"), [true, false, false, false]),
        ("lte", json!("2026-03-29T01:30Z"), [true, true, true, false]),
        ("gt", json!("2026-03-29T01:30Z"), [false, false, false, true]),
        ("gte", json!("2026-03-29T01:30Z"), [false, true, true, true]),
        ("between", json!(["2026-03-29T01:29:59.999Z", "2026-03-29T01:30Z"]), [true, true, true, false]),
        ("between", json!(["2026-03-29T01:30Z", "2026-03-29T01:30Z"]), [false, true, true, false]),
    ] {
        for (at, expected) in [
            ("2026-03-29T01:29:59.999Z", before),
            ("2026-03-29T01:30:00.000Z", first),
            ("2026-03-29T01:30:59.999Z", last),
            ("2026-03-29T01:31:00.000Z", after),
        ] {
            assert_eq!(meets(at, op, value.clone()), expected, "{at} {op} {value}");
        }
    }
    for (at, expected) in [
        ("2026-02-28T21:59:59.999Z", false),
        ("2026-02-28T22:00:00.000Z", true),
        ("2026-03-01T21:59:59.999Z", true),
        ("2026-03-01T22:00:00.000Z", false),
    ] {
        assert_eq!(meets(at, "is", json!("today")), expected, "{at}");
    }
}

#[test]
fn which_relative_dates_are_valid_does_not_depend_on_the_day() {
    for field in ["sold", "at"] {
        for value in ["today-", "today+x", "month-10000", "year--1"] {
            assert_eq!(error(field, "is", json!(value)), "Enter a whole number up to 9,999.", "{value}");
        }
        for value in ["week", "Today", "months", "today 1"] {
            let expected = text::wrong_value(if field == "sold" { text::A_DATE } else { text::A_TIME });
            assert_eq!(error(field, "is", json!(value)), expected.as_str(), "{value}");
        }
        for value in [json!(["today", "today-1"]), json!(["month+1", "month"])] {
            assert_eq!(error(field, "between", value), text::TWO_DATES.as_str());
        }
        // Only on some days is the end before the start.
        for value in [json!(["today", "month"]), json!(["month", "today-5"]), json!(["today", "today"])] {
            assert!(read(json!([{"field": field, "op": "between", "value": value}])).is_ok(), "{value}");
        }
    }
    assert!(!matches(&CAR, "sold", "between", json!(["month", "today-1"])));
    assert!(matches(&Car { name: "Today", ..CAR }, "name", "is", json!("today")));
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
    for (field, value) in
        [("sold", json!(["2026-02-28", "2026-02-01"])), ("at", json!(["2026-02-28T12:00:00Z", "2026-02-28T11:00:00Z"]))]
    {
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
        ("price", "between", &["-1,000.50", "−5"], false),
        ("price", "gt", &["-0.01"], true),
        ("price", "in", &["SEK 1,000.50", "5 kr", "7\u{a0}Nkr", "£19.99"], true),
        ("price", "between", &["−€5", "19,98\u{a0}EUR"], false),
        ("doors", "gt", &["4 "], true),
        ("is_new", "is", &["false"], false),
        ("sold", "gte", &["2026-02-28"], true),
        ("at", "lt", &["2027-01-01T00:00:00.000Z"], true),
        ("at", "gte", &["today"], true),
    ] {
        let filter = Filter::read(Fields::all(Car::FIELDS), &[typed(field, op, texts)], &today()).unwrap();
        assert_eq!(filter.matches(&CAR), expected, "{field} {op} {texts:?}");
    }
    for (field, op, texts) in [
        ("price", "is", &["1.999"][..]),
        ("price", "is", &["--5"]),
        ("price", "is", &["SEK"]),
        ("doors", "lt", &["five"]),
        ("name", "is", &[]),
    ] {
        assert!(
            Filter::read(Fields::all(Car::FIELDS), &[typed(field, op, texts)], &today()).is_err(),
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
