//! Makes the embedded folder exist and be looked at again: the macro that embeds it doesn't see new files.

fn main() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
    if let Err(error) = std::fs::create_dir_all(&dist) {
        println!("cargo:warning=web/dist could not be made: {error}");
    }
    println!("cargo:rerun-if-changed={}", dist.display());
    println!("cargo:rerun-if-changed=../migrations");
}
