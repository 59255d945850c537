//! Database tables and their whole rows, as the trash keeps them.

use super::columns::Stored;
use crate::access::scope::Scope;
use crate::platform::db::{Result, Sql, Tx, from_json, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::postgres::{PgColumn, PgRow};
use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;
use sqlx::{Column, FromRow, Row, TypeInfo, ValueRef};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Maximum number of records or rows per statement.
pub(super) const BATCH: usize = 500;

/// Describes a table that has rows of tenants.
pub struct Table {
    pub name: &'static str,
    /// All columns but those of the tenant and of the number in the list, in groups.
    pub columns: &'static [&'static [&'static str]],
    /// Columns that refer to a row of another table, each with the name of that table, where the column has the same
    /// name. If that row is missing when a row is inserted again, the column becomes NULL.
    pub references: &'static [(&'static str, &'static str)],
}

/// A row: its values by the names of their columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WholeRow(BTreeMap<String, Stored>);

impl WholeRow {
    pub fn remove(&mut self, column: &str) -> Option<Stored> {
        self.0.remove(column)
    }

    pub fn insert(&mut self, column: &str, value: Stored) {
        self.0.insert(column.to_owned(), value);
    }

    /// Returns the text in a column.
    pub fn text(&self, column: &str) -> Option<&str> {
        match self.0.get(column) {
            Some(Stored::Text(text)) => text.as_deref(),
            _ => None,
        }
    }

    /// Changes the other details that a column contains.
    pub fn change_details(&mut self, column: &str, change: impl FnOnce(&mut BTreeMap<String, String>)) -> Result<()> {
        match self.0.get_mut(column) {
            Some(Stored::Details(details)) => change(details),
            // SQLite stores the details as a text.
            Some(Stored::Text(Some(text))) => {
                let mut details = from_json(text)?;
                change(&mut details);
                *text = to_json(&details)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the values by their columns, without those derived for searching and comparing
    /// (`_folded`, `_key`).
    pub fn to_json(&self) -> Map<String, Value> {
        let values = self.0.iter().filter(|(column, _)| !column.ends_with("_key") && !column.ends_with("_folded"));
        values.map(|(column, value)| (column.clone(), value.to_json())).collect()
    }

    /// Returns the number in a column.
    pub fn number(&self, column: &str) -> Option<i64> {
        match self.0.get(column) {
            Some(Stored::Number(number)) => *number,
            _ => None,
        }
    }

    /// Returns the id in a column.
    pub fn id(&self, column: &str) -> Option<Uuid> {
        match self.0.get(column) {
            Some(Stored::Id(id)) => *id,
            _ => None,
        }
    }
}

impl FromRow<'_, SqliteRow> for WholeRow {
    fn from_row(row: &SqliteRow) -> Result<Self> {
        let value = |index: usize| -> Result<Stored> {
            Ok(match row.try_get_raw(index)?.type_info().name() {
                "NULL" => Stored::Text(None),
                "INTEGER" => Stored::Number(row.try_get(index)?),
                "TEXT" => Stored::Text(row.try_get(index)?),
                // SQLite does not tell ids from other bytes. Only ids are 16 bytes long.
                _ => match row.try_get(index) {
                    Ok(id) => Stored::Id(id),
                    Err(_) => Stored::Bytes(row.try_get(index)?),
                },
            })
        };
        row.columns().iter().map(|column| Ok((column.name().to_owned(), value(column.ordinal())?))).collect()
    }
}

impl FromRow<'_, PgRow> for WholeRow {
    fn from_row(row: &PgRow) -> Result<Self> {
        let value = |column: &PgColumn| -> Result<Stored> {
            let index = column.ordinal();
            Ok(match column.type_info().name() {
                "INT8" => Stored::Number(row.try_get(index)?),
                "UUID" => Stored::Id(row.try_get(index)?),
                "BYTEA" => Stored::Bytes(row.try_get(index)?),
                "JSONB" => Stored::Details(row.try_get::<Json<_>, _>(index)?.0),
                _ => Stored::Text(row.try_get(index)?),
            })
        };
        row.columns().iter().map(|column| Ok((column.name().to_owned(), value(column)?))).collect()
    }
}

impl FromIterator<(String, Stored)> for WholeRow {
    fn from_iter<I: IntoIterator<Item = (String, Stored)>>(values: I) -> Self {
        WholeRow(values.into_iter().collect())
    }
}

impl Table {
    /// Returns a table that refers to no other.
    pub const fn new(name: &'static str, columns: &'static [&'static [&'static str]]) -> Self {
        Table { name, columns, references: &[] }
    }

    /// Returns the table with these columns that refer to others ([`Table::references`]).
    pub const fn referring(self, references: &'static [(&'static str, &'static str)]) -> Self {
        Table { references, ..self }
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.columns.iter().flat_map(|group| group.iter().copied())
    }

    /// Returns this tenant's rows that have one of these ids in a column, and locks them until the transaction ends.
    pub async fn select(
        &self,
        tx: &mut Tx,
        scope: &Scope,
        column: &'static str,
        ids: &[Uuid],
    ) -> Result<Vec<WholeRow>> {
        let for_update = tx.pick("", " FOR UPDATE");
        let sql = tx.sql("SELECT ").joined(", ", self.names(), Sql::push).push(" FROM ").push(self.name);
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(column).push(" IN (");
        super::columns::push_id_list(sql, ids).push(")").push(for_update).all().await
    }

    /// Inserts rows. For a table with a list, `first` is the list number of the first row, and the others follow.
    pub async fn insert(&self, tx: &mut Tx, scope: &Scope, first: Option<i64>, rows: Vec<WholeRow>) -> Result<()> {
        let mut numbers = first.map(|first| first..);
        // Rows with the same columns are inserted together: a row that was deleted before a column was added lacks that
        // column. More of them would exceed the number of values that a statement on SQLite can bind.
        for rows in rows.chunk_by(|a, b| a.0.keys().eq(b.0.keys())).flat_map(|rows| rows.chunks(BATCH)) {
            let columns = self.names().filter(|name| rows[0].0.contains_key(*name));
            let sql = tx.sql("INSERT INTO ").push(self.name).push(" (corp_id");
            let sql = if numbers.is_some() { sql.push(", doc") } else { sql };
            let sql = columns.clone().fold(sql, |sql, name| sql.push(", ").push(name)).push(") VALUES ");
            let numbered = rows.iter().map(|row| (numbers.as_mut().and_then(Iterator::next), row));
            let sql = sql.tuples(numbered, |sql, (number, row)| {
                let sql = sql.arg(scope.corp());
                let sql = number.into_iter().fold(sql, Sql::comma);
                columns.clone().fold(sql, |sql, name| self.push_value(sql.push(", "), scope, name, row))
            });
            sql.exec().await?;
        }
        Ok(())
    }

    fn push_value<'e>(&self, sql: Sql<'e>, scope: &Scope, name: &'static str, row: &WholeRow) -> Sql<'e> {
        let value = row.0.get(name).cloned().unwrap_or(Stored::Text(None));
        let Some((_, table)) = self.references.iter().find(|(column, _)| *column == name) else {
            return value.push(sql);
        };
        let sql = sql.push("(SELECT ").push(name).push(" FROM ").push(table);
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(name).push(" = ");
        value.push(sql).push(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::listing::definitions::test_database;
    use crate::features::records::{Entity, EntityOf};
    use crate::features::with_record;
    use crate::platform::db::Db;
    use forecourt_core::history::resources;
    use std::collections::BTreeSet;

    /// Returns the columns of a table, without those of the tenant and of the number in the list.
    async fn columns(db: &Db, table: &str) -> BTreeSet<String> {
        let sql = db.pick(
            "SELECT name FROM pragma_table_info($1)",
            "SELECT CAST(column_name AS text) FROM information_schema.columns WHERE table_name = $1",
        );
        let names = db.sql(sql).bind(table.to_owned()).values::<String>().await.unwrap();
        names.into_iter().filter(|name| name != "corp_id" && name != "doc").collect()
    }

    /// Checks a record's table and those of its children, and returns their names.
    async fn check<E: Entity>(db: &Db) -> Vec<&'static str> {
        let mut tables = vec![E::TABLE];
        tables.extend(E::CHILDREN.iter().map(|child| Table { ..child.table }));
        let mut names = Vec::new();
        for table in tables {
            let kept: BTreeSet<_> = table.names().map(str::to_owned).collect();
            let Table { name, references, .. } = table;
            assert_eq!(kept, columns(db, name).await, "{name}");
            for (column, table) in references {
                assert!(kept.contains(*column) && columns(db, table).await.contains(*column), "{name}.{column}");
            }
            names.push(name);
        }
        names
    }

    #[tokio::test]
    async fn the_trash_keeps_every_column() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let mut kept = Vec::new();
        for resource in resources() {
            kept.extend(with_record!(resource, Record => check::<EntityOf<Record>>(&db).await).unwrap());
        }
        // Tables whose rows the database deletes with a record.
        let cascading = db.pick(
            "SELECT t.name, f.\"table\" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f \
             WHERE t.type = 'table' AND f.on_delete = 'CASCADE'",
            "SELECT CAST(conrelid::regclass AS text), CAST(confrelid::regclass AS text) FROM pg_constraint \
             WHERE contype = 'f' AND confdeltype = 'c'",
        );
        for (child, parent) in db.sql(cascading).all::<(String, String)>().await.unwrap() {
            let is_kept = |table: &str| kept.contains(&table);
            assert!(!is_kept(&parent) || is_kept(&child), "the trash does not keep {child}, which belongs to {parent}");
        }
        db.close().await;
    }
}
