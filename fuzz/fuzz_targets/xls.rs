//! Any bytes as an .xls: the reader that streams and the one that sorts end in rows or in an error. Most of the inputs are the
//! records of a workbook, put together of what such records consist of, in a container that is whole, so that the readers get
//! to them; where both read all of it, they come to the same.
#![no_main]

#[path = "../../core/tests/xls/builder.rs"]
#[allow(dead_code)]
mod builder;
mod records;

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback, xls};
use libfuzzer_sys::fuzz_target;

fn sorted(bytes: Vec<u8>) -> Option<Vec<Sheet>> {
    read(fallback::open(bytes, FileKind::Xls, &Limits::default()))
}

fn ours(bytes: Vec<u8>) -> Option<Vec<Sheet>> {
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
        0 => drop(sorted(first)),
        1 => drop(ours(first)),
        _ => {
            let bytes = builder::workbook(&records::globals(&first), &records::cells(&second));
            let (ours, sorted) = (ours(bytes.clone()), sorted(bytes));
            for (ours, sorted) in ours.into_iter().flatten().zip(sorted.into_iter().flatten()) {
                if let (Ok(ours), Ok(sorted)) = (ours, sorted) {
                    assert_eq!(ours, sorted);
                }
            }
        }
    }
});
