//! The table of an .ods, looked through before the library lays it out: a few bytes repeat a cell or a row a million times,
//! and it makes a place for every one of them.

use crate::import::FileError;
use std::io::BufRead;

/// The most places of a sheet, counted as the library does: a rectangle around all cells.
const MOST_PLACES: u64 = 6_000_000;
/// The most bytes of an element's attributes that are looked at.
const LONGEST_TAG: usize = 64 << 10;

/// Looks through the part that holds the sheets.
pub(super) fn check(mut part: impl BufRead) -> Result<(), FileError> {
    let (mut table, mut tag) = (Table::default(), Vec::new());
    loop {
        tag.clear();
        let read = part.skip_until(b'<').and_then(|read| Ok((read, tag_of(&mut part, &mut tag)?)));
        match read {
            Ok((0, _)) => return Ok(()),
            Ok((_, true)) => table.element(&tag)?,
            // An element that doesn't end, or a part that can't be read.
            Ok((_, false)) | Err(_) => return Err(FileError::BrokenWorkbook),
        }
    }
}

/// Reads an element up to its end, which no attribute's value is; false if there is none.
fn tag_of(part: &mut impl BufRead, tag: &mut Vec<u8>) -> std::io::Result<bool> {
    let (mut quote, mut is_first, mut is_markup) = (None, true, false);
    loop {
        let bytes = part.fill_buf()?;
        if bytes.is_empty() {
            // Behind the last element there is nothing.
            return Ok(tag.is_empty());
        }
        let end = bytes.iter().position(|&byte| {
            // In a comment a quotation mark needs no other one.
            is_markup |= std::mem::take(&mut is_first) && (byte == b'!' || byte == b'?');
            match quote {
                Some(open) if open == byte => quote = None,
                Some(_) => {}
                None if (byte == b'"' || byte == b'\'') && !is_markup => quote = Some(byte),
                None => return byte == b'>',
            }
            false
        });
        let length = end.unwrap_or(bytes.len());
        tag.extend_from_slice(&bytes[..length]);
        part.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || tag.len() > LONGEST_TAG {
            return Ok(end.is_some());
        }
    }
}

#[derive(Default)]
struct Table {
    rows: u64,
    widest: u64,
    /// Of the present row: how often it is repeated, its cells, and the empty ones behind the last of these.
    repeated: u64,
    cells: u64,
    empty: u64,
    /// The rows without a cell behind the last one that has some.
    blank: u64,
    /// The cells of all rows.
    places: u64,
}

impl Table {
    fn element(&mut self, tag: &[u8]) -> Result<(), FileError> {
        let name = tag.split(|byte| byte.is_ascii_whitespace() || *byte == b'/').next().unwrap_or_default();
        let times = |name| repeated(tag, name).unwrap_or(1);
        match name {
            b"table:table" => *self = Table::default(),
            b"table:table-row" => {
                self.end_row();
                self.repeated = times(b"table:number-rows-repeated");
            }
            b"table:table-cell" | b"table:covered-table-cell" => {
                let times = times(b"table:number-columns-repeated");
                let is_empty = tag.ends_with(b"/") && find(tag, b"office:").or(find(tag, b"table:formula")).is_none();
                if is_empty {
                    self.empty = self.empty.saturating_add(times);
                } else {
                    self.cells = self.cells.saturating_add(self.empty).saturating_add(times);
                    self.empty = 0;
                }
                let row = self.cells.min(16_384);
                let rows = self.rows.saturating_add(self.blank).saturating_add(self.repeated.min(1_048_576));
                let area = if row > 0 { rows.saturating_mul(self.widest.max(row)) } else { 0 };
                if area.max(self.places + row) > MOST_PLACES {
                    return Err(FileError::BrokenWorkbook);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end_row(&mut self) {
        if self.cells == 0 {
            self.blank = self.blank.saturating_add(self.repeated);
        } else {
            self.rows = self.rows.saturating_add(self.blank).saturating_add(self.repeated);
            self.blank = 0;
            let row = self.cells.min(16_384);
            self.widest = self.widest.max(row);
            self.places += row;
        }
        (self.cells, self.empty) = (0, 0);
    }
}

fn find(tag: &[u8], what: &[u8]) -> Option<usize> {
    tag.windows(what.len()).position(|bytes| bytes == what)
}

fn repeated(tag: &[u8], name: &[u8]) -> Option<u64> {
    let value = tag.get(find(tag, name)? + name.len()..)?;
    let digits = value.iter().skip_while(|byte| !byte.is_ascii_digit()).take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}
