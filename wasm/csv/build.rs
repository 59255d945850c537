//! Limits the memory of the module: a file made to exhaust memory ends the worker, not the browser.

/// The check of a million rows takes a quarter of this.
const MAX_MEMORY: u32 = 256 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=--max-memory={MAX_MEMORY}");
}
