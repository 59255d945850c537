//! Reads the records of an .xlsb part one by one.

use super::super::parts::Part;
use crate::import::FileError;
use crate::import::record::{decode_utf16, u32_at, utf16_units};
use std::io::Read;

/// The maximum size of a record that is read. A string of 32,767 characters with as many formatting runs is smaller.
const MAX_DATA: u64 = 1 << 20;

pub(super) struct Records<'a> {
    part: Part<'a>,
    data: Vec<u8>,
}

impl<'a> Records<'a> {
    pub fn new(part: Part<'a>) -> Records<'a> {
        Records { part, data: Vec::new() }
    }

    /// Returns the type and the data of the next record; longer data is truncated to the maximum. `None` after the last
    /// record.
    pub fn next(&mut self) -> Result<Option<(u16, &[u8])>, FileError> {
        const BROKEN: FileError = FileError::BrokenWorkbook;
        let Some(kind) = self.read_number(2)? else { return Ok(None) };
        let length = u64::from(self.read_number(4)?.ok_or(BROKEN)?);
        self.data.clear();
        let max = length.min(MAX_DATA);
        let read = (&mut self.part).take(max).read_to_end(&mut self.data).map_err(|_| BROKEN)?;
        let rest = (&mut self.part).take(length - max);
        let skipped = std::io::copy(&mut { rest }, &mut std::io::sink()).map_err(|_| BROKEN)?;
        if read as u64 + skipped < length { Err(BROKEN) } else { Ok(Some((kind as u16, &self.data))) }
    }

    /// Reads a number that is stored in one to `max` bytes; `None` at the end of the part.
    fn read_number(&mut self, max: u32) -> Result<Option<u32>, FileError> {
        let mut number = 0;
        for position in 0..max {
            let mut byte = [0];
            if self.part.read(&mut byte).map_err(|_| FileError::BrokenWorkbook)? == 0 {
                return if position == 0 { Ok(None) } else { Err(FileError::BrokenWorkbook) };
            }
            number |= u32::from(byte[0] & 0x7F) << (7 * position);
            if byte[0] < 0x80 {
                break;
            }
        }
        Ok(Some(number))
    }
}

/// Returns the UTF-16 string at an offset, prefixed by its number of code units, and the offset of its end. `None` if
/// the data is too short.
pub(super) fn read_string(data: &[u8], at: usize) -> Option<(String, usize)> {
    let end = (u32_at(data, at)? as usize).checked_mul(2)?.checked_add(at + 4)?;
    Some((decode_utf16(utf16_units(data.get(at + 4..end)?)).collect(), end))
}
