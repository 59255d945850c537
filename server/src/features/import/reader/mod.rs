//! Reads an uploaded file in a child process (see `child.rs`), started as `forecourt read-file`.
//!
//! The child is as untrusted as the file: its frames have a maximum size, its head is validated here, and its rows
//! when they are unpacked and checked (`checking.rs`).

mod child;

pub use child::{ReadFile, run};

use super::error::ImportError;
use crate::platform::child::{Program, is_stopped_by_signal};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::import::pack::{Packer, Unpacker};
use forecourt_core::import::{FileHead, Layout, Limits, ReadOptions};
use forecourt_core::message::Message;
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Maximum size of a frame in bytes. The largest valid one is a head with long preview rows.
const MAX_FRAME: u32 = 32 << 20;
/// Time limit for the next frame. The child's own CPU limit ends it sooner, unless the machine is very busy.
const FRAME_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a child may take to exit by itself once its output has ended or is no longer read. Then it is killed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a preview or a submission waits for a free child process that reads the file's head.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(60);

/// A file whose head has been read, so that its columns are known.
#[derive(Clone, Debug)]
pub struct Opened {
    pub head: FileHead,
    pub layout: Layout,
}

/// A message of the child: a tag, a length of four bytes, and the content. The order is: the head; then, unless only
/// the head was requested, all rows, `FirstPassEnd`, the same rows again, and `End`. `Rejected` can replace any of
/// them.
pub enum Frame {
    Head(Box<Opened>),
    /// Rows as a [`Packer`] writes them.
    Rows(Vec<u8>),
    /// The file is readable to its last row. The same rows follow again.
    FirstPassEnd,
    End,
    Rejected {
        message: Message,
        too_large: bool,
    },
}

type Tag = u8;
const HEAD: Tag = 0;
const ROWS: Tag = 1;
const FIRST_PASS_END: Tag = 2;
const END: Tag = 3;
const REJECTED: Tag = 4;
const REJECTED_AS_TOO_LARGE: Tag = 5;

impl Frame {
    fn pack(self) -> io::Result<(Tag, Vec<u8>)> {
        Ok(match self {
            Frame::Head(opened) => {
                let mut packer = Packer::default();
                packer.write_text(&serde_json::to_string(&opened.head)?);
                opened.layout.pack(&mut packer);
                (HEAD, packer.bytes)
            }
            Frame::Rows(rows) => (ROWS, rows),
            Frame::FirstPassEnd => (FIRST_PASS_END, Vec::new()),
            Frame::End => (END, Vec::new()),
            Frame::Rejected { message, too_large: false } => (REJECTED, serde_json::to_vec(&message)?),
            Frame::Rejected { message, too_large: true } => (REJECTED_AS_TOO_LARGE, serde_json::to_vec(&message)?),
        })
    }

    /// Parses and validates a frame. Rows are validated when they are unpacked.
    fn unpack(tag: Tag, bytes: Vec<u8>) -> Option<Frame> {
        Some(match tag {
            HEAD => {
                let mut unpacker = Unpacker::new(&bytes);
                let head: FileHead = serde_json::from_str(unpacker.read_text()?).ok()?;
                let layout = Layout::unpack(&mut unpacker)?;
                let agree = layout.names() == head.file_columns;
                agree.then(|| Frame::Head(Box::new(Opened { head, layout })))?
            }
            ROWS => Frame::Rows(bytes),
            FIRST_PASS_END => Frame::FirstPassEnd,
            END => Frame::End,
            REJECTED | REJECTED_AS_TOO_LARGE => Frame::Rejected {
                message: serde_json::from_slice(&bytes).ok()?,
                too_large: tag == REJECTED_AS_TOO_LARGE,
            },
            _ => return None,
        })
    }
}

/// A file to read: its name, of which only the extension matters, its content, and the user's options.
pub struct Input<'a> {
    pub name: &'a str,
    pub size: u64,
    pub file: std::fs::File,
    pub options: &'a ReadOptions,
}

/// Starts child processes; cloning it is cheap.
#[derive(Clone)]
pub struct Reader {
    program: Program,
    limits: Limits,
    /// Limits the children that read only a head to one less than the number of cores, at least one: the import worker
    /// needs the other core.
    slots: Arc<Semaphore>,
}

