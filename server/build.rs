//! Makes the embedded folder exist and be looked at again: the macro that embeds it doesn't see new files.

use std::fs::{File, create_dir_all};
use std::path::Path;
use std::time::SystemTime;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
    if let Err(error) = exist(&dist) {
        println!("cargo:warning=web/dist could not be made: {error}");
    }
    println!("cargo:rerun-if-changed={}", dist.display());
    println!("cargo:rerun-if-changed=../migrations");
}

/// As old as can be: what is newer than the begin of this program is changed to cargo, which would compile the server anew.
fn exist(dist: &Path) -> std::io::Result<()> {
    if dist.exists() {
        return Ok(());
    }
    create_dir_all(dist)?;
    File::open(dist)?.set_modified(SystemTime::UNIX_EPOCH)
}
