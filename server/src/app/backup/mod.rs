//! `forecourt backup`: writes a consistent copy of the SQLite database to one file, also while a server uses the
//! database. The copy does not contain the encryption keys, so a stolen backup reveals no social security number
//! (docs/decisions/0008-data-keys.md).
//!
//! **Invariant:** a backup gets its name only after it was read completely and synced to disk.

mod contents;
mod restore;

pub use contents::Contents;
pub(crate) use contents::count_records;
pub use restore::restore;

use crate::app::start::without_password;
use crate::platform::Failure;
use crate::platform::config::PlatformConfig;
use crate::platform::db::database_message;
use crate::platform::db::open::sqlite_file;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// How long a backup waits for another program's lock on the whole database.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

/// Writes a backup to the new file `to`, checks it, and returns a sentence that describes its contents.
///
/// # Errors
/// A message of one line: `to` exists already or can't be written, the backup is incomplete, or the database is not a
/// SQLite file (for PostgreSQL, the message is the command to run instead).
pub async fn backup(config: &PlatformConfig, to: &Path) -> Result<String, Failure> {
    let source = database_file(config, |url| {
        format!(
            "to back up PostgreSQL, run: umask 077 && PGOPTIONS='-c forecourt.corp=all' pg_dump --format=custom \
             --enable-row-security --file={} --dbname={url}",
            to.display()
        )
    })?;
    let name = to.display();
    if to.symlink_metadata().is_ok() {
        return Err(format!("{name} already exists, and a backup replaces no file"));
    }
    if !source.exists() {
        return Err(format!("there is no database {}", source.display()));
    }
    let write_error = |e: std::io::Error| format!("can't write the backup {name}: {e}");
    // Only this user can read the temporary file, and it is removed on any error.
    let temporary = create_temporary_beside(to).map_err(write_error)?;
    copy(&source, temporary.path())
        .await
        .map_err(|e| format!("can't write the backup {name}: {}", database_message(&e)))?;
    temporary.as_file().sync_all().map_err(write_error)?;
    let contents =
        Contents::read(temporary.path()).await.map_err(|e| format!("the backup {name} is incomplete: {e}"))?;
    temporary.persist_noclobber(to).map_err(|e| write_error(e.error))?;
    sync_folder(to).map_err(write_error)?;
    Ok(format!("{name} is complete: {contents}.{}", contents.keys_note()))
}

/// Copies the database with `VACUUM INTO`, which gives a consistent snapshot despite concurrent writes.
async fn copy(from: &Path, to: &Path) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new().filename(from).busy_timeout(LOCK_TIMEOUT).disable_statement_logging();
    let mut connection = SqliteConnection::connect_with(&options).await?;
    sqlx::query("VACUUM INTO $1").bind(to.display().to_string()).execute(&mut connection).await?;
    connection.close().await
}

/// Returns the file of the SQLite database. On PostgreSQL, fails with the message that `postgres_command` makes of the
/// database's URL (without its password).
fn database_file(config: &PlatformConfig, postgres_command: impl Fn(&str) -> String) -> Result<PathBuf, Failure> {
    let url = config.database_url();
    let url = url.expose_secret();
    match sqlite_file(url) {
        Some(path) => Ok(path),
        None if url.starts_with("sqlite:") => Err("a database in memory can't be backed up".into()),
        None => Err(postgres_command(&without_password(url))),
    }
}

/// Creates a temporary file in the folder of `path`, so that it can be renamed to `path` atomically.
fn create_temporary_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".forecourt-").suffix(".new").tempfile_in(folder_of(path))
}

/// Returns the folder that contains the file `path`.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder of `path` to disk, so that a rename in it survives a power failure.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}
