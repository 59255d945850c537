//! Any bytes as a workbook of another kind: our reader of .xls and the fallback end in rows or in an error. Half of the
//! inputs are the records of a workbook, put together of what such records consist of, in a container that is whole, so
//! that the readers get to them; where both read all of it, they come to the same.
#![no_main]

mod caught;
#[path = "../../core/tests/xls/made.rs"]
#[allow(dead_code)]
mod made;
mod records;

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback, xls};
use libfuzzer_sys::fuzz_target;

fn theirs(bytes: Vec<u8>, kind: FileKind) -> Option<Vec<Sheet>> {
    caught::let_be();
    read(fallback::open(bytes, kind, &Limits::default()))
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
            rows.push((row.number(), made::seen(&row)));
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

fn compare(ours: Vec<(u64, String)>, theirs: Vec<(u64, String)>) {
    // The library doesn't tell the first day of 1904 from a time, and takes the first character of a text for a byte order
    // mark if it can.
    let is_other = |text: &str| text.contains("1904-01-01") || text.contains(['\u{FEFF}', '\u{FFFE}', '\u{BBEF}']);
    let others: Vec<u64> = ours.iter().filter(|(_, text)| is_other(text)).map(|(number, _)| *number).collect();
    let same = |rows: Vec<(u64, String)>| rows.into_iter().filter(|(number, _)| !others.contains(number)).collect();
    let [ours, theirs]: [Vec<_>; 2] = [same(ours), same(theirs)];
    assert_eq!(ours, theirs);
}

fuzz_target!(|input: (u8, Vec<u8>, Vec<u8>)| {
    let (choice, first, second) = input;
    match choice % 8 {
        0 => drop(theirs(first, FileKind::Xlsb)),
        1 => drop(theirs(first, FileKind::Ods)),
        2 => drop(theirs(first, FileKind::Xls)),
        3 => drop(ours(first)),
        _ => {
            let bytes = made::workbook(&records::globals(&first), &records::cells(&second));
            let (ours, theirs) = (ours(bytes.clone()), theirs(bytes, FileKind::Xls));
            for (ours, theirs) in ours.into_iter().flatten().zip(theirs.into_iter().flatten()) {
                if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                    compare(ours, theirs);
                }
            }
        }
    }
});
