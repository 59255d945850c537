//! Text files, decoded and scanned in pieces.

use super::{Linkage, Shared, Step, read};
use crate::import::csv::Scanner;
use crate::import::encoding::{Decode, UTF_8};
use crate::import::head::SAMPLE_ROWS;
use crate::import::recognise::{Dialect, FirstInvalidUtf8, HEAD_BYTES, detect_dialect};
use crate::import::row::{RowBuffer, RowHandler};
use crate::import::{Blob, FileError, Limits, ReadOptions};
use std::ops::ControlFlow;

/// How many bytes are read, decoded and scanned at once.
const PIECE: usize = 2 << 20;
/// How many bytes of the beginning are read if the first [`HEAD_BYTES`] don't contain two rows.
const LONG_HEAD: usize = 4 << 20;

/// A text file, its encoding and its dialect.
pub(super) struct CsvFile {
    blob: Shared,
    /// The length of the byte order mark in bytes.
    mark: usize,
    encoding: &'static str,
    /// Whether the rest of the file can't change the encoding.
    is_encoding_certain: bool,
    dialect: Dialect,
    libraries: Linkage,
    limits: Limits,
    /// `None` before the first piece is read.
    reading: Option<Box<Reading>>,
}

/// A position in the text.
struct Reading {
    scanner: Scanner,
    /// `None` for UTF-8.
    decoder: Option<Box<dyn Decode>>,
    bytes: Vec<u8>,
    text: String,
    /// The offset of the next piece in the file.
    at: u64,
}

