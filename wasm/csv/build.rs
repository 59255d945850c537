//! Bounds the memory of the module: a file made to exhaust it ends the worker, not the browser.

/// A million rows take a quarter of it.
const MOST_MEMORY: u32 = 256 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=--max-memory={MOST_MEMORY}");
}
