//! The columns that a form writes, declared once for both the creation and the update of a record. Records that get the
//! same values are updated by one statement.

use super::Entity;
use crate::access::scope::Scope;
use crate::features::listing::writes;
use crate::platform::clock::updated_at_millis;
use crate::platform::db::{Db, Result, Sql, Tx};
use forecourt_core::agreements::{AgreementType, number_prefix};
use forecourt_core::form::UpdateForm;
use forecourt_core::text::fold;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::types::Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Columns with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns(Vec<Column>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Column {
    name: &'static str,
    /// The end of the column's name: `_key` for a folded text, else empty.
    suffix: &'static str,
    value: Stored,
    /// Whether an update sets the column too, and not only a creation.
    is_given: bool,
}

/// A value as a column has it. `None` is NULL.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stored {
    Text(Option<String>),
    Number(Option<i64>),
    Id(Option<Uuid>),
    /// Never serialized as JSON.
    #[serde(skip)]
    Bytes(Option<Vec<u8>>),
    Details(BTreeMap<String, String>),
    /// In a new record: the next number of this counter.
    #[serde(skip)]
    Next(Counter),
}

/// A counter of a corporation that numbers its records. A number is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    Customers,
    Stock,
    Agreements(AgreementType),
}

impl Counter {
    /// Returns the column of the table `corporations` that contains the last number.
    fn column(self) -> &'static str {
        match self {
            Counter::Customers => "last_customer_number",
            Counter::Stock => "last_stock_number",
            Counter::Agreements(AgreementType::Sales) => "last_sales_number",
            Counter::Agreements(AgreementType::Purchase) => "last_purchase_number",
            Counter::Agreements(AgreementType::Agency) => "last_agency_number",
        }
    }

    /// Returns what a number begins with in its column, if that has a text.
    fn prefix(self) -> Option<&'static str> {
        match self {
            Counter::Agreements(agreement_type) => Some(number_prefix(agreement_type)),
            Counter::Customers | Counter::Stock => None,
        }
    }
}

macro_rules! stored {
    ($($type:ty: $value:ident => $stored:expr;)*) => { $(
        impl From<$type> for Stored {
            fn from($value: $type) -> Self {
                $stored
            }
        }
    )* };
}

stored! {
    Option<i64>: number => Stored::Number(number);
    String: text => Stored::Text(Some(text));
    Option<String>: text => Stored::Text(text);
    Option<&'static str>: text => Stored::Text(text.map(str::to_owned));
    i64: number => Stored::Number(Some(number));
    Option<Uuid>: id => Stored::Id(id);
    Option<Vec<u8>>: bytes => Stored::Bytes(bytes);
    BTreeMap<String, String>: details => Stored::Details(details);
}

impl Columns {
    #[must_use]
    pub fn set(self, column: &'static str, value: impl Into<Stored>) -> Self {
        self.add(column, "", value.into(), true)
    }

    /// Sets the column if there is a value. A field that the form omits stays unchanged.
    #[must_use]
    pub fn set_if(self, column: &'static str, value: Option<impl Into<Stored>>) -> Self {
        match value {
            Some(value) => self.set(column, value),
            None => self,
        }
    }

    /// Sets the column of a new record only. An update never sets it.
    #[must_use]
    pub fn set_new(self, column: &'static str, value: Stored) -> Self {
        self.add(column, "", value, false)
    }

    /// As [`Columns::set_if`], but for a missing value, a new record gets `default`.
    #[must_use]
    pub fn set_or<T: Into<Stored>>(self, column: &'static str, value: Option<T>, default: T) -> Self {
        let is_given = value.is_some();
        self.add(column, "", value.unwrap_or(default).into(), is_given)
    }

    /// Sets a date or a choice, as the form has it; NULL if that is empty.
    #[must_use]
    pub fn set_or_null(self, column: &'static str, text: &str) -> Self {
        self.set(column, Some(text).filter(|text| !text.is_empty()).map(str::to_owned))
    }

    /// Sets a text that lists find: its column, and the column with the folded text, whose name ends with `_key`.
    #[must_use]
    pub fn set_text(self, column: &'static str, text: &str) -> Self {
        self.set_text_or_empty(column, Some(text))
    }

    /// As [`Columns::set_text`], for a text that the form may omit: then it is empty in a new record, and stays
    /// unchanged in an update.
    #[must_use]
    pub fn set_text_or_empty(self, column: &'static str, text: Option<&str>) -> Self {
        let (is_given, text) = (text.is_some(), text.unwrap_or_default());
        let columns = self.add(column, "", text.to_owned().into(), is_given);
        columns.add(column, "_key", fold(text).into(), is_given)
    }

