//! The program `wasm-bindgen`, unchanged. It is built here so that `Cargo.lock` pins its version.

fn main() {
    env_logger::init();
    if let Err(error) = wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os()) {
        eprintln!("error: {error:?}");
        std::process::exit(1);
    }
}
