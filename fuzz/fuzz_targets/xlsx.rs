//! Any bytes as a workbook: our reader ends in rows or in an error, within its limits.
#![no_main]

use forecourt_core::import::{Limits, RowBuffer, xlsx};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: Vec<u8>| {
    let Ok(mut book) = xlsx::open(Box::new(bytes), &Limits::default()) else { return };
    for sheet in 0..book.sheets().len().min(4) {
        let _ = book.sample(sheet, 50);
        if book.start(sheet).is_err() {
            continue;
        }
        let (mut row, mut last) = (RowBuffer::default(), 0);
        while let Ok(true) = book.next(&mut row) {
            assert!(row.number() > last && row.number() <= 1_048_576);
            last = row.number();
        }
    }
});
