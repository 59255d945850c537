//! Text files, decoded and scanned in pieces.

use crate::import::csv::Scanner;
use crate::import::head::SAMPLE_ROWS;
use crate::import::legacy::{Decoder, guess};
use crate::import::recognise::{Dialect, FirstInvalidUtf8, HEAD_BYTES, detect_dialect};
use crate::import::row::{RowBuffer, RowHandler};
use crate::import::{Blob, FileError, Limits, ReadOptions};
use std::ops::ControlFlow;

/// The size of a piece.
const PIECE: usize = 1 << 20;
/// The size of the head if [`HEAD_BYTES`] doesn't contain two rows.
const LONG_HEAD: usize = 4 << 20;

/// A text file, its encoding and its format.
pub(super) struct CsvFile {
    blob: Box<dyn Blob>,
    mark: usize,
    encoding: &'static str,
    is_certain: bool,
    damaged: bool,
    dialect: Dialect,
    limits: Limits,
}

impl CsvFile {
    /// Detects encoding and format. If the head is ASCII, the encoding is detected in the rest of the file.
    pub fn open(
        mut blob: Box<dyn Blob>,
        (encoding, is_certain, mark): (Option<&'static str>, bool, usize),
        options: &ReadOptions,
        limits: &Limits,
    ) -> Result<CsvFile, FileError> {
        let (encoding, is_certain) = match (&options.encoding, encoding) {
            (Some(chosen), _) => (Decoder::new(chosen).ok_or(FileError::UnknownEncoding)?.name(), true),
            (None, Some(known)) => (known, is_certain),
            (None, None) => (guess(&strange(&mut *blob)?.unwrap_or_default()), true),
        };
        let dialect = shape_of(&mut *blob, encoding, mark, options)?;
        let mut file = CsvFile { blob, mark, encoding, is_certain, damaged: false, dialect, limits: *limits };
        if !file.is_certain
            && file.blob.size() > HEAD_BYTES as u64
            && let Some(sample) = strange(&mut *file.blob)?
        {
            file.damaged = true;
            // Other errors occur again when the rows are read.
            if file.rows(&mut |_| Ok(ControlFlow::Continue(()))) == Err(FileError::OtherEncoding) {
                (file.encoding, file.damaged) = (guess(&sample), false);
                file.dialect = shape_of(&mut *file.blob, file.encoding, mark, options)?;
            }
        }
        file.is_certain = true;
        Ok(file)
    }

    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    pub fn delimiter(&self) -> char {
        char::from(self.dialect.delimiter)
    }

    /// Some characters can't be decoded.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// The first rows, within the head of the file, like the reader in the browser, which has only the head.
    pub fn sample(&mut self) -> Result<Vec<RowBuffer>, FileError> {
        let mut sample: Vec<RowBuffer> = Vec::new();
        for max in [HEAD_BYTES, LONG_HEAD] {
            sample.clear();
            self.each(max as u64, &mut |row| {
                sample.push(row.into());
                Ok(if sample.len() > SAMPLE_ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            if sample.len() > 1 {
                break;
            }
        }
        Ok(sample)
    }

    /// As [`super::Source::rows`].
    pub fn rows(&mut self, each: RowHandler<'_>) -> Result<(), FileError> {
        self.each(u64::MAX, each)
    }

    /// Passes on the rows that end within the first `max` bytes.
    fn each(&mut self, max: u64, each: RowHandler<'_>) -> Result<(), FileError> {
        let mut scanner =
            Scanner::new(self.dialect.delimiter, self.dialect.has_separator_line, self.is_certain, &self.limits);
        let mut decoder = Decoder::new(self.encoding).filter(|decoder| decoder.name() != "UTF-8");
        let (mut bytes, mut text, mut at) = (vec![0; PIECE], String::new(), self.mark as u64);
        let end = self.blob.size();
        let max = end.min(max);
        loop {
            let wanted = max.saturating_sub(at).min(PIECE as u64) as usize;
            if read(&mut *self.blob, at, &mut bytes[..wanted])? < wanted {
                return Err(FileError::Unreadable);
            }
            at += wanted as u64;
            let piece = match &mut decoder {
                None => &bytes[..wanted],
                Some(decoder) => {
                    decoder.push(&bytes[..wanted], at >= end, &mut text);
                    text.as_bytes()
                }
            };
            if scanner.push(piece, at >= end, each)?.is_break() || at >= max {
                return Ok(());
            }
        }
    }
}

/// Detects the format of a text by its head.
fn shape_of(blob: &mut dyn Blob, encoding: &str, mark: usize, options: &ReadOptions) -> Result<Dialect, FileError> {
    let mut head = vec![0; HEAD_BYTES - mark];
    let length = read(blob, mark as u64, &mut head)?;
    let mut text = String::new();
    let mut decoder = Decoder::new(encoding).ok_or(FileError::UnknownEncoding)?;
    decoder.push(&head[..length], false, &mut text);
    detect_dialect(&text, options).ok_or(FileError::NoText)
}

/// The bytes from which the encoding is detected, `None` if the whole file is UTF-8.
fn strange(blob: &mut dyn Blob) -> Result<Option<Vec<u8>>, FileError> {
    let (mut first, mut at, mut bytes) = (FirstInvalidUtf8::default(), 0, vec![0; PIECE]);
    loop {
        let length = read(blob, at, &mut bytes)?;
        at += length as u64;
        let last = at >= blob.size() || length == 0;
        if let Some(place) = first.push(&bytes[..length], last) {
            bytes.resize(FirstInvalidUtf8::SAMPLE_BYTES, 0);
            let length = read(blob, place, &mut bytes)?;
            bytes.truncate(length);
            return Ok(Some(bytes));
        }
        if last {
            return Ok(None);
        }
    }
}

/// Fills the buffer as far as the file has bytes.
pub(super) fn read(blob: &mut dyn Blob, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
    blob.read_at(offset, into).map_err(|_| FileError::Unreadable)
}
