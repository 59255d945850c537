//! Messages about the sort order, the filter and the export of a list.

use crate::message::{Message, messages};

messages! {
    "lists.";
    FILTER_INVALID = "The filter must be a JSON list of objects with field, op and value.";
    VALUE_REQUIRED = "Enter a value.";
    CHOICE_REQUIRED = "Choose a value.";
    TIME_REQUIRED = "Enter a date and a time.";
    A_TEXT = "a text";
    A_LIST = "a list";
    AN_OBJECT = "an object";
    AN_ID = "an id";
    TRUE_OR_FALSE = "true or false";
    A_NUMBER = "a whole number";
    ANY_NUMBER = "a number";
    AN_AMOUNT = "an amount with at most two decimals";
    A_DATE = "a date, such as 2026-01-31";
    A_TIME = "a time with its offset, such as 2026-01-31T12:00:00Z";
    FORMAT_INVALID = "The format must be 'csv' or 'xlsx'";
    NO_VALUE = "This operator takes no value. Leave the value out.";
    TWO_DATES = "Enter two dates, the earlier one first.";
    TWO_VALUES = "Enter two values, the lower one first.";
    SORTED_TWICE = "The list can be sorted by each field only once. Remove one of them.";
    fn resource_invalid(resources: &str) = "Use one of these resources: {resources}.";
    fn unknown_field(fields: &str) = "This list does not have that field. Use one of: {fields}.";
    fn unknown_operator(operators: &str) = "This field does not have that operator. Use one of: {operators}.";
    fn a_number_from_zero(most: u64) = "a whole number from 0 to {most, number}";
    fn a_number_up_to(most: u64) = "a whole number up to {most, number}";
    fn a_serial(example: &str) = "a number such as {example}";
    fn one_of(values: &str) = "one of: {values}";
    fn wrong_value(expected: &Message) = "Enter {expected}.";
    fn wrong_list(count: u64) = "Enter a list of at most {count} values.";
    fn too_many_columns(most: u64) =
        "A file can have at most {most, number} columns. Filter the list to export fewer other details.";
    fn too_many_conditions(count: u64) = "A filter can have at most {count} conditions. Remove some.";
    fn too_long(count: u64) = "A text in a filter can have at most {count} characters.";
    fn too_many_for_a_sheet(most: u64) = "A sheet can have at most {most, number} rows. Choose CSV, or filter the list.";
    fn too_many_sort_fields(count: u64) = "A list can be sorted by at most {count} fields. Remove some.";
}
