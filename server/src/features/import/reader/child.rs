//! The child process that reads a file. It has no server, database or settings: it reads the file from standard input
//! and writes frames to standard output.

use super::super::error::ImportError;
use super::{Frame, Opened};
use crate::platform::child::limit_resources;
use forecourt_core::import::pack::Packer;
use forecourt_core::import::{Blob, Limits, PREVIEW_ROWS, RawRow, ReadOptions, Source};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::process::ExitCode;

/// Approximate size of a frame of rows, in bytes.
const FRAME: usize = 256 << 10;
/// Memory limit of the child, in bytes.
const MEMORY: u64 = 1 << 30;

/// Arguments of the child process.
#[derive(clap::Args)]
pub struct ReadFile {
    /// The file's name, used only for its extension
    #[arg(long)]
    name: String,
    /// Size of the file on standard input, in bytes
    #[arg(long)]
    size: u64,
    /// The user's reading options, as JSON
    #[arg(long, value_parser = json::<ReadOptions>)]
    options: ReadOptions,
    /// The limits on files, as JSON
    #[arg(long, value_parser = json::<Limits>)]
    limits: Limits,
    /// Read only the columns and the first rows
    #[arg(long)]
    head: bool,
}

fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}

/// Applies the limits to this process, then reads the file on standard input and writes frames to standard output.
pub fn run(read: &ReadFile) -> ExitCode {
    let seconds = if read.head { 20 } else { 60 };
    let done = limit_resources(MEMORY, seconds)
        .and_then(|()| io::stdin().as_fd().try_clone_to_owned())
        .and_then(|file| read_to_frames(read, file.into(), io::stdout().lock()));
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the content of a file as frames, or a frame with the reason why it cannot be imported.
fn read_to_frames(read: &ReadFile, file: File, out: impl Write) -> io::Result<()> {
    let mut frames = Frames { out: BufWriter::with_capacity(FRAME, out), rows: Packer::default() };
    match send_content(read, file, &mut frames) {
        Ok(()) => {}
        Err(ImportError::Rejected { message, too_large }) => {
            frames.send(Frame::Rejected { message, too_large })?;
        }
        Err(error) => return Err(io::Error::other(format!("{error:?}"))),
    }
    frames.out.flush()
}

fn send_content(read: &ReadFile, file: File, frames: &mut Frames<impl Write>) -> Result<(), ImportError> {
    let input = Input { file, size: read.size };
    let mut source = Source::open(&read.name, input, &read.options, PREVIEW_ROWS, &read.limits)?;
    let opened = Opened { head: source.head().clone(), layout: source.layout().clone() };
    frames.send(Frame::Head(Box::new(opened)))?;
    if read.head {
        return Ok(());
    }
    // All rows are sent twice: the server only counts in the first pass, so that a broken file creates no contacts.
    for end in [Frame::FirstPassEnd, Frame::End] {
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

/// The file; only the requested ranges are read.
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

/// Writes frames to the server.
struct Frames<W: Write> {
    out: BufWriter<W>,
    rows: Packer,
}

impl<W: Write> Frames<W> {
    /// Writes a frame, and returns its buffer for reuse.
    fn send(&mut self, frame: Frame) -> io::Result<Vec<u8>> {
        let (tag, bytes) = frame.pack()?;
        self.out.write_all(&[tag])?;
        self.out.write_all(&u32::try_from(bytes.len()).map_err(io::Error::other)?.to_le_bytes())?;
        self.out.write_all(&bytes)?;
        Ok(bytes)
    }

    fn row(&mut self, row: RawRow<'_>) -> io::Result<()> {
        self.rows.write_row(row);
        if self.rows.bytes.len() < FRAME { Ok(()) } else { self.flush_rows() }
    }

    fn flush_rows(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows.bytes);
        self.rows.bytes = self.send(Frame::Rows(rows))?;
        self.rows.bytes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use forecourt_core::import::RowBuffer;
    use forecourt_core::import::pack::Unpacker;
    use std::io::{Read, Seek};

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        read: ReadFile,
    }

    /// Parses the arguments with which the server starts the child.
    fn arguments(name: &str, size: usize, limits: Limits, head: bool) -> ReadFile {
        let options = serde_json::to_string(&ReadOptions::default()).unwrap();
        let limits = serde_json::to_string(&limits).unwrap();
        let args =
            ["read-file", "--name", name, "--size", &size.to_string(), "--options", &options, "--limits", &limits];
        Arguments::parse_from(args.into_iter().chain(head.then_some("--head"))).read
    }

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    /// Returns the frames that the child writes for a file, parsed as the server does.
    fn frames(read: &ReadFile, file: File) -> Vec<Frame> {
        let mut output = Vec::new();
        read_to_frames(read, file, &mut output).unwrap();
        let (mut rest, mut frames) = (output.as_slice(), Vec::new());
        while let [tag, a, b, c, d, more @ ..] = rest {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            frames.push(Frame::unpack(*tag, more[..length].to_vec()).unwrap());
            rest = &more[length..];
        }
        assert!(rest.is_empty());
        frames
    }

    fn rows(bytes: &[u8]) -> usize {
        let (mut unpacker, mut row, mut count) = (Unpacker::new(bytes), RowBuffer::default(), 0);
        while !unpacker.is_at_end() {
            unpacker.read_row(&mut row).unwrap();
            count += 1;
        }
        count
    }

    #[test]
    fn the_child_sends_the_head_and_then_all_rows_twice() {
        let bytes = b"Namn,Ort\nAda,Lund\nBo,Ystad\n";
        let output = frames(&arguments("a.csv", bytes.len(), Limits::default(), false), file(bytes));
        let [Frame::Head(opened), Frame::Rows(once), Frame::FirstPassEnd, Frame::Rows(again), Frame::End] =
            output.as_slice()
        else {
            panic!("{} frames", output.len())
        };
        assert_eq!(opened.head.file_columns, ["Namn", "Ort"]);
        assert_eq!((rows(once), once), (3, again), "the header is a row too");
        let head = frames(&arguments("a.csv", bytes.len(), Limits::default(), true), file(bytes));
        assert!(matches!(head.as_slice(), [Frame::Head(_)]));
    }

    #[test]
    fn a_file_that_cannot_be_imported_is_rejected_with_a_message() {
        let few = Limits { csv_bytes: 10, ..Limits::default() };
        let bytes = b"Namn,Ort\nAda,Lund\n";
        for (name, limits, large) in [("a.csv", few, true), ("a", Limits::default(), false)] {
            let output = frames(&arguments(name, bytes.len(), limits, false), file(bytes));
            let [Frame::Rejected { message, too_large }] = output.as_slice() else { panic!("{name}") };
            assert!(*too_large == large && message.as_str().ends_with('.'), "{message}");
        }
    }

    #[test]
    fn rejects_a_file_that_is_shorter_than_its_announced_size_or_a_folder() {
        let read = arguments("a.csv", 4_000, Limits::default(), false);
        for file in [file(b"Namn,Ort\nAda,Lund\n"), File::open(std::env::temp_dir()).unwrap()] {
            let output = frames(&read, file);
            assert!(matches!(output.as_slice(), [Frame::Rejected { too_large: false, .. }]), "{} frames", output.len());
        }
    }

    #[test]
    fn reading_ends_when_the_server_closes_the_pipe() {
        let (server, mut reader) = std::os::unix::net::UnixStream::pair().unwrap();
        let bytes = [b"Namn,Ort\n".to_vec(), b"Ada,Lund\n".repeat(500_000)].concat();
        let read = arguments("a.csv", bytes.len(), Limits::default(), false);
        let child = std::thread::spawn(move || read_to_frames(&read, file(&bytes), server));
        reader.read_exact(&mut [0]).unwrap();
        drop(reader);
        assert!(child.join().unwrap().is_err());
    }
}
