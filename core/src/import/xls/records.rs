//! The records of a workbook, one after the other, of which a piece of the stream is held at a time.

use crate::import::FileError;
use crate::import::ole::Stream;
use crate::import::record::{CONTINUE, u16_at};

/// How much of the stream is read at once, unless a record takes more.
const WINDOW: usize = 64 << 10;
/// A record's kind and length.
const HEAD: usize = 4;
/// A stream in more pieces than these is one that somebody cut up to keep a reader busy.
const MOST_PIECES: usize = 4_096;

/// Where in the stream somebody reads.
pub(super) struct Records {
    window: Vec<u8>,
    /// Where in the stream the window begins, and where in the window the next record does.
    start: u64,
    at: usize,
    /// How much of the stream was read.
    read: u64,
}

impl Records {
    /// Those from there on.
    pub fn from(place: u64) -> Records {
        Records { window: Vec::new(), start: place, at: 0, read: 0 }
    }

    /// Where the next record begins.
    pub fn place(&self) -> u64 {
        self.start + self.at as u64
    }

    /// How many bytes were read so far.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The next record: its kind and its data.
    ///
    /// # Errors
    /// The stream ends before or in it.
    #[inline]
    pub fn peek(&mut self, stream: &mut Stream) -> Result<(u16, &[u8]), FileError> {
        self.hold(HEAD, stream)?;
        let [kind, length] = self.head();
        let end = HEAD + usize::from(length);
        self.hold(end, stream)?;
        Ok((kind, &self.window[self.at + HEAD..self.at + end]))
    }

    /// Goes on behind the record that was looked at.
    #[inline]
    pub fn skip(&mut self) {
        let [_, length] = self.head();
        self.at += HEAD + usize::from(length);
    }

    /// Returns the data that continues the record that was looked at, and moves there. Empty pieces are passed over.
    ///
    /// # Errors
    /// No record continues it.
    pub fn continued(&mut self, stream: &mut Stream) -> Result<&[u8], FileError> {
        if self.is_continued(stream)? { Ok(self.data()) } else { Err(FileError::BrokenWorkbook) }
    }

    /// Moves behind the record that was looked at; returns whether more of its data follows there.
    ///
    /// # Errors
    /// The stream ends before or in the next record.
    pub fn is_continued(&mut self, stream: &mut Stream) -> Result<bool, FileError> {
        loop {
            self.skip();
            match self.peek(stream)? {
                (CONTINUE, []) => {}
                (kind, _) => return Ok(kind == CONTINUE),
            }
        }
    }

    /// The data of the record that was looked at.
    #[inline]
    pub fn data(&self) -> &[u8] {
        let [_, length] = self.head();
        self.window.get(self.at + HEAD..self.at + HEAD + usize::from(length)).unwrap_or_default()
    }

    #[inline]
    fn head(&self) -> [u16; 2] {
        [0, 2].map(|at| u16_at(&self.window, self.at + at).unwrap_or_default())
    }

    /// Makes sure that the window holds so many bytes from the next record on.
    #[inline]
    fn hold(&mut self, bytes: usize, stream: &mut Stream) -> Result<(), FileError> {
        if self.window.len() - self.at >= bytes { Ok(()) } else { self.fill(bytes, stream) }
    }

    #[cold]
    fn fill(&mut self, bytes: usize, stream: &mut Stream) -> Result<(), FileError> {
        self.window.drain(..self.at);
        (self.start, self.at) = (self.place(), 0);
        let held = self.window.len();
        let left = stream.length().saturating_sub(self.start + held as u64);
        let more = (WINDOW.max(bytes) - held).min(usize::try_from(left).unwrap_or(usize::MAX));
        if held + more < bytes {
            return Err(FileError::BrokenWorkbook);
        }
        self.window.resize(held + more, 0);
        stream.read(self.start + held as u64, &mut self.window[held..])?;
        self.read += more as u64;
        if stream.pieces() > MOST_PIECES { Err(FileError::NeedsFallback) } else { Ok(()) }
    }
}
