//! Whether a sheet's cells stand in the order of their rows and columns. Nearly all do, and can then be given as they come;
//! some programs wrote them as they were told them, which only shows at the end.

use super::records::Records;
use crate::import::FileError;
use crate::import::ole::Stream;
use crate::import::record::{BOF, EOF, MULRK, is_cell, u16_at};

/// Programs that write rows in blocks put no more into one.
const BLOCK: u16 = 32;

/// Where the cells of a record are.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub row: u16,
    pub column: u16,
    right: u16,
}

impl Place {
    #[inline]
    pub fn of(kind: u16, data: &[u8]) -> Option<Place> {
        let (row, column) = (u16_at(data, 0)?, u16_at(data, 2)?);
        // Behind many numbers stands the column of the last one.
        let right = if kind == MULRK { u16_at(data, data.len().checked_sub(2)?)? } else { column };
        Some(Place { row, column, right: right.max(column) })
    }

    fn first(self) -> Option<(u16, u16)> {
        Some((self.row, self.column))
    }

    fn last(self) -> Option<(u16, u16)> {
        Some((self.row, self.right))
    }
}

/// The order of a sheet's cells so far. Programs that keep it announce rows in blocks, before the cells of these; where
/// cells come without, the whole sheet is looked through.
pub(super) struct Order {
    /// Where the sheet begins.
    start: u64,
    /// The sheet was looked through, and the order kept.
    pub is_known: bool,
    /// The cells may come in any order.
    is_free: bool,
    /// The rows of the block, and whether none of its cells was met.
    block: Option<(u16, u16)>,
    is_open: bool,
    /// The last cell's row and column.
    last: Option<(u16, u16)>,
    /// How many bytes were looked through.
    pub read: u64,
}

impl Order {
    pub fn new(start: u64, is_known: bool) -> Order {
        Order { start, is_known, is_free: false, block: None, is_open: false, last: None, read: 0 }
    }

    /// An order that every sheet keeps, for a reader that sorts the cells itself.
    #[cfg(feature = "fallback")]
    pub fn free() -> Order {
        Order { is_free: true, ..Order::new(0, true) }
    }

    pub fn is_free(&self) -> bool {
        self.is_free
    }

    /// Takes a row that is announced.
    #[inline]
    pub fn announce(&mut self, row: u16) {
        self.block = match self.block {
            Some((_, last)) if row <= last => None,
            Some((first, last)) if self.is_open => Some((first, if row - first < BLOCK { row } else { last })),
            _ => Some((row, row)),
        };
        self.is_open = true;
    }

    /// Takes a record of cells.
    ///
    /// # Errors
    /// The cells are out of order ([`FileError::NeedsFallback`]), or the sheet is damaged.
    #[inline]
    pub fn check(&mut self, place: Place, stream: &mut Stream) -> Result<(), FileError> {
        self.is_open = false;
        let is_announced = self.block.is_some_and(|(first, last)| (first..=last).contains(&place.row));
        let is_next = place.first() > self.last;
        self.last = place.last();
        if !is_next && !self.is_free {
            return Err(FileError::NeedsFallback);
        }
        if is_announced || self.is_known { Ok(()) } else { self.look_through(stream) }
    }

    #[cold]
    fn look_through(&mut self, stream: &mut Stream) -> Result<(), FileError> {
        let mut records = Records::from(self.start);
        let outcome = is_ordered(&mut records, stream);
        self.read += records.read();
        self.is_known = outcome?;
        if self.is_known { Ok(()) } else { Err(FileError::NeedsFallback) }
    }
}

/// Whether the cells from there on to the sheet's end keep the order.
fn is_ordered(records: &mut Records, stream: &mut Stream) -> Result<bool, FileError> {
    let (mut last, mut depth) = (None, 0_usize);
    loop {
        let (kind, data) = records.peek(stream)?;
        match kind {
            BOF => depth += 1,
            EOF if depth <= 1 => return Ok(true),
            EOF => depth -= 1,
            _ if depth <= 1 && is_cell(kind) => {
                let place = Place::of(kind, data).ok_or(FileError::BrokenWorkbook)?;
                if place.first() <= last {
                    return Ok(false);
                }
                last = place.last();
            }
            _ => {}
        }
        records.skip();
    }
}