impl CsvFile {
    /// Opens a text file. Its encoding is the chosen or else the detected one, and is guessed if neither exists. The
    /// dialect is detected from the beginning of the text.
    pub fn open(
        blob: Shared,
        (encoding, is_encoding_certain, mark): (Option<&'static str>, bool, usize),
        options: &ReadOptions,
        libraries: Linkage,
        limits: &Limits,
    ) -> Result<CsvFile, FileError> {
        let dialect = Dialect { delimiter: b',', has_separator_line: false };
        let (limits, reading) = (*limits, None);
        let mut file =
            CsvFile { blob, mark, encoding: UTF_8, is_encoding_certain, dialect, libraries, limits, reading };
        match (&options.encoding, encoding) {
            (Some(chosen), _) => {
                file.encoding = file.decoder(chosen)?.map_or(UTF_8, |decoder| decoder.encoding_name());
                file.is_encoding_certain = true;
            }
            (None, Some(known)) => file.encoding = known,
            (None, None) => {
                file.guess_encoding(options)?;
                return Ok(file);
            }
        }
        file.dialect = file.detect_dialect(options)?;
        Ok(file)
    }

    /// Guesses the encoding of a text that isn't UTF-8, detects the dialect again, and moves back to the first row.
    pub fn guess_encoding(&mut self, options: &ReadOptions) -> Result<(), FileError> {
        let libraries = self.libraries.ok_or(FileError::NeedsFallback)?;
        self.encoding = libraries.guess_encoding(&self.read_invalid_sample()?.unwrap_or_default());
        self.is_encoding_certain = true;
        self.dialect = self.detect_dialect(options)?;
        self.start();
        Ok(())
    }

    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    pub fn delimiter(&self) -> char {
        char::from(self.dialect.delimiter)
    }

    /// Returns whether the pieces that were read so far contain invalid UTF-8. Always false for a text in another
    /// encoding.
    pub fn is_damaged(&self) -> bool {
        self.reading.as_ref().is_some_and(|reading| reading.scanner.is_damaged())
    }

    /// Returns how much of the file has been read, from 0 to 1.
    pub fn share(&self) -> f64 {
        let at = self.reading.as_ref().map_or(0, |reading| reading.at);
        at as f64 / self.blob.size().max(1) as f64
    }

    /// Reads the file and returns whether bytes after its beginning aren't valid UTF-8, so that the encoding may
    /// change.
    #[cfg(feature = "files")]
    pub fn may_encoding_change(&mut self) -> Result<bool, FileError> {
        Ok(!self.is_encoding_certain && self.blob.size() > HEAD_BYTES as u64 && self.read_invalid_sample()?.is_some())
    }

    /// Makes the encoding certain: invalid bytes no longer change it.
    #[cfg(feature = "files")]
    pub fn make_encoding_certain(&mut self) {
        self.is_encoding_certain = true;
    }

    /// Returns the first rows, of the beginning of the file, at most one more than [`SAMPLE_ROWS`].
    pub fn sample(&mut self) -> Result<Vec<RowBuffer>, FileError> {
        let mut sample: Vec<RowBuffer> = Vec::new();
        for max in [HEAD_BYTES, LONG_HEAD] {
            sample.clear();
            // The sample is read as if the encoding were certain. A wrong encoding is noticed when the whole text is
            // read.
            self.start_reading(true)?.step(&mut self.blob, max, max as u64, &mut |row| {
                sample.push(row.into());
                Ok(if sample.len() > SAMPLE_ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            if sample.len() > 1 {
                break;
            }
        }
        Ok(sample)
    }

    /// Moves to the first row.
    pub fn start(&mut self) {
        self.reading = None;
    }

    /// Reads the next piece, as [`super::Source::step`], but returns [`FileError::OtherEncoding`] if the text isn't in
    /// its encoding.
    pub fn step(&mut self, on_row: RowHandler<'_>) -> Result<Step, FileError> {
        let mut reading = match self.reading.take() {
            Some(reading) => reading,
            None => self.start_reading(self.is_encoding_certain)?,
        };
        let step = reading.step(&mut self.blob, PIECE, u64::MAX, on_row);
        self.reading = Some(reading);
        step
    }

    /// Returns a position at the first row. Unless the encoding is certain, reading fails with
    /// [`FileError::OtherEncoding`] once the text has more invalid UTF-8 sequences than valid non-ASCII characters.
    fn start_reading(&self, is_encoding_certain: bool) -> Result<Box<Reading>, FileError> {
        let Dialect { delimiter, has_separator_line } = self.dialect;
        let scanner = Scanner::new(delimiter, has_separator_line, is_encoding_certain, &self.limits);
        let (decoder, at) = (self.decoder(self.encoding)?, self.mark as u64);
        Ok(Box::new(Reading { scanner, decoder, bytes: Vec::new(), text: String::new(), at }))
    }

    /// Returns a decoder of this encoding; `None` for UTF-8, which needs none.
    fn decoder(&self, encoding: &str) -> Result<Option<Box<dyn Decode>>, FileError> {
        if encoding.eq_ignore_ascii_case(UTF_8) {
            return Ok(None);
        }
        let libraries = self.libraries.ok_or(FileError::NeedsFallback)?;
        let decoder = libraries.decoder(encoding).ok_or(FileError::UnknownEncoding)?;
        Ok(Some(decoder).filter(|decoder| decoder.encoding_name() != UTF_8))
    }

    /// Detects the dialect from the beginning of the text.
    fn detect_dialect(&mut self, options: &ReadOptions) -> Result<Dialect, FileError> {
        let mut head = vec![0; HEAD_BYTES - self.mark];
        let length = read(&mut self.blob, self.mark as u64, &mut head)?;
        let mut text = String::new();
        match self.decoder(self.encoding)? {
            Some(mut decoder) => decoder.push(&head[..length], false, &mut text),
            None => text.push_str(&String::from_utf8_lossy(&head[..length])),
        }
        detect_dialect(&text, options).ok_or(FileError::NoText)
    }

    /// Reads up to the first invalid UTF-8 and returns the bytes from which the encoding is guessed. `None` if the
    /// whole file is UTF-8.
    fn read_invalid_sample(&mut self) -> Result<Option<Vec<u8>>, FileError> {
        let (mut first, mut at, mut bytes) = (FirstInvalidUtf8::default(), 0, vec![0; PIECE]);
        loop {
            let length = read(&mut self.blob, at, &mut bytes)?;
            at += length as u64;
            let last = at >= self.blob.size() || length == 0;
            if let Some(place) = first.push(&bytes[..length], last) {
                bytes.resize(FirstInvalidUtf8::SAMPLE_BYTES, 0);
                let length = read(&mut self.blob, place, &mut bytes)?;
                bytes.truncate(length);
                return Ok(Some(bytes));
            }
            if last {
                return Ok(None);
            }
        }
    }
}

impl Reading {
    /// Passes on the rows that end within the next `piece` bytes, and before the offset `max`.
    fn step(&mut self, blob: &mut dyn Blob, piece: usize, max: u64, on_row: RowHandler<'_>) -> Result<Step, FileError> {
        let end = blob.size();
        let wanted = end.min(max).saturating_sub(self.at).min(piece as u64) as usize;
        self.bytes.resize(wanted, 0);
        if read(blob, self.at, &mut self.bytes)? < wanted {
            return Err(FileError::Unreadable);
        }
        self.at += wanted as u64;
        let text = match &mut self.decoder {
            None => &self.bytes[..],
            Some(decoder) => {
                decoder.push(&self.bytes, self.at >= end, &mut self.text);
                self.text.as_bytes()
            }
        };
        let flow = self.scanner.push(text, self.at >= end, on_row)?;
        Ok(if flow.is_break() || self.at >= end { Step::End } else { Step::More })
    }
}
