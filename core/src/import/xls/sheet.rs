//! A sheet's rows, one after the other.

use super::code_page;
use super::order::{Order, Place};
use super::records::Records;
use super::strings::{Strings, characters};
use crate::import::book::MAX_GRID;
use crate::import::number::{Format, write};
use crate::import::ole::Stream;
use crate::import::record::{
    BOF, BOOL_ERR, EOF, LABEL, LABEL_SST, MULRK, NUMBER, RK, ROW, RSTRING, STRING, decode_rk, error_name, is_cell,
    u16_at, u32_at,
};
use crate::import::row::RowBuffer;
use crate::import::{FileError, Limits};

/// What a sheet's cells refer to.
pub(super) struct Around<'a> {
    pub stream: &'a mut Stream,
    pub strings: &'a mut Strings,
    pub formats: &'a [Format],
    /// Texts are bytes in this code page, as in Excel 5 and 95.
    pub code_page: Option<u16>,
    pub from_1904: bool,
    pub limits: &'a Limits,
}

/// A sheet that is being read.
pub(super) struct Sheet {
    records: Records,
    order: Order,
    /// How many records of others the next one lies in: a chart in a sheet has records of its own.
    depth: usize,
    /// Somebody was given rows for good.
    pub is_begun: bool,
    is_over: bool,
    scratch: String,
}

impl Sheet {
    /// Goes to a sheet's first record.
    ///
    /// # Errors
    /// There is none.
    pub fn new(start: u64, order: Order, stream: &mut Stream) -> Result<Sheet, FileError> {
        let mut records = Records::from(start);
        if records.peek(stream)?.0 != BOF {
            return Err(FileError::NeedsFallback);
        }
        Ok(Sheet { records, order, depth: 0, is_begun: false, is_over: false, scratch: String::new() })
    }

    /// Whether its cells are known to keep their order.
    pub fn is_ordered(&self) -> bool {
        self.order.is_known
    }

    /// How many bytes were read so far.
    pub fn read(&self) -> u64 {
        self.records.read() + self.order.read
    }

