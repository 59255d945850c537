//! The space on a disk.

use std::path::Path;

/// Bytes on a disk.
pub struct Space {
    /// What this program can still use.
    pub free: u64,
    pub total: u64,
}

/// Returns the space on the disk that contains `folder`, if the system reports it.
pub fn space(folder: &Path) -> Option<Space> {
    let volume = rustix::fs::statvfs(folder).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(volume.f_frsize);
    Some(Space { free: bytes(volume.f_bavail), total: bytes(volume.f_blocks) })
}
