//! Child processes that read uploaded files. A child is this same program with a hidden subcommand; it limits its own
//! memory and CPU time before it reads the file. A file that crashes the parser ends only the child.

use rlimit::Resource;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use tokio::process::Command;

/// The numbers of SIGHUP, SIGINT and SIGTERM, by which a process is asked to stop.
const STOP_SIGNALS: [i32; 3] = [1, 2, 15];

/// The program to start as a child; cloning it is cheap.
#[derive(Clone)]
pub struct Program(Arc<Path>);

impl Program {
    /// Chooses `program`, or the running program's own file if it is `None`.
    pub fn new(program: Option<&Path>) -> io::Result<Self> {
        let program = match program {
            Some(program) => program.to_owned(),
            // This path still refers to the running program after its file was replaced by an upgrade.
            None if cfg!(target_os = "linux") => PathBuf::from("/proc/self/exe"),
            None => std::env::current_exe()?,
        };
        Ok(Program(program.into()))
    }

    /// Returns a command that starts the program with a hidden subcommand. The child inherits neither environment nor
    /// working directory, and has its own process group so that Ctrl-C doesn't reach it.
    pub fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&*self.0);
        command.arg(subcommand).env_clear().current_dir("/").process_group(0).kill_on_drop(true);
        command
    }
}

/// Limits this process: `memory` in bytes, CPU time in seconds, 16 open files, no writes to files and no core dump.
pub fn limit_resources(memory: u64, seconds: u64) -> io::Result<()> {
    let limits = [
        (Resource::AS, memory),
        (Resource::CPU, seconds),
        (Resource::FSIZE, 0),
        (Resource::NOFILE, 16),
        (Resource::CORE, 0),
    ];
    for (resource, limit) in limits {
        let set = resource.set(limit, limit);
        // Systems other than Linux don't support every limit.
        if cfg!(target_os = "linux") {
            set?;
        }
    }
    Ok(())
}

/// Returns true if SIGHUP, SIGINT or SIGTERM ended the child process, as when the whole service stops. Then the file
/// that it read was not the cause. Returns false for other signals, such as those of a crash or an exceeded limit.
pub fn is_stopped_by_signal(status: ExitStatus) -> bool {
    status.signal().is_some_and(|signal| STOP_SIGNALS.contains(&signal))
}
