//! The fallback readers, which load the whole workbook: the content of workbooks by several writers, and rejected
//! files.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod ods;
mod xlsb;

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback};
use std::io::{Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

fn kind(name: &str) -> FileKind {
    match name.rsplit('.').next() {
        Some("xls") => FileKind::Xls,
        Some("xlsb") => FileKind::Xlsb,
        Some("ods") => FileKind::Ods,
        _ => FileKind::Xlsx,
    }
}

fn open(name: &str) -> Result<Box<dyn Book>, FileError> {
    fallback::open(bytes(name), kind(name), &Limits::default())
}

/// A row's number, and its texts by column.
type Row = (u64, Vec<(usize, String)>);

/// Returns the rows of a sheet.
fn rows(book: &mut dyn Book, sheet: usize) -> Vec<Row> {
    book.start(sheet).unwrap();
    let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
    while book.next(&mut row).unwrap() {
        rows.push((row.number(), row.row().cells().map(|(column, text)| (column, text.to_owned())).collect()));
    }
    rows
}

fn texts(cells: &[(usize, String)]) -> Vec<&str> {
    (1..18).map(|at| cells.iter().find(|(column, _)| *column == at).map_or("", |(_, text)| text.as_str())).collect()
}

/// The first contact as users see it; writers and formats may leave out parts of it.
const FIRST_CONTACT: [&str; 17] = [
    "Åsa Öberg",
    "asa@example.se",
    "46701234567",
    "0701234567",
    "00123",
    "00123",
    "123456789012345",
    "1985-12-10",
    "2024-05-03 14:30:00",
    "08:30:00",
    "726:00:00",
    "25%",
    "1234.5",
    "TRUE",
    "Hej Åsa",
    "#N/A",
    "Line one\nLine two",
];
const GREETING: usize = 14;
const CHECK: usize = 15;

#[test]
fn reads_the_workbooks_of_all_writers_alike() {
    // openpyxl doesn't store values of formulas, xlwt writes an empty text there and LibreOffice a zero, and SheetJS
    // supports only ASCII in the format of Excel 5.
    for (name, other) in [
        ("openpyxl-oddities.xlsx", &[(GREETING, "#UNREADABLE!"), (CHECK, "#UNREADABLE!")][..]),
        ("xlsxwriter-oddities.xlsx", &[]),
        ("xlsxwriter-inline-strings.xlsx", &[]),
        ("xlsxwriter-1904.xlsx", &[]),
        ("exceljs-oddities.xlsx", &[]),
        ("sheetjs-oddities.xlsx", &[]),
        ("sheetjs-inline-strings.xlsx", &[]),
        ("libreoffice-oddities.xlsx", &[]),
        ("xlwt-oddities.xls", &[(GREETING, "")]),
        ("sheetjs-oddities.xls", &[]),
        ("sheetjs-biff5.xls", &[(0, "_sa _berg"), (GREETING, "Hej _sa")]),
        ("libreoffice-oddities.xls", &[(GREETING, "0")]),
        ("libreoffice-1904.xls", &[(GREETING, "0")]),
        ("libreoffice-oddities.ods", &[]),
        ("sheetjs-oddities.xlsb", &[]),
    ] {
        let mut book = open(name).unwrap();
        let sheets: Vec<_> = book.sheets().iter().map(|sheet| (sheet.name.as_str(), sheet.hidden)).collect();
        assert_eq!(sheets, [("Listor", true), ("Config", true), ("Kontakter", false), ("Gamla", false)], "{name}");
        let rows = rows(&mut *book, 2);
        assert_eq!(rows.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 4, 5, 6, 7, 8], "{name}");
        assert_eq!(rows[0].1, [(1, "Kontakter 2024".to_owned())], "{name}");
        let mut expected = FIRST_CONTACT;
        for (column, text) in other {
            expected[*column] = text;
        }
        assert_eq!(texts(&rows[2].1), expected, "{name}");
        let sample = book.sample(2, 3).unwrap();
        assert_eq!(sample.iter().map(RowBuffer::number).collect::<Vec<_>>(), [2, 4, 5], "{name}");
    }
}

#[test]
fn reads_a_sheet_again_after_others() {
    for name in ["xlwt-oddities.xls", "exceljs-oddities.xlsx", "libreoffice-oddities.ods"] {
        let mut book = open(name).unwrap();
        let once = rows(&mut *book, 2);
        assert_eq!(rows(&mut *book, 0)[0].1, [(0, "Hidden".into()), (1, "Values".into())], "{name}");
        book.sample(3, 1).unwrap();
        assert_eq!(rows(&mut *book, 2), once, "{name}");
        assert!(matches!(book.start(9), Err(FileError::NoSuchSheet)), "{name}");
    }
}

#[test]
fn stores_only_enough_rows_to_detect_too_many() {
    let limits = Limits { rows: 20, ..Limits::default() };
    let mut book = fallback::open(bytes("xlwt-many-texts.xls"), FileKind::Xls, &limits).unwrap();
    assert_eq!(rows(&mut *book, 0).len(), 121);
}

#[test]
fn error_for_a_long_cell_names_row_and_column() {
    let limits = Limits { cell_chars: 400, ..Limits::default() };
    let mut book = fallback::open(bytes("xlwt-many-texts.xls"), FileKind::Xls, &limits).unwrap();
    assert_eq!(book.start(0), Err(FileError::CellTooLong { row: 12, column: 2, max: 400 }));
}

#[test]
fn ignores_the_declared_dimensions_of_an_xls() {
    for name in ["hostile-dimensions-huge.xls", "hostile-dimensions-reversed.xls", "hostile-dimensions-short.xls"] {
        assert_eq!(rows(&mut *open(name).unwrap(), 0).len(), 3, "{name}");
    }
    // Cells that are far apart take no more memory than others.
    assert_eq!(rows(&mut *open("hostile-far-cells-60-sheets.xls").unwrap(), 59).len(), 3);
}

#[test]
fn rejects_a_cyclic_chain_and_a_huge_declared_number_of_strings() {
    assert!(matches!(open("hostile-circle.xls"), Err(FileError::BrokenWorkbook)));
    assert!(open("hostile-texts-4-billion.xlsx").is_err());
}

/// Creates an archive of these parts.
fn zip<C: AsRef<[u8]>>(parts: impl IntoIterator<Item = (String, C)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
