//! Checks of the data folder: its permissions and its free space.

use super::{Finding, failed, ok, warning};
use crate::platform::config::Config;
use std::path::Path;

/// Below this free space, the next import may fill the disk.
const ROOM_MB: u64 = 1024;
/// Below this free space, the database will soon be unable to write.
const LEAST_MB: u64 = 64;

/// Checks the data folder.
pub(super) fn folder(config: &Config) -> Vec<Finding> {
    let folder = &config.data_dir;
    let name = folder.display();
    if !folder.exists() {
        return vec![ok("data folder", format!("{name} is made at the first start"))];
    }
    let mut found = Vec::new();
    if let Err(e) = tempfile::tempfile_in(folder) {
        found.push(failed("data folder", format!("{name} can't be written: {e}")));
    }
    match readable_by_others(folder) {
        Ok(true) => {
            found
                .push(warning("data folder", format!("others on this machine can look into {name}: chmod 700 {name}")));
        }
        Ok(false) => {}
        Err(e) => found.push(failed("data folder", format!("{name} can't be looked at: {e}"))),
    }
    match room_mb(folder) {
        Some(free) if free < LEAST_MB => found.push(failed("data folder", format!("{free} MB are free in {name}"))),
        Some(free) if free < ROOM_MB => found.push(warning("data folder", format!("{free} MB are free in {name}"))),
        _ => {}
    }
    if found.is_empty() {
        found.push(ok("data folder", name.to_string()));
    }
    found
}

/// Checks that only its owner can read a file.
pub(super) fn private(what: &'static str, path: &Path) -> Finding {
    let name = path.display();
    match readable_by_others(path) {
        Ok(false) => ok(what, name.to_string()),
        Ok(true) => failed(what, format!("others on this machine can read {name}: chmod 600 {name}")),
        Err(e) => failed(what, format!("{name} can't be looked at: {e}")),
    }
}

fn readable_by_others(path: &Path) -> std::io::Result<bool> {
    let rights = std::fs::metadata(path)?.permissions();
    Ok(std::os::unix::fs::PermissionsExt::mode(&rights) & 0o077 != 0)
}

/// Returns the space available to this program in megabytes, if the system reports it.
fn room_mb(folder: &Path) -> Option<u64> {
    let room = rustix::fs::statvfs(folder).ok()?;
    Some(room.f_bavail.saturating_mul(room.f_frsize) >> 20)
}
