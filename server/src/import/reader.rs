//! The child.
use std::process::ExitCode;
#[derive(clap::Args)]
pub struct ReadFile {}
pub fn run(_: &ReadFile) -> ExitCode {
    ExitCode::SUCCESS
}
