//! The child that reads a file: no server, no database, no settings; bytes in, frames out.

use super::{Frame, Opened};
use crate::child::limit;
use forecourt_core::import::pack::Packer;
use forecourt_core::import::{Blob, FileError, Limits, PREVIEW_ROWS, RawRow, ReadOptions, Source};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::process::ExitCode;

/// Rows travel in frames of about so many bytes.
const FRAME: usize = 256 << 10;
/// The most memory that a file may take.
const MEMORY: u64 = 1 << 30;

/// What the server asks of its child.
#[derive(clap::Args)]
pub struct ReadFile {
    /// The file's name, of which only the ending counts
    #[arg(long)]
    name: String,
    /// How many bytes standard input has, a file
    #[arg(long)]
    size: u64,
    /// How a person wants it read
    #[arg(long, value_parser = json::<ReadOptions>)]
    options: ReadOptions,
    /// How much of it is read
    #[arg(long, value_parser = json::<Limits>)]
    limits: Limits,
    /// Only the columns and the first rows
    #[arg(long)]
    head: bool,
}

fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}

/// Limits this process, then reads the file behind standard input and writes frames to standard output.
pub fn run(read: &ReadFile) -> ExitCode {
    let seconds = if read.head { 20 } else { 60 };
    let done = limit(MEMORY, seconds).and_then(|()| {
        let mut frames = Frames { out: BufWriter::with_capacity(FRAME, io::stdout().lock()), rows: Packer::default() };
        match tell(read, &mut frames) {
            Ok(()) => frames.out.flush(),
            Err(Stop::File(error)) => {
                let too_large = matches!(error, FileError::TooLarge { .. });
                frames.send(Frame::Refused { message: error.message(), too_large })?;
                frames.out.flush()
            }
            Err(Stop::Broken(error)) => Err(error),
        }
    });
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Why the reading ends early.
enum Stop {
    File(FileError),
    Broken(io::Error),
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Self {
        Stop::File(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Broken(error)
    }
}

fn tell(read: &ReadFile, frames: &mut Frames<impl Write>) -> Result<(), Stop> {
    let file = Input { file: File::from(io::stdin().as_fd().try_clone_to_owned()?), size: read.size };
    let mut source = Source::open(&read.name, file, &read.options, PREVIEW_ROWS, &read.limits)?;
    let opened = Opened { head: source.head().clone(), layout: source.layout().clone() };
    frames.send(Frame::Head(Box::new(opened)))?;
    if read.head {
        return Ok(());
    }
    // Twice through the file: one that turns out to be broken changes nothing.
    for end in [Frame::Whole, Frame::End] {
        let mut broken = Ok(());
        source.rows(&mut |row| {
            broken = frames.row(row);
            Ok(if broken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        broken?;
        frames.flush_rows()?;
        frames.send(end)?;
    }
    Ok(())
}

/// The file behind standard input.
struct Input {
    file: File,
    size: u64,
}

impl Blob for Input {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        while length < into.len() {
            match self.file.read_at(&mut into[length..], offset + length as u64) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(length)
    }
}

/// What is on its way to the server.
struct Frames<W: Write> {
    out: BufWriter<W>,
    rows: Packer,
}

impl<W: Write> Frames<W> {
    /// Gives back what the frame was written from, to be filled anew.
    fn send(&mut self, frame: Frame) -> io::Result<Vec<u8>> {
        let (tag, bytes) = frame.pack()?;
        self.out.write_all(&[tag])?;
        self.out.write_all(&u32::try_from(bytes.len()).map_err(io::Error::other)?.to_le_bytes())?;
        self.out.write_all(&bytes)?;
        Ok(bytes)
    }

    fn row(&mut self, row: RawRow<'_>) -> io::Result<()> {
        self.rows.row(row);
        if self.rows.bytes.len() < FRAME { Ok(()) } else { self.flush_rows() }
    }

    fn flush_rows(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows.bytes);
        self.rows.bytes = self.send(Frame::Rows(rows))?;
        self.rows.bytes.clear();
        Ok(())
    }
}
