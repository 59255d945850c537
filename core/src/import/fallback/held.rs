//! Workbooks of which the rows of all sheets are kept, and nothing else.

use crate::import::book::Book;
use crate::import::head::SAMPLE_ROWS;
use crate::import::pack::{Packer, Unpacker};
use crate::import::row::RowBuffer;
use crate::import::{FileError, Limits, SheetHead};
use std::ops::ControlFlow;

/// More sheets than any workbook has.
const MOST_SHEETS: usize = 4_096;
/// The most bytes that the rows of all sheets take.
const MOST_HELD: usize = 256 << 20;

/// Takes a row; a break ends the reading.
pub(super) type RowBufferHandler<'a> = &'a mut dyn FnMut(&RowBuffer) -> Result<ControlFlow<()>, FileError>;

/// The rows of a sheet that aren't blank, packed.
pub(super) struct Rows {
    packer: Packer,
    /// How many more rows are kept.
    left: u64,
}

impl Rows {
    /// Returns an empty list that keeps no more rows than it takes to see that there are too many.
    pub fn new(limits: &Limits) -> Rows {
        Rows { packer: Packer::default(), left: limits.rows.saturating_add(SAMPLE_ROWS as u64 + 1) }
    }

    /// Keeps the rows that `read` gives.
    ///
    /// # Errors
    /// Those of `read`, or the rows take too much memory.
    pub fn of(
        limits: &Limits,
        read: impl FnOnce(RowBufferHandler<'_>) -> Result<(), FileError>,
    ) -> Result<Rows, FileError> {
        let mut rows = Rows::new(limits);
        read(&mut |row| rows.add(row))?;
        Ok(rows)
    }

    /// Keeps a row unless it is blank; a break says that no more are kept.
    ///
    /// # Errors
    /// The rows take too much memory.
    pub fn add(&mut self, row: &RowBuffer) -> Result<ControlFlow<()>, FileError> {
        if self.left == 0 {
            return Ok(ControlFlow::Break(()));
        }
        if !row.row().is_blank() {
            self.packer.row(row.row());
            self.left -= 1;
        }
        if self.packer.bytes.len() > MOST_HELD {
            return Err(FileError::TooMuchInside { max: MOST_HELD as u64 });
        }
        Ok(if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Reads the row at that place, and gives where the next one is.
    pub fn at(&self, place: usize, row: &mut RowBuffer) -> Option<usize> {
        let mut rest = Unpacker::new(self.packer.bytes.get(place..)?);
        rest.row(row)?;
        Some(self.packer.bytes.len() - rest.left())
    }

    fn bytes(&self) -> usize {
        self.packer.bytes.len()
    }
}

/// A workbook whose sheets are read.
#[derive(Default)]
pub(super) struct Held {
    sheets: Vec<SheetHead>,
    rows: Vec<Result<Rows, FileError>>,
    bytes: usize,
    /// The sheet that is being read, and where in its rows.
    at: (usize, usize),
}

impl Held {
    /// Adds a sheet with its rows, or why they can't be read.
    ///
    /// # Errors
    /// There are more sheets than any workbook has, or all together take too much memory.
    pub fn add(&mut self, head: SheetHead, rows: Result<Rows, FileError>) -> Result<(), FileError> {
        self.bytes += rows.as_ref().map_or(0, Rows::bytes);
        self.sheets.push(head);
        self.rows.push(rows);
        if self.sheets.len() > MOST_SHEETS {
            return Err(FileError::BrokenWorkbook);
        }
        if self.bytes > MOST_HELD { Err(FileError::TooMuchInside { max: MOST_HELD as u64 }) } else { Ok(()) }
    }

    /// Returns the workbook.
    ///
    /// # Errors
    /// It has no sheet.
    pub fn finish(self) -> Result<Box<dyn Book>, FileError> {
        match self.sheets.is_empty() {
            true => Err(FileError::NotASpreadsheet { found: "a document of another kind" }),
            false => Ok(Box::new(self)),
        }
    }

    fn rows(&self, sheet: usize) -> Result<&Rows, FileError> {
        self.rows.get(sheet).ok_or(FileError::NoSuchSheet)?.as_ref().map_err(FileError::clone)
    }
}

impl Book for Held {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        let (rows, mut place) = (self.rows(sheet)?, 0);
        let next = || {
            let mut row = RowBuffer::default();
            place = rows.at(place, &mut row)?;
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
        let (sheet, place) = self.at;
        let Some(next) = self.rows(sheet)?.at(place, row) else { return Ok(false) };
        self.at.1 = next;
        Ok(true)
    }
}
