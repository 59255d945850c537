//! Limits the memory of the module: a file made to exhaust memory ends the worker, not the browser.

const MAX_MEMORY: u32 = 512 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=--max-memory={MAX_MEMORY}");
}
