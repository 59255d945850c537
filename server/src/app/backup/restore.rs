//! `forecourt restore`: replaces the database with a backup. The previous database is preserved beside it.

use super::{Contents, create_temporary_beside, database_file, database_message, sync_folder};
use crate::platform::Failure;
use crate::platform::clock::Clock;
use crate::platform::config::PlatformConfig;
use crate::platform::encryption::DataKeys;
use crate::platform::file_modes;
use crate::platform::lock;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode};
use sqlx::{ConnectOptions, Connection};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks the backup `from`, makes a copy of it the database, and returns a sentence about the result. Replaces an
/// existing database only if `replace` is true.
///
/// # Errors
/// A message of one line. The database's content has not changed if a server uses the database, if `replace` is false
/// and there is data, or if the backup can't be used. After a write error, the previous database may be found under its
/// own name, under the name with `.before-restore-…` added, or under both; a `-wal` file of the same name belongs to
/// it.
pub async fn restore(config: &PlatformConfig, from: &Path, replace: bool) -> Result<String, Failure> {
    let to = database_file(config, |url| {
        format!(
            "to restore PostgreSQL, run, with an empty database: pg_restore --no-owner --dbname={url} {}",
            from.display()
        )
    })?;
    let (backup, name) = (from.display(), to.display());
    file_modes::create_folder(&config.data_dir)
        .map_err(|e| format!("can't create {}: {e}", config.data_dir.display()))?;
    lock::check_folder_owner(&config.data_dir)?;
    file_modes::restrict_database(&to);
    let _lock = lock::lock_exclusive(&to)?;
    let has_data = fs::metadata(&to).is_ok_and(|file| file.len() > 0);
    if has_data && !replace {
        return Err(format!("{name} already contains data: --replace renames it and restores the backup"));
    }
    let read_error = |e: std::io::Error| format!("can't read the backup {backup}: {e}");
    let write_error = |e: std::io::Error| format!("can't write {name}: {e}");
    let temporary = create_temporary_beside(&to).map_err(write_error)?;
    std::io::copy(&mut fs::File::open(from).map_err(read_error)?, &mut temporary.as_file()).map_err(write_error)?;
    temporary.as_file().sync_all().map_err(write_error)?;
    // Checks the copy, not the original, because the copy becomes the database.
    let contents = Contents::read(temporary.path()).await.map_err(|e| format!("can't restore {backup}: {e}"))?;
    let aside = if has_data { Some(preserve_database(&to).await?) } else { None };
    for rest in ["-wal", "-shm"] {
        // SQLite would apply a write-ahead log of the old database to the new one.
        match fs::remove_file(append(&to, rest)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(write_error(e)),
            _ => {}
        }
    }
    sync_folder(&to).map_err(write_error)?;
    temporary.persist(&to).map_err(|e| write_error(e.error))?;
    sync_folder(&to).map_err(write_error)?;
    let aside = aside.unwrap_or_default();
    Ok(format!("restored {backup} as {name}: {contents}.{aside}{}", missing_key_note(config, &contents)))
}

/// Gives the database a second name (hard link), under which it is preserved, and returns a sentence with that name.
async fn preserve_database(database: &Path) -> Result<String, Failure> {
    let now = Clock::System.now() / 1_000_000;
    let aside = append(database, &format!(".before-restore-{now}"));
    let link_error = |e: std::io::Error| format!("can't rename {}: {e}", database.display());
    let mut note = format!(" The previous database is now {}.", aside.display());
    if let Err(error) = checkpoint(database).await {
        // The database may be damaged, perhaps the reason for the restore: preserve it unchanged, with its write-ahead
        // log.
        note += &format!(" It is damaged or was in use, and was kept unchanged: {}.", database_message(&error));
        let log = append(database, "-wal");
        if log.exists() {
            fs::hard_link(log, append(&aside, "-wal")).map_err(link_error)?;
        }
    }
    fs::hard_link(database, &aside).map_err(link_error)?;
    sync_folder(database).map_err(link_error)?;
    Ok(note)
}

/// Moves the content of SQLite's write-ahead log into the database file, so that this file alone is complete.
async fn checkpoint(database: &Path) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new().filename(database).journal_mode(SqliteJournalMode::Delete);
    SqliteConnection::connect_with(&options.disable_statement_logging()).await?.close().await
}

fn append(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    PathBuf::from(name)
}

/// Returns a sentence about the first data key that the backup is encrypted with and that this installation lacks;
/// empty if it has all of them.
fn missing_key_note(config: &PlatformConfig, contents: &Contents) -> String {
    let configured = DataKeys::configured_ids(config).ok().flatten().unwrap_or_default();
    match contents.key_ids.iter().find(|id| !configured.contains(id)) {
        Some(id) => format!(
            " A server does not start with it yet: it has text encrypted with the data key {id}, which is missing. Add \
             this key to data.keys in the data folder, or to FORECOURT_DATA_KEYS."
        ),
        None => String::new(),
    }
}
