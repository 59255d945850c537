//! Reads correct workbooks: the types and texts of cells, their order, fragmented containers, samples, and what is left
//! to the fallback reader.

use crate::builder::{
    BLANK, BOF, BOOL_ERR, CONTINUE, DATE_1904, EOF, FORMAT, FORMULA, LABEL, MULRK, NUMBER, RK, RSTRING, SHRFMLA,
    STRING, XF, byte_string, cell, container, formula, line_of, number, record, row, rows, shared, sst, stream, words,
    workbook,
};
use forecourt_core::import::{
    Blob, FileError, FileKind, Limits, PREVIEW_ROWS, ReadOptions, RowBuffer, Source, fallback, xls,
};
use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

fn line(globals: &[u8], cells: &[Vec<u8>]) -> String {
    let found = rows(workbook(globals, &cells.concat())).unwrap();
    assert_eq!(found.len(), 1);
    found[0].1.clone()
}

#[test]
fn reads_all_types_of_cells_as_they_are_shown() {
    let whole = |value: i32| (value << 2 | 2).to_le_bytes();
    let many = [&words(&[0, 4, 0])[..], &whole(7), &words(&[0]), &whole(-8), &words(&[5])].concat();
    let globals = sst(1, &[&byte_string("shared")]);
    let error = [2, 0, 0x2A, 0, 0, 0, 0xFF, 0xFF];
    let cells = [
        shared(0, 0, 0),
        number(0, 1, 0.1 + 0.2),
        cell(RK, 0, 2, &(12_345 << 2 | 3_i32).to_le_bytes()),
        cell(BLANK, 0, 3, &[]),
        record(MULRK, &many),
        cell(BOOL_ERR, 0, 6, &[1, 0]),
        cell(BOOL_ERR, 0, 7, &[0x07, 1]),
        cell(LABEL, 0, 8, &byte_string("in its cell")),
        cell(RSTRING, 0, 9, &[byte_string("rich"), words(&[1, 0, 0])].concat()),
        cell(FORMULA, 0, 10, &[&1e10_f64.to_le_bytes()[..], &[0; 8]].concat()),
        cell(FORMULA, 0, 11, &[&error[..], &[0; 8]].concat()),
        number(0, 12, f64::NAN),
    ];
    assert_eq!(
        line(&globals, &cells),
        "0=shared|1=0.3|2=123.45|4=7|5=-8|6=TRUE|7=#DIV/0!|8=in its cell|9=rich|10=10000000000|11=#N/A|12=#NUM!"
    );
}

#[test]
fn shows_numbers_by_the_format_of_their_style() {
    let format = |id: u16, code: &str| record(FORMAT, &[words(&[id]), byte_string(code)].concat());
    let style = |id: u16| record(XF, &[words(&[0, id]), vec![0; 16]].concat());
    let globals = [
        record(DATE_1904, &words(&[1])),
        format(300, "00000"),
        format(9_999, "yyyy-mm-dd"),
        style(0),
        style(300),
        style(9_999),
        style(14),
        style(10),
        style(46),
    ];
    let cells = (0..6).map(|at| {
        let value = [1.5, 123.0, 0.0, 43_830.25, 0.125, 1.25][usize::from(at)];
        record(NUMBER, &[&words(&[0, at, at])[..], &f64::to_le_bytes(value)].concat())
    });
    assert_eq!(
        line(&globals.concat(), &cells.collect::<Vec<_>>()),
        "0=1.5|1=00123|2=1904-01-01|3=2024-01-01 06:00:00|4=12.5%|5=30:00:00"
    );
}

#[test]
fn continued_strings_may_change_the_width_of_characters() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    // Six 8-bit characters, then five UTF-16 units, with a surrogate pair split in the middle.
    let pair = wide("🚗");
    let first = [&words(&[11])[..], &[0], b"Storga"].concat();
    let second = [&[1][..], &wide("tan"), &pair[..2]].concat();
    let third = [&[1][..], &pair[2..], &byte_string("next")].concat();
    // Formatting and phonetic data follow a string, and may be split anywhere.
    let rich = [&words(&[2])[..], &[0x0C], &words(&[2]), &7_u32.to_le_bytes(), b"ab", &[9; 5]].concat();
    let last = [&[9; 10][..], &byte_string("last")].concat();
    let globals = sst(4, &[&first, &second, &third, &rich, &last]);
    let cells: Vec<_> = (0..4).map(|at| shared(0, at, 3 - u32::from(at))).collect();
    assert_eq!(line(&globals, &cells), "0=last|1=ab|2=next|3=Storgatan🚗");
}

#[test]
fn reads_long_strings_of_formulas() {
    let long = "å".repeat(9_000);
    let units: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let start = [&words(&[9_000])[..], &[1], &units[..8_000]].concat();
    let cells = [
        formula(0, 0),
        record(SHRFMLA, &[0; 10]),
        record(STRING, &start),
        record(CONTINUE, &[&[1], &units[8_000..]].concat()),
        // A formula without its string, and one with an empty string.
        formula(0, 1),
        formula(0, 2),
        record(STRING, &[0, 0]),
        number(0, 3, 1.0),
    ];
    assert_eq!(line(&[], &cells), format!("0={long}|3=1"));
}

