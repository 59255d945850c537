//! A part of the archive, unpacked piece by piece as it is asked for.

use super::zip::{Entry, FREE_RATIO, MOST_RATIO, TOO_MUCH, read};
use crate::import::{Blob, FileError};
use zlib_rs::crc32::crc32;
use zlib_rs::{Inflate, InflateFlush, Status};

/// How much of the file is fetched at once: little at first, since a preview needs little, then more.
const FIRST_PIECE: usize = 16 << 10;
const LARGEST_PIECE: usize = 256 << 10;
/// The window of deflate, as a power of two.
const WINDOW_BITS: u8 = 15;

/// An entry's bytes, unpacked as a stream. What it claims to be is believed until it is counted.
pub(super) struct Part {
    offset: u64,
    /// Packed bytes that weren't fetched yet.
    left: u64,
    /// Those that were, from `at` on.
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
        Part { offset, left: entry.packed, piece: Vec::new(), at: 0, inflate, crc: 0, produced: 0, entry: *entry }
    }

    /// How many bytes came out of it so far.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// The next bytes, as many as there is room for; fewer only at the end, which was held against what the archive says.
    ///
    /// # Errors
    /// The part is damaged, cut off, or other than the archive says.
    pub fn read(&mut self, blob: &mut dyn Blob, into: &mut [u8]) -> Result<usize, FileError> {
        let mut count = 0;
        while count < into.len() {
            if self.at == self.piece.len() && self.left > 0 {
                self.fetch(blob)?;
            }
            let (taken, given, is_over) = self.unpack(&mut into[count..])?;
            self.at += taken;
            count += given;
            if is_over {
                self.produced += count as u64;
                self.crc = crc32(self.crc, &into[..count]);
                let holds = self.produced == self.entry.size && self.crc == self.entry.crc;
                // The end is told as often as it is asked for.
                (self.inflate, self.entry.size, self.entry.crc) = (None, self.produced, self.crc);
                let is_whole = self.left == 0 && self.at == self.piece.len();
                return if holds && is_whole { Ok(count) } else { Err(FileError::BrokenWorkbook) };
            }
            if taken == 0 && given == 0 {
                return Err(FileError::BrokenWorkbook);
            }
        }
        self.produced += count as u64;
        self.crc = crc32(self.crc, &into[..count]);
        if self.produced > self.entry.size {
            return Err(FileError::BrokenWorkbook);
        }
        let fetched = self.entry.packed - self.left;
        if self.produced > FREE_RATIO && self.produced / MOST_RATIO > fetched {
            return Err(TOO_MUCH);
        }
        Ok(count)
    }

    /// Unpacks what was fetched: how many bytes that took and gave, and whether they were the last.
    fn unpack(&mut self, into: &mut [u8]) -> Result<(usize, usize, bool), FileError> {
        let packed = &self.piece[self.at..];
        let Some(inflate) = &mut self.inflate else {
            let count = packed.len().min(into.len());
            into[..count].copy_from_slice(&packed[..count]);
            return Ok((count, count, self.left == 0 && count == packed.len()));
        };
        let (taken, given) = (inflate.total_in(), inflate.total_out());
        let status = inflate.decompress(packed, into, InflateFlush::NoFlush).map_err(|_| FileError::BrokenWorkbook)?;
        let (taken, given) = (inflate.total_in() - taken, inflate.total_out() - given);
        Ok((taken as usize, given as usize, status == Status::StreamEnd))
    }

    fn fetch(&mut self, blob: &mut dyn Blob) -> Result<(), FileError> {
        let size = (self.piece.len() * 2).clamp(FIRST_PIECE, LARGEST_PIECE).min(self.left as usize);
        self.piece.resize(size, 0);
        self.at = 0;
        if read(blob, self.offset, &mut self.piece)? < size {
            return Err(FileError::BrokenWorkbook);
        }
        self.offset += size as u64;
        self.left -= size as u64;
        Ok(())
    }
}
