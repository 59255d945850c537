//! The wasm-bindgen tool of the same name, built from its library, so that one lock file pins it.

fn main() {
    env_logger::init();
    if let Err(error) = wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        eprintln!("error: {error:?}");
        std::process::exit(1);
    }
}
