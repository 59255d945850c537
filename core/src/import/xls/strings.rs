//! Texts: those that a workbook's cells share, read only as far as somebody asks, and those that stand in a record.

use super::records::Records;
use crate::import::FileError;
use crate::import::ole::Stream;
use crate::import::record::{SST, u16_at, u32_at};
use crate::import::row::UNREADABLE;

/// The most bytes of memory that shared texts take.
const MOST_SHARED: usize = 128 << 20;
/// The counts before the first shared text.
const COUNTS: usize = 8;
/// What a flag of a text says: that its characters take two bytes, that it is pronounced in a way of its own, and that
/// parts of it look different.
const WIDE: u8 = 1;
const PRONOUNCED: u8 = 4;
const RICH: u8 = 8;
/// What a part that looks different takes.
const RUN: usize = 4;

/// The shared texts, as one text.
#[derive(Default)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
    /// Where the others come from.
    rest: Rest,
}

/// What follows the shared texts that were read.
#[derive(Default)]
enum Rest {
    /// No text: the record is over, or there is none.
    #[default]
    Over,
    Pieces(Pieces),
    /// A text is damaged, and the places of those behind it are unknown.
    Damaged,
}

impl Strings {
    /// Those whose record begins there.
    ///
    /// # Errors
    /// It is no such record.
    pub fn new(place: u64, stream: &mut Stream) -> Result<Strings, FileError> {
        let mut records = Records::from(place);
        let (kind, data) = records.peek(stream)?;
        // The counts are wrong in the files of some programs, so that the texts themselves are counted.
        if kind != SST || data.len() < COUNTS {
            return Err(FileError::BrokenWorkbook);
        }
        Ok(Strings { rest: Rest::Pieces(Pieces { records, at: COUNTS }), ..Strings::default() })
    }

    /// Returns a text by its place; [`UNREADABLE`] for a place behind the last text.
    ///
    /// # Errors
    /// The record is damaged before the text.
    #[inline]
    pub fn get(&mut self, place: u32, stream: &mut Stream) -> Result<&str, FileError> {
        if place as usize >= self.ends.len() && !self.read_to(place, stream)? {
            return Ok(UNREADABLE);
        }
        let start = if place == 0 { 0 } else { self.ends[place as usize - 1] };
        Ok(&self.text[start as usize..self.ends[place as usize] as usize])
    }

    /// Reads on until there is a text at a place; false if there is none.
    #[cold]
    fn read_to(&mut self, place: u32, stream: &mut Stream) -> Result<bool, FileError> {
        let mut rest = match std::mem::replace(&mut self.rest, Rest::Damaged) {
            Rest::Pieces(rest) => rest,
            Rest::Damaged => return Err(FileError::BrokenWorkbook),
            Rest::Over => {
                self.rest = Rest::Over;
                return Ok(false);
            }
        };
        while self.ends.len() <= place as usize {
            if rest.is_over(stream)? {
                self.rest = Rest::Over;
                return Ok(false);
            }
            rest.string(&mut self.text, stream)?;
            if self.text.len() + self.ends.len() * size_of::<u32>() > MOST_SHARED {
                return Err(FileError::TooMuchInside { max: MOST_SHARED as u64 });
            }
            self.ends.push(self.text.len() as u32);
        }
        self.rest = Rest::Pieces(rest);
        Ok(true)
    }
}

/// A record and those that go it on, and a place in its data.
struct Pieces {
    records: Records,
    at: usize,
}

impl Pieces {
    /// Whether no text follows.
    fn is_over(&mut self, stream: &mut Stream) -> Result<bool, FileError> {
        if self.records.data().len() > self.at {
            return Ok(false);
        }
        self.at = 0;
        Ok(!self.records.is_continued(stream)?)
    }

