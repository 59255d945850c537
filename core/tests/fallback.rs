//! The library's readers: what they read of workbooks by several writers, and what is refused before they see it.
#![cfg(feature = "fallback")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

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

/// A sheet's rows, each with its number and a line of its texts by column.
fn rows(book: &mut dyn Book, sheet: usize) -> Vec<(u64, Vec<(usize, String)>)> {
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

/// The first row of contacts as a person sees it, and what a writer or its format leaves out of it.
const SEEN: [&str; 17] = [
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
fn every_writers_workbook_is_read_alike() {
    // xlwt keeps no values of formulas, openpyxl neither, and LibreOffice writes a zero there; SheetJS knows only ASCII in the
    // format of 1995; the library gives of an .ods neither zeros before a number nor its percentages, and LibreOffice
    // makes a formula of a truth.
    let ods: &[(usize, &str)] = &[(3, "701234567"), (5, "123"), (11, "0.25"), (13, "1")];
    for (name, other) in [
        ("openpyxl-oddities.xlsx", &[(GREETING, ""), (CHECK, "")][..]),
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
        ("libreoffice-oddities.ods", ods),
    ] {
        let mut book = open(name).unwrap();
        let sheets: Vec<_> = book.sheets().iter().map(|sheet| (sheet.name.as_str(), sheet.hidden)).collect();
        assert_eq!(sheets, [("Listor", true), ("Config", true), ("Kontakter", false), ("Gamla", false)], "{name}");
        let rows = rows(&mut *book, 2);
        assert_eq!(rows.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 4, 5, 6, 7, 8], "{name}");
        assert_eq!(rows[0].1, [(1, "Kontakter 2024".to_owned())], "{name}");
        let mut expected = SEEN;
        for (column, text) in other {
            expected[*column] = text;
        }
        assert_eq!(texts(&rows[2].1), expected, "{name}");
        let sample = book.sample(2, 3).unwrap();
        assert_eq!(sample.iter().map(RowBuffer::number).collect::<Vec<_>>(), [2, 4, 5], "{name}");
    }
}

#[test]
fn every_sheet_can_be_read_as_often_as_wished() {
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
fn no_more_rows_are_kept_than_it_takes_to_see_that_there_are_too_many() {
    let limits = Limits { rows: 20, ..Limits::default() };
    let mut book = fallback::open(bytes("xlwt-many-texts.xls"), FileKind::Xls, &limits).unwrap();
    assert_eq!(rows(&mut *book, 0).len(), 121);
}

#[test]
fn a_text_too_long_for_a_cell_is_told_with_its_place() {
    let limits = Limits { cell_chars: 400, ..Limits::default() };
    let mut book = fallback::open(bytes("xlwt-many-texts.xls"), FileKind::Xls, &limits).unwrap();
    assert_eq!(book.start(0), Err(FileError::CellTooLong { row: 12, column: 2, most: 400 }));
}

#[test]
fn what_a_sheet_of_an_old_workbook_claims_is_not_believed() {
    for name in ["hostile-dimensions-huge.xls", "hostile-dimensions-reversed.xls", "hostile-dimensions-short.xls"] {
        assert_eq!(rows(&mut *open(name).unwrap(), 0).len(), 3, "{name}");
    }
    for name in
        ["hostile-far-cells-60-sheets.xls", "hostile-circle.xls", "hostile-counts-lie.xls", "hostile-text-beyond.xls"]
    {
        assert!(matches!(open(name), Err(FileError::BrokenWorkbook)), "{name}");
    }
}

/// An archive of these parts.
fn zip<C: AsRef<[u8]>>(parts: impl IntoIterator<Item = (String, C)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The parts of an .ods with this content.
fn parts(content: &str) -> Vec<(String, String)> {
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("content.xml", &format!("<a>{content}</a>")),
    ];
    parts.map(|(name, content)| (name.to_owned(), content.to_owned())).to_vec()
}

/// An .ods with these rows.
fn ods(rows: &str) -> Vec<u8> {
    zip(parts(&format!("<table:table table:name='S'><!-- it's -->{rows}</table:table>")))
}

#[test]
fn an_ods_that_repeats_a_cell_without_end_is_refused() {
    let cell = |times: &str| {
        format!(
            "<table:table-cell table:number-columns-repeated{times} office:value-type=\"float\" office:value=\"1\"/>"
        )
    };
    let row = |times: u32, cells: &str| {
        format!("<table:table-row table:number-rows-repeated=\"{times}\">{cells}</table:table-row>")
    };
    let read = |rows: &str| {
        fallback::open(ods(rows), FileKind::Ods, &Limits::default()).map(|mut book| self::rows(&mut *book, 0).len())
    };
    assert_eq!(read(&row(3, &cell("=\"4\""))), Ok(3));
    // Empty ones up to the end of the sheet, as every program writes them, cost nothing.
    let empty = "<table:table-cell table:number-columns-repeated=\"16384\"/>";
    assert_eq!(read(&(row(2, &cell("='2'")) + &row(1_048_000, empty))), Ok(2));
    for rows in [
        row(1_048_576, &cell("=\"1024\"")),
        row(1, &cell("=\"16384\"")).repeat(1_000),
        row(1, &cell(" = '+16384'")).repeat(1_000),
        row(1, &(empty.to_owned() + &cell("=\"1\""))).repeat(1_000),
        row(1, &cell("=\"1\"")) + &row(1_048_000, empty) + &row(1, &cell("=\"100\"")),
        row(1, &cell("=\"99999999999999999999999999\"")).repeat(1_000),
        row(1, &format!("{}{}", cell("=\"1\""), " ".repeat(70_000))) + "<x " + &"y".repeat(70_000),
    ] {
        assert_eq!(read(&rows), Err(FileError::BrokenWorkbook), "{}", &rows[..90]);
    }
}

#[test]
fn an_xlsb_whose_cells_the_library_would_pass_over_is_refused() {
    assert!(matches!(open("sheetjs-oddities.xlsb"), Err(FileError::BrokenWorkbook)));
}

/// A record of an .xlsb, the bytes of its numbers seven bits each.
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

/// A text of an .xlsb.
fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    [&(units.len() as u32).to_le_bytes()[..], &units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>()]
        .concat()
}

/// An .xlsb whose only sheet has these records between its rows' begin and end.
fn xlsb(cells: &[Vec<u8>]) -> Vec<u8> {
    let workbook =
        [record(156, &[&[0; 4], &[1, 0, 0, 0], &wide("r1"), &wide("S")]), record(144, &[]), record(132, &[])];
    let sheet = [record(148, &[&[0; 16]]), record(145, &[]), cells.concat(), record(146, &[])];
    let names = "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    zip([
        ("xl/workbook.bin".to_owned(), workbook.concat()),
        ("xl/_rels/workbook.bin.rels".to_owned(), names.into()),
        ("xl/worksheets/sheet1.bin".to_owned(), sheet.concat()),
    ])
}

