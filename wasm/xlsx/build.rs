//! Limits the memory of the module: a file made to exhaust memory ends the worker, not the browser.

/// The shared strings may take a quarter of this, and as much again while their buffer grows.
const MAX_MEMORY: u32 = 512 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=--max-memory={MAX_MEMORY}");
}
