//! Children that open uploaded files: this same program under one of its hidden calls, which limits its own memory and
//! time before it looks at a byte. A file that makes the reading abort takes the child with it, nothing else.

use rlimit::Resource;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use tokio::process::Command;

/// SIGHUP, SIGINT and SIGTERM.
const TOLD_TO_STOP: [i32; 3] = [1, 2, 15];

/// The program that is started; cloning it is cheap.
#[derive(Clone)]
pub struct Program(Arc<Path>);

impl Program {
    /// `program`, or else the running one.
    ///
    /// # Errors
    /// The running program's place is unknown.
    pub fn new(program: Option<&Path>) -> io::Result<Self> {
        let program = match program {
            Some(program) => program.to_owned(),
            // Still the running program when its file was replaced by a newer one.
            None if cfg!(target_os = "linux") => PathBuf::from("/proc/self/exe"),
            None => std::env::current_exe()?,
        };
        Ok(Program(program.into()))
    }

    /// The program under one of its calls. Nothing of ours is handed on: no settings, no folder, no log. In a group of its
    /// own, Ctrl-C doesn't reach it.
    pub fn command(&self, call: &str) -> Command {
        let mut command = Command::new(&*self.0);
        command.arg(call).env_clear().current_dir("/").process_group(0).kill_on_drop(true);
        command
    }
}

/// Limits this process: bytes of memory, seconds of computing, and nothing written to a disk.
///
/// # Errors
/// The system refuses.
pub fn limit(memory: u64, seconds: u64) -> io::Result<()> {
    let limits = [
        (Resource::AS, memory),
        (Resource::CPU, seconds),
        (Resource::FSIZE, 0),
        (Resource::NOFILE, 16),
        (Resource::CORE, 0),
    ];
    for (resource, most) in limits {
        let set = resource.set(most, most);
        // Other systems don't know every limit.
        if cfg!(target_os = "linux") {
            set?;
        }
    }
    Ok(())
}

/// Was the child told to stop, as a whole service is? Then its end says nothing of its file.
pub fn told_to_stop(status: ExitStatus) -> bool {
    status.signal().is_some_and(|signal| TOLD_TO_STOP.contains(&signal))
}
