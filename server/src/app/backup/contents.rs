//! Reads a backup completely, to check it and to report its contents.

use super::told;
use crate::platform::db::schema::{Schema, compared_to_sqlite, newer, other};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::fmt::{self, Display};
use std::path::Path;

/// The first bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The contents of a complete database of this program.
pub struct Contents {
    bytes: u64,
    migrations: usize,
    counts: [i64; 5],
    /// The ids of the keys that encrypt social security numbers in it.
    pub needs: Vec<String>,
}

impl Contents {
    /// Reads a file that no other program writes: every page, every foreign key, the schema, and the row counts.
    ///
    /// # Errors
    /// One line: it isn't a database, is damaged, or belongs to another or a newer program.
    pub async fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::metadata(path).map_err(|e| e.to_string())?.len();
        if !begins_as_a_database(path).map_err(|e| e.to_string())? {
            return Err("it isn't a backup: it begins unlike a SQLite database".into());
        }
        let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
        let options = options.disable_statement_logging();
        let mut db = SqliteConnection::connect_with(&options).await.map_err(|e| told(&e))?;
        let found = Contents::of(&mut db, bytes).await;
        let _ = db.close().await;
        found
    }

    async fn of(db: &mut SqliteConnection, bytes: u64) -> Result<Self, String> {
        let damaged = |e: sqlx::Error| format!("it is damaged: {}", told(&e));
        let (verdict,): (String,) =
            sqlx::query_as("PRAGMA integrity_check(1)").fetch_one(&mut *db).await.map_err(damaged)?;
        if verdict != "ok" {
            return Err(format!("it is damaged: {}", forecourt_core::text::one_line(&verdict)));
        }
        let broken = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *db).await.map_err(damaged)?;
        if broken.is_some() {
            return Err("it is damaged: a row refers to one that isn't there".into());
        }
        let foreign = |_| "it isn't a backup of this program's".to_owned();
        let applied: Vec<(i64, Vec<u8>)> = sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations")
            .fetch_all(&mut *db)
            .await
            .map_err(foreign)?;
        match compared_to_sqlite(&applied) {
            Schema::Newer(version) => return Err(newer(version)),
            Schema::Other(version) => return Err(other(version)),
            Schema::Missing | Schema::Older(_) | Schema::Same => {}
        }
        let counted = "SELECT (SELECT count(*) FROM corporations), (SELECT count(*) FROM users), \
                       (SELECT count(*) FROM contacts), (SELECT count(*) FROM customers), \
                       (SELECT count(*) FROM invoices)";
        let (a, b, c, d, e) = sqlx::query_as(counted).fetch_one(&mut *db).await.map_err(foreign)?;
        let needs: Vec<(String,)> =
            sqlx::query_as("SELECT key_id FROM data_keys").fetch_all(&mut *db).await.map_err(foreign)?;
        let needs = needs.into_iter().map(|(id,)| id).collect();
        Ok(Contents { bytes, migrations: applied.len(), counts: [a, b, c, d, e], needs })
    }

    /// Returns a sentence about the keys that are needed to read all of it; empty if none are.
    pub(super) fn keys(&self) -> String {
        match self.needs.as_slice() {
            [] => String::new(),
            keys => format!(
                " Keep the keys elsewhere (data.keys and secret.key in the data folder, or the settings): without the data \
                 key {} the social security numbers in it can't be read.",
                keys.join(" and ")
            ),
        }
    }
}

impl Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [corporations, users, contacts, customers, invoices] = self.counts;
        write!(
            f,
            "{} kB, schema {}, {corporations} corporations, {users} users, {contacts} contacts, {customers} customers, \
             {invoices} invoices",
            self.bytes.div_ceil(1024),
            self.migrations
        )
    }
}

fn begins_as_a_database(path: &Path) -> std::io::Result<bool> {
    use std::io::Read;
    let mut head = Vec::new();
    std::fs::File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut head)?;
    Ok(head == MAGIC)
}
