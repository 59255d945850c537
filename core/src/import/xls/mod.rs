//! Workbooks of Excel 5 to 2003 (.xls), read as a stream: of the shared texts and of a sheet no more is read than somebody
//! asks for, and no more is kept than these texts. Cells out of order and a stream in thousands of pieces ask for the reader
//! that holds the file in memory ([`FileError::NeedsFallback`]); what contradicts itself or breaks off is refused.

mod code_page;
#[cfg(feature = "fallback")]
mod crypt;
mod order;
mod records;
mod sheet;
mod strings;
#[cfg(feature = "fallback")]
mod whole;
mod workbook;

use super::book::Book;
use super::ole::Stream;
use super::row::RowBuffer;
use super::{Blob, FileError, Limits, SheetHead};
use order::Order;
use sheet::{Around, Sheet};
#[cfg(feature = "fallback")]
pub(super) use whole::Whole;
use workbook::Workbook;

/// The most that is read for all samples of a workbook: sheets lie side by side, and those that are read many times over
/// are there to keep somebody busy.
const MOST_SAMPLED: u64 = 256 << 20;

/// Opens a workbook: finds its sheets, and reads none of them.
///
/// # Errors
/// It is none, is damaged or locked, or is of a kind that isn't read here.
pub fn open(blob: Box<dyn Blob>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut stream = Stream::open(blob)?;
    let workbook = workbook::workbook(&mut stream)?;
    if workbook.sheets.is_empty() {
        return Err(FileError::NeedsFallback);
    }
    let ordered = vec![false; workbook.sheets.len()];
    Ok(Box::new(XlsBook { stream, workbook, ordered, sheet: None, sampled: 0, limits: *limits }))
}

struct XlsBook {
    stream: Stream,
    workbook: Workbook,
    /// The sheets whose cells were looked through, and keep their order.
    ordered: Vec<bool>,
    /// The sheet that is being read, and its place.
    sheet: Option<(usize, Sheet)>,
    sampled: u64,
    limits: Limits,
}

impl XlsBook {
    fn open(&mut self, place: usize) -> Result<Sheet, FileError> {
        let start = *self.workbook.starts.get(place).ok_or(FileError::NoSuchSheet)?;
        Sheet::new(start, Order::new(start, self.ordered[place]), &mut self.stream)
    }

    fn read(&mut self, place: usize, sheet: &mut Sheet, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Workbook { strings, formats, code_page, from_1904, .. } = &mut self.workbook;
        let (code_page, from_1904, limits) = (*code_page, *from_1904, &self.limits);
        let mut around = Around { stream: &mut self.stream, strings, formats, code_page, from_1904, limits };
        let is_row = sheet.next(&mut around, row);
        self.ordered[place] |= sheet.is_ordered();
        is_row
    }
}

impl Book for XlsBook {
    fn sheets(&self) -> &[SheetHead] {
        &self.workbook.sheets
    }

    fn sample(&mut self, place: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        if self.sampled > MOST_SAMPLED {
            return Err(FileError::BrokenWorkbook);
        }
        let mut sheet = self.open(place)?;
        let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
        let mut read = || {
            while rows.len() < max && self.read(place, &mut sheet, &mut row)? {
                if !row.row().is_blank() {
                    rows.push(row.clone());
                }
            }
            Ok(())
        };
        let outcome = read();
        self.sampled += sheet.read();
        outcome.map(|()| rows)
    }

    fn start(&mut self, place: usize) -> Result<(), FileError> {
        self.sheet = None;
        self.sheet = Some((place, self.open(place)?));
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        // After an error there is no sheet any more: what followed would be at the wrong place.
        let (place, mut sheet) = self.sheet.take().ok_or(FileError::BrokenWorkbook)?;
        let is_row = self.read(place, &mut sheet, row)?;
        sheet.is_begun = true;
        self.sheet = Some((place, sheet));
        Ok(is_row)
    }
}
