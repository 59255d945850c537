//! File lock on a SQLite database: shared by programs that use it, exclusive for one that replaces the file.

use crate::platform::Failure;
use crate::platform::db::open::file;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Takes the shared lock of a program that uses the database. `None` for a database that isn't a file.
///
/// # Errors
/// One line: a backup is being restored, or the lock can't be taken.
pub fn share(url: &str) -> Result<Option<File>, Failure> {
    let Some(database) = file(url) else { return Ok(None) };
    let lock = match open(&database) {
        // A missing folder is reported when the database is opened.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        lock => lock.map_err(|e| unlocked(&database, &e))?,
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Err(format!("a backup is being restored as {}", database.display())),
        Err(TryLockError::Error(e)) => Err(unlocked(&database, &e)),
    }
}

/// Takes the exclusive lock for replacing the database file.
///
/// # Errors
/// One line: another program uses the database, or the lock can't be taken.
pub fn own(database: &Path) -> Result<File, Failure> {
    let lock = open(database).map_err(|e| unlocked(database, &e))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            Err(format!("a server works with {}: stop it, then restore", database.display()))
        }
        Err(TryLockError::Error(e)) => Err(unlocked(database, &e)),
    }
}

/// Fails if root is about to create files in another user's folder, which that user could not open afterwards. Call it
/// before anything is created in the folder.
///
/// # Errors
/// One line: the folder belongs to another user, and which.
pub fn as_owner(folder: &Path) -> Result<(), Failure> {
    let owner = fs::metadata(folder).map(|folder| folder.uid());
    // A network file system may assign another owner, so a test file shows who it is. Write errors are reported later.
    let maker = tempfile::tempfile_in(folder).and_then(|file| file.metadata()).map(|file| file.uid());
    match (owner, maker) {
        (Ok(owner), Ok(0)) if owner != 0 => {
            let (name, folder) = (name_of(owner), folder.display());
            Err(format!("{folder} belongs to {name}, who can't open what root makes in it: run this as {name}"))
        }
        _ => Ok(()),
    }
}

/// Returns the name of a user id from `/etc/passwd`, or "the user ID".
fn name_of(user: u32) -> String {
    let list = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = list.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)? == user.to_string()).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| format!("the user {user}"))
}

fn unlocked(database: &Path, error: &io::Error) -> Failure {
    format!("{} can't be locked: {error}", database.display())
}

/// Opens the lock file. It is never removed: two programs could otherwise each lock a different file of the same name.
fn open(database: &Path) -> io::Result<File> {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_where_there_is_no_folder_is_no_lock_needed() {
        let folder = tempfile::tempdir().unwrap();
        let lock = |name: &str| share(&format!("sqlite:{}", folder.path().join(name).display()));
        assert!(lock("none/database").unwrap().is_none());
        assert!(lock("database").unwrap().is_some());
        fs::create_dir(folder.path().join("broken.lock")).unwrap();
        assert!(lock("broken").unwrap_err().contains("can't be locked"));
    }

    #[test]
    fn a_user_is_called_by_name_if_there_is_one() {
        assert_eq!((name_of(0).as_str(), name_of(3_999_999_999).as_str()), ("root", "the user 3999999999"));
    }
}
