//! File locks on a SQLite database. One is shared by the processes that write to the database, and exclusive for a
//! restore, which replaces its file. The other is exclusive for the server: two servers would not receive each other's
//! events. The operating system releases a lock when its process ends.

use crate::platform::Failure;
use crate::platform::db::open::sqlite_file;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The lock files' names are that of the database file with these endings.
const DATABASE_LOCK: &str = ".lock";
const SERVER_LOCK: &str = ".serve.lock";

/// Takes the shared lock of a process that writes to the SQLite database, until the result is dropped. `None` if the
/// database isn't a file or its folder doesn't exist. Fails while a restore replaces the database.
pub fn lock_shared(url: &str) -> Result<Option<File>, Failure> {
    lock(url, DATABASE_LOCK, File::try_lock_shared, |database| {
        format!("a backup is being restored as {}", database.display())
    })
}

/// Takes the exclusive lock of a server, until the result is dropped. Other commands don't take it, so they can run
/// beside the server. `None` if the database isn't a file or its folder doesn't exist. Fails while another server uses
/// the database.
pub fn lock_server(url: &str) -> Result<Option<File>, Failure> {
    lock(url, SERVER_LOCK, File::try_lock, |database| {
        format!("another server uses {}: stop it first; several servers need PostgreSQL", database.display())
    })
}

fn lock(
    url: &str,
    ending: &str,
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    in_use: impl Fn(&Path) -> Failure,
) -> Result<Option<File>, Failure> {
    let Some(database) = sqlite_file(url) else { return Ok(None) };
    let lock = match open_lock_file(&database, ending) {
        // A missing folder is reported when the database is opened.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        lock => lock.map_err(|e| lock_error(&database, &e))?,
    };
    check_locked(&database, try_lock(&lock), || in_use(&database))?;
    Ok(Some(lock))
}

/// Takes the exclusive lock for replacing the database file, until the result is dropped. Fails if another
/// process holds the lock.
pub fn lock_exclusive(database: &Path) -> Result<File, Failure> {
    let lock = open_lock_file(database, DATABASE_LOCK).map_err(|e| lock_error(database, &e))?;
    let in_use = || format!("{} is in use by a server: stop it before you restore", database.display());
    check_locked(database, lock.try_lock(), in_use)?;
    Ok(lock)
}

fn check_locked(
    database: &Path,
    result: Result<(), TryLockError>,
    in_use: impl Fn() -> Failure,
) -> Result<(), Failure> {
    result.map_err(|error| match error {
        TryLockError::WouldBlock => in_use(),
        TryLockError::Error(e) => lock_error(database, &e),
    })
}

/// Fails if this process runs as root and the folder belongs to another user, who could not open the files that root
/// would create in it. Call it before anything is created in the folder.
pub fn check_folder_owner(folder: &Path) -> Result<(), Failure> {
    let owner = fs::metadata(folder).map(|folder| folder.uid());
    // A network file system may assign new files to another user than root, so a test file shows to whom. Write errors
    // are reported later.
    let creator = tempfile::tempfile_in(folder).and_then(|file| file.metadata()).map(|file| file.uid());
    match (owner, creator) {
        (Ok(owner), Ok(0)) if owner != 0 => {
            let (name, folder) = (user_name(owner), folder.display());
            Err(format!(
                "{folder} belongs to {name}, who could not open files that root creates in it: run this as {name}"
            ))
        }
        _ => Ok(()),
    }
}

/// Returns the name of the user with this id from `/etc/passwd`; "the user 1000" if the id 1000 is not listed.
fn user_name(user: u32) -> String {
    let list = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = list.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)? == user.to_string()).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| format!("the user {user}"))
}

fn lock_error(database: &Path, error: &io::Error) -> Failure {
    format!("can't lock {}: {error}", database.display())
}

/// Opens a lock file. It is never removed: two processes could otherwise each lock a different file of this name.
fn open_lock_file(database: &Path, ending: &str) -> io::Result<File> {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_a_database_file_unless_its_folder_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let lock = |name: &str| lock_shared(&format!("sqlite:{}", folder.path().join(name).display()));
        assert!(lock("none/database").unwrap().is_none());
        assert!(lock("database").unwrap().is_some());
        fs::create_dir(folder.path().join("broken.lock")).unwrap();
        assert!(lock("broken").unwrap_err().contains("can't lock"));
    }

    #[test]
    fn a_database_has_one_server_at_a_time_and_commands_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("database").display());
        let server = lock_server(&url).unwrap();
        assert!(server.is_some());
        assert!(lock_server(&url).unwrap_err().contains("another server uses"));
        assert!(lock_shared(&url).unwrap().is_some());
        drop(server);
        assert!(lock_server(&url).unwrap().is_some());
        assert!(lock_server("postgres://db.example/forecourt").unwrap().is_none());
    }

    #[test]
    fn the_name_of_an_unknown_system_user_is_the_id() {
        assert_eq!((user_name(0).as_str(), user_name(3_999_999_999).as_str()), ("root", "the user 3999999999"));
    }
}
