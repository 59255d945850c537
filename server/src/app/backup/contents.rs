//! Reads a backup completely, to check it and to report its contents.

use super::database_message;
use crate::platform::db::Db;
use crate::platform::db::schema::{Schema, compare_to_sqlite, newer_schema_error, other_schema_error};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::fmt::{self, Display};
use std::path::Path;

/// The first bytes of every SQLite database.
const SQLITE_HEADER: &[u8] = b"SQLite format 3\0";

/// Selects the numbers that [`describe_counts`] describes.
const SELECT_COUNTS: &str = "SELECT (SELECT count(*) FROM corporations), (SELECT count(*) FROM users), \
                             (SELECT count(*) FROM contacts), (SELECT count(*) FROM customers), \
                             (SELECT count(*) FROM invoices)";

/// Returns the numbers of records in the database, as a text.
pub(crate) async fn count_records(db: &Db) -> sqlx::Result<String> {
    Ok(describe_counts(db.sql(SELECT_COUNTS).one().await?))
}

fn describe_counts((corporations, users, contacts, customers, invoices): (i64, i64, i64, i64, i64)) -> String {
    format!(
        "{corporations} corporations, {users} users, {contacts} contacts, {customers} customers, {invoices} invoices"
    )
}

/// What a valid backup contains: its size, the number of its migrations, row counts, and the ids of its data keys.
pub struct Contents {
    bytes: u64,
    migrations: usize,
    counts: String,
    /// The ids of the data keys with which the backup's social security numbers are encrypted.
    pub key_ids: Vec<String>,
}

impl Contents {
    /// Checks every page and foreign key and the schema of a backup, and returns its contents. No other program may
    /// write the file meanwhile.
    ///
    /// # Errors
    /// A message of one line: the file is no SQLite database, is damaged, or is from another program or a newer
    /// version.
    pub async fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::metadata(path).map_err(|e| e.to_string())?.len();
        if !has_sqlite_header(path).map_err(|e| e.to_string())? {
            return Err("it isn't a backup: it is not a SQLite database".into());
        }
        let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
        let options = options.disable_statement_logging();
        let mut db = SqliteConnection::connect_with(&options).await.map_err(|e| database_message(&e))?;
        let found = Contents::query(&mut db, bytes).await;
        let _ = db.close().await;
        found
    }

    async fn query(db: &mut SqliteConnection, bytes: u64) -> Result<Self, String> {
        let damaged = |e: sqlx::Error| format!("it is damaged: {}", database_message(&e));
        let (verdict,): (String,) =
            sqlx::query_as("PRAGMA integrity_check(1)").fetch_one(&mut *db).await.map_err(damaged)?;
        if verdict != "ok" {
            return Err(format!("it is damaged: {}", forecourt_core::text::one_line(&verdict)));
        }
        let broken = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *db).await.map_err(damaged)?;
        if broken.is_some() {
            return Err("it is damaged: a row refers to a missing row".into());
        }
        let other_program = |_| "it isn't a backup of this program".to_owned();
        let applied: Vec<(i64, Vec<u8>)> = sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations")
            .fetch_all(&mut *db)
            .await
            .map_err(other_program)?;
        match compare_to_sqlite(&applied) {
            Schema::Newer(version) => return Err(newer_schema_error(version)),
            Schema::Other(version) => return Err(other_schema_error(version)),
            Schema::Missing | Schema::Older(_) | Schema::Same => {}
        }
        let counts = sqlx::query_as(SELECT_COUNTS).fetch_one(&mut *db).await.map_err(other_program)?;
        let counts = describe_counts(counts);
        let key_ids: Vec<(String,)> =
            sqlx::query_as("SELECT key_id FROM data_keys").fetch_all(&mut *db).await.map_err(other_program)?;
        let key_ids = key_ids.into_iter().map(|(id,)| id).collect();
        Ok(Contents { bytes, migrations: applied.len(), counts, key_ids })
    }

    /// Returns a sentence about the data keys without which the backup's social security numbers can't be decrypted;
    /// empty if no keys are needed.
    pub(super) fn keys_note(&self) -> String {
        match self.key_ids.as_slice() {
            [] => String::new(),
            keys => format!(
                " Keep the keys in another place (data.keys and secret.key in the data folder, or the settings): without the \
                 data key {} the social security numbers can't be decrypted.",
                keys.join(" and ")
            ),
        }
    }
}

impl Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kB, schema {}, {}", self.bytes.div_ceil(1024), self.migrations, self.counts)
    }
}

fn has_sqlite_header(path: &Path) -> std::io::Result<bool> {
    use std::io::Read;
    let mut head = Vec::new();
    std::fs::File::open(path)?.take(SQLITE_HEADER.len() as u64).read_to_end(&mut head)?;
    Ok(head == SQLITE_HEADER)
}
