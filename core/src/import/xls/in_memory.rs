//! The reader that loads the whole workbook. It reads what the streaming reader can't: unordered cells, heavily
//! fragmented streams and, in the browser, encryption.

use super::order::CellOrder;
use super::sheet::{CellContext, Sheet};
use super::workbook::{Workbook, read_workbook};
use crate::import::ole::Stream;
use crate::import::row::{Cell, RowBuffer};
use crate::import::text::format;
use crate::import::{FileError, Limits, SheetHead};
use std::ops::ControlFlow;

/// The maximum size of a sheet's texts in bytes. `MAX_CELLS` is the maximum number of its cells.
const MAX_TEXT: usize = 128 << 20;
const MAX_CELLS: usize = 8_000_000;
/// All sheets together may be read up to this many times the stream's length, plus `MIN_READ` bytes for each sheet.
/// Only in a malicious file do sheets overlap.
const MAX_READS: u64 = 4;
const MIN_READ: u64 = 64 << 10;

/// An open workbook in memory.
pub(in crate::import) struct InMemoryWorkbook {
    stream: Stream,
    workbook: Workbook,
    read: u64,
    limits: Limits,
}

impl InMemoryWorkbook {
    pub fn open(bytes: Vec<u8>, limits: &Limits) -> Result<InMemoryWorkbook, FileError> {
        let mut stream = Stream::open(Box::new(bytes))?;
        stream.load()?;
        let workbook = read_workbook(&mut stream)?;
        ensure!(!workbook.sheets.is_empty(), FileError::NotASpreadsheet { format: format::OTHER_DOCUMENT });
        Ok(InMemoryWorkbook { stream, workbook, read: 0, limits: *limits })
    }

    pub fn sheets(&self) -> &[SheetHead] {
        &self.workbook.sheets
    }

    /// Passes the rows of a sheet in their order to `on_row`, until it returns a break. Of two cells at the same
    /// position the later one wins.
    pub fn for_each_row(
        &mut self,
        index: usize,
        on_row: &mut dyn FnMut(&RowBuffer) -> Result<ControlFlow<()>, FileError>,
    ) -> Result<(), FileError> {
        let Workbook { strings, formats, code_page, from_1904, starts, .. } = &mut self.workbook;
        let start = *starts.get(index).ok_or(FileError::NoSuchSheet)?;
        let mut sheet = Sheet::new(start, CellOrder::any_order(), &mut self.stream)?;
        let max_read = self.stream.length() * MAX_READS + starts.len() as u64 * MIN_READ;
        let (code_page, from_1904, limits) = (*code_page, *from_1904, &self.limits);
        let (mut cells, mut text, mut row): (Vec<(u64, Cell)>, _, _) =
            (Vec::new(), String::new(), RowBuffer::default());
        let mut context = CellContext { stream: &mut self.stream, strings, formats, code_page, from_1904, limits };
        while sheet.next(&mut context, &mut row)? {
            for (column, cell) in row.row().cells() {
                let start = text.len() as u32;
                text.push_str(cell);
                cells.push((row.number(), Cell { column: column as u32, start, end: text.len() as u32 }));
            }
            ensure!(
                text.len() <= MAX_TEXT && cells.len() <= MAX_CELLS,
                FileError::TooMuchInside { max: MAX_TEXT as u64 }
            );
        }
        self.read += sheet.bytes_read();
        ensure!(self.read <= max_read, FileError::BrokenWorkbook);
        // The sort is stable, so of two cells at the same position the later one stays last.
        cells.sort_by_key(|(row, cell)| (*row, cell.column));
        for cells in cells.chunk_by(|(row, _), (next, _)| row == next) {
            row.start(cells[0].0);
            for cells in cells.chunk_by(|(_, cell), (_, next)| cell.column == next.column) {
                let Some((_, cell)) = cells.last() else { continue };
                row.push(cell.column as usize, &text[cell.start as usize..cell.end as usize], limits)?;
            }
            if on_row(&row)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
