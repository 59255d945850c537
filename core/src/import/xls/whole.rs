//! A workbook that is in memory as a whole, whose cells may stand in any order and whose stream in any number of pieces.

use super::order::Order;
use super::sheet::{Around, Sheet};
use super::workbook::{Workbook, workbook};
use crate::import::ole::Stream;
use crate::import::row::{Cell, RowBuffer};
use crate::import::{FileError, Limits, SheetHead};
use std::ops::ControlFlow;

/// The most bytes that a sheet's texts take, and the most cells it has.
const MOST_TEXT: usize = 128 << 20;
const MOST_CELLS: usize = 8_000_000;
/// How many times all sheets together may be as long as the stream, besides what is read at least of each: sheets that lie
/// over each other are there to keep a reader busy.
const MOST_READ: u64 = 4;
const LEAST_READ: u64 = 64 << 10;

/// An opened workbook.
pub(in crate::import) struct Whole {
    stream: Stream,
    workbook: Workbook,
    read: u64,
    limits: Limits,
}

impl Whole {
    /// Opens a workbook.
    ///
    /// # Errors
    /// The file is damaged or locked, or holds no sheet.
    pub fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Whole, FileError> {
        let mut stream = Stream::open(Box::new(bytes))?;
        stream.hold()?;
        let workbook = workbook(&mut stream)?;
        if workbook.sheets.is_empty() {
            return Err(FileError::NotASpreadsheet { found: "a document of another kind" });
        }
        Ok(Whole { stream, workbook, read: 0, limits: *limits })
    }

    pub fn sheets(&self) -> &[SheetHead] {
        &self.workbook.sheets
    }

    /// Gives the rows of a sheet in their order, until `each` has had enough. Of two cells in one place the later one counts.
    ///
    /// # Errors
    /// The sheet is damaged, or holds more than the limits allow.
    pub fn rows(
        &mut self,
        place: usize,
        each: &mut dyn FnMut(&RowBuffer) -> Result<ControlFlow<()>, FileError>,
    ) -> Result<(), FileError> {
        let Workbook { strings, formats, code_page, from_1904, starts, .. } = &mut self.workbook;
        let start = *starts.get(place).ok_or(FileError::NoSuchSheet)?;
        let mut sheet = Sheet::new(start, Order::free(), &mut self.stream)?;
        let most_read = self.stream.length() * MOST_READ + starts.len() as u64 * LEAST_READ;
        let (code_page, from_1904, limits) = (*code_page, *from_1904, &self.limits);
        let (mut cells, mut text, mut row): (Vec<(u64, Cell)>, _, _) =
            (Vec::new(), String::new(), RowBuffer::default());
        let mut around = Around { stream: &mut self.stream, strings, formats, code_page, from_1904, limits };
        while sheet.next(&mut around, &mut row)? {
            for (column, cell) in row.row().cells() {
                let start = text.len() as u32;
                text.push_str(cell);
                cells.push((row.number(), Cell { column: column as u32, start, end: text.len() as u32 }));
            }
            if text.len() > MOST_TEXT || cells.len() > MOST_CELLS {
                return Err(FileError::TooMuchInside { max: MOST_TEXT as u64 });
            }
        }
        self.read += sheet.read();
        if self.read > most_read {
            return Err(FileError::BrokenWorkbook);
        }
        // A stable sort: the later one of two in one place stays behind the other.
        cells.sort_by_key(|(row, cell)| (*row, cell.column));
        for cells in cells.chunk_by(|(row, _), (next, _)| row == next) {
            row.start(cells[0].0);
            for cells in cells.chunk_by(|(_, cell), (_, next)| cell.column == next.column) {
                let Some((_, cell)) = cells.last() else { continue };
                row.push(cell.column as usize, &text[cell.start as usize..cell.end as usize], limits)?;
            }
            if each(&row)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
