//! Reads the rows of a sheet one by one.

use super::cell::{self, BufferedCell, CellHead, CellType, parse_integer};
use super::package::SHEET_NAMESPACES;
use super::strings::{SharedStrings, read_string, read_text, unescape};
use super::xml::{Token, Xml, decode};
use crate::import::book::MAX_GRID;
use crate::import::number::{Format, write_decimal, write_iso_date};
use crate::import::row::{RowBuffer, UNREADABLE};
use crate::import::{Blob, FileError, Limits};
use std::ops::Range;

/// What is needed to read the cells of a sheet: the file, what the cells refer to, and the limits.
pub(super) struct CellContext<'a> {
    pub blob: &'a mut dyn Blob,
    pub strings: &'a mut SharedStrings,
    pub formats: &'a [Format],
    pub from_1904: bool,
    pub limits: &'a Limits,
}

impl CellContext<'_> {
    fn format(&self, head: &CellHead) -> &Format {
        self.formats.get(head.style).unwrap_or(&Format::Plain)
    }
}

/// A sheet that is being read.
pub(super) struct Sheet {
    xml: Xml,
    /// The number of the current row, from 1.
    row: u32,
    next: NextCell,
    /// The start tag of the next row, if it was already read.
    start: Option<RowStart>,
    is_finished: bool,
    value: String,
    scratch: String,
}

