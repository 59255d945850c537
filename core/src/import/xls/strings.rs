//! Shared strings, which are read on demand, and strings in records.

use super::records::Records;
use crate::import::FileError;
use crate::import::ole::Stream;
use crate::import::record::{SST, decode_utf16, u16_at, u32_at, utf16_units};
use crate::import::row::UNREADABLE;

/// The maximum memory of shared strings in bytes.
const MAX_SHARED: usize = 128 << 20;
/// The size of the two counts before the first shared string.
const COUNTS_BYTES: usize = 8;
/// The flags of a string: whether it has UTF-16 characters, phonetic data, and formatting runs.
const UTF16: u8 = 1;
const PHONETIC: u8 = 4;
const RICH: u8 = 8;
/// The size of a formatting run.
const RUN_BYTES: usize = 4;

/// The shared strings that were read so far, concatenated.
#[derive(Default)]
pub(super) struct SharedStrings {
    text: String,
    ends: Vec<u32>,
    /// The source of further strings.
    source: Source,
}

/// The source of the shared strings that weren't read yet.
#[derive(Default)]
enum Source {
    /// There are no further strings.
    #[default]
    End,
    ContinuedRecord(ContinuedRecord),
    /// A string is damaged, so the positions of later ones are unknown.
    Damaged,
}

impl SharedStrings {
    /// Starts to read the SST record at this offset.
    pub fn new(offset: u64, stream: &mut Stream) -> Result<SharedStrings, FileError> {
        let mut records = Records::from(offset);
        let (kind, data) = records.peek(stream)?;
        // The counts are wrong in the files of some programs and are ignored.
        ensure!(kind == SST && data.len() >= COUNTS_BYTES, FileError::BrokenWorkbook);
        Ok(SharedStrings {
            source: Source::ContinuedRecord(ContinuedRecord { records, at: COUNTS_BYTES }),
            ..SharedStrings::default()
        })
    }

    /// Returns a string by its index, or [`UNREADABLE`] if the index is too large.
    #[inline]
    pub fn get(&mut self, index: u32, stream: &mut Stream) -> Result<&str, FileError> {
        if index as usize >= self.ends.len() && !self.read_to(index, stream)? {
            return Ok(UNREADABLE);
        }
        let start = if index == 0 { 0 } else { self.ends[index as usize - 1] };
        Ok(&self.text[start as usize..self.ends[index as usize] as usize])
    }

    /// Reads on until the string with this index is available; false if there is none.
    #[cold]
    fn read_to(&mut self, index: u32, stream: &mut Stream) -> Result<bool, FileError> {
        let mut source = match std::mem::replace(&mut self.source, Source::Damaged) {
            Source::ContinuedRecord(source) => source,
            Source::Damaged => return Err(FileError::BrokenWorkbook),
            Source::End => {
                self.source = Source::End;
                return Ok(false);
            }
        };
        while self.ends.len() <= index as usize {
            if source.is_finished(stream)? {
                self.source = Source::End;
                return Ok(false);
            }
            source.string(&mut self.text, stream)?;
            ensure!(
                self.text.len() + self.ends.len() * size_of::<u32>() <= MAX_SHARED,
                FileError::TooMuchInside { max: MAX_SHARED as u64 }
            );
            self.ends.push(self.text.len() as u32);
        }
        self.source = Source::ContinuedRecord(source);
        Ok(true)
    }
}

/// A record with its CONTINUE records, and an offset in the current one's data.
struct ContinuedRecord {
    records: Records,
    at: usize,
}

impl ContinuedRecord {
    fn is_finished(&mut self, stream: &mut Stream) -> Result<bool, FileError> {
        if self.records.data().len() > self.at {
            return Ok(false);
        }
        self.at = 0;
        Ok(!self.records.move_to_continue(stream)?)
    }

