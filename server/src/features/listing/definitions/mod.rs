//! What the database has for each list besides its table, made from its [`Listing`](super::Listing): the search index,
//! and the triggers that number, count and index the rows (docs/decisions/0026-list-engine.md). For the lists with sums
//! by month, migrations create the search index and these triggers, and only SQLite's triggers of sort rows are made
//! here.

mod postgres;
mod sqlite;

use super::LISTINGS;
use crate::platform::db::Db;
use crate::platform::db::schema::Definition;

/// Returns what the lists need in this database.
pub fn definitions(db: &Db) -> Vec<Definition> {
    let without_months = || LISTINGS.iter().copied().filter(|listing| listing.months.is_empty());
    match db {
        Db::Sqlite { .. } => {
            let rows = without_months().flat_map(sqlite::rows);
            rows.chain(LISTINGS.iter().copied().flat_map(sqlite::sort_rows)).chain([sqlite::lists()]).collect()
        }
        Db::Postgres(..) => without_months().map(postgres::rows).chain([postgres::lists()]).collect(),
    }
}

/// Creates a database for one test, as the program's start leaves it; in `folder` if it is SQLite.
#[cfg(test)]
pub(crate) async fn test_database(folder: &std::path::Path) -> Db {
    let db = crate::platform::db::test_database(folder).await;
    db.migrate(&definitions(&db)).await.unwrap();
    db
}

