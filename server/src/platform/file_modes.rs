//! Makes the files that the program writes readable only by the user who runs it, regardless of the umask that it was
//! started with.

use rustix::fs::Mode;
use rustix::process::umask;
use std::fs::{self, DirBuilder, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The permission bits of the group and of other users in a file mode.
const OTHERS: u32 = 0o077;

/// Sets the process's umask, so that new files are 0600 and new folders 0700. Call it before any thread starts.
pub fn restrict_new_files() {
    umask(Mode::from_raw_mode(OTHERS));
}

/// Creates a folder with mode 0700. If it exists, removes the permissions of other users from it, from its files, and
/// from its folders `outbox` and `tmp` with their files.
///
/// # Errors
/// The folder can't be created. Permissions that can't be changed are only logged, because a network file system may
/// not support them.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    log_failure(folder, restrict(folder, fs::metadata(folder)));
    for inner in [folder.to_owned(), folder.join("outbox"), folder.join("tmp")] {
        match restrict_entries(&inner, |_| true) {
            // The folder is another user's. If it is open to others, its own mode was logged above.
            Err(e) if e.kind() == ErrorKind::PermissionDenied => {}
            done => log_failure(&inner, done),
        }
    }
    Ok(())
}

/// Removes the permissions of other users from a database file and the files whose names start with its name: its
/// write-ahead log, its lock, and the previous database that a restore leaves behind.
pub(crate) fn restrict_database(database: &Path) {
    let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_beside = |path: &Path| {
        path.file_name().is_some_and(|other| other.as_encoded_bytes().starts_with(name.as_encoded_bytes()))
    };
    log_failure(folder, restrict_entries(folder, is_beside));
}

/// Removes the permissions of other users from each entry of a folder that `is_selected` selects by its path: from
/// files, and from the folders `outbox` and `tmp`, but not from their files. Other folders and symbolic links are left
/// alone.
fn restrict_entries(folder: &Path, is_selected: impl Fn(&Path) -> bool) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let path: PathBuf = entry.path();
        let may_restrict = entry.file_type().is_ok_and(|kind| kind.is_file() || is_outbox_or_tmp(&path, kind.is_dir()));
        if may_restrict && is_selected(&path) {
            log_failure(&path, restrict(&path, entry.metadata()));
        }
    }
    Ok(())
}

fn is_outbox_or_tmp(path: &Path, is_folder: bool) -> bool {
    is_folder && path.file_name().is_some_and(|name| name == "outbox" || name == "tmp")
}

fn restrict(path: &Path, metadata: io::Result<Metadata>) -> io::Result<()> {
    let metadata = match metadata {
        // Another process has removed it in the meantime.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    let mode = metadata.permissions().mode();
    if mode & OTHERS == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & !OTHERS))?;
    tracing::debug!(path = %path.display(), "removed the permissions of other users");
    Ok(())
}

fn log_failure(path: &Path, done: io::Result<()>) {
    if let Err(error) = done {
        tracing::warn!(path = %path.display(), %error, "other users of this machine may be able to read this");
    }
}
