//! Any bytes as a workbook of another kind: our reader of .xls and the fallback end in rows or in an error. What the fallback
//! can't bear it may only lose a limited process over, so its panics are caught here as they are there; ours has none. A
//! third of the inputs are the records themselves, in a container that is whole, so that the readers get to them.
#![no_main]

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback, xls};
use libfuzzer_sys::fuzz_target;

const KINDS: [FileKind; 3] = [FileKind::Xls, FileKind::Xlsb, FileKind::Ods];
const SECTOR: usize = 512;

/// A container with these records in a row of sectors. So small a stream may claim more than it has, for the padding.
fn container(records: &[u8]) -> Vec<u8> {
    let count = records.len().max(4_096).div_ceil(SECTOR);
    let tables = (count + 1).div_ceil(SECTOR / 4 - 1) + 1;
    let mut bytes = vec![0; (2 + count + tables) * SECTOR];
    bytes[SECTOR..SECTOR + records.len()].copy_from_slice(records);
    let mut put = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    for (at, value) in [(30, 9), (44, tables), (48, count), (60, 0xFFFF_FFFE), (68, 0xFFFF_FFFE)] {
        put(at, value as u32);
    }
    for place in 0..109 {
        put(76 + place * 4, if place < tables { (count + 1 + place) as u32 } else { u32::MAX });
    }
    let (directory, table) = ((1 + count) * SECTOR, (2 + count) * SECTOR);
    for (at, value) in [(116, 0xFFFF_FFFE), (128 + 116, 0), (128 + 120, count * SECTOR)] {
        put(directory + at, value as u32);
    }
    for sector in 0..=count {
        put(table + sector * 4, if sector + 1 < count { sector as u32 + 1 } else { 0xFFFF_FFFE });
    }
    for (place, unit) in "Workbook".bytes().enumerate() {
        bytes[directory + 128 + place * 2] = unit;
    }
    (bytes[directory + 66], bytes[directory + 128 + 66]) = (5, 2);
    bytes
}

fn read(book: Result<Box<dyn Book>, FileError>) {
    let Ok(mut book) = book else { return };
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
}

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (choice, bytes) = input;
    let limits = Limits::default();
    match choice % 4 {
        0 => {
            read(xls::open(Box::new(bytes.clone()), &limits));
            read(fallback::open(bytes, FileKind::Xls, &limits));
        }
        1 if bytes.len() < 1 << 20 => read(xls::open(Box::new(container(&bytes)), &limits)),
        kind => read(fallback::open(bytes, KINDS[usize::from(kind % 3)], &limits)),
    }
});
