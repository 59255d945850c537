//! Workbooks that keep the rows of all sheets in memory.

use crate::import::book::{Book, MAX_SHEETS};
use crate::import::head::SAMPLE_ROWS;
use crate::import::pack::{Packer, Unpacker};
use crate::import::row::RowBuffer;
use crate::import::text::format;
use crate::import::{FileError, Limits, SheetHead};
use std::ops::ControlFlow;

/// The maximum size of all packed rows of a workbook in bytes.
pub(super) const MAX_MEMORY: usize = 256 << 20;

/// A callback for each row. `Break` stops reading.
pub(super) type RowBufferHandler<'a> = &'a mut dyn FnMut(&RowBuffer) -> Result<ControlFlow<()>, FileError>;

/// The packed rows of a sheet that aren't blank.
pub(super) struct PackedRows {
    packer: Packer,
    /// How many more rows may be stored.
    remaining_rows: u64,
}

impl PackedRows {
    /// Creates an empty list. It stores only as many rows as are needed to detect that there are too many.
    pub fn new(limits: &Limits) -> PackedRows {
        PackedRows { packer: Packer::default(), remaining_rows: limits.rows.saturating_add(SAMPLE_ROWS as u64 + 1) }
    }

    /// Stores the rows that `read` passes to its callback, until no more can be stored.
    pub fn collect(
        limits: &Limits,
        read: impl FnOnce(RowBufferHandler<'_>) -> Result<(), FileError>,
    ) -> Result<PackedRows, FileError> {
        let mut rows = PackedRows::new(limits);
        read(&mut |row| rows.add(row))?;
        Ok(rows)
    }

    /// Stores a row unless it is blank. Returns a break if no further row will be stored.
    pub fn add(&mut self, row: &RowBuffer) -> Result<ControlFlow<()>, FileError> {
        if self.remaining_rows == 0 {
            return Ok(ControlFlow::Break(()));
        }
        if !row.row().is_blank() {
            self.packer.write_row(row.row());
            self.remaining_rows -= 1;
        }
        ensure!(self.packer.bytes.len() <= MAX_MEMORY, FileError::TooMuchInside { max: MAX_MEMORY as u64 });
        Ok(if self.remaining_rows == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Reads the row at this offset and returns the offset of the next one.
    pub fn read_at(&self, offset: usize, row: &mut RowBuffer) -> Option<usize> {
        let mut rest = Unpacker::new(self.packer.bytes.get(offset..)?);
        rest.read_row(row)?;
        Some(self.packer.bytes.len() - rest.remaining())
    }

    fn bytes(&self) -> usize {
        self.packer.bytes.len()
    }
}

/// A workbook whose sheets were read completely.
#[derive(Default)]
pub(super) struct InMemoryBook {
    sheets: Vec<SheetHead>,
    rows: Vec<Result<PackedRows, FileError>>,
    bytes: usize,
    /// The index of the started sheet, and the offset of its next row.
    at: (usize, usize),
}

impl InMemoryBook {
    /// Adds a sheet with its rows, or with the error that prevents reading them.
    pub fn add(&mut self, head: SheetHead, rows: Result<PackedRows, FileError>) -> Result<(), FileError> {
        self.bytes += rows.as_ref().map_or(0, PackedRows::bytes);
        self.sheets.push(head);
        self.rows.push(rows);
        ensure!(self.sheets.len() <= MAX_SHEETS, FileError::BrokenWorkbook);
        if self.bytes > MAX_MEMORY { Err(FileError::TooMuchInside { max: MAX_MEMORY as u64 }) } else { Ok(()) }
    }

    pub fn finish(self) -> Result<Box<dyn Book>, FileError> {
        match self.sheets.is_empty() {
            true => Err(FileError::NotASpreadsheet { format: format::OTHER_DOCUMENT }),
            false => Ok(Box::new(self)),
        }
    }

    fn rows(&self, sheet: usize) -> Result<&PackedRows, FileError> {
        self.rows.get(sheet).ok_or(FileError::NoSuchSheet)?.as_ref().map_err(FileError::clone)
    }
}

impl Book for InMemoryBook {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        let (rows, mut offset) = (self.rows(sheet)?, 0);
        let next = || {
            let mut row = RowBuffer::default();
            offset = rows.read_at(offset, &mut row)?;
            Some(row)
        };
        Ok(std::iter::from_fn(next).take(max).collect())
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows(sheet)?;
        self.at = (sheet, 0);
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        let (sheet, offset) = self.at;
        let Some(next) = self.rows(sheet)?.read_at(offset, row) else { return Ok(false) };
        self.at.1 = next;
        Ok(true)
    }
}
