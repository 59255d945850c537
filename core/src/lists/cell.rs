//! A value of a record's field, as the record has it.

use super::{Kind, Value};
use crate::agreements::Leg;
use crate::date::Date;
use crate::import::formula;
use crate::money::Money;
use crate::users::UserRole;
use crate::vehicles::{Cost, costs_net};
use std::borrow::Cow;

/// A field's value as the record has it, before it is normalized for comparisons. An empty text, choice or list is
/// compared as [`Cell::Empty`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    Empty,
    Id(&'a str),
    Text(&'a str),
    Choice(&'a str),
    Flag(bool),
    Number(i64),
    /// A running number: its prefix, and the whole text, such as `C-1042`.
    Serial(&'static str, &'a str),
    Money(Money),
    /// The costs of a vehicle.
    Costs(&'a [Cost]),
    Legs(&'a [Leg]),
    Date(Date),
    /// RFC 3339.
    Time(&'a str),
}

impl<'a> Cell<'a> {
    /// Returns the value normalized for comparisons.
    pub fn value(self) -> Value {
        match self {
            Cell::Empty => Value::Empty,
            Cell::Id(text) => Value::id(text),
            Cell::Text(text) => Value::text(text),
            Cell::Choice(text) => Value::choice(text),
            Cell::Flag(flag) => Value::Flag(flag),
            Cell::Number(number) => Value::Number(number),
            Cell::Serial(prefix, text) => Value::serial(prefix, text),
            Cell::Money(money) => Value::Money(money),
            Cell::Costs(costs) => costs_net(costs).map_or(Value::Empty, Value::Money),
            Cell::Legs([]) => Value::Empty,
            Cell::Legs(legs) => Value::Number(i64::try_from(legs.len()).unwrap_or(i64::MAX)),
            Cell::Date(date) => Value::Date(date),
            Cell::Time(text) => Value::time(text),
        }
    }

    /// Returns the value as a text of an exported file. A text that a spreadsheet program could take for a formula is
    /// escaped, and the import removes the escape.
    pub fn exported(self) -> Cow<'a, str> {
        match self {
            Cell::Empty => "".into(),
            Cell::Text(text) | Cell::Choice(text) => formula::escape_numbers(text),
            Cell::Id(text) | Cell::Serial(_, text) | Cell::Time(text) => text.into(),
            Cell::Flag(flag) => if flag { "true" } else { "false" }.into(),
            Cell::Number(number) => number.to_string().into(),
            Cell::Money(money) => money.to_string().into(),
            Cell::Costs(costs) => costs_net(costs).map(|total| total.to_string()).unwrap_or_default().into(),
            Cell::Legs(legs) => legs.len().to_string().into(),
            Cell::Date(date) => date.to_string().into(),
        }
    }
}

/// A type of members of a record that are fields.
#[diagnostic::on_unimplemented(message = "a field can't have the type `{Self}`, which has no `ToCell`")]
pub trait ToCell {
    /// Returns the value of a field of this kind.
    fn to_cell(&self, kind: Kind) -> Cell<'_>;
}

impl<T: ToCell> ToCell for Option<T> {
    fn to_cell(&self, kind: Kind) -> Cell<'_> {
        self.as_ref().map_or(Cell::Empty, |value| value.to_cell(kind))
    }
}

impl ToCell for String {
    fn to_cell(&self, kind: Kind) -> Cell<'_> {
        match kind {
            Kind::Id => Cell::Id(self),
            Kind::Serial(prefix) => Cell::Serial(prefix, self),
            Kind::Time => Cell::Time(self),
            _ => Cell::Text(self),
        }
    }
}

macro_rules! to_cell {
    ($($type:ty: $value:ident => $cell:expr;)*) => { $(
        impl ToCell for $type {
            fn to_cell(&self, _: Kind) -> Cell<'_> {
                let $value = self;
                $cell
            }
        }
    )* };
}

to_cell! {
    bool: flag => Cell::Flag(*flag);
    i64: number => Cell::Number(*number);
    u32: number => Cell::Number((*number).into());
    Money: money => Cell::Money(*money);
    Date: date => Cell::Date(*date);
    Vec<Cost>: costs => Cell::Costs(costs);
    Vec<Leg>: legs => Cell::Legs(legs);
    UserRole: role => Cell::Text(&role.name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_amounts_with_two_decimals_and_escapes_texts_that_begin_specially() {
        let date = Date::parse("2026-01-31").unwrap();
        for (cell, text) in [
            (Cell::Empty, ""),
            (Cell::Id("0199abcd"), "0199abcd"),
            (Cell::Text("Åsa \"Bo\"\nLund"), "Åsa \"Bo\"\nLund"),
            (Cell::Text("=1+1"), "'=1+1"),
            (Cell::Text("+46 70"), "'+46 70"),
            (Cell::Text("'x"), "''x"),
            (Cell::Text("007"), "007"),
            (Cell::Choice("Company"), "Company"),
            (Cell::Flag(true), "true"),
            (Cell::Number(-7), "-7"),
            (Cell::Serial("C-", "C-1042"), "C-1042"),
            (Cell::Money(Money::saturating_from_pence(19_90)), "19.90"),
            (Cell::Date(date), "2026-01-31"),
            (Cell::Time("2026-01-01T00:00:00.000Z"), "2026-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(cell.exported(), text);
        }
    }
}