    fn add(mut self, name: &'static str, suffix: &'static str, value: Stored, is_given: bool) -> Self {
        self.0.push(Column { name, suffix, value, is_given });
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text in a column; `None` if the column has no text, or is not set.
    pub fn text(&self, column: &str) -> Option<&str> {
        self.0.iter().find_map(|set| match &set.value {
            Stored::Text(text) if set.name == column && set.suffix.is_empty() => text.as_deref(),
            _ => None,
        })
    }

    /// Returns those columns that an update sets and that have another value in `before`.
    #[must_use]
    pub fn without_unchanged(mut self, before: &Self) -> Self {
        self.0.retain(|column| column.is_given && !before.0.contains(column));
        self
    }

    fn push_changes(self, sql: Sql<'_>) -> Sql<'_> {
        self.0.into_iter().filter(|column| column.is_given).fold(sql, |sql, Column { name, suffix, value, .. }| {
            value.push(sql.push(", ").push(name).push(suffix).push(" = "))
        })
    }

    /// Appends the condition that one of the columns to change has another value than its new one.
    fn push_is_changed(self, sql: Sql<'_>) -> Sql<'_> {
        let given: Vec<Column> = self.0.into_iter().filter(|column| column.is_given).collect();
        let sql = sql.push("(").joined(", ", &given, |sql, column| sql.push(column.name).push(column.suffix));
        sql.push(") IS DISTINCT FROM (").joined(", ", given, |sql, column| column.value.push(sql)).push(")")
    }

    fn push_names<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        self.0.iter().fold(sql, |sql, Column { name, suffix, .. }| sql.push(", ").push(name).push(suffix))
    }

    /// Appends the values of a new record. `place` is its position among the new records of the statement, from 1.
    fn push_values<'e>(self, sql: Sql<'e>, scope: &Scope, place: i64) -> Sql<'e> {
        self.0.into_iter().fold(sql, |sql, column| match column.value {
            Stored::Next(counter) => push_next_number(sql.push(", "), scope, counter, place),
            value => value.push(sql.push(", ")),
        })
    }
}

impl Stored {
    /// Returns the value as JSON; `null` for bytes and for values that are only known when they are written.
    pub fn to_json(&self) -> Value {
        match self {
            Stored::Text(text) => text.clone().into(),
            Stored::Number(number) => (*number).into(),
            Stored::Id(id) => id.map(|id| id.to_string()).into(),
            Stored::Bytes(_) | Stored::Next(_) => Value::Null,
            Stored::Details(details) => details.iter().map(|(name, text)| (name.clone(), text.clone())).collect(),
        }
    }

    pub fn push(self, sql: Sql<'_>) -> Sql<'_> {
        match self {
            Stored::Text(text) => sql.arg(text),
            Stored::Number(number) => sql.arg(number),
            Stored::Id(id) => sql.arg(id),
            Stored::Bytes(bytes) => sql.arg(bytes),
            Stored::Details(details) => sql.arg(Json(details)),
            Stored::Next(_) => sql.push("NULL"),
        }
    }
}

/// Appends the INSERT of a record, which returns its columns.
pub fn push_new<'e, E: Entity>(sql: Sql<'e>, scope: &Scope, id: Uuid, now: i64, columns: Columns) -> Sql<'e> {
    let record = [(writes::UNNUMBERED, id, now, columns)];
    push_insert::<E>(sql, scope, record).push(" RETURNING ").push(E::COLUMNS)
}

/// Appends the INSERT of records, each with its number in the list, its id and the time of its creation. All have the
/// same columns.
pub fn push_insert<'e, E: Entity>(
    sql: Sql<'e>,
    scope: &Scope,
    records: impl IntoIterator<Item = (i64, Uuid, i64, Columns)>,
) -> Sql<'e> {
    let mut records = records.into_iter().peekable();
    let sql = sql.push("INSERT INTO ").push(E::TABLE.name).push(" (corp_id, doc, ").push(E::ID);
    let sql = sql.push(", created_at, updated_at");
    let sql = match records.peek() {
        Some((.., columns)) => columns.push_names(sql),
        None => sql,
    };
    sql.push(") VALUES ").tuples((1..).zip(records), |sql, (place, (doc, id, now, columns))| {
        columns.push_values(sql.arg(scope.corp()).comma(doc).comma(id).comma(now).comma(now), scope, place)
    })
}

