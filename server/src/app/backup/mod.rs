//! `forecourt backup`: a consistent copy of the database in one file, while a server uses it. It does not contain the
//! keys, so that a stolen backup reveals no social security number (docs/decisions/0008-data-keys.md).
//!
//! **Invariant:** a backup gets its name only after it was read completely and synced to disk.

mod contents;
mod restore;

pub use contents::Contents;
pub use restore::restore;

use crate::app::start::without_password;
use crate::platform::Failure;
use crate::platform::config::Config;
use crate::platform::db::open::file;
use forecourt_core::text::one_line;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// How long a backup waits for another program's lock on the whole database.
const PATIENCE: Duration = Duration::from_secs(30);

/// Writes a backup, checks it, and returns a description of its contents.
///
/// # Errors
/// One line: the file exists already, can't be written, or is damaged.
pub async fn backup(config: &Config, to: &Path) -> Result<String, Failure> {
    let source = database(config, |url| {
        format!(
            "a backup of PostgreSQL is made by its own program: PGOPTIONS='-c forecourt.corp=all' pg_dump --format=custom \
             --enable-row-security --file={} --dbname={url}",
            to.display()
        )
    })?;
    let name = to.display();
    if to.symlink_metadata().is_ok() {
        return Err(format!("{name} is there already: a backup replaces nothing"));
    }
    if !source.exists() {
        return Err(format!("there is no database {}", source.display()));
    }
    let unwritten = |e: std::io::Error| format!("the backup {name} can't be written: {e}");
    // Only its owner can read it, and it is removed on any error.
    let draft = draft_beside(to).map_err(unwritten)?;
    copy(&source, draft.path()).await.map_err(|e| format!("the backup {name} can't be written: {}", told(&e)))?;
    draft.as_file().sync_all().map_err(unwritten)?;
    let contents = Contents::read(draft.path()).await.map_err(|e| format!("the backup {name} isn't whole: {e}"))?;
    draft.persist_noclobber(to).map_err(|e| unwritten(e.error))?;
    sync_folder(to).map_err(unwritten)?;
    Ok(format!("{name} is whole: {contents}.{}", contents.keys()))
}

/// Copies the database with `VACUUM INTO`, which gives a consistent snapshot despite concurrent writes.
async fn copy(from: &Path, to: &Path) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new().filename(from).busy_timeout(PATIENCE).disable_statement_logging();
    let mut connection = SqliteConnection::connect_with(&options).await?;
    sqlx::query("VACUUM INTO $1").bind(to.display().to_string()).execute(&mut connection).await?;
    connection.close().await
}

/// Returns the database's file, or an error with the right command on PostgreSQL.
fn database(config: &Config, on_postgres: impl Fn(&str) -> String) -> Result<PathBuf, Failure> {
    let url = config.database_url();
    match file(&url) {
        Some(path) => Ok(path),
        None if url.starts_with("sqlite:") => Err("a database in memory can't be kept".into()),
        None => Err(on_postgres(&without_password(&url))),
    }
}

/// Creates a temporary file in the same folder, so that it can be renamed atomically.
fn draft_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".forecourt-").suffix(".new").tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename durable.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

/// Returns SQLite's error message, on one line.
fn told(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(e) => one_line(e.message()),
        error => one_line(&error.to_string()),
    }
}
