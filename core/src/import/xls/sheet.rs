//! Reads the rows of a sheet one by one.

use super::code_page;
use super::order::{CellOrder, CellRange};
use super::records::Records;
use super::strings::{SharedStrings, read_characters};
use crate::import::book::MAX_GRID;
use crate::import::number::{Format, write};
use crate::import::ole::Stream;
use crate::import::record::{
    BOF, BOOL_ERR, EOF, LABEL, LABEL_SST, MULRK, NUMBER, RK, ROW, RSTRING, STRING, decode_rk, error_name, is_cell,
    u16_at, u32_at,
};
use crate::import::row::RowBuffer;
use crate::import::{FileError, Limits};

/// What is needed to read the cells of a sheet: the stream, what the cells refer to, and the limits.
pub(super) struct CellContext<'a> {
    pub stream: &'a mut Stream,
    pub strings: &'a mut SharedStrings,
    pub formats: &'a [Format],
    /// The code page of strings in Excel 5 and 95; `None` for Unicode.
    pub code_page: Option<u16>,
    pub from_1904: bool,
    pub limits: &'a Limits,
}

/// A sheet that is being read.
pub(super) struct Sheet {
    records: Records,
    order: CellOrder,
    /// The nesting depth of substreams: a chart in a sheet has its own.
    depth: usize,
    /// Whether [`super::Book::next`] has already returned rows of this sheet.
    pub has_returned_rows: bool,
    is_finished: bool,
    scratch: String,
}

impl Sheet {
    /// Moves to a sheet's first record.
    pub fn new(start: u64, order: CellOrder, stream: &mut Stream) -> Result<Sheet, FileError> {
        let mut records = Records::from(start);
        ensure!(records.peek(stream)?.0 == BOF, FileError::NeedsFallback);
        Ok(Sheet { records, order, depth: 0, has_returned_rows: false, is_finished: false, scratch: String::new() })
    }

    /// Returns true if no scan is needed: the cells are known to be in order, or any order is accepted.
    pub fn needs_no_scan(&self) -> bool {
        self.order.needs_no_scan
    }

    /// Returns how many bytes were read so far.
    pub fn bytes_read(&self) -> u64 {
        self.records.bytes_read() + self.order.read
    }

    /// Reads the next row with cells; false after the last one. If any order is accepted, a row may come in several
    /// pieces and its columns in any order.
    pub fn next(&mut self, context: &mut CellContext<'_>, row: &mut RowBuffer) -> Result<bool, FileError> {
        // The current row, and the column of a formula whose string follows.
        let (mut number, mut string_column) = (None, None);
        row.start(0);
        while !self.is_finished {
            let (kind, data) = self.records.peek(context.stream)?;
            match kind {
                BOF => self.depth += 1,
                EOF => {
                    self.depth = self.depth.saturating_sub(1);
                    self.is_finished = self.depth == 0;
                }
                _ if self.depth > 1 => {}
                ROW => self.order.add_row_record(u16_at(data, 0).ok_or(FileError::BrokenWorkbook)?),
                STRING => match string_column.take() {
                    Some(column) => self.push_formula_string(column, context, row)?,
                    None if self.order.accepts_any_order() => {}
                    None => return Err(FileError::NeedsFallback),
                },
                kind if is_cell(kind) => {
                    let range = CellRange::of(kind, data).ok_or(FileError::BrokenWorkbook)?;
                    if number != Some(range.row) {
                        if row.row().cells().next().is_some() {
                            return Ok(true);
                        }
                        number = Some(range.row);
                        row.start(u64::from(range.row) + 1);
                    }
                    self.order.check(range, context.stream).map_err(|error| self.order_error(error))?;
                    string_column = self.push_cell(kind, usize::from(range.column), context, row)?;
                }
                _ => {}
            }
            self.records.skip();
        }
        Ok(row.row().cells().next().is_some())
    }

    /// Returns the error for cells that are out of order. The fallback reader would continue after the rows that were
    /// already returned, but these cells may belong to one of them, so the workbook then counts as damaged.
    fn order_error(&self, error: FileError) -> FileError {
        match error {
            FileError::NeedsFallback if self.has_returned_rows => FileError::BrokenWorkbook,
            error => error,
        }
    }

