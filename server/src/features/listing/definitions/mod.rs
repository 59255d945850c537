//! What the database has for each list besides its table, made from its [`Listing`](super::Listing): the search index,
//! and the triggers that number, count and index the rows (docs/decisions/0026-list-engine.md). The lists with sums by
//! month have theirs from migration 29, and only their sort rows from here.

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
    use super::super::CONTACTS;
    use super::super::comparison_tests::{Row, corporation, insertion};
    use super::*;
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

    async fn kinds(db: &Db, corp: Uuid) -> BTreeSet<String> {
        let sql = db.sql("SELECT kind FROM lists WHERE corp_id = ").arg(corp);
        sql.all::<(String,)>().await.unwrap().into_iter().map(|(kind,)| kind).collect()
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
