//! Creates the web app's folder if it is missing. Has the server compiled again when a migration is added, and a release
//! build also when a file of the web app is: the macros that embed them don't see new files.

fn main() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
    if let Err(error) = std::fs::create_dir_all(&dist) {
        println!("cargo:warning=web/dist could not be made: {error}");
    }
    #[expect(clippy::disallowed_methods, reason = "cargo passes the profile in the environment")]
    let profile = std::env::var("PROFILE");
    // A debug build reads the folder at run time, so it need not be compiled again.
    if profile.as_deref() != Ok("debug") {
        println!("cargo:rerun-if-changed={}", dist.display());
    }
    println!("cargo:rerun-if-changed=../migrations");
}