#[test]
fn ignores_cells_of_charts() {
    let chart = [record(BOF, &words(&[0x0600, 0x20])), number(0, 0, 9.0), record(EOF, &[])].concat();
    assert_eq!(line(&[], &[chart.clone(), number(0, 1, 1.0)]), "1=1");
    // The fallback reader ignores it too.
    let bytes = workbook(&[], &[chart, number(0, 1, 1.0)].concat());
    let mut book = fallback::open(bytes, FileKind::Xls, &Limits::default()).unwrap();
    assert_eq!(book.sample(0, 9).unwrap().iter().map(line_of).collect::<Vec<_>>(), ["1=1"]);
}

#[test]
fn the_fallback_reads_a_fragmented_workbook_twice_with_the_same_rows() {
    let padding = record(0, &[0; 400]);
    let one = |at: u16| [row(at), number(at, 0, f64::from(at)), padding.clone()].concat();
    let mut bytes = stream(&[], &(0..6_000).flat_map(one).collect::<Vec<u8>>());
    bytes.resize(bytes.len().next_multiple_of(1_024), 0);
    // More fragments than the streaming reader follows.
    let bytes = container(&bytes, |sector| sector ^ 1);
    assert_eq!(rows(bytes.clone()), Err(FileError::NeedsFallback));
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let mut source = Source::open("a.xls", bytes, &options, PREVIEW_ROWS, &limits).unwrap();
    // A sheet can be read repeatedly, and returns each row once.
    for _ in 0..2 {
        let mut found = Vec::new();
        let read = source.rows(&mut |row| {
            found.push((row.number, row.cells().map(|(_, text)| text.to_owned()).collect::<String>()));
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(read, Ok(()));
        assert!(found == (0..6_000).map(|at| (at + 1, at.to_string())).collect::<Vec<_>>(), "{}", found.len());
    }
}

#[test]
fn reads_a_fragmented_workbook() {
    let cells: Vec<u8> = (0..200).flat_map(|at| [row(at), number(at, 1, f64::from(at))].concat()).collect();
    let bytes = stream(&[], &cells);
    let count = bytes.len().div_ceil(512);
    assert_eq!(rows(container(&bytes, |sector| count - 1 - sector)), rows(container(&bytes, |sector| sector)));
    assert_eq!(rows(container(&bytes, |sector| sector)).unwrap().len(), 200);
}

#[test]
fn reads_a_workbook_in_mini_sectors() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/hostile-dimensions-huge.xls")).unwrap();
    assert_eq!(rows(bytes).unwrap().len(), 3);
}

/// Counts the bytes that are read.
struct CountingBlob(Vec<u8>, Rc<Cell<usize>>);

impl Blob for CountingBlob {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read_at(offset, into)?;
        self.1.set(self.1.get() + count);
        Ok(count)
    }
}

fn bytes_read_for_two_samples(cells: &[u8]) -> usize {
    let count = Rc::new(Cell::new(0));
    let blob = CountingBlob(workbook(&[], cells), count.clone());
    let mut book = xls::open(Box::new(blob), &Limits::default()).unwrap();
    assert_eq!(book.sample(0, 50).unwrap().len(), 50);
    assert_eq!(book.sample(0, 50).unwrap().len(), 50);
    count.get()
}

#[test]
fn samples_a_sheet_with_row_records_without_reading_all_of_it() {
    let cells = |is_announced: bool| -> Vec<u8> {
        let one = |at: u16| [if is_announced { row(at) } else { Vec::new() }, number(at, 0, 1.0)].concat();
        (0..30_000).flat_map(one).collect()
    };
    assert!(bytes_read_for_two_samples(&cells(true)) < 300_000);
    // A sheet without row records is scanned once for both samples.
    let all = cells(false).len();
    assert!((all..2 * all).contains(&bytes_read_for_two_samples(&cells(false))));
}

#[test]
fn sorts_unordered_cells() {
    let column = |column: u16| (0..100).flat_map(|row| number(row, column, f64::from(row * 2 + column))).collect();
    let columns: [Vec<u8>; 2] = [0, 1].map(column);
    let bytes = workbook(&[], &columns.concat());
    assert_eq!(rows(bytes.clone()), Err(FileError::NeedsFallback));
    let mut book = xls::open(Box::new(bytes.clone()), &Limits::default()).unwrap();
    assert_eq!(book.sample(0, 50), Err(FileError::NeedsFallback));
    let limits = Limits::default();
    let options = ReadOptions::default();
    let mut source = Source::open("a.xls", bytes, &options, PREVIEW_ROWS, &limits).unwrap();
    let mut found = Vec::new();
    let read = source.rows(&mut |row| {
        found.push(row.cells().map(|(_, text)| text.to_owned()).collect::<Vec<_>>().join(" "));
        Ok(ControlFlow::Continue(()))
    });
    assert_eq!((read, found.len(), found[99].as_str()), (Ok(()), 100, "198 199"));
}

#[test]
fn unordered_cells_after_returned_rows_are_damage() {
    let announced: Vec<u8> = (0..100).flat_map(|at| [row(at), number(at, 0, 1.0)].concat()).collect();
    let bytes = workbook(&[], &[announced, number(3, 1, 2.0)].concat());
    let mut book = xls::open(Box::new(bytes), &Limits::default()).unwrap();
    assert_eq!(book.sample(0, 50).unwrap().len(), 50);
    book.start(0).unwrap();
    let mut row = RowBuffer::default();
    for _ in 0..100 {
        assert_eq!(book.next(&mut row), Ok(true));
    }
    assert_eq!(book.next(&mut row), Err(FileError::BrokenWorkbook));
    assert_eq!(book.next(&mut row), Err(FileError::BrokenWorkbook));
}
