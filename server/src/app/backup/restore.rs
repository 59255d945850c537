//! `forecourt restore`: replaces the database with a backup. The previous database is preserved beside it.

use super::{Contents, database, draft_beside, sync_folder, told};
use crate::platform::Failure;
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::encryption::DataKeys;
use crate::platform::file_modes;
use crate::platform::lock;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode};
use sqlx::{ConnectOptions, Connection};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks a backup and makes it the database.
///
/// # Errors
/// One line: a server uses the database, there is data already, or the backup can't be used. Then nothing has changed.
pub async fn restore(config: &Config, from: &Path, replace: bool) -> Result<String, Failure> {
    let to = database(config, |url| {
        format!(
            "PostgreSQL's own program restores, into an empty database: pg_restore --no-owner --dbname={url} {}",
            from.display()
        )
    })?;
    let (backup, name) = (from.display(), to.display());
    file_modes::make_folder(&config.data_dir)
        .map_err(|e| format!("{} can't be made: {e}", config.data_dir.display()))?;
    lock::as_owner(&config.data_dir)?;
    file_modes::tighten_database(&to);
    let _lock = lock::own(&to)?;
    let is_there = fs::metadata(&to).is_ok_and(|there| there.len() > 0);
    if is_there && !replace {
        return Err(format!("there is data in {name} already: --replace puts it aside and the backup in its place"));
    }
    let unread = |e: std::io::Error| format!("the backup {backup} can't be read: {e}");
    let unwritten = |e: std::io::Error| format!("{name} can't be written: {e}");
    let draft = draft_beside(&to).map_err(unwritten)?;
    std::io::copy(&mut fs::File::open(from).map_err(unread)?, &mut draft.as_file()).map_err(unwritten)?;
    draft.as_file().sync_all().map_err(unwritten)?;
    // Checks the copy, because that becomes the database.
    let contents = Contents::read(draft.path()).await.map_err(|e| format!("{backup} can't be restored: {e}"))?;
    let aside = if is_there { Some(put_aside(&to).await?) } else { None };
    for rest in ["-wal", "-shm"] {
        // SQLite would apply a write-ahead log of the old database to the new one.
        match fs::remove_file(with(&to, rest)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(unwritten(e)),
            _ => {}
        }
    }
    sync_folder(&to).map_err(unwritten)?;
    draft.persist(&to).map_err(|e| unwritten(e.error))?;
    sync_folder(&to).map_err(unwritten)?;
    let aside = aside.unwrap_or_default();
    Ok(format!("{backup} is restored as {name}: {contents}.{aside}{}", lacking(config, &contents)))
}

/// Gives the database a second name (hard link), under which it is preserved, and returns a sentence with that name.
async fn put_aside(database: &Path) -> Result<String, Failure> {
    let now = Clock::System.now() / 1_000_000;
    let aside = with(database, &format!(".before-restore-{now}"));
    let linked = |e: std::io::Error| format!("{} can't be put aside: {e}", database.display());
    let mut says = format!(" What was there is {} now.", aside.display());
    if let Err(error) = settle(database).await {
        // It may be damaged, perhaps the reason for the restore: preserve it unchanged, with its write-ahead log.
        says += &format!(" It is damaged, or was being used, and lies there as it was found: {}.", told(&error));
        let log = with(database, "-wal");
        if log.exists() {
            fs::hard_link(log, with(&aside, "-wal")).map_err(linked)?;
        }
    }
    fs::hard_link(database, &aside).map_err(linked)?;
    sync_folder(database).map_err(linked)?;
    Ok(says)
}

/// Moves the write-ahead log into the file, so that the file is complete.
async fn settle(database: &Path) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new().filename(database).journal_mode(SqliteJournalMode::Delete);
    SqliteConnection::connect_with(&options.disable_statement_logging()).await?.close().await
}

fn with(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    PathBuf::from(name)
}

/// Returns a sentence about a key that the backup needs and that is missing here; empty if there is none.
fn lacking(config: &Config, contents: &Contents) -> String {
    let held = DataKeys::held(config).ok().flatten().unwrap_or_default();
    match contents.needs.iter().find(|id| !held.contains(id)) {
        Some(id) => format!(
            " A server won't start on it yet: what is sealed in it needs the data key {id}. Put it into data.keys of the \
             data folder, or into FORECOURT_DATA_KEYS."
        ),
        None => String::new(),
    }
}
