//! A sheet's rows, one after the other.

use super::cell::{self, Ahead, Head, Kind, whole};
use super::package::SHEET_NAMESPACES;
use super::strings::{Strings, string, text, unescape};
use super::xml::{Token, Xml, decode};
use crate::import::book::MAX_GRID;
use crate::import::number::{Format, number, written_date};
use crate::import::row::RowBuffer;
use crate::import::{Blob, FileError, Limits};
use std::ops::Range;

/// What a sheet's cells refer to.
pub(super) struct Around<'a> {
    pub blob: &'a mut dyn Blob,
    pub strings: &'a mut Strings,
    pub formats: &'a [Format],
    pub from_1904: bool,
    pub limits: &'a Limits,
}

impl Around<'_> {
    fn format(&self, head: &Head) -> &Format {
        self.formats.get(head.style).unwrap_or(&Format::Plain)
    }
}

/// A sheet that is being read.
pub(super) struct Sheet {
    xml: Xml,
    /// The number of the last row, from 1.
    row: u32,
    next: Next,
    /// The start of the next row, if it was read to see that it is another one.
    start: Option<Start>,
    is_over: bool,
    value: String,
    scratch: String,
}

impl Sheet {
    /// Reads a part up to its rows.
    ///
    /// # Errors
    /// It is no sheet, or has none.
    pub fn new(mut xml: Xml, blob: &mut dyn Blob) -> Result<Sheet, FileError> {
        xml.root(blob, b"worksheet", &SHEET_NAMESPACES)?;
        let is_over = loop {
            match xml.next(blob)? {
                Token::Start(tag) if tag.name == b"sheetData" => break tag.is_empty,
                Token::Start(tag) if !tag.is_empty => xml.skip_element(blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        };
        let next = Next { column: 0, is_said: false };
        Ok(Sheet { xml, row: 0, next, start: None, is_over, value: String::new(), scratch: String::new() })
    }

    /// How many bytes were unpacked so far.
    pub fn produced(&self) -> u64 {
        self.xml.produced()
    }

    /// Reads the next row with cells; false after the last one. Elements of the same row that follow each other are one
    /// row: some programs write one for each cell.
    ///
    /// # Errors
    /// The sheet is damaged, or a cell or row is longer than the limits allow.
    pub fn next(&mut self, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<bool, FileError> {
        row.start(u64::from(self.row));
        if let Some(start) = self.start.take() {
            self.open(start, around, row)?;
        }
        while !self.is_over {
            match self.xml.next(around.blob)? {
                Token::Start(tag) if tag.name == b"row" => {
                    let number = tag.attribute(b"r");
                    let number = number.map(|number| whole(number).ok_or(FileError::BrokenWorkbook)).transpose()?;
                    let start = Start { number, is_empty: tag.is_empty };
                    if has_cells(row) && number != Some(self.row) {
                        self.start = Some(start);
                        return Ok(true);
                    }
                    self.open(start, around, row)?;
                }
                Token::Start(tag) if !tag.is_empty => self.xml.skip_element(around.blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(b"sheetData") => {
                    self.xml.finish(around.blob)?;
                    self.is_over = true;
                }
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        }
        Ok(has_cells(row))
    }

    /// Reads a row whose start was read, into the cells of the same row that were read before.
    fn open(&mut self, start: Start, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<(), FileError> {
        if self.row == 0 || start.number != Some(self.row) {
            self.begin(start.number.unwrap_or(self.row + 1))?;
            row.start(u64::from(self.row));
            self.next = Next { column: 0, is_said: start.number.is_some() };
        }
        if start.is_empty { Ok(()) } else { self.cells(around, row) }
    }

    /// Rows only go down, and not below the last one that a sheet can have.
    fn begin(&mut self, number: u32) -> Result<(), FileError> {
        if number <= self.row || number > MAX_GRID.0 {
            return Err(FileError::BrokenWorkbook);
        }
        self.row = number;
        Ok(())
    }

    /// Reads the cells of a row up to its end.
    fn cells(&mut self, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<(), FileError> {
        loop {
            if let Some(Ahead { head, value, length }) = cell::ahead(self.xml.ahead()) {
                let column = self.place(&head, row)?;
                if !value.is_empty() {
                    self.short(&head, value, column, around, row)?;
                }
                self.xml.skip(length);
                continue;
            }
            match self.xml.next(around.blob)? {
                Token::Start(tag) if tag.name == b"c" => {
                    let (head, is_empty) = (cell::head(tag.attributes)?, tag.is_empty);
                    let column = self.place(&head, row)?;
                    if !is_empty {
                        self.long(&head, column, around, row)?;
                    }
                }
                Token::Start(tag) if !tag.is_empty => self.xml.skip_element(around.blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(b"row") => return Ok(()),
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    /// The column of a cell: where it says, or else behind the last one.
    fn place(&mut self, head: &Head, row: &mut RowBuffer) -> Result<usize, FileError> {
        let (at, column) = head.place.unwrap_or((self.row, self.next.column));
        if at != self.row {
            // Only the first cell of a row that doesn't say it can tell where the row is.
            if self.next.is_said {
                return Err(FileError::BrokenWorkbook);
            }
            self.row -= 1;
            self.begin(at)?;
            row.start(u64::from(at));
        }
        if column < self.next.column || column >= MAX_GRID.1 {
            return Err(FileError::BrokenWorkbook);
        }
        self.next = Next { column: column + 1, is_said: true };
        Ok(column as usize)
    }

    /// Adds a cell whose value lies ahead, from and to these places.
    #[inline]
    fn short(
        &mut self,
        head: &Head,
        value: Range<usize>,
        column: usize,
        around: &mut Around<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let raw = &self.xml.ahead()[value];
        match head.kind {
            Kind::Shared => shared(raw, column, around, row),
            Kind::Unsaid | Kind::Number if !raw.contains(&b'&') => {
                self.scratch.clear();
                unsaid(raw, head, around, &mut self.scratch)?;
                row.push(column, &self.scratch, around.limits)
            }
            _ => {
                self.value.clear();
                decode(raw, &mut self.value)?;
                self.add(head, column, around, row)
            }
        }
    }

    /// Reads a cell to its end, and adds it to the row.
    fn long(
        &mut self,
        head: &Head,
        column: usize,
        around: &mut Around<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        self.value.clear();
        let mut is_text = false;
        loop {
            match self.xml.next(around.blob)? {
                Token::Start(tag) if tag.is_empty => {}
                Token::Start(tag) if tag.name == b"v" && head.kind != Kind::Inline => {
                    text(&mut self.xml, around.blob, &mut self.value, around.limits)?;
                }
                Token::Start(tag) if tag.name == b"is" => {
                    is_text = true;
                    let (value, scratch) = (&mut self.value, &mut self.scratch);
                    value.clear();
                    string(&mut self.xml, around.blob, b"is", value, scratch, around.limits)?;
                }
                // Formulas, and what programs add for themselves.
                Token::Start(_) => self.xml.skip_element(around.blob)?,
                Token::Text(_) => {}
                Token::End(b"c") => break,
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        }
        if is_text { row.push(column, &self.value, around.limits) } else { self.add(head, column, around, row) }
    }

    /// Adds a cell to the row, whose value was read.
    fn add(
        &mut self,
        head: &Head,
        column: usize,
        around: &mut Around<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        let (value, out) = (self.value.as_str(), &mut self.scratch);
        out.clear();
        if value.is_empty() {
            return Ok(());
        }
        match head.kind {
            Kind::Shared => return shared(value.as_bytes(), column, around, row),
            Kind::Formula => unescape(value, out),
            Kind::Truth => match value.trim().to_ascii_lowercase().as_str() {
                "" => {}
                "1" | "true" => out.push_str("TRUE"),
                "0" | "false" => out.push_str("FALSE"),
                _ => return Err(FileError::BrokenWorkbook),
            },
            Kind::Error => out.push_str(value.trim()),
            Kind::Moment => written_date(value.trim(), around.format(head), around.from_1904, out),
            Kind::Unsaid | Kind::Number | Kind::Inline => unsaid(value.as_bytes(), head, around, out)?,
        }
        row.push(column, out, around.limits)
    }
}

/// The start of a row: the number that it says it has, and whether it ends itself.
struct Start {
    number: Option<u32>,
    is_empty: bool,
}

fn has_cells(row: &RowBuffer) -> bool {
    row.row().cells().next().is_some()
}

/// Where the next cell of a row is unless it says so itself, and whether the row's number is certain.
struct Next {
    column: u32,
    is_said: bool,
}

/// Adds a cell that names a shared string.
#[inline]
fn shared(raw: &[u8], column: usize, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<(), FileError> {
    let place = whole(raw).ok_or(FileError::BrokenWorkbook)?;
    let text = around.strings.get(place as usize, around.blob, around.limits)?;
    row.push(column, text, around.limits)
}

/// Writes a number, or the text that a cell has which doesn't say that it has one.
#[inline]
fn unsaid(raw: &[u8], head: &Head, around: &Around<'_>, out: &mut String) -> Result<(), FileError> {
    if number(raw, around.format(head), around.from_1904, out) {
        return Ok(());
    }
    if head.kind == Kind::Number {
        return Err(FileError::BrokenWorkbook);
    }
    out.push_str(std::str::from_utf8(raw).map_err(|_| FileError::BrokenWorkbook)?);
    Ok(())
}
