//! Who uses a database's file: any number of programs that work with it, or one that puts another in its place.

use crate::db::open::file;
use crate::start::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Held by a program that works with the database; none for a database that isn't a file.
///
/// # Errors
/// One line: a backup is being restored, or the lock can't be made.
pub fn share(url: &str) -> Result<Option<File>, Failure> {
    let Some(database) = file(url) else { return Ok(None) };
    // A folder that isn't there is told by whoever opens the database.
    let Ok(lock) = open(&database) else { return Ok(None) };
    match lock.try_lock_shared() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Err(format!("a backup is being restored as {}", database.display())),
        Err(TryLockError::Error(e)) => Err(format!("{} can't be locked: {e}", database.display())),
    }
}

/// Held while the file is replaced.
///
/// # Errors
/// One line: a program works with the database, or the lock can't be made.
pub fn own(database: &Path) -> Result<File, Failure> {
    let lock = open(database).map_err(|e| format!("{} can't be locked: {e}", database.display()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            Err(format!("a server works with {}: stop it, then restore", database.display()))
        }
        Err(TryLockError::Error(e)) => Err(format!("{} can't be locked: {e}", database.display())),
    }
}

/// The lock's own file, which stays: were it removed, two programs could each lock one of the same name.
fn open(database: &Path) -> std::io::Result<File> {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(PathBuf::from(name))
}