impl Sheet {
    /// Reads a part up to its rows.
    pub fn new(mut xml: Xml, blob: &mut dyn Blob) -> Result<Sheet, FileError> {
        xml.expect_root(blob, b"worksheet", &SHEET_NAMESPACES)?;
        let is_finished = loop {
            match xml.next(blob)? {
                Token::Start(tag) if tag.name == b"sheetData" => break tag.is_empty,
                Token::Start(tag) if !tag.is_empty => xml.skip_element(blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(_) | Token::Eof => return Err(FileError::BrokenWorkbook),
            }
        };
        let next = NextCell { column: 0, is_row_known: false };
        Ok(Sheet { xml, row: 0, next, start: None, is_finished, value: String::new(), scratch: String::new() })
    }

    pub fn produced(&self) -> u64 {
        self.xml.produced()
    }

    /// Reads the next row with cells; false after the last one. Consecutive `row` elements with the same number are
    /// joined, because some programs write one for each cell.
    pub fn next(&mut self, context: &mut CellContext<'_>, row: &mut RowBuffer) -> Result<bool, FileError> {
        row.start(u64::from(self.row));
        if let Some(start) = self.start.take() {
            self.read_row(start, context, row)?;
        }
        while !self.is_finished {
            match self.xml.next(context.blob)? {
                Token::Start(tag) if tag.name == b"row" => {
                    let number = tag.attribute(b"r");
                    let number =
                        number.map(|number| parse_integer(number).ok_or(FileError::BrokenWorkbook)).transpose()?;
                    let start = RowStart { number, is_empty: tag.is_empty };
                    if has_cells(row) && number != Some(self.row) {
                        self.start = Some(start);
                        return Ok(true);
                    }
                    self.read_row(start, context, row)?;
                }
                Token::Start(tag) if !tag.is_empty => self.xml.skip_element(context.blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(b"sheetData") => {
                    self.xml.skip_to_end(context.blob)?;
                    self.is_finished = true;
                }
                Token::End(_) | Token::Eof => return Err(FileError::BrokenWorkbook),
            }
        }
        Ok(has_cells(row))
    }

    /// Reads a row after its start tag. Appends to the existing cells if the row number is the same.
    fn read_row(
        &mut self,
        start: RowStart,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        if self.row == 0 || start.number != Some(self.row) {
            self.set_row(start.number.unwrap_or(self.row + 1))?;
            row.start(u64::from(self.row));
            self.next = NextCell { column: 0, is_row_known: start.number.is_some() };
        }
        if start.is_empty { Ok(()) } else { self.read_cells(context, row) }
    }

    /// Sets the row number, which must increase and stay within the grid.
    fn set_row(&mut self, number: u32) -> Result<(), FileError> {
        ensure!(number > self.row && number <= MAX_GRID.0, FileError::BrokenWorkbook);
        self.row = number;
        Ok(())
    }

    /// Reads the cells of a row up to its end tag.
    fn read_cells(&mut self, context: &mut CellContext<'_>, row: &mut RowBuffer) -> Result<(), FileError> {
        loop {
            if let Some(BufferedCell { head, value, length }) = cell::parse_buffered(self.xml.buffered()) {
                let column = self.resolve_column(&head, row)?;
                if !value.is_empty() {
                    self.push_buffered(&head, value, column, context, row)?;
                }
                self.xml.skip(length);
                continue;
            }
            match self.xml.next(context.blob)? {
                Token::Start(tag) if tag.name == b"c" => {
                    let (head, is_empty) = (cell::parse_head(tag.attributes)?, tag.is_empty);
                    let column = self.resolve_column(&head, row)?;
                    if !is_empty {
                        self.read_cell(&head, column, context, row)?;
                    }
                }
                Token::Start(tag) if !tag.is_empty => self.xml.skip_element(context.blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(b"row") => return Ok(()),
                Token::End(_) | Token::Eof => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    /// Returns a cell's column: that of its reference, or else the one after the previous cell.
    fn resolve_column(&mut self, head: &CellHead, row: &mut RowBuffer) -> Result<usize, FileError> {
        let (at, column) = head.position.unwrap_or((self.row, self.next.column));
        if at != self.row {
            // If the row has no number, its first cell may specify it.
            ensure!(!self.next.is_row_known, FileError::BrokenWorkbook);
            self.row -= 1;
            self.set_row(at)?;
            row.start(u64::from(at));
        }
        ensure!(column >= self.next.column && column < MAX_GRID.1, FileError::BrokenWorkbook);
        self.next = NextCell { column: column + 1, is_row_known: true };
        Ok(column as usize)
    }

    /// Adds a cell whose raw value is in this range of the buffered bytes.
    #[inline]
    fn push_buffered(
        &mut self,
        head: &CellHead,
        value: Range<usize>,
        column: usize,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let raw = &self.xml.buffered()[value];
        match head.kind {
            CellType::SharedString => push_shared_string(raw, column, context, row),
            CellType::Unspecified | CellType::Number if !raw.contains(&b'&') => {
                self.scratch.clear();
                write_number_or_text(raw, head, context, &mut self.scratch)?;
                row.push(column, &self.scratch, context.limits)
            }
            _ => {
                self.value.clear();
                decode(raw, &mut self.value)?;
                self.push_value(head, column, context, row)
            }
        }
    }

    /// Reads the rest of a cell and adds it to the row.
    fn read_cell(
        &mut self,
        head: &CellHead,
        column: usize,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        self.value.clear();
        let (mut is_text, mut is_formula, mut has_value) = (false, false, false);
        loop {
            match self.xml.next(context.blob)? {
                Token::Start(tag) if tag.is_empty => {
                    is_formula |= tag.name == b"f";
                    has_value |= tag.name == b"v";
                }
                Token::Start(tag) if tag.name == b"v" && head.kind != CellType::InlineString => {
                    has_value = true;
                    read_text(&mut self.xml, context.blob, &mut self.value, context.limits)?;
                }
                Token::Start(tag) if tag.name == b"is" => {
                    is_text = true;
                    let (value, scratch) = (&mut self.value, &mut self.scratch);
                    value.clear();
                    read_string(&mut self.xml, context.blob, b"is", value, scratch, context.limits)?;
                }
                // The texts of formulas, extensions, and also the `v` of an inline string, aren't needed.
                Token::Start(tag) => {
                    is_formula |= tag.name == b"f";
                    self.xml.skip_element(context.blob)?;
                }
                Token::Text(_) => {}
                Token::End(b"c") => break,
                Token::End(_) | Token::Eof => return Err(FileError::BrokenWorkbook),
            }
        }
        if is_text {
            row.push(column, &self.value, context.limits)
        } else if is_formula && self.value.is_empty() && !(has_value && head.kind == CellType::FormulaString) {
            // Libraries write formulas without computing them. Only the value of a text may be empty.
            row.push(column, UNREADABLE, context.limits)
        } else {
            self.push_value(head, column, context, row)
        }
    }

    /// Adds a cell with its decoded value.
    fn push_value(
        &mut self,
        head: &CellHead,
        column: usize,
        context: &mut CellContext<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let (value, out) = (self.value.as_str(), &mut self.scratch);
        out.clear();
        if value.is_empty() {
            return Ok(());
        }
        match head.kind {
            CellType::SharedString => return push_shared_string(value.as_bytes(), column, context, row),
            CellType::FormulaString => unescape(value, out),
            CellType::Boolean => match value.trim().to_ascii_lowercase().as_str() {
                "" => {}
                "1" | "true" => out.push_str("TRUE"),
                "0" | "false" => out.push_str("FALSE"),
                _ => return Err(FileError::BrokenWorkbook),
            },
            CellType::Error => out.push_str(value.trim()),
            CellType::IsoDate => write_iso_date(value.trim(), context.format(head), context.from_1904, out),
            CellType::Unspecified | CellType::Number | CellType::InlineString => {
                write_number_or_text(value.as_bytes(), head, context, out)?;
            }
        }
        row.push(column, out, context.limits)
    }
}

/// The start tag of a row: its number, if the tag has one, and whether the tag closes itself.
struct RowStart {
    number: Option<u32>,
    is_empty: bool,
}

fn has_cells(row: &RowBuffer) -> bool {
    row.row().cells().next().is_some()
}

/// Where the next cell is unless it says otherwise: its column, and whether the row number is known.
struct NextCell {
    column: u32,
    is_row_known: bool,
}

/// Adds a cell that refers to a shared string.
#[inline]
fn push_shared_string(
    raw: &[u8],
    column: usize,
    context: &mut CellContext<'_>,
    row: &mut RowBuffer,
) -> Result<(), FileError> {
    let index = parse_integer(raw).ok_or(FileError::BrokenWorkbook)?;
    let text = context.strings.get(index as usize, context.blob, context.limits)?;
    row.push(column, text, context.limits)
}

/// Writes a number. A cell without a type may also contain text.
#[inline]
fn write_number_or_text(
    raw: &[u8],
    head: &CellHead,
    context: &CellContext<'_>,
    out: &mut String,
) -> Result<(), FileError> {
    if write_decimal(raw, context.format(head), context.from_1904, out) {
        return Ok(());
    }
    ensure!(head.kind != CellType::Number, FileError::BrokenWorkbook);
    out.push_str(std::str::from_utf8(raw).map_err(|_| FileError::BrokenWorkbook)?);
    Ok(())
}
