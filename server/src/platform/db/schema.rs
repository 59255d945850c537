//! The schema and its migrations. Each migration runs in a transaction, so that none is half applied. No migration runs
//! on a database with an applied migration that this program doesn't know or that differs from its own.
//!
//! What follows from the program's code, such as the triggers of lists, is not in the migrations: the program defines it
//! again whenever it has changed.

use super::{Db, Result, database_message};
use forecourt_core::text::one_line;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AssertSqlSafe, Connection};

static SQLITE: Migrator = sqlx_macros::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("../migrations/postgres");

/// The schema of a database, compared to this program's.
#[derive(Debug, PartialEq, Eq)]
pub enum Schema {
    Missing,
    /// The database lacks this many of the program's migrations.
    Older(usize),
    Same,
    /// The database has the migration with this number, which this program doesn't have.
    Newer(i64),
    /// The database's migration with this number differs from this program's.
    Other(i64),
}

/// A part of the schema that follows from the program's code: on SQLite a trigger or a virtual table, on PostgreSQL a
/// function.
pub struct Definition {
    pub name: String,
    /// The text that the database keeps of the current version: on SQLite the statement that creates it, on PostgreSQL
    /// the function's body. `None` if any version will do.
    pub text: Option<String>,
    /// The statements that create it.
    pub create: String,
    /// The statements that replace a version with another text.
    pub replace: String,
}

impl Definition {
    /// Adds a statement that runs after the definition was created or replaced.
    #[must_use]
    pub fn then(mut self, statement: &str) -> Self {
        for statements in [&mut self.create, &mut self.replace] {
            statements.push_str("; ");
            statements.push_str(statement);
        }
        self
    }

    /// Returns the statements to run if the database has this text; `None` if it is the current version.
    fn change(&self, found: Option<String>) -> Option<String> {
        match found {
            None => Some(self.create.clone()),
            Some(found) => self.text.as_ref().is_some_and(|text| *text != found).then(|| self.replace.clone()),
        }
    }
}

/// Creates or replaces definitions in one transaction. `$begin` begins it, and keeps others from doing the same
/// meanwhile; `$find` selects the text of a definition by its name.
macro_rules! define {
    ($connection:expr, $begin:literal, $find:literal, $definitions:expr) => {{
        let mut connection = $connection;
        let mut tx = connection.begin_with($begin).await?;
        for definition in $definitions {
            let found = sqlx::query_scalar($find).bind(&definition.name).fetch_optional(&mut *tx).await?;
            if let Some(change) = definition.change(found) {
                sqlx::raw_sql(AssertSqlSafe(change)).execute(&mut *tx).await?;
            }
        }
        tx.commit().await?;
    }};
}

impl Db {
    /// Applies the missing migrations, and then the definitions that are missing or have changed.
    ///
    /// # Errors
    /// A migration fails (and is rolled back), or the schema is from a newer version or another build of the program.
    pub async fn migrate(&self, definitions: &[Definition]) -> std::result::Result<(), MigrateError> {
        self.apply(self.pick(&SQLITE, &POSTGRES), definitions).await
    }

    async fn apply(&self, migrator: &Migrator, definitions: &[Definition]) -> std::result::Result<(), MigrateError> {
        match self {
            Db::Sqlite { write, .. } => {
                migrator.run(write).await?;
                define!(
                    write.acquire().await?,
                    "BEGIN IMMEDIATE",
                    "SELECT sql FROM sqlite_master WHERE name = $1",
                    definitions
                );
            }
            Db::Postgres(pool, ..) => {
                // A connection of its own, without the timeouts of requests: building an index, or waiting for another
                // node's migrations, may take longer.
                let mut connection = pool.driver().acquire().await?.detach();
                let settings = "SET statement_timeout = 0; SET lock_timeout = 0; SET forecourt.corp = 'all'";
                sqlx::raw_sql(settings).execute(&mut connection).await?;
                migrator.run(&mut connection).await?;
                define!(
                    connection,
                    "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('definitions', 0))",
                    "SELECT prosrc FROM pg_proc WHERE proname = $1 AND pronamespace = quote_ident(current_schema())::regnamespace",
                    definitions
                );
            }
        }
        Ok(())
    }

    /// Returns true if the database's last migration is this program's last migration.
    pub async fn is_current(&self) -> Result<bool> {
        let last: Option<i64> =
            self.catalog().sql("SELECT CAST(max(version) AS BIGINT) FROM _sqlx_migrations").value().await?;
        Ok(last == self.pick(&SQLITE, &POSTGRES).iter().map(|m| m.version).max())
    }

    /// Compares the schema to this program's; changes nothing.
    pub async fn schema(&self) -> Result<Schema> {
        let there = "SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'";
        let there = self.pick(there, "SELECT count(to_regclass('_sqlx_migrations'))");
        let db = self.catalog();
        if db.sql(there).value::<i64>().await? == 0 {
            return Ok(Schema::Missing);
        }
        let applied = db.sql("SELECT version, checksum FROM _sqlx_migrations ORDER BY version").all().await?;
        Ok(compare(&applied, self.pick(&SQLITE, &POSTGRES)))
    }
}

/// Compares the migrations that were applied to a SQLite file, by number and checksum, to this program's.
pub(crate) fn compare_to_sqlite(applied: &[(i64, Vec<u8>)]) -> Schema {
    compare(applied, &SQLITE)
}

fn compare(applied: &[(i64, Vec<u8>)], migrator: &Migrator) -> Schema {
    for (version, checksum) in applied {
        match migrator.iter().find(|m| m.version == *version) {
            None => return Schema::Newer(*version),
            Some(own) if *own.checksum != **checksum => return Schema::Other(*version),
            Some(_) => {}
        }
    }
    match migrator.iter().count().saturating_sub(applied.len()) {
        0 => Schema::Same,
        missing => Schema::Older(missing),
    }
}

