//! The program `wasm-pack`: its commands, without its check for updates and its crash reports. It is built here so that
//! `Cargo.lock` pins its version together with wasm-bindgen's.

use clap::Parser;

fn main() {
    env_logger::init();
    let cli = wasm_pack::Cli::parse();
    wasm_pack::PBAR.set_log_level(cli.log_level);
    if cli.quiet {
        wasm_pack::PBAR.set_quiet(true);
    }
    if let Err(error) = wasm_pack::command::run_wasm_pack(cli.cmd) {
        eprintln!("Error: {error:?}");
        std::process::exit(1);
    }
}
