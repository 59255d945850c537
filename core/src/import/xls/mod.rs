//! A streaming reader of .xls workbooks of Excel 5 to 2003. It reads only what is requested and keeps only the shared
//! strings in memory. Unordered cells, heavily fragmented streams and a few rare records are left to the fallback
//! reader ([`FileError::NeedsFallback`]), which loads the whole file, and so are encryption and the code pages of Excel
//! 5 and 95 without the feature `files`. Contradictory or truncated files are rejected.

mod code_page;
#[cfg(feature = "files")]
mod crypt;
#[cfg(feature = "files")]
mod in_memory;
mod order;
mod records;
mod sheet;
mod strings;
mod workbook;

use super::book::{Book, collect_rows};
use super::ole::Stream;
use super::row::RowBuffer;
use super::{Blob, FileError, Limits, SheetHead};
#[cfg(feature = "files")]
pub(super) use in_memory::InMemoryWorkbook;
use order::CellOrder;
use sheet::{CellContext, Sheet};
use workbook::Workbook;

/// The maximum number of bytes to read for all samples of a workbook. Only a malicious file makes sheets overlap, so
/// that they are read many times.
const MAX_SAMPLED: u64 = 256 << 20;

/// Opens a workbook and lists its sheets without reading them.
///
/// # Errors
/// The file isn't a workbook, is damaged, has a password, or needs the fallback reader.
pub fn open(blob: Box<dyn Blob>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut stream = Stream::open(blob)?;
    let workbook = workbook::read_workbook(&mut stream)?;
    ensure!(!workbook.sheets.is_empty(), FileError::NeedsFallback);
    let ordered = vec![false; workbook.sheets.len()];
    Ok(Box::new(XlsBook { stream, workbook, ordered, sheet: None, sampled: 0, limits: *limits }))
}

struct XlsBook {
    stream: Stream,
    workbook: Workbook,
    /// For each sheet whether its cells are known to be in order.
    ordered: Vec<bool>,
    /// The started sheet: its index and its reader.
    sheet: Option<(usize, Sheet)>,
    sampled: u64,
    limits: Limits,
}

impl XlsBook {
    fn open(&mut self, index: usize) -> Result<Sheet, FileError> {
        let start = *self.workbook.starts.get(index).ok_or(FileError::NoSuchSheet)?;
        Sheet::new(start, CellOrder::new(start, self.ordered[index]), &mut self.stream)
    }

    fn read(&mut self, index: usize, sheet: &mut Sheet, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Workbook { strings, formats, code_page, from_1904, .. } = &mut self.workbook;
        let (code_page, from_1904, limits) = (*code_page, *from_1904, &self.limits);
        let mut context = CellContext { stream: &mut self.stream, strings, formats, code_page, from_1904, limits };
        let is_row = sheet.next(&mut context, row);
        self.ordered[index] |= sheet.needs_no_scan();
        is_row
    }
}

impl Book for XlsBook {
    fn sheets(&self) -> &[SheetHead] {
        &self.workbook.sheets
    }

    fn sample(&mut self, index: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        ensure!(self.sampled <= MAX_SAMPLED, FileError::BrokenWorkbook);
        let mut sheet = self.open(index)?;
        let rows = collect_rows(max, |row| self.read(index, &mut sheet, row));
        self.sampled += sheet.bytes_read();
        rows
    }

    fn start(&mut self, index: usize) -> Result<(), FileError> {
        self.sheet = None;
        self.sheet = Some((index, self.open(index)?));
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        // The sheet is dropped after an error, because the reader's position is then undefined.
        let (index, mut sheet) = self.sheet.take().ok_or(FileError::BrokenWorkbook)?;
        let is_row = self.read(index, &mut sheet, row)?;
        sheet.has_returned_rows = true;
        self.sheet = Some((index, sheet));
        Ok(is_row)
    }
}
