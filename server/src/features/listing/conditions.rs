//! The conditions of a filter of fields, as SQL.

use super::Listing;
use super::columns::Column;
use crate::platform::db::Sql;
use forecourt_core::lists::{Condition, Kind, Test, Value};
use std::ops::{Bound, RangeInclusive};
use uuid::Uuid;

/// Appends a condition on a field. Its meaning is that of [`forecourt_core::lists::Filter::matches`], except that it is
/// NULL instead of false for some values.
pub(super) fn push_condition<'e>(sql: Sql<'e>, listing: &Listing, condition: &Condition) -> Sql<'e> {
    push_test(sql, listing.column(condition.field), condition)
}

/// Appends the condition on the key of a sort row, as [`push_condition`] does on the row.
pub(super) fn push_key_condition<'e>(sql: Sql<'e>, column: &Column, condition: &Condition) -> Sql<'e> {
    // -1 is the key of NULL (migrations/sqlite/0034_sort_rows.sql).
    let value = if column.is_signed { "key" } else { "nullif(key, -1)" };
    let sql = push_test(sql, value, condition);
    // Redundant, but SQLite can find these keys by the primary key.
    match &condition.test {
        Test::OneOf(values) => push_one_of(sql.push(" AND "), "key", values),
        Test::Within(ranges) => push_within(sql.push(" AND "), "key", ranges),
        Test::Between(low, high) => {
            let sql = push_bound(sql, "key", [" >= ", " > "], low);
            push_bound(sql, "key", [" <= ", " < "], high)
        }
        _ => sql,
    }
}

/// Appends the condition on an SQL expression of its field's value.
fn push_test<'e>(sql: Sql<'e>, column: &'static str, condition: &Condition) -> Sql<'e> {
    let sql = sql.push(" AND ");
    match &condition.test {
        Test::OneOf(values) => push_one_of(sql, column, values),
        Test::Within(ranges) => push_within(sql, column, ranges),
        Test::Not(value) => push_value(sql.push(column).push(" IS DISTINCT FROM "), value),
        Test::Outside(range) => {
            let sql = sql.push("(").push(column).push(" IS NULL OR NOT ");
            push_within(sql, column, std::slice::from_ref(range)).push(")")
        }
        Test::Contains(part) => sql.position(column, part).push(" > 0"),
        Test::StartsWith(start) => sql.position(column, start).push(" = 1"),
        Test::Empty if condition.field.kind == Kind::Text => sql.push("coalesce(").push(column).push(", '') = ''"),
        Test::Empty => sql.push(column).push(" IS NULL"),
        Test::NotEmpty if condition.field.kind == Kind::Text => sql.push(column).push(" <> ''"),
        Test::NotEmpty => sql.push(column).push(" IS NOT NULL"),
        Test::Between(low, high) => {
            let sql = push_bound(sql.push("TRUE"), column, [" >= ", " > "], low);
            push_bound(sql, column, [" <= ", " < "], high)
        }
    }
}

fn push_one_of<'e>(sql: Sql<'e>, column: &'static str, values: &[Value]) -> Sql<'e> {
    sql.push(column).push(" IN (").joined(", ", values, push_value).push(")")
}

/// Appends the condition that a value is within one of the ranges, in parentheses.
fn push_within<'e>(sql: Sql<'e>, column: &'static str, ranges: &[RangeInclusive<Value>]) -> Sql<'e> {
    let push_range = |sql: Sql<'e>, range: &RangeInclusive<Value>| {
        push_value(push_value(sql.push(column).push(" BETWEEN "), range.start()).push(" AND "), range.end())
    };
    sql.push("(").joined(" OR ", ranges, push_range).push(")")
}

fn push_bound<'e>(
    sql: Sql<'e>,
    column: &'static str,
    [inclusive, exclusive]: [&'static str; 2],
    bound: &Bound<Value>,
) -> Sql<'e> {
    let (operator, value) = match bound {
        Bound::Included(value) => (inclusive, value),
        Bound::Excluded(value) => (exclusive, value),
        Bound::Unbounded => return sql,
    };
    push_value(sql.push(" AND ").push(column).push(operator), value)
}

/// Appends a value as it is stored in columns of its kind.
fn push_value<'e>(sql: Sql<'e>, value: &Value) -> Sql<'e> {
    match value {
        Value::Empty => sql.push("NULL"),
        Value::Id(id) => sql.arg(Uuid::from_u128(*id)),
        Value::Text(text) | Value::Choice(text) => sql.arg(text.clone()),
        Value::Flag(flag) => sql.arg(*flag),
        Value::Number(number) => sql.arg(*number),
        Value::Money(money) => sql.arg(money.pence()),
        Value::Date(date) => sql.arg(date.to_string()),
        Value::Time(micros) => sql.arg(*micros),
    }
}