    /// Reads a text, what belongs to it left out.
    fn string(&mut self, out: &mut String, stream: &mut Stream) -> Result<(), FileError> {
        // How a text begins is never cut.
        let data = self.records.data().get(self.at..).unwrap_or_default();
        let (Some(count), Some(&flags)) = (u16_at(data, 0), data.get(2)) else {
            return Err(FileError::BrokenWorkbook);
        };
        let (mut start, mut behind) = (3, 0_u64);
        if flags & RICH != 0 {
            behind += u64::from(u16_at(data, start).ok_or(FileError::BrokenWorkbook)?) * RUN as u64;
            start += 2;
        }
        if flags & PRONOUNCED != 0 {
            behind += u64::from(u32_at(data, start).ok_or(FileError::BrokenWorkbook)?);
            start += 4;
        }
        self.at += start;
        self.at = characters(&mut self.records, self.at, (count, flags), out, stream)?;
        self.pass(behind, stream)
    }

    /// Leaves out so many bytes.
    #[inline]
    fn pass(&mut self, mut bytes: u64, stream: &mut Stream) -> Result<(), FileError> {
        while bytes > 0 {
            let left = self.records.data().len() - self.at;
            let passed = usize::try_from(bytes).unwrap_or(usize::MAX).min(left);
            (self.at, bytes) = (self.at + passed, bytes - passed as u64);
            if bytes > 0 {
                self.records.continued(stream)?;
                self.at = 0;
            }
        }
        Ok(())
    }
}

/// Reads so many characters of a text that begin at a place in a record's data; gives where they end. Where a text goes on in
/// another record, that one says anew how wide its characters are.
///
/// # Errors
/// There are fewer.
#[inline]
pub(super) fn characters(
    records: &mut Records,
    at: usize,
    (count, flags): (u16, u8),
    out: &mut String,
    stream: &mut Stream,
) -> Result<usize, FileError> {
    let length = usize::from(count) * width(flags);
    match records.data().get(at..at + length) {
        Some(bytes) => {
            decode(bytes, flags, out);
            Ok(at + length)
        }
        None => cut(records, at, (count, flags), out, stream),
    }
}

/// As [`characters`], of a text that goes on in another record.
#[cold]
fn cut(
    records: &mut Records,
    mut at: usize,
    (count, mut flags): (u16, u8),
    out: &mut String,
    stream: &mut Stream,
) -> Result<usize, FileError> {
    let (mut units, mut left): (Vec<u16>, _) = (Vec::new(), usize::from(count));
    loop {
        let data = records.data().get(at..).unwrap_or_default();
        let found = left.min(data.len() / width(flags));
        match flags & WIDE {
            0 => units.extend(data[..found].iter().map(|&byte| u16::from(byte))),
            _ => units.extend(data.as_chunks::<2>().0[..found].iter().map(|unit| u16::from_le_bytes(*unit))),
        }
        left -= found;
        at += found * width(flags);
        if left == 0 {
            break;
        }
        flags = *records.continued(stream)?.first().ok_or(FileError::BrokenWorkbook)?;
        at = 1;
    }
    out.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
    Ok(at)
}

/// How many bytes a character takes.
#[inline]
fn width(flags: u8) -> usize {
    if flags & WIDE == 0 { 1 } else { 2 }
}

/// Adds characters: those of one byte are the first 256 of Unicode, the others are UTF-16.
#[inline]
pub(super) fn decode(bytes: &[u8], flags: u8, out: &mut String) {
    if flags & WIDE != 0 {
        let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
        out.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
        return;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => out.push_str(text),
        _ => out.extend(bytes.iter().map(|&byte| char::from(byte))),
    }
}

/// A text that stands as a whole in a record, at a place behind which its length takes one byte or two.
pub(super) fn whole(data: &[u8], at: usize, is_short: bool) -> Option<String> {
    let (count, at) = if is_short { (u16::from(*data.get(at)?), at + 1) } else { (u16_at(data, at)?, at + 2) };
    let (flags, mut text) = (*data.get(at)?, String::new());
    decode(data.get(at + 1..at + 1 + usize::from(count) * width(flags))?, flags, &mut text);
    Some(text)
}
