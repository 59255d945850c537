//! Bounds the memory of the module: a file made to exhaust it ends the worker, not the browser.

/// The texts that cells share may take a quarter of it, and as much again while their buffer grows.
const MOST_MEMORY: u32 = 512 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=--max-memory={MOST_MEMORY}");
}
