//! Binary workbooks that are built by hand.

use crate::{rows, zip};
use forecourt_core::import::{FileError, FileKind, Limits, fallback};

/// Creates a record of an .xlsb, with variable-length type and size.
fn record(kind: u16, data: &[&[u8]]) -> Vec<u8> {
    let (data, mut bytes) = (data.concat(), Vec::new());
    for mut number in [usize::from(kind), data.len()] {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    [bytes, data].concat()
}

/// Encodes a string of an .xlsb.
fn encode_string(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    [&(units.len() as u32).to_le_bytes()[..], &units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>()]
        .concat()
}

/// Creates an .xlsb whose only sheet contains these records between the begin and the end of its rows.
fn xlsb(cells: &[Vec<u8>]) -> Vec<u8> {
    let workbook = [
        record(156, &[&[0; 4], &[1, 0, 0, 0], &encode_string("r1"), &encode_string("S")]),
        record(144, &[]),
        record(132, &[]),
    ];
    let sheet = [record(148, &[&[0; 16]]), record(145, &[]), cells.concat(), record(146, &[])];
    let names = "<Relationships><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    zip([
        ("xl/workbook.bin".to_owned(), workbook.concat()),
        ("xl/_rels/workbook.bin.rels".to_owned(), names.into()),
        ("xl/worksheets/sheet1.bin".to_owned(), sheet.concat()),
    ])
}

#[test]
fn reads_xlsb_cells_and_rejects_damaged_records() {
    let row = |row: u32| record(0, &[&row.to_le_bytes(), &[0; 13]]);
    let head = |column: u32| [column.to_le_bytes(), [0; 4]].concat();
    let cells = [
        row(0),
        record(6, &[&head(0), &encode_string("Åsa")]),
        record(5, &[&head(2), &46_701_234_567_f64.to_le_bytes()]),
        row(3),
        record(4, &[&head(1), &[1]]),
    ];
    let limits = Limits::default();
    let mut book = fallback::open(xlsb(&cells), FileKind::Xlsb, &limits).unwrap();
    assert_eq!(book.sheets().iter().map(|sheet| sheet.name.as_str()).collect::<Vec<_>>(), ["S"]);
    let cell = |column: usize, text: &str| (column, text.to_owned());
    assert_eq!(rows(&mut *book, 0), [(1, vec![cell(0, "Åsa"), cell(2, "46701234567")]), (4, vec![cell(1, "TRUE")])]);
    for damaged in [
        // A truncated string, an unordered row, an unordered column, a column and a row beyond the grid, and a
        // truncated number.
        vec![row(0), record(6, &[&head(0), &[9, 0, 0, 0]])],
        vec![row(3), row(0)],
        vec![row(0), record(1, &[&head(2)]), record(1, &[&head(1)])],
        vec![row(0), record(1, &[&head(16_384)])],
        vec![row(1_048_576)],
        vec![row(0), record(5, &[&head(0), &[0; 7]])],
    ] {
        let mut book = fallback::open(xlsb(&damaged), FileKind::Xlsb, &limits).unwrap();
        assert_eq!(book.start(0), Err(FileError::BrokenWorkbook), "{damaged:?}");
    }
}
