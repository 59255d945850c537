//! Checks of the data folder (permissions, free space) and of key files' permissions.

use super::{Finding, failed, ok, warning};
use crate::platform::config::PlatformConfig;
use crate::platform::volume;
use std::path::Path;

/// Free disk space below which the check warns, in megabytes: the next import may fill the disk.
const WARNING_MB: u64 = 1024;
/// Free disk space below which the check fails, in megabytes: the database will soon be unable to write.
const FAILURE_MB: u64 = 64;

/// Checks that the data folder can be written, that other users of the machine can't access it, and its free space.
pub(super) fn check_folder(config: &PlatformConfig) -> Vec<Finding> {
    let folder = &config.data_dir;
    let name = folder.display();
    if !folder.exists() {
        return vec![ok("data folder", format!("{name} will be created at the first start"))];
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
    match volume::space(folder).map(|space| space.free >> 20) {
        Some(free) if free < FAILURE_MB => {
            found.push(failed("data folder", format!("only {free} MB are free in {name}")));
        }
        Some(free) if free < WARNING_MB => {
            found.push(warning("data folder", format!("only {free} MB are free in {name}")));
        }
        _ => {}
    }
    if found.is_empty() {
        found.push(ok("data folder", name.to_string()));
    }
    found
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
