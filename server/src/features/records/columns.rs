//! The columns that a form writes, named once for the creation and the update of a record.

use super::Entity;
use crate::access::scope::Scope;
use crate::features::listing::writes;
use crate::platform::db::{Connection, Result, Sql};
use forecourt_core::text::fold;
use uuid::Uuid;

/// The values that a form gives to the columns of a record.
#[derive(Default)]
pub struct Columns(Vec<Column>);

struct Column {
    name: &'static str,
    /// The end of the name.
    suffix: &'static str,
    value: Value,
    /// Whether an update writes the column, too.
    is_given: bool,
}

/// A value of a column. `None` is NULL.
pub enum Value {
    Text(Option<String>),
    Number(Option<i64>),
    Id(Option<Uuid>),
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(Some(text))
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Value::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Number(Some(number))
    }
}

impl From<Option<Uuid>> for Value {
    fn from(id: Option<Uuid>) -> Self {
        Value::Id(id)
    }
}

impl Columns {
    /// Adds a column.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.add(name, "", value.into(), true)
    }

    /// Adds a column of which the form may leave the value out: then a new record has `default`, and an update leaves it unchanged.
    #[must_use]
    pub fn with_optional<T: Into<Value>>(self, name: &'static str, value: Option<T>, default: T) -> Self {
        let is_given = value.is_some();
        self.add(name, "", value.unwrap_or(default).into(), is_given)
    }

    /// Adds a text that lists find: its column, and the column with the folded text, whose name ends with `_key`.
    #[must_use]
    pub fn with_text(self, name: &'static str, text: String) -> Self {
        self.with_optional_text(name, Some(text))
    }

    /// As [`Columns::with_text`], for a text that the form may leave out: then it is empty in a new record, and an update leaves
    /// it unchanged.
    #[must_use]
    pub fn with_optional_text(self, name: &'static str, text: Option<String>) -> Self {
        let is_given = text.is_some();
        let text = text.unwrap_or_default();
        let key = fold(&text);
        self.add(name, "", text.into(), is_given).add(name, "_key", key.into(), is_given)
    }

    fn add(mut self, name: &'static str, suffix: &'static str, value: Value, is_given: bool) -> Self {
        self.0.push(Column { name, suffix, value, is_given });
        self
    }

    /// Appends `, name = value` for each column that an update writes.
    pub fn push_changes(self, sql: Sql<'_>) -> Sql<'_> {
        self.0.into_iter().filter(|column| column.is_given).fold(sql, |sql, Column { name, suffix, value, .. }| {
            value.push(sql.push(", ").push(name).push(suffix).push(" = "))
        })
    }

    fn push_names<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        self.0.iter().fold(sql, |sql, Column { name, suffix, .. }| sql.push(", ").push(name).push(suffix))
    }

    fn push_values(self, sql: Sql<'_>) -> Sql<'_> {
        self.0.into_iter().fold(sql, |sql, column| column.value.push(sql.push(", ")))
    }
}

impl Value {
    fn push(self, sql: Sql<'_>) -> Sql<'_> {
        match self {
            Value::Text(text) => sql.arg(text),
            Value::Number(number) => sql.arg(number),
            Value::Id(id) => sql.arg(id),
        }
    }
}

/// Creates a record.
pub async fn create<E: Entity>(scope: &Scope, columns: Columns, now: i64) -> Result<E> {
    let sql = insert::<E>(scope.db(), scope, [(writes::UNNUMBERED, now, columns)]).push(" RETURNING ");
    E::from_row(sql.push(E::COLUMNS).one().await?)
}

/// Builds the INSERT of records, each with its number in the list and the time of its creation. All have the same columns.
pub fn insert<'e, E: Entity>(
    db: impl Connection<'e>,
    scope: &Scope,
    records: impl IntoIterator<Item = (i64, i64, Columns)>,
) -> Sql<'e> {
    let mut records = records.into_iter().peekable();
    let sql = db.sql("INSERT INTO ").push(E::TABLE).push(" (corp_id, doc, ").push(E::ID);
    let sql = sql.push(", created_at, updated_at");
    let sql = match records.peek() {
        Some((.., columns)) => columns.push_names(sql),
        None => sql,
    };
    sql.push(") VALUES ").tuples(records, |sql, (doc, now, columns)| {
        columns.push_values(sql.arg(scope.corp()).next(doc).next(Uuid::now_v7()).next(now).next(now))
    })
}

/// What an update is based on: the version or the time of the last update, if given.
pub struct Base {
    pub version: Option<i64>,
    pub updated_at: Option<String>,
}

/// Builds the update of a record, which changes nothing if there is none or it is not in the version that the update is based on.
/// The check and the write are one statement, so that it is atomic. `set` appends the new values.
pub fn update<'e, E: Entity>(
    db: impl Connection<'e>,
    scope: &Scope,
    id: Uuid,
    base: &Base,
    now: i64,
    set: impl FnOnce(Sql<'e>) -> Sql<'e>,
) -> Sql<'e> {
    let sql = db.sql("UPDATE ").push(E::TABLE).push(" SET version = version + 1").push_arg(", updated_at = ", now);
    let sql = set(sql).push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push_arg(" = ", id);
    sql.require_version(base.version, base.updated_at.as_deref())
}