/// Appends the next number of a counter for a new record: a subquery on SQLite, where RETURNING would not return a
/// number that a trigger sets, and no other transaction writes meanwhile. On PostgreSQL it is NULL, which a trigger
/// replaces by the number.
fn push_next_number<'e>(sql: Sql<'e>, scope: &Scope, counter: Counter, place: i64) -> Sql<'e> {
    match scope.db() {
        Db::Sqlite { .. } => {
            let sql = sql.push("(SELECT ");
            let sql = match counter.prefix() {
                Some(prefix) => sql.arg(prefix).push(" || ("),
                None => sql.push("("),
            };
            let sql = sql.push(counter.column()).push_arg(" + ", place).push(")");
            sql.push_arg(" FROM corporations WHERE corp_id = ", scope.corp()).push(")")
        }
        Db::Postgres(..) => sql.push("NULL"),
    }
}

/// The state of a record on which an update is based: its version or the time of its last update, whichever is given.
pub struct Base {
    version: Option<i64>,
    updated_at: Option<String>,
}

impl Base {
    /// Returns what an update with this form is based on.
    pub fn of(form: &impl UpdateForm) -> Self {
        let (version, updated_at) = form.base();
        Base { version, updated_at: updated_at.map(str::to_owned) }
    }

    /// Returns whether the record now has another version, or another time of its last update, than this one.
    pub fn is_outdated(&self, version: i64, updated_at: &str) -> bool {
        let base = updated_at_millis(self.updated_at.as_deref());
        self.version.is_some_and(|base| base != version)
            || base.is_some() && base != updated_at_millis(Some(updated_at))
    }

    /// Returns whether the update is based on an older version than this one, or may be: if it has only a time.
    pub fn may_precede(&self, version: i64) -> bool {
        self.version.is_none_or(|base| base < version)
    }
}

/// Returns whether the record has this version, and these values in its columns.
pub(super) async fn has_values<E: Entity>(scope: &Scope, (id, version): (Uuid, i64), columns: Columns) -> Result<bool> {
    let sql = scope.db().sql("SELECT version FROM ").push(E::TABLE.name).push(" WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push(" AND ").push(E::ID).push_arg(" = ", id).push_arg(" AND version = ", version);
    columns.push_is_changed(sql.push(" AND NOT ")).exists().await
}

/// Sets these columns of the records with these ids. Returns the updated records.
pub async fn update_all<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    ids: &[Uuid],
    now: i64,
    columns: Columns,
) -> Result<Vec<E>> {
    let sql = push_update::<E>(tx.sql(""), scope, now, columns).push(" IN (");
    let sql = push_id_list(sql, ids).push(") RETURNING ").push(E::COLUMNS);
    sql.all::<E::Row>().await?.into_iter().map(E::from_row).collect()
}

/// Appends the UPDATE of a record of this version that changes one of its columns. It returns the updated record, and
/// nothing if the record has the values already, or another version.
pub(super) fn push_update_of_one<'e, E: Entity>(
    sql: Sql<'e>,
    scope: &Scope,
    now: i64,
    (id, version): (Uuid, i64),
    columns: Columns,
) -> Sql<'e> {
    let sql = push_update::<E>(sql, scope, now, columns.clone()).push_arg(" = ", id);
    let sql = columns.push_is_changed(sql.push_arg(" AND version = ", version).push(" AND "));
    sql.push(" RETURNING ").push(E::COLUMNS)
}

/// Appends the UPDATE of these columns up to the name of the id's column, which the caller compares with an id or ids.
fn push_update<'e, E: Entity>(sql: Sql<'e>, scope: &Scope, now: i64, columns: Columns) -> Sql<'e> {
    let sql =
        sql.push("UPDATE ").push(E::TABLE.name).push(" SET version = version + 1").push_arg(", updated_at = ", now);
    columns.push_changes(sql).push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID)
}

/// Appends ids as the content of the parentheses of `IN (…)`. Without ids, no row fulfils that condition.
pub fn push_id_list<'e>(sql: Sql<'e>, ids: &[Uuid]) -> Sql<'e> {
    if sql.is_for_postgres() {
        // As a query instead of a list. If its statistics on the tenant are missing, PostgreSQL may read all rows of the
        // tenant, and would compare each of them with every id of a list.
        return sql.column("SELECT unnest(", "UUID[]", ids.to_vec()).push(")");
    }
    sql.joined(",", ids, |sql, id| sql.arg(*id))
}
