//! The records of a part, one after the other.

use super::super::parts::Part;
use crate::import::FileError;
use crate::import::record::u32_at;
use std::io::Read;

/// The most bytes of a record that is read: a text of 32,767 characters with as many changes of its looks takes less.
const MOST_DATA: u64 = 1 << 20;

pub(super) struct Records<'a> {
    part: Part<'a>,
    data: Vec<u8>,
}

impl<'a> Records<'a> {
    pub fn new(part: Part<'a>) -> Records<'a> {
        Records { part, data: Vec::new() }
    }

    /// Returns the next record: its kind and its data, of which no more is read than any cell has. `None` behind the last.
    ///
    /// # Errors
    /// The part is damaged or ends inside of a record.
    pub fn next(&mut self) -> Result<Option<(u16, &[u8])>, FileError> {
        const BROKEN: FileError = FileError::BrokenWorkbook;
        let Some(kind) = self.number(2)? else { return Ok(None) };
        let length = u64::from(self.number(4)?.ok_or(BROKEN)?);
        self.data.clear();
        let max = length.min(MOST_DATA);
        let read = (&mut self.part).take(max).read_to_end(&mut self.data).map_err(|_| BROKEN)?;
        let rest = (&mut self.part).take(length - max);
        let passed = std::io::copy(&mut { rest }, &mut std::io::sink()).map_err(|_| BROKEN)?;
        if read as u64 + passed < length { Err(BROKEN) } else { Ok(Some((kind as u16, &self.data))) }
    }

    /// Reads a number of up to so many bytes, each of which says whether another one follows; `None` at the part's end.
    fn number(&mut self, max: u32) -> Result<Option<u32>, FileError> {
        let mut number = 0;
        for place in 0..max {
            let mut byte = [0];
            if self.part.read(&mut byte).map_err(|_| FileError::BrokenWorkbook)? == 0 {
                return if place == 0 { Ok(None) } else { Err(FileError::BrokenWorkbook) };
            }
            number |= u32::from(byte[0] & 0x7F) << (7 * place);
            if byte[0] < 0x80 {
                break;
            }
        }
        Ok(Some(number))
    }
}

/// Returns the text at a place behind its length in characters, and the place behind it; `None` if the data ends before.
pub(super) fn text(data: &[u8], at: usize) -> Option<(String, usize)> {
    let end = (u32_at(data, at)? as usize).checked_mul(2)?.checked_add(at + 4)?;
    let units = data.get(at + 4..end)?.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
    let text = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some((text.collect(), end))
}
