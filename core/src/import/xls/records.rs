//! Reads the records of a workbook one by one through a buffer.

use crate::import::FileError;
use crate::import::ole::Stream;
use crate::import::record::{CONTINUE, u16_at};

/// How many bytes to read at once, unless a record is longer.
const WINDOW: usize = 64 << 10;
/// The size of a record's type and length.
const HEADER: usize = 4;
/// The maximum number of fragments in which a stream may be stored. A file with more was probably made to be slow to
/// read; the fallback reader reads it instead.
const MAX_FRAGMENTS: usize = 4_096;

/// A position in the stream, with a buffer.
pub(super) struct Records {
    window: Vec<u8>,
    /// The offset of the window in the stream. The next field is the offset of the next record in the window.
    start: u64,
    at: usize,
    /// How many bytes were read so far.
    read: u64,
}

impl Records {
    pub fn from(offset: u64) -> Records {
        Records { window: Vec::new(), start: offset, at: 0, read: 0 }
    }

    /// Returns the offset of the next record.
    pub fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Returns how many bytes were read so far.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Returns the type and the data of the next record without consuming it.
    #[inline]
    pub fn peek(&mut self, stream: &mut Stream) -> Result<(u16, &[u8]), FileError> {
        self.ensure(HEADER, stream)?;
        let [kind, length] = self.header();
        let end = HEADER + usize::from(length);
        self.ensure(end, stream)?;
        Ok((kind, &self.window[self.at + HEADER..self.at + end]))
    }

    /// Moves past the record that was peeked at.
    #[inline]
    pub fn skip(&mut self) {
        let [_, length] = self.header();
        self.at += HEADER + usize::from(length);
    }

    /// Moves to the CONTINUE record of the current record and returns its data. Empty ones are skipped.
    pub fn next_continue(&mut self, stream: &mut Stream) -> Result<&[u8], FileError> {
        if self.move_to_continue(stream)? { Ok(self.data()) } else { Err(FileError::BrokenWorkbook) }
    }

    /// Moves to the next record and returns whether it is a CONTINUE record, with more data of the current one.
    pub fn move_to_continue(&mut self, stream: &mut Stream) -> Result<bool, FileError> {
        loop {
            self.skip();
            match self.peek(stream)? {
                (CONTINUE, []) => {}
                (kind, _) => return Ok(kind == CONTINUE),
            }
        }
    }

    /// Returns the data of the record that was peeked at.
    #[inline]
    pub fn data(&self) -> &[u8] {
        let [_, length] = self.header();
        self.window.get(self.at + HEADER..self.at + HEADER + usize::from(length)).unwrap_or_default()
    }

    #[inline]
    fn header(&self) -> [u16; 2] {
        [0, 2].map(|at| u16_at(&self.window, self.at + at).unwrap_or_default())
    }

    /// Makes sure that the window contains at least `bytes` bytes from the next record on.
    #[inline]
    fn ensure(&mut self, bytes: usize, stream: &mut Stream) -> Result<(), FileError> {
        if self.window.len() - self.at >= bytes { Ok(()) } else { self.fill(bytes, stream) }
    }

    #[cold]
    fn fill(&mut self, bytes: usize, stream: &mut Stream) -> Result<(), FileError> {
        self.window.drain(..self.at);
        (self.start, self.at) = (self.offset(), 0);
        let buffered = self.window.len();
        let left = stream.length().saturating_sub(self.start + buffered as u64);
        let more = (WINDOW.max(bytes) - buffered).min(usize::try_from(left).unwrap_or(usize::MAX));
        ensure!(buffered + more >= bytes, FileError::BrokenWorkbook);
        self.window.resize(buffered + more, 0);
        stream.read(self.start + buffered as u64, &mut self.window[buffered..])?;
        self.read += more as u64;
        if stream.fragments() > MAX_FRAGMENTS { Err(FileError::NeedsFallback) } else { Ok(()) }
    }
}
