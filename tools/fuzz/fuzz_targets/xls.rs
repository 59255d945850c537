//! Fuzz target: reads .xls files with the streaming and the in-memory reader. Each must return rows or an error. Two of
//! eight inputs are read as they are, one by each reader. The other six become plausible records in a valid container,
//! which both readers read: if both can, they must return the same rows.
#![no_main]

#[path = "../../../core/tests/xls/builder.rs"]
#[allow(dead_code)]
mod builder;
mod records;
#[path = "../../../core/tests/rows/mod.rs"]
#[allow(dead_code)]
mod rows;

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback, xls};
use libfuzzer_sys::fuzz_target;

fn read_in_memory(bytes: Vec<u8>) -> Option<Vec<Sheet>> {
    read(fallback::open(bytes, FileKind::Xls, &Limits::default()))
}

fn read_streamed(bytes: Vec<u8>) -> Option<Vec<Sheet>> {
    read(xls::open(Box::new(bytes), &Limits::default()))
}

type Sheet = Result<Vec<(u64, String)>, FileError>;

fn rows(book: &mut dyn Book, sheet: usize) -> Sheet {
    book.start(sheet)?;
    let (mut rows, mut row, mut last) = (Vec::new(), RowBuffer::default(), 0);
    while book.next(&mut row)? {
        assert!(row.number() > last);
        last = row.number();
        if !row.row().is_blank() {
            rows.push((row.number(), builder::line_of(&row)));
        }
    }
    Ok(rows)
}

fn read(book: Result<Box<dyn Book>, FileError>) -> Option<Vec<Sheet>> {
    let mut book = book.ok()?;
    let sheets = 0..book.sheets().len().min(4);
    Some(
        sheets
            .map(|sheet| {
                let _ = book.sample(sheet, 50);
                rows(&mut *book, sheet)
            })
            .collect(),
    )
}

fuzz_target!(|input: (u8, Vec<u8>, Vec<u8>)| {
    let (choice, first, second) = input;
    match choice % 8 {
        0 => drop(read_in_memory(first)),
        1 => drop(read_streamed(first)),
        _ => {
            let bytes = builder::workbook(&records::globals(&first), &records::cells(&second));
            let (streamed, in_memory) = (read_streamed(bytes.clone()), read_in_memory(bytes));
            for (streamed, in_memory) in streamed.into_iter().flatten().zip(in_memory.into_iter().flatten()) {
                if let (Ok(streamed), Ok(in_memory)) = (streamed, in_memory) {
                    assert_eq!(streamed, in_memory);
                }
            }
        }
    }
});
