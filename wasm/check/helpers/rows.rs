//! Helper shared by the tests of all readers.

use forecourt_core::import::RowBuffer;
use forecourt_core::import::pack::Unpacker;

pub fn rows(packed: &[u8]) -> Vec<RowBuffer> {
    let mut rest = Unpacker::new(packed);
    let mut rows = Vec::new();
    while !rest.is_empty() {
        let mut row = RowBuffer::default();
        rest.read_row(&mut row).unwrap();
        rows.push(row);
    }
    rows
}