/// Returns why a database can't be migrated, in one line.
pub fn migration_error(error: &MigrateError) -> String {
    match error {
        MigrateError::VersionMissing(version) => newer_schema_error(*version),
        MigrateError::VersionMismatch(version) => other_schema_error(*version),
        MigrateError::ExecuteMigration(error, version) => {
            format!("migration {version} failed and was rolled back: {}", database_message(error))
        }
        error => one_line(&error.to_string()),
    }
}

/// Returns the error message for a schema that is newer than the program.
pub fn newer_schema_error(version: i64) -> String {
    format!(
        "its schema is from a newer version of this program (migration {version}): start that version, or restore a backup from before the upgrade"
    )
}

/// Returns the error message for a schema that another build has created.
pub fn other_schema_error(version: i64) -> String {
    format!("its migration {version} differs from this program's: start the version that created it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::test_database;

    async fn newest(db: &Db) -> i64 {
        let version: i64 = db.sql("SELECT max(version) FROM _sqlx_migrations").value().await.unwrap();
        version
    }

    #[tokio::test]
    async fn rejects_a_newer_schema_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        assert_eq!((db.schema().await.unwrap(), db.is_current().await.unwrap()), (Schema::Same, true));
        let text = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                    VALUES (9999, 'later', TRUE, $1, 0)";
        db.sql(text).bind(vec![1_u8]).exec().await.unwrap();
        let line = migration_error(&db.migrate(&[]).await.unwrap_err());
        assert!(line.contains("newer version of this program (migration 9999)"), "{line}");
        assert_eq!((db.schema().await.unwrap(), db.is_current().await.unwrap()), (Schema::Newer(9999), false));
        assert_eq!(newest(&db).await, 9999);
    }

    #[tokio::test]
    async fn rejects_a_migration_that_was_changed_after_it_was_applied() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        db.sql("UPDATE _sqlx_migrations SET checksum = $1 WHERE version = 3").bind(vec![1_u8]).exec().await.unwrap();
        let line = migration_error(&db.migrate(&[]).await.unwrap_err());
        assert!(line.contains("migration 3 differs from this program's"), "{line}");
        assert_eq!(db.schema().await.unwrap(), Schema::Other(3));
    }

    #[tokio::test]
    async fn rolls_back_a_failed_migration_and_can_retry_it() {
        let (folder, scripts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let db = test_database(folder.path()).await;
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations/");
        let own = std::path::Path::new(own).join(db.pick("sqlite", "postgres"));
        for file in std::fs::read_dir(own).unwrap().map(|file| file.unwrap().path()) {
            std::fs::copy(&file, scripts.path().join(file.file_name().unwrap())).unwrap();
        }
        let script = scripts.path().join("9999_halves.sql");
        std::fs::write(&script, "CREATE TABLE first_half (id BIGINT); INSERT INTO no_such_table VALUES (1);").unwrap();
        let before = newest(&db).await;
        for _ in 0..2 {
            let line =
                migration_error(&db.apply(&Migrator::new(scripts.path()).await.unwrap(), &[]).await.unwrap_err());
            assert!(line.contains("migration 9999 failed and was rolled back"), "{line}");
            assert!(
                db.sql("SELECT id FROM first_half").all::<(i64,)>().await.is_err(),
                "the migration was half applied"
            );
            assert_eq!(newest(&db).await, before);
        }
        std::fs::write(&script, "CREATE TABLE first_half (id BIGINT);").unwrap();
        db.apply(&Migrator::new(scripts.path()).await.unwrap(), &[]).await.unwrap();
        assert_eq!(newest(&db).await, 9999);
    }

    /// Migration 23 creates SQLite's statistics tables. If ANALYZE created them later, it would change the schema of
    /// connections that are in use.
    #[tokio::test]
    async fn the_statistics_tables_exist_before_the_first_analyze() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let Db::Sqlite { .. } = db else { return };
        let version = "SELECT CAST(schema_version AS INTEGER) FROM pragma_schema_version";
        let before: i64 = db.sql(version).value().await.unwrap();
        db.sql("ANALYZE").exec().await.unwrap();
        let learned: i64 = db.sql("SELECT count(*) FROM sqlite_stat1").value().await.unwrap();
        assert!(learned > 0);
        assert_eq!(db.sql(version).value::<i64>().await.unwrap(), before);
    }

    #[tokio::test]
    async fn a_definition_is_created_once_and_replaced_when_its_text_changes() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        db.sql("CREATE TABLE runs (text TEXT)").exec().await.unwrap();
        let definition = |number: i64| {
            let create = format!("CREATE TRIGGER counted AFTER DELETE ON runs BEGIN SELECT {number}; END");
            let body = format!("BEGIN RETURN {number}; END");
            let function = format!("CREATE OR REPLACE FUNCTION counted() RETURNS INT LANGUAGE plpgsql AS $${body}$$");
            let (text, create, replace) = db.pick(
                (create.clone(), create.clone(), format!("DROP TRIGGER counted; {create}")),
                (body, function.clone(), function),
            );
            let name = "counted".into();
            [Definition { name, text: Some(text), create, replace }.then("INSERT INTO runs VALUES ('defined')")]
        };
        let runs = async || db.sql("SELECT count(*) FROM runs").value::<i64>().await.unwrap();
        for (number, expected) in [(1, 1), (1, 1), (2, 2), (2, 2)] {
            db.migrate(&definition(number)).await.unwrap();
            assert_eq!(runs().await, expected);
        }
    }

    #[test]
    fn every_migration_runs_in_a_transaction() {
        assert!(SQLITE.iter().chain(POSTGRES.iter()).all(|migration| !migration.no_tx));
    }
}
