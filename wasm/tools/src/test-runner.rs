//! The unchanged program `wasm-bindgen-test-runner`, which runs wasm tests. It is built here so that `Cargo.lock` pins
//! its version.

fn main() {
    env_logger::init();
    if let Err(error) = wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        eprintln!("error: {error:?}");
        std::process::exit(1);
    }
}
