//! The child that reads a file: no server, no database, no settings; bytes in, frames out.

use super::Frame;
use crate::child::limit;
use forecourt_core::import::{FileError, Limits, PREVIEW_ROWS, Row, Source};
use std::io::{self, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Rows travel in frames of about so many bytes.
const FRAME: usize = 256 << 10;
/// The most memory that a file may take.
const MEMORY: u64 = 1 << 30;
/// A cell costs about so much more than its text.
const CELL: usize = 32;

/// What the server asks of its child.
#[derive(clap::Args)]
pub struct ReadFile {
    /// The file's name, of which only the ending counts
    #[arg(long)]
    name: String,
    /// How many bytes come through standard input
    #[arg(long)]
    size: u64,
    /// Only the columns and the first rows
    #[arg(long)]
    head: bool,
}

/// Limits this process, then reads a file from standard input and writes frames to standard output.
pub fn run(read: &ReadFile) -> ExitCode {
    let seconds = if read.head { 20 } else { 60 };
    let done = limit(MEMORY, seconds).and_then(|()| {
        let mut frames =
            Frames { out: BufWriter::with_capacity(FRAME, io::stdout().lock()), rows: Vec::new(), size: 0 };
        match tell(read, &mut frames) {
            Ok(()) => frames.out.flush(),
            Err(Stop::File(error)) => {
                let too_large = matches!(error, FileError::TooLarge { .. });
                frames.send(&Frame::Refused { message: error.message(), too_large })?;
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
    let mut source = Source::open(&read.name, bytes(read.size)?, &Limits::default())?;
    frames.send(&Frame::Head(source.head(PREVIEW_ROWS)))?;
    if read.head {
        return Ok(());
    }
    // Once through the file before any row is given: a file that turns out to be broken changes nothing.
    let mut total = 0;
    source.rows(|_| {
        total += 1;
        ControlFlow::Continue(())
    })?;
    frames.send(&Frame::Total(total))?;
    let mut broken = Ok(());
    source.rows(|row| match frames.row(row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            broken = Err(error);
            ControlFlow::Break(())
        }
    })?;
    broken?;
    frames.flush_rows()?;
    frames.send(&Frame::End)?;
    Ok(())
}

/// The whole file, in memory of exactly its size.
fn bytes(size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size).map_err(io::Error::other)?).map_err(io::Error::other)?;
    io::stdin().lock().take(size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// What is on its way to the server.
struct Frames<W: Write> {
    out: BufWriter<W>,
    rows: Vec<Row>,
    size: usize,
}

impl<W: Write> Frames<W> {
    fn send(&mut self, frame: &Frame) -> io::Result<()> {
        let json = serde_json::to_vec(frame)?;
        let length = u32::try_from(json.len()).map_err(io::Error::other)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&json)
    }

    fn row(&mut self, row: &Row) -> io::Result<()> {
        self.size += row.cells.iter().map(|cell| cell.len() + CELL).sum::<usize>();
        self.rows.push(row.clone());
        if self.size < FRAME { Ok(()) } else { self.flush_rows() }
    }

    fn flush_rows(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        self.size = 0;
        let rows = std::mem::take(&mut self.rows);
        self.send(&Frame::Rows(rows))
    }
}
