//! Pages of lists with a sort order or a filter of fields. One scan of the corporation's rows gives the page, and with a filter
//! the exact total, which is cached until the list changes.

use super::totals::{self, TOTALS, TotalKey};
use super::{Listing, Selection, State, push_changes, push_page, push_scan, search};
use crate::access::scope::Scope;
use crate::platform::db::{Result, Sql};
use forecourt_core::lists::{Condition, Field, Kind, SORT_MAX, Test, Value};
use std::ops::Bound;
use uuid::Uuid;

/// The names of the sort keys in a statement.
const SORT_KEYS: [&str; SORT_MAX] = ["key1", "key2", "key3", "key4", "key5", "key6", "key7", "key8"];

/// Returns the ids on the page, and the number of all matching rows.
pub(super) async fn ids(
    scope: &Scope,
    listing: &Listing,
    query: &Selection<'_>,
    state: &State,
) -> Result<(Vec<(Uuid,)>, u64)> {
    let has_conditions = query.search.is_some() || !query.filter.is_empty() || !query.arrangement.filter.is_empty();
    let key = TotalKey::new(scope, listing, query);
    let known = if has_conditions { TOTALS.get(&key, state.changes) } else { Some(state.total) };
    if let Some(total) = known {
        let ids = match query.page.offset() < total {
            true => sorted_page(scope, listing, query, state).all().await?,
            false => Vec::new(),
        };
        return Ok((ids, total.unsigned_abs()));
    }
    let page: Vec<(Uuid, i64, i64)> = counted_page(scope, listing, query, state).all().await?;
    let total = match page.first() {
        Some((_, total, changes)) => {
            TOTALS.put(key, *changes, *total);
            *total
        }
        None if query.page.offset() == 0 => 0,
        // The page is behind the last row.
        None => {
            let push = |sql| push_matches(sql, scope, listing, query, state);
            totals::total(scope, listing, query, state.changes, push).await?
        }
    };
    Ok((page.into_iter().map(|(id, ..)| (id,)).collect(), total.unsigned_abs()))
}

/// Builds the query for the ids on a page.
fn sorted_page<'e>(scope: &'e Scope, listing: &Listing, query: &Selection<'_>, state: &State) -> Sql<'e> {
    let sql = push_matches(scope.db().sql("SELECT ").push(listing.id), scope, listing, query, state);
    let sql = query.arrangement.sort.fields().fold(sql.push(" ORDER BY "), |sql, (field, is_descending)| {
        push_key(sql, scope, listing, field).push(direction(is_descending))
    });
    push_page(sql.push(query.filter.order()), query.page)
}

/// Builds the query for the ids on a page, each with the number of all matching rows and the change counter. The whole is a
/// subquery, since only statements that begin with SELECT use SQLite's connections for reading.
fn counted_page<'e>(scope: &'e Scope, listing: &Listing, query: &Selection<'_>, state: &State) -> Sql<'e> {
    let keys = || SORT_KEYS.into_iter().zip(query.arrangement.sort.fields());
    let sql = scope.db().sql("SELECT found, total, changes FROM (WITH matches AS MATERIALIZED (SELECT ");
    let sql =
        sql.push(listing.id).push(" AS found, doc").push(if query.filter.has_days() { ", active_on" } else { "" });
    let sql = keys()
        .fold(sql, |sql, (key, (field, _))| push_key(sql.push(", "), scope, listing, field).push(" AS ").push(key));
    let sql = push_matches(sql, scope, listing, query, state);
    let sql = sql.push(") SELECT found, (SELECT count(*) FROM matches) AS total FROM matches ORDER BY ");
    let sql = keys().fold(sql, |sql, (key, (_, is_descending))| sql.push(key).push(direction(is_descending)));
    let sql = push_page(sql.push(query.filter.order()), query.page);
    push_changes(sql.push(") AS page CROSS JOIN "), scope, listing)
}

/// Appends what a list is sorted by. Texts are in binary order on both databases.
fn push_key<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, field: &Field) -> Sql<'e> {
    let sql = sql.push(listing.column(field));
    match field.kind {
        Kind::Choice(_) => sql.push(scope.db().pick("", " COLLATE \"C\"")),
        _ => sql,
    }
}

fn direction(is_descending: bool) -> &'static str {
    if is_descending { " DESC NULLS LAST, " } else { " NULLS FIRST, " }
}

/// Appends the rows that match all conditions of a query.
fn push_matches<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, query: &Selection<'_>, state: &State) -> Sql<'e> {
    let sql = push_scan(sql, scope, listing, state.first_doc - 1, state.last_doc());
    let sql = query.filter.push_conditions(sql);
    let sql = match query.search {
        Some(text) => search::push_condition(sql, search::Search { scope, listing, query, state, text }),
        None => sql,
    };
    let conditions = query.arrangement.filter.conditions();
    conditions.iter().fold(sql, |sql, condition| push_condition(sql, scope, listing, condition))
}

/// Appends a condition. It has the meaning of [`forecourt_core::lists::Filter::matches`], except that it is NULL for some
/// values that do not match.
fn push_condition<'e>(sql: Sql<'e>, scope: &Scope, listing: &Listing, condition: &Condition) -> Sql<'e> {
    let column = listing.column(condition.field);
    let sql = sql.push(" AND ");
    let position = |sql: Sql<'e>, text: &str| {
        let function = scope.db().pick("instr(", "strpos(");
        sql.push(function).push(column).push_arg(", ", text.to_owned())
    };
    match &condition.test {
        Test::OneOf(values) => {
            let sql = sql.push(column).push(" IN (");
            let sql = values
                .iter()
                .enumerate()
                .fold(sql, |sql, (index, value)| push_value(sql.push(if index == 0 { "" } else { ", " }), value));
            sql.push(")")
        }
        Test::Not(value) => push_value(sql.push(column).push(" IS DISTINCT FROM "), value),
        Test::Contains(part) => position(sql, part).push(") > 0"),
        Test::StartsWith(start) => position(sql, start).push(") = 1"),
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

/// Appends a value in the form in which the columns of its kind have it.
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

impl Listing {
    /// Returns the column of a field; NULL, as that of an empty value, if there is none.
    fn column(&self, field: &Field) -> &'static str {
        self.columns.iter().find(|(name, _)| *name == field.name).map_or("NULL", |(_, column)| column)
    }
}

#[cfg(test)]
mod tests {
    use super::super::LISTINGS;
    use forecourt_core::lists::fields_of;

    #[test]
    fn every_field_has_a_column() {
        for listing in LISTINGS {
            let fields = fields_of(listing.table).unwrap();
            let columns: Vec<_> = listing.columns.iter().map(|(field, _)| *field).collect();
            assert_eq!(columns, fields.iter().map(|field| field.name).collect::<Vec<_>>(), "{}", listing.table);
        }
    }
}
