//! Checks that a sheet's cells are ordered by row and column. Nearly all are, so that they can be streamed, but some
//! programs wrote cells in the order of their creation.

use super::records::Records;
use crate::import::FileError;
use crate::import::ole::Stream;
use crate::import::record::{BOF, EOF, MULRK, is_cell, u16_at};

/// The maximum number of rows in a block of ROW records.
const BLOCK: u16 = 32;

/// The row and the columns of the cells in a record.
#[derive(Clone, Copy)]
pub(super) struct CellRange {
    pub row: u16,
    pub column: u16,
    last_column: u16,
}

impl CellRange {
    #[inline]
    pub fn of(kind: u16, data: &[u8]) -> Option<CellRange> {
        let (row, column) = (u16_at(data, 0)?, u16_at(data, 2)?);
        // A MULRK record ends with the column of its last number.
        let last_column = if kind == MULRK { u16_at(data, data.len().checked_sub(2)?)? } else { column };
        Some(CellRange { row, column, last_column: last_column.max(column) })
    }

    fn first(self) -> Option<(u16, u16)> {
        Some((self.row, self.column))
    }

    fn last(self) -> Option<(u16, u16)> {
        Some((self.row, self.last_column))
    }
}

/// Tracks the order of a sheet's cells. Programs that order them write blocks of ROW records before the cells of these
/// rows. If cells come without such a block, the whole sheet is scanned once.
pub(super) struct CellOrder {
    /// The offset of the sheet.
    start: u64,
    /// Whether no scan is needed: the whole sheet was scanned and its cells are in order, or any order is accepted.
    pub needs_no_scan: bool,
    /// Whether the cells may be in any order.
    accepts_any_order: bool,
    /// The first and the last row of the current block of ROW records. `is_block_open`: none of its cells was read yet.
    block: Option<(u16, u16)>,
    is_block_open: bool,
    /// The row and column of the last cell.
    last: Option<(u16, u16)>,
    /// How many bytes were scanned so far.
    pub read: u64,
}

impl CellOrder {
    pub fn new(start: u64, needs_no_scan: bool) -> CellOrder {
        CellOrder {
            start,
            needs_no_scan,
            accepts_any_order: false,
            block: None,
            is_block_open: false,
            last: None,
            read: 0,
        }
    }

    /// Creates a tracker that accepts any order, for a reader that sorts the cells itself.
    #[cfg(feature = "files")]
    pub fn any_order() -> CellOrder {
        CellOrder { accepts_any_order: true, ..CellOrder::new(0, true) }
    }

    pub fn accepts_any_order(&self) -> bool {
        self.accepts_any_order
    }

    /// Adds a ROW record, which announces the cells of this row.
    #[inline]
    pub fn add_row_record(&mut self, row: u16) {
        self.block = match self.block {
            Some((_, last)) if row <= last => None,
            Some((first, last)) if self.is_block_open => Some((first, if row - first < BLOCK { row } else { last })),
            _ => Some((row, row)),
        };
        self.is_block_open = true;
    }

    /// Adds a record of cells and checks that it follows the previous one.
    ///
    /// # Errors
    /// The cells are out of order ([`FileError::NeedsFallback`]), or the sheet is damaged.
    #[inline]
    pub fn check(&mut self, range: CellRange, stream: &mut Stream) -> Result<(), FileError> {
        self.is_block_open = false;
        let is_announced = self.block.is_some_and(|(first, last)| (first..=last).contains(&range.row));
        let is_next = range.first() > self.last;
        self.last = range.last();
        if !is_next && !self.accepts_any_order {
            return Err(FileError::NeedsFallback);
        }
        if is_announced || self.needs_no_scan { Ok(()) } else { self.scan_sheet(stream) }
    }

    #[cold]
    fn scan_sheet(&mut self, stream: &mut Stream) -> Result<(), FileError> {
        let mut records = Records::from(self.start);
        let outcome = is_ordered(&mut records, stream);
        self.read += records.bytes_read();
        self.needs_no_scan = outcome?;
        if self.needs_no_scan { Ok(()) } else { Err(FileError::NeedsFallback) }
    }
}

/// Returns whether the cells of the sheet are in order.
fn is_ordered(records: &mut Records, stream: &mut Stream) -> Result<bool, FileError> {
    let (mut last, mut depth) = (None, 0_usize);
    loop {
        let (kind, data) = records.peek(stream)?;
        match kind {
            BOF => depth += 1,
            EOF if depth <= 1 => return Ok(true),
            EOF => depth -= 1,
            _ if depth <= 1 && is_cell(kind) => {
                let range = CellRange::of(kind, data).ok_or(FileError::BrokenWorkbook)?;
                if range.first() <= last {
                    return Ok(false);
                }
                last = range.last();
            }
            _ => {}
        }
        records.skip();
    }
}
