//! Checks of the folders of data and database (permissions, free space) and of key files' permissions.

use super::{Finding, failed, ok, warning};
use crate::app::backup::folder_of;
use crate::platform::config::PlatformConfig;
use crate::platform::volume;
use std::path::Path;

/// Free disk space below which the check warns, in megabytes: the next import may fill the disk.
const WARNING_MB: u64 = 1024;
/// Free disk space below which the check fails, in megabytes: the database will soon be unable to write.
const FAILURE_MB: u64 = 64;

/// Checks that the data folder can be created or written, that other users of the machine can't access it, and its free
/// space.
pub(super) fn check_folder(config: &PlatformConfig) -> Vec<Finding> {
    let folder = &config.data_dir;
    let name = folder.display();
    if !folder.exists() {
        let existing = folder.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(Path::new("."));
        let new = || ok("data folder", format!("{name} will be created at the first start"));
        return vec![check_writable("data folder", existing).unwrap_or_else(new)];
    }
    let mut found = Vec::new();
    found.extend(check_writable("data folder", folder));
    match accessible_to_others(folder) {
        Ok(true) => {
            found.push(warning(
                "data folder",
                format!("other users of this machine can access {name}: chmod 700 {name}"),
            ));
        }
        Ok(false) => {}
        Err(e) => found.push(failed("data folder", format!("can't read the permissions of {name}: {e}"))),
    }
    found.extend(check_space("data folder", folder));
    if found.is_empty() {
        found.push(ok("data folder", name.to_string()));
    }
    found
}

/// Checks that SQLite can create files beside this database, and their disk's free space. Returns no finding if all is
/// well, and for the data folder, which has its own check.
pub(super) fn check_database_folder(config: &PlatformConfig, database: &Path) -> Vec<Finding> {
    let folder = folder_of(database);
    match folder.exists() {
        true if folder == config.data_dir => Vec::new(),
        true => check_writable("database", folder).into_iter().chain(check_space("database", folder)).collect(),
        // The first start creates the data folder and the folders that contain it.
        false if config.data_dir.starts_with(folder) => Vec::new(),
        false => vec![failed("database", format!("the folder {} does not exist", folder.display()))],
    }
}

/// Returns a finding if there is little free space on the disk that contains the folder.
fn check_space(subject: &'static str, folder: &Path) -> Option<Finding> {
    let free = volume::space(folder)?.free >> 20;
    let message = || format!("only {free} MB are free in {}", folder.display());
    match free {
        ..FAILURE_MB => Some(failed(subject, message())),
        FAILURE_MB..WARNING_MB => Some(warning(subject, message())),
        _ => None,
    }
}

/// Returns a failure if no file can be created in the folder. `subject` names the check in the output.
pub(super) fn check_writable(subject: &'static str, folder: &Path) -> Option<Finding> {
    let error = tempfile::tempfile_in(folder).err()?;
    Some(failed(subject, format!("can't write to {}: {error}", folder.display())))
}

/// Checks that only the owner of the file `path` has access to it. `subject` names the check in the output.
pub(super) fn check_private_file(subject: &'static str, path: &Path) -> Finding {
    let name = path.display();
    match accessible_to_others(path) {
        Ok(false) => ok(subject, name.to_string()),
        Ok(true) => failed(subject, format!("other users of this machine can access {name}: chmod 600 {name}")),
        Err(e) => failed(subject, format!("can't read the permissions of {name}: {e}")),
    }
}

fn accessible_to_others(path: &Path) -> std::io::Result<bool> {
    let permissions = std::fs::metadata(path)?.permissions();
    Ok(std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o077 != 0)
}
