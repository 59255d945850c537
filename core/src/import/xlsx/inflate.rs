//! Decompresses a part of the archive as a stream.

use crate::import::blob::read_full;
use crate::import::{Blob, FileError};
use zlib_rs::crc32::crc32;
use zlib_rs::{Inflate, InflateFlush, Status};

/// How many bytes to fetch from the file at once: few at first, because previews need little, and later up to
/// `LARGEST_PIECE`.
const FIRST_PIECE: usize = 16 << 10;
const LARGEST_PIECE: usize = 256 << 10;
/// The window size of deflate, as a power of two.
const WINDOW_BITS: u8 = 15;

/// Limits against decompression bombs: the maximum size of a part, and the maximum compression ratio once a part
/// exceeds `UNCHECKED_BYTES`. Real sheets of formatted blank cells reach a ratio of a hundred.
pub(super) const MAX_INFLATED: u64 = 1 << 30;
pub(super) const MAX_RATIO: u64 = 200;
pub(super) const UNCHECKED_BYTES: u64 = 64 << 20;
/// The error for a workbook that exceeds these limits.
pub(super) const TOO_LARGE: FileError = FileError::TooMuchInside { max: MAX_INFLATED };

/// An entry as the archive's directory declares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub is_encrypted: bool,
    pub is_deflated: bool,
    pub crc: u32,
    /// The compressed size in bytes.
    pub packed: u64,
    pub size: u64,
    /// The offset of the entry's local header in the archive.
    pub head: u64,
}

/// Decompresses an entry and verifies its size and checksum at the end.
pub(super) struct Part {
    offset: u64,
    /// Compressed bytes that aren't fetched yet.
    remaining: u64,
    /// Fetched bytes, of which those before `at` are already decompressed.
    piece: Vec<u8>,
    at: usize,
    inflate: Option<Box<Inflate>>,
    crc: u32,
    produced: u64,
    entry: Entry,
}

impl Part {
    pub fn new(offset: u64, entry: &Entry) -> Part {
        let inflate = entry.is_deflated.then(|| Box::new(Inflate::new(false, WINDOW_BITS)));
        Part { offset, remaining: entry.packed, piece: Vec::new(), at: 0, inflate, crc: 0, produced: 0, entry: *entry }
    }

    /// Returns how many bytes were decompressed so far.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// Reads until `into` is full or the part ends. At the end, size and checksum are verified.
    pub fn read(&mut self, blob: &mut dyn Blob, into: &mut [u8]) -> Result<usize, FileError> {
        let mut count = 0;
        while count < into.len() {
            if self.at == self.piece.len() && self.remaining > 0 {
                self.fetch(blob)?;
            }
            let (consumed, produced, is_finished) = self.decompress(&mut into[count..])?;
            self.at += consumed;
            count += produced;
            if is_finished {
                self.produced += count as u64;
                self.crc = crc32(self.crc, &into[..count]);
                let is_valid = self.produced == self.entry.size && self.crc == self.entry.crc;
                // Later reads also return that the part has ended.
                (self.inflate, self.entry.size, self.entry.crc) = (None, self.produced, self.crc);
                let is_whole = self.remaining == 0 && self.at == self.piece.len();
                return if is_valid && is_whole { Ok(count) } else { Err(FileError::BrokenWorkbook) };
            }
            if consumed == 0 && produced == 0 {
                return Err(FileError::BrokenWorkbook);
            }
        }
        self.produced += count as u64;
        self.crc = crc32(self.crc, &into[..count]);
        ensure!(self.produced <= self.entry.size, FileError::BrokenWorkbook);
        let fetched = self.entry.packed - self.remaining;
        if self.produced > UNCHECKED_BYTES && self.produced / MAX_RATIO > fetched {
            return Err(TOO_LARGE);
        }
        Ok(count)
    }

    /// Decompresses fetched bytes. Returns how many were consumed and produced, and whether the part has ended.
    fn decompress(&mut self, into: &mut [u8]) -> Result<(usize, usize, bool), FileError> {
        let packed = &self.piece[self.at..];
        let Some(inflate) = &mut self.inflate else {
            let count = packed.len().min(into.len());
            into[..count].copy_from_slice(&packed[..count]);
            return Ok((count, count, self.remaining == 0 && count == packed.len()));
        };
        let (consumed, produced) = (inflate.total_in(), inflate.total_out());
        let status = inflate.decompress(packed, into, InflateFlush::NoFlush).map_err(|_| FileError::BrokenWorkbook)?;
        let (consumed, produced) = (inflate.total_in() - consumed, inflate.total_out() - produced);
        Ok((consumed as usize, produced as usize, status == Status::StreamEnd))
    }

    fn fetch(&mut self, blob: &mut dyn Blob) -> Result<(), FileError> {
        let size = (self.piece.len() * 2).clamp(FIRST_PIECE, LARGEST_PIECE).min(self.remaining as usize);
        self.piece.resize(size, 0);
        self.at = 0;
        ensure!(read_full(blob, self.offset, &mut self.piece)? == size, FileError::BrokenWorkbook);
        self.offset += size as u64;
        self.remaining -= size as u64;
        Ok(())
    }
}
