//! A workbook that the streaming reader hands over to the fallback reader in the middle of its rows. It is stored as a
//! sample too, for the tests of the wasm packages and of the web app.

use crate::builder::{LABEL, STRING, byte_string, cell, record, row, workbook};
use forecourt_core::import::{FileError, Limits, Linked, PREVIEW_ROWS, ReadOptions, Source, Step};
use std::ops::ControlFlow;
use std::path::Path;

const NAME: &str = "hand-over-in-row-1000.xls";
const ROWS: u16 = 1_200;

/// Builds a list of contacts with a text in row 1000 that follows no formula, which only the fallback reader ignores.
fn contacts() -> Vec<u8> {
    let mut cells = Vec::new();
    for number in 0..ROWS {
        let (name, email) = match number {
            0 => ("Namn".into(), "E-post".into()),
            // Faulty rows, and one that repeats another, on both sides of the hand-over.
            700 | 1_100 => (format!("Kund {number}"), "nowhere".into()),
            1_150 => ("Kund 500".into(), "kund500@example.se".into()),
            _ => (format!("Kund {number}"), format!("kund{number}@example.se")),
        };
        if number % 32 == 0 {
            (number..ROWS.min(number + 32)).for_each(|number| cells.extend(row(number)));
        }
        cells.extend(cell(LABEL, number, 0, &byte_string(&name)));
        cells.extend(cell(LABEL, number, 1, &byte_string(&email)));
        if number == 999 {
            cells.extend(record(STRING, &byte_string("x")));
        }
    }
    workbook(&[], &cells)
}

/// Reads the rows in steps; returns their numbers and the last outcome.
fn read(source: &mut Source) -> (Vec<u64>, Result<Step, FileError>) {
    let mut numbers = Vec::new();
    source.start();
    loop {
        let step = source.step(&mut |row| {
            numbers.push(row.number);
            Ok(ControlFlow::Continue(()))
        });
        if step != Ok(Step::More) {
            return (numbers, step);
        }
    }
}

#[test]
fn the_stored_sample_is_this_workbook() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(NAME);
    if std::fs::read(&path).ok() != Some(contacts()) {
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join(NAME);
        std::fs::write(&built, contacts()).unwrap();
        panic!("commit {} as {}", built.display(), path.display());
    }
}

#[test]
fn the_fallback_reader_continues_after_the_last_row() {
    let all: Vec<u64> = (1..=ROWS.into()).collect();
    let mut source = Source::open(NAME, contacts(), &ReadOptions::default(), PREVIEW_ROWS, &Limits::default()).unwrap();
    // The second time, the fallback reader reads all rows.
    for _ in 0..2 {
        assert_eq!(read(&mut source), (all.clone(), Ok(Step::End)));
    }
}

#[test]
fn without_the_fallback_reader_a_step_asks_for_it() {
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let mut source = Source::open_head(NAME, contacts(), None, &options, PREVIEW_ROWS, &limits).unwrap();
    let (numbers, step) = read(&mut source);
    assert_eq!((numbers, step), ((1..=999).collect(), Err(FileError::NeedsFallback)));
    let whole = Source::open_head(NAME, contacts(), Some(&Linked), &options, PREVIEW_ROWS, &limits).unwrap();
    assert_eq!(source.head(), whole.head());
}
