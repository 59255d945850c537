//! Makes the web app's folder exist, and be looked at again where it is embedded: the macro that embeds it doesn't see new
//! files.

fn main() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
    if let Err(error) = std::fs::create_dir_all(&dist) {
        println!("cargo:warning=web/dist could not be made: {error}");
    }
    #[expect(clippy::disallowed_methods, reason = "this is how cargo tells what it builds")]
    let profile = std::env::var("PROFILE");
    // What is built to debug reads the folder while it runs, and needn't be compiled anew for it.
    if profile.as_deref() != Ok("debug") {
        println!("cargo:rerun-if-changed={}", dist.display());
    }
    println!("cargo:rerun-if-changed=../migrations");
}