    /// Reads a string and skips its formatting and phonetic data.
    fn string(&mut self, out: &mut String, stream: &mut Stream) -> Result<(), FileError> {
        // The header of a string is never split between records.
        let data = self.records.data().get(self.at..).unwrap_or_default();
        let (Some(count), Some(&flags)) = (u16_at(data, 0), data.get(2)) else {
            return Err(FileError::BrokenWorkbook);
        };
        let (mut start, mut trailing) = (3, 0_u64);
        if flags & RICH != 0 {
            trailing += u64::from(u16_at(data, start).ok_or(FileError::BrokenWorkbook)?) * RUN_BYTES as u64;
            start += 2;
        }
        if flags & PHONETIC != 0 {
            trailing += u64::from(u32_at(data, start).ok_or(FileError::BrokenWorkbook)?);
            start += 4;
        }
        self.at += start;
        self.at = read_characters(&mut self.records, self.at, (count, flags), out, stream)?;
        self.skip_bytes(trailing, stream)
    }

    #[inline]
    fn skip_bytes(&mut self, mut bytes: u64, stream: &mut Stream) -> Result<(), FileError> {
        while bytes > 0 {
            let left = self.records.data().len() - self.at;
            let skipped = usize::try_from(bytes).unwrap_or(usize::MAX).min(left);
            (self.at, bytes) = (self.at + skipped, bytes - skipped as u64);
            if bytes > 0 {
                self.records.next_continue(stream)?;
                self.at = 0;
            }
        }
        Ok(())
    }
}

/// Reads the characters of a string that start at an offset of a record's data; returns the offset of their end. After
/// a record boundary, a CONTINUE record repeats the flags.
#[inline]
pub(super) fn read_characters(
    records: &mut Records,
    at: usize,
    (count, flags): (u16, u8),
    out: &mut String,
    stream: &mut Stream,
) -> Result<usize, FileError> {
    let length = usize::from(count) * bytes_per_character(flags);
    match records.data().get(at..at + length) {
        Some(bytes) => {
            decode(bytes, flags, out);
            Ok(at + length)
        }
        None => read_continued_characters(records, at, (count, flags), out, stream),
    }
}

/// The slow path of [`read_characters`], for strings that cross a record boundary.
#[cold]
fn read_continued_characters(
    records: &mut Records,
    mut at: usize,
    (count, mut flags): (u16, u8),
    out: &mut String,
    stream: &mut Stream,
) -> Result<usize, FileError> {
    let (mut units, mut left): (Vec<u16>, _) = (Vec::new(), usize::from(count));
    loop {
        let data = records.data().get(at..).unwrap_or_default();
        let found = left.min(data.len() / bytes_per_character(flags));
        match flags & UTF16 {
            0 => units.extend(data[..found].iter().map(|&byte| u16::from(byte))),
            _ => units.extend(utf16_units(data).take(found)),
        }
        left -= found;
        at += found * bytes_per_character(flags);
        if left == 0 {
            break;
        }
        flags = *records.next_continue(stream)?.first().ok_or(FileError::BrokenWorkbook)?;
        at = 1;
    }
    out.extend(decode_utf16(units));
    Ok(at)
}

#[inline]
fn bytes_per_character(flags: u8) -> usize {
    if flags & UTF16 == 0 { 1 } else { 2 }
}

/// Appends characters: Latin-1 (the first 256 of Unicode), or UTF-16.
#[inline]
pub(super) fn decode(bytes: &[u8], flags: u8, out: &mut String) {
    if flags & UTF16 != 0 {
        return out.extend(decode_utf16(utf16_units(bytes)));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => out.push_str(text),
        _ => out.extend(bytes.iter().map(|&byte| char::from(byte))),
    }
}

/// Reads a string that is completely in a record, prefixed by its length in one or two bytes.
pub(super) fn read_string(data: &[u8], at: usize, is_short: bool) -> Option<String> {
    let (count, at) = if is_short { (u16::from(*data.get(at)?), at + 1) } else { (u16_at(data, at)?, at + 2) };
    let (flags, mut text) = (*data.get(at)?, String::new());
    decode(data.get(at + 1..at + 1 + usize::from(count) * bytes_per_character(flags))?, flags, &mut text);
    Some(text)
}
