//! Rows, plans and corrections as bytes, for those who can't share memory: the browser's wasm modules, and the server and
//! its child. Numbers are four bytes, little-endian; a text is its length in bytes and then UTF-8.

use super::row::{Cell, RawRow, RowBuffer};

/// Writes numbers and texts.
#[derive(Default)]
pub struct Packer {
    pub bytes: Vec<u8>,
}

impl Packer {
    pub fn number(&mut self, number: u64) {
        // Nothing that is counted here reaches four billion; what claims to is cut rather than wrapped around.
        self.bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A row: its number, how many cells it has, each cell's column and length, and all texts as one.
    pub fn row(&mut self, row: RawRow<'_>) {
        self.number(row.number);
        self.number(row.cells.len() as u64);
        let mut length = 0;
        for cell in row.cells {
            self.number(u64::from(cell.column));
            self.number(u64::from(cell.end - cell.start));
            length += u64::from(cell.end - cell.start);
        }
        self.number(length);
        for (_, text) in row.cells() {
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }
}

/// Reads what a [`Packer`] wrote, and believes none of it: what doesn't hold is `None`.
pub struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Unpacker { rest: bytes }
    }

    /// How many bytes are still to be read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Returns what is still to be read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u64::from(u32::from_le_bytes(*number)))
    }

    pub fn text(&mut self) -> Option<&'a str> {
        let length = self.number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    /// Reads a row into a buffer: its columns ascend, and every cell is a text of its own.
    pub fn row(&mut self, row: &mut RowBuffer) -> Option<()> {
        let number = self.number()?;
        let count = self.number()? as usize;
        let (heads, rest) = self.rest.split_at_checked(count.checked_mul(8)?)?;
        self.rest = rest;
        let text = self.text()?;
        let (mut next, mut start, mut holds) = (0_u64, 0_u32, true);
        let cells = heads.as_chunks::<8>().0.iter().map(|&[a, b, c, d, e, f, g, h]| {
            let (column, length) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
            let end = start.saturating_add(length);
            holds &= u64::from(column) >= next && text.is_char_boundary(end as usize);
            next = u64::from(column) + 1;
            let cell = Cell { column, start, end };
            start = end;
            cell
        });
        row.take(number, text, cells);
        (holds && start as usize == text.len()).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Limits;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_comes_back_as_it_went(number in 1_u64..2_000_000, cells in proptest::collection::btree_map(0_usize..600, "[a-zå漢]{1,6}", 0..9)) {
            let mut row = RowBuffer::default();
            row.start(number);
            for (column, text) in &cells {
                row.push(*column, text, &Limits::default()).unwrap();
            }
            let mut packer = Packer::default();
            packer.row(row.row());
            packer.row(row.row());
            let (mut unpacker, mut back) = (Unpacker::new(&packer.bytes), RowBuffer::default());
            for _ in 0..2 {
                prop_assert_eq!(unpacker.row(&mut back), Some(()));
                prop_assert_eq!(&back, &row);
            }
            prop_assert!(unpacker.is_empty());
        }

        #[test]
        fn wild_bytes_are_refused_or_hold(bytes in proptest::collection::vec(prop_oneof![0_u8..4, any::<u8>()], 0..80)) {
            let (mut unpacker, mut row) = (Unpacker::new(&bytes), RowBuffer::default());
            while unpacker.row(&mut row).is_some() {
                let columns: Vec<usize> = row.row().cells().map(|(column, _)| column).collect();
                prop_assert!(columns.is_sorted_by(|a, b| a < b));
            }
        }
    }
}
