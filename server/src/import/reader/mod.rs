//! Reads an uploaded file in a child process (see `child.rs`), started as `forecourt read-file`.
//!
//! The child is believed as little as the file: what it says comes in frames of limited size, and its rows are checked
//! again here.

mod child;

pub use child::{ReadFile, run};

use crate::child::{Program, told_to_stop};
use crate::problem::Refusal;
use forecourt_core::import::{FileHead, Row, text};
use serde::{Deserialize, Serialize};
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The most bytes of one frame. The largest honest one is a head with long rows in its preview.
const MOST_FRAME: u32 = 32 << 20;
/// How long the next frame may take. The child's own limit on computing ends it sooner, unless the machine is very busy.
const PATIENCE: Duration = Duration::from_secs(120);
/// A child whose output ended is given so long to end too, so that how it ended is seen.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long a preview waits for its turn.
const QUEUE: Duration = Duration::from_secs(30);

/// What the child says, each as its length in four bytes and then JSON: the head; then, unless that was all that was
/// asked for, how many rows there are, the rows, and the end. A refusal can stand in the place of any of them.
#[derive(Serialize, Deserialize)]
pub enum Frame {
    Head(FileHead),
    Total(u64),
    Rows(Vec<Row>),
    End,
    Refused { message: String, too_large: bool },
}

/// Why a file was not read.
#[derive(Debug)]
pub enum Unread {
    /// The file's fault, in a sentence.
    Refused { message: String, too_large: bool },
    /// Too many files wait to be read.
    Busy,
    /// Our fault: the child can't be started.
    Fault(io::Error),
}

impl Unread {
    fn unreadable() -> Self {
        Unread::Refused { message: text::FILE_UNREADABLE.into(), too_large: false }
    }
}

impl From<Unread> for Refusal {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Refused { message, too_large: true } => Refusal::FileTooLarge(message),
            Unread::Refused { message, too_large: false } => Refusal::invalid(message),
            Unread::Busy => Refusal::Busy,
            Unread::Fault(error) => {
                tracing::error!(%error, "the program that reads files can't be started");
                Refusal::Busy
            }
        }
    }
}

/// A file to read: its name, of which only the ending counts, and its bytes from where the file stands.
pub struct Input<'a> {
    pub name: &'a str,
    pub size: u64,
    pub file: std::fs::File,
}

/// Starts children; cloning it is cheap.
#[derive(Clone)]
pub struct Reader {
    program: Program,
    /// One place a core, save the one that the import worker reads with.
    places: Arc<Semaphore>,
}

impl Reader {
    /// Reads with this program.
    pub fn new(program: Program) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Reader { program, places: Arc::new(Semaphore::new((cores - 1).max(1))) }
    }

    /// Looks at the beginning of a file, when a place is free.
    ///
    /// # Errors
    /// Why it can't be imported, as far as its beginning tells.
    pub async fn head(&self, input: Input<'_>) -> Result<FileHead, Unread> {
        let Ok(Ok(_place)) = timeout(QUEUE, self.places.acquire()).await else { return Err(Unread::Busy) };
        match self.start(input, true)?.next().await? {
            Frame::Head(head) => Ok(head),
            _ => Err(Unread::unreadable()),
        }
    }

    /// Begins to read a whole file.
    ///
    /// # Errors
    /// The child can't be started.
    pub fn read(&self, input: Input<'_>) -> Result<Reading, Unread> {
        self.start(input, false)
    }

    fn start(&self, Input { name, size, file }: Input<'_>, head: bool) -> Result<Reading, Unread> {
        let mut command = self.program.command("read-file");
        command.arg(format!("--name={name}")).arg(format!("--size={size}"));
        if head {
            command.arg("--head");
        }
        command.stdin(file).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(Unread::Fault)?;
        let frames = child.stdout.take().ok_or_else(|| Unread::Fault(io::Error::other("the child has no output")))?;
        Ok(Reading { child, frames: BufReader::new(frames) })
    }
}

/// A file being read. Dropping it ends the child.
pub struct Reading {
    child: Child,
    frames: BufReader<ChildStdout>,
}

impl Reading {
    /// The next frame; the child waits while nobody asks for one.
    ///
    /// # Errors
    /// Why the file can't be imported; also when the child broke its limits and is gone.
    pub async fn next(&mut self) -> Result<Frame, Unread> {
        let frame = match timeout(PATIENCE, self.receive()).await {
            Ok(Ok(frame)) => frame,
            Ok(Err(error)) => return Err(self.lost(&error.to_string()).await),
            Err(_) => {
                self.lost("it took too long").await;
                return Err(Unread::Fault(io::ErrorKind::TimedOut.into()));
            }
        };
        match frame {
            Frame::Refused { message, too_large } => Err(Unread::Refused { message, too_large }),
            frame => Ok(frame),
        }
    }

    async fn receive(&mut self) -> io::Result<Frame> {
        let length = self.frames.read_u32_le().await?;
        if length > MOST_FRAME {
            return Err(io::Error::other("a frame is too long"));
        }
        // Memory follows what arrives, not what was announced.
        let mut bytes = Vec::new();
        (&mut self.frames).take(u64::from(length)).read_to_end(&mut bytes).await?;
        serde_json::from_slice(&bytes).map_err(io::Error::other)
    }

    /// Ends the child and says in the log how it ended: never in its own words. A child that was told to stop, as a whole
    /// service is, says nothing of its file.
    async fn lost(&mut self, why: &str) -> Unread {
        let ended = match timeout(LAST_WORDS, self.child.wait()).await {
            Ok(ended) => ended,
            Err(_) => {
                let _ = self.child.start_kill();
                self.child.wait().await
            }
        };
        match ended {
            Ok(status) => {
                tracing::warn!(why, %status, "a file could not be read");
                match told_to_stop(status) {
                    true => Unread::Fault(io::ErrorKind::Interrupted.into()),
                    false => Unread::unreadable(),
                }
            }
            Err(error) => Unread::Fault(error),
        }
    }
}