#[test]
fn an_xlsb_is_read_cell_by_cell() {
    let row = |row: u32| record(0, &[&row.to_le_bytes(), &[0; 13]]);
    let head = |column: u32| [column.to_le_bytes(), [0; 4]].concat();
    let cells = [
        row(0),
        record(6, &[&head(0), &wide("Åsa")]),
        record(5, &[&head(2), &46_701_234_567_f64.to_le_bytes()]),
        row(3),
        record(4, &[&head(1), &[1]]),
    ];
    let limits = Limits::default();
    let mut book = fallback::open(xlsb(&cells), FileKind::Xlsb, &limits).unwrap();
    assert_eq!(book.sheets().iter().map(|sheet| sheet.name.as_str()).collect::<Vec<_>>(), ["S"]);
    let cell = |column: usize, text: &str| (column, text.to_owned());
    assert_eq!(rows(&mut *book, 0), [(1, vec![cell(0, "Åsa"), cell(2, "46701234567")]), (4, vec![cell(1, "TRUE")])]);
    // One that ends inside of a cell.
    let mut book =
        fallback::open(xlsb(&[row(0), record(6, &[&head(0), &[9, 0, 0, 0]])]), FileKind::Xlsb, &limits).unwrap();
    assert_eq!(book.start(0), Err(FileError::BrokenWorkbook));
}

#[test]
fn what_would_be_too_much_for_the_library_never_reaches_it() {
    let whole = parts("<table:table table:name='S'/>");
    let with = |more: Vec<(String, Vec<u8>)>| {
        zip(whole.iter().map(|(name, content)| (name.clone(), content.clone().into_bytes())).chain(more))
    };
    let open =
        |bytes: Vec<u8>| fallback::open(bytes, FileKind::Ods, &Limits::default()).map(|book| book.sheets().len());
    // As many parts as may be, and one more.
    let many = |count: usize| with((whole.len()..count).map(|n| (n.to_string(), Vec::new())).collect());
    assert_eq!([open(many(4_096)), open(many(4_097))], [Ok(1), Err(FileError::BrokenWorkbook)]);
    // A part that claims to be large, though nobody reads it.
    let claiming = |size: u32| {
        let mut bytes = with(vec![("picture.png".into(), b"PNG".to_vec())]);
        let at = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
        bytes[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
        open(bytes)
    };
    assert_eq!([claiming(1 << 20), claiming((1 << 30) + 1)], [Ok(1), Err(FileError::BrokenWorkbook)]);
    // Shared texts that claim to be more than there is room for in their part.
    let texts = |count: &str| {
        let part = format!("<sst uniqueCount=\"{count}\"><si/></sst>").into_bytes();
        open(with(vec![("xl/sharedStrings.xml".into(), part)]))
    };
    assert_eq!([texts("1"), texts("4294967295")], [Ok(1), Err(FileError::BrokenWorkbook)]);
}

#[test]
fn what_holds_no_sheet_or_is_locked_is_told() {
    let open = |parts: Vec<(String, String)>| {
        fallback::open(zip(parts), FileKind::Ods, &Limits::default()).map(|book| book.sheets().len())
    };
    assert_eq!(open(parts("")), Err(FileError::NotASpreadsheet { found: "a document of another kind" }));
    let mut locked = parts("");
    locked[1].1 = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry>\
                   </manifest:manifest>"
        .into();
    assert_eq!(open(locked), Err(FileError::PasswordProtected));
    let text = fallback::open(b"Namn;Ort\n".to_vec(), FileKind::Csv, &Limits::default());
    assert_eq!(text.map(|book| book.sheets().len()), Err(FileError::BrokenWorkbook));
}