    /// Reads the next row with cells; false after the last one. Where the order doesn't matter, a row may come in several
    /// pieces, and the columns in any order.
    ///
    /// # Errors
    /// The sheet is damaged, or a cell or row is longer than the limits allow.
    pub fn next(&mut self, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<bool, FileError> {
        // The row that is being read, and the column of a formula whose text follows.
        let (mut number, mut awaited) = (None, None);
        row.start(0);
        while !self.is_over {
            let (kind, data) = self.records.peek(around.stream)?;
            match kind {
                BOF => self.depth += 1,
                EOF => {
                    self.depth = self.depth.saturating_sub(1);
                    self.is_over = self.depth == 0;
                }
                _ if self.depth > 1 => {}
                ROW => self.order.announce(u16_at(data, 0).ok_or(FileError::BrokenWorkbook)?),
                STRING => match awaited.take() {
                    Some(column) => self.text_of_formula(column, around, row)?,
                    None if self.order.is_free() => {}
                    None => return Err(FileError::NeedsFallback),
                },
                kind if is_cell(kind) => {
                    let place = Place::of(kind, data).ok_or(FileError::BrokenWorkbook)?;
                    if number != Some(place.row) {
                        if row.row().cells().next().is_some() {
                            return Ok(true);
                        }
                        number = Some(place.row);
                        row.start(u64::from(place.row) + 1);
                    }
                    self.order.check(place, around.stream).map_err(|error| self.disordered(error))?;
                    awaited = self.cell(kind, usize::from(place.column), around, row)?;
                }
                _ => {}
            }
            self.records.skip();
        }
        Ok(row.row().cells().next().is_some())
    }

    /// Once rows were given, no other reader can give those that should have come before.
    fn disordered(&self, error: FileError) -> FileError {
        match error {
            FileError::NeedsFallback if self.is_begun => FileError::BrokenWorkbook,
            error => error,
        }
    }

    /// Adds the cells of a record to the row. Gives the column of a formula whose text follows.
    #[inline]
    fn cell(
        &mut self,
        kind: u16,
        column: usize,
        around: &mut Around<'_>,
        row: &mut RowBuffer,
    ) -> Result<Option<usize>, FileError> {
        const BROKEN: FileError = FileError::BrokenWorkbook;
        if column >= MAX_GRID.1 as usize {
            return Err(BROKEN);
        }
        let (data, out) = (self.records.data(), &mut self.scratch);
        out.clear();
        match kind {
            LABEL_SST => {
                let text = around.strings.get(u32_at(data, 6).ok_or(BROKEN)?, around.stream)?;
                row.push(column, text, around.limits)?;
                return Ok(None);
            }
            MULRK => {
                self.many(column, around, row)?;
                return Ok(None);
            }
            RK => {
                let value = decode_rk(u32_at(data, 6).ok_or(BROKEN)?);
                seen(value, u16_at(data, 4), around, out);
            }
            NUMBER => {
                let value = float_at(data, 6).ok_or(BROKEN)?;
                seen(value, u16_at(data, 4), around, out);
            }
            BOOL_ERR => match data.get(6..8) {
                Some(&[truth, 0]) => out.push_str(if truth == 0 { "FALSE" } else { "TRUE" }),
                Some(&[error, 1]) => out.push_str(error_name(error).ok_or(BROKEN)?),
                _ => return Err(BROKEN),
            },
            LABEL | RSTRING => match around.code_page {
                Some(page) => code_page::decode(bytes_at(data, 6).ok_or(BROKEN)?, page, out)?,
                None => {
                    let head = u16_at(data, 6).zip(data.get(8).copied()).ok_or(BROKEN)?;
                    characters(&mut self.records, 9, head, out, around.stream)?;
                }
            },
            // A formula: no other kind is left.
            _ => match data.get(6..14).and_then(<[u8]>::first_chunk::<8>) {
                Some([0, .., 0xFF, 0xFF]) => return Ok(Some(column)),
                Some([1, _, truth, .., 0xFF, 0xFF]) => out.push_str(if *truth == 0 { "FALSE" } else { "TRUE" }),
                Some([2, _, error, .., 0xFF, 0xFF]) => out.push_str(error_name(*error).ok_or(BROKEN)?),
                Some([3, .., 0xFF, 0xFF]) => {}
                Some([.., 0xFF, 0xFF]) | None => return Err(BROKEN),
                Some(value) => seen(f64::from_le_bytes(*value), u16_at(data, 4), around, out),
            },
        }
        row.push(column, out, around.limits)?;
        Ok(None)
    }

    /// Adds the cells of a record with many numbers, each of which has its style and four bytes. The last column stands
    /// behind them.
    fn many(&mut self, first: usize, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<(), FileError> {
        let data = self.records.data().get(4..).unwrap_or_default();
        let (numbers, last) = data.as_chunks::<6>();
        let last = u16_at(last, 0).filter(|_| last.len() == 2).map(usize::from);
        if numbers.is_empty() || last != Some(first + numbers.len() - 1) || last >= Some(MAX_GRID.1 as usize) {
            return Err(FileError::BrokenWorkbook);
        }
        for (column, number) in (first..).zip(numbers) {
            self.scratch.clear();
            let value = decode_rk(u32_at(number, 2).unwrap_or_default());
            seen(value, u16_at(number, 0), around, &mut self.scratch);
            row.push(column, &self.scratch, around.limits)?;
        }
        Ok(())
    }

    #[cold]
    fn text_of_formula(
        &mut self,
        column: usize,
        around: &mut Around<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let data = self.records.data();
        if let Some(page) = around.code_page {
            self.scratch.clear();
            code_page::decode(bytes_at(data, 0).ok_or(FileError::BrokenWorkbook)?, page, &mut self.scratch)?;
            return row.push(column, &self.scratch, around.limits);
        }
        let count = u16_at(data, 0).ok_or(FileError::BrokenWorkbook)?;
        // An empty one may say nothing of its characters.
        let Some(&flags) = data.get(2).filter(|_| count > 0) else {
            return if count > 0 { Err(FileError::BrokenWorkbook) } else { Ok(()) };
        };
        self.scratch.clear();
        characters(&mut self.records, 3, (count, flags), &mut self.scratch, around.stream)?;
        row.push(column, &self.scratch, around.limits)
    }
}

/// Writes a number as it is seen in a style.
#[inline]
fn seen(value: f64, style: Option<u16>, around: &Around<'_>, out: &mut String) {
    let format = style.and_then(|style| around.formats.get(usize::from(style))).unwrap_or(&Format::Plain);
    // No sheet holds one that isn't finite, and no program shows it otherwise.
    if value.is_finite() { write(value, format, around.from_1904, out) } else { out.push_str("#NUM!") }
}

#[inline]
fn float_at(data: &[u8], at: usize) -> Option<f64> {
    Some(f64::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

/// A text of Excel 5 or 95, by the place where its length stands.
fn bytes_at(data: &[u8], at: usize) -> Option<&[u8]> {
    data.get(at + 2..)?.get(..usize::from(u16_at(data, at)?))
}
