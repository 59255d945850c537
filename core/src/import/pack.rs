//! A binary encoding of rows and columns, to pass them between processes and to store many of them compactly. Numbers
//! are 32-bit little-endian; a text is its length in bytes followed by UTF-8.

use super::row::{Cell, RawRow, RowBuffer};

#[derive(Default)]
pub struct Packer {
    pub bytes: Vec<u8>,
}

impl Packer {
    pub fn write_number(&mut self, number: u64) {
        // In a real file no number reaches 2^32. A larger one becomes the maximum.
        self.bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub fn write_text(&mut self, text: &str) {
        self.write_number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Encodes a row: its number, the number of cells, each cell's column and length, and the concatenated texts.
    pub fn write_row(&mut self, row: RawRow<'_>) {
        self.write_number(row.number);
        self.write_number(row.cells.len() as u64);
        let mut length = 0;
        for cell in row.cells {
            self.write_number(u64::from(cell.column));
            self.write_number(u64::from(cell.end - cell.start));
            length += u64::from(cell.end - cell.start);
        }
        self.write_number(length);
        for (_, text) in row.cells() {
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }
}

/// Decodes what a [`Packer`] encoded. The input is untrusted; invalid data yields `None`.
pub struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Unpacker { rest: bytes }
    }

    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn read_number(&mut self) -> Option<u64> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u64::from(u32::from_le_bytes(*number)))
    }

    pub fn read_text(&mut self) -> Option<&'a str> {
        let length = self.read_number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    /// Decodes a row into a buffer. Its columns must ascend, and its cells must end at character boundaries.
    pub fn read_row(&mut self, row: &mut RowBuffer) -> Option<()> {
        let number = self.read_number()?;
        let count = self.read_number()? as usize;
        let (heads, rest) = self.rest.split_at_checked(count.checked_mul(8)?)?;
        self.rest = rest;
        let text = self.read_text()?;
        let (mut next, mut start, mut is_valid) = (0_u64, 0_u32, true);
        let cells = heads.as_chunks::<8>().0.iter().map(|&[a, b, c, d, e, f, g, h]| {
            let (column, length) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
            let end = start.saturating_add(length);
            is_valid &= u64::from(column) >= next && text.is_char_boundary(end as usize);
            next = u64::from(column) + 1;
            let cell = Cell { column, start, end };
            start = end;
            cell
        });
        row.set(number, text, cells);
        (is_valid && start as usize == text.len()).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_rows_unpack_unchanged(number in 1_u64..2_000_000, cells in proptest::collection::btree_map(0_usize..600, "[a-zå漢]{1,6}", 0..9)) {
            let mut row = RowBuffer::default();
            row.start(number);
            for (column, text) in &cells {
                row.push(*column, text, &Limits::default()).unwrap();
            }
            let mut packer = Packer::default();
            packer.write_row(row.row());
            packer.write_row(row.row());
            let (mut unpacker, mut back) = (Unpacker::new(&packer.bytes), RowBuffer::default());
            for _ in 0..2 {
                prop_assert_eq!(unpacker.read_row(&mut back), Some(()));
                prop_assert_eq!(&back, &row);
            }
            prop_assert!(unpacker.is_at_end());
        }

        #[test]
        fn random_bytes_never_unpack_to_an_invalid_row(bytes in proptest::collection::vec(prop_oneof![0_u8..4, any::<u8>()], 0..80)) {
            let (mut unpacker, mut row) = (Unpacker::new(&bytes), RowBuffer::default());
            while unpacker.read_row(&mut row).is_some() {
                let columns: Vec<usize> = row.row().cells().map(|(column, _)| column).collect();
                prop_assert!(columns.is_sorted_by(|a, b| a < b));
            }
        }
    }
}
