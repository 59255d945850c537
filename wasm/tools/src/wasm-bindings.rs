//! The program `wasm-bindings`: writes the same files as `wasm-bindgen --target bundler`. `make run` builds only this program,
//! which takes a third of the time of the others.
//!
//! Usage: `wasm-bindings COMPILED.wasm FOLDER NAME`

use std::env::args;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [_, compiled, folder, name] = args().collect::<Vec<_>>().try_into().expect("three arguments");
    let written = Bindgen::new()
        .input_path(compiled)
        .out_name(&name)
        .typescript(true)
        .bundler(true)
        .and_then(|it| it.generate(folder));
    if let Err(error) = written {
        eprintln!("error: {error:?}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
