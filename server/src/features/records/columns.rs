//! The new values of a record's columns. Records that get the same values are updated by one statement.

use super::Entity;
use crate::access::scope::Scope;
use crate::platform::db::{Connection, Result, Sql, Tx};
use sqlx::types::Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Columns with their new values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns(Vec<(&'static str, Stored)>);

/// A value as a column has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stored {
    Text(Option<String>),
    Number(i64),
    Id(Option<Uuid>),
    Bytes(Option<Vec<u8>>),
    Details(BTreeMap<String, String>),
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
    String: text => Stored::Text(Some(text));
    Option<String>: text => Stored::Text(text);
    Option<&'static str>: text => Stored::Text(text.map(str::to_owned));
    i64: number => Stored::Number(number);
    Option<Uuid>: id => Stored::Id(id);
    Option<Vec<u8>>: bytes => Stored::Bytes(bytes);
    BTreeMap<String, String>: details => Stored::Details(details);
}

impl Columns {
    #[must_use]
    pub fn set(mut self, column: &'static str, value: impl Into<Stored>) -> Self {
        self.0.push((column, value.into()));
        self
    }

    /// Sets the column if there is a value: a field that the form omits stays unchanged.
    #[must_use]
    pub fn set_if(self, column: &'static str, value: Option<impl Into<Stored>>) -> Self {
        match value {
            Some(value) => self.set(column, value),
            None => self,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the columns that have other values in `before`, or are not in it.
    #[must_use]
    pub fn without(mut self, before: &Self) -> Self {
        self.0.retain(|column| !before.0.contains(column));
        self
    }

    fn push(self, sql: Sql<'_>) -> Sql<'_> {
        self.0.into_iter().fold(sql, |sql, (column, value)| {
            let sql = sql.push(", ").push(column).push(" = ");
            match value {
                Stored::Text(text) => sql.arg(text),
                Stored::Number(number) => sql.arg(number),
                Stored::Id(id) => sql.arg(id),
                Stored::Bytes(bytes) => sql.arg(bytes),
                Stored::Details(details) => sql.arg(Json(details)),
            }
        })
    }
}

/// What an update is based on: the version or the time of the last update, if given.
pub struct Base<'a> {
    pub version: Option<i64>,
    pub updated_at: Option<&'a str>,
}

/// Builds the update of a record, which changes nothing if there is none or it is not in the version that the update is based on.
/// The check and the write are one statement, so that it is atomic.
pub fn update<'e, E: Entity>(
    db: impl Connection<'e>,
    scope: &Scope,
    id: Uuid,
    base: &Base<'_>,
    now: i64,
    columns: Columns,
) -> Sql<'e> {
    let sql = push_update::<E>(db.sql("UPDATE "), scope, now, columns);
    sql.push_arg(" = ", id).require_version(base.version, base.updated_at)
}

/// Updates many records to the same values. Returns how many were found.
pub async fn update_all<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    ids: &[Uuid],
    now: i64,
    columns: Columns,
) -> Result<u64> {
    let sql = push_update::<E>(tx.sql("UPDATE "), scope, now, columns).push(" IN (");
    push_ids(sql, ids).push(")").exec().await
}

fn push_update<'e, E: Entity>(sql: Sql<'e>, scope: &Scope, now: i64, columns: Columns) -> Sql<'e> {
    let sql = sql.push(E::TABLE).push(" SET version = version + 1").push_arg(", updated_at = ", now);
    columns.push(sql).push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID)
}

/// Appends the items of a list of ids.
pub fn push_ids<'e>(sql: Sql<'e>, ids: &[Uuid]) -> Sql<'e> {
    ids.iter().enumerate().fold(sql, |sql, (index, id)| match index {
        0 => sql.arg(*id),
        _ => sql.next(*id),
    })
}