impl Reader {
    /// Creates a reader that starts this program as its child process, with these limits on files.
    pub fn new(program: Program, limits: Limits) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Reader { program, limits, slots: Arc::new(Semaphore::new((cores - 1).max(1))) }
    }

    /// Reads the head of a file, once a child process is free.
    ///
    /// # Errors
    /// The reason why the file cannot be imported, if its head shows one; 503 if too many files wait.
    pub async fn head(&self, input: Input<'_>) -> ApiResult<Opened> {
        let Ok(Ok(_slot)) = timeout(QUEUE_TIMEOUT, self.slots.acquire()).await else {
            return Err(ApiError::Unavailable);
        };
        match self.start(input, true)?.next().await? {
            Frame::Head(opened) => Ok(*opened),
            _ => Err(ImportError::unreadable().into()),
        }
    }

    /// Starts reading a whole file.
    ///
    /// # Errors
    /// The child cannot be started.
    pub fn read(&self, input: Input<'_>) -> Result<Reading, ImportError> {
        self.start(input, false)
    }

    fn start(&self, Input { name, size, file, options }: Input<'_>, head: bool) -> Result<Reading, ImportError> {
        let json = |json: serde_json::Result<String>| json.map_err(io::Error::from);
        let mut command = self.program.command("read-file");
        command.arg(format!("--name={name}")).arg(format!("--size={size}"));
        command.arg(format!("--options={}", json(serde_json::to_string(options))?));
        command.arg(format!("--limits={}", json(serde_json::to_string(&self.limits))?));
        if head {
            command.arg("--head");
        }
        command.stdin(file).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let frames = child.stdout.take().ok_or_else(|| io::Error::other("the child has no output"))?;
        Ok(Reading { child, frames: BufReader::new(frames) })
    }
}

/// A file being read. Dropping it kills the child.
pub struct Reading {
    child: Child,
    frames: BufReader<ChildStdout>,
}

impl Reading {
    /// Returns the next frame. The child blocks until frames are read.
    ///
    /// # Errors
    /// The reason why the file cannot be imported; also if the child exceeded its limits.
    pub async fn next(&mut self) -> Result<Frame, ImportError> {
        let frame = match timeout(FRAME_TIMEOUT, self.receive()).await {
            Ok(Ok(frame)) => frame,
            Ok(Err(error)) => return Err(self.end_child(&error.to_string()).await.unwrap_or_else(ImportError::from)),
            Err(_) => {
                let _ = self.end_child("it took too long").await;
                return Err(io::Error::from(io::ErrorKind::TimedOut).into());
            }
        };
        match frame {
            Frame::Rejected { message, too_large } => Err(ImportError::Rejected { message, too_large }),
            frame => Ok(frame),
        }
    }

    async fn receive(&mut self) -> io::Result<Frame> {
        let tag = self.frames.read_u8().await?;
        let length = self.frames.read_u32_le().await?;
        if length > MAX_FRAME {
            return Err(io::Error::other("a frame is too long"));
        }
        // Memory is allocated as bytes arrive, not by the announced length.
        let mut bytes = Vec::new();
        (&mut self.frames).take(u64::from(length)).read_to_end(&mut bytes).await?;
        if bytes.len() as u64 != u64::from(length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Frame::unpack(tag, bytes).ok_or_else(|| io::Error::other("a frame is not valid"))
    }

    /// Ends the child and logs its exit status, never its output. A child that was terminated from outside, for example
    /// with the whole service, says nothing about the file.
    ///
    /// # Errors
    /// The exit status is not available.
    async fn end_child(&mut self, why: &str) -> io::Result<ImportError> {
        let status = match timeout(EXIT_TIMEOUT, self.child.wait()).await {
            Ok(ended) => ended?,
            Err(_) => {
                let _ = self.child.start_kill();
                self.child.wait().await?
            }
        };
        tracing::warn!(why, %status, "a file could not be read");
        Ok(match is_stopped_by_signal(status) {
            true => io::Error::from(io::ErrorKind::Interrupted).into(),
            false => ImportError::unreadable(),
        })
    }
}
