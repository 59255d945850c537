//! Any bytes as a workbook of another kind: the fallback ends in rows or in an error. What it can't bear it may only lose
//! a limited process over, so its panics are caught here as they are there.
#![no_main]

use forecourt_core::import::{FileKind, Limits, RowBuffer, fallback};
use libfuzzer_sys::fuzz_target;

const KINDS: [FileKind; 3] = [FileKind::Xls, FileKind::Xlsb, FileKind::Ods];

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (kind, bytes) = input;
    let Ok(mut book) = fallback::open(bytes, KINDS[usize::from(kind % 3)], &Limits::default()) else { return };
    for sheet in 0..book.sheets().len().min(4) {
        let _ = book.sample(sheet, 50);
        if book.start(sheet).is_err() {
            continue;
        }
        let (mut row, mut last) = (RowBuffer::default(), 0);
        while let Ok(true) = book.next(&mut row) {
            assert!(row.number() > last);
            last = row.number();
        }
    }
});