    /// Adds the cells of a record to the row. Returns the column of a formula whose string follows.
    #[inline]
    fn push_cell(
        &mut self,
        kind: u16,
        column: usize,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<Option<usize>, FileError> {
        const BROKEN: FileError = FileError::BrokenWorkbook;
        ensure!(column < MAX_GRID.1 as usize, BROKEN);
        let (data, out) = (self.records.data(), &mut self.scratch);
        out.clear();
        match kind {
            LABEL_SST => {
                let text = context.strings.get(u32_at(data, 6).ok_or(BROKEN)?, context.stream)?;
                row.push(column, text, context.limits)?;
                return Ok(None);
            }
            MULRK => {
                self.push_mulrk(column, context, row)?;
                return Ok(None);
            }
            RK => {
                let value = decode_rk(u32_at(data, 6).ok_or(BROKEN)?);
                write_number(value, u16_at(data, 4), context, out);
            }
            NUMBER => {
                let value = float_at(data, 6).ok_or(BROKEN)?;
                write_number(value, u16_at(data, 4), context, out);
            }
            BOOL_ERR => match data.get(6..8) {
                Some(&[truth, 0]) => out.push_str(if truth == 0 { "FALSE" } else { "TRUE" }),
                Some(&[error, 1]) => out.push_str(error_name(error).ok_or(BROKEN)?),
                _ => return Err(BROKEN),
            },
            LABEL | RSTRING => match context.code_page {
                Some(page) => code_page::decode(string_bytes_at(data, 6).ok_or(BROKEN)?, page, out)?,
                None => {
                    let head = u16_at(data, 6).zip(data.get(8).copied()).ok_or(BROKEN)?;
                    read_characters(&mut self.records, 9, head, out, context.stream)?;
                }
            },
            // All other cell records are formulas.
            _ => match data.get(6..14).and_then(<[u8]>::first_chunk::<8>) {
                Some([0, .., 0xFF, 0xFF]) => return Ok(Some(column)),
                Some([1, _, truth, .., 0xFF, 0xFF]) => out.push_str(if *truth == 0 { "FALSE" } else { "TRUE" }),
                Some([2, _, error, .., 0xFF, 0xFF]) => out.push_str(error_name(*error).ok_or(BROKEN)?),
                Some([3, .., 0xFF, 0xFF]) => {}
                Some([.., 0xFF, 0xFF]) | None => return Err(BROKEN),
                Some(value) => write_number(f64::from_le_bytes(*value), u16_at(data, 4), context, out),
            },
        }
        row.push(column, out, context.limits)?;
        Ok(None)
    }

    /// Adds the cells of a MULRK record: numbers of a style and an RK value each, followed by the last column.
    fn push_mulrk(
        &mut self,
        first: usize,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let data = self.records.data().get(4..).unwrap_or_default();
        let (numbers, last) = data.as_chunks::<6>();
        let last = u16_at(last, 0).filter(|_| last.len() == 2).map(usize::from);
        ensure!(
            !numbers.is_empty() && last == Some(first + numbers.len() - 1) && last < Some(MAX_GRID.1 as usize),
            FileError::BrokenWorkbook
        );
        for (column, number) in (first..).zip(numbers) {
            self.scratch.clear();
            let value = decode_rk(u32_at(number, 2).unwrap_or_default());
            write_number(value, u16_at(number, 0), context, &mut self.scratch);
            row.push(column, &self.scratch, context.limits)?;
        }
        Ok(())
    }

    #[cold]
    fn push_formula_string(
        &mut self,
        column: usize,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let data = self.records.data();
        if let Some(page) = context.code_page {
            self.scratch.clear();
            code_page::decode(string_bytes_at(data, 0).ok_or(FileError::BrokenWorkbook)?, page, &mut self.scratch)?;
            return row.push(column, &self.scratch, context.limits);
        }
        let count = u16_at(data, 0).ok_or(FileError::BrokenWorkbook)?;
        // An empty string may lack its flags.
        let Some(&flags) = data.get(2).filter(|_| count > 0) else {
            return if count > 0 { Err(FileError::BrokenWorkbook) } else { Ok(()) };
        };
        self.scratch.clear();
        read_characters(&mut self.records, 3, (count, flags), &mut self.scratch, context.stream)?;
        row.push(column, &self.scratch, context.limits)
    }
}

/// Writes a number in the format of its style.
#[inline]
fn write_number(value: f64, style: Option<u16>, context: &CellContext<'_>, out: &mut String) {
    let format = style.and_then(|style| context.formats.get(usize::from(style))).unwrap_or(&Format::Plain);
    write(value, format, context.from_1904, out);
}

#[inline]
fn float_at(data: &[u8], at: usize) -> Option<f64> {
    Some(f64::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

/// Returns the bytes of a string of Excel 5 or 95; `at` is the offset of its length.
fn string_bytes_at(data: &[u8], at: usize) -> Option<&[u8]> {
    data.get(at + 2..)?.get(..usize::from(u16_at(data, at)?))
}