/// Returns the SQL expression of a column for a row that a trigger names, such as `new`: puts the row's name before
/// each column in the expression.
fn of_row(row: &str, expression: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            first if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        // A name before a parenthesis is a function.
        if first.is_ascii_lowercase() && !after.starts_with('(') {
            result.push_str(row);
            result.push('.');
        }
        result.push_str(part);
        rest = after;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::super::test_rows::{Row, corporation, insertion};
    use super::super::{CONTACTS, VEHICLES};
    use super::*;
    use aws_lc_rs::digest::{Context, SHA256};
    use std::collections::BTreeSet;
    use uuid::Uuid;

    #[test]
    fn the_row_is_named_before_each_column_of_an_expression() {
        for (expression, expected) in [
            ("name_key", "new.name_key"),
            ("created_at / 1000 * 1000", "new.created_at / 1000 * 1000"),
            ("substr(notes_key, 1, 100)", "substr(new.notes_key, 1, 100)"),
            ("nullif(import_source_key, 'a b')", "nullif(new.import_source_key, 'a b')"),
        ] {
            assert_eq!(of_row("new", expression), expected);
        }
    }

    /// A build replaces definitions that differ from its own. So that an earlier build never does that after a later
    /// one, each change of them comes with a migration: earlier builds refuse to start with that.
    #[tokio::test]
    async fn a_change_of_the_definitions_comes_with_a_migration() {
        /// The number of that migration, and the digests of the definitions on SQLite and PostgreSQL.
        const LAST_CHANGE: (i64, [&str; 2]) = (77, ["acab8237ca10965c", "7b37d6904a981fff"]);
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let mut digest = Context::new(&SHA256);
        for Definition { name, create, .. } in definitions(&db) {
            digest.update(name.as_bytes());
            digest.update(create.as_bytes());
        }
        let found: String = digest.finish().as_ref()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let (number, [sqlite, postgres]) = LAST_CHANGE;
        assert_eq!(
            found,
            db.pick(sqlite, postgres),
            "add a migration, even an empty one, and write its number and the digests into this test"
        );
        let sql = db.sql("SELECT 1 FROM _sqlx_migrations WHERE version = ").arg(number);
        assert!(sql.exists().await.unwrap(), "there is no migration {number}");
        db.close().await;
    }

    #[tokio::test]
    async fn a_new_list_gets_its_search_index_and_its_triggers() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await.all_tenants();
        // As in a database of a version without this list.
        let drops: &[&'static str] = db.pick(
            &[
                "DROP TRIGGER vehicles_insert",
                "DROP TRIGGER vehicles_update",
                "DROP TRIGGER vehicles_update_search",
                "DROP TRIGGER vehicles_delete",
                "DROP TABLE vehicles_search",
            ],
            &[
                "DROP FUNCTION vehicles_written CASCADE",
                "DROP TRIGGER vehicles_lock ON vehicles",
                "DROP TRIGGER vehicles_number ON vehicles",
                "DROP TABLE vehicles_search",
            ],
        );
        for drop in drops {
            db.sql(drop).exec().await.unwrap();
        }
        db.migrate(&definitions(&db)).await.unwrap();
        let scope = corporation(&db).await;
        for _ in 0..2 {
            insertion(db.sql(""), &scope, &VEHICLES, None, vec![Row::new("Åsa".into())]).exec().await.unwrap();
        }
        let counts = async || {
            let total = db.sql("SELECT total FROM lists WHERE kind = 'vehicles' AND corp_id = ").arg(scope.corp());
            let found = db.sql("SELECT count(*) FROM vehicles_search").value::<i64>().await.unwrap();
            (total.value::<i64>().await.unwrap(), found)
        };
        assert_eq!(counts().await, (2, 2));
        db.sql("DELETE FROM vehicles").exec().await.unwrap();
        assert_eq!(counts().await, (0, 0));
        db.close().await;
    }

    async fn kinds(db: &Db, corp: Uuid) -> BTreeSet<String> {
        let sql = db.sql("SELECT kind FROM lists WHERE corp_id = ").arg(corp);
        sql.values::<String>().await.unwrap().into_iter().collect()
    }

    #[tokio::test]
    async fn new_and_existing_corporations_get_a_list_that_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await.all_tenants();
        let all: BTreeSet<_> = LISTINGS.iter().map(|listing| listing.table.to_owned()).collect();
        let corps = [corporation(&db).await.corp(), corporation(&db).await.corp()];
        for corp in corps {
            assert_eq!(kinds(&db, corp).await, all);
        }
        // As in a database of a version without the last list.
        let last = LISTINGS.last().unwrap().table;
        db.sql("DELETE FROM lists WHERE kind = ").arg(last).exec().await.unwrap();
        let old = db.pick(
            "DROP TRIGGER corporations_lists",
            "CREATE OR REPLACE FUNCTION corporations_lists() RETURNS TRIGGER LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END $$",
        );
        db.sql(old).exec().await.unwrap();
        db.migrate(&definitions(&db)).await.unwrap();
        for corp in corps.into_iter().chain([corporation(&db).await.corp()]) {
            assert_eq!(kinds(&db, corp).await, all);
        }
    }

    #[tokio::test]
    async fn a_field_that_becomes_sortable_gets_sort_rows_in_the_lists_that_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let Db::Sqlite { .. } = db else { return };
        let [without, with] = [corporation(&db).await, corporation(&db).await];
        for scope in [&without, &with] {
            let row = vec![Row::new("Åsa".into())];
            insertion(db.sql(""), scope, &CONTACTS, None, row).exec().await.unwrap();
        }
        let unsorted = async || {
            let sql = "SELECT corp_id FROM lists WHERE kind = 'contacts' AND sorted_doc < next_doc - 1";
            db.sql(sql).all::<(Uuid,)>().await.unwrap()
        };
        assert_eq!(unsorted().await, []);
        let list = "DELETE FROM sort_rows WHERE field = 1 AND list = (SELECT first_doc >> 32 FROM lists \
                    WHERE kind = 'contacts' AND corp_id = ";
        db.sql(list).arg(without.corp()).push(")").exec().await.unwrap();
        db.migrate(&definitions(&db)).await.unwrap();
        assert_eq!(unsorted().await, [], "the triggers have not changed");
        db.sql("DROP TRIGGER contacts_sort_insert").exec().await.unwrap();
        db.migrate(&definitions(&db)).await.unwrap();
        assert_eq!(unsorted().await, [(without.corp(),)]);
    }
}
